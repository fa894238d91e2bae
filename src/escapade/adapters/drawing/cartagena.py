"""Cartagena drawn: the tunnel between prison and boat, the cards, the hands."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from escapade.adapters.drawing.sheet import (
    BOARD,
    CREAM,
    DIM,
    EDGE,
    GOLD,
    INK,
    PALE,
    PANEL,
    ROCK,
    SEA,
    WOOD,
    Colour,
    Point,
    Sheet,
    Space,
    draw_seat,
    lay,
    spaces_on,
    trail,
)
from escapade.cartagena.editions import SYMBOLS
from escapade.cartagena.notation import Action, Layout, read_layout
from escapade.game import Invalid

COLOURS: dict[str, Colour] = {
    "B": (36, 124, 84), "D": (58, 112, 168), "H": (158, 42, 42), "K": (186, 132, 20), "P": (112, 70, 150),
    "S": (66, 66, 72), "?": (140, 44, 52),
}  # fmt: skip

WAY = trail(178, 700, 96, 132)
PRISON, BOAT = (112, 96), (763, 392)  # where arrows begin and end

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


def text(position: str, reader: int) -> str:
    """Cartagena for a terminal: a line for each segment, pirates by the numbers of their seats."""
    view = read_layout(position)
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


def icon(sheet: Sheet, symbol: str, x: float, y: float, r: float, paper: Colour = CREAM) -> None:
    """A symbol of the tunnel or of a card."""
    for shape in ICONS[symbol]:
        if isinstance(shape[0], tuple):
            sheet.polygon([(x + r * dx, y + r * dy) for dx, dy in shape], COLOURS[symbol])  # type: ignore[misc]
        else:
            dx, dy, radius, *cut = shape
            sheet.disc(x + r * dx, y + r * dy, r * radius, paper if cut else COLOURS[symbol])  # type: ignore[operator]


def card(sheet: Sheet, symbol: str, x: float, y: float) -> None:
    """A small card; one that is not known shows its back."""
    if symbol == "?":
        sheet.box(x, y, 24, 32, COLOURS["?"], PALE, 4)
        sheet.write("?", x + 12, y + 16, 14, PALE, 0.5)
    else:
        sheet.box(x, y, 24, 32, CREAM, None, 4)
        icon(sheet, symbol, x + 12, y + 16, 9.5)


def pirate(sheet: Sheet, seat: int, x: float, y: float, r: float = 10.5) -> None:
    """A pirate with the number of its seat on it."""
    colour = sheet.colour_of(seat)
    dark = (colour[0] // 2, colour[1] // 2, colour[2] // 2)
    sheet.disc(x, y, r, colour, INK)
    sheet.polygon([(x - 1.25 * r, y - 0.5 * r), (x, y - 1.7 * r), (x + 1.25 * r, y - 0.5 * r)], dark)
    sheet.write(str(seat), x, y + 0.3 * r, round(1.25 * r), (255, 255, 255), 0.5)


def draw(sheet: Sheet, position: str, reader: int) -> None:
    """Cartagena: the tunnel between prison and boat, the row, the pile, the discards and the hands."""
    view = read_layout(position)
    sheet.ground(ROCK)
    symbols = view.tunnel.replace("/", "")
    lay(sheet, WAY)
    places, r = spaces_on(WAY, len(symbols))
    draw_prison(sheet, view)
    draw_ship(sheet, view, len(symbols) + 1)
    for space, (symbol, place) in enumerate(zip(symbols, places, strict=True), 1):
        here = [seat for seat, spaces in enumerate(view.pirates, 1) for q in spaces if q == space]
        draw_space(sheet, place, r, symbol, here)
        sheet.write(str(space), *place.beside(r + 7), 13, INK, 0.5)
    draw_cards(sheet, view)
    won = any(min(spaces) > len(symbols) for spaces in view.pirates)
    for seat, hand in enumerate(view.hands, 1):
        x, y = draw_seat(sheet, seat, len(view.hands), seat == view.seat and not won, seat == reader)
        sheet.write(f"cards {len(hand)}", 1098, y - 18, 12, DIM, 1)
        for k, (symbol, n) in enumerate(sorted(Counter(hand).items(), key=lambda c: (c[0] == "?", c[0]))):
            card(sheet, symbol, x + 38 * k, y)
            sheet.write(str(n), x + 26 + 38 * k, y + 22, 13)


def draw_space(sheet: Sheet, place: Space, r: float, symbol: str, pirates: Sequence[int]) -> None:
    """A space with its symbol, and the pirates on it, given by their seats."""
    x, y, _ = place
    sheet.disc(x, y, r, CREAM, EDGE)
    icon(sheet, symbol, x, y + (0.32 * r if pirates else 0), r * (0.5 if pirates else 0.62))
    for k, seat in enumerate(pirates):
        pirate(sheet, seat, x + (k - (len(pirates) - 1) / 2) * 0.72 * r, y - 0.55 * r, 0.42 * r)


def draw_arrows(sheet: Sheet, position: str, actions: Sequence[str]) -> None:
    """An arrow for each action that moves a pirate."""
    symbols = read_layout(position).tunnel.replace("/", "")
    places = [PRISON, *((x, y) for x, y, _ in spaces_on(WAY, len(symbols))[0]), BOAT]
    for action in map(Action, actions):
        if action.space is None:
            continue
        if action.target is None:
            raise Invalid(f"{action}: an arrow needs the space that it leads to, as in D6>15 and 18<17")
        if max(action.space, action.target) >= len(places):
            raise Invalid(f"{action}: the boat is {len(symbols) + 1}, in {position}")
        sheet.arrow(places[action.space], places[action.target])


def crowd(sheet: Sheet, view: Layout, space: int, x: float, y: float, columns: int, step: Point) -> None:
    """Each seat's pirates in the prison or in the boat: one of them and their number."""
    present = [(seat, spaces.count(space)) for seat, spaces in enumerate(view.pirates, 1) if space in spaces]
    for k, (seat, n) in enumerate(present):
        left, top = x + k % columns * step[0], y + k // columns * step[1]
        pirate(sheet, seat, left, top)
        sheet.write(f"x{n}", left + 14, top + 2, 13)


