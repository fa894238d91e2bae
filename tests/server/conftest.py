"""One server for all tests that do not end it, and others for those that do; a PostgreSQL."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from postgres import Postgres, binaries
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


@pytest.fixture(scope="session")
def clusters() -> Iterator[list[Postgres]]:
    """Each PostgreSQL that a worker has had."""
    made: list[Postgres] = []
    yield made
    for cluster in made:
        cluster.close()


@pytest.fixture
def postgres(clusters: list[Postgres]) -> Postgres:
    """A PostgreSQL for all tests of a worker, until one leaves it broken; CI must have one."""
    if not binaries() and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    if not clusters or not clusters[-1].ready():
        clusters.append(Postgres(durable=False))
    return clusters[-1]


@pytest.fixture
def empty(postgres: Postgres) -> str:
    """A database with nothing in it: always the same, as making one takes longer than emptying it."""
    if not postgres.sql("select 1 from pg_database where datname = 'empty'"):
        return postgres.database("empty")
    postgres.sql("drop schema public cascade; create schema public", "empty")
    return f"postgresql://postgres@127.0.0.1:{postgres.port}/empty"


@pytest.fixture(autouse=True)
def everyone_goes() -> Iterator[None]:
    """No connection outlives its test."""
    yield
    while EVERYONE:
        EVERYONE.pop().go()
