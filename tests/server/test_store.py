"""What every store promises: order, every number once, on disk when it says so, and one fault hurts nobody else."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg
import pytest

from escapade.glicko import Rating
from escapade.server.sqlite import Sqlite
from escapade.server.store import DAY, Aged, CannotOpen, InUse, Missing, NotSaved, Store
from escapade.server.stores import open_store

TODAY = int(time.time() // DAY)
Work = Callable[[Store], Awaitable[None]]
Rows = list[tuple[object, ...]]


class Place:
    """A file or a database: a store is opened there, and another program looks into it."""

    def __init__(self, where: str | Path) -> None:
        self.where = where

    def run(self, work: Work) -> None:
        """Open a store as its only process, work with it, and close it."""
        asyncio.run(self.working(work))

    async def working(self, work: Work) -> None:
        """The same, inside a loop."""
        store = await open_store(self.where)
        try:
            if store.shared:
                await store.join("127.0.0.1:1", "test")  # type: ignore[attr-defined]
            await work(store)
        finally:
            await store.close()

    def sql(self, question: str) -> Rows:
        """What another program finds, or changes behind the store's back."""
        if isinstance(self.where, str):
            with psycopg.connect(self.where) as base:
                asked = base.execute(question.encode())
                return list(asked) if asked.description else []
        with sqlite3.connect(self.where) as file:
            rows = list(file.execute(question))
        file.close()
        return rows

    def names(self) -> list[str]:
        """All tables of the schema."""
        of_base = "select tablename from pg_tables where schemaname = 'public'"
        of_file = "select name from sqlite_master where type = 'table'"
        return [str(name) for (name,) in self.sql(of_base if isinstance(self.where, str) else of_file)]


def stored(path: Path, work: Callable[[Sqlite], Awaitable[None]]) -> None:
    """Open a file, work with it, and close it."""
    Place(path).run(work)  # type: ignore[arg-type]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place for a store of each sort."""
    return Place(tmp_path / "x.db" if request.param == "sqlite" else request.getfixturevalue("empty"))


async def write(store: Store, game: str, seq: int, event: bytes, due: float | None = None, over: bool = False) -> None:
    """Append an event as the owner of its table."""
    fence = (await store.owned()).get(game)
    await store.append(game, seq, event, due, over, await store.claim(game) if fence is None else fence)


def test_events_come_back_in_order_also_after_the_store_was_closed(place: Place) -> None:
    events = [b"event %d" % i for i in range(30)]

    async def work(store: Store) -> None:
        for seq in (3, 1, 2, *range(4, 31)):
            await write(store, "a", seq, events[seq - 1])
        await write(store, "b", 1, b"other")
        assert await store.events("a") == events

    async def read(store: Store) -> None:
        assert await store.events("a") == events
        assert await store.events("b") == [b"other"]
        assert await store.events("c") == []
        assert [await store.last(game) for game in "abc"] == [30, 1, 0]

    place.run(work)
    place.run(read)


def test_any_bytes_are_kept(place: Place) -> None:
    events = [b"", bytes(range(256)), b"\xff\xfe", "é".encode(), b"x" * 300_000]

    async def work(store: Store) -> None:
        for seq, event in enumerate(events, 1):
            await write(store, "a", seq, event)
        assert await store.events("a") == events

    place.run(work)


def test_the_same_number_is_refused_the_second_time(place: Place) -> None:
    async def work(store: Store) -> None:
        await write(store, "a", 1, b"first", 5.0)
        with pytest.raises(NotSaved):
            await write(store, "a", 1, b"second", 9.0, over=True)
        assert await store.events("a") == [b"first"]
        assert await store.due(6.0) == ["a"]
        await write(store, "a", 2, b"third")
        assert await store.events("a") == [b"first", b"third"]
        assert await store.due(6.0) == []

    place.run(work)
    assert place.sql("select over from ages") in ([(0,)], [(False,)])


def test_what_waits_together_is_committed_together(place: Place) -> None:
    commits: list[str] = []

    async def work(store: Store) -> None:
        fences = [await store.claim(f"g{i}") for i in range(100)]
        if isinstance(store, Sqlite):
            await store.db.set_trace_callback(lambda text: commits.append(text) if text.upper() == "COMMIT" else None)
        await asyncio.gather(*(store.append(f"g{i}", 1, b"x", None, fence=fences[i]) for i in range(100)))

    place.run(work)
    assert place.sql("select count(*) from events") == [(100,)]
    if isinstance(place.where, str):
        commits += [str(transaction) for (transaction,) in place.sql("select distinct xmin::text from events")]
    assert 1 <= len(commits) <= 10


