"""A view drawn for people who watch an environment: as text, as a picture, in a window.

Everything is drawn from the text of a view, so nothing can be shown that its seat may not know. pygame is imported only
where a picture is wanted.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

import escapade
from escapade.cartagena.editions import SYMBOLS
from escapade.cartagena.notation import Layout as Tunnel
from escapade.cartagena.notation import read_layout as read_tunnel
from escapade.evades.editions import DICE, PAWNS
from escapade.evades.notation import Layout as Island
from escapade.evades.notation import read_layout as read_island
from escapade.game import Invalid

if TYPE_CHECKING:
    import pygame

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, int, int]
Picture: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

MODES = ("human", "ansi", "rgb_array")
WIDTH, HEIGHT, FINE = 1120, 600, 2  # drawn larger by FINE and scaled down, which smooths every edge
BOARD = (12, 12, 804, 446)

NIGHT, PANEL, LINE = (13, 19, 24), (27, 37, 45), (56, 70, 80)
CREAM, INK, PALE, DIM, GOLD = (245, 234, 208), (38, 30, 24), (236, 230, 216), (150, 158, 160), (240, 190, 80)
ROCK, SAND, EDGE = (52, 46, 43), (176, 141, 92), (98, 74, 48)
GRASS, SEA, WOOD = (52, 92, 84), (32, 82, 118), (112, 72, 44)
SEATS: Sequence[Colour] = (
    (38, 108, 196), (204, 48, 48), (34, 142, 76), (222, 160, 18), (136, 68, 186), (30, 150, 160),
)  # fmt: skip
COLOURS: dict[str, Colour] = {
    "B": (36, 124, 84), "D": (58, 112, 168), "H": (158, 42, 42), "K": (186, 132, 20), "P": (112, 70, 150),
    "S": (66, 66, 72), "b": (44, 96, 184), "r": (204, 48, 44), "y": (236, 196, 44), "l": (138, 200, 74),
    "d": (24, 108, 66), "o": (236, 128, 36), "n": (122, 78, 46), "w": (244, 244, 238), "?": (140, 44, 52),
}  # fmt: skip

# Each symbol in a square from -1 to 1: polygons, and discs of x, y and radius, those with a fourth number cut out.
Shapes: TypeAlias = Sequence[Sequence[Point] | tuple[float, ...]]
ICONS: dict[str, Shapes] = {
    "B": (
        ((-0.16, -0.6), (0.16, -0.6), (0.18, -0.3), (0.42, 0), (0.42, 0.9), (-0.42, 0.9), (-0.42, 0), (-0.18, -0.3)),
        ((-0.13, -0.95), (0.13, -0.95), (0.13, -0.68), (-0.13, -0.68)),
    ),
    "D": (
        ((0, -1), (0.17, -0.65), (0.17, 0.25), (-0.17, 0.25), (-0.17, -0.65)),
        ((-0.5, 0.28), (0.5, 0.28), (0.5, 0.45), (-0.5, 0.45)),
        ((-0.12, 0.45), (0.12, 0.45), (0.12, 0.9), (-0.12, 0.9)),
    ),
    "H": (
        ((-1, 0.4), (-0.72, -0.1), (-0.4, -0.12), (-0.22, -0.62), (0.22, -0.62), (0.4, -0.12), (0.72, -0.1), (1, 0.4),
         (0.4, 0.62), (-0.4, 0.62)),
        (0, 0.22, 0.15, 1),
    ),
    "K": (
        (0, -0.52, 0.42), (0, -0.52, 0.2, 1), ((-0.1, -0.15), (0.1, -0.15), (0.1, 0.95), (-0.1, 0.95)),
        ((0.1, 0.45), (0.42, 0.45), (0.42, 0.6), (0.1, 0.6)), ((0.1, 0.76), (0.36, 0.76), (0.36, 0.92), (0.1, 0.92)),
    ),
    "P": (
        (0.12, 0.1, 0.27), (0.12, 0.1, 0.15, 1), ((-1, -0.5), (0.66, -0.5), (0.66, -0.14), (-1, -0.14)),
        ((0.2, -0.3), (0.7, -0.5), (0.98, 0.62), (0.62, 0.76), (0.36, -0.1)),
    ),
    "S": (
        (0, -0.22, 0.66), ((-0.34, 0.2), (0.34, 0.2), (0.3, 0.86), (-0.3, 0.86)), (-0.26, -0.16, 0.19, 1),
        (0.26, -0.16, 0.19, 1), ((-0.03, 0.5), (0.03, 0.5), (0.03, 0.9), (-0.03, 0.9)),
    ),
}  # fmt: skip
PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}  # of nine places


def check_mode(mode: str | None) -> None:
    """Refuse a way to render that is not there."""
    if mode is not None and mode not in MODES:
        raise Invalid(f"render_mode {mode!r}: there are {', '.join(MODES)} and None")


def render(view: str, seat: int, mode: str, frames: int) -> Picture | str | None:
    """A view in one of the MODES; a window waits so that so many frames come in a second."""
    if mode == "ansi":
        return text(view, seat)
    sheet = draw(view, seat)
    if mode == "rgb_array":
        return sheet.pixels()
    sheet.show(frames)
    return None


def text(view: str, seat: int) -> str:
    """A view for a terminal."""
    return island_text(read_island(view), seat) if escapade.is_evades(view) else tunnel_text(read_tunnel(view), seat)


def tunnel_text(view: Tunnel, reader: int) -> str:
    """Cartagena for a terminal: a line for each segment, pirates by the numbers of their seats."""
    boat = len(view.tunnel.replace("/", "")) + 1
    standing = dict.fromkeys(range(boat + 1), "")
    for seat, spaces in enumerate(view.pirates, 1):
        for space in spaces:
            standing[space] += str(seat)
    lines = [f"{view.edition}, turn {view.turn}: seat {view.seat} acts, action {view.actions + 1}", ""]
    lines.append(f"prison   {standing[0] or '-'}")
    for i, segment in enumerate(view.tunnel.split("/")):
        first = 6 * i + 1
        cells = [f"{symbol} {standing[first + k]:4}" for k, symbol in enumerate(segment)]
        lines.append(f"{first:2}-{first + 5:<5} " + "".join(cells).rstrip())
    lines += [f"boat     {standing[boat] or '-'}", ""]
    discards = " ".join(f"{symbol}{view.discards.count(symbol)}" for symbol in SYMBOLS if symbol in view.discards)
    lines.append(f"row      {view.row or '-'}")
    lines.append(f"pile     {len(view.pile)} cards, discards {discards or '-'}")
    for seat, hand in enumerate(view.hands, 1):
        lines.append(f"seat {seat}   {hand or '-'}{'  (you)' if seat == reader else ''}")
    return "\n".join(lines) + "\n"


def island_text(view: Island, reader: int) -> str:
    """Les Évadés for a terminal: ten spaces a line, stacks from the bottom up."""
    length = int(view.edition.rules["length"])
    lines = [f"{view.edition}, turn {view.turn}: seat {view.seat} acts", ""]
    lines.append(f"windows  {view.stacks.get(0, '-')}")
    for first in range(1, length, 10):
        cells = [f"{view.stacks.get(space, '.'):8}" for space in range(first, min(first + 10, length))]
        lines.append(f"{first:2}-{min(first + 9, length - 1):<5} " + "".join(cells).rstrip())
    lines += [f"boat {boat}   {pawns or '-'}" for boat, pawns in enumerate(view.boats, 1)]
    dice = " ".join(f"{die}{number}" for die, number in view.dice.items())
    moved = " ".join(pawn + way for pawn, way in view.moved.items())
    lines += ["", f"dice     {dice or '-'}", f"moved    {moved or '-'}"]
    for seat, bet in enumerate(view.bets, 1):
        lines.append(f"seat {seat}   {bet}{'  (you)' if seat == reader else ''}")
    return "\n".join(lines) + "\n"


@cache
def font(size: int) -> "pygame.font.Font":
    """pygame's own font."""
    import pygame

    pygame.font.init()
    return pygame.font.Font(None, round(size * FINE * 1.3))


