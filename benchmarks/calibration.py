"""How well calibrated winning chances are: what an analysis predicts at each turn of many games, against who won.

python benchmarks/calibration.py --game jamaica --players 2 --games 60
"""

from itertools import pairwise

import click
import numpy as np

import escapade
from escapade.bots import make
from escapade.hints import outlook
from escapade.simulate import in_order

EDGES = (0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.0)


def predicted_and_actual(game_text: str, players: int, bot: str, seed: int) -> list[tuple[float, float]]:
    """Each seat's chance at the start of every turn of a game, and its share of the win."""
    game = escapade.new(f"{game_text}+turn-limit=300", players, seed=seed)
    seats = [make(bot, game.kind, seed + seat) for seat in range(players)]
    predicted: list[tuple[float, ...]] = []
    last = 0
    while not game.over:
        if game.turn != last:
            last = game.turn
            predicted.append(outlook(str(game), 1, 1.0))
        seated = seats[game.seat - 1]
        record = game.record(game.seat) if seated.remembers else None
        game.play(seated.choose(game.view(game.seat), game.legal_actions(), record))
    shares = [(seat in game.winners) / max(1, len(game.winners)) for seat in range(1, players + 1)]
    return [pair for chances in predicted for pair in zip(chances, shares, strict=True)]


@click.command()
@click.option("--game", default="jamaica", show_default=True, help="Edition.")
@click.option("--players", default=2, show_default=True, help="Seats.")
@click.option("--bot", default="captain", show_default=True, help="Who plays.")
@click.option("--games", default=60, show_default=True, help="How many games.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(game: str, players: int, bot: str, games: int, jobs: int) -> None:
    """Play, compare, print."""
    tasks = ((game, players, bot, seed) for seed in range(games))
    pairs = np.array([pair for some in in_order(predicted_and_actual, tasks, jobs) for pair in some])
    chance, won = pairs.T
    print(f"{game}, {players} players, {games} games of {bot}\n")
    print("| predicted | turns | on average | won |\n|---|---|---|---|")
    for low, high in pairwise(EDGES):
        some = (chance >= low) & ((chance < high) | (high == 1))
        if some.any():
            cells = f"{some.sum()} | {chance[some].mean():.0%} | {won[some].mean():.0%}"
            print(f"| {low:.0%} to {high:.0%} | {cells} |")
    print(f"\nBrier score {((chance - won) ** 2).mean():.3f}; knowing nothing {((1 / players - won) ** 2).mean():.3f}.")


if __name__ == "__main__":
    main()
