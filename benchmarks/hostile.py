"""What hostile visitors can do to the others: a canary plays a quiet table before and during each attack.

python benchmarks/hostile.py                            # every attack at full size, some ten minutes
python benchmarks/hostile.py --only hints --scale 0.2   # one of them, with a fifth of everything

A server of its own for each attack, on the loopback, with its default settings; every attack is bounded in count and
time. The canary has another address than the attackers, as it would on the internet. Its pings are measured, and how
long a sailor takes for a whole turn; nobody undoes there, so two seconds of that are the server's patience for an undo.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

sys.path.pop(0)  # this folder, whose hostile.py is another one
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from hostile import attacks
from hostile.attacks import Seen
from hostile.canary import Canary, Figures
from hostile.wire import Visitor, mine, sockets_of

ATTACKER, OTHER, CANARY = "127.0.0.66", "127.0.0.67", "127.0.0.2"
LAUNCHER = Path(__file__).parent.parent / "tests" / "hostile" / "launcher.py"
FILES = 1024  # that a process may open where nobody has raised the limit


class Scene:
    """A server, those who attack it, and how much of everything they do."""

    def __init__(self, folder: Path, scale: float, seconds: float, files: int | None) -> None:
        self.folder, self.scale, self.seconds, self.files = folder, scale, seconds, files
        self.log = folder / "log"
        self.start(0)
        self.visitor, self.other = Visitor(self.port, ATTACKER), Visitor(self.port, OTHER)

    def start(self, port: int) -> None:
        """Start the server, and wait until it tells its address."""
        program = [str(LAUNCHER), str(self.folder / "world.json")]
        (self.folder / "world.json").write_text(f'{{"files": {self.files}}}' if self.files else "{}")
        options = ["--no-browser", "--port", str(port), "--store", str(self.folder / "games.db")]
        with self.log.open("ab") as log:
            began = self.log.stat().st_size
            self.server = subprocess.Popen([sys.executable, *program, *options], stdout=log, stderr=log)
        while b" stops." not in self.log.read_bytes()[began:]:
            assert self.server.poll() is None, self.log.read_text()
            time.sleep(0.05)
        told = self.log.read_bytes()[began:].decode()
        self.port = int(told.split()[3].rstrip("/").rsplit(":", 1)[1])

    def restart(self) -> None:
        """End the server as a power cut does, and start it again."""
        self.server.kill()
        self.server.wait()
        self.start(self.port)

    def some(self, count: int) -> int:
        """A count at the scale that was asked for."""
        return max(1, round(count * self.scale))

    def wait(self) -> None:
        """Let the canary feel it for a while."""
        time.sleep(self.seconds)

    def end(self) -> None:
        """Close everything."""
        self.visitor.opened.close()
        self.other.opened.close()
        self.server.terminate()
        self.server.wait()


def silence(scene: Scene) -> Seen:
    """H3: 1,100 connections that say nothing, where 1,024 files may be open."""
    ways = attacks.stay_silent(scene.visitor, scene.some(1100), [b""])
    scene.wait()
    return Seen({"opened": len(ways), "still open": attacks.still_open(ways)})


def halves(scene: Scene) -> Seen:
    """H3: 800 half requests."""
    ways = attacks.stay_silent(scene.visitor, scene.some(800), attacks.HALVES[1:])
    scene.wait()
    return Seen({"opened": len(ways), "still open": attacks.still_open(ways)})


def legends(scene: Scene) -> Seen:
    """H4: 200 tables of four legends and a clock of 5 s, with nobody connected."""
    seen, _ = attacks.open_legends(scene.visitor, scene.some(200))
    scene.wait()
    return seen


def hints(scene: Scene) -> Seen:
    """H4: 500 tabs that ask for hints, again and again."""
    return attacks.ask_hints(scene.visitor, scene.some(500), scene.seconds)


def abandoned(scene: Scene) -> Seen:
    """H4: 160 questions for hints, and nobody who waits for the answers."""
    seen = attacks.abandon_hints(scene.visitor, scene.some(160))
    scene.wait()
    return seen


def records(scene: Scene) -> Seen:
    """H4: 200 pasted records of 490 KB at once."""
    record = attacks.long_record(scene.other, 490_000)
    answers = attacks.paste_records(scene.visitor, record, scene.some(200))
    scene.wait()
    return answers(0.0)


def undos(scene: Scene) -> Seen:
    """H2: 3,245 actions and undos at one table, which is then listed and replayed."""
    table, _, seen = attacks.take_back(scene.visitor, scene.some(3245), 90.0)
    scene.other.asked.get(f"/api/tables?id={table}")
    scene.other.asked.get(f"/api/tables/{table}/replay")
    return seen


def watchers(scene: Scene) -> Seen:
    """M1: 80 watchers at a table; its host comes back."""
    table, key = scene.other.made("jamaica", mine(), {})
    seen, _ = attacks.watch(scene.visitor, table, scene.some(80))
    seen[f"host: {scene.other.come(table, key).shown['type']}"] += 1
    return seen


def hellos(scene: Scene) -> Seen:
    """M2: bursts of 7 watchers' 38 hellos each."""
    table, key = scene.other.made("jamaica", mine(), {})
    player, seen = scene.other.come(table, key), Seen()
    for _ in range(scene.some(10)):
        attacks.greet(scene.visitor, table, 7)
        time.sleep(0.5)
        player.send("ping")
        while (kind := player.hear()["type"]) != "pong":
            seen[f"{kind} to the player"] += 1
    return seen


