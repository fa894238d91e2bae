"""A sheet to draw on, and what the boards of all games have in common."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, int, int]

WIDTH, HEIGHT = 1120, 600
BOARD = (12, 12, 804, 446)

NIGHT, PANEL, LINE = (13, 19, 24), (27, 37, 45), (56, 70, 80)
CREAM, INK, PALE, DIM, GOLD = (245, 234, 208), (38, 30, 24), (236, 230, 216), (150, 158, 160), (240, 190, 80)
ROCK, SAND, EDGE = (52, 46, 43), (176, 141, 92), (98, 74, 48)
GRASS, SEA, WOOD = (52, 92, 84), (32, 82, 118), (112, 72, 44)
SEATS: Sequence[Colour] = (
    (38, 108, 196), (204, 48, 48), (34, 142, 76), (222, 160, 18), (136, 68, 186), (30, 150, 160),
)  # fmt: skip


class Space(NamedTuple):
    """Where a space lies, and the direction from it in which its number stands."""

    x: float
    y: float
    aside: Point

    def beside(self, distance: float) -> Point:
        """The place of its number: below it on a straight way, in a bend clear of the next space."""
        across, down = self.aside
        further = distance + 3.5 * abs(across) if distance else 0  # numbers are wider than they are high
        return self.x + further * across, self.y + further * down


class People(NamedTuple):
    """Who plays: names, which of SEATS are their colours, and who has won once the game is over."""

    names: Sequence[str] = ()
    colours: Sequence[int] = ()
    winners: Sequence[int] | None = None


class Sheet(ABC):
    """What is drawn on; all measures are those of the finished picture."""

    people = People()

    @abstractmethod
    def disc(self, x: float, y: float, r: float, colour: Colour, edge: Colour | None = None) -> None:
        """A disc, with an edge around it."""

    @abstractmethod
    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, edge: Colour | None = None, round_by: int = 6
    ) -> None:
        """A box with round corners, and an edge within it."""

    @abstractmethod
    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A polygon."""

    @abstractmethod
    def band(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """A line with round ends through points that lie close together."""

    @abstractmethod
    def write(self, words: str, x: float, y: float, size: int, colour: Colour = PALE, align: float = 0) -> None:
        """Write words, centred at a height, that begin (0), have their middle (0.5) or end (1) at a place."""

    def ground(self, colour: Colour) -> None:
        """The board, a little uneven."""
        self.box(*BOARD, colour)
        x, y, w, h = BOARD
        for across, down, r, light in np.random.default_rng(0).random((70, 4)).tolist():
            tone = 0.92 + 0.16 * light
            place = x + 16 + across * (w - 32), y + 16 + down * (h - 32)
            self.disc(*place, 3 + 12 * r, (round(colour[0] * tone), round(colour[1] * tone), round(colour[2] * tone)))

    def colour_of(self, seat: int) -> Colour:
        """The colour of a seat."""
        return SEATS[self.people.colours[seat - 1] if self.people.colours else seat - 1]

    def name_of(self, seat: int) -> str:
        """What a seat is called."""
        return self.people.names[seat - 1] if self.people.names else f"seat {seat}"

    def arrow(self, start: Point, end: Point) -> None:
        """An arrow that swings to its left, so that it passes what lies between and one back is told from one forth."""
        curve = swing(start, end)
        (x, y), (tip_x, tip_y) = curve[-1], end
        long = math.dist((x, y), end) or 1
        ahead = (tip_x - x) / long, (tip_y - y) / long
        for rim, colour in ((2.0, INK), (0.0, GOLD)):
            self.band(curve, 5 + 2 * rim, colour)
            self.polygon(arrowhead((x, y), ahead, 10 + rim, 15 + 1.6 * rim), colour)

    def ring(self, x: float, y: float, r: float) -> None:
        """A ring around a place that something has come to."""
        around = [2 * math.pi * k / 40 for k in range(41)]
        for width, colour in ((7, INK), (4, GOLD)):
            self.band([(x + r * math.cos(a), y + r * math.sin(a)) for a in around], width, colour)


def swing(start: Point, end: Point) -> list[Point]:
    """A curve from beside the start to before the end."""
    (x, y), (to_x, to_y) = start, end
    dx, dy = to_x - x, to_y - y
    mx, my = x + dx / 2 + 0.2 * dy, y + dy / 2 - 0.2 * dx
    long = math.hypot(dx, dy) or 1
    first, last = min(0.3, 14 / long), max(0.5, 1 - 22 / long)
    curve = []
    for t in np.linspace(first, last, 41).tolist():
        a, m, b = (1 - t) ** 2, 2 * t * (1 - t), t * t
        curve.append((a * x + m * mx + b * to_x, a * y + m * my + b * to_y))
    return curve


def arrowhead(base: Point, ahead: Point, wide: float, long: float) -> list[Point]:
    """The triangle at the end of an arrow."""
    (x, y), (ax, ay) = base, ahead
    back = (long - 15) / 2  # so that a rim shows behind it too
    x, y = x - back * ax, y - back * ay
    return [(x - wide * ay, y + wide * ax), (x + wide * ay, y - wide * ax), (x + long * ax, y + long * ay)]


def trail(left: float, right: float, top: float, gap: float) -> list[Point]:
    """A way in three rows, there, back and there again, as points of equal distance."""
    points: list[Point] = []
    for row, ends in enumerate(((left, right), (right, left), (left, right))):
        y = top + row * gap
        steps = round(abs(ends[1] - ends[0]))
        points += [(ends[0] + (ends[1] - ends[0]) * k / steps, y) for k in range(steps)]
        if row < 2:
            steps, side = round(math.pi * gap / 2), 1 if row == 0 else -1
            turns = [math.pi * k / steps for k in range(steps)]
            points += [(ends[1] + side * gap / 2 * math.sin(a), y + gap / 2 * (1 - math.cos(a))) for a in turns]
    return points


def lay(sheet: Sheet, way: list[Point]) -> None:
    """Draw a way."""
    for colour, width in ((EDGE, 84), (SAND, 78)):
        sheet.band(way[::6], width, colour)


def spaces_on(way: list[Point], count: int) -> tuple[list[Space], float]:
    """Where so many spaces lie on a way, and their radius."""
    apart = len(way) / count
    return [space_at(way, round((k + 0.5) * apart)) for k in range(count)], min(25, apart * 0.43)


def space_at(way: list[Point], at: int) -> Space:
    """A space on the way; its number stands across the way, downwards, because whoever is on it stands higher."""
    (x, y), (bx, by), (ax, ay) = way[at], way[at - 1], way[min(at + 1, len(way) - 1)]
    across, down = abs(ay - by), abs(ax - bx)
    side = 1 if ax < bx else -1
    across, down = side * across, down + 0.3 * across
    long = math.hypot(across, down)
    return Space(x, y, (across / long, down / long))


def draw_seat(sheet: Sheet, seat: int, seats: int, acts: bool, reads: bool) -> Point:
    """A seat's place in the list of seats; where its cards or its bet go."""
    step, winners = 576 / max(5, seats), sheet.people.winners
    top = 12 + (seat - 1) * step
    lit = acts if winners is None else seat in winners
    sheet.box(826, top, 282, step - 10, (58, 48, 24) if lit else PANEL, GOLD if lit else LINE)
    sheet.disc(848, top + 22, 12, sheet.colour_of(seat), INK)
    sheet.write(str(seat), 848, top + 23, 14, (255, 255, 255), 0.5)
    told = (", you" if reads else "") + (", to act" if acts and winners is None else "")
    sheet.write(sheet.name_of(seat) + told, 868, top + 22, 14)
    return 838, top + step - 54
