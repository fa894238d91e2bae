"""OpenSpiel's own tests and searches on both games, and its games compared with the library's."""

import pickle
import random
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
)

import escapade
from escapade.adapters.openspiel import Playouts, mirror
from escapade.game import Illegal, Invalid

TINY = "escapade_cartagena(pirates=1,tunnel=BDHKPS,cards=1,deal=1,turn_limit=4,most_actions=2)"
SMALL = [
    TINY,
    "escapade_cartagena(edition=hispaniola,pirates=1,tunnel=BDHKPS,cards=1,deal=1,row=1,turn_limit=2)",
    "escapade_cartagena(edition=first-escape,pirates=1,tunnel=BDHKPS,cards=1,deal=1,row=1,turn_limit=3,most_actions=1)",
]
GAMES = [
    "escapade_cartagena",
    "escapade_cartagena(edition=hispaniola,players=3)",
    "escapade_cartagena(edition=first-escape,players=2,deal=3)",
    "escapade_cartagena(edition=tortuga,players=4)",
    "escapade_evades(players=3)",
]
SECRETIVE = [game for game in GAMES if "tortuga" not in game]


def chosen(state: Any, rng: random.Random) -> int:
    """Any possible action or outcome."""
    if not state.is_chance_node():
        return int(rng.choice(state.legal_actions()))
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(outcomes, chances)[0])


