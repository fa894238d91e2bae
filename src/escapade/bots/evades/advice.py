"""Advice on Les Évadés by a network: everyone's chances, the choices worth a thought, and what dice may bring.

Each seat has an opinion of everyone's chances from its own bet and what all have done. An onlooker knows all bets, and
makes one opinion of theirs; for games of people and bots, who do not play like the network, their weights were fitted
(`OPINIONS`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from time import perf_counter

import numpy as np

from escapade.bots.bot import Line
from escapade.bots.evades import players
from escapade.bots.evades.ends import Box, Memory, look_first, new_memory, note_in
from escapade.bots.evades.legend import NetSearch, net_for, player_for
from escapade.bots.evades.play import Reals, share_win
from escapade.bots.evades.players import NO_LUCK, look, number_of, seed_of
from escapade.bots.evades.reading import Reader, no_beliefs, notes_of
from escapade.bots.evades.search import MOST_ENDS, find_ends, same
from escapade.bots.onlooker import Onlooker as Looker
from escapade.bots.onlooker import Sums, Weights, pool, tempered
from escapade.compiled import compiled, records
from escapade.evades.editions import PAWNS
from escapade.evades.inputs import NOTES, Notes
from escapade.evades.kernel import (
    BET,
    BETS,
    ROLL,
    RUNNING,
    STATE,
    UNTOLD,
    Numbers,
    Rules,
    State,
    States,
    apply,
    count_actions,
    nth_action,
)
from escapade.evades.position import Evades
from escapade.game import Game
from escapade.nets import Net, judge
from escapade.sets import U, bit, signed, size

PLAYOUTS = 4000  # games that are played on where there is no network
WORLDS = (8, 24), (3, 72)  # by network: so many choices in so many worlds by two players, then the best few in more
LONGER = 3  # times as long takes a world that begins with a bet, so there are fewer of them
FULLY, SELDOM = 3, 3  # so many rounds are read for bets, and later on one in so many
CHUNK = 8  # worlds between two looks at the clock
OWN_BETS = re.compile(r'\[Bets ".*"\]')
GUESSES = 21  # every so manieth bet is tried for a reader whose bet is not known

# See onlooker.py; a row for each number of players.
OPINIONS = np.array(
    [
        [0.86, 0.23, -0.01, 0.98, 0.05],
        [0.93, 0.30, 0.02, 1.04, 0.06],
        [1.02, 0.10, 0.10, 1.02, 0.18],
        [1.00, 0.48, 0.07, 1.31, 0.35],
        [1.30, 0.60, 0.08, 1.55, 0.16],
    ]
)


@compiled
def write_opinions(s: State, notes: Notes, box: Box, memory: Memory, out: Sums) -> None:
    """Write what each seat (row) thinks of everyone's chances."""
    count = signed(s.players)
    for reader in range(count):
        look_first(s, notes, reader, box, memory.sheet)
        judge(box.net, memory.sheet.sums[reader], memory.sheet)
        for k in range(count):
            out[reader, (reader + k) % count] = memory.sheet.chances[k]


@compiled
def add_chances(s: State, notes: Notes, box: Box, memory: Memory, weights: Weights, sums: Weights) -> None:
    """Add every seat's chance as an onlooker tells it."""
    if s.over != RUNNING:
        share_win(s, sums)
    else:
        opinions = np.zeros((s.players, s.players))
        write_opinions(s, notes, box, memory, opinions)
        pool(opinions, s.seat, weights, sums)


@compiled
def add_chances_in(states: States, notes: Notes, box: Box, memory: Memory, weights: Weights, sums: Weights) -> None:
    """Add every seat's chance in `states[0]`."""
    add_chances(states[0], notes, box, memory, weights, sums)


@compiled
def opinions_in(states: States, notes: Notes, box: Box, memory: Memory, out: Sums) -> None:
    """Write what each seat thinks of everyone's chances in `states[0]`."""
    write_opinions(states[0], notes, box, memory, out)


@compiled
def opinion_in(states: States, notes: Notes, reader: int, box: Box, memory: Memory) -> None:
    """Write what a reader thinks of everyone's chances in `states[0]`, its own first."""
    look_first(states[0], notes, reader, box, memory.sheet)
    judge(box.net, memory.sheet.sums[reader], memory.sheet)


@compiled
def expect(
    states: States, trial: States, notes: Notes, roll: int, box: Box, memory: Memory, weights: Weights, sums: Weights
) -> int:
    """Add up everyone's chances for all that some dice may show: how many throws there are."""
    dice, s = U(roll - ROLL), trial[0]
    count = 6 ** size(dice)
    for number in range(count):
        trial[0] = states[0]
        rest = number
        for die in range(8):
            if dice & bit(die) != U(0):
                s.dice[die] = 1 + rest % 6
                rest //= 6
        apply(s, box.rules, roll)
        add_chances(s, notes, box, memory, weights, sums)
    return count


