"""The PettingZoo environments: PettingZoo's own suites, and what research relies on beyond them."""

import copy
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo import make
from pettingzoo.utils.conversions import aec_to_parallel
from research.views import number_of, read_view

import escapade
from escapade.adapters import drawing, pettingzoo
from escapade.adapters.drawing import evades, sheet
from escapade.adapters.gymnasium import reward
from escapade.adapters.pettingzoo import Environment

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the suites import one of their own games by its old name
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

KINDS = [("jamaica", 2), ("tortuga+pirates=4", 3), ("hispaniola", 4), ("first-escape", 5), ("first-escape-open", 2)]
KINDS += [("evades", 2), ("evades+length=20", 6)]
SHORT = [("jamaica+pirates=3+deal=3", 2), ("hispaniola+pirates=3", 5), ("evades", 3)]

# What api_test warns of for any environment with dict observations that it does not know by name, and at the end.
WARNINGS = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably",
    "Action mask numpy array is all",
]


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(Environment.metadata, "render_fps", 1000)


def played(env: Any, seed: int) -> Iterator[tuple[str, Any]]:
    """Play a game at random: each agent to act with its `last()`, and at the end each agent once more."""
    luck = random.Random(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        last = env.last()
        yield agent, last
        over = last[2] or last[3]
        env.step(None if over else luck.choice(np.flatnonzero(last[0]["action_mask"]).tolist()))


def put(env: Environment, position: str) -> None:
    """Set up a position in which seat 1 is to act."""
    env.reset(seed=0)
    env._states[:] = escapade.parse(position).states


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_pettingzoos_own_suites_pass(text: str, players: int) -> None:
    with pytest.warns(UserWarning, match="|".join(WARNINGS)):
        api_test(pettingzoo.env(text, players), num_cycles=1000)
    seed_test(lambda: pettingzoo.env(text, players))
    parallel_api_test(pettingzoo.parallel_env(text, players), num_cycles=1000)


@pytest.mark.parametrize("text", ["hispaniola", "evades"])
def test_pettingzoos_render_test_passes(text: str) -> None:
    render_test(lambda **settings: pettingzoo.env(text, 3, **settings))


def test_every_environment_has_a_name_and_stands_in_pettingzoos_registry() -> None:
    env = make("aec", "escapade/escapade_v0", edition="tortuga", players=3)
    assert (str(env), str(pettingzoo.raw_env())) == ("escapade_v0", "escapade_v0")
    assert env.possible_agents == ["seat_1", "seat_2", "seat_3"]
    assert make("parallel", "escapade/escapade_v0").possible_agents == ["seat_1", "seat_2"]


def test_only_the_turn_based_conversion_makes_a_parallel_environment() -> None:
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(pettingzoo.env())


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_what_an_agent_observes_is_what_its_view_says(text: str, players: int) -> None:
    env = pettingzoo.raw_env(text, players, turn_limit=150)
    for number, (agent, (seen, *_)) in enumerate(played(env, seed=players)):
        game, agents = env.game, [agent] if number % 10 else env.agents
        for other in agents:
            seat = env.possible_agents.index(other) + 1
            assert env.observe(other)["observation"].tolist() == read_view(game.view(seat), seat), game
        assert seen in env.observation_space(agent)
        if number > 300:
            return


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_a_mask_marks_the_legal_actions_of_the_agent_to_act(text: str, players: int) -> None:
    env = pettingzoo.raw_env(text, players, segments=3 if "evades" not in text else 6)
    for agent, (seen, *_) in played(env, seed=7):
        game = env.game
        legal = [number_of(action, str(game)) for action in game.legal_actions()]
        assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        assert list(env.texts().items()) == list(zip(legal, game.legal_actions(), strict=True))
        assert not any(env.observe(other)["action_mask"].any() for other in env.agents if other != agent)


@pytest.mark.parametrize(("text", "players"), SHORT)
def test_a_whole_game_pays_its_winners_at_the_expense_of_the_others(text: str, players: int) -> None:
    for seed in range(8):
        env, rewards = pettingzoo.env(text, players), {}
        for agent, (_, paid, terminated, truncated, info) in played(env, seed):
            if terminated or truncated:
                assert (terminated, truncated) == (True, False)
                rewards[agent] = paid
            else:
                assert paid == 0
                assert info == {}
        winners = [f"seat_{seat}" for seat in env.unwrapped.game.winners]
        share = {agent: 1 / len(winners) if agent in winners else 0 for agent in env.possible_agents}
        assert rewards == {agent: (players * share[agent] - 1) / (players - 1) for agent in env.possible_agents}
        assert sum(rewards.values()) == pytest.approx(0)
        assert winners


def test_winners_who_share_share_the_reward() -> None:
    assert [reward(3, (1, 3), seat) for seat in (1, 2, 3)] == [0.25, -0.5, 0.25]
    assert [reward(2, (2,), seat) for seat in (1, 2)] == [-1, 1]
    assert [reward(4, (), seat) for seat in (1, 2, 3, 4)] == [0, 0, 0, 0]


@pytest.mark.parametrize("text", ["jamaica", "evades"])
@pytest.mark.parametrize("limit", [{"turn_limit": 6}, {"max_cycles": 2}])
def test_the_turn_limit_truncates(text: str, limit: dict[str, int]) -> None:
    env = pettingzoo.env(text, 3, **limit)
    ends = [last[1:4] for _, last in played(env, 1) if last[2] or last[3]]
    assert ends == [(0, False, True)] * 3
    assert env.unwrapped.game.turn == 7


def test_a_position_in_which_nobody_can_act_again_ends_the_game_for_nothing() -> None:
    env = pettingzoo.raw_env("jamaica+pirates=3")
    put(env, "jamaica+pirates=3 BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.0.0/0.0.0 B/- - - B16D17H17K17P17S17 1:0:9")
    env.step(0)
    assert (env.rewards, env.terminations, env.truncations) == (
        {"seat_1": 0, "seat_2": 0},
        {"seat_1": True, "seat_2": True},
        {"seat_1": False, "seat_2": False},
    )


def test_an_illegal_action_is_refused_with_the_legal_ones_named() -> None:
    env = pettingzoo.raw_env("jamaica", 2)
    env.reset(seed=1)
    before = str(env.game)
    with pytest.raises(escapade.Illegal, match=r"267 from seat_1: legal are \[0, .*\], in jamaica"):
        env.step(267)
    for wrong in (268, -1, None):
        with pytest.raises(escapade.Invalid, match=f"{wrong} from seat_1: actions are numbered from 0 to 267"):
            env.step(wrong)
    assert (str(env.game), env.agent_selection, any(env.terminations.values())) == (before, "seat_1", False)


def test_an_illegal_action_loses_where_the_environment_is_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.env("tortuga", 3)
    env.reset(seed=1)
    env.step(267)
    assert env.rewards == {"seat_1": -1, "seat_2": 0, "seat_3": 0}
    assert not env.observe("seat_1")["action_mask"].any()
    ends = []
    for agent in env.agent_iter():
        _, paid, terminated, truncated, info = env.last()
        ends.append((agent, paid, terminated, truncated, info))
        env.step(None)
    illegal = {"illegal": "seat_1"}
    assert ends == [
        ("seat_1", -1, True, False, illegal), ("seat_2", 0, True, False, illegal), ("seat_3", 0, True, False, illegal),
    ]  # fmt: skip
    with pytest.raises(AssertionError, match="reset"):
        pettingzoo.env().last()


def test_a_seed_makes_the_same_games_one_after_another() -> None:
    def starts(env: Any, *seeds: int | None) -> list[str]:
        games = []
        for seed in seeds:
            env.reset(seed=seed)
            games.append(str(env.game))
        return games

    first = starts(pettingzoo.raw_env("tortuga", 3), 5, None, None, 6, 5)
    assert starts(pettingzoo.raw_env("tortuga", 3), 5, None, None) == first[:3]
    assert first[4] == first[0]
    assert len({*first}) == 4
    assert starts(pettingzoo.raw_env(), None) != starts(pettingzoo.raw_env(), None)


def test_observations_that_are_kept_do_not_change() -> None:
    env = pettingzoo.env("jamaica", 2)
    kept = [(seen, copy.deepcopy(seen)) for _, (seen, *_) in played(env, 3)]
    assert all((a[key] == b[key]).all() for a, b in kept for key in a)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_plays_on_alike(again: Callable[[Any], Any]) -> None:
    env = pettingzoo.env("tortuga", 3)
    for number, _ in enumerate(played(env, 4)):
        if number == 50:
            break
    other = again(env)
    while env.agents:
        (seen, *rest), (also, *same) = env.last(), other.last()
        assert rest == same
        assert seen is not None
        assert also is not None
        assert all((seen[key] == also[key]).all() for key in seen)
        action = None if rest[1] or rest[2] else int(np.flatnonzero(seen["action_mask"])[-1])
        env.step(action)
        other.step(action)


def swapped_hands(text: str) -> str:
    """The same position with a card of the last seat swapped for one of another symbol in the pile."""
    fields = text.split(" ")
    hand, pile = fields[3].split("/")[-1], fields[5]
    card = next(card for card in pile if card != hand[0])
    fields[5] = pile.replace(card, hand[0], 1)
    fields[3] = "/".join([*fields[3].split("/")[:-1], "".join(sorted(card + hand[1:]))])
    return " ".join(fields)


def swapped_bets(text: str) -> str:
    fields = text.split(" ")
    fields[2] = "/".join([*fields[2].split("/")[:-1], "on.bd.ry.l"])
    return " ".join(fields)


@pytest.mark.parametrize(("text", "swapped"), [("jamaica", swapped_hands), ("evades", swapped_bets)])
def test_what_a_seat_may_not_know_changes_neither_its_observation_nor_its_picture(
    text: str, swapped: Callable[[str], str]
) -> None:
    env = pettingzoo.raw_env(text, 3, turn_limit=1000, render_mode="rgb_array")
    for agent, _ in played(env, 2):
        if env.game.turn > 12 and agent == "seat_1":
            break
    position = str(env.game)
    shown = []
    for one in (position, swapped(position)):
        put(env, one)
        shown.append((str(env.game), env._look(0)["observation"], np.array(env.render())))
    (first, seen, picture), (second, also, same) = shown
    assert first != second
    assert np.array_equal(seen, also)
    assert np.array_equal(picture, same)
    env.agent_selection = "seat_3"
    assert not np.array_equal(env._look(2)["observation"], seen)
    assert not np.array_equal(np.array(env.render()), same)


@pytest.mark.parametrize(("text", "players", "colours"), [
    ("hispaniola", 5, sheet.SEATS[:5]),
    ("jamaica+pirates=8", 2, sheet.SEATS[:2]),
    ("evades+length=60", 6, [evades.COLOURS[pawn] for pawn in "bryldon"]),
])  # fmt: skip
def test_pictures_show_every_pirate_and_change_with_the_position(
    text: str, players: int, colours: list[sheet.Colour]
) -> None:
    env = pettingzoo.raw_env(text, players, render_mode="rgb_array")
    before = np.zeros(0, np.uint8)
    for number, (agent, _) in enumerate(played(env, 5)):
        if number % 40 == 0:
            picture = np.array(env.render())
            assert not np.array_equal(picture, before)
            board = picture[: sheet.BOARD[3], : sheet.BOARD[2]].reshape(-1, 3)
            assert all((board == colour).all(1).sum() > 20 for colour in colours), (agent, str(env.game))
            before = picture
        if number > 200:
            break


def test_the_text_board_shows_what_the_seat_to_act_may_see() -> None:
    position = (
        "hispaniola BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.6.6.9.17.18/0.0.0.0.6.37"
        " BDDDD/HKSS KDDBSP ?63 B5D2H7K3P5S2 1:1:41"
    )
    assert (
        drawing.text(position, 1)
        == """hispaniola, turn 41: seat 1 acts, action 2

prison   12222
 1-6     B     P     H     S     D     K 112
 7-12    D     B     K 1   P     H     S
13-18    P     K     D     H     S 1   B 1
19-24    H     K     P     B     S     D
25-30    P     H     D     S     B     K
31-36    S     P     B     K     D     H
boat     2

row      KDDBSP
pile     63 cards, discards B5 D2 H7 K3 P5 S2
seat 1   BDDDD  (you)
seat 2   HKSS
"""
    )
    assert (
        drawing.text("evades 0:yo,5:r,7:bd,#1:ln br.yl.do.n/?/- b4w3 r+ 2:14", 1)
        == """evades, turn 14: seat 2 acts

windows  yo
 1-10    .       .       .       .       r       .       bd      .       .       .
11-20    .       .       .       .       .       .       .       .       .       .
21-29    .       .       .       .       .       .       .       .       .
boat 1   ln
boat 2   -
boat 3   -
boat 4   -

dice     b4 w3
moved    r+
seat 1   br.yl.do.n  (you)
seat 2   ?
seat 3   -
"""
    )


def test_a_text_board_of_an_environment_is_the_agents_view() -> None:
    env = pettingzoo.raw_env("jamaica", 2, render_mode="ansi")
    env.reset(seed=1)
    own, other = env.game.view(1).split(" ")[3].split("/")
    assert f"seat 1   {own}  (you)\nseat 2   {other}\n" in str(env.render())
    assert other == "??????"


def test_a_sample_is_any_legal_number_and_follows_from_its_seed() -> None:
    env = pettingzoo.env("tortuga", 2)
    env.reset(seed=1)
    mask = env.observe("seat_1")["action_mask"]
    space = env.action_space("seat_1")

    def samples(seed: int, times: int) -> list[int]:
        space.seed(seed)
        return [int(space.sample(mask)) for _ in range(times)]

    assert {*samples(1, 500)} == {*np.flatnonzero(mask).tolist()}
    assert samples(1, 20) == samples(1, 20) != samples(2, 20)
    assert space.sample(np.zeros(268, np.int8)) == 0
    assert space.sample() in space
    with pytest.raises(AssertionError, match="shape"):
        space.sample(mask[:-1])


def test_settings_that_cannot_be_are_refused() -> None:
    for settings, words in [
        ({"edition": "havana"}, "no edition is called 'havana'"),
        ({"players": 6}, "Cartagena is for 2 to 5"),
        ({"edition": "evades", "segments": 5}, "no tunnel"),
        ({"segments": 9}, "3 to 8"),
        ({"turn_limit": 0}, "turn-limit can be"),
        ({"render_mode": "braille"}, "there are human, ansi, rgb_array"),
    ]:
        with pytest.raises(escapade.Invalid, match=words):
            pettingzoo.env(**settings)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:.*no render_mode was given:UserWarning")
def test_without_a_way_to_render_nothing_is_drawn() -> None:
    env = pettingzoo.env()
    env.reset()
    assert env.render() is None
