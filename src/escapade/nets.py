"""Small networks that tell every seat's chance to win, compiled for one core, and the files that they are kept in.

A network has three layers. Its input is a set, given as words of 64 bits, so that the first layer is a sum of rows, and
from one position to the next only the rows of inputs that came or went are added or taken off. The first two layers are
whole numbers of 16 bits: half the memory to read, and sums that are followed are exactly the sums from scratch. Nothing
is allocated.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from escapade.compiled import compiled, inlined
from escapade.game import Invalid
from escapade.sets import ZERO, lowest, without_lowest

Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
Shorts: TypeAlias = np.ndarray[Any, np.dtype[np.int16]]
Longs: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
Reals: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Array = TypeVar("Array", bound=np.ndarray[Any, Any])

WEIGHTS = "weights"  # the folder of the package that has them
PARTS = ("first", "first_bias", "second", "second_bias", "third", "third_bias")
FIRST, SECOND = 256, 32  # units of the layers, known when the loops are compiled
LARGEST = 32767
NO_ROW = -1
LINE = 64  # bytes that come from memory together
AT_ONCE = 6  # about one input in so many is there at a time

lean = partial(compiled, _nrt=False)

I16, I32, F32 = np.int16, np.int32, np.float32


class Net(NamedTuple):
    """The weights: a row of the first layer for each input, of the others for each output.

    Sums of the first layer are halved `shift` times to fit 16 bits; `unit` is what 1 means in the second layer.
    """

    first: Shorts
    first_bias: Longs
    second: Shorts
    second_bias: Reals
    third: Reals
    third_bias: Reals
    shift: int
    unit: np.float32


class Sheet(NamedTuple):
    """Working memory: inputs and sums of a line of positions, what of a sum is positive, the second layer, chances."""

    words: Words
    sums: Longs
    positive: Shorts
    units: Reals
    chances: Reals


def aligned(array: Array) -> Array:
    """A copy whose rows begin where a line of memory does: a vector out of two lines takes twice as long to read."""
    room = np.empty(array.nbytes + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    own: Array = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    own[...] = array
    return own


def new_sheet(net: Net, depth: int) -> Sheet:
    """An empty sheet for so many positions."""
    inputs, units = net.first.shape
    return Sheet(
        np.zeros((depth, inputs // 64), np.uint64),
        aligned(np.zeros((depth, units), I32)),
        aligned(np.zeros(units, I16)),
        np.zeros(len(net.second_bias), F32),
        np.zeros(len(net.third_bias), F32),
    )


@inlined
def copy(source: Any, out: Any) -> None:
    """Write an array over another one; a slice would allocate."""
    for k in range(len(out)):
        out[k] = source[k]


@inlined
def add_row(sums: Longs, rows: Shorts, row: int) -> None:
    """Add the row of an input that came."""
    for k in range(FIRST):
        sums[k] = I32(sums[k] + rows[row, k])


@inlined
def take_row(sums: Longs, rows: Shorts, row: int) -> None:
    """Take off the row of an input that went."""
    for k in range(FIRST):
        sums[k] = I32(sums[k] - rows[row, k])


@inlined
def add_rows(sums: Longs, rows: Shorts, row: int, other: int) -> None:
    """Add two rows, which costs little more than one."""
    for k in range(FIRST):
        sums[k] = I32(sums[k] + rows[row, k] + rows[other, k])


@inlined
def take_rows(sums: Longs, rows: Shorts, row: int, other: int) -> None:
    """Take off two rows."""
    for k in range(FIRST):
        sums[k] = I32(sums[k] - rows[row, k] - rows[other, k])


@inlined
def exchange_rows(sums: Longs, rows: Shorts, came: int, went: int) -> None:
    """Add a row and take off another."""
    for k in range(FIRST):
        sums[k] = I32(sums[k] + rows[came, k] - rows[went, k])


@lean
def begin(net: Net, words: Words, sums: Longs) -> None:
    """Write the first layer's sums for a set of inputs."""
    copy(net.first_bias, sums)
    new = NO_ROW
    for place in range(len(net.first) // 64):
        left = words[place]
        while left != ZERO:
            row = 64 * place + lowest(left)
            left = without_lowest(left)
            if new == NO_ROW:
                new = row
            else:
                add_rows(sums, net.first, new, row)
                new = NO_ROW
    if new != NO_ROW:
        add_row(sums, net.first, new)


@lean
def follow(net: Net, before: Words, words: Words, sums: Longs, out: Longs) -> None:
    """Write the first layer's sums for a set of inputs, from those of another one; rows go two at a time."""
    copy(sums, out)
    new, old = NO_ROW, NO_ROW
    for place in range(len(net.first) // 64):
        changed = words[place] ^ before[place]
        came, went = changed & words[place], changed & before[place]
        while came != ZERO:
            row = 64 * place + lowest(came)
            came = without_lowest(came)
            if new == NO_ROW:
                new = row
            else:
                add_rows(out, net.first, new, row)
                new = NO_ROW
        while went != ZERO:
            row = 64 * place + lowest(went)
            went = without_lowest(went)
            if old == NO_ROW:
                old = row
            else:
                take_rows(out, net.first, old, row)
                old = NO_ROW
    if new != NO_ROW and old != NO_ROW:
        exchange_rows(out, net.first, new, old)
    elif new != NO_ROW:
        add_row(out, net.first, new)
    elif old != NO_ROW:
        take_row(out, net.first, old)


@inlined
def dot(rows: Shorts, row: int, positive: Shorts) -> np.int32:
    """A row of the second layer times the first layer; the sum is one that 32 bits hold."""
    total = I32(0)
    for k in range(FIRST):
        total = I32(total + I32(I32(rows[row, k]) * I32(positive[k])))
    return total


@inlined
def logit(weights: Reals, outcome: int, units: Reals, bias: float) -> float:
    """An output."""
    total = bias
    for unit in range(SECOND):
        total += weights[outcome, unit] * units[unit]
    return total


@lean
def judge(net: Net, sums: Longs, sheet: Sheet) -> None:
    """Write the chance of every outcome, which add up to 1: each seat's win, the reader's first, maybe nobody's."""
    outcomes, positive, units, out = len(net.third_bias), sheet.positive, sheet.units, sheet.chances
    shift, half = I32(net.shift), I32(1 << net.shift >> 1)
    for k in range(FIRST):
        positive[k] = min(max(np.right_shift(I32(sums[k] + half), shift), I32(0)), I32(LARGEST))
    for unit in range(SECOND):
        units[unit] = max(F32(dot(net.second, unit, positive)) * net.unit + net.second_bias[unit], F32(0))
    most, total = F32(-1e9), F32(0)
    for k in range(outcomes):
        out[k] = logit(net.third, k, units, net.third_bias[k])
        most = max(most, out[k])
    for k in range(outcomes):
        out[k] = math.exp(out[k] - most)
        total += out[k]
    for k in range(outcomes):
        out[k] /= total


def made_of(arrays: Mapping[str, Reals]) -> Net:
    """A network of these weights, the first two layers rounded as finely as their bits allow."""
    first, bias, second = (np.ascontiguousarray(arrays[name], np.float64) for name in PARTS[:3])
    few = len(first) // AT_ONCE
    reach = np.partition(first, -few, axis=0)[-few:].clip(min=0).sum(0).max()
    fine = LARGEST / np.abs(first).max()
    shift = max(0, math.ceil(math.log2(reach * fine / LARGEST)))
    finer = min(LARGEST / np.abs(second).max(), (2**31 - 1) / (LARGEST * np.abs(second).sum(1)).max() - 1)
    return Net(
        aligned(np.rint(first * fine).astype(I16)),
        np.rint(bias * fine).astype(I32),
        aligned(np.rint(second * finer).astype(I16)),
        np.ascontiguousarray(arrays["second_bias"], F32),
        np.ascontiguousarray(arrays["third"], F32),
        np.ascontiguousarray(arrays["third_bias"], F32),
        shift,
        F32(2**shift / (fine * finer)),
    )


def shapes(words: int, outcomes: int) -> dict[str, tuple[int, ...]]:
    """The weights of a network for so many words and outcomes."""
    sizes = (64 * words, FIRST), (FIRST,), (SECOND, FIRST), (SECOND,), (outcomes, SECOND), (outcomes,)
    return dict(zip(PARTS, sizes, strict=True))


def is_shipped(name: str) -> bool:
    """Whether the package has a network of this name."""
    return (files("escapade") / WEIGHTS / f"{name}.json").is_file()


@cache
def load(name: str, layout: str, words: int, outcomes: int) -> Net:
    """A network that is shipped, for inputs of this layout."""
    return read(files("escapade") / WEIGHTS, name, layout, words, outcomes)


def read(folder: Traversable, name: str, layout: str, words: int, outcomes: int) -> Net:
    """The network of a file and its card, which must fit each other and the layout."""
    card = json.loads((folder / f"{name}.json").read_text())
    data = (folder / f"{name}.npz").read_bytes()
    check(name, "layout", card["layout"], layout)
    check(name, "sha256", hashlib.sha256(data).hexdigest(), card["sha256"])
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
    except ValueError as fault:
        raise Invalid(f"the network {name}: its file has something else than plain arrays") from fault
    check(name, "shapes", {part: array.shape for part, array in arrays.items()}, shapes(words, outcomes))
    return made_of(arrays)


def check(name: str, what: str, came: object, wanted: object) -> None:
    """Refuse a network that is not what is wanted."""
    if came != wanted:
        raise Invalid(f"the network {name}: its {what} is {came}, wanted is {wanted}")


def write(folder: Path, name: str, arrays: Mapping[str, Reals], card: Mapping[str, Any]) -> None:
    """Write a network in half precision, and its card, which gets the file's hash."""
    held = BytesIO()
    np.savez_compressed(held, **{part: arrays[part].astype(np.float16) for part in PARTS})  # type: ignore[arg-type]
    digest = hashlib.sha256(held.getvalue()).hexdigest()
    (folder / f"{name}.npz").write_bytes(held.getvalue())
    (folder / f"{name}.json").write_text(json.dumps({**card, "sha256": digest}, indent=2, ensure_ascii=False) + "\n")
