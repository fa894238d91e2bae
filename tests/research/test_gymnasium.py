"""The Gymnasium environments: Gymnasium's own checker, and what learning relies on beyond it."""

import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from research.views import number_of, read_view

import escapade
from escapade.adapters.gymnasium import EscapadeEnv, ids
from escapade.bots.bot import First

SHORT = "jamaica+pirates=3+deal=3"


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(EscapadeEnv.metadata, "render_fps", 1000)


def play(env: Any, seed: int | None, luck: random.Random) -> tuple[float, bool, bool, dict[str, Any]]:
    """Play a game at random; how it ended."""
    _, info = env.reset(seed=seed)
    while True:
        _, reward, terminated, truncated, info = env.step(luck.choice(np.flatnonzero(info["action_mask"]).tolist()))
        if terminated or truncated:
            return reward, terminated, truncated, info
        assert reward == 0


def test_every_edition_is_registered_with_every_number_of_players() -> None:
    assert set(ids()) <= set(gymnasium.registry)
    assert len(ids()) == 5 * 4 + 5
    for number in ("Jamaica-2p", "Tortuga-3p", "Hispaniola-4p", "FirstEscape-5p", "FirstEscapeOpen-2p", "Evades-6p"):
        env = gymnasium.make(f"escapade/{number}-v0", opponents="random")
        assert f"{env.unwrapped.box.players}p" in number  # type: ignore[attr-defined]


def test_an_id_that_names_its_module_needs_no_import() -> None:
    code = "import gymnasium; gymnasium.make('escapade.adapters.gymnasium:escapade/Jamaica-2p-v0').reset(seed=1)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("number", ["Jamaica-2p", "Hispaniola-5p", "Evades-3p"])
def test_gymnasiums_own_checker_has_nothing_to_say(number: str) -> None:
    check_env(gymnasium.make(f"escapade/{number}-v0").unwrapped)


@pytest.mark.parametrize(("text", "players"), [("hispaniola", 3), ("jamaica", 2), ("evades", 4)])
def test_the_learner_observes_its_view_and_may_do_what_is_legal(text: str, players: int) -> None:
    env, luck = EscapadeEnv(text, players, opponents="random", seat=2, turn_limit=30), random.Random(1)
    seen, info = env.reset(seed=3)
    while True:
        game = env.game
        assert seen in env.observation_space
        assert seen.tolist() == read_view(game.view(env.seat), env.seat)
        assert np.flatnonzero(info["action_mask"]).tolist() == [
            number_of(action, str(game)) for action in game.legal_actions()
        ]
        assert (env.action_masks() == info["action_mask"]).all()
        assert (env.seat, game.turn) == (info["seat"], info["turn"])
        if game.over:
            assert game.seat != env.seat  # but the observation is still the learner's
            return
        action = luck.choice(game.legal_actions())
        before = len(game.record())
        seen, _, _, _, info = env.step(number_of(action, str(game)))
        assert f" {action}" in game.record()[before - len(action) - 10 :] or action.startswith("bet:")


def test_the_seat_of_the_learner_is_its_own_or_any_and_is_paid() -> None:
    luck = random.Random(2)
    fixed, free = EscapadeEnv(SHORT, 3, opponents="random", seat=2), EscapadeEnv(SHORT, 3, opponents="random")
    seats, rewards = set(), set()
    for seed in range(12):
        assert play(fixed, seed, luck)[3]["seat"] == 2
        reward, terminated, truncated, info = play(free, seed, luck)
        assert (terminated, truncated) == (True, False)
        assert info["winners"] == free.game.winners
        assert reward == (1 if info["seat"] in info["winners"] else -0.5)
        seats.add(info["seat"])
        rewards.add(reward)
    assert (seats, rewards) == ({1, 2, 3}, {1, -0.5})


@pytest.mark.parametrize("text", ["tortuga", "evades"])
def test_the_turn_limit_truncates(text: str) -> None:
    env = EscapadeEnv(text, 2, opponents="random", turn_limit=5)
    assert play(env, 1, random.Random(1))[:3] == (0, False, True)
    assert env.game.turn == 6


