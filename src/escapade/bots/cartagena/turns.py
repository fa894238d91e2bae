"""Cartagena a whole turn at a time, compiled: every turn that a seat can make, and the one that wins, if there is one.

A turn is planned without looking under the row: on a copy of the state whose face-down pile is unknown. A card that
would come from there counts as any card, and what a turn does after it is a plan to be made anew.

A turn's actions are packed into one number, 9 bits each from the lowest on; above them stand how many there are, and
how many of them are to be played before something new is seen.
"""

from typing import NamedTuple

import numpy as np

from escapade.bots.cartagena.evaluation import Weights, lead
from escapade.cartagena.kernel import (
    ACTION,
    NOBODY,
    RETREAT,
    STATE,
    TARGET,
    UNKNOWN,
    Numbers,
    Rules,
    State,
    States,
    apply,
    list_actions,
    reshuffles,
    restock,
    target,
)
from escapade.compiled import compiled, records
from escapade.rng import Words, mix
from escapade.sets import ONE, ZERO, U, signed

DEEPEST = 3  # actions planned ahead: all of a turn, unless the house allows more than three
BITS, LENGTH, SURE = 9, 54, 58
MOST_TURNS = 1 << 15
NO_TURN = -1


class Desk(NamedTuple):
    """Working memory, so that nothing is allocated while thinking: `seen` for all turns, `few` for wins alone."""

    plans: States
    lists: Numbers
    seen: Words
    few: Words
    values: Weights
    turns: Numbers


def new_desk() -> Desk:
    """An empty desk."""
    return Desk(
        records(STATE, 8),
        np.zeros((8, 64), np.int64),
        np.zeros(1 << 14, np.uint64),
        np.zeros(1 << 12, np.uint64),
        np.zeros(MOST_TURNS),
        np.zeros(MOST_TURNS, np.int64),
    )


@compiled
def length(turn: int) -> int:
    """How many actions a turn has."""
    return turn >> LENGTH & 15


@compiled
def sure(turn: int) -> int:
    """How many actions of a turn are certain to be possible, and worth keeping to."""
    return turn >> SURE & 15


@compiled
def nth_of(turn: int, k: int) -> int:
    """The k-th action of a turn, counted from 0."""
    return turn >> BITS * k & ACTION


@compiled
def cut(turn: int) -> int:
    """A turn without what comes after its first unknown card."""
    n = sure(turn)
    return turn & ((1 << BITS * n) - 1) | n << LENGTH | n << SURE


@compiled
def fingerprint(s: State, seat: int) -> U:
    """A hash, never 0, of the position that a turn of this seat leads to."""
    word = ZERO
    for card in range(UNKNOWN + 1):
        word = word << U(8) | U(s.hand[seat, card])
    word = mix(word ^ U(s.cards) << U(56))
    for k in range(3):
        word = mix(word + s.own[seat, k])
    word += U(s.passes) | U(s.prison[seat]) << U(8) | U(s.boat[seat]) << U(16)
    word += U(s.actions) << U(24) | U(s.turn) << U(32)
    return mix(word) | ONE


@compiled
def is_new(seen: Words, number: U) -> bool:
    """Whether a hash is new; once the table is nearly full, every one counts as new."""
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
def clear(seen: Words) -> None:
    """Forget all hashes."""
    for place in range(len(seen)):
        seen[place] = ZERO


@compiled
def look(s: State, plans: States) -> None:
    """Begin to plan from a state as the seat to act sees it, with an unknown pile."""
    plans[0] = s
    plan: State = plans[0]
    for i in range(s.cards - s.row):
        plan.pile[i] = UNKNOWN


@compiled
def step_blind(plans: States, depth: int, rules: Rules, action: int) -> None:
    """Try an action in a copy of a planned state; reshuffled discards come in an order that nobody knows."""
    plans[depth + 1] = plans[depth]
    child: State = plans[depth + 1]
    if reshuffles(child, rules, action):
        for i in range(restock(child)):
            child.pile[i] = UNKNOWN
    apply(child, rules, action)


