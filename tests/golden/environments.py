"""What programs that learn are given: batches, PettingZoo, Gymnasium and OpenSpiel, stepped at random from seeds."""

import random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
from golden.compare import Trail, Value, rounded
from golden.games import BOXES, HOUSE

from escapade.adapters import openspiel, pettingzoo
from escapade.adapters.gymnasium import EscapadeEnv
from escapade.batch import Batch, play_games

SOME = [("jamaica", 2), ("tortuga", 3), ("hispaniola", 5), ("first-escape", 4), ("first-escape-open", 2), ("evades", 3)]
SPIELS = [
    "escapade_cartagena",
    "escapade_cartagena(edition=hispaniola,players=3)",
    "escapade_cartagena(edition=first-escape,players=2,deal=3,segments=3)",
    "escapade_cartagena(edition=tortuga,players=4,turn_limit=30)",
    "escapade_cartagena(pirates=1,tunnel=BDHKPS,cards=1,deal=1,turn_limit=4,most_actions=2)",
    "escapade_evades(players=3)",
    "escapade_evades(players=2,length=10,count_jumped=off)",
]


def stepped(edition: str, players: int, **more: Any) -> dict[str, str]:
    """Many games of an edition side by side, everything that is written of them."""
    batch = Batch(edition, players, 100, seed=9, **more)
    masks, seen, actions = batch.masks(), batch.observations(), np.zeros(batch.games, np.int64)
    batch.reset(masks=masks, observations=seen)
    trail = Trail([field[:3] for field in batch.fields()], masks, seen, batch.seats)
    for _ in range(300):
        batch.choose(actions)
        batch.step(actions, masks=masks, observations=seen)
        trail.add(actions, masks, seen, batch.seats, batch.rewards, batch.terminated, batch.truncated)
    trail.add([str(batch.game(number)) for number in range(5)])
    return trail.told()


def batches() -> Value:
    """Every edition with every number of players, bit for bit; and whole games."""
    told = {f"{edition} {players}": stepped(edition, players) for edition, players in BOXES + HOUSE}
    told["jamaica 3 of 4 segments"] = stepped("jamaica", 3, segments=4)
    for edition, players in BOXES + HOUSE:
        rows = play_games(edition, players, 200, seed=3, first=7)
        told[f"{edition} {players} whole games"] = {"first": rows[0].tolist(), "digest": Trail(rows).digest}
    return told


def pettingzoos() -> Value:
    """Some games of each environment; agents are asked for all that they are shown."""
    told = {}
    for edition, players in SOME:
        env, trail, luck = pettingzoo.env(edition, players, turn_limit=60), Trail(), random.Random(2)
        for seed in (4, None):  # and the next game of the seed
            env.reset(seed=seed)
            for agent in env.agent_iter():
                seen, reward, terminated, truncated, info = env.last()
                assert seen is not None
                trail.add(agent, seen["observation"], seen["action_mask"], reward, terminated, truncated, info)
                over = terminated or truncated
                trail.add([] if over else [env.observe(other)["observation"].tolist() for other in env.agents])
                trail.add([] if over else env.unwrapped.texts(), str(env.unwrapped.game))
                legal = np.flatnonzero(seen["action_mask"]).tolist()
                env.step(None if over else luck.choice(legal))
        told[f"{edition} {players}"] = trail.told()
    return told


def gymnasiums() -> Value:
    """Games of a learner who plays at random against bots, under their ids and with settings of their own."""
    envs = {
        "Jamaica-2p": gymnasium.make("escapade/Jamaica-2p-v0", turn_limit=40, render_mode="ansi"),
        "Evades-4p": gymnasium.make("escapade/Evades-4p-v0", turn_limit=40, render_mode="ansi"),
        "tortuga": EscapadeEnv("tortuga", 3, opponents=["buccaneer", "greedy"], seat=2, turn_limit=40, segments=5),
        "evades": EscapadeEnv("evades+length=15", 2, opponents="captain(playouts=50)", turn_limit=40),
    }
    told = {}
    for name, env in envs.items():
        trail, luck = Trail(), random.Random(2)
        for seed in (4, None):
            over, (seen, info) = False, env.reset(seed=seed)
            while not over:
                mask = info.pop("action_mask")
                trail.add(seen, mask, info, env.render() if env.render_mode else None)
                seen, reward, terminated, truncated, info = env.step(luck.choice(np.flatnonzero(mask).tolist()))
                trail.add(reward, over := terminated or truncated)
        told[name] = trail.told()
    return told


def spiels() -> Value:
    """Games of OpenSpiel with all that their players know, every so often."""
    told = {}
    for name in SPIELS:
        game = pyspiel.load_game(name)
        state, trail, luck = game.new_initial_state(), Trail(), random.Random(2)
        while not state.is_terminal():
            chance = state.is_chance_node()
            can = state.chance_outcomes() if chance else [(action, 1.0) for action in state.legal_actions()]
            mover = state.current_player()
            trail.add(mover, rounded(can), [state.action_to_string(mover, action) for action, _ in can], str(state))
            if len(trail.bytes) % 16 == 0:
                know(state, trail)
            state.apply_action(luck.choices([one for one, _ in can], [weight for _, weight in can])[0])
        know(state, trail)
        trail.add(str(state), rounded(state.returns()), rounded(openspiel.Playouts(3).evaluate(state).tolist()))
        first = game.new_initial_state()
        evaluated = [openspiel.Playouts(5, 1, greedy).evaluate(first).tolist() for greedy in (False, True)]
        told[name] = {**trail.told(), "first": rounded(evaluated)}
    return told


def know(state: Any, trail: Trail) -> None:
    """Add what each player knows."""
    for player in range(state.num_players()):
        trail.add(state.information_state_string(player), state.observation_string(player))
        tensors = state.information_state_tensor(player), state.observation_tensor(player)
        trail.add(*(np.array(tensor, np.float32) for tensor in tensors))
