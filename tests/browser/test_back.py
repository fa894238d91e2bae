"""Back closes what lies over a page before it leaves it, and what was not confirmed is forgotten."""

import time

from server.live import Running, mine, position

from browser.conftest import Screens
from browser.screens import seat_link

START = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")
CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}


def test_back_closes_a_sheet_and_then_leaves_the_page(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server)
    screen.find("[data-do=mine]").click()
    screen.find("dialog[open]").wait_for()
    screen.page.go_back()
    screen.find("dialog").wait_for(state="detached")
    assert screen.find("[data-do=play]").is_visible()
    screen.page.goto(server.url + seat_link(table, key))
    screen.wait_turn()
    for close in ("Back", "Escape", "cross"):
        screen.find("[data-do=menu]:visible").first.click()
        screen.find("dialog[open]").wait_for()
        if close == "Escape":
            screen.page.keyboard.press("Escape")
        elif close == "cross":
            screen.find("dialog [data-close]").first.click()
        else:
            screen.page.go_back()
        screen.find("dialog").wait_for(state="detached")
        assert screen.page.url.endswith(f"/t/{table}")
    screen.page.go_back()
    screen.find("[data-do=play]").wait_for()


def test_a_link_in_a_sheet_takes_its_place_in_the_history(server: Running, screens: Screens) -> None:
    screen = screens(server)
    screen.find("[data-do=mine]").click()
    screen.find("dialog a[href='/replay']").click()
    screen.find("textarea").wait_for()
    screen.page.go_back()
    screen.find("[data-do=play]").wait_for()
    assert not screen.find("dialog").count()
    screen.find("footer a[href='/replay']").click()
    screen.find("textarea").wait_for()
    screen.page.go_back()
    screen.find("[data-do=play]").wait_for()


def test_on_a_phone_back_closes_the_log(server: Running, screens: Screens, phone: dict[str, object]) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server, seat_link(table, key), **phone)
    screen.wait_turn()
    at_once = "(button) => { button.click(); return history.state?.over ?? 0; }"
    assert screen.find(".to-side").evaluate(at_once) == 1, "Back would leave the page if it came now"
    screen.page.go_back()
    screen.find(".aside:popover-open").wait_for(state="detached")
    screen.find(".to-side").tap()
    screen.find(".aside:popover-open").wait_for()
    screen.page.go_back()
    screen.find(".aside:popover-open").wait_for(state="detached")
    screen.wait_turn()


def test_what_was_not_confirmed_on_the_setup_sheet_is_forgotten(server: Running, screens: Screens) -> None:
    screen = screens(server, settings={"name": "Anne"})
    before = screen.text(".home .sum")

    def choose(name: str) -> None:
        screen.find("[data-do=bots]").click()
        screen.find("dialog [name=edition]").select_option("tortuga")
        screen.find("dialog [name=name-0]").fill(name)
        screen.find("dialog [name=name-0]").press("Tab")

    choose("Bo")
    screen.page.keyboard.press("Escape")
    screen.find("dialog").wait_for(state="detached")
    assert screen.text(".home .sum") == before
    assert screen.evaluate("JSON.parse(localStorage.escapade).name") == "Anne"
    choose("Cleo")
    screen.find("dialog [data-keep]").click()
    screen.find("dialog").wait_for(state="detached")
    assert "Tortuga" in screen.text(".home .sum")
    assert screen.evaluate("JSON.parse(localStorage.escapade).name") == "Cleo"


def test_my_games_are_listed_with_day_result_and_opponents(server: Running, screens: Screens) -> None:
    last = position("jamaica", "36.37.37.37.37.37/0.0.0.0.0.0", "B/B")
    table, key = server.make("jamaica", mine("Anne"), CABIN_BOY, start=last)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    screen.find(".hand [data-card=B]").click()
    screen.find("[data-place='37']").click()
    screen.find("dialog.finish a[href='/']").click()
    screen.find("[data-do=mine]").click()
    row = screen.find(".games-list .game")
    row.wait_for()
    told = row.inner_text()
    assert "You have won" in told
    assert "against Grace" in told
    assert str(time.localtime().tm_year) in told
