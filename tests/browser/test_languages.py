"""Every language: switched in place on the first page and in mid-game, whole, and without a word of another."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.live import Running, mine, position

import escapade
from browser.conftest import Screens
from browser.hands import Mouse
from browser.screens import Screen, seat_link
from escapade.words import Words

CATALOGS = Path(escapade.__file__).parent / "client" / "lang"
LANGUAGES = ["en", "fr", "da", "de"]
CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}
STARTS = {
    "cartagena": position("tortuga", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", row="KDDBSP", top="PS"),
    "evades": "evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/yo.bn.rl.d b4w3 r+ 1:14",
}
# All that a reader sees or hears: words on the page, labels, tips, placeholders.
WORDS = """() => {
  const told = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const foreign = (one) => one.closest('noscript, [lang]:not(html)');
  while (walker.nextNode()) if (!foreign(walker.currentNode.parentElement)) told.push(walker.currentNode.nodeValue);
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
    for (const one of document.querySelectorAll(`[${name}]`)) if (!foreign(one)) told.push(one.getAttribute(name));
  return told.filter(Boolean).map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean);
}"""


def catalog(language: str) -> dict[str, Any]:
    """The texts of a language."""
    texts: dict[str, Any] = {}
    for path in CATALOGS.rglob(f"{language}.json"):
        texts |= json.loads(path.read_text())
    return texts


def leaves(branch: Any) -> Iterator[str]:
    """Every text of a catalog."""
    if isinstance(branch, str):
        yield branch
    else:
        for value in branch.values():
            yield from leaves(value)


def check_words(screen: Screen, language: str) -> None:
    """The page is in this language: no text of English that the language has another for, and no name of a text."""
    assert screen.evaluate("document.documentElement.lang") == language
    told = screen.evaluate(WORDS)
    sections = "|".join(catalog("en"))
    paths = [text for text in told if re.search(rf"\b({sections})\.[a-z][\w-]*(\.[\w-]+)*\b", text)]
    assert not paths
    assert not [text for text in told if re.search(r"\{\w+\}|undefined|NaN|\[object", text)]
    if language != "en":
        own = {" ".join(text.split()) for text in leaves(catalog(language))}
        english = {text for text in leaves(catalog("en")) if "{" not in text and len(text) > 2} - own
        assert not english & set(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_and_its_sheets_change_in_place(language: str, server: Running, screens: Screens) -> None:
    screen = screens(server, "/", {"language": "en" if language != "en" else "de"})
    screen.find("[data-do=play]").wait_for()
    screen.evaluate("window.same = document.querySelector('[data-do=play]')")
    screen.find(f"label:has([name=language][value={language}])").click()
    screen.wait_text("[data-do=play]", catalog(language)["home"]["play"])
    assert screen.evaluate("window.same === document.querySelector('[data-do=play]')"), "the page was built anew"
    check_words(screen, language)
    for what in ("bots", "friends", "screen", "watch", "mine", "menu"):
        screen.find(f"[data-do={what}]:visible").first.click()
        screen.find("dialog[open] h2").wait_for()
        for fold in screen.find("dialog details.fold > summary").all():
            fold.click()
        check_words(screen, language)
        screen.page.keyboard.press("Escape")
        screen.find("dialog").wait_for(state="detached")
    screen.page.reload()
    screen.wait_text("[data-do=play]", catalog(language)["home"]["play"])
    screen.page.goto(f"{server.url}/replay")
    screen.find("textarea").wait_for()
    check_words(screen, language)
    for game in ("cartagena", "evades"):
        screen.page.goto(f"{server.url}/learn/{game}")
        screen.find("[data-part=face][aria-busy=false]").wait_for()
        check_words(screen, language)


@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_in_mid_game_every_language_is_switched_to_in_place(game: str, server: Running, screens: Screens) -> None:
    start = STARTS[game]
    table, key = server.make(start.split(" ")[0], mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    Mouse(screen).act(screen.choose())
    screen.wait_turn()
    board = "document.querySelector('tunnel-board, .isle')"
    screen.evaluate(f"window.same = {board}")
    for language in [*LANGUAGES[1:], "en"]:
        texts = catalog(language)
        screen.find("[data-do=menu]:visible").first.click()
        screen.find(f"dialog label:has([name=menu-language][value={language}])").click()
        screen.wait_text("dialog h2", texts["menu"]["title"])
        screen.page.keyboard.press("Escape")
        screen.find("dialog.sheet[open]").wait_for(state="detached")
        screen.wait_text("[data-do=end]", texts["table"]["end"])
        screen.wait_text("[data-do=undo]", texts["table"]["undo"])
        screen.wait_text("[data-do=hint]", texts["table"]["hint"])
        screen.wait_text(".turn", texts["table"]["yourTurn"])
        assert screen.evaluate(f"window.same === {board}")
        check_words(screen, language)
        screen.find("[data-do=hint]").click()
        screen.hear_hints()
        check_words(screen, language)
        screen.find("[data-do=unhint]").click()
        assert screen.legal
    Mouse(screen).act(screen.choose())


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_game_from_its_lobby_to_its_replay(language: str, server: Running, screens: Screens) -> None:
    table, key = server.make("evades+length=15+turn-limit=1", mine("Anne"), {}, first=0)
    screen = screens(server, seat_link(table, key), {"language": language})
    screen.find(".lobby h2").wait_for()
    check_words(screen, language)
    screen.find("[data-do=fill]").click()
    screen.wait_turn()
    check_words(screen, language)
    screen.find("[data-do=keys]").or_(screen.find("dialog.bet")).first.wait_for()
    Mouse(screen).play_out()
    screen.find("dialog.score[open]").wait_for()
    check_words(screen, language)
    screen.page.keyboard.press("Escape")
    screen.find("[data-do=keys]:visible").first.click()
    screen.find("dialog [name=help]").first.wait_for()
    for part in screen.find("dialog .opt:has([name=help])").all():
        part.click()
        check_words(screen, language)
    screen.page.goto(f"{server.url}/replay/{table}")
    screen.find(".actions input[type=range]").wait_for()
    screen.page.keyboard.press("End")
    check_words(screen, language)


def test_the_browsers_language_is_spoken_until_another_is_chosen(server: Running, screens: Screens) -> None:
    for locale, language in (("da-DK", "da"), ("fr-CA", "fr"), ("pt-BR", "en")):
        screen = screens(server, "/", locale=locale)
        screen.wait_text("[data-do=play]", catalog(language)["home"]["play"])
        check_words(screen, language)


LISTS = """async ([language, some]) => {
  const { list, speak } = await import('/client/lib/lang.js');
  await speak(language);
  return some.map(list);
}"""


def test_things_are_joined_as_in_the_terminal(server: Running, screens: Screens) -> None:
    some: list[list[str]] = [[], ["Anne"], ["Anne", "Bo"], ["Anne", "Bo", "Cleo"]]
    screen = screens(server)
    for language in LANGUAGES:
        words = Words(language)
        assert screen.evaluate(LISTS, [language, some]) == [words.list(things) for things in some]
