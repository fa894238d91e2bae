"""Les Évadés in a terminal: ten spaces a line, stacks of letters from the bottom up, boats, dice and bets."""

from collections.abc import Sequence

from textual.content import Content

from escapade.evades.editions import DICE, PAWNS
from escapade.evades.notation import MOVE_TEXT, ROLL_TEXT, Layout, read_layout, sort_pawns
from escapade.terminal.face import END, STYLES, Face, Lesson, Option, Picked, Row, marking, signs
from escapade.terminal.known import Message, Step
from escapade.words import sentence

ACROSS, NARROW, WIDE = 10, 4, 9  # spaces in a line, and columns of a space; a stack of all seven needs WIDE
ROOM = (2, 2, 2, 1)  # in the boats
PAINTS = {
    "b": "bold white on #2c60b8", "r": "bold white on #c0302c", "y": "bold black on #ecc42c",
    "l": "bold black on #8ac84a", "d": "bold white on #186c42", "o": "bold black on #ec8024",
    "n": "bold white on #7a4e2e", "w": "bold black on #f4f4ee",
}  # fmt: skip


def painted(pawns: str) -> Content:
    """Pawns or dice by their letters."""
    return Content.assemble(*[(pawn, PAINTS.get(pawn, "")) for pawn in pawns])


def place_of(view: Layout, pawn: str) -> tuple[int, int]:
    """The boat that a pawn is in, or 0, and else its space."""
    for boat, pawns in enumerate(view.boats, 1):
        if pawn in pawns:
            return boat, 0
    return 0, next(space for space, stack in view.stacks.items() if pawn in stack)


def boats_of(order: Sequence[str]) -> list[str]:
    """Pawns in the order of their arrival, as many as are named, boat by boat."""
    left = list(order)
    boats = []
    for room in ROOM:
        boats.append(sort_pawns("".join(left[:room])))
        left = left[room:]
    return boats


