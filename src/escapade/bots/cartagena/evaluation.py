"""Evaluation of Cartagena, compiled: what a seat has, measured in spaces, and each seat's chance to win.

Two judges, because one is asked a thousand times as often: `lead` guides the choice of a turn, and `chances` says what
a position at the end of a search is worth. Their weights come from self-play (training/weights.py).
"""

import math
from typing import TypeAlias

import numpy as np

from escapade.cartagena.kernel import NOBODY, UNKNOWN, Rules, State, States, advance_target
from escapade.compiled import compiled
from escapade.sets import ZERO, below, lowest, signed, without_lowest

Weights: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Sums: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]

WIN = 1e6
# What counts for a seat: its pirates' spaces, its cards and their square, the best leaps that its symbols allow, the
# same for symbols held twice, pirates in the boat, the space of the last one, being next to act, and how near the end
# is: the spaces squared, as a share of all there are.
PROGRESS, CARDS, CROWD, LEAPS, DOUBLES, BOARDED, REAR, ACTS, LATE = range(9)
NAMES = ("progress", "cards", "crowd", "leaps", "doubles", "boarded", "rear", "acts", "late")
# A turn is chosen by the first four, and by how much the best of the others counts.
OTHERS = 4
TURN: Weights = np.array([1.0, 8.0, -0.4, 0.3, 1.0])
OWN_TURN: Weights = np.array([1.0, 8.0, -0.4, 0.0, 0.0])
CHANCE: Sums = np.array(  # a row for each number of players, from two on
    [
        [0.0477, 0.5144, -0.0232, 0.0346, 0.0307, 0.2098, 0.0378, 0.4733, 0.0382],
        [0.0536, 0.3812, -0.0127, 0.0296, 0.0239, 0.4298, 0.0659, 0.6477, 0.0086],
        [0.0354, 0.2275, -0.0082, 0.0248, 0.0208, 0.3933, 0.0420, 0.6087, 0.0139],
        [0.0256, 0.1652, -0.0116, 0.0339, 0.0242, 0.5516, 0.0288, 0.6484, 0.0200],
    ]
)


@compiled
def best_leap(s: State, rules: Rules, seat: int, symbol: int) -> int:
    """The longest way that a card of this symbol takes one of the seat's pirates."""
    best = 0
    places = s.own[seat, 0] & below(rules.boat)
    while places != ZERO:
        space = lowest(places)
        best = max(best, advance_target(s, rules, symbol, space) - space)
        places = without_lowest(places)
    return best


@compiled
def progress(s: State, rules: Rules, seat: int) -> int:
    """The spaces that all of a seat's pirates have come."""
    total = rules.boat * signed(s.boat[seat])
    for k in range(3):
        places = s.own[seat, k] & rules.tunnel
        while places != ZERO:
            total += lowest(places)
            places = without_lowest(places)
    return total


@compiled
def standing(s: State, rules: Rules, seat: int, w: Weights) -> float:
    """How far a seat has come, in spaces, its cards counted as what they are worth."""
    total = 1.0 * progress(s, rules, seat)
    cards = signed(s.hand[seat, UNKNOWN])
    for symbol in range(UNKNOWN):
        n = signed(s.hand[seat, symbol])
        cards += n
        if n > 0:
            total += w[LEAPS] * best_leap(s, rules, seat, symbol)
    return total + w[CARDS] * cards + w[CROWD] * cards * cards


@compiled
def lead(s: State, rules: Rules, seat: int, w: Weights) -> float:
    """How far a seat is ahead of the best of the others."""
    if s.winner != NOBODY:
        return WIN if s.winner == seat else (-WIN if s.winner >= 0 else 0.0)
    others = 0.0
    for other in range(s.players):
        if other != seat and w[OTHERS] != 0:
            others = max(others, standing(s, rules, other, w))
    return standing(s, rules, seat, w) - w[OTHERS] * others


@compiled
def features(s: State, rules: Rules, seat: int, out: Weights) -> None:
    """Write the features of a seat."""
    cards, leaps, doubles = signed(s.hand[seat, UNKNOWN]), 0, 0
    for symbol in range(UNKNOWN):
        n = signed(s.hand[seat, symbol])
        cards += n
        if n > 0:
            leap = best_leap(s, rules, seat, symbol)
            leaps += leap
            doubles += leap if n > 1 else 0
    spaces = progress(s, rules, seat)
    out[PROGRESS], out[LATE] = spaces, spaces * spaces / (rules.pirates * rules.boat)
    out[CARDS], out[CROWD] = cards, cards * cards
    out[LEAPS], out[DOUBLES] = leaps, doubles
    out[BOARDED], out[REAR] = s.boat[seat], lowest(s.own[seat, 0])
    out[ACTS] = s.seat == seat


@compiled
def add_chances(s: State, rules: Rules, w: Weights, sums: Weights) -> None:
    """Add each seat's chance to win; a drawn game is nobody's."""
    if s.winner != NOBODY:
        if s.winner >= 0:
            sums[s.winner] += 1
        return
    counts, worth, most = np.zeros(len(w)), np.zeros(s.players), -WIN
    for seat in range(s.players):
        features(s, rules, seat, counts)
        for k in range(len(w)):
            worth[seat] += counts[k] * w[k]
        most = max(most, worth[seat])
    total = 0.0
    for seat in range(s.players):
        worth[seat] = math.exp(worth[seat] - most)
        total += worth[seat]
    for seat in range(s.players):
        sums[seat] += worth[seat] / total


@compiled
def write_features(states: States, rules: Rules, out: Sums) -> Sums:
    """Write the features of every seat."""
    s: State = states[0]
    for seat in range(s.players):
        features(s, rules, seat, out[seat])
    return out
