"""Long work on the event loop, cut into slices, so that everyone else is served in between."""

import asyncio
import time
from collections.abc import Generator
from typing import TypeVar

SLICE = 0.003  # seconds; a thread would hold the interpreter for longer at a time, and so would each further one
BREATHS = 6  # rounds of the loop between two slices: so many, or fewer, are between a message and its answer

Result = TypeVar("Result")


class Slices:
    """Does long work bit by bit, one slice of all such work at a time."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def do(self, work: Generator[None, None, Result]) -> Result:
        """Do some work, which yields wherever it can be interrupted, and return its result."""
        while True:
            async with self.turn:
                end = time.perf_counter() + SLICE
                try:
                    while time.perf_counter() < end:
                        next(work)
                except StopIteration as done:
                    return done.value  # type: ignore[no-any-return]
                for _ in range(BREATHS):
                    await asyncio.sleep(0)


def whole(work: Generator[None, None, Result]) -> Result:
    """Do all of some work now, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
