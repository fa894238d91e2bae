"""Escapade: the great escape board games, to play, study and simulate."""

from escapade.cartagena.position import Cartagena
from escapade.evades.position import Evades
from escapade.game import Chance, Game, Illegal, Invalid
from escapade.games import new, parse
from escapade.hints import Hint, hint, value
from escapade.record import read

__version__ = "0.1.0"
__all__ = [
    "Cartagena",
    "Chance",
    "Evades",
    "Game",
    "Hint",
    "Illegal",
    "Invalid",
    "hint",
    "new",
    "parse",
    "read",
    "value",
]
