"""Several processes at one socket, started and replaced by one that does nothing else: whatever becomes of each."""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from server.live import WAIT, wait_for

from escapade.server import workers

spawning = multiprocessing.get_context("spawn")
SOON = 60.0  # seconds, on a busy machine; less than the pause below


def stay(told: Path, ready: Callable[[], None]) -> None:
    """Work until told to end."""
    with told.open("a") as lines:
        print(os.getpid(), file=lines)
    ready()
    signal.pause()


def die(told: Path, ready: Callable[[], None]) -> None:
    """End at once."""
    with told.open("a") as lines:
        print(os.getpid(), file=lines)
    sys.exit(1)


def supervise(*works: workers.Work) -> None:
    """Supervise, and let one that has died at once wait for longer than any test takes."""
    workers.FIRST_PAUSE = workers.LONGEST_PAUSE = 2 * WAIT
    workers.supervise(works, lambda: None)


def started(told: Path) -> list[int]:
    """The processes that have begun to work."""
    return [int(line) for line in told.read_text().split()] if told.exists() else []


def test_one_that_dies_at_once_delays_neither_the_others_nor_the_end(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    dying, staying = tmp_path / "dying", tmp_path / "staying"
    parent = spawning.Process(target=supervise, args=(partial(die, dying), partial(stay, staying)))
    parent.start()
    assert parent.pid
    wait_for(lambda: started(dying) and started(staying))
    said: list[str] = []

    def has_said(line: str) -> bool:
        said.append(capfd.readouterr().err)
        return line in "".join(said)

    wait_for(lambda: has_said("process 1 of 2 has ended"))
    began = time.monotonic()
    os.kill(started(staying)[0], signal.SIGKILL)
    wait_for(lambda: has_said("process 2 of 2 has ended"))
    os.kill(parent.pid, signal.SIGTERM)
    parent.join(WAIT)
    assert parent.exitcode == 0
    assert time.monotonic() - began < SOON
    assert len(started(dying)) == 1


def test_who_is_to_end_does_not_wait_for_processes_that_are_being_replaced(tmp_path: Path) -> None:
    never = tmp_path / "never"
    parent = spawning.Process(target=supervise, args=(partial(never_ready, never), partial(never_ready, never)))
    parent.start()
    assert parent.pid
    wait_for(lambda: len(started(never)) == 2)
    began = time.monotonic()
    os.kill(parent.pid, signal.SIGHUP)
    os.kill(parent.pid, signal.SIGTERM)
    parent.join(WAIT)
    assert parent.exitcode == 0
    assert time.monotonic() - began < SOON


def never_ready(told: Path, ready: Callable[[], None]) -> None:
    """Work, and never say that one can."""
    stay(told, lambda: None)
