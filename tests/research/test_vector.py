"""Gymnasium's vector environment over a batch: what a learner sees, is paid and is told at the end of a game."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.utils.passive_env_checker import check_action_space, check_observation_space
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from research.views import number_of, read_view

from escapade import Illegal, Invalid
from escapade.adapters.gymnasium import EscapadeEnv, ids
from escapade.adapters.vector import EscapadeVectorEnv

SHORT = "jamaica+pirates=3+deal=3"
VECTOR: Any = "vector_entry_point"


def pick(masks: Any, luck: np.random.Generator) -> Any:
    """A legal number in each game, at random."""
    return np.where(masks, luck.random(masks.shape), -1).argmax(axis=1)


def played(envs: Any, steps: int, seed: int | None = None, masks: Any = None) -> list[Any]:
    """All that some steps tell, the others' actions and the learner's by chance."""
    luck, told = np.random.default_rng(1), []
    if masks is None:
        told.append(envs.reset(seed=seed))
        masks = told[0][1]["action_mask"]
    for _ in range(steps):
        told.append(envs.step(pick(masks, luck)))
        masks = told[-1][4]["action_mask"]
    return told


@pytest.mark.parametrize("number", ids())
def test_every_id_has_a_vector_environment(number: str) -> None:
    envs = gymnasium.make_vec(number, 3, VECTOR)
    assert isinstance(envs, EscapadeVectorEnv)
    check_observation_space(envs.single_observation_space)
    check_action_space(envs.single_action_space)
    single = gymnasium.make(number, opponents="random")
    assert (envs.single_observation_space, envs.single_action_space) == (single.observation_space, single.action_space)
    seen, rewards, terminated, truncated, _ = played(envs, 4, seed=1)[-1]
    assert seen in envs.observation_space
    assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float64, np.bool_, np.bool_)


@pytest.mark.parametrize(("text", "players"), [("tortuga+turn-limit=30", 3), ("evades+turn-limit=20", 2)])
def test_the_learner_sees_its_view_whenever_it_is_to_act(text: str, players: int) -> None:
    envs, seats = EscapadeVectorEnv(8, text, players), set()
    for told in played(envs, 40, seed=2):
        seen, infos = told[0], told[-1]
    for k in range(8):
        game, seat = envs.games.game(k), int(infos["seat"][k])
        assert (game.seat, game.turn) == (seat, infos["turn"][k])
        assert seen[k].tolist() == read_view(game.view(seat), seat)
        legal = [number_of(action, str(game)) for action in game.legal_actions()]
        assert np.flatnonzero(infos["action_mask"][k]).tolist() == legal
    for _, infos in (envs.reset(seed=seed) for seed in range(4)):
        seats |= set(infos["seat"].tolist())
    assert seats == set(range(1, players + 1))
    assert set(EscapadeVectorEnv(8, text, players, seat=2).reset()[1]["seat"].tolist()) == {2}


def test_a_game_that_ends_is_paid_shown_for_the_last_time_and_followed_by_another() -> None:
    envs, rewards, broken_off = EscapadeVectorEnv(64, SHORT, 3, turn_limit=90), [], 0
    parts = np.cumsum([0, *(int(np.prod(field.shape)) for field in envs.games.fields())])
    for seen, gains, terminated, truncated, infos in played(envs, 300, seed=3)[1:]:
        over = terminated | truncated
        assert not (terminated & truncated).any()
        assert not gains[~terminated].any()
        assert infos["action_mask"].any(axis=1).all()
        if not over.any():
            assert "final_obs" not in infos
            continue
        assert np.array_equal(infos["_final_obs"], over)
        assert np.array_equal(infos["_final_info"], over)
        last = infos["final_info"]
        for k in np.flatnonzero(over).tolist():
            final, own = infos["final_obs"][k], last["seat"][k]
            assert final in envs.single_observation_space
            pirates = final[parts[1] : parts[2]].reshape(3, 38)
            won = np.flatnonzero(np.roll(pirates[:, 37] == 3, own - 1)) + 1  # from seat 1 on
            assert (np.flatnonzero(last["winners"][k]) + 1).tolist() == won.tolist()
            assert gains[k] == (0 if truncated[k] else 1 if own in won else -0.5)
            assert (final[-1] == 0) == (last["turn"][k] == 91) == truncated[k]
            assert seen[k, parts[1] : parts[2]].reshape(3, 38)[:, 37].max() < 3
            broken_off += truncated[k]
        rewards += gains[over].tolist()
    assert {*rewards} == {1, 0, -0.5}
    assert broken_off > 5


def test_it_tells_what_gymnasiums_own_vector_of_single_games_tells() -> None:
    same: Any = {"autoreset_mode": AutoresetMode.SAME_STEP}
    settings: Any = {"edition": SHORT, "opponents": "random", "turn_limit": 20}
    ours = gymnasium.make_vec("escapade/Jamaica-2p-v0", 4, VECTOR, **settings)
    theirs = gymnasium.make_vec("escapade/Jamaica-2p-v0", 4, "sync", vector_kwargs=same, **settings)
    assert ours.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    ends = [next(told for told in played(envs, 60, seed=1)[1:] if "final_obs" in told[4]) for envs in (ours, theirs)]
    for mine, other in zip(*(told[:4] for told in ends), strict=True):
        assert (mine.shape, mine.dtype) == (other.shape, other.dtype)
    mine, other = (told[4] for told in ends)
    assert mine.keys() == other.keys()
    assert mine["final_obs"].dtype == other["final_obs"].dtype == object
    assert mine["final_info"].keys() | {"action_mask", "_action_mask"} >= other["final_info"].keys()


def test_seeds_repeat_and_copies_go_on_alike() -> None:
    envs = EscapadeVectorEnv(16, SHORT, 2, threads=2)
    first = played(envs, 40, seed=5)
    again = played(EscapadeVectorEnv(16, SHORT, 2, threads=1), 40, seed=5)
    assert data_equivalence(first, again, exact=True)
    assert not data_equivalence(first[0], envs.reset(seed=6), exact=True)
    assert not data_equivalence(envs.reset(), envs.reset(), exact=True)
    masks = envs.reset(seed=7)[1]["action_mask"]
    twins = copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))
    for twin in twins:
        assert data_equivalence(played(copy.deepcopy(envs), 40, masks=masks), played(twin, 40, masks=masks), exact=True)


def test_a_single_environment_can_be_copied_and_pickled() -> None:
    env = EscapadeEnv("tortuga", 3, opponents=["buccaneer", "random"])
    _, info = env.reset(seed=3)
    twins = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for _ in range(6):
        number = int(np.flatnonzero(info["action_mask"])[-1])
        *_, info = env.step(number)
        for twin in twins:
            twin.step(number)
            assert twin.game.record() == env.game.record()


def test_an_illegal_number_loses_its_game_alone() -> None:
    envs = EscapadeVectorEnv(4, "jamaica", 2)
    with pytest.raises(Illegal, match=r"no games are being played, reset\(\) begins them"):
        envs.step(np.zeros(4, np.int64))
    _, infos = envs.reset(seed=1)
    numbers = pick(infos["action_mask"], np.random.default_rng(1))
    for wrong in (267, -1, 10**9):
        _, rewards, terminated, truncated, infos = envs.step(np.where(np.arange(4) == 2, wrong, numbers))
        assert rewards.tolist() == [0, 0, -1, 0]
        assert terminated.tolist() == infos["final_info"]["illegal"].tolist() == [False, False, True, False]
        assert not truncated.any()
        numbers = pick(infos["action_mask"], np.random.default_rng(1))
    for actions in ([0, 0, 0], np.zeros(4), [[0] * 4]):
        with pytest.raises(Invalid, match="a whole number for each of 4 games"):
            envs.step(actions)


def test_a_network_can_be_the_opponent_and_wins() -> None:
    rewards = []
    for seed, opponents in enumerate(("random", ["random", "net"])):
        envs = RecordEpisodeStatistics(EscapadeVectorEnv(64, "evades", 3, opponents=opponents))
        steps = played(envs, 150, seed=seed)[1:]
        rewards.append(np.concatenate([gains[over] for _, gains, over, _, _ in steps]))
        assert sum(np.count_nonzero(told[4].get("_episode", 0)) for told in steps) == len(rewards[-1]) > 100
    assert rewards[0].mean() > rewards[1].mean() + 0.1


def test_settings_that_cannot_be_are_refused() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"opponents": "sailor"}, "sailor: opponents in a vector environment are random or net; any bot can be one"),
        ({"opponents": ["random", "random"]}, "2 opponents, random, random: with 2 players there are 1"),
        ({"opponents": "net", "edition": "jamaica+pirates=3"}, "there is no network for 2 players under these rules"),
        ({"seat": 3}, "seat 3: with 2 players there are seats 1 to 2"),
        ({"turn_limit": 1}, "with 2 players some would never act"),
        ({"num_envs": 0}, "0 games: at least one is needed"),
    ]
    for settings, words in refused:
        with pytest.raises(Invalid, match=words):
            gymnasium.make_vec("escapade/Jamaica-2p-v0", **{"num_envs": 2, **settings})
    with pytest.raises(Invalid, match="reset takes no options, such as seat"):
        EscapadeVectorEnv(2).reset(options={"seat": 1})
