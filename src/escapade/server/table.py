"""One table: what happened there in order, who sits where, and whose turn it is.

A table is the fold of its events. A command checks, changes the table and returns the event to be written. Its caller
sends nothing to anyone before that event is on disk, and throws the table away where it could not be written.
"""

from collections import Counter, deque
from collections.abc import Generator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import takewhile
from math import inf
from typing import NamedTuple

import msgspec

from escapade import games
from escapade.game import Game, bare
from escapade.server import clock, messages
from escapade.server.events import (
    Botted,
    Chair,
    Event,
    Followed,
    Opened,
    Played,
    Resigned,
    Sat,
    Spoken,
    TakenBack,
    read_event,
)
from escapade.server.messages import PRINTINGS, Refused
from escapade.server.opening import check_name, new_game
from escapade.server.slices import whole

GRACE = 5.0  # seconds in which the end of a turn can be taken back, as long as nobody has acted since
BOT_GRACE = 2.0  # the same before a bot acts, which waits so long
MOST_CHAT = 100
MOST_EVENTS = 20_000  # at a table, ten times what the longest games have; chat and bots may take half of them
MOST_UNDOS = 50  # of the same action of a game, which nobody takes back so often who means to play
KEPT, KEPT_LONG = 8, 64  # after so many actions the game is kept as it is then: for the latest ones, and for all
BOT_NAMES = ("Anne", "Grace", "Zheng", "Bartholomew", "Sayyida", "Jack")


class Done(msgspec.Struct, frozen=True, gc=False):
    """An action that was taken, with its outcome, and whether that showed something hidden or left to chance.

    There are many of them, and the garbage collector need not look at each.
    """

    seat: int
    turn: int
    action: str
    at: float
    revealed: bool
    final: bool = False
    late: bool = False


class Kept(NamedTuple):
    """A game as it was after so many actions, and how much of the record, which all of them share, it had then."""

    moves: int
    game: Game
    turns: int
    tokens: int

    def again(self) -> Game:
        """The game to be played on from there."""
        game = self.game.twin()
        del game.turns[self.turns :]
        if game.turns:
            del game.turns[-1][1][self.tokens :]
        return game


def last_place(actions: Sequence[Done] | Sequence[Played], seat: int) -> int:
    """Where a seat's last action stands among these."""
    for place in range(len(actions) - 1, -1, -1):
        if actions[place].seat == seat:
            return place
    raise ValueError(f"seat {seat} has nothing to take back")


def taken_back(events: Sequence[Event]) -> dict[int, int]:
    """The numbers of the actions that were taken back and of the events that say so, each with the action's place."""
    gone: dict[int, int] = {}
    standing: list[Played] = []
    numbers: list[int] = []
    for number, event in enumerate(events):
        if isinstance(event, Played):
            standing.append(event)
            numbers.append(number)
        elif isinstance(event, TakenBack):
            place = last_place(standing, event.seat)
            gone[number] = gone[numbers[place]] = place
            del standing[place], numbers[place]
    return gone


