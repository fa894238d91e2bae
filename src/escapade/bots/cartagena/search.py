"""The search of Cartagena, compiled: the best turns are tried in many worlds that fit what is seen.

In a world every card is known, but everyone in it plans as blindly as at a real table.
"""

import numpy as np

from escapade.bots.cartagena.evaluation import WIN, Sums, Weights, add_chances
from escapade.bots.cartagena.memory import Old
from escapade.bots.cartagena.turns import (
    NO_TURN,
    Desk,
    best_turn,
    cut,
    length,
    list_turns,
    look,
    nth_of,
    place_of_best,
    step_blind,
    sure,
    winning_turn,
)
from escapade.cartagena.kernel import (
    NOBODY,
    SYMBOLS,
    UNKNOWN,
    Numbers,
    Rules,
    State,
    States,
    act,
    give,
)
from escapade.compiled import compiled
from escapade.rng import Words, next_random, pick_high, seed_rng
from escapade.sets import U, below, signed

PATIENCE = 500_000  # actions tried to find a win in this turn: far more than there are in three actions
CARE = 20_000  # and in the next seat's


@compiled
def fill(s: State, rules: Rules, rng: Words) -> None:
    """Deal the unseen cards at random to where cards are unknown: the others' hands and the pile."""
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
def deal_old(s: State, old: Old, rng: Words) -> None:
    """Deal the cards that the others have held since the last shuffle to those who have them."""
    cards, n = np.zeros(120, np.int8), 0
    for symbol in range(SYMBOLS):
        for _ in range(old.cards[symbol]):
            cards[n] = symbol
            n += 1
    for seat in range(s.players):
        for _ in range(old.held[seat]):
            k = pick_high(next_random(rng), n)
            n -= 1
            give(s, seat, cards[k])
            s.hand[seat, UNKNOWN] -= 1
            cards[k] = cards[n]


@compiled
def play_turn(s: State, rules: Rules, turn: int, rng: Words) -> None:
    """Play the certain part of a turn in a world."""
    for k in range(sure(turn)):
        act(s, rules, nth_of(turn, k), rng)


@compiled
def loses(s: State, desk: Desk, rules: Rules, turn: int) -> bool:
    """Whether after this turn the next seat has a win that everyone can see coming."""
    plans = desk.plans
    look(s, plans)
    for k in range(length(turn)):
        step_blind(plans, 0, rules, nth_of(turn, k))
        plans[0] = plans[1]
    last = len(plans) - 1  # a place that the search for a win does not use
    plans[last] = plans[0]
    after: State = plans[last]
    if after.winner != NOBODY or after.seat == s.seat or rules.pirates - after.boat[after.seat] > rules.most:
        return False
    return winning_turn(after, desk, rules, CARE) != NO_TURN


@compiled
def list_all(states: States, desk: Desk, rules: Rules, w: Weights) -> int:
    """Write every turn in `states[0]` with its value, or a certain win alone; how many they are."""
    win = winning_turn(states[0], desk, rules, PATIENCE)
    if win == NO_TURN:
        return list_turns(states[0], desk, rules, w)
    desk.turns[0], desk.values[0] = win, WIN
    return 1


@compiled
def choose_some(states: States, desk: Desk, rules: Rules, turns: Numbers, out: Numbers) -> int:
    """Write the first few turns that differ before anything unknown is seen; how many they are.

    Turns after which the next seat has a certain win are left out if that can be helped.
    """
    found = 0
    for wary in range(2):
        for turn in turns:
            if is_among(out, found, cut(turn)) or (wary == 0 and loses(states[0], desk, rules, turn)):
                continue
            out[found] = cut(turn)
            found += 1
            if found == len(out):
                return found
        if found > 0:
            break
    return found


@compiled
def is_among(turns: Numbers, n: int, turn: int) -> bool:
    """Whether a turn is one of the first n."""
    for k in range(n):
        if turns[k] == turn:
            return True
    return False


@compiled
def best_reply(
    s: State, spare: States, desk: Desk, rules: Rules, w: Weights, leaf: Weights, rng: Words, replies: int
) -> int:
    """The turn of the seat to act that does best, of a few, when the others have planned their answers to it."""
    n, seat = list_turns(s, desk, rules, w), s.seat
    turns, found = np.zeros(replies, np.int64), 0
    while found < min(n, replies):
        best = place_of_best(desk, n)
        turns[found] = cut(desk.turns[best])
        desk.values[best] = -2 * WIN
        found += 1
    luck, choice, most = np.empty(2, np.uint64), turns[0], -1.0
    for k in range(found):
        spare[0] = s
        world: State = spare[0]
        luck[0], luck[1] = rng[0], rng[1]
        play_turn(world, rules, turns[k], luck)
        while world.winner == NOBODY and world.turn < s.turn + s.players:
            play_turn(world, rules, best_turn(world, desk, rules, w), luck)
        sums = np.zeros(s.players)
        add_chances(world, rules, leaf, sums)
        if sums[seat] > most:
            choice, most = turns[k], sums[seat]
    return choice


@compiled
def try_turns(
    states: States, worlds: States, desk: Desk, rules: Rules, w: Weights, leaf: Weights,
    turns: Numbers, rng: Words, horizon: int, replies: int, old: Old, sums: Sums,
) -> None:  # fmt: skip
    """Try each turn in the same world, everyone playing on for some turns; add each seat's chances to its sums."""
    s: State = states[0]
    luck = np.empty(2, np.uint64)
    look(s, worlds)
    deal_old(worlds[0], old, rng)
    fill(worlds[0], rules, rng)
    stream = next_random(rng)
    for k in range(len(turns)):
        worlds[1] = worlds[0]
        world: State = worlds[1]
        seed_rng(luck, signed(stream >> U(1)), 0)
        play_turn(world, rules, turns[k], luck)
        while world.winner == NOBODY and world.turn <= s.turn + horizon:
            if replies > 1 and world.turn == s.turn + 1:
                turn = best_reply(world, worlds[2:], desk, rules, w, leaf, luck, replies)
            else:
                turn = best_turn(world, desk, rules, w)
            play_turn(world, rules, turn, luck)
        add_chances(world, rules, leaf, sums[k])


@compiled
def plan_turn(states: States, desk: Desk, rules: Rules, w: Weights) -> int:
    """The turn in `states[0]` that is best without a search."""
    win = winning_turn(states[0], desk, rules, PATIENCE)
    return win if win != NO_TURN else best_turn(states[0], desk, rules, w)


@compiled
def has_win(states: States, desk: Desk, rules: Rules, seat: int) -> bool:
    """Whether a seat would have a win that everyone can see coming if its turn began now."""
    last = len(desk.plans) - 1
    desk.plans[last] = states[0]
    s: State = desk.plans[last]
    s.seat, s.actions = seat, 0
    if s.winner != NOBODY or rules.pirates - s.boat[seat] > rules.most:
        return False
    return winning_turn(s, desk, rules, CARE) != NO_TURN
