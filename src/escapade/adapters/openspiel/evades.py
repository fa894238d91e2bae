"""Les Évadés with chance as a player: it throws every die."""

from collections.abc import Callable, Mapping
from typing import Self

import numpy as np

from escapade.adapters.openspiel.table import (
    ACTOR,
    CHANCE,
    EVERYONE,
    LINE,
    NOTHING,
    OVER,
    Numbers,
    Outcomes,
    Reals,
    Setting,
    Shapes,
    States,
    Table,
    named,
)
from escapade.bots.evades.play import play_on, share_win
from escapade.compiled import compiled, records
from escapade.evades import features
from escapade.evades.features import action_of, number_of
from escapade.evades.kernel import (
    ACTION,
    BACK,
    BET,
    BETS,
    PAWNS,
    ROLL,
    RUNNING,
    STATE,
    TARGET,
    Rules,
    State,
    apply,
    clear_in,
    finish,
    target,
    target_in,
)
from escapade.evades.notation import TEXTS, bet_text
from escapade.evades.position import Evades
from escapade.rng import Words, next_random, pick_high
from escapade.sets import U, signed, size

THROWN = 20  # from this bit on a line of the log has the numbers thrown, read as one
MOVE = (1 << THROWN) - 1
TURN = 5  # actions at most: a roll, three pawns forward, one back
SIDES = 6


@compiled
def who_acts(s: State) -> int:
    """The seat to act, or OVER."""
    return signed(s.seat) if s.over == RUNNING else OVER


@compiled
def begin(states: States, rules: Rules, number: int) -> tuple[int, int, int]:
    """How many dice an action throws; if none it is played: the move, and who acts then."""
    s: State = states[0]
    action = action_of(rules, number)
    if ROLL <= action < BET:
        return size(U(action - ROLL)), 0, CHANCE
    move = action | target(s, rules, action) << TARGET
    apply(s, rules, action)
    return 0, move, who_acts(s)


@compiled
def throw(states: States, rules: Rules, number: int, thrown: Numbers) -> tuple[int, int]:
    """Throw dice that show these numbers: the line for the log, and who acts then."""
    s: State = states[0]
    action = action_of(rules, number)
    k, numbers = 0, 0
    for die in range(8):
        if action - ROLL >> die & 1:
            s.dice[die] = thrown[k]
            numbers = 10 * numbers + thrown[k]
            k += 1
    apply(s, rules, action)
    return action | numbers << THROWN, who_acts(s)


@compiled
def write_lines(log: Numbers, rules: Rules, over: bool, reader: int, out: Reals) -> None:
    """Write each action as its number, counted from 1, -1 for a bet that the reader does not know, and the throw."""
    for i in range(len(log)):
        action = log[i] & ACTION
        secret = action >= BET and not over and log[i] >> ACTOR != reader
        out[i, 0] = -1 if secret else number_of(rules, action) + 1
        out[i, 1] = (log[i] & LINE) >> THROWN


@compiled
def end_at_random(states: States, rules: Rules, games: int, rng: Words, shares: Reals) -> None:
    """Play to the end so many times, and add up the shares of the wins."""
    for _ in range(games):
        world = states.copy()
        finish(world[0], rules, rng)
        share_win(world[0], shares)


@compiled
def end_by_wish(states: States, rules: Rules, games: int, rng: Words, shares: Reals) -> None:
    """The same, everyone moving by rule of thumb what its bet wishes for."""
    wishes, far, gains, luck = np.zeros((8, 8)), np.zeros(8, np.int64), np.zeros(8), np.zeros(2, np.uint64)
    for _ in range(games):
        world = states.copy()
        s: State = world[0]
        while s.turn == 0:
            apply(s, rules, BET + pick_high(next_random(rng), len(BETS)))
        for seat in range(s.players):
            for pawn in range(PAWNS):
                wishes[seat, pawn] = s.bet[seat, pawn]
        play_on(s, rules, wishes, rules.turn_limit, signed(next_random(rng) >> U(1)), far, gains, luck)
        share_win(s, shares)


