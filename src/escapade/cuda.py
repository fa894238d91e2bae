"""The batches of batch.py on a GPU, by numba-cuda from the same compiled functions: no second copy of the rules.

Every array is a device array with `__cuda_array_interface__`, which PyTorch, CuPy and JAX take without a copy, and in
its place any array of theirs may be given. For the same seed the games are those of the processor, bit for bit.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba.cuda
import numpy as np

from escapade import batch
from escapade.batch import PLAYED, Array, Rules, check_array, check_games, check_seed, open_box, table_of
from escapade.compiled import CONFIG, JIT
from escapade.game import Invalid
from escapade.games import Kind
from escapade.nets import FIRST, SECOND, Net, Sheet

cuda: Any = numba.cuda

on_device: Callable[[Callable[..., Any]], Any] = cuda.jit

BLOCK, WIPERS = 128, 2048  # threads in a block; blocks that wipe an array
MOST_WORDS, MOST_OUTCOMES = 64, 8  # of a network
NO_FAULT = np.iinfo(np.int64).max

if CONFIG.ENABLE_CUDASIM and JIT:
    raise Invalid("NUMBA_ENABLE_CUDASIM runs kernels as plain Python, which takes NUMBA_DISABLE_JIT=1 too")


@on_device
def start_games(
    tables: Array, rules: Rules, players: int, seed: int, rewards: Array, terminated: Array, truncated: Array
) -> None:
    """Begin the games."""
    game = cuda.grid(1)
    if game < len(tables):
        batch.start(tables[game], rules, players, seed, game)
        batch.clear(players, rewards, terminated, truncated, game)


@on_device
def show_games(
    tables: Array, rules: Rules, hidden: bool, seats: Array, readers: Array, masks: Array, observations: Array
) -> None:
    """Write who is to act in each of the games, what they may do, and what the readers see."""
    game = cuda.grid(1)
    if game < len(tables):
        seats[game] = tables[game].state.seat
        batch.show(tables[game], rules, hidden, int(readers[game]), masks, observations, game)


@on_device
def choose_actions(tables: Array, rules: Rules, numbers: Array) -> None:
    """Choose in the games at random."""
    game = cuda.grid(1)
    if game < len(tables):
        numbers[game] = batch.choose(tables[game], rules)


@on_device
def step_games(
    tables: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, finals: Array, masks: Array, observations: Array, fault: Array,
) -> None:  # fmt: skip
    """Step the games; `fault` gets the first that was given an illegal number."""
    game = cuda.grid(1)
    if game < len(tables) and not batch.step_game(
        tables, rules, hidden, numbers, seats, rewards, terminated, truncated, finals, masks, observations, game
    ):
        cuda.atomic.min(fault, 0, game)


@on_device
def step_and_note_games(
    tables: Array, notes: Array, rules: Rules, hidden: bool, numbers: Array, seats: Array, rewards: Array,
    terminated: Array, truncated: Array, finals: Array, masks: Array, observations: Array, fault: Array,
) -> None:  # fmt: skip
    """Step the games, and note what a network is told of their course."""
    game = cuda.grid(1)
    if game < len(tables):
        batch.note_game(tables[game], notes, rules, numbers[game], game)
        if not batch.step_game(
            tables, rules, hidden, numbers, seats, rewards, terminated, truncated, finals, masks, observations, game
        ):
            cuda.atomic.min(fault, 0, game)
        if terminated[game] or truncated[game]:
            batch.forget(notes, game)


@on_device
def branch_games(
    tables: Array, others: Array, notes: Array, other_notes: Array, sources: Array, seed: int, seats: Array,
    players: int, rewards: Array, terminated: Array, truncated: Array,
) -> None:  # fmt: skip
    """Let the games go on from where others stood."""
    game = cuda.grid(1)
    if game < len(tables):
        batch.branch(tables, others, notes, other_notes, sources, seed, seats, game)
        batch.clear(players, rewards, terminated, truncated, game)


@on_device
def wipe(array: Array) -> None:
    """Zero an array with coalesced writes; one thread a row would take several times as long."""
    for place in range(cuda.grid(1), len(array), cuda.gridsize(1)):
        array[place] = 0


def record_of(kind: Kind) -> Any:
    """The type of a table in local memory; the simulator is plain Python, where only records have attributes."""
    fields = table_of(kind.kernel)
    return numba.from_dtype(fields) if JIT else np.dtype((np.record, fields))


@on_device
def value_games(
    tables: Array, notes: Array, rules: Rules, hidden: bool, readers: Array, values: Array, net: Net
) -> None:  # fmt: skip
    """Value the games, each thread with working memory of its own."""
    game = cuda.grid(1)
    if game < len(tables):
        words, sums = cuda.local.array((2, MOST_WORDS), np.uint64), cuda.local.array((2, FIRST), np.int32)
        positive, units = cuda.local.array(FIRST, np.int16), cuda.local.array(SECOND, np.float32)
        sheet = Sheet(words, sums, positive, units, cuda.local.array(MOST_OUTCOMES, np.float32))
        batch.value(tables[game], notes, rules, hidden, int(readers[game]), net, sheet, values, game)


@cache
def chooser(kind: Kind) -> Any:
    """A GPU kernel that chooses as a network would in games of one kind."""
    record = record_of(kind)

    @on_device
    def choose_best_actions(
        tables: Array, notes: Array, rules: Rules, hidden: bool, numbers: Array, net: Net
    ) -> None:  # fmt: skip
        game = cuda.grid(1)
        if game < len(tables):
            words, sums = cuda.local.array((2, MOST_WORDS), np.uint64), cuda.local.array((2, FIRST), np.int32)
            positive, units = cuda.local.array(FIRST, np.int16), cuda.local.array(SECOND, np.float32)
            sheet = Sheet(words, sums, positive, units, cuda.local.array(MOST_OUTCOMES, np.float32))
            trials = cuda.local.array(1, record)
            numbers[game] = batch.best(tables, trials, 0, notes, rules, hidden, net, sheet, game)

    return choose_best_actions


@cache
def player(kind: Kind) -> Any:
    """A GPU kernel that plays whole games of one kind: each thread takes the next game when it has finished one.

    A thread keeps its game in local memory, where the threads of a warp find the same field of theirs side by side.
    """
    record = record_of(kind)

    @on_device
    def play_some(rules: Rules, players: int, seed: int, first: int, played: Array, taken: Array) -> None:
        table = cuda.local.array(1, record)[0]
        row = cuda.atomic.add(taken, 0, 1)
        while row < len(played):
            batch.play(table, rules, players, seed, first + row, played, row)
            row = cuda.atomic.add(taken, 0, 1)

    return play_some


def play_games(
    text: str, players: int, games: int, *, seed: int = 0, first: int = 0, threads: int = 1 << 16, block: int = BLOCK
) -> Array:
    """Play games, from the first number on, at random to their ends: a row of PLAYED for each, on the device."""
    box = open_box(text, players)
    played: Array = cuda.device_array((check_games(games), len(PLAYED)), np.int64)
    blocks = -(-min(threads, games) // block)
    player(box.kind)[blocks, block](
        box.rules, players, check_seed(seed), first, played, cuda.to_device(np.zeros(1, np.int64))
    )
    return played


class Batch(batch.Batch):
    """Many games side by side on a GPU; its arrays, and those that are given to it, lie on the device.

    A step waits for the device to report an illegal number. With `check` off it does not, and `fault()` reports later.
    """

    def __init__(
        self, text: str, players: int, games: int, *, seed: int = 0, check: bool = True, **options: Any
    ) -> None:
        self.check, self._fault = check, cuda.to_device(np.array([NO_FAULT]))
        super().__init__(text, players, games, seed=seed, threads=1, **options)
        self._settings = {"check": check, **options}

    def fault(self) -> int:
        """The first game that was given an illegal number since the last call of this, or -1."""
        fault = int(self._fault.copy_to_host()[0])
        if fault == NO_FAULT:
            return -1
        self._fault.copy_to_device(np.array([NO_FAULT]))
        return fault

    def _placed(self, array: Array) -> Array:
        placed: Array = cuda.to_device(array)
        return placed

    def _fetched(self, array: Any) -> Array:
        if not is_on_the_device(array):
            return super()._fetched(array)  # as slices of records are in the simulator
        fetched: Array = on_the_device(array).copy_to_host()
        return fetched

    def _store(self, array: Any, rows: slice, values: Array) -> None:
        if JIT:
            array[rows].copy_to_device(np.ascontiguousarray(values))
        else:
            array[rows] = values

    def _taken(self, array: Any) -> Any:
        return array

    def _check(self, name: str, array: Any, shape: tuple[int, ...], *kinds: type) -> None:
        if not is_on_the_device(array):
            names = " or ".join(one.__name__ for one in kinds)
            what = f"an array of {names} on the device, of shape {shape}"
            raise Invalid(f"{name}: a {type(array).__name__}; {what}, is needed")
        ours = on_the_device(array)
        check_array(name, ours.shape, ours.dtype, ours.is_c_contiguous(), shape, kinds)

    def _new_desks(self, words: int, outcomes: int) -> tuple[Any, ...]:
        return ()

    def do(self, work: batch.Loop, *arguments: Any) -> int:
        if work in (batch.show_games, *STEPS):
            for shown in filter(len, arguments[-2:]):
                flat = on_the_device(shown).reshape(-1)
                wipe[min(WIPERS, 1 + len(flat) // (16 * BLOCK)), BLOCK](flat)
        fault = (self._fault,) if work in STEPS else ()
        kernel = chooser(self.box.kind) if work is batch.choose_best_actions else KERNELS[work]
        kernel[-(-self.games // BLOCK), BLOCK](self.tables, *arguments, *fault)
        return self.fault() if fault and self.check else -1


def is_on_the_device(array: Any) -> bool:
    """Whether this is an array on the device, of ours or of another library."""
    return cuda.cudadrv.devicearray.is_cuda_ndarray(array) or hasattr(array, "__cuda_array_interface__")


def on_the_device(array: Any) -> Any:
    """An array of ours or of another library, as one of numba-cuda's."""
    return array if cuda.cudadrv.devicearray.is_cuda_ndarray(array) else cuda.as_cuda_array(array)


STEPS = batch.step_games, batch.step_and_note_games
KERNELS = {
    batch.start_games: start_games,
    batch.show_games: show_games,
    batch.branch_games: branch_games,
    batch.choose_actions: choose_actions,
    batch.step_games: step_games,
    batch.step_and_note_games: step_and_note_games,
    batch.value_games: value_games,
}
