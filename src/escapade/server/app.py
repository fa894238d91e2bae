"""The server's doors: pages, a few questions over HTTP, and the socket that games are played through."""

import asyncio
import contextlib
import gc
import io
import ipaddress
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import segno
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

import escapade
from escapade.cartagena import editions as cartagena
from escapade.evades import editions as evades
from escapade.server import messages, thinking
from escapade.server.messages import Fault, FromClient
from escapade.server.pages import CLIENT, pages
from escapade.server.replay import of_record, of_table
from escapade.server.schema import openapi, schemas
from escapade.server.store import NotSaved, Store
from escapade.server.table import Refused, hashed, kind_of
from escapade.server.tables import Live, Reader, Tables
from escapade.server.thinking import LEVELS, Thinkers

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self';"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
MOST_MESSAGE = 4096  # characters of a message over the socket
MOST_BODY = 600_000  # bytes of a request
MOST_LISTED = 50
MOST_SOCKETS = 10_000

read_message = msgspec.json.Decoder(FromClient).decode
encode = msgspec.json.Encoder().encode
NOT_A_MESSAGE = (msgspec.MsgspecError, RecursionError, UnicodeError)


class Allowance:
    """So much at once, and so much a second afterwards."""

    def __init__(self, most: float, a_second: float) -> None:
        self.most, self.a_second = most, a_second
        self.left, self.at = most, time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.a_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Allowances:
    """An allowance for each address; those that are whole again are forgotten."""

    def __init__(self, most: float, a_second: float) -> None:
        self.most, self.a_second = most, a_second
        self.of: dict[str, Allowance] = {}

    def take(self, address: str) -> bool:
        """Whether this address may once more."""
        if len(self.of) > 10_000:
            now = time.monotonic()
            full = self.most / self.a_second
            self.of = {name: one for name, one in self.of.items() if now - one.at < full}
        return self.of.setdefault(address, Allowance(self.most, self.a_second)).take()


class Guard:
    """Headers that keep the page to itself, requests only from its own pages, and bodies of a reasonable size."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not same_origin(headers):
            await refuse(scope, receive, send, 403, "bad-origin")
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        if int(headers.get("content-length") or 0) > MOST_BODY:
            await refuse(scope, receive, send, 413, "too-big")
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_guarded)


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from one of our own pages, or not from a page at all."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # not even an address
        return False


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str) -> None:
    """Answer a request that is not let in."""
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).close(1008, code)
        return
    await fault(status, code)(scope, receive, send)


def fault(status: int, code: str, **more: str | None) -> Response:
    """A refusal as JSON."""
    told = {"code": code, **{name: value for name, value in more.items() if value is not None}}
    return Response(encode(told), status, {**HEADERS, "Cache-Control": "no-store"}, "application/json")


def answer(content: Any, status: int = 200) -> Response:
    """An answer as JSON that nobody keeps."""
    return Response(encode(content), status, {"Cache-Control": "no-store"}, "application/json")


STATUS = {
    "no-table": 404,
    "damaged": 410,
    "full": 503,
    "not-saved": 503,
    "not-begun": 409,
    "too-fast": 429,
    "too-big": 413,
}
Body = TypeVar("Body")


async def decoded(request: Request, kind: type[Body]) -> Body:
    """The body of a request, decoded once."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise Refused("too-big")
    return msgspec.json.decode(bytes(body), type=kind)