def walk(game: Any, seed: int) -> Iterator[Any]:
    """The states of a random game: one object, changed in place."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        yield state
        state.apply_action(chosen(state, rng))
    yield state


def tree(state: Any) -> Iterator[Any]:
    """A state and all its descendants."""
    yield state
    for action in state.legal_actions():
        yield from tree(state.child(action))


def knowledge(state: Any, player: int) -> tuple[Any, ...]:
    """Everything that a player is shown."""
    return (
        state.information_state_string(player),
        state.observation_string(player),
        state.information_state_tensor(player),
        state.observation_tensor(player),
    )


def replayed(state: Any) -> Any:
    """The state that a history leads to, outcome by outcome, each checked."""
    again = state.get_game().new_initial_state()
    for step in state.full_history():
        assert again.current_player() == step.player
        assert step.action in again.legal_actions()
        again.apply_action(step.action)
    return again


@pytest.mark.parametrize(
    ("text", "name", "players"),
    [
        ("jamaica", "edition=jamaica", 2),
        ("hispaniola+row=6", "edition=hispaniola,row=6", 2),
        ("first-escape+deal=3", "edition=first-escape,deal=3", 3),
        ("tortuga+pirates=4+boat-retreat=off", "edition=tortuga,pirates=4,boat_retreat=off", 5),
        ("evades+length=20", "length=20", 4),
    ],
)
def test_a_game_goes_as_the_real_one_with_the_same_luck(text: str, name: str, players: int) -> None:
    kind = "evades" if text.startswith("evades") else "cartagena"
    game = escapade.new(f"{text}+turn-limit=300", players, seed=5)
    spiel = pyspiel.load_game(f"escapade_{kind}({name},players={players},turn_limit=300)")
    state, rng = spiel.new_initial_state(), random.Random(7)
    mirror.begin(state, game)
    while not game.over:
        assert state.current_player() == game.seat - 1
        assert [state.action_to_string(action) for action in state.legal_actions()] == game.legal_actions()
        for seat in range(players):
            assert state.observation_string(seat) == game.view(seat + 1)
        mirror.follow(state, game, rng.choice(game.legal_actions()))
    assert state.is_terminal()
    assert getattr(game, "reshuffles", 1) > 0
    winners = len(game.winners) or players
    shares = [(seat in game.winners or len(game.winners) == 0) / winners for seat in range(1, players + 1)]
    assert state.returns() == pytest.approx([(players * share - 1) / (players - 1) for share in shares])
    for seat in range(1, players + 1):
        seen = " ".join(line.split(". ")[1] for line in game.record(seat).splitlines() if line[:1].isdigit())
        seen = " ".join(token.partition("~")[0] for token in seen.split(" "))
        assert seen in state.information_state_string(seat - 1)


@pytest.mark.parametrize("name", SECRETIVE)
def test_what_a_player_may_not_know_changes_nothing_that_it_is_shown(name: str) -> None:
    game, rng, different = pyspiel.load_game(name), random.Random(3), 0
    for number, state in enumerate(walk(game, 11)):
        if number % (7 if number < 80 else 47) or state.is_terminal():
            continue
        player = rng.randrange(game.num_players())
        twin = state.resample_from_infostate(player, rng.random)
        assert knowledge(twin, player) == knowledge(state, player)
        again = replayed(twin)
        assert str(again) == str(twin)
        for other in range(game.num_players()):
            assert knowledge(again, other) == knowledge(twin, other)
        assert twin.legal_actions() == again.legal_actions()
        different += str(twin) != str(state)
    assert different


def test_unseen_cards_are_all_as_likely_to_be_in_the_others_hands() -> None:
    state = pyspiel.load_game("escapade_cartagena(tunnel=BDHKPS,cards=1,deal=1,pirates=1)").new_initial_state()
    for card in "BD":
        state.apply_action(state.string_to_action(card))
    hands = [str(state.resample_from_infostate(0, lambda k=k: (k + 0.5) / 5)).split(" ")[3] for k in range(5)]
    assert sorted(hands) == ["B/D", "B/H", "B/K", "B/P", "B/S"]
    assert str(state).split(" ")[3] == "B/D"


def test_cards_from_before_a_reshuffle_are_not_exchanged_for_cards_from_after_it() -> None:
    game, rng, known = pyspiel.load_game("escapade_cartagena(cards=4,deal=5)"), random.Random(1), 0
    for seed in range(3):
        for state in walk(game, seed):
            if state.is_chance_node() or state.is_terminal() or not state.table.states["reshuffles"][0]:
                continue
            old = [secret for secret in state.table.secrets if secret.seat == 1 and not secret.pack]
            known += bool(old)
            twin = state.resample_from_infostate(0, rng.random)
            assert sorted(s.card for s in twin.table.secrets if s.seat == 1 and not s.pack) == sorted(
                secret.card for secret in old
            )
    assert known > 10


@pytest.mark.parametrize("name", SMALL)
def test_a_player_forgets_nothing(name: str) -> None:
    game = pyspiel.load_game(name)
    for player in range(2):
        texts: dict[str, tuple[str, ...]] = {}
        tensors: dict[tuple[float, ...], str] = {}
        stack: list[tuple[Any, tuple[str, ...]]] = [(game.new_initial_state(), ())]
        while stack:
            state, past = stack.pop()
            if not state.is_chance_node():
                past = (*past, state.observation_string(player))
                assert texts.setdefault(state.information_state_string(player), past) == past
            text = state.information_state_string(player)
            assert tensors.setdefault(tuple(state.information_state_tensor(player)), text) == text
            stack += [(state.child(action), past) for action in state.legal_actions()]
        assert len(tensors) == len(set(tensors.values()))


def test_chance_deals_what_is_left_of_the_pack() -> None:
    state = pyspiel.load_game("escapade_cartagena").new_initial_state()
    assert state.chance_outcomes() == [(side, 1 / 12) for side in range(12)]
    state.apply_action(state.string_to_action("KDSHPB"))
    assert [state.action_to_string(side) for side, _ in state.chance_outcomes()] == [
        *("BPHSDK", "KDSHPB", "DBKPHS", "SHPKBD", "HKPBSD", "DSBPKH")[2:],
        *("KBSDHP", "PHDSBK", "PKDHSB", "BSHDKP", "HDKBPS", "SPBKDH"),
    ]
    while state.action_to_string(state.legal_actions()[0]) != "B":
        state.apply_action(state.legal_actions()[0])
    for _ in range(2):
        state.apply_action(state.string_to_action("D"))
    assert state.chance_outcomes() == [(symbol, (15 if symbol == 1 else 17) / 100) for symbol in range(6)]


@pytest.mark.parametrize("name", GAMES)
def test_every_chance_node_is_a_distribution_over_the_cards_or_sides_that_there_are(name: str) -> None:
    for state in walk(pyspiel.load_game(name), 2):
        if state.is_chance_node():
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
            assert all(chance > 0 for _, chance in state.chance_outcomes())


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_random_simulations_pass(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def run_suite(base: type[unittest.TestCase], name: str, **own: Any) -> None:
    """Run one of OpenSpiel's test classes on a game."""
    case = type("Case", (base,), {"game": pyspiel.load_game(name), "game_name": name, **own})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.errors + result.failures, (result.errors + result.failures)[0][1]


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_tests_of_the_interface_pass(name: str) -> None:
    run_suite(api_test.EnforceAPIOnPartialTreeBase, name)