def test_one_that_cannot_be_written_does_not_hurt_those_beside_it(place: Place) -> None:
    async def work(store: Store) -> None:
        await write(store, "g5", 1, b"before", 1.0)
        answers = await asyncio.gather(
            *(write(store, f"g{i}", 1, b"x%d" % i, float(i)) for i in range(20)), return_exceptions=True
        )
        assert [i for i, answer in enumerate(answers) if answer] == [5]
        assert isinstance(answers[5], NotSaved)
        assert await store.events("g5") == [b"before"]
        assert await store.events("g6") == [b"x6"]
        assert sorted(await store.due(4.5)) == ["g0", "g1", "g2", "g3", "g4", "g5"]

    place.run(work)


def test_whoever_stops_waiting_hurts_nobody(place: Place) -> None:
    async def work(store: Store) -> None:
        fence = await store.claim("a")
        gone = asyncio.ensure_future(store.append("a", 1, b"x", None, fence=fence))
        await asyncio.sleep(0)
        gone.cancel()
        await write(store, "b", 1, b"y")
        assert await store.events("b") == [b"y"]
        assert await store.events("a") == [b"x"]

    place.run(work)


def test_tables_that_wait_are_told_by_their_time(place: Place) -> None:
    async def work(store: Store) -> None:
        await write(store, "late", 1, b"x", 30.0)
        await write(store, "soon", 1, b"x", 10.0)
        await write(store, "never", 1, b"x")
        assert await store.due(40.0) == ["soon", "late"]
        assert await store.due(20.0) == ["soon"]
        await write(store, "soon", 2, b"x")
        await write(store, "late", 2, b"x", 5.0)
        assert await store.due(40.0) == ["late"]
        await store.rest("late")
        assert await store.due(40.0) == []

    place.run(work)


def test_of_one_tables_events_written_together_the_last_tells_the_time(place: Place) -> None:
    async def work(store: Store) -> None:
        fence = await store.claim("a")

        async def both(seq: int, first: float | None, second: float | None) -> None:
            await asyncio.gather(
                store.append("a", seq, b"x", first, fence=fence), store.append("a", seq + 1, b"x", second, fence=fence)
            )

        await both(1, 10.0, 99.0)
        assert await store.due(50.0) == []
        await both(3, 10.0, None)
        assert await store.due(100.0) == []

    place.run(work)


def test_closing_writes_what_still_waits(place: Place) -> None:
    async def work(store: Store) -> None:
        fences = [await store.claim(f"g{i}") for i in range(50)]
        tasks.extend(asyncio.ensure_future(store.append(f"g{i}", 1, b"x", None, fence=fences[i])) for i in range(50))
        await asyncio.sleep(0)

    tasks: list[asyncio.Future[None]] = []
    place.run(work)
    assert place.sql("select count(*) from events") == [(50,)]


def test_tables_have_an_age_and_those_that_still_wait_are_not_old(place: Place) -> None:
    async def work(store: Store) -> None:
        for name in ("a", "b", "c", "d"):
            await write(store, name, 1, b"x", (TODAY + 2.0) * DAY if name == "c" else None, over=name == "b")
        assert await store.aged(TODAY) == []
        old = [Aged("a", TODAY, False), Aged("b", TODAY, True), Aged("d", TODAY, False)]
        assert await store.aged(TODAY + 1) == old
        assert await store.aged(TODAY + 1, "a", 1) == [Aged("b", TODAY, True)]
        await store.learn("a", True)
        assert (await store.aged(TODAY + 1))[0] == Aged("a", TODAY, True)
        await write(store, "b", 2, b"x", over=False)  # taken back
        assert (await store.aged(TODAY + 1))[1] == Aged("b", TODAY, False)

    place.run(work)


def test_what_is_not_known_of_a_games_end_stays_so(place: Place) -> None:
    async def look(store: Store) -> None:
        assert await store.aged(TODAY + 1) == [Aged("a", TODAY, None)]

    place.run(lambda store: write(store, "a", 1, b"x"))
    place.sql("update ages set over = null")
    place.run(look)


