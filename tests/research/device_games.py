"""Plays small batches on the device, real or simulated, and writes the results for test_cuda.py."""

import pickle
import sys
from typing import Any

import numpy as np

from escapade import Illegal, Invalid, cuda
from escapade.batch import Array


def main(path: str, games: int, steps: int) -> None:
    """Write the arrays of every kind of game."""
    arrays: dict[str, Any] = {}
    for text, players in (("first-escape+pirates=3+deal=3+turn-limit=6", 3), ("evades+length=15", 2)):
        whole = f"{text}+turn-limit=8" if text.startswith("evades") else text
        arrays[f"{text} played"] = np.asarray(
            cuda.play_games(whole, players, games, seed=4, first=2, threads=2, block=2)
        )
        batch = cuda.Batch(text, players, games, seed=4)
        actions, masks, seen = batch.array((games,), np.int64), batch.masks(), batch.observations()
        finals = batch.finals()
        for step in range(steps):
            batch.choose(actions)
            batch.step(actions, masks=masks, observations=seen, finals=finals)
            parts = actions, batch.seats, batch.rewards, batch.terminated, batch.truncated, masks, seen, finals
            arrays[f"{text} {step}"] = np.concatenate([np.asarray(part).ravel() for part in parts])
        arrays[f"{text} positions"] = np.array([str(batch.game(k)) for k in range(games)])
        arrays[f"{text} refused"] = np.array(refusals(batch, np.asarray(actions)))
        positions, arrays[f"{text} shown"] = branches(batch, seen)
        arrays[f"{text} branched"] = np.array(positions)
    batch = cuda.Batch("first-escape", 2, games, seed=4)
    for step in range(7):
        batch.step(batch._placed(np.full(games, batch.numbers - 1)))
        arrays[f"passed {step}"] = np.array(batch.terminated)
    for text in ("jamaica", "evades"):
        batch = cuda.Batch(text, 2, games, seed=4, net=True)
        actions = batch.array((games,), np.int64)
        for step in range(4):
            arrays[f"{text} values {step}"] = np.asarray(batch.values())
            batch.best(actions)
            arrays[f"{text} best {step}"] = np.array(actions)
            batch.step(actions)
    np.savez(path, **arrays)


def branches(batch: cuda.Batch, seen: Array) -> tuple[list[str], Array]:
    """Positions after games were saved, copied, branched and loaded, and what the last seat sees in them."""
    saved, one, twin = batch.save(), batch.save(1), pickle.loads(pickle.dumps(batch))
    batch.branch(batch._placed(np.full(batch.games, 1)), seed=5)
    batch.load(0, twin.game(2))
    batch.show(observations=seen, reader=batch.box.players - 1)
    told, shown = [str(batch.game(k)) for k in range(batch.games)], np.array(seen)
    batch.restore(saved)
    batch.restore(one, 2)
    return told + [str(batch.game(k)) for k in range(batch.games)], shown


def refusals(batch: cuda.Batch, actions: Array) -> list[str]:
    """The errors for an illegal number and for an array of the wrong type."""
    said = []
    wrong: tuple[Any, ...] = np.full_like(actions, 99_999), actions.astype(np.float32), actions.tolist()
    for given in wrong:
        placed: Any = given if isinstance(given, list) else batch._placed(given)
        try:
            batch.step(placed)
        except (Illegal, Invalid) as fault:
            said.append(str(fault))
    return said


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
