"""A store grows old: old tables go, the file shrinks, damage is found, and nobody else can read any of it."""

import asyncio
import hashlib
import json
import logging
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from golden.make import STORE
from server.live import Player, Running, mine, sailor, wait_for
from server.test_folding import at_random
from server.test_order import TWO_ON_17
from server.test_store import stored
from server.test_supervision import Bots, Here, bots, errors, here

from escapade.cli import main
from escapade.server import pruning, tables
from escapade.server.messages import Refused
from escapade.server.pruning import Keep
from escapade.server.sqlite import Sqlite
from escapade.server.store import DAY, NotSaved, TooNew
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers

__all__ = ["bots", "here"]
TODAY = int(time.time() // DAY)
POSIX = pytest.mark.skipif(os.name != "posix", reason="files have no modes here")


def command(*args: str | Path) -> Result:
    """What a command comes to."""
    return CliRunner().invoke(main, ["store", *map(str, args)])


def of_games(path: Path, **events: list[bytes]) -> Path:
    """A store with these tables, all of today."""

    async def write(store: Sqlite) -> None:
        for name, found in events.items():
            for seq, event in enumerate(found, 1):
                await store.append(name, seq, event, None)

    stored(path, write)
    return path


def sql(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Change a store behind its back."""
    with sqlite3.connect(path) as db:
        rows = [row for statement in statements for row in db.execute(statement)]
    db.close()
    return rows


def swept(path: Path, keep: Keep) -> set[str]:
    """The tables that are left after a sweep."""

    async def work(store: Sqlite) -> None:
        found = Tables(store, Thinkers(1))
        for ready in found.ready.values():
            ready.set()
        await pruning.sweep(found, keep)

    stored(path, work)
    return {str(name) for (name,) in sql(path, "select distinct game from events")}


# ---- growing old -------------------------------------------------------------------------------------------------


def test_finished_and_abandoned_tables_are_deleted_when_they_are_old_enough_and_no_sooner(tmp_path: Path) -> None:
    names = ["over_old", "over_new", "left_old", "left_new", "clock_runs", "clock_stuck"]
    path = of_games(tmp_path / "x.db", **{name: [b"x"] for name in names})
    ages = {"over_old": (31, 1), "over_new": (30, 1), "left_old": (11, 0), "left_new": (10, 0), "clock_runs": (11, 0)}
    for name, (age, over) in {**ages, "clock_stuck": (11, 0)}.items():
        sql(path, f"update ages set day = {TODAY - age}, over = {over} where game = '{name}'")
    sql(path, f"insert into waiting values ('clock_runs', {TODAY * DAY})")
    sql(path, f"insert into waiting values ('clock_stuck', {(TODAY - 20) * DAY})")
    assert swept(path, Keep(0, 0)) == set(names)
    assert swept(path, Keep(30, 0)) == set(names) - {"over_old"}
    assert swept(path, Keep(30, 10)) == {"over_new", "left_new", "clock_runs"}
    assert sql(path, "select game from waiting") == [("clock_runs",)]
    assert len(sql(path, "select game from ages")) == 3


def test_what_happens_at_a_table_makes_it_young_again_and_its_end_is_noted(start: Callable[[], Running]) -> None:
    server = start()
    anne, bo = server.open("jamaica+turn-limit=5", start=TWO_ON_17.replace("jamaica", "jamaica+turn-limit=5"))
    table, _ = server.make("jamaica", mine(), {})
    anne.play("D0>5")
    anne.play(".")
    assert anne.over
    bo.go()
    server.process.terminate()
    server.process.wait()
    assert sorted(sql(server.store, "select game, day, over from ages")) == sorted(
        [(anne.table, TODAY, 1), (table, TODAY, 0)]
    )


def test_the_file_shrinks_when_tables_go_and_a_game_goes_on_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "x.db"

    new = 0

    async def work(store: Sqlite) -> None:
        nonlocal new
        await asyncio.gather(
            *(store.append(f"old{i}", seq, b"x" * 100, None, True) for i in range(40) for seq in range(1, 300))
        )
        await store.db.execute(f"update ages set day = {TODAY - 99}")
        found = Tables(store, Thinkers(1))
        sweeping = asyncio.create_task(pruning.sweep(found, Keep(30, 30)))
        while not sweeping.done():
            new += 1
            await store.append("new", new, b"y", None)
        await sweeping
        assert new > 10
        assert len(await store.events("new")) == new

    stored(path, work)
    assert path.stat().st_size < 100_000 + 100 * new  # the old tables took more than a million
    assert swept(path, Keep(1, 1)) == {"new"}


def test_a_table_that_somebody_uses_stays_and_one_that_is_being_deleted_is_gone(tmp_path: Path) -> None:
    _, events = at_random("jamaica", 2, 30)
    path = of_games(tmp_path / "x.db", used=events, unused=events)
    sql(path, f"update ages set day = {TODAY - 99}")

    async def work(store: Sqlite) -> None:
        found = Tables(store, Thinkers(1))
        for ready in found.ready.values():
            ready.set()
        await found.find("used")
        deleting = asyncio.create_task(found.delete("unused"))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="no-table"):
            await found.find("unused")
        assert await deleting
        assert not await found.delete("used")

    stored(path, work)
    assert sql(path, "select distinct game from events") == [("used",)]


# ---- the version before ------------------------------------------------------------------------------------------


def test_a_store_of_the_version_before_is_taken_over_with_the_ages_of_its_tables(tmp_path: Path) -> None:
    before, path = hashlib.sha256(STORE.read_bytes()).hexdigest(), tmp_path / "games.db"
    shutil.copy(STORE, path)
    events = sql(path, "select * from events order by game, seq")
    names = {str(row[0]) for row in events}
    stored(path, lambda store: asyncio.sleep(0))
    assert sql(path, "pragma user_version") == [(1,)]
    assert sql(path, "select * from events order by game, seq") == events
    assert {name for name, day, over in sql(path, "select * from ages") if day <= TODAY and over is None} == names  # type: ignore[operator]
    stored(path, lambda store: asyncio.sleep(0))  # and once more, when there is nothing left to do
    [(oldest,)] = sql(path, "select min(day) from ages")
    assert swept(path, Keep(TODAY - oldest + 1, 0)) == names  # type: ignore[operator]
    sql(path, "update ages set day = 1", "delete from waiting")
    left = swept(path, Keep(1, 0))  # which of them are over is found out
    assert 0 < len(left) < len(names)
    assert {over for (over,) in sql(path, "select over from ages")} == {0}
    assert hashlib.sha256(STORE.read_bytes()).hexdigest() == before


def test_damaged_tables_are_taken_over_too_and_kept_as_long_as_any(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    shutil.copy(STORE, path)
    sql(path, "update events set event = 5", "insert into events values ('torn', 1, zeroblob(0))")
    stored(path, lambda store: asyncio.sleep(0))
    sql(path, f"update ages set day = {TODAY - 20}", "delete from waiting")
    assert len(swept(path, Keep(10, 30))) == 18
    assert len(swept(path, Keep(10, 0))) == 18
    assert swept(path, Keep(10, 10)) == set()


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = of_games(tmp_path / "x.db", a=[b"x"])
    sql(path, "pragma user_version = 2")
    with pytest.raises(TooNew, match="later version"):
        asyncio.run(Sqlite.open(path))


def test_an_old_store_shrinks_by_command(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    shutil.copy(STORE, path)
    assert command("prune", "--store", path, "--older-than", "20000").output.startswith(f"{path}: 0 tables deleted")
    sql(path, f"update ages set day = {TODAY - 50}", "delete from waiting")
    kept = str(sql(path, "select min(game) from ages")[0][0])
    sql(path, f"update ages set day = {TODAY - 5} where game = '{kept}'")
    told = json.loads(command("prune", "--store", path, "--older-than", "10", "--json").output)
    assert (told["tables"], told["after"]) == (16, path.stat().st_size)
    assert told["after"] < told["before"]
    assert sql(path, "select distinct game from events") == [(kept,)]
    assert sql(path, "pragma auto_vacuum") == [(2,)]


# ---- damage ------------------------------------------------------------------------------------------------------


def test_check_finds_what_is_damaged_and_how_much_of_it_is_good_and_writes_nothing(tmp_path: Path) -> None:
    live, events = at_random("jamaica", 4, 40)
    names = ["first_gone", "gap", "unknown", "illegal", "whole", "no_kind"]
    path = of_games(tmp_path / "x.db", **dict.fromkeys(names, events))
    sql(
        path,
        "delete from events where game = 'first_gone' and seq = 1",
        "delete from events where game = 'gap' and seq = 21",
        """update events set event = '{"type":"eaten"}' where game = 'unknown' and seq = 31""",
        """insert into events values ('illegal', 41, '{"type":"played","seat":1,"action":"D0>36","at":0}')""",
        "update events set event = replace(event, 'jamaica', 'checkers') where game = 'no_kind' and seq = 1",
    )
    before = path.read_bytes()
    told = command("check", "--store", path, "--json")
    assert told.exit_code == 1
    found = json.loads(told.output)
    assert (found["tables"], found["file"]) == (6, [])
    assert {one["table"]: (one["events"], one["good"]) for one in found["damaged"]} == {
        "first_gone": (39, 0),
        "gap": (39, 20),
        "unknown": (40, 30),
        "illegal": (41, 40),
        "no_kind": (40, 0),
    }
    assert {one["table"]: one["turn"] for one in found["damaged"]}["illegal"] == (live.game.turn if live.game else 0)
    lines = command("check", "--store", path).output.splitlines()
    assert lines[0] == f"{path}: 6 tables, 5 of them damaged"
    assert "table gap: of 39 events 20 can be read, up to turn " in "\n".join(lines)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["x.db"]


def test_check_is_content_with_a_store_that_is_whole(tmp_path: Path) -> None:
    shutil.copy(STORE, tmp_path / "x.db")
    told = command("check", "--store", tmp_path / "x.db")
    assert (told.exit_code, told.output) == (0, f"{tmp_path / 'x.db'}: 17 tables, 0 of them damaged\n")


def test_check_goes_on_where_the_file_itself_is_torn(tmp_path: Path) -> None:
    _, events = at_random("jamaica", 4, 80)
    path = of_games(tmp_path / "x.db", **{f"t{i:02}": events for i in range(40)})
    data = bytearray(path.read_bytes())
    page = data.index(b"t20", len(data) // 3) // 4096 * 4096
    data[page : page + 100] = bytes(100)
    path.write_bytes(data)
    told = command("check", "--store", path, "--json")
    assert told.exit_code == 1
    found = json.loads(told.output)
    assert found["file"]
    assert found["tables"] >= 30
    assert 1 <= len(found["damaged"]) <= 6


def test_commands_say_what_is_wrong_with_a_store(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Anne,\n" * 500)
    told = command("check", "--store", tmp_path / "letter.db")
    assert (told.exit_code, "cannot be read" in told.output) == (1, True)

    async def work(store: Sqlite) -> None:
        for args in (["check"], ["prune", "--older-than", "1"]):
            told = await asyncio.to_thread(command, *args, "--store", tmp_path / "x.db")
            assert (told.exit_code, "in use: stop the server first" in told.output) == (1, True), told.output

    stored(tmp_path / "x.db", work)


def test_a_damaged_table_that_is_due_is_not_read_again_in_every_round(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    bad, _ = server.make("jamaica", mine(), sailor(), first=0)
    server.end()
    sql(server.store, f"delete from events where game = '{bad}'", f"insert into events values ('{bad}', 2, 'x')")
    sql(server.store, f"insert or replace into waiting values ('{bad}', 1.0)")
    monkeypatch.setattr(Sqlite, "every", 0.02)
    monkeypatch.setattr(tables, "FIRST_PAUSE", 0.5)
    caplog.clear()
    server.start(0)
    good = server.open("jamaica", start=TWO_ON_17)[0]
    wait_for(lambda: len(errors(caplog)) >= 2)
    first, second = [record.created for record in caplog.records if record.name == "escapade"][:2]
    assert second - first >= 0.5  # and twice as long until the next time
    for _ in range(20):
        assert Player(server, bad, answered="fault").heard[0]["code"] == "damaged"
    assert server.get(f"/api/tables?id={bad}&id={good.table}").json()[0]["table"] == good.table
    assert len(errors(caplog)) <= 4


def test_a_disk_that_fails_while_one_table_is_read_is_that_tables_trouble_and_passes(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    bad, key = server.make("jamaica", mine(), {}, first=0)
    good, _ = server.make("jamaica", mine(), {}, first=0)
    server.end()
    read, failing = Sqlite.events, [True]

    async def reads(self: Sqlite, game: str) -> list[bytes]:
        if game == bad and failing:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return await read(self, game)

    monkeypatch.setattr(Sqlite, "events", reads)
    monkeypatch.setattr(tables, "FIRST_PAUSE", 0.1)
    server.start(0)
    assert [one["table"] for one in server.get(f"/api/tables?id={bad}&id={good}").json()] == [good]
    assert Player(server, bad, key, answered="fault").heard[0]["code"] == "damaged"
    failing.clear()
    wait_for(lambda: len(server.get(f"/api/tables?id={bad}").json()) == 1)
    assert Player(server, bad, key).shown["host"]
    assert [line for line in errors(caplog) if line.startswith(f"table {bad}: reading it failed: DatabaseError")]


# ---- privacy, and a disk that is full ----------------------------------------------------------------------------


@POSIX
def test_nobody_else_can_read_a_store_or_the_files_beside_it_not_even_an_old_one(tmp_path: Path) -> None:
    async def work(store: Sqlite) -> None:
        await store.append("a", 1, b"x", None)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert modes
        assert set(modes.values()) == {0o600}, modes
        assert {name for name in modes if name.startswith("old")} == set() or "old.db-wal" in modes

    before = os.umask(0)
    try:
        stored(tmp_path / "new.db", work)
        shutil.copy(STORE, tmp_path / "old.db")
        (tmp_path / "old.db").chmod(0o644)
        stored(tmp_path / "old.db", work)
    finally:
        os.umask(before)


def test_a_full_disk_is_logged_but_not_for_every_event(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work(store: Sqlite) -> None:
        [(pages,)] = await store.db.execute_fetchall("pragma page_count")
        await store.db.execute_fetchall(f"pragma max_page_count={pages}")
        for seq in range(1, 60):
            await unsaved(store.append("a", seq, b'{"seed":"' + b"5" * 3000, None))
        await store.db.execute_fetchall("pragma max_page_count=1000000")
        await store.append("b", 1, b"x", None)

    async def unsaved(writing: Awaitable[None]) -> None:
        try:
            await writing
        except NotSaved:
            failed.append(1)

    failed: list[int] = []
    with caplog.at_level(logging.WARNING):
        stored(tmp_path / "x.db", work)
    assert len(failed) > 20
    assert errors(caplog) == ["writing to the store failed: OperationalError SQLITE_FULL, 1 not saved"]
    assert "555" not in caplog.text
