"""Cartagena drawn: the tunnel between prison and boat, the cards, the hands."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from escapade.adapters.drawing.sheet import (
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
    Paper,
    Point,
    draw_seat,
    lay,
    trail,
)
from escapade.cartagena.editions import SYMBOLS
from escapade.cartagena.notation import Layout, read_layout

COLOURS: dict[str, Colour] = {
    "B": (36, 124, 84), "D": (58, 112, 168), "H": (158, 42, 42), "K": (186, 132, 20), "P": (112, 70, 150),
    "S": (66, 66, 72), "?": (140, 44, 52),
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


def icon(sheet: Paper, symbol: str, x: float, y: float, r: float, paper: Colour = CREAM) -> None:
    """A symbol of the tunnel or of a card."""
    for shape in ICONS[symbol]:
        if isinstance(shape[0], tuple):
            sheet.polygon([(x + r * dx, y + r * dy) for dx, dy in shape], COLOURS[symbol])  # type: ignore[misc]
        else:
            dx, dy, radius, *cut = shape
            sheet.disc(x + r * dx, y + r * dy, r * radius, paper if cut else COLOURS[symbol])  # type: ignore[operator]


def card(sheet: Paper, symbol: str, x: float, y: float) -> None:
    """A small card; one that is not known shows its back."""
    if symbol == "?":
        sheet.box(x, y, 24, 32, COLOURS["?"], PALE, 4)
        sheet.write("?", x + 12, y + 16, 14, PALE, 0.5)
    else:
        sheet.box(x, y, 24, 32, CREAM, None, 4)
        icon(sheet, symbol, x + 12, y + 16, 9.5)


def pirate(sheet: Paper, seat: int, x: float, y: float, r: float = 10.5) -> None:
    """A pirate with the number of its seat on it."""
    colour = sheet.colour_of(seat)
    dark = (colour[0] // 2, colour[1] // 2, colour[2] // 2)
    sheet.disc(x, y, r, colour, INK)
    sheet.polygon([(x - 1.25 * r, y - 0.5 * r), (x, y - 1.7 * r), (x + 1.25 * r, y - 0.5 * r)], dark)
    sheet.write(str(seat), x, y + 0.3 * r, round(1.25 * r), (255, 255, 255), 0.5)


def draw(sheet: Paper, position: str, reader: int) -> None:
    """Cartagena: the tunnel between prison and boat, the row, the pile, the discards and the hands."""
    view = read_layout(position)
    sheet.ground(ROCK)
    symbols = view.tunnel.replace("/", "")
    places, r = lay(sheet, trail(178, 700, 96, 132), len(symbols))
    draw_prison(sheet, view)
    draw_ship(sheet, view, len(symbols) + 1)
    for x, y in places:
        sheet.disc(x, y, r, CREAM, EDGE)
    for space, (symbol, (x, y)) in enumerate(zip(symbols, places, strict=True), 1):
        here = [seat for seat, spaces in enumerate(view.pirates, 1) for q in spaces if q == space]
        icon(sheet, symbol, x, y + (0.32 * r if here else 0), r * (0.5 if here else 0.62))
        sheet.write(str(space), x, y + r + 7, 10, INK, 0.5)
        for k, seat in enumerate(here):
            pirate(sheet, seat, x + (k - (len(here) - 1) / 2) * 0.72 * r, y - 0.55 * r, 0.42 * r)
    draw_cards(sheet, view)
    for seat, hand in enumerate(view.hands, 1):
        x, y = draw_seat(sheet, seat, len(view.hands), seat == view.seat, seat == reader)
        sheet.write(f"cards {len(hand)}", 1098, y - 18, 12, DIM, 1)
        for k, (symbol, n) in enumerate(sorted(Counter(hand).items(), key=lambda c: (c[0] == "?", c[0]))):
            card(sheet, symbol, x + 38 * k, y)
            sheet.write(str(n), x + 26 + 38 * k, y + 22, 13)


def crowd(sheet: Paper, view: Layout, space: int, x: float, y: float, columns: int, step: Point) -> None:
    """Each seat's pirates in the prison or in the boat: one of them and their number."""
    present = [(seat, spaces.count(space)) for seat, spaces in enumerate(view.pirates, 1) if space in spaces]
    for k, (seat, n) in enumerate(present):
        left, top = x + k % columns * step[0], y + k // columns * step[1]
        pirate(sheet, seat, left, top)
        sheet.write(f"x{n}", left + 14, top + 2, 13)


def draw_prison(sheet: Paper, view: Layout) -> None:
    """The prison, behind bars."""
    sheet.box(26, 24, 126, 136, (96, 98, 102), (70, 72, 76), 4)
    sheet.box(38, 36, 102, 112, (18, 16, 16), None, 4)
    for k in range(1, 5):
        sheet.box(38 + 20.4 * k, 36, 2, 112, (58, 60, 64), None, 0)
    crowd(sheet, view, 0, 56, 60, 2, (48, 34))


def draw_ship(sheet: Paper, view: Layout, boat: int) -> None:
    """The boat at the end of the tunnel."""
    sheet.keep_to_board(True)
    sheet.disc(790, 398, 96, (206, 190, 150))
    sheet.disc(796, 402, 92, SEA)
    sheet.keep_to_board(False)
    sheet.box(761, 320, 4, 66, WOOD, None, 0)
    sheet.polygon([(768, 322), (804, 374), (768, 374)], CREAM)
    sheet.polygon([(758, 330), (734, 374), (758, 374)], PALE)
    sheet.polygon([(714, 384), (812, 384), (798, 412), (730, 412)], WOOD)
    crowd(sheet, view, boat, 576, 434, 5, (48, 0))


def draw_cards(sheet: Paper, view: Layout) -> None:
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
