"""`escapade play`: whole games by keys on 80 columns and 24 lines, at a real server, and what it says in trouble."""

import asyncio
import io
import os
import pty
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from installing import GOOSE, install
from rich.console import Console
from server.conftest import everyone_goes  # noqa: F401
from server.live import OPERATED, WAIT, Player, Running, free, mine, position, sailor
from textual.pilot import Pilot
from textual.widgets import Static

import escapade
from escapade import cli, games
from escapade.terminal import frame, sheets
from escapade.terminal.app import Left, Play, Wish
from escapade.terminal.choice import Choice
from escapade.terminal.face import Face, face_for
from escapade.terminal.known import Known
from escapade.terminal.line import clean
from escapade.terminal.link import Link, Trouble, ask, read_link
from escapade.words import CATALOGS, LANGUAGES, Words

SIZE = (80, 24)
ENGLISH = Words("en")
SHORT = "BPHSDK/DBKPHS/PKDHSB"  # a tunnel of three segments


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that knows a game which the terminal does not."""
    folder: Path = tmp_path_factory.mktemp("terminal")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", install(folder / "site", goose=GOOSE)["PYTHONPATH"])
        running = Running(folder / "games.db", program=OPERATED)
    yield running
    running.stop()


class Seen:
    """A terminal with a game in it, and a hand on its keys."""

    def __init__(self, app: Play, pilot: Pilot[Left]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def text(self) -> str:
        """What is on the screen."""
        console = Console(width=SIZE[0], height=SIZE[1], file=io.StringIO(), record=True, legacy_windows=False)
        console.print(self.app.screen._compositor.render_update(full=True))
        return console.export_text()

    @property
    def known(self) -> Known:
        """What it knows."""
        return self.app.known

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)

    async def until(self, so: Callable[[], Any]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + WAIT
        while not so():
            assert time.monotonic() < end, self.text
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def hint(self) -> None:
        """Ask for a hint until it comes: a slow machine refuses it as long as bots are compiled."""
        while not self.known.advice:
            await self.press("h")
            await self.until(lambda: self.known.advice or not self.known.asking)

    async def turn(self) -> None:
        """Wait until it is one's turn, or all is over."""
        await self.until(lambda: self.known.legal or self.known.over)

    async def sees(self, *words: str) -> None:
        """Wait until words are on the screen."""
        await self.until(lambda: all(one in " ".join(self.text.split()) for one in words))


@asynccontextmanager
async def terminal(server: Running, table: str, key: str = "", name: str = "Anne") -> AsyncIterator[Seen]:
    """A terminal at a table."""
    app = Play(Link(server.url, table, key), Wish(name=name, wait=False), ENGLISH)
    async with app.run_test(size=SIZE) as pilot:
        seen = Seen(app, pilot)
        await seen.until(lambda: app.known.table)
        yield seen


def check_fits(app: Play) -> None:
    """Nothing is cut off: every line is as wide as its place at most, and there are as many lines as there is room."""
    for place in ("head", "board", "players", "prompt", "keys"):
        widget = app.parts[place]
        lines = str(widget.content).split("\n")
        wide = max(map(frame.Content.cell_length.fget, map(frame.Content, lines)))  # type: ignore[attr-defined]
        room = widget.size.width * (2 if place == "prompt" else 1)
        assert wide <= room, (place, lines)
        assert len(lines) <= widget.size.height, (place, lines)
    for line in app.choice.lines:
        assert len(line) <= app.choice.size.width, line
    assert app.choice.size.height >= 4
    assert "…" not in str(app.parts["head"].content)


def has_gone_on(seen: Seen, version: int) -> bool:
    """Whether something has happened since."""
    return seen.known.over or (seen.known.table or {})["version"] > version


async def play_out(seen: Seen, choose: Callable[[], tuple[str, ...]]) -> None:
    """Play to the end by keys, looking at every screen."""
    await seen.turn()
    while not seen.known.over:
        check_fits(seen.app)
        version = seen.known.table["version"] if seen.known.table else 0
        await seen.press(*choose())
        await seen.until(partial(has_gone_on, seen, version))
        await seen.turn()


