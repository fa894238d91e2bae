"""Escapade: the great escape board games, to play, study and simulate."""

from escapade.cartagena.position import Cartagena
from escapade.data import frame
from escapade.evades.position import Evades
from escapade.game import Action, Chance, Game, Illegal, Invalid, Picture
from escapade.games import new, parse
from escapade.hints import Hint, hint, value
from escapade.record import from_record, read

__version__ = "0.2.0"
__all__ = [
    "Action",
    "Cartagena",
    "Chance",
    "Evades",
    "Game",
    "Hint",
    "Illegal",
    "Invalid",
    "Picture",
    "frame",
    "from_record",
    "hint",
    "new",
    "parse",
    "read",
    "value",
]
