"""Compile what most tests need of a kind of game: `compiling.py KIND`. The machine code is cached."""

import sys
import tempfile

import numpy as np
from click.testing import CliRunner

import escapade
from escapade.adapters.vector import EscapadeVectorEnv
from escapade.analysis import analyze
from escapade.batch import Batch
from escapade.cli import main as command
from escapade.games import Kind, kinds
from escapade.server.thinking import warm_up
from escapade.server.warming import load_rules


def main(kind: Kind) -> None:
    """Load the rules, let every level choose, hint, analyze, and do what researchers do."""
    edition, players = kind.samples[0], kind.players[0]
    load_rules(kind.samples)
    for level in [*kind.levels, "greedy", "lookahead"]:
        warm_up(kind.name, level)
    game = escapade.new(edition, players, seed=1)
    for _ in range(4):
        game.play(escapade.hint(game.view(game.seat), game.record(game.seat))[0].action)
    escapade.value(game.view(1))
    list(analyze(game))
    step_batches(edition, players)
    run_commands(edition, str(game))


def step_batches(edition: str, players: int) -> None:
    """Do what a batch can do, with and without a network."""
    for net in (False, True):
        batch = Batch(edition, players, 4, net=net)
        actions, masks, observations = np.zeros(4, np.int64), batch.masks(), batch.observations()
        for _ in range(9):
            batch.choose(actions)
            batch.step(actions, masks=masks, observations=observations)
        if net:
            batch.best(actions)
            batch.values()
        batch.branch(np.zeros(4, np.int64))
        batch.game(0).observation(1)
        vector = EscapadeVectorEnv(4, edition, players, opponents="net" if net else "random")
        _, told = vector.reset(seed=1)
        vector.step(told["action_mask"].argmax(axis=1))


def run_commands(edition: str, position: str) -> None:
    """Simulate, verify, count, measure and study a little."""
    with tempfile.TemporaryDirectory() as folder:
        games, page = f"{folder}/games.esc", f"{folder}/study.html"
        for words in (
            ["simulate", "--game", edition, "--games", "2", "--out", games],
            ["verify", games],
            ["perft", position, "1"],
            ["bench", "--game", edition, "--seconds", "0.01"],
            ["study", "--editions", edition, "--players", "2", "--games", "2", "--out", page],
        ):
            done = CliRunner().invoke(command, words)
            assert done.exit_code == 0, done.output


if __name__ == "__main__":
    main(kinds()[sys.argv[1]])
