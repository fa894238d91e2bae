"""What an operator sees of a server: numbers for Prometheus, and an event in the log where a game begins and ends."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

import escapade
from escapade.server.events import Event, Opened, Played, Resigned
from escapade.server.messages import FAULTS, FromClient
from escapade.server.supervision import tell
from escapade.server.table import Table

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
EVENTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
EVERY = 0.25  # seconds between two looks at the loop
LATEST, STALL = 1 / 16, 0.02  # what the last look counts for in the average, that of some four seconds, and at most
FALLING = 1 / 64  # what it counts for where things get better: a good moment is no reason to let many in
SLOW = 1.0  # seconds of a commit that the log is told of
PEOPLE = ("person", "bot", "clock")  # who acts

disable_created_metrics()  # a line for each counter, about when it was made


class Reading(NamedTuple):
    """A metric whose values are read when somebody asks for them, one for each value of its label if it has one."""

    family: type[GaugeMetricFamily] | type[CounterMetricFamily]
    name: str
    text: str
    label: str
    values: Callable[[], Mapping[str, float]]


class Readings(Collector):
    """All metrics that are read when somebody asks."""

    def __init__(self) -> None:
        self.all: list[Reading] = []

    def collect(self) -> Iterable[Metric]:
        """The values as they are now."""
        for one in self.all:
            family = one.family(one.name, one.text, labels=[one.label] if one.label else [])
            for value, number in one.values().items():
                family.add_metric([value] if one.label else [], number)
            yield family


class Seen:
    """The metrics of one server, in a registry of its own. Labels are from short lists: no table, address or name."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.readings = Readings()
        registry.register(self.readings)
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        Info("escapade_build", "The version of Escapade.", registry=registry).info({"version": escapade.__version__})
        actions = Counter("escapade_actions", "Actions in games, by who took them.", ["by"], registry=registry)
        self.actions = {by: actions.labels(by) for by in PEOPLE}
        waits = Histogram(
            "escapade_message_seconds",
            "Time from hearing a message on a socket to its answer, by the message's type.",
            ["kind"],
            buckets=SECONDS,
            registry=registry,
        )
        kinds = [str(kind.__struct_config__.tag) for kind in get_args(FromClient)]
        self.waits = {kind: waits.labels(kind) for kind in kinds}
        refusals = Counter(
            "escapade_refusals", "Refusals on sockets and over HTTP, by code.", ["code"], registry=registry
        )
        self.refusals = {code: refusals.labels(code) for code in FAULTS}
        answers = Counter(
            "escapade_http_responses", "Answers over HTTP by class of status.", ["status"], registry=registry
        )
        self.answers = {first: answers.labels(f"{first}xx") for first in range(1, 6)}
        self.opened = Counter("escapade_tables_opened", "Tables that were made.", registry=registry)
        self.over = Counter("escapade_games_over", "Games that came to their end.", registry=registry)
        self.lag = Histogram(
            "escapade_loop_lag_seconds",
            "How late the event loop is: everything that this process does waits for as long.",
            buckets=SECONDS,
            registry=registry,
        )
        self.commits = Histogram(
            "escapade_store_commit_seconds", "Time of a commit to the store.", buckets=SECONDS, registry=registry
        )
        self.batches = Histogram(
            "escapade_store_commit_events", "Events that were committed together.", buckets=EVENTS, registry=registry
        )
        self.failures = Counter("escapade_store_failures", "Events that could not be written.", registry=registry)
        self.failed_at = -float("inf")  # when the store last could not write, by the monotonic clock
        self.late = 0.0  # seconds by which the loop was late on average in the last few

    def gauge(self, name: str, text: str, values: Callable[[], Mapping[str, float]], label: str = "") -> None:
        """A metric of what is so now, read when somebody asks."""
        self.readings.all.append(Reading(GaugeMetricFamily, name, text, label, values))

    def counter(self, name: str, text: str, values: Callable[[], Mapping[str, float]], label: str = "") -> None:
        """A metric of what something else counts, read when somebody asks."""
        self.readings.all.append(Reading(CounterMetricFamily, name, text, label, values))

    def settled(self, table: Table, event: Event) -> None:
        """An event is on disk."""
        match event:
            case Opened():
                self.opened.inc()
                tell("table-opened", table=table.name, game=event.game, players=len(event.chairs))
            case Played():
                bot = table.chairs[event.seat - 1].bot
                self.actions["clock" if event.late else "bot" if bot else "person"].inc()
        if table.over and isinstance(event, Played | Resigned):
            self.over.inc()
            tell("table-over", table=table.name, result=table.result, actions=len(table.moves))

    def answered(self, status: int, code: str | None) -> None:
        """A request over HTTP was answered; `code` says why it was refused."""
        self.answers[status // 100].inc()
        if code:
            self.refused(code)

    def refused(self, code: str) -> None:
        """Something was refused."""
        self.refusals[code].inc()
        if code == "full":
            tell("refused", code=code)

    def committed(self, seconds: float, events: int) -> None:
        """The store has committed events, in so many seconds."""
        self.commits.observe(seconds)
        self.batches.observe(events)
        if seconds >= SLOW:
            tell("slow-commit", seconds=round(seconds, 3), events=events)

    def unsaved(self, events: int) -> None:
        """The store could not write events."""
        self.failures.inc(events)
        self.failed_at = time.monotonic()

    async def measure_lag(self) -> None:
        """See again and again how late the loop is."""
        while True:
            due = time.perf_counter() + EVERY
            await asyncio.sleep(EVERY)
            self.notice(max(0.0, time.perf_counter() - due))

    def notice(self, late: float) -> None:
        """The loop was late by so many seconds."""
        self.lag.observe(late)
        more = min(late, STALL) - self.late
        self.late += more * (LATEST if more > 0 else FALLING)
