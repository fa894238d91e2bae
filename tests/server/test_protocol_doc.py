"""docs/protocol.md says what the code says: every message, field, limit and code of it, and nothing else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from escapade.server import analysing, answers, api, app, limits, live, messages, socket, table, tables, thinking
from escapade.server.schema import BODIES, openapi

ROOT = Path(__file__).parent.parent.parent
SERVER = ROOT / "src" / "escapade" / "server"
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
FROM, TO = get_args(messages.FromClient), get_args(messages.ToClient)
PARTS = [messages.Place, messages.Sitter, messages.Move, messages.State, messages.Advice, messages.Why, messages.Step]
PARTS += [messages.Turned, messages.PuzzleRow, messages.Answered]


def section(title: str) -> str:
    """What stands under a heading, up to the next of its rank."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |\Z)", PAGE, re.M | re.S)
    assert found, f"docs/protocol.md has no heading {title!r}"
    return found[2]


def rows(text: str) -> list[list[str]]:
    """The rows of a section's tables without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    following = [*cells[1:], [""]]
    return [row for row, after in zip(cells, following, strict=True) if not is_rule(row) and not is_rule(after)]


def is_rule(row: list[str]) -> bool:
    return set(row[0]) == {"-"}


def described(title: str) -> dict[str, list[tuple[str, str]]]:
    """The fields of every message of a section with their types: its name stands in the first of its rows."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, field, kind, *_ in rows(section(title)):
        if name:
            latest = found[name.strip("`")] = []
        if field:
            latest.append((field.strip("`"), kind))
    return found


def span(kind: Any, low: Any, high: Any, unit: str) -> str:
    """A type with its limits."""
    if low is None and high is None:
        return unit
    if low is None:
        return f"{unit}, at most {high:,}"
    return f"{unit}, {low:,} to {high:,}"


def in_words(kind: inspect.Type) -> str:
    """A type as the page writes it."""
    match kind:
        case inspect.StrType():
            return span(kind, kind.min_length, kind.max_length, "text")
        case inspect.IntType():
            return span(kind, kind.ge, kind.le, "integer")
        case inspect.FloatType():
            return span(kind, kind.ge, kind.le, "number")
        case inspect.BoolType():
            return "boolean"
        case inspect.LiteralType() if set(kind.values) == set(get_args(messages.Level)):
            return "level"
        case inspect.LiteralType():
            return " ".join(f"`{value}`" for value in kind.values)
        case inspect.ListType():
            return span(kind, kind.min_length, kind.max_length, f"list of {in_words(kind.item_type)}")
        case inspect.DictType():
            return "object"
        case inspect.StructType():
            return str(kind.cls.__struct_config__.tag or kind.cls.__name__)
        case inspect.UnionType():
            return " or ".join(sorted(map(in_words, kind.types), key=lambda word: word == "null"))
        case inspect.NoneType():
            return "null"
    raise TypeError(f"the page has no words for {kind}")


