"""Players by name: one table of them, each with its parameters."""

import math
import re
from collections.abc import Mapping

from escapade.bots import cartagena, evades, simple
from escapade.bots.bot import Bot, First, Line, Random
from escapade.game import Invalid

__all__ = ["BOTS", "Bot", "Line", "make"]

CALL = re.compile(r"([a-z-]+)(?:\(([a-z0-9=,._]*)\))?")
VALUE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")

NO_BOUND = 100_000_000

Parameters = Mapping[str, int | float]
Maker = tuple[type[Bot], Parameters]

# Each name with the bot that plays Cartagena under it and the one that plays Les Évadés, and their parameters. Work and
# time both bound a search; the time, in seconds, is there for slow machines, and the work decides.
BOTS: Mapping[str, Mapping[str, Maker]] = {
    "random": {"cartagena": (Random, {}), "evades": (Random, {})},
    "first": {"cartagena": (First, {}), "evades": (First, {})},
    "greedy": {"cartagena": (simple.Greedy, {}), "evades": (evades.Greedy, {})},
    "cabin-boy": {"cartagena": (simple.CabinBoy, {}), "evades": (evades.CabinBoy, {})},
    "sailor": {"cartagena": (simple.Sailor, {}), "evades": (evades.Sailor, {})},
    "buccaneer": {"cartagena": (cartagena.Buccaneer, {}), "evades": (evades.Buccaneer, {})},
    "captain": {
        "cartagena": (cartagena.Searcher, {"width": 6, "samples": 4, "rounds": 0, "replies": 1, "time": 0.15}),
        "evades": (evades.Captain, {"playouts": 1000, "time": 0.15}),
    },
    "legend": {
        "cartagena": (cartagena.Searcher, {"width": 12, "samples": 48, "rounds": 1, "replies": 6, "time": 1.5}),
        "evades": (evades.Legend, {"playouts": 5000, "time": 1.5}),
    },
}


def read_call(text: str) -> tuple[str, dict[str, int | float]]:
    """A bot's name and parameters, as in `captain(time=2)`."""
    match = CALL.fullmatch(text)
    parts = [part.partition("=") for part in (match[2] or "").split(",") if part] if match else []
    if not match or not all(VALUE.fullmatch(value) for _, _, value in parts):
        raise Invalid(f"{text!r} is not a player, as in random or captain(time=2)")
    return match[1], {name: float(value) if "." in value else int(value) for name, _, value in parts}


def make(text: str, kind: str, seed: int) -> Bot:
    """The bot of this name for a kind of game."""
    name, given = read_call(text)
    rows = {known: row[kind] for known, row in BOTS.items() if kind in row}
    if name not in rows:
        raise Invalid(f"no player of {kind} is called {name!r}; there are {', '.join(rows)}")
    maker, own = rows[name]
    for parameter, value in given.items():
        whole = isinstance(own.get(parameter), int)
        if parameter not in own or not 0 < value <= 100_000 or (whole and not isinstance(value, int)):
            raise Invalid(
                f"{text!r}: {parameter}={value}; {name} takes {', '.join(own) or 'no parameters'}, up to 100,000"
            )
    return maker(seed=seed, **{**own, **given, **unbounded(maker.work, given)})


def unbounded(work: str, given: Parameters) -> dict[str, int | float]:
    """What a bot that is given time alone, or work alone, has no bound on: the other one of the two."""
    if not work or (work in given) == ("time" in given):
        return {}
    return {work: NO_BOUND} if "time" in given else {"time": math.inf}
