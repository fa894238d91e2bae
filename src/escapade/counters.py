"""Atomic counters shared by threads."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

Counters = np.ndarray[Any, np.dtype[np.int64]]


def add(counters: Counters, which: int, amount: int) -> int:
    """Add to a counter and return its old value; atomic only when compiled."""
    before = int(counters[which])
    counters[which] += amount
    return before


def lower(counters: Counters, which: int, value: int) -> int:
    """Lower a counter to a value if that is less, and return the old one; atomic only when compiled."""
    before = int(counters[which])
    counters[which] = min(before, value)
    return before


def instruction(name: str) -> Any:
    """LLVM's atomic read-modify-write instruction of this name, for compiled code."""

    def typed(context: Any, counters: Any, which: Any, value: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = target.make_array(signature.args[0])(target, builder, arguments[0])
            return builder.atomic_rmw(name, builder.gep(array.data, [arguments[1]]), arguments[2], "seq_cst")

        return types.int64(counters, types.int64, types.int64), generate

    return intrinsic(typed)


_add, _min = instruction("add"), instruction("min")


@overload(add)
def _add_compiled(counters: Any, which: Any, amount: Any) -> Any:
    def impl(counters: Any, which: Any, amount: Any) -> Any:
        return _add(counters, which, amount)

    return impl


@overload(lower)
def _lower_compiled(counters: Any, which: Any, value: Any) -> Any:
    def impl(counters: Any, which: Any, value: Any) -> Any:
        return _min(counters, which, value)

    return impl
