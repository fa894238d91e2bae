"""A PostgreSQL of the tests' own: in a temporary folder, on a free port of 127.0.0.1, gone without a trace."""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

WAIT = 60.0  # seconds until it has to be there; recovery after a kill included
# Waits until whoever has started it closes the pipe, or is gone, and leaves nothing behind.
GUARD = """
cat
pid=$(head -n 1 "$0/data/postmaster.pid") && kill -QUIT "$pid"
for i in $(seq 100); do [ "$pid" ] && kill -0 "$pid" && sleep 0.1; done
umount --lazy "$0/data"
rm -rf "$0"
"""
MODES = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL that Debian has installed, else of the one in PATH; None: there is none."""
    debian = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if debian:
        return max(debian, key=lambda path: int(path.parent.name))
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


def free_port() -> int:
    """A port below those that the system gives to outgoing connections, so that none takes it during a restart."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as door, suppress(OSError):
            door.bind(("127.0.0.1", port))
            return port


def owner() -> pwd.struct_passwd:
    """Who runs it: PostgreSQL refuses to be run by root."""
    if os.getuid():
        return pwd.getpwuid(os.getuid())
    with suppress(KeyError):
        return pwd.getpwnam("postgres")
    return pwd.getpwnam("nobody")


class Postgres:
    """A cluster, running from the start.

    `durable=False` leaves out fsync, for tests that do not break it. `room`: its data are on a file system of so many
    megabytes, which only root can make.
    """

    def __init__(self, durable: bool = True, room: int = 0) -> None:
        found = binaries()
        assert found, "PostgreSQL is not installed: apt-get install postgresql"
        self.programs, self.room, self.port, self.user = found, room, free_port(), owner()
        self.folder = Path(tempfile.mkdtemp(prefix="escapade-", dir="/tmp"))  # the path of a socket must be short
        self.guard = subprocess.Popen(
            ["sh", "-c", GUARD, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.data, self.log = self.folder / "data", self.folder / "log"
        self.data.mkdir()
        if room:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}m", "tmpfs", self.data], check=True)
        for path in (self.folder, self.data):
            os.chown(path, self.user.pw_uid, self.user.pw_gid)
        how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=1"]
        made = self.spawn("initdb", "-D", str(self.data), *how)
        assert made.wait() == 0, self.log.read_text()
        (self.data / "pg_hba.conf").write_text("local all all trust\nhost all all 127.0.0.1/32 trust\n")
        settings: dict[str, object] = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
        }
        if not durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self.start()

    def spawn(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Run one of its programs as its owner."""
        root = not os.getuid()
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [self.programs / program, *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=self.user.pw_uid if root else None,
                group=self.user.pw_gid if root else None,
                extra_groups=[] if root else None,
            )

    def start(self) -> None:
        """Start, and wait until it answers. After a kill it refuses to as long as one of its processes is left."""
        end = time.monotonic() + WAIT
        self.process = self.spawn("postgres", "-D", str(self.data))
        while not self.ready():
            assert time.monotonic() < end, self.log.read_text()[-3000:]
            time.sleep(0.05)
            if self.process.poll() is not None:
                self.process = self.spawn("postgres", "-D", str(self.data))

    def ready(self) -> bool:
        """Whether it takes connections, by what it notes in its own file."""
        if self.process.poll() is not None:
            return False
        with suppress(FileNotFoundError):
            noted = (self.data / "postmaster.pid").read_text().splitlines()
            return len(noted) > 7 and int(noted[0]) == self.process.pid and noted[7].strip() == "ready"
        return False

    def stop(self, mode: str = "fast") -> None:
        """End it: `smart` when all have gone, `fast` with rollbacks, `immediate` with a recovery at the next start."""
        self.process.send_signal(MODES[mode])
        try:
            self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def restart(self, mode: str = "fast") -> None:
        """End it, and start it again on the same port."""
        self.stop(mode)
        self.start()

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()

    def sql(self, query: str, database: str = "postgres") -> list[str]:
        """The rows of the answer, values separated by |."""
        url = f"postgresql://postgres@127.0.0.1:{self.port}/{database}"
        asked = [str(self.programs / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", query, url]
        return subprocess.run(asked, capture_output=True, text=True, check=True, timeout=WAIT).stdout.splitlines()

    def database(self, name: str) -> str:
        """A new, empty database; returns its URL."""
        self.sql(f'drop database if exists "{name}" with (force)')
        self.sql(f'create database "{name}"')
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def close(self) -> None:
        """End it, and delete everything."""
        if self.process.poll() is None:
            self.stop("immediate")
        self.guard.communicate()
