"""Bots and hints, computed in processes of their own, so that nobody at another table waits for them."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any

HINT_TIME = 1.0
PATIENCE = 300.0  # seconds after which a process is taken to be stuck: far more than any queue of bots takes


def choose(level: str, kind: str, view: str, legal: list[str], record: str | None, seed: int) -> str:
    """What a bot does; it gets what its seat may know, and nothing else."""
    from escapade import bots

    return bots.make(level, kind, seed).choose(view, legal, record)


def advise(view: str, record: str | None) -> list[dict[str, Any]]:
    """Hints for the seat to act, as plain values."""
    import escapade

    return [
        {
            "action": hint.action,
            "line": list(hint.line),
            "chances": list(hint.chances),
            "reasons": [{"code": reason.code, "values": reason.values} for reason in hint.reasons],
        }
        for hint in escapade.hint(view, record, time=HINT_TIME)
    ]


def warm_up(kind: str, level: str) -> None:
    """Let a bot choose a few times, so that its compiled code is loaded before anyone waits for it."""
    import escapade
    from escapade import games

    row = games.kinds()[kind]
    game = escapade.new(row.samples[0], players=row.players[0], seed=1)
    for _ in range(4):
        if game.over:
            return
        game.play(choose(level, kind, game.view(game.seat), game.legal_actions(), game.record(game.seat), 1))


def begin() -> None:
    """Prepare a process: it gives way to the server, leaves Ctrl-C to it, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_server, daemon=True).start()
    with suppress(OSError, AttributeError):
        os.nice(10)


def end_with_server() -> None:
    """Exit when the server is gone: one that was killed cannot end its processes itself."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)


class Thinkers:
    """So many processes. One that dies is replaced, and its work done again; one that is stuck is killed."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.processes, multiprocessing.get_context("spawn"), begin)

    async def think(self, work: Callable[..., Any], *about: Any) -> Any:
        """Call a function in one of the processes, and return its result."""
        for attempt in (1, 2, 3):
            pool = self.pool
            try:
                job = pool.submit(work, *about)
                async with asyncio.timeout(PATIENCE):
                    return await asyncio.wrap_future(job)
            except BrokenProcessPool:
                if attempt == 3:
                    raise
                if self.pool is pool:  # nobody else has replaced it yet
                    self.pool = self._new_pool()
            except TimeoutError:
                if job.running():  # which of the processes is stuck cannot be known; the others' work is done again
                    for process in processes_of(pool):
                        process.kill()
                raise
        raise AssertionError("three attempts end with a value or an error")

    def close(self) -> None:
        """End the processes."""
        processes = processes_of(self.pool)
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def processes_of(pool: ProcessPoolExecutor) -> list[Any]:
    """The processes of a pool, which has no public way to end one that is at work."""
    return list((pool._processes or {}).values())
