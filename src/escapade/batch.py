"""Thousands of games at once in compiled code, each begun anew when it is over: step, mask, observe, on all cores.

Everything is written into arrays that the caller keeps, so a step allocates nothing. What is done with one game, as in
`start`, `choose`, `advance` and `show`, is written once for every kind of game and for both machines: here are the
loops for processors, in cuda.py those for a GPU.
"""

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias
from weakref import finalize

import numpy as np
from numba.extending import overload

from escapade.compiled import JIT, compiled, compiled_for, records
from escapade.counters import add, lower
from escapade.game import BROKEN_OFF, ENDED, GOES_ON, Edition, Field, Game, Illegal, Invalid
from escapade.games import Kind, kind_of, kinds, options_for, parse
from escapade.nets import FIRST, SECOND, Net, Sheet, begin, follow, judge
from escapade.rng import Words, seed_rng
from escapade.sets import ZERO, U, bit, signed, size
from escapade.simulate import limited

Rules = Any  # of any kind of game
Array = np.ndarray[Any, Any]
Task: TypeAlias = tuple[Callable[..., None], tuple[Any, ...]]

ILLEGAL = -1
CHOICES = 1 << 40  # the first stream of choices made at random; those below are the games' own luck
PLAYED = ("decisions", "turns", "winners as a set of seats", "the last random word")

# What threads share of a piece of work: the next game to take, chunks done, threads that play, and the first fault.
TAKEN, DONE, THREADS, FAULT = 0, 1, 2, 3
CHUNK = 64  # games taken at a time


class Table(Protocol):
    """A game, its own luck, and the luck of choices made at random in it."""

    state: Any
    luck: Words
    choices: Words


def table_of(kernel: ModuleType) -> np.dtype[np.void]:
    """The fields of a table."""
    words = np.uint64, (2,)
    return np.dtype([("state", kernel.STATE), ("luck", *words), ("choices", *words)], align=True)


def of_kind(part: str, name: str) -> Any:
    """One name for a function that every kind of game has; the type of the rules it gets decides whose is called."""

    def chosen(*arguments: Any) -> Any:
        return pick({type(one) for one in arguments})(*arguments)

    def pick(types: set[Any]) -> Any:
        kind = next(kind for kind in kinds().values() if kind.kernel.Rules in types)
        return getattr(getattr(kind, part), name)

    @overload(chosen, target="generic")
    def _chosen(*arguments: Any) -> Any:
        function = pick({getattr(one, "instance_class", None) for one in arguments})  # of a named tuple's type

        def impl(*arguments: Any) -> Any:
            return function(*arguments)

        return impl

    return chosen


random_setup = of_kind("kernel", "random_setup")
legal = of_kind("kernel", "legal")
act = of_kind("kernel", "act")
any_action = of_kind("kernel", "any_action")
finish = of_kind("kernel", "finish")
count = of_kind("features", "count")
number_of = of_kind("features", "number_of")
action_of = of_kind("features", "action_of")
mark = of_kind("features", "mark")
observe = of_kind("features", "observe")
ending = of_kind("features", "ending")
winners = of_kind("features", "winners")
options = of_kind("inputs", "options")
attempt = of_kind("inputs", "attempt")
describe = of_kind("inputs", "describe")
share_of = of_kind("inputs", "share")
note = of_kind("inputs", "note")


def generic(function: Callable[..., Any]) -> Any:
    """Compile into loops over games of any kind; only the loops are cached."""
    return compiled_for(__name__, function, cached=False, _nrt=False, forceinline=True)


def apart(function: Callable[..., Any]) -> Any:
    """Compile for such loops what is seldom needed, so that it takes no room in them."""
    return compiled_for(__name__, function, cached=False, _nrt=False)


