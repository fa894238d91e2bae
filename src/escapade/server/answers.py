"""Questions over HTTP: their bodies decoded once, their answers and refusals as JSON."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from escapade.game import Fault
from escapade.server.messages import Refused, Why, encode
from escapade.server.supervision import note

MOST_BODY = 600_000  # bytes of a request
LONGEST = 60  # characters of a text from outside that are told back
PART = 32_768  # bytes of a long answer, which take about a millisecond to compress
NOT_A_MESSAGE = (msgspec.MsgspecError, RecursionError, UnicodeError)
STATUS = {
    "no-table": 404,
    "no-puzzle": 404,
    "damaged": 410,
    "closed": 410,
    "full": 503,
    "busy": 503,
    "not-saved": 503,
    "not-begun": 409,
    "not-over": 409,
    "too-fast": 429,
    "too-big": 413,
    "broken": 500,
}
NO_STORE = {"Cache-Control": "no-store"}
ZIPPED = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}

Body = TypeVar("Body")


def answer(content: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(encode(content), status, NO_STORE, "application/json")


def long_answer(data: bytes, kind: str = "application/json", **headers: str) -> Response:
    """An answer that may be long: it is compressed and sent part by part, and others are served in between."""

    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(data), PART):
            yield data[start : start + PART]
            await asyncio.sleep(0)

    if len(data) <= PART:
        return Response(data, 200, {**NO_STORE, **headers}, kind)
    return StreamingResponse(parts(), 200, {**NO_STORE, **headers}, kind)


def streamed(lines: AsyncIterator[bytes]) -> Response:
    """An answer that comes line by line: neither compression nor a proxy may hold a line back."""
    headers = {**NO_STORE, "Content-Encoding": "identity", "X-Accel-Buffering": "no"}
    return StreamingResponse(lines, 200, headers, "application/x-ndjson")


def written(content: bytes, zipped: bool) -> Response:
    """An answer that is JSON already, or that compressed."""
    return Response(content, 200, {**NO_STORE, **ZIPPED} if zipped else NO_STORE, "application/json")


def takes_zipped(request: Request) -> bool:
    """Whether whoever asks can read a compressed answer."""
    return "gzip" in request.headers.get("accept-encoding", "")


async def while_connected(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """Do some work for a request whose body has been read; it is cancelled when whoever asked has gone."""
    doing, gone = asyncio.ensure_future(work), asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait([doing, gone], return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise Refused("busy")  # nobody hears it
        return doing.result()
    finally:
        doing.cancel()
        gone.cancel()


class Refusing(Response):
    """A refusal as JSON; its code is noted in the scope, where `Guard` finds it to be counted."""

    def __init__(self, status: int, code: str, more: Mapping[str, Any]) -> None:
        super().__init__(encode({"code": code, **more}), status, NO_STORE, "application/json")
        self.code = code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["refused"] = self.code
        await super().__call__(scope, receive, send)


def fault(status: int, code: str, **more: Any) -> Response:
    """A refusal as JSON."""
    return Refusing(status, code, {name: value for name, value in more.items() if value is not None})


def reason(why: ValueError) -> Why | None:
    """What is wrong with a text from outside, where it is common: a code with its values."""
    return Why(code=why.code, values=shortened(why.values)) if isinstance(why, Fault) and why.code else None


def shortened(values: Mapping[str, str | int]) -> dict[str, str | int]:
    """Values to be told: whoever pasted a long line knows how it goes on."""
    return {
        name: f"{value[:LONGEST]}…" if isinstance(value, str) and len(value) > LONGEST else value
        for name, value in values.items()
    }


async def decoded(request: Request, kind: type[Body]) -> Body:
    """The body of a request."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise Refused("too-big")
    return msgspec.json.decode(bytes(body), type=kind)


def unreadable(why: Exception) -> tuple[str, str | None]:
    """What is wrong with a message that could not be decoded, and in which of its fields."""
    detail, _, where = str(why).partition(" - at ")
    return detail, where.strip("`") or None


async def not_found(request: Request, why: Exception) -> Response:
    """There is no such page or question."""
    status = why.status_code if isinstance(why, HTTPException) else 404
    return fault(status, "not-found" if status == 404 else "bad-request")


def answering(ask: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals and failures are answered as JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await ask(request)
        except Refused as refused:
            return fault(STATUS.get(refused.code, 400), refused.code, detail=refused.detail)
        except NOT_A_MESSAGE as why:
            detail, where = unreadable(why)
            return fault(400, "bad-message", detail=detail, where=where)
        except Exception as why:
            note(f"{request.method} {request.url.path}", why)
            return fault(500, "broken")

    return endpoint
