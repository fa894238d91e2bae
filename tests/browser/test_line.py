"""The line breaks, the server is killed: nothing is lost, nothing is doubled, and the page goes on by itself."""

import re
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute
from server.live import Player, Running, free, mine, position, replayed

from browser.conftest import Screens
from browser.hands import Mouse
from browser.screens import NETWORK, Screen, seat_link

START = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")
# Keeps the page's sockets, so that one can be closed as a network does it.
SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket { constructor(url) { super(url); sockets.push(this); } };
"""


def sits(server: Running, screens: Screens, opponent: bool = True) -> tuple[Screen, Player | None]:
    """Anne at her screen, in the middle of a game against somebody."""
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    bo = Player(server, table)
    bo.sit(2, "Bo")
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    return screen, bo


def actions(server: Running, screen: Screen) -> list[str]:
    """The bare actions of the table so far."""
    lines = server.record(screen.table, screen.key()).split("\n\n")[1].splitlines()
    return [token.split("+")[0] for line in lines for token in line.split(" ")[1:]]


def shown_actions(screen: Screen, n: int) -> None:
    """Every move stands in the log once."""
    screen.page.wait_for_function("n => document.querySelectorAll('.log li').length === n", arg=n)


def test_what_is_done_offline_is_done_once_the_network_is_back(server: Running, screens: Screens) -> None:
    screen, bo = sits(server, screens)
    assert bo
    screen.allow(NETWORK)
    hand = Mouse(screen)
    hand.act("D0>5")
    screen.wait_turn()
    screen.page.context.set_offline(True)
    assert screen.evaluate("fetch('/api/rules').then(() => false, () => true)")
    hand.do("H0>3")
    screen.page.context.set_offline(False)
    screen.wait(lambda: actions(server, screen) == ["D0>5", "H0>3"])
    screen.wait_turn()
    hand.act(".")
    assert actions(server, screen) == ["D0>5", "H0>3", "."]
    shown_actions(screen, 3)


def test_without_a_connection_buttons_are_off_and_say_why(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    Player(server, table).sit(2, "Bo")
    screen = screens(server, "/")
    screen.allow(NETWORK)
    screen.page.add_init_script(SOCKETS)
    screen.page.goto(f"{server.url}{seat_link(table, key)}")
    screen.wait_turn()
    Mouse(screen).act("D0>5")
    screen.wait_turn()
    screen.page.context.set_offline(True)
    screen.evaluate("sockets.at(-1).close()")
    screen.wait_text(".actions .prompt", "No connection")
    assert screen.find(".actions .btn:not([aria-disabled=true])").count() == 0
    for button in ("[data-do=end]", "[data-do=undo]", ".hand [data-card=H]"):
        before = len(screen.sent)
        screen.find(button).click(force=True)
        assert "nothing can be sent" in screen.text("#live")
        assert len(screen.sent) == before
    screen.page.context.set_offline(False)
    screen.wait_turn()
    Mouse(screen).act("H0>3")
    assert actions(server, screen) == ["D0>5", "H0>3"]


def test_a_socket_that_closes_comes_back_and_brings_what_was_missed(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    bo = Player(server, table)
    bo.sit(2, "Bo")
    screen = screens(server, "/")
    screen.page.add_init_script(SOCKETS)
    screen.page.goto(f"{server.url}{seat_link(table, key)}")
    hand = Mouse(screen)
    screen.wait_turn()
    hand.act("D0>5")
    screen.wait_turn()
    hand.act(".")
    screen.evaluate("sockets.at(-1).close()")
    bo.wait(lambda bo: bo.version == screen.version)
    bo.play("K0>6")
    bo.play(".")
    screen.wait(lambda: len(screen.of_type("table")) > 1 and screen.legal)
    screen.wait_turn()
    hand.act("H0>3")
    assert actions(server, screen) == ["D0>5", ".", "K0>6", ".", "H0>3"]
    shown_actions(screen, 5)
    assert screen.find(".banner").count() == 0


def test_a_table_that_the_operator_closes_is_left_for_good(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    screen = screens(server, "/")
    screen.page.add_init_script(SOCKETS)
    screen.page.goto(f"{server.url}{seat_link(table, key)}")
    screen.wait(lambda: screen.of_type("table"))
    server.close_table(table)
    screen.wait_text(".lost", "has closed this table")
    screen.wait(lambda: screen.evaluate("sockets.at(-1).readyState === WebSocket.CLOSED"))
    screen.evaluate("dispatchEvent(new Event('online'))")  # at which a lost connection would be tried again
    assert screen.evaluate("sockets.length") == 1
    assert screen.find(".banner").count() == 0


class Lossy:
    """A line that swallows messages when told to."""

    def __init__(self, screen: Screen, sent: str = '"play"', heard: str = '"moved"') -> None:
        self.screen, self.swallow_sent, self.swallow_heard = screen, False, False
        self.sent, self.heard = sent, heard
        self.lines: list[WebSocketRoute] = []
        screen.page.route_web_socket("**/ws", self.connect)

    def connect(self, line: WebSocketRoute) -> None:
        """Pass on, or not."""
        server = line.connect_to_server()
        self.lines.append(line)
        line.on_message(
            lambda text: None if self.swallow_sent and re.search(self.sent, str(text)) else server.send(text)
        )

        def hears(text: str | bytes) -> None:
            if not (self.swallow_heard and re.search(self.heard, str(text))):
                self.screen.receive(text)
                line.send(text)

        server.on_message(hears)

    def cut(self) -> None:
        """End the line."""
        self.lines[-1].close()


def lossy(server: Running, screens: Screens) -> tuple[Screen, Lossy, Mouse]:
    """Anne on a bad line."""
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    Player(server, table).sit(2, "Bo")
    screen = screens(server, "/")
    line = Lossy(screen)
    screen.page.goto(f"{server.url}{seat_link(table, key)}")
    screen.wait_turn()
    return screen, line, Mouse(screen)


@pytest.mark.parametrize("lost", ["question", "answer"])
def test_a_seat_is_had_although_the_line_broke_right_after_it_was_asked_for(
    lost: str, server: Running, screens: Screens
) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    screen, anne = screens(server, "/"), Player(server, table, key)
    line = Lossy(screen, '"sit"', '"held"|"table"')
    screen.page.goto(f"{server.url}/t/{table}")
    screen.find("input[name=name]").fill("Bo")
    line.swallow_sent, line.swallow_heard = lost == "question", True
    screen.find("button[name=seat]").click()
    screen.page.wait_for_function("JSON.parse(localStorage.escapade).games.length === 1")  # the key is kept by now
    if lost == "answer":
        anne.wait(lambda player: player.state)
    line.swallow_sent = line.swallow_heard = False
    line.cut()
    screen.wait(lambda: screen.state is not None)
    screen.wait(lambda: screen.seats == [2])
    assert Player(server, table, screen.key()).seats == [2]
    assert anne.settle() is not None
    assert [sitter["name"] for sitter in anne.shown["seats"]] == ["Anne", "Bo"]
    screen.find(".turn .chosen").wait_for()
    assert screen.of_type("fault") == []


def test_whoever_comes_too_late_for_a_seat_goes_on_watching_without_a_key(server: Running, screens: Screens) -> None:
    table, _ = server.make("jamaica+pirates=3", mine("Anne"), free(), free(), first=0)
    screen = screens(server, "/")
    line = Lossy(screen, heard='"table"|"seats"')
    screen.page.goto(f"{server.url}/t/{table}")
    screen.find("input[name=name]").fill("Bo")
    line.swallow_heard = True
    Player(server, table).sit(2, "Cleo")
    screen.find("button[name=seat]").first.click()
    screen.wait(lambda: screen.of_type("fault"))
    line.swallow_heard = False
    screen.page.wait_for_function("JSON.parse(localStorage.escapade).games.length === 0")
    line.cut()
    screen.wait_text(".lobby", "Cleo")
    screen.find("button[name=seat]").first.click()
    screen.wait(lambda: screen.seats == [3])


def test_an_action_that_did_not_arrive_is_sent_again(server: Running, screens: Screens) -> None:
    screen, line, hand = lossy(server, screens)
    line.swallow_sent = True
    hand.do("D0>5")
    screen.wait_text(".actions .prompt", "One moment")
    assert actions(server, screen) == []
    line.swallow_sent = False
    line.cut()
    screen.wait(lambda: screen.of_type("moved"))
    assert actions(server, screen) == ["D0>5"]
    shown_actions(screen, 1)


def test_an_action_whose_answer_was_lost_is_done_once(server: Running, screens: Screens) -> None:
    screen, line, hand = lossy(server, screens)
    line.swallow_heard = True
    hand.do("D0>5")
    screen.wait(lambda: actions(server, screen) == ["D0>5"])
    line.swallow_heard = False
    line.cut()
    screen.wait(lambda: len(screen.of_type("table")) > 1)
    screen.wait_turn()
    shown_actions(screen, 1)
    hand.act("H0>3")
    assert actions(server, screen) == ["D0>5", "H0>3"]
    shown_actions(screen, 2)


def test_a_page_loaded_anew_in_mid_turn_goes_on(server: Running, screens: Screens) -> None:
    screen, _ = sits(server, screens)
    assert "#" not in screen.page.url, "the key is still in the address"
    hand = Mouse(screen)
    hand.act("D0>5")
    screen.find(".hand [data-card=H]").click()
    screen.page.reload()
    screen.wait_turn()
    shown_actions(screen, 1)
    assert screen.find(".hand [data-card=D]").get_attribute("aria-disabled") == "true"
    hand.act("H0>3")
    assert actions(server, screen) == ["D0>5", "H0>3"]
    shown_actions(screen, 2)


def test_two_tabs_of_one_player_stay_together(server: Running, screens: Screens) -> None:
    screen, _ = sits(server, screens)
    other = screen.tab(f"/t/{screen.table}")
    other.wait_turn()
    assert other.seats == [1]
    Mouse(screen).act("D0>5")
    other.wait(lambda: other.version == screen.version)
    shown_actions(other, 1)
    other.wait_turn()
    Mouse(other).act("H0>3")
    screen.wait(lambda: screen.version == other.version)
    shown_actions(screen, 2)
    for tab in (screen, other):
        tab.wait_turn()
        tab.find(".hand [data-card=K]").click()
    for tab in (screen, other):  # the second comes too late, or with the same version
        tab.find("[data-place='20']").click()
    screen.wait(lambda: screen.version == other.version == 3)
    assert actions(server, screen) == ["D0>5", "H0>3", "K18>20"]
    for tab in (screen, other):
        shown_actions(tab, 3)


def test_a_server_killed_in_mid_game_is_back_and_the_game_goes_on(mortal: Running, screens: Screens) -> None:
    table, key = mortal.make("jamaica+pirates=3", mine("Anne"), {"bot": "cabin-boy", "name": "Grace"}, start=START)
    evades, other_key = mortal.make("evades+length=15", mine("Anne"), {"bot": "cabin-boy", "name": "Grace"}, first=0)
    screen, second = screens(mortal, seat_link(table, key)), screens(mortal, seat_link(evades, other_key))
    watcher = screens(mortal, f"/t/{table}")
    everyone: list[Screen] = [screen, second, watcher]
    for page in everyone:
        page.allow(NETWORK)
    hand, hand2 = Mouse(screen), Mouse(second)
    screen.wait_turn()
    second.wait_turn()
    hand.act("D0>5")
    hand2.act("bet:br.yl.do.n")
    second.wait_turn()
    hand2.act("roll:bry")
    told: dict[str, Any] = {page.page.url: page.version for page in everyone}
    hand.do("H0>3")  # on its way, or not
    mortal.kill()
    for page in everyone:
        page.find(".notes .banner").wait_for()
    mortal.start(mortal.port)
    for page in everyone:
        page.find(".notes .banner").wait_for(state="detached")
        assert page.version >= told[page.page.url]
    screen.wait(lambda: actions(mortal, screen) == ["D0>5", "H0>3"])
    screen.wait_turn()
    shown_actions(screen, 2)
    second.wait_turn()
    shown_actions(second, 3)
    hand.play_out()
    assert len(list(replayed(mortal.record(table, key)))) - 1 == len(actions(mortal, screen))
    watcher.wait(lambda: watcher.over)
    shown_actions(watcher, len(actions(mortal, screen)))
    hand2.act(second.choose())
