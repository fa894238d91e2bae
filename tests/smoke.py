"""Play with an installed Escapade, with nothing at hand but what its wheel brings: `python smoke.py`.

The release workflow runs it on every system and Python before anything is published, test_project.py on this one.
"""

import json
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from importlib.metadata import version
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

import escapade

PROGRAM = Path(sysconfig.get_path("scripts"), "escapade")  # what `uvx escapade` starts
TABLE = {
    "game": "jamaica",
    "seats": [{"colour": 0, "name": "Anne", "mine": True}, {"colour": 1, "name": "Bot", "bot": "sailor"}],
    "first": 0,
    "pace": 0,
}


def main() -> None:
    """Play by the library, by a command and at a table."""
    play_in_python()
    told = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True, timeout=120)
    assert told.stdout.split()[-1] == version("escapade") == escapade.__version__, told.stdout
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        serve(Path(folder, "games.db"))
    print(f"escapade {escapade.__version__} of {Path(escapade.__file__).parent} plays on {sys.platform}, {sys.version}")


def play_in_python() -> None:
    """The first game to its end, and a value, which needs the weights."""
    game = escapade.new("evades", players=2, seed=7)
    assert abs(sum(escapade.value(game.view(1))) - 1) < 1e-6
    while not game.over:
        game.play(game.legal_actions()[0])
    assert escapade.from_record(game.record()) == game


def serve(store: Path) -> None:
    """Start the server as a player does, look at its pages, and play a turn against a bot."""
    command = [str(PROGRAM), "--no-browser", "--port", "0", "--store", str(store)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = next(word for line in server.stdout for word in line.split() if word.startswith("http://")).rstrip("/")
        assert b"<title>Escapade" in ask(url)
        assert ask(f"{url}/client/rules/cartagena.fr.md")
        made = json.loads(ask(f"{url}/api/tables", TABLE))
        play_a_turn(url.replace("http", "ws"), made["table"], made["key"])
    finally:
        server.terminate()
        server.wait()


def ask(url: str, body: Any = None) -> bytes:
    """Ask over HTTP."""
    asked = urllib.request.Request(url, body and json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=120) as answer:
        told: bytes = answer.read()
    return told


def play_a_turn(url: str, table: str, key: str) -> None:
    """Play the first legal actions until the bot has had its turn."""
    with connect(f"{url}/ws") as socket:
        socket.send(json.dumps({"type": "hello", "table": table, "key": key}))
        turn = 1
        while turn < 3:
            told = json.loads(socket.recv(120))
            if told["type"] in ("table", "moved"):
                turn, legal = told["state"]["turn"], told["state"]["legal"]
                if turn == 1 and legal:
                    socket.send(json.dumps({"type": "play", "version": told["version"], "action": legal[0]}))


if __name__ == "__main__":
    main()
