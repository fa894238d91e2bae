"""The questions over HTTP: what is answered, what is refused, and what every answer carries."""

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from socket import create_connection
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from server.live import WAIT, Player, Running, play_out, position
from server.test_order import TWO_ON_17
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import escapade
from escapade.server import messages
from escapade.server.schema import schemas

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
EXPECTED = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def table(server: Running) -> str:
    """A table with a game."""
    people = server.open("jamaica", start=TWO_ON_17)
    for player in people:
        player.go()
    return people[0].table


ANSWERS: list[tuple[str, str, int]] = [
    ("GET", "/", 200),
    ("HEAD", "/", 200),
    ("GET", "/t/{table}", 200),
    ("GET", "/t/nowhere", 200),
    ("GET", "/replay", 200),
    ("GET", "/replay/{table}", 200),
    ("GET", "/client/index.html", 200),
    ("GET", "/client/style.css", 200),
    ("GET", "/client/main.js", 200),
    ("GET", "/client/nothing.js", 404),
    ("GET", "/client/../server/app.py", 404),
    ("GET", "/client/%2e%2e/server/app.py", 404),
    ("GET", "/client/", 404),
    ("POST", "/client/main.js", 405),
    ("GET", "/api/rules", 200),
    ("POST", "/api/rules", 405),
    ("GET", "/api/tables", 200),
    ("GET", "/api/tables?id={table}", 200),
    ("POST", "/api/tables", 400),
    ("DELETE", "/api/tables", 405),
    ("GET", "/api/tables/{table}/record", 200),
    ("GET", "/api/tables/{table}/replay", 200),
    ("GET", "/api/tables/nowhere/record", 404),
    ("GET", "/api/tables/nowhere/replay", 404),
    ("GET", "/api/tables/{table}", 404),
    ("GET", "/api/replay", 405),
    ("POST", "/api/replay", 400),
    ("POST", "/api/position", 400),
    ("GET", "/api/schema.json", 200),
    ("GET", "/api/openapi.json", 200),
    ("POST", "/api/qr", 400),
    ("GET", "/api/qr?link=http://localhost/", 405),
    ("GET", "/health/live", 200),
    ("HEAD", "/health/live", 200),
    ("POST", "/health/live", 405),
    ("GET", "/nothing", 404),
    ("GET", "/ws", 404),
    ("OPTIONS", "/api/tables", 405),
    ("TRACE", "/", 405),
]


@pytest.mark.parametrize(("method", "path", "status"), ANSWERS)
def test_every_answer_carries_the_headers_and_every_refusal_a_code(
    server: Running, table: str, method: str, path: str, status: int
) -> None:
    answer = server.asked.request(method, server.url + path.format(table=table))
    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in EXPECTED} == EXPECTED
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "server" not in answer.headers
    assert answer.headers["cache-control"] in ("no-store", "no-cache")
    if status >= 400:
        assert answer.headers["content-type"] == "application/json"
        told = msgspec.json.decode(answer.content, type=messages.Refusal)
        assert told.code in {404: ["not-found", "no-table"], 405: ["bad-request"], 400: ["bad-message"]}[status]


def test_the_typeface_is_small_free_and_kept_by_the_browser(server: Running) -> None:
    answer = server.get("/client/fonts/alegreya-600.woff2")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "font/woff2")
    assert "immutable" in answer.headers["cache-control"]
    assert len(answer.content) < 30_000
    assert "SIL OPEN FONT LICENSE" in server.get("/client/fonts/OFL.txt").text
    assert 'rel="preload" href="/client/fonts/alegreya-600.woff2"' in server.get("/").text


