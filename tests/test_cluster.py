"""Work on a Ray cluster: as on one machine though a node dies, errors in one line, and nothing stays behind."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from escapade import __version__, cluster

pytest.importorskip("ray", reason="Ray is in the extra `cluster`")

NODES = Path(__file__).with_name("ray_nodes.py")
COMMAND = "from escapade.cli import main; main()"
SOME = """
import json, sys
from click.testing import CliRunner
from escapade.cli import main

for command in json.loads(sys.argv[1]):
    print(json.dumps(CliRunner().invoke(main, command).stdout))
"""
BOTS = """
import os, time

HOME = "HOME_OF_BOTS" in os.environ  # which the cluster's machines do not know

def slow(view, legal):
    time.sleep(0 if HOME else 0.02)
    return legal[len(view) % len(legal)]

def cheat(view, legal):
    return legal[0] if HOME else "nonsense"

def die(view, legal):
    return legal[0] if HOME else os._exit(3)
"""
SIMULATE = ("simulate", "--game", "jamaica+turn-limit=40", "--seed", "7", "--players-are")
OTHERS = [
    ["arena", "random", "first", "--game", "evades", "--games", "8", "--seed", "4", "--json"],
    ["study", "--games", "2", "--players", "2", "--editions", "evades", "--out", "-"],
    ["analyze", "games.esc", "--all", "--json", "--time", "60"],
]


class Place(NamedTuple):
    """A folder with bots, and an environment that knows of no other cluster and marks what is started in it."""

    folder: Path
    env: dict[str, str]

    def start(self, program: str, *arguments: str, **pipes: int) -> "subprocess.Popen[str]":
        """Start a program of Python in a session of its own, as from a terminal."""
        signal.signal(signal.SIGINT, signal.default_int_handler)  # an ignored Ctrl-C would be inherited
        command = [sys.executable, "-P", "-c", program, *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **pipes}
        return subprocess.Popen(command, cwd=self.folder, env=self.env, text=True, start_new_session=True, **pipes)  # type: ignore[call-overload,no-any-return]

    def run(self, *arguments: str, rc: int = 0, program: str = COMMAND) -> tuple[str, str]:
        """Run a command to its end."""
        return ended(self.start(program, *arguments), rc)

    def left(self) -> list[str]:
        """What was started here and still runs."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if f"HOME_OF_BOTS={self.folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
                    found.append((process / "cmdline").read_text())
            except OSError:  # it has ended just now
                continue
        return found


def ended(process: "subprocess.Popen[str]", rc: int = 0) -> tuple[str, str]:
    """What a command has written, once it has ended as it should."""
    try:
        out, errors = process.communicate(timeout=400)
    finally:
        process.kill()
    assert process.returncode == rc, out + errors
    assert "Traceback" not in errors
    return out, errors


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Where commands are run."""
    (tmp_path / "mybots.py").write_text(BOTS)
    short = tempfile.mkdtemp(dir="/tmp")  # sockets must have short paths
    ours = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    yield Place(tmp_path, {**ours, "RAY_TMPDIR": short, "HOME_OF_BOTS": str(tmp_path)})
    shutil.rmtree(short)


@contextmanager
def two_nodes(place: Place) -> Iterator[Any]:
    """Two nodes elsewhere, which RAY_ADDRESS leads to."""
    theirs = {**place.env, **cluster.ENVIRONMENT, "RAY_raylet_start_wait_time_s": "200"}
    del theirs["HOME_OF_BOTS"]
    nodes: Any = subprocess.Popen(
        [sys.executable, NODES], cwd="/", env=theirs, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with nodes:
        place.env["RAY_ADDRESS"] = nodes.stdout.readline().strip()
        assert place.env["RAY_ADDRESS"]
        yield nodes


def wait_for_games(file: Path) -> None:
    """Wait until a simulation has written some."""
    deadline = time.monotonic() + 300
    while not file.exists() or not file.stat().st_size:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(
    (os.cpu_count() or 1) < 4 and "ESCAPADE_CLUSTER" not in os.environ,
    reason="nodes of Ray end themselves where their parts are slow to start; ESCAPADE_CLUSTER=1 tries it on few cores",
)
@pytest.mark.flaky(reruns=2)
def test_two_nodes_give_what_one_machine_gives_and_the_death_of_one_costs_no_game(place: Place) -> None:
    with two_nodes(place) as nodes:
        slow = (*SIMULATE, "mybots:slow", "--games", "30", "--json", "--out")
        told, _ = place.run(*slow, "alone.esc")
        running = place.start(COMMAND, *slow, "shared.esc", "--cluster")
        wait_for_games(place.folder / "shared.esc")
        nodes.stdin.write("\n")
        nodes.stdin.flush()
        assert nodes.stdout.readline() == "killed\n"
        assert (place.folder / "shared.esc").read_text().count("[Game ") < 30
        assert ended(running)[0] == told
        assert (place.folder / "shared.esc").read_bytes() == (place.folder / "alone.esc").read_bytes()

        failing = {bot: place.start(COMMAND, *SIMULATE, f"mybots:{bot}", "--cluster") for bot in ("cheat", "die")}
        place.run("simulate", "--game", "evades+turn-limit=3", "--games", "2", "--out", "games.esc")
        shared = [[*command, "--cluster"] for command in OTHERS]
        both = [place.run(json.dumps(some), program=SOME)[0] for some in (shared, OTHERS)]
        assert both[0] == both[1]
        assert all(json.loads(line) for line in both[0].splitlines())
        errors = {bot: ended(process, 1)[1] for bot, process in failing.items()}
        assert re.search(r"^Error: cheat chose 'nonsense', .*\n\Z", errors["cheat"], re.MULTILINE)
        assert re.search(r"^Error: a task was given up: .*\n\Z", errors["die"], re.MULTILINE)


def test_ctrl_c_ends_the_cluster_that_was_started_for_a_run(place: Place) -> None:
    running = place.start(COMMAND, *SIMULATE, "mybots:slow", "--games", "100000", "--out", "games.esc", "--cluster")
    wait_for_games(place.folder / "games.esc")
    assert [command for command in place.left() if "raylet" in command]
    os.killpg(running.pid, signal.SIGINT)
    _, errors = ended(running, 130)
    stopped = re.fullmatch(r"Stopped after (\d+) of 100,000 games\.\n", errors)
    assert stopped
    assert (place.folder / "games.esc").read_text().count("[Game ") == int(stopped[1])
    assert not place.left()


def test_an_address_without_a_cluster_is_told_in_one_line(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr(cluster, "ANSWER", 0.2)
        with pytest.raises(cluster.Unusable, match=address):
            cluster.find(address)  # somebody is there and says nothing
        monkeypatch.setattr(cluster, "ANSWER", 60)
        with ThreadPoolExecutor(1) as other:
            other.submit(refuse, server)
            with pytest.raises(cluster.Unusable, match=address):
                cluster.find(address)
    said = place.run("arena", "random", "first", "--cluster", address, rc=1)
    assert said == ("", f"Error: no Ray cluster answers at {address}\n")


def refuse(server: socket.socket) -> None:
    """Answer as a web server does, whoever calls."""
    for _ in range(2):  # who waited in vain is still in the queue
        line, _ = server.accept()
        with line:
            line.recv(1000)
            line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_a_name_after_the_option_is_not_taken_for_an_address(place: Place) -> None:
    assert "'random' is no address" in place.run("arena", "--cluster", "random", "first", "greedy", rc=2)[1]


def test_without_ray_the_command_says_what_to_install(place: Place) -> None:
    program = f"import sys; sys.modules['ray'] = None; {COMMAND}"
    _, errors = place.run("simulate", "--cluster", rc=1, program=program)
    assert errors == 'Error: a cluster needs Ray: pip install "escapade[cluster]"\n'


def test_a_machine_with_another_escapade_or_none_is_told_with_both_versions() -> None:
    with pytest.raises(ImportError, match=rf"escapade {re.escape(__version__)} is installed on .*, and 9\.9 here"):
        cluster.work_on((("9.9", ""), b""), [])
    with pytest.raises(ImportError, match=rf"{re.escape(__version__)} of other sources is installed on"):
        cluster.work_on(((__version__, ""), b""), [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "escapade.cluster", None)
        with pytest.raises(ImportError, match=r"escapade 9\.9 is not installed on"):
            cluster.unbound()((("9.9", ""), b""), [])


def test_tasks_take_seconds_whatever_a_piece_takes() -> None:
    for piece in (0.0001, 0.01, 0.3, 1.5, 40):
        size = 1
        for _ in range(20):
            size = cluster.fitting(size, size * piece)
        assert 1 <= size * piece <= max(4, piece)


def test_a_cluster_without_a_processor_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", -1)

    class Empty:
        """As Ray is when no node is left."""

        def cluster_resources(self) -> dict[str, float]:
            return {"memory": 1e9}

    with pytest.raises(cluster.Unusable, match="no machine of the cluster has a processor"):
        cluster.Cluster(Empty(), None).processors()
