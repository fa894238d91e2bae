"""Thousands of games at once in compiled code, each begun anew when it is over: step, mask, observe, on all cores.

Everything is written into arrays that the caller keeps, so a step allocates nothing. What is done with one game, as in
`start`, `choose`, `advance` and `show`, is written once for both games and both machines: here are the loops for
processors, in cuda.py those for a GPU.
"""

import os
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias
from weakref import finalize

import numpy as np
from numba.extending import overload

from escapade import is_evades
from escapade.cartagena import editions as cartagena_editions
from escapade.cartagena import features as cartagena_features
from escapade.cartagena import kernel as cartagena
from escapade.cartagena import position as cartagena_position
from escapade.cartagena.editions import PRINTED
from escapade.compiled import JIT, bare, inlined, records
from escapade.counters import add, lower
from escapade.evades import editions as evades_editions
from escapade.evades import features as evades_features
from escapade.evades import kernel as evades
from escapade.evades import position as evades_position
from escapade.game import BROKEN_OFF, ENDED, GOES_ON, Edition, Field, Game, Illegal, Invalid
from escapade.rng import seed_rng
from escapade.sets import ZERO, U, bit, signed, size
from escapade.simulate import limited

Rules = cartagena.Rules | evades.Rules
Table = Any
Array = np.ndarray[Any, Any]
Task: TypeAlias = tuple[Callable[..., None], tuple[Any, ...]]

ILLEGAL = -1
LAYOUTS = {"cartagena": cartagena_features.VERSION, "evades": evades_features.VERSION}  # versions of observations
CHOICES = 1 << 40  # the first stream of choices made at random; those below are the games' own luck
PLAYED = ("decisions", "turns", "winners as a set of seats", "the last random word")

# What threads share of a piece of work: the next game to take, chunks done, threads that play, and the first fault.
TAKEN, DONE, THREADS, FAULT = 0, 1, 2, 3
CHUNK = 64  # games taken at a time


