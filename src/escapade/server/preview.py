"""What other programs show of a link: a title, a few words, and a picture of the board.

Only games that are over and puzzles have that; of anything else nothing is told but the page's own title.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

import resvg_py

from escapade import puzzles
from escapade.adapters.drawing import draw
from escapade.adapters.drawing.sheet import People
from escapade.adapters.drawing.vector import Svg
from escapade.puzzles import Puzzle
from escapade.record import parse
from escapade.server.live import Live
from escapade.server.messages import Refused
from escapade.server.replay import steps_of
from escapade.server.table import Table
from escapade.server.thinking import Thinkers
from escapade.words import LANGUAGES, Words

WIDTH, HEIGHT, HEAD = 1200, 630, 62  # what most programs crop least; the height of the title
TYPEFACE = Path(__file__).parent.parent / "client" / "fonts" / "alegreya-600.ttf"
FAMILY = "Alegreya SemiBold"
DRAWING, A_SECOND = 0.3, 50_000  # seconds that a picture is expected to take, and characters of its record a second
MOST_KEPT = 200  # pictures in memory, of 50 to 120 KB
LONGEST_TITLE = 48  # characters that fit beside the server's name
LATIN = 0xFF  # the typeface has these letters; for others the system's are looked through, which takes longer


class Preview(NamedTuple):
    """What is told about a page: its title, a sentence, and the paths of the page and of its picture."""

    title: str
    words: str
    page: str
    picture: str

    def tags(self, server: str) -> str:
        """The same for the head of the page; `server` is how whoever asks has reached it."""
        told = {
            "og:site_name": "Escapade",
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.words,
            "og:url": server + self.page,
            "og:image": server + self.picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": self.title,
        }
        card = '<meta name="twitter:card" content="summary_large_image">'
        return "\n".join([*(f'<meta property="{name}" content="{escape(one)}">' for name, one in told.items()), card])


def language_of(accepted: str) -> str:
    """The first language that somebody accepts and that there are texts in."""
    codes = [part.strip()[:2].lower() for part in accepted[:200].split(",")]
    return next((code for code in codes if code in LANGUAGES), "en")


@cache
def words_in(language: str) -> Words:
    """The texts of a language."""
    return Words(language)


def game_name(game: str, words: Words) -> str:
    """An edition as people call it."""
    edition = game.split("+")[0]
    return words(f"edition.{edition}.name") if words.has(f"edition.{edition}.name") else edition


def turn_asked(text: str | None) -> int | None:
    """The number of a turn from outside; None where none is asked for."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise Refused("bad-message", f"turn: {text[:20]!r} is not the number of a turn")
    return int(text)


def of_table(table: Table, turn: int | None, words: Words) -> Preview:
    """What is told of a game that is over, or of one of its turns."""
    check_over(table)
    assert table.game is not None
    names, turns = [chair.name or "" for chair in table.chairs], [number for number, _ in table.game.turns]
    if turn is None or not turns:
        at, told = "", [outcome(table, names, words), words("share.turns", n=len(turns))]
    else:
        shown = min(turn, turns[-1])
        at, told = f"?turn={shown}", [words("share.turn", n=shown, all=turns[-1]), outcome(table, names, words)]
    return Preview(
        f"{words.list(names)} · {game_name(str(table.edition), words)}",
        ". ".join(told) + ".",
        f"/replay/{table.name}{at}",
        f"/api/tables/{table.name}/picture.png{at}",
    )


def check_over(table: Table) -> None:
    """Refuse to tell anything of a game that goes on."""
    if table.game is None:
        raise Refused("not-begun")
    if not table.over:
        raise Refused("not-over")


def outcome(table: Table, names: Sequence[str], words: Words) -> str:
    """How a game ended."""
    won = [names[seat - 1] for seat in winners(table.result)]
    if table.resigned:
        return words("finish.resigned", loser=names[table.resigned - 1], name=won[0])
    if len(won) > 1:
        return words("finish.shared", names=words.list(won))
    return words("finish.wins", name=won[0]) if won else words("finish.drawn")


