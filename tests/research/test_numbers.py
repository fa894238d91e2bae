"""Numbers from a game or from a seat's view of it: the same, and the same as batches write."""

import random

import numpy as np
import pytest
from research.views import number_of, read_view

import escapade
from escapade import Game, Illegal, Invalid
from escapade.batch import Batch

KINDS = [("jamaica", 2), ("tortuga", 3), ("first-escape-open", 2), ("evades", 3)]


def some_games(text: str, players: int, count: int) -> list[Game]:
    """A game at some moments of its course."""
    game, luck = escapade.new(f"{text}+turn-limit=200", players, seed=8), random.Random(4)
    found: list[Game] = []
    while not game.over and len(found) < count:
        found.append(game.copy())
        for _ in range(7):
            if not game.over:
                game.play(luck.choice(game.legal_actions()))
    return found


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_a_view_has_the_numbers_of_the_game(text: str, players: int) -> None:
    for game in some_games(text, players, 25):
        for seat in range(1, players + 1):
            seen = escapade.parse(game.view(seat)).observation(seat)
            assert seen.tolist() == game.observation(seat).tolist() == read_view(game.view(seat), seat)
        view = escapade.parse(game.view(game.seat))
        legal = game.legal_actions()
        assert np.flatnonzero(view.mask()).tolist() == [number_of(action, str(game)) for action in legal]
        for action in legal[:: 1 + len(legal) // 9]:
            number = view.number_of(action)
            assert (view.action_of(number), game.number_of(action)) == (action, number)
        assert game.number_of(game.copy().play(legal[0])) == game.number_of(legal[0])  # with what came of it


def test_a_sealed_bet_is_seen_by_its_seat_alone() -> None:
    game = escapade.new("evades", 3, seed=1)
    game.play("bet:br.yl.do.n", seat=3)
    for seat in (1, 2, 3):
        assert game.observation(seat).tolist() == read_view(game.view(seat), seat)
    assert len(game.turns_ahead()) == 630


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_a_net_made_for_a_batch_plays_the_same_from_a_view(text: str, players: int) -> None:
    games = Batch(text, players, 12, seed=3)
    masks, seen, net = games.masks(), games.observations(), np.random.default_rng(1)
    weights = net.standard_normal((games.length, games.numbers))
    games.show(masks=masks, observations=seen)
    for _ in range(12):
        numbers = np.where(masks, seen @ weights, -np.inf).argmax(axis=1)
        for k, number in enumerate(numbers.tolist()):
            game = escapade.parse(games.game(k).view(int(games.seats[k]) + 1))
            assert int(np.where(game.mask(), game.observation(game.seat) @ weights, -np.inf).argmax()) == number
            assert game.action_of(number) in games.game(k).legal_actions()
        games.step(numbers, masks=masks, observations=seen)


def ways(game: Game, seat: int, turn: int) -> set[str]:
    """What a seat sees after each way through its turn in which nothing is turned up, found by playing."""
    ends = set()
    for action in game.legal_actions():
        after = game.copy()
        played = after.play(action)
        if after.face_down != game.face_down or "~" in played or "=" in played:
            continue
        if after.over or (after.seat, after.turn) != (seat, turn):
            ends.add(after.view(seat))
        else:
            ends |= ways(after, seat, turn)
    return ends


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_turns_ahead_are_all_that_a_seat_can_do_and_no_more_than_it_sees(text: str, players: int) -> None:
    compared = 0
    for game in some_games(text, players, 8):
        seat, before = game.seat, str(game)
        ahead = game.turns_ahead()
        again = escapade.parse(game.view(seat)).turns_ahead()
        assert [(way.actions, str(way.after)) for way in ahead] == [(way.actions, str(way.after)) for way in again]
        assert str(game) == before
        afters = [way.after for way in ahead if way.after]
        assert len({str(after) for after in afters}) == len(afters)
        assert [way.actions[0].startswith("roll:") for way in ahead if not way.after] == [True] * (
            len(ahead) - len(afters)
        )
        ends = [after for after in afters if after.over or (after.seat, after.turn) != (seat, game.turn)]
        sure = {after.view(seat) for after in ends if after.face_down == game.face_down}
        found = ways(game, seat, game.turn)
        assert found == sure
        compared += len(found)
    assert compared > 30


def test_what_has_no_number_is_refused() -> None:
    game = escapade.new("jamaica", 2, seed=1)
    view = escapade.parse(game.view(2))
    for ask in (view.mask, view.turns_ahead, lambda: view.action_of(0)):
        with pytest.raises(Illegal, match="the hand of seat 1, which is to act, is not known"):
            ask()
    with pytest.raises(Invalid, match="268: actions are numbered from 0 to 267"):
        game.action_of(268)
    with pytest.raises(Illegal, match=r"267: legal are the numbers \["):
        game.action_of(267)
    with pytest.raises(Illegal, match="only a legal action, written as it is listed, has a number, in jamaica"):
        game.number_of("36<35")
    with pytest.raises(Invalid, match="walk"):
        game.number_of("walk")
    with pytest.raises(Invalid, match="seat 3: this game has seats 1 to 2"):
        game.observation(3)


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_no_number_of_an_observation_is_larger_than_its_field_tells(text: str, players: int) -> None:
    games = Batch(text, players, 200, seed=2)
    actions, seen = np.zeros(200, np.int64), games.observations()
    most = np.concatenate([np.full(int(np.prod(field.shape)), field.most) for field in games.fields()])
    for _ in range(300):
        games.choose(actions)
        games.step(actions, observations=seen)
        assert (seen <= most).all()
        assert (seen >= 0).all()
