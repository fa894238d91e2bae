"""Make a checkpoint of train.py into weights that the package ships, with their card.

python training/ship.py cartagena-2.npz cartagena-2 --strength "92 % of 200 games of jamaica against lookahead"
"""

import json
import subprocess
from pathlib import Path

import click
import numpy as np
from learner import Learner

import escapade
from escapade import nets
from escapade.games import kind_of, kinds

FOLDER = Path(nets.__file__).parent / nets.WEIGHTS
NEVER = -30.0  # what nobody's win weighs with two players, who share such a game, so that it was never learned
LIMITS = "Made for the printed editions; under other rules its chances mean little."


@click.command()
@click.argument("checkpoint", type=click.Path(path_type=Path, exists=True))
@click.argument("name")
@click.option("--command", default="", help="How it was trained, if the checkpoint does not tell.")
@click.option("--strength", default="not measured", show_default=True, help="What it won against whom.")
@click.option("--limits", default=LIMITS, show_default=True, help="What it is not made for.")
def main(checkpoint: Path, name: str, command: str, strength: str, limits: str) -> None:
    """Ship CHECKPOINT as NAME: a kind of game, or one edition, and how many play, as in cartagena-2 and jamaica-2."""
    game, _, players = name.rpartition("-")
    inputs = (kinds().get(game) or kind_of(game)).inputs
    assert inputs is not None
    words, outcomes = inputs.count(int(players)), inputs.outcomes(int(players))
    with np.load(checkpoint, allow_pickle=False) as file:
        about, flat = json.loads(str(file["about"])), file["flat"]
    first, first_bias, second, second_bias, third, third_bias = Learner(np, words, outcomes, 0).parts(flat)
    shared = outcomes > int(players) == 2
    if shared:
        third_bias[-1] = NEVER
    layers = first, first_bias, second.T, second_bias, third.T, third_bias
    units = f"{nets.FIRST} and {nets.SECOND} units"
    nobody = " and nobody" if outcomes > int(players) else ""
    nobody += f", which it was not trained for (bias {NEVER:g})" if shared else ""
    head = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    card = {
        "name": name,
        "architecture": f"{64 * words} inputs, {units}, ReLU, softmax over {players} seats{nobody}",
        "layout": inputs.VERSION,
        "inputs": inputs.LAYOUT.splitlines(),
        "rules": escapade.__version__,
        "commit": head.stdout.strip(),
        "command": command or about.get("command", "unknown"),
        "data": {"editions": about["editions"], "decisions": about["done"], "games": about["games"]},
        "strength": strength,
        "limits": limits,
    }
    FOLDER.mkdir(exist_ok=True)
    nets.write(FOLDER, name, dict(zip(nets.PARTS, layers, strict=True)), card)
    nets.read(FOLDER, name, inputs.VERSION, words, outcomes)
    print(f"{FOLDER / name}.npz")


if __name__ == "__main__":
    main()
