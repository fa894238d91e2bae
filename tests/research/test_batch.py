"""Batches: the same games as played singly, on any number of threads, written into the caller's arrays."""

import copy
import pickle
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from research.views import read_view

import escapade
from escapade import Illegal, Invalid
from escapade.batch import Batch, open_box, play_games
from escapade.compiled import records
from escapade.evades.features import number_of
from escapade.evades.kernel import END, ROLL, WHITE
from escapade.evades.position import Evades
from escapade.rng import next_random, pick_high, seed_rng

KINDS = [("jamaica", 2), ("first-escape", 3), ("jamaica+pirates=3+deal=3+turn-limit=30", 5), ("evades", 4)]


def stepped(games: Batch, steps: int) -> tuple[Any, ...]:
    """Everything that some random steps write."""
    actions, masks, seen = np.zeros(games.games, np.int64), games.masks(), games.observations()
    written = []
    for _ in range(steps):
        games.choose(actions)
        games.step(actions, masks=masks, observations=seen)
        written.append(np.concatenate([actions, games.seats, games.rewards.ravel(), games.terminated, games.truncated]))
    return np.array(written), masks, seen, games.tables


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_every_step_is_what_the_rules_say(text: str, players: int) -> None:
    games = Batch(text, players, 6, seed=5)
    actions, masks, ended = np.zeros(6, np.int64), games.masks(), 0
    games.show(masks=masks)
    for _ in range(120):
        before = [games.game(k) for k in range(6)]
        games.choose(actions)
        chosen = [
            np.flatnonzero(row).tolist().index(number) for row, number in zip(masks, actions.tolist(), strict=True)
        ]
        legal = [game.legal_actions() for game in before]
        assert masks.sum(axis=1).tolist() == list(map(len, legal))
        games.step(actions, masks=masks)
        for k, game in enumerate(before):
            played = game.play(legal[k][chosen[k]])
            after = games.game(k)
            assert [games.terminated[k] or games.truncated[k]] == [game.over]
            if game.over:
                ended += 1
                assert after.turn == (0 if "evades" in text else 1)
                check_end(game, games, k)
            elif "~" in played:
                assert sorted(str(game)) == sorted(str(after))
            elif "=" in played:  # other dice were thrown, so the pawns stand as they did
                assert str(game).split(" ")[:3] == str(after).split(" ")[:3]
            else:
                assert str(game) == str(after)
            assert games.seats[k] == after.seat - 1
    assert ended or text in ("jamaica", "first-escape")


@pytest.mark.parametrize(("text", "shared", "broken_off"), [("evades", 3, 0), ("evades+turn-limit=4", 0, 50)])
def test_whoever_wins_together_shares_and_a_limit_breaks_off(text: str, shared: int, broken_off: int) -> None:
    games, seen = Batch(text, 3, 60, seed=2), Counter[str]()
    actions, masks = np.zeros(60, np.int64), games.masks()
    games.show(masks=masks)
    for _ in range(250):
        tables, legal = games.tables.copy(), masks.copy()
        games.choose(actions)
        games.step(actions, masks=masks)
        for k in np.flatnonzero(games.terminated | games.truncated).tolist():
            game = Evades.from_states(games.box.edition, tables["state"][k : k + 1], 3)
            game.play(game.legal_actions()[np.count_nonzero(legal[k, : actions[k]])])
            check_end(game, games, k)
            seen["shared"] += len(game.winners) > 1
            seen["broken off"] += not game.winners
    assert (seen["shared"] >= shared, seen["broken off"] >= broken_off) == (True, True)


def check_end(game: escapade.Game, games: Batch, k: int) -> None:
    """Winners get what the others lose; nobody gets anything for a game that the limit ended."""
    players, won = game.players, game.winners
    shares = [1 / len(won) if seat in won else 0.0 for seat in range(1, players + 1)]
    expected = [(players * share - 1) / (players - 1) if won else 0.0 for share in shares]
    assert games.rewards[k].tolist() == pytest.approx(expected)
    assert games.terminated[k] != games.truncated[k]
    assert games.truncated[k] == (not won and game.turn > game.rules.turn_limit)


def test_a_batch_ends_a_game_in_which_nobody_does_anything() -> None:
    cards = Batch("first-escape", 3, 5, seed=1)
    end = np.full(5, cards.numbers - 1)
    for turn in range(1, 20):
        cards.step(end)
        assert cards.terminated.all() == cards.terminated.any() == (turn % 9 == 0)
        assert not cards.truncated.any()
        assert not cards.rewards.any()
    pawns = Batch("evades", 2, 1, seed=1)
    game = escapade.parse("evades 22:no,#1:br,#2:yl,#3:d br.yl.do.n/ln.bo.rd.y - - 1:31")
    pawns.tables["state"][0] = game.states[0]
    rules = open_box("evades", 2).rules
    roll, leave = (np.array([number_of(rules, action)]) for action in (ROLL | 1 << 6 | 1 << WHITE, END))
    for turn in range(1, 7):
        for numbers in (roll, leave):
            assert not pawns.terminated[0]
            pawns.step(numbers)
        assert (pawns.terminated[0], pawns.truncated[0]) == (turn == 6, False)
    assert pawns.game(0).turn == 0


