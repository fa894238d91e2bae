"""What an operator sees on a port of its own: numbers, health and tables, and nothing of who plays or what they say."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from postgres import Postgres
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics
from server.live import OPERATED, PROGRAM, WAIT, Player, Running, free, mine, sailor, wait_for
from server.test_order import TWO_ON_17
from server.test_supervision import children
from websockets.exceptions import ConnectionClosed

from escapade.server import messages
from escapade.server.app import Ending, create_app
from escapade.server.sqlite import Sqlite
from escapade.server.store import NotSaved

ROOT = Path(__file__).parent.parent.parent
TOKEN = "open-sesame-4711"


class Operated(Running):
    """A server with an operator's port."""

    def __init__(self, store: Path, *options: str, database: str | None = None) -> None:
        super().__init__(store, program=(*OPERATED, *options), database=database)

    def start(self, port: int) -> None:
        super().start(port)
        self.operator = self.operators[0]

    def see(self, path: str, method: str = "GET", **headers: str) -> httpx.Response:
        """Ask on the operator's port."""
        return self.asked.request(method, self.operator + path, headers=headers)

    def number(self, name: str, **labels: str) -> float:
        """The value of a metric."""
        samples = [one for family in families(self.see("/metrics").text) for one in family.samples]
        [value] = [one.value for one in samples if one.name == name and one.labels == labels]
        return float(value)


def families(text: str) -> list[Any]:
    """Metrics as Prometheus reads them."""
    return list(parser.text_string_to_metric_families(text))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operated]:
    """A server that goes on running."""
    running = Operated(tmp_path_factory.mktemp("seen") / "games.db", "--log", "json")
    yield running
    running.stop()


@pytest.fixture
def operated(tmp_path: Path) -> Iterator[Callable[..., Operated]]:
    """Starts servers with options of one's own."""
    started: list[Operated] = []

    def starts(*options: str, database: str | None = None) -> Operated:
        started.append(Operated(tmp_path / f"games-{len(started)}.db", *options, database=database))
        return started[-1]

    yield starts
    for running in started:
        running.stop()


def tables(server: Operated, *more: str, rc: int = 0, **environment: str) -> str:
    """What `escapade tables` says."""
    command = [sys.executable, *PROGRAM, "tables", "--operate", server.operator, *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT, env={**os.environ, **environment})
    assert done.returncode == rc, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if rc == 0 else done.stderr


# ---- metrics -----------------------------------------------------------------------------------------------------


def test_prometheus_can_read_the_metrics_and_the_page_lists_them_all(server: Operated) -> None:
    answer = server.see("/metrics")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    found = families(answer.text)
    assert all(family.documentation.strip() for family in found)
    assert {"process_cpu_seconds", "process_resident_memory_bytes", "process_open_fds"} <= {one.name for one in found}
    exposed = {
        (family.name + ("_total" if family.type == "counter" else ""), family.type)
        for family in found
        if family.name.startswith("escapade")
    }
    page = (ROOT / "docs" / "operating.md").read_text()
    assert exposed == set(re.findall(r"^\| `(escapade_\w+)` \| (\w+) \|", page, re.M))
    asked = server.see("/metrics", Accept="application/openmetrics-text; version=1.0.0")
    assert asked.headers["content-type"].startswith("application/openmetrics-text")
    again = {one.name for one in openmetrics.text_string_to_metric_families(asked.text)}
    assert {"escapade_build_info", *again} - {"escapade_build"} == {one.name for one in found}


def test_codes_and_kinds_are_all_there_before_they_happen(server: Operated) -> None:
    found = {family.name: family for family in families(server.see("/metrics").text)}
    codes = {one.labels["code"] for one in found["escapade_refusals"].samples}
    assert codes == set(messages.FAULTS)
    kinds = {one.labels["kind"] for one in found["escapade_message_seconds"].samples}
    assert {"hello", "play", "hint"} <= kinds


