"""The client, as far as it can be tested without a browser: types, style, its own tests, texts of every language."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from escapade.games import LEVELS
from escapade.server.jsdoc import jsdoc
from escapade.server.pages import loaded, pages

ROOT = Path(__file__).parent.parent
CLIENT = ROOT / "src" / "escapade" / "client"
MODULES = sorted(CLIENT.rglob("*.js"))
TESTS = sorted((ROOT / "tests" / "client").glob("*.js"))
STYLES = sorted(CLIENT.rglob("*.css"))
GENERATED = CLIENT / "lib" / "messages.js"
TABLE = CLIENT / "faces.js"
KINDS = sorted(face.parent.name for face in CLIENT.glob("*/face.js") if face.parent.name != "plain")
# What every game has; the same thing has the same name in each.
SHARED = ["face.js", "board.js", "ground.js", "plan.js", "choice.js", "words.js", "notation.js", "drawings.js"]
SHARED += ["lesson.js", "tasks.js", "style.css", "lesson.css"]
LANGUAGES = ["en", "fr", "da", "de"]
PLURALS = {"en": {"one", "other"}, "fr": {"one", "many", "other"}, "da": {"one", "other"}, "de": {"one", "other"}}
CATEGORIES = {"zero", "one", "two", "few", "many", "other"}


CONFIG = {"compilerOptions": {"lib": ["dom", "dom.iterable", "dom.asynciterable", "esnext"], "checkJs": True}}
OFFLINE = ["--no-remote", "--no-npm", "--no-lock"]
FORMAT = ["--line-width=120", "--single-quote"]


def deno(folder: Path, *arguments: str) -> None:
    """Run the wheel's Deno, set up for browser modules and offline."""
    (folder / "deno.json").write_text(json.dumps(CONFIG))
    task, *rest = arguments
    command = [str(Path(sys.executable).parent / "deno"), task, "--quiet", "--config", str(folder / "deno.json"), *rest]
    environment = {"NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1", "DENO_DIR": str(folder / "cache")}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_modules_types_hold(tmp_path: Path) -> None:
    assert all(module.read_text().startswith("// @ts-check\n") for module in MODULES)
    deno(tmp_path, "check", *OFFLINE, *map(str, MODULES))


def test_the_modules_are_clean(tmp_path: Path) -> None:
    deno(tmp_path, "lint", *map(str, MODULES))


def test_the_modules_are_formatted(tmp_path: Path) -> None:
    """`deno fmt --line-width=120 --single-quote src/escapade/client/**/*.js tests/client/*.js` formats them."""
    deno(tmp_path, "fmt", "--check", *FORMAT, *map(str, [*MODULES, *TESTS]))


def test_no_line_is_wider_than_the_others() -> None:
    """The formatter leaves comments, strings and style sheets as they are."""
    lines = [(path, line) for path in [*MODULES, *TESTS, *STYLES] for line in path.read_text().splitlines()]
    assert not [f"{path.name}: {line}" for path, line in lines if len(line) > 120]


def test_the_types_of_messages_are_those_of_the_server() -> None:
    assert GENERATED.read_text() == jsdoc(), "python -m escapade.server.jsdoc > src/escapade/client/lib/messages.js"


def test_only_the_table_of_faces_names_a_game() -> None:
    named = [
        f"{path.relative_to(CLIENT)}: {kind}"
        for path in {*MODULES, *STYLES} - {TABLE, GENERATED}
        for kind in KINDS
        if kind != path.parent.name and re.search(rf"\b{kind}\b", path.read_text())
    ]
    assert KINDS
    assert not named


@pytest.mark.parametrize("kind", KINDS)
def test_what_all_games_have_is_called_the_same_in_each(kind: str) -> None:
    assert f"  {kind}: {{" in TABLE.read_text()
    assert not [name for name in SHARED if not (CLIENT / kind / name).is_file()]


def test_every_level_has_a_portrait() -> None:
    drawn = re.findall(r"^  '?([a-z-]+)'?:", (CLIENT / "lib" / "portraits.js").read_text(), re.M)
    assert sorted(drawn) == sorted(LEVELS)


def test_a_page_names_each_module_that_it_needs_once() -> None:
    made = pages({"levels": [], "kinds": {kind: {} for kind in [*KINDS, "unheard-of"]}})
    assert sorted(made) == sorted(
        ["home", "table", "replay", "embed", "learn", "puzzles", "rules", *KINDS, "unheard-of"]
    )
    for name, page in made.items():
        named = re.findall(r'<link rel="(?:modulepreload|stylesheet)" href="/client/([^"]+)">', page)
        assert len(named) == len(set(named)), name
        assert all((CLIENT / file).is_file() and ".." not in file for file in named), name
        assert set(loaded(*named)) == set(named), name
        room = name if name in KINDS else "plain"
        faceless = ("home", "table", "replay", "embed", "learn", "puzzles", "rules")
        assert (f"{room}/face.js" in named) == (name not in faceless), name
        assert ("table/lobby.js" in named) == (name == "table"), name


