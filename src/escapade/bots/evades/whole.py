"""Whole games of Les Évadés by a network, compiled: its own choice (`Mate`), or a careless one."""

from functools import cache
from typing import NamedTuple

import numpy as np

from escapade.bots.evades.ends import Box, Memory, judge_ends, judge_rolls, new_memory
from escapade.bots.evades.legend import net_for
from escapade.bots.evades.play import Reals, choose_by_thumb, expect_points, share_win
from escapade.bots.evades.players import CERTAIN, NO_LUCK, Careless
from escapade.bots.evades.search import MOST_ENDS, find_ends, rightly_ended, settles
from escapade.compiled import compiled, records
from escapade.evades.inputs import Notes, note
from escapade.evades.kernel import (
    BETS,
    COLOURS,
    PAWNS,
    ROLL,
    RUNNING,
    STATE,
    Numbers,
    State,
    States,
    apply,
    clear_table,
    count_actions,
    count_rolls,
    nth_action,
    nth_roll,
    place_bet,
    points,
    throw,
)
from escapade.evades.position import Evades
from escapade.rng import Words, next_random, pick_high, seed_rng
from escapade.sets import ZERO, lowest, signed, size

MOST_TURNS = 1024
DICE, SLIPS, TIES = 1 << 40, 1 << 41, 1 << 42  # the first streams of luck; those below are bets
PATIENCE = Careless.patience


class Table(NamedTuple):
    """What compiled code plays with: rules and network, working memory, and luck for dice, slips and equal choices."""

    box: Box
    memory: Memory
    notes: Notes
    ends: States
    firsts: Numbers
    chances: Reals
    luck: Words
    ties: Words


@cache
def table(edition: str, players: int) -> Table:
    """A table for games of so many; a process needs one."""
    game = Evades.new(edition, players, NO_LUCK)
    net = net_for(game)
    assert net  # is asked before games are played
    memory, (luck, ties) = new_memory(net), np.zeros((2, 2), np.uint64)
    ends, firsts = records(STATE, MOST_ENDS + 1), np.zeros(MOST_ENDS, np.int64)
    notes, chances = np.zeros_like(memory.notes), np.zeros(MOST_ENDS)
    return Table(Box(game.rules, net), memory, notes, ends, firsts, chances, luck, ties)


@compiled
def best_of(count: int, table: Table) -> int:
    """The place of the best chance; of equal ones any, because colours that tell nothing apart should not matter."""
    best, equals = 0, 1
    for k in range(1, count):
        if table.chances[k] > table.chances[best]:
            best, equals = k, 1
        elif table.chances[k] == table.chances[best]:
            equals += 1
            if pick_high(next_random(table.ties), equals) == 0:
                best = k
    return best


@compiled
def choose_roll(states: States, table: Table) -> int:
    """The dice that the network chooses."""
    s: State = states[0]
    count, box = count_rolls(s), table.box
    judge_rolls(states, table.notes, box, table.memory, table.chances[:count])
    for k in range(count):
        roll = ROLL | signed(nth_roll(s, k))
        if settles(states, roll, table.ends, table.firsts, box.rules, signed(s.seat)):
            table.chances[k] += CERTAIN
    return nth_action(s, best_of(count, table))


@compiled
def choose_move(states: States, table: Table) -> int:
    """The move with which the network begins the end of its turn."""
    s: State = states[0]
    ends, box, seat, left = table.ends, table.box, signed(s.seat), PAWNS - size(s.aboard)
    count = find_ends(states, ends[:MOST_ENDS], table.firsts, box.rules)
    judge_ends(states, ends[:count], table.notes, box, table.memory, table.chances[:count])
    for k in range(count):
        right = rightly_ended(ends[k], s, seat)
        if right == left:
            table.chances[k] += CERTAIN
        elif right == 0 and left == 2:
            table.chances[k] -= CERTAIN
    return nth_action(s, lowest(np.uint64(table.firsts[best_of(count, table)])))


