"""Observations and action numbers as docs/research.md lays them out, read from the notation alone.

Slow and simple on purpose, and independent of the package: what it finds in a view is what a seat may know.
"""

import re
from itertools import combinations

SYMBOLS, PAWNS = "BDHKPS", "bryldon"
MOST = 127


def flat(rows: list[list[int]]) -> list[int]:
    return [number for row in rows for number in row]


def turns_left(edition: str, turn: int) -> int:
    limit = re.search(r"\+turn-limit=(\d+)", edition)
    return min(MOST, max(0, int(limit[1]) - turn + 1)) if limit else MOST


def cards(text: str) -> int:
    """How many cards a pile has."""
    return 0 if text == "-" else int(text[1:]) if text[0] == "?" else len(text)


def rotated(items: list[str], seat: int) -> list[str]:
    """The items in order from the reader's seat on."""
    return items[seat - 1 :] + items[: seat - 1]


def read_cartagena(view: str, seat: int) -> list[int]:
    edition, tunnel, pirates, hands, row, pile, discards, clock = view.split(" ")
    acts, actions, turn = map(int, clock.split(":"))
    shown = " " + tunnel.replace("/", "") + " "
    spaces = range(len(shown))
    seats = rotated(pirates.split("/"), seat)
    counts = dict(re.findall(r"([A-Z])(\d+)", discards))
    head = row if row != "-" else ""
    return [
        *flat([[int(shown[space] == symbol) for space in spaces] for symbol in SYMBOLS]),
        *flat([[own.split(".").count(str(space)) for space in spaces] for own in seats]),
        *flat([[hand.count(card) for card in SYMBOLS + "?"] for hand in rotated(hands.split("/"), seat)]),
        *flat([[int(head[k : k + 1] == symbol) for symbol in SYMBOLS] for k in range(12)]),
        *(int(counts.get(symbol, 0)) for symbol in SYMBOLS),
        cards(pile),
        *(int((seat - 1 + k) % len(seats) == acts - 1) for k in range(len(seats))),
        actions,
        turns_left(edition, turn),
    ]


def read_bet(bet: str) -> list[int]:
    boats = bet.split(".") if "." in bet else [""] * 4
    return [int(pawn in boat) for pawn in PAWNS for boat in boats]


def read_evades(view: str, seat: int) -> list[int]:
    edition, places, bets, dice, moved, clock = view.split(" ")
    acts, turn = map(int, clock.split(":"))
    length = int((re.search(r"\+length=(\d+)", edition) or ["", "30"])[1])
    stacks = dict(place.split(":") for place in places.split(","))
    seats = rotated(bets.split("/"), seat)
    thrown = dict(re.findall(r"([a-z])(\d)", dice))
    return [
        *flat([[int(pawn in stacks.get(str(space), "")) for space in range(length)] for pawn in PAWNS]),
        *flat([[int(pawn in stacks.get(f"#{boat}", "")) for boat in (1, 2, 3, 4)] for pawn in PAWNS]),
        *(
            sum(stack.index(pawn) for at, stack in stacks.items() if at[0] not in "0#" and pawn in stack)
            for pawn in PAWNS
        ),
        *flat([[int(thrown.get(die) == str(number)) for number in range(1, 7)] for die in PAWNS + "w"]),
        *(int(f"{pawn}+" in moved) for pawn in PAWNS),
        *(int(f"{pawn}-" in moved) for pawn in PAWNS),
        *flat([read_bet(bet) for bet in seats]),
        *(int(bet != "-") for bet in seats),
        *(int((seat - 1 + k) % len(seats) == acts - 1) for k in range(len(seats))),
        int(turn > len(seats)),
        turns_left(edition, turn),
    ]


def read_view(view: str, seat: int) -> list[int]:
    """What a seat sees, as an observation."""
    return (read_evades if view.startswith("evades") else read_cartagena)(view, seat)


def all_bets() -> list[str]:
    bets = []
    for first in combinations(PAWNS, 2):
        rest = [pawn for pawn in PAWNS if pawn not in first]
        for second in combinations(rest, 2):
            others = [pawn for pawn in rest if pawn not in second]
            for third in combinations(others, 2):
                last = next(pawn for pawn in others if pawn not in third)
                bets.append(".".join(map("".join, (first, second, third, last))))
    return bets


BETS = all_bets()
ROLLS = [
    *("".join(some) + white for size in (3, 2) for some in combinations(PAWNS, size) for white in ("", "w")),
    *(pawn + "w" for pawn in PAWNS),
]


def number_of(action: str, view: str) -> int:
    """The number of an action in the notation, in the position of a view."""
    if view.startswith("evades"):
        if action.startswith("bet:"):
            return 15 + len(ROLLS) + BETS.index(action[4:])
        if action.startswith("roll:"):
            return 15 + ROLLS.index(action[5:])
        return 14 if action == "." else PAWNS.index(action[0]) + 7 * ("<" in action)
    spaces = len(view.split(" ")[1].replace("/", "")) + 2
    if action in ("draw", "."):
        return 7 * spaces + (action == ".")
    if "<" in action:
        return 6 * spaces + int(action.split("<")[0])
    return SYMBOLS.index(action[0]) * spaces + int(action[1:].split(">")[0])
