"""Analysis in the browser: the chart, marked turns, what was better, other lines, and learning from mistakes."""

import json

import pytest
from server.live import Running
from server.test_analysis import BLUNDER, LAST, blundered, finished

from browser.conftest import Screens
from browser.hands import Keys
from browser.screens import PHONE, Screen
from browser.test_access import Looks, look  # noqa: F401

SLIDER, PROMPT = ".actions input[type=range]", ".actions .prompt"
SIZES = {"laptop": {}, "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True}}


def pasted(server: Running, screens: Screens, size: str) -> Screen:
    """A record with a blunder, brought by somebody."""
    screen = screens(server, "/replay", **SIZES[size])
    screen.find("textarea").fill(blundered("Anne", "Bo").record())
    screen.find("form [type=submit]").click()
    screen.find(SLIDER).wait_for()
    return screen


def analysed(screen: Screen) -> None:
    """Ask for the analysis by its key, and wait until it is whole."""
    screen.page.keyboard.press("a")
    screen.find(".analysis svg.course").wait_for()
    screen.find(".analysis .turnings").wait_for()


def says(screen: Screen, words: str) -> None:
    """Wait until the dock says something."""
    screen.page.locator(PROMPT, has_text=words).wait_for()


def sees(screen: Screen, look: Looks, size: str, what: str) -> None:  # noqa: F811
    """Look with axe's eyes; how the board itself looks on a phone is looked at elsewhere."""
    if size == "laptop":
        look.at(screen, what)


def play(screen: Screen, place: int, told: str = "") -> None:
    """Play the key with the pirate of a place, and wait until that is told and one can go on."""
    hand = Keys(screen)
    hand.press("4", "p")
    hand.tab_to(f"[data-place='{place}']", "p", 8)
    hand.press("Enter")
    screen.page.locator("#live", has_text=told or f"{place} → boat").wait_for(state="attached")
    screen.find("[data-part=face][aria-busy=false]").wait_for()


@pytest.mark.parametrize("size", SIZES)
def test_a_blunder_is_found_shown_and_learnt_from_by_keys(
    size: str,
    server: Running,
    screens: Screens,
    look: Looks,  # noqa: F811
) -> None:
    screen = pasted(server, screens, size)
    hand, press = Keys(screen), screen.page.keyboard.press
    analysed(screen)
    look.at(screen, f"the analysis, {size}")
    assert "Anne 0% and Bo 100%" in (screen.find("svg.course").get_attribute("aria-label") or "")
    assert "accuracy" in screen.text(".figures li:first-child")
    assert "1 blunder" in screen.text(".figures li:first-child")
    assert "by a blunder of Anne" in screen.text(".turnings")

    hand.tab_to(".marks button.blunder")
    press("Enter")
    says(screen, "Blunder")
    assert screen.find(SLIDER).input_value() == "3"
    assert screen.find(".log li .marked").all_text_contents() == ["??"]
    press("w")
    better = screen.find(".over.hints li")
    better.first.wait_for()
    assert [" ".join(one.split()).replace(" :", ":") for one in better.all_inner_texts()] == [
        "1. Anne plays a key: 12 → boat!",
        "2. Anne plays a key: 14 → boat!",
    ]
    assert screen.text(".over.hints > p") == "wins the game"
    assert screen.find(".over.hints [aria-pressed=true]").count() == 1
    assert screen.find(".place.goal, .place.target").count() or screen.find("[data-card=K][aria-pressed=true]").count()
    sees(screen, look, size, "what was better")
    press("g")
    says(screen, "Blunder")

    press("Home")
    press("x")
    says(screen, "Play anything")
    play(screen, 14)
    press("h")
    screen.find(".over.hints [data-action]").first.wait_for()
    press("u")
    screen.find("[data-do=undo][aria-disabled=true]").wait_for()
    play(screen, 12)
    play(screen, 14)
    says(screen, "over here")
    press("g")
    screen.find(SLIDER).wait_for()

    if size == "phone":
        press("l")
    hand.tab_to("[data-learn='1']")
    press("Enter")
    says(screen, "Find a better turn")
    sees(screen, look, size, "a mistake to be mended")
    play(screen, 14)
    play(screen, 12, "12 → 14")
    press("e")
    says(screen, "Not yet")
    assert not screen.find(".over.hints li").count(), "the best turn is hidden"
    press("a")
    says(screen, "Find a better turn")
    press("s")
    screen.find(".over.hints li").first.wait_for()
    press("a")
    play(screen, 12)
    play(screen, 14)
    says(screen, "as good as the best")
    sees(screen, look, size, "a mistake mended")


def test_the_chart_is_pressed_to_jump(server: Running, screens: Screens) -> None:
    screen = pasted(server, screens, "laptop")
    analysed(screen)
    box = screen.find("svg.course").bounding_box()
    assert box
    for share, step in ((0.5, "3"), (0.99, "4"), (0.01, "0")):
        screen.page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        assert screen.find(SLIDER).input_value() == step


def test_what_hides_cards_is_not_analysed_and_why_is_said(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica", {"mine": True, "name": "Anne"}, {"bot": "sailor", "name": "Bo"}, first=0)
    screen = screens(server, "/replay", locale="de-DE")
    screen.allow("400")
    screen.find("textarea").fill(server.record(table, key))
    screen.find("form [type=submit]").click()
    screen.find(SLIDER).or_(screen.find("[data-do=analyse]")).first.wait_for()
    screen.page.keyboard.press("a")
    assert "verdeckt" in screen.find(".analysis [role=alert]").inner_text()


def test_my_games_lead_to_my_mistakes_and_what_was_learnt_is_remembered(server: Running, screens: Screens) -> None:
    table = finished(server)
    kept = {"table": table, "key": None, "game": "tortuga+pirates=3", "seats": [1], "at": 1}
    screen = screens(server, "/", settings={"games": [kept]})
    screen.find("[data-do=mine]").click()
    screen.find("dialog a.gold").click()
    says(screen, "Find a better turn")
    play(screen, 12)
    play(screen, 14)
    says(screen, "as good as the best")
    screen.find("[data-do=nextGame]").click()
    screen.page.locator(".told", has_text="all your games").wait_for()
    assert json.loads(screen.evaluate("() => localStorage.getItem('escapade')"))["mended"] == {table: [9]}


def test_the_last_sheet_tells_what_decided(server: Running, screens: Screens) -> None:
    table = finished(server)
    screen = screens(server, f"/t/{table}")
    screen.find("[data-do=ending]").dispatch_event("click")
    asks, shares = (screen.find(f"dialog [data-do={what}]").bounding_box() for what in ("decided", "share"))
    assert asks
    assert shares
    assert asks["y"] == shares["y"]
    assert shares["x"] - asks["x"] - asks["width"] >= 6
    screen.find("dialog [data-do=decided]").click()
    screen.page.locator("dialog .decided p", has_text="by a blunder of Anne").wait_for()
    assert screen.find("dialog svg.course").is_visible()
    screen.find("dialog .decided a").click()
    screen.find(".analysis .turnings").wait_for()
    assert len(BLUNDER) == 4
    assert LAST in server.record(table)
