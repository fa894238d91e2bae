"""How many tables a server can carry: the time until a player sees what the other one at the table did.

python benchmarks/load.py --tables 500 --seconds 30
python benchmarks/load.py --tables 500 --bots 20        # and games against legends, which must not delay the others

Scripted players act at random, every so many seconds at each table, in a process of their own. Measured is the time
from sending an action on one connection to receiving it on the other. Memory is the growth of the server process.
"""

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

AT_ONCE = 50  # connections opened at the same time


class Load:
    """What all tables share: the server's address and the measurements."""

    def __init__(self, url: str, game: str, every: float) -> None:
        self.url, self.game, self.every = url, game, every
        self.gate = asyncio.Semaphore(AT_ONCE)
        self.measuring = False
        self.waits: list[float] = []
        self.connections = 0
        self.faults: dict[str, int] = {}

    @contextlib.asynccontextmanager
    async def line(self, table: str, key: str | None) -> AsyncIterator[ClientConnection]:
        """A connection that has said hello."""
        async with contextlib.AsyncExitStack() as stack:
            async with self.gate:
                way = connect(f"{self.url.replace('http', 'ws')}/ws", compression=None, max_size=None, open_timeout=120)
                socket = await stack.enter_async_context(way)
                await socket.send(json.dumps({"type": "hello", "table": table, **({"key": key} if key else {})}))
            self.connections += 1
            yield socket

    def make(self, opponent: dict[str, Any]) -> tuple[str, str]:
        """A new table."""
        seats = [{"colour": 0, "name": "Anne", "mine": True}, {"colour": 1, **opponent}]
        body = json.dumps({"game": self.game, "seats": seats, "first": 0}).encode()
        asked = urllib.request.Request(f"{self.url}/api/tables", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=120) as answer:
            made = json.load(answer)
        return made["table"], made["key"]


class Table:
    """A table of two players, and when the last action was sent."""

    def __init__(self, load: Load, people: int = 2) -> None:
        self.load, self.people, self.sent = load, people, 0.0

    async def play(self, opened: asyncio.Queue[None]) -> None:
        """Open a table, take both seats, and play until the game ends."""
        table, key = await asyncio.to_thread(self.load.make, {})
        async with self.load.line(table, key) as anne, self.load.line(table, None) as bo:
            await bo.send(json.dumps({"type": "sit", "seat": 2, "name": "Bo"}))
            opened.put_nowait(None)
            await asyncio.gather(self.sit(anne, 1), self.sit(bo, 2))

    async def sit(self, socket: ClientConnection, seat: int) -> None:
        """Time the other seat's actions, and answer a while after this seat's turn has come."""
        rng, act = random.Random(), None
        async for text in socket:
            now = time.perf_counter()
            message = json.loads(text)
            if message["type"] == "moved" and message["move"]["seat"] != seat:
                self.heard(now)
            if message["type"] == "fault":
                self.load.faults[message["code"]] = self.load.faults.get(message["code"], 0) + 1
            state = message.get("state")
            if state and state["legal"]:
                action = "bet:br.yl.do.n" if state["legal"] == ["bet"] else rng.choice(state["legal"])
                act = asyncio.create_task(self.act(socket, message["version"], action))
            if state and state["result"] != "*":
                return
        if act:
            await act

    def heard(self, now: float) -> None:
        """Note how long an action took to reach the other player; not against bots, which take time to think."""
        if self.load.measuring and self.people == 2:
            self.load.waits.append(now - self.sent)

    async def act(self, socket: ClientConnection, version: int, action: str) -> None:
        """Think for a while, and act."""
        await asyncio.sleep(self.load.every * random.uniform(0.5, 1.5))
        text = json.dumps({"type": "play", "version": version, "action": action})
        self.sent = time.perf_counter()
        with contextlib.suppress(ConnectionClosed):  # the measurement is over
            await socket.send(text)


