"""Every size of screen: nothing scrolls sideways, and what one needs is in sight."""

import re

import pytest
from server.live import Player, Running, mine, position

import escapade
from browser.conftest import Screens
from browser.hands import Mouse
from browser.screens import Screen, seat_link
from escapade.cartagena.editions import EDITIONS, edition
from escapade.server import messages

CABIN_BOY = {"bot": "cabin-boy", "name": "Störtebeker the Long-winded"[:24]}
SIZES = [(320, 568), (390, 844), (844, 390), (1280, 720), (1920, 1080)]
MORE_SIZES = [*SIZES, (360, 740), (768, 1024), (1024, 768), (1366, 768)]
LANGUAGES = ["en", "fr", "de", "da"]
CROWD = "0.1.2.3.4.18/0.0.0.0.17.17/1.2.3.4.5.6/7.8.9.10.11.12/0.0.0.0.0.0"
BETS = "/".join(["br.yl.do.n", "yo.bn.rl.d"] * 3)
TABLES = {
    "jamaica": position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", top="PS"),
    "tortuga": position("tortuga", CROWD, "BBDHKS/DKPPSS/B/D/H", row="KDDBSPKDDBSP"),
    "evades": f"evades 0:yo,5:r,7:b,9:d,#1:ln {BETS} b4w3 r+ 1:14",
}
GAMES = {"cartagena": "jamaica", "evades": "evades"}
NEEDED = {
    "jamaica": ["tunnel-board", ".hand [data-card=S]", "[data-do=retreat]"],
    "tortuga": ["tunnel-board", ".hand [data-card=S]", "[data-do=retreat]", ".row"],
    "evades": [".isle", "[data-die=b]", "[data-die=w]"],
}
# As many spaces with three pirates as there can be, also where the tunnel bends, and hands that fill their counts.
CROWDS = ["9.18.18.18.27.37", "0.9.9.12.17.37", "0.12.12.19.37.37", "7.17.17.19.26.37", "0.7.7.19.26.37"]
NAMES = ["Maximiliane", "Störtebeker", "Wilhelmina", "Jo", "Sayyida", "Ned"]
HANDS = ["BBDHKS", "BBDDDHHKPPSS", "BD", "D", "HHKK"]
ALWAYS = ["[data-do=end]", "[data-do=undo]", ".turn", ".actions .prompt"]


BEYOND = """() => [...document.querySelectorAll('body *')]
  .map((one) => [one.getBoundingClientRect().right, one.outerHTML])
  .filter(([right]) => right > innerWidth + 1).map(([, text]) => text.slice(0, 100)).slice(0, 5)"""
CLIPPED = """() => [...document.querySelectorAll('dialog .body')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).length"""
# A list that shows less than the words of what is chosen in it; some 36 pixels are its padding and its arrow.
NARROW = """() => [...document.querySelectorAll('dialog select')].filter((one) => {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = getComputedStyle(one).font;
  return one.checkVisibility() && pen.measureText(one.selectedOptions[0].text).width > one.clientWidth - 36;
}).map((one) => `${one.selectedOptions[0].text} in ${one.clientWidth}`)"""
SMALL = """(least) => [...document.querySelectorAll('button, a, input, select')]
  .filter((one) => one.checkVisibility() && !one.closest('[inert], label') && !one.matches('.off, .aboard'))
  .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 90)])
  .filter(([{ width, height }]) => width && Math.min(width, height) < least)
  .map(([{ width, height }, text]) => `${width} by ${height}: ${text}`)"""


