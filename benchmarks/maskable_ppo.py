"""Whether somebody else's learner learns here: MaskablePPO of sb3-contrib against random play, unchanged.

python benchmarks/maskable_ppo.py --seed 1 --seed 2 --seed 3

It needs sb3-contrib, and with it PyTorch. A seed is that of the learner and of its games; the games before and after
are others, the same both times.
"""

from typing import Any

import click
import gymnasium
import torch
from sb3_contrib import MaskablePPO

ENV = "escapade.adapters.gymnasium:escapade/Jamaica-2p-v0"
TEST = 1_000_000  # the seed of the first game that is counted


def won(model: Any, env: Any, games: int) -> int:
    """How many games the learner wins, acting as it does while it learns."""
    wins = 0
    for game in range(games):
        seen, _ = env.reset(seed=TEST + game)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.unwrapped.action_masks())
            seen, reward, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
        wins += reward > 0
    return wins


@click.command()
@click.option("--edition", default="jamaica+pirates=3+deal=3", show_default=True, help="The rules.")
@click.option("--opponent", default="random", show_default=True, help="The bot to beat.")
@click.option("--steps", default=24_576, show_default=True, help="Steps to learn from.")
@click.option("--games", default=300, show_default=True, help="Games before and after.")
@click.option("--seed", "seeds", multiple=True, default=[1], show_default=True, help="A seed, or several.")
def main(edition: str, opponent: str, steps: int, games: int, seeds: tuple[int, ...]) -> None:
    """Print a line for each seed."""
    torch.set_num_threads(1)
    for seed in seeds:
        env = gymnasium.make(ENV, edition=edition, opponents=opponent)
        model = MaskablePPO("MlpPolicy", env, seed=seed, device="cpu")
        before = won(model, env, games)
        model.learn(steps)
        after = won(model, env, games)
        print(f"seed {seed}: {before / games:.0%} of {games} games won before, {after / games:.0%} after {steps} steps")


if __name__ == "__main__":
    main()