def test_an_analysis_is_of_one_engine(place: Place) -> None:
    async def work(store: Store) -> None:
        assert await store.analysis("a", "one") is None
        await store.keep_analysis("a", "one", b"found")
        assert await store.analysis("a", "one") == b"found"
        await store.keep_analysis("a", "two", b"\x00other")
        assert await store.analysis("a", "one") is None
        assert await store.analysis("a", "two") == b"\x00other"

    place.run(work)


def test_a_puzzle_is_rated_by_one_try_after_the_other(place: Place) -> None:
    first, second = Rating(1500.25, 350.0, 0.06), Rating(1612.1, 290.7, 0.059999)

    async def work(store: Store) -> None:
        assert await store.puzzle_ratings() == {}
        assert await store.rate_puzzle("p", first, 1)
        assert not await store.rate_puzzle("p", second, 1)  # by somebody who has not seen the first
        assert await store.puzzle_ratings() == {"p": (first, 1)}
        assert await store.rate_puzzle("p", second, 2)
        assert not await store.rate_puzzle("p", first, 4)
        assert await store.puzzle_ratings() == {"p": (second, 2)}

    place.run(work)


def test_a_table_is_closed_for_good(place: Place) -> None:
    async def work(store: Store) -> None:
        await write(store, "a", 1, b"x")
        assert not await store.is_shut("a")
        await store.shut("a")
        await store.shut("a")
        assert [await store.is_shut(name) for name in "ab"] == [True, False]
        assert await store.events("a") == [b"x"]

    place.run(work)


def test_nothing_is_left_of_a_table_that_is_removed(place: Place) -> None:
    async def work(store: Store) -> None:
        for name in ("gone-table", "kept-table"):
            await write(store, name, 1, b"x", 5.0)
            await write(store, name, 2, b"x", 5.0)
            await store.keep_analysis(name, "engine", b"found")
            await store.shut(name)
        await store.remove("gone-table")
        assert await store.events("gone-table") == []
        assert await store.last("kept-table") == 2

    place.run(work)
    found = {name: repr(place.sql(f"select * from {name}")) for name in place.names()}
    assert [name for name, rows in found.items() if "gone-table" in rows] == []
    assert {name for name, rows in found.items() if "kept-table" in rows} >= {"events", "waiting", "ages", "shut"}
    place.run(lambda store: write(store, "gone-table", 1, b"new"))
    assert len(place.sql("select * from ages")) == 2


@pytest.mark.parametrize("gone", [1, 2])
def test_a_table_with_a_hole_is_not_taken_for_a_whole_one(place: Place, gone: int) -> None:
    async def work(store: Store) -> None:
        for seq in (1, 2, 3):
            await write(store, "a", seq, b"x")

    async def read(store: Store) -> None:
        with pytest.raises(Missing):
            await store.events("a")

    place.run(work)
    place.sql(f"delete from events where seq = {gone}")
    place.run(read)


# ---- a file ------------------------------------------------------------------------------------------------------


def test_an_event_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    """Another process that copies the files at that moment finds it, as after a power cut."""
    copy = Place(tmp_path / "copy.db")

    async def work(store: Sqlite) -> None:
        for seq in range(1, 4):
            await store.append("a", seq, b"event %d" % seq, None)
            for suffix in ("", "-wal"):
                (tmp_path / f"copy.db{suffix}").write_bytes((tmp_path / f"x.db{suffix}").read_bytes())
            found = copy.sql("select event from events order by seq")
            assert found == [(b"event %d" % i,) for i in range(1, seq + 1)]
            for file in tmp_path.glob("copy.db*"):
                file.unlink()

    stored(tmp_path / "x.db", work)


def test_a_file_is_open_once(tmp_path: Path) -> None:
    async def work(store: Sqlite) -> None:
        with pytest.raises(InUse):
            await Sqlite.open(tmp_path / "x.db")
        await store.append("a", 1, b"x", None)

    stored(tmp_path / "x.db", work)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear Anne,\n" * 500)
    with pytest.raises(CannotOpen, match="not a database"):
        asyncio.run(Sqlite.open(path))
    assert path.read_text() == "Dear Anne,\n" * 500
