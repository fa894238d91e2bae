"""Stores of every version are read, copied into one another unchanged, checked and pruned, files and databases."""

import asyncio
import json
import re
import shutil
import sqlite3
from pathlib import Path

import psycopg
import pytest
from golden.make import STORE
from server.live import Player, Running, free, mine
from server.test_folding import at_random
from server.test_keeping import TODAY, command, of_games
from server.test_postgres import forget, member
from server.test_store import Place, Rows, stored

from escapade.glicko import Rating
from escapade.server import copying
from escapade.server import postgres as with_postgres
from escapade.server import sqlite as with_sqlite
from escapade.server.rows import COLUMNS
from escapade.server.sqlite import Sqlite
from escapade.server.store import Aged, Store
from escapade.server.table import Table

STORES = Path(__file__).parent.parent / "stores"  # SQL for a store of each version but SQLite's 0, which is a file
NUMBERS = {"seq", "due", "day", "rating", "deviation", "volatility", "tries"}
RECIPES = sorted(path.stem for path in STORES.glob("*.sql"))


def made(recipe: str, where: str | Path) -> Place:
    """A store as an earlier version has made it."""
    text = (STORES / f"{recipe}.sql").read_text()
    if isinstance(where, str):
        with psycopg.connect(where) as base:
            base.execute(text.encode())
    else:
        with sqlite3.connect(where) as file:
            file.executescript(text)
        file.close()
    return Place(where)


def content(place: Place) -> dict[str, Rows]:
    """Everything in a store that is of games and puzzles."""
    names = place.names()
    found = {
        part: place.sql(f"select {', '.join(columns)} from {part}")
        for part, columns in COLUMNS.items()
        if part in names
    }
    return {part: sorted(rows, key=repr) for part, rows in found.items() if rows}


def full(path: Path) -> Place:
    """A file that has something of everything, damage included."""
    place = made("sqlite-1-besides", path)
    place.sql("insert into events values ('torn', 1, x'00ff00'), ('torn', 3, x''), ('näme', 1, zeroblob(300000))")
    place.sql("insert into ages values ('torn', 1, 0)")
    place.sql("insert into waiting values ('torn', 0.1), ('näme', 1e18)")
    return place


# ---- versions ----------------------------------------------------------------------------------------------------


