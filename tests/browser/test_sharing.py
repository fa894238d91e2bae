"""Sharing: the sheet with link, picture and a line for other pages; a game inside another site's page."""

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from server.live import Player, Running, free, mine, play_out
from server.test_puzzling import ROAD

from browser.conftest import Screens
from browser.hands import Keys, Mouse
from browser.screens import PHONE, Screen, seat_link
from browser.test_access import CABIN_BOY, ENDS, Looks, look  # noqa: F401
from browser.test_replays import SLIDER, shows

SIZES: dict[str, dict[str, Any]] = {"laptop": {}, "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True}}
NATIVE = "window.told = []; navigator.share = async (what) => { window.told.push(what); };"
DRAWN = "() => document.querySelector('dialog .shared img')?.naturalWidth === 1200"
LINK, LINE = "dialog .linkbox input >> nth=0", "dialog .linkbox input >> nth=1"


@pytest.fixture(scope="module")
def table(server: Running) -> str:
    """A table whose game is over."""
    name, key = server.make("jamaica+pirates=3+turn-limit=6", mine("Anne"), free(), first=0)
    with Player(server, name, key) as anne, Player(server, name) as bo:
        bo.sit(2, "Bo")
        for player in (anne, bo):
            player.wait(lambda player: player.state)
        play_out([anne, bo])
    return name


@pytest.fixture
def elsewhere() -> Iterator[Callable[[str], str]]:
    """Serves a page of another site, and tells its address."""
    pages: list[str] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[-1].encode())

        def log_message(self, *about: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Site) as site:
        Thread(target=site.serve_forever, daemon=True).start()

        def serve(page: str) -> str:
            pages.append(page)
            return f"http://127.0.0.1:{site.server_port}/"

        yield serve
        site.shutdown()


def drawn(screen: Screen) -> None:
    """Wait for the picture; a busy server may refuse it at first."""
    again = "one => { if (one.complete) one.src += ''; }"
    screen.allow("503")
    while not screen.evaluate(DRAWN):
        screen.page.wait_for_timeout(500)
        screen.find("dialog .shared img").evaluate(again)


@pytest.mark.parametrize("size", SIZES)
def test_a_turn_or_the_whole_game_is_shared_by_keys(
    size: str,
    table: str,
    server: Running,
    screens: Screens,
    look: Looks,  # noqa: F811
) -> None:
    screen = screens(server, "/", **SIZES[size])
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.page.add_init_script(NATIVE)
    screen.page.goto(f"{server.url}/replay/{table}?turn=3")
    screen.find(SLIDER).wait_for()
    keys = Keys(screen)
    keys.tab_to("[data-do=share]")
    keys.press("Enter")
    drawn(screen)
    look.at(screen, "share")
    assert screen.find(LINK).input_value() == f"{server.url}/replay/{table}?turn=3"
    assert f'src="{server.url}/embed/{table}?turn=3"' in screen.find(LINE).input_value()
    screen.find("dialog [data-share]").press("Enter")
    assert screen.evaluate("told") == [
        {"title": screen.evaluate("told[0].title"), "url": screen.find(LINK).input_value()}
    ]
    screen.find("dialog [value=turn]").focus()
    keys.press("ArrowRight")
    assert screen.find(LINK).input_value() == f"{server.url}/replay/{table}"
    assert screen.find("dialog a[download]").get_attribute("href") == f"{server.url}/api/tables/{table}/picture.png"
    screen.find("dialog [data-copy] >> nth=1").press("Enter")
    screen.wait_text("#live", "Copied")
    assert screen.evaluate("navigator.clipboard.readText()") == screen.find(LINE).input_value()
    screen.find("dialog [data-picture]").press("Enter")
    screen.wait_text("#live", "Picture copied")
    keys.press("Escape")
    screen.find("dialog").wait_for(state="detached")
    assert keys.focused("[data-do=share]")


@pytest.mark.parametrize("size", SIZES)
def test_the_last_sheet_and_a_puzzle_are_shared_too(size: str, server: Running, screens: Screens) -> None:
    start = ENDS["cartagena"]
    name, key = server.make(start.split(" ")[0], mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(name, key), **SIZES[size])
    screen.wait_turn()
    Mouse(screen).play_out()
    screen.find("dialog.finish [data-do=share]").click()
    screen.find("dialog.share").wait_for()
    assert screen.find(LINK).input_value() == f"{server.url}/replay/{name}"
    drawn(screen)
    screen.page.keyboard.press("Escape")
    screen.find("dialog.share").wait_for(state="detached")
    assert screen.find("dialog.finish").is_visible()
    screen.page.goto(f"{server.url}/puzzles/{ROAD.id}")
    screen.find("[data-do=share]:visible").click()
    drawn(screen)
    assert screen.find(LINK).input_value() == f"{server.url}/puzzles/{ROAD.id}"
    assert not screen.find(LINE).count()


@pytest.mark.parametrize("size", [(640, 560), (360, 560)], ids=str)
def test_a_game_inside_another_sites_page_is_stepped_through_by_keys(
    size: tuple[int, int],
    table: str,
    server: Running,
    screens: Screens,
    elsewhere: Callable[[str], str],
    look: Looks,  # noqa: F811
) -> None:
    width, height = size
    frame = f'<iframe src="{server.url}/embed/{table}?turn=3" width="{width}" height="{height}"></iframe>'
    outside = f"<!doctype html><html lang=en><title>Elsewhere</title>{frame}"
    screen = screens(server, "/")
    screen.page.goto(elsewhere(outside))
    inside = screen.page.frame_locator("iframe")
    inside.locator(SLIDER).wait_for()
    before = int(inside.locator(SLIDER).input_value())
    assert before
    inside.locator("[data-do=next]").press(".")
    inside.locator(f"{SLIDER}[value='{before + 1}']").wait_for()
    inside.locator("[data-do=back]").press("Home")
    inside.locator(f"{SLIDER}[value='0']").wait_for()
    inside.locator("[data-do=last]").press("l")  # the log, which is not here
    assert not inside.locator(".aside").is_visible()
    assert not inside.locator("[data-do]:visible:not(.steps *, .box *)").count()
    way = inside.locator(".bar a.btn")
    assert re.fullmatch(rf"/replay/{table}\?turn=\d+", way.get_attribute("href") or "")
    assert way.get_attribute("target") == "_blank"
    assert screen.page.context.cookies() == []
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.page.goto(f"{server.url}/embed/{table}")
    shows(screen, 0)
    look.at(screen, "embed")
    screen.page.goto(f"{server.url}/embed/nowhere")
    screen.wait_text("main", "cannot be shown")
    screen.allow("404", "409")


def test_a_replay_tells_time_outs_and_who_gave_up(server: Running, screens: Screens) -> None:
    anne, bo = server.open("jamaica", clock=5)
    anne.wait(lambda anne: anne.turn >= 2)
    bo.ask("resign", seat=2)
    screen = screens(server, f"/replay/{anne.table}")
    screen.find(SLIDER).wait_for()
    screen.page.keyboard.press(".")
    screen.wait_text(".actions .prompt", "Time was up:")
    assert screen.text(".log li").startswith("Time was up:")
    screen.page.keyboard.press("End")
    screen.wait_text(".turn", "Person 2 gives up: Anne wins")
