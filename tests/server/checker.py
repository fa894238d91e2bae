"""Whether what clients were told is what the store has. Written from docs/protocol.md alone; knows no server code.

A log has a line for everything that a client said or heard. `kind`, and what the other fields are then:

| kind | | version | what |
|---|---|---|---|
| `asked` | wants to act or to take back; noted once, however often it is sent | that it saw | the action, or `undo` |
| `turned` | turned to a process | | its number |
| `greeted` | said hello | | |
| `table` | heard the whole table | its | the `digest` of its moves |
| `moved`, `undone` | heard a change | its | the action without its outcome, or `undo` |
| `again` | heard that what it sent once more had been done before | that it saw | the action, or `undo` |
| `refused` | heard that it could not be saved, and gave it up | that it saw | the action, or `undo` |
| `saying`, `said` | says a line of chat, once; heard one | | the line |
| `next` | heard where the next game is | | its table |
| `denied` | heard that there is no such table, or that it is damaged | | the code |
| `waited` | was answered at last, or at the end of the run still was not | | since when |
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

Event = dict[str, Any]
Change = tuple[int, str]  # the seat, and its action without the outcome, or `undo`


LOOK = 1.5  # seconds from one look at who has a table to the next
UNKNOWN = 1.5  # seconds after which whoever sends people to servers knows that one does not answer


class Told(NamedTuple):
    """A line of the log."""

    at: float
    client: str
    line: int  # the client's first connection, the second …
    table: str
    kind: str
    version: int = 0
    seat: int = 0
    what: str = ""


class Strike(NamedTuple):
    """Something was done to a process (or, 0, to the store, which all need), from then to then."""

    at: float
    until: float
    process: int
    what: str


class Owner(NamedTuple):
    """Who had a table, looked up at some time."""

    at: float
    table: str
    process: int
    member: str
    fence: int


def bare(action: str) -> str:
    """An action without its outcome and without what others may not know of it."""
    return "bet" if action.startswith("bet") else re.split("[+=~]", action)[0]


def digest(moves: Iterable[Change]) -> str:
    """The moves of a table in few characters."""
    return hashlib.sha1(" ".join(f"{seat}:{action}" for seat, action in moves).encode()).hexdigest()[:16]


def standing(history: Sequence[Change]) -> list[Change]:
    """What is left when everything that was taken back is gone."""
    left: list[Change] = []
    for seat, action in history:
        if action == "undo":
            left.pop(max(place for place, move in enumerate(left) if move[0] == seat))
        else:
            left.append((seat, action))
    return left


class Stored:
    """A table as the store has it."""

    def __init__(self, rows: Sequence[tuple[int, Event]]) -> None:
        self.numbers = [number for number, _ in rows]
        self.events = [event for _, event in rows]
        changes = [(number, event) for number, event in rows if event["type"] in ("played", "undone")]
        self.numbered = [number for number, _ in changes]
        self.full = [(event["seat"], event.get("action", "undo")) for _, event in changes]
        self.history: list[Change] = [(seat, bare(action)) for seat, action in self.full]
        self.chat = {event["text"]: number for number, event in rows if event["type"] == "said"}
        self.digests: dict[int, str] = {}

    def digest(self, version: int) -> str:
        """Of the moves at a version."""
        if version not in self.digests:
            self.digests[version] = digest(standing(self.history[:version]))
        return self.digests[version]

    def has(self, version: int, seat: int, what: str) -> bool:
        """Whether what was chosen on a version has happened: right after it, or, a bet, at any time since."""
        bet = what.startswith("bet")
        since = self.full[version:] if bet else self.full[version : version + 1]
        return any(one == seat and (done == what if bet else bare(done) == what) for one, done in since)


def check(log: Sequence[Told], store: dict[str, list[tuple[int, Event]]]) -> list[str]:
    """Everything that is wrong, each beginning with its sort."""
    tables = {name: Stored(rows) for name, rows in store.items()}
    by_table: dict[str, list[Told]] = defaultdict(list)
    for told in sorted(log, key=lambda told: told.at):
        by_table[told.table].append(told)
    found = [fault for name, table in tables.items() for fault in whole(name, table)]
    for name, about in by_table.items():
        if name not in tables:
            found.append(f"lost: table {name} is not in the store")
            continue
        for look in (agreed, kept, once, in_order, up_to_date):
            found += [f"{fault} (table {name})" for fault in look(about, tables[name])]
    return found


def whole(name: str, table: Stored) -> Iterator[str]:
    """Events are numbered from 1 on, and what can happen only once did."""
    if table.numbers != list(range(1, len(table.numbers) + 1)):
        yield f"hole: table {name} has the events {table.numbers}"
    sorts = Counter((event["type"], event.get("seat")) for event in table.events)
    for sort, times in sorts.items():
        if sort[0] in ("opened", "sat", "rematch") and times > 1:
            yield f"double: {times} times {sort} (table {name})"


def agreed(log: Sequence[Told], table: Stored) -> Iterator[str]:
    """No version was told with two histories."""
    known: dict[tuple[str, int], Told] = {}
    for told in log:
        sort = {"moved": "change", "undone": "change", "table": "table", "next": "next"}.get(told.kind)
        if sort:
            first = known.setdefault((sort, told.version), told)
            if (first.what, first.seat * (sort == "change")) != (told.what, told.seat * (sort == "change")):
                yield f"histories: {first} but {told}"


def kept(log: Sequence[Told], table: Stored) -> Iterator[str]:
    """What was told is in the store, at the same place; what could not be saved is not."""
    for told in log:
        if told.kind in ("moved", "undone", "table") and told.version > len(table.history):
            yield f"lost: {told}, but the store ends at version {len(table.history)}"
        elif told.kind in ("moved", "undone") and table.history[told.version - 1] != (told.seat, told.what):
            yield f"changed: {told}, but the store has {table.history[told.version - 1]}"
        elif told.kind == "table" and table.digest(told.version) != told.what:
            yield f"changed: {told}, but by the store it had other moves then"
        elif told.kind == "again" and not table.has(told.version, told.seat, told.what):
            yield f"lost: {told}, but the store does not have it"
        elif told.kind == "denied" or (told.kind == "said" and told.what not in table.chat):
            yield f"lost: {told}"
        elif told.kind == "next" and {"type": "rematch", "table": told.what} not in table.events:
            yield f"lost: {told}, but the store does not have it"
        elif told.kind == "refused" and table.has(told.version, told.seat, told.what) and not asked_again(told, log):
            yield f"ghost: {told}, but the store has it"


def asked_again(refused: Told, log: Sequence[Told]) -> bool:
    """Whether what was refused was asked for once more: on the same version, or, a bet, on a later one."""
    bet = refused.what.startswith("bet")
    asked = (told for told in log if told.at > refused.at and told.kind == "asked" and told[6:] == refused[6:])
    return any(told.version == refused.version or (bet and told.version > refused.version) for told in asked)


def once(log: Sequence[Told], table: Stored) -> Iterator[str]:
    """Everything in the store was asked for, once for each time that it is there."""
    asked = Counter((told.seat, told.what, told.version) for told in log if told.kind == "asked")
    for place, (seat, action) in enumerate(table.full):
        bet = action.startswith("bet")
        for version in range(place, -1, -1) if bet else [place]:
            wanted = (seat, action if bet else bare(action), version)
            if asked[wanted]:
                asked[wanted] -= 1
                break
        else:
            yield f"double: version {place + 1}, {action} of seat {seat}, was not asked for, or is there once more"
    lines = Counter(event["text"] for event in table.events if event["type"] == "said")
    spoken = Counter(told.what for told in log if told.kind == "saying")
    yield from (f"double: {line!r} is there {times} times" for line, times in lines.items() if times > spoken[line])


def in_order(log: Sequence[Told], table: Stored) -> Iterator[str]:
    """Each connection heard every change after its table, in the order of the store."""
    versions: dict[tuple[str, int], int] = {}
    numbers: dict[tuple[str, int], int] = {}
    for told in log:
        line = (told.client, told.line)
        if told.kind in ("moved", "undone"):
            if told.version != versions.get(line, told.version - 1) + 1:
                yield f"order: {told} came after version {versions[line]}"
            versions[line] = told.version
        elif told.kind == "table":
            versions[line] = told.version
        number = 0
        if told.kind in ("moved", "undone") and told.version <= len(table.history):
            number = table.numbered[told.version - 1]
        elif told.kind == "said":
            number = table.chat.get(told.what, 0)
        if number:
            if number <= numbers.get(line, 0):
                yield f"order: {told} is event {number}, and came after event {numbers[line]}"
            numbers[line] = number


def up_to_date(log: Sequence[Told], table: Stored) -> Iterator[str]:
    """Whoever says hello is shown all that anybody had been told before."""
    latest = 0
    asked: dict[tuple[str, int], int] = {}
    for told in log:
        if told.kind == "greeted":
            asked[told.client, told.line] = latest
        elif told.kind == "table" and told.version < asked.get((told.client, told.line), 0):
            yield f"stale: {told}, but version {asked[told.client, told.line]} was told before it was asked for"
        if told.kind in ("moved", "undone", "table"):
            latest = max(latest, told.version)


def check_fences(owners: Iterable[Owner]) -> list[str]:
    """A table's fence never goes down, and goes up with every new owner."""
    last: dict[str, Owner] = {}
    found = []
    for owner in owners:
        before = last.setdefault(owner.table, owner)
        if owner.fence < before.fence or (owner.fence == before.fence and owner.member != before.member):
            found.append(f"fence: {before}, then {owner}")
        last[owner.table] = owner
    return found


