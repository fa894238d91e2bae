"""Does anything acknowledged get lost when servers are killed and PostgreSQL breaks? Games go on all the while.

python benchmarks/breaking.py --seconds 600 --seed 1     # some 170 kills; run it with several seeds, and add up
python benchmarks/breaking.py --sqlite                   # one server on SQLite, which can only be killed

Three servers on one PostgreSQL, all on this machine; every few seconds a server is killed (kill -9) and started again,
or stopped for longer than its lease; every quarter of a minute PostgreSQL is restarted, killed, its connections are
ended, its disk is filled (as root, which can make a small disk), or the way between it and a server is stalled or cut.
Scripted players reconnect anywhere and go on. A checker that knows nothing of the server's code compares what each of
them was told with what the store has at the end.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

import click

sys.path.pop(0)  # this folder, whose breaking.py is another one
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from postgres import Postgres
from server.breaking import Plan, run


@click.command()
@click.option("--seconds", default=600.0, show_default=True, help="How long things break.")
@click.option("--tables", default=200, show_default=True, help="Tables of two people at a time.")
@click.option("--servers", default=3, show_default=True, help="Servers on one PostgreSQL.")
@click.option("--think", default=2.0, show_default=True, help="Seconds that a player thinks.")
@click.option("--every", default=3.0, show_default=True, help="Seconds from one strike at a server to the next.")
@click.option("--store-every", default=15.0, show_default=True, help="The same at PostgreSQL, and the ways to it.")
@click.option("--seed", default=1, show_default=True, help="Of everything that is done by chance.")
@click.option("--sqlite", is_flag=True, help="One server on SQLite.")
@click.option("--keep", type=click.Path(path_type=Path), help="Where to put the servers' log.")
def main(
    seconds: float,
    tables: int,
    servers: int,
    think: float,
    every: float,
    store_every: float,
    seed: int,
    sqlite: bool,
    keep: Path | None,
) -> None:
    """Play, break, check, print."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # leaving nothing behind
    postgres = None if sqlite else cluster()
    with tempfile.TemporaryDirectory() as folder:
        try:
            plan = Plan(seed, tables, seconds, think, every, store_every, servers)
            ran = asyncio.run(run(Path(folder), postgres, plan))
        finally:
            if postgres:
                postgres.close()
            if keep:
                shutil.copy(Path(folder, "servers.log"), keep)
    for name, figure in ran.figures.items():
        print(f"{name}: {figure:,}")
    print(f"faults: {len(ran.faults)}")
    for _, faults in groupby(sorted(ran.faults), key=lambda fault: fault.split(":")[0]):
        print("\n".join(list(faults)[:10]))
    sys.exit(bool(ran.faults))


def cluster() -> Postgres:
    """A PostgreSQL on a disk so small that it can be filled, where we may make one."""
    if not os.getuid():
        try:
            return Postgres(room=400)
        except subprocess.CalledProcessError:
            pass
    print("no disk of its own can be made here, which takes root: the disk is never full")
    return Postgres()


if __name__ == "__main__":
    main()
