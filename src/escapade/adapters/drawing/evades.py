"""Les Évadés drawn: the way from the windows to the boats, the dice, the bets."""

from collections.abc import Sequence

from escapade.adapters.drawing.sheet import (
    CREAM,
    DIM,
    EDGE,
    GOLD,
    GRASS,
    INK,
    PALE,
    PANEL,
    SEA,
    WOOD,
    Colour,
    Point,
    Sheet,
    draw_seat,
    lay,
    spaces_on,
    trail,
)
from escapade.evades.editions import DICE, PAWNS
from escapade.evades.notation import Action, Layout, read_layout, read_token
from escapade.game import Invalid

COLOURS: dict[str, Colour] = {
    "b": (44, 96, 184), "r": (204, 48, 44), "y": (236, 196, 44), "l": (138, 200, 74), "d": (24, 108, 66),
    "o": (236, 128, 36), "n": (122, 78, 46), "w": (244, 244, 238),
}  # fmt: skip
WAY = trail(196, 576, 92, 136)
PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}  # of nine places


def text(position: str, reader: int) -> str:
    """Les Évadés for a terminal: ten spaces a line, stacks from the bottom up."""
    view = read_layout(position)
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


def pawn(sheet: Sheet, colour: str, x: float, y: float, r: float = 14) -> None:
    """A pawn as a thick disc with its letter."""
    red, green, blue = COLOURS[colour]
    sheet.disc(x, y + 0.28 * r, r, (red // 2, green // 2, blue // 2), INK)
    sheet.disc(x, y, r, (red, green, blue))
    sheet.write(colour, x, y, round(1.1 * r), INK if red + green > 330 else PALE, 0.5)


def draw(sheet: Sheet, position: str, reader: int) -> None:
    """Les Évadés: the way from the windows to the four boats, the dice and the bets."""
    view = read_layout(position)
    sheet.ground(GRASS)
    sheet.box(704, 12, 112, 446, SEA)
    sheet.box(696, 12, 12, 446, (206, 190, 150), None, 0)
    sheet.box(590, 352, 130, 24, WOOD)
    lay(sheet, WAY)
    places, r = spaces_on(WAY, int(view.edition.rules["length"]) - 1)
    for space, place in enumerate(places, 1):
        sheet.disc(place.x, place.y, min(r, 20), CREAM, EDGE)
        taken = space in view.stacks
        sheet.write(str(space), *place.beside(min(r, 20) + 9 if taken else 0), 13 if taken else 12, INK, 0.5)
    for space, stack in sorted(view.stacks.items(), key=lambda one: places[one[0] - 1].y):
        for level, colour in enumerate(stack if space else ""):
            pawn(sheet, colour, places[space - 1].x, places[space - 1].y - 4 - 12 * level, min(r, 16))
    draw_windows(sheet, view.stacks.get(0, ""))
    for boat, pawns in enumerate(view.boats, 1):
        draw_boat(sheet, boat, pawns)
    draw_dice(sheet, view)
    for seat, bet in enumerate(view.bets, 1):
        acts = seat == view.seat and bool(view.stacks)
        draw_bet(sheet, bet, *draw_seat(sheet, seat, len(view.bets), acts, seat == reader))


def draw_boat(sheet: Sheet, boat: int, pawns: str) -> None:
    """A boat with those who are in it."""
    _, y = boat_place(boat)
    sheet.polygon([(712, y), (810, y), (796, y + 30), (726, y + 30)], WOOD)
    sheet.write(str(boat), 761, y + 16, 15, PALE, 0.5)
    for k, colour in enumerate(pawns):
        pawn(sheet, colour, (738, 784)[k] if boat < 4 else 761, y - 12)


def boat_place(boat: int) -> Point:
    """The middle of a boat."""
    return 761, 92 + 104 * (boat - 1)


def window(colour: str) -> Point:
    """Where a pawn waits in the prison."""
    k = PAWNS.index(colour)
    return 48 + 34 * (k % 4), 62 + 56 * (k // 4)


def standing(view: Layout, places: Sequence[Point]) -> dict[str, Point]:
    """Where each pawn is."""
    where = {colour: boat_place(boat) for boat, pawns in enumerate(view.boats, 1) for colour in pawns}
    for space, stack in view.stacks.items():
        where.update({colour: places[space - 1] if space else window(colour) for colour in stack})
    return where


def draw_arrows(sheet: Sheet, position: str, actions: Sequence[str]) -> None:
    """An arrow for each action that moves a pawn, and a ring where it has come to already."""
    view = read_layout(position)
    places = [(x, y) for x, y, _ in spaces_on(WAY, int(view.edition.rules["length"]) - 1)[0]]
    where = standing(view, places)
    for action in map(Action, actions):
        read_token(action)
        if action.pawn is None:
            continue
        if (action.target or 0) > len(places):
            raise Invalid(f"{action}: there are {len(places)} spaces before the boats, in {position}")
        goal = boat_place(action.boat) if action.boat else places[(action.target or 1) - 1]
        if where[action.pawn] == goal:
            sheet.ring(*goal, 19)
        else:
            sheet.arrow(where[action.pawn], goal)
        where[action.pawn] = goal


def draw_windows(sheet: Sheet, waiting: str) -> None:
    """The prison: a window for each pawn that waits in it."""
    sheet.box(26, 28, 146, 132, (104, 104, 122), (66, 68, 84), 4)
    for colour in PAWNS:
        x, y = window(colour)
        sheet.box(x - 14, y - 20, 28, 40, (22, 20, 24), None, 12)
        if colour in waiting:
            pawn(sheet, colour, x, y + 2, 12)
        for bar in (-5, 5):
            sheet.box(x + bar - 1, y - 20, 2, 40, (104, 104, 122), None, 0)


def draw_dice(sheet: Sheet, view: Layout) -> None:
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