def test_threads_and_seeds() -> None:
    one, three, other = (Batch("tortuga", 3, 50, seed=seed, threads=n) for seed, n in ((1, 1), (1, 3), (2, 2)))
    first = stepped(one, 40)
    for ours, theirs in zip(first, stepped(three, 40), strict=True):
        assert np.array_equal(ours, theirs)
    assert not np.array_equal(first[0], stepped(other, 40)[0])
    one.reset()
    assert np.array_equal(stepped(one, 40)[0], first[0])
    one.reset(2)
    assert np.array_equal(stepped(one, 40)[3], other.tables)


@pytest.mark.parametrize(("text", "players"), [("jamaica", 2), ("evades", 3)])
def test_whole_games_are_those_played_one_action_at_a_time(text: str, players: int) -> None:
    box = open_box(text, players)
    states, luck = records(box.kernel.STATE, 1), np.zeros(2, np.uint64)
    mask = np.zeros(box.features.count(box.rules), np.bool_)
    for number, played in enumerate(play_games(text, players, 4, seed=9, first=100, threads=2).tolist(), 100):
        seed_rng(luck, 9, number)
        box.kernel.random_setup_in(states, box.rules, players, luck)
        decisions = 0
        while not (game := box.kind.game.from_states(box.edition, states, players)).over:
            box.features.mark_in(states, box.rules, mask)
            choice = np.flatnonzero(mask)[pick_high(np.uint64(next_random(luck)), int(mask.sum()))]
            box.kernel.act_in(states, box.rules, box.features.action_of(box.rules, choice), luck)
            decisions += 1
        winners = sum(1 << (seat - 1) for seat in game.winners)
        assert played == [decisions, game.turn, winners, int(np.bitwise_xor.reduce(luck).astype(np.int64))]


def test_a_step_allocates_nothing() -> None:
    games = Batch("jamaica", 2, 2000, threads=1)
    actions, masks, seen = np.zeros(2000, np.int64), games.masks(), games.observations()
    games.choose(actions)
    games.step(actions, masks=masks, observations=seen)
    tracemalloc.start()
    for _ in range(20):
        games.choose(actions)
        games.step(actions, masks=masks, observations=seen)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000  # the smallest of these arrays has 2,000 numbers


def test_an_illegal_number_leaves_its_game_alone() -> None:
    games = Batch("jamaica", 2, 4, seed=1, threads=2)
    actions = np.zeros(4, np.int64)
    games.choose(actions)
    before = [str(games.game(k)) for k in range(4)]
    for number in (267, 268, -1, 10**12):
        with pytest.raises(Illegal, match=rf"game 2: {number} is not the number of a legal action, in jamaica"):
            games.step(np.where(np.arange(4) == 2, number, actions))
        assert str(games.game(2)) == before[2]
        assert all(str(games.game(k)) != before[k] for k in (0, 1, 3))
        games.reset()


def test_what_does_not_fit_is_refused() -> None:
    games = Batch("jamaica", 2, 4)
    actions = np.zeros(4, np.int64)
    with pytest.raises(Invalid, match=r"actions: float64 of shape \(4,\); int64 or int32 of shape \(4,\) in one piece"):
        games.step(actions.astype(float))
    with pytest.raises(Invalid, match=r"masks: bool of shape \(4, 5\); bool_? of shape \(4, 268\)"):
        games.step(actions, masks=np.zeros((4, 5), np.bool_))
    with pytest.raises(Invalid, match="observations: int8"):
        games.reset(observations=np.zeros((401, 4), np.int8).T)
    for arguments, why in (
        (("jamaica", 2, 0), "0 games"),
        (("jamaica", 6, 1), "6 players"),
        (("atlantis", 2, 1), "atlantis"),
        (("jamaica", 2, 1, -1), "the seed -1"),
    ):
        with pytest.raises(Invalid, match=why):
            Batch(*arguments[:3], seed=(*arguments, 0)[3])
    with pytest.raises(Invalid, match="Les Évadés has no tunnel"):
        Batch("evades", 2, 1, segments=4)


def test_a_short_tunnel_has_fewer_numbers() -> None:
    games = Batch("jamaica", 2, 3, segments=3)
    assert games.numbers == 7 * 20 + 2
    assert games.length == sum(int(np.prod(field.shape)) for field in games.fields())
    stepped(games, 30)


@pytest.mark.parametrize(("text", "players"), [("tortuga+turn-limit=20", 3), ("evades+turn-limit=9", 2)])
def test_the_last_observations_of_a_game_are_every_seats_at_its_end(text: str, players: int) -> None:
    games, ended = Batch(text, players, 40, seed=6), 0
    actions, finals = np.zeros(40, np.int64), games.finals()
    for _ in range(150):
        before = games.save()
        games.choose(actions)
        games.step(actions, finals=finals)
        for k in np.flatnonzero(games.terminated | games.truncated).tolist():
            game = games.box.kind.game.from_states(games.box.edition, before["tables"]["state"][k : k + 1], players)
            played = game.play(game.action_of(int(actions[k])))
            if "~" not in played and "=" not in played:  # with the luck of the batch
                assert [row.tolist() for row in finals[k]] == [
                    read_view(game.view(seat), seat) for seat in range(1, players + 1)
                ]
                ended += 1
    assert ended > 10


