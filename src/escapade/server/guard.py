"""What every request passes first: headers that keep the page to itself, its own pages only, bodies not too big."""

from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from escapade.server.answers import MOST_BODY, fault

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
FRAMED = {  # a page that other sites may show inside theirs: it has nothing to press but steps and a way out
    **{name: value for name, value in HEADERS.items() if name not in ("X-Frame-Options", "Cross-Origin-Opener-Policy")},
    "Content-Security-Policy": CSP.replace("frame-ancestors 'none'", "frame-ancestors *")
    + "; sandbox allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
SEEN = {**HEADERS, "Cross-Origin-Resource-Policy": "cross-origin"}  # pictures that other sites may show


class Guard:
    """An app behind these checks. `answered` is told the status of every answer, and the code of a refusal."""

    def __init__(self, app: Starlette, answered: Callable[[int, str | None], None]) -> None:
        self.app, self.answered, self.state = app, answered, app.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "websocket.http.response.start":  # uvicorn would log each, as a fault of ours
                message = {"type": "websocket.close"}
                self.answered(403, scope.get("refused"))
            if message["type"] != "websocket.http.response.body":
                await send(message)

        app: ASGIApp = self.app if same_origin(Headers(scope=scope)) else fault(403, "bad-origin")
        await app(scope, receive, send_guarded)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers_for(scope["path"]))
                self.answered(message["status"], scope.get("refused"))
            await send(message)

        headers = Headers(scope=scope)
        app: ASGIApp = self.app
        if not same_origin(headers):
            app = fault(403, "bad-origin")
        elif int(headers.get("content-length") or 0) > MOST_BODY:
            app = fault(413, "too-big")
        await app(scope, receive, send_guarded)


def headers_for(path: str) -> dict[str, str]:
    """What every answer to a request carries."""
    if path.startswith("/embed/"):
        return FRAMED
    return SEEN if path.endswith("/picture.png") else HEADERS


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from one of our own pages, or not from a page at all."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # not even an address
        return False
