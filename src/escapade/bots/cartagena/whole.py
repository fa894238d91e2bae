"""Whole games of Cartagena by a network, compiled, and what a player thinks of changed positions.

The player is the network's own choice (`Mate`) with a beam: of the turns begun only the best few are gone on with after
each action.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from escapade.bots.cartagena.ends import Box, Memory, best_end, list_ends, new_memory
from escapade.bots.cartagena.evaluation import OWN_TURN, Weights
from escapade.bots.cartagena.legend import box_of, net_for
from escapade.bots.cartagena.players import NO_LUCK
from escapade.bots.cartagena.search import PATIENCE, plan_turn
from escapade.bots.cartagena.turns import NO_TURN, Desk, new_desk, nth_of, sure, winning_turn
from escapade.cartagena.kernel import (
    END,
    NOBODY,
    STATE,
    SYMBOLS,
    Numbers,
    Rules,
    State,
    States,
    act,
    give,
    random_setup,
)
from escapade.cartagena.position import Cartagena
from escapade.compiled import compiled, records
from escapade.rng import Words, next_random, pick_high, seed_rng

BEAM = 12
ALL = 0  # a beam that keeps every turn
MOST_TURNS = 1024
SLIPS, PICKS = 1 << 40, 1 << 41  # the first streams of slips and of positions; those below are the games' own luck
PLACES = 12  # in a row
CHANGES = 1 + SYMBOLS  # of a hand: as it is, and a card more of each symbol


class Table(NamedTuple):
    """What compiled code plays with: who plays by what, working memory, and luck."""

    box: Box
    desk: Desk
    memory: Memory
    luck: Words
    slips: Words


@cache
def table(edition: str, players: int) -> Table:
    """A table for games of an edition; a process needs one."""
    game = Cartagena.new(edition, players, NO_LUCK)
    net = net_for(game)
    assert net  # is asked before games are played
    luck, slips = np.zeros((2, 2), np.uint64)
    return Table(box_of(game, net), new_desk(), new_memory(net, BEAM), luck, slips)


@compiled
def choose(states: States, table: Table, width: int) -> int:
    """The turn that a player with this beam takes: a certain win, or what leaves the network's best chance."""
    box, desk, memory = table.box, table.desk, table.memory
    win = winning_turn(states[0], desk, box.rules, PATIENCE)
    if win != NO_TURN:
        memory.best[0] = 1.0
        return win
    if width > ALL:
        return best_end(states[0], box.hidden, box, desk, memory)
    list_ends(states[0], box.hidden, box, desk, memory)
    return desk.turns[0]


@compiled
def slips_now(s: State, table: Table, seed: int, deal: int, slips: int) -> bool:
    """Whether a turn is one of those that are spoilt: the same whoever sits there."""
    seed_rng(table.slips, seed, SLIPS + deal * MOST_TURNS + s.turn)
    return pick_high(next_random(table.slips), 100) < slips


@compiled
def play_turn(s: State, rules: Rules, turn: int, luck: Words) -> int:
    """Play a turn up to the first unknown card; how many actions that were."""
    actions = 0
    for k in range(sure(turn)):
        actions += nth_of(turn, k) != END
        act(s, rules, nth_of(turn, k), luck)
    return actions


@compiled
def play_on(states: States, table: Table, widths: Numbers, slips: Numbers, seed: int, deal: int, course: States) -> int:
    """Play a game to its end, keeping every turn's beginning as far as there is room; how many actions that took."""
    s: State = states[0]
    rules, actions = table.box.rules, 0
    while s.winner == NOBODY:
        if s.actions == 0 and s.turn <= len(course):
            course[s.turn - 1] = s
        if slips_now(s, table, seed, deal, slips[s.seat]):
            turn = plan_turn(states, table.desk, rules, OWN_TURN)
        else:
            turn = choose(states, table, widths[s.seat])
        actions += play_turn(s, rules, turn, table.luck)
    return actions


