"""What every game answers to, and Chance, the only source of luck."""

import hashlib
import operator
import re
import secrets
import struct
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import EllipsisType, ModuleType
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar

import numpy as np

from escapade.rng import Words

Item = TypeVar("Item")
Setting = str | int
Allowed = Mapping[str, Sequence[Setting]]
Turns = list[tuple[int, list[str]]]
Column = Literal["string", "bool", "int8", "int16", "int32", "int64", "strings", "numbers"]

NUMBER = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)
NAME = re.compile(r'[^/"\x00-\x1f\x7f]+')
OUTCOME = re.compile("[+~=].*")
MOST_TURNS = 1_000_000_000
DRAWING = "escapade.adapters.drawing"  # stands above this module, so it is imported when first used
GOES_ON, ENDED, BROKEN_OFF = 0, 1, 2  # how a game stands, for programs that step many of them


class Fault(ValueError):
    """What is wrong, in words; a common fault also as a code with values, for whoever tells it in another language."""

    def __init__(self, words: str, code: str = "", **values: str | int) -> None:
        super().__init__(words)
        self.code, self.values = code, values


class Invalid(Fault):
    """Not the notation: a text that cannot be read, or a position that cannot arise."""


class Illegal(Fault):
    """A well-formed action that the rules do not allow here."""


@contextmanager
def blaming(code: str, text: str) -> Iterator[None]:
    """Whatever is wrong within has to do with this part of a position."""
    try:
        yield
    except Invalid as why:
        raise why if why.code else Invalid(str(why), code, text=text) from None


