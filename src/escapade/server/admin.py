"""Questions to the operator's port of a running server, for the command line."""

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlsplit

PATIENCE = 20.0  # seconds for an answer
HERE = "127.0.0.1"
COLUMNS = ("id", "game", "players", "people", "here", "watchers", "version", "turn", "over", "idle", "due")


class Trouble(Exception):
    """Why there is no answer, as a message for the person who asked."""


def read_place(text: str) -> tuple[str, int]:
    """The host and the port of `[HOST:]PORT`."""
    try:
        parts = urlsplit(f"//{HERE}:{text}" if text.isdecimal() else f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port is None or parts.netloc != parts.geturl().removeprefix("//"):
        raise Trouble(f"--operate takes a port, as 9100, or a host with it, as {HERE}:9100 or [::1]:9100, not {text}")
    return host, port


def address(place: str) -> str:
    """Where to ask: `URL`, or `[HOST:]PORT`."""
    if "://" in place:
        return place.rstrip("/")
    host, port = read_place(place)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def ask(place: str, token: str | None, path: str, method: str = "GET") -> Any:
    """Ask an operator's port something, and give the answer."""
    url = address(place)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    asked = urllib.request.Request(url + path, method=method, headers=headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=PATIENCE) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise Trouble(f"{url} refuses: {code_of(refusal.read()) or refusal.reason}") from None
    except OSError as fault:
        raise Trouble(f"{url} cannot be reached: {getattr(fault, 'reason', fault)}") from None
    except ValueError:
        raise Trouble(f"{url} is no operator's port of Escapade") from None


def code_of(body: bytes) -> str:
    """The code of a refusal, if it has one."""
    try:
        return str(json.loads(body)["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def tables(places: Sequence[str], token: str | None) -> list[dict[str, Any]]:
    """The tables that these have in memory, each once."""
    return list({row["id"]: row for place in places for row in ask(place, token, "/tables")}.values())


def close(places: Sequence[str], token: str | None, table: str) -> None:
    """Close a table: each process disconnects those that it has there."""
    for place in places:
        ask(place, token, f"/tables/{quote(table, safe='')}/close", "POST")


def columns(found: Sequence[dict[str, Any]]) -> str:
    """Tables as aligned columns."""
    cells = [COLUMNS, *([shown(row[name]) for name in COLUMNS] for row in found)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(COLUMNS))]
    words = len(COLUMNS[:2])  # which stand on the left
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < words else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    )


def shown(value: Any) -> str:
    """A value in a column."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else f"{value:.0f}" if isinstance(value, float) else str(value)