def test_a_file_that_has_not_changed_is_not_sent_again_and_carries_the_headers(server: Running) -> None:
    first = server.get("/client/style.css")
    again = server.get("/client/style.css", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert {name: again.headers.get(name) for name in EXPECTED} == EXPECTED


@pytest.mark.parametrize(
    "origin",
    [EVIL, "null", "", "http://[", "https://127.0.0.1", "http://localhost:1", "file://", "http://127.0.0.1.evil"],
)
def test_a_page_of_somebody_else_is_refused(server: Running, table: str, origin: str) -> None:
    for method, path in [("GET", "/api/rules"), ("POST", "/api/tables"), ("GET", f"/api/tables/{table}/record")]:
        answer = server.asked.request(method, server.url + path, headers={"Origin": origin})
        assert (answer.status_code, answer.json()) == (403, {"code": "bad-origin"})
        assert {name: answer.headers.get(name) for name in EXPECTED} == EXPECTED
    assert socket_status(server, Origin=origin) == 403


def test_a_page_of_our_own_is_let_in(server: Running) -> None:
    assert server.get("/api/rules", Origin=server.url).status_code == 200
    assert socket_status(server, Origin=server.url) == 101
    assert socket_status(server) == 101


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_not_ours_is_refused(server: Running, host: str) -> None:
    """Or a page whose name is pointed at this machine could read what is here."""
    answer = server.get("/api/rules", Host=host)
    assert answer.status_code == 400
    assert "jamaica" not in answer.text
    if host:
        assert {name: answer.headers.get(name) for name in EXPECTED} == EXPECTED
        assert socket_status(server, Host=host, Origin=f"http://{host}") in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "localhost:99", "[::1]:8000"])
def test_our_own_names_are_let_in(server: Running, host: str) -> None:
    assert server.get("/api/rules", Host=host).status_code == 200