def fields_of(struct: type) -> list[tuple[str, str]]:
    """The fields of a message as the page writes them; `?` where one may be left out."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return [
        (field.encode_name + ("" if field.required else "?"), in_words(field.type).removesuffix(" or null"))
        if not field.required
        else (field.encode_name, in_words(field.type))
        for field in info.fields
    ]


@pytest.mark.parametrize(
    ("title", "structs"), [("From a client", FROM), ("To a client", TO), ("Parts", PARTS), ("Bodies", BODIES)]
)
def test_every_message_stands_there_with_every_field_and_its_type(title: str, structs: list[Any]) -> None:
    names = {struct: str(struct.__struct_config__.tag or struct.__name__) for struct in structs}
    assert described(title) == {names[struct]: fields_of(struct) for struct in structs}


def test_every_structure_of_the_code_is_looked_at_here() -> None:
    known = {kind for kind in vars(messages).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)}
    assert known - {msgspec.Struct, messages.Asked} == {*FROM, *TO, *PARTS, *BODIES}


def codes_in_the_source() -> Iterator[str]:
    """Every code that something is refused with, wherever it is written."""
    for path in SERVER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            given = {"Refused": 0, "fault": 1}.get(node.func.id)
            said = [word.value for word in node.keywords if word.arg == "code"] if node.func.id == "Fault" else []
            if given is not None and len(node.args) > given:
                said.append(node.args[given])
            for one in (one for some in said for one in ast.walk(some)):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def test_every_code_stands_there_and_none_that_nobody_sends() -> None:
    told = [row[0].strip("`") for row in rows(section("Codes"))]
    assert sorted(told) == sorted(set(told))
    assert set(told) == set(codes_in_the_source()) == set(messages.FAULTS)


def paths() -> set[str]:
    """What the OpenAPI page promises."""
    return set(openapi()["paths"])


def test_every_question_over_http_stands_there() -> None:
    told = {(method, path) for method, path in re.findall(r"`(GET|POST) (/[^`?]*)", section("Over HTTP"))}
    server = app.create_app.__code__.co_consts
    routes = {path for path in server if isinstance(path, str) and path.startswith("/api")}
    assert {path for _, path in told} == routes
    assert set(re.findall(r"`GET (/[^`]*)`", section("Health"))) == {path for path in paths() if "health" in path}
    assert ("POST", "/api/tables") in told
    assert ("GET", "/api/tables") in told


def test_the_limits_are_those_of_the_code() -> None:
    told = section("Limits")
    for number, what in [
        (socket.MOST_MESSAGE, "characters"),
        (answers.MOST_BODY, "bytes"),
        (api.MOST_LISTED, "tables"),
        (socket.MOST_SOCKETS, "connections"),
        (tables.MOST_CONNECTIONS, "connections"),
        (tables.MOST_TABLES, "tables"),
        (tables.MOST_OF_KEY, "connections"),
        (limits.BOUNDS.per_address, "of them from one address"),
        (int(limits.BOUNDS.header), "seconds, its body"),
        (int(limits.BOUNDS.body), "seconds, `hello`"),
        (int(limits.BOUNDS.hello), "seconds of the connection"),
        (int(limits.BOUNDS.unread), "seconds. Where"),
        (live.MOST_UNSENT, "messages"),
        (live.MOST_UNSENT_BYTES, "bytes"),
        (live.MANY_UNSENT, "messages"),
        (table.MOST_CHAT, "lines"),
        (int(live.ABSENT), "seconds"),
        (int(live.REST), "seconds"),
        (int(thinking.BUDGET.wait), "seconds"),
        (int(thinking.BUDGET.each), "seconds"),
        (int(app.RECORDS["limit"]), "seconds"),
        (int(app.RECORDS["budget"].each), "seconds"),
        (api.A_SECOND, "characters a second"),
        (int(table.GRACE), "seconds"),
        (int(table.BOT_GRACE), "seconds"),
        (analysing.MOST_EACH, "games gone over"),
        (analysing.MOST_TURNS, "turns each"),
    ]:
        assert f"{number:,} {what}" in told, (number, what)


def examples() -> list[tuple[str, str]]:
    """Every line of the exchange that is JSON, and which way it goes."""
    lines = [
        line for block in re.findall(r"```\n(.*?)```", section("An exchange"), re.S) for line in block.splitlines()
    ]
    found = [re.fullmatch(r"(→|←|POST \S+|\d{3}) (\{.*\})", line.strip()) for line in lines]
    return [(match[1], match[2]) for match in found if match]


KINDS: dict[str, Any] = {
    "→": messages.FromClient,
    "←": messages.ToClient,
    "POST /api/tables": messages.Setup,
    "201": messages.Made,
}


def test_every_example_is_a_message() -> None:
    lines = section("An exchange")
    assert len(examples()) == len(re.findall(r"^\s*(?:→|←|POST|\d{3}) ", lines, re.M)) >= 12
    for way, text in examples():
        message = msgspec.json.decode(text, type=KINDS[way])
        assert set(msgspec.json.decode(text)) - {"type"} <= {name.rstrip("?") for name, _ in fields_of(type(message))}


def test_the_other_pieces_of_json_are_json() -> None:
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.S):
        msgspec.json.decode(block)
