"""The one way to compile: Numba's njit with a cache that starts afresh when any compiled source is edited.

Numba's own cache checks only the file that a function stands in, so machine code made from an old version of another
file would still be used. Here the cache directory is named after all compiled sources together. Other people's games
are compiled through here too: each package has a directory of its own, named after its sources and ours, so that no
cache file of ours refers to a package that may be gone tomorrow. A read-only install caches in the user's cache
directory, and where nothing can be written every process compiles for itself.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
CONFIG: Any = numba.config
NJIT: Any = numba.njit  # which takes options that its types do not have
JIT = not CONFIG.DISABLE_JIT


def digest(package: Path) -> bytes:
    """A hash of all compiled sources of a package, or of a module that is in none."""
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")) if package.is_dir() else [package]:
        text = source.read_bytes()
        if source.name == "__init__.py" or b"compiled import" in text or b"numba" in text:
            digest.update(source.relative_to(package).as_posix().encode() + b"\0" + text)
    return digest.digest()


OURS = digest(PACKAGE)


@cache
def cache_dir(package: Path) -> str:
    """Where the machine code of exactly these sources is kept; empty where nothing can be written."""
    name = hashlib.sha256(OURS + (b"" if package == PACKAGE else digest(package))).hexdigest()[:16]
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    for base in filter(None, (CONFIG.CACHE_DIR, home, tempfile.gettempdir())):
        path = Path(base, "escapade", name)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(path, os.W_OK):
            return str(path)
    return ""


def package_of(module: str) -> Path | None:
    """The folder of the package that a module is in, or the module's own file; None for what was typed in."""
    top = sys.modules[module.partition(".")[0]]
    file = getattr(top, "__file__", None)
    return Path(file).parent if file and hasattr(top, "__path__") else Path(file) if file else None


def compiled(function: Function, **options: bool) -> Function:
    """Compile for the machine at hand, without the interpreter's lock; plain Python where NUMBA_DISABLE_JIT is set."""
    return compiled_for(function.__module__, function, **options)


def compiled_for(module: str, function: Function, cached: bool = True, **options: bool) -> Function:
    """Compile a function, its machine code cached for the package of a module."""
    if not JIT:
        return np.errstate(over="ignore")(function)  # uint64 arithmetic wraps around, as it does in machine code
    # Numba takes the cache's directory from a setting when it decorates; other code in this process may rely on it.
    package = package_of(module) if cached else None
    directory = cache_dir(package) if package else ""
    theirs, CONFIG.CACHE_DIR = CONFIG.CACHE_DIR, directory
    try:
        jitted = NJIT(cache=bool(directory), nogil=True, **options)(function)
    finally:
        CONFIG.CACHE_DIR = theirs
    return cast(Function, jitted)


def inlined(function: Function) -> Function:
    """Compile into every caller: for what a playout does at each decision, where a call costs more than the work."""
    return compiled(function, _nrt=False, forceinline=True)


def records(dtype: np.dtype[np.void], count: int) -> np.ndarray[Any, Any]:
    """Empty states for compiled functions: a plain array, or in plain Python one with its fields as attributes."""
    states = np.zeros(count, dtype)
    return states if JIT else states.view(np.recarray)
