"""The client's files as they travel: without comments and indentation, which are for those who read the sources."""

import re
from collections.abc import Callable
from functools import lru_cache
from mimetypes import add_type
from os import PathLike, stat_result
from pathlib import Path
from typing import Any

import msgspec
from rcssmin import cssmin
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

KEPT = "public, max-age=31536000, immutable"
# Comments that are lines of their own or tell a type, and indentation. Whatever leaves out more has to understand
# templates within templates.
UNREAD = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n|/\*\*[^\n]*?\*/ ?|^[ \t]+", re.MULTILINE)
LEAN: dict[str, Callable[[str], str]] = {
    ".js": lambda text: UNREAD.sub("", text),
    ".css": cssmin,
    ".json": lambda text: msgspec.json.encode(msgspec.json.decode(text)).decode(),
}

add_type("font/woff2", ".woff2")  # not every system knows it


class Client(StaticFiles):
    """The client's files, asked for anew each time but sent only when they have changed; a typeface is kept."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().file_response(full_path, stat_result, *args, **kwargs)
        path = Path(full_path)
        if path.suffix in LEAN and isinstance(response, FileResponse):
            headers = {name: response.headers[name] for name in ("etag", "last-modified")}
            response = Response(lean(path, stat_result.st_mtime_ns), media_type=response.media_type, headers=headers)
        response.headers["Cache-Control"] = KEPT if path.suffix == ".woff2" else "no-cache"  # another cut, another name
        return response


@lru_cache(maxsize=500)
def lean(path: Path, changed: int) -> str:
    """A file without what only its readers need. `changed` is when it was: a client may be worked on."""
    return LEAN[path.suffix](path.read_text(encoding="utf-8"))
