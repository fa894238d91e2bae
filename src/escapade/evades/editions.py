"""What the box says, as a row of data; the tags are those of docs/rules/evades.md."""

from collections.abc import Mapping, Sequence

from escapade.game import MOST_TURNS, Edition, Invalid, read_edition

PAWNS = "bryldon"
DICE = PAWNS + "w"
COLOURS = {
    "b": "blue", "r": "red", "y": "yellow", "l": "light green", "d": "dark green", "o": "orange", "n": "brown",
    "w": "white",
}  # fmt: skip
PLAYERS = range(2, 7)  # G1

EDITIONS: Mapping[str, Mapping[str, str | int]] = {
    "evades": {
        "count-jumped": "on",  # G6
        "length": 30,  # G2
    }
}

HOUSE: Mapping[str, Sequence[str | int]] = {
    "count-jumped": ("on", "off"),
    "length": range(15, 61),
    "turn-limit": range(1, MOST_TURNS + 1),
}


def edition(text: str) -> Edition:
    """Les Évadés and its house rules (G13)."""
    return read_edition(text, EDITIONS, HOUSE)


def check_players(players: int, where: str) -> None:
    """Two to six, who share the seven pawns (G1)."""
    if players not in PLAYERS:
        raise Invalid(f"{where}: {players} players; Les Évadés is for {PLAYERS[0]} to {PLAYERS[-1]}")