def waits(
    log: Iterable[Told], strikes: Sequence[Strike], owners: Sequence[Owner], asked_too: bool = False
) -> list[tuple[float, Told]]:
    """How long clients had to wait, the longest first.

    It counts from the last time at which something was done to whoever had the table (`asked_too`: or to the process
    that the client had turned to, or was sent to before anybody could know); the time in which the store was away for
    everyone does not count.
    """
    had: dict[str, list[Owner]] = defaultdict(list)
    for owner in owners:
        had[owner.table].append(owner)
    turned: dict[str, list[Told]] = defaultdict(list)
    found = []
    for told in log:
        if told.kind == "turned":
            turned[told.client].append(told)
        elif told.kind == "waited" and told.at - float(told.what) > 0.1:
            begun = float(told.what)
            for strike in strikes:
                if strike.process and begun < strike.at < told.at:
                    asked = asked_at(turned[told.client], strike) if asked_too else set()
                    if strike.process in asked | owners_at(had[told.table], strike):
                        begun = strike.at
            away = sum(max(0.0, min(one.until, told.at) - max(one.at, begun)) for one in strikes if not one.process)
            found.append((told.at - begun - away, told))
    return sorted(found, reverse=True)


def asked_at(turned: Sequence[Told], strike: Strike) -> set[int]:
    """The processes that a client had turned to at a strike: the last one before, and those right after it."""
    before = [int(one.what) for one in turned if one.at <= strike.at][-1:]
    return {*before, *(int(one.what) for one in turned if strike.at < one.at <= strike.at + UNKNOWN)}


def owners_at(had: Sequence[Owner], strike: Strike) -> set[int]:
    """The processes that may have had a table at a strike: by the last look before, and those right after it."""
    before = [owner.process for owner in had if owner.at <= strike.at][-1:]
    return {*before, *(owner.process for owner in had if strike.at < owner.at <= strike.at + LOOK)}
