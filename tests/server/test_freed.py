"""What is over is freed at once: full collections, which stop everyone, are too rare to wait for."""

import asyncio
import gc
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from server.live import Player, Running, free, level, mine, sailor, wait_for
from server.test_supervision import Here

from escapade.game import Game
from escapade.server import app, doors, limits, relay, tables
from escapade.server.live import Live, Reader
from escapade.server.serve import configured
from escapade.server.sqlite import Sqlite
from escapade.server.table import Table


class AtTheDoor(Here):
    """A server in this process with connections as they are really read."""

    async def serve(self) -> None:
        """Serve until told to stop."""
        config = configured(doors.Doors(limits.BOUNDS))
        config.app, config.log_config = app.create_app(await Sqlite.open(self.store), processes=1), None
        config.timeout_graceful_shutdown = 1
        self.uvicorn = uvicorn.Server(config)
        await self.uvicorn.serve(sockets=[self.door])


class Made:
    """Everything of some sorts that is made, as long as it lives."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *sorts: Any) -> None:
        self.made: list[tuple[str, weakref.ref[Any]]] = []
        for sort in sorts:
            monkeypatch.setattr(sort, "__init__", self.noting(sort.__name__, sort.__init__))

    def noting(self, name: str, begin: Callable[..., None]) -> Callable[..., None]:
        """A beginning that is noted."""

        def begins(one: Any, *args: Any, **kwargs: Any) -> None:
            begin(one, *args, **kwargs)
            self.made.append((name, weakref.ref(one)))

        return begins

    def alive(self) -> Counter[str]:
        """How many there are of each sort."""
        return Counter(name for name, one in self.made if one() is not None)


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing is found by the collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def door(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server that puts tables away a second after everyone has left them."""
    monkeypatch.setattr(tables, "IDLE", 1.0)
    monkeypatch.setattr(app, "LOOK_AHEAD", 1.0)
    running = AtTheDoor(tmp_path / "games.db")
    wait_for(lambda: running.get("/health/ready").status_code == 200)  # when the rules are loaded it collects once
    yield running
    running.stop()


@pytest.mark.usefixtures("uncollected")
def test_a_table_that_everyone_has_left_is_freed_with_all_connections(
    door: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = asyncio.selector_events._SelectorSocketTransport  # type: ignore[attr-defined]
    made = Made(monkeypatch, Live, Table, Game, Reader, doors.Socket, doors.Handshake, transport)
    door.asked.headers["Connection"] = "close"
    table, key = door.make("jamaica", mine("Anne"), free(), sailor(), first=0)
    anne, bo = Player(door, table, key), Player(door, table)
    bo.sit(2, "Bo")
    for player in (anne, bo):
        player.wait(lambda player: player.state)
    while anne.turn < 5:
        level([anne, bo])
        acting = next((one for one in (anne, bo) if one.state and one.state["legal"]), None)
        if acting:
            acting.play(acting.choose())
        else:
            anne.receive()
    anne.ask("undo", version=anne.version)
    anne.ask("say", text="Ahoy")
    anne.come_again()
    broken = Player(door, table)
    broken.socket.socket.sendall(b"\xff" * 20)  # no frame at all
    assert made.alive()["Socket"] >= 2
    for player in (anne, bo, broken):
        player.go()
    wait_for(lambda: not made.alive())


@pytest.mark.usefixtures("uncollected")
def test_a_guest_from_another_process_is_freed_when_he_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(monkeypatch, Reader)
    sent: list[Any] = []
    hall: Any = SimpleNamespace(seen=SimpleNamespace(refused=sent.append), leave=lambda guest: None)
    pipe: Any = SimpleNamespace(send=lambda *message: sent.append(message))

    async def come_and_go() -> None:
        heard: list[str] = []

        async def hear(reader: Reader, text: str) -> None:
            heard.append(text)
            reader.send(b"welcome")

        between, guests = relay.Relay(hall, hall, hear, None), dict[int, relay.Guest]()
        between._hear(pipe, guests, {}, "open", 1, "192.0.2.7")
        between._hear(pipe, guests, {}, "text", 1, "hello")
        while not heard:
            await asyncio.sleep(0)
        assert sent == [("text", 1, b"welcome")]
        assert made.alive() == {"Reader": 1}
        between._hear(pipe, guests, {}, "shut", 1)

    asyncio.run(come_and_go())
    end = time.monotonic() + 5
    while made.alive():
        assert time.monotonic() < end, made.alive()
