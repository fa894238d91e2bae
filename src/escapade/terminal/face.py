"""How a game is shown and chosen from: what a face answers to, and the face of kinds that have none of their own."""

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content

from escapade import games
from escapade.adapters import drawing
from escapade.game import Invalid
from escapade.terminal.known import Message, Step
from escapade.words import Words

END = "."  # ends a turn in the notation of every kind

Picked = tuple[str, ...]
Places = frozenset[str | int]
NOWHERE: Places = frozenset()


class Option(NamedTuple):
    """Something to choose: an action to play, a step towards one, or another message to send."""

    caption: str
    action: str = ""
    picked: Picked | None = None  # what is picked afterwards
    send: Message | None = None
    source: Places = NOWHERE  # where it leads from and to, to be marked on the board
    target: Places = NOWHERE


class Row(NamedTuple):
    """Options that belong together, as the pirates that a card can move."""

    label: str
    options: Sequence[Option]


class Lesson(NamedTuple):
    """A part of the rules in short."""

    title: str
    says: list[str]


class Face:
    """A kind without a face of its own: its view as text, and its actions in a row."""

    lines = 8  # on the screen for what can be chosen

    def __init__(self, words: Words, table: Message) -> None:
        self.words, self.table = words, table
        self.names = [sitter["name"] for sitter in table["seats"]]

    def board(self, view: str, eyes: int, option: Option | None, width: int, height: int) -> list[Content]:
        """The position in lines of so many columns; what an option leads from and to is marked."""
        lines = drawn(self.table["kind"], view, eyes).rstrip().splitlines()
        return [Content(part) for line in lines for part in folded(line, width)]

    def standing(self, view: str, seat: int, eyes: int) -> Content:
        """How a seat stands, in a line beside the board."""
        return Content("")

    def rows(self, view: str, legal: Sequence[str], picked: Picked) -> list[Row]:
        """The legal actions to choose from, as far as something is picked already."""
        return [Row("", [Option(action, action) for action in legal])]

    def picks(self, action: str) -> Picked:
        """What has to be picked so that an action is offered."""
        return ()

    def prompt(self, view: str, legal: Sequence[str], picked: Picked) -> str:
        """What to do now."""
        return ""

    def left(self, view: str) -> str:
        """What remains of the turn."""
        return ""

    def say(self, step: Step) -> str:
        """A move in words."""
        return f"{self.names[step.move['seat'] - 1]}: {step.move['action']}"

    def why_not_end(self, view: str, legal: Sequence[str]) -> str:
        """Why the turn cannot be ended now."""
        return self.words("fault.illegal")

    def reason(self, values: Message) -> Message:
        """The values of a hint's reason as words."""
        return values

    def lesson(self) -> list[Lesson]:
        """The rules in short, as they are played at this table."""
        return []

    def hides(self) -> bool:
        """Whether seats have secrets from each other."""
        return True


def drawn(kind: str, view: str, eyes: int) -> str:
    """A view as the kind draws it; of a kind that is not known here, or has no drawing, field by field."""
    known = games.kinds().get(kind)
    try:
        return drawing.text(view, eyes) if known and known.drawn_in else view.replace(" ", "\n")
    except Invalid:
        return view.replace(" ", "\n")


def folded(line: str, width: int) -> list[str]:
    """A line in pieces that fit."""
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]


def face_for(words: Words, table: Message) -> Face:
    """The face of a table's kind."""
    kind = games.kinds().get(table["kind"])
    try:
        own = kind.terminal if kind and kind.edition(table["game"]) else None
    except Invalid:  # a server that knows more editions or house rules than we do
        own = None
    face: Face = own.face(words, table) if own else Face(words, table)
    return face


def signs(text: str, marked: str) -> str:
    """A text in the signs of where an option leads from, `(6)`, or to, `[15]`."""
    return {"source": f"({text})", "target": f"[{text}]"}.get(marked, f" {text} ")


def marking(option: Option | None, place: str | int) -> str:
    """What a place is to an option."""
    if option and place in option.target:
        return "target"
    return "source" if option and place in option.source else ""


STYLES = {"source": "bold", "target": "bold reverse", "": ""}
