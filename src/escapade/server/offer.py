"""What can be chosen for a new table, from the registry: the same for pages and for `/api/rules`."""

from collections.abc import Mapping, Sequence
from typing import Any

from escapade import games


def offer() -> dict[str, Any]:
    """The levels of bots, and of each kind of game what a setup sheet shows."""
    return {
        "levels": (*games.LEVELS, *games.OWN),
        "kinds": {
            name: {
                "title": kind.title,
                "editions": list(kind.editions),
                "players": span(kind.players),
                "house": choices(kind.house),
                "levels": kind.levels,
                "offers": kind.offers,
            }
            for name, kind in games.kinds().items()
        },
    }


def choices(house: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
    """What each house rule can be: a span, or some values."""
    return {
        rule: {"from": values[0], "to": values[-1]} if isinstance(values, range) else values
        for rule, values in house.items()
    }


def span(players: range) -> list[int]:
    """The least and the greatest number of players."""
    return [players[0], players[-1]]
