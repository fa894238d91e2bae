"""The server put together: its pages, the questions over HTTP, and the socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from escapade.server import health, lending
from escapade.server.acting import LOOK_AHEAD
from escapade.server.analysing import Analyses
from escapade.server.answers import answer, answering, fault, not_found
from escapade.server.api import Api
from escapade.server.files import Client
from escapade.server.guard import Guard
from escapade.server.health import Checks, Writable
from escapade.server.lending import Borrowed, lend
from escapade.server.limits import BOUNDS, Bounds
from escapade.server.offer import offer
from escapade.server.operating import LISTED, listed, watch
from escapade.server.pages import CLIENT, RULES, pages, told
from escapade.server.pruning import DEFAULT, EVERY, Keep, sweep
from escapade.server.relay import Relay
from escapade.server.schema import openapi, schemas
from escapade.server.seen import Seen
from escapade.server.socket import Sockets
from escapade.server.store import Store
from escapade.server.supervision import tell
from escapade.server.tables import Tables
from escapade.server.thinking import BUDGET, Budget, Thinkers
from escapade.server.warming import load_all, warm_up

if TYPE_CHECKING:
    from escapade.server.postgres import Postgres

# Records from outside have a process and a queue of their own. Seconds: a game as people play it takes one of them at
# most; of one address two of the longest wait.
RECORDS: dict[str, Any] = {"limit": 10.0, "budget": Budget(most=60.0, each=12.0), "prepare": load_all}


class Ending:
    """The end of a server: begun by whoever stops it, and what is to be done before connections are closed."""

    def __init__(self) -> None:
        self.begun, self.drained = asyncio.Event(), asyncio.Event()


def create_app(
    store: Store,
    *,
    processes: int = 2,
    addresses: Sequence[str] = (),
    hosts: Sequence[str] = ("*",),
    keep: Keep = DEFAULT,
    bounds: Bounds = BOUNDS,
    ending: Ending | None = None,
    relay: str | None = None,
    budget: Budget = BUDGET,
    seen: Seen | None = None,
) -> Guard:
    """The server on a store. `addresses` are those to share, `hosts` the names that it answers to.

    When `ending` begins, whoever waits for something long is refused, and tables go to other processes. `relay` is
    where those reach this one, unless it is the address by which the store sees it. With no `processes` those think.
    Its `state` has what the operator's port is about, and in `health` everything that has to be so before it serves.
    """
    seen, ending = seen or Seen(), ending or Ending()
    store.watch, store.failed = seen.committed, seen.unsaved
    thinkers, records = thinkers_of(processes, budget)
    tables = Tables(store, thinkers, seen)
    analyses = Analyses(tables, records)
    api, sockets = Api(tables, records, analyses, addresses), Sockets(tables, bounds)
    if store.shared:
        sockets.relay = Relay(tables, cast("Postgres", store), sockets.hear, relay)
        lend_or_borrow(sockets.relay, thinkers, records)
        sockets.relay.answers[LISTED] = partial(listed, tables)
    shells = pages(offer())
    writable = Writable(store, seen)
    checks: Checks = {
        "rules": partial(loaded, tables),
        "store": writable,
        "serving": lambda: not ending.begun.is_set(),
    }
    watch(seen, sockets, tables, records, checks)

    async def show_page(request: Request) -> Response:
        """The one page, which finds out from its address what to show; it names what it will import for that."""
        name = {
            "t": "table",
            "replay": "replay",
            "learn": "learn",
            "puzzles": "puzzles",
            "rules": "rules",
            "about": "rules",
        }.get(request.url.path.split("/")[1], "home")
        live = tables.live.get(request.path_params.get("table", ""))
        if name == "table" and live and live.table.game:
            name = live.table.kind.name
        return HTMLResponse(shells[name], headers={"Cache-Control": "no-cache"})

    async def show_shared(request: Request) -> Response:
        """The same page for a link that is shared: its head tells other programs what it leads to."""
        shell = shells[request.url.path.split("/")[1]]
        preview = await api.preview(request)
        if preview:
            shell = told(shell, f"{preview.title} · Escapade", preview.tags(str(request.base_url).rstrip("/")))
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
        return HTMLResponse(shell, headers=headers)

    routes = [
        Route("/", show_page),
        Route("/t/{table}", show_page),
        Route("/replay", show_page),
        Route("/replay/{table}", show_shared),
        Route("/embed/{table}", show_shared),
        Route("/learn/{game}", show_page),
        Route("/puzzles", show_page),
        Route("/puzzles/{puzzle}", show_shared),
        Route("/rules/{game}", show_page),
        Route("/about", show_page),
        Route("/api/rules", answering(api.rules)),
        Route("/api/tables", answering(api.list), methods=["GET"]),
        Route("/api/tables", answering(api.make), methods=["POST"]),
        Route("/api/tables/{table}/record", answering(api.record)),
        Route("/api/tables/{table}/replay", answering(api.replay)),
        Route("/api/tables/{table}/analysis", answering(api.analysis)),
        Route("/api/tables/{table}/picture.png", answering(api.table_picture)),
        Route("/api/analysis", answering(api.analyse_record), methods=["POST"]),
        Route("/api/advice", answering(api.advise), methods=["POST"]),
        Route("/api/puzzles", answering(api.puzzles)),
        Route("/api/puzzles/{puzzle}", answering(api.puzzle), methods=["POST"]),
        Route("/api/puzzles/{puzzle}/rating", answering(api.rate), methods=["POST"]),
        Route("/api/puzzles/{puzzle}/picture.png", answering(api.puzzle_picture)),
        Route("/api/replay", answering(api.replay_record), methods=["POST"]),
        Route("/api/position", answering(api.check), methods=["POST"]),
        Route("/api/schema.json", lambda request: answer(schemas())),
        Route("/api/openapi.json", lambda request: answer(openapi())),
        Route("/api/qr", answering(api.qr), methods=["POST"]),
        *health.routes(checks, writable),
        WebSocketRoute("/ws", sockets.connect),
        Mount("/client/rules", Client(directory=RULES)),
        Mount("/client", Client(directory=CLIENT)),
    ]
    middleware = [
        Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        Middleware(GZipMiddleware, minimum_size=1000),
    ]
    app = Starlette(
        routes=routes,
        middleware=middleware,
        lifespan=lambda app: running(tables, keep, records, analyses, sockets.relay, ending),
        exception_handlers={HTTPException: not_found, Exception: broken},
    )
    app.state.relay = sockets.relay
    app.state.tables, app.state.seen, app.state.writable, app.state.health = tables, seen, writable, checks
    return Guard(app, seen.answered)


def loaded(tables: Tables) -> bool:
    """Whether the rules of every kind of game are loaded."""
    return all(ready.known.is_set() and not ready.failed for ready in tables.ready.values())


def thinkers_of(processes: int, budget: Budget) -> tuple[Thinkers, Thinkers]:
    """Who thinks for bots and hints, and who reads records: so many processes of this one, or others of the store."""
    if processes:
        return Thinkers(processes, budget=budget), Thinkers(1, quick=0, **RECORDS)
    return Borrowed(lending.BOTS, budget), Borrowed(lending.RECORDS, RECORDS["budget"])


def lend_or_borrow(relay: Relay, thinkers: Thinkers, records: Thinkers) -> None:
    """Let other processes use those who think here, or use theirs."""
    for name, some in ((lending.BOTS, thinkers), (lending.RECORDS, records)):
        if isinstance(some, Borrowed):
            some.relay = relay
        else:
            relay.answers[name], relay.thinks = partial(lend, some), True


@contextlib.asynccontextmanager
async def thinking(store: "Postgres", processes: int, budget: Budget, relay: str | None) -> AsyncIterator[State]:
    """Think for the other processes of a store, and do nothing else; the state is for the operator's port."""
    thinkers, records = thinkers_of(processes, budget)
    tables = Tables(store, thinkers)
    tables.draining = True  # it never owns one
    sockets, writable = Sockets(tables), Writable(store, tables.seen)
    door = Relay(tables, store, sockets.hear, relay)
    lend_or_borrow(door, thinkers, records)
    door.answers[LISTED] = partial(listed, tables)
    checks: Checks = {"rules": partial(loaded, tables), "store": writable}
    watch(tables.seen, sockets, tables, records, checks)
    try:
        await door.start()
        tables.tasks.start("loading rules and bots", warm_up, tables.ready, thinkers)
        tables.tasks.start("measuring the loop", tables.seen.measure_lag)
        yield State({"tables": tables, "seen": tables.seen, "writable": writable, "health": checks, "relay": door})
    finally:
        await tables.close()
        await door.close()
        thinkers.close()
        records.close()
        await store.close()


