"""Lessons by doing, from the first task to the first game: by keys on a phone, by mouse on a laptop."""

from typing import Any

import pytest
from server.live import Running

import escapade
from browser.conftest import Screens
from browser.hands import Finger, Hand, Keys, Mouse
from browser.screens import Screen

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
IDLE = "[data-part=face][aria-busy=false]"
TASKS = """async (kind) => (await import(`/client/${kind}/tasks.js`)).TASKS.map(
  ({ name, position, given = [], solution, luck, plans }) =>
    ({ name, position, given, solution, plans, luck: solution.map((action) => luck?.(action) ?? action) }))"""
# A wrong try in some tasks, and words of what is said about it.
SLIPS = {
    "cartagena": {"jump": ("H6>11", "was free"), "win": ("D30>35", "In which order"), "empty": ("9<6", "this time")},
    "evades": {"boats": ("b>#1", "Blue took the last place"), "score": ("n>#3", "has 13 points")},
}


class Pupil:
    """Does the tasks of a lesson."""

    def __init__(self, screen: Screen, hand: Hand, kind: str) -> None:
        self.screen, self.hand, self.kind = screen, hand, kind
        self.tasks: list[dict[str, Any]] = screen.evaluate(TASKS, kind)
        screen.shown = {"kind": kind}

    def press(self, what: str) -> None:
        """Press a button below the board."""
        if isinstance(self.hand, Keys):
            self.hand.tab_to(f"[data-do={what}]")
            self.hand.press("Enter")
        else:
            self.hand.press(f".actions [data-do={what}]")  # type: ignore[attr-defined]

    def do(self, task: dict[str, Any], actions: list[str], outcomes: list[str] | None = None) -> None:
        """Do these actions in a task that has just begun."""
        self.screen.find(IDLE).wait_for()
        if self.screen.find("[data-do=ready]").count():
            self.press("ready")
        game = escapade.parse(task["position"], seed=1)
        for action in task["given"]:
            game.play(action)
        for action, outcome in zip(actions, outcomes or actions, strict=True):
            self.screen.state = {"legal": game.offers(1), "result": "*"}
            self.hand.do(action)
            self.screen.find(IDLE).wait_for()
            game.play(outcome)

    def learn(self, task: dict[str, Any]) -> None:
        """Do a task, in some of them the wrong way first."""
        self.screen.page.wait_for_url(f"**/learn/{self.kind}#{task['name']}")
        wrong, why = SLIPS[self.kind].get(task["name"], ("", ""))
        if wrong:
            self.do(task, [wrong])
            self.judged("slip", why)
            self.screen.page.keyboard.press("Enter")  # the focus is on “Try again”
            self.screen.find(".prompt.slip").wait_for(state="detached")
        if task["plans"]:
            for plan in task["plans"]:
                self.screen.find(f"[data-plan={plan}]").press("Enter")
                self.judged("good", "Our engine")
                self.screen.find(IDLE).wait_for()
        else:
            self.do(task, task["solution"], task["luck"])
        self.judged("good", "")

    def judged(self, looks: str, words: str) -> None:
        """Wait for a judgement; it is told to screen readers, too."""
        self.screen.find(f".prompt.{looks}").wait_for(state="attached")
        assert words in self.screen.text(f".prompt.{looks}")
        assert words in self.screen.text("#live")

    def ticks(self) -> list[bool]:
        """Which tasks of the list are done."""
        return [text.startswith("✓") for text in self.screen.find(".log li").all_text_contents()]


def learn_all(pupil: Pupil) -> None:
    """Do one task after another up to the sheet at the end, with a reload on the way."""
    for n, task in enumerate(pupil.tasks):
        pupil.learn(task)
        assert pupil.ticks() == [one <= n for one in range(len(pupil.tasks))]
        if n == 1:
            pupil.screen.page.goto(f"{pupil.screen.server.url}/learn/{pupil.kind}")
            pupil.screen.find(".prompt.good").wait_for(state="detached")
            pupil.screen.find(IDLE).wait_for()
        else:
            pupil.screen.page.keyboard.press("Enter")  # the focus is on “Next”
    pupil.screen.find("dialog.course-end").wait_for()


@pytest.mark.parametrize("kind", ["cartagena", "evades"])
def test_a_lesson_is_done_by_keys_on_a_phone(
    kind: str, server: Running, screens: Screens, phone: dict[str, Any]
) -> None:
    screen = screens(server, f"/learn/{kind}", **phone)
    learn_all(Pupil(screen, Keys(screen), kind))
    assert screen.find("dialog dl div").count() == (5 if kind == "cartagena" else 0), "what differs between editions"


@pytest.mark.parametrize("kind", ["cartagena", "evades"])
def test_a_lesson_is_done_by_mouse_and_leads_to_a_first_game(kind: str, server: Running, screens: Screens) -> None:
    setup = {"edition": "tortuga" if kind == "cartagena" else "evades", "players": 3}
    screen = screens(server, "/", {"setup": setup}, **LAPTOP)
    screen.find(f".ways a[href='/learn/{kind}']").click()
    screen.find(IDLE).wait_for()
    learn_all(Pupil(screen, Mouse(screen), kind))
    screen.find("dialog.course-end [data-do=first]").click()
    screen.wait(lambda: "seats" in screen.shown, "for a table")
    if kind == "evades":
        Mouse(screen).act("bet:br.yl.do.n")
    screen.find(".over .guide [data-do=suggest]").click()
    assert screen.evaluate("JSON.parse(localStorage.escapade).setup") == setup, "the reader's own choice stays"
    screen.find(".over [data-do=alone]").click()
    screen.find(".guide").first.wait_for(state="detached")
    screen.page.reload()
    screen.wait_turn()
    assert not screen.find(".guide").count()


def test_what_to_do_is_shown_and_any_task_can_be_chosen(
    server: Running, screens: Screens, phone: dict[str, Any]
) -> None:
    screen = screens(server, "/learn/cartagena", **phone)
    screen.find(IDLE).wait_for()
    finger = Finger(screen)
    finger.press(".to-side")
    finger.press(".log [data-n='2']")
    screen.wait_text(".turn h2", "Into the boat")
    screen.find(IDLE).wait_for()
    finger.press("[data-do=show]")
    screen.wait_text(".prompt", "Tap the marked target")
    finger.press("[data-place='37']")
    screen.find(".prompt.good").wait_for()
    finger.press("[data-do=again]")
    screen.find(".prompt.good").wait_for(state="detached")
    assert screen.find(".log [aria-current=step]").count() == 1


def test_the_first_turns_of_the_first_game_are_guided_and_then_no_more(server: Running, screens: Screens) -> None:
    screen = screens(server, "/learn/cartagena#win", {"wait": False}, **LAPTOP)
    screen.find(".chat [data-do=first]").click()
    screen.wait(lambda: "seats" in screen.shown, "for a table")
    hand, texts = Mouse(screen), set()
    while True:
        screen.wait_turn()
        if (screen.state or {})["turn"] > 6:
            break
        texts.add(screen.text(".over .guide > p"))
        hand.act(next(one for one in screen.legal if one == "." or ">" in one or "<" in one))
    assert len({text.split(":")[0] for text in texts}) == 3
    screen.find(".guide").first.wait_for(state="detached")
    assert screen.evaluate("JSON.parse(localStorage.escapade).guided") is None


def test_other_pages_load_nothing_of_it(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    screen.find("[data-do=play]").click()
    screen.wait_turn()
    parts = ("tasks", "course", "guide", "progress")
    assert not [answer.url for answer in screen.answers if any(part in answer.url for part in parts)]
