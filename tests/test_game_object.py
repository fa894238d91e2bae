"""The game object as a Python programmer meets it: copies, keys, going back, stepping through, actions with parts."""

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from third_game import KIND

import escapade
from escapade import Game, Illegal, Invalid, games

KINDS = [("jamaica", 3), ("hispaniola+row=6", 2), ("tortuga+cards=17", 5), ("evades", 3), ("goose", 2)]
SHUFFLED = (
    "jamaica BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.6.6.9.17.18/0.5.8.17.17.22"
    " BDDDD/HK - - B16D13H16K16P17S17 1:0:41"
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """A game of another package is there while a test runs."""
    games.register(KIND)
    yield
    games.unregister(KIND.name)


def played(text: str, players: int, seed: int = 1, most: int = 120) -> tuple[Game, list[str]]:
    """A game some way into random play, and every position on the way."""
    game, luck = escapade.new(text, players, seed=seed), random.Random(seed)
    passed: list[str] = []
    while not game.over and len(passed) < most:
        passed.append(str(game))
        game.play(luck.choice(game.legal_actions()))
    return game, passed


@pytest.mark.parametrize(("text", "players"), KINDS)
@pytest.mark.parametrize(
    "same",
    [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))],
    ids=lambda f: f.__name__,
)
def test_a_copy_is_the_same_game_and_goes_its_own_way(text: str, players: int, same: Callable[[Game], Game]) -> None:
    game, _ = played(text, players, most=7)
    record, position, luck = game.record(), str(game), random.Random(2)
    twin = same(game)
    assert (twin, twin.record(), twin.legal_actions()) == (game, record, game.legal_actions())
    also = same(game)
    for _ in range(5):
        action = luck.choice(twin.legal_actions())
        assert also.play(action) == twin.play(action)
    assert (str(game), game.record()) == (position, record)
    twin.pop()
    assert twin.record() != also.record()


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_a_position_is_a_key_that_stays(text: str, players: int) -> None:
    game, _ = played(text, players, most=9)
    table = {game.position: "here"}
    twin, position = escapade.parse(str(game)), game.position
    assert table[twin.position] == "here"
    assert (str(position), escapade.parse(str(position))) == (str(game), game)
    game.play(game.legal_actions()[0])
    assert game.position not in table
    assert game != twin
    assert twin.position == position
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_actions_are_taken_back_one_by_one_to_the_start_and_played_again_with_the_same_luck(
    text: str, players: int
) -> None:
    game, passed = played(text, players)
    record, taken = game.record(), []
    for position in reversed(passed):
        taken.append(game.pop())
        assert str(game) == position
    with pytest.raises(Illegal, match="there is no action to take back"):
        game.pop()
    for action in reversed(taken):
        assert game.play(action.bare) == action
    assert game.record() == record


