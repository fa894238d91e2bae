"""Les Évadés as text, in both directions: positions, actions and bets (docs/notation.md)."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple

from escapade import game
from escapade.evades.editions import DICE, PAWNS, check_players, edition
from escapade.evades.kernel import ACTION, BACK, BET, BETS, BOAT, END, ROLL, TARGET, UNTOLD
from escapade.game import Column, Edition, Invalid, blaming, read_number, read_turn

BET_TEXT = re.compile(r"([bryldon]{2})\.([bryldon]{2})\.([bryldon]{2})\.([bryldon])")
ROLL_TEXT = re.compile(r"roll:([bryldonw]+)(?:=([1-6]+))?")
MOVE_TEXT = re.compile(r"([bryldon])([><])(#[1-4]|[1-9]\d?)", re.ASCII)
THROWN = re.compile(r"([bryldonw])([1-6])")
MOVED = re.compile(r"([bryldon])([+-])")


class Layout(NamedTuple):
    """A position field by field: stacks by space, boats 1 to 4, bets, unused dice, moved pawns with their sign."""

    edition: Edition
    stacks: Mapping[int, str]
    boats: tuple[str, ...]
    bets: tuple[str, ...]
    dice: Mapping[str, int]
    moved: Mapping[str, str]
    seat: int
    turn: int

    def __str__(self) -> str:
        places = [f"{space}:{pawns}" for space, pawns in sorted(self.stacks.items())]
        places += [f"#{boat}:{pawns}" for boat, pawns in enumerate(self.boats, 1) if pawns]
        dice = "".join(f"{die}{self.dice[die]}" for die in DICE if die in self.dice)
        moved = "".join(f"{pawn}{self.moved[pawn]}" for pawn in PAWNS if pawn in self.moved)
        turn = f"{dice or '-'} {moved or '-'} {self.seat}:{self.turn}"
        return f"{self.edition} {','.join(places)} {'/'.join(self.bets)} {turn}"

    def __hash__(self) -> int:
        return hash(str(self))


def read_layout(text: str) -> Layout:
    """A position from its six fields, as far as its form goes."""
    fields = text.split(" ")
    if len(fields) != 6:
        words = f"{text!r}: a position of Les Évadés has 6 fields with one blank between them, not {len(fields)}"
        raise Invalid(words, code="not-a-position", found=len(fields), needed=6)
    clock = fields[5].split(":")
    if len(clock) != 2:
        words = f"{text!r}: the last field is seat:turn, not {fields[5]!r}"
        raise Invalid(words, code="bad-clock", text=fields[5])
    rules = edition(fields[0])
    with blaming("bad-pawns", fields[1]):
        stacks, boats = read_places(fields[1], text)
    bets = tuple(fields[2].split("/"))
    with blaming("bad-bets", fields[2]):
        check_players(len(bets), text)
        for bet in bets:
            if bet not in ("-", "?"):
                read_bet(bet, text)
    for field, form in ((fields[3], THROWN), (fields[4], MOVED)):
        if field != "-" and (not field or form.sub("", field)):
            words = f"{text!r}: {field!r} is not - or dice such as b4w3, then pawns such as r+y-"
            raise Invalid(words, code="bad-dice", text=field)
    with blaming("bad-clock", fields[5]):
        seat, turn = read_number(clock[0], "seat", text), read_turn(clock[1], text)
    layout = Layout(
        rules,
        stacks,
        tuple(boats),
        bets,
        {die: int(number) for die, number in THROWN.findall(fields[3])},
        dict(MOVED.findall(fields[4])),
        seat,
        turn,
    )
    for came, written in zip(fields[1:], str(layout).split(" ")[1:], strict=True):
        if came != written:
            raise Invalid(f"{text!r}: {came!r} is written {written!r}", code="written-as", came=came, written=written)
    return layout


def read_places(text: str, where: str) -> tuple[dict[int, str], list[str]]:
    """Where the pawns are: stacks by space, windows among them as space 0, and boats."""
    stacks: dict[int, str] = {}
    boats = [""] * 4
    for place in text.split(","):
        number, colon, pawns = place.partition(":")
        if not colon or not pawns or not set(pawns) <= set(PAWNS):
            raise Invalid(f"{where}: {place!r} is not a space or a boat with pawns, as in 5:r or #1:ln")
        if re.fullmatch("#[1-4]", number):
            boats[int(number[1]) - 1] += sort_pawns(pawns)
            continue
        space = read_number(number, "space", where)
        stacks[space] = stacks.get(space, "") + (pawns if space else sort_pawns(pawns))
    return stacks, boats


def sort_pawns(pawns: str) -> str:
    """Pawns or dice in listing order."""
    return "".join(sorted(pawns, key=DICE.index))


def read_bet(text: str, where: str) -> int:
    """The number of a bet."""
    match = BET_TEXT.fullmatch(text)
    if not match:
        raise Invalid(f"{where}: the bet {text!r} is not written like br.yl.do.n")
    named = text.replace(".", "")
    for pawn in named:
        if named.count(pawn) > 1:
            raise Invalid(f"{where}: the bet {text!r} has {pawn} in it twice")
    if any(pawns != sort_pawns(pawns) for pawns in match.groups()):
        raise Invalid(f"{where}: the pawns of a boat are listed in the order {PAWNS}, not as in {text!r}")
    return BET_NUMBERS[text]


@cache
def bet_text(boats: tuple[int, ...]) -> str:
    """A bet from each pawn's boat."""
    if boats[0] in (0, UNTOLD):
        return "-" if boats[0] == 0 else "?"
    return ".".join("".join(p for p, own in zip(PAWNS, boats, strict=True) if own == boat) for boat in (1, 2, 3, 4))


