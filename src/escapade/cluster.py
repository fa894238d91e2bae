"""Work shared over the machines of a Ray cluster (extra `cluster`). Ray is imported when one is joined.

Every machine has the same Escapade installed, and a task refuses to begin where it has not. What is to be done goes
into the cluster's store once; tasks carry no more than which pieces are theirs. Ray gives the tasks of a machine that
dies to others.
"""

import hashlib
import logging
import os
import pickle
import shutil
import socket
import tempfile
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import escapade

Done = TypeVar("Done")
Piece: TypeAlias = tuple[Any, ...]
Release: TypeAlias = tuple[str, str]  # a version and a hash of its files

SECONDS = 2.0  # of work in a task
AHEAD = 2  # tasks for each processor that are begun or about to be
KEPT = 32  # tasks for each processor that may wait for an earlier one to be told
RETRIES = 4  # for a task whose process or machine has died
PATIENCE = 30  # seconds without a processor until a cluster is given up
ANSWER = 5  # seconds in which a cluster answers
STARTS = 3  # of a cluster of our own that are tried
STORE = 128 << 20  # bytes of memory shared by the processes of a cluster of our own; the rest goes to the disk
SHORT = "/tmp"  # sockets have paths of 107 characters at most, so that a long folder for temporary files will not do
LATEST = "ray/ray_current_cluster"  # in that folder Ray notes the address of the cluster that `ray start` was last for
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"  # which Ray's servers answer with settings of theirs
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # or news of machines that died would stand among the results
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # without which Ray warns of what will change in it
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # under `uv run` every worker would set up an environment of its own
    "RAY_RUNTIME_ENV_IGNORE_GITIGNORE": "1",  # a bot's weights are often kept out of Git
    "RAY_task_oom_retries": str(RETRIES),  # Ray's own number is without end
}


class Unusable(Exception):
    """Why a cluster cannot be worked on, in one line."""


class Cluster:
    """A cluster that has been joined, of which all processors are used, or so many."""

    def __init__(self, ray: Any, most: int | None) -> None:
        self.ray, self.most, self.last_seen = ray, most, time.monotonic()

    def processors(self) -> int:
        """How many processors there are at the moment; after some time without any the cluster is given up."""
        found = int(self.ray.cluster_resources().get("CPU", 0))
        if found:
            self.last_seen = time.monotonic()
        elif time.monotonic() - self.last_seen > PATIENCE:
            raise Unusable("no machine of the cluster has a processor to work on")
        return found

    def in_order(self, work: Callable[..., Done], pieces: Iterable[Piece]) -> Generator[Done, None, None]:
        """Yield the results of all pieces in their order; a task is as many of them as take some seconds."""
        ray, left, size = self.ray, iter(pieces), 1
        begin = ray.remote(num_cpus=1, max_retries=RETRIES)(unbound())
        sent = ray.put((installed(), ray.cloudpickle.dumps(work)))
        untold: deque[Any] = deque()  # tasks in their order
        working: set[Any] = set()  # those of them that are not done
        try:
            while True:
                processors = self.processors()
                while len(working) < (self.most or AHEAD * processors) and len(untold) < KEPT * processors:
                    if not (some := list(islice(left, size))):
                        break
                    untold.append(begin.remote(sent, some))
                    working.add(untold[-1])
                if processors and not untold:
                    return
                working.difference_update(self.ready(list(working)))
                while untold and untold[0] not in working:
                    while not self.ready([untold[0]]):  # its machine died with the results, and they are made again
                        self.processors()
                    results, count, seconds = self.get(untold.popleft())
                    size = fitting(count, seconds)
                    yield from results
        finally:
            for task in working:
                ray.cancel(task, force=True)

    def ready(self, some: list[Any]) -> list[Any]:
        """One of some tasks, as soon as its results are here; none, if that takes more than a second."""
        if not some:
            time.sleep(1)
            return []
        here: list[Any] = self.ray.wait(some, timeout=1)[0]
        return here

    def get(self, task: Any) -> Any:
        """What a task has found; if it failed, as it failed."""
        faults = self.ray.exceptions
        try:
            return self.ray.get(task)
        except faults.RayTaskError as fault:
            if isinstance(fault.cause, ImportError):
                raise Unusable(str(fault.cause)) from fault
            raise fault.cause from fault
        except faults.RayError as fault:
            raise Unusable(f"a task was given up: {in_one_line(fault)}") from fault


Workers: TypeAlias = int | Cluster  # so many processes of this machine, or a cluster


