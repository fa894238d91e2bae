"""How fast batches of games are, compared with other libraries in the same run: millions of steps a second.

python benchmarks/batches.py                     # on all cores: escapade.batch, pgx and PettingZoo
python benchmarks/batches.py --gpu               # on a GPU: escapade.cuda, and pgx on the same card

All actions are random. Our batches choose them in a separate call, so their steps have two figures, without and with
that call; on a GPU, where the two are queued without waiting in between, only the second. "Both" means masks and
observations. pgx (with JAX) is measured if it is installed, at the fastest of several batch sizes; it chooses, steps,
resets and writes both in one compiled loop. PettingZoo's own connect four and our jamaica are stepped one game at a
time in plain Python. For whole games the figure is decisions.
"""

import time
from collections.abc import Callable
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import click
import numpy as np

from escapade import batch
from escapade.nets import is_shipped

GAMES = [("jamaica", 2), ("jamaica", 5), ("tortuga", 2), ("evades", 3)]
PEERS = ["connect_four", "backgammon"]
SIZES = {False: (64, 256, 1024), True: (16384, 65536, 262144)}
SCANNED = 100
Shown = np.ndarray[Any, Any]


def speed(work: Callable[[], int], seconds: float) -> float:
    """How much work is done in a second, after a first call that compiles."""
    work()
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        done += work()
    return done / (time.perf_counter() - began)


def step_speeds(games: batch.Batch, seconds: float, **into: Shown) -> tuple[float, float]:
    """Random steps a second of a batch on the CPU, without and with the time to choose the actions."""
    actions = games.array((games.games,), np.int64)
    stepping = 0.0

    def work() -> int:
        nonlocal stepping
        games.choose(actions)
        began = time.perf_counter()
        games.step(actions, **into)
        stepping += time.perf_counter() - began
        return games.games

    work()
    stepping, began, done = 0.0, time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        done += work()
    return done / stepping, done / (time.perf_counter() - began)


def device_steps(games: batch.Batch, wait: Callable[[], None], **into: Shown) -> Callable[[], int]:
    """Ten random steps of a batch on a GPU, queued without waiting in between."""
    actions = games.array((games.games,), np.int64)

    def work() -> int:
        for _ in range(10):
            games.choose(actions)
            games.step(actions, **into)
        wait()
        return 10 * games.games

    return work


def values(games: batch.Batch, wait: Callable[[], None] | None) -> Callable[[], int]:
    """A network's opinion of every game, some decisions after their beginning."""
    out, actions = games.values(), games.array((games.games,), np.int64)
    for _ in range(100):
        games.choose(actions)
        games.step(actions)

    def work() -> int:
        games.values(out)
        if wait:
            wait()
        return games.games

    return work


def steps_by_network(games: batch.Batch, wait: Callable[[], None] | None) -> Callable[[], int]:
    """A step of every game as a network likes it best."""
    actions = games.array((games.games,), np.int64)

    def work() -> int:
        games.best(actions)
        games.step(actions)
        if wait:
            wait()
        return games.games

    return work


def playouts(module: ModuleType, text: str, players: int, games: int) -> Callable[[], int]:
    """Whole random games; the work is counted in decisions."""
    return lambda: int(np.asarray(module.play_games(text, players, games))[:, 0].sum())


def pgx_steps(name: str, games: int) -> Callable[[], int]:
    """Many random steps of a pgx game in one compiled call; finished games start again."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, luck = jax.random.split(key, 3)
        action = jax.random.categorical(choice, jax.numpy.where(state.legal_action_mask, 0.0, -1e9), axis=-1)
        return (step(state, action, jax.random.split(luck, games)), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=SCANNED)[0])
    key = jax.random.PRNGKey(0)
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(key, games)), key]

    def work() -> int:
        now[:] = jax.block_until_ready(run(*now))
        return SCANNED * games

    return work


def pettingzoo_steps(env: Any) -> Callable[[], int]:
    """A random game of PettingZoo, step by step."""
    luck = np.random.default_rng(1)

    def work() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if terminated or truncated else int(luck.choice(legal)))
            steps += 1
        return steps

    return work


def report(name: str, *figures: float | None) -> None:
    """Print a row."""
    print(f"{name:64}", *(f"{'' if figure is None else f'{figure / 1e6:,.3f}':>12}" for figure in figures), flush=True)


def our_rows(module: ModuleType, wait: Callable[[], None] | None, games: int, whole: int, seconds: float) -> None:
    """Our own figures; `wait` waits for the device if there is one."""
    for text, players in GAMES:
        what = f"{text}, {players} players"
        report(f"{what}: decisions in whole games", speed(playouts(module, text, players, whole), seconds))
        made = module.Batch(text, players, games, **({"check": False} if wait else {}))
        masks, seen = made.masks(), made.observations()
        shown = {"": {}, " with masks": {"masks": masks}, " with both": {"masks": masks, "observations": seen}}
        for which, into in shown.items():
            figures = (
                (None, speed(device_steps(made, wait, **into), seconds)) if wait else step_speeds(made, seconds, **into)
            )
            report(f"{what}: steps{which}", *figures)
        if is_shipped(f"{made.box.kind.name}-{players}"):
            judged = module.Batch(text, players, games, net=True, **({"check": False} if wait else {}))
            report(f"{what}: values by network", speed(values(judged, wait), seconds))
            report(f"{what}: steps by network", None, speed(steps_by_network(judged, wait), seconds))


def compare(module: ModuleType) -> None:
    """Check that the device plays the same games as the CPU."""
    same = all(
        np.array_equal(batch.play_games(text, n, 10_000), module.play_games(text, n, 10_000)) for text, n in GAMES
    )
    print(f"10,000 games of each kind on the processor and on the GPU are {'the same' if same else 'NOT THE SAME'}")


@click.command()
@click.option("--gpu", is_flag=True, help="Measure on a GPU.")
@click.option("--games", type=int, help="Games side by side.  [default: 8192, on a GPU 262144]")
@click.option("--whole", type=int, help="Whole games played at once.  [default: 20000, on a GPU 1000000]")
@click.option("--seconds", default=3.0, show_default=True, help="How long each figure is measured.")
@click.option("--peers/--no-peers", default=True, help="Measure the others too.")
def main(gpu: bool, games: int | None, whole: int | None, seconds: float, peers: bool) -> None:
    """Print the table."""
    where = "a GPU" if gpu else f"{batch.cores()} cores"
    print(f"{f'millions a second on {where}':64} {'':>12} {'and choosing':>12}")
    if gpu:
        from numba import cuda

        import escapade.cuda

        compare(escapade.cuda)
        our_rows(escapade.cuda, cuda.synchronize, games or 1 << 18, whole or 1_000_000, seconds)
    else:
        our_rows(batch, None, games or 1 << 13, whole or 20_000, seconds)
    if not peers:
        return
    for name in PEERS if find_spec("pgx") else ():
        figures = {size: speed(pgx_steps(name, size), seconds) for size in SIZES[gpu]}
        best = max(figures, key=figures.__getitem__)
        report(f"pgx {name}, {best} games: steps with both", None, figures[best])
    if gpu or not find_spec("pettingzoo"):
        return
    from pettingzoo import make

    from escapade.adapters import pettingzoo

    report(
        "PettingZoo's own connect four: steps", speed(pettingzoo_steps(make("aec", "classic/connect_four_v3")), seconds)
    )
    report(
        "PettingZoo, our jamaica, 2 players: steps", speed(pettingzoo_steps(pettingzoo.raw_env("jamaica", 2)), seconds)
    )


if __name__ == "__main__":
    main()
