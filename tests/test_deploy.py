"""What stands in deploy/: units that systemd takes, files and options that there are."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from escapade.cli import main

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text()


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze") and not os.environ.get("CI"):
        pytest.skip("systemd is not installed: apt-get install systemd")
    beside = tmp_path / "escapade.service.d"
    beside.mkdir()
    for name, folder in (("escapade.service", tmp_path), ("workers.conf", beside)):
        text = (DEPLOY / name).read_text()
        assert "/opt/escapade/bin/escapade " in text
        (folder / name).write_text(text.replace("/opt/escapade/bin/escapade", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / "escapade.service"],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "escapade" in line or str(tmp_path) in line]
    assert (done.returncode, ours) == (0, [])


def test_what_the_containerfile_copies_is_there() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINER, re.MULTILINE)
    assert copied
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("name", ["escapade.service", "workers.conf", "nginx.conf", "Containerfile"])
def test_every_option_exists_and_every_file_is_explained(name: str) -> None:
    text = (DEPLOY / name).read_text().replace("\\\n", "")
    lines = re.findall(r"^ExecStart=.*|^ENTRYPOINT.*|^# Escapade then runs.*", text, re.MULTILINE)
    used = set(re.findall(r"--[a-z-]+", " ".join(lines)))
    assert used
    assert used <= {option for parameter in main.params for option in parameter.opts}
    assert f"deploy/{name}" in (ROOT / "docs" / "operating.md").read_text()