def deaf(scene: Scene) -> Seen:
    """M3: 40 sockets that ask for a long table and never read."""
    table, sockets, held = attacks.talk(scene.other), scene.some(40), sockets_of(scene.server.pid)
    attacks.never_read(scene.visitor, table, sockets, 60.0, lambda: sockets_of(scene.server.pid) <= held)
    return Seen({"opened": sockets, "still open": max(0, sockets_of(scene.server.pid) - held)})


def pings(scene: Scene) -> Seen:
    """M4: 4 sockets that send pings for ten seconds and never read."""
    return attacks.ping_unread(scene.visitor, 4, scene.some(400_000_000), 10.0)


def garbage(scene: Scene) -> Seen:
    """Log: 3,000 requests that are none, and as many frames of broken UTF-8."""
    attacks.send_garbage(scene.visitor, scene.some(3000))
    attacks.break_utf8(scene.other, scene.some(3000))
    return Seen({"Traceback": scene.log.read_text().count("Traceback")})


def forged(scene: Scene) -> Seen:
    """M6: 1,500 questions, each in the name of another address."""
    return attacks.status_of(
        scene.visitor, scene.some(1500), lambda n: {"X-Forwarded-For": f"10.0.{n // 250}.{n % 250}"}
    )


ATTACKS: dict[str, Callable[[Scene], Seen]] = {
    attack.__name__: attack
    for attack in (
        silence, halves, legends, hints, abandoned, records, undos, watchers, hellos, deaf, pings, garbage, forged,
    )
}  # fmt: skip
LIMITED = {"silence": FILES}
RESTARTED = {"legends", "undos"}  # which are felt again after a restart


class Row(NamedTuple):
    """What one attack did."""

    attack: str
    quiet: Figures
    during: Figures
    seen: Seen
    memory: float
    cpu: float
    log: int

    def text(self) -> str:
        """A row of the table."""
        pings = [f"{1000 * one.p50:.1f} / {1000 * one.p99:.0f}" for one in (self.quiet, self.during)]
        sailor = [f"{one.sailor:.1f}" for one in (self.quiet, self.during)]
        seen = ", ".join(f"{count:,} {what}" for what, count in sorted(self.seen.items()) if count)
        if self.during.faults:
            seen += f"; the canary was disturbed {len(self.during.faults)} times"
        cells = [self.attack, *pings, *sailor, seen, f"{self.memory:+.0f}", f"{self.cpu:.0%}", f"{self.log / 1000:.1f}"]
        return "| " + " | ".join(cells) + " |"


HEAD = [
    "attack", "ping before, p50/p99 ms", "during", "sailor before, s", "during", "seen", "memory, MB", "CPU", "log, KB",
]  # fmt: skip


def memory(process: int) -> float:
    """Resident memory of a process in megabytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def busy(process: int) -> float:
    """CPU seconds that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def playing(port: int) -> Iterator[Canary]:
    """A canary at a server."""
    bird = Canary(port, CANARY, hurried=False)
    try:
        yield bird
    finally:
        bird.end()


def measured(name: str, scale: float, seconds: float) -> Iterator[Row]:
    """One attack on a server of its own, and where that tells something, a restart after it."""
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), scale, seconds, LIMITED.get(name))
        try:
            with playing(scene.port) as bird:
                quiet = bird.quiet(turns=5)
                yield felt(scene, name, bird, quiet, ATTACKS[name])
            if name in RESTARTED:
                scene.restart()
                with playing(scene.port) as bird:
                    bird.quiet(turns=1)
                    yield felt(scene, f"{name}, after a restart", bird, quiet, restarted)
        finally:
            scene.end()


def restarted(scene: Scene) -> Seen:
    """Nothing more is done."""
    scene.wait()
    return Seen()


def felt(scene: Scene, name: str, bird: Canary, quiet: Figures, attack: Callable[[Scene], Seen]) -> Row:
    """Attack, and see what the canary and the server felt."""
    process = scene.server.pid
    since, before, computed, written = time.monotonic(), memory(process), busy(process), scene.log.stat().st_size
    seen = Counter(attack(scene))
    time.sleep(max(0.0, since + scene.seconds - time.monotonic()))
    lasted = time.monotonic() - since
    figures = bird.during(since)
    cpu, log = (busy(process) - computed) / lasted, scene.log.stat().st_size - written
    return Row(name, quiet, figures, seen, memory(process) - before, cpu, log)


@click.command(help=__doc__)
@click.option("--only", multiple=True, type=click.Choice(list(ATTACKS)), help="Some attacks instead of all.")
@click.option("--scale", default=1.0, show_default=True, help="How much of every count.")
@click.option("--seconds", default=20.0, show_default=True, help="How long the canary is watched, at least.")
def main(only: tuple[str, ...], scale: float, seconds: float) -> None:
    """Attack, and print the table."""
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD), flush=True)
    for name in only or ATTACKS:
        for row in measured(name, scale, seconds):
            print(row.text(), flush=True)


if __name__ == "__main__":
    main()