class Onlooker(Looker):
    """One who knows all bets of a game, and what every seat has done."""

    def __init__(self, game: Evades, box: Box) -> None:
        self.box, self.memory, self.notes = box, new_memory(box.net), np.zeros(NOTES, np.int8)
        self.weights, self.trial = OPINIONS[game.players - 2], records(STATE, 1)

    def chances(self, game: Game) -> tuple[float, ...]:
        sums = np.zeros(game.players)
        add_chances_in(game.states, self.notes, self.box, self.memory, self.weights, sums)
        return tuple(sums.tolist())

    def see(self, game: Game, action: str) -> None:
        note_in(game.states, self.notes, game.rules, number_of(action))

    def foresee(self, game: Game, action: str) -> tuple[float, ...] | None:
        move, sums = number_of(action), np.zeros(game.players)
        self.see(game, action)
        if not ROLL <= move < BET:
            return None
        count = expect(game.states, self.trial, self.notes, move, self.box, self.memory, self.weights, sums)
        return tuple((sums / count).tolist())

    def opinions(self, game: Game) -> Sums:
        out = np.zeros((game.players, game.players))
        opinions_in(game.states, self.notes, self.box, self.memory, out)
        return out


def onlooker(game: Game) -> Onlooker | None:
    """Who looks on at a game from its beginning, or None where there is no network for it."""
    assert isinstance(game, Evades)
    net = net_for(game)
    return None if net is None else Onlooker(game, Box(game.rules, net))


def value(view: str, record: str | None = None) -> tuple[float, ...] | None:
    """Everyone's chances as the network sees a position that is not over at once, or None where there is none.

    Told is what the view's reader thinks; where all bets are shown, what the seats think on average, and where none is,
    what they would think with any bet. The record tells what the others have done, from which their bets are guessed.
    """
    game = look(view)
    net = net_for(game)
    if net is None:
        return None
    bets = game.states[0]["bet"][: game.players, 0]
    known = np.flatnonzero(bets < UNTOLD).tolist() if (bets < UNTOLD).any() else []
    notes, box, memory, opinions = notes_of(record), Box(game.rules, net), new_memory(net), []
    for reader in known or range(game.players):
        for bet in [None] if known else BETS[::GUESSES]:
            if bet is not None:
                game.states[0]["bet"][reader, : len(PAWNS)] = bet
            opinion_in(game.states, notes, reader, box, memory)
            opinions.append(np.roll(memory.sheet.chances[: game.players], reader))
    return tuple(np.mean(opinions, axis=0, dtype=float).tolist())


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Every seat's winning chance in a position that is not over."""
    game = look(position)
    looker = onlooker(game)
    return looker.chances(game) if looker else players.consider(position, None, seed, PLAYOUTS, time)[0].chances


class Glance(Reader):
    """Reads what anyone may think of all bets, quickly: after some rounds it looks at few of the decisions."""

    def weigh(self, action: int) -> None:
        number = (self.game.turn - 1) // self.game.players
        if number < FULLY or number % SELDOM == 0:
            super().weigh(action)
        else:
            note_in(self.game.states, self.notes, self.game.rules, action)


@lru_cache(maxsize=4)
def reader_for(edition: str, count: int) -> Glance:
    """A reader of bets, kept because it goes on where it has read the same game up to before."""
    game = Evades.new(edition, count, NO_LUCK)
    net = net_for(game)
    assert net is not None
    return Glance(0, Box(game.rules, net), new_memory(net))


def known_from(game: Evades, record: str | None) -> tuple[Notes, Reals]:
    """What everyone could note so far, and may think of all bets; a seat's own in its record makes no difference."""
    if not record:
        return np.zeros(NOTES, np.int8), no_beliefs(game.players)
    reader, unknown = reader_for(str(game.edition), game.players), "/".join("?" * game.players)
    beliefs = reader.beliefs(OWN_BETS.sub(f'[Bets "{unknown}"]', record))
    return reader.notes.copy(), beliefs


@compiled
def next_towards(states: States, end: States, trial: States, ends: States, firsts: Numbers, rules: Rules) -> int:
    """The action in `states[0]` that leads to an end of its turn, which is one of those that it may have."""
    s: State = states[0]
    for k in range(count_actions(s)):
        trial[0] = s
        after: State = trial[0]
        apply(after, rules, nth_action(s, k))
        if same(after, end[0]):
            return nth_action(s, k)
        if after.over == RUNNING and after.turn == s.turn:
            for found in range(find_ends(trial, ends, firsts, rules)):
                if same(ends[found], end[0]):
                    return nth_action(s, k)
    return -1


