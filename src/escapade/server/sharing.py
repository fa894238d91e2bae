"""Who is next to be thought for: work that waits, with a fair share for every visitor and every table of theirs.

Everything is counted in seconds of a process. A visitor who has had less comes first, and of a visitor's tables the
one that has had less; the estimate of the work itself is added on top, so that of two equals the short work is first.
This is weighted fair queueing on two levels, with equal weights. Idle work, such as going over a finished game, is
taken only where nothing else waits. Nothing here knows processes, nor where they run.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

QUICK = 0.05  # seconds: work that is expected to take no longer may use the process that is kept free for such work


class Busy(Exception):
    """There is more to do than can be done in time, so this is not done."""


class Unwanted(Exception):
    """Nobody waits for this any more."""


def always() -> bool:
    """Somebody waits for it as long as nobody has cancelled it."""
    return True


@dataclass(eq=False)
class Job:
    """A function to be called somewhere else, for whom, and for how many seconds that is expected to take."""

    work: Callable[..., Any]
    about: tuple[Any, ...]
    cost: float
    visitor: str = ""
    table: str = ""
    wanted: Callable[[], bool] = always
    idle: bool = False
    attempts: int = 0
    done: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def quick(self) -> bool:
        """Whether it is short enough for the process that is kept free for such work."""
        return self.cost <= QUICK

    def answer(self, result: Any) -> None:
        """Give the result to whoever waits, if anyone still does."""
        if not self.done.done():
            self.done.set_result(result)

    def fail(self, why: BaseException) -> None:
        """Tell whoever waits, if anyone still does, why there is no result."""
        if not self.done.done():
            self.done.set_exception(why)


class Share:
    """What a visitor or a table has had, in seconds; `now` is what those inside it have all had at least."""

    def __init__(self, had: float) -> None:
        self.had, self.now = had, 0.0


class Waiting:
    """Jobs that wait, at most so many seconds of work, and so many of one visitor."""

    def __init__(self, most: float, most_each: float) -> None:
        self.most, self.most_each = most, most_each
        self.jobs: list[Job] = []
        self.visitors: dict[str, Share] = {}
        self.tables: dict[tuple[str, str], Share] = {}
        self.now = 0.0

    def seconds(self, visitor: str | None = None) -> float:
        """How much work waits, of one visitor or of all."""
        return sum(job.cost for job in self.jobs if visitor in (None, job.visitor))

    def least(self, visitors: Collection[str]) -> str:
        """Who of these has had least, counting what waits: whoever comes to a table never makes it slower."""
        return min(visitors, key=lambda one: self._visitor(one).had + self.seconds(one), default="")

    def add(self, job: Job) -> None:
        """Let a job wait. Where there is no room for it, it fails, or else the newest work of who has most waiting."""
        self._forget_unwanted()
        if self.seconds(job.visitor) + job.cost > self.most_each:
            return job.fail(Busy())
        self.jobs.append(job)
        while self.seconds() > self.most:
            greedy = max({one.visitor for one in self.jobs}, key=self.seconds)
            last = [one for one in self.jobs if one.visitor == greedy][-1]
            self.jobs.remove(last)
            last.fail(Busy())
        return None

    def again(self, job: Job) -> None:
        """Let a job wait once more that has been begun before; nobody is turned away for it."""
        self.jobs.insert(0, job)

    def take(self, quick: bool, idle: bool = True) -> Job | None:
        """The next job, or the next quick one, or with `idle` also what can wait; it does not wait any more."""
        self._forget_unwanted()
        jobs = [job for job in self.jobs if (job.quick or not quick) and (idle or not job.idle)]
        jobs = [job for job in jobs if not job.idle] or jobs
        if not jobs:
            return None
        visitor = min(jobs, key=lambda job: self._visitor(job.visitor).had + job.cost).visitor
        own = [job for job in jobs if job.visitor == visitor]
        job = min(own, key=lambda job: self._table(job).had + job.cost)
        self.jobs.remove(job)
        self._begin(job)
        return job

    def settle(self, job: Job, took: float) -> None:
        """Count what a job really took instead of its estimate."""
        self._visitor(job.visitor).had += took - job.cost
        self._table(job).had += took - job.cost

    def _begin(self, job: Job) -> None:
        visitor, table = self._visitor(job.visitor), self._table(job)
        self.now, visitor.now = max(self.now, visitor.had), max(visitor.now, table.had)
        visitor.had += job.cost
        table.had += job.cost
        if not self.jobs:  # nobody has to wait for anybody: whoever had least is level with the others again
            self.now = max(self.now, max(one.had for one in self.visitors.values()))
        self._forget_level()

    def _visitor(self, name: str) -> Share:
        share = self.visitors.setdefault(name, Share(self.now))
        share.had = max(share.had, self.now)  # who did not ask for a while has no claim on the past
        return share

    def _table(self, job: Job) -> Share:
        visitor = self._visitor(job.visitor)
        share = self.tables.setdefault((job.visitor, job.table), Share(visitor.now))
        share.had = max(share.had, visitor.now)
        return share

    def _forget_level(self) -> None:
        """Forget the shares that a newcomer would have too."""
        waiting = {job.visitor for job in self.jobs}
        gone = [name for name, one in self.visitors.items() if one.had <= self.now and name not in waiting]
        for name in gone:
            del self.visitors[name]
        self.tables = {at: one for at, one in self.tables.items() if at[0] in self.visitors}

    def _forget_unwanted(self) -> None:
        """Drop the work that nobody waits for any more."""
        for job in self.jobs:
            if not job.done.done() and not job.wanted():
                job.fail(Unwanted())
        self.jobs = [job for job in self.jobs if not job.done.done()]
