"""Servers are killed and stopped, PostgreSQL breaks, and nothing that anybody was told is lost."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Postgres, binaries
from server.breaking import Plan, run


@pytest.fixture
def breakable() -> Iterator[Postgres]:
    """A PostgreSQL that writes to disk as it should, on a disk of its own where we may make one."""
    if not binaries() and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    cluster = on_a_small_disk() or Postgres()
    yield cluster
    cluster.close()


def on_a_small_disk() -> Postgres | None:
    """Takes root, and a system that lets root mount."""
    try:
        return None if os.getuid() else Postgres(room=200)
    except subprocess.CalledProcessError:
        return None


SLOW = 60.0  # seconds that a table may stand still on a machine that is busy with other tests


def test_three_servers_on_postgresql_lose_nothing_whatever_breaks(breakable: Postgres, tmp_path: Path) -> None:
    plan = Plan(seed=1, tables=20, seconds=1, think=0.6, every=2, store_every=1, calm=6, most_wait=SLOW)
    ran = asyncio.run(run(tmp_path, breakable, plan))
    assert ran.faults == [], (ran, (tmp_path / "servers.log").read_text()[-5000:])
    modes = ("killed", "restarted, fast", "restarted, immediate")
    done = ("SIGSTOP", "cut off", "stalled", "backends terminated", *(f"PostgreSQL {mode}" for mode in modes))
    assert [ran.figures[what] for what in done] == [1] * len(done)
    assert ran.figures["kill -9"] == 8
    assert ran.figures["changes of owner"] > 20


def test_one_server_on_sqlite_loses_nothing_when_it_is_killed(tmp_path: Path) -> None:
    plan = Plan(seed=1, tables=20, seconds=1, think=0.3, every=1, store_every=1, calm=2, most_wait=SLOW)
    ran = asyncio.run(run(tmp_path, None, plan))
    assert ran.faults == [], (ran, (tmp_path / "servers.log").read_text()[-5000:])
    assert ran.figures["kill -9"] == 4