def of_both(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Any:
    """One name for a function of both games; whose it is, the rules among its arguments tell by their type."""

    def chosen(*arguments: Any) -> Any:
        return (ours if any(isinstance(one, cartagena.Rules) for one in arguments) else theirs)(*arguments)

    @overload(chosen, target="generic")
    def _chosen(*arguments: Any) -> Any:
        known = [getattr(one, "instance_class", None) for one in arguments]  # the class of a named tuple's type
        function = ours if cartagena.Rules in known else theirs

        def impl(*arguments: Any) -> Any:
            return function(*arguments)

        return impl

    return chosen


random_setup = of_both(cartagena.random_setup, evades.random_setup)
legal = of_both(cartagena.legal, evades.legal)
act = of_both(cartagena.act, evades.act)
any_action = of_both(cartagena.any_action, evades.any_action)
count = of_both(cartagena_features.count, evades_features.count)
number_of = of_both(cartagena_features.number_of, evades_features.number_of)
action_of = of_both(cartagena_features.action_of, evades_features.action_of)
mark = of_both(cartagena_features.mark, evades_features.mark)
observe = of_both(cartagena_features.observe, evades_features.observe)
ending = of_both(cartagena_features.ending, evades_features.ending)
winners = of_both(cartagena_features.winners, evades_features.winners)
finish = of_both(cartagena.finish, evades.finish)


class Box(NamedTuple):
    """What games of an edition are made of: its rules as numbers, and the modules that know them."""

    edition: Edition
    rules: Any
    players: int
    hidden: bool
    kernel: ModuleType
    features: ModuleType
    position: ModuleType


def open_box(text: str, players: int, segments: int = 6) -> Box:
    """The box of an edition, with the turn limit of simulations unless its text has one."""
    if is_evades(text):
        house = evades_editions.edition(limited(text))
        evades_editions.check_players(players, text)
        if segments != 6:
            raise Invalid(f"{text}: Les Évadés has no tunnel")
        return Box(house, evades_position.rules_of(house), players, True, evades, evades_features, evades_position)
    chosen = cartagena_editions.edition(limited(text))
    cartagena_editions.check_players(players, text)
    if not 3 <= segments <= 8:
        raise Invalid(f"{text}: a tunnel of {segments} segments: 3 to 8 are possible")
    rules = cartagena_position.rules_of(chosen, "/".join((PRINTED * 2)[:segments]))
    hidden = chosen.rules["hands"] == "hidden"
    return Box(chosen, rules, players, hidden, cartagena, cartagena_features, cartagena_position)


def table_of(kernel: ModuleType) -> np.dtype[np.void]:
    """A game with the luck that is its own, and that of choices made at random in it."""
    words = np.uint64, (2,)
    return np.dtype([("state", kernel.STATE), ("luck", *words), ("choices", *words)], align=True)


@inlined
def start(table: Table, rules: Rules, players: int, seed: int, game: int) -> None:
    """Begin the game of a number."""
    seed_rng(table.luck, seed, game)
    seed_rng(table.choices, seed, CHOICES + game)
    random_setup(table.state, rules, players, table.luck)


@inlined
def clear(players: int, rewards: Array, terminated: Array, truncated: Array, game: int) -> None:
    """Write that no game has ended."""
    terminated[game] = truncated[game] = False
    for seat in range(players):
        rewards[game, seat] = 0


@inlined
def pay(winning: U, players: int, rewards: Array, game: int) -> None:
    """Write what each seat gets for a game: winners share what the others lose, and a drawn game is worth nothing."""
    for seat in range(players):
        share = 1 / size(winning) if winning & bit(seat) != ZERO else 0.0
        rewards[game, seat] = (players * share - 1) / (players - 1) if winning != ZERO else 0.0


@inlined
def choose(table: Table, rules: Rules) -> int:
    """The number of a legal action, each as likely as the others."""
    return number_of(rules, any_action(table.state, rules, table.choices))


@inlined
def advance(table: Table, rules: Rules, number: int, rewards: Array, game: int) -> int:
    """Play the action of a number, pay the seats if that ends the game, and begin the next: how the game stood.

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
        random_setup(s, rules, s.players, table.luck)
    return how


@inlined
def wipe(masks: Array, observations: Array, game: int) -> None:
    """Make the rows of a game zeros, as `show` wants them."""
    if len(masks) > 0:
        masks[game] = False
    if len(observations) > 0:
        observations[game] = 0


@inlined
def show(table: Table, rules: Rules, hidden: bool, masks: Array, observations: Array, game: int) -> None:
    """Write the legal numbers and what the seat to act sees, as far as there are arrays for them."""
    if len(masks) > 0:
        mark(table.state, rules, masks[game])
    if len(observations) > 0:
        observe(table.state, rules, hidden, table.state.seat, observations[game])


@inlined
def play(table: Table, rules: Rules, players: int, seed: int, game: int, played: Array, row: int) -> None:
    """Play the game of a number at random to its end."""
    start(table, rules, players, seed, game)
    tell(table, rules, finish(table.state, rules, table.luck), played, row)


@inlined
def tell(table: Table, rules: Rules, decisions: int, played: Array, row: int) -> None:
    """Write what PLAYED names of a game that is over."""
    played[row, 0] = decisions
    played[row, 1] = min(table.state.turn, rules.turn_limit)
    played[row, 2] = signed(winners(table.state, rules))
    played[row, 3] = signed(table.luck[0] ^ table.luck[1])


@bare
def play_some(tables: Array, rules: Rules, players: int, seed: int, first: int, played: Array, share: Array) -> None:
    """Play some of the games at random to their ends, one after another on the same table."""
    table = tables[add(share, THREADS, 1)]
    row = add(share, TAKEN, CHUNK)
    while row < len(played):
        for here in range(row, min(row + CHUNK, len(played))):
            play(table, rules, players, seed, first + here, played, here)
        add(share, DONE, 1)
        row = add(share, TAKEN, CHUNK)


@bare
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


@bare
def show_games(
    tables: Array, rules: Rules, hidden: bool, seats: Array, masks: Array, observations: Array, share: Array
) -> None:
    """Write who is to act in some of the games, and what they may do and see."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            wipe(masks, observations, game)
            seats[game] = tables[game].state.seat
            show(tables[game], rules, hidden, masks, observations, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@bare
def choose_actions(tables: Array, rules: Rules, numbers: Array, share: Array) -> None:
    """Choose in some of the games at random."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            numbers[game] = choose(tables[game], rules)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@inlined
def step_game(
    tables: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, masks: Array, observations: Array, game: int,
) -> bool:  # fmt: skip
    """Step a game and write what became of it; whether its number was legal."""
    table = tables[game]
    how = advance(table, rules, numbers[game], rewards, game)
    seats[game] = table.state.seat
    terminated[game] = how == ENDED
    truncated[game] = how == BROKEN_OFF
    show(table, rules, hidden, masks, observations, game)
    return how != ILLEGAL


@bare
def step_games(
    tables: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, masks: Array, observations: Array, share: Array,
) -> None:  # fmt: skip
    """Step some of the games."""
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            wipe(masks, observations, game)
            if not step_game(
                tables, rules, hidden, numbers, seats, rewards, terminated, truncated, masks, observations, game
            ):
                lower(share, FAULT, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@bare
def await_chunks(share: Array, chunks: int) -> None:
    """Wait until everyone has done what they took."""
    while add(share, DONE, 0) < chunks:
        pass


class Batch:
    """Many games of one edition side by side; where one ends, the next begins in the same step.

    After `reset` and every `step` these arrays tell of each game: `seats`, who is to act, from 0; `rewards`, what each
    seat got for the game that has just ended; `terminated` and `truncated`, whether one has, by the rules or the limit.
    """

    def __init__(
        self, text: str, players: int, games: int, *, seed: int = 0, segments: int = 6, threads: int | None = None
    ) -> None:
        self.box, self.games, self.seed = open_box(text, players, segments), check_games(games), check_seed(seed)
        self.numbers = int(self.box.features.count(self.box.rules))
        self.length = int(self.box.features.length(self.box.rules, players))
        self.tables = self._placed(records(table_of(self.box.kernel), games))
        self.seats = self.array((games,), np.int8)
        self.rewards = self.array((games, players), np.float32)
        self.terminated, self.truncated = self.array((games,), np.bool_), self.array((games,), np.bool_)
        self._none = self.array((0, 0), np.bool_), self.array((0, 0), np.int8)
        self._crew = Crew(threads)
        self.reset()

    def array(self, shape: tuple[int, ...], kind: Any) -> Array:
        """Zeros that lie where the games are."""
        return self._placed(np.zeros(shape, kind))

    def masks(self) -> Array:
        """An array to write masks into: for each game and number, whether the action is legal."""
        return self.array((self.games, self.numbers), np.bool_)

    def observations(self) -> Array:
        """An array to write observations into, the parts of `fields` one after another."""
        return self.array((self.games, self.length), np.int8)

    def fields(self) -> list[Field]:
        """The parts of an observation in their order."""
        fields: list[Field] = self.box.features.fields(self.box.rules, self.box.players)
        return fields

    def reset(self, seed: int | None = None, *, masks: Array | None = None, observations: Array | None = None) -> None:
        """Begin all games anew, with another seed if one is given."""
        shown = self._shown(masks, observations)
        self.seed = self.seed if seed is None else check_seed(seed)
        self._do(
            start_games, self.box.rules, self.box.players, self.seed, self.rewards, self.terminated, self.truncated
        )
        self._do(show_games, self.box.rules, self.box.hidden, self.seats, *shown)

    def show(self, *, masks: Array | None = None, observations: Array | None = None) -> None:
        """Write what may be done now, and what the seats to act see."""
        self._do(show_games, self.box.rules, self.box.hidden, self.seats, *self._shown(masks, observations))

    def choose(self, actions: Array) -> None:
        """Write the number of a legal action for every game, each as likely as the others."""
        self._check("actions", actions, (self.games,), np.int64, np.int32)
        self._do(choose_actions, self.box.rules, actions)

    def step(self, actions: Array, *, masks: Array | None = None, observations: Array | None = None) -> None:
        """Play an action in every game, and write into the caller's arrays what may be done next, and what is seen.

        A game that is given an illegal number stays as it is, while the others go on, and is told as an error.
        """
        self._check("actions", actions, (self.games,), np.int64, np.int32)
        told = self.seats, self.rewards, self.terminated, self.truncated, *self._shown(masks, observations)
        fault = self._do(step_games, self.box.rules, self.box.hidden, actions, *told)
        if fault >= 0:
            raise Illegal(f"game {fault}: {actions[fault]} is not the number of a legal action, in {self.game(fault)}")

    def game(self, number: int) -> Game:
        """One of the games as it stands, to print, to view, or to play on apart from the others."""
        states = self._table(number)["state"]
        game: Game = self.box.position.of_states(self.box.edition, states, self.box.players)
        return game

    def _placed(self, array: Array) -> Array:
        return array

    def _table(self, number: int) -> Array:
        return self.tables[number : number + 1]

    def _shown(self, masks: Array | None, observations: Array | None) -> tuple[Array, Array]:
        if masks is not None:
            self._check("masks", masks, (self.games, self.numbers), np.bool_)
        if observations is not None:
            self._check("observations", observations, (self.games, self.length), np.int8)
        return self._none[0] if masks is None else masks, self._none[1] if observations is None else observations

    def _check(self, name: str, array: Array, shape: tuple[int, ...], *kinds: type) -> None:
        check_array(name, array.shape, array.dtype, array.flags.c_contiguous, shape, kinds)

    def _do(self, work: Callable[..., Any], *arguments: Any) -> int:
        """Do the work on all games; the first that was given an illegal number, or -1."""
        return self._crew.do(self.games, work, self.tables, *arguments)


class Crew:
    """Threads that share the work on so many games: each takes some of those that are left, and nobody sleeps over it.

    Waking a thread takes as long as a step of a thousand games, so one that wakes late finds less to do or nothing, and
    the last few games are waited for without a rest.
    """

    def __init__(self, threads: int | None) -> None:
        self.threads = cores() if threads is None else threads
        if self.threads < 1:
            raise Invalid(f"{threads} threads: one at least is needed")
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        mates = self.threads - 1 if JIT else 0
        for _ in range(mates):
            Thread(target=lend_a_hand, args=(self.tasks,), daemon=True).start()
        finalize(self, dismiss, self.tasks, mates)

    def do(self, games: int, work: Callable[..., None], *arguments: Any) -> int:
        """Do the work on all games; the first that was given an illegal number, or -1."""
        share, chunks = np.array([0, 0, 0, games]), -(-games // CHUNK)
        for _ in range(min(self.threads, chunks) - 1 if JIT else 0):
            self.tasks.put((work, (*arguments, share)))
        work(*arguments, share)
        await_chunks(share, chunks)
        return int(share[FAULT]) if share[FAULT] < games else -1


def lend_a_hand(tasks: "SimpleQueue[Task | None]") -> None:
    """Do what comes, until nothing does."""
    while task := tasks.get():
        work, arguments = task
        work(*arguments)
        del task, arguments  # so that its arrays can go


def dismiss(tasks: "SimpleQueue[Task | None]", mates: int) -> None:
    """Send the threads home."""
    for _ in range(mates):
        tasks.put(None)


def play_games(
    text: str, players: int, games: int, *, seed: int = 0, first: int = 0, threads: int | None = None
) -> Array:
    """Play games, from the first number on, at random to their ends: a row of PLAYED for each."""
    box = open_box(text, players)
    crew, played = Crew(threads), np.zeros((check_games(games), len(PLAYED)), np.int64)
    tables = records(table_of(box.kernel), crew.threads)
    crew.do(games, play_some, tables, box.rules, players, check_seed(seed), first, played)
    return played


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_games(games: int) -> int:
    """Refuse a batch of nothing."""
    if games < 1:
        raise Invalid(f"{games} games: one at least is needed")
    return games


def check_seed(seed: int) -> int:
    """Refuse a seed that is no number of 63 bits."""
    if not 0 <= seed < 1 << 63:
        raise Invalid(f"the seed {seed}: from 0 to 2**63 - 1")
    return seed


def check_array(
    name: str, shape: tuple[int, ...], kind: Any, in_one_piece: bool, wanted: tuple[int, ...], kinds: Sequence[type]
) -> None:
    """Refuse an array that compiled code cannot read or write as it stands."""
    if shape != wanted or np.dtype(kind) not in kinds or not in_one_piece:
        names = " or ".join(one.__name__ for one in kinds)
        raise Invalid(f"{name}: {kind} of shape {shape}; {names} of shape {wanted} in one piece is needed")
