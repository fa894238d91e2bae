"""A store in PostgreSQL, for many processes on many machines. Each table is owned by one of them.

A process is a row of `members` with a lease that it renews; a table's row in `owners` names the member that owns it and
a fence, a number that goes up whenever the owner changes. Events are written by one statement that also checks owner
and fence, so that a process that was away for longer than its lease writes nothing. All clocks are PostgreSQL's.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import asyncpg

from escapade.glicko import Rating
from escapade.server import clock
from escapade.server.store import (
    ABOUT,
    DAY,
    Aged,
    CannotOpen,
    Elsewhere,
    Entry,
    Missing,
    Store,
    TooNew,
    Unreachable,
    shown,
)
from escapade.server.supervision import log, note, repeated

LEASE = 5.0  # seconds for which a member owns its tables without a word
RENEWED = 1.0  # seconds between two renewals
STALE = 3600.0  # seconds after which a member that is gone is forgotten
RETRIED = 6.0  # seconds for which an event is written again while PostgreSQL does not answer
ASKED = 3.0  # seconds after which a question is refused instead: whoever asks may have better luck elsewhere
PAUSE = 0.1  # seconds between two tries
PATIENCE = 5.0  # seconds that a statement may take
PRUNED = 100  # tables that are deleted together
CONNECTIONS = 4  # for questions, besides one that writes and one that listens
CHANNEL = "escapade"
MIGRATIONS = (
    """
    create table events (game text not null, seq integer not null, event bytea not null, primary key (game, seq));
    create table waiting (game text primary key, due double precision not null);
    create index waiting_due on waiting (due);
    create table ages (game text primary key, day integer not null, over boolean);
    create table analyses (game text primary key, engine text not null, found bytea not null);
    create table puzzles (
        id text primary key, rating double precision not null, deviation double precision not null,
        volatility double precision not null, tries integer not null
    );
    create table shut (game text primary key);
    create table members (
        id text primary key, address text not null, version text not null, thinks boolean not null,
        until timestamptz not null
    );
    create table owners (game text primary key, member text, fence bigint not null);
    create index owners_member on owners (member);
    create table secrets (name text primary key, value bytea not null);
    """,
)  # from one schema version to the next; which one a database has is in its table `schema`

# All in one statement, hence in one transaction: `mine` locks the rows of the owners, so that nobody takes a table over
# between the check and the write. An event that is there already changes nothing, hence may come twice.
APPEND = f"""
with mine as (select game, fence from owners where game = any($1) and member = $5 for share),
entry as (
    select e.* from unnest($1::text[], $2::int[], $3::bytea[], $4::bigint[]) as e (game, seq, event, fence)
    join mine using (game, fence)
),
written as (
    insert into events select game, seq, event from entry on conflict do nothing returning game, seq
),
due as (
    insert into waiting select * from unnest($6::text[], $7::float8[]) as w (game, due)
    where game in (select game from written)
    on conflict (game) do update set due = excluded.due
),
idle as (delete from waiting where game = any($8) and game in (select game from written)),
aged as (
    insert into ages select * from unnest($9::text[], $10::int[], $11::bool[]) as a (game, day, over)
    where game in (select game from written)
    on conflict (game) do update set day = excluded.day, over = excluded.over
)
select entry.game, entry.seq, written.game is not null as written,
    pg_notify('{CHANNEL}', entry.game || ' ' || entry.seq)
from entry left join written using (game, seq)
"""
CLAIM = """
insert into owners as o values ($1, $2, 1)
on conflict (game) do update set member = $2, fence = o.fence + 1
where o.member is null or o.member = $2
    or not exists (select 1 from members where id = o.member and until > clock_timestamp())