def fitting(count: int, seconds: float) -> int:
    """How many pieces the next task has, when so many took so long; at most twice as many, as the first mislead."""
    return max(1, min(2 * count, round(SECONDS * count / max(seconds, 0.001))))


def unbound() -> Callable[[tuple[Release, bytes], Sequence[Piece]], Any]:
    """What begins a task. It is sent as it is, not by name, so that it can tell where Escapade is missing."""

    def begin(sent: tuple[Release, bytes], pieces: Sequence[Piece]) -> Any:
        try:
            from escapade.cluster import work_on
        except ImportError as fault:
            import socket

            raise ImportError(f"escapade {sent[0][0]} is not installed on {socket.gethostname()}: {fault}") from None
        return work_on(sent, pieces)

    return begin


def work_on(sent: tuple[Release, bytes], pieces: Sequence[Piece]) -> tuple[list[Any], int, float]:
    """Do a task, on one of the cluster's machines: the results, and how many pieces took how many seconds."""
    (version, files), work = sent
    if (version, files) != installed():
        theirs = installed()[0] if installed()[0] != version else f"{version} of other sources"
        raise ImportError(f"escapade {theirs} is installed on {socket.gethostname()}, and {version} here")
    began = time.perf_counter()
    do = pickle.loads(work)
    results = [do(*piece) for piece in pieces]
    return results, len(pieces), time.perf_counter() - began


@cache
def installed() -> Release:
    """The version that is installed here, and a hash of its programs and weights: all that results depend on."""
    package, files = Path(__file__).parent, hashlib.sha256()
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.npz")]):
        files.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return escapade.__version__, files.hexdigest()


@contextmanager
def join(address: str = "", most: int | None = None, folder: Path | None = None) -> Iterator[Cluster]:
    """Join the cluster at an address; without one that of RAY_ADDRESS or of this machine, or else start one here.

    The address `local` starts one in any case; it ends with this context. So many processors are used, or all. All
    machines get the files of a folder, and work in it.
    """
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise Unusable('a cluster needs Ray: pip install "escapade[cluster]"') from None
    address = find(address or os.environ.get("RAY_ADDRESS", ""))
    files = {"working_dir": str(folder), "excludes": ["*.esc"]} if folder else None
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL, "runtime_env": files}
    own = tempfile.mkdtemp(dir=SHORT if Path(SHORT).is_dir() else None) if address == "local" else None
    if own:
        settings |= {"num_cpus": most, "num_gpus": 0, "include_dashboard": False, "object_store_memory": STORE}
        settings |= {"_temp_dir": own, "_node_ip_address": "127.0.0.1"}
    try:
        begin(ray, address, settings, STARTS if own else 1)
        yield Cluster(ray, None if own else most)
    finally:
        ray.shutdown()
        if own:
            shutil.rmtree(own, ignore_errors=True)


def begin(ray: Any, address: str, settings: dict[str, Any], tries: int) -> None:
    """Join or start a cluster. It is tried more than once, as a node whose parts are slow to start dies."""
    for left in reversed(range(tries)):
        try:
            ray.init(address, **settings)
            return
        except Exception as fault:  # of many kinds
            if not left:
                raise Unusable(f"the Ray cluster at {address}: {in_one_line(fault)}") from fault


def find(address: str) -> str:
    """The address of the cluster to join, or `local`."""
    if address == "local":
        return address
    if address in ("", "auto"):
        return latest() or "local"
    if not answers(address):
        raise Unusable(f"no Ray cluster answers at {address}")
    return address


def answers(address: str) -> bool:
    """Whether a server of Ray's kind is there; one that speaks TLS is taken at its word."""
    try:
        place = urlsplit(address if "//" in address else f"//{address}")
        with socket.create_connection((place.hostname or "", place.port or 0), ANSWER) as line:
            line.sendall(HELLO)
            return line.recv(9)[3:4] == HELLO[-6:-5] or os.environ.get("RAY_USE_TLS") == "1"
    except (OSError, ValueError):
        return False


def latest() -> str:
    """The address of the cluster that this machine is part of, if it still answers."""
    said = os.environ.get("RAY_TMPDIR")
    notes = (Path(folder, LATEST) for folder in ([said] if said else [tempfile.gettempdir(), SHORT]))
    found = next((note.read_text().strip() for note in notes if note.is_file()), "")
    return found if found and answers(found) else ""


def in_one_line(fault: Exception) -> str:
    """What Ray says in many lines."""
    return " ".join(str(fault).split())