async def play_a_legend(load: Load, opened: asyncio.Queue[None]) -> None:
    """Play against a bot of the highest level."""
    table, key = await asyncio.to_thread(load.make, {"bot": "legend", "name": "Legend"})
    async with load.line(table, key) as socket:
        opened.put_nowait(None)
        await Table(load, people=1).sit(socket, 1)


def memory(process: int) -> float:
    """Resident memory of a process in megabytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def busy(process: int) -> float:
    """CPU seconds that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(load: Load, tables: int, bots: int, seconds: float, process: int | None) -> dict[str, Any]:
    """Open all tables, let them play for a while, and return the figures."""
    await asyncio.to_thread(load.make, {"bot": "sailor", "name": "Bot"})  # returns once the rules are loaded
    await asyncio.sleep(10 if process else 0)  # for the bots to load too
    before = memory(process) if process else 0.0
    opened: asyncio.Queue[None] = asyncio.Queue()
    playing = [asyncio.create_task(Table(load).play(opened)) for _ in range(tables)]
    for _ in range(tables):
        await opened.get()
    grown = memory(process) - before if process else 0.0
    playing += [asyncio.create_task(play_a_legend(load, opened)) for _ in range(bots)]
    for _ in range(bots):
        await opened.get()
    await asyncio.sleep(3 * load.every)
    load.measuring, began, computed = True, time.perf_counter(), busy(process) if process else 0.0
    await asyncio.sleep(seconds)
    load.measuring, lasted = False, time.perf_counter() - began
    figures = {
        "tables": tables,
        "against legends": bots,
        "connections": load.connections,
        "actions/s": f"{len(load.waits) / lasted:.0f}",
        **{f"{name} ms": f"{1000 * wait:.1f}" for name, wait in quantiles(load.waits).items()},
    }
    if process:
        figures["KB/table"] = f"{1000 * grown / tables:.0f}"
        figures["after play"] = f"{1000 * (memory(process) - before) / tables:.0f}"
        figures["CPU"] = f"{(busy(process) - computed) / lasted:.0%}"
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return figures


def quantiles(waits: list[float]) -> dict[str, float]:
    """The median, the 95th and 99th percentiles, and the longest of the waits."""
    ordered = sorted(waits) or [float("nan")]
    named = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in named.items()}


def start_server(folder: str) -> tuple[subprocess.Popen[str], str]:
    """Start a server with a new store; returns it and its address."""
    where = ["--port", "0", "--store", f"{folder}/games.db", "--per-address", "100000"]
    command = [sys.executable, "-m", "escapade.cli", "--no-browser", *where]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    return server, server.stdout.readline().split()[-1].rstrip("/")


@click.command()
@click.option("--tables", default=500, show_default=True, help="Tables of two people.")
@click.option("--bots", default=0, show_default=True, help="Further tables of a person and a legend.")
@click.option("--game", default="jamaica", show_default=True, help="Edition.")
@click.option("--every", default=1.0, show_default=True, help="Seconds between two actions at a table.")
@click.option("--seconds", default=20.0, show_default=True, help="How long to measure.")
@click.option("--url", help="A running server, as http://127.0.0.1:8000; its memory and CPU are not measured.")
def main(tables: int, bots: int, game: str, every: float, seconds: float, url: str | None) -> None:
    """Open tables, play, print."""
    with tempfile.TemporaryDirectory() as folder:
        server, address = (None, url.rstrip("/")) if url else start_server(folder)
        load = Load(address, game, every)
        try:
            figures = asyncio.run(measure(load, tables, bots, seconds, server.pid if server else None))
        finally:
            if server:
                server.terminate()
                server.wait()
    print("| " + " | ".join(figures) + " |\n|" + "---|" * len(figures))
    print("| " + " | ".join(map(str, figures.values())) + " |")
    if load.faults:
        print("refused:", ", ".join(f"{count} {code}" for code, count in load.faults.items()))


if __name__ == "__main__":
    main()
