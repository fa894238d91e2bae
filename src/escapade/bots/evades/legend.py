"""The legend of Les Évadés: what a network thinks best, tried in worlds; and the network's own choice."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from escapade import nets
from escapade.bots.bot import Bot, Fallible, Parameters, is_slip
from escapade.bots.evades.ends import (
    Box,
    judge_bets,
    judge_ends,
    judge_rolls,
    new_memory,
    try_worlds,
)
from escapade.bots.evades.play import Reals
from escapade.bots.evades.players import CERTAIN, Captain, Careless, Lookahead, Search, look, number_of, seed_of
from escapade.bots.evades.reading import Reader, no_beliefs, notes_of
from escapade.compiled import records
from escapade.evades import inputs
from escapade.evades.inputs import Notes
from escapade.evades.kernel import BET, ROLL, STATE
from escapade.evades.position import Evades
from escapade.nets import Net

# The search without a network: the yardstick, and what plays where there is no network; and a little of it.
LOOKAHEAD: Parameters = {"playouts": 5000, "time": 1.5}
MOST_BY_NET = 4  # players: with more, no network has shown that it gains anything over the search
SHORT: dict[str, Any] = {"playouts": 1000, "time": 1.0}

TRUST = 100  # worlds that the network's own judgement is worth
DOUBT = 0.85  # by network alone, two players let what the other has done count for so much of what was learned


def net_for(game: Evades) -> Net | None:
    """The network for a game, or None where there is none for so many players or for the rules.

    Networks have learned the game on a track of 30 spaces on which jumped spaces count. A limit of turns makes no
    difference to them; under any other house rule the search without a network plays.
    """
    name = f"{game.kind}-{game.players}"
    if game.rules.length != inputs.TRACK or not game.rules.count_jumped or not nets.is_shipped(name):
        return None
    return nets.load(name, inputs.VERSION, inputs.count(game.players), inputs.outcomes(game.players))


def player_for(game: Evades) -> Net | None:
    """The network that plays and advises in a game, or None where the search without one does it better."""
    return net_for(game) if game.players <= MOST_BY_NET else None


@cache
def believing(game: str, players: int) -> Net:
    """The network of a game as it was learned, before it was made to doubt what the others have done."""
    net = nets.load(f"{game}-{players}", inputs.VERSION, inputs.count(players), inputs.outcomes(players))
    first = nets.aligned(net.first)
    first[inputs.OTHERS :] = np.rint(first[inputs.OTHERS :] / DOUBT)
    return net._replace(first=first)


def searcher_for(game: Evades) -> Net | None:
    """The network that a legend tries choices by: with two players one without doubts (docs/strength.md)."""
    net = player_for(game)
    return net and believing(game.kind, game.players) if game.players == 2 else net


class NetSearch(Search):
    """The choices of the seat to act as a network judges them, and what has come of the best ones so far."""

    def __init__(
        self, game: Evades, net: Net, notes: Notes, weights: Reals, seed: int, width: int, rounds: int = 1
    ) -> None:
        super().__init__(game, weights, seed)
        self.box, self.memory, self.notes, self.width = Box(game.rules, net), new_memory(net), notes, width
        self.rounds = rounds

    def list_starts(self, also: Sequence[str]) -> None:
        """Find what there is to try, what the network says of it and what is certain, and keep the best."""
        moves = np.array([number_of(action) for action in self.legal])
        states, tools = self.game.states, (self.notes, self.box, self.memory)
        if moves[0] >= ROLL:
            self.starts, self.actions = records(STATE, len(moves)), moves
            self.starts[:], self.firsts = states[0], [[k] for k in range(len(moves))]
            self.prior = np.zeros(len(moves))
            (judge_bets if moves[0] >= BET else judge_rolls)(states, *tools, self.prior)
            if moves[0] < BET:
                self.prior += CERTAIN * self.settling(moves)
        else:
            self.list_ends()
            self.prior = np.zeros(len(self.starts))
            judge_ends(states, self.starts, *tools, self.prior)
            self.prior += CERTAIN * self.ended()
        self.keep_best([self.legal.index(action) for action in also])
        self.shares, self.worlds = np.zeros((len(self.starts), 8)), np.zeros(len(self.starts), np.int64)

    def keep_best(self, also: Sequence[int]) -> None:
        """Keep the best starts, and those that are asked for; among equals luck chooses."""
        shuffled = np.random.default_rng(self.seed).permutation(len(self.starts))
        order = shuffled[np.argsort(-self.prior[shuffled], kind="stable")].tolist()
        kept = order[: self.width]
        kept += [next(start for start in order if k in self.firsts[start]) for k in also]
        kept = list(dict.fromkeys(kept))
        self.starts, self.actions, self.prior = self.starts[kept], self.actions[kept], self.prior[kept]
        self.firsts = [self.firsts[start] for start in kept]

    def try_out(self, chosen: Sequence[int], count: int) -> None:
        done = int(self.worlds[chosen[0]])
        try_worlds(
            self.game.states, self.notes, self.starts, self.actions, np.array(chosen), self.box, self.memory,
            self.sums, self.rounds * self.players, self.seed, done, count, self.shares,
        )  # fmt: skip
        self.worlds[chosen] += count

    def judged(self, start: int) -> float:
        """The seat's chance of winning from a start, the network's own judgement counted as some worlds."""
        if abs(self.prior[start]) >= CERTAIN / 2:
            return float(self.prior[start])
        return float((self.shares[start, self.seat] + TRUST * self.prior[start]) / (self.worlds[start] + TRUST))

    def first_of(self, start: int) -> str:
        """The first action that leads to a start."""
        return self.legal[self.firsts[start][0]]


def like(game: Evades, net: Net, record: str | None, seed: int) -> str:
    """What a network likes best."""
    search = NetSearch(game, net, notes_of(record), no_beliefs(game.players), seed, 1)
    search.list_starts(())
    return search.first_of(0)


class Mate(Bot):
    """Takes what leaves the network's best chance; where there is no network, a short search chooses."""

    remembers = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.search = Captain(seed, **SHORT)

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view, record)
        net = player_for(game)
        if net is None:
            return self.search.choose(view, legal, record)
        if len(legal) == 1:
            return legal[0]
        return like(game, net, record, seed_of(self.seed, view))


