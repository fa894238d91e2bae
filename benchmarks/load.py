"""How many tables servers can carry: the time until a player sees what the other one at the table did.

python benchmarks/load.py --tables 1000  # one server on SQLite
python benchmarks/load.py --tables 1000 --store postgresql --servers 2  # two on one PostgreSQL, sockets anywhere
python benchmarks/load.py --tables 500 --bots 20  # and games against legends
python benchmarks/load.py --tables 1000 --beyond 20  # twenty tables more every second: who is refused?
python benchmarks/load.py --tables 90 --churn 3600  # tables come and go, and memory should not grow

Scripted players act at random, every so many seconds at each table, all in this one process, which speaks WebSocket by
hand so that it takes little of the machine. Measured is the time from sending an action on one connection to receiving
it on the other. Memory is that of the server processes without those that think, and grows by so much a table.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from postgres import Postgres
from server.breaking import Cluster

AT_ONCE = 20  # tables opened at the same time
PATIENCE = 30.0  # seconds to open a table in
OPENED = 120.0  # seconds to open all of them in; on a busy machine newcomers are refused already
GREETING = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class State(Struct):
    """What a player needs of it."""

    legal: list[str]
    result: str


class Move(Struct):
    """Who acted."""

    seat: int


class Seat(Struct):
    """Whether it is the reader's, or nobody's."""

    yours: bool
    free: bool


class Heard(Struct):
    """A message from the server; what else it has is skipped."""

    type: str
    version: int | None = None
    state: State | None = None
    move: Move | None = None
    seats: list[Seat] = []
    code: str = ""


decode = msgspec.json.Decoder(Heard).decode


class Refused(Exception):
    """A newcomer was not let in."""


def frame(message: dict[str, Any]) -> bytes:
    """A message as a client's frame, masked with zeros."""
    data = json.dumps(message).encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2)
    return b"\x81" + size + bytes(4) + data


class Line(asyncio.Protocol):
    """A connection to a table."""

    def __init__(self, table: "Table", hello: dict[str, str]) -> None:
        self.table, self.hello = table, frame({"type": "hello", **hello})
        self.data, self.open, self.seat = b"", False, 0
        self.came: asyncio.Future[Heard] = asyncio.get_running_loop().create_future()
        self.code = 0

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport
        transport.write(GREETING)

    def connection_lost(self, why: Exception | None) -> None:
        if not self.came.done():
            self.came.set_exception(Refused(f"socket {self.code or 'closed'}"))
        self.table.end()

    def data_received(self, data: bytes) -> None:
        data = self.data + data
        at = 0
        if not self.open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self.data = head
                return
            self.open, self.code = head[9:12] == b"101", int(head[9:12])
            if not self.open:
                self.transport.close()
                return
            self.transport.write(self.hello)
        while len(data) >= at + 2:
            size, start = data[at + 1], at + 2
            if size > 125:
                wide = 2 if size == 126 else 8
                size, start = int.from_bytes(data[start : start + wide]), start + wide
            if len(data) < start + size or start > len(data):
                break
            self.hear(data[at] & 15, data[start : start + size])
            at = start + size
        self.data = data[at:]

    def hear(self, kind: int, data: bytes) -> None:
        """A frame: a message, the end, or a ping."""
        if kind == 1:
            message = decode(data)
            if message.type == "table" and not self.came.done():
                self.came.set_result(message)
            self.table.hear(self, message)
        elif kind == 8:
            self.code = int.from_bytes(data[:2])
            self.transport.close()
        elif kind == 9:
            self.transport.write(b"\x8a" + bytes([0x80 | len(data)]) + bytes(4) + data)


