"""What it would be worth to know the other's hand: a bot that is told it against the same bot that is not.

python benchmarks/hands.py --bot "captain(slips=1)" --games 400

No reading of hands from how they are played can gain more than that. Two players of an edition with hidden hands; each
deal is played from both seats. The one that is told sees the other's cards in its view, but not the pile.
"""

import click

import escapade
from escapade.bots import make
from escapade.game import Game
from escapade.simulate import in_order, wilson


def told(game: Game) -> str:
    """The view of the seat to act, with everyone's cards."""
    fields = game.view(game.seat).split(" ")
    fields[3] = str(game).split(" ")[3]
    return " ".join(fields)


def play(edition: str, bot: str, deal: int, seat: int) -> int:
    """Play a deal, told in this seat: 1 won, -1 lost, 0 drawn."""
    game = escapade.new(f"{edition}+turn-limit=300", 2, seed=deal)
    bots = [make(bot, game.kind, deal + k) for k in range(2)]
    while not game.over:
        view = told(game) if game.seat == seat else game.view(game.seat)
        game.play(bots[game.seat - 1].choose(view, game.legal_actions(), game.record(game.seat)))
    return (1 if seat in game.winners else -1) if game.winners else 0


@click.command()
@click.option("--edition", default="jamaica", show_default=True, help="One with hidden hands.")
@click.option("--bot", default="captain(slips=1)", show_default=True, help="Who plays.")
@click.option("--games", default=400, show_default=True, help="How many games.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first deal.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(edition: str, bot: str, games: int, seed: int, jobs: int) -> None:
    """Play, and print what the one that is told wins."""
    tasks = ((edition, bot, seed + number // 2, 1 + number % 2) for number in range(games))
    results = list(in_order(play, tasks, jobs))
    won, decided = results.count(1), len(results) - results.count(0)
    low, high = wilson(won, decided)
    print(f"{edition}, {bot}: told wins {won} of {decided}, {won / decided:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
