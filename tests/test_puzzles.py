"""Every puzzle holds: its best turn is legal and the best by far, and every order of it is accepted."""

from datetime import date

import pytest
from puzzles import GAP, LOST, THEMES, TIME, WON, choices

from escapade.games import LEVELS, kinds
from escapade.hints import consider
from escapade.puzzles import Puzzle, attempt, begin, find, of_the_day, puzzles

ALL = [pytest.param(puzzle, id=name) for kind in kinds() for name, puzzle in puzzles(kind).items()]
THEME = {*THEMES.values(), "order"}


@pytest.mark.parametrize("puzzle", ALL)
def test_the_best_turn_is_the_best_by_what_the_seat_sees(puzzle: Puzzle) -> None:
    game = begin(puzzle)
    seat, legal = game.seat, game.legal_actions()
    assert attempt(puzzle, puzzle.line).verdict == "right"
    assert choices(puzzle, puzzle.line) >= 2
    if puzzle.solutions:
        assert puzzle.chance >= LOST
        assert puzzle.chance - puzzle.less >= GAP - 0.001
        ends = {str(attempt(puzzle, order).game) for order in puzzle.solutions}
        assert len(ends) == 1
        assert puzzle.line in puzzle.solutions
        line = consider(game.view(seat), None, 1, TIME)[0]
        assert attempt(puzzle, line.actions).verdict != "wrong"
    else:
        assert seat in attempt(puzzle, puzzle.line).game.winners
    assert puzzle.less <= WON
    assert any(attempt(puzzle, [action]).verdict == "wrong" for action in legal) or not puzzle.solutions
    assert set(puzzle.themes) <= THEME
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
