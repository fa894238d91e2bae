"""Fast random numbers for playouts: xoroshiro128+ in two words. Games that people play use Chance, never this."""

import numpy as np

from escapade.compiled import compiled
from escapade.sets import U, signed

Words = np.ndarray[tuple[int], np.dtype[np.uint64]]

LOW32 = U(0xFFFF_FFFF)
U16, U24, U27, U30, U31, U32, U37, U40 = U(16), U(24), U(27), U(30), U(31), U(32), U(37), U(40)
GOLDEN, FIRST, SECOND = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


@compiled
def mix(word: U) -> U:
    """The mixing step of splitmix64."""
    word = (word ^ (word >> U30)) * FIRST
    word = (word ^ (word >> U27)) * SECOND
    return word ^ (word >> U31)


@compiled
def seed_rng(rng: Words, seed: int, stream: int) -> None:
    """Seed a generator; every pair of seed and stream gives independent numbers."""
    base = mix(mix(U(seed)) + U(stream))
    rng[0] = mix(base + GOLDEN)
    rng[1] = mix(base + GOLDEN + GOLDEN)


@compiled
def next_random(rng: Words) -> U:
    """The next 64 random bits."""
    a, b = rng[0], rng[1]
    result = a + b
    b ^= a
    rng[0] = ((a << U24) | (a >> U40)) ^ b ^ (b << U16)
    rng[1] = (b << U37) | (b >> U27)
    return result


@compiled
def pick_high(word: U, n: int) -> int:
    """A number in 0..n-1 from the upper half of a random word."""
    return signed(((word >> U32) * U(n)) >> U32)


@compiled
def pick_low(word: U, n: int) -> int:
    """A number in 0..n-1 from the lower half of a random word."""
    return signed(((word & LOW32) * U(n)) >> U32)