@compiled
def list_turns(s: State, desk: Desk, rules: Rules, w: Weights) -> int:
    """Write every turn of the seat to act with its value: how many there are.

    Of turns that end alike only one is kept. There is no recursion, because Numba's cache cannot load a recursive
    function inside another one.
    """
    plans, lists, seen = desk.plans, desk.lists, desk.seen
    look(s, plans)
    depth, seat, number, n = 0, s.seat, s.turn, 0
    clear(seen)
    left, path, blind = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64)
    left[0] = list_actions(plans[0], rules, lists[0])
    while depth >= 0:
        left[depth] -= 1
        if left[depth] < 0:
            depth -= 1
            continue
        action = lists[depth, left[depth]]
        step_blind(plans, depth, rules, action)
        plan: State = plans[depth]
        child: State = plans[depth + 1]
        if not is_new(seen, fingerprint(child, seat)):
            continue
        path[depth + 1] = path[depth] | action << BITS * depth
        blind[depth + 1] = blind[depth]
        if blind[depth] == 0 and child.hand[seat, UNKNOWN] > plan.hand[seat, UNKNOWN]:
            blind[depth + 1] = depth + 1
        ended = child.winner != NOBODY or child.seat != seat or child.turn != number
        if not ended and depth + 1 < DEEPEST:
            depth += 1
            left[depth] = list_actions(child, rules, lists[depth])
            continue
        value = lead(child, rules, seat, w)
        place = min(n, MOST_TURNS - 1)
        if n < MOST_TURNS or value > desk.values[place]:
            desk.values[place] = value
            known = blind[depth + 1] if blind[depth + 1] > 0 else depth + 1
            desk.turns[place] = path[depth + 1] | (depth + 1) << LENGTH | known << SURE
        n = min(n + 1, MOST_TURNS)
    return n


@compiled
def pack(states: States, desk: Desk, rules: Rules, actions: Numbers) -> int:
    """Actions of the seat to act in `states[0]` as a turn, up to the first unknown card and no longer than a plan."""
    plans = desk.plans
    look(states[0], plans)
    plan: State = plans[0]
    turn, n, seat = 0, 0, plan.seat
    unknown = plan.hand[seat, UNKNOWN]
    while n < min(len(actions), DEEPEST) and plan.hand[seat, UNKNOWN] == unknown:
        turn |= actions[n] << BITS * n
        step_blind(plans, 0, rules, actions[n])
        plans[0] = plans[1]
        n += 1
    return turn | n << LENGTH | n << SURE


@compiled
def unpack(states: States, desk: Desk, rules: Rules, turn: int, out: Numbers) -> int:
    """Write a turn's actions with their targets; how many they are."""
    plans = desk.plans
    look(states[0], plans)
    for k in range(length(turn)):
        action = nth_of(turn, k)
        out[k] = action | target(plans[0], rules, action) << TARGET
        step_blind(plans, 0, rules, action)
        plans[0] = plans[1]
    return length(turn)


@compiled
def follow(states: States, desk: Desk, rules: Rules, action: int) -> None:
    """Play an action in `states[0]`, a card that nobody has seen staying unknown."""
    look(states[0], desk.plans)
    step_blind(desk.plans, 0, rules, action)
    states[0] = desk.plans[1]


@compiled
def best_turn(s: State, desk: Desk, rules: Rules, w: Weights) -> int:
    """The best turn of the seat to act, as far as it can see."""
    return desk.turns[place_of_best(desk, list_turns(s, desk, rules, w))]


@compiled
def place_of_best(desk: Desk, n: int) -> int:
    """The place of the best of the first n turns."""
    best = 0
    for k in range(1, n):
        if desk.values[k] > desk.values[best]:
            best = k
    return best


@compiled
def winning_turn(s: State, desk: Desk, rules: Rules, most: int) -> int:
    """The shortest turn that wins for certain, or NO_TURN; after trying so many actions it gives up."""
    plans, lists, seen = desk.plans, desk.lists, desk.few
    seat, number = s.seat, s.turn
    missing = rules.pirates - s.boat[seat]
    tried = 0
    left, path = np.zeros(8, np.int64), np.zeros(8, np.int64)
    count = np.zeros(8, np.int64)
    for goal in range(missing, rules.most - s.actions + 1):
        look(s, plans)
        clear(seen)
        depth = 0
        left[0], count[0] = 0, list_actions(plans[0], rules, lists[0])
        while depth >= 0:
            if left[depth] == count[depth] or tried == most:
                depth -= 1
                continue
            action = lists[depth, left[depth]]
            left[depth] += 1
            plan: State = plans[depth]
            slack = goal - depth - (rules.pirates - plan.boat[seat])
            if slack == 0 and (action >> 6 >= RETREAT or target(plan, rules, action) != rules.boat):
                continue
            tried += 1
            step_blind(plans, depth, rules, action)
            child: State = plans[depth + 1]
            path[depth + 1] = path[depth] | action << BITS * depth
            if child.winner == seat:
                return path[depth + 1] | (depth + 1) << LENGTH | (depth + 1) << SURE
            if child.winner != NOBODY or child.seat != seat or child.turn != number:
                continue
            if goal - depth - 1 < rules.pirates - child.boat[seat] or not is_new(seen, fingerprint(child, seat)):
                continue
            depth += 1
            left[depth], count[depth] = 0, list_actions(child, rules, lists[depth])
    return NO_TURN
