"""Players by name: one table of them, each with its parameters."""

import math
import re
from collections.abc import Mapping

from escapade.bots.bot import Bot, First, Line, Random
from escapade.bots.cartagena import Buccaneer, Searcher
from escapade.bots.evades import MonteCarlo
from escapade.bots.simple import CabinBoy, Greedy, Sailor
from escapade.game import Invalid

__all__ = ["BOTS", "Bot", "Line", "make"]

CALL = re.compile(r"([a-z-]+)(?:\(([a-z0-9=,._]*)\))?")
VALUE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")

UNLIMITED = 100_000_000

Parameters = Mapping[str, int | float]
Maker = tuple[type[Bot], Parameters]

# Each name with the bot that plays Cartagena under it and the one that plays Les Évadés, and their parameters.
BOTS: Mapping[str, Mapping[str, Maker]] = {
    "random": {"cartagena": (Random, {}), "evades": (Random, {})},
    "first": {"cartagena": (First, {}), "evades": (First, {})},
    "greedy": {"cartagena": (Greedy, {})},
    "cabin-boy": {"cartagena": (CabinBoy, {})},
    "sailor": {"cartagena": (Sailor, {})},
    "buccaneer": {"cartagena": (Buccaneer, {})},
    "captain": {"cartagena": (Searcher, {"width": 6, "samples": 4, "rounds": 0, "replies": 1, "time": 0.15})},
    "legend": {"cartagena": (Searcher, {"width": 12, "samples": 16, "rounds": 1, "replies": 6, "time": 1.5})},
    "montecarlo": {"evades": (MonteCarlo, {"playouts": 20_000})},
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
    return maker(seed=seed, **limits(maker, own, given))


def limits(maker: type[Bot], own: Parameters, given: Parameters) -> dict[str, int | float]:
    """All parameters: who gives a time alone wants all of it used, and who gives an amount of work, just that much."""
    merged = {**own, **given}
    if "time" in given and maker.work not in given:
        merged[maker.work] = UNLIMITED
    elif maker.work in given and "time" not in given:
        merged["time"] = math.inf
    return merged
