"""Links to tables as the browser gives them, and the questions that are asked over HTTP."""

import ipaddress
import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

PATIENCE = 20.0  # seconds for an answer
TABLE = re.compile(r"/t/([\w-]{4,24})/?", re.ASCII)
KEY = re.compile(r"[\w-]{16,64}", re.ASCII)


class Trouble(Exception):
    """Why there is no table to play at, as a message for the person who asked for one."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.code = code


class Link(NamedTuple):
    """A server, and a table there with the key to one's seats, where the link has them."""

    server: str
    table: str = ""
    key: str = ""

    def __str__(self) -> str:
        return self.server + (f"/t/{self.table}" if self.table else "/") + (f"#{self.key}" if self.key else "")

    @property
    def socket(self) -> str:
        """Where tables are played at."""
        return f"ws{self.server.removeprefix('http')}/ws"

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine, to which no proxy leads."""
        host = urlsplit(self.server).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def read_link(text: str) -> Link:
    """A link to a table or a server."""
    parts = urlsplit(text if "://" in text else f"http://{text}")
    try:
        well = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        well = False
    found = TABLE.fullmatch(parts.path)
    if not well or not (found or parts.path in ("", "/")) or (parts.fragment and not KEY.fullmatch(parts.fragment)):
        raise Trouble(f"{text} is not a link to a table; one looks like http://host:8000/t/ID, for your seat with #KEY")
    return Link(f"{parts.scheme}://{parts.netloc}", found[1] if found else "", parts.fragment if found else "")


def ask(link: Link, path: str, body: Mapping[str, Any] | None = None) -> Any:
    """Ask the server something, with the link's key, and give the answer."""
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if link.key:
        headers["Authorization"] = f"Bearer {link.key}"
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(link.server + path, data, headers)
    handlers = [urllib.request.ProxyHandler({})] if link.is_local else []
    try:
        with urllib.request.build_opener(*handlers).open(asked, timeout=PATIENCE) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise refused(link, refusal) from None
    except (OSError, urllib.error.URLError) as fault:
        why = getattr(fault, "reason", None) or fault
        words = getattr(why, "strerror", None) or str(why) or type(why).__name__
        raise Trouble(f"{link.server} cannot be reached: {words}. Is the server running, and the link whole?") from None
    except (ValueError, HTTPException):
        raise stranger(link) from None


def stranger(link: Link) -> Trouble:
    """Somebody answers who does not speak the protocol."""
    return Trouble(f"{link.server} answers, but not as a server of Escapade")


def refused(link: Link, refusal: urllib.error.HTTPError) -> Trouble:
    """What a refusal says."""
    try:
        told = json.loads(refusal.read())
        code, detail = str(told["code"]), told.get("detail")
    except (ValueError, KeyError, TypeError, OSError):
        return stranger(link)
    return Trouble(f"{link.server} refuses: {detail or code}", code)


def offer(link: Link) -> dict[str, Any]:
    """What can be chosen for a new table."""
    answer = ask(link, "/api/rules")
    if not isinstance(answer, dict) or not answer.get("kinds"):
        raise stranger(link)
    return answer


def find(link: Link) -> None:
    """Make sure that a table is there."""
    answer = ask(link, f"/api/tables?id={quote(link.table)}")
    if not isinstance(answer, list):
        raise stranger(link)
    if not answer:
        raise Trouble(f"{link.server} has no table {link.table}: the link is incomplete, or the table was deleted")
