"""The operator's port: metrics, health, the tables in memory, and a way to close one. Visitors do not get here."""

import asyncio
import hmac
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import NamedTuple

import uvicorn
from msgspec import Struct
from msgspec.json import decode
from prometheus_client.exposition import choose_encoder
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from escapade.server import clock, health
from escapade.server.answers import NO_STORE, answer, answering, not_found
from escapade.server.doors import Config, Doors, Http
from escapade.server.guard import Guard
from escapade.server.limits import Bounds
from escapade.server.live import Live
from escapade.server.messages import encode
from escapade.server.pipe import Closed
from escapade.server.relay import Relay
from escapade.server.seen import Seen
from escapade.server.socket import Sockets
from escapade.server.supervision import Tasks
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers

BOUNDS = Bounds(sockets=64, per_address=64)
LISTED = "tables"  # what another process is asked for
PATIENCE = 3.0  # seconds for its answer
EVERY = 1.0  # seconds between two looks at what is overdue


class Operator(NamedTuple):
    """Where the operator's port is, and the token that is asked for there."""

    host: str
    port: int
    token: str | None = None


class Row(Struct, kw_only=True):
    """A table as an operator may know it: nothing that a visitor wrote, and no key."""

    id: str
    kind: str
    game: str  # edition and house rules
    players: int
    people: int  # who hold a seat
    here: int  # of them, connected
    watchers: int
    version: int
    turn: int
    over: bool
    idle: float  # seconds since the last action, or since the game or the table began
    due: float | None  # seconds until the server has to act there by itself


def row(live: Live) -> Row:
    """A table in memory."""
    table, now = live.table, clock.ticks()
    holders = {chair.key for chair in table.chairs if chair.key}
    return Row(
        id=table.name,
        kind=table.kind.name,
        game=table.opened.game,
        players=len(table.chairs),
        people=sum(chair.key is not None for chair in table.chairs),
        here=len(holders & live.here),
        watchers=live.watchers,
        version=table.version,
        turn=table.game.turn if table.game else 0,
        over=table.over,
        idle=round(now - (table.moves[-1].at if table.moves else table.began), 1),
        due=None if live.due is None else round(live.due - now, 1),
    )


def rows(tables: Tables) -> Generator[None, None, list[Row]]:
    """The tables in memory, one after another."""
    found = []
    for live in list(tables.live.values()):
        if not live.dropped:
            found.append(row(live))
        yield
    return found


async def listed(tables: Tables, _: bytes = b"") -> bytes:
    """The tables in memory, as JSON."""
    return encode(await tables.slices.do(rows(tables)))


async def of_others(relay: Relay) -> list[Row]:
    """The tables that other processes of the same store have in memory; who does not answer is left out."""
    found: list[Row] = []
    for member, address in (await relay.store.members()).items():
        if member != relay.store.member:
            with suppress(Closed, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    found += decode(await relay.ask(address, LISTED), type=list[Row])
    return found


def watch(seen: Seen, sockets: Sockets, tables: Tables, records: Thinkers, checks: health.Checks) -> None:
    """Let metrics be read of the server as it is."""
    queues = {"bots": tables.thinkers, "records": records}

    def of_each(read: Callable[[Thinkers], float]) -> Callable[[], dict[str, float]]:
        return lambda: {name: read(queue) for name, queue in queues.items()}

    seen.gauge("escapade_sockets", "Open sockets.", lambda: {"": sockets.open})
    seen.gauge("escapade_tables", "Tables in memory.", lambda: {"": len(tables.live)})
    seen.gauge(
        "escapade_ready",
        "Whether what is needed to serve is there, 1 or 0, as in /health/ready.",
        lambda: {name: check() for name, check in checks.items()},
        "check",
    )
    for name, text, read in (
        ("waiting_jobs", "Bots, hints and records that wait for a process.", lambda one: len(one.waiting.jobs)),
        ("waiting_seconds", "Seconds of work that wait for a process.", lambda one: one.waiting.seconds()),
        (
            "running_jobs",
            "Processes that are thinking.",
            lambda one: sum(each.job is not None for each in one.processes),
        ),
    ):
        seen.gauge(f"escapade_thinking_{name}", text, of_each(read), "queue")
    refused = "Work that was refused for want of time."
    seen.counter("escapade_thinking_refused", refused, of_each(lambda one: one.refusals), "queue")
    restarts = "Processes that think and had to be replaced."
    seen.counter("escapade_thinking_restarts", restarts, of_each(lambda one: one.replaced), "queue")


def operator(state: State, hosts: Sequence[str], token: str | None) -> Guard:
    """The app on the operator's port, about the server whose state this is. Health alone needs no token."""
    tables: Tables = state.tables
    seen: Seen = state.seen
    writable: health.Writable = state.writable
    relay: Relay | None = state.relay

    def trusted(ask: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            scheme, _, given = request.headers.get("authorization", "").partition(" ")
            bearer = given if scheme.lower() == "bearer" else ""
            if token is None or hmac.compare_digest(bearer.encode(), token.encode()):
                return await ask(request)
            refusal = answer({"code": "no-token"}, 401)
            refusal.headers["WWW-Authenticate"] = "Bearer"
            return refusal

        return answering(endpoint)

    async def metrics(request: Request) -> Response:
        """All numbers, in the form that Prometheus asks for."""
        await writable.look()
        encoder, kind = choose_encoder(request.headers.get("accept", ""))
        return Response(encoder(seen.registry), 200, {**NO_STORE, "Content-Type": kind})

    async def listed_all(request: Request) -> Response:
        """The tables in memory, of all processes."""
        return answer([*await tables.slices.do(rows(tables)), *(await of_others(relay) if relay else [])])

    async def close(request: Request) -> Response:
        """Close a table for good."""
        name = request.path_params["table"]
        await tables.shut(name)
        return answer({"closed": name})

    app = Starlette(
        routes=[
            *health.routes(state.health, writable),
            Route("/metrics", trusted(metrics)),
            Route("/tables", trusted(listed_all)),
            Route("/tables/{table}/close", trusted(close), methods=["POST"]),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)],
        exception_handlers={HTTPException: not_found},
    )
    return Guard(app, lambda status, code: None)


class Beside(uvicorn.Server):
    """A server beside the one that signals are for."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(app: Guard, door: socket.socket) -> AsyncIterator[None]:
    """Serve the operator on a socket that listens, in the running loop."""
    config = Config(
        app,
        http=Http,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    config.doors = Doors(BOUNDS)
    server, tasks = Beside(config), Tasks()
    tasks.repeat("watching the operator's connections", config.doors.sweep, EVERY)
    served = asyncio.create_task(server.serve(sockets=[door]))
    try:
        yield
    finally:
        server.should_exit = True
        await served
        await tasks.end()
