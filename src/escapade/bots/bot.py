"""What a bot is: it chooses from a view, the legal actions and its seat's record, and always the same for a seed."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from escapade import games
from escapade.rng import Words

Parameters: TypeAlias = Mapping[str, int | float]
Maker: TypeAlias = tuple[type["Bot"], Parameters]  # a class of bots, and the parameters that make one of its players


class Line(NamedTuple):
    """Actions that a seat could take now, one after another, and the winning chances that they give each seat."""

    actions: tuple[str, ...]
    chances: tuple[float, ...]


class Bot(ABC):
    """What plays: asked for one action at a time, in games of the kind that it knows."""

    kinds: tuple[str, ...] = ()  # of game that it plays, by name; all where none is named
    remembers = False  # whether it makes use of the record
    work = ""  # the parameter that says how much it tries, beside `time`

    def __init__(self, seed: int) -> None:
        self.seed = seed

    @abstractmethod
    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        """One of the legal actions; the record is the game so far for this seat's eyes, as `game.record(seat)`."""


def luck(seed: int, view: str) -> Words:
    """Random numbers that follow from a bot's seed and what it sees."""
    digest = hashlib.sha256(f"{seed} {view}".encode()).digest()
    return np.frombuffer(digest, np.uint64, 2).copy()


def is_slip(seed: int, turn: int, slips: float) -> bool:
    """Whether a turn is one of `slips` in a hundred, drawn for each game and seat by the seed."""
    return int(luck(seed, f"turn {turn}")[0] % 10_000) < 100 * slips


class Fallible(Bot):
    """Plays as `good` does, but in `slips` turns of a hundred as `bad` does: a turn is spoilt as a whole.

    Other parameters are those of `good`.
    """

    good: type[Any]
    bad: type[Any]

    def __init__(self, seed: int, slips: float, **others: float) -> None:
        super().__init__(seed)
        self.slips, self.players = slips, (self.good(seed, **others), self.bad(seed))

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        slip = is_slip(self.seed, games.parse(view, 0).turn, self.slips)
        return self.players[slip].choose(view, legal, record)


class Either(Bot):
    """Plays as one bot where seats have secrets from each other, and as another where they have none."""

    def __init__(self, hidden: Bot, bared: Bot) -> None:
        super().__init__(hidden.seed)
        self.hidden, self.bared = hidden, bared
        self.remembers = hidden.remembers or bared.remembers

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        kind = games.kind_of(view)
        hides = kind.game.hides(kind.edition(view.partition(" ")[0]))
        return (self.hidden if hides else self.bared).choose(view, legal, record)


class Random(Bot):
    """Any legal action."""

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        return legal[int(luck(self.seed, view)[0] % len(legal))]


class First(Bot):
    """The first legal action."""

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        return legal[0]
