"""A view drawn as SVG, which needs nothing else to be installed."""

from collections.abc import Sequence
from html import escape

from escapade.adapters.drawing.sheet import BOARD, PALE, Colour, Paper, People, Point
from escapade.games import kind_of

DROP = 0.34  # of the size: from the middle of a line of digits and capitals down to its base


class Svg(Paper):
    """Drawn as SVG."""

    def __init__(self) -> None:
        x, y, w, h = BOARD
        self.parts = [f'<clipPath id="board"><rect x="{x}" y="{y}" width="{w}" height="{h}"/></clipPath>']

    def disc(self, x: float, y: float, r: float, colour: Colour, edge: Colour | None = None) -> None:
        if edge:
            self.disc(x, y, r + 1.5, edge)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{paint(colour)}"/>')

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, edge: Colour | None = None, round_by: int = 6
    ) -> None:
        within = 1 if edge else 0  # an edge is two wide, and lies inside
        rim = f' stroke="{paint(edge)}" stroke-width="2"' if edge else ""
        area = f'x="{x + within:.1f}" y="{y + within:.1f}" width="{w - 2 * within:.1f}" height="{h - 2 * within:.1f}"'
        self.parts.append(f'<rect {area} rx="{round_by}" fill="{paint(colour)}"{rim}/>')

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{corners}" fill="{paint(colour)}"/>')

    def band(self, way: Sequence[Point], width: float, colour: Colour) -> None:
        points = " ".join(f"{x:.0f},{y:.0f}" for x, y in [*way[::5], way[-1]])
        line = f'stroke="{paint(colour)}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"'
        self.parts.append(f'<polyline points="{points}" fill="none" {line}/>')

    def write(self, words: str, x: float, y: float, size: int, colour: Colour = PALE, align: float = 0) -> None:
        anchor = {0: "start", 0.5: "middle", 1: "end"}[align]
        place = f'x="{x:.1f}" y="{y + DROP * size:.1f}" font-size="{size}" text-anchor="{anchor}"'
        self.parts.append(f'<text {place} fill="{paint(colour)}">{escape(words)}</text>')

    def keep_to_board(self, on: bool) -> None:
        self.parts.append('<g clip-path="url(#board)">' if on else "</g>")


def board(view: str, seat: int, people: People) -> str:
    """A view as what is inside of an SVG picture, for a seat or, with 0, for a spectator."""
    paper = Svg()
    paper.people = people
    drawing = kind_of(view).drawing
    if drawing:
        drawing.draw(paper, view, seat)
    else:
        for row, field in enumerate(view.split(" ")):
            paper.write(field, 24, 36 + 30 * row, 16)
    return "".join(paper.parts)


def paint(colour: Colour) -> str:
    """A colour as SVG writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
