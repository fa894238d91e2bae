"""Run the server: take a port, print the address, open the browser, and serve until Ctrl-C."""

import asyncio
import errno
import os
import socket
import sqlite3
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from escapade.server.app import create_app
from escapade.server.store import InUse, Store

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # and how this machine itself gets there
DEFAULT_PORT = 8000
PORTS = 20  # tried one after another where none was asked for


class CannotServe(Exception):
    """Why the server cannot start, as a message for the person who starts it."""


def default_store() -> Path:
    """Where games are kept unless --store says otherwise."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    return base / "escapade" / "games.db"


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the port asked for, or on the first free one from 8000 on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port is not None else range(DEFAULT_PORT, DEFAULT_PORT + PORTS):
        door = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # small answers must not wait for one another
        if os.name != "nt":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, number))
        except OSError as fault:
            door.close()
            if fault.errno == errno.EADDRINUSE and port is None:
                continue
            raise CannotServe(f"{host} port {number}: {fault.strerror or fault}") from None
        door.listen(2048)
        return door
    raise CannotServe(
        f"{host}: the ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS - 1} are all taken; choose one with --port"
    )


def own_addresses() -> list[str]:
    """The addresses by which other devices may reach this one."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def is_local(host: str) -> bool:
    """Whether only this machine is served."""
    return host in LOOPBACK or host.startswith("127.")


def links(host: str, port: int) -> list[str]:
    """The addresses to share; none where only this machine is served."""
    if is_local(host):
        return []
    shared = own_addresses() if host in EVERYWHERE else [host]
    return [url(one, port) for one in shared]


def url(host: str, port: int) -> str:
    """An address as a browser wants it."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class Server(uvicorn.Server):
    """Serves until it is told to stop, and says so before it waits for its last requests."""

    def __init__(self, config: uvicorn.Config, ending: asyncio.Event) -> None:
        super().__init__(config)
        self.ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; whoever waits for something long is refused."""
        self.ending.set()
        await super().shutdown(sockets)


def serve(host: str, port: int | None, names: Sequence[str], path: Path, browser: bool, processes: int) -> None:
    """Serve until Ctrl-C or a signal to stop."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CannotServe(f"{path.parent}: {fault.strerror}") from None
    door = listen(host, port)
    config = uvicorn.Config(
        "",
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=1 << 20,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        timeout_graceful_shutdown=3,
    )
    with door, asyncio.Runner(loop_factory=config.get_loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(run(config, host, door, names, path, browser, processes))


async def run(
    config: uvicorn.Config,
    host: str,
    door: socket.socket,
    names: Sequence[str],
    path: Path,
    browser: bool,
    processes: int,
) -> None:
    """Open the store, print the address, and serve."""
    try:
        store = await Store.open(path)
    except InUse:
        raise CannotServe(f"{path} is in use: Escapade is running already; --store takes another file") from None
    except sqlite3.Error as fault:
        raise CannotServe(f"{path} cannot be used to keep games in: {fault}") from None
    port = door.getsockname()[1]
    shared = links(host, port)
    hosts = ["127.0.0.1", "localhost", "[::1]", host, *names] if is_local(host) else ["*"]
    ending = asyncio.Event()
    config.app = create_app(store, processes=processes, addresses=shared, hosts=hosts, ending=ending)
    here = url(EVERYWHERE.get(host, host), port)
    lines = [f"Escapade is at {here}/", *(f"Others reach it at {link}/" for link in shared)]
    print("\n".join([*lines, f"Games are kept in {path}. Ctrl-C stops."]), flush=True)
    if browser:
        threading.Thread(target=webbrowser.open, args=[here], daemon=True).start()
    await Server(config, ending).serve(sockets=[door])
