"""Bots and hints, computed in processes of their own, so that nobody at another table waits for them."""

import asyncio
import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from escapade import analysis, games, hints, puzzles
from escapade.game import Game
from escapade.reasons import Reason
from escapade.record import parse, replay
from escapade.server.messages import Outline
from escapade.server.sharing import Busy, Job, Waiting, always

HINT_TIME = 1.0
JUDGE_TIME = 3.0  # most seconds for a decision that is judged: twenty times what it takes, so that its work decides
OWN_TIME = 1.0  # seconds that an operator's own bot is expected to take, so that it never holds up the quick ones
QUICK_TIME = 0.02  # seconds that a bot without a bound of its own is expected to take, with the way there and back
PATIENCE = 120.0  # seconds for what is done for the first time, as it may have to be compiled, or has another limit
STUCK = 20.0  # for what it has done before, besides twice what it should take: it gives way to all else here
ATTEMPTS = 3  # at work whose process dies: it may be the work that kills it
NICENESS = 10  # thinking gives way to the server
SELDOM = 60.0  # seconds between two lines of the log about the same
LOADED = ["escapade.bots", "escapade.server.thinking"]  # once, in the process that the others are forked from

log = logging.getLogger("escapade")


class Budget(NamedTuple):
    """How much may wait to be thought about, in seconds of a process's work, and how long."""

    wait: float = 15.0  # until work is refused whose turn has not come: people look elsewhere after that
    each: float = 30.0  # of one visitor: what two processes can begin within that time
    most: float = 300.0  # of all visitors together


BUDGET = Budget()


def expected(kind: str, level: str) -> float:
    """Seconds that a bot is expected to take for an action: its own bound, if it has one."""
    if level in games.OWN:
        return OWN_TIME
    _, parameters = games.kinds()[kind].bots.BOTS[level]
    return float(parameters.get("time", QUICK_TIME))


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


def outline(kind: str, record: str) -> Outline:
    """Every turn of a whole game, and everyone's chances at its start and after each turn."""
    game = recorded(record)
    chances = analysis.outline(game, time=QUICK_TIME)
    return Outline(
        turns=[turn for turn, _ in game.turns], seats=list(game.actors()), chances=[list(row) for row in chances]
    )


def judge(kind: str, record: str, index: int) -> tuple[analysis.Judged, list[Reason]]:
    """A turn of a whole game, and what speaks for the better one."""
    game = recorded(record)
    judged = analysis.judge_turn(game, index, time=JUDGE_TIME)
    return judged, reasons_for(game, index, judged) if judged.better else []


def reasons_for(game: Game, index: int, judged: analysis.Judged) -> list[Reason]:
    """What speaks for what would have been better in a turn, as its seat saw the game."""
    before = game.beginning()
    for _, tokens in game.turns[:index]:
        for token in tokens:
            before.play_recorded(token)
    for token in judged.actions[: judged.at]:
        before.play_recorded(token)
    return hints.reasons(before.view(judged.seat), judged.better)


@lru_cache(maxsize=2)
def recorded(record: str) -> Game:
    """A game that has been checked; the same is asked about turn by turn."""
    return replay(parse(record))


def weigh(kind: str, position: str, actions: list[str]) -> tuple[list[dict[str, Any]], float | None]:
    """Hints for the seat to act in a position, and what some actions of its turn would give away."""
    game = games.parse(position, seed=0)
    lost = analysis.judge_try(game, actions, time=JUDGE_TIME).lost if actions else None
    return advise(game.view(game.seat), None), lost


def give_away(kind: str, puzzle: str, actions: list[str]) -> float:
    """What some actions give away of the chances in a puzzle, by what its seat knows."""
    return analysis.judge_try(puzzles.begin(puzzles.puzzles(kind)[puzzle]), actions, time=JUDGE_TIME).lost


def warm_up_advice(kind: str) -> None:
    """Go over a turn and a half, so that the compiled code of advice is loaded before anyone waits."""
    import escapade

    row = games.kinds()[kind]
    game = escapade.new(row.samples[0], players=row.players[0], seed=1)
    for _ in range(5):
        game.play(game.legal_actions()[0])
    for index in range(len(game.turns)):
        analysis.judge_turn(game, index, time=QUICK_TIME)