@pytest.mark.parametrize("name", SMALL)
def test_openspiels_tests_on_the_whole_tree_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    states = list(tree(pyspiel.load_game(name).new_initial_state()))
    chances, ends = sum(state.is_chance_node() for state in states), sum(state.is_terminal() for state in states)
    deciding = [state for state in states if state.current_player() >= 0]
    infosets = {(state.current_player(), state.information_state_string()) for state in deciding}
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (chances, len(deciding), ends))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, len(infosets))
    assert len(infosets) < len(deciding)
    run_suite(api_test.EnforceAPIOnFullTreeBase, name)


@pytest.mark.parametrize(
    "name", [SMALL[0], "escapade_cartagena(edition=tortuga,turn_limit=20)", "escapade_evades(turn_limit=20)"]
)
def test_a_playthrough_is_replayed_to_the_letter(name: str, tmp_path: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    (tmp_path / "game.txt").write_text(generate_playthrough.playthrough(name, [], seed=1), encoding="utf-8")
    expected, actual = generate_playthrough.replay(str(tmp_path / "game.txt"))
    assert expected == actual


@pytest.mark.parametrize("name", ["escapade_cartagena(players=3,pirates=2)", "escapade_evades(length=12)"])
def test_a_learners_environment_plays_to_the_end(name: str) -> None:
    environment, rng = rl_environment.Environment(name), random.Random(4)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([rng.choice(step.observations["legal_actions"][player])])
    assert sum(step.rewards) == pytest.approx(0)


def play_with(name: str, bots: list[Any]) -> list[float]:
    """A game of bots, to its end."""
    state, rng = pyspiel.load_game(name).new_initial_state(), random.Random(6)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(chosen(state, rng) if state.is_chance_node() else bots[player].step(state))
    return list(state.returns())


@pytest.mark.parametrize("house", ["", ",pirates=2,segments=2,turn_limit=40"])
def test_openspiels_tree_search_plays_whole_games(house: str) -> None:
    name = f"escapade_cartagena(edition=tortuga{house})"
    game, luck = pyspiel.load_game(name), np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, luck) if house else Playouts(seed=2, greedy=True)
    bots = [
        mcts.MCTSBot(game, 1.5, 10, evaluator, random_state=luck) for evaluator in (Playouts(n=2, seed=1), rollouts)
    ]
    assert sum(play_with(name, bots)) == 0


@pytest.mark.parametrize("name", ["escapade_cartagena", "escapade_evades(players=3)"])
def test_openspiels_search_of_information_sets_plays_whole_games(name: str) -> None:
    game, luck = pyspiel.load_game(name), np.random.RandomState(2)
    bot = ismcts.ISMCTSBot(game, Playouts(seed=3), 1.5, 12, random_state=luck)
    assert sum(play_with(name, [bot] * game.num_players())) == pytest.approx(0)


def test_regrets_are_minimised_in_a_game_with_hidden_hands() -> None:
    game = pyspiel.load_game(TINY)
    solver = cfr.CFRPlusSolver(game)
    gaps = [exploitability.exploitability(game, policy.UniformRandomPolicy(game))]
    for _ in range(2):
        for _ in range(3):
            solver.evaluate_and_update_policy()
        gaps.append(exploitability.exploitability(game, solver.average_policy()))
    assert gaps[0] > 0.05
    assert gaps[2] < gaps[1] / 2 < gaps[0] / 8


