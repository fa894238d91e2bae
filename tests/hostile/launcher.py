"""Starts the server in a world that a test sets up: `launcher.py WORLD OPTIONS...`, where WORLD is a JSON file.

`step`: seconds by which the wall clock is wrong, read again at every look. `seeds`: those of the first tables, in
hexadecimal. `files`: how many files may be open. `constants`: those of modules, which are made smaller here so that a
test need not wait or send as much; of a tuple with names, some fields.
"""

import importlib
import json
import resource
import secrets
import sys
import time
from pathlib import Path
from typing import Any


def world() -> dict[str, Any]:
    """What the test wants now."""
    read: dict[str, Any] = json.loads(WORLD.read_text())
    return read


if __name__ == "__main__":
    WORLD = Path(sys.argv.pop(1))
    wanted = world()
    luck: Any = secrets
    any_bytes, seeds = secrets.token_bytes, [bytes.fromhex(seed) for seed in wanted.get("seeds", ())]
    luck.token_bytes = lambda size=32: seeds.pop(0) if size == 32 and seeds else any_bytes(size)
    true_time = time.time
    if "step" in wanted:
        time.time = lambda: true_time() + float(world()["step"])
    if "files" in wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted["files"], wanted["files"]))
    for name, value in wanted.get("constants", {}).items():
        module, constant = name.rsplit(".", 1)
        found: Any = importlib.import_module(module)
        changed = getattr(found, constant)._replace(**value) if isinstance(value, dict) else value
        setattr(found, constant, changed)

    from escapade.cli import main

    main()
