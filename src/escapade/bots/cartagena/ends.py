"""Cartagena by a network, compiled: every end of a turn judged, and the best turns tried in worlds.

An end is where the turn ends or a card that nobody has seen comes up. From one action to the next the network's first
layer is followed, not computed anew.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from escapade.bots.cartagena.evaluation import Sums, Weights
from escapade.bots.cartagena.memory import Old
from escapade.bots.cartagena.search import PATIENCE, deal_old, fill, play_turn
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
from escapade.cartagena.inputs import NOTES, describe, describe_next, shown
from escapade.cartagena.kernel import NOBODY, STATE, SYMBOLS, UNKNOWN, Numbers, Rules, State, States, list_actions
from escapade.compiled import compiled, inlined, records
from escapade.nets import Net, Reals, Sheet, begin, copy, follow, judge, new_sheet
from escapade.nets import Words as Bits
from escapade.rng import Words, mix, next_random, seed_rng
from escapade.sets import ONE, ZERO, U, signed

NO_NOTES = np.zeros(NOTES, np.int8)
lean = partial(compiled, _nrt=False)

WON = 2.0  # more than any chance
LINE = 4  # positions in a turn: before its first action and after each
PAGES = 1 << 14  # of a diary: more than twice as many as a legend plans turns for one of its own
TRIES = 16  # pages looked at before a turn is planned without the diary


class Box(NamedTuple):
    """What everyone plays by: the rules, whether hands are hidden, and the network."""

    rules: Rules
    hidden: bool
    net: Net


class Diary(NamedTuple):
    """Turns planned before: a hash of what was known, the turn, and everyone's chances then."""

    known: Words
    turns: Numbers
    chances: Reals


class Memory(NamedTuple):
    """Working memory: a line of positions, everyone's chances at the best end, and a beam of turns begun.

    The beam has two halves: the best few after some actions, and the best few after one more. The diary is for one
    tunnel, one network and one set of rules; a memory that keeps one is made anew for each decision.
    """

    sheet: Sheet
    left: Numbers
    path: Numbers
    best: Reals
    beam: Sheet
    plans: States
    paths: Numbers
    values: Weights
    diary: Diary


def new_memory(net: Net, width: int) -> Memory:
    """Empty memory for a beam of some width."""
    size = 2 * width
    left, path = np.zeros((2, LINE), np.int64)
    best = np.zeros(len(net.third_bias), np.float32)
    beam = new_sheet(net, size), records(STATE, size), np.zeros(size, np.int64), np.zeros(size)
    diary = Diary(np.zeros(PAGES, np.uint64), np.zeros(PAGES, np.int64), np.zeros((PAGES, len(best)), np.float32))
    return Memory(new_sheet(net, LINE), left, path, best, *beam, diary)


@lean
def show(s: State, reader: int, masked: bool, box: Box, words: Bits) -> None:
    """Write what a seat sees as inputs; apart from the rest, because it takes long to compile."""
    describe(s, NO_NOTES, box.rules, box.hidden, masked, reader, words)


@lean
def show_next(s: State, reader: int, masked: bool, box: Box, before: Bits, words: Bits) -> None:
    """Write what a seat sees after an action of its own, from what it saw before."""
    describe_next(s, box.rules, box.hidden, masked, reader, before, words)


@lean
def look_first(s: State, reader: int, masked: bool, box: Box, sheet: Sheet) -> None:
    """Compute the network's first layer for a position, at the first place."""
    show(s, reader, masked, box, sheet.words[0])
    begin(box.net, sheet.words[0], sheet.sums[0])


@inlined
def judge_over(s: State, seat: int, chances: Reals) -> None:
    """Write a seat's certainty at the end of a game."""
    for k in range(len(chances)):
        chances[k] = WON if k == 0 and s.winner == seat else 0.0