def test_a_whole_game_of_cartagena_is_played_by_keys(server: Running) -> None:
    table, key = server.make("jamaica+deal=3+pirates=3", mine(), sailor("Bo"), first=0, tunnel=SHORT)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("Cartagena · Jamaica · 2 house rules", "3 actions left", "Prison", "Anne (you)", "Bo")
            await play_out(seen, lambda: ("down", "enter") if len(seen.app.choice.pieces) % 2 else ("enter",))
            await seen.sees("★", "aboard")
            end = seen.text
            assert ("You win!" in end) == (seen.known.winners == [1])
            await seen.press("enter")  # a rematch
            await seen.until(lambda: seen.known.table and seen.known.table["table"] != table and seen.known.state)
            assert seen.known.own == [2]

    asyncio.run(plays())


def test_a_whole_game_of_les_evades_is_played_by_keys(server: Running) -> None:
    table, key = server.make("evades+length=15", mine(), sailor("Bo"), first=0)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("Secret bet", "Windows", "writing…")
            await seen.press("2", "1", "backspace", *"111111", "enter")
            await seen.sees("1:br 2:yl 3:do 4:n", "sealed")

            def choose() -> tuple[str, ...]:
                legal = seen.known.legal
                dice = max((action.count("") - 6 for action in legal if action.startswith("roll:")), default=0)
                return (*"12345"[:dice], "enter") if dice else ("enter",)

            await play_out(seen, choose)
            await seen.sees("point", "1:", "★")
            assert seen.known.state
            assert f"{seen.known.state['scores'][0]} point" in seen.text

    asyncio.run(plays())


def test_a_kind_without_a_face_is_played_from_its_text(server: Running) -> None:
    table, key = server.make("goose+length=30", mine(), sailor("Bo"), first=0)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("the Game of the Goose", "goose+length=30", "0/0")
            await seen.hint()
            await seen.until(lambda: isinstance(seen.app.screen, sheets.Sheet))
            await seen.press("enter", "enter")
            await seen.until(lambda: (seen.known.table or {})["version"] > 0)
            await play_out(seen, lambda: ("enter",))

    asyncio.run(plays())


def test_a_second_player_comes_by_the_link_and_sits_down(server: Running) -> None:
    table, key = server.make("tortuga", mine(), free(), first=0)

    async def plays() -> None:
        async with terminal(server, table, name="") as seen:
            await seen.sees("One seat is still free", "Sit here", "Seat 2")
            await seen.press("enter")
            await seen.until(lambda: isinstance(seen.app.screen, sheets.Chat))
            await seen.press(*"Bo", "enter")
            await seen.until(lambda: seen.known.own == [2] and seen.known.state)
            check_fits(seen.app)
            await seen.sees("Waiting for Anne", "Bo (you)")
            anne = Player(server, table, key)
            anne.play(anne.choose())
            anne.send("say", text="Ahoy [bold]you")
            await seen.sees("Anne: Ahoy [bold]you")
            assert "Anne plays a" in str(seen.app.parts["log"].content)
            await seen.press("c")
            await seen.press(*"Hi", "enter")
            await seen.until(lambda: len((seen.known.table or {})["chat"]) == 2)
            anne.play(".")
            await seen.turn()
            await seen.press("q")
            await seen.sees("Leave this game?", "Resign")
            await seen.press("escape", "q", "right", "enter")
            left = seen.app.return_value
            assert left
            assert (left.link.table, left.trouble) == (table, "")
            again = Player(server, table, left.link.key)
            assert again.seats == [2]

    asyncio.run(plays())


def test_who_watches_sees_no_secrets_and_cannot_act(server: Running) -> None:
    table, key = server.make("jamaica", mine(), free(), first=0)
    anne, bo = Player(server, table, key), Player(server, table)
    bo.sit(2, "Bo")
    anne.wait(lambda player: player.state)

    async def watches() -> None:
        async with terminal(server, table) as seen:
            await seen.sees("You are watching", "6 cards")
            assert "Hand" not in seen.text
            assert not seen.app.choice.pieces
            anne.play(anne.choose())
            await seen.sees("5 cards", "Anne plays")
            await seen.press("u", "e", "h", "n", "enter")
            assert (seen.known.table or {})["version"] == 1
            await seen.press("c")
            await seen.sees("Only players can write here.")
            await seen.press("escape", "q")
            assert seen.app.return_value == Left(Link(""))

    asyncio.run(watches())