def warm_up(kind: str, level: str) -> None:
    """Let a bot choose a few times, without much thought, so that its compiled code is loaded before anyone waits."""
    import escapade

    row = games.kinds()[kind]
    level = f"{level}(time={QUICK_TIME})" if "time" in row.bots.BOTS[level][1] else level
    game = escapade.new(row.samples[0], players=row.players[0], seed=1)
    for _ in range(4):
        if game.over:
            return
        game.play(choose(level, kind, game.view(game.seat), game.legal_actions(), game.record(game.seat), 1))


# In the process.


def serve(line: Connection, niceness: int, prepare: Callable[[], object], limit: float | None) -> None:
    """Live as a process: do what comes through the pipe, one thing after another, and end with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    threading.Thread(target=end_with_server, daemon=True).start()
    prepare()  # before it gives way to others: somebody may wait for it already
    with suppress(EOFError, OSError):
        line.send(None)
        with suppress(AttributeError):
            os.nice(niceness)
        while True:
            work, about = line.recv()
            line.send(done(work, about, limit))


def load_bots() -> None:
    """Import what takes a while."""
    importlib.import_module("escapade.bots")


def done(work: Callable[..., Any], about: tuple[Any, ...], limit: float | None) -> "Done":
    """What a function returns or raises."""
    began = time.monotonic()
    try:
        with at_most(limit):
            return Done(work(*about), None, time.monotonic() - began)
    except Exception as fault:
        return Done(None, fault, time.monotonic() - began)


@contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raise TimeoutError in what uses a processor for longer. To wait for one, on a busy machine, does not count."""
    if seconds is None or not hasattr(signal, "setitimer"):  # as on Windows, where PATIENCE alone ends it
        yield
        return
    signal.signal(signal.SIGPROF, take_too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def take_too_long(*_: object) -> None:
    """End the work that is being done."""
    raise TimeoutError


def end_with_server() -> None:
    """Exit when the server is gone: one that was killed cannot end its processes itself."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)


# In the server.


def forked() -> "multiprocessing.context.ForkServerContext | multiprocessing.context.SpawnContext":
    """How processes are started: where forks are safe, from one that has loaded what all of them need."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(LOADED)
    return forking


starting = forked()


class Done(NamedTuple):
    """What a process answers: the result or what went wrong, and how many seconds it took."""

    found: Any
    why: Exception | None
    took: float


class Chore(NamedTuple):
    """What every process does once when nothing waits, so that it is quick when somebody waits."""

    work: Callable[..., Any]
    about: tuple[Any, ...]
    quick: bool


class Process:
    """A process, the pipe to it, and what it is doing. It starts when it is given something to do."""

    def __init__(self, thinkers: "Thinkers", quick: bool) -> None:
        self.thinkers, self.quick = thinkers, quick
        self.process: BaseProcess | None = None
        self.line: Connection | None = None
        self.ready = self.ended = False
        self.changing = threading.Lock()  # a thread starts it, and it may be ended before
        self.job: Job | None = None
        self.limit: asyncio.TimerHandle | None = None
        self.known: set[object] = set()  # what it has done before, so that it is compiled and loaded
        self.chores = deque(chore for chore in thinkers.chores if chore.quick or not quick)

    def start(self) -> None:
        """Let a thread start it, as the first of all takes seconds, and listen to it, which works on every platform."""
        self.line, far = starting.Pipe()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._live, args=(self.line, far, loop), daemon=True).start()

    def _live(self, line: Connection, far: Connection, loop: asyncio.AbstractEventLoop) -> None:
        niceness = 0 if self.quick else self.thinkers.niceness
        about = far, niceness, self.thinkers.prepare, self.thinkers.limit
        with suppress(OSError, EOFError), far:  # one that cannot be started is as good as dead
            process = starting.Process(target=serve, args=about, daemon=True)
            process.start()
            with self.changing:
                self.process = process
                if self.ended:
                    process.kill()
        listen(line, loop, self.hear)

    def give(self, job: Job) -> None:
        """Let it do something."""
        self.job = job
        job.attempts += 1
        if self.line is None:
            self.start()
        assert self.line
        self._be_patient()
        self.thinkers.threads.submit(send, self.line, (job.work, job.about))  # a large record fills the pipe

    def is_learning(self) -> bool:
        """Whether it does something for the first time, which may have to be compiled."""
        return self.job is not None and needed_for(self.job) not in self.known

    def _be_patient(self) -> None:
        """Wait for what it does, but not for ever."""
        assert self.job
        patient = self.is_learning() or self.job.idle or self.thinkers.limit
        seconds = PATIENCE if patient else STUCK + 2 * self.job.cost
        if self.limit:
            self.limit.cancel()
        self.limit = asyncio.get_running_loop().call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        """It is stuck: whoever waits gets no answer, and it is ended."""
        assert self.job
        self.job.fail(TimeoutError())
        self.end()

    def hear(self, said: Done | None, dead: bool) -> None:
        """It is ready, or has done its work, or is dead."""
        if self.thinkers.closed:
            return
        if dead:
            self._die()
        elif said is None:
            self.ready = True
            if self.job:
                self._be_patient()
        else:
            job = self._put_down()
            self.known.add(needed_for(job))
            self.thinkers.waiting.settle(job, said.took)
            job.answer(said.found) if said.why is None else job.fail(said.why)
        self.thinkers.share_out()
        self.thinkers.do_chores()

    def _put_down(self) -> Job:
        job, self.job = self.job, None
        assert job
        assert self.limit
        self.limit.cancel()
        return job

    def _die(self) -> None:
        """Begin anew. Its work is done again, but not for ever."""
        job = self._put_down() if self.job else None
        self.end()
        self.thinkers.replace(self)
        if job and job.attempts < ATTEMPTS:
            self.thinkers.waiting.again(job)
        elif job:
            job.fail(BrokenProcessPool())

    def end(self) -> None:
        """Kill it: it has nothing that could be lost."""
        with self.changing:
            self.ended = True
        if self.process:
            self.process.kill()
            self.process.join()