class Table:
    """A table as its events have made it."""

    def __init__(self, name: str, opened: Opened) -> None:
        self.name, self.opened = name, opened
        self.chairs = [msgspec.structs.replace(chair) for chair in opened.chairs]
        self.seq = 1
        self.kind = games.kind_of(opened.game)
        self.edition = self.kind.edition(opened.game)
        self.game: Game | None = None
        self.began = opened.at
        self.moves: list[Done] = []
        self.kept: list[Kept] = []
        self.second_thoughts = Counter[int]()  # how often the first, the second … action was taken back
        self.shown: dict[tuple[int, bool], list[messages.Move]] = {}  # of long games, for `showing`
        self.history: list[tuple[int, str]] = []
        self.chat: deque[messages.Said] = deque(maxlen=MOST_CHAT)
        self.rematch: str | None = None
        self.resigned = 0
        self._begin_if_full(opened.at)

    @classmethod
    def fold(cls, name: str, events: Sequence[bytes], now: float = inf) -> "Table":
        """A table from its events on disk, all of which have happened by now."""
        return whole(cls.folding(name, events, now))

    @classmethod
    def folding(cls, name: str, events: Sequence[bytes], now: float = inf) -> Generator[None, None, "Table"]:
        """A table from its events on disk, bit by bit. What was taken back later is not played at all."""
        found: list[Event] = []
        for data in events:
            found.append(by_now(read_event(data), now))
            yield
        if not found or not isinstance(found[0], Opened):
            raise ValueError("the first event of a table opens it")
        table, gone = cls(name, found[0]), taken_back(found)
        for number, event in enumerate(found[1:], 1):
            if number in gone:
                table._pass_over(event, gone[number])
            else:
                table._apply(event)
            yield
        return table

    def apply(self, event: bytes) -> None:
        """The next event from disk."""
        self._apply(read_event(event))

    def _pass_over(self, event: Event, place: int) -> None:
        """Note an action that was taken back later, or that it was, without playing it."""
        assert isinstance(event, Played | TakenBack)
        self.seq += 1
        if isinstance(event, Played):
            self.history.append((event.seat, bare(event.action)))
        else:
            self.second_thoughts[place] += 1
            self.history.append((event.seat, "undo"))

    def _apply(self, event: Event) -> None:
        self.seq += 1
        match event:
            case Sat():
                chair = self.chairs[event.seat - 1]
                chair.name, chair.key = event.name, event.key
                self._begin_if_full(event.at)
            case Botted():
                chair = self.chairs[event.seat - 1]
                chair.bot, chair.name = event.level, event.name or chair.name
                self._begin_if_full(event.at)
            case Played():
                self._advance(event.seat, event.action, event.at, event.final, event.late)
                self.history.append((event.seat, bare(event.action)))
            case TakenBack():
                self._take_back(event.seat)
            case Resigned():
                self.resigned = event.seat
            case Spoken():
                self.chat.append(messages.Said(seat=event.seat, text=event.text))
            case Followed():
                self.rematch = event.table

    def _did(self, event: Event) -> Event:
        self._apply(event)
        return event

    def _check_room(self, most: int) -> None:
        if self.seq >= most:
            raise Refused("full")

    def _begin_if_full(self, at: float) -> None:
        if self.game is None and not any(chair.free for chair in self.chairs):
            self.game, self.began = new_game(self.opened), at

    def _advance(self, seat: int, action: str, at: float, final: bool, late: bool, *, offered: bool = False) -> str:
        """Play an action, note it with its outcome, and return that; `offered`: only as `legal_actions` lists it."""
        game = self.game
        assert game is not None
        turn, face_down = game.turn, game.face_down
        token = str(game.play_offered(action, seat) if offered else game.play(action, seat))
        revealed = "=" in token or "~" in token or game.face_down != face_down
        self.moves.append(Done(seat, turn, token, at, revealed, final, late))
        if len(self.moves) % KEPT == 0:
            self._keep(game)
        return token

    def _keep(self, game: Game) -> None:
        """Keep the game as it is, so that no action is ever far from a game that it can be taken back to."""
        if len(self.kept) > 1 and self.kept[-2].moves % KEPT_LONG:
            del self.kept[-2]
        turns = game.turns
        self.kept.append(Kept(len(self.moves), game.twin(), len(turns), len(turns[-1][1]) if turns else 0))

    def _take_back(self, seat: int) -> None:
        """Take a seat's last action back: the game goes on without it from where it was last kept."""
        place = last_place(self.moves, seat)
        while self.kept and self.kept[-1].moves > place:
            self.kept.pop()
        kept = self.kept[-1].moves if self.kept else 0
        again = self.moves[kept:place] + self.moves[place + 1 :]
        self.game = self.kept[-1].again() if self.kept else new_game(self.opened)
        del self.moves[kept:]
        for shown in self.shown.values():
            del shown[kept:]
        for move in again:
            self._advance(move.seat, move.action, move.at, move.final, move.late)
        self.second_thoughts[place] += 1
        self.history.append((seat, "undo"))

    def sit(self, seat: int, name: str, key: str, at: float) -> Event:
        """Take a free seat."""
        check_name(name)
        if not self.chair(seat).free:
            raise Refused("seat-taken")
        return self._did(Sat(seat=seat, name=name, key=key, at=at))

    def play(self, seats: frozenset[int], version: int, action: str, at: float, final: bool = False) -> Event | None:
        """Act; None where this very message has been done before."""
        game = self.game
        if game is None:
            raise Refused("not-your-turn")
        # A secret choice may be made on an older version, so it may have been done later than right after that one.
        since = self.history[version:] if game.is_choice(action) else self.history[version : version + 1]
        if any(seat in seats and action == done for seat, done in since):
            return None
        if self.over:
            raise Refused("not-your-turn")
        seat = self.actor(seats)
        if version > self.version or (version < self.version and not (seat and game.choosing)):
            raise Refused("stale")
        if seat is None:
            raise Refused("not-your-turn" if seats else "no-seat")
        return self.act(seat, action, at, final)

    def act(self, seat: int, action: str, at: float, final: bool = False, late: bool = False) -> Event:
        """Play for a seat that the game waits for. An outcome is never taken from outside."""
        self._check_room(MOST_EVENTS)
        try:
            token = self._advance(seat, action, at, final, late, offered=True)
        except ValueError:
            raise Refused("illegal") from None
        self.seq += 1
        self.history.append((seat, action))
        return Played(seat=seat, action=token, at=at, final=final, late=late)

    def undo(self, seats: frozenset[int], version: int, now: float) -> Event | None:
        """Take one's last action back; None where this very message has been done before."""
        if version < self.version and self.history[version][1] == "undo" and self.history[version][0] in seats:
            return None
        if version != self.version:
            raise Refused("stale")
        self._check_room(MOST_EVENTS)
        seat, _ = self.undoable(seats, now)
        if seat is None:
            raise Refused("no-undo")
        return self._did(TakenBack(seat=seat, at=now))

    def resign(self, seats: frozenset[int], seat: int, at: float) -> Event | None:
        """Give up a game of two; None where that has been done before."""
        if seat not in seats:
            raise Refused("not-yours")
        if self.resigned == seat:
            return None
        if self.game is None:
            raise Refused("not-begun")
        if self.over:
            raise Refused("over")
        if len(self.chairs) > 2:
            raise Refused("not-two")
        return self._did(Resigned(seat=seat, at=at))

    def set_bot(self, seat: int, level: str | None, holder: str | None, absent: bool, at: float) -> Event:
        """Fill a free seat with a bot, let one play for somebody absent, or take one's own seat back."""
        self._check_room(MOST_EVENTS // 2)
        chair = self.chair(seat)
        mine = holder is not None and holder == chair.key
        if level is None:
            if not mine or chair.bot is None:
                raise Refused("not-yours")
            return self._did(Botted(seat=seat, name=None, level=None, at=at))
        if level not in self.kind.levels:
            raise Refused("bad-message", f"{self.kind.title} has no bot called {level}")
        if chair.key is None:
            if holder != self.opened.host:
                raise Refused("not-yours")
            if self.game is not None:
                raise Refused("seat-taken")
            name = chair.name or BOT_NAMES[seat - 1]
            return self._did(Botted(seat=seat, name=name, level=level, at=at))
        if not mine and not any(other.key == holder for other in self.chairs if other.key):
            raise Refused("no-seat")
        if not mine and not absent:
            raise Refused("not-absent")
        return self._did(Botted(seat=seat, name=None, level=level, at=at))

    def say(self, seats: frozenset[int], text: str) -> Event:
        """Say something; only those who hold a seat may."""
        self._check_room(MOST_EVENTS // 2)
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not seats:
            raise Refused("no-seat")
        if not line:
            raise Refused("bad-message", "a line of chat has something to read in it")
        seat = self.actor(seats) or min(seats)
        return self._did(Spoken(seat=seat, text=line))

    def follow(self, name: str) -> Event:
        """Note at which table the next game is."""
        return self._did(Followed(table=name))

    def next_opened(self, seed: bytes, at: float) -> Opened:
        """The first event of the same people's next game, in which the next seat begins."""
        if not self.over:
            raise Refused("not-over")
        chairs = self.chairs if self.opened.start else self.chairs[1:] + self.chairs[:1]
        first = None if self.opened.start else "next"
        return msgspec.structs.replace(self.opened, chairs=chairs, seed=seed.hex(), at=at, first=first)

    @cached_property
    def start(self) -> Game | None:
        """The position that the host had this game begin from, if that is how it began."""
        return new_game(self.opened) if self.opened.start else None

    @property
    def version(self) -> int:
        """How often the game has changed. A player acts on the version that they saw."""
        return len(self.history)

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or because one of two gave it up."""
        return self.game is not None and (self.game.over or self.resigned > 0)

    @property
    def result(self) -> str:
        """The winning seats joined by `/`, `=` drawn, `*` not finished."""
        if self.resigned:
            return str(3 - self.resigned)
        return self.game.result if self.game else "*"

    def chair(self, seat: int) -> Chair:
        """The chair of a seat that a message names."""
        if seat > len(self.chairs):
            raise Refused("no-seat")
        return self.chairs[seat - 1]

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats that a key holds."""
        held = [seat for seat, chair in enumerate(self.chairs, 1) if holder is not None and chair.key == holder]
        return frozenset(held)

    def waiting(self) -> tuple[int, ...]:
        """The seats that the game waits for."""
        return self.game.waiting() if self.game and not self.resigned else ()

    def actor(self, seats: frozenset[int]) -> int | None:
        """Which of these seats may act now, played by its holder."""
        return next((seat for seat in self.waiting() if seat in seats and self.chairs[seat - 1].bot is None), None)

    def bot_to_act(self) -> int | None:
        """A seat that a bot has to act for."""
        return next((seat for seat in self.waiting() if self.chairs[seat - 1].bot), None)

    @property
    def bots_only(self) -> bool:
        """Whether no person plays."""
        return all(chair.bot for chair in self.chairs)

    @property
    def hinted(self) -> bool:
        """Whether hints are given: in games of one person against bots."""
        return sum(chair.bot is None for chair in self.chairs) == 1

    def eyes(self, seats: frozenset[int]) -> int:
        """The seat whose secrets the holder of these seats sees, 0 for none."""
        return self.actor(seats) or alone(seats)

    def undoable(self, seats: frozenset[int], now: float) -> tuple[int | None, float | None]:
        """The seat of these whose last action can be taken back, and for how long where its turn is over."""
        game = self.game
        if game is None or self.over or not self.moves:
            return None, None
        if game.choosing:  # a choice may be taken back after others have chosen
            choices = takewhile(lambda move: game.is_choice(move.action), reversed(self.moves))
            last = next((move for move in choices if move.seat in seats), self.moves[-1])
        else:
            last = self.moves[-1]
        if last.seat not in seats or last.revealed or self.chairs[last.seat - 1].bot:
            return None, None
        if self.second_thoughts[last_place(self.moves, last.seat)] >= MOST_UNDOS:
            return None, None
        if last.turn == game.turn:
            return last.seat, None
        if last.final:
            return None, None
        left = last.at + (BOT_GRACE if self.bot_to_act() else GRACE) - now
        return (last.seat, left) if left > 0 else (None, None)

    def due(self, server_start: float) -> float | None:
        """When the server has to act here by itself: for a bot, or because the clock has run out."""
        game = self.game
        if game is None or self.over or self.seq >= MOST_EVENTS:
            return None
        bot, deadline = self.bot_to_act(), self.deadline(server_start)
        if bot is None:
            return deadline
        last = self.moves[-1] if self.moves else None
        if last is None:
            return self.began
        person = self.chairs[last.seat - 1].bot is None and not game.choosing
        undoable = person and last.turn != game.turn and not (last.revealed or last.final)
        return last.at + max(0 if person and last.final else self.opened.pace / 1000, BOT_GRACE if undoable else 0)

    def deadline(self, server_start: float) -> float | None:
        """When the clock of this turn runs out; a server that was away leaves at least a minute."""
        if self.opened.clock is None or self.game is None or self.over:
            return None
        ended = next((move.at for move in reversed(self.moves) if move.turn != self.game.turn), self.began)
        return max(ended + self.opened.clock, server_start + min(self.opened.clock, 60))

    def record(self, seats: frozenset[int]) -> str:
        """The game so far as text: for the eyes of these seats, and when it is over everything."""
        game = self.game
        if game is None:
            raise Refused("not-begun")
        self.name_players(game)
        return game.record() if self.over else game.record(self.eyes(seats))

    def name_players(self, game: Game) -> None:
        """Write into a record who plays, when, and with which symbols where they are not the usual ones.

        Of a game that was given up it is told by whom, and its luck.
        """
        game.names = tuple(chair.name or f"Seat {seat}" for seat, chair in enumerate(self.chairs, 1))
        day = datetime.fromtimestamp(clock.dated(self.began), UTC).date()
        printing = self.opened.printing
        symbols = {} if printing == PRINTINGS[0] else {"Printing": printing}
        game.tags = {**game.tags, "Date": day.isoformat(), **symbols}
        if self.resigned:
            game.tags["Resigned"] = str(self.resigned)
            if game.tags.get("Commitment") == game.chance.commitment:
                game.tags["Seed"] = game.chance.seed.hex()


def alone(seats: frozenset[int]) -> int:
    """The seat of somebody who holds one, 0 for none. People who share a screen must not see each other's cards."""
    return next(iter(seats)) if len(seats) == 1 else 0


def by_now(event: Event, now: float) -> Event:
    """An event from disk. One that seems to be still to come, since the clock was set back, has just happened."""
    late = not isinstance(event, Spoken | Followed) and event.at > now
    return msgspec.structs.replace(event, at=now) if late else event
