"""Every size of screen: nothing scrolls sideways, and what one needs is in sight."""

import re

import pytest
from server.live import Running, mine, position

from browser.conftest import Screens
from browser.hands import Mouse
from browser.screens import Screen, seat_link

CABIN_BOY = {"bot": "cabin-boy", "name": "Störtebeker the Long-winded"[:24]}
SIZES = [(320, 640), (390, 844), (844, 390), (1280, 720), (1920, 1080)]
CROWD = "0.1.2.3.4.18/0.0.0.0.17.17/1.2.3.4.5.6/7.8.9.10.11.12/0.0.0.0.0.0"
BETS = "/".join(["br.yl.do.n", "yo.bn.rl.d"] * 3)
TABLES = {
    "jamaica": position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", top="PS"),
    "tortuga": position("tortuga", CROWD, "BBDHKS/DKPPSS/B/D/H", row="KDDBSPKDDBSP"),
    "evades": f"evades 0:yo,5:r,7:b,9:d,#1:ln {BETS} b4w3 r+ 1:14",
}
GAMES = {"cartagena": "jamaica", "evades": "evades"}
NEEDED = {
    "jamaica": ["tunnel-board", ".hand [data-card=S]", "[data-do=retreat]"],
    "tortuga": ["tunnel-board", ".hand [data-card=S]", "[data-do=retreat]", ".row"],
    "evades": [".isle", "[data-die=b]", "[data-die=w]"],
}
ALWAYS = ["[data-do=end]", "[data-do=undo]", ".turn", ".actions .prompt"]


BEYOND = """() => [...document.querySelectorAll('body *')]
  .map((one) => [one.getBoundingClientRect().right, one.outerHTML])
  .filter(([right]) => right > innerWidth + 1).map(([, text]) => text.slice(0, 100)).slice(0, 5)"""
CLIPPED = """() => [...document.querySelectorAll('dialog .body')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).length"""
SMALL = """(least) => [...document.querySelectorAll('button, a, input, select')]
  .filter((one) => one.checkVisibility() && !one.closest('[inert], label') && !one.matches('.off, .aboard'))
  .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 90)])
  .filter(([{ width, height }]) => width && Math.min(width, height) < least)
  .map(([{ width, height }, text]) => `${width} by ${height}: ${text}`)"""


def no_sideways(screen: Screen, where: str) -> None:
    """Nothing is wider than the window."""
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth"), (where, screen.evaluate(BEYOND))


def in_sight(screen: Screen, *selectors: str) -> list[str]:
    """What of these does not lie wholly inside the window, give or take a pixel."""
    hidden = []
    for selector in selectors:
        box = screen.find(selector).locator("visible=true").first.bounding_box()
        width, height = screen.evaluate("[innerWidth, innerHeight]")
        assert box, selector
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        if min(box["x"], box["y"]) < -1 or right > width + 1 or bottom > height + 1:
            hidden.append(f"{selector} {box}")
    return hidden


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_first_page_and_its_sheets_fit(size: tuple[int, int], server: Running, screens: Screens) -> None:
    screen = screens(server, "/", viewport={"width": size[0], "height": size[1]})
    screen.find("[data-do=play]").wait_for()
    no_sideways(screen, "home")
    assert not in_sight(screen, "[data-do=play]")
    for what in ("bots", "mine", "learn", "menu"):
        screen.find(f"[data-do={what}]:visible").first.click()
        screen.find("dialog[open] h2").wait_for()
        for fold in screen.find("dialog details.fold > summary").all():
            fold.click()
        no_sideways(screen, what)
        assert not screen.evaluate(CLIPPED)
        assert not in_sight(screen, "dialog[open]", "dialog[open] [data-close]")
        screen.page.keyboard.press("Escape")
        screen.find("dialog").wait_for(state="detached")
    screen.page.goto(f"{server.url}/replay")
    screen.find("textarea").wait_for()
    no_sideways(screen, "replay")


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_table_fits(size: tuple[int, int], game: str, server: Running, screens: Screens) -> None:
    start = TABLES[game]
    players = start.split(" ")[2].count("/") + 1
    others = [{**CABIN_BOY, "name": f"{CABIN_BOY['name'][:22]} {n}"} for n in range(players - 1)]
    table, key = server.make(start.split(" ")[0], mine("Anne"), *others, start=start)
    screen = screens(server, seat_link(table, key), viewport={"width": size[0], "height": size[1]})
    screen.wait_turn()
    no_sideways(screen, "table")
    if size != (320, 640):  # there the page may be scrolled
        assert not in_sight(screen, *NEEDED[game], *ALWAYS)
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
    assert not screen.evaluate(SMALL, 23.9), "too small for a finger"  # WCAG's 24, as browsers round them
    screen.page.goto(f"{server.url}/replay/{table}")
    screen.find(".stage-page .prompt").first.wait_for()
    no_sideways(screen, "replay")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_lobby_and_the_bet_fit(size: tuple[int, int], server: Running, screens: Screens) -> None:
    table, key = server.make("evades", mine("Anne"), {}, {}, first=0)
    screen = screens(server, seat_link(table, key), viewport={"width": size[0], "height": size[1]})
    for _ in range(2):
        screen.find(".lobby").wait_for()
        no_sideways(screen, "lobby")
        screen.find("[data-do=fill]").first.click()
        screen.wait(lambda: [one["bot"] for one in screen.shown["seats"]].count("sailor") > 0)
        if screen.state:
            break
    screen.find("dialog.bet[open]").wait_for()
    no_sideways(screen, "bet")
    assert not in_sight(screen, "dialog.bet", "dialog.bet [data-do=seal]", "dialog.bet .pool")


