"""Small sets (of spaces, of symbols, of pawns) as 64-bit masks: bit q is member q.

Each helper is a single instruction or two when compiled, and plain Python otherwise.
"""

from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from escapade.compiled import CONFIG, JIT, compiled

U = np.uint64
ZERO, ONE, ALL = U(0), U(1), U(0xFFFF_FFFF_FFFF_FFFF)

signed: Callable[[Any], Any] = np.int64  # a mask or a small field as a number to calculate with


def size(mask: U) -> int:
    """How many members."""
    return int(mask).bit_count()


def lowest(mask: U) -> int:
    """The lowest member of a set that is not empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask: U) -> int:
    """The highest member of a set that is not empty."""
    return int(mask).bit_length() - 1


def nth(mask: U, k: int) -> int:
    """The k-th lowest member, counted from 0, of a set that has more than k."""
    members = int(mask)
    for _ in range(k):
        members &= members - 1
    return (members & -members).bit_length() - 1


@compiled
def bit(member: int) -> U:
    """The set of one."""
    return ONE << U(member)


@compiled
def below(member: int) -> U:
    """All that are lower."""
    return (ONE << U(member)) - ONE


@compiled
def above(member: int) -> U:
    """All that are higher."""
    return ALL << U(member + 1)


@compiled
def beyond_lowest(mask: U) -> U:
    """All that are higher than the lowest member; none where the set is empty."""
    return ~(mask ^ (mask - ONE))


@compiled
def without_lowest(mask: U) -> U:
    """A set that is not empty, without its lowest member."""
    return mask & (mask - ONE)


def has_pdep() -> bool:
    """Whether the target processor can find the k-th bit in one instruction (pdep, x86 with BMI2)."""
    if CONFIG.CPU_NAME or CONFIG.CPU_FEATURES:
        return "+bmi2" in (CONFIG.CPU_FEATURES or "")
    host = llvmlite.binding.get_host_cpu_features()
    return "x86_64" in llvmlite.binding.get_default_triple() and bool(host.get("bmi2"))


Generator = tuple[Any, Callable[..., Any]]
instruction: Callable[[Callable[..., Generator]], Any] = intrinsic


@instruction
def _ctpop(context: Any, mask: Any) -> Generator:
    return types.uint64(types.uint64), lambda cg, builder, signature, args: builder.ctpop(args[0])


@instruction
def _cttz(context: Any, mask: Any) -> Generator:
    def generate(cg: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cg.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@instruction
def _ctlz(context: Any, mask: Any) -> Generator:
    def generate(cg: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], cg.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@instruction
def _pdep(context: Any, source: Any, mask: Any) -> Generator:
    def generate(cg: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        return builder.call(pdep, args)

    return types.uint64(types.uint64, types.uint64), generate


@overload(size, target="generic")
def _size(mask: Any) -> Any:
    def impl(mask: Any) -> Any:
        return signed(_ctpop(mask))

    return impl


@overload(lowest, target="generic")
def _lowest(mask: Any) -> Any:
    def impl(mask: Any) -> Any:
        return signed(_cttz(mask))

    return impl


@overload(highest, target="generic")
def _highest(mask: Any) -> Any:
    def impl(mask: Any) -> Any:
        return 63 - signed(_ctlz(mask))

    return impl


@overload(nth, target="generic")
def _nth(mask: Any, k: Any) -> Any:
    def impl(mask: Any, k: Any) -> Any:
        for _ in range(k):
            mask &= mask - ONE
        return signed(_cttz(mask))

    return impl


if JIT and has_pdep():

    @overload(nth, target="cpu")
    def _nth_by_pdep(mask: Any, k: Any) -> Any:
        def impl(mask: Any, k: Any) -> Any:
            return signed(_cttz(_pdep(ONE << U(k), mask)))

        return impl
