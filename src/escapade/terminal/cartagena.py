"""Cartagena in a terminal: twelve spaces a line, their symbols as letters, pirates by the numbers of their seats."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content

from escapade.cartagena.editions import SYMBOLS, symbol_names
from escapade.cartagena.kernel import RETREAT
from escapade.cartagena.notation import CARDS, Layout, read_layout, read_token
from escapade.terminal.face import END, STYLES, Face, Lesson, Option, Picked, Row, marking, signs
from escapade.terminal.known import Message, Step
from escapade.words import Words, sentence

ACROSS, SEGMENT = 12, 6  # spaces in a line, and in a segment
NARROW = 4  # columns of a space; where there are enough for it, it has its symbol's name


class Action(NamedTuple):
    """An action taken apart."""

    way: str
    card: str = ""
    start: int = 0
    goal: int = 0
    drawn: str = ""
    reshuffled: bool = False


def read_action(text: str) -> Action:
    """An action as the server writes it."""
    token = read_token(text)
    cards, shuffled = token.cards or "", token.pile is not None
    if text == END:
        return Action("end")
    if text.startswith("draw"):
        return Action("draw", drawn=cards, reshuffled=shuffled)
    kind, start, goal = token.action >> 6, token.action & 63, token.target or 0
    if kind == RETREAT:
        return Action("retreat", "", start, goal, cards, shuffled)
    return Action("advance", SYMBOLS[kind], start, goal)


def boat_of(view: Layout) -> int:
    """The number of the boat."""
    return len(view.tunnel.replace("/", "")) + 1


def counted(cards: str) -> str:
    """Cards by their letters, with how many of each there are."""
    return " ".join(f"{card}{n if n > 1 else ''}" for card, n in sorted(Counter(cards).items(), key=by_card)) or "-"


def by_card(one: tuple[str, int]) -> int:
    """The place of a card in the notation's order."""
    return CARDS.index(one[0])