BET_TEXTS = [bet_text(tuple(bet)) for bet in BETS.tolist()]
BET_NUMBERS = {text: number for number, text in enumerate(BET_TEXTS)}


class Token(NamedTuple):
    """An action as it was written, as a move, with the numbers of a throw where they were given."""

    text: str
    move: int
    numbers: str | None = None


def read_token(text: str) -> Token:
    """An action, with or without the outcome of a throw."""
    if text == ".":
        return Token(text, END)
    if text.startswith("bet:"):
        return Token(text, BET + read_bet(text[4:], text))
    if match := MOVE_TEXT.fullmatch(text):
        pawn, way, place = match.groups()
        target = BOAT + int(place[1]) if place[0] == "#" else int(place)
        if (place[0] == "#" and way == "<") or (place[0] != "#" and target >= BOAT):
            raise Invalid(f"{text!r}: a pawn goes forward into a boat or on a space below {BOAT}, and back on a space")
        return Token(text, (PAWNS.index(pawn) | (BACK if way == "<" else 0)) | target << TARGET)
    match = ROLL_TEXT.fullmatch(text)
    if not match:
        raise Invalid(
            f"{text!r} is not an action: those are written like bet:br.yl.do.n, roll:bryw, b>4, b>#1, o<3 and ."
        )
    dice, numbers = match.groups()
    if len(set(dice)) != len(dice) or dice != sort_pawns(dice):
        raise Invalid(f"{text!r}: dice are listed once each in the order {DICE}")
    if numbers is not None and len(numbers) != len(dice):
        raise Invalid(f"{text!r}: {len(numbers)} numbers for {len(dice)} dice")
    return Token(text, ROLL | sum(1 << DICE.index(die) for die in dice), numbers)


def move_text(move: int) -> str:
    """The text of a move; of a roll without its numbers."""
    action, target = move & ACTION, move >> TARGET & 127
    if action >= BET:
        return f"bet:{BET_TEXTS[action - BET]}"
    if action >= ROLL:
        return "roll:" + "".join(die for i, die in enumerate(DICE) if action >> i & 1)
    if action == END:
        return "."
    if action >= BACK:
        return f"{PAWNS[action & 7]}<{target}"
    return f"{PAWNS[action]}>#{target - BOAT}" if target > BOAT else f"{PAWNS[action]}>{target}"


class Action(game.Action):
    """An action with its parts by name: what is done, with which pawn or dice, and where that leads."""

    __slots__ = ()
    columns: ClassVar[Mapping[str, Column]] = {
        "kind": "string",
        "pawn": "string",
        "target": "int16",
        "boat": "int16",
        "dice": "string",
        "numbers": "numbers",
        "bet": "strings",
    }

    def cells(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "pawn": self.pawn,
            "target": self.target,
            "boat": self.boat,
            "dice": self.dice or None,
            "numbers": self.numbers or None,
            "bet": self.bet if ":" in self and self.bet else None,
        }

    @property
    def kind(self) -> str:
        """`bet`, `roll`, `forward`, `back` or `end`."""
        if self[1:2] in ("<", ">"):
            return "forward" if self[1] == ">" else "back"
        return "end" if self == "." else self.partition(":")[0]

    @property
    def pawn(self) -> str | None:
        """The pawn that moves, as its letter."""
        return self[0] if self.kind in ("forward", "back") else None

    @property
    def target(self) -> int | None:
        """The space that the pawn goes to; None where it goes into a boat."""
        return int(self[2:]) if self.pawn and self[2] != "#" else None

    @property
    def boat(self) -> int | None:
        """The boat that the pawn goes into."""
        return int(self[3:]) if self.pawn and self[2] == "#" else None

    @property
    def bet(self) -> tuple[str, ...]:
        """The pawns of boats 1 to 4, where it is a bet."""
        return tuple(self[4:].split(".")) if self.kind == "bet" else ()

    @property
    def dice(self) -> str:
        """The dice thrown, as their letters."""
        return self.bare[5:] if self.kind == "roll" else ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that the dice show, in their order, as far as the action tells."""
        return tuple(map(int, self.outcome[1:]))


class Texts(dict[int, str]):
    """The text of a move, cached."""

    def __missing__(self, move: int) -> str:
        self[move] = text = move_text(move)
        return text


class Actions(dict[int, Action]):
    """The action of a move, cached."""

    def __missing__(self, move: int) -> Action:
        self[move] = action = Action(TEXTS[move])
        return action


TEXTS = Texts()
ACTIONS = Actions()
