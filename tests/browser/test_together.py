"""Several browsers at one table, and several people at one screen: each sees its own secrets and nobody else's."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect
from server.live import TUNNEL, Player, Running, free, mine, position

from browser.conftest import Screens
from browser.hands import Mouse
from browser.screens import Screen, seat_link

NASTY = "<img src=x onerror=q()>"
TALK = '<b onclick="q()">Land</b> & <script>q()</script>'
CARDS = "bottle|dagger|hat|key|pistol|skull"
VIEW = re.compile(r"^(jamaica|evades)\S* \S+ ")


def reached(page: Screen, version: int) -> bool:
    """Whether it knows so much."""
    return page.version >= version


def begun(page: Screen, table: str | None = None) -> bool:
    """Whether it has heard of the game, that of another table than before where one is named."""
    return page.state is not None and table in (None, page.shown["table"])


def joins(server: Running, screens: Screens, table: str, name: str) -> Screen:
    """Open the link that friends get, and take the first free seat."""
    screen = screens(server, f"/t/{table}")
    screen.find("input[name=name]").fill(name)
    screen.find("button[name=seat]").first.click()
    return screen


def positions(told: object) -> list[str]:
    """Every position in a message."""
    if isinstance(told, dict):
        return [text for value in told.values() for text in positions(value)]
    if isinstance(told, list):
        return [text for value in told for text in positions(value)]
    return [told] if isinstance(told, str) and VIEW.match(told) else []


def play_in_turn(pages: list[Screen], stop_at: int = 10_000) -> None:
    """Whoever is to act, acts, until the game is over or so many moves are made."""
    hands = [Mouse(page) for page in pages]
    while True:
        latest = max(page.version for page in pages)
        for page in pages:
            page.wait(partial(reached, page, latest))
        if pages[0].over or latest >= stop_at:
            return
        hand = next((hand for hand in hands if hand.screen.legal), None)
        if hand is None:
            pages[0].page.wait_for_timeout(10)
            continue
        hand.screen.wait_turn()
        hand.act(hand.screen.choose(hand.screen.seats[0]))


def check_cards(page: Screen, own: int) -> None:
    """No message and nothing on the page tells a card of somebody else's."""
    for text in (text for message in page.heard for text in positions(message)):
        _, _, _, hands, _, pile, *_ = text.split(" ")
        others = [hand for seat, hand in enumerate(hands.split("/"), 1) if seat != own]
        assert all(set(hand) <= set("?-") for hand in others), text
        assert not set(pile) & set("BDHKPS"), text
    for move in (message["move"] for message in page.of_type("moved")):
        drawn = re.search(r"\+([A-Z?]+)", move["action"])
        assert not drawn or move["seat"] == own or set(drawn[1]) == {"?"}, move
        assert "~" not in move["action"] or re.search(r"~\?\d+$", move["action"]), move


def test_two_browsers_and_a_spectator_play_cartagena_and_each_sees_its_own_cards(
    server: Running, screens: Screens
) -> None:
    table, key = server.make("jamaica+pirates=3+turn-limit=6", mine("Anne"), free(), first=0, tunnel=TUNNEL)
    anne, bo = screens(server, seat_link(table, key)), joins(server, screens, table, "Bo")
    watcher = screens(server, f"/t/{table}")
    for page in (anne, bo, watcher):
        page.wait(partial(begun, page))
    secrets: dict[int, set[str]] = {1: set(), 2: set()}
    for moves in range(4, 40, 4):
        play_in_turn([anne, bo, watcher], moves)
        for seat, page in ((1, anne), (2, bo)):
            assert page.state
            hand = page.state["view"].split(" ")[3].split("/")[seat - 1]
            secrets[seat].add(hand)
            held = page.find(".hand .slot:not(.none)").evaluate_all("slots => slots.map(slot => slot.dataset.card)")
            assert held == sorted(set(hand))
            others = page.find(f".crew.full [data-key=seat-{3 - seat}] .k")
            assert not re.search(CARDS, others.text_content() or "")
        assert watcher.find(".hand [data-card]").count() == 0
    assert anne.over
    for page, own in ((anne, 1), (bo, 2), (watcher, 0)):
        check_cards(page, own)
        hidden = [f" {hand}/" for hand in secrets[1] if own != 1] + [f"/{hand} " for hand in secrets[2] if own != 2]
        keys = [other.key() for other in (anne, bo) if other is not page]
        told = [*page.raw, *page.fetched(), page.page.content()]
        assert not [secret for secret in hidden + keys for text in told if secret in text]


