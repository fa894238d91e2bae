"""How fast networks judge on one core: ends of turns with all that goes into them, and the last two layers alone.

python benchmarks/inference.py
NUMBA_CPU_NAME=generic python benchmarks/inference.py    # as on a processor without AVX2
"""

import time
from collections.abc import Callable
from typing import Any

import click
import numpy as np

import escapade
from escapade import Cartagena, Chance, nets
from escapade.batch import Batch
from escapade.bots import make
from escapade.bots.cartagena.ends import Box, Memory, best_end, list_ends, new_memory
from escapade.bots.cartagena.legend import box_of
from escapade.bots.cartagena.turns import Desk, new_desk
from escapade.bots.evades import ends as evades
from escapade.bots.evades.search import MOST_ENDS, find_ends
from escapade.cartagena import inputs
from escapade.cartagena.editions import EDITIONS
from escapade.cartagena.kernel import States
from escapade.compiled import compiled, records
from escapade.evades import inputs as evades_inputs
from escapade.evades.inputs import Notes
from escapade.evades.kernel import STATE, Numbers, count_rolls
from escapade.nets import Net, Sheet, judge
from escapade.sets import ZERO

BEAM = 4
REPEAT = 5  # times, of which the fastest counts
EVADES_GAMES, DECISIONS = 4, 200


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
def all_rolls(states: States, notes: Notes, box: evades.Box, memory: evades.Memory, chances: Any) -> int:
    """Judge every roll in each state of Les Évadés; how many positions that were, with the one before the roll."""
    rolls = 0
    for k in range(len(states)):
        n = count_rolls(states[k])
        evades.judge_rolls(states[k : k + 1], notes, box, memory, chances[:n])
        rolls += n + 1
    return rolls


@compiled
def all_moves(
    states: States, ends: States, firsts: Numbers, notes: Notes, box: evades.Box, memory: evades.Memory, chances: Any
) -> int:  # fmt: skip
    """Find and judge every end of turn in states of Les Évadés; how many positions that were, with the one before."""
    found = 0
    for k in range(len(states)):
        n = find_ends(states[k : k + 1], ends, firsts, box.rules)
        evades.judge_ends(states[k : k + 1], ends[:n], notes, box, memory, chances[:n])
        found += n + 1
    return found


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


def some_net(kind: Any, name: str, players: int) -> Net:
    """The network that is shipped, or one of weights drawn by chance, which takes as long."""
    if nets.is_shipped(f"{name}-{players}"):
        return nets.load(f"{name}-{players}", kind.VERSION, kind.count(players), kind.outcomes(players))
    rng, shapes = np.random.default_rng(1), nets.shapes(kind.count(players), kind.outcomes(players))
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


def rolls_and_moves(players: int) -> tuple[Any, States, States]:
    """The rules of Les Évadés, and the positions of games at random in their order: before a roll, and after one."""
    games, seen = Batch("evades", players, EVADES_GAMES, seed=1), []
    actions = np.zeros(EVADES_GAMES, np.int64)
    for _ in range(DECISIONS):
        seen.append(games.tables["state"].copy())
        games.choose(actions)
        games.step(actions)
    states = np.stack(seen, axis=1).ravel()
    thrown, bets = states["thrown"] != ZERO, states["turn"] == 0
    return games.box.rules, states[~thrown & ~bets], states[thrown]


@click.command()
@click.option("--games", default=4, show_default=True, help="Games of Cartagena that the positions are from.")
def main(games: int) -> None:
    """Measure and print a row for each edition and number of players."""
    print("| edition | players | ends a turn | µs an end | ends a second | µs a turn by beam | µs to judge alone |")
    print("|---|---|---|---|---|---|---|")
    for edition in EDITIONS:
        for players in (2, 5):
            print(row(turns(edition, players, games), players), flush=True)
    print("\n| Les Évadés, players | rolls | µs a roll | ends a turn | µs an end | µs to judge alone |")
    print("|---|---|---|---|---|---|")
    for players in (2, 3, 6):
        print(evades_row(players), flush=True)


def row(positions: list[Cartagena], players: int) -> str:
    """What was measured in some positions."""
    net, desk = some_net(inputs, "cartagena", players), new_desk()
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


def evades_row(players: int) -> str:
    """What was measured in positions of Les Évadés."""
    rules, before, after = rolls_and_moves(players)
    net = some_net(evades_inputs, "evades", players)
    box, memory = evades.Box(rules, net), evades.new_memory(net)
    notes, chances = np.zeros(evades_inputs.NOTES, np.int8), np.zeros(MOST_ENDS)
    ends, firsts = records(STATE, MOST_ENDS), np.zeros(MOST_ENDS, np.int64)
    rolls, roll = fastest(lambda: all_rolls(before, notes, box, memory, chances))
    moves, move = fastest(lambda: all_moves(after, ends, firsts, notes, box, memory, chances))
    _, alone = fastest(lambda: judge_often(net, memory.sheet, 10_000))
    cells = (
        players,
        f"{rolls / len(before) - 1:.0f}",
        f"{roll:.2f}",
        f"{moves / len(after) - 1:.1f}",
        f"{move:.2f}",
        f"{alone:.2f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
