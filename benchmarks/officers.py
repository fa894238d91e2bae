"""How far the levels from boatswain to mate are apart: two players, whole games in compiled code.

python benchmarks/officers.py --games 1000

These levels play by the network, and in so many turns of a hundred never think of the others; where a level does
otherwise in an edition there is a dash. Each deal is played from both seats; games without a winner are left out.
"""

from itertools import pairwise

import click
import numpy as np

from escapade.bots import row_of
from escapade.bots.cartagena import legend as cartagena
from escapade.bots.cartagena.whole import ALL
from escapade.bots.cartagena.whole import Player as CartagenaPlayer
from escapade.bots.evades import legend as evades
from escapade.bots.evades.whole import Player as EvadesPlayer
from escapade.games import kinds
from escapade.simulate import wilson

LEVELS = "buccaneer", "boatswain", "helmsman", "quartermaster", "mate"


def slips(kind: str, edition: str, level: str) -> int | None:
    """How many turns of a hundred a level spoils in an edition, or None where it does not play by network alone."""
    rules = kinds()[kind]
    maker, parameters = row_of(kind, level, rules.game.hides(rules.edition(edition)))
    return int(parameters["slips"]) if maker in (cartagena.Officer, evades.Officer) else None


def shares(kind: str, edition: str, games: int, spoilt: tuple[int, int]) -> tuple[float, float]:
    """What the first of two wins, and how many games were decided."""
    player = (CartagenaPlayer if kind == "cartagena" else EvadesPlayer)(edition, 2, 1)
    won = decided = 0.0
    for game in range(games):
        seat = game % 2
        by_seat = np.array(spoilt if seat == 0 else spoilt[::-1], np.int64)
        player.deal(game // 2)
        if isinstance(player, CartagenaPlayer):
            winner, _, _ = player.play(game // 2, np.full(2, ALL), by_seat)
            decided += winner >= 0
            won += winner == seat
        else:
            both, _, _ = player.play(game // 2, by_seat)
            decided += both.max() == 1
            won += both[seat] == 1
    return won, decided


@click.command()
@click.option("--games", default=1000, show_default=True, help="Games of each step in each edition.")
def main(games: int) -> None:
    """Print a row for each step."""
    editions = [(kind, edition) for kind in ("cartagena", "evades") for edition in kinds()[kind].editions]
    print(f"| match | {' | '.join(edition for _, edition in editions)} |\n|{'---|' * (1 + len(editions))}")
    for worse, better in pairwise(LEVELS):
        cells = []
        for kind, edition in editions:
            fewer, more = slips(kind, edition, better), slips(kind, edition, worse)
            if fewer is None or more is None:
                cells.append("-")
                continue
            won, decided = shares(kind, edition, games, (fewer, more))
            low, high = wilson(won, decided)
            cells.append(f"{won:.0f} of {decided:.0f}, {won / decided:.0%} ({low:.0%} to {high:.0%})")
        print(f"| {better} v {worse} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