returning fence
"""
OWNER = """
select address from owners join members on id = member where game = $1 and until > clock_timestamp()
"""
DUE = """
select game from waiting left join owners using (game) left join members on id = member
where due < $1 and (until is null or until <= clock_timestamp() or id = $2) order by due
"""
OLD = """
select game, day, over from ages
where game > $1 and day < $2 and not exists (select 1 from waiting where waiting.game = ages.game and due >= $3)
order by game limit $4
"""
# For one who is no member and deletes tables: takes those that no member has. Whoever wants one meanwhile waits.
TAKE = """
insert into owners as o select t.game, null, 1 from unnest($1::text[]) as t (game)
left join owners using (game) left join members on id = member where until is null or until <= clock_timestamp()
order by 1
on conflict (game) do update set member = null, fence = o.fence + 1
where o.member is null or not exists (select 1 from members where id = o.member and until > clock_timestamp())
returning game
"""
STILL_OLD = """
select game from ages
where game = any($1) and day < $2 and not exists (select 1 from waiting where waiting.game = ages.game and due >= $3)
"""
SIZE = f"""
select sum(pg_total_relation_size(part::regclass))::bigint from unnest(array{[*ABOUT, "puzzles", "owners"]}) as part
"""
RATE = """
insert into puzzles values ($1, $2, $3, $4, $5) on conflict (id) do update set
rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, tries = excluded.tries
where puzzles.tries = excluded.tries - 1
"""
JOIN = """
insert into members values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 second')
on conflict (id) do update set until = excluded.until, address = excluded.address
"""
# A renewal that is still under way when its member leaves does not bring it back.
RENEW = "update members set until = clock_timestamp() + $2 * interval '1 second' where id = $1"
# What says that PostgreSQL is away or about to be, rather than that a statement is wrong.
AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
)
Found = TypeVar("Found")


class Postgres(Store):
    """Events in PostgreSQL."""

    every = 2.0
    shared = True

    def __init__(self, url: str, writing: asyncpg.Pool, reading: asyncpg.Pool, secret: bytes) -> None:
        super().__init__()
        self.url, self.writing, self.reading = url, writing, reading
        self.secret = secret  # by which the members of a store know one another
        self.member = secrets.token_urlsafe(9)
        self.address = ""  # where other members reach this one
        self.version, self.thinks = "", False
        self.thinkers, self.asked = list[str](), 0.0  # addresses of members that think, and when they were asked for
        self.until = 0.0  # of the lease, by this machine's monotonic clock
        self.away: float | None = None  # since when PostgreSQL does not answer
        self.tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str) -> "Postgres":
        """Open a store, and make or upgrade its schema. Many can at the same time."""
        async with connected(url, PATIENCE) as db:
            secret = await migrated(db, shown(url))
            clock.agree(await db.fetchval("select extract(epoch from clock_timestamp())::float8"))
            writing, reading = await connections(url, 1), await connections(url, CONNECTIONS)
        return cls(url, writing, reading, secret)

    async def join(self, address: str, version: str, thinks: bool = False) -> None:
        """Become a member whom others reach at an address, and who may think for them; now it can own tables."""
        self.address, self.version, self.thinks = address, version, thinks
        self.until = await self._enter()
        self.tasks = [
            asyncio.create_task(repeated("renewing the lease", self._renew_again, RENEWED)),
            asyncio.create_task(repeated("listening to PostgreSQL", self._listen, RENEWED)),
        ]

    async def seen_from(self) -> str:
        """The address of this machine as PostgreSQL sees it; empty where both are one machine."""
        found = await self._ask(lambda db: db.fetchval("select host(inet_client_addr())"))
        return "" if found is None else str(found)

    async def close(self) -> None:
        await super().close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.tasks:
            try:
                async with asyncio.timeout(RENEWED), self.writing.acquire() as db:
                    await db.execute("delete from members where id = $1", self.member)
            except (*AWAY, asyncpg.PostgresError):
                log.warning("PostgreSQL was not told that this process ends: its tables are free after the lease")
        self.writing.terminate()
        self.reading.terminate()

    # The lease.

    @property
    def sure(self) -> bool:
        return time.monotonic() < self.until

    async def _enter(self) -> float:
        """Become a member, and tell until when the lease lasts."""
        began = time.monotonic()
        about = self.member, self.address, self.version, self.thinks, LEASE
        await self._ask(lambda db: db.execute(JOIN, *about, timeout=RENEWED))
        return began + LEASE

    async def _renew(self) -> float:
        """Renew the lease, and tell until when it lasts."""
        began = time.monotonic()
        done = await self._ask(lambda db: db.execute(RENEW, self.member, LEASE, timeout=RENEWED))
        return began + LEASE if done == "UPDATE 1" else await self._enter()  # gone for long, it was forgotten

    async def _renew_again(self) -> None:
        lapsed = not self.sure
        until = await self._renew()
        if lapsed or not self.sure:  # nobody is sure of a table before those that others have are put away
            self.lapses += 1
            extra = {"event": "lease-lost", "fields": {}}
            log.warning("the lease had run out: tables may be elsewhere now", extra=extra)
            if self.lost:
                await self.lost()
        self.until = until
        await self._ask(
            lambda db: db.execute(
                "delete from members where until < clock_timestamp() - $1 * interval '1 second'", STALE
            )
        )

    async def owned(self) -> dict[str, int]:
        rows = await self._ask(lambda db: db.fetch("select game, fence from owners where member = $1", self.member))
        return {row["game"]: row["fence"] for row in rows}

    async def thinking(self) -> list[str]:
        """The addresses of members that think for others."""
        if time.monotonic() - self.asked > RENEWED:
            rows = await self._ask(
                lambda db: db.fetch("select address from members where thinks and until > clock_timestamp()")
            )
            self.thinkers, self.asked = [row["address"] for row in rows], time.monotonic()
        return self.thinkers

    async def members(self) -> dict[str, str]:
        """The processes that are there, with their addresses."""
        rows = await self._ask(
            lambda db: db.fetch("select id, address from members where until > clock_timestamp() order by id")
        )
        return {row["id"]: row["address"] for row in rows}

    async def _listen(self) -> None:
        """Hear which tables were written to, by whom ever, until the connection breaks."""
        db = await asyncpg.connect(self.url, timeout=PATIENCE, command_timeout=PATIENCE)
        try:
            ended = asyncio.Event()
            db.add_termination_listener(lambda _: ended.set())
            await db.add_listener(CHANNEL, self._hear)
            while not ended.is_set():
                try:
                    async with asyncio.timeout(PATIENCE):  # `wait_for` may lose that this task was cancelled
                        await ended.wait()
                except TimeoutError:
                    await db.execute("select 1")  # where nothing arrives any more
        except AWAY as fault:
            note("listening to PostgreSQL", fault)
        finally:
            db.terminate()

    def _hear(self, _db: object, _pid: int, _channel: str, said: object) -> None:
        game, _, seq = str(said).rpartition(" ")
        if self.heard:
            self.heard(game, int(seq))

    # Owning tables.

    async def claim(self, game: str) -> int:
        for _ in range(3):
            if not self.sure:
                raise Unreachable
            fence = await self._ask(lambda db: db.fetchval(CLAIM, game, self.member))
            if fence is not None:
                return int(fence)
            address = await self._ask(lambda db: db.fetchval(OWNER, game))
            if address is not None:
                raise Elsewhere(str(address))
        raise Unreachable

    async def release(self, game: str, fence: int) -> None:
        await self._ask(
            lambda db: db.execute(
                "update owners set member = null where game = $1 and member = $2 and fence = $3",
                game,
                self.member,
                fence,
            )
        )

    # Tables.

    async def events(self, game: str) -> list[bytes]:
        rows = await self._ask(lambda db: db.fetch("select event, seq from events where game = $1 order by seq", game))
        if rows and (rows[0]["seq"], rows[-1]["seq"]) != (1, len(rows)):
            raise Missing(game)
        return [row["event"] for row in rows]

    async def last(self, game: str) -> int:
        last = await self._ask(lambda db: db.fetchval("select coalesce(max(seq), 0) from events where game = $1", game))
        return int(last)

    async def aged(self, before: int, after: str = "", most: int = 100) -> list[Aged]:
        rows = await self._ask(lambda db: db.fetch(OLD, after, before, float(before * DAY), most))
        return [Aged(*row) for row in rows]

    async def learn(self, game: str, over: bool) -> None:
        await self._ask(lambda db: db.execute("update ages set over = $2 where game = $1", game, over))

    async def analysis(self, game: str, engine: str) -> bytes | None:
        found: bytes | None = await self._ask(
            lambda db: db.fetchval("select found from analyses where game = $1 and engine = $2", game, engine)
        )
        return found

    async def keep_analysis(self, game: str, engine: str, found: bytes) -> None:
        await self._ask(
            lambda db: db.execute(
                "insert into analyses values ($1, $2, $3)"
                " on conflict (game) do update set engine = excluded.engine, found = excluded.found",
                game,
                engine,
                found,
            )
        )

    async def puzzle_ratings(self) -> dict[str, tuple[Rating, int]]:
        rows = await self._ask(lambda db: db.fetch("select id, rating, deviation, volatility, tries from puzzles"))
        return {name: (Rating(*rating), tries) for name, *rating, tries in rows}

    async def rate_puzzle(self, name: str, rating: Rating, tries: int) -> bool:
        done = await self._ask(lambda db: db.execute(RATE, name, *rating, tries))
        return str(done).endswith(" 1")

    async def shut(self, game: str) -> None:
        async def work(db: asyncpg.Connection) -> None:
            async with db.transaction():
                await db.execute("insert into shut values ($1) on conflict do nothing", game)
                await db.execute("select pg_notify($1, $2)", CHANNEL, f"{game} 0")

        await self._ask(work)

    async def is_shut(self, game: str) -> bool:
        return bool(await self._ask(lambda db: db.fetchval("select exists (select 1 from shut where game = $1)", game)))

    @property
    def answers(self) -> bool:
        return self.away is None or time.monotonic() < self.away + RENEWED

    async def probe(self) -> None:
        if not self.sure:  # it is renewed by writing
            raise Unreachable

    async def remove(self, game: str) -> None:
        async def work(db: asyncpg.Connection) -> None:
            async with db.transaction():
                for table in (*ABOUT, "owners"):
                    await db.execute(f"delete from {table} where game = $1", game)

        await self._ask(work)
        self.noted.pop(game, None)

    async def due(self, before: float) -> list[str]:
        rows = await self._ask(lambda db: db.fetch(DUE, before, self.member))
        return [row["game"] for row in rows]

    async def rest(self, game: str) -> None:
        await self._ask(lambda db: db.execute("delete from waiting where game = $1", game))

    async def _commit(self, batch: list[Entry], ages: list[tuple[str, int, bool]]) -> set[Entry]:
        games, seqs, events, fences = ([entry[i] for entry in batch] for i in (0, 1, 2, 5))
        latest = {entry.game: entry.due for entry in batch}
        waiting = [(game, due) for game, due in latest.items() if due is not None]
        idle = [game for game, due in latest.items() if due is None]
        about = [games, seqs, events, fences, self.member, *columns(waiting, 2), idle, *columns(ages, 3)]
        rows = await self._ask(lambda db: db.fetch(APPEND, *about), self.writing)
        written = {(game, seq): fresh for game, seq, fresh, _ in rows}
        for entry in batch:
            if written.get((entry.game, entry.seq)) is False:
                await self._check_same(entry)
        return {entry for entry in batch if (entry.game, entry.seq) not in written}

    async def _check_same(self, entry: Entry) -> None:
        """An event is there already: written by this very statement before its answer was lost, or not at all."""
        found = await self._ask(
            lambda db: db.fetchval("select event from events where game = $1 and seq = $2", entry.game, entry.seq),
            self.writing,
        )
        if found != entry.event:
            raise ValueError(f"event {entry.seq} is there already")

    async def _ask(
        self, work: Callable[[asyncpg.Connection], Awaitable[Found]], pool: asyncpg.Pool | None = None
    ) -> Found:
        """Ask PostgreSQL something, again for a while where it does not answer: everything here may be done twice.

        A question has ASKED seconds in all, and where that many have passed without any answer a single try; what is
        written, by another pool, has longer.
        """
        began = time.monotonic()
        try:
            async with asyncio.timeout(None if pool else ASKED):
                while True:
                    try:
                        return await self._try_once(work, pool or self.reading)
                    except AWAY as fault:
                        now = time.monotonic()
                        self.away = self.away or now
                        if now >= (began + RETRIED if pool else self.away + ASKED):
                            raise Unreachable from fault
                    await asyncio.sleep(PAUSE)
        except TimeoutError as fault:
            self.away = self.away or began
            raise Unreachable from fault
        except asyncpg.InsufficientResourcesError as fault:  # as where its disk is full
            if pool:  # what is written has its own word for that
                raise
            raise Unreachable from fault

    async def _try_once(self, work: Callable[[asyncpg.Connection], Awaitable[Found]], pool: asyncpg.Pool) -> Found:
        async with pool.acquire(timeout=PATIENCE) as db:
            try:
                found = await work(db)
            except (*AWAY, asyncio.CancelledError):  # what is waited for may never come
                db.terminate()
                raise
            except RuntimeError as fault:  # uvloop's word for a connection that has just been lost
                if not db.is_closed():
                    raise
                raise ConnectionResetError from fault
        self.away = None
        return found


@asynccontextmanager
async def connected(url: str, patience: float | None = None) -> AsyncIterator[asyncpg.Connection]:
    """One connection, whose statements may take so many seconds; what goes wrong is a message without the password."""
    try:
        db = await asyncpg.connect(url, timeout=PATIENCE, command_timeout=patience)
        try:
            yield db
        finally:
            await db.close(timeout=PATIENCE)
    except (*AWAY, asyncpg.PostgresError, ValueError) as fault:
        # A password with signs that an address does not have may be taken for a port, and told.
        known = isinstance(fault, (*AWAY, asyncpg.PostgresError))
        why = (str(fault) or type(fault).__name__) if known else "this is not the address of a database"
        raise CannotOpen(f"{shown(url)} cannot be used to keep games in: {why}") from None


async def connections(url: str, most: int) -> asyncpg.Pool:
    """Up to so many connections."""
    return await asyncpg.create_pool(
        url, min_size=1, max_size=most, timeout=PATIENCE, command_timeout=PATIENCE, reset=left_as_it_is
    )


async def left_as_it_is(db: asyncpg.Connection) -> None:
    """What is done with a connection after use: nothing, as nothing here changes its settings."""


async def prune(db: asyncpg.Connection, before: int) -> int:
    """Delete every table at which nothing has happened since a day and that no member has; how many those were."""
    gone, after, due = 0, "", float(before * DAY)
    while found := [row["game"] for row in await db.fetch(OLD, after, before, due, PRUNED)]:
        async with db.transaction():
            taken = [row["game"] for row in await db.fetch(TAKE, found)]
            # Somebody may have had one for a moment before it was taken.
            old = [row["game"] for row in await db.fetch(STILL_OLD, taken, before, due)]
            for table in (*ABOUT, "owners"):
                await db.execute(f"delete from {table} where game = any($1)", old)
        gone, after = gone + len(old), found[-1]
    if gone:
        await db.execute(f"vacuum {', '.join((*ABOUT, 'owners'))}")
    return gone


async def size(db: asyncpg.Connection) -> int:
    """The bytes that a store takes, indexes included."""
    return int(await db.fetchval(SIZE))


async def migrated(db: asyncpg.Connection, where: str) -> bytes:
    """Bring a database to the schema of this version; the secret that its members share."""
    async with db.transaction():
        await db.execute("select pg_advisory_xact_lock(hashtext('escapade'))")  # of several that start at once, one
        await db.execute("create table if not exists schema (version integer not null)")
        version = await db.fetchval("select version from schema")
        if version is not None and version > len(MIGRATIONS):
            raise TooNew(where, version, len(MIGRATIONS))
        for step in MIGRATIONS[version or 0 :]:
            await db.execute(step)
        if version is None:
            await db.execute("insert into schema values ($1)", len(MIGRATIONS))
            await db.execute("insert into secrets values ('members', $1)", secrets.token_bytes(32))
        else:
            await db.execute("update schema set version = $1", len(MIGRATIONS))
        return bytes(await db.fetchval("select value from secrets where name = 'members'"))


def columns(rows: Sequence[tuple[object, ...]], width: int) -> list[list[object]]:
    """Rows as columns."""
    return [[row[i] for row in rows] for i in range(width)]
