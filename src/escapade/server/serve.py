"""Run the server: take a port, print the address, open the browser, and serve until Ctrl-C."""

import asyncio
import errno
import gc
import ipaddress
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
from escapade.server.doors import Config, Doors, Http, Network, Socket
from escapade.server.limits import BOUNDS, Bounds
from escapade.server.logs import LOGGING
from escapade.server.pruning import Keep
from escapade.server.store import InUse, Store
from escapade.server.supervision import Tasks

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # and how this machine itself gets there
DEFAULT_PORT = 8000
BACKLOG = 2048  # connections that the system keeps for us while we are busy
ACCEPTED_AT_ONCE = 32  # of them, before those are looked at: each is a file
OTHER_FILES = 256  # than connections: the store, thinkers, pages, and newcomers that are being accepted or refused
FULL_COLLECTIONS = 200  # in place of 10: with 2,000 connections everyone waits for a quarter of a second at each
EVERY = 1.0  # seconds between two looks at what is overdue
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
        door.listen(BACKLOG)
        return door
    raise CannotServe(
        f"{host}: the ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS - 1} are all taken; choose one with --port"
    )


def own_addresses() -> list[str]:
    """The addresses by which other devices may reach this one."""
    found = sender(socket.AF_INET, "192.0.2.1")
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def sender(family: socket.AddressFamily, far: str) -> list[str]:
    """The address from which this machine would send to another, one for documentation: nothing is sent."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return [probe.getsockname()[0]]
    return []


def is_local(host: str) -> bool:
    """Whether only this machine is served."""
    return host in LOOPBACK or host.startswith("127.")


def links(host: str, port: int) -> list[str]:
    """The addresses to share; none where only this machine is served."""
    if is_local(host):
        return []
    shared = own_addresses() if host in EVERYWHERE else [host]
    return [url(one, port) for one in shared]


def bracketed(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def url(host: str, port: int) -> str:
    """An address as a browser wants it."""
    return f"http://{bracketed(host)}:{port}"


def networks(proxies: Sequence[str]) -> list[Network]:
    """The addresses of web servers in front whose word is taken for where a request comes from."""
    try:
        return [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]
    except ValueError as fault:
        raise CannotServe(f"--proxy takes an address or a network: {fault}") from None


def raise_file_limit() -> int | None:
    """Allow as many open files as the system lets us; returns how many that are, if it tells."""
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


def fitting(bounds: Bounds, files: int | None) -> Bounds:
    """The bounds, with no more connections than there can be files; one address never gets more than half of them."""
    sockets = bounds.sockets if files is None else min(bounds.sockets, max(files - OTHER_FILES, files // 4))
    return bounds._replace(sockets=sockets, per_address=min(bounds.per_address, max(1, sockets // 2)))


def configured(doors: Doors) -> Config:
    """uvicorn's settings."""
    # A server that listens on :: sees IPv4 addresses written as IPv6 ones.
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in doors.proxies if one.version == 4]
    config = Config(
        "",
        http=Http,
        ws=Socket,
        log_config=LOGGING,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(doors.proxies),
        forwarded_allow_ips=[*map(str, doors.proxies), *mapped],
        backlog=ACCEPTED_AT_ONCE,
        ws_max_size=1 << 20,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        timeout_graceful_shutdown=3,
    )
    config.doors = doors
    return config


class Server(uvicorn.Server):
    """uvicorn, which takes its backlog also for how many connections are accepted in one go, and says when it ends."""

    def __init__(self, config: uvicorn.Config, ending: asyncio.Event) -> None:
        super().__init__(config)
        self.ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; whoever waits for something long is refused."""
        self.ending.set()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for door in sockets or []:
            door.listen(BACKLOG)


def answered(host: str, names: Sequence[str]) -> list[str]:
    """The names that the server answers to: any, where it is reached by others and nobody has said which."""
    if not names and not is_local(host):
        return ["*"]
    own = [] if is_local(host) else [*own_addresses(), *sender(socket.AF_INET6, "2001:db8::1")]
    return [bracketed(one) for one in ("127.0.0.1", "localhost", "::1", host, *own, *names)]


def serve(
    host: str,
    port: int | None,
    names: Sequence[str],
    path: Path,
    browser: bool,
    processes: int,
    keep: Keep,
    proxies: Sequence[str] = (),
    bounds: Bounds = BOUNDS,
) -> None:
    """Serve until Ctrl-C or a signal to stop."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CannotServe(f"{path.parent}: {fault.strerror}") from None
    trusted = networks(proxies)
    door = listen(host, port)
    config = configured(Doors(fitting(bounds, raise_file_limit()), trusted))
    with door, asyncio.Runner(loop_factory=config.get_loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(run(config, host, door, names, path, browser, processes, keep))


async def run(
    config: Config,
    host: str,
    door: socket.socket,
    names: Sequence[str],
    path: Path,
    browser: bool,
    processes: int,
    keep: Keep,
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
    ending = asyncio.Event()
    config.app = create_app(
        store,
        processes=processes,
        addresses=shared,
        hosts=answered(host, names),
        bounds=config.doors.bounds,
        keep=keep,
        ending=ending,
    )
    here = url(EVERYWHERE.get(host, host), port)
    lines = [f"Escapade is at {here}/", *(f"Others reach it at {link}/" for link in shared)]
    print("\n".join([*lines, f"Games are kept in {path}. Ctrl-C stops."]), flush=True)
    if browser:
        threading.Thread(target=webbrowser.open, args=[here], daemon=True).start()
    gc.set_threshold(700, 10, FULL_COLLECTIONS)
    watch = Tasks()
    watch.repeat("watching the connections", config.doors.sweep, EVERY)
    try:
        await Server(config, ending).serve(sockets=[door])
    finally:
        await watch.end()