class Load:
    """What all tables share: the servers' ports and the measurements."""

    def __init__(self, ports: list[int], game: str, every: float, life: float | None) -> None:
        self.ports, self.game, self.every, self.life = ports, game, every, life
        self.gate = asyncio.Semaphore(AT_ONCE)
        self.counts: Counter[str] = Counter()
        self.waits: list[float] = []
        self.lags: list[float] = []
        self.playing = 0

    def address(self) -> tuple[str, int]:
        """Where a newcomer comes from: from one address too many would."""
        return f"127.1.{random.randrange(256)}.{random.randrange(1, 255)}", 0

    async def make(self, opponent: dict[str, Any]) -> tuple[str, str]:
        """A new table, and the key of its maker."""
        seats = [{"colour": 0, "name": "Anne", "mine": True}, {"colour": 1, **opponent}]
        body = json.dumps({"game": self.game, "seats": seats, "first": 0}).encode()
        head = f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
        where = random.choice(self.ports)
        reader, writer = await asyncio.open_connection("127.0.0.1", where, local_addr=self.address())
        writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        if answer[9:12] != b"201":
            raise Refused(f"HTTP {answer[9:12].decode()}")
        made = json.loads(answer.partition(b"\r\n\r\n")[2])
        return made["table"], made["key"]

    async def come(self, at: "Table", **hello: str) -> tuple[Line, Heard]:
        """A connection that has said hello, and the answer."""
        loop, where = asyncio.get_running_loop(), random.choice(self.ports)
        _, line = await loop.create_connection(lambda: Line(at, hello), "127.0.0.1", where, local_addr=self.address())
        return line, await line.came

    async def play(self, opponent: dict[str, Any] | None = None, again: bool = True) -> None:
        """Play at a table, and at another one afterwards."""
        while True:
            table = Table(self, opponent)
            try:
                async with self.gate, asyncio.timeout(PATIENCE):
                    await table.open()
            except (Refused, OSError, TimeoutError) as why:
                self.counts[f"refused: {why if isinstance(why, Refused) else type(why).__name__}"] += 1
                table.end()
            else:
                self.counts["tables"] += 1
                self.playing += 1
                await table.ended
                self.playing -= 1
            if not again:
                return
            await asyncio.sleep(0.1)


