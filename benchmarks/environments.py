"""How fast environments for learning are: steps a second with observation and mask, everyone acting at random.

python benchmarks/environments.py --seconds 3

The loop is the usual one, in plain Python, on one core. Actions are random legal ones: "picked" by NumPy, which takes a
microsecond, or "sampled" by `space.sample(mask)`, which takes twenty with Gymnasium's own spaces. PettingZoo's
connect_four_v3, which comes with its package and needs pygame, is there for comparison.

Vector environments (`gymnasium.make_vec`, opponents at random) are compared in the same run: ours, in which a batch
plays on all cores, and Gymnasium's own vector of single environments. Their figures are for `step` alone, with the time
to pick actions from the masks by NumPy, and for `step` by a second of processor time, which other work on the machine
changes least.
"""

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import click
import gymnasium
import numpy as np
from pettingzoo import make

from escapade.adapters import pettingzoo

Sampler = Callable[[Any, Any], int]
CHUNK = 200


def picked() -> Sampler:
    """A random legal action, by NumPy."""
    luck = np.random.default_rng(1)

    def pick(space: Any, mask: Any) -> int:
        legal = mask.nonzero()[0]
        return int(legal[int(luck.random() * len(legal))])

    return pick


def sampled() -> Sampler:
    """A random legal action, by Gymnasium."""
    return lambda space, mask: space.sample(mask)


def aec_steps(env: Any, sample: Sampler) -> Iterator[None]:
    """Steps of one PettingZoo game after another."""
    while True:
        env.reset()
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else sample(env.action_space(agent), seen["action_mask"]))
            yield


def gymnasium_steps(env: Any, sample: Sampler) -> Iterator[None]:
    """Steps of one Gymnasium game after another."""
    while True:
        _, info = env.reset()
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(sample(env.action_space, info["action_mask"]))
            over = terminated or truncated
            yield


def speed(steps: Iterator[None], seconds: float) -> float:
    """Steps a second, after some to compile and warm up."""
    list(islice(steps, CHUNK))
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        count += len(list(islice(steps, CHUNK)))
    return count / (time.perf_counter() - began)


def against(number: str, opponents: str) -> Any:
    """A Gymnasium environment with these opponents."""
    return gymnasium.make(f"escapade.adapters.gymnasium:escapade/{number}-v0", opponents=opponents)


def pick_all(masks: Any, luck: np.random.Generator) -> Any:
    """A legal number in every game: the next one after any, or the first."""
    after = int(luck.integers(masks.shape[1]))
    numbers = masks[:, after:].argmax(axis=1) + after
    return np.where(np.take_along_axis(masks, numbers[:, None], axis=1)[:, 0], numbers, masks.argmax(axis=1))


def vector_speeds(number: str, games: int, mode: Any, seconds: float) -> tuple[float, float, float]:
    """Steps a second of a vector environment, without and with picking, and by a second of processor time."""
    name = f"escapade.adapters.gymnasium:escapade/{number}-v0"
    envs, luck = gymnasium.make_vec(name, games, mode, opponents="random"), np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    *_, info = envs.step(pick_all(info["action_mask"], luck))
    stepping, working, count, began = 0.0, 0.0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        numbers = pick_all(info["action_mask"], luck)
        before, worked = time.perf_counter(), time.process_time()
        *_, info = envs.step(numbers)
        stepping, working = stepping + time.perf_counter() - before, working + time.process_time() - worked
        count += games
    return count / stepping, count / (time.perf_counter() - began), count / working


VECTORS = [("Jamaica-2p", 4096), ("Jamaica-5p", 4096), ("Evades-3p", 4096)]
ROWS: list[tuple[str, Callable[[], Any], Callable[[Any, Sampler], Iterator[None]]]] = [
    ("PettingZoo raw_env, jamaica, 2 players", lambda: pettingzoo.raw_env("jamaica", 2), aec_steps),
    ("PettingZoo raw_env, jamaica, 5 players", lambda: pettingzoo.raw_env("jamaica", 5), aec_steps),
    ("PettingZoo raw_env, evades, 3 players", lambda: pettingzoo.raw_env("evades", 3), aec_steps),
    ("PettingZoo env, jamaica, 2 players", lambda: pettingzoo.env("jamaica", 2), aec_steps),
    ("PettingZoo env, jamaica, 5 players", lambda: pettingzoo.env("jamaica", 5), aec_steps),
    ("PettingZoo env, evades, 3 players", lambda: pettingzoo.env("evades", 3), aec_steps),
    ("PettingZoo's own classic/connect_four_v3", lambda: make("aec", "classic/connect_four_v3"), aec_steps),
    ("Gymnasium Jamaica-2p against random", lambda: against("Jamaica-2p", "random"), gymnasium_steps),
    ("Gymnasium Jamaica-2p against greedy", lambda: against("Jamaica-2p", "greedy"), gymnasium_steps),
    ("Gymnasium Evades-3p against random", lambda: against("Evades-3p", "random"), gymnasium_steps),
    ("Gymnasium Evades-3p against greedy", lambda: against("Evades-3p", "greedy"), gymnasium_steps),
]


def report(name: str, *figures: float) -> None:
    """Print a row."""
    print(f"{name:45}", *(f"{figure:10,.0f}" for figure in figures), flush=True)


@click.command()
@click.option("--vectors", is_flag=True, help="Measure vector environments alone.")
@click.option("--seconds", default=2.0, show_default=True, help="How long each figure is measured.")
def main(vectors: bool, seconds: float) -> None:
    """Print the table."""
    print(f"{'steps a second':45} {'picked':>10} {'sampled':>10}")
    for name, env, steps in () if vectors else ROWS:
        report(name, *(speed(steps(env(), sample), seconds) for sample in (picked(), sampled())))
    print(f"{'vector environments':45} {'step alone':>10} {'picked':>10} {'processor':>10}")
    for number, games in VECTORS:
        theirs = vector_speeds(number, 64, "sync", seconds)
        ours = vector_speeds(number, games, "vector_entry_point", seconds)
        times = [one / other for one, other in zip(ours, theirs, strict=True)]
        report(f"{number}, sync, 64 games", *theirs)
        report(f"{number}, {games:,} games", *ours)
        report("times as many", *times)


if __name__ == "__main__":
    main()
