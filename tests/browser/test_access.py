"""Everybody can play: what axe finds on every page and sheet, where the focus is, stillness where it is wanted."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import FloatRect
from server.live import TUNNEL, Player, Running, free, mine, position

from browser.conftest import Screens
from browser.hands import Keys, Mouse
from browser.screens import Screen, seat_link

CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}
STARTS = {
    "cartagena": position("tortuga", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", row="KDDBSP", top="PS"),
    "evades": "evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/yo.bn.rl.d b4w3 r+ 1:14",
}
ENDS = {
    "cartagena": position("tortuga", "36.37.37.37.37.37/0.0.0.0.17.17", "BBDHKS/DKPPSS", row="KDDBSP", clock="1:0:5"),
    "evades": "evades+length=15+turn-limit=3 0:bryldon br.yl.do.n/yo.bn.rl.d - - 1:3",
}
# What neither axe nor the measure below can decide, and why it is right: (rule, part of its target or markup).
UNDECIDED: dict[tuple[str, str], str] = {}
OPTIONS = {"resultTypes": ["violations", "incomplete"]}
# Where an element is, after what fades has faded, and how its words are painted.
WHERE = """async (target) => {
  const one = document.querySelector(target), style = getComputedStyle(one);
  const ends = ({ effect }) => Number.isFinite(effect.getComputedTiming().endTime);
  await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished));
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  if (!inside) one.scrollIntoView({ block: 'center', inline: 'center' });
  let opacity = 1;
  for (let up = one; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
  const paint = one instanceof SVGElement ? style.fill : style.color;
  return { ...one.getBoundingClientRect().toJSON(), paint, opacity };
}"""
HIDE = """(target) => {
  const { style } = document.querySelector(target);
  for (const name of ['fill', '-webkit-text-fill-color']) style.setProperty(name, 'transparent');
  style.setProperty('text-shadow', 'none');
}"""
RESTORE = """(target) => {
  const one = document.querySelector(target);
  for (const name of ['fill', '-webkit-text-fill-color', 'text-shadow']) one.style.removeProperty(name);
  if (!one.getAttribute('style')) one.removeAttribute('style');
}"""
# The contrast between words and their ground: all but the worst tenth of it. Words that cannot be seen have no ground.
# Where something else than the words came or went there is none yet; what is painted anew may differ a little.
MEASURE = """async ([shown, hidden, again, { paint, opacity }]) => {
  const read = async (png) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))]));
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, picture.width, picture.height).data;
  };
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  pen.fillStyle = paint;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
  const share = (alpha / 255) * opacity, front = [red, green, blue];
  const linear = (part) => (part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const words = await read(shown), ground = await read(hidden), after = await read(again), ratios = [];
  const differ = (one, other) => one.some((part, k) => Math.abs(part - other[k]) >= 4);
  if (differ(words, after)) return null;
  for (let i = 0; i < ground.length; i += 4) {
    const back = [...ground.slice(i, i + 3)];
    if (!differ(back, words.slice(i, i + 3))) continue;
    const ink = front.map((part, k) => part * share + back[k] * (1 - share));
    const [low, high] = [light(ink), light(back)].sort((a, b) => a - b);
    ratios.push((high + 0.05) / (low + 0.05));
  }
  return ratios.length ? ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 10)] : 21;
}"""


class Looks:
    """Looks with axe's eyes at one thing after another, and tells everything that it found at the end."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.known: set[str] = set()

    def at(self, screen: Screen, where: str) -> None:
        """Note what is wrong, and what axe cannot decide and nobody else has."""
        told: dict[str, Any] = Axe().run(screen.page, options=OPTIONS).response
        for rule in told["violations"]:
            self.found += [
                f"{where}: {rule['id']}: {node['target']} {node['failureSummary']}" for node in rule["nodes"]
            ]
        for rule in told["incomplete"]:
            for node in rule["nodes"]:
                if node["html"] not in self.known:
                    self.known.add(node["html"])
                    self.decide(screen, where, rule["id"], node)

    def decide(self, screen: Screen, where: str, rule: str, node: dict[str, Any]) -> None:
        """Measure a contrast that axe could not; anything else somebody must have looked at."""
        if any(rule == one and part in f"{node['target']} {node['html']}" for one, part in UNDECIDED):
            return
        told = f"{where}: {rule}?: {node['target']} {node['html'][:100]}"
        if rule == "color-contrast":
            data = next((why["data"] for why in node["any"] if isinstance(why["data"], dict)), {})
            least = float(data.get("expectedContrastRatio", "3:1").split(":")[0])
            ratio = contrast(screen, node["target"][0])
            if ratio >= least:
                return
            told += f" {ratio:.2f} of {least}"
        self.found.append(told)