class Table:
    """A table of two players, and when the last action was sent."""

    def __init__(self, load: Load, opponent: dict[str, Any] | None) -> None:
        self.load, self.opponent, self.sent = load, opponent, 0.0
        self.lines: list[Line] = []
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Make the table, and take both seats."""
        name, key = await self.load.make(self.opponent or {})
        anne, _ = await self.load.come(self, table=name, key=key)
        self.lines.append(anne)
        if self.opponent is None:
            bo, shown = await self.load.come(self, table=name)
            self.lines.append(bo)
            seat = next(number for number, seat in enumerate(shown.seats, 1) if seat.free)
            bo.transport.write(frame({"type": "sit", "seat": seat, "name": "Bo"}))
        if self.load.life:
            asyncio.get_running_loop().call_later(self.load.life * random.uniform(0.5, 1.5), self.end)

    def hear(self, line: Line, message: Heard) -> None:
        """Time the other seat's actions, and answer a while after this seat's turn has come."""
        now, state = time.perf_counter(), message.state
        if message.type == "table":
            line.seat = next((number for number, seat in enumerate(message.seats, 1) if seat.yours), 0)
        elif message.type == "moved" and message.move and message.move.seat != line.seat and not self.opponent:
            self.load.waits.append(now - self.sent)
        elif message.type == "fault":
            self.load.counts[f"fault {message.code}"] += 1
        if state and state.result != "*":
            self.end()
        elif state and state.legal:
            action = "bet:br.yl.do.n" if state.legal == ["bet"] else random.choice(state.legal)
            later = self.load.every * random.uniform(0.5, 1.5)
            data = frame({"type": "play", "version": message.version, "action": action})
            asyncio.get_running_loop().call_later(later, self.act, line, data, now + later)

    def act(self, line: Line, data: bytes, at: float) -> None:
        """Act; how late we are ourselves is no fault of the server."""
        self.sent = time.perf_counter()
        self.load.lags.append(self.sent - at)
        line.transport.write(data)

    def end(self) -> None:
        """Both leave."""
        if not self.ended.done():
            self.ended.set_result(None)
            for line in self.lines:
                line.transport.abort()


class Machine:
    """The servers, PostgreSQL, and what they take."""

    def __init__(self, cluster: Cluster, postgres: Postgres | None) -> None:
        self.servers, self.postgres = cluster.servers, postgres

    def memory(self) -> float:
        """Resident memory of the servers in megabytes."""
        pages = sum(int(Path(f"/proc/{server.process}/statm").read_text().split()[1]) for server in self.servers)
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def busy(self) -> dict[str, float]:
        """CPU seconds that each sort of process has used so far."""
        used = {"generator": time.process_time(), "servers": 0.0, "bots": 0.0, "PostgreSQL": 0.0}
        pids = {server.process for server in self.servers}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
                pid, parent, group = int(process.name), int(fields[1]), int(fields[2])
                seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                if group in pids:
                    used["servers" if pid in pids else "bots"] += seconds
                elif self.postgres and self.postgres.process.pid in (pid, parent):
                    used["PostgreSQL"] += seconds
        return used


class Span:
    """A time in which is measured."""

    def __init__(self, load: Load, machine: Machine) -> None:
        self.load, self.machine, self.began = load, machine, time.perf_counter()
        self.used = machine.busy()
        load.waits, load.lags = [], []

    def figures(self) -> dict[str, str]:
        """What came of it until now."""
        lasted = time.perf_counter() - self.began
        waits, lags = self.load.waits, self.load.lags
        found = {
            "in play": f"{self.load.playing}",
            "actions/s": f"{len(waits) / lasted:.0f}",
            **{f"{name} ms": f"{1000 * quantile(waits, share):.1f}" for name, share in SHARES.items()},
            "late ourselves, p99 ms": f"{1000 * quantile(lags, 0.99):.1f}",
        }
        for name, used in self.machine.busy().items():
            found[f"CPU {name}"] = f"{(used - self.used[name]) / lasted:.0%}"
        return found | {"MB": f"{self.machine.memory():.0f}"}


SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def quantile(waits: list[float], share: float) -> float:
    """Of the waits, that which so many do not exceed."""
    ordered = sorted(waits) or [float("nan")]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def measure(
    load: Load, machine: Machine, tables: int, bots: int, seconds: float, beyond: float, churn: float
) -> list[dict[str, str]]:
    """Open all tables, let them play for a while, and return the figures."""
    before, loop = machine.memory(), asyncio.get_running_loop()
    playing = {loop.create_task(load.play()) for _ in range(tables)}
    until = time.perf_counter() + OPENED
    while load.playing < tables and time.perf_counter() < until:
        await asyncio.sleep(0.1)
    if load.playing < tables and not beyond:
        raise click.ClickException(f"only {load.playing} of {tables} tables are in play: {dict(load.counts)}")
    grown = machine.memory() - before
    legend = {"bot": "legend", "name": "Legend"}
    playing |= {loop.create_task(load.play(legend)) for _ in range(bots)}
    await asyncio.sleep(30 if bots else 3 * load.every)  # legends have to be loaded
    rows = []
    for _ in range(round(churn / 60) or (10 if beyond else 1)):
        span, until = Span(load, machine), time.perf_counter() + (60 if churn else seconds)
        while time.perf_counter() < until:
            if beyond:
                playing.add(loop.create_task(load.play(again=False)))
            await asyncio.sleep(1 / beyond if beyond else 0.1)
        rows.append(span.figures() | {name: str(count) for name, count in sorted(load.counts.items())})
        click.echo(", ".join(f"{name} {value}" for name, value in rows[-1].items()), err=True)
    rows[-1] |= {"KB/table": f"{1000 * grown / tables:.0f}"}
    rows[-1] |= {"after play": f"{1000 * (machine.memory() - before) / tables:.0f}"}
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return rows


@click.command()
@click.option("--tables", default=500, show_default=True, help="Tables of two people.")
@click.option("--bots", default=0, show_default=True, help="Further tables of a person and a legend.")
@click.option("--game", default="jamaica", show_default=True, help="Edition.")
@click.option("--every", default=1.0, show_default=True, help="Seconds between two actions at a table.")
@click.option("--seconds", default=20.0, show_default=True, help="How long to measure.")
@click.option("--store", default="sqlite", show_default=True, type=click.Choice(["sqlite", "postgresql"]))
@click.option("--servers", default=1, show_default=True, help="Servers; several need PostgreSQL.")
@click.option("--beyond", default=0.0, help="So many tables more every second, ten times --seconds long.")
@click.option("--churn", default=0.0, help="For so many seconds; each table is left for another after half a minute.")
def main(
    tables: int,
    bots: int,
    game: str,
    every: float,
    seconds: float,
    store: str,
    servers: int,
    beyond: float,
    churn: float,
) -> None:
    """Open tables, play, print."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # leaving nothing behind
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        postgres = stack.enter_context(contextlib.closing(Postgres())) if store == "postgresql" else None
        where = postgres.database("load") if postgres else f"{folder}/games.db"
        cluster = Cluster(Path(folder), [(where, None)] * servers)
        stack.callback(cluster.end)

        async def go() -> list[dict[str, str]]:
            for server in cluster.servers:
                await cluster.start(server)
            load = Load([server.port for server in cluster.servers], game, every, 30.0 if churn else None)
            return await measure(load, Machine(cluster, postgres), tables, bots, seconds, beyond, churn)

        rows = asyncio.run(go())
    names = list(dict.fromkeys(name for row in rows for name in row))
    print("| " + " | ".join(names) + " |\n|" + "---|" * len(names))
    for row in rows:
        print("| " + " | ".join(row.get(name, "") for name in names) + " |")


if __name__ == "__main__":
    main()
