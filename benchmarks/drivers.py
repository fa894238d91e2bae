"""asyncpg or psycopg 3 for the store in PostgreSQL: the same statements by both, in turn, against one database.

python benchmarks/drivers.py postgresql://postgres@127.0.0.1/empty        # whose tables are dropped

Measured is the time until an answer has come, and the processor time of this process, for a commit of 1 and of 50
events (`APPEND`, prepared) and for reading a table of 200 events; the median of several rounds.
"""

import asyncio
import re
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg
import click
import psycopg

from escapade.server.postgres import APPEND, MIGRATIONS

EVENTS = "select event, seq from events where game = $1 order by seq"
EVENT = b'{"type":"played","seat":1,"action":"D12>18","at":1234567.890625}' * 2
MEMBER = "member"
Ask = Callable[[str, Sequence[Any]], Awaitable[list[Any]]]
TYPES = ("text[]", "int[]", "bytea[]", "bigint[]", "text", "text[]", "float8[]", "text[]", "text[]", "int[]", "bool[]")


def append_of(batch: int, round_: int) -> list[Any]:
    """The values of APPEND for an event at each of so many tables."""
    games = [f"g{i}" for i in range(batch)]
    ones = [1] * batch
    return [games, [round_] * batch, [EVENT] * batch, ones, MEMBER, games, [1.0] * batch, [], [], [], []]


async def measure(ask: Ask, rounds: int, first: int) -> dict[str, tuple[float, float]]:
    """For each question the median milliseconds, and the processor's milliseconds on average."""
    found = {}
    questions: dict[str, Callable[[int], tuple[str, Sequence[Any]]]] = {
        "append 1": lambda i: (APPEND, append_of(1, first + i)),
        "append 50": lambda i: (APPEND, append_of(50, first + rounds + i)),
        "events 200": lambda i: (EVENTS, ["read"]),
    }
    for name, question in questions.items():
        took, processor = [], time.process_time()
        for i in range(rounds):
            statement, values = question(i)
            began = time.perf_counter()
            await ask(statement, values)
            took.append(time.perf_counter() - began)
        found[name] = (1e3 * statistics.median(took), 1e3 * (time.process_time() - processor) / rounds)
    return found


async def run(url: str, rounds: int, turns: int) -> None:
    """Ask by both drivers in turn."""
    one = await asyncpg.connect(url)
    names = "events, waiting, ages, analyses, puzzles, shut, members, owners, secrets, schema"
    await one.execute(f"drop table if exists {names}")
    await one.execute(MIGRATIONS[0])
    await one.execute("insert into owners select 'g' || i, $1, 1 from generate_series(0, 49) as i", MEMBER)
    await one.execute("insert into events select 'read', i, $1 from generate_series(1, 200) as i", EVENT)
    two = await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=0)

    async def by_asyncpg(statement: str, values: Sequence[Any]) -> list[Any]:
        return list(await one.fetch(statement, *values))

    cursor = psycopg.AsyncRawCursor(two)
    cursor.format = psycopg.pq.Format.BINARY
    # psycopg sends no types of arrays that are empty
    typed = {APPEND: re.sub(r"\$(\d+)(?!\d|::)", lambda m: f"${m[1]}::{TYPES[int(m[1]) - 1]}", APPEND), EVENTS: EVENTS}

    async def by_psycopg(statement: str, values: Sequence[Any]) -> list[Any]:
        return await (await cursor.execute(typed[statement].encode(), values)).fetchall()

    drivers = {f"asyncpg {asyncpg.__version__}": by_asyncpg, f"psycopg {psycopg.__version__}": by_psycopg}
    for ask in drivers.values():
        assert [row[0] for row in await ask(EVENTS, ["read"])] == [EVENT] * 200
    click.echo(f"{'':<16} {'append 1':>20} {'append 50':>20} {'events 200':>20}    ms until the answer, and of CPU")
    first = 1
    for _ in range(turns):
        for name, ask in drivers.items():
            found = await measure(ask, rounds, first)
            first += 2 * rounds
            click.echo(f"{name:<16} " + " ".join(f"{ms:>11.2f} {cpu:>8.2f}" for ms, cpu in found.values()))
    await one.close()
    await two.close()


@click.command()
@click.argument("url")
@click.option("--rounds", default=500, show_default=True, help="Questions of each kind in a turn.")
@click.option("--turns", default=3, show_default=True, help="How often each driver is measured.")
def main(url: str, rounds: int, turns: int) -> None:
    """Compare asyncpg with psycopg 3."""
    asyncio.run(run(url, rounds, turns))


if __name__ == "__main__":
    main()