@lean
def list_ends(s: State, masked: bool, box: Box, desk: Desk, memory: Memory) -> int:
    """Write every turn of the seat to act with its chance to win then, the best one first: how many there are."""
    plans, lists, sheet, words, sums = desk.plans, desk.lists, memory.sheet, memory.sheet.words, memory.sheet.sums
    look(s, plans)
    depth, seat, number, n = 0, s.seat, s.turn, 0
    clear(desk.seen)
    left, path = memory.left, memory.path
    path[0] = 0
    look_first(plans[0], seat, masked, box, sheet)
    left[0] = list_actions(plans[0], box.rules, lists[0])
    while depth >= 0:
        left[depth] -= 1
        if left[depth] < 0:
            depth -= 1
            continue
        action = lists[depth, left[depth]]
        step_blind(plans, depth, box.rules, action)
        child: State = plans[depth + 1]
        if not is_new(desk.seen, fingerprint(child, seat)):
            continue
        path[depth + 1] = path[depth] | action << BITS * depth
        if child.winner == NOBODY:
            show_next(child, seat, masked, box, words[depth], words[depth + 1])
            follow(box.net, words[depth], words[depth + 1], sums[depth], sums[depth + 1])
        if depth + 1 < DEEPEST and goes_on(plans[depth], child, seat, number):
            depth += 1
            left[depth] = list_actions(child, box.rules, lists[depth])
            continue
        if child.winner == NOBODY:
            judge(box.net, sums[depth + 1], sheet)
        else:
            judge_over(child, seat, sheet.chances)
        note(desk, n, path[depth + 1] | (depth + 1) << LENGTH | (depth + 1) << SURE, sheet.chances, memory.best)
        n = min(n + 1, MOST_TURNS)
    return n


@inlined
def goes_on(before: State, s: State, seat: int, number: int) -> bool:
    """Whether after an action the same turn goes on, and nothing unknown has come up."""
    same = s.winner == NOBODY and s.seat == seat and s.turn == number
    return same and s.hand[seat, UNKNOWN] == before.hand[seat, UNKNOWN]


@lean
def note(desk: Desk, n: int, turn: int, chances: Reals, best: Reals) -> None:
    """Write a turn down as the n-th, or as the first where it is the best, whose place the former best takes."""
    place = min(n, MOST_TURNS - 1)
    if n == 0 or chances[0] > best[0]:
        desk.turns[place], desk.values[place] = desk.turns[0], desk.values[0]
        copy(chances, best)
        place = 0
    desk.turns[place], desk.values[place] = turn, chances[0]


@compiled
def list_all_ends(states: States, box: Box, desk: Desk, memory: Memory) -> int:
    """Write every turn in `states[0]` with its value, or a certain win alone; how many they are."""
    win = winning_turn(states[0], desk, box.rules, PATIENCE)
    if win == NO_TURN:
        return list_ends(states[0], False, box, desk, memory)
    desk.turns[0], desk.values[0] = win, WON
    return 1


@lean
def place_for(memory: Memory, half: int, kept: int, value: float) -> int:
    """The place in a half of the beam for a turn of this value, that of the worst where it is full; or -1."""
    width = len(memory.paths) // 2
    if kept < width:
        return half + kept
    worst = half
    for place in range(half + 1, half + width):
        if memory.values[place] < memory.values[worst]:
            worst = place
    return worst if value > memory.values[worst] else -1


@lean
def best_end(s: State, masked: bool, box: Box, desk: Desk, memory: Memory) -> int:
    """A good turn of the seat to act: only the best few are gone on with after each action."""
    plans, actions, sheet, beam, best = desk.plans, desk.lists[0], memory.sheet, memory.beam, memory.best
    seat, number, width, choice = signed(s.seat), s.turn, len(memory.paths) // 2, NO_TURN
    clear(desk.few)
    look(s, memory.plans)
    look_first(memory.plans[0], seat, masked, box, beam)
    memory.paths[0], count, depth, half = 0, 1, 0, 0
    while count > 0:
        kept, other = 0, width - half
        for place in range(half, half + count):
            plans[0] = memory.plans[place]
            for k in range(list_actions(plans[0], box.rules, actions)):
                step_blind(plans, 0, box.rules, actions[k])
                child: State = plans[1]
                if not is_new(desk.few, fingerprint(child, seat)):
                    continue
                path = memory.paths[place] | actions[k] << BITS * depth
                if child.winner == NOBODY:
                    show_next(child, seat, masked, box, beam.words[place], sheet.words[0])
                    follow(box.net, beam.words[place], sheet.words[0], beam.sums[place], sheet.sums[0])
                    judge(box.net, sheet.sums[0], sheet)
                else:
                    judge_over(child, seat, sheet.chances)
                if depth + 1 < DEEPEST and goes_on(plans[0], child, seat, number):
                    found = place_for(memory, other, kept, sheet.chances[0])
                    if found >= 0:
                        memory.plans[found], memory.paths[found] = child, path
                        memory.values[found] = sheet.chances[0]
                        copy(sheet.words[0], beam.words[found])
                        copy(sheet.sums[0], beam.sums[found])
                        kept = min(kept + 1, width)
                elif choice == NO_TURN or sheet.chances[0] > best[0]:
                    choice = path | (depth + 1) << LENGTH | (depth + 1) << SURE
                    copy(sheet.chances, best)
        count, depth, half = kept, depth + 1, other
    return choice


