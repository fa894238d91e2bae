"""What a store promises: order, every number once, on disk when it says so, and one fault hurts nobody else."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from escapade.server.store import InUse, NotSaved, Store


def stored(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    """Open a store, work with it, and close it."""

    async def run() -> None:
        store = await Store.open(path)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def on_disk(path: Path) -> list[tuple[str, int, bytes]]:
    """What another program finds in the file."""
    with sqlite3.connect(path) as db:
        rows = list(db.execute("select game, seq, event from events order by game, seq"))
    db.close()
    return rows


def test_events_come_back_in_order_also_after_the_store_was_closed(tmp_path: Path) -> None:
    events = [b"event %d" % i for i in range(30)]

    async def write(store: Store) -> None:
        for seq in (3, 1, 2, *range(4, 31)):
            await store.append("a", seq, events[seq - 1], None)
        await store.append("b", 1, b"other", None)
        assert await store.events("a") == events

    async def read(store: Store) -> None:
        assert await store.events("a") == events
        assert await store.events("b") == [b"other"]
        assert await store.events("c") == []

    stored(tmp_path / "x.db", write)
    stored(tmp_path / "x.db", read)


def test_the_same_number_is_refused_the_second_time(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append("a", 1, b"first", 5.0)
        with pytest.raises(NotSaved):
            await store.append("a", 1, b"second", 9.0)
        assert await store.events("a") == [b"first"]
        assert await store.due(6.0) == ["a"]
        await store.append("a", 2, b"third", None)
        assert await store.events("a") == [b"first", b"third"]

    stored(tmp_path / "x.db", work)


def test_what_waits_together_is_committed_together(tmp_path: Path) -> None:
    commits: list[str] = []

    async def work(store: Store) -> None:
        await store.db.set_trace_callback(lambda text: commits.append(text) if text.upper() == "COMMIT" else None)
        await asyncio.gather(*(store.append(f"g{i}", 1, b"x", None) for i in range(200)))

    stored(tmp_path / "x.db", work)
    assert len(on_disk(tmp_path / "x.db")) == 200
    assert 1 <= len(commits) <= 10


def test_one_that_cannot_be_written_does_not_hurt_those_beside_it(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append("g5", 1, b"before", 1.0)
        answers = await asyncio.gather(
            *(store.append(f"g{i}", 1, b"x%d" % i, float(i)) for i in range(20)), return_exceptions=True
        )
        assert [i for i, answer in enumerate(answers) if answer] == [5]
        assert isinstance(answers[5], NotSaved)
        assert await store.events("g5") == [b"before"]
        assert await store.events("g6") == [b"x6"]
        assert sorted(await store.due(4.5)) == ["g0", "g1", "g2", "g3", "g4", "g5"]

    stored(tmp_path / "x.db", work)


def test_an_event_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    """Another process that copies the files at that moment finds it, as after a power cut."""
    path, copy = tmp_path / "x.db", tmp_path / "copy.db"

    async def work(store: Store) -> None:
        for seq in range(1, 4):
            await store.append("a", seq, b"event %d" % seq, None)
            for suffix in ("", "-wal"):
                (tmp_path / f"copy.db{suffix}").write_bytes((tmp_path / f"x.db{suffix}").read_bytes())
            assert [event for _, _, event in on_disk(copy)] == [b"event %d" % i for i in range(1, seq + 1)]
            for file in tmp_path.glob("copy.db*"):
                file.unlink()

    stored(path, work)


def test_whoever_stops_waiting_hurts_nobody(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        gone = asyncio.ensure_future(store.append("a", 1, b"x", None))
        await asyncio.sleep(0)
        gone.cancel()
        await store.append("b", 1, b"y", None)
        assert await store.events("b") == [b"y"]
        assert await store.events("a") == [b"x"]

    stored(tmp_path / "x.db", work)


def test_tables_that_wait_are_told_by_their_time(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append("late", 1, b"x", 30.0)
        await store.append("soon", 1, b"x", 10.0)
        await store.append("never", 1, b"x", None)
        assert await store.due(40.0) == ["soon", "late"]
        assert await store.due(20.0) == ["soon"]
        await store.append("soon", 2, b"x", None)
        await store.append("late", 2, b"x", 5.0)
        assert await store.due(40.0) == ["late"]

    stored(tmp_path / "x.db", work)


def test_of_one_tables_events_written_together_the_last_tells_the_time(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await asyncio.gather(store.append("a", 1, b"x", 10.0), store.append("a", 2, b"x", 99.0))
        assert await store.due(50.0) == []
        await asyncio.gather(store.append("a", 3, b"x", 10.0), store.append("a", 4, b"x", None))
        assert await store.due(100.0) == []

    stored(tmp_path / "x.db", work)


def test_closing_writes_what_still_waits(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        tasks.extend(asyncio.ensure_future(store.append(f"g{i}", 1, b"x", None)) for i in range(50))
        await asyncio.sleep(0)

    tasks: list[asyncio.Future[None]] = []
    stored(tmp_path / "x.db", work)
    assert len(on_disk(tmp_path / "x.db")) == 50


def test_a_store_is_open_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(InUse):
            await Store.open(tmp_path / "x.db")
        await store.append("a", 1, b"x", None)

    stored(tmp_path / "x.db", work)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear Anne,\n" * 500)
    with pytest.raises(sqlite3.DatabaseError):
        asyncio.run(Store.open(path))
    assert path.read_text() == "Dear Anne,\n" * 500
