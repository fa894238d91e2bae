"""Cartagena as text, in both directions: positions, actions, and the cards and tunnels in them (docs/notation.md)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from escapade import game
from escapade.cartagena.editions import LENGTHS, PRINTED, SYMBOLS, check_players, edition
from escapade.cartagena.kernel import ACTION, COUNT, DRAW, END, FIRST, RETREAT, SECOND, TARGET
from escapade.game import Chance, Column, Edition, Invalid, blaming, read_number, read_turn, span

CARDS = SYMBOLS + "?"
LONGEST = 49
SEGMENT = re.compile("[BDHKPS]{6}")
ADVANCE = re.compile(r"([BDHKPS])(0|[1-9]\d?)(?:>([1-9]\d?))?", re.ASCII)
BACK = re.compile(r"(?:(0|[1-9]\d?)<([1-9]\d?)?|draw)(?:\+([BDHKPS?]{1,2}))?(?:~([BDHKPS0-9?]+))?", re.ASCII)
PILE = re.compile(r"\?([1-9]\d{0,2})|[BDHKPS]", re.ASCII)
COUNTED = re.compile(r"([BDHKPS])([1-9]\d?)", re.ASCII)


class Layout(NamedTuple):
    """A position field by field; cards are letters one by one, `?` for one that is not known."""

    edition: Edition
    tunnel: str
    pirates: tuple[tuple[int, ...], ...]
    hands: tuple[str, ...]
    row: str
    pile: str
    discards: str
    seat: int
    actions: int
    turn: int

    def __str__(self) -> str:
        pirates = "/".join(".".join(map(str, spaces)) for spaces in self.pirates)
        hands = "/".join(hand or "-" for hand in self.hands)
        return (
            f"{self.edition} {self.tunnel} {pirates} {hands} {self.row or '-'} {pile_text(self.pile)}"
            f" {counts_text(self.discards)} {self.seat}:{self.actions}:{self.turn}"
        )

    def __hash__(self) -> int:
        return hash(str(self))


def read_layout(text: str) -> Layout:
    """A position from its eight fields, as far as its form goes."""
    fields = text.split(" ")
    if len(fields) != 8:
        words = f"{text!r}: a position of Cartagena has 8 fields with one blank between them, not {len(fields)}"
        raise Invalid(words, code="not-a-position", found=len(fields), needed=8)
    rules = edition(fields[0])
    clock = fields[7].split(":")
    if len(clock) != 3:
        words = f"{text!r}: the last field is seat:actions:turn, not {fields[7]!r}"
        raise Invalid(words, code="bad-clock", text=fields[7])
    with blaming("bad-pirates", fields[2]):
        pirates = [[read_number(q, "space", text) for q in seat.split(".")] for seat in fields[2].split("/")]
        check_players(len(pirates), text)
    with blaming("bad-tunnel", fields[1]):
        tunnel = read_tunnel(fields[1], text)
    with blaming("bad-cards", " ".join(fields[3:7])):
        hands = tuple(read_cards(hand, "hand", text) for hand in fields[3].split("/"))
        row = read_cards(fields[4], "row", text, ordered=True)
        pile, discards = read_pile(fields[5], text), read_counts(fields[6], text)
    with blaming("bad-clock", fields[7]):
        seat, actions = read_number(clock[0], "seat", text), read_number(clock[1], "number of actions", text)
        turn = read_turn(clock[2], text)
    places = tuple(tuple(sorted(spaces)) for spaces in pirates)
    layout = Layout(rules, tunnel, places, hands, row, pile, discards, seat, actions, turn)
    for came, written in zip(fields[1:], str(layout).split(" ")[1:], strict=True):
        if came != written:
            raise Invalid(f"{text!r}: {came!r} is written {written!r}", code="written-as", came=came, written=written)
    return layout


def read_tunnel(text: str, where: str) -> str:
    """Three to eight segments that show each of the six symbols once, in any order (C2)."""
    segments = text.split("/")
    if len(segments) not in LENGTHS:
        raise Invalid(f"{where}: the tunnel {text!r} has {len(segments)} segments; {span(LENGTHS)} are possible")
    for segment in segments:
        if not SEGMENT.fullmatch(segment) or len(set(segment)) != 6:
            raise Invalid(f"{where}: the segment {segment!r} does not show each of {SYMBOLS} once")
    return text


def check_segments(segments: int) -> None:
    """Refuse a tunnel that is too short or too long."""
    if segments not in LENGTHS:
        raise Invalid(f"a tunnel of {segments} segments: {span(LENGTHS)} are possible")


def lay_tunnel(chance: Chance, segments: int, free: bool) -> str:
    """A tunnel laid by chance: printed segments, from a second box after the sixth, either way round; or any orders."""
    check_segments(segments)
    if free:
        return "/".join("".join(chance.shuffled(SYMBOLS, f"segment {i}")) for i in range(1, segments + 1))
    boxes = chance.shuffled(PRINTED, "tunnel 1") + chance.shuffled(PRINTED, "tunnel 2")
    turns = chance.numbers("turned", segments)
    laid = zip(boxes[:segments], turns, strict=True)
    return "/".join(segment[::-1] if turned % 2 else segment for segment, turned in laid)


def sort_cards(cards: str) -> str:
    """Cards in the order in which hands and discards are listed."""
    return "".join(sorted(cards, key=CARDS.index))


def read_cards(text: str, what: str, where: str, ordered: bool = False) -> str:
    """A hand or a row."""
    cards = "" if text == "-" else text
    if not text or not set(cards) <= set(CARDS):
        raise Invalid(f"{where}: the {what} {text!r} is not - or some of {CARDS}")
    return cards if ordered else sort_cards(cards)


def read_pile(text: str, where: str) -> str:
    """A pile, top first: letters, and runs of unknown cards as `?` and their number."""
    if text == "-":
        return ""
    if not text or PILE.sub("", text):
        raise Invalid(f"{where}: the pile {text!r} is not - or some of {SYMBOLS} and runs such as ?40")
    return PILE.sub(lambda run: "?" * int(run[1]) if run[1] else run[0], text)


def pile_text(cards: str) -> str:
    """A pile with its unknown cards counted."""
    return re.sub(r"\?+", lambda run: f"?{len(run[0])}", cards) or "-"


def read_counts(text: str, where: str) -> str:
    """Discards: letters with their counts."""
    if text == "-":
        return ""
    if not text or COUNTED.sub("", text):
        raise Invalid(f"{where}: the discards {text!r} are not - or counts such as B9D5")
    return sort_cards(COUNTED.sub(lambda some: some[1] * int(some[2]), text))


def counts_text(cards: str) -> str:
    """Discards with their counts."""
    return "".join(f"{symbol}{cards.count(symbol)}" for symbol in SYMBOLS if symbol in cards) or "-"


class Token(NamedTuple):
    """An action as it was written, with as much of its outcome as was given."""

    text: str
    action: int
    target: int | None = None
    cards: str | None = None
    pile: str | None = None


@lru_cache(maxsize=1 << 14)
def read_token(text: str) -> Token:
    """An action, whole or in its short form, with or without its outcome."""
    if text == ".":
        return Token(text, END)
    if match := ADVANCE.fullmatch(text):
        kind, space, target, cards, pile = SYMBOLS.index(match[1]), int(match[2]), match[3], None, None
    elif match := BACK.fullmatch(text):
        kind, space, target, cards, pile = RETREAT, int(match[1] or 0), match[2], match[3], match[4]
    else:
        raise Invalid(f"{text!r} is not an action: those are written like D6>15, 18<17, draw and .")
    if max(space, int(target or 0)) > LONGEST:
        raise Invalid(f"{text!r}: no tunnel has more than {LONGEST - 1} spaces")
    action = DRAW if text.startswith("draw") else kind << 6 | space
    return Token(text, action, int(target) if target else None, cards, read_pile(pile, text) if pile else None)


class Action(game.Action):
    """An action with its parts by name: what is played, for whom, where that leads, and the cards that it drew."""

    __slots__ = ()
    columns: ClassVar[Mapping[str, Column]] = {
        "kind": "string",
        "card": "string",
        "space": "int16",
        "target": "int16",
        "drawn": "string",
        "reshuffled": "bool",
    }

    def cells(self) -> dict[str, Any]:
        kind, drawn = self.kind, self.drawn
        draws = kind in ("retreat", "draw") and "?" not in drawn
        return {
            "kind": kind,
            "card": self.card,
            "space": self.space,
            "target": self.target,
            "drawn": drawn if draws else None,
            "reshuffled": self.pile is not None,
        }

    @property
    def kind(self) -> str:
        """`advance`, `retreat`, `draw` or `end`."""
        action = read_token(str(self)).action
        if action in (DRAW, END):
            return "draw" if action == DRAW else "end"
        return "advance" if action >> 6 < RETREAT else "retreat"

    @property
    def card(self) -> str | None:
        """The card played, as its letter."""
        return self[0] if self.kind == "advance" else None

    @property
    def space(self) -> int | None:
        """The space that the pirate leaves."""
        return read_token(str(self)).action & 63 if self.kind in ("advance", "retreat") else None

    @property
    def target(self) -> int | None:
        """The space that the pirate goes to."""
        return read_token(str(self)).target

    @property
    def drawn(self) -> str:
        """The cards drawn, as far as the action tells."""
        return read_token(str(self)).cards or ""

    @property
    def pile(self) -> str | None:
        """The new pile, top first, where the discards were shuffled for it."""
        return read_token(str(self)).pile


class Texts(dict[int, str]):
    """The text of a move, cached."""

    def __missing__(self, move: int) -> str:
        action, target = move & ACTION, move >> TARGET & 63
        cards = "".join(CARDS[move >> at & 7] for at in (FIRST, SECOND)[: move >> COUNT & 3])
        if action >> 6 < RETREAT:
            text = f"{SYMBOLS[action >> 6]}{action & 63}>{target}"
        elif action >> 6 == RETREAT:
            text = f"{action & 63}<{target}"
        else:
            text = "draw" if action == DRAW else "."
        self[move] = text = f"{text}+{cards}" if cards else text
        return text


class Actions(dict[int, Action]):
    """The action of a move, cached."""

    def __missing__(self, move: int) -> Action:
        self[move] = action = Action(TEXTS[move])
        return action


class Moves(dict[str, int]):
    """The move of a complete text without reshuffle or hidden cards, cached; -1 for any other text."""

    def __missing__(self, text: str) -> int:
        move = -1
        if "?" not in text:
            token = read_token(text)
            cards = token.cards or ""
            move = token.action | (token.target or 0) << TARGET | len(cards) << COUNT
            for card, at in zip(cards, (FIRST, SECOND), strict=False):
                move |= CARDS.index(card) << at
        self[text] = move
        return move


TEXTS = Texts()
ACTIONS = Actions()
MOVES = Moves()