@lean
def known_in(s: State, masked: bool) -> U:
    """A hash, never 0, of all that the seat to act plans by in a tunnel: the table, and of each hand what it knows."""
    word = mix(U(s.turn) ^ U(s.cards) << U(32) ^ U(s.row) << U(48))
    word = mix(word ^ U(s.seat) ^ U(s.actions) << U(8) ^ U(s.passes) << U(16))
    for i in range(s.row):
        word = mix(word + U(s.pile[s.cards - 1 - i]))
    for symbol in range(SYMBOLS):
        word = mix(word + U(s.discard[symbol]))
    for other in range(s.players):
        word = mix(word ^ U(s.prison[other]) ^ U(s.boat[other]) << U(8))
        for k in range(3):
            word = mix(word + s.own[other, k])
        cards, held = signed(s.hand[other, UNKNOWN]), ZERO
        for symbol in range(SYMBOLS):
            cards += signed(s.hand[other, symbol])
            held = held << U(8) | U(shown(s, other, masked and other != s.seat, symbol))
        word = mix(word ^ held ^ U(cards) << U(56))
    return mix(word) | ONE


@lean
def page_for(diary: Diary, number: U) -> int:
    """The page of a hash, or the first that is free; -1 where the diary is nearly full."""
    last = len(diary.known) - 1
    page = signed(number >> U(40)) & last
    for _ in range(TRIES):
        if diary.known[page] == number or diary.known[page] == ZERO:
            return page
        page = (page + 1) & last
    return -1


@lean
def recall_end(s: State, masked: bool, box: Box, desk: Desk, memory: Memory) -> int:
    """The turn that `best_end` finds, from the diary if the seat to act has known just as much before.

    In every fourth to sixth turn of a world it has: hands that it does not see differ, or the cards of the pile.
    """
    diary, number = memory.diary, known_in(s, masked)
    page = page_for(diary, number)
    if page >= 0 and diary.known[page] == number:
        copy(diary.chances[page], memory.best)
        return signed(diary.turns[page])
    turn = best_end(s, masked, box, desk, memory)
    if page >= 0:
        diary.known[page], diary.turns[page] = number, turn
        copy(memory.best, diary.chances[page])
    return turn


@lean
def remember(s: State, me: int) -> None:
    """What a seat knows of the other hands at the start of a world, it goes on knowing."""
    for seat in range(s.players):
        for symbol in range(SYMBOLS):
            if seat != me:
                s.known[seat, symbol] = s.hand[seat, symbol]


@lean
def forget(s: State, seat: int) -> None:
    """Of a hand no more is known than it has, once some of it is played."""
    for symbol in range(SYMBOLS):
        s.known[seat, symbol] = min(s.known[seat, symbol], s.hand[seat, symbol])


@compiled
def imagine(states: States, worlds: States, rules: Rules, old: Old, rng: Words) -> None:
    """Write a world that fits what the seat to act sees."""
    s: State = states[0]
    look(s, worlds)
    remember(worlds[0], s.seat)
    deal_old(worlds[0], old, rng)
    fill(worlds[0], rules, rng)


@compiled
def try_ends(
    states: States, worlds: States, box: Box, desk: Desk, memory: Memory, turns: Numbers, rng: Words, ahead: int,
    old: Old, sums: Sums,
) -> None:  # fmt: skip
    """Try each turn in the same world; everyone plays on by the network, and so many turns on its seat plans again."""
    s: State = states[0]
    me, players, luck = signed(s.seat), signed(s.players), np.empty(2, np.uint64)
    imagine(states, worlds, box.rules, old, rng)
    stream = next_random(rng)
    for k in range(len(turns)):
        worlds[1] = worlds[0]
        world: State = worlds[1]
        seed_rng(luck, signed(stream >> U(1)), 0)
        turn = turns[k]
        while turn != NO_TURN:
            seat = signed(world.seat)
            play_turn(world, box.rules, turn, luck)
            forget(world, seat)
            turn = NO_TURN
            if world.winner == NOBODY:
                turn = recall_end(world, box.hidden, box, desk, memory)
                if world.turn >= s.turn + ahead:
                    turn = NO_TURN
        if world.winner == NOBODY:
            for other in range(players):
                sums[k, (me + other) % players] += min(memory.best[other], 1.0)
        elif world.winner >= 0:
            sums[k, world.winner] += 1


@compiled
def look_at(states: States, reader: int, box: Box, memory: Memory) -> None:
    """Write everyone's chances in `states[0]`, made from a view, as its reader sees it, its own first."""
    look_first(states[0], reader, False, box, memory.sheet)
    judge(box.net, memory.sheet.sums[0], memory.sheet)
