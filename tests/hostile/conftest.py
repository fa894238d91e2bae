"""Servers to attack, and visitors who come to them from addresses of their own."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hostile.canary import Canary
from hostile.starting import Begin, Visit, Watch, began
from hostile.wire import Visitor
from server.live import Running

ADDRESSES = (f"127.0.{i // 250 + 1}.{i % 250 + 1}" for i in itertools.count())


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server as it comes, for everything that must not harm it."""
    running = Running(tmp_path_factory.mktemp("hostile") / "games.db")
    yield running
    running.stop()


@pytest.fixture
def begin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Begin]:
    """Starts servers of one's own: `begin({"step": 0}, "--proxy", …)`."""
    started: list[Running] = []

    def begins(world: dict[str, Any] | None = None, *options: str) -> Running:
        started.append(began(tmp_path_factory.mktemp("hostile"), world or {}, *options))
        return started[-1]

    yield begins
    for running in started:
        running.stop()


@pytest.fixture
def visit() -> Iterator[Visit]:
    """Brings visitors, each from another address unless one is named; whatever they have opened is closed."""
    came: list[Visitor] = []

    def visits(running: Running, address: str | None = None) -> Visitor:
        came.append(Visitor(running.port, address or next(ADDRESSES)))
        return came[-1]

    yield visits
    for visitor in came:
        visitor.opened.close()


@pytest.fixture
def canary() -> Iterator[Watch]:
    """Lets a canary play at a server."""
    playing: list[Canary] = []

    def plays(running: Running) -> Canary:
        playing.append(Canary(running.port, next(ADDRESSES)))
        return playing[-1]

    yield plays
    for one in playing:
        one.end()
