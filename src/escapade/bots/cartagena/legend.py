"""The legend of Cartagena: a network's best turns, tried in worlds; and what the network says at once."""

import numpy as np

from escapade import nets
from escapade.bots.cartagena.ends import Box, list_all_ends, look_at, try_ends
from escapade.bots.cartagena.players import NO_LUCK, Searcher
from escapade.bots.cartagena.evaluation import Sums
from escapade.bots.cartagena.search import choose_some
from escapade.cartagena import inputs
from escapade.cartagena.editions import EDITIONS
from escapade.cartagena.kernel import Numbers
from escapade.cartagena.position import Cartagena
from escapade.game import Edition
from escapade.nets import Net
from escapade.rng import Words

DEEP = 8  # positions in a line: the root, the actions of a turn, and some to spare


def is_printed(edition: Edition) -> bool:
    """Whether an edition is played as it is printed, a limit of turns apart."""
    return {rule: value for rule, value in edition.rules.items() if rule != "turn-limit"} in EDITIONS.values()


def net_for(game: Cartagena) -> Net | None:
    """The network for a game, or None where there is none for so many players, or the rules are not those it learned.

    Networks play the printed editions in tunnels of six segments; house rules, but for a limit of turns, are for the
    search without one.
    """
    name = f"{game.kind}-{game.players}"
    if game.rules.boat != inputs.BOAT or not is_printed(game.edition) or not nets.is_shipped(name):
        return None
    return nets.load(name, inputs.VERSION, inputs.count(game.players), game.players)


def box_of(game: Cartagena, net: Net) -> Box:
    """What is played by in a game."""
    return Box(game.rules, game.hides(game.edition), net)


class Legend(Searcher):
    """Tries the network's best turns in many worlds, everyone playing on by it; without a network it looks ahead."""

    def __init__(self, seed: int, width: int, samples: int, rounds: int, replies: int, time: float) -> None:
        super().__init__(seed, width, samples, rounds, replies, time)
        self.box: Box | None = None
        self.sheet: nets.Sheet | None = None
        self.best = np.zeros(0, np.float32)

    def turn(self, game: Cartagena, view: str) -> int:
        net = net_for(game)
        self.box = None
        if net is not None:
            self.box, self.sheet = box_of(game, net), nets.new_sheet(net, DEEP)
            self.best = np.zeros(game.players, np.float32)
        return super().turn(game, view)

    def candidates(self, game: Cartagena) -> Numbers:
        if self.box is None:
            return super().candidates(game)
        desk = self.desk
        ends = list_all_ends(game.states, self.box, desk, self.sheet, self.best)
        best = desk.turns[np.argsort(-desk.values[:ends], kind="stable")]
        turns = np.zeros(self.width, np.int64)
        return turns[: choose_some(game.states, desk, game.rules, best, turns)]

    def try_world(self, game: Cartagena, turns: Numbers, rng: Words, replies: int, sums: Sums) -> None:
        if self.box is None:
            super().try_world(game, turns, rng, replies, sums)
        else:
            try_ends(game.states, self.worlds, self.box, self.desk, self.sheet, turns, rng, self.best, sums)


class NetPlanner(Searcher):
    pass


def reader_of(game: Cartagena) -> int:
    """The seat that a view is for: the one to act, or else the first, of those whose hands it shows."""
    hands = game.layout().hands
    order = [game.seat - 1, *range(game.players)]
    return next((seat for seat in order if "?" not in hands[seat]), game.seat - 1)


def value(view: str) -> tuple[float, ...] | None:
    """Every seat's chance to win as a network sees it at once, or None where there is none for these rules."""
    game = Cartagena.parse(view, NO_LUCK)
    if game.over:
        return tuple(float(seat in game.winners) for seat in range(1, game.players + 1))
    net = net_for(game)
    if net is None:
        return None
    box, sheet, reader = box_of(game, net), nets.new_sheet(net, 1), reader_of(game)
    look_at(game.states, reader, False, box, sheet)
    return tuple(np.roll(sheet.chances, reader).tolist())
