"""Starting a server in a world of its own, and the types of what brings servers and visitors to a test."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hostile.canary import Canary
from hostile.wire import Visitor
from server.live import Running

LAUNCHER = str(Path(__file__).parent / "launcher.py")
Begin = Callable[..., Running]
Visit = Callable[..., Visitor]
Watch = Callable[[Running], Canary]


def began(folder: Path, world: dict[str, Any], *options: str) -> Running:
    """A server in a world of its own."""
    (folder / "world.json").write_text(json.dumps(world))
    return Running(folder / "games.db", program=(LAUNCHER, str(folder / "world.json"), *options))
