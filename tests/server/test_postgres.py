"""What a store in PostgreSQL promises besides: one owner for each table, and nothing lost when connections are."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import psycopg
import pytest
from postgres import Postgres as Cluster
from server.test_store import Place

from escapade.server import postgres as module
from escapade.server.events import Spoken, write_event
from escapade.server.health import Writable
from escapade.server.messages import Place as Seat
from escapade.server.messages import Refused, Setup
from escapade.server.postgres import Postgres
from escapade.server.seen import Seen
from escapade.server.store import CannotOpen, Elsewhere, Fenced, NotSaved, TooNew, Unreachable
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers

OTHERS = "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"


@asynccontextmanager
async def member(url: str, address: str = "127.0.0.1:1") -> AsyncIterator[Postgres]:
    """A process that has joined."""
    store = await Postgres.open(url)
    try:
        await store.join(address, "test")
        yield store
    finally:
        await store.close()


async def fall_silent(store: Postgres) -> None:
    """A process that no longer says that it is there, as when its machine sleeps."""
    for task in store.tasks:
        task.cancel()
    await asyncio.gather(*store.tasks, return_exceptions=True)


async def forget(url: str, store: Postgres) -> None:
    """Its lease runs out."""
    await fall_silent(store)
    with psycopg.connect(url) as db:
        db.execute("update members set until = clock_timestamp() where id = %s", (store.member,))


async def until(ask: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something."""
    while not await ask():
        await asyncio.sleep(0.02)


def test_a_table_has_one_owner_until_that_is_gone_or_gives_it_up(empty: str) -> None:
    async def work() -> None:
        async with member(empty, "10.0.0.1:1") as one, member(empty, "10.0.0.2:2") as two:
            assert set((await one.members()).values()) == {"10.0.0.1:1", "10.0.0.2:2"}
            first = await one.claim("a")
            with pytest.raises(Elsewhere) as told:
                await two.claim("a")
            assert told.value.address == "10.0.0.1:1"
            assert (await one.owned(), await two.owned()) == ({"a": first}, {})
            await one.release("a", first + 1)  # of another time
            with pytest.raises(Elsewhere):
                await two.claim("a")
            await one.release("a", first)
            second = await two.claim("a")
            assert second > first
            await forget(empty, two)
            assert await one.claim("a") > second
            await two.release("a", second)  # too late
            assert list(await one.owned()) == ["a"]

    asyncio.run(work())


