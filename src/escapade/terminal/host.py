"""A server of one's own, in a process beside the terminal: it keeps nothing, and ends when the terminal does."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from escapade.terminal.link import Link, Trouble

ADDRESS = "Escapade is at "


class Host:
    """A private server from entering to leaving."""

    def __enter__(self) -> Self:
        self.folder = tempfile.TemporaryDirectory(prefix="escapade-", ignore_cleanup_errors=True)
        with Path(self.folder.name, "log").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "escapade.terminal.host", self.folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        return self

    def link(self) -> Link:
        """Where it is, once it is up."""
        assert self.process.stdout
        line = self.process.stdout.readline().decode()
        if not line.startswith(ADDRESS):
            told = Path(self.folder.name, "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise Trouble(f"no server could be started here: {told[-1] if told else 'it ended at once'}")
        return Link(line.removeprefix(ADDRESS).strip().rstrip("/"))

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()


def end_with_terminal() -> None:
    """Stop when nobody holds the other end of our input: a terminal that is closed cannot say so."""
    with suppress(OSError):
        sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGINT)


def main() -> None:
    """Serve this machine alone, from a store that is deleted afterwards."""
    from escapade.server import serve
    from escapade.server.pruning import Keep

    threading.Thread(target=end_with_terminal, daemon=True).start()
    try:
        serve.serve(serve.Settings("127.0.0.1", 0, Path(sys.argv[1], "games.db"), processes=1, keep=Keep(0, 0)))
    finally:
        shutil.rmtree(sys.argv[1], ignore_errors=True)


if __name__ == "__main__":
    main()
