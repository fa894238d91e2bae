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
from escapade.evades.inputs import NOTES, Notes, are_alike, describe, describe_next, describe_roll, in_order, note
from escapade.evades.kernel import (
    BETS,
    DRAWN,
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
    count_rolls,
    may_throw_white,
    nth_action,
    nth_roll,
    place_bet,
    throw,
)
from escapade.nets import Net, Sheet, copy, follow, judge, new_sheet
from escapade.nets import Reals as Chances
from escapade.nets import Words as Bits
from escapade.rng import next_random, seed_rng
from escapade.sets import ZERO, U, bit, signed, size

lean = partial(compiled, _nrt=False)


class Box(NamedTuple):
    """What everyone plays by: the rules and the network."""

    rules: Rules
    net: Net


class Memory(NamedTuple):
    """Working memory: inputs and sums of each seat when it last looked, then new inputs, then those judged last.

    Besides them positions to try on, and chances.
    """

    sheet: Sheet
    trial: States
    notes: Notes
    best: Reals


def new_memory(net: Net) -> Memory:
    """Empty memory."""
    players = len(net.third_bias) - 1  # the last outcome is nobody's win
    sheet = new_sheet(net, players + 2)
    sheet.sums[:] = net.first_bias
    return Memory(sheet, records(STATE, 3), np.zeros(NOTES, np.int8), np.zeros(players))


@lean
def show(s: State, notes: Notes, reader: int, rules: Rules, words: Bits) -> None:
    """Write what a seat sees as inputs; apart from the rest, because it takes long to compile."""
    describe(s, notes, rules, True, True, reader, words)


@lean
def look_first(s: State, notes: Notes, reader: int, box: Box, sheet: Sheet) -> None:
    """Compute the network's first layer for a position, from the one that the seat saw before."""
    now, last = len(sheet.words) - 2, len(sheet.words) - 1
    show(s, notes, reader, box.rules, sheet.words[now])
    follow(box.net, sheet.words[reader], sheet.words[now], sheet.sums[reader], sheet.sums[last])
    copy(sheet.words[now], sheet.words[reader])
    copy(sheet.words[now], sheet.words[last])
    copy(sheet.sums[last], sheet.sums[reader])


@lean
def look_on(box: Box, sheet: Sheet) -> None:
    """Judge the inputs that were written last, from those that were judged before them."""
    now, last = len(sheet.words) - 2, len(sheet.words) - 1
    follow(box.net, sheet.words[last], sheet.words[now], sheet.sums[last], sheet.sums[last])
    copy(sheet.words[now], sheet.words[last])
    judge(box.net, sheet.sums[last], sheet)


@lean
def judge_position(s: State, notes: Notes, order: U, reader: int, box: Box, sheet: Sheet) -> None:
    """Judge a position that is much like the one that a seat saw first, its pawns in this order; a draw is nobody's."""
    if s.over == DRAWN:
        for k in range(len(sheet.chances)):
            sheet.chances[k] = 0.0
        return
    describe_next(s, notes, box.rules, reader, sheet.words[reader], order, sheet.words[len(sheet.words) - 2])
    look_on(box, sheet)


@lean
def judge_roll(s: State, notes: Notes, order: U, dice: U, box: Box, memory: Memory) -> None:
    """Judge dice that the seat to act may choose, before they are thrown."""
    sheet, seat, trial = memory.sheet, signed(s.seat), memory.trial
    if not are_alike(s, order, dice):
        describe_roll(order, dice, sheet.words[seat], sheet.words[len(sheet.words) - 2])
        look_on(box, sheet)
        return
    trial[0] = s
    chosen: State = trial[0]
    chosen.thrown = dice
    for die in range(WHITE + 1):
        chosen.dice[die] = 0
    judge_position(chosen, notes, order, seat, box, sheet)


@lean
def is_best(choice: int, chances: Chances, best: Reals) -> bool:
    """Whether what was judged last is the best so far, whose chances are kept."""
    if choice >= 0 and chances[0] <= best[0]:
        return False
    copy(chances, best)
    return True