class Evades(Face):
    """The face."""

    lines = 5

    def name(self, pawn: str) -> str:
        """A pawn's colour."""
        return self.words(f"pawn.{pawn}.name")

    def the(self, pawn: str) -> str:
        """A pawn in a sentence."""
        return self.words(f"pawn.{pawn}.the")

    def board(self, view: str, eyes: int, option: Option | None, width: int, height: int) -> list[Content]:
        layout = read_layout(view)
        length = int(layout.edition.rules["length"])
        cell = max(NARROW, min(WIDE, width // ACROSS))
        lines = [self.windows(layout, option)]
        spare = height - 6 - 3 * (-(-length // ACROSS)) if height else -1
        for first in range(1, length, ACROSS):
            lines += stretch(layout, range(first, min(first + ACROSS, length)), cell, option)
            lines += [Content("")] if spare >= 0 else []
        return [*lines, self.boats(layout, option), self.dice(layout)]

    def windows(self, view: Layout, option: Option | None) -> Content:
        """Those who still wait at their windows."""
        marked = marking(option, 0)
        label = signs(sentence(self.words("terminal.windows")), marked)
        waiting = [part for pawn in view.stacks.get(0, "") for part in (" ", painted(pawn))]
        return Content.assemble((label, STYLES[marked] or "bold"), *(waiting or [" -"]))

    def boats(self, view: Layout, option: Option | None) -> Content:
        """The four boats, with a dot for each free place."""
        parts: list[Content | tuple[str, str] | str] = [(f" {self.words('terminal.boats')} ", "bold")]
        for boat, (pawns, room) in enumerate(zip(view.boats, ROOM, strict=True), 1):
            marked = marking(option, f"#{boat}")
            parts += [
                (signs(str(boat), marked), STYLES[marked] or "bold"),
                painted(pawns),
                "·" * (room - len(pawns)),
                " ",
            ]
        return Content.assemble(*parts)

    def dice(self, view: Layout) -> Content:
        """The dice that are thrown and not used yet, and what has moved in this turn."""
        parts: list[Content | tuple[str, str] | str] = [(f" {self.words('evades.dice')} ", "bold")]
        for die, number in view.dice.items():
            parts += [" ", painted(die), str(number)]
        parts += [] if view.dice else [" -"]
        for pawn, way in view.moved.items():
            parts += ["  ", painted(pawn), "→" if way == "+" else "←"]
        return Content.assemble(*parts)

    def standing(self, view: str, seat: int, eyes: int) -> Content:
        layout, words = read_layout(view), self.words
        bet = layout.bets[seat - 1]
        sealed = seat in (self.table["state"] or {}).get("sealed", [])
        if bet in "-?":
            return Content(words("evades.sealed" if bet == "?" or sealed else "evades.writing"))
        boats = [Content.assemble(f"{boat}:", painted(pawns)) for boat, pawns in enumerate(bet.split("."), 1)]
        return Content(" ").join(boats)

    def rows(self, view: str, legal: Sequence[str], picked: Picked) -> list[Row]:
        if list(legal) == ["bet"]:
            return self.bet_rows(picked)
        rolls = [roll[1] for roll in map(ROLL_TEXT.fullmatch, legal) if roll]
        return self.dice_rows(rolls, picked) if rolls else self.move_rows(read_layout(view), legal)

    def bet_rows(self, picked: Picked) -> list[Row]:
        """The bet so far, and who may be next."""
        boats = boats_of(picked)
        shown = "  ".join(f"{boat}:{pawns or '·'}" for boat, pawns in enumerate(boats, 1))
        rows = [Row(f"{self.words('evades.bet.title')}  {shown}", [])]
        if len(picked) == len(PAWNS):
            rows.append(Row("", [Option(self.words("evades.bet.seal"), f"bet:{'.'.join(boats)}")]))
        else:
            boat = next(n for n, (pawns, room) in enumerate(zip(boats, ROOM, strict=True), 1) if len(pawns) < room)
            free = [Option(f"{pawn} {self.name(pawn)}", picked=(*picked, pawn)) for pawn in PAWNS if pawn not in picked]
            rows.append(Row(self.words("evades.boat", boat=boat), free))
        if picked:
            rows.append(Row("", [Option(self.words("evades.bet.clear"), picked=())]))
        return rows

    def dice_rows(self, rolls: Sequence[str], picked: Picked) -> list[Row]:
        """The dice that may be thrown, ticked where they are chosen, and the throw once it is possible."""
        offered = [die for die in DICE if any(die in roll for roll in rolls)]
        options = [
            Option(f"{'✓' if die in picked else ''}{die} {self.name(die)}", picked=toggled(rolls, picked, die))
            for die in offered
        ]
        rows = [Row(self.words("evades.dice"), options)]
        chosen = sort_pawns("".join(picked))
        if chosen in rolls:
            rows.append(Row(self.words("evades.deed.throw"), [Option(" ".join(chosen), f"roll:{chosen}")]))
        return rows

    def move_rows(self, view: Layout, legal: Sequence[str]) -> list[Row]:
        """Which pawns can go forward, and which the white die can take back."""
        rows: dict[str, list[Option]] = {}
        for action in legal:
            if action == END:
                rows[self.words("table.end")] = [Option("e", action)]
            elif move := MOVE_TEXT.fullmatch(action):
                pawn, way, goal = move.groups()
                start = place_of(view, pawn)[1]
                place_before = start or self.words("evades.at.window")
                place = self.words("evades.to.boat", boat=goal[1]) if goal[0] == "#" else goal
                label = "▶" if way == ">" else f"◀ {self.name('w')} {view.dice.get('w', '')}"
                target = frozenset([goal if goal[0] == "#" else int(goal)])
                rows.setdefault(label, []).append(
                    Option(
                        f"{pawn} {self.name(pawn)} {place_before}→{place}",
                        action,
                        None,
                        None,
                        frozenset([start]),
                        target,
                    )
                )
        return [Row(label, options) for label, options in rows.items()]

    def picks(self, action: str) -> Picked:
        if action.startswith("bet:"):
            return tuple(action[4:].replace(".", ""))
        roll = ROLL_TEXT.fullmatch(action)
        return tuple(roll[1]) if roll else ()

    def prompt(self, view: str, legal: Sequence[str], picked: Picked) -> str:
        words, layout = self.words, read_layout(view)
        if list(legal) == ["bet"]:
            return words("terminal.bet" if len(picked) < len(PAWNS) else "terminal.placed")
        rolls = [roll[1] for roll in map(ROLL_TEXT.fullmatch, legal) if roll]
        if rolls:
            if sort_pawns("".join(picked)) in rolls:
                return words("evades.prompt.throw")
            colours = [len(roll.replace("w", "")) for roll in rolls]
            if min(colours) < max(colours):
                return words("evades.prompt.pair")
            path = "choose-white" if any("w" in roll for roll in rolls) else "choose"
            return words(f"evades.prompt.{path}", n=max(colours), chosen=len([die for die in picked if die != "w"]))
        forward = [action[0] for action in legal if ">" in action]
        if not forward:
            return words("evades.prompt.back", number=layout.dice.get("w", ""))
        the, pawns = self.the(forward[0]), words.list([self.name(pawn) for pawn in forward])
        return words("evades.prompt.move", n=len(forward), the=the, pawns=pawns)

    def say(self, step: Step) -> str:
        action, name, words = step.move["action"], self.names[step.move["seat"] - 1], self.words
        if action.startswith("bet:") and step.before == step.after:  # a hint, which changes nothing
            shown = "".join(f" {boat}:{pawns}" for boat, pawns in enumerate(action[4:].split("."), 1))
            return words("evades.say.foresee", name=name, boats=shown)
        if action.startswith("bet") or action == END:
            return words(f"evades.say.{'end' if action == END else 'bet'}", name=name)
        old, now = read_layout(step.before), read_layout(step.after)
        if roll := ROLL_TEXT.fullmatch(action):
            dice = "".join(
                f" {die}{number}" for die, number in zip(roll[1], roll[2] or " " * len(roll[1]), strict=True)
            )
            threw = words("evades.say.roll", name=name, dice=dice.rstrip())
            return threw if now.turn == old.turn else f"{threw} {words('evades.say.stuck')}"
        return self.moved(action, name, old, now)

    def moved(self, action: str, name: str, old: Layout, now: Layout) -> str:
        """A pawn's way in words, and who got into a boat because of it."""
        words, pawn, goal = self.words, action[0], action[2:]
        if goal[0] == "#":
            told = words("evades.say.boat", name=name, pawn=self.the(pawn), boat=goal[1])
        else:
            below = old.stacks.get(int(goal), "").replace(pawn, "")[-1:]
            onto = words("evades.say.onto", pawn=self.the(below)) if below else ""
            start = place_of(old, pawn)[1] or words("evades.at.window")
            values = {"name": name, "pawn": self.the(pawn), "from": start, "to": goal, "onto": onto}
            told = words(f"evades.say.{'back' if action[1] == '<' else 'forward'}", **values)
        others = [
            one
            for one in PAWNS
            if place_of(now, one)[0] and not place_of(old, one)[0] and not (one == pawn and goal[0] == "#")
        ]
        last = [words("evades.say.last", pawn=self.the(one), boat=place_of(now, one)[0]) for one in others]
        return " ".join([told, *last])

    def why_not_end(self, view: str, legal: Sequence[str]) -> str:
        if any(action.startswith("roll") for action in legal):
            return self.words("evades.why.throw")
        return self.words("terminal.bet" if list(legal) == ["bet"] else "evades.why.must")

    def reason(self, values: Message) -> Message:
        words = {**values}
        if "pawn" in values:
            words["pawn"] = self.the(values["pawn"])
        if "pawns" in values:
            words["pawns"] = self.words.list([self.the(pawn) for pawn in values["pawns"]])
        if "boats" in values:
            words["boats"] = self.words.list([str(boat) for boat in values["boats"]])
        return words

    def lesson(self) -> list[Lesson]:
        rules = self.table["rules"]
        limit = rules.get("turn-limit")
        stack = "stack.skip" if rules["count-jumped"] == "off" else "stack.count"
        legend = " · ".join(f"{die} {self.name(die)}" for die in DICE)
        return [
            self.part("goal", self.told("goal.says"), legend),
            self.part("bet", self.told("bet.says")),
            self.part("turn", self.told("turn.says"), self.told("turn.fewer"), self.told("turn.must")),
            self.part("stack", self.told("stack.says"), self.told(stack)),
            self.part("white", self.told("white.says"), self.told("white.not")),
            self.part("end", self.told("end.says", rules["length"]), self.told("end.last")),
            self.part(
                "score",
                self.told("score.says"),
                self.told("score.drawn"),
                self.told("score.limit", limit) if limit else "",
            ),
        ]

    def part(self, name: str, *says: str) -> Lesson:
        """A part of the lesson."""
        return Lesson(self.told(f"{name}.title"), [one for one in says if one])

    def told(self, path: str, n: int | str | None = None) -> str:
        """A text of the lesson."""
        return self.words(f"learn.evades.{path}", n=n)


def toggled(rolls: Sequence[str], picked: Picked, die: str) -> Picked:
    """The dice after one more tick: one that is too many takes the place of the first."""
    if die in picked:
        return tuple(one for one in picked if one != die)
    wanted = (*picked, die)
    while not any(set(wanted) <= set(roll) for roll in rolls):
        wanted = wanted[1:]
    return wanted


def stretch(view: Layout, spaces: range, cell: int, option: Option | None) -> tuple[Content, Content]:
    """A piece of the track: the spaces' numbers, and the stacks on them; a high stack makes its space wider."""
    numbers: list[Content] = []
    stacks: list[Content] = []
    for space in spaces:
        stack, marked = view.stacks.get(space, ""), marking(option, space)
        wide = max(cell, len(stack) + 2)
        numbers.append(Content.assemble((signs(f"{space:>2}", marked), STYLES[marked] or "dim")).pad_right(wide - 4))
        shown = painted(stack) if stack else Content.styled("·", "dim")
        before = 2 if len(stack) < 2 else 1
        stacks.append(shown.pad_left(before).pad_right(wide - before - max(1, len(stack))))
    return Content.assemble(*numbers), Content.assemble(*stacks)


face = Evades