def winners(result: str) -> list[int]:
    """The seats that a result names."""
    return [int(seat) for seat in result.split("/") if seat.isdigit()]


def of_puzzle(puzzle: Puzzle, words: Words) -> Preview:
    """What is told of a puzzle: not its answer."""
    name = game_name(puzzle.position.split(" ", 1)[0], words)
    link = f"/puzzles/{puzzle.id}"
    return Preview(f"{words('share.puzzle')} · {name}", words("share.find"), link, f"/api{link}/picture.png")


class Pictures:
    """Pictures, drawn in the process for records and its fair queue; the latest are kept."""

    def __init__(self, records: Thinkers) -> None:
        self.records = records
        self.drawn: OrderedDict[tuple[str, int | None], bytes] = OrderedDict()

    async def of_table(self, live: Live, turn: int | None, visitor: str) -> bytes:
        """A game that is over, at the start of a turn or at its end."""
        async with live.lock:
            table = live.table
            check_over(table)
            assert table.game is not None
            turns = [number for number, _ in table.game.turns]
            if turn is not None and (not turns or turn > turns[-1]):
                turn = None  # the end; every number from outside leads to one of so many pictures
            record, names = table.record(frozenset()), tuple(chair.name or "" for chair in table.chairs)
            people = People(names, [chair.colour for chair in table.chairs], winners(table.result))
        cost = DRAWING + len(record) / A_SECOND
        return await self._drawn((f"table {table.name}", turn), cost, visitor, draw_game, record, turn, people)

    async def of_puzzle(self, puzzle: Puzzle, visitor: str) -> bytes:
        """A puzzle as the seat to act sees it."""
        start = puzzles.begin(puzzle)
        about = start.view(start.seat), start.seat, game_name(str(start.edition), words_in("en"))
        return await self._drawn((f"puzzle {puzzle.id}", None), DRAWING, visitor, draw_puzzle, *about)

    async def _drawn(
        self, name: tuple[str, int | None], cost: float, visitor: str, work: Callable[..., bytes], *about: object
    ) -> bytes:
        if name not in self.drawn:
            self.drawn[name] = await self.records.think(work, *about, cost=cost, visitors=[visitor])
            while len(self.drawn) > MOST_KEPT:
                self.drawn.popitem(last=False)
        self.drawn.move_to_end(name)
        return self.drawn[name]


def draw_game(record: str, turn: int | None, people: People) -> bytes:
    """A recorded game at the start of a turn, or at its end."""
    start, steps = steps_of(parse(record))
    before = steps if turn is None else [step for step in steps if step.turn < turn]
    view = before[-1].view if before else start
    over = len(before) == len(steps)
    shown = people if over else people._replace(winners=None)
    return png(view, 0, " · ".join(people.names), shown)


def draw_puzzle(view: str, seat: int, name: str) -> bytes:
    """A puzzle's position."""
    return png(view, seat, f"{words_in('en')('share.puzzle')} · {name}", People())


def png(view: str, seat: int, title: str, people: People) -> bytes:
    """A view with a title above it, as a PNG."""
    board = Svg()
    board.people = people
    draw(board, view, seat)
    title = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    scale = (HEIGHT - HEAD) / 600
    place = f"translate({(WIDTH - 1120 * scale) / 2:.1f} {HEAD}) scale({scale:.4f})"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="{FAMILY}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#0d1318"/>'
        f'<text x="82" y="44" font-size="34" fill="#f5ecd9">{escape(title)}</text>'
        f'<text x="1118" y="44" font-size="34" fill="#e9bb5f" text-anchor="end">Escapade</text>'
        f'<g transform="{place}">{"".join(board.parts)}</g>'
        "</svg>"
    )
    latin = all(ord(letter) <= LATIN for letter in title + "".join(people.names))
    return resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=latin, font_files=[str(TYPEFACE)], font_family=FAMILY, serif_family=FAMILY
    )
