"""Whether the server is alive, and whether it can serve: for whoever restarts it or sends visitors to it."""

import asyncio
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from escapade.server.answers import answer
from escapade.server.messages import Health
from escapade.server.seen import Seen
from escapade.server.store import Store

PATIENCE = 3.0  # seconds for a trial of the store
AGAIN = 2.0  # seconds between two of them, however often somebody asks
RECENT = 10.0  # seconds after which an event that could not be written is no longer a reason to stay away

Checks = dict[str, Callable[[], bool]]


class Writable:
    """Whether the store can be written to. It is tried when somebody asks, and anybody may ask, but not too often."""

    def __init__(self, store: Store, seen: Seen) -> None:
        self.store, self.seen = store, seen
        self.trying = asyncio.Lock()
        self.well, self.tried = False, -AGAIN

    async def look(self) -> None:
        """Try it, unless that has just been done."""
        async with self.trying:
            if time.monotonic() - self.tried < AGAIN:
                return
            try:
                async with asyncio.timeout(PATIENCE):
                    await self.store.probe()
                self.well = True
            except Exception:  # whatever it is, nothing can be written; the store tells the log
                self.well = False
            self.tried = time.monotonic()

    def __call__(self) -> bool:
        """What was found, and that no event has failed just now: a full disk may have room for a trial."""
        return self.well and self.store.answers and time.monotonic() - self.seen.failed_at >= RECENT


def routes(checks: Checks, writable: Writable) -> list[Route]:
    """The questions, which count against nobody's allowance. `checks` are all that has to be so to serve."""

    async def live(request: Request) -> Response:
        """The loop answers."""
        return answer({"live": True})

    async def ready(request: Request) -> Response:
        """Everything is there to serve tables."""
        await writable.look()
        found = {name: check() for name, check in checks.items()}
        return answer(Health(ready=all(found.values()), checks=found), 200 if all(found.values()) else 503)

    return [Route("/health/live", live), Route("/health/ready", ready)]
