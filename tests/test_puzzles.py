"""Every puzzle holds: its best turn is legal and the best by far, and every order of it is accepted."""

import itertools
from datetime import date

import pytest
from puzzles import GAP, LOST, READ_GAP, TIME, WON, choices, draft, is_right, themes, turns

import escapade
from escapade.bots import make
from escapade.games import LEVELS, kinds
from escapade.hints import consider
from escapade.puzzles import Puzzle, attempt, begin, find, of_the_day, puzzles, remembered
from escapade.server.puzzling import steps

ALL = [pytest.param(puzzle, id=name) for kind in kinds() for name, puzzle in puzzles(kind).items()]


@pytest.mark.parametrize("puzzle", ALL)
def test_the_best_turn_is_the_best_by_what_the_seat_knows(puzzle: Puzzle) -> None:
    """A search as long as a hint's finds it, one of the nine by which it was found; wins are shown by the rules."""
    game = begin(puzzle)
    played, view = attempt(puzzle, puzzle.line), game.view(game.seat)
    assert str(game) == puzzle.position
    assert played.verdict == "right"
    assert choices(puzzle, puzzle.line) >= 2
    assert puzzle.less <= WON
    if puzzle.solutions:
        assert puzzle.chance >= LOST
        assert puzzle.chance - puzzle.less >= (READ_GAP if puzzle.record else GAP) - 0.001
        assert puzzle.line in puzzle.solutions
        assert {str(attempt(puzzle, order).game) for order in puzzle.solutions} == {str(played.game)}
        assert {order[0] for order in puzzle.solutions} < set(game.legal_actions())
        assert is_right(puzzle, consider(view, remembered(puzzle, game), 1, TIME)[0].actions)
    else:
        assert game.seat in played.game.winners
    if puzzle.record:
        assert not is_right(puzzle, consider(view, None, 1, TIME)[0].actions)
    assert puzzle.themes
    assert puzzle.themes == themes(puzzle)
    assert "legend" in puzzle.solved
    assert set(puzzle.solved) < set(LEVELS)


def test_a_puzzle_is_found_by_its_name_and_every_day_has_one() -> None:
    for kind in kinds():
        every = puzzles(kind)
        assert all(find(name) is puzzle for name, puzzle in every.items())
        days = [of_the_day(date.fromordinal(740_000 + k), kind) for k in range(len(every))]
        assert {puzzle.id for puzzle in days if puzzle} == set(every)
    assert find("nothing") is None
    assert puzzles("nothing") == {}
    assert of_the_day(date.today(), "nothing") is None


def test_the_turns_before_are_told_as_the_seat_saw_them_and_luck_is_the_same_for_everyone() -> None:
    game = escapade.new("evades", players=3, seed=4)
    bots = [make("sailor", game.kind, seed) for seed in range(3)]
    *_, now = (now.copy() for now in itertools.islice(turns(game, bots), 13))
    puzzle = draft(now, read=True)
    start = begin(puzzle)
    tokens = [token for _, some in start.turns for token in some]
    seat, told = start.seat, steps(start.beginning(), tokens, start.seat)
    own, theirs = now.record(seat), puzzle.position.split(" ")[2].split("/")
    theirs.pop(seat - 1)
    assert (str(start), remembered(puzzle, start)) == (str(now), own)
    assert told[-1].view == start.view(seat)
    assert [step.action for step in told] == tokens
    assert len({step.seat for step in told}) == 3
    assert not any(bet in text for bet in theirs for text in [own, *(step.view for step in told)])
    throw = next(action for action in start.legal_actions() if action.startswith("roll:"))
    assert attempt(puzzle, [throw]).tokens == attempt(puzzle, [throw]).tokens