def draw_prison(sheet: Sheet, view: Layout) -> None:
    """The prison, behind bars."""
    sheet.box(26, 24, 126, 136, (96, 98, 102), (70, 72, 76), 4)
    sheet.box(38, 36, 102, 112, (18, 16, 16), None, 4)
    for k in range(1, 5):
        sheet.box(38 + 20.4 * k, 36, 2, 112, (58, 60, 64), None, 0)
    crowd(sheet, view, 0, 56, 60, 2, (48, 34))


def bay(sheet: Sheet, x: float, y: float, r: float, colour: Colour) -> None:
    """A disc as far as it lies on the board, whose corner is inside it."""
    right, bottom = BOARD[0] + BOARD[2], BOARD[1] + BOARD[3]
    around = [2 * math.pi * k / 120 for k in range(120)]
    sheet.polygon([(min(right, x + r * math.cos(a)), min(bottom, y + r * math.sin(a))) for a in around], colour)


def draw_ship(sheet: Sheet, view: Layout, boat: int) -> None:
    """The boat at the end of the tunnel."""
    bay(sheet, 790, 398, 96, (206, 190, 150))
    bay(sheet, 796, 402, 92, SEA)
    sheet.box(761, 320, 4, 66, WOOD, None, 0)
    sheet.polygon([(768, 322), (804, 374), (768, 374)], CREAM)
    sheet.polygon([(758, 330), (734, 374), (758, 374)], PALE)
    sheet.polygon([(714, 384), (812, 384), (798, 412), (730, 412)], WOOD)
    crowd(sheet, view, boat, 446, 434, 5, (48, 0))


def draw_cards(sheet: Sheet, view: Layout) -> None:
    """What lies open: the row, how many cards the pile has, the discards, and the clock."""
    sheet.box(12, 470, 804, 118, PANEL)
    sheet.write(f"{view.edition}", 28, 488, 14, GOLD)
    sheet.write(f"turn {view.turn}: seat {view.seat}, action {view.actions + 1}", 800, 488, 13, PALE, 1)
    for k, symbol in enumerate(view.row):
        card(sheet, symbol, 100 + 30 * k, 506)
    top = 548 if view.edition.rules["row"] else 527
    if top == 548:
        sheet.write("row", 28, 522, 13, DIM)
    sheet.write("discards", 28, top + 16, 13, DIM)
    for k, symbol in enumerate(SYMBOLS):
        card(sheet, symbol, 100 + 66 * k, top)
        sheet.write(f"{symbol} {view.discards.count(symbol)}", 128 + 66 * k, top + 16, 13)
    sheet.write("pile", 560, top + 16, 13, DIM)
    card(sheet, "?", 604, top)
    sheet.write(str(len(view.pile)), 636, top + 16, 15)
