"""Make a network of Les Évadés trust less in what the others have done: its inputs for that count in part only.

python training/doubt.py src/escapade/weights/evades-2.npz doubting.npz --share 0.85

Who believes whatever it reads can be led astray; what an exploiter wins then, and what doubting costs, is in LOG.md
(2026-11-19). The file is a checkpoint as train.py and ship.py take it.
"""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np
from train import read_weights

from escapade.evades import inputs
from escapade.nets import PARTS


def about(path: Path) -> dict[str, Any]:
    """How a network was trained, from its checkpoint or, where it is shipped, from its card."""
    with np.load(path, allow_pickle=False) as file:
        if PARTS[0] not in file:
            told: dict[str, Any] = json.loads(str(file["about"]))
            return told
    card = json.loads(path.with_suffix(".json").read_text())
    data = card["data"]
    return {"editions": data["editions"], "done": data["decisions"], "games": data["games"], "command": card["command"]}


@click.command()
@click.argument("network", type=click.Path(path_type=Path, exists=True))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--players", default=2, show_default=True, help="How many play.")
@click.option("--share", default=0.85, show_default=True, help="How much what the others have done counts.")
def main(network: Path, out: Path, players: int, share: float) -> None:
    """Write NETWORK, a checkpoint or shipped weights, with its doubts to OUT."""
    net = read_weights(np, network, inputs.count(players), inputs.outcomes(players))
    first = net.parts(net.flat)[0]
    first[inputs.OTHERS :] *= share
    with out.open("wb") as file:
        np.savez(file, flat=net.flat, about=json.dumps(about(network)))
    print(f"{out}: what the others have done counts for {share:g}")


if __name__ == "__main__":
    main()
