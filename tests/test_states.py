"""States of games: the fields that mypy knows are those that are in memory, and it finds a misspelt one."""

import subprocess
import sys
from pathlib import Path

import pytest

from escapade.games import Kind, kinds

ROOT = Path(__file__).parent.parent
CODE = """
from {kernel} import State, States
from escapade.compiled import compiled

@compiled
def parameter(s: State) -> int:
    return int(s.{first})

@compiled
def local(states: States) -> int:
    s: State = states[0]
    return int(s.{second})
"""


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds())
def test_a_state_has_the_fields_that_mypy_knows(kind: Kind) -> None:
    assert list(kind.kernel.State.__annotations__) == list(kind.kernel.STATE.names)


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds())
def test_mypy_finds_a_misspelt_field(kind: Kind, tmp_path: Path) -> None:
    def complaints(first: str, second: str) -> list[str]:
        path = tmp_path / "misspelt.py"
        path.write_text(CODE.format(kernel=kind.kernel.__name__, first=first, second=second))
        command = [sys.executable, "-m", "mypy", "--strict", str(path)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()

    assert complaints("turn", "players") == ["Success: no issues found in 1 source file"]
    first, second, _ = complaints("turm", "player")
    assert '"State" has no attribute "turm"' in first
    assert '"State" has no attribute "player"' in second