def test_an_action_is_taken_back_and_a_hint_taken_up(server: Running) -> None:
    start = position("tortuga", "0.0.6.9.17.18/5.8.17.17.22.26", "BDDD/HK", row="KDDBSP")
    table, key = server.make("tortuga", mine(), sailor("Bo"), start=start)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.turn()
            before = seen.text
            await seen.press("down", "enter")
            await seen.until(lambda: (seen.known.table or {})["version"] == 1)
            await seen.sees("Anne plays a dagger: prison", "2 actions left")
            await seen.press("u")
            await seen.until(lambda: (seen.known.table or {})["version"] == 2 and seen.known.legal)
            assert seen.text == before
            await seen.press("u")
            await seen.sees("There is nothing to undo")
            await seen.press("e")
            await seen.sees("Take at least one action first.")
            await seen.hint()
            await seen.sees("What you could do", "1. ", "%")
            advice = (seen.known.advice or [])[0]
            assert frame.reason(ENGLISH, seen.app.face or Face(ENGLISH, {}), advice["reasons"][0]) in seen.text
            await seen.press("enter")
            assert seen.app.choice.option
            assert seen.app.choice.option.action == advice["action"]
            await seen.press("l")
            await seen.sees("Log")
            await seen.press("escape", "question_mark")
            await seen.sees("Rules and help", "take the last pick back")

    asyncio.run(plays())


def test_the_end_says_who_won_even_over_another_sheet(server: Running) -> None:
    start = position("jamaica+pirates=3", "36.37.37/0.0.0", "BD/H")
    table, key = server.make("jamaica+pirates=3", mine(), free(), start=start)
    bo = Player(server, table)
    bo.sit(2, "Bo")

    async def plays() -> None:
        async with terminal(server, table, key) as anne, terminal(server, table) as watcher:
            await anne.turn()
            await watcher.press("l")
            await anne.press("enter")
            await anne.sees("You win!", "3 aboard", "0 aboard")
            await watcher.sees("Anne wins", "3 aboard")
            await anne.press("right", "enter")
            await anne.sees("You win! · n Rematch")
            await watcher.press("q")
            assert watcher.app.return_value == Left(Link(""))
            await anne.press("n")
            await anne.until(lambda: anne.known.table and anne.known.table["table"] != table)

    asyncio.run(plays())


def test_a_broken_connection_is_told_and_what_was_sent_is_kept(server: Running) -> None:
    table, key = server.make("tortuga", mine(), free(), first=0)
    bo = Player(server, table)
    bo.sit(2, "Bo")

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            line = seen.app.line
            assert line
            await seen.turn()

            async def lost(message: object) -> bool:
                return True

            sends, line.send = line.send, lost  # type: ignore[method-assign]
            await seen.press("enter")
            line.send = sends  # type: ignore[method-assign]
            line.tries = 3  # the way back takes a second or two
            assert line.socket
            line.socket.transport.abort()
            await seen.sees("The connection is lost", "this is sent as soon as it is back", "no connection")
            await seen.sees("2 actions left")
            assert (seen.known.table or {})["version"] == 1
            line.tries = 3
            assert line.socket
            line.socket.transport.abort()
            await seen.sees("no connection")
            await seen.press("enter")
            await seen.sees("nothing can be sent right now")
            await seen.until(lambda: seen.app.up)
            assert (seen.known.table or {})["version"] == 1
            check_fits(seen.app)

    asyncio.run(plays())


def test_a_table_that_the_operator_closes_is_left_with_a_word(server: Running) -> None:
    table, key = server.make("tortuga", mine(), free(), first=0)

    async def watches() -> None:
        async with terminal(server, table, key) as seen:
            server.close_table(table)
            await seen.until(lambda: seen.app.return_value)
            assert seen.app.return_value == Left(Link(""), ENGLISH("fault.closed"))

    asyncio.run(watches())


def test_an_action_that_came_too_late_is_refused_aloud(server: Running) -> None:
    table, key = server.make("tortuga", mine(), free(), first=0)
    Player(server, table).sit(2, "Bo")
    other = Player(server, table, key)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.turn()
            assert seen.app.line
            first, second, *_ = seen.known.legal
            assert seen.app.choice.option
            assert seen.app.choice.option.action == first
            seen.app.line.socket = None  # what is sent now never arrives
            await seen.press("enter")
            other.wait(lambda player: player.state)
            other.play(second)
            await seen.sees("came too late")

    asyncio.run(plays())


def test_two_who_share_a_terminal_do_not_see_each_others_hands(server: Running) -> None:
    start = position("jamaica", "0.0.0.0.5.6/0.0.0.0.0.0", "S/H", top="K")
    table, key = server.make("jamaica", mine("Anne"), mine("Bo"), start=start)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("Pass the device to Anne", "m Anne")
            assert "Hand" not in seen.text
            await seen.press("enter")
            await seen.sees("Hand S")
            await seen.press("down", "enter")
            await seen.sees("Hand K S", "draws a key")
            await seen.press("e")
            await seen.sees("Pass the device to Bo")
            assert "Hand" not in seen.text
            assert "key" not in seen.text
            await seen.press("l")
            await seen.sees("Anne goes back 6 → 5 and draws 1 card")
            await seen.press("l", "enter")
            await seen.sees("Hand H")
            assert "key" not in seen.text

    asyncio.run(plays())


