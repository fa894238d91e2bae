"""Cartagena a whole turn at a time, compiled: every sequence of actions is tried, and the best end of a turn is taken.

The planner never looks under the row: it plans on a copy of the state whose face-down pile is unknown, counts a card
that it would draw from there as any card, and plans again once it has seen it. Looking ahead, it tries its best actions
in worlds that fit what is seen, in which everyone plans on in the same blind way.
"""

from typing import TypeAlias

import numpy as np

from escapade.cartagena.kernel import (
    NOBODY,
    SYMBOLS,
    UNKNOWN,
    Numbers,
    Rules,
    State,
    States,
    advance_target,
    apply,
    give,
    list_actions,
    reshuffles,
    restock,
    shuffle,
)
from escapade.compiled import compiled
from escapade.rng import Words, mix, next_random, pick_high, seed_rng
from escapade.sets import ONE, ZERO, U, below, lowest, signed, without_lowest

Weights: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]

WIN = 1e6
# In spaces: what a card is worth, what each is worth less for every other in the hand, how much of the best leap that a
# symbol in hand allows counts already; and the lead that makes a game nearly three to one.
CARD, CROWD, LEAP, SCALE = range(4)
WEIGHTS: Weights = np.array([8.0, 0.4, 0.3, 20.0])


@compiled
def standing(s: State, rules: Rules, seat: int, w: Weights) -> float:
    """How far a seat has come, in spaces, its cards counted as what they are worth."""
    total = 1.0 * rules.boat * s.boat[seat]
    for k in range(3):
        places = s.own[seat, k] & rules.tunnel
        while places != ZERO:
            total += lowest(places)
            places = without_lowest(places)
    cards = 0
    for symbol in range(UNKNOWN + 1):
        n = s.hand[seat, symbol]
        cards += n
        if n > 0 and symbol < UNKNOWN:
            total += w[LEAP] * best_leap(s, rules, seat, symbol)
    return total + w[CARD] * cards - w[CROWD] * cards * cards


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
def lead(s: State, rules: Rules, seat: int, w: Weights) -> float:
    """How far a seat is ahead of the best of the others."""
    if s.winner != NOBODY:
        return WIN if s.winner == seat else (-WIN if s.winner >= 0 else 0.0)
    others = -WIN
    for other in range(s.players):
        if other != seat:
            others = max(others, standing(s, rules, other, w))
    return standing(s, rules, seat, w) - others


@compiled
def fingerprint(s: State, seat: int) -> U:
    """A number, never 0, that tells apart what a turn of this seat can lead to."""
    word = ZERO
    for card in range(UNKNOWN + 1):
        word = word << U(8) | U(s.hand[seat, card])
    word = mix(word ^ U(s.cards) << U(56))
    for k in range(3):
        word = mix(word + s.own[seat, k])
    word += U(s.prison[seat]) << U(8) | U(s.boat[seat]) << U(16) | U(s.actions) << U(24) | U(s.turn) << U(32)
    return mix(word) | ONE


@compiled
def is_new(seen: Words, number: U) -> bool:
    """Whether a number has not been met before; once the table is nearly full, every one counts as new."""
    last = len(seen) - 1
    place = signed(number >> U(40)) & last
    for _ in range(16):
        if seen[place] == ZERO:
            seen[place] = number
            return True
        if seen[place] == number:
            return False
        place = (place + 1) & last
    return True


@compiled
def plan(plans: States, lists: Numbers, values: Weights, seen: Words, rules: Rules, w: Weights) -> int:
    """Try every turn from `plans[0]`: how many actions it can begin with, each in `lists[0]` with the best it leads to.

    A state reached in two orders counts for one of them only. There is no recursion, because Numba's cache cannot load
    a recursive function inside another one.
    """
    depth, seat, turn = 0, plans[0].seat, plans[0].turn
    seen[:] = ZERO
    left = np.zeros(len(plans), np.int64)
    left[0] = first = list_actions(plans[0], rules, lists[0])
    values[:first] = -2 * WIN
    while depth >= 0:
        left[depth] -= 1
        if left[depth] < 0:
            depth -= 1
            continue
        action = lists[depth, left[depth]]
        plans[depth + 1] = plans[depth]
        child = plans[depth + 1]
        if reshuffles(child, rules, action):
            for i in range(restock(child)):
                child.pile[i] = UNKNOWN
        apply(child, rules, action)
        if not is_new(seen, fingerprint(child, seat)):
            continue
        if child.winner == NOBODY and child.seat == seat and child.turn == turn:
            depth += 1
            left[depth] = list_actions(child, rules, lists[depth])
        else:
            values[left[0]] = max(values[left[0]], lead(child, rules, seat, w))
    return first


