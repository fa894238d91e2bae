"""Background work that may fail: the failure is logged with what it was for, and everything else goes on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from escapade.server.logs import place
from escapade.server.messages import Refused

log = logging.getLogger("escapade")


def note(what: str, fault: Exception) -> None:
    """Log a failure by its type and the line that raised it. Its message is left out: it may hold secrets."""
    where = place(fault.__traceback__)
    name = f"refused as {fault.code}" if isinstance(fault, Refused) else type(fault).__name__
    table, _, about = what.removeprefix("table ").partition(": ") if what.startswith("table ") else ("", "", what)
    fields = {**({"table": table} if table else {}), "what": about, "fault": name, "where": where.strip(" ()")}
    extra = {"kind": f"{name}{where}", "event": "fault", "fields": fields}
    log.error("%s failed: %s%s", what, name, where, extra=extra)


def tell(event: str, **fields: object) -> None:
    """Log what is no trouble, by a short name and some values; a log in plain text leaves it out."""
    log.info(event, extra={"event": event, "fields": fields})


class Tasks:
    """The tasks in the background. One that fails is logged and does not disturb the others."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[None]] = set()

    def start(self, what: str, work: Callable[..., Awaitable[None]], *about: Any) -> asyncio.Task[None]:
        """Start some work; `what` is what the log calls it."""
        task = asyncio.create_task(logged(what, work, *about))
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return task

    def repeat(self, what: str, work: Callable[[], Awaitable[None]], every: float) -> asyncio.Task[None]:
        """Do something again and again with a pause between, also after it has failed."""
        return self.start(what, repeated, what, work, every)

    async def end(self) -> None:
        """Cancel every task and wait until all have ended."""
        tasks = list(self.running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def logged(what: str, work: Callable[..., Awaitable[None]], *about: Any) -> None:
    """Do some work, and log it if it fails."""
    try:
        await work(*about)
    except Exception as fault:
        note(what, fault)


async def repeated(what: str, work: Callable[[], Awaitable[None]], every: float) -> None:
    """Do something again and again, whatever happens."""
    while True:
        await logged(what, work)
        await asyncio.sleep(every)
