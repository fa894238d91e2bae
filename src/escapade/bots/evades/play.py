"""Les Évadés by rule of thumb, compiled: what a seat wishes, which dice it throws, what it moves, who will win.

A wish is a number for each pawn: how late a seat wants it to arrive, first of all the boat that it has bet on. Of two
pawns the one with the lower number should be ahead, the more so the further they are apart: a step forward or back
is worth what it changes in the odds of every pair, times the difference of the wishes.
"""

from typing import Any, TypeAlias

import numpy as np

from escapade.compiled import compiled
from escapade.evades.kernel import (
    ARRIVED,
    BACK,
    BOAT,
    COLOURS,
    END,
    PAWNS,
    ROLL,
    RUNNING,
    WHITE,
    Array,
    Numbers,
    Rules,
    State,
    States,
    apply,
    back_pawns,
    back_target,
    dice_to_throw,
    forward_pawns,
    forward_target,
    free,
    may_throw_white,
    points,
    throw,
)
from escapade.rng import Words, seed_rng
from escapade.sets import ZERO, U, bit, lowest, signed, size, without_lowest

Reals: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

FARTHEST = 64
BLOCKED = 2  # steps that a pawn under another seems farther away
NONE = -1e9


def odds_by_distance() -> Reals:
    """How likely a pawn so far from the boats (row) arrives before another (column); one at 0 has arrived."""
    own, other = np.meshgrid(np.arange(FARTHEST), np.arange(FARTHEST), indexing="ij")
    odds = 1 / (1 + np.exp((own - other) / (1 + np.sqrt(np.minimum(own, other)))))
    odds[0, :], odds[:, 0] = 1.0, 0.0
    return odds.round(12)  # or processors would disagree about the last bit, and then about what is equally good


ODDS = odds_by_distance()
CALM = np.array([6.5, 4.4, 3.7, 3.9, 2.6, 2.8, 1.0])  # points of lead that matter, by pawns in boats: fitted to games
TO_MOVE = 0.2  # what it is worth to be the next to throw, in the same logarithm of odds


@compiled
def measure(s: State, rules: Rules, far: Numbers) -> None:
    """How far each pawn is from the boats, a blocked one a little farther; 0 for one that is in a boat."""
    for pawn in range(PAWNS):
        far[pawn] = 0
        if s.aboard & bit(pawn) == ZERO:
            far[pawn] = rules.length - signed(s.space[pawn])
            if s.covered & bit(pawn) != ZERO:
                far[pawn] += BLOCKED


@compiled
def gain(far: Numbers, wish: Reals, pawn: int, near: int) -> float:
    """What a pawn brings when it comes so near to the boats, or goes so far away from them."""
    total = 0.0
    for other in range(PAWNS):
        if other != pawn and far[other] > 0:
            total += (ODDS[near, far[other]] - ODDS[far[pawn], far[other]]) * (wish[other] - wish[pawn])
    return total


@compiled
def step_gain(s: State, far: Numbers, wish: Reals, pawn: int) -> float:
    """What throwing a pawn's die brings on average; a blocked one stays."""
    if s.covered & bit(pawn) != ZERO:
        return 0.0
    return (gain(far, wish, pawn, max(0, far[pawn] - 3)) + gain(far, wish, pawn, max(0, far[pawn] - 4))) / 2


@compiled
def back_gain(s: State, rules: Rules, far: Numbers, wish: Reals, takes: U) -> float:
    """What the white die brings on average, if anything, to one who takes these pawns back."""
    best, pawns = 0.0, s.far & free(s) & takes
    while pawns != ZERO:
        pawn, pawns = lowest(pawns), without_lowest(pawns)
        best = max(best, gain(far, wish, pawn, min(rules.length - 1, far[pawn] + 3)))
    return best


@compiled
def choose_dice(s: State, rules: Rules, wish: Reals, takes: U, far: Numbers, gains: Reals) -> int:
    """The dice that bring most, with the white one where it costs nothing or brings more than a colour."""
    measure(s, rules, far)
    for pawn in range(PAWNS):
        gains[pawn] = step_gain(s, far, wish, pawn) if far[pawn] > 0 else NONE
    white = takes != ZERO and may_throw_white(s)
    few = size(s.aboard) >= 4
    dice = ZERO
    for _ in range(dice_to_throw(s)):
        best = 0
        for pawn in range(1, PAWNS):
            if gains[pawn] > gains[best]:
                best = pawn
        if few and white and dice != ZERO and back_gain(s, rules, far, wish, takes) > gains[best]:
            return ROLL | signed(dice | bit(WHITE))
        gains[best] = NONE
        dice |= bit(best)
    if white and not few:
        dice |= bit(WHITE)
    return ROLL | signed(dice)


@compiled
def stack_gain(s: State, far: Numbers, wish: Reals, pawn: int, space: int) -> float:
    """What it brings to free the pawn below and to block the one that a pawn comes to stand on."""
    total, freed = 0.0, signed(s.below[pawn])
    if freed >= 0:
        total += gain(far, wish, freed, far[freed] - BLOCKED)
    if space < BOAT and s.top[space] >= 0:
        total += gain(far, wish, signed(s.top[space]), far[signed(s.top[space])] + BLOCKED)
    return total


@compiled
def forward_gain(s: State, rules: Rules, far: Numbers, wish: Reals, pawn: int) -> float:
    """What a move forward brings."""
    space = forward_target(s, rules, pawn)
    near = rules.length - space if space < BOAT else 0
    return gain(far, wish, pawn, near) + stack_gain(s, far, wish, pawn, space)


