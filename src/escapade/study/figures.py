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

RESAMPLES = 2000
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
    count: int
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
    "share": "share of games",
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


def between(tries: Reals, wins: Reals) -> float:
    """How far shares really lie apart, as a standard deviation: what is left of it when chance is taken off."""
    shares = wins / tries
    chance = shares * (1 - shares) / (tries - 1)
    return math.sqrt(max(0.0, float(shares.var(ddof=1) - chance.mean())))


def between_row(label: str, tries: Reals, wins: Reals) -> Row:
    """The same with its interval, from drawing the tunnels anew, and what chance alone would seem to give."""
    rng = np.random.default_rng(1)
    picks = rng.integers(len(tries), size=(RESAMPLES, len(tries)))
    low, high = np.percentile([between(tries[pick], wins[pick]) for pick in picks], [2.5, 97.5])
    even = rng.binomial(tries.astype(int), wins.sum() / tries.sum(), (RESAMPLES, len(tries)))
    chance = np.percentile([between(tries, some) for some in even], 95)
    note = f"were all alike, chance would show up to {100 * chance:.1f} points (in 95 of 100 studies)"
    return Row(label, between(tries, wins), float(low), float(high), len(tries), note=note)


def ratio(label: str, totals: Reals, counts: Reals, note: str = "") -> Row:
    """What there is of something for each of what is counted, where rows have more or fewer of these.

    The interval is that of a ratio estimate: normal, over rows.
    """
    value = float(totals.sum() / counts.sum())
    off = totals - value * counts
    reach = QUANTILE * math.sqrt(len(off) * float(off.var(ddof=1))) / float(counts.sum()) if len(off) > 1 else math.inf
    return Row(label, value, value - reach, value + reach, int(counts.sum()), note=note)


def between_means_row(label: str, means: Reals, variances: Reals) -> Row:
    """How far means really lie apart, their own variances known; the interval is from drawing them anew."""

    def apart(some: Reals, chance: Reals) -> float:
        return math.sqrt(max(0.0, float(some.var(ddof=1) - chance.mean())))

    picks = np.random.default_rng(1).integers(len(means), size=(RESAMPLES, len(means)))
    low, high = np.percentile([apart(means[pick], variances[pick]) for pick in picks], [2.5, 97.5])
    note = f"of {means.mean():.1f} turns on average"
    return Row(label, apart(means, variances), float(low), float(high), len(means), note=note)
