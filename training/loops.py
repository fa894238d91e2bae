"""What self-play does with many games side by side, compiled for processors and, where there is one, for a GPU.

Each piece of work is written once, for one game or one row; a row is an action that a game's seat could take.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from escapade.batch import generic, of_kind, table_of
from escapade.compiled import compiled
from escapade.games import Kind
from escapade.rng import next_random
from escapade.sets import U

Array = np.ndarray[Any, Any]

options = of_kind("inputs", "options")
attempt = of_kind("inputs", "attempt")
describe = of_kind("inputs", "describe")
share = of_kind("inputs", "share")
note = of_kind("inputs", "note")
action_of = of_kind("features", "action_of")

BLOCK = 128


@generic
def count_one(tables: Array, rules: Any, counts: Array, game: int) -> None:
    """How many rows a game has."""
    counts[game] = options(tables[game].state, rules)


@generic
def attempt_one(
    notes: Array, table: Any, rules: Any, hidden: bool, owner: Array, first: Array, words: Array, numbers: Array,
    shares: Array, row: int,
) -> None:  # fmt: skip
    """Write what a row's action leads to, as the seat that takes it foresees it; `table` is a copy to try it on."""
    game = owner[row]
    me = table.state.seat
    numbers[row] = attempt(table.state, rules, table.choices, row - first[game])
    shares[row] = share(table.state, rules, me)
    describe(table.state, notes[game], rules, hidden, hidden, me, words[row])


@generic
def choose_one(
    tables: Array, first: Array, counts: Array, chances: Array, shares: Array, numbers: Array, heats: Array,
    rows: Array, actions: Array, game: int,
) -> None:  # fmt: skip
    """Choose the best row of a game, by chances that Gumbel's noise of some heat is added to."""
    luck, best, most, heat = tables[game].choices, first[game], -1e9, heats[game]
    for row in range(first[game], first[game] + counts[game]):
        value = 2 * shares[row] if shares[row] >= 0 else chances[row, 0]
        if heat > 0:
            uniform = (float(next_random(luck) >> U(40)) + 0.5) / 16777216.0
            value -= heat * math.log(-math.log(uniform))
        if value > most:
            best, most = row, value
    rows[game], actions[game] = best, numbers[best]


@generic
def describe_one(
    tables: Array, notes: Array, rules: Any, hidden: bool, readers: Array, words: Array, game: int
) -> None:
    """Write what one of the seats sees now."""
    describe(tables[game].state, notes[game], rules, hidden, hidden, readers[game], words[game])


@generic
def note_one(tables: Array, notes: Array, rules: Any, actions: Array, game: int) -> None:
    """Note what the action that is about to be played tells everyone."""
    note(tables[game].state, notes[game], rules, action_of(rules, actions[game]))


@generic
def returns_one(
    seats: Array, readers: Array, ended: Array, won: Array, chances: Array, blend: float, later: Array, near: Array,
    known: Array, targets: Array, others: Array, game: int,
) -> None:  # fmt: skip
    """Write what each row of a game should have been judged, from the end backwards: TD(λ), with λ = `blend`.

    Every seat has a chain of the positions that its own actions led to: `near` has its judgement of the next one and
    `later` what that should have been, both with the reader's chance first. `targets` are for those positions,
    `others` for what the seat in `readers` saw after the action. Where a chain has no next position, they are zeros.
    An outcome behind those of the seats is nobody's win.
    """
    players, outcomes = near.shape[1], won.shape[2]
    for seat in range(players):
        known[game, seat] = False
    for step in range(len(seats) - 1, -1, -1):
        reader = readers[step, game]
        for k in range(outcomes):
            value = (1 - blend) * near[game, reader, k] + blend * later[game, reader, k]
            others[step, game, k] = value if known[game, reader] else 0.0
        if ended[step, game]:
            for seat in range(players):
                known[game, seat] = True
                for k in range(outcomes):
                    whose = (seat + k) % players if k < players else k
                    later[game, seat, k] = near[game, seat, k] = won[step, game, whose]
        seat = seats[step, game]
        for k in range(outcomes):
            value = (1 - blend) * near[game, seat, k] + blend * later[game, seat, k]
            targets[step, game, k] = value if known[game, seat] else 0.0
            near[game, seat, k] = chances[step, game, k]
            later[game, seat, k] = value if known[game, seat] else chances[step, game, k]
        known[game, seat] = True


@cache
def loops_for(kind: Kind, gpu: bool) -> Any:
    """The loops for a kind of game, compiled once."""
    return OnDevice(kind) if gpu else OnProcessor(kind)


