"""The pages: one HTML file, with what it needs at once written into its head."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import msgspec

CLIENT = Path(__file__).parent.parent / "client"
# The rules as texts, one file a game and language: in a wheel beside the client, else where they are written.
WRITTEN = Path(__file__).parents[3] / "docs" / "rules"
RULES = WRITTEN if WRITTEN.is_dir() else CLIENT.parent / "rules"
TABLE = ["table/page.js", "table/style.css"]
SHELLS = {  # what each page loads, besides what these import
    "home": ["home/page.js", "home/style.css"],
    "table": [*TABLE, "table/lobby.js"],  # where a game has begun, its face is loaded instead
    "replay": ["replay/page.js", "table/style.css"],
    "embed": ["replay/embed.js", "table/style.css", "replay/embed.css"],
    "learn": ["learn/course.js", "table/style.css", "learn/course.css"],
    "puzzles": ["learn/puzzles.js", "table/style.css", "learn/course.css"],
    "rules": ["learn/page.js", "learn/page.css"],
}
PLAIN = "plain"  # the room of the face for kinds that have none of their own
IMPORT = re.compile(r"^import [^;]*'(\.[^']+\.js)';", re.M)
REL = {".css": "stylesheet", ".js": "modulepreload"}


def pages(offer: Mapping[str, Any]) -> dict[str, str]:
    """Every page by name, and for each kind of game the table's page with its face.

    `offer` has the levels and the kinds, as `/api/rules` answers them: every page has them in its head.
    """
    parts = {**SHELLS, **{kind: TABLE + face(kind) for kind in offer["kinds"]}}
    metas = {"languages": languages(), "offer": offer}
    return {name: page(files, metas) for name, files in parts.items()}


def face(kind: str) -> list[str]:
    """The files with which the client shows a kind of game."""
    room = kind if (CLIENT / kind / "face.js").is_file() else PLAIN
    return [f"{room}/face.js", f"{room}/style.css"]


def languages() -> dict[str, str]:
    """The name of every language that there is a catalog for; the browser's own is chosen among them."""
    catalogs = sorted((CLIENT / "lang").glob("*.json"), key=lambda path: (path.stem != "en", path.stem))
    return {path.stem: msgspec.json.decode(path.read_bytes())["language"] for path in catalogs}


def page(files: list[str], metas: Mapping[str, Any]) -> str:
    """The page with its metas filled in, and links to some files and all that they import.

    A browser would otherwise find the imports one level after another.
    """
    text = (CLIENT / "index.html").read_text(encoding="utf-8")
    for name, value in metas.items():
        content = escape(msgspec.json.encode(value).decode(), quote=False).replace("'", "&#39;")
        text = text.replace(f'<meta name="{name}" content="">', f"<meta name=\"{name}\" content='{content}'>")
    links = [f'<link rel="{REL[Path(file).suffix]}" href="/client/{file}">' for file in loaded("main.js", *files)]
    return text.replace("</head>", "\n".join([*links, "</head>"]))


def told(shell: str, title: str, tags: str) -> str:
    """A page that other programs can tell something about."""
    return shell.replace("<title>Escapade</title>", f"<title>{escape(title)}</title>\n{tags}")


def loaded(*files: str) -> list[str]:
    """These files and all modules that they import, each once."""
    found = list(files)
    for file in found:
        found += [one for one in imports(file) if one not in found]
    return found


def imports(file: str) -> Iterator[str]:
    """The modules that a file imports statically, as paths within the client."""
    for path in IMPORT.findall((CLIENT / file).read_text(encoding="utf-8")):
        yield normpath(join(dirname(file), path))
