"""The search of Les Évadés, compiled: every end that this turn may have, and what comes of it in many worlds.

A world is a set of bets that the others may have made, and the dice of the turns to come. Every choice is tried in the
same worlds, so that luck falls out of the comparison.
"""

import numpy as np

from escapade.bots.evades.play import Reals, play_on, share_chances, share_win
from escapade.compiled import compiled
from escapade.evades.kernel import (
    ARRIVED,
    BETS,
    PAWNS,
    ROLL,
    RUNNING,
    Numbers,
    Rules,
    State,
    States,
    apply,
    count_actions,
    nth_action,
    throw,
)
from escapade.rng import Words, next_random, seed_rng
from escapade.sets import U, bit, signed, size

MOST_ENDS = 512


@compiled
def same(a: State, b: State) -> bool:
    """Whether two positions of one turn are the same."""
    if a.turn != b.turn or a.thrown != b.thrown or a.forth != b.forth or a.back != b.back or a.aboard != b.aboard:
        return False
    for pawn in range(PAWNS):
        if a.space[pawn] != b.space[pawn] or a.below[pawn] != b.below[pawn] or a.boat[pawn] != b.boat[pawn]:
            return False
    return True


@compiled
def find_ends(states: States, found: States, firsts: Numbers, rules: Rules) -> int:
    """Every position in which this turn may end, once each, with the set of first actions that lead there."""
    root: State = states[0]
    turn, count, done = root.turn, 0, 0
    for k in range(count_actions(root)):
        found[count] = root
        apply(found[count], rules, nth_action(root, k))
        count = keep(found, firsts, count, 1 << k)
    while done < count:
        s: State = found[done]
        if s.turn != turn or s.over != RUNNING:
            done += 1
            continue
        for k in range(count_actions(s)):
            found[count] = s
            apply(found[count], rules, nth_action(s, k))
            count = keep(found, firsts, count, firsts[done])
        firsts[done] = 0
        done += 1
    return sift(found, firsts, count)


@compiled
def keep(found: States, firsts: Numbers, count: int, ways: int) -> int:
    """Add the position that has just been made behind the others, or its ways to one that is the same."""
    for known in range(count):
        if firsts[known] != 0 and same(found[known], found[count]):
            firsts[known] |= ways
            return count
    firsts[count] = ways
    return count + 1


@compiled
def sift(found: States, firsts: Numbers, count: int) -> int:
    """Close the gaps that positions in mid-turn have left."""
    kept = 0
    for k in range(count):
        if firsts[k] != 0:
            found[kept] = found[k]
            firsts[kept] = firsts[k]
            kept += 1
    return kept


@compiled
def rightly_ended(end: State, root: State, seat: int) -> int:
    """How many of the pawns not yet in boats at the root ended as bet; -1 if the game goes on."""
    if end.over != ARRIVED:
        return -1
    right = 0
    for pawn in range(PAWNS):
        right += root.boat[pawn] == 0 and end.boat[pawn] == end.bet[seat, pawn]
    return right


@compiled
def count_right(root: States, ends: States, seat: int, out: Numbers) -> None:
    """Write for each end how many pawns ended as bet."""
    for k in range(len(ends)):
        out[k] = rightly_ended(ends[k], root[0], seat)


@compiled
def settles(root: States, roll: int, ends: States, firsts: Numbers, rules: Rules, seat: int) -> bool:
    """Whether after this roll the game can be ended in this turn with every pawn as bet, whatever is thrown."""
    s: State = root[0]
    dice = U(roll - ROLL)
    left = PAWNS - size(s.aboard)
    if size(dice) + 1 < left:
        return False
    for number in range(6 ** size(dice)):
        thrown = ends[len(ends) - 1 :]
        thrown[0] = s
        end: State = thrown[0]
        rest = number
        for die in range(8):
            if dice & bit(die) != U(0):
                end.dice[die] = 1 + rest % 6
                rest //= 6
        apply(end, rules, roll)
        right = rightly_ended(end, s, seat)
        if end.over == RUNNING and end.turn == s.turn:
            for k in range(find_ends(thrown, ends[: len(ends) - 1], firsts, rules)):
                right = max(right, rightly_ended(ends[k], s, seat))
        if right < left:
            return False
    return True


@compiled
def draw_bet(world: State, seat: int, sums: Reals, rng: Words) -> None:
    """A bet for a seat, drawn by the running sums of its chances."""
    luck = sums[-1] * (signed(next_random(rng) >> U(11)) / 2.0**53)
    bet = min(signed(np.searchsorted(sums, luck, side="right")), len(BETS) - 1)
    for pawn in range(PAWNS):
        world.bet[seat, pawn] = BETS[bet, pawn]


@compiled
def wish_for(s: State, seat: int, against: Reals, wishes: Reals) -> None:
    """What a seat wishes: its own bet, less what the others seem to want."""
    for pawn in range(PAWNS):
        wishes[seat, pawn] = s.bet[seat, pawn] - against[seat, pawn]


@compiled
def try_worlds(
    starts: States, actions: Numbers, chosen: Numbers, trial: States, rules: Rules, me: int, sums: Reals,
    against: Reals, horizon: int, seed: int, first: int, count: int, shares: Reals,
) -> None:  # fmt: skip
    """Play each chosen start on in so many worlds, its roll thrown first; add up every seat's share of the wins."""
    rng, far, gains, hopes = np.zeros(2, np.uint64), np.zeros(8, np.int64), np.zeros(8), np.zeros(8)
    ranks, wishes = np.zeros((8, 8)), np.zeros((8, 8))
    root: State = trial[0]
    s: State = trial[1]
    for world in range(first, first + count):
        seed_rng(rng, seed, world)
        for seat in range(root.players):
            if seat != me:
                draw_bet(root, seat, sums[seat], rng)
        dice = signed(next_random(rng) >> U(1))
        for start in chosen:
            trial[1] = starts[start]
            for seat in range(root.players):
                for pawn in range(PAWNS):
                    if seat != me:
                        s.bet[seat, pawn] = root.bet[seat, pawn]
                wish_for(s, seat, against, wishes)
            if actions[start] >= ROLL:
                seed_rng(rng, dice, s.turn)
                throw(s, rng)
                apply(s, rules, actions[start])
            play_on(s, rules, wishes, root.turn + horizon, dice, far, gains, rng)
            if s.over != RUNNING:
                share_win(s, shares[start])
            else:
                share_chances(s, rules, far, ranks, shares[start], hopes)
