"""Players by name: one table of them, each with its parameters."""

import math
import re
from collections.abc import Callable, Mapping

from escapade.bots.bot import Bot, First, Line, Random
from escapade.bots.cartagena import Lookahead, Planner
from escapade.bots.evades import Buccaneer, CabinBoy, Captain, Greedy, Legend, Sailor
from escapade.game import Invalid

__all__ = ["BOTS", "Bot", "Line", "make"]

CALL = re.compile(r"([a-z-]+)(?:\(([a-z0-9=,._]*)\))?")
NO_BOUND = 100_000_000
VALUE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")

Maker = tuple[Callable[..., Bot], Mapping[str, int | float]]

# Each name with the bot that plays Cartagena under it and the one that plays Les Évadés, and their parameters.
BOTS: Mapping[str, Mapping[str, Maker]] = {
    "random": {"cartagena": (Random, {}), "evades": (Random, {})},
    "first": {"cartagena": (First, {}), "evades": (First, {})},
    "planner": {"cartagena": (Planner, {})},
    "lookahead": {"cartagena": (Lookahead, {"width": 5, "samples": 16, "horizon": 2})},
    "greedy": {"evades": (Greedy, {})},
    "cabin-boy": {"evades": (CabinBoy, {})},
    "sailor": {"evades": (Sailor, {})},
    "buccaneer": {"evades": (Buccaneer, {})},
    "captain": {"evades": (Captain, {"playouts": 1000, "time": 1.0})},
    "legend": {"evades": (Legend, {"playouts": 5000, "time": 2.0})},
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
    return maker(seed=seed, **{**own, **given, **unbounded(getattr(maker, "work", ""), given)})


def unbounded(work: str, given: Mapping[str, int | float]) -> dict[str, int | float]:
    """What a bot that is given time alone, or work alone, has no bound on: the other one of the two."""
    if not work or (work in given) == ("time" in given):
        return {}
    return {work: NO_BOUND} if "time" in given else {"time": math.inf}