class Officer(Fallible):
    """Plays by the network, but at times never thinks of what the others want."""

    remembers = True
    good, bad = Mate, Careless


class Legend(Lookahead):
    """Tries what the network thinks best in many worlds, everyone playing on by it; without one it looks ahead.

    In `slips` turns of a hundred it never thinks of what the others want.
    """

    cheaper = 10  # as many playouts without a network take about as long as one with it
    fewer = 10  # times fewer worlds, with three and more players, have won more

    def __init__(self, seed: int, slips: float, width: int, playouts: int, time: float) -> None:
        super().__init__(seed, self.cheaper * playouts, time)
        self.slips, self.width, self.tries, self.careless = slips, width, playouts, Careless(seed)
        self.reader: Reader | None = None

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view, record)
        net = searcher_for(game)
        if net is None or len(legal) == 1:
            return super().choose(view, legal, record)
        if is_slip(self.seed, game.turn, self.slips):
            return self.careless.choose(view, legal, record)
        width, weights = 1 if game.turn == 0 else self.width, self.read(game, net, record)
        search = NetSearch(game, net, notes_of(record), weights, seed_of(self.seed, view), width)
        tries = self.tries if game.players == 2 else max(1, self.tries // self.fewer)
        return search.first_of(search.run(tries, self.time)[0])

    def read(self, game: Evades, net: Net, record: str | None) -> Reals:
        """What the seat to act may think of the others' bets."""
        if not record:
            return no_beliefs(game.players)
        if self.reader is None or self.reader.seat != game.seat or self.reader.box.net is not net:
            self.reader = Reader(game.seat, Box(game.rules, net), new_memory(net))
        return self.reader.beliefs(record)


class Skipper(Legend):
    """A legend of few worlds, who without a network still looks further ahead than a mate."""

    cheaper, fewer = 100, 1