class Trials(NetSearch):
    """The choices of the seat to act, what was asked for among them; after a throw these are ends of the turn."""

    def __init__(self, game: Evades, net: Net, record: str | None, seed: int, also: Sequence[str]) -> None:
        super().__init__(game, net, *known_from(game, record), seed, WORLDS[0][0])
        self.also, self.asked = tuple(also), -1

    def keep_best(self, also: Sequence[int]) -> None:
        """Keep the best starts, and behind them what was asked for; among equals luck chooses."""
        shuffled = np.random.default_rng(self.seed).permutation(len(self.starts))
        kept = shuffled[np.argsort(-self.prior[shuffled], kind="stable")].tolist()[: self.width]
        if self.also:
            asked = self.start_of(self.also)
            kept = [*(start for start in kept if start != asked), asked]
            self.asked = len(kept) - 1
        self.starts, self.actions, self.prior = self.starts[kept], self.actions[kept], self.prior[kept]
        self.firsts = [self.firsts[start] for start in kept]

    def start_of(self, actions: Sequence[str]) -> int:
        """The start that some actions lead to; the best of those where the turn can go on."""
        first = self.legal.index(actions[0])
        if number_of(actions[0]) >= ROLL:
            return first
        states = self.game.states.copy()
        for action in actions:
            apply_in(states, self.game.rules, number_of(action))
        ends, firsts = records(STATE, MOST_ENDS), np.zeros(MOST_ENDS, np.int64)
        is_whole = states[0]["over"] != RUNNING or states[0]["turn"] != self.game.states[0]["turn"]
        ends = states if is_whole else ends[: find_ends(states, ends, firsts, self.game.rules)]
        found = [k for k in range(len(self.starts)) if leads_to(ends, self.starts[k : k + 1])]
        return max(found, key=lambda k: self.prior[k])

    def run_all(self, time: float) -> list[int]:
        """Try all, then the best few in more worlds; the starts, best first."""
        self.list_starts(())
        began, chosen = perf_counter(), list(range(len(self.starts)))
        fewer = self.players * (LONGER if self.game.turn == 0 else 1)
        for stage, (width, count) in enumerate(WORLDS, 1):
            chosen = chosen[:width] + [k for k in chosen[width:] if k == self.asked]
            done, until = 0, began + time * stage / len(WORLDS)
            count = max(CHUNK, 2 * count // fewer)
            while done < count and (not self.worlds.all() or perf_counter() < until):
                self.try_out(chosen, CHUNK)
                done += CHUNK
            chosen.sort(key=self.judged, reverse=True)
        rest = set(range(len(self.starts))) - set(chosen)
        return chosen + sorted(rest, key=self.judged, reverse=True)

    def chances(self, start: int) -> tuple[float, ...]:
        """Everyone's chances from a start; the seat's own are those that it is judged by."""
        own = min(max(self.judged(start), 0.0), 1.0)
        chances = self.shares[start, : self.players] / self.worlds[start]
        others = 1 - chances[self.seat]
        chances *= (1 - own) / others if others > 0 else 0.0
        chances[self.seat] = own
        return tempered(chances, self.seat, OPINIONS[self.players - 2])

    def actions_to(self, start: int) -> tuple[str, ...]:
        """The actions that lead to a start: one, or all that are left of the turn."""
        if start == self.asked:
            return self.also
        if self.actions[start] >= ROLL:
            return (self.legal[self.firsts[start][0]],)
        game, end, found = self.game.copy(), self.starts[start : start + 1], []
        while not same_in(game.states, end):
            ends, firsts = records(STATE, MOST_ENDS), np.zeros(MOST_ENDS, np.int64)
            action = next_towards(game.states, end, self.memory.trial, ends, firsts, game.rules)
            found.append(next(text for text in game.legal_actions() if number_of(text) == action))
            game.play_recorded(found[-1])
        return tuple(found)

    def lines(self, best: Sequence[int]) -> list[Line]:
        """The choices with everyone's chances, in this order."""
        return [Line(self.actions_to(start), self.chances(start)) for start in best]


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """What the seat to act could do, best first, `also` in any case; after a throw that is the rest of its turn."""
    game = look(view, record)
    net = player_for(game)
    if net is None:
        return players.consider(view, record, seed, PLAYOUTS, time, tuple(also[:1]))
    trials = Trials(game, net, record, seed_of(seed, view), also[:1] if game.states[0]["thrown"] == 0 else also)
    return trials.lines(trials.run_all(time))


@compiled
def apply_in(states: States, rules: Rules, action: int) -> None:
    """Play an action in `states[0]`."""
    apply(states[0], rules, action)


@compiled
def leads_to(ends: States, other: States) -> bool:
    """Whether a position is one of several ends of its turn."""
    for k in range(len(ends)):
        if same(ends[k], other[0]):
            return True
    return False


@compiled
def same_in(states: States, others: States) -> bool:
    """Whether two positions of one turn are the same."""
    return same(states[0], others[0])
