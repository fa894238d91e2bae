"""Learn what a position of Cartagena is worth: games of bots against themselves, and a regression on who won them.

    python training/weights.py --games 400 --bot captain --jobs 2

Every turn of every game is one example: what counts for each seat (escapade.bots.evaluation), and the winner. The
chance to win is taken as a softmax over the seats of a weighted sum, and the weights that make the winners likeliest
are printed as a row for `CHANCE`, with the mean log loss on games that were kept apart.
"""

import click
import numpy as np
from scipy.optimize import minimize

import escapade
from escapade.bots import make
from escapade.bots.cartagena.evaluation import NAMES, write_features
from escapade.simulate import in_order

EDITIONS = ("jamaica", "tortuga")
Example = tuple[np.ndarray, int]  # seats x features, and the winner


def play(bot: str, edition: str, players: int, seed: int) -> list[Example]:
    """The turns of one game, each with its winner; none where it was drawn."""
    game = escapade.new(f"{edition}+turn-limit=300", players, seed=seed)
    seats = [make(bot, "cartagena", seed * 10 + seat) for seat in range(players)]
    turns: list[np.ndarray] = []
    while not game.over:
        if game.actions == 0:
            turns.append(write_features(game._state, game.rules, np.zeros((players, len(NAMES)))))
        game.play(seats[game.seat - 1].choose(game.view(game.seat), game.legal_actions()))
    return [(turn, game.winners[0] - 1) for turn in turns] if game.winners else []


def loss(weights: np.ndarray, groups: list[tuple[np.ndarray, np.ndarray]]) -> tuple[float, np.ndarray]:
    """Mean log loss and its gradient; a group has examples x seats x features, and the winners."""
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


def fit(groups: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The weights with the least loss."""
    spread = np.concatenate([f.reshape(-1, len(NAMES)) for f, _ in groups]).std(axis=0) + 1e-9
    scaled = [(features / spread, winners) for features, winners in groups]
    found = minimize(loss, np.zeros(len(NAMES)), args=(scaled,), jac=True, method="L-BFGS-B")
    return found.x / spread


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


def report(games: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Fit on nine games in ten, and print the weights, in spaces and as a row, and the loss on the tenth."""

    def join(some: list[tuple[np.ndarray, np.ndarray]]) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.concatenate([f for f, _ in some]), np.concatenate([w for _, w in some]))]

    weights = fit(join([game for number, game in enumerate(games) if number % 10]))
    apart, blind = loss(weights, join(games[::10]))[0], loss(0 * weights, join(games[::10]))[0]
    told = ", ".join(f"{name} {weight / weights[0]:.2f}" for name, weight in zip(NAMES, weights, strict=True))
    print(f"  loss {apart:.3f} (knowing nothing {blind:.3f}), {1 / weights[0]:.1f} spaces a unit: {told}")
    print(f"  {np.round(weights, 4).tolist()}", flush=True)


if __name__ == "__main__":
    main()