def test_playouts_come_to_what_random_play_is_worth() -> None:
    game = pyspiel.load_game(TINY)
    state, uniform = game.new_initial_state(), policy.UniformRandomPolicy(game)
    for card in "KP":
        state.apply_action(state.string_to_action(card))
    exact = expected_game_score.policy_value(state, [uniform, uniform])
    assert -0.9 < exact[0] < -0.1
    assert Playouts(n=40_000, seed=1).evaluate(state) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("name", GAMES)
def test_states_and_games_can_be_stored_and_copied(name: str) -> None:
    game = pyspiel.load_game(name)
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    for number, state in enumerate(walk(game, 9)):
        if number % 41 == 0 and not state.is_terminal():
            before = str(state), knowledge(state, 0)
            _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
            copies = [state.clone(), again, pickle.loads(pickle.dumps(state))]
            for copy in copies:
                assert (str(copy), knowledge(copy, 0)) == before
                assert copy.history() == state.history()
                copy.apply_action(copy.legal_actions()[-1])
            assert (str(state), knowledge(state, 0)) == before
            texts = [state.action_to_string(action) for action in state.legal_actions()]
            assert [state.string_to_action(text) for text in texts] == state.legal_actions()


def test_a_game_that_the_turn_limit_ends_is_worth_nothing_to_anybody() -> None:
    for name in ("escapade_cartagena(players=3,turn_limit=7)", "escapade_evades(players=4,turn_limit=3)"):
        game = pyspiel.load_game(name)
        for state in walk(game, 1):
            last = state
        assert last.returns() == [0.0] * game.num_players()
        assert len([step for step in last.full_history() if step.player >= 0]) <= game.max_game_length()


def test_only_hidden_hands_and_bets_make_information_imperfect() -> None:
    def information(name: str) -> Any:
        return pyspiel.load_game(name).get_type().information

    perfect, imperfect = (
        getattr(pyspiel.GameType.Information, f"{word}_INFORMATION") for word in ("PERFECT", "IMPERFECT")
    )
    assert information("escapade_cartagena(edition=tortuga)") == perfect
    assert information("escapade_cartagena(hands=open)") == perfect
    assert information("escapade_cartagena(edition=tortuga,hands=hidden)") == imperfect
    assert information("escapade_evades") == imperfect


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ("cartagena(edition=atlantis)", "atlantis"),
        ("cartagena(players=7)", "7 players"),
        ("cartagena(players=1)", "1 players"),
        ("cartagena(cards=1,deal=4)", "2 hands of 4 cards out of a pack of 6"),
        ("cartagena(hands=up)", "hands can be open or hidden, not 'up'"),
        ("cartagena(pirates=0)", "pirates can be 1 to 8, not 0"),
        ("cartagena(row=13)", "row can be 0 to 12, not 13"),
        ("cartagena(segments=9)", "segments can be 1 to 8, not 9"),
        ("cartagena(tunnel=BDHKPP)", "BDHKPP"),
        ("cartagena(turn_limit=0)", "turn_limit can be 1 to 10,000, not 0"),
        ("evades(players=7)", "7 players"),
        ("evades(length=61)", "length can be 1 to 60, not 61"),
    ],
)
def test_parameters_that_make_no_game_are_refused(parameters: str, why: str) -> None:
    with pytest.raises(Invalid, match=why.replace("(", "\\(")):
        pyspiel.load_game(f"escapade_{parameters}")


def test_an_unknown_parameter_and_an_illegal_action_are_refused() -> None:
    with pytest.raises(pyspiel.SpielError, match="captains"):
        pyspiel.load_game("escapade_cartagena(captains=2)")
    state = pyspiel.load_game("escapade_evades").new_initial_state()
    with pytest.raises(Illegal, match="14 is none of the legal actions"):
        state.apply_action(14)