class Loop:
    """A compiled loop over games, one for each kind, cached with that kind's package.

    It makes no arrays, so references are not counted, which would cost loops over rows of arrays a third more.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.made: dict[str, Any] = {}

    def of(self, kind: Kind) -> Any:
        """The loop for a kind of game."""
        if kind.name not in self.made:
            self.made[kind.name] = compiled_for(kind.kernel.__name__, self.function, _nrt=False)
        return self.made[kind.name]


class Box(NamedTuple):
    """What games of an edition are made of."""

    kind: Kind
    edition: Edition
    rules: Any
    players: int
    hidden: bool

    @property
    def kernel(self) -> ModuleType:
        """The rules, compiled."""
        return self.kind.kernel

    @property
    def features(self) -> ModuleType:
        """A view as arrays."""
        return self.kind.features


def open_box(text: str, players: int, **options: Any) -> Box:
    """The box of an edition, with the turn limit of simulations unless its text has one."""
    kind = kind_of(text)
    edition = kind.edition(limited(text))
    kind.check_players(players, text)
    rules = kind.game.rules_of(edition, **options_for(kind, text, options))
    return Box(kind, edition, rules, players, kind.game.hides(edition))


def layouts() -> dict[str, int]:
    """The version of each kind's observations."""
    return {name: kind.features.VERSION for name, kind in kinds().items()}


@generic
def start(table: Table, rules: Rules, players: int, seed: int, game: int) -> None:
    """Begin the game of a number."""
    seed_rng(table.luck, seed, game)
    seed_rng(table.choices, seed, CHOICES + game)
    random_setup(table.state, rules, players, table.luck)


@generic
def clear(players: int, rewards: Array, terminated: Array, truncated: Array, game: int) -> None:
    """Write that this game has not ended."""
    terminated[game] = truncated[game] = False
    for seat in range(players):
        rewards[game, seat] = 0


@generic
def pay(winning: U, players: int, rewards: Array, game: int) -> None:
    """Write what each seat gets for a game: winners share what the others lose, and a drawn game is worth nothing."""
    for seat in range(players):
        share = 1 / size(winning) if winning & bit(seat) != ZERO else 0.0
        rewards[game, seat] = (players * share - 1) / (players - 1) if winning != ZERO else 0.0


@generic
def choose(table: Table, rules: Rules) -> int:
    """The number of a legal action, each as likely as the others."""
    return number_of(rules, any_action(table.state, rules, table.choices))


@apart
def show_last(table: Table, rules: Rules, hidden: bool, finals: Array, game: int) -> None:
    """Write what every seat sees of a game that is over, if there is an array for it."""
    if len(finals) > 0:
        for seat in range(signed(table.state.players)):
            finals[game, seat] = 0
            observe(table.state, rules, hidden, seat, finals[game, seat])


@generic
def advance(
    table: Table, rules: Rules, hidden: bool, number: int, rewards: Array, finals: Array, game: int
) -> int:  # fmt: skip
    """Play the action of a number; if that ends the game, pay the seats and begin the next. How the game stood then.

    A number that is not legal changes nothing.
    """
    for seat in range(table.state.players):
        rewards[game, seat] = 0
    if number < 0 or number >= count(rules):
        return ILLEGAL
    s, action = table.state, action_of(rules, number)
    if not legal(s, rules, action):
        return ILLEGAL
    act(s, rules, action, table.luck)
    how = ending(s, rules)
    if how != GOES_ON:
        pay(winners(s, rules), s.players, rewards, game)
        show_last(table, rules, hidden, finals, game)
        random_setup(s, rules, s.players, table.luck)
    return how


@generic
def wipe(masks: Array, observations: Array, game: int) -> None:
    """Zero the rows of a game, as `show` expects them."""
    if len(masks) > 0:
        masks[game] = False
    if len(observations) > 0:
        observations[game] = 0


@generic
def show(
    table: Table, rules: Rules, hidden: bool, reader: int, masks: Array, observations: Array, game: int
) -> None:  # fmt: skip
    """Write the legal numbers and what a reader sees, for each of the two that there is an array for."""
    if len(masks) > 0:
        mark(table.state, rules, masks[game])
    if len(observations) > 0:
        observe(table.state, rules, hidden, reader, observations[game])


