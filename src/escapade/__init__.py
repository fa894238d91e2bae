"""Escapade: the great escape board games, to play, study and simulate."""

from typing import Any

from escapade.cartagena.position import Cartagena
from escapade.game import Chance, Game, Illegal, Invalid

__version__ = "0.1.0"
