"""How fast networks judge on one core: ends of turns with all that goes into them, and the last two layers alone.

python benchmarks/inference.py
NUMBA_CPU_NAME=generic python benchmarks/inference.py    # as on a processor without AVX2
"""

import time
from collections.abc import Callable

import click
import numpy as np

import escapade
from escapade import Cartagena, Chance, nets
from escapade.bots import make
from escapade.bots.cartagena.ends import Box, Memory, best_end, list_ends, new_memory
from escapade.bots.cartagena.legend import box_of
from escapade.bots.cartagena.turns import Desk, new_desk
from escapade.cartagena import inputs
from escapade.cartagena.editions import EDITIONS
from escapade.cartagena.kernel import States
from escapade.compiled import compiled
from escapade.nets import Net, Sheet, judge

BEAM = 4
REPEAT = 5  # times, of which the fastest counts


@compiled
def all_ends(states: States, box: Box, desk: Desk, memory: Memory) -> int:
    """Judge every end of turn in each state; how many they were."""
    ends = 0
    for k in range(len(states)):
        ends += list_ends(states[k], False, box, desk, memory)
    return ends


@compiled
def some_ends(states: States, box: Box, desk: Desk, memory: Memory) -> int:
    """Find a good turn in each state; how many states there were."""
    for k in range(len(states)):
        best_end(states[k], False, box, desk, memory)
    return len(states)


@compiled
def judge_often(net: Net, sheet: Sheet, times: int) -> int:
    """Judge the same position again and again."""
    for _ in range(times):
        judge(net, sheet.sums[0], sheet)
    return times


def fastest(work: Callable[[], int]) -> tuple[int, float]:
    """What some work counts, and microseconds for each."""
    best, count = 1e9, work()
    for _ in range(REPEAT):
        began = time.thread_time()
        work()
        best = min(best, time.thread_time() - began)
    return count, 1e6 * best / count


def some_net(players: int) -> Net:
    """A network of weights drawn by chance: it takes as long as one that has learned."""
    rng = np.random.default_rng(1)
    shapes = nets.shapes(inputs.count(players), players)
    return nets.made_of({name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()})


def turns(edition: str, players: int, games: int) -> list[Cartagena]:
    """The beginnings of turns in some games, as the seats to act see them."""
    found, bot = [], make("buccaneer", "cartagena", 1)
    for seed in range(games):
        game = escapade.new(edition, players, seed=seed)
        while not game.over:
            view = game.view(game.seat)
            position = Cartagena.parse(view, Chance(0))
            if position.actions == 0:
                found.append(position)
            game.play(bot.choose(view, game.legal_actions()))
    return found


@click.command()
@click.option("--games", default=4, show_default=True, help="Games that the positions are from.")
def main(games: int) -> None:
    """Measure and print a row for each edition and number of players."""
    print("| edition | players | ends a turn | µs an end | ends a second | µs a turn by beam | µs to judge alone |")
    print("|---|---|---|---|---|---|---|")
    for edition in EDITIONS:
        for players in (2, 5):
            print(row(turns(edition, players, games), players), flush=True)


def row(positions: list[Cartagena], players: int) -> str:
    """What was measured in some positions."""
    net, desk = some_net(players), new_desk()
    states, box, memory = (
        np.concatenate([game.states for game in positions]),
        box_of(positions[0], net),
        new_memory(net, BEAM),
    )
    ends, each = fastest(lambda: all_ends(states, box, desk, memory))
    _, turn = fastest(lambda: some_ends(states, box, desk, memory))
    _, alone = fastest(lambda: judge_often(net, memory.sheet, 10_000))
    cells = positions[0].edition.name, players, ends // len(states), f"{each:.2f}", f"{1e6 / each:,.0f}"
    return f"| {' | '.join(map(str, (*cells, f'{turn:.0f}', f'{alone:.2f}')))} |"


if __name__ == "__main__":
    main()
