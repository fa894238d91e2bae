"""Puzzles over HTTP: shown as the seat sees them, tried action by action, explained at the end, and rated."""

from collections.abc import Callable

import httpx
import pytest
from server.live import Message, Running, wait_for

from escapade.games import kinds
from escapade.puzzles import Puzzle, begin, puzzles


def concealed(puzzle: Puzzle) -> str:
    """The other's hand, in a puzzle of Cartagena for two."""
    return puzzle.position.split(" ")[3].split("/")[2 - begin(puzzle).seat]


def hides(puzzle: Puzzle) -> bool:
    """Whether the other's hand is nowhere in what the seat sees, nor could it be there by chance."""
    return len(concealed(puzzle)) > 4 and concealed(puzzle) not in begin(puzzle).view(begin(puzzle).seat)


EVERY = [puzzle for kind in kinds() for puzzle in puzzles(kind).values()]
ROAD = next(one for one in EVERY if one.solutions and hides(one))
WIN = next(puzzle for puzzle in EVERY if not puzzle.solutions)
BOTH = [ROAD, WIN, *list(puzzles("evades").values())[:1]]


def ask(server: Running, puzzle: Puzzle, *actions: str, **more: bool) -> Message:
    """Try some actions; a slow machine may have to load the bots first."""
    answers: list[httpx.Response] = []

    def answered() -> bool:
        answers.append(server.post(f"/api/puzzles/{puzzle.id}", {"actions": list(actions), **more}))
        return answers[-1].status_code != 503

    wait_for(answered, every=0.5)
    assert answers[-1].status_code == 200, answers[-1].text
    found: Message = answers[-1].json()
    return found


@pytest.mark.parametrize("puzzle", BOTH, ids=["road", "win", "evades"])
def test_a_puzzle_is_solved_action_by_action(server: Running, puzzle: Puzzle) -> None:
    game = begin(puzzle)
    seat, shown = game.seat, ask(server, puzzle)
    assert (shown["start"], shown["seat"], shown["verdict"]) == (game.view(seat), seat, "open")
    for n, action in enumerate(puzzle.line, 1):
        assert action in shown["legal"]
        assert shown["answer"] is None
        shown = ask(server, puzzle, *puzzle.line[:n])
        game.play(action)
        assert shown["steps"][-1]["view"] == game.view(seat)
    assert (shown["verdict"], shown["legal"], shown["lost"]) == ("right", [], None)
    answer = shown["answer"]
    assert (answer["line"], answer["chance"], answer["less"]) == (list(puzzle.line), puzzle.chance, puzzle.less)
    assert answer["reasons"]
    assert [step["action"] for step in answer["steps"]] == [step["action"] for step in shown["steps"]]


def test_a_wrong_action_says_what_it_gives_away_and_the_answer_is_told_to_whoever_gives_up(server: Running) -> None:
    wrong = next(
        action for action in begin(ROAD).legal_actions() if not any(one[0] == action for one in ROAD.solutions)
    )
    tried = ask(server, ROAD, wrong)
    assert (tried["verdict"], tried["legal"], tried["answer"]) == ("wrong", [], None)
    assert 0.1 < tried["lost"] <= 1
    assert ask(server, ROAD, give_up=True)["answer"]["line"] == list(ROAD.line)


def test_nobody_is_told_what_the_seat_does_not_know(server: Running) -> None:
    pile = ROAD.position.split(" ")[5]
    told = server.post(f"/api/puzzles/{ROAD.id}", {"actions": list(ROAD.line)}).text
    assert concealed(ROAD) not in told
    assert pile not in told


def test_what_is_not_there_or_cannot_be_done_is_refused(server: Running) -> None:
    for path in ("/api/puzzles/nothing", "/api/puzzles/nothing/rating"):
        refused = server.post(path, {"solved": True} if "rating" in path else {})
        assert (refused.status_code, refused.json()["code"]) == (404, "no-puzzle")
    illegal = server.post(f"/api/puzzles/{ROAD.id}", {"actions": ["B0>36"]})
    assert (illegal.status_code, illegal.json()["code"]) == (400, "illegal")
    for bad in ({"solved": True, "rating": 9000}, {"solved": True, "deviation": 1}, {}):
        assert server.post(f"/api/puzzles/{ROAD.id}/rating", bad).status_code == 400


def test_both_are_rated_and_a_puzzle_once_by_an_address_and_that_is_kept(start: Callable[[], Running]) -> None:
    server = start()
    rows = {row["id"]: row for row in server.get("/api/puzzles").json()["puzzles"]}
    assert len(rows) == len(EVERY)
    assert (rows[ROAD.id]["rating"], rows[ROAD.id]["tries"]) == (ROAD.rating, 0)
    first = server.post(f"/api/puzzles/{ROAD.id}/rating", {"solved": True}).json()
    assert first["rating"] > 1500
    assert first["deviation"] < 350
    assert first["puzzle"] < ROAD.rating
    again = server.post(f"/api/puzzles/{ROAD.id}/rating", {"solved": True}).json()
    assert again["puzzle"] == first["puzzle"]
    failed = server.post(f"/api/puzzles/{WIN.id}/rating", {"solved": False, "rating": 1500.0, "deviation": 60.0}).json()
    assert failed["rating"] < 1500
    assert failed["puzzle"] > WIN.rating
    server.kill()
    server.start(server.port)
    rows = {row["id"]: row for row in server.get("/api/puzzles").json()["puzzles"]}
    assert (rows[ROAD.id]["rating"], rows[ROAD.id]["tries"]) == (first["puzzle"], 1)


def test_today_has_a_puzzle_of_every_kind(server: Running) -> None:
    told = server.get("/api/puzzles").json()
    assert set(told["today"]) == {"cartagena", "evades"}
    assert set(told["today"].values()) <= {row["id"] for row in told["puzzles"]}
