"""What a host has set is told where guests look, can be looked at, and is never called proven."""

import pytest
from server.live import TUNNEL, Running, free, mine, play_out, position

import escapade
from browser.conftest import Screens
from browser.screens import PHONE, seat_link
from browser.test_languages import LANGUAGES, catalog, check_words

GAME = "jamaica+pirates=3+turn-limit=9"
START = position(GAME, "0.36.37/0.0.17", "BBDHKS/DKPPSS", top="PS")
MARK, NOTE = ".turn .chosen", ".lobby .chosen"


@pytest.mark.parametrize("language", LANGUAGES)
def test_guests_are_told_of_a_position_in_the_lobby_and_at_the_table(
    language: str, server: Running, screens: Screens
) -> None:
    texts = catalog(language)["chosen"]
    table, key = server.make(GAME, mine("Anne"), free(), start=START)
    guest = screens(server, f"/t/{table}", {"language": language}, **({"viewport": PHONE} if language == "de" else {}))
    host = screens(server, seat_link(table, key), {"language": language})
    for screen, told in ((guest, False), (host, True)):
        screen.wait_text(NOTE, texts["position"])
        assert (" ".join(texts["told"].split()) in screen.text(NOTE)) is told
        check_words(screen, language)
    guest.find("input[name=name]").fill("Bo")
    guest.find("button[name=seat]").click()
    guest.wait_text(MARK, texts["mark"])
    host.find(".turn p").first.wait_for()
    assert host.find(MARK).count() == 0
    guest.find(MARK).click()
    guest.wait_text("dialog", texts["position"])
    check_words(guest, language)


def test_the_position_is_looked_at_as_far_as_ones_seat_may_see_it(server: Running, screens: Screens) -> None:
    table, _ = server.make(GAME, mine("Anne"), free(), start=START)
    guest, game = screens(server, f"/t/{table}"), escapade.parse(START)
    for seat in (None, 2):
        view = game.view(seat)
        link = guest.find(f"{NOTE if seat is None else 'dialog'} a")
        with guest.page.context.expect_page() as opened:
            link.click()
        page = opened.value
        page.locator(".player").first.wait_for()
        assert page.evaluate("decodeURIComponent(location.hash.split('=')[1])") == view
        assert page.locator(".hand [data-card]").count() == (0 if seat is None else 6)
        page.close()
        if seat is None:
            guest.find("input[name=name]").fill("Bo")
            guest.find("button[name=seat]").click()
            guest.find(MARK).click()


def test_a_tunnel_laid_by_hand_and_the_choice_of_who_begins_are_told(server: Running, screens: Screens) -> None:
    texts = catalog("en")["chosen"]
    table, _ = server.make(GAME, mine("Anne"), free(), tunnel=TUNNEL, first=0)
    guest = screens(server, f"/t/{table}")
    guest.wait_text(NOTE, texts["tunnel"])
    assert guest.find(f"{NOTE} p").all_text_contents() == [texts["tunnel"], texts["first"]]
    fair, _ = server.make(GAME, mine("Anne"), free())
    other = screens(server, f"/t/{fair}")
    other.find(".lobby").wait_for()
    assert other.find(NOTE).count() == 0


@pytest.mark.parametrize("start", [START, None], ids=["from a position", "from the seed"])
def test_the_replay_of_a_game_from_a_position_does_not_say_proven(
    start: str | None, server: Running, screens: Screens
) -> None:
    people = server.open(GAME, start=start) if start else server.open(GAME)
    play_out(people)
    screen = screens(server, f"/replay/{people[0].table}")
    brought = screens(server, "/replay")
    brought.find("textarea").fill(server.record(people[0].table))
    brought.find("form [type=submit]").click()
    texts = catalog("en")["replay"]
    for page in (screen, brought):
        page.wait_text(".turn .proven", texts["set"]["position"]["name"] if start else texts["proven"])
        assert page.find(".turn .proven").count() == 1
        assert (texts["proven"] in page.text(".turn")) is (start is None)
