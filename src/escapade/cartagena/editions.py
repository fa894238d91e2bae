"""What each printed edition says, as rows of data; the tags are those of docs/rules/cartagena.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from escapade.game import MOST_TURNS, Edition, Invalid, read_edition

SYMBOLS = "BDHKPS"
PRINTED = ("BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS")
PLAYERS = range(2, 6)  # C1
LENGTHS = range(3, 9)  # segments of a tunnel (C2)

# `cards` counts those of each symbol. No edition limits the turns (C19).
JAMAICA: dict[str, str | int] = {
    "boat-retreat": "on",  # C10
    "cards": 17,  # C4
    "deal": 6,  # C5
    "empty-hand-draw": "off",  # C13
    "hands": "hidden",  # C17
    "least-actions": 1,  # C7
    "most-actions": 3,  # C7
    "pirates": 6,  # C1
    "row": 0,  # C15
}
EDITIONS: Mapping[str, Mapping[str, str | int]] = {
    "jamaica": JAMAICA,
    "tortuga": {**JAMAICA, "hands": "open", "row": 12},
    "hispaniola": {**JAMAICA, "row": 12},
    "first-escape": {**JAMAICA, "cards": 18, "least-actions": 0, "empty-hand-draw": "on", "row": 10},
    "first-escape-open": {
        **JAMAICA, "cards": 18, "least-actions": 0, "empty-hand-draw": "on", "row": 10, "hands": "open",
    },
}  # fmt: skip

HOUSE: Mapping[str, Sequence[str | int]] = {
    "boat-retreat": ("on", "off"),
    "cards": (17, 18),
    "deal": range(3, 11),
    "empty-hand-draw": ("on", "off"),
    "hands": ("open", "hidden"),
    "least-actions": (0, 1),
    "most-actions": range(1, 6),
    "pirates": range(3, 9),
    "row": (0, *range(6, 13)),
    "turn-limit": range(1, MOST_TURNS + 1),
}

# What the six letters are called and drawn as, in each printing of an edition (C3).
FIRST_EDITION = {
    "classic": {"B": "bottle", "D": "dagger", "H": "three-cornered hat", "K": "key", "P": "pistol", "S": "skull"},
    "tilsit": {"B": "jug", "D": "hook", "H": "tricorne", "K": "bunch of keys", "P": "pistol", "S": "parrot"},
}
SECOND_EDITION = {
    "classic": {"B": "bottle", "D": "dagger", "H": "hat", "K": "keys", "P": "pistol", "S": "parrot"},
}
PRINTINGS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "first-escape": SECOND_EDITION,
    "first-escape-open": SECOND_EDITION,
}  # every other edition is a first one


def edition(text: str) -> Edition:
    """An edition of Cartagena and its house rules."""
    return read_edition(text, EDITIONS, HOUSE)


def symbol_names(name: str, printing: str = "classic") -> Mapping[str, str]:
    """What the symbols of an edition are called in a printing; in the classic one where it has no other (C3)."""
    own = PRINTINGS.get(name, FIRST_EDITION)
    return own.get(printing, own["classic"])


def sheet() -> dict[str, Any]:
    """What a setup sheet offers: printed segments for a tunnel laid by hand, printings and their symbols."""
    return {
        "segments": PRINTED,
        "lengths": [LENGTHS[0], LENGTHS[-1]],
        "printings": list(FIRST_EDITION),
        "symbols": {name: {one: symbol_names(name, one) for one in FIRST_EDITION} for name in EDITIONS},
    }


def check_players(players: int, where: str) -> None:
    """Two to five (C1); how many pirates each has is the edition's row."""
    if players not in PLAYERS:
        raise Invalid(f"{where}: {players} players; Cartagena is for {PLAYERS[0]} to {PLAYERS[-1]}")