@lean
def best_roll(s: State, notes: Notes, box: Box, memory: Memory) -> int:
    """The best dice without the white die, and with it if that is better; `best` has everyone's chances then.

    Where the white die takes the place of a colour, all choices are tried.
    """
    sheet, best, choice, seat = memory.sheet, memory.best, -1, signed(s.seat)
    look_first(s, notes, seat, box, sheet)
    order = in_order(s, notes, box.rules, seat)
    step = 2 if may_throw_white(s) and size(s.aboard) < 4 else 1
    for k in range(0, count_rolls(s), step):
        judge_roll(s, notes, order, nth_roll(s, k), box, memory)
        if is_best(choice, sheet.chances, best):
            choice = k
    dice = nth_roll(s, choice)
    if step == 2:
        judge_roll(s, notes, order, dice | bit(WHITE), box, memory)
        if is_best(choice, sheet.chances, best):
            dice |= bit(WHITE)
    return ROLL | signed(dice)


@lean
def best_move(s: State, notes: Notes, box: Box, memory: Memory) -> int:
    """The move that leads to the best chance at once."""
    sheet, trial, best, choice, seat = memory.sheet, memory.trial, memory.best, -1, signed(s.seat)
    count = count_actions(s)
    if count == 1:
        return nth_action(s, 0)
    look_first(s, notes, seat, box, sheet)
    order = in_order(s, notes, box.rules, seat)
    for k in range(count):
        trial[0] = s
        apply(trial[0], box.rules, nth_action(s, k))
        judge_position(trial[0], notes, order, seat, box, sheet)
        if is_best(choice, sheet.chances, best):
            choice = k
    return nth_action(s, choice)


@compiled
def judge_rolls(states: States, notes: Notes, box: Box, memory: Memory, chances: Reals) -> None:
    """Write the chance that each roll gives its seat."""
    s: State = states[0]
    seat = signed(s.seat)
    look_first(s, notes, seat, box, memory.sheet)
    order = in_order(s, notes, box.rules, seat)
    for k in range(len(chances)):
        judge_roll(s, notes, order, nth_roll(s, k), box, memory)
        chances[k] = memory.sheet.chances[0]


@compiled
def judge_bets(states: States, notes: Notes, box: Box, memory: Memory, chances: Reals) -> None:
    """Write the chance that each bet gives its seat."""
    trial, seat = memory.trial, signed(states[0].seat)
    for bet in range(len(BETS)):
        trial[0] = states[0]
        place_bet(trial[0], bet)
        look_first(trial[0], notes, seat, box, memory.sheet)
        judge(box.net, memory.sheet.sums[seat], memory.sheet)
        chances[bet] = memory.sheet.chances[0]


@compiled
def judge_ends(states: States, ends: States, notes: Notes, box: Box, memory: Memory, chances: Reals) -> None:
    """Write the chance that each end of a turn gives the seat whose turn it is in `states`."""
    s: State = states[0]
    seat = signed(s.seat)
    look_first(s, notes, seat, box, memory.sheet)
    order = in_order(s, notes, box.rules, seat)
    for k in range(len(ends)):
        judge_position(ends[k], notes, order, seat, box, memory.sheet)
        chances[k] = memory.sheet.chances[0]


@lean
def play_on(s: State, notes: Notes, box: Box, memory: Memory, me: int, until: int, seed: int, rng: Bits) -> None:
    """Let everyone play by the network until a seat has chosen its dice in a turn; `best` has the chances then.

    The dice of a turn follow from the seed and its number.
    """
    while s.over == RUNNING:
        rolls = s.thrown == ZERO
        action = best_roll(s, notes, box, memory) if rolls else best_move(s, notes, box, memory)
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
    sums: Reals, ahead: int, seed: int, first: int, count: int, shares: Reals,
) -> None:  # fmt: skip
    """Play each chosen start on in so many worlds, its roll thrown first; add up every seat's share of the wins.

    The seat's own first roll after `ahead` turns is judged, not thrown.
    """
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
            play_on(s, memory.notes, box, memory, me, turn + ahead, dice, rng)
            if s.over != RUNNING:
                share_win(s, shares[start])
            else:
                for k in range(players):
                    shares[start, (me + k) % players] += memory.best[k]


@compiled
def note_in(states: States, notes: Notes, rules: Rules, action: int) -> None:
    """Note what an action that is about to be played tells everyone."""
    note(states[0], notes, rules, action)
