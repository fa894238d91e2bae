"""Starts servers fast: the program is imported and the rules are loaded once, and each server is forked from that.

A line of JSON on stdin has a log file and a server's options; its process id is the answer. Bots are loaded only when
one is to act. When stdin is closed, all servers are killed.
"""

import gc
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from escapade import cli
from escapade.games import kinds
from escapade.server.warming import Ready, load_rules


async def nothing_to_load(ready: Mapping[str, Ready], *_: object) -> None:
    """Say that the rules are loaded, which they are."""
    for one in ready.values():
        one.set()


RUNNING: set[int] = set()


def reap(*_: object) -> None:
    """Take leave of those that have ended."""
    while RUNNING and (ended := os.waitpid(-1, os.WNOHANG)[0]):
        RUNNING.discard(ended)


def start(log: str, options: list[str]) -> int:
    """Fork a server; returns its process id."""
    process = os.fork()
    if process:
        RUNNING.add(process)
        return process
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, instead in ((0, os.open(os.devnull, os.O_RDONLY)), (1, file), (2, file)):
        os.dup2(instead, number)
    sys.argv[1:] = options
    cli.main()
    os._exit(0)


if __name__ == "__main__":
    for kind in kinds().values():
        load_rules(kind.samples)
    app: Any = import_module("escapade.server.app")
    app.warm_up = nothing_to_load
    gc.collect()
    gc.freeze()  # as a server does when it has loaded the rules
    signal.signal(signal.SIGCHLD, reap)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # told to a whole group: who uses this one ends it by its stdin
    print("ready", flush=True)
    for line in sys.stdin:
        print(start(*json.loads(line)), flush=True)
    for process in list(RUNNING):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
