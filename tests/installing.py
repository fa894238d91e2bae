"""Somebody else's package beside Escapade, or Escapade's wheel alone, for tests that start processes of their own."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

TESTS = Path(__file__).parent
GOOSE = "third_game:KIND"


def install(folder: Path, **points: str) -> dict[str, str]:
    """A distribution with these entry points for games; the environment in which Python finds it."""
    return point_at(folder, "escapade.games", **points)


def point_at(folder: Path, group: str, **points: str) -> dict[str, str]:
    """A distribution with entry points of a group; the environment in which Python finds it."""
    info = folder / "goose-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: goose\nVersion: 0.1\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
    path = [str(folder), str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def install_alone(wheel: Path, folder: Path) -> Path:
    """A fresh environment with a wheel, which takes what it depends on from this one; its Python."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    # A path in a .pth file is searched, but .pth files found there are not: that of the sources has no effect.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([python, *pip, "--ignore-installed", wheel], check=True)
    return python
