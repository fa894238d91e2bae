"""Replays: of a table, of a record that is pasted, dropped or chosen, of a position that is played on from."""

import re
from pathlib import Path

import pytest
from server.live import Player, Running, free, mine, play_out, position

import escapade
from browser.conftest import Screens
from browser.hands import Mouse
from browser.screens import Screen, seat_link

START = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")
PROMPT, SLIDER = ".actions .prompt", ".actions input[type=range]"


@pytest.fixture(scope="module")
def games(server: Running) -> dict[str, str]:
    """A finished game of each kind: its table."""
    tables = {}
    for game in ("jamaica+pirates=3+turn-limit=9", "evades+length=15+turn-limit=6"):
        table, key = server.make(game, mine("Anne"), free(), first=0)
        with Player(server, table, key) as anne, Player(server, table) as bo:
            bo.sit(2, "Bo")
            for player in (anne, bo):
                player.wait(lambda player: player.state)
            play_out([anne, bo])
        tables[game.split("+")[0]] = table
    return tables


def at(screen: Screen) -> int:
    """The step that is shown."""
    return int(screen.find(SLIDER).input_value())


def shows(screen: Screen, step: int) -> None:
    """Wait for a step."""
    screen.page.wait_for_function(f"n => Number(document.querySelector('{SLIDER}')?.value) === n", arg=step)


@pytest.mark.parametrize("kind", ["jamaica", "evades"])
def test_a_game_is_stepped_through_by_keys_slider_and_log(
    kind: str, games: dict[str, str], server: Running, screens: Screens
) -> None:
    screen = screens(server, f"/replay/{games[kind]}")
    press = screen.page.keyboard.press
    screen.find(SLIDER).wait_for()
    steps = server.get(f"/api/tables/{games[kind]}/replay").json()["steps"]
    last, turns = len(steps), [step["turn"] for step in steps]
    assert int(screen.find(SLIDER).get_attribute("max") or 0) == last
    shows(screen, 0)
    press(".")
    shows(screen, 1)
    assert screen.text(PROMPT)
    assert screen.find(PROMPT).is_visible()
    assert not screen.find("[data-do=retreat]").locator("visible=true").count(), "nothing can be done in a replay"
    press("ArrowRight")
    shows(screen, next((n for n, turn in enumerate(turns) if n > 1 and turn != turns[1]), last))
    press("Shift+ArrowLeft")
    press("Home")
    shows(screen, 0)
    press("End")
    shows(screen, last)
    press("ArrowLeft")
    shows(screen, turns.index(turns[-1]))
    press("Home")
    press(" ")
    shows(screen, last)  # it plays by itself to the end
    screen.find(SLIDER).focus()
    press("ArrowLeft")
    shows(screen, last - 1)
    box = screen.find(SLIDER).bounding_box()
    assert box
    screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(at(screen) - last / 2) <= 1
    screen.find(".log li button").last.click()
    shows(screen, 1)
    screen.find("[data-do=next]").click()
    shows(screen, 2)


@pytest.mark.parametrize("kind", ["jamaica", "evades"])
def test_a_link_leads_to_its_turn(kind: str, games: dict[str, str], server: Running, screens: Screens) -> None:
    screen = screens(server, f"/replay/{games[kind]}")
    screen.find(SLIDER).wait_for()
    for _ in range(3):
        before = at(screen)
        screen.page.keyboard.press("ArrowRight")
        screen.page.wait_for_function(f"n => Number(document.querySelector('{SLIDER}').value) > n", arg=before)
    step, words = at(screen), screen.text(PROMPT)
    screen.find("[data-do=share]:visible").first.click()
    link = screen.find("dialog .linkbox input").first.input_value()
    friend = screens(server, link.removeprefix(server.url))
    friend.find(SLIDER).wait_for()
    shows(friend, step)
    assert friend.text(PROMPT) == words
    board = "[...document.querySelectorAll('.pawn, .convict')].map(one => one.style.transform).sort()"
    assert friend.evaluate(board) == screen.evaluate(board)


def paste(screen: Screen, text: str) -> None:
    """Put something into the clipboard, and paste it."""
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.evaluate("text => navigator.clipboard.writeText(text)", text)
    screen.find("textarea").click()
    screen.page.keyboard.press("Control+a")
    screen.page.keyboard.press("Control+v")
    screen.find("form [type=submit]").click()


@pytest.mark.parametrize("way", ["paste", "drop", "file"])
def test_a_record_that_somebody_brings_is_replayed_and_its_link_holds_it(
    way: str, games: dict[str, str], server: Running, screens: Screens, tmp_path: Path
) -> None:
    record = server.record(games["jamaica"])
    screen = screens(server, "/replay")
    screen.find("textarea").wait_for()
    if way == "paste":
        paste(screen, record)
    elif way == "drop":
        make = "text => { const d = new DataTransfer(); d.items.add(new File([text], 'game.esc')); return d; }"
        screen.page.dispatch_event("main", "drop", {"dataTransfer": screen.page.evaluate_handle(make, record)})
    else:
        (tmp_path / "game.esc").write_text(record)
        screen.find("input[type=file]").set_input_files(tmp_path / "game.esc")
    screen.find(SLIDER).wait_for()
    screen.wait_text(".player", "Bo")
    screen.wait_text(".proven", "proven")
    screen.find("[data-do=share]:visible").first.click()
    link = screen.find("dialog .linkbox input").first.input_value()
    friend = screens(server, link.removeprefix(server.url))
    friend.find(SLIDER).wait_for()
    assert friend.find(SLIDER).get_attribute("max") == screen.find(SLIDER).get_attribute("max")


