"""H5: a table that cannot be read is its own players' trouble and nobody else's."""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from hostile.starting import Begin, Visit
from hostile.wire import Visitor, bot, mine
from server.live import Running, wait_for

EVENT = "update events set event = {} where game = ?"
REPLACED = EVENT.format("cast(replace(cast(event as text), '{}', '{}') as blob)")
DAMAGES = {
    "the first event is gone": "delete from events where game = ? and seq < 2",
    "an event is no JSON": EVENT.format("x'7b'"),
    "an event is text": EVENT.format("'x'"),
    "an event is a number": EVENT.format("5"),
    "the seed is none": REPLACED.format('"seed":"', '"seed":"zz'),
    "an action is impossible": REPLACED.format("0>", "9>"),
}


def damaged(server: Running, tables: dict[str, str]) -> None:
    """Damage each of these tables in its own way while the server is down, and start it again."""
    server.kill()
    with sqlite3.connect(server.store) as db:
        for table, statement in tables.items():
            db.execute(statement, (table,))
    db.close()
    server.start(server.port)


def act(visitor: Visitor, table: str, key: str) -> None:
    """Play one action, so that there is more than the first event."""
    with visitor.come(table, key) as line:
        line.send("play", version=0, action=line.shown["state"]["legal"][0])
        line.until("moved")


def test_a_damaged_table_holds_up_nobody_else(begin: Begin, visit: Visit) -> None:
    server = begin()
    visitor = visit(server)
    made = [visitor.made("jamaica", mine("Anne"), mine("Bo"), clock=5, first=0) for _ in DAMAGES]
    for table, key in made:
        act(visitor, table, key)
    good, key = visitor.made("jamaica", mine("Anne"), mine("Bo"), clock=5, first=0)
    waited, _ = visitor.made("jamaica", bot(name="One"), mine(), first=0)
    damaged(server, dict(zip([table for table, _ in made], DAMAGES.values(), strict=True)))
    visitor = visit(server)
    for (table, its_key), what in zip(made, DAMAGES, strict=True):
        assert visitor.come(table, its_key).shown.get("code") == "damaged", what
        answer = visitor.asked.get(f"/api/tables/{table}/record")
        assert answer.json()["code"] == "damaged", what
        listed = visitor.asked.get(f"/api/tables?id={table}&id={good}&id={waited}")
        assert [one["table"] for one in listed.json()] == [good, waited], what
    assert visitor.come(good, key).shown["type"] == "table"
    assert all(table in checked(server.store) for table, _ in made)
    seen = turn(visitor, good)
    wait_for(lambda: turn(visitor, good) > seen, every=0.5)  # its clock goes on
    wait_for(lambda: turn(visitor, waited) > 1, every=0.5)  # and so does the bot


def turn(visitor: Visitor, table: str) -> int:
    """How far a table has come, told to a watcher; asking over HTTP would wake a table that has been forgotten."""
    with visitor.come(table) as line:
        return int(line.shown["state"]["turn"])


def checked(store: Path) -> str:
    """What the operator's command says about a store, read from a copy: the server has its own open."""
    copy = store.with_name(f"copy-{time.monotonic_ns()}.db")
    for end in ("", "-wal"):
        if (path := Path(f"{store}{end}")).exists():
            Path(f"{copy}{end}").write_bytes(path.read_bytes())
    told = subprocess.run(
        [sys.executable, "-m", "escapade.cli", "store", "check", "--store", str(copy)], capture_output=True, text=True
    )
    return told.stdout + told.stderr
