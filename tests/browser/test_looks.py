"""What a game looks like when it begins and when it ends."""

import pytest
from server.live import Running, mine, position

from browser.conftest import Screens
from browser.screens import seat_link
from escapade.server.pages import CLIENT

START = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")
CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}
FIRST = """() => {
  const [sketch, stage] = ['.ground svg', '.stage'].map((one) => document.querySelector(one).getBoundingClientRect());
  const pawns = [...document.querySelectorAll('.pawn')];
  return [sketch.width - stage.width, sketch.height - stage.height,
    pawns.flatMap((pawn) => pawn.getAnimations()).length,
    pawns.filter((pawn) => /^translate\\(0/.test(pawn.style.transform)).length];
}"""  # fmt: skip


@pytest.fixture
def painted() -> bool:
    """Everything, as people have it."""
    return True


def test_the_first_frame_has_ground_and_everyone_in_their_place(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server, reduced_motion="no-preference")
    screen.page.add_init_script("HTMLImageElement.prototype.decode = () => new Promise(() => {})")
    screen.page.add_init_script(
        "window.glides = 0; addEventListener('transitionrun', ({ target }) => glides += target.matches('.pawn'))"
    )
    screen.page.goto(server.url + seat_link(table, key))
    screen.wait_turn()
    assert screen.evaluate(FIRST) == [0, 0, 0, 0]
    assert screen.evaluate("glides") == 0


# Pictures of the ground become bitmaps only when the test says so; `shown` has the size of each that was shown.
HELD = """
  const make = createImageBitmap, { prototype } = ImageBitmapRenderingContext, show = prototype.transferFromImageBitmap;
  window.held = [];
  window.shown = [];
  window.createImageBitmap = (image) => new Promise((done) => held.push(done)).then(() => make(image));
  prototype.transferFromImageBitmap = function (bitmap) {
    shown.push([bitmap.width, bitmap.height]);
    show.call(this, bitmap);
  };
"""
STAGE = """() => {
  const { width, height } = document.querySelector('.stage').getBoundingClientRect();
  return [width, height].map(Math.round);
}"""
COLOURED = """() => {
  const probe = new OffscreenCanvas(9, 9).getContext('2d');
  probe.drawImage(document.querySelector('canvas.ground'), 0, 0, 9, 9);
  return new Set(probe.getImageData(0, 0, 9, 9).data).size;
}"""


def test_one_plays_on_a_sketch_until_the_ground_is_painted_for_the_size_that_the_board_has_by_then(
    server: Running, screens: Screens
) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server)
    screen.page.add_init_script(HELD)
    screen.page.goto(server.url + seat_link(table, key))
    screen.wait(lambda: screen.evaluate("held.length") == 1)
    screen.wait_turn()
    screen.page.set_viewport_size({"width": 900, "height": 700})
    screen.wait(lambda: screen.evaluate("held.length") == 2)
    screen.evaluate("held.forEach((done) => done())")
    screen.find(".ground svg").wait_for(state="detached")
    assert screen.evaluate("shown") == [screen.evaluate(STAGE)]
    assert screen.evaluate(COLOURED) > 20


def test_headings_and_names_are_in_the_typeface_that_comes_along(server: Running, screens: Screens) -> None:
    screen = screens(server)
    screen.find("h1").wait_for()
    assert screen.evaluate("[...document.fonts].filter(({ status }) => status === 'loaded').map((one) => one.family)")
    assert screen.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily").startswith("Alegreya")


PARSED = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const values = (text) => text.replace(/\\s+/g, ' ').replace(/ ?([,():]) ?(?=[^{}]*;)/g, '$1');
  return [...sheet.cssRules].map((rule) => values(rule.cssText));
}"""  # a browser writes values alike, but those of custom properties as they came  # fmt: skip


def test_styles_mean_the_same_as_they_travel(server: Running, screens: Screens) -> None:
    screen = screens(server)
    files = sorted(CLIENT.rglob("*.css"))
    for file in files:
        sent = server.get(f"/client/{file.relative_to(CLIENT).as_posix()}").text
        assert len(sent) < len(file.read_text())
        assert screen.evaluate(PARSED, sent) == screen.evaluate(PARSED, file.read_text())
    assert len(files) > 5


WON = {
    winner: position("jamaica", "36.37.37.37.37.37/36.37.37.37.37.37", hands, clock="1:1:5")
    for winner, hands in {"person": "B/B", "bot": "-/B"}.items()
}
MOVING = {"reduced_motion": "no-preference", "settings": {"speed": 1}}


@pytest.mark.parametrize("winner", WON)
def test_the_boat_casts_off_and_confetti_falls_for_people_only(winner: str, server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica", mine("Anne"), {"bot": "captain", "name": "Grace"}, start=WON[winner])
    screen = screens(server, seat_link(table, key), **MOVING)
    screen.wait_turn()
    if winner == "person":
        screen.find(".hand [data-card=B]").click()
        screen.find("[data-place='37']").click()
    else:
        screen.page.keyboard.press("e")
    screen.find("dialog.finish .voyage.away").wait_for()
    assert screen.find("dialog.finish .hands svg").count() == 6
    first, second = screen.find("dialog.finish .ranking li").all()
    assert ("Anne" in first.inner_text()) == (winner == "person")
    assert "1 turn · 1 card played · 0 drawn" in first.inner_text()
    assert ("0 turns" if winner == "person" else "1 turn ·") in second.inner_text()
    assert screen.find("dialog.finish .ranking .face").count() == 1  # the bot's
    assert screen.find(".confetti").count() == (winner == "person")
    screen.page.keyboard.press("Escape")
    screen.find("[data-do=ending]").click()
    screen.find("dialog.finish").wait_for()


def test_the_first_cards_are_seen_coming_and_a_key_ends_that(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica", mine("Anne"), CABIN_BOY, first=0)
    screen = screens(server, **MOVING)
    # how many cards were in the air when the deal began, and after a key
    screen.page.add_init_script("""
      window.dealt = new Promise((done) => new MutationObserver(() => {
        const cards = document.querySelectorAll('.flying').length;
        if (!cards) return;
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
        setTimeout(() => done([cards, document.querySelectorAll('.flying').length]), 100);
      }).observe(document, { childList: true, subtree: true }));
    """)
    screen.page.goto(server.url + seat_link(table, key))
    assert screen.evaluate("dealt") == [12, 0]
    calm = screens(server, seat_link(table, key), settings={"speed": 1})
    calm.wait_turn()
    assert calm.find(".flying").count() == 0
