"""A game to look at: as text, as a picture with arrows, in a notebook, and by commands."""

import base64
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import third_game

import escapade
from escapade import Game, Invalid, games
from escapade.adapters import drawing

ESCAPADE = str(Path(sys.executable).parent / "escapade")
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
# Three pirates on each space of a bend and around it, whatever the length of the tunnel.
CROWDED = [
    f"jamaica+pirates=6 {'/'.join((TUNNEL + '/' + TUNNEL).split('/')[:segments])}"
    f" {'/'.join('.'.join(str(first + k) for k in range(6)) for _ in range(3))} B/D/H - ?99 - 1:0:9"
    for segments, first in ((3, 4), (6, 9), (6, 22), (8, 12), (8, 30))
]
ESCAPE = "evades 0:yo,8:rb,9:d,#1:ln br.yl.do.n/?/- b4w3 r+ 2:14".replace("/-", "")
Shape = tuple[float, float, float]


def elements(svg: str, tag: str) -> Iterator[ElementTree.Element]:
    """The elements of a picture with a tag."""
    return ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}")


def numbers(svg: str) -> dict[int, Shape]:
    """Where each number stands that is written on the board in the colour of ink, and its height."""
    found = {}
    for text in elements(svg, "text"):
        x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
        if text.attrib["fill"] == "#261e18" and (text.text or "").isdigit():
            found[int(text.text or 0)] = x, y - 0.35 * size, size
    return found


def covered(number: int, shape: Shape, discs: list[Shape]) -> bool:
    """Whether a disc reaches into the box of a number."""
    x, y, size = shape
    wide, high = 0.28 * size * len(str(number)), 0.36 * size
    return any(math.hypot(max(abs(x - a) - wide, 0), max(abs(y - b) - high, 0)) < r for a, b, r in discs)


@pytest.mark.parametrize("position", CROWDED)
def test_the_numbers_of_a_crowded_tunnel_are_legible(position: str) -> None:
    layout = position.replace("?99", f"?{6 * 17 - 3}")
    svg = drawing.svg(layout, 0)
    discs = [
        (float(disc.attrib["cx"]), float(disc.attrib["cy"]), float(disc.attrib["r"]))
        for disc in elements(svg, "circle")
        if "stroke" in disc.attrib
    ]
    told = numbers(svg)
    assert set(told) == set(range(1, 6 * layout.split(" ")[1].count("/") + 7))
    assert not [number for number, shape in told.items() if covered(number, shape, discs)]


def test_a_number_is_told_where_pawns_stand_too() -> None:
    svg = escapade.parse(ESCAPE).svg()
    assert set(numbers(svg)) == set(range(1, 30))
    clear = numbers(svg)[9], numbers(escapade.parse(ESCAPE.replace("9:d", "10:d")).svg())[9]
    assert clear[0] != clear[1]


def played(text: str, players: int, actions: int = 40) -> Game:
    """A game after some first legal actions."""
    game = escapade.new(text, players, seed=7)
    for _ in range(actions):
        game.play(game.legal_actions()[-1 if game.turn % 2 else 0])
    return game


@pytest.mark.parametrize(("text", "players"), [("hispaniola", 5), ("first-escape-open", 2), ("evades", 6)])
def test_a_board_is_what_may_be_seen(text: str, players: int) -> None:
    game = played(text, players)
    assert game.board() == drawing.text(str(game), 0).rstrip("\n")
    for seat in (0, 1, 2):
        view = game.view(seat)
        assert game.board(seat) == drawing.text(view, seat).rstrip("\n")
        assert escapade.parse(view).board() == drawing.text(view, 0).rstrip("\n")
        assert game.svg(seat) == drawing.svg(view, seat)  # a view has all that is drawn
        assert escapade.parse(view).svg() == drawing.svg(view, 0)
    with pytest.raises(Invalid, match=f"seat 9: this game has seats 1 to {players}"):
        game.svg(9)


def test_a_notebook_shows_the_whole_position() -> None:
    game = played("hispaniola", 3, actions=3)
    svg = game._repr_svg_()
    assert svg == game.svg() == game.svg()._repr_svg_() != game.svg(0)
    picture = game._repr_html_().partition("base64,")[2].partition('"')[0]
    assert base64.b64decode(picture).decode() == svg
    assert next(elements(svg, "desc")).text == drawing.text(str(game), 0)
    assert ElementTree.fromstring(game.svg(width=560)).attrib["height"] == "300"