def test_there_is_a_store_of_every_version() -> None:
    """Whoever adds a step adds a store that it leads to."""
    known = {recipe.split("-besides")[0] for recipe in RECIPES}
    steps = {"sqlite": len(with_sqlite.MIGRATIONS), "postgres": len(with_postgres.MIGRATIONS)}
    assert known == {f"{sort}-{version}" for sort, last in steps.items() for version in range(1, last + 1)}
    assert Place(STORE).sql("pragma user_version") == [(0,)]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_store_of_every_version_is_opened_and_read(
    recipe: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    of_base, besides = recipe.startswith("postgres"), recipe != "sqlite-1"
    place = made(recipe, request.getfixturevalue("empty") if of_base else tmp_path / "x.db")

    async def work(store: Store) -> None:
        events.update({name: await store.events(name) for name in ("jamaica", "lobby-of-evades")})
        assert await store.due(2000.0) == ["jamaica"]
        assert await store.aged(30_000) == [Aged("jamaica", 20_500, True), Aged("lobby-of-evades", 20_000, None)]
        assert await store.analysis("jamaica", "engine-1") == (b"found" if besides else None)
        assert await store.puzzle_ratings() == ({"p1": (Rating(1510.25, 300.5, 0.06), 3)} if besides else {})
        assert await store.is_shut("lobby-of-evades") == besides
        await store.append("jamaica", 13, b"x", None, fence=await store.claim("jamaica"))
        await store.keep_analysis("jamaica", "engine-2", b"more")

    events = dict[str, list[bytes]]()
    place.run(work)
    place.run(lambda store: asyncio.sleep(0))
    assert [Table.fold(name, found).seq for name, found in events.items()] == [12, 12]
    version = place.sql("select version from schema" if of_base else "pragma user_version")
    assert version == [(len((with_postgres if of_base else with_sqlite).MIGRATIONS),)]
    assert place.sql("select count(*) from events") == [(25,)]


def test_prune_leaves_a_store_of_a_later_version_alone(tmp_path: Path, empty: str) -> None:
    file = made("sqlite-1", tmp_path / "x.db")
    file.sql("pragma user_version = 2")
    base = made("postgres-1", empty)
    base.sql("update schema set version = 2")
    for place in (file, base):
        before = content(place)
        for args in (["prune", "--store", str(place.where), "--older-than", "0"], ["copy", str(place.where), "y.db"]):
            told = command(*args)
            assert (told.exit_code, "a later version of Escapade" in told.output) == (1, True), told.output
        assert content(place) == before
    assert not Path("y.db").exists()


# ---- copying -----------------------------------------------------------------------------------------------------


def test_from_file_to_database_to_file_nothing_changes(tmp_path: Path, empty: str) -> None:
    first, second, third = tmp_path / "first.db", tmp_path / "second.db", tmp_path / "third.db"
    before = content(full(first))
    bytes_before = first.read_bytes()
    told = command("copy", first, empty)
    assert told.exit_code == 0, told.output
    assert f"4 tables with 27 events copied from {first} to postgresql://127.0.0.1" in told.output
    found = [json.loads(command("copy", *pair, "--json").output) for pair in ((empty, second), (second, third))]
    assert found[0]["rows"] == {"events": 27, "waiting": 3, "ages": 3, "analyses": 1, "puzzles": 1, "shut": 1}
    assert {one["digest"] for one in found} == set(re.findall(r"[0-9a-f]{64}", told.output))
    assert content(Place(second)) == content(Place(third)) == before
    assert set(before) == set(COLUMNS)
    assert first.read_bytes() == bytes_before
    assert Place(third).sql("pragma user_version") == [(1,)]


def test_a_file_of_the_first_version_is_copied_with_the_ages_that_its_tables_would_get(
    tmp_path: Path, empty: str
) -> None:
    old, base = tmp_path / "old.db", Place(empty)
    shutil.copy(STORE, old)
    assert command("copy", old, empty).exit_code == 0
    assert old.read_bytes() == STORE.read_bytes()
    stored(old, lambda store: asyncio.sleep(0))
    assert content(base) == content(Place(old))
    assert command("check", "--store", empty).output.endswith("/empty: 17 tables, 0 of them damaged\n")


def test_a_copy_needs_a_store_that_is_empty(tmp_path: Path, empty: str) -> None:
    source = full(tmp_path / "x.db")
    for part in ("events", "puzzles"):
        columns = COLUMNS[part]
        for target in (Place(tmp_path / f"{part}.db"), Place(empty)):
            target.run(lambda store: asyncio.sleep(0))
            values = ", ".join("1" if name in NUMBERS else "'1'" for name in columns)
            target.sql(f"insert into {part} values ({values})")
            before = content(target)
            told = command("copy", source.where, target.where)
            assert told.exit_code == 1
            assert "is not empty: a copy needs a store of its own" in told.output
            assert content(target) == before
            target.sql(f"delete from {part}")
    assert command("copy", source.where, source.where).exit_code == 1


def test_files_in_use_are_not_copied_and_nothing_is_copied_to_a_database_in_use(tmp_path: Path, empty: str) -> None:
    full(tmp_path / "x.db")

    async def work(store: Sqlite) -> None:
        told = await asyncio.to_thread(command, "copy", tmp_path / "x.db", tmp_path / "y.db")
        assert (told.exit_code, "x.db is in use" in told.output) == (1, True), told.output

    async def works() -> None:
        async with member(empty):
            told = await asyncio.to_thread(command, "copy", tmp_path / "x.db", empty)
            assert (told.exit_code, "is in use: stop its servers first" in told.output) == (1, True), told.output

    stored(tmp_path / "x.db", work)
    asyncio.run(works())
    assert not (tmp_path / "y.db").exists()
    assert command("copy", tmp_path / "x.db", empty).exit_code == 0


@pytest.mark.parametrize("sort", ["file", "database"])
def test_a_copy_that_is_interrupted_or_refused_leaves_nothing_and_can_be_made_again(
    sort: str, tmp_path: Path, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = full(tmp_path / "x.db"), Place(tmp_path / "y.db" if sort == "file" else empty)
    tried = copying.Content.and_also

    def interrupted(self: copying.Content, rows: Rows) -> copying.Content:
        if rows[0] == ("p1", 1510.25, 300.5, 0.06, 3):
            raise KeyboardInterrupt
        return tried(self, rows)

    monkeypatch.setattr(copying.Content, "and_also", interrupted)
    assert command("copy", source.where, target.where).exit_code == 1
    assert (content(target), target.names() == []) == ({}, False)
    monkeypatch.undo()
    assert command("copy", source.where, target.where).exit_code == 0
    assert content(target)["events"] == content(source)["events"]


@pytest.mark.parametrize("sort", ["file", "database"])
def test_what_does_not_arrive_as_it_was_sent_is_noticed(sort: str, tmp_path: Path, empty: str) -> None:
    source, target = full(tmp_path / "x.db"), Place(tmp_path / "y.db" if sort == "file" else empty)
    target.run(lambda store: asyncio.sleep(0))
    if sort == "file":
        target.sql("""create trigger t after insert on events when new.seq = 7 begin
            update events set event = x'00' where game = new.game and seq = 7; end""")
    else:
        target.sql("""create function f() returns trigger language plpgsql as
            $$ begin if new.seq = 7 then return null; end if; return new; end $$""")
        target.sql("create trigger t before insert on events for each row execute function f()")
    told = command("copy", source.where, target.where)
    assert (told.exit_code, "what has arrived is not what was sent" in told.output) == (1, True), told.output
    assert content(target) == {}


def test_a_database_is_copied_as_it_is_at_the_beginning(tmp_path: Path, empty: str) -> None:
    base, target = made("postgres-1", empty), Place(tmp_path / "x.db")
    before, told = content(base), list[int]()

    def tell(rows: int, of: int) -> None:
        if not told:
            base.sql("insert into ages values ('new', 1, null)")
            base.sql("delete from waiting")
        told.append(rows)

    asyncio.run(copying.copy(empty, target.where, tell))
    found = content(target)
    assert found.keys() == before.keys()
    assert {part: len(rows) for part, rows in found.items()} == {part: len(rows) for part, rows in before.items()}
    assert sum(told) == 2 * sum(map(len, before.values()))


def test_what_cannot_be_kept_over_there_is_told(tmp_path: Path, empty: str) -> None:
    source = full(tmp_path / "x.db")
    source.sql("insert into shut values ('a' || char(0))")
    told = command("copy", source.where, empty)
    assert (told.exit_code, told.output.startswith("Error: postgresql://127.0.0.1")) == (1, True), told.output
    assert content(Place(empty)) == {}
    torn = tmp_path / "torn.db"
    stored(torn, lambda store: asyncio.sleep(0))
    of_one = "with recursive n (i) as (values (0) union all select i + 1 from n where i < 3000)"
    Place(torn).sql(f"insert into events {of_one} select printf('t%02d', i / 75), i % 75, zeroblob(50) from n")
    data = bytearray(torn.read_bytes())
    page = data.index(b"t20", len(data) // 3) // 4096 * 4096
    data[page : page + 100] = bytes(100)
    torn.write_bytes(data)
    told = command("copy", torn, empty)
    assert (told.exit_code, told.output.startswith(f"Error: {torn} cannot be read")) == (1, True), told.output
    assert content(Place(empty)) == {}


def test_a_store_is_not_copied_into_itself(tmp_path: Path, empty: str) -> None:
    source = full(tmp_path / "x.db")
    (tmp_path / "other.db").symlink_to(tmp_path / "x.db")
    before = content(source)
    for where, name in (("x.db", tmp_path / "x.db"), ("other.db", tmp_path / "other.db")):
        told = command("copy", tmp_path / where, tmp_path / "x.db")
        assert (told.exit_code, told.output) == (1, f"Error: {name} cannot be copied into itself\n")
    told = command("copy", empty, empty)
    assert (told.exit_code, told.output.endswith("/empty cannot be copied into itself\n")) == (1, True), told.output
    assert content(source) == before


def test_commands_say_what_is_wrong_with_an_address(tmp_path: Path, empty: str) -> None:
    full(tmp_path / "x.db")
    nowhere = "postgresql://anne:s3cr3t@127.0.0.1:1/x"
    for args in (
        ["check", "--store", nowhere],
        ["prune", "--older-than", "1", "--store", nowhere],
        ["copy", tmp_path / "x.db", nowhere],
        ["copy", nowhere, tmp_path / "y.db"],
    ):
        told = command(*args)
        assert told.exit_code == 1
        assert told.output.startswith("Error: postgresql://127.0.0.1:1/x cannot be used to keep games in:")
        assert "s3cr3t" not in told.output
    for args in (["check", "--store", empty], ["copy", empty, tmp_path / "y.db"]):
        told = command(*args)
        assert (told.exit_code, told.output.endswith("/empty has no games of Escapade\n")) == (1, True), told.output
    assert Place(empty).names() == []
    assert "does not exist" in command("copy", tmp_path / "none.db", empty).output
    assert not (tmp_path / "y.db").exists()
    told = command("check", "--store", "mysql://anne:s3cr3t@host/x")
    assert (told.exit_code, "s3cr3t" in told.output) == (2, False)
    assert "unable to open" in command("copy", tmp_path / "x.db", tmp_path / "no folder" / "y.db").output


# ---- databases are checked and pruned ----------------------------------------------------------------------------


def test_check_finds_the_same_damage_in_a_database_as_in_a_file(tmp_path: Path, empty: str) -> None:
    _, events = at_random("jamaica", 4, 40)
    names = ["first_gone", "gap", "unknown", "all_gone", "whole"]
    file = Place(of_games(tmp_path / "x.db", **dict.fromkeys(names, events)))
    file.sql("delete from events where game = 'first_gone' and seq = 1 or game = 'gap' and seq = 21")
    file.sql("delete from events where game = 'all_gone'")
    file.sql("""update events set event = '{"type":"eaten"}' where game = 'unknown' and seq = 31""")
    assert command("copy", file.where, empty).exit_code == 0
    found = [command("check", "--store", where, "--json") for where in (file.where, empty)]
    assert [one.exit_code for one in found] == [1, 1]
    of_file, of_base = (json.loads(one.output) for one in found)
    assert of_file.pop("store") == str(file.where)
    assert of_base.pop("store").endswith("/empty")
    assert of_base == of_file
    assert {one["table"]: one["good"] for one in of_base["damaged"]} == {
        "first_gone": 0,
        "gap": 20,
        "unknown": 30,
        "all_gone": 0,
    }


def test_prune_deletes_old_tables_of_a_database_but_none_that_a_server_has(empty: str) -> None:
    place, names = Place(empty), ["old", "young", "waits", "held", "of-the-gone", *(f"old-{i}" for i in range(250))]

    async def work() -> None:
        async with member(empty) as one, member(empty) as two:
            for name in names:
                owner = one if name == "held" else two
                fence = await owner.claim(name)
                await owner.append(name, 1, b"x" * 1000, 1e12 if name == "waits" else None, fence=fence)
                if name != "of-the-gone":
                    await two.release(name, fence)
            place.sql(f"update ages set day = {TODAY - 11} where game <> 'young'")
            await two.keep_analysis("old", "engine", b"found")
            await forget(empty, two)
            told = await asyncio.to_thread(command, "prune", "--store", empty, "--older-than", "10", "--json")
            assert told.exit_code == 0, told.output
            found = json.loads(told.output)
            assert found.pop("store").endswith("/empty")
            assert (found["tables"], found["after"] < found["before"]) == (252, True)
            await one.append("held", 2, b"y", None, fence=(await one.owned())["held"])
            again = await asyncio.to_thread(command, "prune", "--store", empty, "--older-than", "10")
            assert ": 0 tables deleted, " in again.output

    asyncio.run(work())
    assert place.sql("select distinct game from events order by 1") == [("held",), ("waits",), ("young",)]
    assert place.sql("select game from ages order by 1") == [("held",), ("waits",), ("young",)]
    assert place.sql("select * from analyses") == []
    assert [name for (name,) in place.sql("select game from owners") if str(name).startswith("old")] == []


def test_games_go_on_in_the_copy(tmp_path: Path, empty: str) -> None:
    path = tmp_path / "games.db"
    server = Running(path)
    table, key = server.make("jamaica", mine("Anne"), free(), first=0)
    anne = Player(server, table, key)
    Player(server, table).sit(2, "Bob")
    anne.wait(lambda player: player.state)
    anne.play(anne.choose())
    record, version = server.record(table, key), anne.version
    anne.go()
    server.stop()
    assert command("copy", path, empty).exit_code == 0
    server = Running(tmp_path / "site", database=empty)
    try:
        assert server.record(table, key) == record
        anne = Player(server, table, key)
        assert anne.version == version
        anne.wait(lambda player: player.state and player.state["legal"])
        anne.play(anne.choose())
        now = server.record(table, key)
        assert command("check", "--store", empty).output.endswith(": 1 tables, 0 of them damaged\n")
        assert command("copy", empty, tmp_path / "back.db").exit_code == 0
        Place(empty).sql("update ages set day = 1")
        assert ": 0 tables deleted" in command("prune", "--store", empty, "--older-than", "10").output
        anne.play(anne.choose())
    finally:
        server.stop()
    assert now != record
    events = Place(tmp_path / "back.db").sql("select event from events order by seq")
    copied = Table.fold(table, [bytes(event) for (event,) in events])  # type: ignore[call-overload]
    assert copied.version == version + 1
