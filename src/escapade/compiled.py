"""The one way to compile: Numba's njit with a cache that an edit of any compiled source starts afresh.

Numba's own cache looks only at the file a function stands in, so machine code made from another file's old text would
run on. Here the cache directory is named after all compiled sources together. A read-only install caches in the user's
cache directory, and where nothing can be written every process compiles for itself.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
CONFIG: Any = numba.config
NJIT: Any = numba.njit  # which takes more than its types tell
JIT = not CONFIG.DISABLE_JIT


def cache_dir() -> str:
    """Where the machine code of exactly these sources is kept; empty where nothing can be written."""
    digest = hashlib.sha256()
    for source in sorted(PACKAGE.rglob("*.py")):
        text = source.read_bytes()
        if source.name == "__init__.py" or b"compiled import" in text or b"numba" in text:
            digest.update(source.relative_to(PACKAGE).as_posix().encode() + b"\0" + text)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    for base in filter(None, (CONFIG.CACHE_DIR, home, tempfile.gettempdir())):
        path = Path(base, "escapade", digest.hexdigest()[:16])
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(path, os.W_OK):
            return str(path)
    return ""


CACHE = cache_dir() if JIT else ""


def compiled(function: Function, **options: bool) -> Function:
    """Compile for the machine at hand, free of the interpreter's lock; plain Python where NUMBA_DISABLE_JIT is set."""
    if not JIT:
        return np.errstate(over="ignore")(function)  # words wrap around in machine code, and must here
    # Numba chooses the cache's place when it decorates, from a setting that others in this process may rely on.
    theirs, CONFIG.CACHE_DIR = CONFIG.CACHE_DIR, CACHE
    try:
        jitted = NJIT(cache=bool(CACHE), nogil=True, **options)(function)
    finally:
        CONFIG.CACHE_DIR = theirs
    return cast(Function, jitted)


def bare(function: Function) -> Function:
    """Compile what makes no arrays without counting references, which costs loops over rows of arrays a third more."""
    return compiled(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile into every caller: for what a playout does at each decision, where a call costs more than the work."""
    return compiled(function, _nrt=False, forceinline=True)


def records(dtype: np.dtype[np.void], count: int) -> np.ndarray[Any, Any]:
    """Empty states to hand to compiled functions: a plain array when compiled, with fields as attributes otherwise."""
    states = np.zeros(count, dtype)
    return states if JIT else states.view(np.recarray)
