"""One who looks on at a game: everyone's chances from what each seat thinks of them.

Networks have learned from games that they played themselves. In games of people and other bots their opinions are too
bold or too timid; a row of weights for each number of players (`Weights`, fitted by `benchmarks/calibration.py --fit`)
makes chances of them. The first three are for an onlooker: how much a seat's opinion of itself counts, how much that of
the others of it, and to be the seat to act. The other two are for what one seat thinks: how bold it is, and what it
thinks of itself.
"""

import math
from abc import ABC, abstractmethod
from typing import TypeAlias

import numpy as np

from escapade.compiled import compiled
from escapade.game import Game

Weights: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Sums: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]

UNLIKELY = 1e-4  # no opinion is trusted further


class Onlooker(ABC):
    """Watches a whole game, knows all that is hidden from the seats, but not what luck will bring."""

    @abstractmethod
    def chances(self, game: Game) -> tuple[float, ...]:
        """Every seat's chance to win as the game stands."""

    @abstractmethod
    def foresee(self, game: Game, action: str) -> tuple[float, ...] | None:
        """The same for an action that is about to be played, before luck decides; None where luck has no part in it.

        It is asked about every action of a game, one after the other, or else told of it by `see`.
        """

    def see(self, game: Game, action: str) -> None:  # noqa: B027 - a state may tell all that was to be remembered
        """Look on while an action is about to be played, and remember what tells something later."""

    @abstractmethod
    def opinions(self, game: Game) -> Sums:
        """What each seat (row) thinks of everyone's chances, from which `chances` are made."""


@compiled
def pool(opinions: Sums, seat: int, weights: Weights, sums: Weights) -> None:
    """Add every seat's chance as it follows from all opinions, for a seat to act."""
    players = len(opinions)
    shares, total = np.zeros(players), 0.0
    for k in range(players):
        own, others = math.log(max(opinions[k, k], UNLIKELY)), 0.0
        for reader in range(players):
            if reader != k:
                others += math.log(max(opinions[reader, k], UNLIKELY)) / (players - 1)
        shares[k] = math.exp(weights[0] * own + weights[1] * others + weights[2] * (k == seat))
        total += shares[k]
    for k in range(players):
        sums[k] += shares[k] / total


def tempered(chances: Weights, seat: int, weights: Weights) -> tuple[float, ...]:
    """Everyone's chances from what one seat, counted from 0, thinks of them; what is certain stays so.

    Where games are drawn they add up to less than 1, as before.
    """
    shares: Weights = chances ** weights[3]
    shares[seat] *= math.exp(weights[4])
    total = shares.sum()
    return tuple((shares * chances.sum() / total).tolist()) if total > 0 else (0.0,) * len(shares)
