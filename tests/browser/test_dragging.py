"""Drag and drop: cards onto spaces and pirates, pirates back, convicts into boats, segments of a tunnel."""

from server.live import Running, mine, position

from browser.conftest import Screens
from browser.hands import Mouse, parts
from browser.screens import Screen, seat_link

# Anne's pirate on 18 can go back to two on 17; her cards take others forward.
MIDDLE = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")


SEGMENTS = """[...document.querySelectorAll('[data-segment]')].map((segment) =>
  [...segment.querySelectorAll('.symbol')].map((symbol) => symbol.getAttribute('aria-label')).join(' '))"""


def segments(screen: Screen) -> list[str]:
    """The tunnel that is being laid: the symbols of each segment."""
    found: list[str] = screen.evaluate(SEGMENTS)
    return found


def drag(screen: Screen, what: str, onto: str) -> None:
    """Press, move in steps, let go."""
    mouse = screen.page.mouse
    for where, down in ((what, True), (onto, False)):
        if down:
            screen.find(where).first.scroll_into_view_if_needed()
        box = screen.find(where).first.bounding_box()
        assert box, where
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=1 if down else 3)
        (mouse.down if down else mouse.up)()


def place(number: int) -> str:
    """A place of the tunnel."""
    return f"tunnel-board [data-place='{number}']"


def test_a_card_is_dragged_to_a_space_and_onto_a_pirate_and_a_pirate_back(server: Running, screens: Screens) -> None:
    table, key = server.make(MIDDLE.split(" ")[0], mine("Anne"), mine("Bo"), start=MIDDLE)
    screen = screens(server, seat_link(table, key))
    screen.find("[data-do=ready]").click()
    screen.wait_turn()
    first = next(action for action in screen.legal if action.startswith("D0>"))
    drag(screen, ".hand [data-card=D]", place(parts(first)[2]))
    screen.wait(lambda: len(screen.of_type("moved")) == 1)
    screen.wait_turn()
    drag(screen, place(18), place(17))
    screen.wait(lambda: len(screen.of_type("moved")) == 2)
    screen.wait_turn()
    second = next(action for action in screen.legal if action.startswith("H17>"))
    drag(screen, ".hand [data-card=H]", place(17))
    screen.wait(lambda: len(screen.of_type("moved")) == 3)
    moves = [message["move"]["action"] for message in screen.of_type("moved")]
    assert moves == [first, "18<17+PS", second]


def test_what_is_dropped_beside_the_board_or_where_it_cannot_go_stays(server: Running, screens: Screens) -> None:
    table, key = server.make(MIDDLE.split(" ")[0], mine("Anne"), mine("Bo"), start=MIDDLE)
    screen = screens(server, seat_link(table, key))
    screen.find("[data-do=ready]").click()
    screen.wait_turn()
    drag(screen, ".hand [data-card=D]", ".actions .prompt")
    drag(screen, ".hand [data-card=D]", place(17))
    drag(screen, place(18), place(33))
    screen.page.keyboard.press("Escape")
    Mouse(screen).act("D0>5")
    assert [message["action"] for message in screen.sent if message["type"] == "play"] == ["D0>5"]


def test_convicts_are_dragged_into_their_boats_and_out_again(server: Running, screens: Screens) -> None:
    table, key = server.make("evades", mine("Anne"), {"bot": "cabin-boy", "name": "Grace"}, first=0)
    screen = screens(server, seat_link(table, key))
    screen.find("dialog.bet[open]").wait_for()
    for place_in, pawn in enumerate("nodlyrb"):
        drag(screen, f"dialog.bet .pool [data-token={pawn}]", f"dialog.bet .berth[data-place='{place_in}']")
    drag(screen, "dialog.bet .berth [data-token=b]", "dialog.bet .berth[data-place='0']")  # changes places with brown
    drag(screen, "dialog.bet .berth [data-token=o]", "dialog.bet .pool")
    drag(screen, "dialog.bet .pool [data-token=o]", "dialog.bet .berth[data-place='1']")
    screen.find("dialog.bet [data-do=seal]").click()
    screen.wait(lambda: [one for one in screen.sent if one["type"] == "play"])
    assert screen.sent[-1]["action"] == "bet:bo.ld.ry.n"


def test_segments_of_the_tunnel_are_dragged_into_another_order(server: Running, screens: Screens) -> None:
    screen = screens(server, "/")
    screen.find("[data-do=bots]").click()
    screen.find("dialog [data-fold=tunnel] summary").click()
    screen.find("dialog label:has([name=tunnel][value=hand])").click()
    screen.find("[data-segment='0']").wait_for()
    before = segments(screen)
    drag(screen, "[data-segment='0'] .grip", "[data-segment='2'] .grip")
    screen.page.wait_for_function(f"old => ({SEGMENTS})[0] !== old", arg=before[0])
    after = segments(screen)
    assert sorted(after) == sorted(before)
    screen.find("dialog [data-start]").click()
    screen.page.wait_for_url("**/t/*")
    screen.wait_turn()
    assert screen.state
    names = dict(zip("BDHKPS", ("bottle", "dagger", "three-cornered hat", "key", "pistol", "skull"), strict=True))
    laid = screen.state["view"].split(" ")[1].split("/")
    assert [" ".join(names[letter] for letter in segment) for segment in laid] == after
