"""Games gone over turn by turn, in pieces that give way to bots and hints; what was found is kept with the game."""

import asyncio
import hashlib
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any

from escapade import analysis, compiled
from escapade.analysis import Judged
from escapade.nets import WEIGHTS
from escapade.server import thinking
from escapade.server.live import Live
from escapade.server.messages import Fault, Judgement, Outline, Refused, Turned, Verdict, Why, encode
from escapade.server.replay import whole_record
from escapade.server.sharing import Busy
from escapade.server.supervision import note
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers

OUTLINE, TURN = 0.3, 0.2  # seconds that a piece is expected to take
PATIENCE = 120.0  # seconds that a piece waits for its turn: whoever waits sees how far it is
MOST_TURNS = 500  # of a game that is gone over
MOST_EACH = 3  # games that are gone over at the same time for one address
MOST_KEPT = 200  # in memory
CAUSES = {"a good turn": "good", "a good turn, or luck": "either", "the run of play": "play"}


@cache
def engine() -> str:
    """What judges: another engine, or other weights, may find something else."""
    digest = hashlib.sha256(compiled.OURS)
    folder = compiled.PACKAGE / WEIGHTS
    for file in [compiled.PACKAGE / "analysis.py", *sorted(folder.glob("*.npz"))]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class Study:
    """A game that is gone over: what was found so far, as lines, and who reads them."""

    def __init__(self, kind: str, record: str, table: str = "") -> None:
        self.kind, self.record, self.table = kind, record, table
        self.lines: list[bytes] = []
        self.outline: Outline | None = None
        self.found: dict[int, Judged] = {}
        self.done = False
        self.failed: str | None = None
        self.more = asyncio.Event()
        self.readers: list[str] = []  # their addresses
        self.task: asyncio.Task[None] | None = None

    def tell(self, line: Outline | Judgement | Verdict) -> None:
        """Add a line for everyone who reads."""
        self.lines.append(encode(line) + b"\n")
        self.wake()

    def wake(self) -> None:
        """Let those who wait look again."""
        self.more.set()
        self.more = asyncio.Event()