def test_bets_are_taken_back_in_the_order_in_which_they_were_made() -> None:
    game: Any = escapade.new("evades", 3, seed=1)
    views = [game.view(2)]
    for seat, bet in ((2, "bet:br.yl.do.n"), (1, "bet:bn.rl.yo.d"), (3, "bet:bn.rl.yo.d")):
        game.play(bet, seat)
        views.append(game.view(2))
    game.play("roll:bry")
    assert game.pop().dice == "bry"
    for view, seat in zip(views[2::-1], (3, 1, 2), strict=True):
        assert game.pop().kind == "bet"
        assert game.view(2) == view
        assert seat in game.waiting()
    begun: Any = escapade.from_record(escapade.new("evades", 2).record().replace('Bets "-/-"', 'Bets "br.yl.do.n/-"'))
    begun.play("bet:bn.rl.yo.d")
    begun.pop()
    assert begun.position.bets == ("br.yl.do.n", "-")  # what the record says stays
    with pytest.raises(Illegal, match="there is no action to take back"):
        begun.pop()


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_a_read_game_is_stepped_through(text: str, players: int) -> None:
    game, passed = played(text, players)
    again = escapade.from_record(game.record())
    steps = list(again.mainline())
    tokens = [token for _, tokens in game.turns for token in tokens]
    assert [action for _, action in steps] == tokens
    assert [str(position) for position, _ in steps] == passed[-len(steps) :]
    assert str(again) == str(game)
    position, action = steps[len(steps) // 2]
    assert action.bare in position.legal_actions()
    assert action == action.bare + action.outcome
    assert position.play(action) == action
    assert str(position) == str(steps[len(steps) // 2 + 1][0])
    assert position.record(1).count("\n") < again.record(1).count("\n")


def test_a_position_of_a_read_game_claims_no_luck_that_the_record_does_not() -> None:
    text = "\n".join(line for line in played("jamaica", 2)[0].record().splitlines() if "Commitment" not in line)
    for position, _ in escapade.from_record(f"{text}\n").mainline():
        assert "Commitment" not in position.record()


def test_a_record_that_does_not_hold_is_refused() -> None:
    record = played("jamaica", 2, most=9)[0].record()
    with pytest.raises(Invalid, match="turn 2: turn 1 comes here"):
        escapade.from_record(record.replace("\n1. ", "\n2. "))
    with pytest.raises(Invalid, match="there is no game in this text"):
        escapade.from_record("")


def test_an_action_of_cartagena_names_its_parts() -> None:
    game: Any = escapade.parse(SHUFFLED, seed=1)
    listed = {str(action): action for action in game.legal_actions()}
    leap, back = listed["D6>7"], listed["9<8"]
    assert (leap.kind, leap.card, leap.space, leap.target, leap.drawn) == ("advance", "D", 6, 7, "")
    assert (back.kind, back.card, back.space, back.target, back.drawn) == ("retreat", None, 9, 8, "")
    drawn = game.play(back)
    assert (drawn.bare, drawn.drawn, len(drawn.pile)) == ("9<8", drawn[4], 95)
    assert drawn.outcome == f"+{drawn.drawn}~{drawn.pile}"
    assert drawn.pile[0] == drawn.drawn
    end = game.legal_actions()[-1]
    assert (end, end.kind, end.card, end.space, end.target, end.pile) == (".", "end", None, None, None, None)
    draw = game.action_type("draw+K")
    assert (draw.kind, draw.space, draw.drawn) == ("draw", None, "K")


def test_an_action_of_les_evades_names_its_parts() -> None:
    action = escapade.Evades.action_type
    bet, roll = action("bet:br.yl.do.n"), action("roll:bryw=4263")
    assert (bet.kind, bet.bet, bet.pawn, bet.dice) == ("bet", ("br", "yl", "do", "n"), None, "")
    assert (roll.kind, roll.dice, roll.numbers, roll.bet) == ("roll", "bryw", (4, 2, 6, 3), ())
    forth, home, back, end = map(action, ("b>14", "b>#1", "o<3", "."))
    assert (forth.kind, forth.pawn, forth.target, forth.boat, forth.numbers) == ("forward", "b", 14, None, ())
    assert (home.kind, home.target, home.boat) == ("forward", None, 1)
    assert (back.kind, back.pawn, back.target) == ("back", "o", 3)
    assert (end.kind, end.pawn, end.target, end.boat) == ("end", None, None, None)
    game = escapade.parse("evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/br.yl.do.n b4w3 r+ 2:14")
    assert [(one.kind, one.pawn, one.target) for one in game.legal_actions()] == [
        ("forward", "b", 11),
        ("back", "b", 4),
        ("back", "d", 6),
    ]


def test_actions_are_their_text_and_travel() -> None:
    for text, players in KINDS:
        game, _ = played(text, players, most=5)
        legal = game.legal_actions()
        assert all(isinstance(action, str) for action in legal)
        again = pickle.loads(pickle.dumps(legal))
        assert (again, list(map(type, again))) == (legal, list(map(type, legal)))
        assert type(str(legal[0])) is str
        assert all(type(token) is str for _, tokens in game.turns for token in tokens)


def test_the_fields_of_a_position_are_plain_values() -> None:
    position: Any = escapade.parse(SHUFFLED).position
    assert position.tunnel.startswith("BPHSDK/")
    assert position.pirates == ((0, 6, 6, 9, 17, 18), (0, 5, 8, 17, 17, 22))
    assert position.hands == ("BDDDD", "HK")
    assert (position.seat, position.actions, position.turn) == (1, 0, 41)
    seen: Any = escapade.parse(escapade.parse(SHUFFLED).view(2)).position
    assert seen.hands == ("?????", "HK")
    pawns: Any = escapade.parse("evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/? b4w3 r+ 2:14").position
    assert (pawns.stacks, pawns.boats) == ({0: "yo", 5: "r", 7: "b", 9: "d"}, ("ln", "", "", ""))
    assert (pawns.dice, pawns.moved, pawns.bets) == ({"b": 4, "w": 3}, {"r": "+"}, ("br.yl.do.n", "?"))
