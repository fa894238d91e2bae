"""What a study asks and what it finds: questions, figures with their 95 % intervals, and the statistics between them.

Rows of one question are independent: a row is a game, a deal with all that was tried on it, or a tunnel with all its
games. So an interval over rows is right though what is within a row hangs together.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from escapade.simulate import QUANTILE, wilson

Reals: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

DRAWS, STEPS = 4000, 501
MIDDLE = (5, 95)  # percent: where nine in ten lie


class Setting(NamedTuple):
    """What is played: an edition, by how many, and the seed that all deals follow from."""

    edition: str
    players: int
    seed: int

    def __str__(self) -> str:
        return f"{self.edition}, {self.players} players"


class Question(NamedTuple):
    """Something to find out: `work` plays some deals, counted from a first, and gives a row of numbers for each.

    There are `share` rows for every game of the study. Each question has luck of its own, so that a deal that is looked
    at twice is not counted twice.
    """

    name: str
    share: float
    work: Callable[[Setting, int, int], Reals]
    fits: Callable[[Setting], bool] = lambda setting: True


class Row(NamedTuple):
    """A number with its interval and how many rows it is made of; `spread` is where nine in ten of them lie."""

    label: str
    value: float
    low: float
    high: float
    made_of: int
    spread: tuple[float, float] | None = None
    note: str = ""


class Group(NamedTuple):
    """Rows of one setting."""

    label: str
    rows: Sequence[Row]
    fair: float | None = None  # what all would be if nothing mattered


class Figure(NamedTuple):
    """An answer: what was asked, how it was measured, and the groups that are plotted on one scale."""

    key: str
    title: str
    says: str
    unit: str  # one of UNITS
    groups: Sequence[Group]


Found: TypeAlias = Mapping[Setting, Reals]  # the rows of a question
UNITS = {
    "share": "share",
    "chance": "points of winning chance",
    "turns": "turns",
    "actions": "actions",
    "points": "points",
}


def share(label: str, count: int, total: int, note: str = "") -> Row:
    """A share with Wilson's interval."""
    return Row(label, count / total, *wilson(count, total), total, note=note)


def mean(label: str, values: Reals, note: str = "", spread: bool = False) -> Row:
    """A mean of independent values with its normal interval."""
    middle = float(values.mean())
    reach = QUANTILE * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    quantiles = np.percentile(values, MIDDLE).tolist() if spread else None
    return Row(label, middle, middle - reach, middle + reach, len(values), quantiles and tuple(quantiles), note)


def paired(label: str, shares: Reals, note: str = "") -> Row:
    """The share won of deals that were played from both sides, one row a deal.

    The interval is Wilson's, for as many games as the deals are worth: where both games of a deal mostly go to the same
    player, no more than there are deals, and never more than there are games.
    """
    deals, value = len(shares), float(shares.mean())
    variance = max(float(shares.mean(axis=1).var(ddof=1)) / deals, 1e-12)
    worth = min(2.0 * deals, max(float(deals), value * (1 - value) / variance))
    return Row(label, value, *wilson(value * worth, worth), deals, note=note)


def apart(values: Reals, chance: Reals) -> float:
    """The variance of values that is left when what chance does to each is taken off; maybe below 0, by chance."""
    return float(values.var(ddof=1) - chance.mean())


def between(label: str, samples: Sequence[tuple[Reals, Reals]], words: Callable[[float], str]) -> Row:
    """How far values really lie apart, as a standard deviation, within each of some samples of values and variances.

    The interval has all deviations with which what is seen would be nothing unusual, for normally distributed values.
    The note has, in the caller's words, what chance alone would show in 95 of 100 studies at most.
    """
    rng, noise = np.random.default_rng(1), [float(chance.mean()) for _, chance in samples]
    drawn = [rng.chisquare(len(values) - 1, DRAWS) / (len(values) - 1) for values, _ in samples]

    def would_show(deviation: float, percent: float) -> float:
        shown = np.mean([(deviation**2 + own) * some for own, some in zip(noise, drawn, strict=True)], axis=0)
        return float(np.percentile(shown, percent) - np.mean(noise))

    seen = float(np.mean([apart(*sample) for sample in samples]))
    value, widest = math.sqrt(max(0.0, seen)), 10 * max(float(values.std()) for values, _ in samples)
    usual = [some for some in np.linspace(0, widest, STEPS) if would_show(some, 2.5) <= seen <= would_show(some, 97.5)]
    low, high = float(min([*usual, value])), float(max([*usual, value]))
    alone = math.sqrt(max(0.0, would_show(0, 95)))
    return Row(label, value, low, high, sum(len(values) for values, _ in samples), note=words(alone))


def noise_of(shares: Reals, tries: Reals) -> Reals:
    """What chance does to shares of so many tries, as a variance."""
    return shares * (1 - shares) / (tries - 1)


def ratio(label: str, totals: Reals, counts: Reals, note: str = "") -> Row:
    """The share of what is counted, where rows have more or fewer of it, as seats have shares of a game's win.

    The interval is Wilson's, for as many as the rows are worth by the variance of a ratio estimate.
    """
    many = float(counts.sum())
    value = float(totals.sum()) / many
    off = totals - value * counts
    variance = max(len(off) * float(off.var(ddof=1)) / many**2, 1e-12)
    worth = min(many, value * (1 - value) / variance) or many
    return Row(label, value, *wilson(value * worth, worth), int(many), note=note)
