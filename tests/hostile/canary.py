"""An honest visitor who plays a quiet table while others attack: how long a ping takes, and how long a sailor does.

It runs in a process of its own, so that an attack's own work does not count: `python -m hostile.canary PORT ADDRESS`.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from hostile.wire import HERE, Closed, Line, Refused, Visitor, bot, mine

TESTS = Path(__file__).parent.parent
PAUSE = 0.12  # seconds between two messages: an honest connection may send ten a second
FAULTS = (Closed, Refused, TimeoutError, OSError, AssertionError, httpx.HTTPError)
Waits = list[tuple[float, float]]  # when each began and how long it lasted


class Figures(NamedTuple):
    """What a canary felt in a span of time, in seconds."""

    p50: float
    p99: float
    worst: float
    sailor: float  # the longest wait for a sailor's whole turn
    faults: list[str]  # what should not have happened to it

    @classmethod
    def between(cls, felt: dict[str, Any], since: float, until: float) -> "Figures":
        """From everything that was felt, what began or was still going on in a span."""

        def within(waits: Waits) -> list[float]:
            return sorted(wait for began, wait in waits if began < until and began + wait > since) or [float("nan")]

        pings, turns = within(felt["pings"]), within(felt["turns"])
        faults = [why for when, why in felt["faults"] if since <= when < until]
        return cls(share(pings, 0.5), share(pings, 0.99), pings[-1], turns[-1], faults)


def share(ordered: list[float], part: float) -> float:
    """The value that this part of all are below."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


class Canary:
    """The canary's process, seen from the one that attacks."""

    def __init__(self, port: int, address: str = "127.0.0.2", hurried: bool = True) -> None:
        command = [sys.executable, "-m", "hostile.canary", str(port), address, "hurried" if hurried else "calm"]
        world = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=world)
        assert self.process.stdout
        assert self.process.stdout.readline() == "playing\n"

    def felt(self) -> dict[str, Any]:
        """Everything so far."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("tell\n")
        self.process.stdin.flush()
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def during(self, since: float, until: float | None = None) -> Figures:
        """What it felt in a span of time by the monotonic clock."""
        return Figures.between(self.felt(), since, until or time.monotonic())

    def quiet(self, turns: int = 3, most: float = 60.0) -> Figures:
        """Let it play some turns undisturbed; a sailor that is still loading does not count."""
        self._turns(1, most)
        began = time.monotonic()
        self._turns(turns, most)
        return self.during(began)

    def _turns(self, count: int, most: float) -> None:
        began = time.monotonic()
        while sum(start > began for start, _ in self.felt()["answered"]) < count and time.monotonic() < began + most:
            time.sleep(0.1)

    def end(self) -> None:
        """Let it go."""
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate(timeout=30)


class Felt:
    """What the canary notes while it plays."""

    def __init__(self) -> None:
        self.waits: dict[str, Waits] = {"pings": [], "turns": [], "answered": []}
        self.going_on: dict[str, float] = {}
        self.faults: list[tuple[float, str]] = []

    @contextlib.contextmanager
    def noting(self, what: str) -> Iterator[None]:
        """Time something; while it goes on it counts with what it has taken so far."""
        self.going_on[what] = began = time.monotonic()
        try:
            yield
        finally:
            del self.going_on[what]
            self.waits[what].append((began, time.monotonic() - began))

    def told(self) -> str:
        """Everything, as JSON."""
        now = time.monotonic()
        all_of = {what: list(waits) for what, waits in self.waits.items()}
        for what, began in list(self.going_on.items()):
            all_of[what].append((began, now - began))
        return json.dumps({**all_of, "faults": self.faults})


def keep_pinging(port: int, address: str, felt: Felt) -> None:
    """Ask again and again whether the line is alive."""
    with Visitor(port, address) as visitor:
        line: Line | None = None
        table, _ = visitor.made("jamaica", mine("Canary"), {})
        while True:
            try:
                with felt.noting("pings"):
                    line = line or visitor.come(table)
                    line.send("ping")
                    line.until("pong")
            except FAULTS as fault:
                line = None
                felt.faults.append((time.monotonic(), repr(fault)))
            time.sleep(PAUSE)


def keep_playing(port: int, address: str, hurried: bool, felt: Felt) -> None:
    """Play one game against a sailor after another."""
    with Visitor(port, address) as visitor:
        while True:
            try:
                play(visitor, hurried, felt)
            except FAULTS as fault:
                felt.faults.append((time.monotonic(), repr(fault)))
                time.sleep(0.2)


def play(visitor: Visitor, hurried: bool, felt: Felt) -> None:
    """Play a game, and time every turn of the sailor's."""
    table, key = visitor.made("jamaica", mine("Canary"), bot(), first=0)
    with visitor.come(table, key) as line:
        shown, acts = line.shown, 0
        while shown["state"]["result"] == "*":
            legal, acts = shown["state"]["legal"], acts + 1
            assert legal, shown
            time.sleep(PAUSE)
            line.send("play", version=shown["version"], action=choose(legal, acts == 3 and hurried))
            shown = line.until("moved", "fault")
            assert shown["type"] == "moved", shown
            if not shown["state"]["legal"] and shown["state"]["result"] == "*":
                acts, turn = 0, time.monotonic()
                with felt.noting("turns"):
                    while not shown["state"]["legal"] and shown["state"]["result"] == "*":
                        shown = line.until("moved")
                felt.waits["answered"].append((time.monotonic(), time.monotonic() - turn))


def choose(legal: list[str], last: bool) -> str:
    """Any action. A retreat at the end of a turn shows a card, cannot be taken back, and so is answered at once."""
    back = [action for action in legal if "<" in action]
    return back[-1] if last and back else legal[0]


def main(port: int, address: str, hurried: bool) -> None:
    """Play and ping until nobody asks any more."""
    felt = Felt()
    for work in ((keep_pinging, port, address, felt), (keep_playing, port, address, hurried, felt)):
        threading.Thread(target=work[0], args=work[1:], daemon=True).start()
    print("playing", flush=True)
    for _ in sys.stdin:
        print(felt.told(), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else HERE, sys.argv[-1] == "hurried")
