"""Writes the golden files: `PYTHONPATH=tests python tests/golden/make.py [PART...]`, all parts where none is named.

They tell what version 0.1.0 did, so that whoever rebuilds the house sees what has changed for those who live in it. A
part is written anew only where a change is meant; the store is never written again, for it is there to be opened.
"""

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from golden import environments, games, scenes
from golden.compare import Value

HERE = Path(__file__).parent
STORE = HERE / "store-0.1.0.db"
PARTS: dict[str, Callable[[], Value]] = {
    "games": games.games,
    "records": games.records,
    "errors": games.errors,
    "hints": games.hints,
    "analyses": games.analyses,
    "matches": games.matches,
    "commands": games.commands,
    "batches": environments.batches,
    "pettingzoo": environments.pettingzoos,
    "gymnasium": environments.gymnasiums,
    "openspiel": environments.spiels,
}


def load(name: str) -> Value:
    """A part as it was."""
    if name == "records":
        return {file.stem: file.read_text() for file in (HERE / name).glob("*.esc")}
    if (HERE / f"{name}.jsonl").exists():
        return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text().splitlines()]
    return json.loads((HERE / f"{name}.json").read_text())


def save(name: str, value: Value) -> None:
    """Write a part, with a line for each thing in it, to be read in a diff."""
    if name == "records":
        for edition, record in value.items():
            (HERE / name / f"{edition}.esc").write_text(record)
    elif isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {json.dumps(one)}" for key, one in value.items()]
        (HERE / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    else:
        assert "broke_off" not in value[-1], value[-1]
        (HERE / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in value))


def save_scenes() -> None:
    """Play the scenes at a server and write them down, with the store that it leaves if there is none yet."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "games.db"
        told, keys = scenes.transcripts(store)
        for name, value in told.items():
            save(name, value)
        if not STORE.exists():
            with sqlite3.connect(store) as db:
                db.execute("vacuum")
            db.close()
            shutil.copy(store, STORE)
            save("keys", keys)
        shutil.copy(STORE, store)
        save("reopened", scenes.reopening(store, load("keys")))


if __name__ == "__main__":
    for part in sys.argv[1:] or [*PARTS, "scenes"]:
        if part == "scenes":
            save_scenes()
        else:
            save(part, PARTS[part]())