class Chance:
    """Luck that can be checked: every card and die follows from a 256-bit seed, as docs/notation.md describes."""

    def __init__(self, seed: int | bytes | None = None) -> None:
        if seed is None:
            self.seed = secrets.token_bytes(32)
        elif isinstance(seed, bytes):
            if len(seed) != 32:
                raise Invalid(f"a seed of {len(seed)} bytes: 32 are needed")
            self.seed = seed
        elif not hasattr(seed, "__index__"):
            raise Invalid(f"the seed {seed!r}: a whole number or 32 bytes are needed")
        else:
            self.seed = hashlib.sha256(b"escapade %d" % operator.index(seed)).digest()

    @property
    def commitment(self) -> str:
        """The hash that can be published before the game without revealing the seed."""
        return hashlib.sha256(self.seed).hexdigest()

    def numbers(self, label: str, count: int) -> tuple[int, ...]:
        """The first numbers, 64 bits each, of the stream with this label."""
        key = hashlib.sha256(self.seed + label.encode() + b"\0")
        blocks = []
        for block in range((count + 3) // 4):
            stream = key.copy()
            stream.update(block.to_bytes(4, "big"))
            blocks.append(stream.digest())
        return struct.unpack_from(f">{count}Q", b"".join(blocks))

    def shuffled(self, items: Sequence[Item], label: str) -> list[Item]:
        """The items in ascending order of their numbers."""
        numbers = self.numbers(label, len(items))
        return [items[i] for i in sorted(range(len(items)), key=numbers.__getitem__)]

    def dice(self, label: str, count: int) -> tuple[int, ...]:
        """So many throws of a die with six sides."""
        return tuple(1 + number % 6 for number in self.numbers(label, count))


class Action(str):
    """An action: its text, which it is, with its parts by name. A kind of game may have parts of its own besides."""

    __slots__ = ()
    columns: ClassVar[Mapping[str, Column]] = {}  # that a kind's actions have in tables, with their types

    def cells(self) -> dict[str, Any]:
        """What stands in those columns; nothing where the action has no such part, or it is hidden."""
        return {}

    @property
    def bare(self) -> str:
        """The action without its outcome, as it is listed."""
        return bare(self)

    @property
    def outcome(self) -> str:
        """What luck made of it, as a record has it: `+KB`, `=4263`, with the sign; empty where nothing is told."""
        return self[len(self.bare) :]

    def __reduce__(self) -> tuple[type["Action"], tuple[str]]:
        return type(self), (str(self),)


class Picture(str):
    """An SVG picture: its text, which a notebook shows as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The picture by itself, so that pages that clean foreign markup show it too."""
        return f'<img alt="A drawn position" src="data:image/svg+xml;base64,{b64encode(self.encode()).decode()}">'


class Field(NamedTuple):
    """A part of an observation: its name, its shape, what its numbers mean, and how large they get."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    most: int


class Ahead(NamedTuple):
    """A way to go on in a turn: its actions, and the game after them as their seat foresees it; None if dice decide."""

    actions: tuple[Any, ...]
    after: "Game | None"


class Option(NamedTuple):
    """What `new` takes besides house rules: its default, and the part of the game that it is about."""

    default: Any
    part: str


class Edition(NamedTuple):
    """A printed edition with the house rules chosen: field 1 of a position."""

    name: str
    rules: Mapping[str, str | int]
    changed: tuple[str, ...]

    def __str__(self) -> str:
        return "+".join([self.name, *(f"{rule}={self.rules[rule]}" for rule in self.changed)])


def read_edition(text: str, editions: Mapping[str, Mapping[str, str | int]], house: Allowed) -> Edition:
    """An edition and its house rules from their text, as in `tortuga+pirates=4`."""
    name, *changes = text.split("+")
    if name not in editions:
        known = ", ".join(editions)
        raise Invalid(f"{text!r}: no edition is called {name!r}; there are {known}", code="unknown-edition", name=name)
    own = editions[name]
    rules = dict(own)
    seen = set()
    for change in changes:
        rule, equals, value = change.partition("=")
        if rule not in house:
            known = ", ".join(house)
            raise Invalid(
                f"{text!r}: no house rule is called {rule!r}; there are {known}", code="unknown-rule", rule=rule
            )
        if rule in seen:
            raise Invalid(f"{text!r}: {rule} is set twice", code="rule-twice", rule=rule)
        seen.add(rule)
        setting = int(value) if NUMBER.fullmatch(value) else value
        if not equals or not allows(house[rule], setting):
            words = f"{text!r}: {rule} can be {span(house[rule])}, not {value!r}"
            raise Invalid(words, code="bad-value", rule=rule, value=value)
        rules[rule] = setting
    return Edition(name, rules, tuple(sorted(rule for rule in seen if rules[rule] != own.get(rule))))


def allows(values: Sequence[str | int], setting: str | int) -> bool:
    """Whether a house rule may have this value; `in` would search a range number by number for a string."""
    return (isinstance(setting, int) or not isinstance(values, range)) and setting in values


def span(values: Sequence[str | int]) -> str:
    """Values for an error message: `on or off`, `3 to 10`."""
    if isinstance(values, range):
        return f"{values[0]:,} to {values[-1]:,}"
    return f"{', '.join(map(str, values[:-1]))} or {values[-1]}"


def read_number(text: str, what: str, where: str) -> int:
    """A number without sign or leading zeros."""
    if not NUMBER.fullmatch(text):
        raise Invalid(f"{where}: {what} {text!r} is not a number from 0 to 9,999,999,999 written in digits")
    return int(text)


def read_turn(text: str, where: str) -> int:
    """The running number of a turn."""
    turn = read_number(text, "turn", where)
    if turn > MOST_TURNS + 1:
        raise Invalid(f"{where}: turn {turn} is over {MOST_TURNS:,}, when every game ends")
    return turn


class Game(ABC):
    """A game in progress: its position, its luck, and every action so far with its outcome.

    Some games have secret choices that all seats make at the same time, as the bets of Les Évadés. They may come in any
    order; the state takes them in the order of the seats, and those that came early are sealed until then.
    """

    kind: ClassVar[str]
    setup: ClassVar[tuple[str, ...]]  # the record's tags that describe a start without a position
    options: ClassVar[Mapping[str, Option]] = {}  # what `new` takes besides house rules
    action_type: ClassVar[type[Action]] = Action  # with the names for an action's parts
    features: ClassVar[ModuleType]  # a view as arrays
    columns: ClassVar[Mapping[str, Column]] = {}  # that a kind's games have in tables, with their types
    edition: Edition
    players: int
    rules: Any  # the edition as the kernel's numbers

    def __init__(
        self,
        names: Sequence[str] | None,
        chance: Chance,
        start: str | None,
        states: np.ndarray[Any, Any],
        buffer: np.ndarray[Any, np.dtype[np.int64]],
    ) -> None:
        self.names = check_names(names, self.players)
        self.chance = chance
        self.start = start
        self.tags: dict[str, str] = {"Commitment": chance.commitment}
        self.turns: Turns = []  # every turn's number and its actions with their outcomes, as in the record
        self.states = states  # the kernel's record is states[0]; whoever writes to it changes the game
        self._made: tuple[bytes, Any] = b"", None
        self.hidden = False  # whether the position has unknown cards or choices, so that it can only be looked at
        self._buffer = buffer
        self._choices: dict[int, str] = {}

    @classmethod
    @abstractmethod
    def new(cls, text: str, players: int, chance: Chance, names: Sequence[str] | None = None, **options: Any) -> Self:
        """A new game of an edition."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str, chance: Chance) -> Self:
        """A game that begins from a position."""

    @classmethod
    @abstractmethod
    def from_tags(cls, tags: Mapping[str, str], names: Sequence[str], chance: Chance) -> Self:
        """The start of a recorded game, from the tags of `setup`."""

    @classmethod
    @abstractmethod
    def from_states(cls, edition: Edition, states: np.ndarray[Any, Any], players: int) -> Self:
        """A game that begins from the kernel's own record, `states[0]`."""

    @classmethod
    @abstractmethod
    def rules_of(cls, edition: Edition, **options: Any) -> Any:
        """An edition as the kernel's numbers, for games that `new` would make with these options."""

    @classmethod
    @abstractmethod
    def hides(cls, edition: Edition) -> bool:
        """Whether a seat has secrets from the others in this edition."""

    @abstractmethod
    def beginning(self) -> Self:
        """This game at its start, with all its recorded turns still to be played."""

    @property
    def seat(self) -> int:
        """Whose turn it is, from 1."""
        return int(self.states["seat"].item(0)) + 1

    @property
    def turn(self) -> int:
        """The running number of the turn."""
        return int(self.states["turn"].item(0))

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    @abstractmethod
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none while the game goes on or when it is drawn."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...] | None:
        """Each seat's points, where the game has them by now."""

    @property
    def face_down(self) -> int:
        """How many cards lie face down; the number changes whenever one is turned up."""
        return 0

    @abstractmethod
    def __str__(self) -> str:
        """The position with everything shown, sealed choices excepted."""

    @property
    def position(self) -> Any:
        """The position as a value that stays as it is: it can be compared, be a key, and prints as `str(game)` does.

        Here it is that text; a kind of game may have one with its fields by name.
        """
        return str(self)

    @abstractmethod
    def view(self, seat: int | None) -> str:
        """The position as a seat may see it, from 1; or, with 0 or None, a spectator."""

    @abstractmethod
    def legal_actions(self) -> list[Any]:
        """Every legal action once, in the notation's order: texts, or what is a text and names its parts, an Action."""

    @abstractmethod
    def play(self, action: str, seat: int | None = None) -> Any:
        """Play an action, given with or without its outcome, and return it as the record has it: a text, or an Action.

        A secret choice may be made for any seat that is waited for; any other action is that of the seat to act.
        """

    @abstractmethod
    def is_listed(self, action: str) -> bool:
        """Whether an action is written as `legal_actions` lists it: whole, and without an outcome."""

    @abstractmethod
    def setup_tags(self, seat: int | None) -> list[tuple[str, str]]:
        """The record's tags that describe the start, as a seat may see it or, with None, complete."""

    @abstractmethod
    def shown(self, token: str, actor: int, seat: int) -> str:
        """An action of the record as a seat may see it."""

    @abstractmethod
    def proves(self, chance: Chance) -> str | None:
        """What of the luck does not follow from the seed, if anything; after a position, what came after it."""

    def unproven(self) -> tuple[str, ...]:
        """What was set before the game and does not follow from the seed: `position`, or a part such as `tunnel`."""
        return () if self.start is None else ("position",)

    @abstractmethod
    def play_out(self, firsts: int, rng: Words) -> int:
        """Play to the end with compiled players; how many actions that took."""

    @abstractmethod
    def perft(self, depth: int) -> int:
        """How many sequences of so many actions there are."""

    def perft_after(self, depth: int, number: int) -> int:
        """How many of them begin with the legal action of a number; where luck has a part, a kind counts by itself."""
        after = self.copy()
        after.play(self.legal_actions()[number])
        return after.perft(depth - 1)

    def divide(self, depth: int) -> dict[str, int]:
        """How many sequences of so many actions begin with each legal action."""
        if depth < 1:
            raise Invalid(f"a depth of {depth}: sequences that begin with an action have 1 action at least")
        return {action: self.perft_after(depth, number) for number, action in enumerate(self.legal_actions())}

    # Secret choices that all seats make at the same time

    @property
    def choosing(self) -> bool:
        """Whether the seats are making their secret choices now."""
        return False

    def is_choice(self, action: str) -> bool:
        """Whether an action is a secret choice."""
        return False

    def chosen(self) -> list[tuple[int, str]]:
        """The choices that were made since the start and opened, which no turn records: the seat and the action."""
        return []

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats that have made a secret choice in this game."""
        return tuple(sorted(self._choices))

    def waiting(self) -> tuple[int, ...]:
        """The seats that the game waits for; more than one only while choices are made."""
        if self.over:
            return ()
        if not self.choosing:
            return (self.seat,)
        return tuple(seat for seat in range(self.seat, self.players + 1) if seat not in self._choices)

    def _choose(self, action: str, seat: int) -> str:
        """Seal a seat's secret choice, and open all those whose turn has come."""
        if seat not in self.waiting():
            raise Illegal(f"{action}: seat {seat} has no choice to make now, in {self}")
        self._choices[seat] = str(action)
        while self.choosing and self.seat in self._choices:
            self._open(self._choices[self.seat])
        return action

    def _open(self, choice: str) -> None:
        """Play the choice of the seat to act."""
        raise NotImplementedError

    # Numbers, for programs that learn: the same as batches write, and from a view the same as from the whole game

    def fields(self) -> list[Field]:
        """The parts of an observation in their order."""
        fields: list[Field] = self.features.fields(self.rules, self.players)
        return fields

    def observation(self, seat: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        """What a seat, counted from 1, sees, as a row of numbers: the parts of `fields` one after another."""
        self.check_seat(seat)
        row = np.zeros(self.features.length(self.rules, self.players), np.int8)
        self.features.observe_in(self._with_sealed(), self.rules, self._hides_from(seat), seat - 1, row)
        return row

    def mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which numbers the seat to act may choose from; none when the game is over."""
        self.check_hand()
        mask = np.zeros(self.features.count(self.rules), np.bool_)
        self.features.mark_in(self.states, self.rules, mask)
        return mask

    def action_of(self, number: int) -> Any:
        """The legal action that has a number; numbers are in the order in which actions are listed."""
        mask = self.mask()
        if not 0 <= operator.index(number) < len(mask):
            raise Invalid(f"{number}: actions are numbered from 0 to {len(mask) - 1}")
        if not mask[number]:
            raise Illegal(f"{number}: legal are the numbers {np.flatnonzero(mask).tolist()}, in {self}")
        return self.legal_actions()[np.count_nonzero(mask[:number])]

    def number_of(self, action: str) -> int:
        """The number of a legal action, given as it is listed or with its outcome."""
        legal, listed = self.legal_actions(), bare(action)
        if not self.is_listed(listed) or listed not in legal:
            raise Illegal(f"{action}: only a legal action, written as it is listed, has a number, in {self}")
        return int(np.flatnonzero(self.mask())[legal.index(listed)])

    def turns_ahead(self) -> list[Ahead]:
        """Every way to the end of this turn, or to where luck speaks, once for each observation that it leads to.

        Nothing is looked at but the view of the seat to act: cards that it cannot know come as unknown ones.
        """
        ends: list[Ahead] = []
        seen: set[bytes] = set()
        begun: list[tuple[tuple[Any, ...], Game]] = [] if self.over else [((), self._foreseeing())]
        for actions, game in begun:  # which grows, so that shorter ways come first
            for action in game.legal_actions():
                after, line = game._foresee(action), (*actions, action)
                if after is not None:
                    key = after.observation(self.seat).tobytes()
                    if key in seen:
                        continue
                    seen.add(key)
                    if not after.over and (after.seat, after.turn) == (self.seat, self.turn) and after._foresees():
                        begun.append((line, after))
                        continue
                ends.append(Ahead(line, after))
        return ends

    def check_hand(self) -> None:
        """Refuse to say what the seat to act may do where its hand is not known; here everything is known."""
        return

    def _hides_from(self, seat: int | None) -> bool:
        """Whether this game knows of the others what a reader may not."""
        return self.hides(self.edition)

    def _with_sealed(self) -> np.ndarray[Any, Any]:
        """The state, with sealed choices made."""
        return self.states

    def _foreseeing(self) -> Self:
        """This game as the seat to act sees it, to plan on: with luck of its own."""
        view = self.brief(self.seat)[0] if self.choosing else self.view(self.seat)
        return self.parse(view, Chance(0))

    def _foresee(self, action: str) -> Self | None:
        """A planned game after an action, what nobody can know left unknown; None where dice decide."""
        after = self.copy()
        after.play_recorded(action)
        return after

    def _foresees(self) -> bool:
        """Whether a planned turn goes on; where something unknown has come up, its seat would look again first."""
        return True

    # What programs that serve games ask

    def offers(self, seat: int) -> list[str]:
        """The legal actions of a seat that is waited for; one word may stand for more than anyone wants listed."""
        return list(map(str, self.legal_actions()))

    def play_offered(self, action: str, seat: int) -> str:
        """Play an action from outside, which may bring neither an outcome nor a short form."""
        if not self.is_listed(action):
            raise Illegal(f"{action}: only actions as they are listed can be played here, in {self}")
        played: str = self.play(action, seat)
        return played

    def brief(self, seat: int) -> tuple[str, str | None]:
        """What a bot that decides for a seat may know: its view, and its record of the game."""
        return self.view(seat), self.record(seat)

    @property
    def open_position(self) -> str:
        """The position for everyone's eyes once the game is over: all is shown but choices while they are made."""
        return self.view(None) if self.choosing else str(self)

    def _once(self, make: Callable[[], Item]) -> Item:
        """What is made of the position, made once for all who are shown it one after another."""
        now = self.states.tobytes()
        if self._made[0] != now:
            self._made = now, make()
        made: Item = self._made[1]
        return made

    def copy(self) -> Self:
        """The same game, to be played on apart from this one."""
        twin = self.twin()
        twin.turns = [(turn, list(tokens)) for turn, tokens in self.turns]
        return twin

    def twin(self) -> Self:
        """The same position to try an action on; it shares this one's record."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.states, twin._buffer = self.states.copy(), self._buffer.copy()
        twin.tags, twin._choices = dict(self.tags), dict(self._choices)
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()  # what is shared never changes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]  # a game goes on, so it is no key; its `position` is

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    # To look at: as a text, as a picture, and in a notebook

    def board(self, seat: int | None = None) -> str:
        """The board for a terminal, nothing hidden; or as a seat may see it; or, with 0, a spectator."""
        words: str = import_module(DRAWING).text(self._seen(seat), seat or 0).rstrip("\n")
        return f"{words}\nover     {self._ending()}" if self.over else words

    def svg(self, seat: int | None = None, *, actions: str | Iterable[str] = (), width: int = 1120) -> Picture:
        """The board as an SVG picture, nothing hidden; or as a seat may see it; or, with 0, a spectator.

        `actions`, a list or a text with blanks between them, are drawn as arrows; whether they are legal is not asked.
        """
        if width < 1:
            raise Invalid(f"a picture {width} wide: at least 1 is needed")
        arrows = actions.split() if isinstance(actions, str) else list(actions)
        return Picture(import_module(DRAWING).svg(self._seen(seat), seat or 0, arrows, self._ending(), width))

    def _repr_svg_(self) -> str:
        return self.svg()._repr_svg_()

    def _repr_html_(self) -> str:
        return self.svg()._repr_html_()

    def _seen(self, seat: int | None) -> str:
        """The position as it is drawn: `None` is everyone at once, as for `record`."""
        return str(self) if seat is None else self.view(seat)

    def _ending(self) -> str:
        """In words how the game has ended; empty while it goes on."""
        if not self.over:
            return ""
        if not self.winners:
            return "drawn"
        return f"won by seat {' and seat '.join(map(str, self.winners))}"

    @property
    def result(self) -> str:
        """The record's Result tag."""
        return "*" if not self.over else "/".join(map(str, self.winners)) or "="

    def record(self, seat: int | EllipsisType | None = ...) -> str:
        """The whole game as text, nothing hidden; or as a seat may see it, from 1; or, with 0 or None, a spectator."""
        reader = None if seat is ... else seat or 0
        if reader:
            self.check_seat(reader)
        tags = [("Game", self.kind), ("Edition", str(self.edition)), ("Seats", "/".join(self.names))]
        tags += [*self.setup_tags(reader), ("Result", self.result), *self.tags.items()]
        if self.over and self.tags.get("Commitment") == self.chance.commitment and "Seed" not in self.tags:
            tags.append(("Seed", self.chance.seed.hex()))
        lines = [f'[{name} "{value}"]' for name, value in tags] + [""]
        for (turn, tokens), actor in zip(self.turns, self.actors(), strict=True):
            seen = tokens if reader is None else [self.shown(token, actor, reader) for token in tokens]
            lines.append(f"{turn}. {' '.join(seen)}")
        return "\n".join([*lines, "", ""])

    def actors(self) -> Iterable[int]:
        """The seat of every recorded turn."""
        if not self.turns:
            return
        # Seats act in a fixed order, so all can be counted back from the last recorded turn.
        last = self.seat if self.turns[-1][0] == self.turn else (self.seat - 2) % self.players + 1
        for turn, _ in self.turns:
            yield (last - 1 - (self.turns[-1][0] - turn)) % self.players + 1

    def cells(self) -> dict[str, Any]:
        """What stands in this kind's columns of a table of games; nothing where there is none, or it is hidden."""
        return {}

    def mainline(self) -> Iterator[tuple[Self, Any]]:
        """Every recorded action with its outcome, and the game as it stood before it, which may be played on apart."""
        game = self.beginning()
        for _, tokens in self.turns:
            for token in tokens:
                before = game.copy()
                before.tags = dict(self.tags)
                yield before, self.action_type(token)
                game.play_recorded(token)

    def pop(self) -> Any:
        """Take back the last recorded action, and return it; played again, it has the same luck.

        The game is played again up to there. Whoever tries many actions in one position does that on copies.
        """
        if not self.turns:
            raise Illegal(f"there is no action to take back, in {self}")
        *earlier, (number, tokens) = self.turns
        before = self.beginning()
        before.replay([*earlier, (number, tokens[:-1])] if len(tokens) > 1 else earlier)
        self.states, self.turns, self.hidden = before.states, before.turns, before.hidden
        return self.action_type(tokens[-1])

    def note(self, turn: int, token: str) -> None:
        """Write an action into the record."""
        if not self.turns or self.turns[-1][0] != turn:
            self.turns.append((turn, []))
        self.turns[-1][1].append(token)

    def lot(self, given: Any, drawn: Any) -> Any:
        """The given outcome, or else the drawn one; drops the Commitment if the outcome contradicts the seed."""
        if given is not None and given != drawn:
            self.drop_commitment()
            return given
        if self.tags.get("Commitment") != self.chance.commitment:
            self.drop_commitment()
        return drawn

    def drop_commitment(self) -> None:
        """Stop claiming that the game follows from a seed."""
        self.tags.pop("Commitment", None)
        self.tags.pop("Seed", None)

    def take_setup(self, tags: Mapping[str, str]) -> None:
        """Check the setup tags of a record that starts from this position, which as a rule has none."""
        for name in self.setup:
            if name in tags:
                raise Invalid(f"the tags Start and {name} do not go together")

    def replay(self, turns: Iterable[tuple[int, list[str]]]) -> None:
        """Play recorded turns, every action complete; an error names the first wrong action and its turn."""
        tags = dict(self.tags)
        for number, tokens in turns:
            begun = bool(self.turns) and self.turns[-1][0] == number
            if self.over:
                raise Invalid(f"turn {number}: the game is over ({self.result})", code="game-over", turn=number)
            if begun:
                raise Invalid(f"turn {number}: this turn has a line already", code="turn-twice", turn=number)
            if number != self.turn:
                words = f"turn {number}: turn {self.turn} comes here"
                raise Invalid(words, code="turn-order", turn=number, next=self.turn)
            for token in tokens:
                at: dict[str, str | int] = {"turn": number, "action": token}
                if self.turn != number:
                    raise Illegal(
                        f"turn {number}, {token}: the turn was over before this action", code="turn-over", **at
                    )
                try:
                    played = self.play_recorded(token)
                except Fault as fault:
                    raise type(fault)(f"turn {number}, {fault}", code="wrong-action", **at) from None
                if played != token:
                    words = f"turn {number}, {token}: the record should have {played} here, in {self}"
                    raise Illegal(words, code="incomplete", **at, played=played)
        self.tags = tags

    def play_recorded(self, token: str) -> str:
        """Play an action of a record, in which what was drawn may be hidden."""
        played: str = self.play(token)
        return played

    def check_turn(self, action: str, seat: int | None) -> None:
        """Refuse an action of a seat that is not to act."""
        if seat is not None and seat != self.seat and not self.over:
            raise Illegal(f"{action}: seat {self.seat} is to act, not seat {seat}, in {self}")

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that does not exist."""
        if not 1 <= seat <= self.players:
            raise Invalid(f"seat {seat}: this game has seats 1 to {self.players}")


def bare(token: str) -> str:
    """An action without its outcome."""
    return OUTCOME.sub("", token)


def check_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    """The seats' names as a record can hold them."""
    if names is None:
        return tuple(f"Seat {seat}" for seat in range(1, players + 1))
    if len(names) != players:
        raise Invalid(f"{len(names)} names for {players} seats: {'/'.join(names)}")
    for name in names:
        if not NAME.fullmatch(name):
            raise Invalid(
                f"the name {name!r}: a name is not empty and has no slash, quotation mark or control character"
            )
    return tuple(names)