@compiled
def choose_badly(states: States, table: Table) -> int:
    """What one throws and moves who never thinks of the others."""
    s: State = states[0]
    rules, seat = table.box.rules, signed(s.seat)
    if s.thrown == ZERO:
        wish = np.zeros(PAWNS)
        for pawn in range(PAWNS):
            wish[pawn] = s.bet[seat, pawn]
        return choose_by_thumb(states, rules, wish, COLOURS if s.turn <= PATIENCE * rules.length else ZERO)
    count = find_ends(states, table.ends[:MOST_ENDS], table.firsts, rules)
    expect_points(table.ends[:count], rules, seat, table.chances[:count])
    return nth_action(s, lowest(np.uint64(table.firsts[table.chances[:count].argmax()])))


@compiled
def play_action(states: States, table: Table, action: int, seed: int, deal: int) -> None:
    """Play an action; the dice of a turn follow from the deal and the turn's number, whoever throws them."""
    s: State = states[0]
    note(s, table.notes, table.box.rules, action)
    if s.thrown == ZERO:
        seed_rng(table.luck, seed, DICE + deal * MOST_TURNS + s.turn)
        throw(s, table.luck)
    apply(s, table.box.rules, action)


@compiled
def play_on(states: States, table: Table, slips: Numbers, seed: int, deal: int) -> int:
    """Play a game to its end; how many actions that took."""
    s: State = states[0]
    actions = 0
    while s.over == RUNNING:
        seed_rng(table.luck, seed, SLIPS + deal * MOST_TURNS + s.turn)
        if count_actions(s) == 1:
            action = nth_action(s, 0)
        elif pick_high(next_random(table.luck), 100) < slips[s.seat]:
            action = choose_badly(states, table)
        else:
            action = choose_roll(states, table) if s.thrown == ZERO else choose_move(states, table)
        play_action(states, table, action, seed, deal)
        actions += 1
    return actions


@compiled
def deal_in(states: States, table: Table, players: int, seed: int, deal: int) -> None:
    """Set up a game in which everyone has made any bet: before the first throw all are alike."""
    s: State = states[0]
    clear_table(s, players)
    seed_rng(table.luck, seed, deal)
    seed_rng(table.ties, seed, TIES + deal)
    for _ in range(players):
        place_bet(s, pick_high(next_random(table.luck), len(BETS)))
    for k in range(len(table.notes)):
        table.notes[k] = 0


@compiled
def tell_end(states: States, shares: Reals, made: Reals) -> None:
    """Write each seat's share of the win and its points."""
    s: State = states[0]
    share_win(s, shares)
    for seat in range(s.players):
        made[seat] = points(s, seat)


@compiled
def nth_action_in(states: States, k: int) -> int:
    """The k-th legal action."""
    return nth_action(states[0], k)


@compiled
def count_actions_in(states: States) -> int:
    """How many actions are legal."""
    return count_actions(states[0])


class Player:
    """Plays deals, bets and all dice, which follow from a seed."""

    def __init__(self, edition: str, players: int, seed: int) -> None:
        self.table, self.players, self.seed = table(edition, players), players, seed
        self.states = records(STATE, 1)

    def deal(self, deal: int) -> None:
        """Set up the deal of a number."""
        deal_in(self.states, self.table, self.players, self.seed, deal)

    def rolls(self) -> list[int]:
        """The dice that may be chosen."""
        return [nth_action_in(self.states, k) for k in range(count_actions_in(self.states))]

    def roll(self, deal: int, action: int) -> None:
        """Throw these dice."""
        play_action(self.states, self.table, action, self.seed, deal)

    def play(self, deal: int, slips: Numbers | None = None) -> tuple[Reals, Reals, list[float]]:
        """Play on to the end: every seat's share of the win and points; turns and actions."""
        spoilt = np.zeros(self.players, np.int64) if slips is None else slips
        actions = play_on(self.states, self.table, spoilt, self.seed, deal)
        shares, made = np.zeros((2, self.players))
        tell_end(self.states, shares, made)
        return shares, made, [min(int(self.states[0]["turn"]), self.table.box.rules.turn_limit), actions]
