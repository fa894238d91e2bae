"""The house stands as docs/architecture.md draws it: nothing imports upwards, nothing above the games names one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from escapade import games

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "escapade"
MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
GAMES = "|".join(games.kinds())

# The only lines that may name a game outside its own modules and the registry, each with its reason.
NAMED = {
    "__init__.py": "the classes are public names",
    "record.py": "an error shows what a tag looks like",
}


def rows(heading: str) -> list[list[str]]:
    """The modules named in each row of the first table under a heading, lowest first."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    table = page.split(f"{heading}\n", 1)[1].split("|---|---|---|\n", 1)[1].split("\n\n", 1)[0]
    return [re.findall(r"`([\w/.]+)`", row.split("|")[1]) for row in table.splitlines() if row.startswith("|")]


def level(module: str, ranks: list[list[str]]) -> int:
    """The row that a module stands in."""
    found = [
        n for n, row in enumerate(ranks) for name in row if module == name or module.startswith(name.rstrip("/") + "/")
    ]
    assert len(found) == 1, f"{module} stands in {len(found)} rows of docs/architecture.md"
    return found[0]


def imported(path: Path) -> Iterator[str]:
    """The modules of this package that a file imports, as paths."""
    for node in ast.walk(ast.parse((SOURCE / path).read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "escapade":
                yield file_of(name.split(".")[1:])


def file_of(names: list[str]) -> str:
    """The file of a dotted name, which may end in something that the file has."""
    for end in range(len(names), -1, -1):
        base = "/".join(names[:end])
        if (SOURCE / f"{base}.py").is_file():
            return f"{base}.py"
        if (SOURCE / base / "__init__.py").is_file():
            return f"{base}/__init__.py" if base else "__init__.py"
    raise AssertionError(names)


@pytest.mark.parametrize(("heading", "folder"), [("# How Escapade is built", ""), ("## The server", "server/")])
def test_no_module_imports_upwards(heading: str, folder: str) -> None:
    ranks = rows(heading)
    inside = [path for path in map(Path.as_posix, MODULES) if path.startswith(folder) and path != "server/__init__.py"]
    upwards = [
        f"{path} imports {other}"
        for path in inside
        for other in imported(Path(path))
        if other in inside and level(other.removeprefix(folder), ranks) > level(path.removeprefix(folder), ranks)
    ]
    assert not upwards


def test_nothing_above_the_games_names_one() -> None:
    own = re.compile(
        rf"^(games\.py|({GAMES})/.*|bots/({GAMES})/.*|adapters/(\w+/)*({GAMES})\.py|(study|terminal)/({GAMES})\.py|adapters/openspiel/.*)$"
    )
    named = [
        f"{path}: {line.strip()}"
        for path in map(Path.as_posix, MODULES)
        if not own.match(path) and path not in NAMED
        for line in (SOURCE / path).read_text().splitlines()
        if re.search(GAMES, line)
    ]
    assert not named
    assert sum(len(re.findall(GAMES, (SOURCE / path).read_text())) for path in NAMED) <= 10


def test_no_game_knows_another() -> None:
    for kind in games.kinds():
        others = set(games.kinds()) - {kind}
        for path in MODULES:
            if kind in path.parts[:2] and path.parts[0] != "adapters":
                assert not [one for one in imported(path) if set(Path(one).parts) & others], path


def test_nobody_outside_reaches_for_a_private_state() -> None:
    private = re.compile(r"(?<!self)\._(state|states|hidden|buffer)\b")
    found = [
        f"{path}: {line.strip()}"
        for path in [*SOURCE.rglob("*.py"), *(ROOT / "benchmarks").glob("*.py"), *(ROOT / "training").glob("*.py")]
        for line in path.read_text().splitlines()
        if private.search(line) and path.name not in ("game.py", "position.py")
    ]
    assert not found
