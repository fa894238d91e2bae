"""The questions over HTTP: tables, records, replays, positions, puzzles, pictures, and what can be chosen."""

import io
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response

import escapade
from escapade import games
from escapade.analysis import beginning
from escapade.server import messages, preview, thinking
from escapade.server.analysing import Analyses, Study
from escapade.server.answers import (
    NO_STORE,
    answer,
    decoded,
    fault,
    long_answer,
    reason,
    streamed,
    takes_zipped,
    while_connected,
    written,
)
from escapade.server.keys import hashed
from escapade.server.limits import Allowances, address
from escapade.server.live import Live
from escapade.server.messages import Refused, encode
from escapade.server.offer import choices, offer, span
from escapade.server.puzzling import Puzzling
from escapade.server.replay import read_record, stepping
from escapade.server.sharing import Busy
from escapade.server.showing import summary
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers

MOST_LISTED = 50
# Pictures: what is over does not change, but may be deleted; to compress them again would be work for nothing.
KEPT = {"Cache-Control": "public, max-age=86400", "Content-Encoding": "identity"}
SHORTEST, A_SECOND = 0.1, 100_000  # what reading a record is expected to take: seconds, and characters a second


class Api:
    """What the questions are answered from."""

    def __init__(self, tables: Tables, records: Thinkers, analyses: Analyses, addresses: Sequence[str]) -> None:
        self.tables, self.records, self.analyses, self.addresses = tables, records, analyses, list(addresses)
        self.puzzling = Puzzling(tables)
        self.pictures = preview.Pictures(records)
        self.making = Allowances(1000, 2)  # tables that an address may make
        self.asking = Allowances(200, 20)  # other questions

    async def rules(self, request: Request) -> Response:
        """What can be chosen for a new table."""
        kinds = games.kinds()
        return answer(
            {
                "version": escapade.__version__,
                "editions": {name: kind.editions[name] for name, kind in games.editions(kinds.values()).items()},
                "house": {name: choices(kind.house) for name, kind in kinds.items()},
                "players": {name: span(kind.players) for name, kind in kinds.items()},
                "segments": [one for kind in kinds.values() for one in kind.offers.get("segments", ())],
                **offer(),
                "addresses": self.addresses,
            }
        )

    async def make(self, request: Request) -> Response:
        """A new table."""
        if not self.making.take(address(request)):
            raise Refused("too-fast")
        setup = await decoded(request, messages.Setup)
        return answer(await self.tables.make(setup, address(request)), 201)

    async def list(self, request: Request) -> Response:
        """Some tables by their ids; those that are not there or cannot be read are left out."""
        self._take(request)
        found = []
        for name in request.query_params.getlist("id")[:MOST_LISTED]:
            with suppress(Refused):
                found.append(summary((await self.tables.look(name)).table))
        return answer(found)

    async def record(self, request: Request) -> Response:
        """A table's record, for the eyes of whoever asks."""
        live, seats = await self._asked(request)
        named = {"Content-Disposition": f'attachment; filename="{live.table.name}.esc"'}
        async with live.lock:
            record = live.table.record(seats)
        return long_answer(record.encode(), "text/plain; charset=utf-8", **named)

    async def replay(self, request: Request) -> Response:
        """A table's game so far, for the eyes of whoever asks."""
        live, seats = await self._asked(request)
        async with live.lock:
            steps = stepping(live.table, seats)
        return long_answer(encode(await self.tables.slices.do(steps)))

    async def _asked(self, request: Request) -> tuple[Live, frozenset[int]]:
        """The table that is asked about, and the seats of whoever asks."""
        self._take(request)
        live = await self.tables.look(request.path_params["table"])
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        return live, live.table.seats_of(hashed(key) if scheme.lower() == "bearer" and key else None)

    async def replay_record(self, request: Request) -> Response:
        """A record from outside, checked and ready to be stepped through."""
        self._take(request)
        asked = await decoded(request, messages.AskReplay)
        zipped = takes_zipped(request)
        cost = SHORTEST + len(asked.record) / A_SECOND
        about = (read_record, asked.record, asked.number, zipped)
        reading = self.records.think(*about, cost=cost, visitors=[address(request)])
        try:
            return written(await while_connected(request, reading), zipped)
        except ValueError as why:
            return fault(400, "bad-record", detail=str(why), why=reason(why))
        except (Busy, TimeoutError):
            raise Refused("busy") from None

    async def analysis(self, request: Request) -> Response:
        """What the turns of a table's finished game gave away, line by line as it is found."""
        live, _ = await self._asked(request)
        return self._lines(await self.analyses.of_table(live), request)

    async def analyse_record(self, request: Request) -> Response:
        """The same for a record from outside."""
        self._take(request)
        asked = await decoded(request, messages.AskReplay)
        cost = SHORTEST + len(asked.record) / A_SECOND
        reading = self.analyses.of_record(asked.record, asked.number, cost, address(request))
        try:
            return self._lines(await while_connected(request, reading), request)
        except ValueError as why:
            return fault(400, "bad-record", detail=str(why), why=reason(why))
        except (Busy, TimeoutError):
            raise Refused("busy") from None

    def _lines(self, study: Study, request: Request) -> Response:
        self.analyses.check_room(study, address(request))
        return streamed(self.analyses.read(study, address(request)))

    async def advise(self, request: Request) -> Response:
        """What the seat to act in a position could do, by what it may know, and what it would give away."""
        self._take(request)
        asked = await decoded(request, messages.AskAdvice)
        text = asked.position.strip()
        try:
            kind = games.kind_of(text).name
            await self.tables.ready[kind].wait()
            game = escapade.parse(text, 0)
            beginning(game)
        except ValueError as why:
            return fault(400, "bad-position", detail=str(why), why=reason(why))
        if game.over:
            raise Refused("over")
        about = (thinking.weigh, kind, text, asked.actions)
        weighing = self.tables.thinkers.think(*about, cost=thinking.HINT_TIME, visitors=[address(request)])
        try:
            hints, lost = await while_connected(request, weighing)
        except ValueError as why:
            return fault(400, "illegal", detail=str(why))
        except (Busy, TimeoutError):
            raise Refused("busy") from None
        return answer(messages.Advised(hints=msgspec.convert(hints, list[messages.Advice]), lost=lost))

    async def check(self, request: Request) -> Response:
        """A position from outside, checked, and what actions from it lead to."""
        self._take(request)
        asked = await decoded(request, messages.AskCheck)
        text = asked.position.strip()
        try:
            await self.tables.ready[games.kind_of(text).name].wait()
            game = escapade.parse(text, asked.seed)
        except ValueError as why:
            return fault(400, "bad-position", detail=str(why), why=reason(why))
        try:
            steps = [played(game, action) for action in asked.actions]
        except (escapade.Illegal, escapade.Invalid) as why:
            return fault(400, "illegal", detail=str(why))
        playable = not game.over and not game.hidden
        checked = messages.Checked(
            game=str(game.edition),
            kind=game.kind,
            rules=dict(game.edition.rules),
            players=game.players,
            seat=0 if game.over else game.seat,
            position=str(game),
            playable=playable,
            legal=game.offers(game.seat) if playable else [],
            result=game.result,
            steps=steps,
        )
        return answer(checked)

    async def puzzles(self, request: Request) -> Response:
        """All puzzles."""
        self._take(request)
        return long_answer(encode(await self.puzzling.all()))

    async def puzzle(self, request: Request) -> Response:
        """A puzzle, and what some actions in it come to."""
        self._take(request)
        asked = await decoded(request, messages.AskPuzzle)
        puzzle = self.puzzling.find(request.path_params["puzzle"])
        try:
            return answer(await self.puzzling.attempt(puzzle, asked.actions, asked.give_up, address(request)))
        except (Busy, TimeoutError):
            raise Refused("busy") from None

    async def rate(self, request: Request) -> Response:
        """Whether a puzzle was solved."""
        self._take(request)
        asked = await decoded(request, messages.AskRating)
        puzzle = self.puzzling.find(request.path_params["puzzle"])
        return answer(await self.puzzling.rate(puzzle, asked, address(request)))

    async def preview(self, request: Request) -> preview.Preview | None:
        """What other programs may show of a page; nothing of a game that goes on, or where nothing is found."""
        words = preview.words_in(preview.language_of(request.headers.get("accept-language", "")))
        with suppress(Refused):
            self._take(request)
            if puzzle := request.path_params.get("puzzle"):
                return preview.of_puzzle(self.puzzling.find(puzzle), words)
            if name := request.path_params.get("table"):
                turn = preview.turn_asked(request.query_params.get("turn"))
                live = await self.tables.look(name)
                async with live.lock:
                    return preview.of_table(live.table, turn, words)
        return None

    async def table_picture(self, request: Request) -> Response:
        """A finished game, or one of its turns, as a picture."""
        turn = preview.turn_asked(request.query_params.get("turn"))
        live, _ = await self._asked(request)
        return await self._picture(request, self.pictures.of_table(live, turn, address(request)))

    async def puzzle_picture(self, request: Request) -> Response:
        """A puzzle as a picture."""
        self._take(request)
        puzzle = self.puzzling.find(request.path_params["puzzle"])
        await self.tables.ready[games.kind_of(puzzle.position).name].wait()
        return await self._picture(request, self.pictures.of_puzzle(puzzle, address(request)))

    async def _picture(self, request: Request, drawing: Coroutine[Any, Any, bytes]) -> Response:
        await request.body()  # there is none; what comes after it is that whoever asked has gone
        try:
            return Response(await while_connected(request, drawing), 200, KEPT, "image/png")
        except (Busy, TimeoutError):
            raise Refused("busy") from None

    async def qr(self, request: Request) -> Response:
        """A link as a picture for a phone's camera. It comes in the body: the link to a seat is a secret."""
        self._take(request)
        link = (await decoded(request, messages.AskPicture)).link
        drawn = io.BytesIO()
        segno.make(link, error="m").save(
            drawn, kind="svg", border=2, dark="#16100a", light="#fff", omitsize=True, xmldecl=False
        )
        return Response(drawn.getvalue(), 200, NO_STORE, "image/svg+xml")

    def _take(self, request: Request) -> None:
        if not self.asking.take(address(request)):
            raise Refused("too-fast")


def played(game: escapade.Game, action: str) -> messages.Step:
    """An action of the seat to act, and the position after it."""
    seat, turn = game.seat, game.turn
    token = str(game.play(action))
    return messages.Step(seat=seat, turn=turn, action=token, view=str(game))
