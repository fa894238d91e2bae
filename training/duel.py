"""What one network wins against another, both without search and noise.

python training/duel.py evades doubting.npz src/escapade/weights/evades-2.npz --games 8192

Networks are checkpoints or weights as shipped. With more than two players the first sits alone among copies of the
other, at every seat as often.
"""

from importlib.util import find_spec
from pathlib import Path

import click
from train import Table, match, read_weights

from escapade.games import kinds
from escapade.simulate import wilson

AT_ONCE = 4096


@click.command()
@click.argument("game")
@click.argument("network", type=click.Path(path_type=Path, exists=True))
@click.argument("other", type=click.Path(path_type=Path, exists=True))
@click.option("--players", default=2, show_default=True, help="How many play.")
@click.option("--games", default=AT_ONCE, show_default=True, help="About how many games.")
@click.option("--seed", default=1, show_default=True, help="Of deals.")
@click.option("--machine", type=click.Choice(["gpu", "processor"]), help="Where.  [default: gpu, if CuPy is installed]")
def main(game: str, network: Path, other: Path, players: int, games: int, seed: int, machine: str | None) -> None:
    """Play NETWORK against OTHER in GAME: a kind of game with all its editions, or one edition."""
    editions = list(kinds()[game].editions) if game in kinds() else [game]
    machine = machine or ("gpu" if find_spec("cupy") else "processor")
    won = played = 0.0
    while played < games:
        table = Table(machine, editions, players, min(games, AT_ONCE), seed + int(played))
        first, second = (read_weights(table.xp, path, table.words, table.outcomes) for path in (network, other))
        won += match(first, second, table) * table.games
        played += table.games
    low, high = wilson(won, played)
    print(f"{network} wins {won / played:.1%} of {played:,.0f} games ({low:.1%} to {high:.1%}) against {other}")


if __name__ == "__main__":
    main()