def test_at_two_hundred_per_cent_the_game_can_still_be_played(server: Running, screens: Screens) -> None:
    """A browser's zoom makes the window smaller for the page, and everything twice as large."""
    table, key = server.make("jamaica", mine("Anne"), CABIN_BOY, start=TABLES["jamaica"])
    screen = screens(server, seat_link(table, key), viewport={"width": 640, "height": 360}, device_scale_factor=2)
    screen.wait_turn()
    no_sideways(screen, "table")
    for what in ("tunnel-board", ".hand [data-card=S]", "[data-do=end]"):
        screen.find(what).first.scroll_into_view_if_needed()
        assert screen.find(what).first.is_visible()


def test_the_first_page_is_light(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    screen.find("[data-do=play]").wait_for()
    screen.page.wait_for_load_state("networkidle")
    fetched = [answer for answer in screen.answers if not answer.url.startswith("blob:")]
    assert all(answer.url.startswith(server.url) for answer in fetched), "something comes from elsewhere"
    weights = {answer.url.removeprefix(server.url): len(answer.body()) for answer in fetched}
    assert {"/", "/client/main.js", "/client/home/page.js", "/client/style.css", "/client/lang/en.json"} <= set(weights)
    assert sum(weights.values()) < 170_000, sorted(weights.items(), key=lambda one: -one[1])


@pytest.mark.parametrize("page", ["/", "/replay", "cartagena", "evades"])
def test_a_page_names_all_scripts_and_styles_that_it_needs(page: str, server: Running, screens: Screens) -> None:
    path = page
    if page in GAMES:
        path = "/t/" + server.make(GAMES[page], mine("Anne"), CABIN_BOY, first=0)[0]
    screen = screens(server, path)
    screen.find("[data-do=play], .bring, cartagena-face, evades-face").first.wait_for()
    screen.page.wait_for_load_state("networkidle")
    fetched = [answer.url.removeprefix(server.url) for answer in screen.answers]
    named = re.findall(r'(?:href|src)="(/client/[^"]+\.(?:css|js))"', server.get(path).text)
    assert {one for one in fetched if one.endswith((".css", ".js"))} == set(named)


def test_marks_lie_on_nothing_else_that_can_be_tapped(server: Running, screens: Screens) -> None:
    start = "evades+length=15 1:y,4:ob,6:lrn,9:d br.yl.do.n/yo.bn.rl.d y3d4o5 - 1:9"
    table, key = server.make("evades+length=15", mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    for what in ("[data-pawn=y]", "[data-pawn=d]", "[data-pin='4']", "[data-pin='13']"):
        assert Mouse(screen).in_sight(what), what
