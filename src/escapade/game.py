"""What both games answer to, and Chance, the one place that answers for luck."""

import hashlib
import re
import secrets
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from escapade.rng import Words

Item = TypeVar("Item")
Allowed = Mapping[str, Sequence[str | int]]

NUMBER = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)
NAME = re.compile(r'[^/"\x00-\x1f\x7f]+')
MOST_TURNS = 1_000_000_000
GOES_ON, ENDED, BROKEN_OFF = 0, 1, 2  # how a game stands, for programs that step many of them


class Invalid(ValueError):
    """Not the notation: a text that says nothing, or a position that cannot be."""


class Illegal(ValueError):
    """A well-formed action that the rules do not allow here."""


class Chance:
    """Luck that can be checked: every card and die follows from a 256-bit seed, as docs/notation.md derives it."""

    def __init__(self, seed: int | bytes | None = None) -> None:
        if seed is None:
            self.seed = secrets.token_bytes(32)
        elif isinstance(seed, bytes):
            if len(seed) != 32:
                raise Invalid(f"a seed of {len(seed)} bytes: 32 are needed")
            self.seed = seed
        else:
            self.seed = hashlib.sha256(b"escapade %d" % seed).digest()

    @property
    def commitment(self) -> str:
        """What can be published before the game without giving the seed away."""
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


class Field(NamedTuple):
    """A part of an observation: its name, its shape, and what its numbers mean."""

    name: str
    shape: tuple[int, ...]
    meaning: str


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
        raise Invalid(f"{text!r}: no edition is called {name!r}; there are {', '.join(editions)}")
    own = editions[name]
    rules = dict(own)
    seen = set()
    for change in changes:
        rule, equals, value = change.partition("=")
        if rule not in house:
            raise Invalid(f"{text!r}: no house rule is called {rule!r}; there are {', '.join(house)}")
        if rule in seen:
            raise Invalid(f"{text!r}: {rule} is set twice")
        seen.add(rule)
        setting = int(value) if NUMBER.fullmatch(value) else value
        if not equals or not allows(house[rule], setting):
            raise Invalid(f"{text!r}: {rule} can be {span(house[rule])}, not {value!r}")
        rules[rule] = setting
    return Edition(name, rules, tuple(sorted(rule for rule in seen if rules[rule] != own.get(rule))))


