"""Escapade as other libraries want a game to be."""
