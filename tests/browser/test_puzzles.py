"""Puzzles in the browser: a wrong try and the right one, the answer shown, ratings kept, the day's own; by keys too."""

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Route, expect
from server.live import Running
from server.test_puzzling import EVERY, ROAD

from browser.conftest import Screens
from browser.hands import Finger, Hand, Keys
from browser.screens import PHONE, Screen
from browser.test_access import Looks, look  # noqa: F401
from escapade import games
from escapade.puzzles import Puzzle, begin
from escapade.server.puzzling import steps

IDLE = "[data-part=face][aria-busy=false]"
HANDS: dict[str, tuple[type[Hand], dict[str, Any]]] = {
    "laptop": (Keys, {}),
    "phone": (Finger, {"viewport": PHONE, "has_touch": True, "is_mobile": True}),
}
EVADES = next(puzzle for puzzle in EVERY if puzzle.position.startswith("evades") and puzzle.solutions)


def play(screen: Screen, hand: Hand, puzzle: Puzzle, *actions: str) -> None:
    """Play some actions of a puzzle that has just begun."""
    game = begin(puzzle)
    screen.shown = {"kind": game.kind}
    for action in actions:
        screen.find(IDLE).wait_for()
        screen.state = {"legal": [one for one in game.offers(game.seat) if one != "."], "result": "*"}
        told = len(verdicts(screen))
        hand.do(action)
        screen.wait(lambda: len(verdicts(screen)) > told, f"for what is said to {action}")  # noqa: B023
        screen.page.wait_for_timeout(100)  # until it is shown
        game.play(action)
    screen.find(IDLE).wait_for()


def verdicts(screen: Screen) -> list[str]:
    """What was asked about actions that were tried."""
    return [one.url for one in screen.answers if '"actions"' in (one.request.post_data or "")]


def kept(screen: Screen) -> Any:
    """What the browser remembers of puzzles."""
    return screen.evaluate("JSON.parse(localStorage.escapade).puzzles")


@pytest.mark.parametrize("size", HANDS)
@pytest.mark.parametrize("puzzle", [ROAD, EVADES], ids=["cartagena", "evades"])
def test_a_puzzle_is_missed_tried_again_and_solved(
    puzzle: Puzzle,
    size: str,
    server: Running,
    screens: Screens,
    look: Looks,  # noqa: F811
) -> None:
    hands, more = HANDS[size]
    screen = screens(server, f"/puzzles/{puzzle.id}", **more)
    hand = hands(screen)
    wrong = next(
        action
        for action in begin(puzzle).legal_actions()
        if action != "." and not any(one[0] == action for one in puzzle.solutions)
    )
    play(screen, hand, puzzle, wrong)
    screen.find(".prompt.slip").wait_for(state="attached")
    assert "gives away" in screen.text("#live")
    screen.page.keyboard.press("Enter")  # the focus is on “Try again”
    screen.find(".prompt.slip").wait_for(state="detached")
    play(screen, hand, puzzle, *puzzle.line)
    screen.find(".prompt.good").wait_for(state="attached")
    assert "s it!" in screen.text("#live")
    screen.wait(lambda: kept(screen)["rating"] < 1500)
    assert kept(screen)["tried"] == {puzzle.id: False}
    if size == "laptop":
        look.at(screen, "a puzzle that is solved")
    screen.page.keyboard.press("Enter")  # the focus is on “Next puzzle”
    screen.page.wait_for_url(lambda url: "/puzzles/" in url and puzzle.id not in url)


def test_the_answer_is_shown_and_counts_as_missed(server: Running, screens: Screens) -> None:
    screen = screens(server, f"/puzzles/{ROAD.id}")
    screen.find(IDLE).wait_for()
    screen.page.keyboard.press("s")
    expect(screen.find(".prompt.good")).to_contain_text("This is the best turn")
    assert kept(screen)["tried"] == {ROAD.id: False}
    assert kept(screen)["rating"] < 1500


def test_the_puzzle_of_the_day_begins_a_streak_and_a_theme_narrows_the_choice(
    server: Running, screens: Screens
) -> None:
    today = server.get("/api/puzzles").json()["today"]["cartagena"]
    puzzle = next(one for one in EVERY if one.id == today)
    screen = screens(server, "/")
    screen.find(".ways a[href='/puzzles']").click()
    screen.find(f"[data-do=today][data-id='{today}']").click()
    screen.page.wait_for_url(f"**/puzzles/{today}")
    play(screen, Keys(screen), puzzle, *puzzle.line)
    screen.wait(lambda: (kept(screen) or {}).get("streak") == 1)
    screen.find("select[name=kind]").select_option("evades")
    screen.find("evades-face").wait_for()
    screen.page.goto(f"{server.url}/puzzles")
    screen.find("evades-face").wait_for()
    assert kept(screen)["streak"] == 1


def test_a_puzzle_that_is_not_there_is_said_to_be_missing(server: Running, screens: Screens) -> None:
    screen = screens(server, "/puzzles/nothing")
    expect(screen.find(".prompt")).to_have_text("There is no such puzzle.")
    screen.allow("404")


def test_the_turns_before_are_in_the_log_where_they_are_part_of_a_puzzle(server: Running, screens: Screens) -> None:
    seat, before = begin(EVADES).seat, games.parse("evades 0:bryldon bo.yd.ln.r/br.yl.do.n - - 1:1", seed=0)
    told = steps(before, ["roll:bry=111", "b>1", "r>1", "y>1", "roll:ldo=223"], seat)

    def tell(route: Route) -> None:
        answer = route.fetch()
        turns = {"opening": before.view(seat), "before": msgspec.to_builtins(told)}
        route.fulfill(response=answer, json=answer.json() | turns)

    screen = screens(server, "/")
    screen.page.route(f"**/api/puzzles/{EVADES.id}", tell)
    screen.page.goto(f"{server.url}/puzzles/{EVADES.id}")
    screen.find(IDLE).wait_for()
    expect(screen.find(".log.before li")).to_have_count(len(told))
    expect(screen.find(".goal")).to_contain_text("see the log")
    screen.page.keyboard.press("s")
    expect(screen.find(".prompt.good")).to_contain_text("By the position alone another turn would seem better")
