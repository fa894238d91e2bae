"""One table: what happened there in order, who sits where, whose turn it is, and what each reader may know.

A table is the fold of its events. A command checks, changes the table and gives back the event to be written; whoever
calls it tells nobody before that is on disk, and throws the table away where it could not be written.
"""

import hashlib
import re
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

import escapade
from escapade.cartagena import editions as cartagena
from escapade.cartagena.position import Cartagena
from escapade.evades import editions as evades
from escapade.game import Edition, Game
from escapade.server import messages
from escapade.server.messages import Move, Setup, Sitter, State, Summary

GRACE = 5.0  # seconds in which the end of a turn can be taken back, as long as nobody has acted since
BOT_GRACE = 2.0  # the same before a bot acts, which waits so long
ABSENT = 10.0  # seconds after which a bot may play for somebody who is not there
MOST_CHAT = 100
WATCHED_TURNS = 1000  # bots alone stop here (C19)
OUTCOME = re.compile("[+~=].*")
TURNS_TEXT = re.compile("[\u202a-\u202e\u2066-\u2069]")  # characters that change the direction of writing


class Refused(Exception):
    """A message that cannot be done: its code, and for programmers a word more about their own message."""

    def __init__(self, code: str, detail: str | None = None) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


class Chair(Struct, kw_only=True):
    """A seat: who holds it, by the SHA-256 of their key, and the bot that plays it, if any."""

    name: str | None
    colour: int
    bot: str | None = None
    key: str | None = None

    @property
    def free(self) -> bool:
        """Whether nobody and no bot has it."""
        return self.key is None and self.bot is None


class Opened(Struct, tag="opened", kw_only=True):
    """A table was made."""

    game: str
    chairs: list[Chair]
    host: str
    seed: str
    tunnel: str | None
    start: str | None
    printing: str
    clock: int | None
    pace: int
    at: float


class Sat(Struct, tag="sat", kw_only=True):
    """Somebody took a free seat."""

    seat: int
    name: str
    key: str
    at: float


class Botted(Struct, tag="bot", kw_only=True):
    """A bot took over a seat, or its holder took it back."""

    seat: int
    name: str | None
    level: str | None
    at: float


class Played(Struct, tag="played", kw_only=True):
    """Somebody acted; the action is told with its outcome, so that nothing depends on the seed afterwards."""

    seat: int
    action: str
    at: float


class TakenBack(Struct, tag="undone", kw_only=True):
    """A seat's last action was taken back."""

    seat: int
    at: float


class Spoken(Struct, tag="said", kw_only=True):
    """Somebody said something."""

    seat: int
    text: str


class Followed(Struct, tag="rematch", kw_only=True):
    """The next game of these people is at another table."""

    table: str


Event = Opened | Sat | Botted | Played | TakenBack | Spoken | Followed
read_event = msgspec.json.Decoder(Event).decode
write_event = msgspec.json.Encoder().encode


class Done(NamedTuple):
    """An action that was taken, and whether it showed something that was hidden or left to chance."""

    seat: int
    turn: int
    action: str
    at: float
    revealed: bool


