"""Cartagena by a network, compiled: every end of a turn judged, and the best turns tried in worlds.

An end is where the turn ends or a card that nobody has seen comes up. From an action to the next the network's first
layer is followed, not computed anew.
"""

from typing import NamedTuple

import numpy as np

from escapade.bots.cartagena.evaluation import Sums
from escapade.bots.cartagena.search import PATIENCE, fill, play_turn
from escapade.bots.cartagena.turns import (
    BITS,
    DEEPEST,
    LENGTH,
    MOST_TURNS,
    NO_TURN,
    SURE,
    Desk,
    clear,
    fingerprint,
    is_new,
    look,
    step_blind,
    winning_turn,
)
from escapade.cartagena.inputs import NOTES, describe
from escapade.cartagena.kernel import NOBODY, SYMBOLS, UNKNOWN, Numbers, Rules, State, States, list_actions
from escapade.compiled import compiled
from escapade.nets import Net, Sheet, begin, follow, judge
from escapade.rng import Words, next_random, seed_rng
from escapade.sets import U, signed

NO_NOTES = np.zeros(NOTES, np.int8)
WON = 2.0  # more than any chance


class Box(NamedTuple):
    """What everyone at the table plays by: rules, whether hands are hidden, and the network."""

    rules: Rules
    hidden: bool
    net: Net


@compiled
def list_ends(s: State, masked: bool, box: Box, desk: Desk, sheet: Sheet, best: Sums) -> int:
    """Write every turn of the seat to act with its chance to win then: how many there are.

    The best one comes to stand first, and everyone's chances then, its own first, in `best`.
    """
    rules, hidden, net = box.rules, box.hidden, box.net
    plans, lists, seen, words, sums = desk.plans, desk.lists, desk.seen, sheet.words, sheet.sums
    look(s, plans)
    depth, seat, number, n = 0, s.seat, s.turn, 0
    clear(seen)
    left, path = np.zeros(8, np.int64), np.zeros(8, np.int64)
    describe(plans[0], NO_NOTES, rules, hidden, masked, seat, words[0])
    begin(net, words[0], sums[0])
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
        over = child.winner != NOBODY
        if not over:
            describe(child, NO_NOTES, rules, hidden, masked, seat, words[depth + 1])
            follow(net, words[depth], words[depth + 1], sums[depth], sums[depth + 1])
        ended = over or child.seat != seat or child.turn != number
        blind = child.hand[seat, UNKNOWN] > plan.hand[seat, UNKNOWN]
        if not ended and not blind and depth + 1 < DEEPEST:
            depth += 1
            left[depth] = list_actions(child, rules, lists[depth])
            continue
        if over:
            sheet.chances[:] = 0
            sheet.chances[0] = WON * (child.winner == seat)
        else:
            judge(net, sums[depth + 1], sheet)
        turn = path[depth + 1] | (depth + 1) << LENGTH | (depth + 1) << SURE
        note(desk, n, turn, sheet.chances, best)
        n = min(n + 1, MOST_TURNS)
    return n


@compiled
def note(desk: Desk, n: int, turn: int, chances: Sums, best: Sums) -> None:
    """Write a turn down as the n-th, or as the first where it is the best, whose place the former best takes."""
    place = min(n, MOST_TURNS - 1)
    if n == 0 or chances[0] > best[0]:
        desk.turns[place], desk.values[place] = desk.turns[0], desk.values[0]
        best[:] = chances
        place = 0
    desk.turns[place], desk.values[place] = turn, chances[0]


@compiled
def list_all_ends(states: States, box: Box, desk: Desk, sheet: Sheet, best: Sums) -> int:
    """Write every turn in `states[0]` with its value, or a certain win alone; how many they are."""
    win = winning_turn(states[0], desk, box.rules, PATIENCE)
    if win == NO_TURN:
        return list_ends(states[0], False, box, desk, sheet, best)
    desk.turns[0], desk.values[0] = win, WON
    return 1


@compiled
def remember(s: State, me: int) -> None:
    """Begin a world from what a seat knows: what it has seen of the other hands, it goes on knowing."""
    for seat in range(s.players):
        for symbol in range(SYMBOLS):
            s.known[seat, symbol] = s.hand[seat, symbol] if seat != me else s.known[seat, symbol]


@compiled
def forget(s: State, seat: int) -> None:
    """Of a hand no more is known than it has, once some of it is played."""
    for symbol in range(SYMBOLS):
        s.known[seat, symbol] = min(s.known[seat, symbol], s.hand[seat, symbol])


@compiled
def try_ends(
    states: States, worlds: States, box: Box, desk: Desk, sheet: Sheet, turns: Numbers, rng: Words, best: Sums, sums: Sums
) -> None:  # fmt: skip
    """Try each turn in the same world, everyone playing on by the network until its seat has planned the next turn."""
    s: State = states[0]
    me, players, luck = signed(s.seat), signed(s.players), np.empty(2, np.uint64)
    look(s, worlds)
    remember(worlds[0], me)
    fill(worlds[0], box.rules, rng)
    stream = next_random(rng)
    for k in range(len(turns)):
        worlds[1] = worlds[0]
        world: State = worlds[1]
        seed_rng(luck, signed(stream >> U(1)), 0)
        turn, seat = turns[k], me
        while True:
            play_turn(world, box.rules, turn, luck)
            forget(world, seat)
            seat = signed(world.seat)
            if world.winner != NOBODY:
                break
            list_ends(world, box.hidden, box, desk, sheet, best)
            turn = desk.turns[0]
            if seat == me and world.turn > s.turn:
                break
        if world.winner == NOBODY:
            for other in range(players):
                sums[k, (me + other) % players] += min(best[other], 1.0)
        elif world.winner >= 0:
            sums[k, world.winner] += 1


@compiled
def look_at(states: States, reader: int, masked: bool, box: Box, sheet: Sheet) -> None:
    """Write everyone's chances in `states[0]` as a seat sees it, its own first."""
    describe(states[0], NO_NOTES, box.rules, box.hidden, masked, reader, sheet.words[0])
    begin(box.net, sheet.words[0], sheet.sums[0])
    judge(box.net, sheet.sums[0], sheet)
