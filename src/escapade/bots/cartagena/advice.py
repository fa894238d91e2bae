"""Advice on Cartagena by a network: everyone's chances, the turns worth a thought, and what cards may come up.

Each seat has an opinion of everyone's chances from what it sees. An onlooker knows all hands, and makes one opinion of
theirs; for games of people and bots, who do not play like the network, their weights were fitted (`HIDDEN`, `OPEN`).
"""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from escapade.bots.bot import Line, luck
from escapade.bots.cartagena import players
from escapade.bots.cartagena.ends import Box, Memory, best_end, list_all_ends, look_first, new_memory, try_ends
from escapade.bots.cartagena.legend import box_of, net_for, printed
from escapade.bots.cartagena.memory import Old, remembered
from escapade.bots.cartagena.players import NO_LUCK, seen
from escapade.bots.cartagena.search import CARE, choose_some
from escapade.bots.cartagena.turns import NO_TURN, Desk, new_desk, pack, unpack, winning_turn
from escapade.bots.onlooker import Onlooker as Looker
from escapade.bots.onlooker import Sums, Weights, pool, tempered
from escapade.cartagena.kernel import (
    ACTION,
    NOBODY,
    STATE,
    UNKNOWN,
    Numbers,
    State,
    States,
    apply,
    reshuffles,
    restock,
    shuffle,
)
from escapade.cartagena.notation import MOVES, TEXTS
from escapade.cartagena.position import Cartagena
from escapade.compiled import compiled, records
from escapade.game import Game
from escapade.nets import judge
from escapade.rng import Words
from escapade.sets import signed

SAMPLES = 16  # worlds that each turn is tried in where there is no network
BEAM = 4
# By network: so many turns in so many worlds by two players, in fewer by more, then the best few in more worlds.
WORLDS = (10, 8), (3, 24)
MANY_WORLDS = (24, 6), (8, 15), (3, 36)  # where more than two play, the best turn is often far from the network's first
FRESH = 48  # worlds in which the best is compared with what is asked for, by two players
TRUST = 8  # worlds that the network's own judgement is worth
CARDS = 36  # different cards on top of the pile that are tried to tell what was to be expected

# See onlooker.py; a row for each number of players, where hands are hidden and where they are open.
HIDDEN = np.array(
    [
        [0.58, 0.33, -0.03, 0.83, -0.10],
        [0.97, 0.02, -0.03, 0.93, -0.01],
        [1.17, -0.15, -0.04, 1.00, 0.00],
        [1.15, -0.13, -0.04, 0.97, 0.03],
    ]
)
OPEN = np.array(
    [
        [0.26, 0.93, -0.07, 1.15, -0.15],
        [0.75, 0.33, -0.05, 0.99, -0.12],
        [0.75, 0.33, -0.05, 0.99, -0.12],
        [0.75, 0.33, -0.05, 0.99, -0.12],
    ]
)
OWN = {
    "jamaica": np.array([0.86, 0.69, -0.10, 1.31, -0.14]),
    "tortuga": np.array([0.84, 0.41, -0.09, 1.16, -0.15]),
}  # two players of editions that have a network of their own


def weights_of(game: Cartagena) -> Weights:
    """How chances are made of opinions in a game."""
    edition = printed(game.edition)
    if game.players == 2 and edition in OWN:
        return OWN[edition]
    weights: Weights = (HIDDEN if game.hides(game.edition) else OPEN)[game.players - 2]
    return weights


@compiled
def write_opinions(s: State, masked: bool, box: Box, desk: Desk, memory: Memory, out: Sums) -> None:
    """Write what each seat (row) thinks of everyone's chances; the seat to act once it has planned its turn."""
    players, seat = signed(s.players), signed(s.seat)
    for reader in range(players):
        look_first(s, reader, masked, box, memory.sheet)
        judge(box.net, memory.sheet.sums[0], memory.sheet)
        for k in range(players):
            out[reader, (reader + k) % players] = memory.sheet.chances[k]
    best_end(s, masked, box, desk, memory)
    for k in range(players):
        out[seat, (seat + k) % players] = min(memory.best[k], 1.0)


@compiled
def add_chances(s: State, masked: bool, box: Box, desk: Desk, memory: Memory, weights: Weights, sums: Weights) -> None:
    """Add every seat's chance as an onlooker tells it; a certain win of the seat to act is found."""
    if s.winner != NOBODY:
        if s.winner >= 0:
            sums[s.winner] += 1
    elif winning_turn(s, desk, box.rules, CARE) != NO_TURN:
        sums[s.seat] += 1
    else:
        opinions = np.zeros((s.players, s.players))
        write_opinions(s, masked, box, desk, memory, opinions)
        pool(opinions, s.seat, weights, sums)