def socket_status(server: Running, **headers: str) -> int:
    """How a socket is answered that comes with these headers."""
    host = headers.pop("Host", f"127.0.0.1:{server.port}")
    way = create_connection(("127.0.0.1", server.port), timeout=WAIT)
    try:
        with connect(f"ws://{host}/ws", sock=way, additional_headers=headers, proxy=None, open_timeout=WAIT):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_a_body_that_is_too_big_is_refused_whether_its_size_is_told_or_not(server: Running) -> None:
    big = b'{"record":"' + b"x" * 700_000 + b'"}'
    for path in ("/api/replay", "/api/tables", "/api/position", "/api/qr"):
        told = server.asked.post(server.url + path, content=big)
        assert (told.status_code, told.json()["code"]) == (413, "too-big")
        untold = server.asked.post(server.url + path, content=iter([big[:300_000], big[300_000:]]))
        assert (untold.status_code, untold.json()["code"]) == (413, "too-big")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"\xff\xfe", b'{"game":1}', b'{"more":1}', b"[" * 100_000, b'{"a":' * 50_000]
)
def test_a_body_that_is_no_question_is_refused(server: Running, body: bytes) -> None:
    for path in ("/api/tables", "/api/replay", "/api/position", "/api/qr"):
        answer = server.asked.post(server.url + path, content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")


def test_a_record_is_a_file_to_keep(server: Running) -> None:
    people = server.open("evades+turn-limit=2")
    play_out(people)
    answer = server.get(f"/api/tables/{people[0].table}/record")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="{people[0].table}.esc"'
    [game] = escapade.read(io.BytesIO(answer.content))
    assert game.over


def test_a_name_in_any_script_is_kept_in_the_record(server: Running) -> None:
    seats = [{"colour": 0, "name": "Ève 海賊 🏴‍☠️", "mine": True}, {"colour": 1, "name": "<b>Bo", "mine": True}]
    made = server.post("/api/tables", {"game": "tortuga", "seats": seats, "first": 0}).json()
    assert '[Seats "Ève 海賊 🏴‍☠️/<b>Bo"]' in server.record(made["table"])


def test_what_can_be_chosen_is_what_the_editions_have(server: Running) -> None:
    rules = server.get("/api/rules").json()
    assert list(rules["editions"]) == [*escapade.cartagena.editions.EDITIONS, "evades"]
    assert rules["house"]["cartagena"]["pirates"] == {"from": 3, "to": 8}
    assert rules["house"]["evades"]["count-jumped"] == ["on", "off"]
    assert rules["players"] == {"cartagena": [2, 5], "evades": [2, 6]}
    assert rules["levels"] == [
        "cabin-boy", "deckhand", "sailor", "gunner", "buccaneer", "boatswain", "helmsman", "quartermaster", "mate",
        "captain", "legend",
    ]  # fmt: skip
    assert rules["segments"] == list(escapade.cartagena.editions.PRINTED)
    assert rules["addresses"] == []
    assert {name: (kind["title"], kind["players"]) for name, kind in rules["kinds"].items()} == {
        "cartagena": ("Cartagena", [2, 5]),
        "evades": ("Les Évadés", [2, 6]),
    }
    for name, kind in rules["kinds"].items():
        assert (kind["house"], kind["levels"]) == (rules["house"][name], rules["levels"])
    assert [name for kind in rules["kinds"].values() for name in kind["editions"]] == list(rules["editions"])
    assert rules["kinds"]["cartagena"]["offers"]["segments"] == rules["segments"]
    assert rules["kinds"]["evades"]["offers"] == {}


def test_a_position_is_checked(server: Running) -> None:
    good = server.post("/api/position", {"position": f" {TWO_ON_17}\n"}).json()
    assert good == {
        "game": "jamaica",
        "kind": "cartagena",
        "rules": dict(escapade.parse(TWO_ON_17).edition.rules),
        "players": 2,
        "seat": 1,
        "position": TWO_ON_17,
        "playable": True,
        "legal": escapade.parse(TWO_ON_17).legal_actions(),
        "result": "*",
        "steps": [],
    }
    hidden = server.post("/api/position", {"position": escapade.parse(TWO_ON_17).view(1)}).json()
    assert (hidden["playable"], hidden["seat"], hidden["legal"]) == (False, 1, [])
    over = position("jamaica", "37.37.37.37.37.37/0.0.0.0.17.17", "BBDHKS/DKPPSS", clock="1:1:5")
    assert server.post("/api/position", {"position": over}).json()["playable"] is False
    bad = server.post("/api/position", {"position": TWO_ON_17.replace(" 1:0:5", " 3:0:5")})
    assert (bad.status_code, bad.json()["code"]) == (400, "bad-position")
    assert "3" in bad.json()["detail"]
    assert bad.json()["why"] == {"code": "bad-clock", "values": {"text": "3:0:5"}}
    few = server.post("/api/position", {"position": "jamaica x"}).json()
    assert few["why"] == {"code": "not-a-position", "values": {"found": 2, "needed": 8}}


def test_actions_are_played_from_a_position_with_luck_that_is_set_told_or_by_chance(server: Running) -> None:
    game = escapade.parse(TWO_ON_17, 5)
    retreat = next(action for action in game.legal_actions() if "<" in action)
    tokens = [game.play(action) for action in (retreat, ".")]
    asked = {"position": TWO_ON_17, "actions": [retreat, "."], "seed": 5}
    played = server.post("/api/position", asked).json()
    assert (played["position"], played["seat"], played["legal"]) == (str(game), 2, game.legal_actions())
    assert [(step["seat"], step["turn"], step["action"]) for step in played["steps"]] == [
        (1, 5, tokens[0]),
        (1, 5, tokens[1]),
    ]
    told = server.post("/api/position", {"position": TWO_ON_17, "actions": tokens}).json()
    assert told["steps"] == played["steps"]
    for bad in ("B0>36", "nonsense"):
        refused = server.post("/api/position", {"position": TWO_ON_17, "actions": [retreat, bad]})
        assert (refused.status_code, refused.json()["code"]) == (400, "illegal")
        assert bad in refused.json()["detail"]
    near = position("jamaica", "36.37.37.37.37.37/0.0.0.0.17.17", "BBDHKS/DKPPSS")
    over = server.post("/api/position", {"position": near, "actions": ["B36>37"]}).json()
    assert (over["seat"], over["result"], over["playable"], over["legal"]) == (0, "1", False, [])
    hidden = {"position": escapade.parse(TWO_ON_17).view(1), "actions": [retreat]}
    assert server.post("/api/position", hidden).json()["code"] == "illegal"


def test_a_record_that_is_brought_is_checked_and_its_faults_are_named(server: Running) -> None:
    record = escapade.new("jamaica", seed=1).record()
    two = server.post("/api/replay", {"record": record * 2, "number": 2})
    assert (two.json()["games"], two.json()["record"]) == (2, record)
    for body, reason, code, values in [
        ({"record": record, "number": 2}, "no game 2", "no-such-game", {"number": 2, "games": 1}),
        ({"record": ""}, "no game", "no-game", {}),
        ({"record": "x" * 99}, "is not a tag", "not-a-tag", {"line": 1, "text": "x" * 60 + "…"}),
        ({"record": record.replace("jamaica", "nowhere")}, "no edition", "unknown-edition", {"name": "nowhere"}),
        ({"record": record.rstrip() + "\n\n1. B0>36\n"}, "B0>36", "wrong-action", {"turn": 1, "action": "B0>36"}),
        (
            {"record": record.replace('[Result "*"]', '[Result "1"]')},
            "the Result is '1'",
            "wrong-result",
            {"told": "1", "found": "*"},
        ),
    ]:
        answer = server.post("/api/replay", body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-record")
        assert reason in answer.json()["detail"]
        assert answer.json()["why"] == {"code": code, "values": values}


def test_a_record_keeps_the_symbols_of_its_printing(server: Running) -> None:
    for printing in ("classic", "tilsit"):
        (anne, _) = server.open("jamaica", printing=printing)
        record = server.record(anne.table, anne.key)
        assert ('[Printing "tilsit"]' in record) == (printing == "tilsit")
        assert server.post("/api/replay", {"record": record}).json()["printing"] == printing
    other = record.replace('"tilsit"', '"unheard-of"')
    assert server.post("/api/replay", {"record": other}).json()["printing"] == "classic"


def test_tables_are_listed_by_their_ids_and_those_that_are_not_there_left_out(server: Running, table: str) -> None:
    found = server.get(f"/api/tables?id={table}&id=nowhere&id={table}").json()
    assert [one["table"] for one in found] == [table, table]
    assert len(server.get("/api/tables?" + "&".join([f"id={table}"] * 60)).json()) == 50
    assert server.get("/api/tables").json() == []


def test_a_picture_of_a_link(server: Running) -> None:
    answer = server.post("/api/qr", {"link": "a" * 300})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    assert "style=" not in answer.text  # the policy forbids them
    for link in ("", "a" * 301):
        refused = server.post("/api/qr", {"link": link})
        assert (refused.status_code, refused.json()["where"]) == (400, "$.link")


def test_the_schema_is_made_from_the_code(server: Running) -> None:
    assert server.get("/api/schema.json").json() == msgspec.to_builtins(schemas())


def test_whoever_asks_too_much_is_told_so_and_others_are_not(start: Callable[[], Running]) -> None:
    server = start()
    with ThreadPoolExecutor(8) as askers:
        answers = list(askers.map(lambda _: server.asked.get(f"{server.url}/api/tables"), range(1500)))
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert refused[0].json() == {"code": "too-fast"}
    assert server.get("/api/rules").status_code == 200
    people = server.open("jamaica+turn-limit=2")
    play_out(people)


@pytest.mark.parametrize("number", [*range(11), 16, 17])
def test_what_the_openapi_page_promises_holds(server: Running, number: int) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    operations: list[Any] = list(schema.get_all_operations())
    operation = operations[number].ok()

    @settings(
        max_examples=12,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def holds(case: Any) -> None:
        case.call_and_validate(excluded_checks=[positive_data_acceptance])  # the rules refuse more than a schema can

    holds()
    assert len(operations) == 18


def test_a_socket_is_not_a_page(server: Running, table: str) -> None:
    with httpx.Client(trust_env=False, timeout=WAIT) as client:
        assert client.get(f"{server.url}/ws").status_code == 404
    with Player(server, table) as player:
        assert player.shown["table"] == table
