"""Several processes that serve at one socket: started, replaced where one dies, and one after another on a signal."""

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from types import FrameType

LIVED = 10.0  # seconds; one that dies sooner is replaced later and later
LONGEST_PAUSE = 30.0
STARTED = 120.0  # seconds in which a process gets ready, on a slow machine with nothing compiled
STOPPED = 45.0  # seconds in which one gives up its tables and ends; then it is killed
LOOK = 0.2

log = logging.getLogger("escapade")
spawning = multiprocessing.get_context("spawn")
Work = Callable[[Callable[[], None]], None]


class Worker:
    """One of the processes."""

    def __init__(self, work: Work) -> None:
        self.began = time.monotonic()
        self.ready: Event = spawning.Event()
        self.process: BaseProcess = spawning.Process(target=live, args=(work, self.ready))
        self.process.start()

    def wait(self) -> bool:
        """Wait until it is ready; whether it is."""
        until = time.monotonic() + STARTED
        while time.monotonic() < until and self.process.is_alive():
            if self.ready.wait(LOOK):
                return True
        return self.ready.is_set()

    def stop(self) -> None:
        """Ask it to end, and see that it does."""
        self.process.terminate()
        self.process.join(STOPPED)
        self.process.kill()
        self.process.join()


def live(work: Work, ready: Event) -> None:
    """Be one of the processes; end as on a signal where whoever has started it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is told to all of them by the one that started them
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    work(ready.set)


def end_with_parent() -> None:
    """End when the one that has started this process is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def supervise(works: Sequence[Work], tell: Callable[[], None]) -> None:
    """Let each work in a process of its own until Ctrl-C or a signal to stop. SIGHUP replaces one after another.

    Replaced are they by what is installed then, so that a new version comes in without anybody waiting for it.
    """
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ask)
    workers = [Worker(work) for work in works]
    pauses = [0.0] * len(works)
    try:
        if min(worker.wait() for worker in workers):
            tell()
        while not {signal.SIGINT, signal.SIGTERM} & set(asked):
            if signal.SIGHUP in asked:
                asked.remove(signal.SIGHUP)
                for place, work in enumerate(works):
                    workers[place] = replaced(workers[place], work)
            for place, worker in enumerate(workers):
                if not worker.process.is_alive():
                    lived = time.monotonic() - worker.began
                    pauses[place] = 0.0 if lived > LIVED else min(LONGEST_PAUSE, 2 * pauses[place] + 0.5)
                    extra = {"event": "process-replaced", "fields": {"process": place + 1}}
                    log.warning("process %d of %d has ended and is replaced", place + 1, len(works), extra=extra)
                    time.sleep(pauses[place])
                    workers[place] = Worker(works[place])
            time.sleep(LOOK)
    finally:
        stop(workers)


def replaced(old: Worker, work: Work) -> Worker:
    """A new process in the place of an old one, which gives up its tables once the new one is ready."""
    new = Worker(work)
    if not new.wait():
        extra = {"event": "process-not-ready", "fields": {}}
        log.error("a new process did not get ready: the old one goes on", extra=extra)
        new.stop()
        return old
    old.stop()
    return new


def stop(workers: list[Worker]) -> None:
    """End them all at the same time."""
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.stop()