class Cartagena(Face):
    """The face."""

    def __init__(self, words: Words, table: Message) -> None:
        super().__init__(words, table)
        self.rules = table["rules"]
        edition = table["game"].partition("+")[0]
        self.symbols = symbol_names(edition, table["printing"])
        self.wide = max(len(self.thing(letter, "short")) for letter in SYMBOLS) + 2

    def thing(self, letter: str, form: str, n: int | None = None) -> str:
        """A symbol in words: its `name`, a `short` one, `a` one of them, or `many`."""
        name = self.symbols.get(letter, letter)
        path = f"thing.{name}.{form}"
        return self.words(path, n=n) if self.words.has(path) else name

    def cards(self, letters: str) -> str:
        """Cards as the object of a sentence: `a key and 2 hooks`."""
        some = sorted(Counter(letters).items(), key=by_card)
        told = [
            self.words("cartagena.cards", n=n)
            if card == "?"
            else (self.thing(card, "a") if n == 1 else self.thing(card, "many", n))
            for card, n in some
        ]
        return self.words.list(told)

    def place(self, space: int, boat: int) -> str:
        """A place's short name."""
        if space in (0, boat):
            return self.words(f"cartagena.short.{'boat' if space else 'prison'}")
        return str(space)

    def board(self, view: str, eyes: int, option: Option | None, width: int, height: int) -> list[Content]:
        layout = read_layout(view)
        boat = boat_of(layout)
        cell = max(NARROW, min(self.wide, (width - ACROSS // SEGMENT) // ACROSS))
        lines = [self.shore(layout, 0, option)]
        spare = height - 5 - 4 * (-(-boat // ACROSS)) if height else 0
        for first in range(1, boat, ACROSS):
            spaces = range(first, min(first + ACROSS, boat))
            lines += self.stretch(layout, spaces, cell, eyes, option)
            lines += [Content("")] if spare >= 0 else []
        lines.append(self.shore(layout, boat, option))
        return [*lines, *self.table_lines(layout, eyes)]

    def stretch(
        self, view: Layout, spaces: range, cell: int, eyes: int, option: Option | None
    ) -> tuple[Content, Content, Content]:
        """A piece of the tunnel: the spaces' numbers, their symbols, and who stands there."""
        symbols = view.tunnel.replace("/", "")
        numbers: list[Content] = []
        letters: list[Content] = []
        people: list[Content] = []
        for space in spaces:
            marked = marking(option, space)
            here = [seat for seat, own in enumerate(view.pirates, 1) for one in own if one == space]
            symbol = symbols[space - 1]
            wall = "│" if space % SEGMENT == 0 and space != spaces[-1] else ""
            end = Content.styled(wall, "dim")
            name = self.thing(symbol, "short") if cell >= self.wide else ""
            numbers.append(
                Content.assemble((signs(f"{space:>2}", marked), STYLES[marked] or "dim"), " " * (cell - NARROW), end)
            )
            shown = f" {name or f'{symbol:>2}'} "
            letters.append(Content.assemble((shown, STYLES[marked] or "bold"), " " * (cell - len(shown)), end))
            crowd = [(str(seat), "bold underline" if seat == eyes else "") for seat in here]
            before = 1 if name else 3 - len(here)
            after = cell - before - len(here)
            people.append(Content.assemble(" " * before, *crowd, " " * after, end))
        return Content.assemble(*numbers), Content.assemble(*letters), Content.assemble(*people)

    def shore(self, view: Layout, place: int, option: Option | None) -> Content:
        """The prison or the boat, with how many of each seat's pirates are there."""
        name = self.words(f"cartagena.place.{'boat' if place else 'prison'}")
        here = [f"{seat}x{own.count(place)}" for seat, own in enumerate(view.pirates, 1) if place in own]
        marked = marking(option, place)
        return Content.assemble((signs(name, marked), STYLES[marked] or "bold"), " ", "  ".join(here) or "-")

    def table_lines(self, view: Layout, eyes: int) -> list[Content]:
        """The cards: one's hand, the open row, the pile and the discards."""
        words = self.words
        lines = []
        if eyes:
            lines.append((words("terminal.hand"), counted(view.hands[eyes - 1])))
        if self.rules["row"]:
            lines.append((words("terminal.row"), " ".join(view.row) or "-"))
        lines.append((sentence(words("cartagena.pile")), str(len(view.pile))))
        told = [Content.assemble((f" {label}", "bold"), f"  {cards}") for label, cards in lines]
        told[-1] += Content.assemble(
            (f"   {sentence(words('cartagena.discards'))}", "bold"), f" {counted(view.discards)}"
        )
        return told

    def standing(self, view: str, seat: int, eyes: int) -> Content:
        layout = read_layout(view)
        hand, pirates = layout.hands[seat - 1], layout.pirates[seat - 1]
        aboard = f"{self.words('cartagena.short.boat')} {pirates.count(boat_of(layout))}/{len(pirates)}"
        known = hand.strip("?") and seat != eyes
        cards = self.words("cartagena.cards", n=len(hand))
        return Content(f"{aboard} · {counted(hand) if known else cards}")

    def rows(self, view: str, legal: Sequence[str], picked: Picked) -> list[Row]:
        layout = read_layout(view)
        boat, hand = boat_of(layout), layout.hands[layout.seat - 1]
        rows: dict[str, list[Option]] = {}
        for text in legal:
            action = read_action(text)
            way = f"{self.place(action.start, boat)}→{self.place(action.goal, boat)}"
            places = frozenset([action.start]), frozenset([action.goal])
            if action.way == "advance":
                n = hand.count(action.card)
                label = f"{action.card} {self.thing(action.card, 'short')}" + (f" x{n}" if n > 1 else "")
                rows.setdefault(label, []).append(Option(way, text, None, None, *places))
            elif action.way == "retreat":
                there = sum(own.count(action.goal) for own in layout.pirates)
                caption = f"{way} +{there}"
                rows.setdefault(self.words("cartagena.button.retreat"), []).append(
                    Option(caption, text, None, None, *places)
                )
            elif action.way == "draw":
                rows[self.words("cartagena.button.draw")] = [Option(self.words("cartagena.button.drawCosts"), text)]
            else:
                rows[self.words("table.end")] = [Option("e", text)]
        return [Row(label, options) for label, options in rows.items()]

    def prompt(self, view: str, legal: Sequence[str], picked: Picked) -> str:
        if list(legal) == [END]:
            return self.words("cartagena.prompt.nothing")
        return self.words("cartagena.prompt.draw" if "draw" in legal else "terminal.choose")

    def left(self, view: str) -> str:
        return self.words("table.actionsLeft", n=int(self.rules["most-actions"]) - read_layout(view).actions)

    def say(self, step: Step) -> str:
        action, layout = read_action(step.move["action"]), read_layout(step.before)
        boat = boat_of(layout)
        path = {
            "advance": "boards" if action.goal == boat else "advance",
            "retreat": "retreat" if action.drawn else "bare",
            "draw": "draw" if action.drawn else "drawNone",
            "end": "end" if layout.actions else "passes",
        }[action.way]
        told = self.words(
            f"cartagena.log.{path}",
            name=self.names[step.move["seat"] - 1],
            card=self.cards(action.card),
            cards=self.cards(action.drawn),
            **{"from": self.place(action.start, boat), "to": self.place(action.goal, boat)},
        )
        return f"{told} {self.words('cartagena.log.reshuffle')}" if action.reshuffled else told

    def why_not_end(self, view: str, legal: Sequence[str]) -> str:
        return self.words("cartagena.why.least")

    def reason(self, values: Message) -> Message:
        symbol, length = values.get("symbol"), values.get("length")
        return {
            **values,
            "space": values.get("space") or self.words("cartagena.short.prison"),
            "target": values.get("target") or self.words("cartagena.short.boat"),
            "n": values.get("pirates") or values.get("cards") or length,
            "thing": self.thing(symbol, "a") if symbol else "",
            "road": self.thing(symbol, "many", length) if symbol and length else "",
        }

    def lesson(self) -> list[Lesson]:
        rules = self.rules
        least, row, limit = int(rules["least-actions"]), int(rules["row"]), rules.get("turn-limit")
        turn = ("one" if int(rules["most-actions"]) == 1 else "says") + ("" if least else "OrNone")
        parts = [
            self.part("goal", self.told("goal.says", rules["pirates"])),
            self.part(
                "cards",
                self.told("cards.says", rules["deal"]),
                " · ".join(f"{letter} {self.thing(letter, 'name')}" for letter in SYMBOLS),
                self.told(f"cards.{rules['hands']}"),
                self.told("cards.row", row) if row else self.told("cards.pile"),
                self.told("cards.discards"),
            ),
            self.part("turn", self.told(f"turn.{turn}", rules["most-actions"]), self.told("turn.stuck")),
            self.part("advance", self.told("advance.says")),
            self.part("boat", self.told("boat.says")),
            self.part(
                "retreat",
                self.told("retreat.says"),
                self.told("retreat.stays" if rules["boat-retreat"] == "off" else "retreat.boat"),
                self.told("retreat.atOnce"),
            ),
        ]
        if rules["empty-hand-draw"] == "on":
            parts.append(self.part("empty", self.told("empty.says")))
        ends = ["" if least else self.told("end.passed"), self.told("end.limit", limit) if limit else ""]
        return [*parts, self.part("end", self.told("end.says"), *ends), self.part("tip", self.told("tip.says"))]

    def part(self, name: str, *says: str) -> Lesson:
        """A part of the lesson."""
        return Lesson(self.told(f"{name}.title"), [one for one in says if one])

    def told(self, path: str, n: int | str | None = None) -> str:
        """A text of the lesson."""
        return self.words(f"learn.cartagena.{path}", n=n)

    def hides(self) -> bool:
        return bool(self.rules["hands"] == "hidden")


face = Cartagena
