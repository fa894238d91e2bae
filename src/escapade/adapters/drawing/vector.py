"""A sheet of SVG."""

from collections.abc import Sequence
from html import escape

from escapade.adapters.drawing.sheet import HEIGHT, NIGHT, PALE, WIDTH, Colour, Point, Sheet

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
ANCHORS = {0: "start", 0.5: "middle", 1: "end"}


def paint(colour: Colour) -> str:
    """A colour as SVG writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def number(value: float) -> str:
    """A measure, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def path(points: Sequence[Point]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


class Svg(Sheet):
    """A sheet that becomes the text of an SVG picture."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def disc(self, x: float, y: float, r: float, colour: Colour, edge: Colour | None = None) -> None:
        rim = f' stroke="{paint(edge)}" stroke-width="1.5"' if edge else ""
        size = r + 0.75 if edge else r  # a stroke lies half inside
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size)}" fill="{paint(colour)}"{rim}/>')

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, edge: Colour | None = None, round_by: int = 6
    ) -> None:
        rim = f' stroke="{paint(edge)}" stroke-width="2"' if edge else ""
        inset = 1 if edge else 0
        self.parts.append(
            f'<rect x="{number(x + inset)}" y="{number(y + inset)}" width="{number(w - 2 * inset)}"'
            f' height="{number(h - 2 * inset)}" rx="{round_by}" fill="{paint(colour)}"{rim}/>'
        )

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        self.parts.append(f'<polygon points="{path(points)}" fill="{paint(colour)}"/>')

    def band(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        self.parts.append(
            f'<polyline points="{path(points)}" fill="none" stroke="{paint(colour)}" stroke-width="{number(width)}"'
            ' stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def write(self, words: str, x: float, y: float, size: int, colour: Colour = PALE, align: float = 0) -> None:
        high = 0.9 * size
        self.parts.append(
            f'<text x="{number(x)}" y="{number(y + 0.35 * high)}" font-size="{number(high)}" fill="{paint(colour)}"'
            f' text-anchor="{ANCHORS[align]}">{escape(words)}</text>'
        )

    def text(self, title: str, description: str, width: int) -> str:
        """The picture, so wide, with a title and a description for those who do not see it."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{round(width * HEIGHT / WIDTH)}"'
                f' viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width: 100%; height: auto" role="img"'
                f' font-family="{FONT}" font-weight="bold">',
                f"<title>{escape(title)}</title>",
                f"<desc>{escape(description)}</desc>",
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{paint(NIGHT)}"/>',
                *self.parts,
                "</svg>\n",
            ]
        )
