"""The server put together: its pages, the questions over HTTP, and the socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp

from escapade.server.acting import LOOK_AHEAD
from escapade.server.analysing import Analyses
from escapade.server.answers import answer, answering, fault
from escapade.server.api import Api
from escapade.server.files import Client
from escapade.server.guard import Guard
from escapade.server.limits import BOUNDS, Bounds
from escapade.server.offer import offer
from escapade.server.pages import CLIENT, RULES, pages, told
from escapade.server.pruning import DEFAULT, EVERY, Keep, sweep
from escapade.server.schema import openapi, schemas
from escapade.server.socket import Sockets
from escapade.server.store import Store
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers
from escapade.server.warming import load_all, warm_up

# Records from outside have a process and a queue of their own. Seconds: a game as people play it takes one of them at
# most; of one address two of the longest wait.
RECORDS: dict[str, Any] = {"limit": 10.0, "most": 60.0, "most_each": 12.0, "prepare": load_all}


def create_app(
    store: Store,
    *,
    processes: int = 2,
    addresses: Sequence[str] = (),
    hosts: Sequence[str] = ("*",),
    keep: Keep = DEFAULT,
    bounds: Bounds = BOUNDS,
    ending: asyncio.Event | None = None,
) -> ASGIApp:
    """The server on a store. `addresses` are those to share, `hosts` the names that it answers to.

    `ending` is set when the server is about to stop: whoever waits for something long is then refused.
    """
    tables, records = Tables(store, Thinkers(processes)), Thinkers(1, quick=0, **RECORDS)
    analyses = Analyses(tables, records)
    api, sockets = Api(tables, records, analyses, addresses), Sockets(tables, bounds)
    shells = pages(offer())

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
        lifespan=lambda app: running(tables, keep, records, analyses, ending or asyncio.Event()),
        exception_handlers={HTTPException: not_found, Exception: broken},
    )
    return Guard(app)


@contextlib.asynccontextmanager
async def running(
    tables: Tables, keep: Keep, records: Thinkers, analyses: Analyses, ending: asyncio.Event
) -> AsyncIterator[None]:
    """From the start of the server to its end."""
    tables.tasks.start("loading rules and bots", warm_up, tables.ready, tables.thinkers)
    tables.tasks.repeat("the round of the tables", tables.go_round, LOOK_AHEAD / 2)
    tables.tasks.repeat("deleting old tables", partial(sweep, tables, keep), EVERY)
    tables.tasks.start("the end of reading records", close_after, ending, records, analyses)
    try:
        yield
    finally:
        await tables.close()
        tables.thinkers.close()
        records.close()
        await tables.store.close()


async def close_after(ending: asyncio.Event, records: Thinkers, analyses: Analyses) -> None:
    """Read no records once the server is about to stop: its last requests are answered before anything is closed."""
    await ending.wait()
    records.close()
    analyses.close()


async def not_found(request: Request, why: Exception) -> Response:
    """There is no such page or question."""
    status = why.status_code if isinstance(why, HTTPException) else 404
    return fault(status, "not-found" if status == 404 else "bad-request")


async def broken(request: Request, why: Exception) -> Response:
    """A fault of ours; what it was is for the log alone."""
    return fault(500, "broken")