@compiled
def white_gain(s: State, rules: Rules, far: Numbers, wish: Reals, pawn: int) -> float:
    """What a move back brings, and that a die of the pawn's own lapses."""
    space = back_target(s, pawn)
    total = gain(far, wish, pawn, rules.length - space) + stack_gain(s, far, wish, pawn, space)
    if forward_pawns(s) & bit(pawn) != ZERO:
        total -= gain(far, wish, pawn, max(0, far[pawn] - signed(s.dice[pawn])))
    return total


@compiled
def choose_move(s: State, rules: Rules, wish: Reals, takes: U, far: Numbers) -> int:
    """The white die first where it brings anything, then the colours, best first."""
    measure(s, rules, far)
    best, action, pawns = 0.0, END, back_pawns(s) & takes
    while pawns != ZERO:
        pawn, pawns = lowest(pawns), without_lowest(pawns)
        brings = white_gain(s, rules, far, wish, pawn)
        if brings > best:
            best, action = brings, BACK | pawn
    if action != END:
        return action
    best, pawns = NONE, forward_pawns(s)
    while pawns != ZERO:
        pawn, pawns = lowest(pawns), without_lowest(pawns)
        brings = forward_gain(s, rules, far, wish, pawn)
        if brings > best:
            best, action = brings, pawn
    return action


@compiled
def expect_arrivals(s: State, rules: Rules, far: Numbers, ranks: Reals) -> None:
    """How likely each pawn (row) arrives first, second … (column), every pair of pawns taken for itself."""
    measure(s, rules, far)
    aboard = size(s.aboard)
    for pawn in range(PAWNS):
        for rank in range(8):
            ranks[pawn, rank] = 0.0
        if far[pawn] == 0:
            ranks[pawn, 2 * signed(s.boat[pawn]) - 2] = 1.0
            continue
        last = aboard
        ranks[pawn, aboard] = 1.0
        for other in range(PAWNS):
            if other != pawn and far[other] > 0:
                behind = ODDS[far[other], far[pawn]]
                for rank in range(last, aboard - 1, -1):
                    ranks[pawn, rank + 1] += ranks[pawn, rank] * behind
                    ranks[pawn, rank] *= 1 - behind
                last += 1


@compiled
def expected_points(bet: Array, ranks: Reals) -> float:
    """The points that a bet will bring, by the chances of every pawn's arrival."""
    total = 0.0
    for pawn in range(PAWNS):
        boat = signed(bet[pawn])
        total += boat * (ranks[pawn, 2 * boat - 2] + ranks[pawn, 2 * boat - 1])
    return total


@compiled
def share_win(s: State, shares: Reals) -> None:
    """Add the win of a finished game to the shares of those who have it; a drawn one brings nobody anything."""
    if s.over != ARRIVED:
        return
    best, equals = -1, 0
    for seat in range(s.players):
        own = points(s, seat)
        equals = 1 if own > best else equals + (own == best)
        best = max(own, best)
    for seat in range(s.players):
        if points(s, seat) == best:
            shares[seat] += 1.0 / equals


@compiled
def share_chances(s: State, rules: Rules, far: Numbers, ranks: Reals, shares: Reals, hopes: Reals) -> None:
    """Add each seat's chance of winning a game that goes on, as its expected points have it."""
    expect_arrivals(s, rules, far, ranks)
    calm, total = CALM[size(s.aboard)], 0.0
    for seat in range(s.players):
        lead = expected_points(s.bet[seat], ranks) / calm
        hopes[seat] = np.exp(lead + TO_MOVE if seat == s.seat else lead)
        total += hopes[seat]
    for seat in range(s.players):
        shares[seat] += hopes[seat] / total


@compiled
def play_on(
    s: State, rules: Rules, wishes: Reals, last: int, seed: int, far: Numbers, gains: Reals, rng: Words
) -> None:
    """Play by everyone's wishes until a turn is over; the dice of a turn follow from the seed and its number."""
    while s.over == RUNNING and (s.turn <= last or s.thrown != ZERO):
        if s.thrown == ZERO:
            action = choose_dice(s, rules, wishes[s.seat], COLOURS, far, gains)
            seed_rng(rng, seed, s.turn)
            throw(s, rng)
        else:
            action = choose_move(s, rules, wishes[s.seat], COLOURS, far)
        apply(s, rules, action)


@compiled
def choose_by_thumb(states: States, rules: Rules, wish: Reals, takes: U) -> int:
    """The action of one who plays by wish alone."""
    s: State = states[0]
    far, gains = np.zeros(PAWNS, np.int64), np.zeros(PAWNS)
    if s.thrown == ZERO:
        return choose_dice(s, rules, wish, takes, far, gains)
    return choose_move(s, rules, wish, takes, far)


@compiled
def expect_points(states: States, rules: Rules, seat: int, points: Reals) -> None:
    """The points that each of some positions promises a seat."""
    far, ranks = np.zeros(PAWNS, np.int64), np.zeros((PAWNS, 8))
    for k in range(len(states)):
        s: State = states[k]
        expect_arrivals(s, rules, far, ranks)
        points[k] = expected_points(s.bet[seat], ranks)


@compiled
def judge_rolls(states: States, rules: Rules, wish: Reals, rolls: Numbers, brings: Reals) -> None:
    """What each of some rolls brings to one who plays by wish."""
    s: State = states[0]
    far, gains = np.zeros(PAWNS, np.int64), np.zeros(8)
    measure(s, rules, far)
    for pawn in range(PAWNS):
        gains[pawn] = step_gain(s, far, wish, pawn) if far[pawn] > 0 else 0.0
    gains[WHITE] = back_gain(s, rules, far, wish, COLOURS)
    for k in range(len(rolls)):
        brings[k] = 0.0
        dice = U(rolls[k] - ROLL)
        while dice != ZERO:
            brings[k] += gains[lowest(dice)]
            dice = without_lowest(dice)