def test_a_broken_record_is_refused_with_the_place_that_is_wrong(
    games: dict[str, str], server: Running, screens: Screens
) -> None:
    record = server.record(games["jamaica"])
    first = re.search(r"^1\. (\S+)", record, re.M)
    assert first
    screen = screens(server, "/replay")
    screen.allow("400")
    paste(screen, record.replace(f"1. {first[1]}", "1. B0>36"))
    screen.find("#fault").filter(has_text=re.compile(r"\w")).wait_for()
    assert "B0>36" in screen.text("#fault")
    assert "turn 1" in screen.text("#fault").lower()
    assert screen.find("textarea").get_attribute("aria-invalid") == "true"
    assert screen.find("textarea").input_value().startswith("[Game")
    paste(screen, "Fifteen men on a dead man's chest")
    screen.page.wait_for_function("() => !document.querySelector('#fault').textContent.includes('B0>36')")
    paste(screen, record)
    screen.find(SLIDER).wait_for()


def test_a_refusal_comes_in_the_readers_language(games: dict[str, str], server: Running, screens: Screens) -> None:
    screen = screens(server, "/replay", locale="de-DE")
    screen.allow("400")
    paste(screen, server.record(games["jamaica"]).replace("\n\n1. ", "\n\n1. B0>36 "))
    screen.wait_text("#fault", "Zug 1: B0>36 kann dort nicht gespielt werden.")
    paste(screen, START.replace("1:0:5", "9:0:5"))
    screen.wait_text("#fault", "Das letzte Feld kann nicht „9:0:5“ sein")
    paste(screen, START.replace("0.0.18/", "0.0.0.18/"))
    screen.wait_text("#fault", "Piraten können nicht wie „0.0.0.18/0.17.17“ stehen")
    paste(screen, "evades 4:o,22:n,#1:br,#2:yl,#3:dd br.yl.do.n/ln.bo.rd.y - - 1:31")
    screen.wait_text("#fault", "Figuren können nicht wie „4:o,22:n,#1:br,#2:yl,#3:dd“ stehen")


def test_a_pasted_position_offers_what_can_be_played_there(server: Running, screens: Screens) -> None:
    screen = screens(server, "/replay")
    paste(screen, START)
    legal = escapade.parse(START).legal_actions()
    rows = screen.find(".log li button")
    rows.first.wait_for()
    assert [row.get_attribute("data-action") for row in rows.all()] == legal
    screen.find("[data-action='18<17']").click()
    screen.find(".place.target.back[data-place='17']").wait_for()
    screen.find("[data-do=retreat]").click()
    screen.find("dialog [data-begin]").wait_for()


@pytest.mark.parametrize("kind", ["jamaica", "evades"])
def test_a_replay_has_no_button_that_does_nothing(
    kind: str, games: dict[str, str], server: Running, screens: Screens
) -> None:
    screen = screens(server, f"/replay/{games[kind]}")
    screen.find(SLIDER).wait_for()
    dead = screen.find("[data-do=retreat], [data-card]:enabled, [data-die]:enabled, [data-deed=throw]")
    assert dead.count() == 0
    screen.page.keyboard.press("End")
    screen.find("[data-do=ending], [data-deed=scores]").click()
    screen.find("dialog.finish").wait_for()


@pytest.mark.parametrize("start", [START, "evades+length=15 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/yo.bn.rl.d b4w3 r+ 2:14"])
def test_a_pasted_position_is_played_on_from(start: str, server: Running, screens: Screens) -> None:
    screen = screens(server, "/replay")
    paste(screen, start)
    screen.find("[data-do=playOn]:visible").first.click()
    assert screen.find("dialog select").count() == 2
    screen.find("dialog [data-begin]").click()
    screen.page.wait_for_url("**/t/*")
    screen.wait_turn()
    assert screen.state
    assert screen.state["view"].split(" ")[0] == start.split(" ")[0]
    assert screen.state["turn"] == int(start.rsplit(":", 1)[1])
    Mouse(screen).act(screen.choose())


def test_a_game_still_going_on_is_replayed_with_what_its_reader_may_know(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START)
    Player(server, table).sit(2, "Bo")
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    Mouse(screen).act("18<17")
    screen.page.goto(f"{server.url}/replay/{table}")
    screen.find(SLIDER).wait_for()
    screen.page.keyboard.press("End")
    screen.wait_text(PROMPT, re.compile("pistol.*skull"))
    watcher = screens(server, f"/replay/{table}")
    watcher.find(SLIDER).wait_for()
    watcher.page.keyboard.press("End")
    watcher.wait_text(PROMPT, "draws 2 cards")
    assert not [text for text in [*watcher.fetched(), watcher.page.content()] if "BBDHKS" in text or "+PS" in text]


def test_a_drawn_game_of_les_evades_shows_bets_and_no_points(
    games: dict[str, str], server: Running, screens: Screens
) -> None:
    screen = screens(server, f"/replay/{games['evades']}")
    screen.find(SLIDER).wait_for()
    screen.page.keyboard.press("End")
    screen.find("[data-deed=scores]").click()
    sheet = screen.find("dialog[open]")
    sheet.wait_for()
    assert "The turn limit is reached" in sheet.inner_text()
    assert "No points are counted." in sheet.inner_text()
    assert sheet.locator("tbody tr").count() == 2
    assert sheet.locator(".total, .hit, .miss").count() == screen.find(".points").count() == 0