def test_two_browsers_and_a_spectator_play_les_evades_and_no_bet_is_seen_before_the_end(
    server: Running, screens: Screens
) -> None:
    table, key = server.make("evades+length=15+turn-limit=7", mine("Anne"), free(), first=0)
    anne, bo = screens(server, seat_link(table, key)), joins(server, screens, table, "Bo")
    watcher = screens(server, f"/t/{table}")
    for page in (anne, bo, watcher):
        page.wait(partial(begun, page))
    bets = {1: "yo.bn.rl.d", 2: "dn.bo.ry.l"}
    anne.wait_turn()
    Mouse(anne).act(f"bet:{bets[1]}")
    assert anne.find(".foreseen").count() == 7
    for page in (bo, watcher):
        page.find("[data-key=seat-1] .sealed").first.wait_for(state="attached")
    bo.wait_turn()
    Mouse(bo).act(f"bet:{bets[2]}")
    for moves in range(6, 30, 8):
        play_in_turn([anne, bo, watcher], moves)
        assert not anne.over
        for page, own in ((anne, 1), (bo, 2), (watcher, 0)):
            assert page.find(".mybet .foreseen").count() == (7 if own else 0)
            told = [*page.raw, *page.fetched(), page.page.content()]
            assert not [bet for seat, bet in bets.items() if seat != own for text in told if bet in text]
    play_in_turn([anne, bo, watcher])
    for page in (anne, bo, watcher):
        page.find("dialog.score[open]").wait_for()
        assert page.find("dialog.score tbody tr").count() == 2


def test_at_one_screen_hands_are_covered_until_their_owner_is_ready(server: Running, screens: Screens) -> None:
    start = position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", top="PS")
    table, key = server.make("jamaica", mine("Anne"), mine("Bo"), start=start)
    screen = screens(server, seat_link(table, key))
    hand = Mouse(screen)

    def covered(name: str) -> None:
        screen.find(".over.cover").wait_for()
        assert name in screen.text(".over.cover")
        assert screen.find(".hand [data-card]").count() == 0
        assert screen.find("[data-part=face][inert]").count() == 1
        screen.page.keyboard.press("1")
        screen.page.keyboard.press("e")
        assert screen.find(".place.target").count() == 0

    covered("Anne")
    cover, board = screen.find(".cover [role=dialog]").bounding_box(), screen.find("tunnel-board").bounding_box()
    assert cover
    assert board
    assert cover["y"] >= board["y"] + board["height"], "the board is everybody's"
    assert screen.text(".player .counts").startswith("6")
    assert screen.find(".player .known").count() == 0
    assert "you" not in [word.lower() for word in screen.text("main").split()]
    screen.find("[data-do=ready]").click()
    screen.wait_turn()
    assert screen.find(".hand .slot:not(.none)").count() == len(set("BBDHKS"))
    hand.act("18<17")
    screen.wait_text(".log li", re.compile("pistol.*skull|skull.*pistol"))
    screen.wait_turn()
    hand.act(".")
    covered("Bo")
    screen.find("[data-do=ready]").click()
    screen.wait_turn()
    assert [slot.get_attribute("data-card") for slot in screen.find(".hand .slot:not(.none)").all()] == list("DKPS")
    screen.wait_text(".log li", re.compile("draws 2 cards"))
    log = " ".join(screen.find(".log li").all_inner_texts() + screen.find(".log li").all_text_contents())
    assert "skull" not in log, "Bo can read what Anne drew"
    hand.act("K0>6")
    screen.wait_turn()
    hand.act(".")
    covered("Anne")


def test_at_one_screen_bets_are_written_one_after_another_and_nothing_of_them_stays(
    server: Running, screens: Screens
) -> None:
    table, key = server.make("evades+length=15", mine("Anne"), mine("Bo"), first=0)
    screen = screens(server, seat_link(table, key))
    hand = Mouse(screen)
    for name, bet in (("Anne", "yo.bn.rl.d"), ("Bo", "dn.bo.ry.l")):
        screen.find(".over.cover").filter(has_text=name).wait_for()
        assert screen.find("dialog.bet[open]").count() == 0
        screen.find("[data-do=ready]").click()
        screen.find("dialog.bet[open]").wait_for()
        assert screen.find("dialog.bet .pool .token").count() == 7
        hand.act(f"bet:{bet}")
    screen.find(".over.cover").filter(has_text="Anne").wait_for()
    assert screen.find(".foreseen").count() == 0
    screen.find("[data-do=ready]").click()
    screen.wait_turn()
    if screen.find(".foreseen").count() == 0:  # closed until its owner wants to see it
        screen.find("[data-deed=peek]").click()
    first, last = (screen.text(f".mybet li:nth-child({boat})") for boat in (1, 4))
    assert "yellow" in first
    assert "orange" in first
    assert "dark green" in last


def test_a_name_is_asked_for_once(server: Running, screens: Screens) -> None:
    table, _ = server.make("jamaica+pirates=3", mine("Bo"), free(), free(), first=0)
    screen = screens(server, f"/t/{table}", {"name": "Anne"})
    screen.wait_text(".lobby .name summary", re.compile("You sit as Anne"))
    expect(screen.find("input[name=name]")).to_be_hidden()
    screen.find("button[name=seat]").first.click()
    screen.wait(lambda: screen.seats == [2])
    assert screen.shown["seats"][1]["name"] == "Anne"


