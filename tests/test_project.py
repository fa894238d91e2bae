"""The project itself: style, types, and what its pages promise."""

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy", "--strict"]], ids=" ".join
)
def test_the_code_is_clean(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_is_short_and_its_test_command_is_what_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 80
    command = "python3 -m pip install uv && python3 -m uv run pytest"
    assert command in readme
    assert command in (ROOT / ".ci" / "run").read_text()


def test_the_readmes_example_runs() -> None:
    example = (ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, timeout=300, check=True)
    *_, actions, reason = done.stdout.splitlines()
    assert actions == "['b>11', 'b<4', 'd<6']"
    assert reason == "takes dark green back, which you bet into boat 3; hurries blue, which you bet into boat 1"


def test_no_file_names_a_package_registry() -> None:
    backwards = (b"ipyp", b"detsohnohtyp", b"sjmpn", b"naibed")  # so that this file names none either
    names = b"|".join(name[::-1] for name in backwards)
    hosts = re.compile(rb"index[-]url|https?://[a-z0-9.-]*(" + names + rb")[a-z0-9.-]*")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    files = [ROOT / name for name in listed.stdout.splitlines()]
    assert not [path.name for path in files if path.is_file() and hosts.search(path.read_bytes())]


def test_the_wheel_has_all_that_is_not_python_too(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel; it is in the group `dev`")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    packed = set(ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not [name for name in listed.stdout.splitlines() if name.removeprefix("src/") not in packed]
    assert {"escapade/weights/cartagena-2.npz", "escapade/client/main.js", "escapade/rules/about.da.md"} <= packed
