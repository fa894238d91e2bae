"""Both games with chance as a player of its own: every card and every die is an outcome, drawn when it is needed.

A table is the kernel's record, what chance still owes, and a log of what happened. No card of the face-down pile is
settled before it comes up: the record's pile holds unknown cards, and an action that brings some up waits until chance
has named them, one at a time. How many those are, and what comes of them, the kernel says.

Actions go by the numbers of `features`; an outcome is the number of a segment and its way round, of a symbol, or of a
die's side. A reader is a seat from 0, None for one who sees only what all see, EVERYONE for one who sees it all.
"""

from abc import ABC, abstractmethod
from array import array
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from types import ModuleType
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from escapade.game import Edition, Game, Illegal
from escapade.rng import Words, next_random

States: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Reals: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Outcomes: TypeAlias = list[tuple[int, float]]
Shapes: TypeAlias = list[tuple[str, tuple[int, ...]]]

CHANCE, OVER = -1, -4  # who acts, where it is no seat: as OpenSpiel numbers them
NOTHING = -1
EVERYONE = -1  # the reader who sees it all
ACTOR = 48  # a line of the log is a move with what chance added to it, and from this bit on the seat
LINE = (1 << ACTOR) - 1


class Setting(NamedTuple):
    """What does not change while a game is played."""

    edition: Edition
    rules: Any
    players: int
    tunnel: str = "printed"  # of Cartagena: a tunnel's text where chance does not lay it