def contrast(screen: Screen, target: str) -> float:
    """How well words can be read on what lies under them, once they stand still."""
    for _ in range(20):
        box = screen.evaluate(WHERE, target)
        pictures = [picture(screen, box)]
        for change in (HIDE, RESTORE):
            screen.evaluate(change, target)
            pictures.append(picture(screen, box))
        ratio = screen.evaluate(MEASURE, [*pictures, box]) if all(pictures) else 21.0
        if ratio is not None and screen.evaluate(WHERE, target) == box:
            return float(ratio)
    raise AssertionError(f"{target} never stands still")


def picture(screen: Screen, box: dict[str, Any]) -> str:
    """What is seen in a box, or nothing where it is out of sight."""
    size = screen.page.viewport_size
    assert size
    left, top = max(0.0, box["x"]), max(0.0, box["y"])
    right, bottom = min(size["width"], box["right"]), min(size["height"], box["bottom"])
    if right - left < 1 or bottom - top < 1:
        return ""
    clip: FloatRect = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    return b64encode(screen.page.screenshot(clip=clip, scale="css")).decode()


@pytest.fixture
def look() -> Iterator[Looks]:
    """Looks at pages."""
    looks = Looks()
    yield looks
    assert not looks.found, "\n".join(looks.found)


def sheet(screen: Screen, opener: str) -> Iterator[None]:
    """Open a sheet, and close it after the look at it."""
    screen.find(opener).first.click()
    screen.find("dialog[open] h2").first.wait_for()
    yield
    screen.page.keyboard.press("Escape")
    screen.find("dialog[open]").first.wait_for(state="detached")