def test_an_illegal_number_loses_the_game() -> None:
    env = EscapadeEnv("jamaica", 2, seat=1)
    with pytest.raises(escapade.Illegal, match="no game is being played"):
        env.step(0)
    env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(267)
    assert (reward, terminated, truncated, info["illegal"]) == (-1, True, False, True)
    assert seen in env.observation_space
    assert not info["action_mask"].any()
    with pytest.raises(escapade.Illegal, match=r"0: no game is being played, reset\(\) begins one"):
        env.step(0)
    with pytest.raises(escapade.Invalid, match="268: actions are numbered from 0 to 267"):
        env.step(268)
    env.reset()
    assert env.action_masks().any()


def test_a_seed_makes_the_same_games_and_those_without_one_follow_from_it() -> None:
    def games(*seeds: int | None) -> list[str]:
        env, records = EscapadeEnv(SHORT, 3, opponents=["random", "greedy"]), []
        for seed in seeds:
            play(env, seed, random.Random(3))
            records.append(env.game.record())
        return records

    first = games(5, None, 6)
    assert games(5, None) == first[:2]
    assert len({*first}) == 3
    assert games(None) != games(None)


def test_opponents_play_in_their_order_after_the_learner() -> None:
    env = EscapadeEnv("jamaica", 3, opponents=["greedy", "random"], seat=2)
    assert {seat: type(bot).__name__ for seat, bot in env.bots.items()} == {3: "Greedy", 1: "Random"}


def test_a_bot_that_remembers_is_told_what_its_seat_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str | None]] = []

    def choose(self: First, view: str, legal: list[str], record: str | None = None) -> str:
        seen.append((view, record))
        return legal[0]

    monkeypatch.setattr(First, "remembers", True)
    monkeypatch.setattr(First, "choose", choose)
    env = EscapadeEnv("jamaica", 2, opponents="first", seat=1)
    _, info = env.reset(seed=1)
    while not seen:
        *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    view, record = seen[0]
    learners, own = view.split(" ")[3].split("/")
    assert {*learners} == {"?"}
    assert "?" not in own
    assert f'[Deal "??????/{own}"]' in str(record)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments_step_side_by_side(mode: Any) -> None:
    envs = gymnasium.make_vec("escapade/Jamaica-2p-v0", 2, mode, edition=SHORT, opponents="random")
    seen, info = envs.reset(seed=1)
    for _ in range(30):
        masks = info["action_mask"]
        numbers = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in masks]
        seen, _, _, _, info = envs.step(np.array(numbers))
    assert seen.shape == (2, *envs.single_observation_space.shape)  # type: ignore[misc]
    envs.close()


def test_a_picture_is_the_learners_view_and_a_window_closes() -> None:
    env = EscapadeEnv("jamaica", 2, seat=2, render_mode="ansi")
    env.reset(seed=1)
    own = env.game.view(2).split(" ")[3].split("/")[1]
    assert f"seat 2   {own}  (you)" in env.render()
    env = EscapadeEnv("jamaica", 2, render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    env.close()
    env.close()


def test_settings_that_cannot_be_are_refused() -> None:
    for settings, words in [
        ({"opponents": "blackbeard"}, "no player of cartagena is called 'blackbeard'"),
        ({"opponents": ["random", "random"]}, "2 opponents, random, random: with 2 players there are 1"),
        ({"seat": 3}, "seat 3: with 2 players there are seats 1 to 2"),
        ({"render_mode": "braille"}, "there are human, ansi, rgb_array"),
    ]:
        with pytest.raises(escapade.Invalid, match=words):
            EscapadeEnv("jamaica", 2, **settings)  # type: ignore[arg-type]


def test_maskable_ppo_learns_on_it() -> None:
    sb3 = pytest.importorskip("sb3_contrib", reason="Stable-Baselines3 is not installed: it needs torch")
    env = EscapadeEnv(SHORT, 2, opponents="random")
    model = sb3.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1).learn(128)
    seen, info = env.reset(seed=1)
    number, _ = model.predict(seen, action_masks=env.action_masks())
    assert info["action_mask"][number]