def test_what_happens_is_counted(operated: Callable[..., Operated]) -> None:
    server = operated()
    people = server.open("jamaica", start=TWO_ON_17)
    assert server.number("escapade_sockets") == 2
    assert server.number("escapade_tables") == server.number("escapade_tables_opened_total") == 1
    people[0].play("D0>5")
    assert people[0].refused("play", version=1, action="B0>36") == "illegal"
    assert people[0].refused("play", version=1, action=5) == "bad-message"
    assert server.number("escapade_actions_total", by="person") == 1
    assert server.number("escapade_message_seconds_count", kind="play") == 2
    assert server.number("escapade_message_seconds_count", kind="hello") == 2
    assert server.number("escapade_refusals_total", code="illegal") == 1
    assert server.number("escapade_refusals_total", code="bad-message") == 1
    assert server.number("escapade_store_commit_events_sum") == 3  # opened, sat, played
    assert server.number("escapade_store_commit_seconds_sum") > 0
    assert server.number("escapade_http_responses_total", status="2xx") == 1  # the table was made
    assert server.get("/api/tables/nowhere/record").status_code == 404
    assert server.number("escapade_http_responses_total", status="4xx") == 1
    assert server.number("escapade_refusals_total", code="no-table") == 1
    assert server.asked.get(server.url, headers={"Origin": "http://evil.example"}).status_code == 403
    assert server.number("escapade_refusals_total", code="bad-origin") == 1
    with socket.create_connection(("127.0.0.1", server.port)) as garbage:
        garbage.sendall(b"\x00\x01\r\n\r\n")
        garbage.recv(1000)
    assert server.number("escapade_refusals_total", code="bad-request") == 1
    wait_for(lambda: server.number("escapade_loop_lag_seconds_count") > 2)
    people[0].send("resign", seat=1)
    people[0].until("table")
    assert server.number("escapade_games_over_total") == 1
    for player in people:
        player.go()
    wait_for(lambda: server.number("escapade_sockets") == 0)


def test_bots_clocks_and_hints_are_counted_for_what_they_are(server: Operated) -> None:
    table, key = server.make("jamaica", mine(), sailor(), first=0)
    before = {by: server.number("escapade_actions_total", by=by) for by in ("person", "bot", "clock")}
    with Player(server, table, key) as anne:
        anne.send("hint", version=0)
        anne.until("hints")
        assert server.number("escapade_message_seconds_count", kind="hint") == 1
        while anne.state and anne.state["seat"] == 1:
            anne.play("." if "." in anne.state["legal"] else anne.choose())
        anne.wait(lambda player: player.turn > 2)
    assert server.number("escapade_actions_total", by="bot") > before["bot"]
    assert server.number("escapade_actions_total", by="clock") == before["clock"]
    slow = server.open("jamaica", clock=5)
    slow[0].wait(lambda player: player.version)
    wait_for(lambda: server.number("escapade_actions_total", by="clock") > before["clock"])


def test_the_queues_of_work_are_seen_and_what_dies_in_them(operated: Callable[..., Operated]) -> None:
    server = operated()
    table, _ = server.make("jamaica", sailor("A"), sailor("B"))
    with Player(server, table) as watcher:
        watcher.wait(lambda player: player.version > 3)
    for queue in ("bots", "records"):
        for name in ("waiting_jobs", "waiting_seconds", "running_jobs", "refused_total", "restarts_total"):
            assert server.number(f"escapade_thinking_{name}", queue=queue) >= 0
    os.kill(children(server.process.pid)[0], 9)
    wait_for(lambda: server.number("escapade_thinking_restarts_total", queue="bots") == 1)


def test_no_metric_tells_who_plays_or_where(server: Operated) -> None:
    people = server.open("tortuga")
    text = server.see("/metrics").text
    for player in people:
        assert player.table not in text
        assert (player.key or "x") not in text
    assert not re.search(r"Anne|Person|127\.0\.0\.1|tortuga", text)


# ---- health ------------------------------------------------------------------------------------------------------


def test_a_server_says_that_it_lives_and_when_it_is_ready(server: Operated) -> None:
    wait_for(lambda: server.get("/health/ready").status_code == 200)
    for url in (server.url, server.operator):
        live, ready = (server.asked.get(f"{url}/health/{what}") for what in ("live", "ready"))
        assert (live.status_code, live.json()) == (200, {"live": True})
        assert ready.json() == {"ready": True, "checks": {"rules": True, "store": True, "serving": True}}
        assert live.headers["cache-control"] == ready.headers["cache-control"] == "no-store"
    assert server.number("escapade_ready", check="rules") == 1


def test_health_counts_against_nobodys_allowance(server: Operated) -> None:
    assert {server.asked.get(f"{server.url}/health/live").status_code for _ in range(400)} == {200}
    assert server.asked.get(f"{server.url}/api/tables").status_code == 200


