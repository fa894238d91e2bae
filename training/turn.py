"""Tune the weights that Cartagena's planner chooses turns by: planners that differ in one weight play the same deals.

    python training/turn.py --games 400 --jobs 2

Starting from `TURN`, each weight is tried a little higher and lower against the best so far, and kept if it scores more
than two standard errors above one half, until a round keeps nothing. Prints every trial, then the weights.
"""

import click
import numpy as np

import escapade
from escapade.bots.cartagena.evaluation import TURN
from escapade.bots.cartagena.players import Planner
from escapade.simulate import in_order

EDITIONS = ("jamaica", "tortuga")
TUNED = {1: "cards", 2: "crowd", 3: "leaps", 4: "others"}


def deal(edition: str, seed: int, new: tuple[float, ...], old: tuple[float, ...]) -> list[float]:
    """Play a deal from both seats: 1 for each game that the new weights win, a half for a draw."""
    points = []
    for seats in ((new, old), (old, new)):
        game = escapade.new(f"{edition}+turn-limit=300", 2, seed=seed)
        bots = [Planner(1, np.array(weights)) for weights in seats]
        while not game.over:
            game.play(bots[game.seat - 1].choose(game.view(game.seat), game.legal_actions()))
        points.append(float(seats[game.winners[0] - 1] is new) if game.winners else 0.5)
    return points


@click.command()
@click.option("--games", default=400, show_default=True, help="Games of every trial.")
@click.option("--step", default=0.2, show_default=True, help="By how much a weight is changed, as a share of it.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first deal.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(games: int, step: float, seed: int, jobs: int) -> None:
    """Try, keep, print."""
    best, kept = tuple(TURN.tolist()), True
    while kept:
        kept = False
        for weight, name in TUNED.items():
            for factor in (1 + step, 1 - step):
                new = (*best[:weight], best[weight] * factor, *best[weight + 1 :])
                deals = [(edition, seed + k, new, best) for k in range(games // 4) for edition in EDITIONS]
                points = np.concatenate(list(in_order(deal, deals, jobs)))
                error = points.std() / np.sqrt(len(points))
                better = bool(points.mean() > 0.5 + 2 * error)
                print(
                    f"{name} {new[weight]:.3f}: {points.mean():.3f} ± {2 * error:.3f} {'kept' if better else ''}",
                    flush=True,
                )
                if better:
                    best, kept, seed = new, True, seed + games
    print(f"TURN = {np.round(best, 3).tolist()}")


if __name__ == "__main__":
    main()