def test_markup_in_names_and_talk_is_shown_as_it_was_written(server: Running, screens: Screens) -> None:
    table, key = server.make(
        "jamaica+pirates=3", mine(NASTY), free(), {"bot": "cabin-boy", "name": "<i>Bot<i>"}, first=0
    )
    anne, bo = screens(server, seat_link(table, key)), joins(server, screens, table, "<u>Bo<u>")
    anne.wait(lambda: anne.state)
    Mouse(anne).act(next(action for action in anne.legal if action != "."))
    anne.find("#say").fill(TALK)
    anne.find("#say").press("Enter")
    bo.find("#say").fill("Ahoy\u2028")
    bo.find(".chat [type=submit]").click()
    for page in (anne, bo):
        page.wait_text(".chat li", TALK)
        page.wait_text(".chat li", "Ahoy")
        page.wait_text(".crew.full .player", "<u>Bo<u>")
        page.wait_text(".log li", NASTY)
        assert page.find("#page img[src=x], #page script, .chat b[onclick], .player i, .player u").count() == 0
    assert anne.find("#say").input_value() == ""
    anne.find("[data-do=links]").click()
    anne.find("dialog[open]").wait_for()
    for page, opponent in ((anne, "<u>Bo<u>"), (bo, NASTY)):
        home = page.tab("/")
        home.find("[data-do=mine]").click()
        home.wait_text("dialog .game", opponent)
        assert home.find("img[src=x]").count() == 0


@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_after_the_end_the_same_people_play_again(game: str, server: Running, screens: Screens) -> None:
    edition = {"cartagena": "jamaica", "evades": "evades"}[game]
    table, key = server.make(f"{edition}+turn-limit=1", mine("Anne"), free(), first=0)
    anne, bo = screens(server, seat_link(table, key)), joins(server, screens, table, "Bo")
    play_in_turn([anne, bo])
    for page in (anne, bo):
        page.find("dialog[open]").wait_for()
    anne.find("dialog [data-do=rematch]").click()
    anne.page.wait_for_url(lambda url: table not in url)
    bo.page.keyboard.press("Escape")
    bo.find(".actions a.gold[href^='/t/']").click()
    bo.page.wait_for_url(lambda url: table not in url)
    assert anne.table == bo.table
    for page in (anne, bo):
        page.wait(partial(begun, page, anne.table))
    assert [sitter["name"] for sitter in anne.shown["seats"]] == ["Bo", "Anne"]
    assert (anne.seats, bo.seats) == ([2], [1])
    bo.wait_turn()


def test_a_bot_plays_for_somebody_absent_who_takes_the_seat_back(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), first=1, pace=100)
    anne, bo = screens(server, seat_link(table, key)), joins(server, screens, table, "Bo")
    bo.wait_turn()
    bo.page.goto("about:blank")
    replace = anne.find("[data-do=replace]:visible")
    replace.click()
    anne.wait_text(".notes .told", re.compile(r"\w"))  # not yet: they may be back in a moment

    def replaced() -> bool:
        if anne.shown["seats"][0]["bot"] is None and not anne.find(".notes .told").count():
            replace.click()
            anne.find(".notes .told").or_(anne.find(".player small").get_by_text("uccaneer")).first.wait_for()
        return anne.shown["seats"][0]["bot"] is not None

    anne.wait(replaced)
    anne.wait_turn()
    assert {message["move"]["seat"] for message in anne.of_type("moved")} == {1}
    bo.page.goto(f"{server.url}/t/{table}")
    bo.find("[data-do=return]").click()
    bo.wait(lambda: bo.shown["seats"][0]["bot"] is None)
    bo.find("[data-do=return]").wait_for(state="detached")
    while anne.legal:
        anne.wait_turn()
        Mouse(anne).act("." if "." in anne.legal else anne.choose())
    bo.wait_turn()
    Mouse(bo).act(bo.choose())


def test_a_free_seat_is_filled_with_a_bot_from_the_lobby(server: Running, screens: Screens) -> None:
    screen = screens(server, "/", {"name": "Anne"})
    screen.find("[data-do=friends]").click()
    screen.find("dialog [data-start]").click()
    screen.page.wait_for_url("**/t/*")
    screen.find(".lobby .linkbox input").wait_for()
    assert screen.find(".lobby .linkbox input").input_value().endswith(f"/t/{screen.table}")
    guest = Player(server, screen.table)
    guest.sit(1 + [sitter["free"] for sitter in screen.shown["seats"]].index(True), "Bo")
    screen.wait_text(".lobby li", re.compile(r"\bBo\b"))  # “Add a bot” is none
    screen.find("[data-level]").select_option("cabin-boy")
    screen.find("[data-do=fill]").click()
    screen.wait(lambda: screen.state)
    assert [sitter["bot"] for sitter in screen.shown["seats"]].count("cabin-boy") == 1
    screen.find("tunnel-board").wait_for()
