"""docs/research.md: its examples run, and its tables match the code."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from escapade.batch import open_box
from escapade.cartagena.features import number_of
from escapade.evades.features import NUMBERS

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text()
EXAMPLES = {code.split("```")[0]: None for code in PAGE.split("```python\n")[1:]}
SMALLER = {
    "range(300)": "range(120)",
    "max_simulations=100": "max_simulations=2",
    "UPDATES, GAMES = 192, 20, 64": "UPDATES, GAMES = 150, 1, 16",
}


def title(code: str) -> str:
    """What an example imports last."""
    imported: list[str] = re.findall(r"^(?:from|import) (\S+)", code, re.MULTILINE)
    return imported[-1]


@pytest.mark.parametrize("code", EXAMPLES, ids=title)
def test_an_example_runs(code: str) -> None:
    if "import torch" in code and not find_spec("torch"):
        pytest.skip("torch is not installed: it is no part of the test command, which would pull gigabytes")
    for large, small in SMALLER.items():
        code = code.replace(large, small)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_there_are_the_examples_that_are_made_smaller() -> None:
    assert len(EXAMPLES) == 9
    assert all(PAGE.count(large) == 1 for large in SMALLER)


@pytest.mark.parametrize(("text", "heading"), [("jamaica", "| Cartagena | shape"), ("evades", "| Les Évadés | shape")])
def test_the_layout_is_the_codes(text: str, heading: str) -> None:
    box = open_box(text, 3)
    rows = PAGE.split(heading)[1].split("\n\n")[0].splitlines()[2:]
    letters = {"n": 3, "S": 38, "L": 30}
    fields = []
    for row in rows:
        name, shape, most, meaning = row.strip("| ").split(" | ")
        sizes = tuple(letters.get(size) or int(size) for size in re.split(" . ", shape))
        fields.append((name.strip("`"), sizes, meaning, int(most)))
    assert fields == box.features.fields(box.rules, 3)
    assert f"version {box.features.VERSION} (" in PAGE


def test_the_numbers_are_the_codes() -> None:
    rules = open_box("jamaica", 2).rules
    assert [number_of(rules, action) for action in (0, 3 << 6 | 5, 6 << 6 | 37, 448, 449)] == [0, 119, 265, 266, 267]
    assert f"134 to {NUMBERS - 1} |" in PAGE
