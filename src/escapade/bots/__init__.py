"""Players by name. A bot chooses from a view and the legal actions alone, the same for the same seed and view."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from escapade.game import Invalid
from escapade.rng import Words

CALL = re.compile(r"([a-z-]+)(?:\(([a-z0-9=,_]*)\))?")


class Bot(Protocol):
    """What plays: asked for one action at a time, in games of any kind that it knows."""

    def choose(self, view: str, legal: Sequence[str]) -> str:
        """One of the legal actions."""


def luck(seed: int, view: str) -> Words:
    """Random numbers that follow from a bot's seed and what it sees."""
    digest = hashlib.sha256(f"{seed} {view}".encode()).digest()
    return np.frombuffer(digest, np.uint64, 2).copy()


def read_call(text: str) -> tuple[str, dict[str, int]]:
    """A bot's name and parameters, as in `lookahead(samples=24)`."""
    match = CALL.fullmatch(text)
    parts = [part.partition("=") for part in (match[2] or "").split(",") if part] if match else []
    if not match or not all(value.isdecimal() for _, _, value in parts):
        raise Invalid(f"{text!r} is not a player, as in random or lookahead(samples=24)")
    return match[1], {name: int(value) for name, _, value in parts}


def make(text: str, kind: str, seed: int) -> Bot:
    """The bot of this name for a kind of game."""
    name, given = read_call(text)
    maker, own = table(kind).get(name, (None, {}))
    if maker is None:
        raise Invalid(f"no player of {kind} is called {name!r}; there are {', '.join(table(kind))}")
    for parameter, value in given.items():
        if parameter not in own or not 1 <= value <= 100_000:
            raise Invalid(
                f"{text!r}: {parameter}={value}; {name} takes {', '.join(own) or 'no parameters'}, from 1 to 100,000"
            )
    return maker(seed=seed, **{**own, **given})


def table(kind: str) -> Mapping[str, tuple[Callable[..., Bot], Mapping[str, int]]]:
    """The bots of a kind of game, each with its parameters."""
    from escapade.bots.cartagena import CARTAGENA
    from escapade.bots.evades import EVADES

    return EVADES if kind == "evades" else CARTAGENA


class Random:
    """Any legal action."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: str, legal: Sequence[str]) -> str:
        return legal[int(luck(self.seed, view)[0] % len(legal))]


class First:
    """The first legal action."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: str, legal: Sequence[str]) -> str:
        return legal[0]
