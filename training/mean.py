"""Make one network out of several that began with the same weights: the mean of their weights.

python training/mean.py mean.npz champion.npz exploiter.npz another.npz --part 2 --part 1 --part 1

One that learns to beat another may forget how to beat those before; the mean of such a line was beaten clearly by none
of them (LOG.md, 2026-11-20). The file is a checkpoint as train.py and ship.py take it.
"""

import json
from pathlib import Path

import click
import numpy as np
from doubt import about
from train import read_weights

from escapade.games import kinds


@click.command()
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("networks", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--game", default="evades", show_default=True, help="The kind of game.")
@click.option("--players", default=2, show_default=True, help="How many play.")
@click.option("--part", "parts", multiple=True, type=float, help="How much each counts, in order.  [default: the same]")
def main(out: Path, networks: tuple[Path, ...], game: str, players: int, parts: tuple[float, ...]) -> None:
    """Write the mean of NETWORKS, checkpoints or shipped weights, to OUT."""
    if parts and len(parts) != len(networks):
        raise click.UsageError(f"{len(parts)} parts for {len(networks)} networks")
    inputs = kinds()[game].inputs
    assert inputs is not None
    size = inputs.count(players), inputs.outcomes(players)
    flats = [read_weights(np, network, *size).flat for network in networks]
    told = [about(network) for network in networks]
    summed = {key: sum(one[key] for one in told) for key in ("done", "games")}
    with out.open("wb") as file:
        np.savez(
            file, flat=np.average(flats, 0, parts or None).astype(np.float32), about=json.dumps({**told[0], **summed})
        )
    print(f"{out}: the mean of {len(networks)}")


if __name__ == "__main__":
    main()
