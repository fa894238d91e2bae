"""Glicko-2 ratings (glicko.net/glicko/glicko2.pdf): a rating, how sure it is, and how steady its owner."""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178
TAU = 0.5  # how much the volatility changes
CLOSE = 1e-6


class Rating(NamedTuple):
    """A rating, its deviation and its volatility; as it stands, that of somebody new."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def rated(before: Rating, results: Sequence[tuple[Rating, float]], tau: float = TAU) -> Rating:
    """A rating after one period: the others met in it, and 1 for a win, 0 for a loss, or something between."""
    mu, phi = (before.rating - 1500) / SCALE, before.deviation / SCALE
    if not results:
        return before._replace(deviation=SCALE * sqrt(phi**2 + before.volatility**2))
    information = surprise = 0.0
    for other, score in results:
        weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weight * (mu - (other.rating - 1500) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (score - expected)
    variance = 1 / information
    volatility = new_volatility(before.volatility, phi, variance, variance * surprise, tau)
    deviation = 1 / sqrt(1 / (phi**2 + volatility**2) + information)
    return Rating(1500 + SCALE * (mu + deviation**2 * surprise), SCALE * deviation, volatility)


def new_volatility(old: float, phi: float, variance: float, change: float, tau: float) -> float:
    """The volatility that explains a change best: step 5 of the paper, by the Illinois algorithm."""
    start = log(old**2)

    def excess(x: float) -> float:
        total = phi**2 + variance + exp(x)
        return exp(x) * (change**2 - total) / (2 * total**2) - (x - start) / tau**2

    if change**2 > phi**2 + variance:
        high = log(change**2 - phi**2 - variance)
    else:
        high = start - tau
        while excess(high) < 0:
            high -= tau
    low, at_low, at_high = start, excess(start), excess(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = excess(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