@compiled
def add_chances_in(
    states: States, masked: bool, box: Box, desk: Desk, memory: Memory, weights: Weights, sums: Weights
) -> None:
    """Add every seat's chance in `states[0]`."""
    add_chances(states[0], masked, box, desk, memory, weights, sums)


@compiled
def opinions_in(states: States, masked: bool, box: Box, desk: Desk, memory: Memory, out: Sums) -> None:
    """Write what each seat thinks of everyone's chances in `states[0]`."""
    write_opinions(states[0], masked, box, desk, memory, out)


@compiled
def expect(
    states: States, trial: States, action: int, box: Box, desk: Desk, memory: Memory, weights: Weights, rng: Words,
    sums: Weights,
) -> int:  # fmt: skip
    """Add up everyone's chances after an action for the cards that may come up: how many were tried, or 0 for none.

    The cards that lie face down are all known to the onlooker, but not in which order. The pile is cut at different
    places, so that a card on top comes up as often as it lies there.
    """
    trial[1] = states[0]
    world: State = trial[1]
    below = signed(world.cards) - signed(world.row)
    if reshuffles(world, box.rules, action):
        below = restock(world)
        shuffle(world, below, rng)
    trial[0] = world
    s: State = trial[0]
    apply(s, box.rules, action)
    if s.cards - s.row == world.cards - world.row:
        return 0
    count = min(below, CARDS)
    for k in range(count):
        trial[0] = world
        for i in range(below):
            s.pile[i] = world.pile[(i + k * below // count) % below]
        apply(s, box.rules, action)
        add_chances(s, box.hidden, box, desk, memory, weights, sums)
    return count


class Onlooker(Looker):
    """One who knows all hands of a game, but not the order of the pile."""

    def __init__(self, game: Cartagena, box: Box) -> None:
        self.box, self.desk, self.memory = box, new_desk(), new_memory(box.net, BEAM)
        self.weights, self.trial = weights_of(game), records(STATE, 2)

    def chances(self, game: Game) -> tuple[float, ...]:
        sums = np.zeros(game.players)
        add_chances_in(game.states, self.box.hidden, self.box, self.desk, self.memory, self.weights, sums)
        return tuple(sums.tolist())

    def foresee(self, game: Game, action: str) -> tuple[float, ...] | None:
        sums, tools = np.zeros(game.players), (self.box, self.desk, self.memory, self.weights)
        tried = expect(game.states, self.trial, MOVES[action] & ACTION, *tools, luck(1, str(game)), sums)
        return tuple((sums / tried).tolist()) if tried else None

    def opinions(self, game: Game) -> Sums:
        sums = np.zeros((game.players, game.players))
        opinions_in(game.states, self.box.hidden, self.box, self.desk, self.memory, sums)
        return sums


def onlooker(game: Game) -> Onlooker | None:
    """Who looks on at a game, or None where there is no network for it."""
    assert isinstance(game, Cartagena)
    net = net_for(game)
    return None if net is None else Onlooker(game, box_of(game, net))


def value(view: str, record: str | None = None) -> tuple[float, ...] | None:
    """Everyone's chances as the network sees a position that is not over at once, or None where there is none.

    Told is what the view's reader thinks; where all hands are shown, what the seats think on average.
    """
    shown, game = Cartagena.parse(view, NO_LUCK), seen(view, record)
    net = net_for(game)
    if net is None:
        return None
    all_shown = not shown.states[0]["hand"][: game.players, UNKNOWN].any()
    readers = range(game.players) if all_shown else [reader_of(shown)]
    opinions, box, memory = [], box_of(game, net), new_memory(net, 1)
    for reader in readers:
        opinion_in(game.states, reader, box.hidden and all_shown, box, memory)
        opinions.append(np.roll(memory.sheet.chances, reader))
    return tuple(np.mean(opinions, axis=0, dtype=float).tolist())


@compiled
def opinion_in(states: States, reader: int, masked: bool, box: Box, memory: Memory) -> None:
    """Write what a reader thinks of everyone's chances in `states[0]`, its own first."""
    look_first(states[0], reader, masked, box, memory.sheet)
    judge(box.net, memory.sheet.sums[0], memory.sheet)


def reader_of(game: Cartagena) -> int:
    """The seat, counted from 0, that a view is for: of those whose hands it shows the one to act, or else the first."""
    hands = game.layout().hands
    order = [game.seat - 1, *range(game.players)]
    return next((seat for seat in order if "?" not in hands[seat]), game.seat - 1)


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Every seat's winning chance in a position that is not over."""
    game = Cartagena.parse(position, NO_LUCK)
    looker = onlooker(game)
    return looker.chances(game) if looker else players.outlook(position, seed, 2 * SAMPLES, time)


class Trials:
    """Turns of the seat to act, tried in the same worlds, in each of which everyone plays on for a round."""

    def __init__(self, game: Cartagena, box: Box, old: Old, rng: Words) -> None:
        self.game, self.box, self.old, self.rng = game, box, old, rng
        self.desk, self.memory, self.worlds = new_desk(), new_memory(box.net, BEAM), records(STATE, 3)
        self.stages = WORLDS if game.players == 2 else MANY_WORLDS
        self.after: dict[float, Sums] = {}  # what the sums were after so many worlds

    def list_turns(self, also: Sequence[str]) -> None:
        """Find the turns worth trying, and behind them the one that is asked for."""
        game, desk = self.game, self.desk
        ends = list_all_ends(game.states, self.box, desk, self.memory)
        order = np.argsort(-desk.values[:ends], kind="stable")
        best, chances = desk.turns[order], np.minimum(desk.values[order], 1)
        turns = np.zeros(self.stages[0][0], np.int64)
        found = turns[: choose_some(game.states, desk, game.rules, best, turns)].tolist()
        self.asked = -1
        if also:
            moves = np.array([MOVES[action] & ACTION for action in also])
            asked = pack(game.states, desk, game.rules, moves)
            self.asked = found.index(asked) if asked in found else len(found)
            found = found if asked in found else [*found, asked]
        self.turns: Numbers = np.array(found)
        self.sums, self.tries = np.zeros((len(found), game.players)), np.zeros(len(found))
        known = dict(zip(best.tolist(), chances.tolist(), strict=True))
        self.prior = [known.get(turn) for turn in found]

    def try_out(self, chosen: list[int], count: int, until: float) -> None:
        """Try some turns in so many more worlds, or in fewer if time is up."""
        ahead, some = self.game.players, self.turns[chosen]
        for k in range(max(1, 2 * count // self.game.players)):
            if k > 0 and perf_counter() > until:
                break
            sums = np.zeros((len(chosen), self.game.players))
            try_ends(
                self.game.states, self.worlds, self.box, self.desk, self.memory, some, self.rng, ahead, self.old, sums
            )
            self.sums[chosen] += sums
            self.tries[chosen] += 1

    def judged(self, k: int) -> float:
        """The seat's chance after a turn, the network's own judgement counted as some worlds."""
        won, tries, prior = float(self.sums[k, self.game.seat - 1]), float(self.tries[k]), self.prior[k]
        return won / tries if prior is None else (won + TRUST * prior) / (tries + TRUST)

    def even_out(self, best: int) -> None:
        """Tell turns that were dropped by how far they were from the best in the worlds that both were tried in.

        Worlds differ by more than turns do, and those that came later may be better or worse for everybody.
        """
        told = self.sums[best] / self.tries[best]
        for k in np.flatnonzero(self.tries < self.tries[best]).tolist():
            tries = self.tries[k]
            shares = np.maximum(told + (self.sums[k] - self.after[tries][best]) / tries, 0)
            self.sums[k] = tries * shares / max(shares.sum(), 1)

    def run(self, time: float) -> list[int]:
        """Try all, then the best few in more worlds; the turns, best first.

        The best and what is asked for are then compared in worlds that had no part in choosing the best.
        """
        began, chosen = perf_counter(), list(range(len(self.turns)))
        for stage, (width, count) in enumerate(self.stages, 1):
            chosen = chosen[:width] + [k for k in chosen[width:] if k == self.asked]
            self.try_out(chosen, count, began + time * stage / (1 + len(self.stages)))
            self.after[self.tries.max()] = self.sums.copy()
            chosen.sort(key=self.judged, reverse=True)
        order = chosen + sorted(set(range(len(self.turns))) - set(chosen), key=self.judged, reverse=True)
        self.even_out(order[0])
        if self.asked not in (-1, order[0]):
            both = [order[0], self.asked]
            self.sums[both], self.tries[both] = 0, 0
            self.try_out(both, FRESH, began + time)
        return order


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """The turns worth a thought for the seat to act, best first, and in any case one that begins with `also`."""
    game = seen(view, record)
    net = net_for(game)
    if net is None:
        return players.consider(view, record, seed, SAMPLES, time, also)
    trials = Trials(game, box_of(game, net), remembered(view, record), luck(seed, view))
    out, lines = np.zeros(8, np.int64), []
    trials.list_turns(also)
    for k in trials.run(time):
        n = unpack(game.states, trials.desk, game.rules, trials.turns[k], out)
        chances = tempered(trials.sums[k] / trials.tries[k], game.seat - 1, weights_of(game))
        lines.append(Line(tuple(TEXTS[move] for move in out[:n].tolist()), chances))
    return lines
