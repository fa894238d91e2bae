"""The programs of docs/programming.md run."""

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PROGRAMS = [
    pytest.param(part.split("```")[0], id=f"{page}-{number}")
    for page in ("programming",)
    for number, part in enumerate((DOCS / f"{page}.md").read_text().split("```python\n")[1:], 1)
]


@pytest.mark.parametrize("code", PROGRAMS)
def test_a_program_of_the_page_runs(code: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout
