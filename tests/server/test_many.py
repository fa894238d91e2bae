"""Several processes with one PostgreSQL: nobody notices which of them serves, and what one leaves another takes up."""

import contextlib
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from postgres import Postgres, free_port
from server.live import PROGRAM, Player, Running, command, free, level, mine, play_out, sailor, wait_for
from websockets.exceptions import ConnectionClosed

from escapade.cli import main

Sites = Callable[[int], list[Running]]


@pytest.fixture
def database(postgres: Postgres, request: pytest.FixtureRequest) -> str:
    """A database of the test's own."""
    return postgres.database(request.node.name[:40].lower())


@pytest.fixture
def sites(database: str, tmp_path: Path) -> Iterator[Sites]:
    """Starts processes that join by their store alone."""
    started: list[Running] = []

    def starts(count: int) -> list[Running]:
        for _ in range(count):
            started.append(Running(tmp_path / f"site-{len(started)}", database=database))
        return started[-count:]

    yield starts
    for site in started:
        site.stop()


def asked(database: str, question: str) -> list[tuple[object, ...]]:
    """What PostgreSQL answers."""
    with psycopg.connect(database) as db:
        return db.execute(question).fetchall()


def owner(database: str, table: str) -> object:
    """The member that owns a table."""
    [(member,)] = asked(database, f"select member from owners where game = '{table}'")
    return member


def come_back(player: Player, to: Running) -> None:
    """Come to another process, again and again, as people's browsers do."""
    player.go()
    player.server = to
    while True:
        with contextlib.suppress(ConnectionClosed, ConnectionError):
            player.come()
            return


def test_people_at_different_processes_play_one_game(sites: Sites) -> None:
    one, two, three = sites(3)
    table, key = one.make("jamaica", mine("Anne"), free(), sailor(), first=0)
    anne, bob, watcher = Player(one, table, key), Player(two, table), Player(three, table)
    bob.sit(2, "Bob")
    for player in (anne, bob, watcher):
        player.wait(lambda player: player.state)
    watcher.wait(lambda player: player.shown["watchers"] == 1)
    anne.play(anne.choose())
    assert anne.ask("undo", version=anne.version)["type"] == "undone"
    level([anne, bob, watcher])
    assert watcher.heard[-1]["type"] == "undone"
    bob.send("say", text="Ahoy")
    assert [player.until("said")["text"] for player in (anne, bob, watcher)] == ["Ahoy"] * 3
    assert bob.refused("play", version=bob.version, action="anything") in ("not-your-turn", "illegal")
    play_out([anne, bob, watcher])
    records = {site.record(table) for site in (one, two, three)}
    assert len(records) == 1
    assert '[Result "' in records.pop()
    assert two.get(f"/api/tables?id={table}").json() == three.get(f"/api/tables?id={table}").json() != []
    anne.send("rematch")
    bob.wait(lambda player: player.shown["rematch"])
    following = bob.shown["rematch"]
    again = Player(three, following, key)
    assert [again.shown["seats"][seat - 1]["name"] for seat in again.seats] == ["Anne"]


def test_a_table_goes_on_at_another_process_when_its_own_is_killed(sites: Sites, database: str) -> None:
    one, two = sites(2)
    table, key = one.make("jamaica", mine("Anne"), sailor(), first=0)
    timed, timed_key = one.make("jamaica", mine("Anne"), free(), first=0, clock=5)
    sits = Player(one, timed)
    sits.sit(2, "Bob")
    anne, far = Player(one, table, key), Player(two, table, key)
    anne.wait(lambda player: player.state and player.state["legal"])
    far.send("hint", version=far.version)
    assert far.until("hints", "fault")["type"] == "hints"
    anne.play(anne.choose())
    level([anne, far])
    was, version = owner(database, table), anne.version
    one.kill()
    with pytest.raises(ConnectionClosed):
        far.until("never")
    come_back(far, two)
    assert far.version >= version
    assert owner(database, table) != was
    far.wait(lambda player: player.state and player.state["legal"])
    far.play(far.choose())
    wait_for(lambda: owner(database, timed) == owner(database, table))  # nobody is there, but a clock runs
    sits = Player(two, timed, timed_key)
    sits.wait(lambda player: player.version > 0)


def test_a_process_that_stops_gives_its_tables_to_the_others(sites: Sites, database: str) -> None:
    one, two = sites(2)
    made = [one.make("tortuga", mine("Anne"), free(), first=0) for _ in range(5)]
    players = [Player(one, table, key) for table, key in made]
    for (table, _), anne in zip(made, players, strict=True):
        Player(two, table).sit(2, "Bob")
        anne.wait(lambda player: player.state)
        anne.play(anne.choose())
    one.process.send_signal(signal.SIGTERM)
    for player in players:
        come_back(player, two)
        assert player.version == 1
    assert one.process.wait(60) in (0, -signal.SIGTERM)
    assert "ERROR" not in one.log.read_text()
    assert asked(database, "select count(*) from members") == [(1,)]


