"""Games that go on while things break: several servers on one PostgreSQL, the players, and a nemesis.

Used by test_breaking.py for a minute, and by benchmarks/breaking.py for as long as one likes.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from postgres import Postgres, free_port
from server.checker import Event, Owner, Strike, Told, check, check_fences, waits
from server.people import BROKEN, Pair, Scene, ask

READY = "/health/ready"
LEASE = 5.0  # seconds for which a process has a table without saying so again


class Link:
    """The way from a server to PostgreSQL, which can be stalled and cut."""

    def __init__(self, far: int) -> None:
        self.far, self.port, self.open = far, free_port(), True
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *why: object) -> None:
        self.server.close()
        self.cut()
        while self.writers:
            await asyncio.sleep(0.01)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side or we close it."""
        if not self.open:
            writer.transport.abort()
            return
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection("127.0.0.1", self.far)
            self.writers |= {writer, back}
            pumps = [asyncio.create_task(self.pump(reader, back)), asyncio.create_task(self.pump(there, writer))]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            self.writers -= {writer, back}
            back.transport.abort()
        writer.transport.abort()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what comes, but nothing while it is stalled."""
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await self.flowing.wait()
                writer.write(data)
                await writer.drain()

    def cut(self) -> None:
        """Break all connections off, and let none through."""
        self.open = False
        for writer in list(self.writers):
            writer.transport.abort()

    def mend(self) -> None:
        """Let everything through again, what was stalled first."""
        self.open = True
        self.flowing.set()


class Server:
    """A server: its number, its port, its way to the store, and its process."""

    def __init__(self, number: int, store: str, link: Link | None) -> None:
        self.number, self.store, self.link = number, store, link
        self.port, self.relay = free_port(), free_port()
        self.process, self.up = 0, False

    def options(self) -> list[str]:
        """How it is started."""
        relay = ["--relay", f"127.0.0.1:{self.relay}"] if self.link else []
        where = ["--port", str(self.port), "--store", self.store, *relay]
        return ["--no-browser", "--per-address", "100000", *where]

    def alive(self) -> bool:
        """Whether its process is there."""
        return self.process > 0 and Path(f"/proc/{self.process}").exists()

    def well(self) -> bool:
        """Whether it can do its work."""
        return self.up and self.alive() and (self.link is None or (self.link.open and self.link.flowing.is_set()))


class Cluster:
    """Servers on one store."""

    def __init__(self, folder: Path, ways: Sequence[tuple[str, Link | None]]) -> None:
        self.log, self.counts = folder / "servers.log", Counter[str]()
        self.servers = [Server(number, *way) for number, way in enumerate(ways, 1)]
        program = [sys.executable, str(Path(__file__).with_name("forking.py"))]
        self.mother = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.hear()

    def hear(self) -> str:
        """What the one that starts servers says."""
        assert self.mother.stdout
        return self.mother.stdout.readline().strip()

    async def start(self, server: Server) -> None:
        """Start a server, again where it gives up, and wait until it is ready."""
        assert self.mother.stdin
        began = time.monotonic()
        while not server.up:
            if not server.alive():
                print(json.dumps([str(self.log), server.options()]), file=self.mother.stdin, flush=True)
                server.process = int(self.hear())
                self.counts["starts"] += 1
            with contextlib.suppress(*BROKEN):
                server.up = (await ask(server.port, READY))[0] == 200
            assert time.monotonic() < began + 120, self.log.read_text()[-3000:]
            await asyncio.sleep(0.1)

    async def watch(self) -> None:
        """Start servers again that have ended by themselves."""
        while True:
            for server in self.servers:
                if server.up and not server.alive():
                    self.counts["ended by themselves"] += 1
                    server.up = False
                    await self.start(server)
            await asyncio.sleep(0.5)

    def end(self) -> None:
        """Kill all that still run."""
        self.mother.communicate()


class Nemesis:
    """Whatever breaks servers, PostgreSQL, and the ways between them."""

    def __init__(self, cluster: Cluster, postgres: Postgres | None, seed: int) -> None:
        self.cluster, self.postgres, self.rng = cluster, postgres, random.Random(seed)
        self.strikes: list[Strike] = []
        self.acting: set[asyncio.Task[None]] = set()

    def strike(self, what: str, since: float, server: Server | None = None) -> None:
        """Note what was done."""
        self.strikes.append(Strike(since, time.monotonic(), server.number if server else 0, what))

    async def haunt(self, seconds: float, every: float, acts: Sequence[Callable[[], Awaitable[None]]]) -> None:
        """Do all of this in turn, in an order that changes, for so long, and everything at least once."""
        end, left = time.monotonic() + seconds, self.rng.sample(acts, len(acts))
        while acts and (left or time.monotonic() < end):
            left = left or self.rng.sample(acts, len(acts))
            await left.pop()()
            await asyncio.sleep(every * self.rng.uniform(0.5, 1.5))

    async def victim(self) -> Server:
        """A server that is well, as soon as another one is, too: tables have to have somewhere to go."""
        while True:
            well = [server for server in self.cluster.servers if server.well()]
            if len(well) > (len(self.cluster.servers) > 1):
                return self.rng.choice(well)
            await asyncio.sleep(0.1)

    def later(self, act: Awaitable[None]) -> None:
        """Let something happen while others go on."""
        task = asyncio.ensure_future(act)
        self.acting.add(task)
        task.add_done_callback(self.acting.discard)

    async def kill(self) -> None:
        """Kill a server, and start it again after a while."""
        server = await self.victim()
        server.up = False
        os.kill(server.process, signal.SIGKILL)
        self.strike("kill -9", time.monotonic(), server)
        self.later(self.revive(server))

    async def revive(self, server: Server) -> None:
        await asyncio.sleep(self.rng.uniform(0.1, 2))
        await self.cluster.start(server)

    async def freeze(self) -> None:
        """Stop a server for longer than its lease, and let it go on as if nothing had been."""
        server = await self.victim()
        server.up = False
        os.kill(server.process, signal.SIGSTOP)
        self.strike("SIGSTOP", time.monotonic(), server)
        self.later(self.thaw(server))

    async def thaw(self, server: Server) -> None:
        await asyncio.sleep(LEASE + self.rng.uniform(0.5, 4))
        os.kill(server.process, signal.SIGCONT)
        await self.cluster.start(server)

    async def cut(self) -> None:
        """Cut a server off from PostgreSQL."""
        server = await self.victim()
        assert server.link
        server.link.cut()
        self.strike("cut off", time.monotonic(), server)
        await asyncio.sleep(self.rng.uniform(0.5, LEASE + 4))
        server.link.mend()

    async def stall(self) -> None:
        """Let nothing through between a server and PostgreSQL for a while; what was sent comes late, or never."""
        server = await self.victim()
        assert server.link
        server.link.flowing.clear()
        self.strike("stalled", time.monotonic(), server)
        await asyncio.sleep(self.rng.uniform(0.5, LEASE + 4))
        if self.rng.random() < 0.5:
            server.link.cut()
        server.link.mend()

    async def terminate(self) -> None:
        """End all of PostgreSQL's connections."""
        assert self.postgres
        query = "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'"
        since = time.monotonic()
        await asyncio.to_thread(self.postgres.sql, f"{query} and pid <> pg_backend_pid()")
        self.strike("backends terminated", since)

    async def restart(self, mode: str) -> None:
        """Restart PostgreSQL."""
        assert self.postgres
        since = time.monotonic()
        await asyncio.to_thread(self.postgres.restart, mode)
        self.strike(f"PostgreSQL restarted, {mode}", since)

    async def crash(self) -> None:
        """Kill PostgreSQL, and start it again after a while."""
        assert self.postgres
        since = time.monotonic()
        self.postgres.kill()
        await asyncio.sleep(self.rng.uniform(0, 3))
        await asyncio.to_thread(self.postgres.start)
        self.strike("PostgreSQL killed", since)

    async def fill(self) -> None:
        """Fill the disk, and after a while give it free."""
        assert self.postgres
        since, ballast = time.monotonic(), self.postgres.data / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        await asyncio.sleep(self.rng.uniform(2, 6))
        ballast.unlink()
        if not self.postgres.ready():
            await asyncio.to_thread(self.postgres.start)
        self.strike("disk full", since)

    def against_servers(self) -> list[Callable[[], Awaitable[None]]]:
        """What is done to servers."""
        return [*[self.kill] * 8, self.freeze] if len(self.cluster.servers) > 1 else [self.kill] * 4

    def against_the_store(self) -> list[Callable[[], Awaitable[None]]]:
        """What is done to PostgreSQL and the ways to it."""
        if not self.postgres:
            return []
        modes = [lambda mode=mode: self.restart(mode) for mode in ("fast", "immediate")]
        return [self.cut, self.stall, self.terminate, self.crash, *modes, *[self.fill] * bool(self.postgres.room)]


