"""The Hypothesis profile, and compiling what many tests need once, before there are several who would all compile it.

No deadline, since a machine may be slow or still compiling. Python's bytecode is kept: tests start hundreds of
processes, and to read all of Numba's sources takes each of them three times as long. NumPy multiplies in one thread:
several of each worker would wait for one another on few cores, and three quarters of their time is lost that way.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when NumPy is imported

import pytest
from hypothesis import HealthCheck, settings

from escapade.compiled import JIT, PACKAGE, cache_dir
from escapade.games import kinds

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the rules and the bots, each kind of game in a process of its own, if that has not been done before."""
    folder = cache_dir(PACKAGE)
    clone = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:8]  # Numba keeps the code of each place apart
    if hasattr(config, "workerinput") or not (JIT and folder) or (done := Path(folder, f"all-{clone}")).exists():
        return
    program = [sys.executable, str(Path(__file__).with_name("compiling.py"))]
    started = [subprocess.Popen([*program, kind]) for kind in kinds()]
    if [process.wait() for process in started] == [0] * len(started):
        done.touch()