def test_a_log_that_is_open_goes_on_when_the_past_comes(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    start, come = position("jamaica", "0.0.0.0.5.6/0.0.0.0.0.0", "S/H", top="K"), threading.Event()
    table, key = server.make("jamaica", mine("Anne"), mine("Bo"), start=start)

    def late(link: Link, path: str) -> Any:
        come.wait(WAIT)
        return ask(link, path)

    monkeypatch.setattr("escapade.terminal.app.ask", late)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("Pass the device to Anne")
            await seen.press("enter")
            await seen.sees("Hand S")
            await seen.press("down", "enter", "e")
            await seen.sees("Pass the device to Bo")
            await seen.press("l")
            await seen.sees("Anne: 6<5")
            come.set()
            await seen.sees("Anne goes back 6 → 5 and draws 1 card")
            assert "key" not in seen.text

    asyncio.run(plays())


def test_the_mouse_does_what_the_keys_do(server: Running) -> None:
    table, key = server.make("tortuga", mine(), sailor("Bo"), first=0)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.turn()
            piece = seen.app.choice.pieces[1]
            await seen.pilot.click(Choice, offset=(piece.x + 2, piece.y))
            await seen.until(lambda: (seen.known.table or {})["version"] == 1 and seen.known.legal)
            assert (seen.known.table or {})["moves"][0]["action"] == piece.option.action
            await seen.pilot.click("#keys", offset=(str(seen.app.parts["keys"].content).index("Undo"), 0))
            await seen.until(lambda: (seen.known.table or {})["version"] == 2)

    asyncio.run(plays())


def test_a_game_is_chosen_and_made_at_a_server(server: Running) -> None:
    async def plays() -> None:
        app = Play(Link(server.url), Wish(name="Anne", wait=False), ENGLISH)
        async with app.run_test(size=SIZE) as pilot:
            seen = Seen(app, pilot)
            await seen.sees("Play now", "✓Jamaica", "✓2", "Legend")
            await seen.press("down", "6", "down", "5", "down", "1", "up", "up", "up", "up", "enter")
            await seen.until(lambda: seen.known.state)
            table = seen.known.table or {}
            assert (table["kind"], len(table["seats"])) == ("evades", 6)
            assert {sitter["bot"] for sitter in table["seats"]} == {None, "cabin-boy"}
            assert len(seen.known.own) == 1

    asyncio.run(plays())


def test_the_host_fills_free_seats_with_bots(server: Running) -> None:
    table, key = server.make("jamaica", mine(), free(), free(), first=0)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("2 seats are still free", f"/t/{table}", "Add a bot")
            for left in (1, 0):
                await seen.press("down", "enter")
                await seen.sees("Strength of the bot", "Legend")
                await seen.press("2")
                await seen.until(partial(has_free, seen, left))
            await seen.turn()
            assert [sitter["bot"] for sitter in (seen.known.table or {})["seats"]] == [None, "deckhand", "deckhand"]

    asyncio.run(plays())


def has_free(seen: Seen, seats: int) -> bool:
    """Whether so many seats are free."""
    return [sitter["free"] for sitter in (seen.known.table or {})["seats"]].count(True) == seats


def test_a_small_terminal_shows_what_it_can_and_a_large_one_more(server: Running) -> None:
    table, key = server.make("tortuga", mine(), sailor("Bo"), first=0)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.turn()
            assert "bottle" not in str(seen.app.parts["board"].content)
            await seen.pilot.resize_terminal(200, 50)
            await seen.until(lambda: "bottle" in str(seen.app.parts["board"].content))
            check_fits(seen.app)
            await seen.pilot.resize_terminal(30, 9)
            await seen.press("enter")
            await seen.until(partial(has_gone_on, seen, 0))

    asyncio.run(plays())


def test_an_edition_that_is_not_known_here_is_played_from_its_text() -> None:
    table = table_of(escapade.new("jamaica", 2, seed=1), 1)
    view = table["state"]["view"].replace("jamaica", "bahamas")
    face = face_for(ENGLISH, {**table, "game": "bahamas"})
    assert type(face) is Face
    assert "bahamas" in face.board(view, 1, None, 49, 14)[0].plain


def test_the_clock_is_shown(server: Running) -> None:
    table, key = server.make("jamaica", mine(), sailor("Bo"), first=0, clock=86_000)

    async def plays() -> None:
        async with terminal(server, table, key) as seen:
            await seen.sees("23:5")

    asyncio.run(plays())


# Room ---------------------------------------------------------------------------------------------------------------

SEGMENTS = {"jamaica+pirates=8": 8, "tortuga": 6, "first-escape-open": 3}
BOXES = [
    *[(edition, players) for kind in games.kinds().values() for edition in kind.editions for players in kind.players],
    ("jamaica+pirates=8", 5),
    ("evades+length=60", 6),
]


def table_of(game: escapade.Game, eyes: int) -> dict[str, Any]:
    """A table's message as the server would send it, everyone with a long name."""
    seats = [
        {"name": f"Maximilian of Seat No. {n}", "colour": n, "bot": None, "free": False, "person": True, "here": False}
        | {"yours": n + 1 == eyes, "host": False}
        for n in range(game.players)
    ]
    state = {"view": game.view(eyes), "eyes": eyes, "seat": game.seat, "turn": game.turn, "result": game.result}
    state |= {"legal": game.offers(eyes) if eyes in game.waiting() else [], "sealed": list(game.sealed), "scores": None}
    names = {"table": "abcd", "game": str(game.edition), "kind": game.kind, "printing": "classic"}
    return {**names, "rules": dict(game.edition.rules), "seats": seats, "state": state, "moves": []}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_fits_in_every_edition_and_number_of_players(language: str) -> None:
    words = Words(language)
    for text, players in BOXES:
        longer: dict[str, Any] = {"segments": SEGMENTS[text]} if text in SEGMENTS else {}
        game = escapade.new(text, players, seed=players, **longer)
        for turn in range(48):
            if game.over:
                break
            if turn % 3:
                game.play(game.legal_actions()[turn % len(game.legal_actions())])
                continue
            seat = game.waiting()[0]
            table = table_of(game, seat)
            face = face_for(words, table)
            view, legal = table["state"]["view"], table["state"]["legal"]
            check_room(words, face, table, legal)
            picked = face.picks(game.legal_actions()[-1])
            choice = Choice(face.rows(view, legal, picked), print, print)
            choice.lay()
            assert max(map(len, choice.lines)) <= SIZE[0], choice.lines
            assert len(face.prompt(view, legal, picked)) + 12 <= 2 * SIZE[0]
            game.play(game.legal_actions()[turn % len(game.legal_actions())], seat)


def check_room(words: Words, face: Face, table: dict[str, Any], legal: list[str]) -> None:
    """The board is as wide and high as its place, and so is the list of those who play."""
    state = table["state"]
    known = Known(table=table, views=(state["view"],))
    options = [option for row in face.rows(state["view"], legal, ()) for option in row.options]
    board = face.board(state["view"], state["eyes"], options[0] if options else None, 49, 14)
    assert max(line.cell_length for line in board) <= 50, [line.plain for line in board]
    assert len(board) <= 17, [line.plain for line in board]
    around = frame.players(words, face, known, 28, False)
    assert max(line.cell_length for line in around) <= 29, [line.plain for line in around]
    assert len(around) <= 17


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_fit_below_and_every_text_is_there(language: str, server: Running) -> None:
    table, key = server.make("jamaica", mine(), sailor("Bo"), first=0)

    async def looks() -> None:
        app = Play(Link(server.url, table, key), Wish(), Words(language))
        async with app.run_test(size=SIZE) as pilot:
            seen = Seen(app, pilot)
            await seen.turn()
            check_fits(app)
            await seen.press("question_mark")
            assert "terminal." not in str(app.screen.query_one("#body", Static).content)

    asyncio.run(looks())


def test_every_text_of_the_terminal_is_used() -> None:
    package = CATALOGS.parent.parent
    source = "\n".join(path.read_text() for path in [*package.glob("terminal/*.py"), package / "words.py"])
    flat = [name for name, text in ENGLISH.catalog["terminal"].items() if isinstance(text, str)]
    assert not [name for name in flat if f'"terminal.{name}"' not in source and f"'terminal.{name}'" not in source]
    assert not [name for name in ENGLISH.catalog["terminal"]["key"] if f'"terminal.key.{name}"' not in source]
    assert not [name for name in ENGLISH.catalog["terminal"]["foot"] if f', "{name}", ' not in source]


# Going wrong --------------------------------------------------------------------------------------------------------


def refusal(*args: str) -> str:
    """What the command says, in one line, when it does not play."""
    said = CliRunner().invoke(cli.main, ["play", *args])
    assert said.exit_code == 1, said.output
    assert said.output.count("\n") == 1, said.output
    return said.output


@contextmanager
def stranger() -> Iterator[str]:
    """Somebody at a port who answers with nothing that one could understand."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    line, _ = door.accept()
                    with line:
                        line.recv(4096)
                        line.sendall(b"220 ready\r\n")

        threading.Thread(target=answer, daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"


def test_a_bad_link_or_wish_is_a_line_that_says_what_to_do(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is not a link to a table" in refusal("http://")
    assert "is not a link to a table" in refusal(f"{server.url}/replay/abcd")
    assert "is not a link to a table" in refusal(f"{server.url}/t/abcdefgh#no key")
    assert "this is no terminal" in refusal()
    assert "there are cabin-boy" in refusal("--bots", "admiral")
    assert "Les Évadés is for 2 to 6" in refusal("--game", "evades", "--players", "7")
    assert "name one for all" in refusal("--players", "4", "--bots", "sailor,mate")
    assert "no edition is called 'chess'" in refusal("--game", "chess")
    assert "for a new table" in refusal(f"{server.url}/t/abcdefgh", "--players", "3")
    assert "--language xx" in refusal("--language", "xx")
    assert "--name" in refusal("--name", "a/b")
    monkeypatch.setattr("escapade.terminal.command.is_terminal", lambda: True)
    assert "has no table abcdefgh" in refusal(f"{server.url}/t/abcdefgh")
    assert "cannot be reached" in refusal("http://127.0.0.1:9/t/abcdefgh")
    with stranger() as url:
        assert "not as a server of Escapade" in refusal(url)
        assert "not as a server of Escapade" in refusal(f"{url}/t/abcdefgh")
    monkeypatch.setitem(sys.modules, "textual", None)
    for name in [name for name in sys.modules if name.startswith("escapade.terminal")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("escapade.terminal")
    assert "pip install 'escapade[terminal]'" in refusal()


def test_a_link_is_read_as_the_browser_writes_it() -> None:
    key = "k" * 24
    assert read_link(f"https://a.example:8443/t/Ab-_12#{key}") == Link("https://a.example:8443", "Ab-_12", key)
    assert str(read_link("localhost:8000/t/abcd")) == "http://localhost:8000/t/abcd"
    assert read_link("http://[::1]:8000/").is_local
    assert read_link("https://a.example/t/abcd").socket == "wss://a.example/ws"
    for wrong in ("ftp://a/t/abcd", "http://a/t/ab", "http://a:x/t/abcd", "/t/abcd"):
        with pytest.raises(Trouble):
            read_link(wrong)


def test_nobody_steers_the_terminal_by_a_name() -> None:
    assert clean({"a": ["x\x1b[2J\u202ey", 3, None]}) == {"a": ["x[2Jy", 3, None]}


def test_textual_is_loaded_for_nothing_else() -> None:
    program = "import escapade.cli, sys; escapade.new(); sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_server_of_ones_own_starts_in_a_terminal_and_ends_with_it(tmp_path: Path) -> None:
    own, other = pty.openpty()
    folder = tmp_path / "temporary"
    folder.mkdir()
    env = {
        **os.environ,
        "TERM": "xterm-256color",
        "TMPDIR": str(folder),
        "COLUMNS": "80",
        "LINES": "24",
        "LANG": "C.UTF-8",
    }
    program = [
        sys.executable,
        "-m",
        "escapade.cli",
        "play",
        "--game",
        "jamaica",
        "--bots",
        "cabin-boy",
        "--name",
        "Anne",
    ]
    with subprocess.Popen(program, stdin=other, stdout=other, stderr=other, env=env, start_new_session=True) as process:
        os.close(other)
        read_until(own, b"Discards")
        os.write(own, b"q")
        read_until(own, b"Leave this game?")
        os.write(own, b"\x1b[C")
        os.write(own, b"\r")
        read_until(own, b"")
        assert process.wait(WAIT) == 0
    os.close(own)
    assert not list(folder.iterdir())


def read_until(terminal: int, words: bytes) -> None:
    """Read a terminal's output until some words come, or all of it."""
    told = b""
    try:
        while not words or words not in told:
            told += os.read(terminal, 65_536)
    except OSError:  # the other end is closed
        assert not words, told
