"""Compile what most tests need of a kind of game: `compiling.py KIND`. The machine code is cached."""

import sys

import numpy as np

import escapade
from escapade.analysis import analyze
from escapade.batch import Batch
from escapade.games import kinds
from escapade.server.thinking import warm_up
from escapade.server.warming import load_rules


def main(name: str) -> None:
    """Load the rules, let every level choose, hint, analyze, and step a batch."""
    kind = kinds()[name]
    load_rules(kind.samples)
    for level in [*kind.levels, "greedy", "lookahead"]:
        warm_up(name, level)
    game = escapade.new(kind.samples[0], players=kind.players[0], seed=1)
    for _ in range(4):
        game.play(escapade.hint(game.view(game.seat), game.record(game.seat))[0].action)
    list(analyze(game))
    batch = Batch(kind.samples[0], kind.players[0], 4)
    actions, masks, observations = np.zeros(4, np.int64), batch.masks(), batch.observations()
    for _ in range(9):
        batch.choose(actions)
        batch.step(actions, masks=masks, observations=observations)


if __name__ == "__main__":
    main(sys.argv[1])