def test_a_lease_runs_out_by_itself_and_its_holder_knows(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        monkeypatch.setattr(module, "LEASE", 2.0)
        async with member(empty) as one:
            fence = await one.claim("a")
            await fall_silent(one)
            monkeypatch.setattr(module, "LEASE", 60.0)
            async with member(empty) as two:

                async def claimed() -> bool:
                    try:
                        return await two.claim("a") > fence
                    except Elsewhere:
                        return False

                await until(claimed)
                assert not one.sure
                with pytest.raises(Unreachable):
                    await one.claim("b")

    asyncio.run(work())


def test_whoever_leaves_while_the_lease_is_being_renewed_has_left(empty: str) -> None:
    """Otherwise the tables would be nobody's for as long as the lease lasts."""
    other = Place(empty)

    async def renewing() -> bool:
        return bool(other.sql(f"select 1 from {OTHERS} and wait_event = 'PgSleep'"))

    async def renewed() -> bool:
        return not await renewing()

    async def work() -> None:
        async with member(empty):
            other.sql("""
                create function wait() returns trigger language plpgsql as
                    'begin perform pg_sleep(0.5); return new; end';
                create trigger slow before insert or update on members for each row execute function wait();
            """)
            await until(renewing)
        await until(renewed)
        assert not other.sql("select id from members")

    asyncio.run(work())


def test_a_member_that_was_forgotten_comes_back(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as one:
            Place(empty).sql("delete from members")

            async def back() -> bool:
                return list(await one.members()) == [one.member]

            async with asyncio.timeout(30):
                await until(back)

    asyncio.run(work())


def test_whoever_has_lost_a_table_writes_nothing_there(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as one, member(empty) as two:
            stale, kept = await one.claim("a"), await one.claim("b")
            await one.append("a", 1, b"first", 5.0, fence=stale)
            await forget(empty, one)
            fence = await two.claim("a")
            answers = await asyncio.gather(
                one.append("a", 2, b"stale", 99.0, True, stale),
                one.append("b", 1, b"mine", 50.0, False, kept),
                one.append("c", 1, b"never claimed", 50.0, False, 1),
                return_exceptions=True,
            )
            assert [type(answer) for answer in answers] == [Fenced, type(None), Fenced]
            assert await two.events("a") == [b"first"]
            await two.append("a", 2, b"second", 6.0, fence=fence)
            with pytest.raises(Fenced):
                await one.append("a", 3, b"stale", None, True, fence)  # the number alone is not enough
            assert await two.events("a") == [b"first", b"second"]

    asyncio.run(work())
    place = Place(empty)
    assert place.sql("select * from waiting order by game") == [("a", 6.0), ("b", 50.0)]
    assert place.sql("select game, over from ages order by game") == [("a", False), ("b", False)]
    assert place.sql("select game from events where game = 'c'") == []


def test_a_table_that_was_being_read_when_the_lease_ran_out_is_not_shown_as_it_was(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as one, member(empty) as two:
            owners = [Tables(store, Thinkers(1)) for store in (one, two)]
            seats = [Seat(colour=0, name="Anne", mine=True), Seat(colour=1, name="Bo", mine=True)]
            for ready in owners[1].ready.values():
                ready.set()
            name = (await owners[1].make(Setup(game="jamaica", seats=seats), "127.0.0.1")).table
            await two.release(name, owners[1].live.pop(name).fence)
            reading = asyncio.create_task(owners[0].find(name))  # until the rules are loaded, which takes its time

            async def claimed() -> bool:
                return name in await one.owned()

            await until(claimed)
            await forget(empty, one)
            live = await owners[1].find(name)
            await two.append(name, 2, write_event(Spoken(seat=1, text="ahoy")), None, fence=live.fence)
            one.until = 0.0
            await one._renew_again()
            assert one.sure
            for ready in owners[0].ready.values():
                ready.set()
            with pytest.raises(Refused, match="busy"):
                await reading
            assert name not in owners[0].live
            for tables in owners:
                await tables.close()

    asyncio.run(work())


FULL = """
create function fill() returns trigger language plpgsql as
$$ begin raise exception 'no room' using errcode = '53100'; end $$;
create trigger fill before insert on owners for each row execute function fill();
create trigger fill before insert on events for each row execute function fill();
"""


def test_a_full_disk_keeps_people_waiting_and_is_no_fault_of_ours(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as one:
            fence = await one.claim("a")
            with psycopg.connect(empty) as db:
                db.execute(FULL)
            with pytest.raises(Unreachable):
                await one.claim("b")
            with pytest.raises(NotSaved):
                await one.append("a", 1, b"x", None, fence=fence)

    asyncio.run(work())


def test_an_event_may_come_twice_but_not_another_under_its_number(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as store:
            fence = await store.claim("a")
            await store.append("a", 1, b"x", 5.0, fence=fence)
            await store.append("a", 1, b"x", 5.0, fence=fence)  # its first answer was lost
            with pytest.raises(NotSaved):
                await store.append("a", 1, b"y", 7.0, True, fence)
            answers = await asyncio.gather(
                *(store.append("a", seq, event, None, fence=fence) for seq, event in ((2, b"2"), (1, b"z"), (3, b"3"))),
                return_exceptions=True,
            )
            assert [type(answer) for answer in answers] == [type(None), NotSaved, type(None)]
            assert await store.events("a") == [b"x", b"2", b"3"]

    asyncio.run(work())
    assert Place(empty).sql("select over from ages") == [(False,)]


def test_several_that_open_a_new_database_at_once_make_it_once(empty: str) -> None:
    async def work() -> None:
        stores = await asyncio.gather(*(Postgres.open(empty) for _ in range(4)))
        assert len({store.secret for store in stores}) == 1
        for store in stores:
            await store.close()

    asyncio.run(work())
    assert Place(empty).sql("select version from schema") == [(len(module.MIGRATIONS),)]


def test_tables_that_others_have_are_not_due_here(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as one, member(empty) as two:
            for name, store in (("one", one), ("two", two), ("free", one)):
                fence = await store.claim(name)
                await store.append(name, 1, b"x", 5.0, fence=fence)
                if name == "free":
                    await store.release(name, fence)
            assert sorted(await one.due(9.0)) == ["free", "one"]
            assert sorted(await two.due(9.0)) == ["free", "two"]
            await forget(empty, two)
            assert sorted(await one.due(9.0)) == ["free", "one", "two"]

    asyncio.run(work())


def test_others_hear_the_name_and_the_number_of_what_was_written_and_nothing_else(empty: str) -> None:
    async def work() -> None:
        heard: list[tuple[str, int]] = []
        async with member(empty) as one, member(empty) as two:
            two.heard = lambda game, seq: heard.append((game, seq))
            await asyncio.to_thread(listener.execute, f"listen {module.CHANNEL}")
            fence = await one.claim("a-b")

            async def listens() -> bool:
                asked = listener.execute(f"select pid from {OTHERS} and query ilike 'listen%'".encode())
                return len(asked.fetchall()) >= 2  # one's own too

            await until(listens)
            await one.append("a-b", 1, b"a secret", 5.0, fence=fence)
            await one.append("a-b", 2, b"a secret", 5.0, fence=fence)
            await one.shut("a-b")

            async def all_heard() -> bool:
                return len(heard) >= 3

            await until(all_heard)
        assert heard == [("a-b", 1), ("a-b", 2), ("a-b", 0)]

    with psycopg.connect(empty, autocommit=True) as listener:
        asyncio.run(work())
        told = [notice.payload for notice in listener.notifies(timeout=0)]
    assert told == ["a-b 1", "a-b 2", "a-b 0"]


async def write_while(store: Postgres, breaking: Callable[[], Awaitable[None]]) -> None:
    """Write to some tables all the time, at least until something has been broken and mended."""
    broken = asyncio.ensure_future(breaking())

    async def one(name: str) -> int:
        fence = await store.claim(name)
        for seq in itertools.count(1):
            await store.append(name, seq, b"%d" % seq, float(seq), fence=fence)
            if broken.done() and seq >= 20:
                return seq
        raise AssertionError

    names = [f"t{i}" for i in range(8)]
    counts = await asyncio.gather(*map(one, names))
    await broken
    for name, count in zip(names, counts, strict=True):
        assert await store.events(name) == [b"%d" % seq for seq in range(1, count + 1)]


def test_connections_that_are_cut_lose_nothing(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RETRIED", "ASKED", "LEASE"):
        monkeypatch.setattr(module, name, 60.0)

    async def cut() -> None:
        for _ in range(5):
            await asyncio.sleep(0.1)
            await asyncio.to_thread(Place(empty).sql, f"select pg_terminate_backend(pid) from {OTHERS}")

    async def work() -> None:
        async with member(empty) as store:
            await write_while(store, cut)

    asyncio.run(work())


def test_nothing_is_lost_when_postgresql_is_started_again(
    postgres: Cluster, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RETRIED", "ASKED", "LEASE"):
        monkeypatch.setattr(module, name, 60.0)

    async def work() -> None:
        async with member(empty) as store:
            await write_while(store, lambda: asyncio.to_thread(postgres.restart))

    asyncio.run(work())


@pytest.mark.flaky(reruns=2)  # once, somewhere, it did not come back on its port within a minute
def test_while_postgresql_is_away_nothing_is_taken_for_written(
    postgres: Cluster, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEASE", 60.0)

    async def work() -> None:
        async with member(empty) as store:
            fence = await store.claim("a")
            monkeypatch.setattr(module, "RETRIED", 0.3)
            monkeypatch.setattr(module, "ASKED", 0.3)
            postgres.stop()
            try:
                with pytest.raises(NotSaved):
                    await store.append("a", 1, b"x", None, fence=fence)
                with pytest.raises(Unreachable):
                    await store.events("a")
            finally:
                postgres.start()
            monkeypatch.setattr(module, "RETRIED", 60.0)
            monkeypatch.setattr(module, "ASKED", 60.0)
            await store.append("a", 1, b"y", None, fence=fence)
            assert await store.events("a") == [b"y"]

    asyncio.run(work())


def test_once_postgresql_has_been_away_for_long_questions_are_refused_at_once_until_it_is_back(empty: str) -> None:
    tried = itertools.count()

    async def unanswered(db: asyncpg.Connection) -> None:
        next(tried)
        raise ConnectionResetError

    async def work() -> None:
        async with member(empty) as store:
            store.tasks[0].cancel()  # nothing else asks
            await store.events("a")
            assert store.answers
            store.away = time.monotonic() - module.ASKED
            assert not store.answers
            with pytest.raises(Unreachable):
                await store._ask(unanswered)
            assert next(tried) == 1
            await store.events("a")
            assert store.answers

    asyncio.run(work())


def test_a_question_without_an_answer_is_refused_and_the_server_is_not_ready(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unanswered(db: asyncpg.Connection) -> None:
        await db.execute("select pg_sleep(60)")

    async def work() -> None:
        async with member(empty) as store:
            ready = Writable(store, Seen())
            await ready.look()
            assert ready()
            store.tasks[0].cancel()  # nothing else asks
            monkeypatch.setattr(module, "ASKED", 0.3)
            monkeypatch.setattr(module, "RENEWED", 0.0)
            async with asyncio.timeout(module.PATIENCE - 1):  # sooner than the statement itself is given up
                with pytest.raises(Unreachable):
                    await store._ask(unanswered)
            assert not ready()
            monkeypatch.setattr(module, "ASKED", 60.0)
            await store.events("a")
            assert ready()

    asyncio.run(work())


def test_whatever_the_driver_says_of_a_lost_connection_the_question_is_asked_again(empty: str) -> None:
    async def work() -> None:
        async with member(empty) as store:
            for loses in (cannot_go_on, writes_to_nothing):
                assert await store._ask(failing_once(loses)) == 1
            with pytest.raises(RuntimeError, match="a fault of ours"):
                await store._ask(failing_once(is_wrong))

    async def cannot_go_on(db: asyncpg.Connection) -> None:
        raise asyncpg.InternalClientError("got result for unknown protocol state")

    async def writes_to_nothing(db: asyncpg.Connection) -> None:
        db.terminate()
        raise RuntimeError("unable to perform operation, the handler is closed")

    async def is_wrong(db: asyncpg.Connection) -> None:
        raise RuntimeError("a fault of ours")

    asyncio.run(work())


def failing_once(
    loses: Callable[[asyncpg.Connection], Awaitable[None]],
) -> Callable[[asyncpg.Connection], Awaitable[int]]:
    """A question of which the first try goes wrong."""
    asked = itertools.count()

    async def question(db: asyncpg.Connection) -> int:
        if next(asked) == 0:
            await loses(db)
        return int(await db.fetchval("select 1"))

    return question


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://anne:s3cr3t@127.0.0.1:1/x",
        "postgresql://anne:s3cr3t@127.0.0.1:1/x?password=s3cr3t",
        "postgresql://127.0.0.1:1/x?user=anne&password=s3cr3t",
        "postgresql://anne:s3cr3t/@127.0.0.1:1/x",
        "postgresql://anne:s3cr3t?@127.0.0.1:1/x",
        "postgresql://anne:a@s3cr3t@127.0.0.1:1/x",
        "postgresql://127.0.0.1:1/x?password=a@s3cr3t",
    ],
)
def test_a_password_is_in_no_message(address: str) -> None:
    with pytest.raises(CannotOpen) as told:
        asyncio.run(Postgres.open(address))
    assert "s3cr3t" not in str(told.value)


def test_a_wrong_password_is_in_no_message(postgres: Cluster, empty: str) -> None:
    with pytest.raises(CannotOpen) as told:
        asyncio.run(Postgres.open(f"postgresql://nobody:s3cr3t@127.0.0.1:{postgres.port}/empty"))
    assert "nobody" in str(told.value)
    assert "s3cr3t" not in str(told.value)


def test_a_database_of_a_later_version_is_left_alone(empty: str) -> None:
    place = Place(empty)
    place.sql("create table schema (version integer not null)")
    place.sql(f"insert into schema values ({len(module.MIGRATIONS) + 1})")
    with pytest.raises(TooNew, match="later version"):
        asyncio.run(Postgres.open(empty))
    assert place.names() == ["schema"]
    assert place.sql("select * from schema") == [(len(module.MIGRATIONS) + 1,)]
