"""A sheet to draw on, and what the boards of all games have in common."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import pygame

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, int, int]
Picture: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

WIDTH, HEIGHT, FINE = 1120, 600, 2  # drawn larger by FINE and scaled down, which smooths every edge
BOARD = (12, 12, 804, 446)

NIGHT, PANEL, LINE = (13, 19, 24), (27, 37, 45), (56, 70, 80)
CREAM, INK, PALE, DIM, GOLD = (245, 234, 208), (38, 30, 24), (236, 230, 216), (150, 158, 160), (240, 190, 80)
ROCK, SAND, EDGE = (52, 46, 43), (176, 141, 92), (98, 74, 48)
GRASS, SEA, WOOD = (52, 92, 84), (32, 82, 118), (112, 72, 44)
SEATS: Sequence[Colour] = (
    (38, 108, 196), (204, 48, 48), (34, 142, 76), (222, 160, 18), (136, 68, 186), (30, 150, 160),
)  # fmt: skip


@cache
def font(size: int) -> "pygame.font.Font":
    """pygame's own font."""
    import pygame

    pygame.font.init()
    return pygame.font.Font(None, round(size * FINE * 1.3))


class People(NamedTuple):
    """Who plays: names, which of SEATS are their colours, and who has won once the game is over."""

    names: Sequence[str] = ()
    colours: Sequence[int] = ()
    winners: Sequence[int] | None = None


class Paper(ABC):
    """What is drawn on; all measures are those of the finished picture."""

    people = People()

    @abstractmethod
    def disc(self, x: float, y: float, r: float, colour: Colour, edge: Colour | None = None) -> None:
        """A disc, with an edge around it."""

    @abstractmethod
    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, edge: Colour | None = None, round_by: int = 6
    ) -> None:
        """A rectangle, with an edge inside it."""

    @abstractmethod
    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A shape with straight sides."""

    @abstractmethod
    def band(self, way: Sequence[Point], width: float, colour: Colour) -> None:
        """A broad line with round ends."""

    @abstractmethod
    def write(self, words: str, x: float, y: float, size: int, colour: Colour = PALE, align: float = 0) -> None:
        """Write words, centred at a height, that begin (0), have their middle (0.5) or end (1) at a place."""

    @abstractmethod
    def keep_to_board(self, on: bool) -> None:
        """Cut off, or no longer, what lies beside the board."""

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


class Sheet(Paper):
    """Drawn by pygame, as pixels."""

    def __init__(self) -> None:
        import pygame

        self.pygame = pygame
        self.surface = pygame.Surface((WIDTH * FINE, HEIGHT * FINE))
        self.surface.fill(NIGHT)

    def keep_to_board(self, on: bool) -> None:
        self.surface.set_clip([FINE * measure for measure in BOARD] if on else None)

    def disc(self, x: float, y: float, r: float, colour: Colour, edge: Colour | None = None) -> None:
        if edge:
            self.pygame.draw.circle(self.surface, edge, (x * FINE, y * FINE), (r + 1.5) * FINE)
        self.pygame.draw.circle(self.surface, colour, (x * FINE, y * FINE), r * FINE)

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, edge: Colour | None = None, round_by: int = 6
    ) -> None:
        area = (round(x * FINE), round(y * FINE), round(w * FINE), round(h * FINE))
        self.pygame.draw.rect(self.surface, colour, area, border_radius=round_by * FINE)
        if edge:
            self.pygame.draw.rect(self.surface, edge, area, 2 * FINE, border_radius=round_by * FINE)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        self.pygame.draw.polygon(self.surface, colour, [(x * FINE, y * FINE) for x, y in points])

    def write(self, words: str, x: float, y: float, size: int, colour: Colour = PALE, align: float = 0) -> None:
        drawn = font(size).render(words, True, colour)
        self.surface.blit(drawn, (x * FINE - align * drawn.get_width(), y * FINE - drawn.get_height() / 2))

    def band(self, way: Sequence[Point], width: float, colour: Colour) -> None:
        for x, y in way:
            self.disc(x, y, width / 2, colour)

    def pixels(self) -> Picture:
        """The picture, rows first."""
        small = self.pygame.transform.smoothscale(self.surface, (WIDTH, HEIGHT))
        return np.ascontiguousarray(self.pygame.surfarray.array3d(small).swapaxes(0, 1))

    def show(self, frames: int) -> None:
        """Put the picture into the window, which opens if there is none."""
        pygame = self.pygame
        if not pygame.display.get_init():
            pygame.display.init()
        if (window := pygame.display.get_surface()) is None:
            window = pygame.display.set_mode((WIDTH, HEIGHT))
            pygame.display.set_caption("Escapade")
        pygame.transform.smoothscale(self.surface, (WIDTH, HEIGHT), window)
        pygame.event.pump()
        pygame.display.flip()
        pygame.time.wait(1000 // frames)


def close_window() -> None:
    """Close the window, if there is one."""
    import pygame

    pygame.display.quit()


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


def lay(sheet: Paper, way: list[Point], count: int) -> tuple[list[Point], float]:
    """Draw a way; where so many spaces lie on it, and their radius."""
    for colour, width in ((EDGE, 42), (SAND, 39)):
        sheet.band(way[::2], 2 * width, colour)
    apart = len(way) / count
    return [way[round((k + 0.5) * apart)] for k in range(count)], min(25, apart * 0.43)


def draw_seat(sheet: Paper, seat: int, seats: int, acts: bool, reads: bool) -> Point:
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
