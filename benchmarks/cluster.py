"""What a Ray cluster costs beside processes: the same games on the same cores, by `--jobs` and by `--cluster`, in turn.

python benchmarks/cluster.py --jobs 2 --games 600 --rounds 5

The cluster is one of this machine with as many processors as there are jobs. Its start, and the first games, for which
its processes load the bots, are told apart: on both sides what is compared is playing, from a call to the last game.
The first game of a call is played twice by both, as the commands do it.
"""

import time
from statistics import median

import click

from escapade.cluster import Workers, join
from escapade.simulate import Match, Played, play_games


def timed(match: Match, games: int, workers: Workers) -> tuple[float, list[Played]]:
    """How long games take, and what is the same about them wherever they are played."""
    began = time.perf_counter()
    played = [game._replace(thought=()) for chunk in play_games(match, games, workers) for game in chunk]
    return time.perf_counter() - began, played


@click.command()
@click.option("--jobs", default=2, show_default=True, help="Processes, and processors of the cluster.")
@click.option("--games", default=600, show_default=True, help="Games of each measurement.")
@click.option("--rounds", default=5, show_default=True, help="Measurements of both, in turn.")
@click.option("--game", default="jamaica", show_default=True, help="Edition.")
@click.option("--bot", default="buccaneer", show_default=True, help="Who plays.")
def main(jobs: int, games: int, rounds: int, game: str, bot: str) -> None:
    """Measure."""
    match = Match(game, (bot, bot), 7, True)
    began = time.perf_counter()
    with join("local", jobs) as cluster:
        click.echo(f"starting a cluster: {time.perf_counter() - began:.1f} s")
        click.echo(f"first games: {timed(match, 4 * jobs, jobs)[0]:.1f} s by processes, ", nl=False)
        click.echo(f"{timed(match, 4 * jobs, cluster)[0]:.1f} s on the cluster")
        click.echo(f"{games} games of {game}, {bot}, in seconds\n{'processes':>10} {'cluster':>10} {'ratio':>10}")
        ratios = []
        for turn in range(rounds):
            both: list[Workers] = [jobs, cluster]
            found = {workers: timed(match, games, workers) for workers in (both if turn % 2 == 0 else both[::-1])}
            if found[jobs][1] != found[cluster][1]:
                raise click.ClickException("the games are not the same")
            ratios.append(found[cluster][0] / found[jobs][0])
            click.echo(f"{found[jobs][0]:>10.2f} {found[cluster][0]:>10.2f} {ratios[-1]:>10.3f}")
        click.echo(f"median of the ratios: {median(ratios):.3f}")


if __name__ == "__main__":
    main()