class Analyses:
    """All games that are gone over, or have been: a second reader gets the lines that there are."""

    def __init__(self, tables: Tables, records: Thinkers) -> None:
        self.tables, self.records = tables, records
        self.studies: OrderedDict[str, Study] = OrderedDict()
        self.closed = False

    async def of_table(self, live: Live) -> Study:
        """The analysis of a table's finished game."""
        table = live.table
        if table.game is None:
            raise Refused("not-begun")
        if not table.over:
            raise Refused("not-over")
        name = f"table {table.name}"
        if name not in self.studies:
            check_length(len(table.game.turns))
            study = Study(table.kind.name, table.record(frozenset()), table.name)
            kept = await self.tables.store.analysis(table.name, engine())
            if kept is not None:
                study.lines, study.done = zlib.decompress(kept).splitlines(keepends=True), True
            self.studies.setdefault(name, study)
        return self._used(name)

    async def of_record(self, text: str, number: int, cost: float, address: str) -> Study:
        """The analysis of a record from outside. ValueError: it does not hold, or is not whole."""
        name = hashlib.sha256(f"{number} {text}".encode()).hexdigest()
        if name not in self.studies:
            found = await self.records.think(whole_record, text, number, cost=cost, visitors=[address])
            kind, record, turns = found
            check_length(turns)
            self.studies.setdefault(name, Study(kind, record))
        return self._used(name)

    def _used(self, name: str) -> Study:
        """A study that somebody asks for; those that were not asked for longest are forgotten."""
        self.studies.move_to_end(name)
        for old in list(self.studies)[:-MOST_KEPT]:
            if not self.studies[old].readers:
                del self.studies[old]
        return self.studies[name]

    def check_room(self, study: Study, address: str) -> None:
        """Refuse one more game of an address that has some gone over already."""
        begun = [one for one in self.studies.values() if address in one.readers and not one.done and one is not study]
        if self.closed or (len(begun) >= MOST_EACH and not study.done):
            raise Refused("busy")

    async def read(self, study: Study, address: str) -> AsyncIterator[bytes]:
        """The lines of an analysis as they come. It goes on as long as somebody reads."""
        try:
            self.check_room(study, address)  # again: others may have come at the same time
        except Refused as refused:
            self.tables.seen.refused(refused.code)
            yield encode(Fault(code=refused.code)) + b"\n"
            return
        study.readers.append(address)
        try:
            if not study.done and (study.task is None or study.task.done()):
                study.failed = None
                study.task = self.tables.tasks.start("an analysis", self._go_over, study)
            sent = 0
            while True:
                more, lines = study.more, study.lines[sent:]
                sent += len(lines)
                if lines:
                    yield b"".join(lines)
                elif study.done:
                    return
                elif study.failed:
                    self.tables.seen.refused(study.failed)
                    yield encode(Fault(code=study.failed)) + b"\n"
                    return
                else:
                    await more.wait()
        finally:
            study.readers.remove(address)
            if not study.readers and study.task:
                study.task.cancel()

    async def _go_over(self, study: Study) -> None:
        """Find what is not found yet, first where the chances of the seat that played fell most."""
        try:
            if study.outline is None:
                study.outline = await self._think(study, OUTLINE, thinking.outline)
                study.tell(study.outline)
            assert study.outline
            for index in order(study.outline):
                if index not in study.found:
                    judged, reasons = await self._think(study, TURN, thinking.judge, index)
                    study.found[index] = judged
                    study.tell(judgement(index, judged, [Why(code=why.code, values=why.values) for why in reasons]))
            study.tell(verdict([study.found[index] for index in sorted(study.found)], study.outline))
            study.done = True
            if study.table:
                await self.tables.store.keep_analysis(study.table, engine(), zlib.compress(b"".join(study.lines)))
        except (Busy, TimeoutError):
            study.failed = "busy"
        except Exception as fault:
            note("an analysis", fault)
            study.failed = "broken"
        finally:
            study.wake()

    async def _think(self, study: Study, cost: float, work: Callable[..., Any], *about: Any) -> Any:
        """Do a piece of work for those who read."""
        return await self.tables.thinkers.think(
            work, study.kind, study.record, *about, cost=cost, visitors=study.readers, wait=PATIENCE, idle=True
        )

    def close(self) -> None:
        """End all that is read: the server is about to stop."""
        self.closed = True
        for study in self.studies.values():
            if not study.done:
                study.failed = "busy"
                if study.task:
                    study.task.cancel()
                study.wake()


def check_length(turns: int) -> None:
    """Refuse a game that would take too long."""
    if turns > MOST_TURNS:
        raise Refused("too-big")


def order(outline: Outline) -> list[int]:
    """The turns, first those in which the seat's own chances fell most."""

    def fall(index: int) -> float:
        seat = outline.seats[index] - 1
        return outline.chances[index][seat] - outline.chances[index + 1][seat]

    return sorted(range(len(outline.turns)), key=lambda index: -fall(index))


def judgement(index: int, judged: Judged, reasons: list[Why]) -> Judgement:
    """A turn of an analysis."""
    return Judgement(
        index=index,
        chances=list(judged.chances),
        lost=judged.lost,
        mark=judged.mark,
        at=judged.at,
        better=list(judged.better),
        reasons=reasons,
        luck=list(judged.luck),
    )


def verdict(turns: list[Judged], outline: Outline) -> Verdict:
    """The last line of an analysis."""
    players = len(outline.chances[0])
    own = [[judged for judged in turns if judged.seat == seat] for seat in range(1, players + 1)]
    index = {judged.turn: index for index, judged in enumerate(turns)}
    return Verdict(
        accuracy=[analysis.accuracy_of(turns, seat) for seat in range(1, players + 1)],
        mistakes=[sum(judged.mark == "mistake" for judged in some) for some in own],
        blunders=[sum(judged.mark == "blunder" for judged in some) for some in own],
        luck=analysis.luck_of(turns),
        turning=[
            Turned(
                index=index[point.turn],
                change=point.change,
                gainer=point.gainer,
                cause=CAUSES.get(point.cause, point.cause),
            )
            for point in analysis.turning_points(turns, players, outline.chances[0])
        ],
    )