def test_workers_share_a_port_and_are_replaced(database: str, tmp_path: Path) -> None:
    site = Running(tmp_path / "site", program=[*PROGRAM, "--workers", "2"], database=database)
    try:
        members = "select id from members where until > clock_timestamp()"
        first = set(asked(database, members))
        assert len(first) == 3
        assert len(asked(database, f"{members} and thinks")) == 1
        players = site.open("jamaica", 3, bots=1)  # the third process, which thinks, is asked by both
        alone, key = site.make("jamaica", mine(), sailor(), first=0)
        anne = Player(site, alone, key)
        anne.send("hint", version=anne.version)
        assert anne.until("hints", "fault")["type"] == "hints"
        children = subprocess.run(
            ["pgrep", "-P", str(site.process.pid), "-f", "spawn_main"], capture_output=True, text=True, check=True
        )
        subprocess.run(["kill", "-9", children.stdout.split()[0]], check=True)
        wait_for(lambda: len(set(asked(database, members)) - first) == 1 and len(set(asked(database, members))) == 3)
        second = set(asked(database, members))
        site.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(set(asked(database, members))) == 3 and not set(asked(database, members)) & second)
        for player in players:
            come_back(player, site)
        play_out(players)
    finally:
        site.stop()


def test_workers_need_a_store_that_can_be_shared(tmp_path: Path) -> None:
    told = subprocess.run(
        [*command(tmp_path / "x.db", 0), "--workers", "2"], capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr == "Error: --workers needs a store that processes can share: --store postgresql://…\n"


NOWHERE = "postgresql://anne@127.0.0.1:1/nothing"  # what is wrong with an option is told before it is asked


@pytest.mark.parametrize("relay", ["", "foo:bar", ":9000", "10.0.0.5:", "10.0.0.5:99999", "10.0.0.5:0", "[::1", "a@b"])
@pytest.mark.parametrize("how", [(), ("think",)])
def test_where_others_reach_a_process_is_an_address(relay: str, how: tuple[str, ...]) -> None:
    told = CliRunner().invoke(main, [*how, "--store", NOWHERE, "--relay", relay])
    want = f"Error: --relay takes HOST or HOST:PORT, as 10.0.0.5, [fd00::5] or 10.0.0.5:9000, not {relay!r}\n"
    assert (told.exit_code, told.stdout, told.stderr) == (1, "", want)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--store", NOWHERE, "--relay", "0.0.0.0"), "--relay 0.0.0.0: others need one address"),
        (
            ("--store", NOWHERE, "--workers", "2", "--relay", "10.0.0.5:9000"),
            "--relay 10.0.0.5:9000: each of the --work",
        ),
        (("--store", "x.db", "--relay", "10.0.0.5"), "--relay 10.0.0.5 is for several processes of a database"),
        (("--store", NOWHERE, "--think-wait", "nan"), "Invalid value for '--think-wait': nan is not a number of"),
        (("--store", NOWHERE, "--think-most", "inf"), "Invalid value for '--think-most': inf is not a number of"),
    ],
)
def test_what_processes_cannot_share_is_told(options: tuple[str, ...], why: str, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, *PROGRAM, "--no-browser", *options], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (told.returncode in (1, 2), told.stdout) == (True, "")
    assert f"Error: {why}" in told.stderr
    assert not list(tmp_path.iterdir())


def test_a_process_is_reached_at_an_address_that_is_translated_to_its_own(database: str, tmp_path: Path) -> None:
    elsewhere = "203.0.113.5"  # of a network for documentation
    told = subprocess.run([*command(database, 0), "--relay", elsewhere], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr == f"Error: --relay {elsewhere}: this machine has no such address; say the port too\n"
    port = free_port()
    program = [*PROGRAM, "--relay", f"{elsewhere}:{port}"]
    site = Running(tmp_path / "site", program=program, database=database)
    try:
        wait_for(lambda: asked(database, "select address from members") == [(f"{elsewhere}:{port}",)])
        with socket.create_connection(("127.0.0.1", port)) as line:
            assert len(line.recv(32, socket.MSG_WAITALL)) == 32  # what one has to prove oneself with
        taken = [*command(database, 0), "--relay", f"127.0.0.1:{port}"]
        told = subprocess.run(taken, capture_output=True, text=True, check=False)
        assert told.returncode == 1
        assert told.stderr.startswith(f"Error: --relay 127.0.0.1:{port}: ")
        assert "address already in use" in told.stderr
    finally:
        site.stop()


def test_what_cannot_be_reached_is_told_without_the_password() -> None:
    where = "postgresql://anne:secret@127.0.0.1:1/nothing"
    told = subprocess.run(command(where, 0), capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.startswith("Error: postgresql://127.0.0.1:1/nothing cannot be used to keep games in:")
    assert "secret" not in told.stderr


def test_only_processes_of_the_store_come_in_by_their_door(sites: Sites, database: str) -> None:
    [one] = sites(1)
    wait_for(lambda: asked(database, "select address from members"))
    [(address,)] = asked(database, "select address from members")
    host, _, port = str(address).rpartition(":")
    for said in (b"", b"x" * 64, b"x" * 10_000, bytes(64)):
        with socket.create_connection((host, int(port))) as line:
            line.settimeout(30)
            assert len(line.recv(32, socket.MSG_WAITALL)) == 32
            line.sendall(said)
            with contextlib.suppress(ConnectionError):
                assert line.recv(1) == b""
    assert one.log.read_text().count("does not know the store's secret") == 3  # who says nothing is none of them
    assert one.get("/api/rules").status_code == 200