def needed_for(job: Job) -> object:
    """What is loaded for a job: the function, and the bot that it is about."""
    return job.work, job.about[: KINDS.get(job.work, 0)]


KINDS = {
    choose: 2,
    warm_up: 2,
    warm_up_advice: 1,
    outline: 1,
    judge: 1,
    weigh: 1,
    give_away: 1,
}  # how many of what they are about


def send(line: Connection, what: object) -> None:
    """Send to a process; that it is dead is noticed by who listens."""
    with suppress(OSError):
        line.send(what)


def listen(line: Connection, loop: asyncio.AbstractEventLoop, hear: Callable[[Done | None, bool], None]) -> None:
    """Pass on what a process says, until it is dead or the server has ended."""
    with suppress(RuntimeError), line:  # the loop is closed
        with suppress(EOFError, OSError):
            while True:
                loop.call_soon_threadsafe(hear, received(line), False)
        loop.call_soon_threadsafe(hear, None, True)


def received(line: Connection) -> Done | None:
    """What a process says; an exception may be of a kind that cannot be sent."""
    said = line.recv_bytes()
    try:
        answer: Done | None = pickle.loads(said)
    except Exception as fault:
        return Done(None, fault, 0.0)
    return answer


class Thinkers:
    """Some processes, and one more that is kept free for quick work, behind a queue that all share.

    A process that dies is replaced and its work done again; one that is stuck is killed. What uses a processor for more
    than `limit` seconds is broken off. `prepare` is called first in every process.
    """

    def __init__(
        self,
        processes: int,
        *,
        quick: int = 1,
        niceness: int = NICENESS,
        limit: float | None = None,
        prepare: Callable[[], object] = load_bots,
        budget: Budget = BUDGET,
    ) -> None:
        self.niceness, self.limit, self.prepare, self.budget = niceness, limit, prepare, budget
        self.waiting = Waiting(budget.most, budget.each)
        self.chores: list[Chore] = []
        self.processes = [Process(self, quick=place < quick) for place in range(quick + processes)]
        self.threads = ThreadPoolExecutor(quick + processes or 1)  # to send; no thread is started before it is needed
        self.closed = False
        self.stillborn = 0  # processes in a row that died before they were ready
        self.told: dict[str, float] = {}
        self.refusals, self.replaced = 0, 0  # what was refused for want of time, and processes that have ended

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
        """Call a function in one of the processes, and return its result.

        `cost` is how many seconds it is expected to take. It counts for that one of the visitors who has had least,
        and for the table. Idle work gives way to all other, and no two processes do it. Busy: its turn did not come
        within `wait` seconds, those of the budget if none are given, or there is no room for it; Unwanted: when its
        turn came, nobody wanted it any more. To cancel this is to say so at once.
        """
        if self.closed:
            raise Busy
        job = Job(work, about, cost, self.waiting.least(visitors), table, wanted, idle)
        self.waiting.add(job)
        self.share_out()
        late = asyncio.get_running_loop().call_later(self.budget.wait if wait is None else wait, self._turn_away, job)
        try:
            return await job.done
        except Busy:
            if not self.closed:
                self.refusals += 1
                self._tell(
                    "thinking-refused", "more thinking is asked for than can be done in time: some of it is refused"
                )
            raise
        finally:
            late.cancel()

    def _turn_away(self, job: Job) -> None:
        """Refuse what still waits; but while something is compiled for the first time, everyone waits for that."""
        if job in self.waiting.jobs:
            if any(process.is_learning() for process in self.processes if job.quick or not process.quick):
                asyncio.get_running_loop().call_later(1.0, self._turn_away, job)
            else:
                job.fail(Busy())

    def share_out(self) -> None:
        """Give what waits to the processes that are free, first to those that can begin at once."""
        if self.closed:
            return
        for process in sorted(self._free(), key=lambda one: (not one.ready, not one.quick)):
            idle = not any(other.job and other.job.idle for other in self.processes)
            if job := self.waiting.take(process.quick, idle):
                process.give(job)

    def _free(self) -> list[Process]:
        return [process for process in self.processes if process.job is None]

    def keep_ready(self, work: Callable[..., Any], *about: Any, quick: bool) -> None:
        """Do something once in every process, also in those that come later, when nothing else waits there."""
        chore = Chore(work, about, quick)
        self.chores.append(chore)
        for process in self.processes:
            if quick or not process.quick:
                process.chores.append(chore)
        self.do_chores()

    def do_chores(self) -> None:
        """Let processes that have nothing else to do get ready for what may come."""
        for process in self._free():
            if process.chores and not self.closed:
                chore = process.chores.popleft()
                job = Job(chore.work, chore.about, 0.0, attempts=ATTEMPTS)  # whoever comes next has the same chores
                job.done.add_done_callback(lambda done: done.cancelled() or done.exception())  # it has been logged
                process.give(job)

    def replace(self, dead: Process) -> None:
        """Put a new process in the place of a dead one; it starts soon, or later where none comes to life."""
        self.replaced += 1
        self._tell("thinker-replaced", "a process that thinks has ended and is replaced")
        self.stillborn = 0 if dead.ready else self.stillborn + 1
        again = Process(self, dead.quick)
        chores, again.chores = again.chores, deque()
        self.processes[self.processes.index(dead)] = again
        pause = min(0.1 * 2 ** min(self.stillborn, 9), 30.0)
        asyncio.get_running_loop().call_later(pause, self._begin_chores, again, chores)

    def _begin_chores(self, process: Process, chores: deque[Chore]) -> None:
        process.chores.extend(chores)
        self.do_chores()

    def _tell(self, event: str, line: str) -> None:
        """Write a line into the log, but not again and again."""
        now = time.monotonic()
        if now - self.told.get(event, -SELDOM) >= SELDOM:
            self.told[event] = now
            log.warning(line, extra={"event": event, "fields": {}})

    def close(self) -> None:
        """End the processes; whoever still waits is refused."""
        self.closed = True
        for process in self.processes:
            process.end()
            if process.job:
                process.job.fail(Busy())
        for job in self.waiting.jobs:
            job.fail(Busy())
        self.threads.shutdown(wait=False, cancel_futures=True)
