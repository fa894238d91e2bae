"""What a visitor leaves behind: no flood in the log, no file that others can read, no name that deceives."""

import stat

import pytest
from hostile.attacks import break_utf8, send_garbage
from hostile.starting import Begin, Visit
from hostile.wire import mine
from server.live import Running

MOST_LOG = 6000  # bytes for some hundred attempts


def test_garbage_fills_no_log_and_leaves_no_traceback(begin: Begin, visit: Visit) -> None:
    server = begin()
    visitor, before = visit(server), server.log.stat().st_size
    send_garbage(visitor, 200)
    break_utf8(visitor, 150)
    assert visitor.asked.get("/api/rules").status_code == 200
    written = server.log.read_text()[before:]
    assert "Traceback" not in written
    assert len(written) < MOST_LOG


def test_the_log_has_no_keys_names_or_chat(server: Running, visit: Visit) -> None:
    visitor = visit(server)
    table, key = visitor.made("jamaica", mine("Zaphod"), mine("Trillian"), first=0)
    with visitor.come(table, key) as line:
        line.ask("say", text="The answer is forty-two")
        line.ask("play", version=0, action="B0>99")
    log = server.log.read_text()
    assert not [secret for secret in (key, "Zaphod", "Trillian", "forty-two") if secret in log]


def test_nobody_else_on_the_machine_can_read_the_store(server: Running, visit: Visit) -> None:
    visit(server).made("jamaica", mine(), {})
    kept = [path for path in server.store.parent.iterdir() if path.name.startswith(server.store.name)]
    assert len(kept) >= 2, kept
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in kept} == {path.name: 0o600 for path in kept}


DECEIVING = {
    "a C1 control": "An\u0085ne",
    "another C1 control": "Anne\u009b1m",
    "a line separator": "An\u2028ne",
    "a paragraph separator": "An\u2029ne",
    "left to right": "An\u200ene",
    "right to left": "An\u200fne",
    "turned round": "\u202eennA",
    "isolated": "\u2066Anne",
    "zero width": "An\u200bne",
    "a word joiner": "An\u2060ne",
    "a byte order mark": "\ufeffAnne",
    "the Arabic letter mark": "An\u061cne",
    "nothing but blanks": "\u2003\u00a0",
    "a Hangul filler": "\u3164",
}


@pytest.mark.parametrize("what", DECEIVING)
def test_a_name_cannot_deceive(server: Running, visit: Visit, what: str) -> None:
    visitor, name = visit(server), DECEIVING[what]
    refused = visitor.make("jamaica", mine(name), {})
    assert (refused.status_code, refused.json()["code"]) in ((400, "bad-setup"), (400, "bad-message"))
    table, _ = visitor.made("jamaica", mine(), {})
    with visitor.come(table) as line:
        line.send("sit", seat=2, name=name)
        assert line.until("held", "fault")["type"] == "fault"


def test_names_of_all_scripts_are_welcome(server: Running, visit: Visit) -> None:
    for name in ("Ève", "海賊", "Ωμέγα", "نور", "नेहा", "🏴‍☠️"):
        assert visit(server).make("jamaica", mine(name), {}).status_code == 201