class Ran(NamedTuple):
    """What came of it: what is wrong, and figures."""

    faults: list[str]
    figures: dict[str, float]


class Plan(NamedTuple):
    """Play at so many tables while a server is struck every so many seconds, and the store every so many others.

    All is done at least once. At the end nothing breaks for `calm` seconds, and everyone should play. After `most_wait`
    seconds a table whose server was lost is to be played on.
    """

    seed: int
    tables: int
    seconds: float
    think: float
    every: float
    store_every: float
    servers: int = 3
    calm: float = 12.0
    most_wait: float = 10.0


async def run(folder: Path, postgres: Postgres | None, plan: Plan) -> Ran:
    """Play while all breaks, and look at what came of it."""
    began = time.monotonic()
    ways: list[tuple[str, Link | None]] = [(str(folder / "games.db"), None)]
    if postgres:
        url, links = postgres.database("breaking"), [Link(postgres.port) for _ in range(plan.servers)]
        ways = [(url.replace(f":{postgres.port}/", f":{link.port}/"), link) for link in links]
    async with contextlib.AsyncExitStack() as stack:
        for _, link in ways:
            if link:
                await stack.enter_async_context(link)
        cluster = Cluster(folder, ways)
        stack.callback(cluster.end)
        await asyncio.gather(*(cluster.start(server) for server in cluster.servers))
        scene = Scene([server.port for server in cluster.servers], plan.think, plan.seed)
        nemesis, owners = Nemesis(cluster, postgres, plan.seed), list[Owner]()
        playing = [asyncio.create_task(Pair(scene, number).play()) for number in range(plan.tables)]
        looking = [asyncio.create_task(cluster.watch())]
        looking += [asyncio.create_task(scene.look(server)) for server in range(len(cluster.servers))]
        if postgres:
            looking.append(asyncio.create_task(look_up(postgres, cluster, owners)))
        await asyncio.gather(
            nemesis.haunt(plan.seconds, plan.every, nemesis.against_servers()),
            nemesis.haunt(plan.seconds, plan.store_every, nemesis.against_the_store()),
        )
        while nemesis.acting:
            await asyncio.wait(nemesis.acting)
        await asyncio.sleep(plan.calm)
        for task in looking:
            task.cancel()
        scene.over = True
        await asyncio.gather(*playing)
    store = stored(postgres, folder)
    waited = waits(scene.log, nemesis.strikes, owners, asked_too=True)
    since_owner = waits(scene.log, nemesis.strikes, owners)
    faults = check(scene.log, store) + check_fences(owners)
    for wait, told in waited:
        if wait > plan.most_wait:
            faults.append(f"waited: {wait:.1f} s ({told.table}): {around(told, scene.log, nemesis.strikes, owners)}")
    struck = Counter(strike.what for strike in nemesis.strikes)
    changed = sum(event["type"] in ("played", "undone") for rows in store.values() for _, event in rows)
    figures = {
        "seconds": round(time.monotonic() - began),
        **dict(sorted(struck.items())),
        **dict(sorted(cluster.counts.items())),
        "tables": len(store),
        "actions and undos in the store": changed,
        "of them told to somebody": len({told[3:6:2] for told in scene.log if told.kind in ("moved", "undone")}),
        "lines of the log": len(scene.log),
        "changes of owner": len(owners),
        "longest wait since a strike at the owner or the server asked, s": round(waited[0][0], 1),
        "longest wait since a strike at the owner, s": round(since_owner[0][0], 1),
        "longest wait of all, s": round(max(told.at - float(told.what) for _, told in waited), 1),
        **dict(sorted(scene.counts.items())),
    }
    return Ran(faults, figures)


