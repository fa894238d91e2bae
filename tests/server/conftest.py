"""One server for all tests that do not end it, and others for those that do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from server.live import EVERYONE, Running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that goes on running."""
    running = Running(tmp_path_factory.mktemp("server") / "games.db")
    yield running
    running.stop()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Running]]:
    """Starts servers of one's own."""
    started: list[Running] = []

    def starts() -> Running:
        started.append(Running(tmp_path / f"games-{len(started)}.db"))
        return started[-1]

    yield starts
    for running in started:
        running.stop()


@pytest.fixture(autouse=True)
def everyone_goes() -> Iterator[None]:
    """No connection outlives its test."""
    yield
    while EVERYONE:
        EVERYONE.pop().go()
