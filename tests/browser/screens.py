"""A page of a real browser, and everything that it has said and heard."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, Response, WebSocket
from server.live import WAIT, Message, Running

from escapade.bots import make

PHONE = {"width": 390, "height": 844}
NETWORK = r"net::ERR_|WebSocket connection to .* failed|Failed to fetch"
# The page is ready to be acted on: a face that offers something.
ON = ":not(:disabled, [aria-disabled=true])"
READY = f".place.movable, [data-do=draw], [data-do=end]{ON}, dialog.bet[open], [data-deed=throw], [data-pin]"


class Screen:
    """A page; `heard` is every message from the server, `raw` the same as bytes came."""

    def __init__(self, server: Running, page: Page, path: str = "/") -> None:
        self.server, self.page = server, page
        self.complaints: list[str] = []
        self.allowed: list[str] = []
        self.raw: list[str] = []
        self.heard: list[Message] = []
        self.sent: list[Message] = []
        self.answers: list[Response] = []
        self.tabs: list[Screen] = []
        self.shown: Message = {}
        self.state: Message | None = None
        self.version = -1
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"{error}\n{error.stack}"))
        page.on("websocket", self._socket)
        page.on("response", lambda answer: self.answers.append(answer))
        page.goto(server.url + path)

    # ---- what it says and hears

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def allow(self, *patterns: str) -> None:
        """Complaints that the test itself causes."""
        self.allowed += patterns

    def all_complaints(self) -> list[str]:
        """What went wrong on this page and on its other tabs."""
        own = [one for one in self.complaints if not any(re.search(pattern, one) for pattern in self.allowed)]
        return own + [complaint for tab in self.tabs for complaint in tab.all_complaints()]

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self.receive)
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def receive(self, text: str | bytes) -> None:
        """A message of the server."""
        message: Message = json.loads(text)
        self.raw.append(str(text))
        self.heard.append(message)
        if message["type"] == "table":
            self.shown = message
        if message["type"] == "seats":
            self.shown = {**self.shown, "seats": message["seats"]}
        if "state" in message:
            self.state, self.version = message["state"], message["version"]

    def fetched(self) -> list[str]:
        """What it was answered besides."""
        return [answer.text() for answer in self.answers if "/api/" in answer.url]

    def of_type(self, kind: str) -> list[Message]:
        """The messages of a type that were heard."""
        return [message for message in self.heard if message["type"] == kind]

    @property
    def seats(self) -> list[int]:
        """The seats that are its own."""
        return [seat for seat, sitter in enumerate(self.shown["seats"], 1) if sitter["yours"]]

    @property
    def table(self) -> str:
        """The table that it is at."""
        return self.page.url.rsplit("/", 1)[1]

    @property
    def legal(self) -> list[str]:
        """What it may do."""
        return self.state["legal"] if self.state else []

    @property
    def over(self) -> bool:
        """Whether it has heard of the end."""
        return self.state is not None and self.state["result"] != "*"

    # ---- waiting

    def wait(self, known: Callable[[], Any], why: str = "") -> None:
        """Let the page go on until something is so."""
        end = time.monotonic() + WAIT
        while not known():
            assert time.monotonic() < end, f"waited in vain {why}: {self.heard[-1:]}"
            self.page.wait_for_timeout(10)

    def wait_turn(self) -> None:
        """Wait until it may act and shows it, or the game is over."""
        self.wait(lambda: self.over or self.legal, "for a turn")
        if not self.over:
            self.page.locator(READY).first.wait_for(state="attached")

    def ask_hint(self) -> None:
        """Ask for a hint until it comes: a slow machine refuses it as long as bots are compiled."""
        first = self.find(".over.hints li").first
        while not first.is_visible():
            refused = len(self.of_type("fault"))
            self.page.keyboard.press("h")
            self.wait(lambda: first.is_visible() or len(self.of_type("fault")) > refused, "for a hint")  # noqa: B023

    def hear_hints(self) -> None:
        """Ask for one step of a hint after another, up to the list of all hints."""
        self.ask_hint()
        more = self.find(".over.hints [data-do=more]")
        while more.count():
            more.click()

    # ---- the page

    def find(self, selector: str) -> Locator:
        """Something on the page."""
        return self.page.locator(selector)

    def text(self, selector: str) -> str:
        """The words of the first that is found, with single blanks."""
        return " ".join((self.find(selector).first.text_content() or "").split())

    def evaluate(self, script: str, value: Any = None) -> Any:
        """Ask the page itself."""
        return self.page.evaluate(script, value)

    def key(self) -> str:
        """The key to its seats."""
        games = self.evaluate("JSON.parse(localStorage.escapade).games")
        return str(next(game["key"] for game in games if game["table"] == self.table))

    def tab(self, path: str) -> "Screen":
        """Another tab of the same browser."""
        self.tabs.append(Screen(self.server, self.page.context.new_page(), path))
        return self.tabs[-1]

    def wait_text(self, selector: str, text: str | re.Pattern[str]) -> None:
        """Wait until something has these words in it."""
        self.page.locator(selector).filter(has_text=text).first.wait_for(state="attached")

    def choose(self, seed: int = 1) -> str:
        """What a simple player would do, knowing what this page was told."""
        assert self.state
        if self.legal == ["bet"]:
            return "bet:" + ("br.yl.do.n", "yo.bn.rl.d", "dn.bo.ry.l")[seed % 3]
        return str(make("greedy", self.shown["kind"], seed).choose(self.state["view"], self.legal))


def seat_link(table: str, key: str) -> str:
    """The way to one's own seat."""
    return f"/t/{table}#{key}"