def asked_in_here(path: Path, work: Callable[[Any, Callable[[], Any]], Any]) -> None:
    """Let a test work with an app in this process, and ask it whether it is ready."""

    async def run() -> None:
        store = await Sqlite.open(path)
        app = create_app(store, processes=1)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:

            async def ready() -> tuple[int, list[str]]:
                app.state.writable.tried = 0.0
                answer = await client.get("/health/ready")
                told = msgspec.json.decode(answer.content, type=messages.Health)
                assert told.ready == (answer.status_code == 200)
                return answer.status_code, [name for name, well in told.checks.items() if not well]

            await work(app, ready)
        await store.close()

    asyncio.run(run())


def test_not_ready_until_every_game_is_loaded_and_when_one_cannot_be(tmp_path: Path) -> None:
    async def work(app: Any, ready: Any) -> None:
        first, *others = app.state.tables.ready.values()
        assert await ready() == (503, ["rules"])
        first.set()
        assert await ready() == (503, ["rules"])
        for other in others:
            other.set()
        assert await ready() == (200, [])
        first.set(failed=True)
        assert await ready() == (503, ["rules"])
        first.set()
        app.state.health["lease"] = lambda: False
        assert await ready() == (503, ["lease"])

    asked_in_here(tmp_path / "x.db", work)


def test_not_ready_while_nothing_can_be_written_and_ready_again_afterwards(tmp_path: Path) -> None:
    async def work(app: Any, ready: Any) -> None:
        store, seen = app.state.tables.store, app.state.seen
        for one in app.state.tables.ready.values():
            one.set()
        await store.append("a", 1, b"x", None)
        with pytest.raises(NotSaved):
            await store.append("a", 1, b"x", None)
        assert seen.registry.get_sample_value("escapade_store_failures_total") == 1
        assert await ready() == (503, ["store"])
        seen.failed_at -= 60
        assert await ready() == (200, [])
        await store.db.execute("pragma query_only=1")
        assert await ready() == (503, ["store"])
        await store.db.execute("pragma query_only=0")
        assert await ready() == (200, [])

    asked_in_here(tmp_path / "x.db", work)


def test_not_ready_once_it_is_about_to_stop(tmp_path: Path) -> None:
    async def run() -> None:
        store, ending = await Sqlite.open(tmp_path / "x.db"), Ending()
        app = create_app(store, processes=1, ending=ending)
        assert app.state.health["serving"]()
        ending.begun.set()
        assert not app.state.health["serving"]()
        await store.close()

    asyncio.run(run())


# ---- the operator's port -----------------------------------------------------------------------------------------


def test_visitors_do_not_get_to_the_operators_port(server: Operated) -> None:
    anne, _ = server.open("jamaica")
    for method, path in (("GET", "/metrics"), ("GET", "/tables"), ("POST", f"/tables/{anne.table}/close")):
        assert server.asked.request(method, server.url + path).status_code == 404
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            assert server.see(path, method, **headers).status_code in (400, 403)
    assert server.see("/tables").json()
    assert server.see("/api/rules").status_code == server.see("/").status_code == 404
    assert server.see(f"/tables/{anne.table}/close").status_code == 405
    assert anne.settle() == []