# What lies where it should not, in words: numbers under pirates, prison and boat on spaces, cards under the dock, parts
# outside the window, and words that are cut off.
FAULTS = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const box = (one) => one.getBoundingClientRect();
  const name = (one) => `${one.className?.baseVal ?? one.className} "${one.textContent.replace(/\\s+/g, ' ').trim()}"`;
  const faults = [];
  const apart = (what, some, others, slack = 1) => {
    for (const one of some) for (const other of others) {
      const a = box(one), b = box(other);
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left),
        high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (one !== other && wide > slack && high > slack) faults.push(`${what}: ${name(one)} and ${name(other)}`);
    }
  };
  const numbers = all('.place .number'), doors = all('.prison, .boat');
  const cards = all('.slot, .die, .chief .btn, .deeds .btn, .hand.absent p');
  apart('number under a pirate', numbers, all('.pawn'));
  apart('two numbers', numbers, numbers);
  apart('prison or boat on a space', doors, [...all('.carving'), ...numbers]);
  apart('card under the dock', cards, all('.actions .prompt, .actions .btn, .player, .turn'));
  apart('two cards', cards, cards, 9);
  for (const card of all('.slot')) {
    apart('count on a symbol', card.querySelectorAll('.n'), card.querySelectorAll('.thing-icon'));
  }
  apart('two buttons', all('.actions .btn'), all('.actions .btn'));
  apart('prompt under a button', all('.actions .prompt'), all('.actions .btn'));
  for (const number of numbers) {
    if (parseFloat(getComputedStyle(number).fontSize) < 8.9) faults.push(`small: ${name(number)}`);
  }
  for (const one of all('.slot, .die, .actions > *, .btn, .turn, .player, .row li, .heap, .bar button, .stage')) {
    const { left, top, right, bottom } = box(one);
    const out = Math.max(-left, -top, right - innerWidth, bottom - innerHeight);
    if (out > 1) faults.push(`outside: ${name(one)}`);
  }
  const words = '.slot .name, .slot .to, .btn, .turn > p, .heap, .die .caption, .lead, .prompt, .name p';
  for (const one of all(words)) {
    const { scrollWidth, clientWidth } = one;
    if (scrollWidth > clientWidth + 1) faults.push(`cut off by ${scrollWidth - clientWidth}: ${name(one)}`);
  }
  const whole = (one, frame) => {
    const inner = box(one), outer = box(frame);
    const right = inner.right > outer.right + 1, low = inner.bottom > outer.bottom + 1;
    if (right || low || inner.top < outer.top - 1) faults.push(`cut off: ${name(one)}`);
  };
  for (const counts of all('.crew:not(.full) .counts')) whole(counts, counts.closest('.k'));
  for (const known of all('.crew:not(.full) .hand-known > *')) {
    if (box(known).top < box(known.closest('.k')).bottom) whole(known, known.closest('.k'));
  }
  for (const one of all('.crew:not(.full) .n')) {
    const seen = box(one).right - box(one.querySelector('b')).left;
    if (seen < Math.min(20, box(one.querySelector('b')).width)) faults.push(`no room for a name: ${name(one)}`);
  }
  for (const one of all('.slot .name')) {
    const letters = document.createRange(), { overflowY } = getComputedStyle(one);
    letters.selectNodeContents(one);
    if (overflowY !== 'visible' && box(letters).height > box(one).height + 1) faults.push(`cut letters: ${name(one)}`);
  }
  for (const prompt of all('.actions .prompt')) {
    if (prompt.scrollHeight > prompt.clientHeight + 2) faults.push(`too long: ${name(prompt)}`);
  }
  return faults;
}"""
# What of the public things the cover lies on.
UNDER_COVER = """() => {
  const cover = document.querySelector('.over.cover [role=dialog]').getBoundingClientRect();
  return [...document.querySelectorAll('.stage, .isle, .supply > *, .player, .turn, .bar button')].filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return one.checkVisibility() && Math.min(right, cover.right) - Math.max(left, cover.left) > 1 &&
      Math.min(bottom, cover.bottom) - Math.max(top, cover.top) > 1;
  }).map((one) => one.className);
}"""
SPEAK = "(language) => import('/client/lib/lang.js').then(({ speak }) => speak(language))"
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def shown(text: str, players: int) -> str:
    """What a server would tell seat 1 of a table: many pirates, or a race that is under way."""
    start = f"evades 0:yo,5:r,7:b,9:d,#1:ln {'/'.join(BETS.split('/')[:players])} b4w3 r+ 1:14"
    if text != "evades":
        row = "KDDBSPKDDBSP"[: int(edition(text).rules["row"])]
        start = position(text, "/".join(CROWDS[:players]), "/".join(HANDS[:players]), row=row)
    game = escapade.parse(start)
    sitters = [
        messages.Sitter(
            name=name,
            colour=n,
            bot="cabin-boy" if n else None,
            free=False,
            person=not n,
            here=not n,
            yours=not n,
            host=not n,
        )
        for n, name in enumerate(NAMES[:players])
    ]
    state = messages.State(
        view=game.view(1),
        eyes=1,
        seat=1,
        turn=game.turn,
        legal=list(game.legal_actions()),
        undo=True,
        grace=None,
        left=None,
        sealed=[],
        result="*",
        scores=None,
    )
    table = messages.Shown(
        table=str(players) * 4,
        version=1,
        game=text,
        kind=game.kind,
        rules=dict(game.edition.rules),
        printing="",
        clock=None,
        pace=0,
        seats=sitters,
        watchers=0,
        host=True,
        hints=True,
        state=state,
        moves=[],
        chat=[],
        resigned=0,
        rematch=None,
        commitment=None,
        chosen=[],
        start=None,
    )
    return messages.encode(table).decode()


def no_sideways(screen: Screen, where: str) -> None:
    """Nothing is wider than the window."""
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth"), (where, screen.evaluate(BEYOND))


def in_sight(screen: Screen, *selectors: str) -> list[str]:
    """What of these does not lie wholly inside the window, give or take a pixel."""
    hidden = []
    for selector in selectors:
        box = screen.find(selector).locator("visible=true").first.bounding_box()
        width, height = screen.evaluate("[innerWidth, innerHeight]")
        assert box, selector
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        if min(box["x"], box["y"]) < -1 or right > width + 1 or bottom > height + 1:
            hidden.append(f"{selector} {box}")
    return hidden


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_first_page_and_its_sheets_fit(size: tuple[int, int], server: Running, screens: Screens) -> None:
    screen = screens(server, "/", viewport={"width": size[0], "height": size[1]})
    screen.find("[data-do=play]").wait_for()
    no_sideways(screen, "home")
    assert not in_sight(screen, "[data-do=play]")
    for what in ("bots", "mine", "menu"):
        screen.find(f"[data-do={what}]:visible").first.click()
        screen.find("dialog[open] h2").wait_for()
        for fold in screen.find("dialog details.fold > summary").all():
            fold.click()
        no_sideways(screen, what)
        assert not screen.evaluate(CLIPPED)
        assert not screen.evaluate(NARROW)
        assert not in_sight(screen, "dialog[open]", "dialog[open] [data-close]")
        screen.page.keyboard.press("Escape")
        screen.find("dialog").wait_for(state="detached")
    screen.page.goto(f"{server.url}/replay")
    screen.find("textarea").wait_for()
    no_sideways(screen, "replay")
    for path in ("rules/cartagena", "about"):
        screen.page.goto(f"{server.url}/{path}")
        screen.find("main.text h2").first.wait_for()
        no_sideways(screen, path)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_lesson_fits(size: tuple[int, int], server: Running, screens: Screens) -> None:
    """In German, whose words are the longest."""
    screen = screens(server, "/about", {"language": "de"}, viewport={"width": size[0], "height": size[1]})
    tasks = {
        "cartagena#row": "tortuga",
        "cartagena#empty": "jamaica",
        "evades#white": "evades",
        "evades#last": "evades",
    }
    for task, game in tasks.items():
        screen.page.goto(f"{server.url}/learn/{task}")
        screen.find("[data-part=face][aria-busy=false]").wait_for()
        no_sideways(screen, task)
        assert not in_sight(screen, *NEEDED[game], ".turn h2", ".goal", ".actions .prompt", ".actions .btn"), task
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight + 1"), task
        assert not screen.evaluate(SMALL, 23.9), "too small for a finger"


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_table_fits(size: tuple[int, int], game: str, server: Running, screens: Screens) -> None:
    start = TABLES[game]
    players = start.split(" ")[2].count("/") + 1
    others = [{**CABIN_BOY, "name": f"{CABIN_BOY['name'][:22]} {n}"} for n in range(players - 1)]
    table, key = server.make(start.split(" ")[0], mine("Anne"), *others, start=start)
    screen = screens(server, seat_link(table, key), viewport={"width": size[0], "height": size[1]})
    screen.wait_turn()
    no_sideways(screen, "table")
    assert not in_sight(screen, *NEEDED[game], *ALWAYS)
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
    assert not screen.evaluate(SMALL, 23.9), "too small for a finger"  # WCAG's 24, as browsers round them
    screen.page.goto(f"{server.url}/replay/{table}")
    screen.find(".stage-page .prompt").first.wait_for()
    no_sideways(screen, "replay")


@pytest.mark.parametrize("game", [*EDITIONS, "evades"])
def test_nothing_lies_on_anything_else(game: str, server: Running, screens: Screens) -> None:
    """Every number of players on every size of screen, in one language after another. The page hears from here."""
    screen = screens(server, "/")
    table: dict[str, str] = {}
    screen.page.route_web_socket("**/ws", lambda line: line.on_message(lambda _: line.send(table["told"])))
    for players in range(2, 7 if game == "evades" else 6):
        table["told"] = shown(game, players)
        screen.page.goto(f"{server.url}/t/{players}{players}{players}{players}")
        screen.find("cartagena-face .slot, evades-face .die").first.wait_for()
        for n, (width, height) in enumerate(MORE_SIZES):
            language = LANGUAGES[(n + players) % 4]
            screen.page.set_viewport_size({"width": width, "height": height})
            screen.evaluate(SPEAK, language)
            screen.evaluate(SETTLED)
            assert not screen.evaluate(FAULTS), (game, players, width, height, language)


def test_at_the_end_those_who_watched_have_a_button_for_the_result(server: Running, screens: Screens) -> None:
    start = position("tortuga+pirates=3", "36.37.37/0.17.17", "BBDHKS/DKPPSS", row="KDDBSPKDDBSP")
    table, key = server.make("tortuga+pirates=3", mine("Anne"), CABIN_BOY, start=start)
    Player(server, table, key).play("B36>37")
    screen = screens(server, f"/t/{table}")
    screen.find("[data-do=ending]").wait_for()
    for n, (width, height) in enumerate(MORE_SIZES):
        for language in LANGUAGES[n % 2 :: 2]:
            screen.page.set_viewport_size({"width": width, "height": height})
            screen.evaluate(SPEAK, language)
            screen.evaluate(SETTLED)
            assert not screen.evaluate(FAULTS), (width, height, language)


@pytest.mark.parametrize("game", ["tortuga+hands=hidden", "evades"])
def test_the_cover_leaves_what_is_public_in_sight(game: str, server: Running, screens: Screens) -> None:
    table, key = server.make(game, *(mine(name) for name in NAMES[:4]), first=0)
    screen = screens(server, seat_link(table, key))
    screen.find(".over.cover [role=dialog]").wait_for()
    for n, (width, height) in enumerate(MORE_SIZES):
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.evaluate(SPEAK, LANGUAGES[n % 4])
        screen.evaluate(SETTLED)
        assert not screen.evaluate(UNDER_COVER), (width, height)
        assert not in_sight(screen, ".over.cover [role=dialog]", "[data-do=ready]")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_lobby_and_the_bet_fit(size: tuple[int, int], server: Running, screens: Screens) -> None:
    table, key = server.make("evades", mine("Anne"), {}, {}, first=0)
    screen = screens(server, seat_link(table, key), viewport={"width": size[0], "height": size[1]})
    for _ in range(2):
        screen.find(".lobby").wait_for()
        no_sideways(screen, "lobby")
        screen.find("[data-do=fill]").first.click()
        screen.wait(lambda: [one["bot"] for one in screen.shown["seats"]].count("sailor") > 0)
        if screen.state:
            break
    screen.find("dialog.bet[open]").wait_for()
    no_sideways(screen, "bet")
    assert not in_sight(screen, "dialog.bet", "dialog.bet [data-do=seal]", "dialog.bet .pool")


def test_at_two_hundred_per_cent_the_game_can_still_be_played(server: Running, screens: Screens) -> None:
    """A browser's zoom makes the window smaller for the page, and everything twice as large."""
    table, key = server.make("jamaica", mine("Anne"), CABIN_BOY, start=TABLES["jamaica"])
    screen = screens(server, seat_link(table, key), viewport={"width": 640, "height": 360}, device_scale_factor=2)
    screen.wait_turn()
    no_sideways(screen, "table")
    for what in ("tunnel-board", ".hand [data-card=S]", "[data-do=end]"):
        screen.find(what).first.scroll_into_view_if_needed()
        assert screen.find(what).first.is_visible()