class Table(ABC):
    """A game in progress, its luck drawn one outcome at a time."""

    features: ModuleType
    hidden = False  # whether there are hands that others do not see
    most_actions: int  # of a whole game
    most_outcomes: int

    def __init__(self, setting: Setting, states: States) -> None:
        self.setting, self.states = setting, states
        self.mover = CHANCE
        self.past = 0  # actions and outcomes so far
        self.number = NOTHING  # of the action that waits for chance,
        self.due = 0  # for how many outcomes it waits,
        self.coming: tuple[int, ...] = ()  # and those that have come
        self.log = array("q")
        self.memories: dict[int | None, tuple[int, str]] = {}
        self.forget()

    def forget(self) -> None:
        """Drop what was found out about this position."""
        self.choices: list[int] | None = None
        self.shown: Game | None = None
        self.views: dict[int | None, str] = {}
        self.words: dict[int, list[str]] = {}  # each line of the log as a seat has seen it
        self.steps: list[str] = []  # the history as OpenSpiel writes it

    def copy(self) -> Self:
        """The same game, to be played on apart from this one."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        # NumPy copies a record field by field, its bytes at once.
        twin.states = self.states.view(np.uint8).copy().view(self.states.dtype, type(self.states))
        twin.log, twin.memories = self.log[:], self.memories.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        bare = self.copy()
        bare.forget()
        return bare.__dict__

    def legal(self) -> list[int]:
        """The numbers of the legal actions."""
        if self.choices is None:
            mask = np.empty(self.features.count(self.setting.rules), np.bool_)
            self.features.mark_in(self.states, self.setting.rules, mask)
            self.choices = np.flatnonzero(mask).tolist()
        return self.choices

    def play(self, number: int) -> None:
        """Take an action or an outcome, whichever is next."""
        if self.mover == CHANCE:
            if number not in dict(self.outcomes()):
                raise Illegal(f"{number} is none of the outcomes {self.outcomes()}, in {self}")
            self.fall(number)
        else:
            if self.mover == OVER or number not in self.legal():
                raise Illegal(f"{number} is none of the legal actions {self.legal()}, in {self}")
            self.act(number)
        self.past += 1
        self.forget()

    def settle(self, rng: Words) -> None:
        """Draw all outcomes that are due."""
        while self.mover == CHANCE:
            outcomes = self.outcomes()
            sums = list(accumulate(chance for _, chance in outcomes))
            place = bisect(sums, int(next_random(rng)) / 2**64)
            self.play(outcomes[min(place, len(outcomes) - 1)][0])

    def wait(self, number: int, due: int) -> None:
        """Let chance decide so many outcomes before an action is done."""
        self.number, self.due, self.mover = number, due, CHANCE

    def done(self, actor: int, line: int, mover: int) -> None:
        """Note what a seat has done, and whose turn it is then."""
        self.log.append(line | actor << ACTOR)
        self.number, self.due, self.coming, self.mover = NOTHING, 0, (), mover

    def story(self, reader: int | None) -> str:
        """All that was done as a reader has seen it; only what is new is put into words."""
        lines, text = self.memories.get(reader, (0, ""))
        if lines < len(self.log):
            text += "".join([self.word(line, reader) for line in self.log[lines:]])
            self.memories[reader] = len(self.log), text
        return text

    def twin(self) -> Self:
        """A copy to change in secret; what every seat has seen is put into words once, not in each twin."""
        for seat in range(self.setting.players):
            self.story(seat)
        twin = self.copy()
        twin.forget()
        return twin

    def retell(self, twin: Self, seat: int, changes: Mapping[int, int]) -> None:
        """Change lines of a twin's log that only one seat can read."""
        if seat not in self.words:
            self.words[seat] = [self.word(line, seat) for line in self.log]
        words = self.words[seat].copy()
        for at, line in changes.items():
            twin.log[at] = line
            words[at] = self.word(line, seat)
        twin.memories[seat] = len(words), "".join(words)

    def rewards(self) -> list[float]:
        """What the end of the game is worth to each seat."""
        shares = np.zeros(self.setting.players)
        if self.mover == OVER:
            self.add_shares(shares)
        return rewards(shares)

    def observe(self, reader: int, out: Reals) -> None:
        """Write what a seat sees now."""
        row = np.empty(len(out), np.int8)
        self.features.observe_in(self.states, self.setting.rules, self.hidden, reader, row)
        out[:] = row

    def shapes(self) -> Shapes:
        """The pieces of the tensor of all that a seat has seen."""
        rules, players = self.setting.rules, self.setting.players
        return [("reader", (players,)), ("observation", (self.features.length(rules, players),)), *self.own_shapes()]

    def write(self, reader: int, pieces: Mapping[str, Reals]) -> None:
        """Write all that a seat has seen into the pieces of a tensor, which are all zero."""
        pieces["reader"][reader] = 1
        self.observe(reader, pieces["observation"])
        self.write_own(reader, pieces)

    def view(self, reader: int | None) -> str:
        """What a reader sees now, as text."""
        if reader not in self.views:
            game = self.look()
            shown = game.view(None if reader is None else reader + 1) if game else self.memory(reader)
            self.views[reader] = shown + self.waiting(reader)
        return self.views[reader]

    def __str__(self) -> str:
        if EVERYONE not in self.views:
            game = self.look()
            self.views[EVERYONE] = str(game) + self.waiting(EVERYONE) if game else self.memory(EVERYONE)
        return self.views[EVERYONE]

    def look(self) -> Game | None:
        """The position to look at; none before it is set up."""
        if self.shown is None:
            self.shown = self.game()
        return self.shown

    @abstractmethod
    def act(self, number: int) -> None:
        """Take an action of the seat to act."""

    @abstractmethod
    def fall(self, outcome: int) -> None:
        """Take what chance brings."""

    @abstractmethod
    def outcomes(self) -> Outcomes:
        """What chance can bring, with probabilities."""

    @abstractmethod
    def action_text(self, number: int) -> str:
        """An action as the notation writes it."""

    @abstractmethod
    def outcome_text(self, outcome: int) -> str:
        """What chance brings, as text."""

    @abstractmethod
    def word(self, line: int, reader: int | None) -> str:
        """A line of the log as a reader has seen it, after a blank."""

    @abstractmethod
    def waiting(self, reader: int | None) -> str:
        """The action that waits for chance, and what a reader has seen come of it, after a blank."""

    @abstractmethod
    def memory(self, reader: int | None) -> str:
        """All that a reader has seen, as text."""

    @abstractmethod
    def private(self, reader: int) -> str:
        """What only this seat sees now."""

    @abstractmethod
    def game(self) -> Game | None:
        """The position in a game of its own, if it is set up."""

    @abstractmethod
    def own_shapes(self) -> Shapes:
        """The pieces of the tensor that this game has."""

    @abstractmethod
    def write_own(self, reader: int, pieces: Mapping[str, Reals]) -> None:
        """Write those pieces."""

    @abstractmethod
    def add_shares(self, shares: Reals) -> None:
        """Add the win of a finished game to its winners' shares."""

    @abstractmethod
    def resampled(self, reader: int, uniform: Callable[[], float]) -> tuple[Self, dict[int, int]]:
        """A table that a reader cannot tell from this one, and what is different in its history."""

    @abstractmethod
    def play_on(self, games: int, greedy: bool, rng: Words, shares: Reals) -> None:
        """Play to the end so many times, where no outcome is due, and add up the shares of the won games."""


def rewards(shares: Reals, games: int = 1) -> list[float]:
    """Shares of won games as rewards that add up to nothing: 1 for a winner, divided where there are several."""
    seats, decided = len(shares), float(shares.sum())
    return [(seats * share - decided) / (seats - 1) / games for share in shares.tolist()]


def named(reader: int | None) -> str:
    """Whose eyes see it, as text."""
    return "nobody" if reader is None else "everyone" if reader == EVERYONE else f"seat {reader + 1}"


def lottery(counts: Sequence[int]) -> Outcomes:
    """Outcomes that are there so often each."""
    total = sum(counts)
    return [(outcome, count / total) for outcome, count in enumerate(counts) if count]
