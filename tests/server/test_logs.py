"""The log as JSON: a line for each event, with a short name, and nothing that a visitor wrote or must not know."""

import contextlib
import io
import json
import logging
import logging.config
import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from server.live import OPERATED, Player, Running, free, mine, play_out, sailor, wait_for

from escapade.server import logs
from escapade.server.messages import Refused
from escapade.server.seen import Seen
from escapade.server.supervision import log, note

ROOT = Path(__file__).parent.parent.parent
NAMES = ["Calico Jack", "Mary Read"]
CHAT = ["the treasure is under the palm", "meet me at the harbour"]


@pytest.fixture
def written() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The lines that the log has as JSON."""
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(logs.AsJson())
    handler.addFilter(logs.Bounded())
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in told.getvalue().splitlines()]
    log.removeHandler(handler)
    log.setLevel(before)


def test_a_game_is_told_by_its_events_and_nobody_by_name_word_key_or_address(tmp_path: Path) -> None:
    server = Running(tmp_path / "games.db", program=(*OPERATED, "--log", "json"))
    people: list[Player] = []
    secrets: list[str] = []
    with contextlib.ExitStack() as stack:
        stack.callback(server.stop)
        wait_for(lambda: server.get("/health/ready").status_code == 200)
        table, key = server.make("jamaica+turn-limit=2", mine(NAMES[0]), free(), sailor("Bartholomew"), first=0)
        people = [Player(server, table, key), Player(server, table)]
        people[1].sit(2, NAMES[1])
        for player, text in zip(people, CHAT, strict=True):
            player.ask("say", text=text)
        assert people[0].refused("play", version=0, action="B0>36") == "illegal"
        people[0].send_raw('{"type": "Calico"}')
        people[0].until("fault")
        assert server.get(f"/api/tables/{CHAT[0]}/record").status_code == 404
        play_out(people)
        record = server.record(table)
        secrets += re.findall(r'\[(?:Seed|Commitment) "(\w+)"\]', record)
        assert len(secrets) == 2
        server.close_table(table)
        secrets += [player.key for player in people if player.key]
    with contextlib.closing(sqlite3.connect(server.store)) as db:
        [(opened,)] = db.execute("select event from events where game = ? and seq = 1", (table,))
    secrets += [chair["key"] for chair in json.loads(opened)["chairs"] if chair["key"]]
    text = server.log.read_text().split(" stops.\n", 1)[1]
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["event"] for line in lines if line["event"] != "slow-commit"] == [
        "start",
        "ready",
        "table-opened",
        "table-over",
        "table-closed",
        "stop",
    ]
    for line in lines:
        assert list(line)[:3] == ["time", "level", "event"]
        assert datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0)
    at_table = [line["table"] for line in lines if line["event"].startswith("table-")]
    assert at_table == [table] * 3
    assert len(secrets) == 5
    for told in (*NAMES, "Calico", "Bartholomew", *CHAT, "palm", *secrets, "127.0.0.1"):
        assert told not in text, told


def test_a_failure_is_told_by_its_type_place_and_table(written: Callable[[], list[dict[str, Any]]]) -> None:
    try:
        raise KeyError("BBDHKS")
    except KeyError as fault:
        note("table abcd: a change", fault)
        note("GET /api/rules", fault)
    note("the round of the tables", Refused("busy"))
    logging.getLogger("escapade.other").warning("a line of a library: %s", "x\ny")
    first, second, third, other = written()
    assert first["where"].startswith("test_logs.py:")
    assert (first["event"], first["level"], first["table"]) == ("fault", "error", "abcd")
    assert (first["what"], first["fault"]) == ("a change", "KeyError")
    assert (second["what"], "table" in second) == ("GET /api/rules", False)
    assert third["fault"] == "refused as busy"
    assert (other["event"], other["level"], other["message"]) == ("escapade.other", "warning", "a line of a library: x")
    assert "BBDHKS" not in json.dumps(written())


def test_slow_commits_and_refused_newcomers_are_told_but_not_each_of_many(
    written: Callable[[], list[dict[str, Any]]],
) -> None:
    seen = Seen()
    seen.committed(0.2, 5)
    seen.committed(1.25, 7)
    for _ in range(100):
        seen.refused("full")
        seen.refused("illegal")
    [slow, *refused] = written()
    assert (slow["event"], slow["seconds"], slow["events"]) == ("slow-commit", 1.25, 7)
    assert len(refused) == logs.A_MINUTE
    assert {(line["event"], line["code"]) for line in refused} == {("refused", "full")}
    assert seen.registry.get_sample_value("escapade_refusals_total", {"code": "full"}) == 100


def test_every_table_is_told_however_many_they_are() -> None:
    bounded = logs.Bounded(3)

    def passes(event: str) -> int:
        records = [logging.makeLogRecord({"name": "escapade", "msg": event, "event": event}) for _ in range(50)]
        return sum(bounded.filter(record) for record in records)

    assert [passes(event) for event in ("table-opened", "table-over", "table-closed", "refused")] == [50, 50, 50, 3]


def test_in_plain_text_only_trouble_is_told() -> None:
    assert logs.FORMS["text"]["root"]["level"] == "WARNING"
    assert "loggers" not in logs.FORMS["text"]


def test_the_page_has_every_event() -> None:
    page = (ROOT / "docs" / "operating.md").read_text().split("### The log\n")[1].split("### ")[0]
    told = {name for cell in re.findall(r"^\| (`.*?) \|", page, re.M) for name in re.findall(r"`([\w.-]+)`", cell)}
    source = "\n".join(path.read_text() for path in (ROOT / "src" / "escapade" / "server").glob("*.py"))
    sent = set(re.findall(r'\btell\("([\w-]+)",', source)) | set(re.findall(r'"event": "([\w-]+)"', source))
    sent |= set(re.findall(r'_tell\(\s*"([\w-]+)",', source))
    assert told - {"uvicorn.error", "asyncio"} == sent
