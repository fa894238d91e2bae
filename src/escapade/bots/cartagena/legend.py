"""The legend of Cartagena: a network's best turns, tried in worlds; and the network's own choice."""

import math
from time import perf_counter
from typing import Any

import numpy as np

from escapade import nets
from escapade.bots.bot import Fallible, is_slip
from escapade.bots.cartagena.answers import DEEPEST, new_tree, try_answers
from escapade.bots.cartagena.ends import Box, Memory, imagine, list_all_ends, new_memory, try_ends
from escapade.bots.cartagena.evaluation import Sums, Weights
from escapade.bots.cartagena.players import WIDER, Careless, Planner, Searcher, Stage, halved, spelled
from escapade.bots.cartagena.search import choose_some
from escapade.bots.cartagena.turns import Desk
from escapade.cartagena import inputs
from escapade.cartagena.editions import EDITIONS
from escapade.cartagena.kernel import Numbers
from escapade.cartagena.position import Cartagena
from escapade.game import Edition
from escapade.nets import Net
from escapade.rng import Words

# The search without a network, which plays where there is none, does at most what `lookahead` does, or a little of it.
WIDTH, SAMPLES, ROUNDS, REPLIES = 12, 48, 1, 6
SHORT: dict[str, Any] = {"width": 6, "samples": 4, "rounds": 0, "replies": 1, "time": 1.0, "affordable": 40_000}
DEARER = 5  # times as long takes an answer more
MORE = 4  # times as many worlds where more than two play, and as many times less trust in the network


def printed(edition: Edition) -> str | None:
    """The printed edition that is played, a limit of turns apart; None under any other house rule."""
    rules = {rule: value for rule, value in edition.rules.items() if rule != "turn-limit"}
    return next((name for name, own in EDITIONS.items() if own == rules), None)


def net_for(game: Cartagena) -> Net | None:
    """The network for a game, or None where there is none for so many players or for the rules.

    Networks have learned the printed editions in tunnels of six segments: one of them, or all. A limit of turns makes
    no difference to them; under any other house rule the search without a network plays.
    """
    edition = printed(game.edition)
    if game.rules.boat != inputs.BOAT or edition is None:
        return None
    for name in (f"{edition}-{game.players}", f"{game.kind}-{game.players}"):
        if nets.is_shipped(name):
            return nets.load(name, inputs.VERSION, inputs.count(game.players), inputs.outcomes(game.players))
    return None


def box_of(game: Cartagena, net: Net) -> Box:
    """What is played by in a game."""
    return Box(game.rules, game.hides(game.edition), net)


def like(game: Cartagena, net: Net, desk: Desk) -> int:
    """The turn that a network likes best."""
    list_all_ends(game.states, box_of(game, net), desk, new_memory(net, 1))
    return int(desk.turns[0])


class Mate(Planner):
    """Takes the turn that leaves the network's best chance; where there is no network, a short search finds one."""

    remembers = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.search = Searcher(seed, **SHORT)

    def turn(self, game: Cartagena, view: str) -> int:
        net = net_for(game)
        if net is None:
            return self.search.turn(game, view)
        return like(game, net, self.desk)


class Officer(Fallible):
    """Plays by the network, but at times never thinks of what it leaves to the others."""

    remembers = True
    good, bad = Mate, Careless


class Legend(Searcher):
    """Tries the network's best turns in many worlds, everyone playing on by it; without a network it looks ahead.

    The network's own judgement of a turn counts as so many more worlds (`trust`). In `slips` turns of a hundred what
    the network likes best is taken at once. Where more than two play the network misses more: more turns are tried, in
    few worlds at first and then in more and more.
    """

    box: Box
    memory: Memory

    def __init__(
        self, seed: int, slips: float, width: int, samples: int, trust: int, rounds: int, beam: int, replies: int,
        time: float,
    ) -> None:  # fmt: skip
        super().__init__(seed, width, samples, rounds, replies, time)
        self.slips, self.trust, self.beam = slips, trust, beam
        self.lookahead = Searcher(seed, min(width, WIDTH), min(samples, SAMPLES), ROUNDS, REPLIES, time)

    def turn(self, game: Cartagena, view: str) -> int:
        net = net_for(game)
        if net is None:
            self.lookahead.old = self.old
            return self.lookahead.turn(game, view)
        if is_slip(self.seed, game.turn, self.slips):
            return like(game, net, self.desk)
        self.box, self.memory = box_of(game, net), new_memory(net, self.beam)
        return super().turn(game, view)

    def candidates(self, game: Cartagena) -> Numbers:
        ends = list_all_ends(game.states, self.box, self.desk, self.memory)
        order = np.argsort(-self.desk.values[:ends], kind="stable")
        best, turns = self.desk.turns[order], np.zeros(WIDER * self.width, np.int64)
        self.known = dict(zip(best.tolist(), self.desk.values[order].tolist(), strict=True))
        return turns[: choose_some(game.states, self.desk, game.rules, best, turns)]

    def stages(self, game: Cartagena, found: int) -> list[Stage]:
        if game.players == 2:
            return super().stages(game, found)
        widths = halved(min(found, WIDER * self.width))
        share = MORE * self.samples / (2 ** len(widths) - 1)
        return [Stage(width, math.ceil(share * 2**number)) for number, width in enumerate(widths)]

    def trusted(self, game: Cartagena, turns: Numbers) -> Weights:
        trust = self.trust if game.players == 2 else self.trust / MORE
        return trust * np.array([self.known[turn] for turn in turns.tolist()])

    def try_world(self, game: Cartagena, turns: Numbers, rng: Words, replies: int, sums: Sums) -> None:
        ahead = game.players * self.rounds
        old = self.old_of(game)
        try_ends(game.states, self.worlds, self.box, self.desk, self.memory, turns, rng, ahead, old, sums)

    def weigh_answers(self, game: Cartagena, turns: Numbers, rng: Words) -> list[tuple[int, tuple[float, ...]]]:
        """The turns with every seat's chances, the best first; `samples` bounds the lines of answers to each."""
        began, sums = perf_counter(), np.zeros((len(turns), game.players))
        tree = new_tree(game.players, max(self.replies, len(turns)))
        imagine(game.states, self.worlds, game.rules, self.old_of(game), rng)
        deepest = int(1 + math.log(self.samples) / math.log(self.replies))
        for limit in range(2, max(3, min(deepest + 1, DEEPEST))):
            at = perf_counter()
            try_answers(self.worlds, self.box, self.desk, self.memory, tree, turns, self.replies, limit, rng, sums)
            order = np.argsort(-sums[:, game.seat - 1], kind="stable")
            turns, sums = turns[order], sums[order]
            now = perf_counter()
            if now - began + DEARER * (now - at) > self.time:
                break
        return spelled(turns, sums)


class Skipper(Legend):
    """A legend who answers at once: it tries no more turns where more than two play, and without a network few."""

    def __init__(self, seed: int, **others: Any) -> None:
        super().__init__(seed, **others)
        self.lookahead = Searcher(seed, **SHORT)

    def stages(self, game: Cartagena, found: int) -> list[Stage]:
        return Searcher.stages(self, game, found)
