"""What a server adds works without a change of the client: an edition, a level, a whole game."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route, WebSocketRoute
from server.live import Running, mine

from browser.conftest import Screens
from browser.screens import Screen, seat_link

Offer = dict[str, Any]
META = re.compile(r"<meta name=\"offer\" content='([^']*)'>")
NASSAU = {"classic": {letter: f"thing {letter}" for letter in "BDHKPS"}}
CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}


def offering(screen: Screen, change: Callable[[Offer], None], path: str = "/") -> None:
    """Open a page of a server that offers something else."""

    def answer(route: Route) -> None:
        page = route.fetch().text()
        found = META.search(page)
        assert found
        offer = json.loads(html.unescape(found[1]))
        change(offer)
        told = html.escape(json.dumps(offer))
        route.fulfill(body=page.replace(found[0], f'<meta name="offer" content="{told}">'), content_type="text/html")

    screen.page.route(screen.server.url + path, answer)
    screen.page.goto(screen.server.url + path)


def add(offer: Offer) -> None:
    """An edition, a level, and a game, none of which the client has heard of."""
    cartagena = offer["kinds"]["cartagena"]
    cartagena["editions"].append("nassau")
    cartagena["offers"]["symbols"]["nassau"] = NASSAU
    for levels in (offer["levels"], cartagena["levels"]):
        levels.append("admiral")
    goose = {
        "title": "Goose",
        "editions": ["royal"],
        "players": [2, 4],
        "house": {},
        "levels": ["cabin-boy"],
        "offers": {},
    }
    offer["kinds"]["goose"] = goose


def test_a_new_edition_and_a_new_level_are_offered_by_their_names(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    offering(screen, add)
    screen.find("label:has([name=edition][value=nassau])").click()
    screen.find("[name=level]").press("End")
    assert screen.text(".home .sum") == "Cartagena · nassau · you and 2 rivals · admiral"
    assert screen.find(".scale svg").count() == 1
    screen.find("[data-do=bots]").click()
    screen.find("dialog.setup-sheet").wait_for()
    assert screen.find("dialog [name=edition] option").all_text_contents()[-2:] == ["Les Évadés", "Goose · royal"]
    assert not screen.find("dialog [name=printing]").count(), "nassau has one printing"
    screen.find("[data-fold=tunnel] summary").click()
    screen.find("[name=tunnel][value=hand]").dispatch_event("click")
    assert screen.find(".segments [aria-label='thing B']").count() == 6


def test_a_game_that_the_client_has_never_heard_of_is_offered(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    offering(screen, add)
    screen.find("label:has([name=game][value=goose])").click()
    assert screen.find("[name=players]").count() == 3
    assert screen.text(".home .sum") == "Goose · you and 2 rivals · Cabin boy", "it has bots of one level"
    assert not screen.find(".home footer a[href^='/rules']").count(), "its rules are not written out"
    screen.find("[data-do=bots]").click()
    screen.find("dialog.setup-sheet").wait_for()
    assert screen.find("dialog [data-fold]").count() == 1, "house rules"
    screen.page.keyboard.press("Escape")
    assert screen.find(".ways a[href='/learn/cartagena']").count() == 1, "there are lessons for another"


def test_a_game_without_a_face_is_played_as_text(server: Running, screens: Screens) -> None:
    """The server is told to call a game of Cartagena something else."""
    table, key = server.make("tortuga", mine("Anne"), CABIN_BOY, first=0)
    screen = screens(server, "/")

    def disguise(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()
        there.on_message(lambda text: socket.send(str(text).replace('"kind":"cartagena"', '"kind":"goose"')))

    screen.page.route_web_socket(re.compile("/ws$"), disguise)
    screen.page.goto(server.url + seat_link(table, key))
    screen.find("plain-face [data-action]").first.wait_for()
    assert "goose" in screen.text("plain-face p")
    action = screen.find("plain-face [data-action]").first.get_attribute("data-action")
    screen.find("plain-face [data-action]").first.click()
    screen.find(".log li").first.wait_for()
    assert str(action).split("+")[0] in screen.text(".log li")
    screen.find("[data-do=undo]").click()
    screen.wait(lambda: screen.find(".log li").count() == 0, "for the undo")
