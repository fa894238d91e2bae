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
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
STARTED = 120.0  # seconds in which a process gets ready, on a slow machine with nothing compiled
STOPPED = 45.0  # seconds in which one gives up its tables and ends; then it is killed
LOOK = 0.2

log = logging.getLogger("escapade")
spawning = multiprocessing.get_context("spawn")
Work = Callable[[Callable[[], None]], None]


class Worker:
    """One of the processes."""

    def __init__(self, work: Work, pause: float = 0.0) -> None:
        self.began, self.pause = time.monotonic(), pause
        self.again: float | None = None  # when it is replaced, once it has ended
        self.ready: Event = spawning.Event()
        self.process: BaseProcess = spawning.Process(target=live, args=(work, self.ready))
        self.process.start()

    def is_over(self, number: int, of: int) -> bool:
        """Whether it has ended and is to be replaced now: one that has not lived long later than the one before."""
        if self.process.is_alive():
            return False
        now = time.monotonic()
        if self.again is None:
            self.pause = 0.0 if now - self.began > LIVED else min(LONGEST_PAUSE, 2 * self.pause + FIRST_PAUSE)
            self.again = now + self.pause
            extra = {"event": "process-replaced", "fields": {"process": number}}
            log.warning("process %d of %d has ended and is replaced", number, of, extra=extra)
        return now >= self.again

    def wait(self, ending: Callable[[], bool]) -> bool:
        """Wait until it is ready; whether it is. Where all of them end there is nothing to wait for."""
        until = time.monotonic() + STARTED
        while time.monotonic() < until and self.process.is_alive() and not ending():
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
    asked: set[int] = set()

    def ask(number: int, frame: FrameType | None) -> None:
        asked.add(number)

    def ending() -> bool:
        return bool({signal.SIGINT, signal.SIGTERM} & asked)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ask)
    workers = [Worker(work) for work in works]
    try:
        if min(worker.wait(ending) for worker in workers):
            tell()
        while not ending():
            if signal.SIGHUP in asked:
                asked.remove(signal.SIGHUP)
                for place, work in enumerate(works):
                    if not ending():
                        workers[place] = replaced(workers[place], work, ending)
            for place, worker in enumerate(workers):
                if worker.is_over(place + 1, len(works)):
                    workers[place] = Worker(works[place], worker.pause)
            time.sleep(LOOK)
    finally:
        stop(workers)


def replaced(old: Worker, work: Work, ending: Callable[[], bool]) -> Worker:
    """A new process in the place of an old one, which gives up its tables once the new one is ready."""
    new = Worker(work)
    if not new.wait(ending):
        if ending():
            new.stop()
            return old
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
