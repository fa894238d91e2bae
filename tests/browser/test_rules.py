"""Nobody is left wondering: the rules are where one plays, with the symbols and house rules of the table."""

import re
from typing import Any

import pytest
from server.live import Running, free, mine

from browser.conftest import Screens
from browser.screens import Screen, seat_link

CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}
TAGS = {"cartagena": "C", "evades": "G"}


def help_of(screen: Screen) -> str:
    """Open the sheet behind “?”, and read its rules."""
    screen.find("[data-do=keys]:visible").first.click()
    screen.find("dialog .steps li").first.wait_for()
    return re.sub(r"\s+", " ", screen.find("dialog .body").inner_text())


def test_a_guest_in_the_lobby_reads_the_rules_of_this_edition_with_its_house_rules(
    server: Running, screens: Screens, phone: dict[str, Any]
) -> None:
    game = "first-escape+boat-retreat=off+most-actions=2+pirates=4"
    table, _ = server.make(game, mine("Anne"), {"bot": "captain", "name": "Grace"}, free(), clock=300)
    screen = screens(server, f"/t/{table}", **phone)
    screen.find(".lobby h2").wait_for()
    agreed = re.sub(r"\s+", " ", screen.find(".lobby dl.agreed").inner_text())
    for words in ("First Escape", "Pirates: 4", "Back from the boat: no", "5 minutes", "Grace (Captain)", "Host Anne"):
        assert words in agreed
    rules = help_of(screen)
    assert "Bring your 4 pirates" in rules
    assert "Take up to 2 actions" in rules
    assert "open row of 10" in rules
    assert "House rules Back from the boat: no Maximum actions: 2 Pirates: 4" in rules
    assert "A pirate in the boat stays there." in rules
    assert "you may skip the whole turn and take the top card of the pile" in rules
    assert "everyone has passed in three rounds running" in rules
    assert "only way" not in rules
    assert screen.find("dialog .symbols li").all_inner_texts() == [
        "bottle",
        "dagger",
        "hat",
        "keys",
        "pistol",
        "parrot",
    ]
    assert screen.find("dialog [name=help]").count() == 2, "no keys on a phone"
    screen.find("dialog .opt:has([value=table])").click()
    assert "Pirates: 4" in screen.find("dialog dl.agreed").inner_text()


def test_at_a_table_the_key_opens_rules_table_and_keys(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica", mine("Anne"), CABIN_BOY, first=0, printing="tilsit")
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    screen.page.keyboard.press("?")
    screen.find("dialog .steps li").first.wait_for()
    rules = re.sub(r"\s+", " ", screen.find("dialog .body").inner_text())
    assert screen.find("dialog .symbols li").all_inner_texts() == [
        "jug",
        "hook",
        "tricorne",
        "keys",
        "pistol",
        "parrot",
    ]
    assert "Take one to 3 actions" in rules
    assert "face-down pile" in rules
    assert "A pirate in the boat may go back, too." in rules
    for words in ("skip the whole turn", "three rounds running", "open row"):
        assert words not in rules
    screen.find("dialog .opt:has([value=table])").click()
    told = screen.find("dialog dl.agreed").inner_text()
    assert screen.shown["commitment"] in told
    assert "none" in told
    assert "you" in told
    screen.find("dialog .opt:has([value=keys])").click()
    assert screen.find("dialog .keys dt").count() >= 8
    links = [one.get_attribute("href") for one in screen.find("dialog footer a").all()]
    assert links == ["/learn/cartagena", "/rules/cartagena"]


def test_the_dice_game_tells_its_duties_and_its_last_two(server: Running, screens: Screens) -> None:
    table, _ = server.make("evades+count-jumped=off+length=20+turn-limit=90", mine("Anne"), CABIN_BOY)
    screen = screens(server, f"/t/{table}")
    screen.find(".crew .player").first.wait_for()
    rules = help_of(screen)
    for words in (
        "space 20, the last one",
        "with four in boats two dice in all",
        "Moving is a duty",
        "stops at space 1",
    ):
        assert words in rules
    for words in (
        "gets boat 4 and the other boat 3",
        "occupied spaces are not counted",
        "three rounds",
        "after 90 turns",
    ):
        assert words in rules


def test_a_watched_table_has_no_house_rules_because_of_its_limit(server: Running, screens: Screens) -> None:
    table, _ = server.make("jamaica", CABIN_BOY, {"bot": "cabin-boy", "name": "Zheng"}, pace=5000)
    screen = screens(server, f"/t/{table}")
    screen.find(".crew .player").first.wait_for()
    assert screen.shown["game"] == "jamaica+turn-limit=1000"
    assert screen.find("h1").inner_text() == "Jamaica"
    rules = help_of(screen)
    assert "after 1000 turns" in rules
    assert "House rules" not in rules


@pytest.mark.parametrize("language", ["en", "fr", "da", "de"])
def test_the_whole_rules_and_the_sources_are_pages_in_every_language(
    language: str, server: Running, screens: Screens
) -> None:
    screen = screens(server, "/", {"language": language})
    screen.find("footer a[href='/about']").click()
    screen.find("main.text h1").wait_for()
    assert "Leo Colovini" in screen.find("main").inner_text()
    for game, letter in TAGS.items():
        screen.find(f"header a[href='/rules/{game}']").click()
        screen.find(f"#{letter}1").wait_for()
        tags = [one.get_attribute("id") for one in screen.find(".rule").all()]
        assert {f"{letter}{n}" for n in range(1, 14)} <= set(tags)
        assert len(set(tags)) == len(tags) == screen.find(".index li").count()
        assert screen.find(".rule dt").count() >= len(tags), "each has its source apart"
    screen.find(".index a[href='#G10']").click()
    assert screen.evaluate("document.activeElement.id") == "G10"
    screen.find("figure a").first.click()
    screen.find(".isle").wait_for()
