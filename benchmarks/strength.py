"""How strong the bots are: every match of docs/strength.md, played again and printed as the rows of its tables.

python benchmarks/strength.py --jobs 2
python benchmarks/strength.py --jobs 16 --only ladder
python benchmarks/strength.py --only "legend captain tortuga"
"""

from datetime import date
from itertools import pairwise
from typing import NamedTuple

import click

from escapade import arena
from escapade.games import LEVELS
from escapade.simulate import Match

CARTAGENA = ("jamaica", "tortuga", "hispaniola", "first-escape", "first-escape-open")
LADDER = tuple((better, worse) for worse, better in pairwise(LEVELS))
STEPS = (("sailor", "cabin-boy"), ("buccaneer", "sailor"), ("mate", "buccaneer"), ("legend", "mate"))
YARDSTICKS = (("legend", "lookahead"), ("sailor", "random"), ("legend", "greedy"), ("legend", "random"))


class Contest(NamedTuple):
    """A match: the first bot against the second, or against copies of it."""

    first: str
    second: str
    game: str
    players: int
    games: int

    @property
    def words(self) -> list[str]:
        """What it can be picked by."""
        is_step = self.players == 2 and (self.first, self.second) in LADDER
        return [*self.command.split(), *(["ladder"] if is_step else [])]

    @property
    def command(self) -> str:
        """How to play it again by hand."""
        seats = f" --players {self.players}" if self.players > 2 else ""
        return f"escapade arena {self.first} {self.second} --game {self.game}{seats} --games {self.games} --seed 1"


def contests() -> list[Contest]:
    """All matches: every pair of neighbouring levels for two players in every edition, then larger tables."""
    rungs = [(*pair, game, 2) for game in (*CARTAGENA, "evades") for pair in LADDER + YARDSTICKS]
    sizes = [("jamaica", 3), ("tortuga", 3), ("jamaica", 5), ("tortuga", 5), ("evades", 3), ("evades", 4)]
    tables = [(*pair, *size) for size in sizes for pair in (*STEPS[: 3 if 5 in size else 4], YARDSTICKS[0])]
    return [Contest(*row, games_of(*row)) for row in rungs + tables]


def games_of(first: str, second: str, game: str, players: int) -> int:
    """Enough games to see the difference; fewer where the legend is far stronger, because it is slow."""
    if players > 2:
        return 20 * players
    if second == "lookahead":
        return 200
    return 300 if (first, second) in LADDER else {"sailor": 300, "legend": 20}[first]


@click.command()
@click.option("--jobs", default=2, show_default=True, help="Processes to play on.")
@click.option(
    "--only",
    default="",
    help="Only matches that have all these words in their command, or `ladder`: one level against the next.",
)
def main(jobs: int, only: str) -> None:
    """Play the matches and print a row for each."""
    print(f"Played on {date.today().isoformat()}.\n")
    print(
        "| match | players | won of decided | 95 % interval | undecided | ms/action | |\n|---|---|---|---|---|---|---|"
    )
    for contest in contests():
        if all(word in contest.words for word in only.split()):
            print(row(contest, jobs), flush=True)


def row(contest: Contest, jobs: int) -> str:
    """One match as a line of a table."""
    match = Match(contest.game, (contest.first, contest.second), 1, False)
    result = arena.summary(match, list(arena.play(match, contest.players, contest.games, jobs)), None)
    bot = result["bots"][0]
    names = f"{contest.game}: {contest.first} v {contest.second}"
    share = f"{bot['won']} of {bot['games']}, {bot['won'] / bot['games']:.0%}"
    interval = f"{bot['share_low']:.0%} to {bot['share_high']:.0%}"
    undecided = result["drawn"] + result["shared"]
    pace = " / ".join(f"{one['ms_per_action']:.1f}" for one in result["bots"])
    cells = (names, contest.players, share, interval, undecided, pace, f"`{contest.command}`")
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