@contextlib.asynccontextmanager
async def running(
    tables: Tables, keep: Keep, records: Thinkers, analyses: Analyses, relay: Relay | None, ending: Ending
) -> AsyncIterator[None]:
    """From the start of the server to its end."""
    if relay:
        await relay.start()
    tables.tasks.start("loading rules and bots", warm_up, tables.ready, tables.thinkers)
    tables.tasks.repeat("tables that are due", tables.take_up, tables.store.every)
    tables.tasks.repeat("the round of the tables", tables.go_round, LOOK_AHEAD / 2)
    tables.tasks.repeat("deleting old tables", partial(sweep, tables, keep), EVERY)
    tables.tasks.start("measuring the loop", tables.seen.measure_lag)
    tables.tasks.start("being ready", tell_ready, tables)
    tables.tasks.start("the end", close_after, ending, tables, records, analyses)
    try:
        yield
    finally:
        await tables.close()
        if relay:
            await relay.close()
        tables.thinkers.close()
        records.close()
        await tables.store.close()


async def tell_ready(tables: Tables) -> None:
    """Tell the log when the rules of every kind of game are loaded, or which are not."""
    began = asyncio.get_running_loop().time()
    for ready in tables.ready.values():
        await ready.known.wait()
    failed = [kind for kind, ready in tables.ready.items() if ready.failed]
    tell("ready", seconds=round(asyncio.get_running_loop().time() - began, 3), failed=failed)


async def close_after(ending: Ending, tables: Tables, records: Thinkers, analyses: Analyses) -> None:
    """Read no records once the server is about to stop: its last requests are answered before anything is closed."""
    await ending.begun.wait()
    records.close()
    analyses.close()
    if tables.store.shared:
        await tables.drain()
    ending.drained.set()


async def broken(request: Request, why: Exception) -> Response:
    """A fault of ours; what it was is for the log alone."""
    return fault(500, "broken")