@compiled
def look(s: State, plans: States) -> None:
    """Begin to plan from a state, seen as the seat to act sees it: without the order of the pile."""
    plans[0] = s
    for i in range(s.cards - s.row):
        plans[0].pile[i] = UNKNOWN


@compiled
def best_action(s: State, plans: States, lists: Numbers, values: Weights, seen: Words, rules: Rules, w: Weights) -> int:
    """The action that begins the best turn of the seat to act, as far as it can see."""
    look(s, plans)
    n = plan(plans, lists, values, seen, rules, w)
    return lists[0, values[:n].argmax()]


@compiled
def fill(s: State, rules: Rules, rng: Words) -> None:
    """Put cards that are not seen anywhere, shuffled, where cards are unknown: in the others' hands and in the pile."""
    unseen = np.zeros(120, np.int8)
    n = 0
    for symbol in range(SYMBOLS):
        seen = signed(s.discard[symbol])
        for seat in range(s.players):
            seen += s.hand[seat, symbol]
        for i in range(s.cards):
            seen += s.pile[i] == symbol
        for _ in range(rules.copies - seen):
            unseen[n] = symbol
            n += 1
    for i in range(n - 1, 0, -1):
        j = pick_high(next_random(rng), i + 1)
        unseen[i], unseen[j] = unseen[j], unseen[i]
    for seat in range(s.players):
        for _ in range(s.hand[seat, UNKNOWN]):
            n -= 1
            give(s, seat, unseen[n])
        s.hand[seat, UNKNOWN] = 0
        s.held[seat] &= below(SYMBOLS)
    for i in range(s.cards):
        if s.pile[i] == UNKNOWN:
            n -= 1
            s.pile[i] = unseen[n]


@compiled
def step(s: State, rules: Rules, action: int, rng: Words) -> None:
    """Play an action in a world where all is known."""
    if reshuffles(s, rules, action):
        shuffle(s, restock(s), rng)
    apply(s, rules, action)


@compiled
def chance_to_win(s: State, rules: Rules, seat: int, w: Weights) -> float:
    """A seat's chance, from how far it is ahead."""
    ahead = lead(s, rules, seat, w)
    return 1 / (1 + np.exp(-min(30.0, max(-30.0, ahead / w[SCALE]))))


@compiled
def best_by_lookahead(
    view: State, worlds: States, plans: States, lists: Numbers, values: Weights, seen: Words, rules: Rules, w: Weights,
    rng: Words, width: int, samples: int, horizon: int,
) -> int:  # fmt: skip
    """The action that does best when a few are tried in many worlds and everyone goes on planning for some turns."""
    seat = view.seat
    look(view, plans)
    n = plan(plans, lists, values, seen, rules, w)
    order = np.argsort(-values[:n])[:width]
    if len(order) == 1 or values[order[0]] >= WIN:
        return lists[0, order[0]]
    actions = lists[0][order]
    sums = np.zeros(len(order))
    luck = np.empty(2, np.uint64)
    for _ in range(samples):
        worlds[0] = view
        for i in range(view.cards - view.row):
            worlds[0].pile[i] = UNKNOWN
        fill(worlds[0], rules, rng)
        stream = next_random(rng)
        for k in range(len(order)):
            worlds[1] = worlds[0]
            world = worlds[1]
            seed_rng(luck, signed(stream >> U(1)), 0)
            step(world, rules, actions[k], luck)
            while world.winner == NOBODY and world.turn <= view.turn + horizon:
                step(world, rules, best_action(world, plans, lists, values, seen, rules, w), luck)
            sums[k] += chance_to_win(world, rules, seat, w)
    return actions[sums.argmax()]


@compiled
def choose(
    states: States, plans: States, lists: Numbers, values: Weights, seen: Words, rules: Rules, w: Weights
) -> int:
    """The planner's action in `states[0]`."""
    return best_action(states[0], plans, lists, values, seen, rules, w)


@compiled
def choose_by_lookahead(
    states: States, worlds: States, plans: States, lists: Numbers, values: Weights, seen: Words, rules: Rules,
    w: Weights, rng: Words, width: int, samples: int, horizon: int,
) -> int:  # fmt: skip
    """The action in `states[0]` that looking ahead prefers."""
    return best_by_lookahead(states[0], worlds, plans, lists, values, seen, rules, w, rng, width, samples, horizon)
