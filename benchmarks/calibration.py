"""How honest winning chances are: what an analysis says of each turn of many games, against who won them.

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


def told_and_true(game_text: str, players: int, bot: str, seed: int) -> list[tuple[float, float]]:
    """Each seat's chance at the start of every turn of a game, and its share of the win."""
    game = escapade.new(f"{game_text}+turn-limit=300", players, seed=seed)
    seats = [make(bot, game.kind, seed + seat) for seat in range(players)]
    told: list[tuple[float, ...]] = []
    last = 0
    while not game.over:
        if game.turn != last:
            last = game.turn
            told.append(outlook(str(game), 1, 1.0))
        mind = seats[game.seat - 1]
        record = game.record(game.seat) if mind.remembers else None
        game.play(mind.choose(game.view(game.seat), game.legal_actions(), record))
    shares = [(seat in game.winners) / max(1, len(game.winners)) for seat in range(1, players + 1)]
    return [pair for chances in told for pair in zip(chances, shares, strict=True)]


@click.command()
@click.option("--game", default="jamaica", show_default=True, help="Edition.")
@click.option("--players", default=2, show_default=True, help="Seats.")
@click.option("--bot", default="captain", show_default=True, help="Who plays.")
@click.option("--games", default=60, show_default=True, help="How many games.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(game: str, players: int, bot: str, games: int, jobs: int) -> None:
    """Play, compare, print."""
    tasks = ((game, players, bot, seed) for seed in range(games))
    pairs = np.array([pair for some in in_order(told_and_true, tasks, jobs) for pair in some])
    chance, won = pairs.T
    print(f"{game}, {players} players, {games} games of {bot}\n")
    print("| told | turns | told on average | won |\n|---|---|---|---|")
    for low, high in pairwise(EDGES):
        some = (chance >= low) & ((chance < high) | (high == 1))
        if some.any():
            cells = f"{some.sum()} | {chance[some].mean():.0%} | {won[some].mean():.0%}"
            print(f"| {low:.0%} to {high:.0%} | {cells} |")
    print(f"\nBrier score {((chance - won) ** 2).mean():.3f}; knowing nothing {((1 / players - won) ** 2).mean():.3f}.")


if __name__ == "__main__":
    main()