def around(told: Told, log: Sequence[Told], strikes: Sequence[Strike], owners: Sequence[Owner]) -> str:
    """What happened while somebody waited, in seconds since then."""
    begun = float(told.what)
    seen = [(one.at - begun, f"{one.what} {one.process or ''}") for one in strikes]
    seen += [(one.at - begun, f"seen at {one.process}") for one in owners if one.table == told.table]
    seen += [
        (one.at - begun, f"goes to {one.what}") for one in log if (one.client, one.kind) == (told.client, "turned")
    ]
    seen += [(one.at - begun, "says hello") for one in log if (one.client, one.kind) == (told.client, "greeted")]
    during = [f"{at:+.1f} {what}" for at, what in sorted(seen) if -LEASE < at < told.at - begun]
    return ", ".join([*during, f"{told.at - begun:+.1f} {told.client} is answered"])


async def look_up(postgres: Postgres, cluster: Cluster, owners: list[Owner]) -> None:
    """Note who has which table whenever that changes."""
    known: dict[str, tuple[str, str]] = {}
    query = "select game, member, fence, address from owners join members on members.id = owners.member"
    ports = {str(server.relay): server.number for server in cluster.servers}
    while True:
        with contextlib.suppress(subprocess.SubprocessError):
            for row in await asyncio.to_thread(postgres.sql, query, "breaking"):
                table, member, fence, address = row.split("|")
                if known.get(table) != (member, fence):
                    known[table] = member, fence
                    process = ports.get(address.rpartition(":")[2], 0)
                    owners.append(Owner(time.monotonic(), table, process, member, int(fence)))
        await asyncio.sleep(1)


def stored(postgres: Postgres | None, folder: Path) -> dict[str, list[tuple[int, Event]]]:
    """All events of all tables."""
    found: dict[str, list[tuple[int, Event]]] = {}
    if postgres:
        query = "select game, seq, convert_from(event, 'UTF8') from events order by game, seq"
        rows = [row.split("|", 2) for row in postgres.sql(query, "breaking")]
    else:
        with contextlib.closing(sqlite3.connect(folder / "games.db")) as db:
            rows = db.execute("select game, seq, cast(event as text) from events order by game, seq").fetchall()
    for game, number, event in rows:
        found.setdefault(game, []).append((int(number), json.loads(event)))
    return found