def test_a_token_is_asked_for_where_one_was_given(operated: Callable[..., Operated], tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    server = operated("--operate-token", str(file))
    anne, _ = server.open("jamaica")
    for given in (None, "", TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer wrong", f"Bearer {TOKEN[:-1]}", "Bearer é"):
        headers = [] if given is None else [(b"Authorization", given.encode())]
        for method, path in (("GET", "/metrics"), ("GET", "/tables"), ("POST", f"/tables/{anne.table}/close")):
            refused = server.asked.request(method, server.operator + path, headers=headers)
            assert (refused.status_code, refused.json()) == (401, {"code": "no-token"})
            assert refused.headers["www-authenticate"] == "Bearer"
    assert server.see("/health/live").status_code == 200
    assert server.see("/metrics", Authorization=f"Bearer {TOKEN}").status_code == 200
    assert "no-token" in tables(server, rc=1)
    assert anne.table in tables(server, "--token", str(file))
    assert anne.table in tables(server, ESCAPADE_OPERATE_TOKEN=TOKEN)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--operate", "0.0.0.0:9100"], "--operate-token"),
        (["--operate", "nowhere"], "takes a port"),
        (["--operate", "http://127.0.0.1:9100"], "takes a port"),
        (["--operate", "127.0.0.1:99999"], "takes a port"),
        (["--operate", "9100", "--operate-token", "{empty}"], "no token in it"),
        (["--operate", "{taken}"], "port"),
    ],
)
def test_an_operators_port_that_cannot_be_is_refused_with_a_reason(
    options: list[str], why: str, server: Operated, tmp_path: Path
) -> None:
    (tmp_path / "empty").write_text("\n")
    known = {"empty": str(tmp_path / "empty"), "taken": server.operator.rpartition(":")[2]}
    options = [option.format(**known) for option in options]
    command = [sys.executable, *PROGRAM, "--no-browser", "--port", "0", "--store", str(tmp_path / "x.db"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT)
    assert (done.returncode, "Traceback" in done.stderr) in ((1, False), (2, False))
    assert why in done.stderr


# ---- tables ------------------------------------------------------------------------------------------------------


def test_tables_are_listed_without_names_chat_or_keys(server: Operated) -> None:
    people = server.open("tortuga", players=3, bots=1, clock=3600)
    people[0].ask("say", text="Blackbeard has the map")
    people[0].play(people[0].choose())
    watcher = Player(server, people[0].table)
    people[1].go()
    wait_for(lambda: row(server, people[0].table)["here"] == 1)
    told = row(server, people[0].table)
    assert {name: told[name] for name in told if name not in ("idle", "due")} == {
        "id": people[0].table,
        "kind": "cartagena",
        "game": "tortuga",
        "players": 3,
        "people": 2,
        "here": 1,
        "watchers": 1,
        "version": 1,
        "turn": 1,
        "over": False,
    }
    assert 0 <= told["idle"] < WAIT
    assert 3000 < told["due"] <= 3600
    text = server.see("/tables").text
    assert not re.search(r"Anne|Person|Bot 0|Blackbeard", text)
    assert not any(player.key in text for player in people if player.key)
    assert told == {**json.loads(tables(server, "--json"))[0], **told}
    head, *lines = tables(server).splitlines()
    assert head.split()[:3] == ["id", "game", "players"]
    assert any(line.startswith(people[0].table) and "tortuga" in line for line in lines)
    assert len({len(line) for line in [head, *lines]}) == 1  # the columns are aligned
    watcher.go()


def row(server: Operated, table: str) -> dict[str, Any]:
    """A table as the operator sees it."""
    [found] = [row for row in server.see("/tables").json() if row["id"] == table]
    assert isinstance(found, dict)
    return found


def test_a_closed_table_sends_everyone_away_for_good_and_keeps_its_events(operated: Callable[..., Operated]) -> None:
    server = operated()
    people = server.open("jamaica", start=TWO_ON_17)
    others = server.open("jamaica")
    people[0].play("D0>5")
    watcher = Player(server, people[0].table)
    assert tables(server, "close", people[0].table) == f"{people[0].table} is closed\n"
    for one in (*people, watcher):
        assert one.until("fault")["code"] == "closed"
        with pytest.raises(ConnectionClosed):
            one.receive()
    assert people[0].table not in tables(server)
    assert server.see(f"/tables/{people[0].table}/close", "POST").status_code == 200  # and once more
    assert "no-table" in tables(server, "close", "nowhere", rc=1)
    others[0].play(others[0].choose())
    assert server.number("escapade_refusals_total", code="closed") == 3

    def is_closed() -> None:
        back = Player(server, people[0].table, people[0].key, answered="fault")
        assert back.heard[0]["code"] == "closed"
        answer = server.get(f"/api/tables/{people[0].table}/record", people[0].key)
        assert (answer.status_code, answer.json()) == (410, {"code": "closed"})
        assert server.get(f"/api/tables?id={people[0].table}").json() == []
        back.go()

    is_closed()
    server.kill()
    server.start(server.port)
    is_closed()
    others[0].come_again()
    assert others[0].version == 1
    server.stop()

    async def kept() -> list[bytes]:
        store = await Sqlite.open(server.store)
        found = await store.events(people[0].table)
        await store.remove(people[0].table)
        assert not await store.is_shut(people[0].table)
        await store.close()
        return found

    assert len(asyncio.run(kept())) == 3


def test_a_table_that_nobody_looks_at_can_be_closed_too(operated: Callable[..., Operated]) -> None:
    server = operated()
    table, key = server.make("jamaica", mine(), free(), clock=5, first=0)
    Player(server, table).sit(2, "Bo")
    server.kill()
    server.start(server.port)
    assert server.see(f"/tables/{table}/close", "POST").json() == {"closed": table}
    assert Player(server, table, key, answered="fault").heard[0]["code"] == "closed"


# ---- several processes -------------------------------------------------------------------------------------------


def test_a_table_is_closed_for_those_at_other_processes_too(
    operated: Callable[..., Operated], postgres: Postgres
) -> None:
    database = postgres.database("closed_elsewhere")
    one, two = operated(database=database), operated(database=database)
    table, key = one.make("jamaica", mine(), free(), first=0)
    anne, bo = Player(one, table, key), Player(two, table)
    bo.sit(2, "Bo")
    assert two.get(f"/api/tables?id={table}").json()  # which it keeps in memory
    anne.wait(lambda player: player.state)
    anne.play(anne.choose())
    assert one.number("escapade_tables") == 1
    assert (two.number("escapade_tables"), two.number("escapade_sockets")) == (0, 1)
    assert [row["here"] for row in one.see("/tables").json()] == [2]
    assert bo.refused("play", version=1, action="x") == "not-your-turn"
    assert one.number("escapade_refusals_total", code="not-your-turn") == 1
    assert two.see(f"/tables/{table}/close", "POST").status_code == 200
    for player in (anne, bo):
        assert player.until("fault")["code"] == "closed"
        with pytest.raises(ConnectionClosed):
            player.receive()
    other, _ = one.make("jamaica", mine(), free())
    assert two.get(f"/api/tables?id={other}").json()
    assert one.see(f"/tables/{other}/close", "POST").status_code == 200
    wait_for(lambda: two.get(f"/api/tables?id={other}").json() == [])
    for server in (one, two):
        assert Player(server, table, key, answered="fault").heard[0]["code"] == "closed"
        assert server.get(f"/api/tables/{table}/record").status_code == 410
        wait_for(lambda: server.get("/health/ready").status_code == 200)  # noqa: B023


def test_each_of_several_processes_has_a_port_for_its_operator_also_after_it_was_replaced(
    operated: Callable[..., Operated], postgres: Postgres
) -> None:
    server = operated("--workers", "2", database=postgres.database("seen_workers"))
    assert len(set(server.operators)) == 3  # one of them thinks for the others

    def started() -> list[float]:
        answers = [server.asked.get(f"{url}/metrics", headers={"Connection": "close"}) for url in server.operators]
        samples = [one for answer in answers for family in families(answer.text) for one in family.samples]
        return [one.value for one in samples if one.name == "process_start_time_seconds"]

    def are_others() -> bool:
        with contextlib.suppress(httpx.HTTPError):  # one that ends may break off
            return not {*started()} & {*before}
        return False

    before = started()
    assert len(before) == 3
    server.process.send_signal(signal.SIGHUP)
    wait_for(are_others, every=0.5)


def test_one_that_only_thinks_has_a_port_for_its_operator_too(postgres: Postgres, tmp_path: Path) -> None:
    database, told = postgres.database("seen_thinking"), tmp_path / "told"
    thinks = [sys.executable, *PROGRAM, "think", "--store", database, "--operate", "0", "--log", "json"]
    with told.open("wb") as file:
        thinker = subprocess.Popen(thinks, stdout=file, stderr=subprocess.STDOUT)
    try:
        wait_for(lambda: "Ctrl-C stops." in told.read_text() or thinker.poll() is not None)
        lines = told.read_text().splitlines()
        assert lines[0].startswith("Its operator's port is http://127.0.0.1:")
        port = lines[0].split()[-1].rstrip("/")
        numbers = httpx.get(f"{port}/metrics", trust_env=False).text
        assert 'escapade_thinking_waiting_jobs{queue="bots"} ' in numbers
        wait_for(lambda: httpx.get(f"{port}/health/ready", trust_env=False).status_code == 200)
        assert httpx.get(f"{port}/tables", trust_env=False).json() == []
    finally:
        thinker.terminate()
        thinker.wait()
    assert [json.loads(line) for line in told.read_text().splitlines()[2:]] == []
