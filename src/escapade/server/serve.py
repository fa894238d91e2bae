"""Run the server: take a port, print the address, open the browser, and serve until Ctrl-C."""

import asyncio
import errno
import gc
import ipaddress
import logging.config
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import uvicorn
from starlette.datastructures import State

import escapade
from escapade.server import workers
from escapade.server.app import Ending, create_app, thinking
from escapade.server.doors import Config, Doors, Http, Network, Socket
from escapade.server.guard import Guard
from escapade.server.limits import BOUNDS, Bounds
from escapade.server.logs import FORMS
from escapade.server.operating import Operator, operator, serving
from escapade.server.pruning import DEFAULT, Keep
from escapade.server.relay import CannotListen, Relay, read_relay
from escapade.server.seen import Seen
from escapade.server.store import CannotOpen, Store, shown
from escapade.server.stores import is_database, open_store
from escapade.server.supervision import Tasks, log, tell
from escapade.server.tables import Tables
from escapade.server.thinking import BUDGET, Budget

if TYPE_CHECKING:
    from escapade.server.postgres import Postgres

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
DRAINED = 30.0  # seconds in which tables go to other processes before the rest is closed
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


def configured(doors: Doors, log: str = "text") -> Config:
    """uvicorn's settings; `log` is the form of the log."""
    # A server that listens on :: sees IPv4 addresses written as IPv6 ones.
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in doors.proxies if one.version == 4]
    config = Config(
        "",
        http=Http,
        ws=Socket,
        log_config=FORMS[log],
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

    def __init__(self, config: uvicorn.Config, ending: Ending, also: AsyncExitStack) -> None:
        super().__init__(config)
        self.ending = ending
        self.also = also  # what ends with it: a signal that stops it ends the process right after `shutdown`

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; whoever waits for something long is refused, and tables go to other processes."""
        self.ending.begun.set()
        for server in self.servers:
            server.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ending.drained.wait(), DRAINED)
        await super().shutdown(sockets)
        await self.also.aclose()

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


class Settings(NamedTuple):
    """What the operator has decided."""

    host: str
    port: int | None
    store: str | Path
    names: Sequence[str] = ()
    proxies: Sequence[str] = ()
    processes: int = 2
    keep: Keep = DEFAULT
    bounds: Bounds = BOUNDS
    workers: int = 1
    relay: str | None = None
    browser: bool = False
    budget: Budget = BUDGET
    operated: Operator | None = None
    log: str = "text"


def operators_doors(at: Operator | None, count: int) -> list[socket.socket | None]:
    """The operator's sockets of so many processes, each on the port after that of the one before.

    They are made by whoever starts these, so that a process has the one of the process that it replaces.
    """
    if at and at.token is None and not is_local(at.host):
        raise CannotServe(f"--operate on {at.host} can be reached by others: it needs --operate-token FILE")
    return [listen(at.host, at.port and at.port + number) if at else None for number in range(count)]


def serve(settings: Settings) -> None:
    """Serve until Ctrl-C or a signal to stop."""
    if isinstance(settings.store, Path):
        try:
            settings.store.parent.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise CannotServe(f"{settings.store.parent}: {fault.strerror}") from None
    networks(settings.proxies)
    check_relay(settings)
    with listen(settings.host, settings.port) as door:
        if settings.workers == 1:
            beside = operators_doors(settings.operated, 1)
            serve_at(door, beside[0], settings, partial(announce, door, beside, settings))
        elif not is_database(settings.store):
            raise CannotServe("--workers needs a store that processes can share: --store postgresql://…")
        else:
            logging.config.dictConfig(FORMS[settings.log])
            asyncio.run(check_store(settings.store))
            beside = operators_doors(settings.operated, settings.workers + bool(settings.processes))
            alone = settings._replace(processes=0, browser=False)  # one process thinks for all, in one queue
            works = [partial(work, door, each, alone) for each in beside[: settings.workers]]
            if settings.processes:
                works.append(partial(think_as_one, beside[-1], settings))
            workers.supervise(works, partial(announce, door, beside, settings))


def check_relay(settings: Settings) -> None:
    """Say at once what cannot be meant by where other processes reach this one."""
    if settings.relay is None:
        return
    if not is_database(settings.store):
        raise CannotServe(f"--relay {settings.relay} is for several processes of a database: --store postgresql://…")
    try:
        _, port = read_relay(settings.relay)
    except CannotListen as fault:
        raise CannotServe(str(fault)) from None
    if port and settings.workers > 1:
        raise CannotServe(
            f"--relay {settings.relay}: each of the --workers needs a port of its own; say the host alone"
        )


async def check_store(where: str | Path) -> None:
    """Open a store and close it again: what is wrong with it is better told once than by each process."""
    await (await opened(where)).close()


def work(door: socket.socket, beside: socket.socket | None, settings: Settings, ready: Callable[[], None]) -> None:
    """Serve as one of several processes."""
    try:
        serve_at(door, beside, settings, ready)
    except CannotServe as fault:
        log.error("%s", fault)
        sys.exit(1)


def think_as_one(beside: socket.socket | None, settings: Settings, ready: Callable[[], None]) -> None:
    """Think as one of several processes."""
    try:
        think(settings, ready, beside)
    except CannotServe as fault:
        log.error("%s", fault)
        sys.exit(1)


def think_alone(settings: Settings) -> None:
    """Think for all processes of a store, as `escapade think`, and say so."""
    check_thinking(settings)
    [beside] = operators_doors(settings.operated, 1)
    told = ["Escapade thinks for other processes. Ctrl-C stops."]
    if beside:
        told.insert(0, f"Its operator's port is {url(*beside.getsockname()[:2])}/")
    think(settings, partial(print, "\n".join(told), flush=True), beside)


def check_thinking(settings: Settings) -> None:
    """Say at once what it cannot be that others share."""
    if not is_database(settings.store):
        raise CannotServe("thinking for other processes needs a store that they share: --store postgresql://…")
    check_relay(settings)


def think(settings: Settings, ready: Callable[[], None], beside: socket.socket | None) -> None:
    """Think for all processes of a store until Ctrl-C or a signal to stop."""
    logging.config.dictConfig(FORMS[settings.log])
    with suppress(KeyboardInterrupt):
        asyncio.run(think_on(settings, ready, beside))


async def think_on(settings: Settings, ready: Callable[[], None], beside: socket.socket | None) -> None:
    """Open the store, say that one is ready, and think."""
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    store = cast("Postgres", await opened(settings.store))
    async with AsyncExitStack() as also:
        try:
            state = await also.enter_async_context(thinking(store, settings.processes, settings.budget, settings.relay))
        except CannotListen as fault:
            raise CannotServe(str(fault)) from None
        if beside:
            await also.enter_async_context(serving(operated(state, settings), beside))
        ready()
        await ending.wait()


def operated(state: State, settings: Settings) -> Guard:
    """What the operator's port answers."""
    assert settings.operated
    return operator(state, answered(settings.operated.host, settings.names), settings.operated.token)


async def opened(where: str | Path) -> Store:
    """A store, or why it cannot be opened."""
    try:
        return await open_store(where)
    except CannotOpen as fault:
        raise CannotServe(str(fault)) from None


def serve_at(door: socket.socket, beside: socket.socket | None, settings: Settings, ready: Callable[[], None]) -> None:
    """Serve those who come to a socket, and the operator on another."""
    bounds = fitting(settings.bounds, raise_file_limit())
    config = configured(Doors(bounds, networks(settings.proxies)), settings.log)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(run(config, door, beside, settings, ready))


def announce(door: socket.socket, beside: Sequence[socket.socket | None], settings: Settings) -> None:
    """Print the address, and open the browser."""
    port = door.getsockname()[1]
    here = url(EVERYWHERE.get(settings.host, settings.host), port)
    kept = shown(str(settings.store)) if is_database(settings.store) else settings.store
    others = [f"Others reach it at {link}/" for link in links(settings.host, port)]
    others += [f"Its operator's port is {url(*each.getsockname()[:2])}/" for each in beside if each]
    print("\n".join([f"Escapade is at {here}/", *others, f"Games are kept in {kept}. Ctrl-C stops."]), flush=True)
    if settings.browser:
        threading.Thread(target=webbrowser.open, args=[here], daemon=True).start()


async def ready_once_loaded(tables: Tables, ready: Callable[[], None]) -> None:
    """Say that one is ready when the rules of every kind of game are loaded."""
    for one in tables.ready.values():
        await one.known.wait()
    ready()


async def open_door(relay: Relay | None, store: Store) -> None:
    """Open the door for other processes, or say why it cannot be."""
    if relay:
        try:
            await relay.open()
        except CannotListen as fault:
            await store.close()
            raise CannotServe(str(fault)) from None


async def run(
    config: Config,
    door: socket.socket,
    beside: socket.socket | None,
    settings: Settings,
    ready: Callable[[], None],
) -> None:
    """Open the store, say that one is ready, and serve."""
    began = time.monotonic()
    store = await opened(settings.store)
    ending, seen = Ending(), Seen()
    config.doors.tell = seen.refused
    app = config.app = create_app(
        store,
        processes=settings.processes,
        addresses=links(settings.host, door.getsockname()[1]),
        hosts=answered(settings.host, settings.names),
        bounds=config.doors.bounds,
        keep=settings.keep,
        ending=ending,
        relay=settings.relay,
        budget=settings.budget,
        seen=seen,
    )
    await open_door(app.state.relay, store)
    watch = Tasks()
    if settings.workers == 1:
        ready()
    else:  # another process may wait to be replaced by this one
        watch.start("being ready", ready_once_loaded, app.state.tables, ready)
    gc.set_threshold(700, 10, FULL_COLLECTIONS)
    watch.repeat("watching the connections", config.doors.sweep, EVERY)
    tell("start", version=escapade.__version__, port=door.getsockname()[1])
    async with AsyncExitStack() as also:
        also.callback(lambda: tell("stop", seconds=round(time.monotonic() - began, 1)))
        also.push_async_callback(watch.end)
        if beside:
            await also.enter_async_context(serving(operated(app.state, settings), beside))
        await Server(config, ending, also).serve(sockets=[door])