def test_the_first_page_is_light(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    screen.find("[data-do=play]").wait_for()
    screen.page.wait_for_load_state("networkidle")
    fetched = [answer for answer in screen.answers if not answer.url.startswith(("blob:", "data:"))]
    assert all(answer.url.startswith(server.url) for answer in fetched), "something comes from elsewhere"
    weights = {answer.url.removeprefix(server.url): len(answer.body()) for answer in fetched}
    assert {"/", "/client/main.js", "/client/home/page.js", "/client/style.css", "/client/lang/en.json"} <= set(weights)
    assert sum(weights.values()) < 170_000, sorted(weights.items(), key=lambda one: -one[1])


@pytest.mark.parametrize("page", ["/", "/replay", "/rules/evades", "cartagena", "evades"])
def test_a_page_names_all_scripts_and_styles_that_it_needs(page: str, server: Running, screens: Screens) -> None:
    path = page
    if page in GAMES:
        path = "/t/" + server.make(GAMES[page], mine("Anne"), CABIN_BOY, first=0)[0]
    screen = screens(server, path)
    screen.find("[data-do=play], .bring, main.text, cartagena-face, evades-face").first.wait_for()
    screen.page.wait_for_load_state("networkidle")
    fetched = [answer.url.removeprefix(server.url) for answer in screen.answers]
    named = re.findall(r'(?:href|src)="(/client/[^"]+\.(?:css|js))"', server.get(path).text)
    assert {one for one in fetched if one.endswith((".css", ".js"))} == set(named)


def test_marks_lie_on_nothing_else_that_can_be_tapped(server: Running, screens: Screens) -> None:
    start = "evades+length=15 1:y,4:ob,6:lrn,9:d br.yl.do.n/yo.bn.rl.d y3d4o5 - 1:9"
    table, key = server.make("evades+length=15", mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    for what in ("[data-pawn=y]", "[data-pawn=d]", "[data-pin='4']", "[data-pin='13']"):
        assert Mouse(screen).in_sight(what), what
