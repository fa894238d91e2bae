"""The project itself: style, types, and what its pages promise."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from installing import install_alone
from pages import ROOT, programs

import escapade

WORKFLOW = ".github/workflows/release.yml"
CHANGES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["zizmor", "--offline", "--quiet", "--persona=pedantic", WORKFLOW],
        ["hadolint", "deploy/Containerfile"],
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", WORKFLOW],
        ["check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff"],
    ],
    ids=" ".join,
)
def test_the_code_is_clean(command: list[str]) -> None:
    program = Path(sysconfig.get_path("scripts"), command[0])
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_are_right_in_the_docs_programs_too(tmp_path: Path) -> None:
    for name, code in programs().items():
        (tmp_path / f"{name}.py").write_text(code)
    checked = ["src", "tests", "benchmarks", "training", *map(str, sorted(tmp_path.glob("*.py")))]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *checked],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_the_same_everywhere_and_the_changelog_keeps_its_form() -> None:
    log = (ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(r"^## (.*)$", log, re.MULTILINE)
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - (unreleased|\d{4}-\d\d-\d\d)", version) for version in versions)
    assert set(re.findall(r"^### (.*)$", log, re.MULTILINE)) <= CHANGES
    assert versions[0].split()[0] == escapade.__version__
    assert f"\nversion: {escapade.__version__}\n" in (ROOT / "CITATION.cff").read_text()


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


def test_a_wheel_of_the_sdist_has_all_that_is_not_python_too_and_plays_without_the_sources(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel; it is in the group `dev`")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t"]
    subprocess.run([*build, "sdist"], cwd=ROOT, check=True, capture_output=True, timeout=300)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as sources:
        sources.extractall(tmp_path, filter="data")
    unpacked = tmp_path / f"escapade-{escapade.__version__}"
    subprocess.run([*build, "wheel"], cwd=unpacked, check=True, capture_output=True, timeout=300)
    wheel = next(tmp_path.glob("*.whl"))
    packed = set(ZipFile(wheel).namelist())
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not [name for name in listed.stdout.splitlines() if name.removeprefix("src/") not in packed]
    assert {"escapade/weights/cartagena-2.npz", "escapade/client/main.js", "escapade/rules/about.da.md"} <= packed

    python = install_alone(wheel, tmp_path / "alone")
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # what is installed elsewhere would all be compiled anew
    smoke = ROOT / "tests" / "smoke.py"
    played = subprocess.run([python, smoke], cwd=tmp_path, env=plain, capture_output=True, text=True, timeout=600)
    assert played.returncode == 0, played.stdout + played.stderr
    assert str(tmp_path / "alone") in played.stdout