SIZES = {"wide": {}, "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}}


@pytest.fixture
def painted() -> bool:
    """Everything, as people have it."""
    return True


@pytest.mark.parametrize("size", SIZES)
def test_the_first_page_and_its_sheets(size: str, server: Running, screens: Screens, look: Looks) -> None:
    table, key = server.make("jamaica", mine("Anne"), CABIN_BOY, first=0)
    games = [{"table": table, "key": key, "game": "jamaica", "seats": [], "at": 0}]
    screen = screens(server, "/", {"name": "Anne", "games": games}, **SIZES[size])
    screen.find(".running a").wait_for()
    look.at(screen, "home")
    for what in ("bots", "friends", "screen", "watch", "mine", "menu"):
        for _ in sheet(screen, f"[data-do={what}]:visible"):
            for fold in screen.find("dialog details.fold > summary").all():
                fold.click()
            for hand in screen.find("dialog label:has([name=tunnel][value=hand])").all():
                hand.click()
            look.at(screen, what)
    screen.page.goto(f"{server.url}/replay")
    screen.find("textarea").wait_for()
    look.at(screen, "bring a record")
    for path in ("rules/cartagena", "rules/evades", "about"):
        screen.page.goto(f"{server.url}/{path}")
        screen.find("main.text h2").first.wait_for()
        look.at(screen, path)
    for lesson in ("cartagena#row", "evades#score"):
        screen.page.goto(f"{server.url}/learn/{lesson}")
        screen.find("[data-part=face][aria-busy=false]").wait_for()
        look.at(screen, lesson)
    screen.page.goto(f"{server.url}/t/nosuchtable")
    screen.find(".lost").wait_for()
    look.at(screen, "no such table")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_a_table_from_the_first_action_to_the_replay(
    game: str, size: str, server: Running, screens: Screens, look: Looks
) -> None:
    start = STARTS[game]
    table, key = server.make(start.split(" ")[0], mine("Anne"), free(), start=start)
    screen = screens(server, seat_link(table, key), **SIZES[size])
    screen.find(".lobby").wait_for()
    look.at(screen, "lobby")
    with Player(server, table) as bo:
        bo.sit(2, "Bo")
        screen.wait_turn()
        look.at(screen, "table")
        chosen = ".hand [data-card=D]" if game == "cartagena" else "[data-die=w]"
        screen.find(chosen).click()
        look.at(screen, "a choice")
        screen.page.keyboard.press("Escape")
        for what in ("keys", "links", "menu"):
            for _ in sheet(screen, f"[data-do={what}]:visible"):
                look.at(screen, what)
                for part in screen.find("dialog .opt:has([name=help])").all():
                    part.click()
                    look.at(screen, f"{what}: {part.inner_text()}")
        if size == "phone":
            screen.find("[data-do=side]:visible").first.click()
            look.at(screen, "log and chat")
            screen.page.keyboard.press("Escape")
    screen.page.goto(f"{server.url}/replay/{table}")
    screen.find(".stage-page .steps, .stage-page .prompt").first.wait_for()
    look.at(screen, "replay")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_hints_covers_bets_and_the_end(game: str, size: str, server: Running, screens: Screens, look: Looks) -> None:
    start = ENDS[game]
    table, key = server.make(start.split(" ")[0], mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(table, key), **SIZES[size])
    screen.wait_turn()
    screen.find("[data-do=hint]:visible").click()
    screen.ask_hint()
    look.at(screen, "a first hint")
    screen.hear_hints()
    look.at(screen, "hints")
    screen.find("[data-do=unhint]").click()
    Mouse(screen).play_out()
    screen.find("dialog[open]").wait_for()
    look.at(screen, "the end")
    screen.page.keyboard.press("Escape")
    look.at(screen, "after the end")
    screen.page.goto(f"{server.url}/replay/{table}")
    screen.find(".actions input[type=range]").wait_for()
    look.at(screen, "replay")
    for _ in sheet(screen, "[data-do=share]:visible"):
        look.at(screen, "a turn's link")
    edition = {"cartagena": "jamaica", "evades": "evades"}[game]
    table, key = server.make(edition, mine("Anne"), mine("Bo"), first=0)
    screen.page.goto(server.url + seat_link(table, key))
    screen.find(".over.cover").wait_for()
    look.at(screen, "cover")
    screen.find("[data-do=ready]").click()
    screen.wait_turn()
    look.at(screen, "hot seat")


def test_the_numbers_of_a_short_tunnel_are_read_close_to_the_wall(
    server: Running, screens: Screens, look: Looks
) -> None:
    tunnel = "/".join(TUNNEL.split("/")[:4])
    table, key = server.make("tortuga", mine("Anne"), CABIN_BOY, first=0, tunnel=tunnel)
    screen = screens(server, seat_link(table, key), **SIZES["phone"])
    screen.wait_turn()
    look.at(screen, "a short tunnel")


def test_focus_goes_into_sheets_and_back_to_where_it_came_from(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    keys = Keys(screen)
    screen.find("[data-do=mine]").wait_for()
    for what in ("mine", "menu", "bots"):
        keys.tab_to(f"[data-do={what}]")
        keys.press("Enter")
        screen.find("dialog[open]").wait_for()
        for _ in range(12):
            keys.press("Tab")
            assert screen.evaluate(
                "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
            )
        keys.press("Escape")
        screen.find("dialog").wait_for(state="detached")
        assert keys.focused(f"[data-do={what}]")


VISIBLE = """() => {
  const marked = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  const label = document.activeElement.closest('label');
  return marked(getComputedStyle(document.activeElement)) || (label && marked(getComputedStyle(label)));
}"""


@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_the_focus_is_seen_at_every_stop(game: str, server: Running, screens: Screens) -> None:
    start = STARTS[game]
    table, key = server.make(start.split(" ")[0], mine("Anne"), CABIN_BOY, start=start)
    for path in ("/", seat_link(table, key)):
        screen = screens(server, path)
        screen.find("[data-do=play], [data-do=end]").first.wait_for()
        unseen = []
        for _ in range(40):
            screen.page.keyboard.press("Tab")
            if not screen.evaluate("document.activeElement === document.body") and not screen.evaluate(VISIBLE):
                unseen.append(screen.evaluate("document.activeElement.outerHTML.slice(0, 120)"))
        assert not unseen


# Notes every animation that moves something, for as long as the page lives.
MOTION = """
window.moved = new Set();
const travel = /^(transform|translate|rotate|scale|left|top|right|bottom|inset|width|height|margin|offset[A-Z])/;
const look = () => {
  for (const { effect } of document.getAnimations()) {
    const what = effect.getKeyframes().flatMap(Object.keys).filter((name) => travel.test(name));
    const { activeDuration } = effect.getComputedTiming();
    if (what.length && activeDuration > 200) moved.add(`${effect.target.outerHTML.slice(0, 60)} ${what}`);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@pytest.mark.parametrize("still", [True, False], ids=["reduced motion", "motion"])
@pytest.mark.parametrize("game", ["cartagena", "evades"])
def test_nothing_travels_where_motion_is_not_wanted(game: str, still: bool, server: Running, screens: Screens) -> None:
    start = STARTS[game]
    table, key = server.make(start.split(" ")[0], mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, "/", {"speed": 2}, reduced_motion="reduce" if still else "no-preference")
    screen.page.add_init_script(MOTION)
    screen.page.goto(f"{server.url}{seat_link(table, key)}")
    hand = Mouse(screen)
    for _ in range(4):
        screen.wait_turn()
        hand.act(screen.choose())
    screen.wait_turn()
    moved = screen.evaluate("[...moved]")
    assert (moved == []) == still, moved


@pytest.mark.parametrize("own_way", [True, False])
def test_a_press_beside_a_sheet_closes_it_and_one_that_begins_on_it_does_not(
    own_way: bool, server: Running, screens: Screens
) -> None:
    screen = screens(server, "/")
    if not own_way:
        screen.evaluate("delete HTMLDialogElement.prototype.closedBy")
    screen.find("[data-do=mine]").click()
    screen.find("dialog[open] h2").hover()
    mouse = screen.page.mouse
    mouse.down()
    mouse.move(5, 5)
    mouse.up()
    assert screen.find("dialog[open]").count() == 1
    mouse.click(5, 5)
    screen.find("dialog[open]").wait_for(state="detached")


def test_the_levels_are_a_scale_for_keys_and_for_ears(server: Running, screens: Screens) -> None:
    chairs = [{"sits": who, "name": "", "colour": colour} for colour, who in enumerate(["me", *["captain"] * 5])]
    bots = {"chairs": chairs, "first": 0, "clock": None}
    kept = {
        "edition": "jamaica",
        "players": 2,
        "companies": dict.fromkeys(("bots", "friends", "screen", "watch"), bots),
    }
    screen = screens(server, "/", {"setup": kept}, viewport={"width": 390, "height": 844})
    scale = screen.find("[name=level]")
    assert scale.get_attribute("aria-label") == "Your rivals"
    assert scale.get_attribute("aria-valuetext") == "Captain. Forgets nothing and looks ahead.", "kept from last time"
    scale.press("ArrowLeft")
    assert scale.get_attribute("aria-valuetext") == "First mate. Knows at a glance who is ahead."
    scale.press("Home")
    assert screen.text(".scale .says") == "Cabin boy. Plays whatever comes to hand."
    assert screen.find(".scale .on").count() == 1
    box = scale.bounding_box()
    assert box
    assert box["height"] >= 44
    screen.find("[data-do=bots]").click()
    scale = screen.find("dialog [name=level]")
    scale.press("End")
    assert screen.find("dialog [name=sits-1]").input_value() == "legend"
    assert screen.find("dialog .scale .on").count() == 11