@compiled
def share_end(states: States, shares: Reals) -> None:
    """Add the win of a finished game to the winners' shares."""
    share_win(states[0], shares)


class EvadesTable(Table):
    """A game of Les Évadés."""

    features = features

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting, records(STATE, 1))
        self.most_actions = setting.players + TURN * setting.rules.turn_limit
        self.most_outcomes = (TURN - 1) * setting.rules.turn_limit
        clear_in(self.states, setting.players)
        self.mover = 0

    def act(self, number: int) -> None:
        actor = self.mover
        due, move, mover = begin(self.states, self.setting.rules, number)
        if due:
            self.wait(number, due)
        else:
            self.done(actor, move, mover)

    def fall(self, outcome: int) -> None:
        self.coming = (*self.coming, outcome + 1)
        if len(self.coming) == self.due:
            thrown = np.array(self.coming, np.int64)
            self.done(int(self.states["seat"][0]), *throw(self.states, self.setting.rules, self.number, thrown))

    def outcomes(self) -> Outcomes:
        return [(side, 1 / SIDES) for side in range(SIDES)]

    def action_text(self, number: int) -> str:
        rules = self.setting.rules
        action = action_of(rules, number)
        return TEXTS[action | (target_in(self.states, rules, action) << TARGET if action < 2 * BACK else 0)]

    def outcome_text(self, outcome: int) -> str:
        die = self.action_text(self.number).partition(":")[2][len(self.coming)]
        return f"{die}{outcome + 1}"

    def word(self, line: int, reader: int | None) -> str:
        move, thrown = line & MOVE, (line & LINE) >> THROWN
        if move & ACTION >= BET and reader not in (line >> ACTOR, EVERYONE):
            return " bet:?"
        return f" {TEXTS[move]}={thrown}" if thrown else " " + TEXTS[move]

    def waiting(self, reader: int | None) -> str:
        if self.number == NOTHING:
            return ""
        return f" {self.action_text(self.number)}={''.join(map(str, self.coming))}.."

    def memory(self, reader: int | None) -> str:
        text = f"{named(reader)}{self.story(reader)}{self.waiting(reader)}"
        return f"{text} bets {'/'.join(self.bets())}" if self.mover == OVER else text

    def bets(self) -> list[str]:
        """Every seat's bet."""
        return [bet_text(tuple(bet)) for bet in self.states["bet"][0, : self.setting.players, :PAWNS].tolist()]

    def private(self, reader: int) -> str:
        return self.bets()[reader].replace("-", "")

    def game(self) -> Evades:
        return Evades.from_states(self.setting.edition, self.states, self.setting.players)

    def own_shapes(self) -> Shapes:
        return [("coming", (TURN,)), ("events", (self.most_actions, 2))]

    def write_own(self, reader: int, pieces: Mapping[str, Reals]) -> None:
        pieces["coming"][: 1 + len(self.coming)] = self.number + 1, *self.coming
        write_lines(np.array(self.log, np.int64), self.setting.rules, self.mover == OVER, reader, pieces["events"])

    def add_shares(self, shares: Reals) -> None:
        share_end(self.states, shares)

    def resampled(self, reader: int, uniform: Callable[[], float]) -> tuple[Self, dict[int, int]]:
        """The others' bets are made anew, any as likely as any other."""
        twin, changes, rules = self.twin(), dict[int, int](), self.setting.rules
        made = min(len(self.log), self.setting.players) if self.mover != OVER else 0
        for seat in range(made):
            if seat != reader:
                bet = int(uniform() * len(BETS))
                twin.states["bet"][0, seat, :PAWNS] = BETS[bet]
                self.retell(twin, seat, {seat: (BET + bet) | seat << ACTOR})
                changes[seat] = number_of(rules, BET + bet)
        return twin, changes

    def play_on(self, games: int, greedy: bool, rng: Words, shares: Reals) -> None:
        (end_by_wish if greedy else end_at_random)(self.states, self.setting.rules, games, rng, shares)
