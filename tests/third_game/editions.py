"""The two editions as rows of data.

Every seat has a goose on space 0 and a hand of cards from 1 to 6. In a turn it plays one card, and its goose goes on by
so many spaces; from a goose space it goes on by as many again. Then it draws a card while there is a pile. A seat that
has no cards passes. The first goose at the end wins; when nobody has cards any more, the game is drawn.
"""

from collections.abc import Mapping

from escapade.game import MOST_TURNS, Allowed, Edition, Invalid, Setting, read_edition

PLAYERS = range(2, 5)

# `cards` counts the copies of each number. Without draws the rest of the pack goes back into the box.
EDITIONS: Mapping[str, Mapping[str, Setting]] = {
    "goose": {"cards": 11, "draw": "on", "hand": 3, "length": 63},
    "goose-fixed": {"cards": 11, "draw": "off", "hand": 9, "length": 36},
}
HOUSE: Allowed = {
    "hand": range(1, 13),
    "length": range(9, 100),
    "turn-limit": range(1, MOST_TURNS + 1),
}


def edition(text: str) -> Edition:
    """An edition and its house rules."""
    return read_edition(text, EDITIONS, HOUSE)


def check_players(players: int, where: str) -> None:
    """Two to four."""
    if players not in PLAYERS:
        raise Invalid(f"{where}: {players} players; the Game of the Goose is for {PLAYERS[0]} to {PLAYERS[-1]}")
