"""Bots and hints, thought out in processes of their own, so that nobody at another table waits for them."""

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

LEVELS = ("cabin-boy", "sailor", "buccaneer", "captain", "legend")
HINT_TIME = 1.0


def choose(level: str, kind: str, view: str, legal: list[str], record: str | None, seed: int) -> str:
    """What a bot of a level does; it is handed what its seat may know, and nothing else."""
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

    game = escapade.new("evades" if kind == "evades" else "jamaica", players=2, seed=1)
    for _ in range(4):
        game.play(choose(level, kind, game.view(game.seat), game.legal_actions(), game.record(game.seat), 1))


def begin() -> None:
    """A thinker yields to the server, leaves Ctrl-C to it, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_server, daemon=True).start()
    with suppress(OSError, AttributeError):
        os.nice(10)


def end_with_server() -> None:
    """A server that was killed cannot tell its thinkers to go."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)


class Thinkers:
    """So many processes; a process that dies is replaced, and its work done again."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.processes, multiprocessing.get_context("spawn"), begin)

    async def think(self, work: Callable[..., Any], *about: Any) -> Any:
        """Let a process work, and wait for what it finds."""
        for attempt in (1, 2, 3):
            pool = self.pool
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, *about)
            except BrokenProcessPool:
                if attempt == 3:
                    raise
                if self.pool is pool:
                    self.pool = self._new_pool()
        raise AssertionError("three attempts end with a value or an error")

    def close(self) -> None:
        """Let the processes go."""
        processes = list((self.pool._processes or {}).values())
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()