@compiled
def deal_in(states: States, table: Table, players: int, seed: int, deal: int) -> None:
    """Set up the deal of a number."""
    seed_rng(table.luck, seed, deal)
    random_setup(states[0], table.box.rules, players, table.luck)


@compiled
def judge_hands(course: States, at: int, states: States, table: Table, out: Weights) -> None:
    """Write the chance of the seat to act after its best turn: as it stands, and with a card more of each symbol."""
    for change in range(CHANGES):
        states[0] = course[at]
        s: State = states[0]
        if change > 0:
            give(s, s.seat, change - 1)
            if table.box.rules.row > 0:
                s.known[s.seat, change - 1] += 1
        choose(states, table, BEAM)
        out[change] = min(table.memory.best[0], 1.0)


@compiled
def judge_places(course: States, at: int, states: States, table: Table, out: Weights) -> None:
    """Write for each place of the row how far the chance of the seat to act hangs on the symbol there.

    That is the standard deviation of its chance after its best turn over the six symbols; nothing where no card lies.
    """
    for place in range(PLACES):
        total, squares = 0.0, 0.0
        for symbol in range(SYMBOLS):
            states[0] = course[at]
            s: State = states[0]
            if place < s.row:
                s.pile[s.cards - 1 - place] = symbol
                choose(states, table, BEAM)
                chance = min(table.memory.best[0], 1.0)
                total += chance
                squares += chance * chance
        out[place] = np.sqrt(max(0.0, squares / SYMBOLS - (total / SYMBOLS) ** 2)) if place < s.row else np.nan


@compiled
def list_ends_in(states: States, table: Table) -> int:
    """Write every turn in `states[0]`, the best one first; how many they are."""
    return list_ends(states[0], table.box.hidden, table.box, table.desk, table.memory)


@compiled
def play_turn_in(states: States, table: Table, turn: int) -> None:
    """Play a turn in `states[0]`."""
    play_turn(states[0], table.box.rules, turn, table.luck)


@compiled
def any_turn(table: Table, seed: int, deal: int, turns: int) -> int:
    """One of so many turns, counted from 0."""
    seed_rng(table.slips, seed, PICKS + deal)
    return pick_high(next_random(table.slips), turns)


class Player:
    """Plays deals of an edition, which all follow from a seed; the last game's turns can be looked at."""

    def __init__(self, edition: str, players: int, seed: int) -> None:
        self.table, self.players, self.seed = table(edition, players), players, seed
        self.states, self.course = records(STATE, 1), records(STATE, MOST_TURNS)
        self.same = np.full(players, BEAM), np.zeros(players, np.int64)

    def deal(self, deal: int) -> None:
        """Set up the deal of a number."""
        deal_in(self.states, self.table, self.players, self.seed, deal)

    def play(self, deal: int, widths: Numbers | None = None, slips: Numbers | None = None) -> tuple[int, int, int]:
        """Play on to the end: the winner, counted from 0, or less where nobody is; turns and actions."""
        widths = self.same[0] if widths is None else widths
        slips = self.same[1] if slips is None else slips
        actions = play_on(self.states, self.table, widths, slips, self.seed, deal, self.course)
        state = self.states[0]
        return int(state["winner"]), min(int(state["turn"]), self.table.box.rules.turn_limit), actions

    def list_turns(self) -> tuple[list[float], list[int]]:
        """Every turn with its value, the best one first."""
        found, desk = list_ends_in(self.states, self.table), self.table.desk
        return desk.values[:found].tolist(), desk.turns[:found].tolist()

    def judge_any(self, deal: int, turns: int) -> tuple[int, Weights, Weights]:
        """Of one of the turns played: the cards in hand, the chances by hand, and the spreads by place of the row."""
        at = any_turn(self.table, self.seed, deal, turns)
        hands, places, state = np.zeros(CHANGES), np.zeros(PLACES), self.course[at]
        judge_hands(self.course, at, self.states, self.table, hands)
        judge_places(self.course, at, self.states, self.table, places)
        return int(state["hand"][state["seat"]].sum()), hands, places
