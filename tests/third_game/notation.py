"""The Game of the Goose as text, in both directions.

A position: `goose+length=40 0/13 113/24? ?60 2:7`, with the spaces of the geese, the hands (`-` for an empty one), the
pile with its top first (`?60` where it is not known), and seat:turn. An action: `4>13`, the card and where it takes the
goose, or `.` to pass; in a record the card drawn follows, as in `4>13+2`.
"""

import re
from typing import NamedTuple

from escapade.game import Edition, Invalid, read_number, read_turn
from third_game.editions import check_players, edition
from third_game.kernel import CARD, NO_CARD, PASS, TARGET

CARDS = "?123456"  # by their numbers
HAND = re.compile(r"-|[1-6?]+")
PILE = re.compile(r"-|[1-6]+|\?[1-9][0-9]?")
ACTION = re.compile(r"([1-6])>([1-9][0-9]?)(?:\+([1-6?]))?")


class Layout(NamedTuple):
    """A position field by field, hands and pile as cards."""

    edition: Edition
    spaces: list[int]
    hands: list[str]
    pile: str
    seat: int
    turn: int

    def __str__(self) -> str:
        spaces, hands = "/".join(map(str, self.spaces)), "/".join(map(hand_text, self.hands))
        return f"{self.edition} {spaces} {hands} {pile_text(self.pile)} {self.seat}:{self.turn}"


def hand_text(cards: str) -> str:
    """A hand in order, cards that are not known last."""
    return "".join(sorted(cards, key=lambda card: CARDS.index(card) or len(CARDS))) or "-"


def pile_text(cards: str) -> str:
    """A pile, top first; how many cards it has where they are not known."""
    return f"?{len(cards)}" if "?" in cards else cards or "-"


def read_hands(text: str, where: str) -> list[str]:
    """Hands joined by slashes."""
    hands = text.split("/")
    for hand in hands:
        if not HAND.fullmatch(hand) or hand_text(hand.strip("-")) != hand:
            raise Invalid(f"{where}: the hand {hand!r} is not - or cards from 1 to 6 in order, as in 113 or 24?")
    return [hand.strip("-") for hand in hands]


def read_pile(text: str, where: str) -> str:
    """A pile's cards, top first."""
    if not PILE.fullmatch(text):
        raise Invalid(f"{where}: the pile {text!r} is not -, cards from 1 to 6 or a number of cards as in ?60")
    return "?" * int(text[1:]) if text[0] == "?" else text.strip("-")


def read_layout(text: str) -> Layout:
    """A position from its five fields, as far as its form goes."""
    fields = text.split(" ")
    if len(fields) != 5:
        raise Invalid(f"{text!r}: a position of the Goose has 5 fields with one blank between them, not {len(fields)}")
    seat, colon, turn = fields[4].partition(":")
    if not colon:
        raise Invalid(f"{text!r}: the last field is seat:turn, not {fields[4]!r}")
    spaces = [read_number(space, "space", text) for space in fields[1].split("/")]
    check_players(len(spaces), text)
    return Layout(
        edition(fields[0]),
        spaces,
        read_hands(fields[2], text),
        read_pile(fields[3], text),
        read_number(seat, "seat", text),
        read_turn(turn, text),
    )


class Token(NamedTuple):
    """An action as it was written, as a move without its outcome, and the card drawn where that was given."""

    text: str
    move: int
    drawn: str | None


def read_token(text: str) -> Token:
    """An action, with or without its outcome; to pass has no target of its own."""
    if text == ".":
        return Token(text, PASS, None)
    match = ACTION.fullmatch(text)
    if not match:
        raise Invalid(f"{text!r} is not an action: those are written like 4>13 and .")
    return Token(text, int(match[1]) | int(match[2]) << TARGET, match[3])


def move_text(move: int, drawn: int) -> str:
    """The text of a move with the card drawn for it."""
    action, goal = move & (1 << TARGET) - 1, move >> TARGET & (1 << CARD - TARGET) - 1
    if action == PASS:
        return "."
    return f"{action}>{goal}" if drawn == NO_CARD else f"{action}>{goal}+{CARDS[drawn]}"
