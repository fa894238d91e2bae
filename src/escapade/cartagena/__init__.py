"""Cartagena: six pirates each through the tunnel into the boat."""
