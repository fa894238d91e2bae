"""Bots and hints that are computed by another process of the same store, on this machine or another, in its queue."""

import asyncio
import pickle
import time
import zlib
from collections.abc import Callable, Collection
from typing import Any

from escapade.server.pipe import Closed
from escapade.server.relay import Relay
from escapade.server.sharing import Busy, Unwanted, always
from escapade.server.thinking import QUICK_TIME, Budget, Thinkers

TOLD = (Busy, TimeoutError, ValueError)  # what those who ask tell apart; others may not be fit to be sent
BOTS, RECORDS = "bots", "records"  # the queues that a process lends
LOOK = (
    0.25  # seconds between two looks whether somebody still wants an answer, or whether there is a process that thinks
)


class Borrowed(Thinkers):
    """The thinkers of other processes. All that is about a table goes to the same one, whose queue shares fairly."""

    def __init__(self, queue: str, budget: Budget) -> None:
        super().__init__(0, quick=0, budget=budget)
        self.queue = queue
        self.relay: Relay | None = None

    async def think(
        self,
        work: Callable[..., Any],
        *about: Any,
        cost: float = QUICK_TIME,
        visitors: Collection[str] = (),
        table: str = "",
        wait: float | None = None,
        wanted: Callable[[], bool] = always,
        idle: bool = False,
    ) -> Any:
        """As `Thinkers.think`. Where the process that thinks dies, another is asked."""
        wait = self.budget.wait if wait is None else wait
        until = time.monotonic() + wait
        job = pickle.dumps((work, about, cost, tuple(visitors), table, wait, idle))
        whose = table or min(visitors, default="")
        while not self.closed and self.relay:
            asked = asyncio.create_task(self._ask(whose, job))
            try:
                while not asked.done():
                    await asyncio.wait([asked], timeout=LOOK)
                    if not asked.done() and not wanted():
                        raise Unwanted
                return asked.result()
            except Closed:
                if time.monotonic() >= until:
                    break
                await asyncio.sleep(LOOK)
            finally:
                asked.cancel()
        raise Busy

    async def _ask(self, whose: str, job: bytes) -> Any:
        """Ask one of the processes that think: for the same table or visitor the same, as long as it is there."""
        assert self.relay
        there = await self.relay.store.thinking()
        if not there:
            raise Closed("no process thinks")
        address = min(there, key=lambda one: zlib.crc32(f"{one} {whose}".encode()))
        found, why = pickle.loads(await self.relay.ask(address, self.queue, job))
        if why is not None:
            raise why
        return found

    def keep_ready(self, work: Callable[..., Any], *about: Any, quick: bool) -> None:
        """Others do that for themselves."""


async def lend(thinkers: Thinkers, job: bytes) -> bytes:
    """Do for another process what it asks for; the answer, or what went wrong."""
    work, about, cost, visitors, table, wait, idle = pickle.loads(job)
    try:
        found = await thinkers.think(work, *about, cost=cost, visitors=visitors, table=table, wait=wait, idle=idle)
        return pickle.dumps((found, None))
    except TOLD as why:
        return pickle.dumps((None, why))
    except Exception as why:
        return pickle.dumps((None, RuntimeError(type(why).__name__)))
