"""Whole games in a real browser: by clicking, by keys alone, and with a finger on a phone."""

from typing import Any

import pytest
from server.live import Running, mine, replayed

from browser.conftest import Screens
from browser.hands import Finger, Hand, Keys, Mouse
from browser.screens import Screen, seat_link

CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}
# Two who both gain by waiting would play Les Évadés for good; so would, in Cartagena, one who goes to and fro while the
# other has no card and no way back.
SHORT = {"cartagena": "jamaica+deal=10+pirates=3+turn-limit=100", "evades": "evades+length=15+turn-limit=60"}


def small(game: str) -> dict[str, Any]:
    """What a browser remembers of a short game against one bot."""
    house, edition = SHORT[game].split("+")[1:], SHORT[game].split("+")[0]
    rules = {"cartagena": {}, "evades": {}, game: dict(rule.split("=") for rule in house)}
    return {"name": "Anne", "setup": {"edition": edition, "players": 2, "rules": rules}}


def ends(screen: Screen, hand: Hand) -> None:
    """Play, and see the end told: by the server, in words on the page, and in a record that holds."""
    hand.play_out()
    assert screen.state
    names = [sitter["name"] for sitter in screen.shown["seats"]]
    result = screen.state["result"]
    winners = [] if result == "=" else [names[int(seat) - 1] for seat in result.split("/")]
    screen.find("dialog.finish[open], dialog.score[open]").wait_for()
    told = screen.text("dialog.finish h2, dialog.score h2")
    assert winners == ["Anne"] or all(name in told for name in winners or ["Nobody wins"]), told
    moves = len(list(replayed(screen.server.record(screen.table, screen.key())))) - 1
    bets = len(names) if screen.shown["kind"] == "evades" else 0
    screen.page.wait_for_function("n => document.querySelectorAll('.log li').length === n", arg=moves + bets)
    assert len([message for message in screen.sent if message["type"] == "play"]) <= moves + bets


@pytest.fixture
def painted() -> bool:
    """Everything, as people have it."""
    return True


@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_a_game_by_clicking_from_the_first_page_to_the_last(game: str, server: Running, screens: Screens) -> None:
    screen = screens(server, "/", small(game), reduced_motion="no-preference")
    screen.find("[data-do=play]").click()
    screen.page.wait_for_url("**/t/*")
    ends(screen, Mouse(screen))


@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_a_game_by_keys_alone(game: str, server: Running, screens: Screens) -> None:
    screen = screens(server, "/", small(game))
    keys = Keys(screen)
    screen.find("[data-do=play]").wait_for()
    keys.tab_to("[data-do=play]")
    keys.press("Enter")
    screen.page.wait_for_url("**/t/*")
    ends(screen, keys)
    keys.press("Escape")
    screen.find("dialog[open]").wait_for(state="detached")
    keys.tab_to("[data-do=rematch]")


@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_a_game_on_a_phone_with_a_finger(game: str, server: Running, screens: Screens, phone: dict[str, Any]) -> None:
    table, key = server.make(SHORT[game], mine("Anne"), CABIN_BOY, first=0)
    screen = screens(server, seat_link(table, key), **phone)
    screen.wait_turn()
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ends(screen, Finger(screen))
