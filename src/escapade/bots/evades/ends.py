"""Les Évadés by a network, compiled: dice and moves judged by what they lead to, and tried in worlds.

A roll is judged as chosen and not thrown yet, the moves of a turn by where the turn ends. From one position to the next
the network's first layer is followed, not computed anew. In worlds everyone plays by the network, each seat by its own
bet and by what all have seen, one action after the other.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from escapade.bots.evades.play import Reals, share_win
from escapade.bots.evades.search import draw_bet
from escapade.compiled import compiled, records
from escapade.evades.inputs import NOTES, Notes, describe, note
from escapade.evades.kernel import (
    BETS,
    PAWNS,
    ROLL,
    RUNNING,
    STATE,
    WHITE,
    Numbers,
    Rules,
    State,
    States,
    apply,
    count_actions,
    nth_action,
    place_bet,
    throw,
)
from escapade.nets import Net, Sheet, begin, follow, judge, new_sheet
from escapade.nets import Words as Bits
from escapade.rng import next_random, seed_rng
from escapade.sets import ZERO, U, signed

lean = partial(compiled, _nrt=False)


class Box(NamedTuple):
    """What everyone plays by: the rules and the network."""

    rules: Rules
    net: Net


class Memory(NamedTuple):
    """Working memory: inputs of a position and of what comes of it, positions to try on, notes, everyone's chances."""

    sheet: Sheet
    trial: States
    notes: Notes
    best: Reals


def new_memory(net: Net) -> Memory:
    """Empty memory."""
    return Memory(new_sheet(net, 2), records(STATE, 3), np.zeros(NOTES, np.int8), np.zeros(len(net.third_bias)))


@lean
def show(s: State, notes: Notes, reader: int, rules: Rules, words: Bits) -> None:
    """Write what a seat sees as inputs; apart from the rest, because it takes long to compile."""
    describe(s, notes, rules, True, True, reader, words)


@lean
def look_first(s: State, notes: Notes, reader: int, box: Box, sheet: Sheet) -> None:
    """Compute the network's first layer for a position."""
    show(s, notes, reader, box.rules, sheet.words[0])
    begin(box.net, sheet.words[0], sheet.sums[0])


@lean
def look_on(s: State, notes: Notes, reader: int, box: Box, sheet: Sheet) -> None:
    """Judge a position that is much like the first one."""
    show(s, notes, reader, box.rules, sheet.words[1])
    follow(box.net, sheet.words[0], sheet.words[1], sheet.sums[0], sheet.sums[1])
    judge(box.net, sheet.sums[1], sheet)


@lean
def foresee(s: State, rules: Rules, action: int) -> None:
    """Play an action as its seat can foresee it: dice are chosen, not thrown."""
    if action < ROLL:
        apply(s, rules, action)
        return
    s.thrown = U(action - ROLL)
    for die in range(WHITE + 1):
        s.dice[die] = 0


@lean
def best_action(s: State, notes: Notes, box: Box, memory: Memory) -> int:
    """The roll or move that leads to the best chance at once; everyone's chances then are in `best`."""
    seat, sheet, trial, best, choice = signed(s.seat), memory.sheet, memory.trial, memory.best, -1
    count = count_actions(s)
    if count == 1 and s.thrown != ZERO:
        return nth_action(s, 0)
    look_first(s, notes, seat, box, sheet)
    for k in range(count):
        action = nth_action(s, k)
        trial[0] = s
        foresee(trial[0], box.rules, action)
        look_on(trial[0], notes, seat, box, sheet)
        if choice < 0 or sheet.chances[0] > best[0]:
            choice = action
            for place in range(len(best)):
                best[place] = sheet.chances[place]
    return choice


@compiled
def judge_rolls(states: States, notes: Notes, box: Box, memory: Memory, chances: Reals) -> None:
    """Write the chance that each roll gives its seat."""
    s: State = states[0]
    trial, sheet, seat = memory.trial, memory.sheet, signed(s.seat)
    look_first(s, notes, seat, box, sheet)
    for k in range(len(chances)):
        trial[0] = s
        foresee(trial[0], box.rules, nth_action(s, k))
        look_on(trial[0], notes, seat, box, sheet)
        chances[k] = sheet.chances[0]


@compiled
def judge_bets(states: States, notes: Notes, box: Box, memory: Memory, chances: Reals) -> None:
    """Write the chance that each bet gives its seat."""
    s: State = states[0]
    trial, sheet, seat = memory.trial, memory.sheet, signed(s.seat)
    for bet in range(len(BETS)):
        trial[0] = s
        place_bet(trial[0], bet)
        look_first(trial[0], notes, seat, box, sheet)
        judge(box.net, sheet.sums[0], sheet)
        chances[bet] = sheet.chances[0]


@compiled
def judge_ends(states: States, ends: States, notes: Notes, box: Box, memory: Memory, chances: Reals) -> None:
    """Write the chance that each end of a turn gives the seat whose turn it is in `states`."""
    s: State = states[0]
    seat = signed(s.seat)
    look_first(s, notes, seat, box, memory.sheet)
    for k in range(len(ends)):
        look_on(ends[k], notes, seat, box, memory.sheet)
        chances[k] = memory.sheet.chances[0]


@lean
def play_on(s: State, notes: Notes, box: Box, memory: Memory, me: int, until: int, seed: int, rng: Bits) -> None:
    """Let everyone play by the network until a seat has chosen its dice in a turn; `best` has the chances then.

    The dice of a turn follow from the seed and its number.
    """
    while s.over == RUNNING:
        rolls = s.thrown == ZERO
        action = best_action(s, notes, box, memory)
        if rolls and s.seat == me and s.turn >= until:
            return
        note(s, notes, box.rules, action)
        if rolls:
            seed_rng(rng, seed, s.turn)
            throw(s, rng)
        apply(s, box.rules, action)


@compiled
def try_worlds(
    states: States, notes: Notes, starts: States, actions: Numbers, chosen: Numbers, box: Box, memory: Memory,
    sums: Reals, seed: int, first: int, count: int, shares: Reals,
) -> None:  # fmt: skip
    """Play each chosen start on in so many worlds, its roll thrown first; add up every seat's share of the wins."""
    rng, root, s = np.zeros(2, np.uint64), memory.trial[1], memory.trial[2]
    me, players, turn = signed(states[0].seat), signed(states[0].players), states[0].turn
    for world in range(first, first + count):
        seed_rng(rng, seed, world)
        for seat in range(players):
            if seat != me:
                draw_bet(root, seat, sums[seat], rng)
        dice = signed(next_random(rng) >> U(1))
        for start in chosen:
            memory.trial[2] = starts[start]
            for seat in range(players):
                for pawn in range(PAWNS):
                    if seat != me:
                        s.bet[seat, pawn] = root.bet[seat, pawn]
            for k in range(NOTES):
                memory.notes[k] = notes[k]
            if actions[start] >= ROLL:
                note(s, memory.notes, box.rules, actions[start])
                seed_rng(rng, dice, s.turn)
                throw(s, rng)
                apply(s, box.rules, actions[start])
            play_on(s, memory.notes, box, memory, me, turn + 1, dice, rng)
            if s.over != RUNNING:
                share_win(s, shares[start])
            else:
                for k in range(players):
                    shares[start, (me + k) % players] += memory.best[k]


@compiled
def note_in(states: States, notes: Notes, rules: Rules, action: int) -> None:
    """Note what an action that is about to be played tells everyone."""
    note(states[0], notes, rules, action)
