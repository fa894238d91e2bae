"""Learn the value of positions of Cartagena: bots play themselves, and a regression predicts who wins.

    python training/weights.py --games 400 --bot captain --jobs 2

Every turn of every game is one example: the features of each seat (escapade.bots.cartagena.evaluation), and who won.
The chance to win is modelled as a softmax over the seats of a weighted sum of the features. The weights of maximum
likelihood are printed as a row for `CHANCE`, with the mean log loss on held-out games. Needs SciPy, a development
package.
"""

from typing import Any, TypeAlias

import click
import numpy as np
from scipy.optimize import minimize

import escapade
from escapade.bots import make
from escapade.bots.cartagena.evaluation import NAMES, write_features
from escapade.cartagena.position import Cartagena
from escapade.simulate import in_order

EDITIONS = ("jamaica", "tortuga")
Reals: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Example: TypeAlias = tuple[Reals, int]  # seats x features, and the winner
Group: TypeAlias = tuple[Reals, np.ndarray[Any, np.dtype[np.int64]]]  # examples x seats x features, and the winners


def play(bot: str, edition: str, players: int, seed: int) -> list[Example]:
    """The turns of one game, each with the winner of the game; none if it was drawn."""
    game = escapade.new(f"{edition}+turn-limit=300", players, seed=seed)
    assert isinstance(game, Cartagena)
    seats = [make(bot, game.kind, seed * 10 + seat) for seat in range(players)]
    turns: list[Reals] = []
    while not game.over:
        if game.actions == 0:
            turns.append(write_features(game.states, game.rules, np.zeros((players, len(NAMES)))))
        game.play(seats[game.seat - 1].choose(game.view(game.seat), game.legal_actions()))
    return [(turn, game.winners[0] - 1) for turn in turns] if game.winners else []


def loss(weights: Reals, groups: list[Group]) -> tuple[float, Reals]:
    """Mean log loss and its gradient."""
    total, slope, n = 0.0, np.zeros_like(weights), 0
    for features, winners in groups:
        worth = features @ weights
        worth -= worth.max(axis=1, keepdims=True)
        chances = np.exp(worth)
        chances /= chances.sum(axis=1, keepdims=True)
        rows = np.arange(len(winners))
        total -= np.log(chances[rows, winners]).sum()
        slope += np.einsum("es,esf->f", chances, features) - features[rows, winners].sum(axis=0)
        n += len(winners)
    return total / n, slope / n


def fit(groups: list[Group]) -> Reals:
    """The weights with the least loss."""
    spread = np.concatenate([f.reshape(-1, len(NAMES)) for f, _ in groups]).std(axis=0) + 1e-9
    scaled = [(features / spread, winners) for features, winners in groups]
    found = minimize(loss, np.zeros(len(NAMES)), args=(scaled,), jac=True, method="L-BFGS-B")
    weights: Reals = found.x / spread
    return weights


@click.command()
@click.option("--games", default=200, help="Games of each edition and number of players.")
@click.option("--bot", default="captain", help="Who plays them.")
@click.option("--seed", default=1, help="Seed of the first game.")
@click.option("--jobs", default=2, help="Processes.")
def main(games: int, bot: str, seed: int, jobs: int) -> None:
    """Play, fit, print."""
    for players in range(2, 6):
        tasks = ((bot, edition, players, seed + number) for number in range(games) for edition in EDITIONS)
        played = [game for game in in_order(play, tasks, jobs) if game]
        turns = sum(map(len, played)) / len(played)
        print(f"{players} players: {len(played)} games won, {turns:.0f} turns", flush=True)
        report([(np.array([f for f, _ in game]), np.array([w for _, w in game])) for game in played])


def report(games: list[Group]) -> None:
    """Fit to nine games in ten; print the loss on the others, and the weights, relative to progress and as a row."""

    def join(some: list[Group]) -> list[Group]:
        return [(np.concatenate([f for f, _ in some]), np.concatenate([w for _, w in some]))]

    weights = fit(join([game for number, game in enumerate(games) if number % 10]))
    apart, blind = loss(weights, join(games[::10]))[0], loss(0 * weights, join(games[::10]))[0]
    ratios = ", ".join(f"{name} {weight / weights[0]:.2f}" for name, weight in zip(NAMES, weights, strict=True))
    print(f"  loss {apart:.3f} (knowing nothing {blind:.3f}), {1 / weights[0]:.1f} spaces a unit: {ratios}")
    print(f"  {np.round(weights, 4).tolist()}", flush=True)


if __name__ == "__main__":
    main()
