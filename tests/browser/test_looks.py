"""What a game looks like when it begins and when it ends."""

from server.live import Running, mine, position

from browser.conftest import Screens
from browser.screens import seat_link

START = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")
CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}
FIRST = """() => {
  const [sketch, stage] = ['.ground svg', '.stage'].map((one) => document.querySelector(one).getBoundingClientRect());
  const pawns = [...document.querySelectorAll('.pawn')];
  return [sketch.width - stage.width, sketch.height - stage.height,
    pawns.flatMap((pawn) => pawn.getAnimations()).length,
    pawns.filter((pawn) => /^translate\\(0/.test(pawn.style.transform)).length];
}"""  # fmt: skip


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


def test_headings_and_names_are_in_the_typeface_that_comes_along(server: Running, screens: Screens) -> None:
    screen = screens(server)
    screen.find("h1").wait_for()
    assert screen.evaluate("[...document.fonts].filter(({ status }) => status === 'loaded').map((one) => one.family)")
    assert screen.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily").startswith("Alegreya")