class OnProcessor:
    """The loops on one core."""

    def __init__(self, kind: Kind) -> None:
        table = np.zeros(1, table_of(kind.kernel))

        @compiled
        def count(tables: Array, rules: Any, counts: Array) -> None:
            for game in range(len(tables)):
                count_one(tables, rules, counts, game)

        @compiled
        def attempts(
            scratch: Array, tables: Array, notes: Array, rules: Any, hidden: bool, owner: Array, first: Array,
            words: Array, numbers: Array, shares: Array,
        ) -> None:  # fmt: skip
            for row in range(len(owner)):
                scratch[0] = tables[owner[row]]
                attempt_one(notes, scratch[0], rules, hidden, owner, first, words, numbers, shares, row)

        @compiled
        def choose(
            tables: Array, first: Array, counts: Array, chances: Array, shares: Array, numbers: Array, heats: Array,
            rows: Array, actions: Array,
        ) -> None:  # fmt: skip
            for game in range(len(tables)):
                choose_one(tables, first, counts, chances, shares, numbers, heats, rows, actions, game)

        @compiled
        def describe_all(tables: Array, notes: Array, rules: Any, hidden: bool, readers: Array, words: Array) -> None:
            for game in range(len(tables)):
                describe_one(tables, notes, rules, hidden, readers, words, game)

        @compiled
        def note_all(tables: Array, notes: Array, rules: Any, actions: Array) -> None:
            for game in range(len(tables)):
                note_one(tables, notes, rules, actions, game)

        @compiled
        def returns(
            seats: Array, readers: Array, ended: Array, won: Array, chances: Array, blend: float, later: Array,
            near: Array, known: Array, targets: Array, others: Array,
        ) -> None:  # fmt: skip
            for game in range(seats.shape[1]):
                returns_one(
                    seats, readers, ended, won, chances, blend, later, near, known, targets, others, game
                )  # fmt: skip

        self.count, self.choose, self.describe, self.returns = count, choose, describe_all, returns
        self.attempt, self.note = lambda *arguments: attempts(table, *arguments), note_all


class OnDevice:
    """The loops on a GPU, a thread for each game or row."""

    def __init__(self, kind: Kind) -> None:
        from numba import cuda as module

        cuda: Any = module
        on_device: Callable[[Callable[..., Any]], Any] = cuda.jit
        record = numba.from_dtype(table_of(kind.kernel))

        @on_device
        def count(tables: Array, rules: Any, counts: Array) -> None:
            game = cuda.grid(1)
            if game < len(tables):
                count_one(tables, rules, counts, game)

        @on_device
        def attempts(
            tables: Array, notes: Array, rules: Any, hidden: bool, owner: Array, first: Array, words: Array,
            numbers: Array, shares: Array,
        ) -> None:  # fmt: skip
            row = cuda.grid(1)
            if row < len(owner):
                scratch = cuda.local.array(1, record)
                scratch[0] = tables[owner[row]]
                attempt_one(notes, scratch[0], rules, hidden, owner, first, words, numbers, shares, row)

        @on_device
        def choose(
            tables: Array, first: Array, counts: Array, chances: Array, shares: Array, numbers: Array, heats: Array,
            rows: Array, actions: Array,
        ) -> None:  # fmt: skip
            game = cuda.grid(1)
            if game < len(tables):
                choose_one(tables, first, counts, chances, shares, numbers, heats, rows, actions, game)

        @on_device
        def describe_all(tables: Array, notes: Array, rules: Any, hidden: bool, readers: Array, words: Array) -> None:
            game = cuda.grid(1)
            if game < len(tables):
                describe_one(tables, notes, rules, hidden, readers, words, game)

        @on_device
        def note_all(tables: Array, notes: Array, rules: Any, actions: Array) -> None:
            game = cuda.grid(1)
            if game < len(tables):
                note_one(tables, notes, rules, actions, game)

        @on_device
        def returns(
            seats: Array, readers: Array, ended: Array, won: Array, chances: Array, blend: float, later: Array,
            near: Array, known: Array, targets: Array, others: Array,
        ) -> None:  # fmt: skip
            game = cuda.grid(1)
            if game < seats.shape[1]:
                returns_one(
                    seats, readers, ended, won, chances, blend, later, near, known, targets, others, game
                )  # fmt: skip

        def launched(kernel: Any, measure: Any) -> Any:
            def launch(*arguments: Any) -> None:
                threads = measure(arguments)
                kernel[-(-threads // BLOCK), BLOCK](*arguments)

            return launch

        self.count = launched(count, lambda some: len(some[0]))
        self.attempt = launched(attempts, lambda some: len(some[4]))
        self.choose = launched(choose, lambda some: len(some[0]))
        self.describe = launched(describe_all, lambda some: len(some[0]))
        self.note = launched(note_all, lambda some: len(some[0]))
        self.returns = launched(returns, lambda some: some[0].shape[1])