def hashed(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def open_table(setup: Setup, key: str, seed: bytes, begins: int, at: float) -> Opened:
    """The first event of a new table; `begins` is the place that gets the first turn where the setup names none."""
    places = setup.seats
    check_places(setup)
    first = 0 if setup.start else begins if setup.first is None else setup.first
    holder = hashed(key)
    chairs = [
        Chair(name=place.name, colour=place.colour, bot=place.bot, key=holder if place.mine else None)
        for place in places[first:] + places[:first]
    ]
    game = setup.game
    if all(place.bot for place in places) and "turn-limit" not in game and not setup.start:
        game += f"+turn-limit={WATCHED_TURNS}"
    opened = Opened(
        game=game,
        chairs=chairs,
        host=holder,
        seed=seed.hex(),
        tunnel=setup.tunnel,
        start=setup.start,
        printing=setup.printing,
        clock=setup.clock,
        pace=setup.pace,
        at=at,
    )
    try:
        began = new_game(opened)
    except ValueError as fault:
        raise Refused("bad-setup", str(fault)) from None
    if began.over:
        raise Refused("bad-setup", "in this position the game is over")
    if setup.start and "?" in setup.start:
        raise Refused("bad-setup", "a position with unknown cards or bets cannot be played on")
    return opened


def check_places(setup: Setup) -> None:
    """Refuse seats that cannot be."""
    places = setup.seats
    if len({place.colour for place in places}) < len(places):
        raise Refused("bad-setup", "two seats have the same colour")
    if setup.first is not None and setup.first >= len(places):
        raise Refused("bad-setup", f"place {setup.first} cannot begin: there are {len(places)}, counted from 0")
    if any(place.mine and place.bot for place in places):
        raise Refused("bad-setup", "a seat is yours or a bot's, not both")
    if any(place.name is None for place in places if place.mine or place.bot):
        raise Refused("bad-setup", "your seats and the bots' need names")
    for place in places:
        if place.name is not None:
            check_name(place.name)
    if setup.start and (setup.tunnel or setup.first is not None):
        raise Refused("bad-setup", "a position has a tunnel and a first seat already")


def check_name(name: str) -> None:
    """Refuse names that show nothing, or turn the text around them."""
    if not any(c.isprintable() and not c.isspace() for c in name) or TURNS_TEXT.search(name):
        raise Refused("bad-setup", f"the name {name!r} cannot be read")


def new_game(opened: Opened) -> Game:
    """The game of a table at its start."""
    seed = bytes.fromhex(opened.seed)
    if opened.start is None:
        return escapade.new(opened.game, len(opened.chairs), seed=seed, tunnel=opened.tunnel)
    game = escapade.parse(opened.start, seed)
    if game.players != len(opened.chairs) or str(game.edition) != str(edition_of(opened.game)):
        raise escapade.Invalid(f"{opened.game} with {len(opened.chairs)} seats is not what the position has")
    return game


class Table:
    """A table as its events have made it."""

    def __init__(self, name: str, opened: Opened) -> None:
        self.name, self.opened = name, opened
        self.chairs = [msgspec.structs.replace(chair) for chair in opened.chairs]
        self.seq = 1
        self.edition = edition_of(opened.game)
        self.kind = kind_of(opened.game)
        self.game: Game | None = None
        self.began = opened.at
        self.bets: dict[int, str] = {}
        self.moves: list[Done] = []
        self.history: list[tuple[int, str]] = []
        self.chat: deque[messages.Said] = deque(maxlen=MOST_CHAT)
        self.rematch: str | None = None
        self._begin_if_full(opened.at)

    @classmethod
    def fold(cls, name: str, events: Iterable[bytes]) -> "Table":
        """A table from what is on disk."""
        first, *rest = events
        opened = read_event(first)
        assert isinstance(opened, Opened)
        table = cls(name, opened)
        for event in rest:
            table._apply(read_event(event))
        return table

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
                self._advance(event.seat, event.action, event.at)
                self.history.append((event.seat, bare(event.action)))
            case TakenBack():
                self._take_back(event.seat)
            case Spoken():
                self.chat.append(messages.Said(seat=event.seat, text=event.text))
            case Followed():
                self.rematch = event.table

    def _did(self, event: Event) -> Event:
        self._apply(event)
        return event

    def _begin_if_full(self, at: float) -> None:
        if self.game is None and not any(chair.free for chair in self.chairs):
            self.game, self.began = new_game(self.opened), at

    def _advance(self, seat: int, action: str, at: float) -> str:
        """Play an action on the game, and note what came of it."""
        game = self.game
        assert game is not None
        turn, hidden = game.turn, hidden_cards(game)
        told = action
        if action.startswith("bet:"):
            self.bets[seat] = action
            while game.turn == 0 and game.seat in self.bets:
                game.play(self.bets[game.seat])
        else:
            told = game.play(action)
        revealed = "=" in told or "~" in told or hidden_cards(game) != hidden
        self.moves.append(Done(seat, turn, told, at, revealed))
        return told

    def _take_back(self, seat: int) -> None:
        """Take a seat's last action back: the game is played anew without it."""
        last = max(i for i, move in enumerate(self.moves) if move.seat == seat)
        kept = self.moves[:last] + self.moves[last + 1 :]
        self.game, self.moves, self.bets = new_game(self.opened), [], {}
        for move in kept:
            self._advance(move.seat, move.action, move.at)
        self.history.append((seat, "undo"))

    # What the people at the table can do. Each checks, changes the table and gives the event to be written.

    def sit(self, seat: int, name: str, key: str, at: float) -> Event:
        """Take a free seat."""
        check_name(name)
        if not self._chair(seat).free:
            raise Refused("seat-taken")
        return self._did(Sat(seat=seat, name=name, key=key, at=at))

    def play(self, seats: frozenset[int], version: int, action: str, at: float) -> Event | None:
        """Act; nothing new is to be written where this very message was heard before."""
        # A bet may be made on an older version, so it may have been heard later than right after that one.
        heard = self.history[version:] if action.startswith("bet:") else self.history[version : version + 1]
        if any(seat in seats and action == done for seat, done in heard):
            return None
        game = self.game
        if game is None or game.over:
            raise Refused("not-your-turn")
        seat = self.actor(seats)
        if version > self.version or (version < self.version and not (seat and game.turn == 0)):
            raise Refused("stale")
        if seat is None:
            raise Refused("not-your-turn" if seats else "no-seat")
        return self.act(seat, action, at)

    def act(self, seat: int, action: str, at: float) -> Event:
        """Play for a seat whose turn it is known to be. An outcome is never taken from outside."""
        assert self.game is not None
        if action not in self.game.legal_actions():
            raise Refused("illegal")
        told = self._advance(seat, action, at)
        self.seq += 1
        self.history.append((seat, action))
        return Played(seat=seat, action=told, at=at)

    def undo(self, seats: frozenset[int], version: int, now: float) -> Event | None:
        """Take one's last action back."""
        if version < self.version and self.history[version][1] == "undo" and self.history[version][0] in seats:
            return None
        if version != self.version:
            raise Refused("stale")
        seat, _ = self.undoable(seats, now)
        if seat is None:
            raise Refused("no-undo")
        return self._did(TakenBack(seat=seat, at=now))

    def set_bot(self, seat: int, level: str | None, holder: str | None, absent: bool, at: float) -> Event:
        """Fill a free seat, play for somebody absent, or take one's own seat back."""
        chair = self._chair(seat)
        mine = holder is not None and holder == chair.key
        if level is None:
            if not mine or chair.bot is None:
                raise Refused("not-yours")
            return self._did(Botted(seat=seat, name=None, level=None, at=at))
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
        """Say something; those who only watch keep quiet."""
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not seats:
            raise Refused("no-seat")
        if not line:
            raise Refused("bad-message", "a line of chat has something to read in it")
        seat = self.actor(seats) or min(seats)
        return self._did(Spoken(seat=seat, text=line))

    def follow(self, name: str) -> Event:
        """Note where the next game is."""
        return self._did(Followed(table=name))

    def next_opened(self, seed: bytes, at: float) -> Opened:
        """The next game of the same people: the next seat begins."""
        if self.game is None or not self.game.over:
            raise Refused("not-over")
        chairs = self.chairs if self.opened.start else self.chairs[1:] + self.chairs[:1]
        return msgspec.structs.replace(self.opened, chairs=chairs, seed=seed.hex(), at=at)

    # What is known of the table.

    @property
    def version(self) -> int:
        """How often the game has changed; what a player saw when acting."""
        return len(self.history)

    def _chair(self, seat: int) -> Chair:
        if seat > len(self.chairs):
            raise Refused("no-seat")
        return self.chairs[seat - 1]

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats that a key holds."""
        held = [seat for seat, chair in enumerate(self.chairs, 1) if holder is not None and chair.key == holder]
        return frozenset(held)

    def actor(self, seats: frozenset[int]) -> int | None:
        """Which of these seats may act now, played by its holder. Bets are made by all at the same time."""
        game = self.game
        if game is None or game.over:
            return None
        waiting = self.waiting()
        return next((seat for seat in waiting if seat in seats and self.chairs[seat - 1].bot is None), None)

    def waiting(self) -> list[int]:
        """The seats that the game waits for."""
        game = self.game
        if game is None or game.over:
            return []
        if game.turn == 0:
            return [seat for seat in range(1, game.players + 1) if seat >= game.seat and seat not in self.bets]
        return [game.seat]

    def bot_to_act(self) -> int | None:
        """A seat that a bot has to act for."""
        return next((seat for seat in self.waiting() if self.chairs[seat - 1].bot), None)

    @property
    def bots_only(self) -> bool:
        """Whether no person plays."""
        return all(chair.bot for chair in self.chairs)

    def undoable(self, seats: frozenset[int], now: float) -> tuple[int | None, float | None]:
        """The seat of these whose last action can be taken back, and for how long where its turn is over."""
        game = self.game
        if game is None or game.over or not self.moves:
            return None, None
        if game.turn == 0:
            bet = next((move for move in reversed(self.moves) if move.seat in seats), None)
            return (bet.seat, None) if bet and not self.chairs[bet.seat - 1].bot else (None, None)
        last = self.moves[-1]
        if last.seat not in seats or last.revealed or self.chairs[last.seat - 1].bot:
            return None, None
        if last.turn == game.turn:
            return last.seat, None
        left = last.at + (BOT_GRACE if self.bot_to_act() else GRACE) - now
        return (last.seat, left) if left > 0 else (None, None)

    def due(self, server_start: float) -> float | None:
        """When the server has to act here by itself: for a bot, or because the clock has run out."""
        game = self.game
        if game is None or game.over:
            return None
        bot, deadline = self.bot_to_act(), self.deadline(server_start)
        if bot is None:
            return deadline
        last = self.moves[-1] if self.moves else None
        if last is None:
            return self.began
        person = self.chairs[last.seat - 1].bot is None and not last.revealed and last.turn != game.turn
        return last.at + max(self.opened.pace / 1000, BOT_GRACE if person and game.turn else 0)

    def deadline(self, server_start: float) -> float | None:
        """When the clock of this turn runs out; a server that was away leaves at least a minute."""
        if self.opened.clock is None or self.game is None or self.game.over:
            return None
        ended = next((move.at for move in reversed(self.moves) if move.turn != self.game.turn), self.began)
        return max(ended + self.opened.clock, server_start + min(self.opened.clock, 60))

    @property
    def hinted(self) -> bool:
        """Whether hints are given: in games of one person against bots."""
        return sum(chair.bot is None for chair in self.chairs) == 1

    def shown(self, move: Done, eyes: int) -> Move:
        """An action as somebody may know it."""
        assert self.game is not None
        if move.action.startswith("bet:"):
            told = move.action if move.seat == eyes or self.game.over else "bet"
        else:
            told = self.game.shown(move.action, move.seat, eyes)
        return Move(seat=move.seat, turn=move.turn, action=told)

    def eyes(self, seats: frozenset[int]) -> int:
        """Through which of one's seats one sees: the one to act; several seats at one screen see nothing otherwise."""
        acting = self.actor(seats)
        if acting:
            return acting
        return next(iter(seats)) if len(seats) == 1 else 0

    def view(self, eyes: int) -> str:
        """The position as somebody may know it. Bets that wait for those of earlier seats are in it too."""
        assert self.game is not None
        view = self.game.view(eyes or None)
        if self.game.turn == 0 and self.bets:
            fields = view.split(" ")
            bets = [
                bet if seat not in self.bets else self.bets[seat][4:] if seat == eyes else "?"
                for seat, bet in enumerate(fields[2].split("/"), 1)
            ]
            view = " ".join([*fields[:2], "/".join(bets), *fields[3:]])
        return view

    @property
    def position(self) -> str:
        """The position, nothing hidden but bets that wait."""
        return str(self.game) if self.game and self.game.turn else self.view(0)

    def known_to(self, seat: int) -> tuple[str, str | None]:
        """What a bot may know that decides for a seat: the position and the game so far, for that seat's eyes."""
        game = self.game
        assert game is not None
        if game.turn:
            return game.view(seat), game.record(seat)
        # Whoever bets knows no other bet, and need not wait for those of the seats before.
        fields = game.view(None).split(" ")
        bets = ["?"] * (seat - 1) + ["-"] * (game.players - seat + 1)
        return " ".join([*fields[:2], "/".join(bets), *fields[3:5], f"{seat}:0"]), None

    def state(self, seats: frozenset[int], now: float, server_start: float) -> State:
        """The game as the holder of some seats may know it."""
        game = self.game
        assert game is not None
        eyes, acting = self.eyes(seats), self.actor(seats)
        undo, grace = self.undoable(seats, now)
        deadline = self.deadline(server_start)
        legal = [] if acting is None else ["bet"] if game.turn == 0 else game.legal_actions()
        return State(
            view=self.view(eyes),
            eyes=eyes,
            seat=0 if game.over else game.seat,
            turn=game.turn,
            legal=legal,
            undo=undo is not None,
            grace=None if grace is None else round(grace, 1),
            left=None if deadline is None else round(max(0.0, deadline - now), 1),
            sealed=sorted(self.bets),
            result=game.result,
            scores=None if game.scores is None else list(game.scores),
        )

    def sitters(self, holder: str | None, here: frozenset[str]) -> list[Sitter]:
        """The seats as everyone sees them, and which are the reader's."""
        return [
            Sitter(
                name=chair.name or "",
                colour=chair.colour,
                bot=chair.bot,
                free=chair.free,
                person=chair.key is not None,
                here=chair.key in here,
                yours=holder is not None and chair.key == holder,
            )
            for chair in self.chairs
        ]

    def summary(self) -> Summary:
        """The table in a list."""
        game = self.game
        return Summary(
            table=self.name,
            game=str(self.edition),
            names=[chair.name or "" for chair in self.chairs],
            colours=[chair.colour for chair in self.chairs],
            free=sum(chair.free for chair in self.chairs),
            seat=game.seat if game and not game.over else 0,
            turn=game.turn if game else 0,
            result=game.result if game else "*",
        )

    def record(self, seats: frozenset[int]) -> str:
        """The game so far as text: for the eyes of these seats, and when it is over everything."""
        game = self.game
        if game is None:
            raise Refused("not-begun")
        self.name_players(game)
        return game.record(None if game.over else self.eyes(seats))

    def name_players(self, game: Game) -> None:
        """Write into a record who plays, and when."""
        game.names = tuple(chair.name or f"Seat {seat}" for seat, chair in enumerate(self.chairs, 1))
        day = datetime.fromtimestamp(self.began, UTC).date()
        game.tags = {**game.tags, "Date": day.isoformat()}

    def steps(self) -> Iterator[tuple[Done | None, "Table"]]:
        """The game played again: its start, and then every action after it was taken."""
        again = Table(self.name, msgspec.structs.replace(self.opened, chairs=self.chairs))
        yield None, again
        for move in self.moves:
            again._advance(move.seat, move.action, move.at)
            yield move, again


BOT_NAMES = ("Anne", "Grace", "Zheng", "Bartholomew", "Sayyida", "Jack")


def bare(told: str) -> str:
    """An action without its outcome, as it was asked for."""
    return told if told.startswith("bet:") else OUTCOME.sub("", told)


def edition_of(text: str) -> Edition:
    """An edition and its house rules."""
    return evades.edition(text) if escapade.is_evades(text) else cartagena.edition(text)


def kind_of(text: str) -> Literal["cartagena", "evades"]:
    """Which game an edition or a position is of."""
    return "evades" if escapade.is_evades(text) else "cartagena"


def hidden_cards(game: Game) -> int:
    """How many cards lie hidden, which changes whenever one is shown."""
    return game.face_down if isinstance(game, Cartagena) else 0