def allows(values: Sequence[str | int], setting: str | int) -> bool:
    """Whether a house rule can be so; a range would be searched number by number for what is none."""
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
    """A game in progress: its position, its luck, and every action so far with its outcome."""

    kind: str
    edition: Edition
    players: int

    def __init__(
        self,
        names: Sequence[str] | None,
        chance: Chance,
        start: str | None,
        state: np.ndarray[Any, Any],
        buffer: np.ndarray[Any, np.dtype[np.int64]],
    ) -> None:
        self.names = check_names(names, self.players)
        self.chance = chance
        self.start = start
        self.tags: dict[str, str] = {"Commitment": chance.commitment}
        self.turns: list[tuple[int, list[str]]] = []
        self._state, self._buffer = state, buffer
        self._hidden = False

    @property
    def seat(self) -> int:
        """Whose turn it is, from 1."""
        return int(self._state[0]["seat"]) + 1

    @property
    def turn(self) -> int:
        """The running number of the turn."""
        return int(self._state[0]["turn"])

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

    @abstractmethod
    def __str__(self) -> str:
        """The position, everything known."""

    @abstractmethod
    def view(self, seat: int | None) -> str:
        """The position as a seat, or a spectator, may see it."""

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Every legal action once, in the notation's order."""

    @abstractmethod
    def play(self, action: str) -> str:
        """Play an action, given with or without its outcome, and tell it as a record does."""

    @abstractmethod
    def setup_tags(self, seat: int | None) -> list[tuple[str, str]]:
        """The record's tags that describe the start, for a seat's eyes or, with None, everything."""

    @abstractmethod
    def shown(self, token: str, actor: int, seat: int) -> str:
        """An action of the record as a seat may see it."""

    @abstractmethod
    def proves(self, chance: Chance) -> str | None:
        """What in this game does not follow from the seed, if anything."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str, chance: Chance) -> Self:
        """A game that begins from a position."""

    @abstractmethod
    def play_out(self, firsts: int, rng: Words) -> int:
        """Play to the end with compiled players; how many actions that took."""

    @abstractmethod
    def perft(self, depth: int) -> int:
        """How many sequences of so many actions there are."""

    def copy(self) -> Self:
        """The same game, to be played on apart from this one."""
        twin = self.twin()
        twin.turns = [(turn, list(tokens)) for turn, tokens in self.turns]
        return twin

    def twin(self) -> Self:
        """The same position to try an action on; its record is this one's."""
        twin = copy(self)
        twin._state, twin._buffer, twin.tags = self._state.copy(), self._buffer.copy(), dict(self.tags)
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @property
    def result(self) -> str:
        """The record's Result tag."""
        return "*" if not self.over else "/".join(map(str, self.winners)) or "="

    def record(self, seat: int | None = None) -> str:
        """The whole game as text, nothing hidden; or for a seat's eyes; or, with 0, for a spectator's."""
        if seat:
            self.check_seat(seat)
        tags = [("Game", self.kind), ("Edition", str(self.edition)), ("Seats", "/".join(self.names))]
        tags += [*self.setup_tags(seat), ("Result", self.result), *self.tags.items()]
        if self.over and self.tags.get("Commitment") == self.chance.commitment and "Seed" not in self.tags:
            tags.append(("Seed", self.chance.seed.hex()))
        lines = [f'[{name} "{value}"]' for name, value in tags] + [""]
        for (turn, tokens), actor in zip(self.turns, self.actors(), strict=True):
            seen = tokens if seat is None else [self.shown(token, actor, seat) for token in tokens]
            lines.append(f"{turn}. {' '.join(seen)}")
        return "\n".join([*lines, "", ""])

    def actors(self) -> Iterable[int]:
        """The seat of every recorded turn."""
        if not self.turns:
            return
        # Seats follow each other, so the last recorded turn tells all the others.
        last = self.seat if self.turns[-1][0] == self.turn else (self.seat - 2) % self.players + 1
        for turn, _ in self.turns:
            yield (last - 1 - (self.turns[-1][0] - turn)) % self.players + 1

    def note(self, turn: int, token: str) -> None:
        """Write an action into the record."""
        if not self.turns or self.turns[-1][0] != turn:
            self.turns.append((turn, []))
        self.turns[-1][1].append(token)

    def lot(self, given: Any, drawn: Any) -> Any:
        """What chance brings, or what was given in its place; a game that leaves its seed claims it no more."""
        if given is not None and given != drawn:
            self.forswear()
            return given
        if self.tags.get("Commitment") != self.chance.commitment:
            self.forswear()
        return drawn

    def forswear(self) -> None:
        """Drop the claim that the game follows from a seed."""
        self.tags.pop("Commitment", None)
        self.tags.pop("Seed", None)

    def replay(self, turns: Iterable[tuple[int, list[str]]]) -> None:
        """Play recorded turns, each action told whole; the first that is wrong is named with its turn."""
        tags = dict(self.tags)
        for number, tokens in turns:
            begun = bool(self.turns) and self.turns[-1][0] == number
            if number != self.turn or self.over or begun:
                what = f"turn {self.turn} comes here" if not begun else "this turn has a line already"
                what = f"the game is over ({self.result})" if self.over else what
                raise Invalid(f"turn {number}: {what}")
            for token in tokens:
                if self.turn != number:
                    raise Illegal(f"turn {number}, {token}: the turn was over before this action")
                try:
                    told = self.play_recorded(token)
                except ValueError as fault:
                    raise type(fault)(f"turn {number}, {fault}") from None
                if told != token:
                    raise Illegal(f"turn {number}, {token}: the record should have {told} here, in {self}")
        self.tags = tags

    def play_recorded(self, token: str) -> str:
        """Play an action of a record, which may hide from its reader what was drawn."""
        return self.play(token)

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that is not there."""
        if not 1 <= seat <= self.players:
            raise Invalid(f"seat {seat}: this game has seats 1 to {self.players}")


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