def arrowheads(svg: str) -> int:
    """How many arrows there are: a gold head on a dark one each."""
    heads = [one for one in elements(svg, "polygon") if one.attrib["fill"] == "#f0be50"]
    return len(heads)


def test_actions_are_arrows() -> None:
    game = escapade.parse(ESCAPE.replace("?", "yo.bn.rl.d"))
    assert arrowheads(game.svg()) == 0
    assert arrowheads(game.svg(actions=game.legal_actions())) == len(game.legal_actions())
    assert arrowheads(game.svg(actions="b>12 d<6 .")) == 2
    assert arrowheads(game.svg(actions="d<9")) == 0  # it is there already: a ring
    tunnel = played("jamaica", 2)
    moving = [action for action in tunnel.legal_actions() if action.kind in ("advance", "retreat")]
    assert arrowheads(tunnel.svg(actions=tunnel.legal_actions())) == len(moving) > 0
    for wrong, why in (("D6", "needs the space"), ("D6>48", "the boat is 37"), ("x", "is not an action")):
        with pytest.raises(Invalid, match=why):
            tunnel.svg(actions=[wrong])
    with pytest.raises(Invalid, match="29 spaces before the boats"):
        game.svg(actions="b>44")


def test_an_ended_game_says_so() -> None:
    game = escapade.new("evades", 2, seed=7)
    while not game.over:
        game.play(game.legal_actions()[0])
    assert game.board().splitlines()[-1].startswith("over     won by seat ")
    assert "won by seat" in next(text.text or "" for text in elements(game.svg(), "title"))


def test_a_game_that_nobody_draws_is_shown_field_by_field() -> None:
    games.register(third_game.KIND)
    try:
        game = escapade.new("goose", 2, seed=7)
        assert game.board() == str(game)
        assert [text.text for text in elements(game.svg(), "text")][:2] == str(game).split(" ")[:2]
        assert sum(game.divide(2).values()) == game.perft(2)
    finally:
        games.unregister("goose")


def run(*arguments: str, given: str = "", rc: int = 0) -> str:
    """What a command prints."""
    done = subprocess.run([ESCAPADE, *arguments], input=given, capture_output=True, text=True, timeout=200)
    assert done.returncode == rc, done.stderr
    return done.stdout or done.stderr


def test_a_new_position_is_shown_and_drawn_by_commands(tmp_path: Path) -> None:
    position = run("new", "--game", "tortuga+pirates=4", "--players", "3", "--seed", "7")
    game = escapade.new("tortuga+pirates=4", 3, seed=7)
    assert position == f"{game}\n"
    assert run("new", "--game", "evades", "--seat", "0") == "evades 0:bryldon -/- - - 1:0\n"
    assert run("show", "-", "--seat", "2", given=position) == f"{game.board(2)}\n"
    run("show", position.strip(), "--svg", str(tmp_path / "board.svg"), "--arrows", "D0>5")
    assert (
        (tmp_path / "board.svg").read_text()
        == game.svg(actions="D0>5")
        == run("show", "-", "--svg", "-", "--arrows", "D0>5", given=position)
    )
    assert "say where to with --svg FILE" in run("show", "-", "--arrows", "D0>5", given=position, rc=2)


@pytest.mark.parametrize(
    "position", [ESCAPE.replace("?", "yo.bn.rl.d"), "evades 0:yo,5:rb,9:d,#1:ln br.yl.do.n/yo.bn.rl.d - - 2:14"]
)
def test_perft_is_divided_by_first_actions(position: str) -> None:
    game = escapade.parse(position)
    *lines, total = run("perft", position, "2", "--divide").splitlines()
    assert [line.split(" ")[0] for line in lines] == game.legal_actions()
    assert sum(int(line.split(" ")[1]) for line in lines) == int(total) == game.perft(2)
    with pytest.raises(Invalid, match="a depth of 0"):
        game.divide(0)


def test_perft_is_divided_as_the_actions_are_played() -> None:
    game = played("tortuga", 2)
    for action, count in game.divide(3).items():
        after = game.copy()
        after.play(action)
        assert count == after.perft(2)