@generic
def play(table: Table, rules: Rules, players: int, seed: int, game: int, played: Array, row: int) -> None:
    """Play the game of a number at random to its end."""
    start(table, rules, players, seed, game)
    write_played(table, rules, finish(table.state, rules, table.luck), played, row)


@generic
def write_played(table: Table, rules: Rules, decisions: int, played: Array, row: int) -> None:
    """Write the row PLAYED of a game that is over."""
    played[row, 0] = decisions
    played[row, 1] = min(table.state.turn, rules.turn_limit)
    played[row, 2] = signed(winners(table.state, rules))
    played[row, 3] = signed(table.luck[0] ^ table.luck[1])


@Loop
def play_some(tables: Array, rules: Rules, players: int, seed: int, first: int, played: Array, share: Array) -> None:
    """Play some of the games at random to their ends, one after another on the same table."""
    table = tables[add(share, THREADS, 1)]
    row = add(share, TAKEN, CHUNK)
    while row < len(played):
        for here in range(row, min(row + CHUNK, len(played))):
            play(table, rules, players, seed, first + here, played, here)
        add(share, DONE, 1)
        row = add(share, TAKEN, CHUNK)


@Loop
def start_games(
    tables: Array, rules: Rules, players: int, seed: int, rewards: Array, terminated: Array, truncated: Array,
    share: Array,
) -> None:  # fmt: skip
    """Begin some of the games."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            start(tables[game], rules, players, seed, game)
            clear(players, rewards, terminated, truncated, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@Loop
def show_games(
    tables: Array, rules: Rules, hidden: bool, seats: Array, readers: Array, masks: Array, observations: Array,
    share: Array,
) -> None:  # fmt: skip
    """Write who is to act in some of the games, what they may do, and what the readers, perhaps the same, see."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            wipe(masks, observations, game)
            seats[game] = tables[game].state.seat
            show(tables[game], rules, hidden, signed(readers[game]), masks, observations, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@Loop
def choose_actions(tables: Array, rules: Rules, numbers: Array, share: Array) -> None:
    """Choose in some of the games at random."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            numbers[game] = choose(tables[game], rules)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@generic
def step_game(
    tables: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, finals: Array, masks: Array, observations: Array, game: int,
) -> bool:  # fmt: skip
    """Step a game and write the result; whether its number was legal."""
    table = tables[game]
    how = advance(table, rules, hidden, numbers[game], rewards, finals, game)
    seats[game] = table.state.seat
    terminated[game] = how == ENDED
    truncated[game] = how == BROKEN_OFF
    show(table, rules, hidden, table.state.seat, masks, observations, game)
    return how != ILLEGAL


@Loop
def step_games(
    tables: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, finals: Array, masks: Array, observations: Array, share: Array,
) -> None:  # fmt: skip
    """Step some of the games."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            wipe(masks, observations, game)
            if not step_game(
                tables, rules, hidden, numbers, seats, rewards, terminated, truncated, finals, masks, observations, game
            ):
                lower(share, FAULT, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@generic
def forget(notes: Array, game: int) -> None:
    """Clear the notes of a game."""
    for k in range(notes.shape[1]):
        notes[game, k] = 0


@generic
def note_game(table: Table, notes: Array, rules: Rules, number: int, game: int) -> None:
    """Note what the action of a number, if it is legal, tells everyone."""
    if 0 <= number < count(rules):
        action = action_of(rules, number)
        if legal(table.state, rules, action):
            note(table.state, notes[game], rules, action)


@Loop
def step_and_note_games(
    tables: Array, notes: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, finals: Array, masks: Array, observations: Array, share: Array,
) -> None:  # fmt: skip
    """Step some of the games, and note what a network is told of their course."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            wipe(masks, observations, game)
            note_game(tables[game], notes, rules, numbers[game], game)
            if not step_game(
                tables, rules, hidden, numbers, seats, rewards, terminated, truncated, finals, masks, observations, game
            ):
                lower(share, FAULT, game)
            if terminated[game] or truncated[game]:
                forget(notes, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@generic
def branch(
    tables: Array, others: Array, notes: Array, other_notes: Array, sources: Array, seed: int, seats: Array, game: int
) -> None:  # fmt: skip
    """Let a game go on from where another stood; with luck of its own, unless the seed is negative."""
    source = sources[game]
    tables[game] = others[source]
    for k in range(notes.shape[1]):
        notes[game, k] = other_notes[source, k]
    if seed >= 0:
        seed_rng(tables[game].luck, seed, game)
        seed_rng(tables[game].choices, seed, CHOICES + game)
    seats[game] = tables[game].state.seat


@Loop
def branch_games(
    tables: Array, others: Array, notes: Array, other_notes: Array, sources: Array, seed: int, seats: Array,
    players: int, rewards: Array, terminated: Array, truncated: Array, share: Array,
) -> None:  # fmt: skip
    """Let some of the games go on from where others stood."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            branch(tables, others, notes, other_notes, sources, seed, seats, game)
            clear(players, rewards, terminated, truncated, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@generic
def value(
    table: Table, notes: Array, rules: Rules, hidden: bool, reader: int, net: Net, sheet: Sheet, values: Array,
    game: int,
) -> None:  # fmt: skip
    """Write every seat's chance in a game, as the network tells it from what a reader sees."""
    describe(table.state, notes[game], rules, hidden, hidden, reader, sheet.words[0])
    begin(net, sheet.words[0], sheet.sums[0])
    judge(net, sheet.sums[0], sheet)
    players = values.shape[1]
    for k in range(players):
        values[game, (reader + k) % players] = sheet.chances[k]


@generic
def best(
    tables: Array, trials: Array, trial: int, notes: Array, rules: Rules, hidden: bool, net: Net, sheet: Sheet,
    game: int,
) -> int:  # fmt: skip
    """The number of the action that leads to the network's best chance, as its seat foresees it."""
    me, choice, most = signed(tables[game].state.seat), -1, -1.0
    describe(tables[game].state, notes[game], rules, hidden, hidden, me, sheet.words[0])
    begin(net, sheet.words[0], sheet.sums[0])
    for k in range(options(tables[game].state, rules)):
        trials[trial] = tables[game]
        s = trials[trial].state
        number = attempt(s, rules, trials[trial].choices, k)
        chance = 2 * share_of(s, rules, me)  # more than any chance, or less where the game goes on
        if chance < 0:
            describe(s, notes[game], rules, hidden, hidden, me, sheet.words[1])
            follow(net, sheet.words[0], sheet.words[1], sheet.sums[0], sheet.sums[1])
            judge(net, sheet.sums[1], sheet)
            chance = float(sheet.chances[0])
        if chance > most:
            choice, most = number, chance
    return choice


@generic
def own_sheet(sheets: Sheet, thread: int) -> Sheet:
    """The working memory of a thread."""
    return Sheet(
        sheets.words[thread], sheets.sums[thread], sheets.positive[thread], sheets.units[thread], sheets.chances[thread]
    )


@Loop
def value_games(
    tables: Array, notes: Array, rules: Rules, hidden: bool, readers: Array, values: Array, net: Net, sheets: Sheet,
    trials: Array, share: Array,
) -> None:  # fmt: skip
    """Value some of the games."""
    sheet = own_sheet(sheets, add(share, THREADS, 1))
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            value(tables[game], notes, rules, hidden, signed(readers[game]), net, sheet, values, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@Loop
def choose_best_actions(
    tables: Array, notes: Array, rules: Rules, hidden: bool, numbers: Array, net: Net, sheets: Sheet, trials: Array,
    share: Array,
) -> None:  # fmt: skip
    """Choose in some of the games as the network would."""
    thread = add(share, THREADS, 1)
    sheet = own_sheet(sheets, thread)
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            numbers[game] = best(tables, trials, thread, notes, rules, hidden, net, sheet, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@compiled
def await_chunks(share: Array, chunks: int) -> None:
    """Wait in a busy loop until all chunks are done."""
    while add(share, DONE, 0) < chunks:
        pass


class Batch:
    """Many games of one edition side by side; where one ends, the next begins in the same step.

    After `reset` and every `step` these arrays have for each game: `seats`, who is to act, from 0; `rewards`, what each
    seat got for the game that has just ended; `terminated` and `truncated`, whether one has, by the rules or the limit.
    Copied or pickled, a batch goes on from there in both.
    With `net` on, a network can be asked for `values` and `best` actions, and what it is told of a game's course is
    noted in every step.
    """

    def __init__(
        self, text: str, players: int, games: int, *, seed: int = 0, threads: int | None = None, net: bool = False,
        **options: Any,
    ) -> None:  # fmt: skip
        self.box, self.games, self.seed = open_box(text, players, **options), check_games(games), check_seed(seed)
        self.numbers = int(self.box.features.count(self.box.rules))
        self.length = int(self.box.features.length(self.box.rules, players))
        self.tables = self._placed(records(table_of(self.box.kernel), games))
        self.seats = self.array((games,), np.int8)
        self.rewards = self.array((games, players), np.float32)
        self.terminated, self.truncated = self.array((games,), np.bool_), self.array((games,), np.bool_)
        self._none = self.array((0, 0), np.bool_), self.array((0, 0), np.int8), self.array((0, 0, 0), np.int8)
        self._crew, self._settings = Crew(threads), {"threads": threads, "net": net, **options}
        self.notes = self._none[1]
        self.net = self._network(text) if net else None
        self.reset()

    def array(self, shape: tuple[int, ...], kind: Any) -> Array:
        """Zeros in the memory that the games are in."""
        return self._placed(np.zeros(shape, kind))

    def masks(self) -> Array:
        """An array to write masks into: for each game and number, whether the action is legal."""
        return self.array((self.games, self.numbers), np.bool_)

    def observations(self) -> Array:
        """An array to write observations into, the parts of `fields` one after another."""
        return self.array((self.games, self.length), np.int8)

    def finals(self) -> Array:
        """An array to write into what every seat sees at the end of a game: its last observation."""
        return self.array((self.games, self.box.players, self.length), np.int8)

    def fields(self) -> list[Field]:
        """The parts of an observation in their order."""
        fields: list[Field] = self.box.features.fields(self.box.rules, self.box.players)
        return fields

    def reset(self, seed: int | None = None, *, masks: Array | None = None, observations: Array | None = None) -> None:
        """Begin all games anew, with another seed if one is given."""
        shown = self._shown(masks, observations)
        self.seed = self.seed if seed is None else check_seed(seed)
        self.do(start_games, self.box.rules, self.box.players, self.seed, self.rewards, self.terminated, self.truncated)
        self.do(show_games, self.box.rules, self.box.hidden, self.seats, self.seats, *shown)
        if self.net:
            self.notes = self._new_notes()

    def show(
        self, *, masks: Array | None = None, observations: Array | None = None, reader: int | Array | None = None
    ) -> None:
        """Write what may be done now, and what the seats to act see; or what a reader does.

        The reader is a seat from 0, or an array with one for every game.
        """
        shown, readers = self._shown(masks, observations), self._readers(reader)
        self.do(show_games, self.box.rules, self.box.hidden, self.seats, readers, *shown)

    def choose(self, actions: Array) -> None:
        """Write the number of a legal action for every game, each as likely as the others."""
        self._check("actions", actions, (self.games,), np.int64, np.int32)
        self.do(choose_actions, self.box.rules, actions)

    def step(
        self, actions: Array, *, masks: Array | None = None, observations: Array | None = None,
        finals: Array | None = None,
    ) -> None:  # fmt: skip
        """Play an action in every game, and write into the caller's arrays what may be done next, and what is seen.

        `finals` gets the last observations of every seat in the games that this ends; the rows of others stay as they
        are. A game that is given an illegal number stays as it is, the others go on, and then Illegal is raised.
        """
        actions = self._taken(actions)
        self._check("actions", actions, (self.games,), np.int64, np.int32)
        if finals is not None:
            self._check("finals", finals, (self.games, self.box.players, self.length), np.int8)
        shown = self._none[2] if finals is None else finals, *self._shown(masks, observations)
        results = self.seats, self.rewards, self.terminated, self.truncated, *shown
        if self.net:
            work = self.notes, self.box.rules, self.box.hidden, actions
            fault = self.do(step_and_note_games, *work, *results)
        else:
            fault = self.do(step_games, self.box.rules, self.box.hidden, actions, *results)
        if fault >= 0:
            raise Illegal(f"game {fault}: {actions[fault]} is not the number of a legal action, in {self.game(fault)}")

    def values(self, values: Array | None = None, *, reader: int | None = None) -> Array:
        """Every seat's chance to win each game, as a network tells it at once from what the seat to act sees.

        With `reader`, a seat from 0, from what that one sees. They are written into `values`, if it is given.
        """
        net, shape = self._asked(), (self.games, self.box.players)
        values = self.array(shape, np.float32) if values is None else values
        self._check("values", values, shape, np.float32)
        work = self.notes, self.box.rules, self.box.hidden, self._readers(reader)
        self.do(value_games, *work, values, net, *self.desks)
        return values

    def best(self, actions: Array) -> None:
        """Write the number of the action that the network likes best for every game: one action is looked ahead."""
        net = self._asked()
        self._check("actions", actions, (self.games,), np.int64, np.int32)
        self.do(choose_best_actions, self.notes, self.box.rules, self.box.hidden, actions, net, *self.desks)

    def game(self, number: int) -> Game:
        """One of the games as it stands, to print, to view, or to play on apart from the others."""
        states = self._fetched(self.tables[self._row(number)])["state"]
        return self.box.kind.game.from_states(self.box.edition, states, self.box.players)

    def load(self, number: int, position: str | Game) -> None:
        """Put a position, as text or as a game, in the place of one of the games, whose own luck it goes on with."""
        game = parse(position) if isinstance(position, str) else position
        rules = game.rules._replace(turn_limit=self.box.rules.turn_limit) if game.kind == self.box.kind.name else None
        if (rules, game.players, game.hides(game.edition)) != (self.box.rules, self.box.players, self.box.hidden):
            raise Invalid(f"{position}: these are games of {self.box.edition} for {self.box.players}, of one length")
        if game.hidden or game.over:
            why = "the game is over" if game.over else "what is unknown in it cannot be played on"
            raise Invalid(f"{position}: {why}")
        saved = self.save(number)
        saved["tables"]["state"][0] = game.states[0]
        saved["seats"][0] = game.seat - 1
        for name in saved.keys() - {"games", "tables", "seats"}:
            saved[name][:] = 0
        self.restore(saved, number)

    def save(self, number: int | None = None) -> dict[str, Array]:
        """All that the games are, or one of them, as arrays that `restore` and `np.savez` take."""
        parts = {name: self._fetched(part[self._row(number)]) for name, part in self._parts().items()}
        return {"games": np.array(self._named()), **parts}

    def restore(self, saved: Mapping[str, Array], number: int | None = None) -> None:
        """Go on from what was saved: with all games, or in the place of one of them with a saved one."""
        if str(saved["games"]) != self._named():
            raise Invalid(f"these are games of {self._named()}; what was saved are games of {saved['games']}")
        rows, parts = self._row(number), self._parts()
        if len(saved["seats"]) != (self.games if number is None else 1) or not saved.keys() >= parts.keys():
            raise Invalid(f"{len(saved['seats'])} saved games, with {', '.join(saved)}, do not fit in here")
        for name, part in parts.items():
            self._store(part, rows, saved[name])

    def branch(self, sources: Array, *, seed: int | None = None) -> None:
        """Let every game go on from where the game of the number in its place of `sources` stands.

        They have the same luck as that, and go the same way if the same is done; with a seed, each has luck of its own.
        """
        sources = self._taken(sources)
        self._check("sources", sources, (self.games,), np.int64, np.int32)
        numbers = self._fetched(sources)
        if not ((numbers >= 0) & (numbers < self.games)).all():
            raise Invalid(f"sources: the games are numbered from 0 to {self.games - 1}")
        luck = -1 if seed is None else check_seed(seed)
        tables = records(table_of(self.box.kernel), self.games)
        tables[:] = self._fetched(self.tables)
        old = self._placed(tables), self.notes, self._placed(self._fetched(self.notes))
        ended = self.box.players, self.rewards, self.terminated, self.truncated
        self.do(branch_games, *old, sources, luck, self.seats, *ended)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        made = str(self.box.edition), self.box.players, self.games
        return remake, (type(self), made, {**self._settings, "seed": self.seed}, self.save())

    def _parts(self) -> dict[str, Array]:
        """The arrays that change from step to step."""
        parts = {name: getattr(self, name) for name in ("tables", "seats", "rewards", "terminated", "truncated")}
        return {**parts, "notes": self.notes} if self.net else parts

    def _named(self) -> str:
        """What these games are, as far as saved ones must be the same."""
        noted = ", with notes for a network" if self.net else ""
        return f"{self.box.edition}, {self.box.players} players, {self.numbers} actions{noted}"

    def _row(self, number: int | None) -> slice:
        """The rows of one game, or of all."""
        if number is None:
            return slice(None)
        if not 0 <= operator.index(number) < self.games:
            raise Invalid(f"game {number}: the games are numbered from 0 to {self.games - 1}")
        return slice(number, number + 1)

    def _readers(self, reader: int | Array | None) -> Array:
        """For every game the seat that reads: the one to act, a seat, or those given."""
        if reader is None:
            return self.seats
        if not isinstance(reader, int | np.integer):
            self._check("reader", reader, (self.games,), np.int8)
            return reader
        if reader not in range(self.box.players):
            raise Invalid(f"the reader {reader} is no seat from 0 to {self.box.players - 1}")
        return self._placed(np.full(self.games, reader, np.int8))

    def _network(self, text: str) -> Net:
        """The network for these games, and room for what is noted and thought."""
        inputs, players, begun = self.box.kind.inputs, self.box.players, records(self.box.kernel.STATE, 1)
        self.box.kernel.random_setup_in(begun, self.box.rules, players, np.zeros(2, np.uint64))
        game = self.box.kind.game.from_states(self.box.edition, begun, players)
        net: Net | None = self.box.kind.bots.net_for(game) if inputs else None
        if inputs is None or net is None:
            raise Invalid(f"{text}: there is no network for {players} players under these rules")
        self.notes, self.desks = self._new_notes(), self._new_desks(inputs.count(players), inputs.outcomes(players))
        return Net._make(self._placed(part) if isinstance(part, np.ndarray) else part for part in net)

    def _new_notes(self) -> Array:
        """Room for what is noted in every game."""
        assert self.box.kind.inputs
        return self.array((self.games, self.box.kind.inputs.NOTES), np.int8)

    def _new_desks(self, words: int, outcomes: int) -> tuple[Any, ...]:
        """Working memory for every thread."""
        threads = self._crew.threads
        sheets = Sheet(
            np.zeros((threads, 2, words), np.uint64),
            np.zeros((threads, 2, FIRST), np.int32),
            np.zeros((threads, FIRST), np.int16),
            np.zeros((threads, SECOND), np.float32),
            np.zeros((threads, outcomes), np.float32),
        )
        return sheets, records(table_of(self.box.kernel), threads)

    def _asked(self) -> Net:
        if self.net is None:
            raise Invalid("no network was asked for when the batch was made: that takes net=True")
        return self.net

    def _placed(self, array: Array) -> Array:
        return array

    def _fetched(self, array: Array) -> Array:
        """A copy in this machine's memory."""
        return array.copy()

    def _store(self, array: Array, rows: slice, values: Array) -> None:
        array[rows] = values

    def _taken(self, array: Any) -> Any:
        """An array of another library that has DLPack, as one of NumPy's."""
        other = not isinstance(array, np.ndarray) and hasattr(array, "__dlpack__")
        return np.array(np.from_dlpack(array)) if other else array

    def _shown(self, masks: Array | None, observations: Array | None) -> tuple[Array, Array]:
        if masks is not None:
            self._check("masks", masks, (self.games, self.numbers), np.bool_)
        if observations is not None:
            self._check("observations", observations, (self.games, self.length), np.int8)
        return self._none[0] if masks is None else masks, self._none[1] if observations is None else observations

    def _check(self, name: str, array: Array, shape: tuple[int, ...], *kinds: type) -> None:
        if not isinstance(array, np.ndarray):
            names = " or ".join(one.__name__ for one in kinds)
            raise Invalid(f"{name}: a {type(array).__name__}; an array of {names}, of shape {shape}, is needed")
        check_array(name, array.shape, array.dtype, array.flags.c_contiguous, shape, kinds)

    def do(self, work: Loop, *arguments: Any) -> int:
        """Run a loop over all games; the first that was given an illegal number, or -1."""
        return self._crew.do(self.games, work.of(self.box.kind), self.tables, *arguments)


def remake(made: type[Batch], box: tuple[Any, ...], settings: dict[str, Any], saved: dict[str, Array]) -> Batch:
    """A batch that was copied or pickled."""
    games = made(*box, **settings)
    games.restore(saved)
    return games


class Crew:
    """Threads that share the work on many games: each takes a chunk of those left until there are none.

    Waking a thread takes as long as a step of a thousand games, so whoever wakes late finds less to do or nothing, and
    the last chunks are waited for in a busy loop.
    """

    def __init__(self, threads: int | None) -> None:
        self.threads = cores() if threads is None else threads
        if self.threads < 1:
            raise Invalid(f"{threads} threads: at least one is needed")
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        helpers = self.threads - 1 if JIT else 0
        for _ in range(helpers):
            Thread(target=work_on, args=(self.tasks,), daemon=True).start()
        finalize(self, stop, self.tasks, helpers)

    def do(self, games: int, work: Callable[..., None], *arguments: Any) -> int:
        """Run a loop over so many games; the first that was given an illegal number, or -1."""
        share, chunks = np.array([0, 0, 0, games]), -(-games // CHUNK)
        for _ in range(min(self.threads, chunks) - 1 if JIT else 0):
            self.tasks.put((work, (*arguments, share)))
        work(*arguments, share)
        await_chunks(share, chunks)
        return int(share[FAULT]) if share[FAULT] < games else -1


def work_on(tasks: "SimpleQueue[Task | None]") -> None:
    """Work on tasks as they come, until told to stop."""
    while task := tasks.get():
        work, arguments = task
        work(*arguments)
        del task, arguments  # so that its arrays can be freed


def stop(tasks: "SimpleQueue[Task | None]", threads: int) -> None:
    """End the threads."""
    for _ in range(threads):
        tasks.put(None)


def play_games(
    text: str, players: int, games: int, *, seed: int = 0, first: int = 0, threads: int | None = None
) -> Array:
    """Play games, from the first number on, at random to their ends: a row of PLAYED for each."""
    box = open_box(text, players)
    crew, played = Crew(threads), np.zeros((check_games(games), len(PLAYED)), np.int64)
    tables = records(table_of(box.kernel), crew.threads)
    crew.do(games, play_some.of(box.kind), tables, box.rules, players, check_seed(seed), first, played)
    return played


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_games(games: int) -> int:
    """Refuse an empty batch."""
    if games < 1:
        raise Invalid(f"{games} games: at least one is needed")
    return games


def check_seed(seed: int) -> int:
    """Refuse a seed of more than 63 bits."""
    if not 0 <= seed < 1 << 63:
        raise Invalid(f"the seed {seed} is not between 0 and 2**63 - 1")
    return seed


def check_array(
    name: str, shape: tuple[int, ...], kind: Any, in_one_piece: bool, wanted: tuple[int, ...], kinds: Sequence[type]
) -> None:
    """Refuse an array that compiled code cannot read or write as it stands."""
    if shape != wanted or np.dtype(kind) not in kinds or not in_one_piece:
        names = " or ".join(one.__name__ for one in kinds)
        raise Invalid(f"{name}: {kind} of shape {shape}; {names} of shape {wanted} in one piece is needed")