def test_the_modules_own_tests_pass(tmp_path: Path) -> None:
    deno(tmp_path, "test", *OFFLINE, "--no-check", f"--allow-read={ROOT}", "tests/client")


def test_no_module_comes_from_elsewhere() -> None:
    for module in MODULES:
        for source in re.findall(r"""(?:from|import)\s*\(?\s*['"]([^'"]+)['"]""", module.read_text()):
            found = (module.parent / source).resolve()
            assert source.startswith(("./", "../")), f"{module} imports {source}"
            assert found in MODULES, f"{module} imports {source}"


def test_no_module_waits_for_anything_before_it_is_ready() -> None:
    """WebKit treats a module with top-level await as ready on its second import, before the game's face is loaded."""
    assert not [
        module.name for module in MODULES if re.search(r"^(?:const [^(\n]* = )?await\b", module.read_text(), re.M)
    ]


def test_markup_has_no_style_and_no_handler_of_its_own() -> None:
    """The CSP forbids both, and the browser would drop them silently."""
    for path in [*MODULES, CLIENT / "index.html", *CLIENT.rglob("*.svg")]:
        found = re.findall(r"""<[a-z][\w-]*\b[^<>]*?\s(?:style|on[a-z]+)\s*=\s*["'{$]""", code(path))
        assert not found, f"{path.name}: {found}"


# ---- the texts ---------------------------------------------------------------------------------------------------


def catalog(language: str) -> dict[str, Any]:
    """The texts of a language."""
    texts: dict[str, Any] = {}
    for path in sorted((CLIENT / "lang").rglob(f"{language}.json")):
        texts |= json.loads(path.read_text())
    return texts


def is_plural(branch: Any) -> bool:
    """Whether a branch holds the forms of one text."""
    return isinstance(branch, dict) and "other" in branch and set(branch) <= CATEGORIES


def texts(branch: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Every text of a catalog by its path, with its forms."""
    if isinstance(branch, str):
        yield path, {"other": branch}
    elif is_plural(branch):
        yield path, branch
    else:
        for name, value in branch.items():
            yield from texts(value, f"{path}.{name}".lstrip("."))


def blanks(forms: dict[str, str]) -> set[str]:
    """What is filled into a text."""
    return {name for text in forms.values() for name in re.findall(r"\{(\w+)\}", text)}


ENGLISH = dict(texts(catalog("en")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_with_everything_that_is_filled_in(language: str) -> None:
    translated = dict(texts(catalog(language)))
    assert sorted(translated) == sorted(ENGLISH)
    assert not [path for path, forms in translated.items() if blanks(forms) != blanks(ENGLISH[path])]
    assert not [path for path, forms in translated.items() if not all(text.strip() for text in forms.values())]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_plural_forms_that_its_grammar_needs(language: str) -> None:
    """French has `many` too, but only from a million on."""
    needed = PLURALS[language] - {"many"}
    plurals = {path: forms for path, forms in texts(catalog(language)) if len(forms) > 1}
    assert plurals
    assert not {path: set(forms) for path, forms in plurals.items() if not needed <= set(forms) <= PLURALS[language]}
    assert not [path for path in plurals if "n" not in blanks(ENGLISH[path]) and not path.startswith(SPELLED)]


# Plurals whose number is spelled out or shown elsewhere.
SPELLED = ("home.won", "evades.score.wins", "evades.prompt", "lobby.title", "hints", "cartagena", "evades")


def code(module: Path) -> str:
    """A module without its comments."""
    return re.sub(r"/\*\*.*?\*/|(?m:^\s*//[^\n]*$)", "", module.read_text(), flags=re.S)


def test_every_text_that_a_module_names_exists() -> None:
    branches = set(ENGLISH) | {path.rsplit(".", n)[0] for path in ENGLISH for n in range(1, path.count(".") + 1)}
    missing = []
    for module in MODULES:
        named = re.findall(r"\b(?:t|has)\(\s*'([^'$]+)'", code(module))
        begun = re.findall(r"\b(?:t|has)\(\s*`([\w.-]+)\.\$\{", code(module))
        missing += [f"{module.name}: {path}" for path in named if path not in ENGLISH]
        missing += [f"{module.name}: {start}.…" for start in begun if start not in branches]
    assert not missing


def test_every_text_is_used() -> None:
    """Those of the terminal are for it alone (tests/test_terminal.py)."""
    source = "\n".join(map(code, MODULES))
    assert not [path for path in ENGLISH if not named(path, source) and not path.startswith("terminal.")]


def named(path: str, source: str) -> bool:
    """Whether the source has a text's path, or a prefix of it that a template completes.

    A module that adds the section itself, as that of Les Évadés does, has the path without its first part.
    """
    names = path.split(".")
    starts = [".".join(names[first:last]) for first in (0, 1) for last in range(len(names), first, -1)]
    return any(re.search(rf"['`]{re.escape(start)}(?:['`]|[.-]?\$\{{)", source) for start in starts)
