"""Small networks that tell every seat's chance to win, compiled for one core, and the files that they are kept in.

A network has three layers. Its input is a set, given as words of 64 bits, so that the first layer is a sum of rows, and
from one position to the next only the rows of inputs that came or went are added or taken off. Nothing is allocated.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from escapade.compiled import NJIT, compiled
from escapade.game import Invalid
from escapade.sets import ZERO, lowest, without_lowest

Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
Reals: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]

WEIGHTS = "weights"  # the folder of the package that has them
PARTS = ("first", "first_bias", "second", "second_bias", "third", "third_bias")


class Net(NamedTuple):
    """The weights: a row of the first layer for each input, of the others for each output."""

    first: Reals
    first_bias: Reals
    second: Reals
    second_bias: Reals
    third: Reals
    third_bias: Reals


@compiled
def add_row(sums: Reals, row: Reals) -> None:
    """Add the row of an input that came."""
    for k in range(len(sums)):
        sums[k] += row[k]


@compiled
def take_row(sums: Reals, row: Reals) -> None:
    """Take off the row of an input that went."""
    for k in range(len(sums)):
        sums[k] -= row[k]


@compiled
def begin(net: Net, words: Words, sums: Reals) -> None:
    """Write the first layer's sums for a set of inputs."""
    sums[:] = net.first_bias
    for place in range(len(words)):
        left = words[place]
        while left != ZERO:
            add_row(sums, net.first[64 * place + lowest(left)])
            left = without_lowest(left)


@compiled
def follow(net: Net, before: Words, words: Words, sums: Reals, out: Reals) -> None:
    """Write the first layer's sums for a set of inputs, from those of another one."""
    out[:] = sums
    for place in range(len(words)):
        changed = words[place] ^ before[place]
        came = changed & words[place]
        while came != ZERO:
            add_row(out, net.first[64 * place + lowest(came)])
            came = without_lowest(came)
        went = changed & before[place]
        while went != ZERO:
            take_row(out, net.first[64 * place + lowest(went)])
            went = without_lowest(went)


def _dot(row: Reals, sums: Reals, bias: Any) -> Any:
    """A unit of the second layer: its weights times what of the first layer's sums is positive."""
    total = bias
    for k in range(len(sums)):
        total += row[k] * max(sums[k], np.float32(0))
    return total


dot = NJIT(nogil=True, fastmath={"reassoc", "contract", "nsz"})(_dot)


@compiled
def judge(net: Net, sums: Reals, out: Reals) -> None:
    """Write every seat's chance, the reader's first; they add up to 1."""
    players = len(net.third_bias)
    for seat in range(players):
        out[seat] = net.third_bias[seat]
    for unit in range(len(net.second_bias)):
        value = dot(net.second[unit], sums, net.second_bias[unit])
        if value > 0:
            for seat in range(players):
                out[seat] += net.third[seat, unit] * value
    most, total = out[0], np.float32(0)
    for seat in range(1, players):
        most = max(most, out[seat])
    for seat in range(players):
        out[seat] = math.exp(out[seat] - most)
        total += out[seat]
    for seat in range(players):
        out[seat] /= total