@pytest.mark.parametrize(("text", "players"), [("tortuga", 3), ("evades", 3)])
def test_any_seat_can_be_the_reader(text: str, players: int) -> None:
    games = Batch(text, players, 12, seed=6)
    stepped(games, 30)
    seen, readers = games.observations(), (np.arange(12) % players).astype(np.int8)
    for reader in (0, players - 1, readers):
        games.show(observations=seen, reader=reader)
        for k, seat in enumerate(np.broadcast_to(reader, 12).tolist()):
            assert seen[k].tolist() == read_view(games.game(k).view(seat + 1), seat + 1)
    with pytest.raises(Invalid, match="the reader 3 is no seat from 0 to 2"):
        games.show(observations=seen, reader=3)


@pytest.mark.parametrize(("text", "net"), [("tortuga", False), ("evades", True)])
def test_what_was_saved_copied_or_pickled_goes_on_as_the_games_do(text: str, net: bool, tmp_path: Path) -> None:
    games = Batch(text, 2, 20, seed=6, net=net)
    stepped(games, 30)
    saved: Any = games.save()
    np.savez(tmp_path / "saved.npz", **saved)
    one, twins = games.save(7), [copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    first = stepped(games, 40)
    games.reset(99)
    with np.load(tmp_path / "saved.npz") as file:
        games.restore(file)
    for other in (games, *twins):
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(first, stepped(other, 40), strict=True))
    with np.load(tmp_path / "saved.npz") as file:
        games.restore(file)
    games.restore(one, 3)
    assert (str(games.game(3)), games.seats[3]) == (str(games.game(7)), games.seats[7])
    with pytest.raises(Invalid, match="these are games of"):
        Batch("jamaica", 2, 20).restore(games.save())
    with pytest.raises(Invalid, match="1 saved games, with games, tables"):
        games.restore(one)


def test_games_branch_with_the_same_luck_or_with_their_own() -> None:
    games = Batch("jamaica", 2, 10, seed=6)
    stepped(games, 30)
    wanted = str(games.game(4))
    games.branch(np.full(10, 4))
    assert {str(games.game(k)) for k in range(10)} == {wanted}
    assert games.seats.tolist() == [games.game(0).seat - 1] * 10
    alike = stepped(games, 200)[0].reshape(200, -1)[:, :10]
    assert (alike == alike[:, :1]).all()
    games.branch(np.zeros(10, np.int32), seed=5)
    apart = stepped(games, 200)[0].reshape(200, -1)[:, :10]
    assert not (apart == apart[:, :1]).all()
    with pytest.raises(Invalid, match="sources: the games are numbered from 0 to 9"):
        games.branch(np.full(10, 10))


def test_positions_are_loaded_from_text_and_played_on() -> None:
    games, game = Batch("tortuga", 3, 4, seed=6), escapade.new("tortuga", 3, seed=2)
    for _ in range(50):
        game.play(game.legal_actions()[0])
    games.load(2, str(game))
    assert games.seats[2] == game.seat - 1
    assert str(games.game(2)).split(" ")[1:] == str(game).split(" ")[1:]
    seen = games.observations()
    games.show(observations=seen, reader=1)
    assert seen[2].tolist() == escapade.parse(str(game)).observation(2).tolist()
    games.load(0, game)
    games.show(observations=seen, reader=1)
    assert seen[0].tolist() == game.observation(2).tolist()  # what was seen being taken is known to a game, not a text
    stepped(games, 30)
    over = escapade.new("tortuga+turn-limit=3", 3)
    while not over.over:
        over.play(over.legal_actions()[0])
    for position, why in (
        (escapade.new("jamaica", 3), "these are games of tortuga"),
        (escapade.new("tortuga", 3, segments=5), "these are games of tortuga"),
        (escapade.new("evades", 3), "these are games of tortuga"),
        (game.view(1), "what is unknown in it cannot be played on"),
        (over, "the game is over"),
    ):
        with pytest.raises(Invalid, match=why):
            games.load(1, position)


def test_arrays_of_other_libraries_come_and_go_by_dlpack() -> None:
    class Tensor:
        """An array that is not NumPy's, but can be exchanged."""

        def __init__(self, array: Any) -> None:
            self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__

    games, twin, actions = Batch("jamaica", 2, 4, seed=1), Batch("jamaica", 2, 4, seed=1), np.zeros(4, np.int64)
    masks = games.masks()
    games.choose(actions)
    games.step(Tensor(actions), masks=masks)  # type: ignore[arg-type]
    twin.choose(actions)
    twin.step(actions)
    assert np.array_equal(games.tables, twin.tables)
    games.show(masks=masks)
    assert np.shares_memory(np.from_dlpack(masks), masks)