class Sheet:
    """What is drawn on; all measures are those of the finished picture."""

    def __init__(self, ground: Colour) -> None:
        import pygame

        self.pygame = pygame
        self.surface = pygame.Surface((WIDTH * FINE, HEIGHT * FINE))
        self.surface.fill(ground)

    def ground(self, colour: Colour) -> None:
        """The board, a little uneven."""
        self.box(*BOARD, colour)
        x, y, w, h = BOARD
        for across, down, r, light in np.random.default_rng(0).random((70, 4)).tolist():
            tone = 0.92 + 0.16 * light
            place = x + 16 + across * (w - 32), y + 16 + down * (h - 32)
            self.disc(*place, 3 + 12 * r, (round(colour[0] * tone), round(colour[1] * tone), round(colour[2] * tone)))

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
        """Write words, centred at a height, that begin (0), have their middle (0.5) or end (1) at a place."""
        drawn = font(size).render(words, True, colour)
        self.surface.blit(drawn, (x * FINE - align * drawn.get_width(), y * FINE - drawn.get_height() / 2))

    def icon(self, symbol: str, x: float, y: float, r: float, paper: Colour = CREAM) -> None:
        """A symbol of the tunnel or of a card."""
        for shape in ICONS[symbol]:
            if isinstance(shape[0], tuple):
                self.polygon([(x + r * dx, y + r * dy) for dx, dy in shape], COLOURS[symbol])  # type: ignore[misc]
            else:
                dx, dy, radius, *cut = shape
                self.disc(x + r * dx, y + r * dy, r * radius, paper if cut else COLOURS[symbol])  # type: ignore[operator]

    def card(self, symbol: str, x: float, y: float) -> None:
        """A small card; one that is not known shows its back."""
        if symbol == "?":
            self.box(x, y, 24, 32, COLOURS["?"], PALE, 4)
            self.write("?", x + 12, y + 16, 14, PALE, 0.5)
        else:
            self.box(x, y, 24, 32, CREAM, None, 4)
            self.icon(symbol, x + 12, y + 16, 9.5)

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


