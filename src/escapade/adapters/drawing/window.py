"""A sheet of pixels, by pygame, and the window that shows it."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pygame

from escapade.adapters.drawing.sheet import HEIGHT, NIGHT, PALE, WIDTH, Colour, Point, Sheet

Picture: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

FINE = 2  # drawn larger by this and scaled down, which smooths every edge


@cache
def font(size: int) -> pygame.font.Font:
    """pygame's own font."""
    pygame.font.init()
    return pygame.font.Font(None, round(size * FINE * 1.3))


class Pixels(Sheet):
    """A sheet that becomes an array or is shown in a window."""

    def __init__(self) -> None:
        self.surface = pygame.Surface((WIDTH * FINE, HEIGHT * FINE))
        self.surface.fill(NIGHT)

    def disc(self, x: float, y: float, r: float, colour: Colour, edge: Colour | None = None) -> None:
        if edge:
            pygame.draw.circle(self.surface, edge, (x * FINE, y * FINE), (r + 1.5) * FINE)
        pygame.draw.circle(self.surface, colour, (x * FINE, y * FINE), r * FINE)

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, edge: Colour | None = None, round_by: int = 6
    ) -> None:
        area = (round(x * FINE), round(y * FINE), round(w * FINE), round(h * FINE))
        pygame.draw.rect(self.surface, colour, area, border_radius=round_by * FINE)
        if edge:
            pygame.draw.rect(self.surface, edge, area, 2 * FINE, border_radius=round_by * FINE)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        pygame.draw.polygon(self.surface, colour, [(x * FINE, y * FINE) for x, y in points])

    def band(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        for (x, y), (to_x, to_y) in pairwise(points):
            for part in (0, 0.25, 0.5, 0.75):  # discs: pygame's wide lines have ragged ends
                self.disc(x + part * (to_x - x), y + part * (to_y - y), width / 2, colour)

    def write(self, words: str, x: float, y: float, size: int, colour: Colour = PALE, align: float = 0) -> None:
        drawn = font(size).render(words, True, colour)
        self.surface.blit(drawn, (x * FINE - align * drawn.get_width(), y * FINE - drawn.get_height() / 2))

    def pixels(self) -> Picture:
        """The picture, rows first."""
        small = pygame.transform.smoothscale(self.surface, (WIDTH, HEIGHT))
        return np.ascontiguousarray(pygame.surfarray.array3d(small).swapaxes(0, 1))

    def show(self, frames: int) -> None:
        """Put the picture into the window, which opens if there is none."""
        if not pygame.display.get_init():
            pygame.display.init()
        if (window := pygame.display.get_surface()) is None:
            window = pygame.display.set_mode((WIDTH, HEIGHT))
            pygame.display.set_caption("Escapade")
        pygame.transform.smoothscale(self.surface, (WIDTH, HEIGHT), window)
        pygame.event.pump()
        pygame.display.flip()
        pygame.time.wait(1000 // frames)


def close() -> None:
    """Close the window, if there is one."""
    pygame.display.quit()