def answering(ask: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals are answered as JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await ask(request)
        except Refused as refused:
            return fault(STATUS.get(refused.code, 400), refused.code, detail=refused.detail)
        except NotSaved:
            return fault(503, "not-saved")
        except NOT_A_MESSAGE as why:
            detail, where = unreadable(why)
            return fault(400, "bad-message", detail=detail, where=where)

    return endpoint


def unreadable(why: Exception) -> tuple[str, str | None]:
    """What is wrong with a message that could not be decoded, and at which of its fields."""
    detail, _, where = str(why).partition(" - at ")
    return detail, where.strip("`") or None


class Server:
    """What the endpoints answer from."""

    def __init__(self, store: Store, processes: int, addresses: Sequence[str]) -> None:
        self.store, self.processes, self.addresses = store, processes, list(addresses)
        self.thinkers = Thinkers(processes)
        self.tables = Tables(store, self.thinkers)
        self.pages = pages(offer())
        self.sockets = 0
        self.making = Allowances(1000, 2)  # tables that an address may make
        self.coming = Allowances(2000, 20)  # connections
        self.asking = Allowances(200, 20)  # other questions

    @contextlib.asynccontextmanager
    async def run(self, app: Starlette) -> AsyncIterator[None]:
        """From the start of the server to its end."""
        tasks = [asyncio.create_task(self._warm_up()), asyncio.create_task(self.tables.go_round())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await self.tables.close()
            self.thinkers.close()
            await self.store.close()

    async def _warm_up(self) -> None:
        """Load the compiled rules and bots before anyone waits for them.

        On a machine's first start they are compiled: the rules of one game here, those of the other where bots think,
        and the bots one after another, so that a bot that somebody waits for is never behind more than one of them.
        """
        ready = self.tables.ready
        others = asyncio.create_task(self.thinkers.think(thinking.warm_up, "evades", "sailor"))
        await asyncio.to_thread(load_rules, "jamaica", "tortuga")
        ready["cartagena"].set()
        await others
        await asyncio.to_thread(load_rules, "evades")
        ready["evades"].set()
        gc.collect()
        gc.freeze()  # else every collection goes through all that the compiler has left, and everyone waits
        bots = [(kind, level) for level in LEVELS for kind in ("cartagena", "evades")]
        for bot in bots:
            await self.thinkers.think(thinking.warm_up, *bot)
        for bot in bots:  # now that all is compiled, in every process
            await asyncio.gather(*[self.thinkers.think(thinking.warm_up, *bot) for _ in range(self.processes)])

    async def page(self, request: Request) -> Response:
        """The one page, which finds out from its address what to show; it names what it will import for that."""
        name = {"t": "table", "replay": "replay"}.get(request.url.path.split("/")[1], "home")
        live = self.tables.live.get(request.path_params.get("table", ""))
        if name == "table" and live and live.table.game:
            name = live.table.kind
        return HTMLResponse(self.pages[name], headers={"Cache-Control": "no-cache"})

    async def rules(self, request: Request) -> Response:
        """What can be chosen for a new table."""
        return answer(
            {
                "version": escapade.__version__,
                "editions": {**cartagena.EDITIONS, **evades.EDITIONS},
                "house": {"cartagena": choices(cartagena.HOUSE), "evades": choices(evades.HOUSE)},
                "players": {"cartagena": [2, cartagena.MOST_PLAYERS], "evades": [2, evades.MOST_PLAYERS]},
                "segments": cartagena.PRINTED,
                **offer(),
                "addresses": self.addresses,
            }
        )

    async def make(self, request: Request) -> Response:
        """A new table."""
        if not self.making.take(address(request)):
            raise Refused("too-fast")
        setup = await decoded(request, messages.Setup)
        return answer(await self.tables.make(setup), 201)

    async def list(self, request: Request) -> Response:
        """Some tables by their ids; those that are not there are left out."""
        self._take(request)
        found = []
        for name in request.query_params.getlist("id")[:MOST_LISTED]:
            with contextlib.suppress(Refused):
                found.append((await self.tables.find(name)).table.summary())
        return answer(found)

    async def record(self, request: Request) -> Response:
        """A table's record, for the eyes of whoever asks."""
        live, seats = await self._asked(request)
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{live.table.name}.esc"'}
        return Response(live.table.record(seats), 200, headers, "text/plain; charset=utf-8")

    async def replay(self, request: Request) -> Response:
        """A table's game so far, for the eyes of whoever asks."""
        live, seats = await self._asked(request)
        async with live.lock:
            return answer(await asyncio.to_thread(of_table, live.table, seats))

    async def _asked(self, request: Request) -> tuple[Live, frozenset[int]]:
        self._take(request)
        live = await self.tables.find(request.path_params["table"])
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        return live, live.table.seats_of(hashed(key) if scheme.lower() == "bearer" and key else None)

    async def replay_record(self, request: Request) -> Response:
        """A record that somebody brings, checked and ready to be stepped through."""
        self._take(request)
        asked = await decoded(request, messages.AskReplay)
        try:
            return answer(await self.thinkers.think(of_record, asked.record, asked.number))
        except ValueError as why:
            return fault(400, "bad-record", detail=str(why))

    async def check(self, request: Request) -> Response:
        """A position that somebody brings, checked."""
        self._take(request)
        asked = await decoded(request, messages.AskCheck)
        await self.tables.ready[kind_of(asked.position)].wait()
        try:
            game = escapade.parse(asked.position.strip())
        except ValueError as why:
            return fault(400, "bad-position", detail=str(why))
        checked = messages.Checked(
            game=str(game.edition),
            kind=kind_of(str(game.edition)),
            rules=dict(game.edition.rules),
            players=game.players,
            seat=0 if game.over else game.seat,
            position=str(game),
            playable=not game.over and "?" not in str(game),
        )
        return answer(checked)

    async def qr(self, request: Request) -> Response:
        """A link as a picture for a phone's camera. It comes in the body: the link to a seat is a secret."""
        self._take(request)
        link = (await decoded(request, messages.AskPicture)).link
        drawn = io.BytesIO()
        segno.make(link, error="m").save(
            drawn, kind="svg", border=2, dark="#16100a", light="#fff", omitsize=True, xmldecl=False
        )
        return Response(drawn.getvalue(), 200, {"Cache-Control": "no-store"}, "image/svg+xml")

    def _take(self, request: Request) -> None:
        if not self.asking.take(address(request)):
            raise Refused("too-fast")

    async def socket(self, socket: WebSocket) -> None:
        """A connection from its first message to its last."""
        if self.sockets >= MOST_SOCKETS or not self.coming.take(address(socket)):
            await socket.close(1013, "full")
            return
        await socket.accept()
        reader = Reader()
        writer = asyncio.create_task(write_on(socket, reader))
        self.sockets += 1
        try:
            await self._listen(socket, reader)
        finally:
            self.sockets -= 1
            self.tables.leave(reader)
            writer.cancel()

    async def _listen(self, socket: WebSocket, reader: Reader) -> None:
        allowed, chatting, patience = Allowance(40, 10), Allowance(5, 0.5), 200
        while patience:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if not allowed.take():
                patience -= 1
                reader.send(Fault(code="too-fast"))
            elif text is None or len(text) > MOST_MESSAGE:
                reader.send(Fault(code="bad-message" if text is None else "too-big"))
            else:
                await self._hear(reader, text, chatting)
        await socket.close(1008, "too-fast")

    async def _hear(self, reader: Reader, text: str, chatting: Allowance) -> None:
        """One message: decoded once, done or refused."""
        try:
            message = read_message(text)
        except NOT_A_MESSAGE as why:
            detail, where = unreadable(why)
            reader.send(Fault(code="bad-message", detail=detail, where=where))
            return
        try:
            await self._do(reader, message, chatting)
        except Refused as refused:
            about = message.__struct_config__.tag
            version = reader.live.table.version if reader.live else None
            reader.send(Fault(code=refused.code, about=str(about), version=version, detail=refused.detail))

    async def _do(self, reader: Reader, message: FromClient, chatting: Allowance) -> None:
        tables = self.tables
        match message:
            case messages.Hello():
                await tables.join(reader, message.table, message.key)
            case messages.Play():
                await tables.change(reader, tables.play(reader, message))
            case messages.Undo():
                await tables.change(reader, tables.undo(reader, message))
            case messages.Sit():
                await tables.change(reader, tables.sit(reader, message))
            case messages.SetBot():
                await tables.change(reader, tables.set_bot(reader, message))
            case messages.Say():
                if not chatting.take():
                    raise Refused("too-fast")
                await tables.change(reader, tables.say(reader, message))
            case messages.AskHint():
                tables.hint(reader, message)
            case messages.Again():
                await tables.rematch(reader)
            case messages.Ping():
                reader.send(messages.Pong())


async def write_on(socket: WebSocket, reader: Reader) -> None:
    """Send what waits for a reader, one message after the other."""
    with contextlib.suppress(WebSocketDisconnect):
        while data := await reader.unsent.get():
            await socket.send_text(data.decode())
        await socket.close(1012)


def offer() -> dict[str, Any]:
    """What can be chosen for a new table: levels of bots, and of each kind of game what the setup sheet shows."""
    return {
        "levels": LEVELS,
        "kinds": {
            "cartagena": {
                "title": "Cartagena",
                "editions": list(cartagena.EDITIONS),
                "players": [2, cartagena.MOST_PLAYERS],
                "house": choices(cartagena.HOUSE),
                "offers": {
                    "segments": cartagena.PRINTED,
                    "lengths": [3, 8],
                    "printings": ["classic", "tilsit"],
                    "symbols": {
                        name: {printing: cartagena.symbol_names(name, printing) for printing in ("classic", "tilsit")}
                        for name in cartagena.EDITIONS
                    },
                },
            },
            "evades": {
                "title": "Les Évadés",
                "editions": list(evades.EDITIONS),
                "players": [2, evades.MOST_PLAYERS],
                "house": choices(evades.HOUSE),
                "offers": {},
            },
        },
    }


def load_rules(*editions: str) -> None:
    """Play a few actions, so that the compiled rules are there."""
    for name in editions:
        game = escapade.new(name, players=2, seed=1)
        for _ in range(6):
            game.play(game.legal_actions()[0])
            game.view(1)


def choices(house: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
    """What each house rule can be: a span, or some values."""
    return {
        rule: {"from": values[0], "to": values[-1]} if isinstance(values, range) else values
        for rule, values in house.items()
    }


def address(request: HTTPConnection) -> str:
    """Where a request comes from; a whole network of IPv6 counts as one."""
    host = request.client.host if request.client else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else host


class Client(StaticFiles):
    """The client's files, asked for anew each time but sent only when they have changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def create_app(
    store: Store, *, processes: int = 2, addresses: Sequence[str] = (), hosts: Sequence[str] = ("*",)
) -> ASGIApp:
    """The server on a store. `addresses` are those to share, `hosts` the names that it answers to."""
    server = Server(store, processes, addresses)
    routes = [
        Route("/", server.page),
        Route("/t/{table}", server.page),
        Route("/replay", server.page),
        Route("/replay/{table}", server.page),
        Route("/api/rules", answering(server.rules)),
        Route("/api/tables", answering(server.list), methods=["GET"]),
        Route("/api/tables", answering(server.make), methods=["POST"]),
        Route("/api/tables/{table}/record", answering(server.record)),
        Route("/api/tables/{table}/replay", answering(server.replay)),
        Route("/api/replay", answering(server.replay_record), methods=["POST"]),
        Route("/api/position", answering(server.check), methods=["POST"]),
        Route("/api/schema.json", lambda request: answer(schemas())),
        Route("/api/openapi.json", lambda request: answer(openapi())),
        Route("/api/qr", answering(server.qr), methods=["POST"]),
        WebSocketRoute("/ws", server.socket),
        Mount("/client", Client(directory=CLIENT)),
    ]
    middleware = [
        Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        Middleware(GZipMiddleware, minimum_size=1000),
    ]
    app = Starlette(
        routes=routes,
        middleware=middleware,
        lifespan=server.run,
        exception_handlers={HTTPException: not_found, Exception: broken},
    )
    return Guard(app)


async def not_found(request: Request, why: Exception) -> Response:
    """There is no such page or question."""
    status = why.status_code if isinstance(why, HTTPException) else 404
    return fault(status, "not-found" if status == 404 else "bad-request")


async def broken(request: Request, why: Exception) -> Response:
    """A fault of ours; what it was is for the log alone."""
    return fault(500, "broken")
