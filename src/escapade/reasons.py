"""Why an action may be good: a code with values that any language can put into words, and the English words."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from escapade.game import Chance

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
NO_LUCK = Chance(0)

Words = Mapping[str, Callable[..., str]]  # how each code is said


class Coded(NamedTuple):
    """A code and its values."""

    code: str
    values: dict[str, Any]


class Reason(Coded):
    """A reason by its code: `opens-road` with the symbol, its length and the seat that can use it.

    Each kind of game derives its own, with the `words` for its codes.
    """

    words: ClassVar[Words] = {}

    def __str__(self) -> str:
        return self.words[self.code](**self.values)


def some(n: int, thing: str) -> str:
    """A number of things, in words."""
    return f"a {thing}" if n == 1 else f"{NUMBERS[n] if n < len(NUMBERS) else n} {thing}s"
