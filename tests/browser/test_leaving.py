"""Leaving a table, and its pace: resigning, a bot that plays on, no wait for bots, games of bots paused and stepped."""

from playwright.sync_api import Route, expect
from server.live import WAIT, Player, Running, mine, position, sailor

from browser.conftest import Screens
from browser.hands import Keys
from browser.screens import Screen, seat_link
from browser.test_turns import START, against_bo

ONE_WAY = position("jamaica+pirates=3", "18.37.37/0.17.17", "BBDHKS/DKPPSS", top="PS")


def open_menu(screen: Screen) -> None:
    """The menu of the table."""
    screen.find("[data-do=menu]").click()
    screen.find("dialog .ways-out").wait_for()


def test_a_game_of_two_is_given_up_after_a_question(server: Running, screens: Screens) -> None:
    screen, bo = against_bo(server, screens)
    open_menu(screen)
    screen.find("dialog [data-do=resign]").click()
    screen.find("dialog [data-close]:not([data-yes]):not([aria-label])").click()
    assert not screen.over
    open_menu(screen)
    screen.find("dialog [data-do=resign]").click()
    screen.find("dialog [data-yes]").click()
    bo.wait(lambda bo: bo.over)
    screen.wait_text("dialog h2", "Anne gives up: Bo wins")
    assert bo.shown["resigned"] == 1


def test_who_leaves_others_waiting_is_replaced_until_they_come_back(server: Running, screens: Screens) -> None:
    screen, bo = against_bo(server, screens)
    open_menu(screen)
    screen.find("dialog [data-do=leave]").click()
    bo.wait(lambda bo: bo.shown["seats"][0]["bot"])
    screen.page.wait_for_url("**/")
    screen.page.go_back()
    screen.find("[data-do=return]").click()
    bo.wait(lambda bo: bo.shown["seats"][0]["bot"] is None)


def test_a_page_that_loads_slowly_does_not_take_the_place_of_the_next_one(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), sailor("Grace"), start=START)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    held: list[Route] = []
    screen.page.route("**/home/page.js", lambda route: held.append(route))
    screen.find("a.word").first.click()
    screen.page.wait_for_url("**/")
    screen.wait(lambda: held)
    screen.page.go_back()
    screen.wait_turn()
    with screen.page.expect_response("**/home/page.js") as home:
        held[0].continue_()
    home.value.finished()
    screen.page.evaluate("import('/client/home/page.js')")  # it is there
    assert screen.find(".box tunnel-board").is_visible()
    assert not screen.find(".hero").count()


def test_a_bot_answers_at_once_where_nobody_wants_to_wait(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), sailor("Grace"), start=START)
    screen = screens(server, seat_link(table, key), settings={"wait": False, "speed": 0})
    screen.wait_turn()
    keys = Keys(screen)
    keys.act("D0>5")
    screen.wait_turn()
    ended = keys.act(".")
    assert (ended["state"]["seat"], ended["state"]["undo"], ended["state"]["grace"]) == (2, False, None)


def test_a_game_of_bots_is_paused_and_goes_on_step_by_step(server: Running, screens: Screens) -> None:
    table, _ = server.make("jamaica", sailor("One"), sailor("Two"), pace=300)
    screen = screens(server, f"/t/{table}")
    log = screen.find(".log li")
    log.first.wait_for()
    screen.find("[data-do=pause]").click()
    expect(screen.find("[data-do=pause]")).to_contain_text("Play on")
    heard = len(screen.of_type("moved"))
    screen.wait(lambda: len(screen.of_type("moved")) > heard + 3)
    shown = log.count()
    screen.page.wait_for_timeout(700)
    assert log.count() <= shown + 1  # what was under way
    shown = log.count()
    screen.find("[data-do=step]").click()
    screen.wait(lambda: log.count() == shown + 1)
    screen.find("[data-do=pause]").click()
    screen.wait(lambda: log.count() > shown + 2)
    watcher = Player(server, table)
    expect(screen.find(".watchers")).to_have_text("2 watching", timeout=1000 * WAIT)
    watcher.go()


def test_a_hint_is_shown_while_it_is_looked_at_and_enter_plays_a_card_with_one_target(
    server: Running, screens: Screens
) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), sailor("Grace"), start=ONE_WAY)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    screen.find("[data-do=hint]").click()
    screen.hear_hints()
    hint = screen.find(".over.hints li button").first
    marked = ".place.target, .slot.chosen, [data-do=retreat][aria-pressed=true]"
    screen.find(marked).first.wait_for()  # the first one has the focus
    hint.blur()
    expect(screen.find(marked)).to_have_count(0)
    hint.hover()
    screen.find(marked).first.wait_for()
    screen.page.mouse.move(5, 5)
    expect(screen.find(marked)).to_have_count(0)
    hint.focus()
    screen.find(marked).first.wait_for()
    screen.find("[data-do=unhint]").click()
    targets = {card: [one for one in screen.legal if one.startswith(card)] for card in "BDHKS"}
    card, (action, *_) = next((card, found) for card, found in targets.items() if len(found) == 1)
    keys = Keys(screen)
    keys.press(str("BDHKPS".index(card) + 1), "Enter")
    screen.wait(lambda: any(one["move"]["action"] == action for one in screen.of_type("moved")), action)
