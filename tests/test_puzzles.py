"""Every puzzle holds: its best turn is legal and the best by far, and every order of it is accepted."""

from datetime import date

import pytest
from puzzles import GAP, LOST, TIME, WON, choices, is_right, themes

from escapade.games import LEVELS, kinds
from escapade.hints import consider
from escapade.puzzles import Puzzle, attempt, begin, find, of_the_day, puzzles, remembered

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
        assert puzzle.chance - puzzle.less >= GAP - 0.001
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
