"""What a web server has to refuse: ways out of its folder, other sites, other names; and what it always sends."""

import json

import pytest
from hostile.starting import Visit
from hostile.wire import Refused, Visitor, mine
from server.live import Running

HEADERS = {
    "content-security-policy": "default-src 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
UPS = (
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..%5c",
    "..\\",
    "%252e%252e%252f",
    "....//",
    "..;/",
    "%c0%ae%c0%ae/",
    "//",
)
FILES = ("server/app.py", "etc/passwd", "__init__.py", "games.db", "../pyproject.toml")
INSIDE = (b"def ", b"root:", b"SQLite format", b"[project]", b"import ")


def answered(visitor: Visitor, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body of a request that is sent as it is."""
    head, _, body = visitor.exchange(request).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split(" ")[1]), headers, body


def test_no_path_leads_out_of_the_clients_folder(server: Running, visit: Visit) -> None:
    visitor = visit(server)
    for base in ("/client/", "/client/lang/", "/", "/t/", "/replay/"):
        for up in UPS:
            for file in FILES:
                path = base + up * 6 + file
                request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
                status, _, body = answered(visitor, request.encode())
                assert status in (200, 400, 404), path
                assert not [text for text in INSIDE if text in body and b"<!doctype html>" not in body[:20].lower()], (
                    path
                )


ORIGINS = (
    "http://evil.example",
    "null",
    "http://127.0.0.1.evil.example",
    "http://127.0.0.1:1",
    "https://127.0.0.1",
    "x",
)


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_page_of_another_site_gets_neither_answers_nor_sockets(server: Running, visit: Visit, origin: str) -> None:
    visitor = visit(server)
    answer = visitor.asked.get("/api/rules", headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin")
    assert carries(dict(answer.headers))
    with pytest.raises(Refused) as refused:
        visitor.line({"Origin": origin})
    assert refused.value.status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "127.0.0.1@evil"]
)
def test_a_name_that_is_not_ours_is_refused(server: Running, visit: Visit, host: str) -> None:
    visitor = visit(server)
    answer = visitor.asked.get("/api/rules", headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert carries(dict(answer.headers))
    with pytest.raises(Refused) as refused:
        visitor.line({"Host": host, "Origin": f"http://{host}"})
    assert refused.value.status in (400, 403, 421)


def carries(headers: dict[str, str]) -> bool:
    """Whether an answer has the headers that keep a page to itself."""
    lowered = {name.lower(): value for name, value in headers.items()}
    return all(lowered.get(name, "").lower().startswith(value.lower()) for name, value in HEADERS.items())


UNREADABLE = {
    "no request at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "an unknown version": b"GET / FTP/1.0\r\nHost: 127.0.0.1\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\n: 1\r\n\r\n",
    "two lengths": b"POST /api/qr HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    "a length that is none": b"POST /api/qr HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_no_request_is_refused_with_the_headers_too(server: Running, visit: Visit, what: str) -> None:
    head = visit(server).exchange(UNREADABLE[what] + b"\r\n\r\n" * 2, timeout=10).partition(b"\r\n\r\n")[0]
    lines = head.decode("latin-1").split("\r\n")
    assert lines[0].split(" ")[1] in ("400", "413", "431"), lines
    assert carries(dict(line.split(": ", 1) for line in lines[1:]))


def test_a_socket_that_is_refused_has_the_headers_too(server: Running, visit: Visit) -> None:
    with pytest.raises(Refused) as refused:
        visit(server).line({"Sec-WebSocket-Version": "99"})
    head = refused.value.answer.partition(b"\r\n\r\n")[0].decode("latin-1")
    assert carries(dict(line.split(": ", 1) for line in head.split("\r\n")[1:]))


SCRIPTS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=a()>",
    "'><svg onload=a()>",
    "javascript:alert(1)",
    "{{7*7}}",
)


def test_scripts_in_names_and_chat_are_only_ever_json_or_plain_text(server: Running, visit: Visit) -> None:
    visitor = visit(server)
    for script in SCRIPTS:
        name = script.replace("/", "|").replace('"', "|")[:24]
        table, key = visitor.made("jamaica", mine(name), mine("Bo"), first=0)
        with visitor.come(table, key) as line:
            assert line.ask("say", text=script)["text"] == script
        with visitor.come(table) as line:
            assert line.shown["chat"][-1]["text"] == script
            assert line.shown["seats"][0]["name"] == name
        for path, kind in {
            f"/api/tables?id={table}": "application/json",
            f"/api/tables/{table}/replay": "application/json",
            f"/api/tables/{table}/record": "text/plain; charset=utf-8",
            f"/t/{table}": "text/html; charset=utf-8",
        }.items():
            answer = visitor.asked.get(path)
            assert answer.headers["content-type"] == kind
            assert carries(dict(answer.headers))
            assert kind != "text/html; charset=utf-8" or name not in answer.text
        for path in (f"/t/{script}", f"/replay/{script}", f"/nothing/{script}", f"/api/tables/{script}/record"):
            assert script not in visitor.asked.get(path).text


def test_a_body_is_read_up_to_its_bound_and_no_further(server: Running, visit: Visit) -> None:
    body = json.dumps({"record": "x" * 700_000}).encode()
    visitor = visit(server)
    for content in (body, iter([body[:400_000], body[400_000:]])):
        answer = visitor.asked.post("/api/replay", content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-big")
        assert carries(dict(answer.headers))