def lay(sheet: Sheet, way: list[Point], count: int) -> tuple[list[Point], float]:
    """Draw a way; where so many spaces lie on it, and their radius."""
    for colour, width in ((EDGE, 42), (SAND, 39)):
        for x, y in way[::2]:
            sheet.disc(x, y, width, colour)
    apart = len(way) / count
    return [way[round((k + 0.5) * apart)] for k in range(count)], min(25, apart * 0.43)


def draw(view: str, seat: int) -> Sheet:
    """A view as a picture."""
    sheet = Sheet(NIGHT)
    if escapade.is_evades(view):
        draw_island(sheet, read_island(view), seat)
    else:
        draw_tunnel(sheet, read_tunnel(view), seat)
    return sheet


def pirate(sheet: Sheet, seat: int, x: float, y: float, r: float = 10.5) -> None:
    """A pirate with the number of its seat on it."""
    colour = SEATS[seat - 1]
    dark = (colour[0] // 2, colour[1] // 2, colour[2] // 2)
    sheet.disc(x, y, r, colour, INK)
    sheet.polygon([(x - 1.25 * r, y - 0.5 * r), (x, y - 1.7 * r), (x + 1.25 * r, y - 0.5 * r)], dark)
    sheet.write(str(seat), x, y + 0.3 * r, round(1.25 * r), (255, 255, 255), 0.5)


def draw_tunnel(sheet: Sheet, view: Tunnel, reader: int) -> None:
    """Cartagena: the tunnel between prison and boat, the row, the pile, the discards and the hands."""
    sheet.ground(ROCK)
    symbols = view.tunnel.replace("/", "")
    places, r = lay(sheet, trail(178, 700, 96, 132), len(symbols))
    draw_prison(sheet, view)
    draw_ship(sheet, view, len(symbols) + 1)
    for x, y in places:
        sheet.disc(x, y, r, CREAM, EDGE)
    for space, (symbol, (x, y)) in enumerate(zip(symbols, places, strict=True), 1):
        here = [seat for seat, spaces in enumerate(view.pirates, 1) for q in spaces if q == space]
        sheet.icon(symbol, x, y + (0.32 * r if here else 0), r * (0.5 if here else 0.62))
        sheet.write(str(space), x, y + r + 7, 10, INK, 0.5)
        for k, seat in enumerate(here):
            pirate(sheet, seat, x + (k - (len(here) - 1) / 2) * 0.72 * r, y - 0.55 * r, 0.42 * r)
    draw_cards(sheet, view)
    for seat, hand in enumerate(view.hands, 1):
        x, y = draw_seat(sheet, seat, len(view.hands), seat == view.seat, seat == reader)
        sheet.write(f"cards {len(hand)}", 1098, y - 18, 12, DIM, 1)
        for k, (card, n) in enumerate(sorted(Counter(hand).items(), key=lambda c: (c[0] == "?", c[0]))):
            sheet.card(card, x + 38 * k, y)
            sheet.write(str(n), x + 26 + 38 * k, y + 22, 13)


def crowd(sheet: Sheet, view: Tunnel, space: int, x: float, y: float, columns: int, step: Point) -> None:
    """Each seat's pirates in the prison or in the boat: one of them and their number."""
    present = [(seat, spaces.count(space)) for seat, spaces in enumerate(view.pirates, 1) if space in spaces]
    for k, (seat, n) in enumerate(present):
        left, top = x + k % columns * step[0], y + k // columns * step[1]
        pirate(sheet, seat, left, top)
        sheet.write(f"x{n}", left + 14, top + 2, 13)


def draw_prison(sheet: Sheet, view: Tunnel) -> None:
    """The prison, behind bars."""
    sheet.box(26, 24, 126, 136, (96, 98, 102), (70, 72, 76), 4)
    sheet.box(38, 36, 102, 112, (18, 16, 16), None, 4)
    for k in range(1, 5):
        sheet.box(38 + 20.4 * k, 36, 2, 112, (58, 60, 64), None, 0)
    crowd(sheet, view, 0, 56, 60, 2, (48, 34))


def draw_ship(sheet: Sheet, view: Tunnel, boat: int) -> None:
    """The boat at the end of the tunnel."""
    sheet.surface.set_clip([FINE * measure for measure in BOARD])
    sheet.disc(790, 398, 96, (206, 190, 150))
    sheet.disc(796, 402, 92, SEA)
    sheet.surface.set_clip(None)
    sheet.box(761, 320, 4, 66, WOOD, None, 0)
    sheet.polygon([(768, 322), (804, 374), (768, 374)], CREAM)
    sheet.polygon([(758, 330), (734, 374), (758, 374)], PALE)
    sheet.polygon([(714, 384), (812, 384), (798, 412), (730, 412)], WOOD)
    crowd(sheet, view, boat, 576, 434, 5, (48, 0))


def draw_cards(sheet: Sheet, view: Tunnel) -> None:
    """What lies open: the row, how many cards the pile has, the discards, and the clock."""
    sheet.box(12, 470, 804, 118, PANEL)
    sheet.write(f"{view.edition}", 28, 488, 14, GOLD)
    sheet.write(f"turn {view.turn}: seat {view.seat}, action {view.actions + 1}", 800, 488, 13, PALE, 1)
    for k, card in enumerate(view.row):
        sheet.card(card, 100 + 30 * k, 506)
    top = 548 if view.edition.rules["row"] else 527
    if top == 548:
        sheet.write("row", 28, 522, 13, DIM)
    sheet.write("discards", 28, top + 16, 13, DIM)
    for k, symbol in enumerate(SYMBOLS):
        sheet.card(symbol, 100 + 66 * k, top)
        sheet.write(f"{symbol} {view.discards.count(symbol)}", 128 + 66 * k, top + 16, 13)
    sheet.write("pile", 560, top + 16, 13, DIM)
    sheet.card("?", 604, top)
    sheet.write(str(len(view.pile)), 636, top + 16, 15)


def draw_seat(sheet: Sheet, seat: int, seats: int, acts: bool, reads: bool) -> Point:
    """A seat's place in the list of seats; where its cards or its bet go."""
    step = 576 / max(5, seats)
    top = 12 + (seat - 1) * step
    sheet.box(826, top, 282, step - 10, (58, 48, 24) if acts else PANEL, GOLD if acts else LINE)
    sheet.disc(848, top + 22, 12, SEATS[seat - 1], INK)
    sheet.write(str(seat), 848, top + 23, 14, (255, 255, 255), 0.5)
    sheet.write(f"seat {seat}" + (", you" if reads else "") + (", to act" if acts else ""), 868, top + 22, 14)
    return 838, top + step - 54


def pawn(sheet: Sheet, colour: str, x: float, y: float, r: float = 14) -> None:
    """A pawn as a thick disc with its letter."""
    red, green, blue = COLOURS[colour]
    sheet.disc(x, y + 0.28 * r, r, (red // 2, green // 2, blue // 2), INK)
    sheet.disc(x, y, r, (red, green, blue))
    sheet.write(colour, x, y, round(1.1 * r), INK if red + green > 330 else PALE, 0.5)


def draw_island(sheet: Sheet, view: Island, reader: int) -> None:
    """Les Évadés: the way from the windows to the four boats, the dice and the bets."""
    sheet.ground(GRASS)
    sheet.box(704, 12, 112, 446, SEA)
    sheet.box(696, 12, 12, 446, (206, 190, 150), None, 0)
    sheet.box(590, 352, 130, 24, WOOD)
    places, r = lay(sheet, trail(196, 576, 92, 136), int(view.edition.rules["length"]) - 1)
    for space, (x, y) in enumerate(places, 1):
        sheet.disc(x, y, min(r, 20), CREAM, EDGE)
        sheet.write(str(space), x, y, 11, INK, 0.5)
    for space, stack in sorted(view.stacks.items(), key=lambda one: places[one[0] - 1][1]):
        for level, colour in enumerate(stack if space else ""):
            pawn(sheet, colour, places[space - 1][0], places[space - 1][1] - 4 - 12 * level, min(r, 16))
    draw_windows(sheet, view.stacks.get(0, ""))
    for boat, pawns in enumerate(view.boats, 1):
        y = 92 + 104 * (boat - 1)
        sheet.polygon([(712, y), (810, y), (796, y + 30), (726, y + 30)], WOOD)
        sheet.write(str(boat), 761, y + 16, 15, PALE, 0.5)
        for k, colour in enumerate(pawns):
            pawn(sheet, colour, (738, 784)[k] if boat < 4 else 761, y - 12)
    draw_dice(sheet, view)
    for seat, bet in enumerate(view.bets, 1):
        draw_bet(sheet, bet, *draw_seat(sheet, seat, len(view.bets), seat == view.seat, seat == reader))


def draw_windows(sheet: Sheet, waiting: str) -> None:
    """The prison: a window for each pawn that waits in it."""
    sheet.box(26, 28, 146, 132, (104, 104, 122), (66, 68, 84), 4)
    for k, colour in enumerate(PAWNS):
        x, y = 48 + 34 * (k % 4), 62 + 56 * (k // 4)
        sheet.box(x - 14, y - 20, 28, 40, (22, 20, 24), None, 12)
        if colour in waiting:
            pawn(sheet, colour, x, y + 2, 12)
        for bar in (-5, 5):
            sheet.box(x + bar - 1, y - 20, 2, 40, (104, 104, 122), None, 0)


def draw_dice(sheet: Sheet, view: Island) -> None:
    """The eight dice: those thrown and not used with their pips, and what has moved."""
    sheet.box(12, 470, 804, 118, PANEL)
    sheet.write(str(view.edition), 28, 488, 14, GOLD)
    sheet.write(f"turn {view.turn}: seat {view.seat}", 800, 488, 13, PALE, 1)
    for k, die in enumerate(DICE):
        x = 40 + 96 * k
        number, ink = view.dice.get(die, 0), INK if sum(COLOURS[die][:2]) > 330 else PALE
        sheet.box(x, 508, 48, 48, COLOURS[die] if number else PANEL, COLOURS[die], 9)
        for place in map(int, PIPS.get(number, "")):
            sheet.disc(x + 12 + 12 * (place % 3), 520 + 12 * (place // 3), 4.5, ink)
        way = {"+": "forward", "-": "back"}.get(view.moved.get(die, ""), "")
        sheet.write(f"{die} {way}".strip(), x + 24, 572, 12, PALE if way or number else DIM, 0.5)


def draw_bet(sheet: Sheet, bet: str, x: float, y: float) -> None:
    """A bet as far as it is known: two pawns for each boat, and one for the last."""
    if bet in "-?":
        sheet.write("has not bet" if bet == "-" else "has bet", x, y + 18, 13, DIM)
        return
    for boat, pawns in enumerate(bet.split("."), 1):
        left = x + 70 * (boat - 1)
        sheet.write(str(boat), left, y + 18, 13, DIM)
        for k, colour in enumerate(pawns):
            pawn(sheet, colour, left + 22 + 23 * k, y + 17, 10)
