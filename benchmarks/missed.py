"""What searches of Cartagena miss at a turn, by the network's own search with far more worlds.

python benchmarks/missed.py lookahead legend "legend(width=4)" --game jamaica --players 5 --positions 60

In positions of games of mates the turns that the bots choose, and the one that the network likes best, are tried in the
same worlds, which none of the bots has seen, everyone playing on by the network for a round. What a turn is worth less
than the best of them is what is missed; what the network misjudges is missed by all, and not seen here.
"""

from collections.abc import Iterator
from time import process_time

import click
import numpy as np

import escapade
from escapade.bots import make
from escapade.bots.bot import Either, luck
from escapade.bots.cartagena.advice import BEAM
from escapade.bots.cartagena.ends import new_memory, try_ends
from escapade.bots.cartagena.legend import box_of, like, net_for
from escapade.bots.cartagena.memory import remembered
from escapade.bots.cartagena.players import Searcher, seen
from escapade.bots.cartagena.turns import new_desk
from escapade.cartagena.kernel import STATE
from escapade.compiled import records
from escapade.simulate import in_order

EACH, LATEST = 4, 15  # positions of a game, and the last round that they are taken from


def positions(edition: str, players: int, seed: int) -> Iterator[tuple[str, str]]:
    """Some turns of a game of mates: what their seat sees, and its record."""
    picked = np.random.default_rng(seed).choice(LATEST * players, EACH, replace=False)
    game = escapade.new(f"{edition}+turn-limit=300", players, seed=seed)
    bots, last = [make("mate", game.kind, seed + seat) for seat in range(players)], 0
    while not game.over:
        view, record = game.view(game.seat), game.record(game.seat)
        if game.turn != last and game.turn in picked and len(game.legal_actions()) > 1:
            yield view, record
        last = game.turn
        game.play(bots[game.seat - 1].choose(view, game.legal_actions(), record))


def searcher(bot: str, seed: int) -> Searcher:
    """A bot that searches."""
    made = make(bot, "cartagena", seed)
    made = made.hidden if isinstance(made, Either) else made
    if not isinstance(made, Searcher):
        raise click.BadParameter(f"{bot} does not search", param_hint="BOTS")
    return made


def judge(edition: str, players: int, bots: tuple[str, ...], worlds: int, seed: int) -> list[list[tuple[float, float]]]:
    """For each position of a game: what the network and each bot miss, in points, and the seconds they take."""
    found = []
    for view, record in positions(edition, players, seed):
        game, old = seen(view, record), remembered(view, record)
        net = net_for(game)
        assert net is not None
        box, desk = box_of(game, net), new_desk()
        turns, seconds = [like(game, net, desk)], [0.0]
        for bot in (searcher(name, seed) for name in bots):
            bot.old, began = old, process_time()
            turns.append(bot.turn(seen(view, record), view))
            seconds.append(process_time() - began)
        some, rng, tools = np.unique(turns), luck(seed + 1, view), (box, desk, new_memory(net, BEAM))
        sums, room = np.zeros((len(some), players)), records(STATE, 3)
        for _ in range(worlds if len(some) > 1 else 1):
            try_ends(game.states, room, *tools, some, rng, players, old, sums)
        worth = dict(zip(some.tolist(), (100 * sums[:, game.seat - 1] / worlds).tolist(), strict=True))
        found.append([(max(worth.values()) - worth[turn], taken) for turn, taken in zip(turns, seconds, strict=True)])
    return found


@click.command()
@click.argument("bots", nargs=-1, required=True)
@click.option("--game", default="jamaica", show_default=True, help="Edition with hidden hands.")
@click.option("--players", default=5, show_default=True, help="Seats.")
@click.option("--positions", default=60, show_default=True, help="How many positions, or a few more.")
@click.option("--worlds", default=1000, show_default=True, help="Worlds that choices are judged in.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first game.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(bots: tuple[str, ...], game: str, players: int, positions: int, worlds: int, seed: int, jobs: int) -> None:
    """Play, judge, and print a row for each bot."""
    for bot in bots:
        searcher(bot, 1)
    rows: list[list[tuple[float, float]]] = []
    for some in in_order(judge, ((game, players, bots, worlds, seed + k) for k in range(positions)), jobs):
        rows += some
        if len(rows) >= positions:
            break
    missed, seconds = np.moveaxis(np.array(rows), 2, 0)
    print(f"{game}, {players} players, {len(rows)} positions, seed {seed}\n")
    print("| bot | points missed | more than 2 missed | s/turn |\n|---|---|---|---|")
    for k, name in enumerate(("the network", *bots)):
        error, often = missed[:, k].std() / np.sqrt(len(rows)), np.mean(missed[:, k] > 2)
        print(f"| {name} | {missed[:, k].mean():.2f} ± {error:.2f} | {often:.0%} | {seconds[:, k].mean():.2f} |")


if __name__ == "__main__":
    main()
