"""Every message in and out, one tagged union each; docs/protocol.md explains them.

Texts of positions and actions are those of docs/notation.md. Sentences are never sent: a fault is a code.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from escapade import games
from escapade.games import LEVELS, OWN

MOST_SEATS = 6  # and as many colours
PRINTINGS = tuple(dict.fromkeys(name for kind in games.kinds().values() for name in kind.offers.get("printings", ())))
if TYPE_CHECKING:
    Level = str
    Printing = str
else:  # mypy cannot read a Literal made of a tuple; msgspec checks it
    Level, Printing = Literal[(*LEVELS, *OWN)], Literal[PRINTINGS]

# Something to read, and nothing that a record cannot hold. `(?!\n)`: for Python, `$` stands before a last line end too.
READABLE = r'^[^/"\x00-\x1f\x7f]*[^/"\x00-\x1f\x7f\s][^/"\x00-\x1f\x7f]*$(?!\n)'
Name = Annotated[str, Meta(min_length=1, max_length=24, pattern=READABLE)]
TableId = Annotated[str, Meta(min_length=4, max_length=24, pattern="^[A-Za-z0-9_-]+$")]
Key = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Seat = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
Colour = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
Version = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Action = Annotated[str, Meta(min_length=1, max_length=24)]


def plain(value: Any) -> str:
    """An action is its text; the encoder knows no kinds of text."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{value!r} cannot be sent")


encode = msgspec.json.Encoder(enc_hook=plain).encode


class Asked(Struct, forbid_unknown_fields=True, kw_only=True):
    """Anything from a client: fields that are not declared are refused."""


# ---- a new table -------------------------------------------------------------------------------------------------


class Place(Asked):
    """A seat of a new table: the maker's own, a bot's, or, with neither, free for whoever has the link."""

    colour: Colour
    name: Name | None = None
    mine: bool = False
    bot: Level | None = None


class Setup(Asked):
    """What is played, by whom, and how."""

    game: Annotated[str, Meta(max_length=300)]  # edition and house rules, as in `tortuga+pirates=4`
    seats: Annotated[list[Place], Meta(min_length=2, max_length=MOST_SEATS)]  # clockwise
    first: Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)] | None = None  # the place that begins; by chance where none is
    tunnel: Annotated[str, Meta(max_length=80)] | None = None  # a tunnel's text; by chance where there is none
    start: Annotated[str, Meta(max_length=2000)] | None = None  # a position to play on from
    printing: Printing = PRINTINGS[0]  # what the symbols are called and drawn as (C3)
    clock: Annotated[int, Meta(ge=5, le=30 * 86_400)] | None = None  # seconds a turn
    pace: Annotated[int, Meta(ge=0, le=5000)] = 400  # least milliseconds between a bot's actions


class Made(Struct, kw_only=True):
    """A new table, and the secret that holds its maker's seats."""

    table: str
    key: str


# ---- from a client, over the socket ------------------------------------------------------------------------------


class Hello(Asked, tag="hello"):
    """Come to a table: with a key to hold one's seats, without one to watch."""

    table: TableId
    key: Key | None = None


class Sit(Asked, tag="sit"):
    """Take a free seat. Whoever brings a key of their own can say it again if the line breaks."""

    seat: Seat
    name: Name
    key: Key | None = None


class Play(Asked, tag="play"):
    """An action, made on the version of the table that the player saw."""

    version: Version
    action: Action
    final: bool = False  # if it ends the turn, that is not to be taken back, and a bot answers at once


class Undo(Asked, tag="undo"):
    """Take one's last action back."""

    version: Version


class Resign(Asked, tag="resign"):
    """Give up a game of two: the other one has won."""

    seat: Seat


class SetBot(Asked, tag="bot"):
    """Fill a free seat with a bot, let a bot play for somebody absent, or, with no level, take one's seat back."""

    seat: Seat
    level: Level | None = None


class Say(Asked, tag="say"):
    """A line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=200)]


class AskHint(Asked, tag="hint"):
    """Ask what could be done now."""

    version: Version


class Again(Asked, tag="rematch"):
    """Ask for the next game of the same people, in which the next seat begins."""


class Ping(Asked, tag="ping"):
    """Is the line alive?"""


FromClient = Hello | Sit | Play | Undo | Resign | SetBot | Say | AskHint | Again | Ping


# ---- to a client -------------------------------------------------------------------------------------------------


class Sitter(Struct, kw_only=True):
    """A seat as everyone sees it, in the order of play."""

    name: str
    colour: int
    bot: str | None  # the level of the bot that plays it now
    free: bool  # nobody holds it yet
    person: bool  # somebody holds it, even while a bot plays for them
    here: bool  # its holder is connected
    yours: bool
    host: bool  # its holder has made the table


class Move(Struct, kw_only=True, omit_defaults=True):
    """An action as the reader may know it, with its outcome; what others chose in secret is hidden."""

    seat: int
    turn: int
    action: str
    late: bool = False  # the server did it, because the seat's time was up


class State(Struct, kw_only=True):
    """The game as the reader may know it now."""

    view: str
    eyes: int  # the seat whose secrets the view has; 0: nobody's
    seat: int  # who is to act; 0 when the game is over
    turn: int
    legal: list[str]  # what the reader may do, exactly or, for secret choices, by one word for all of them
    undo: bool  # whether the reader may take the last action back
    grace: float | None  # for so many more seconds, where the turn is over already
    left: float | None  # seconds that the clock leaves for this turn
    sealed: list[int]  # seats that have made a secret choice
    result: str  # winning seats joined by `/`, `=` drawn, `*` not finished
    scores: list[int] | None


class Said(Struct, kw_only=True, tag="said"):
    """A line of chat by a seat."""

    seat: int
    text: str


class Shown(Struct, kw_only=True, tag="table"):
    """The whole table: the answer to hello, and sent after changes that have no message of their own."""

    table: str
    version: int
    game: str  # edition and house rules
    kind: str
    rules: dict[str, str | int]  # every rule of the edition as it is played here
    printing: str
    clock: int | None
    pace: int
    seats: list[Sitter]
    watchers: int
    host: bool  # the reader has made the table, and may fill its free seats with bots
    hints: bool  # the reader may ask for hints
    state: State | None  # None as long as seats are free
    moves: list[Move]
    chat: list[Said]
    resigned: int  # the seat that gave the game up; 0: none
    rematch: str | None  # the table of the next game
    commitment: str | None  # of the luck, see docs/notation.md
    chosen: list[str]  # what the host has set that could be taken for chance: position, tunnel, first
    start: str | None  # the position that the host had the game begin from


class Moved(Struct, kw_only=True, tag="moved"):
    """Somebody has acted, and it is on disk."""

    version: int
    move: Move
    state: State


class Undone(Struct, kw_only=True, tag="undone"):
    """The last action has been taken back."""

    version: int
    seat: int
    state: State


class Seated(Struct, kw_only=True, tag="seats"):
    """Who sits and who is here has changed."""

    seats: list[Sitter]
    watchers: int


class Held(Struct, kw_only=True, tag="held"):
    """The answer to `sit`: the key that holds the seat from now on."""

    seat: int
    key: str


class Why(Struct, kw_only=True):
    """A reason for a hint: a code and its values."""

    code: str
    values: dict[str, Any]


class Advice(Struct, kw_only=True):
    """One thing to do, what it may begin, and every seat's winning chance then."""

    action: str
    line: list[str]
    chances: list[float]
    reasons: list[Why]


class Hints(Struct, kw_only=True, tag="hints"):
    """What could be done, the best first."""

    version: int
    hints: list[Advice]


class Next(Struct, kw_only=True, tag="rematch"):
    """The next game is at this table; every key holds the same person's seat there."""

    table: str


class Pong(Struct, kw_only=True, tag="pong"):
    """The line is alive."""


class Fault(Struct, kw_only=True, tag="fault"):
    """A message was refused and nothing was changed. `about` is its type, `where` the path of a field."""

    code: str
    about: str | None = None
    where: str | None = None
    version: int | None = None  # the table's, where that matters
    detail: str | None = None  # for programmers: what is wrong with their own message


ToClient = Shown | Moved | Undone | Seated | Held | Said | Hints | Next | Pong | Fault

# Every code of a fault or a refusal; docs/protocol.md says what each means.
FAULTS = (
    "bad-message", "bad-origin", "bad-position", "bad-record", "bad-request", "bad-setup", "broken", "busy", "closed",
    "damaged", "full", "hello-first", "illegal", "no-hints", "no-puzzle", "no-seat", "no-table", "no-undo",
    "not-absent", "not-begun", "not-found", "not-over", "not-saved", "not-two", "not-your-turn", "not-yours", "over",
    "seat-taken", "stale", "too-big", "too-fast",
)  # fmt: skip


class Refused(Exception):
    """A message that is not done: one of these codes, and for programmers what is wrong with their own message."""

    def __init__(self, code: str, detail: str | None = None) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


# ---- over HTTP ---------------------------------------------------------------------------------------------------


class Summary(Struct, kw_only=True):
    """A table in a list."""

    table: str
    game: str
    names: list[str]
    colours: list[int]
    free: int
    seat: int  # who is to act; 0 before the start and at the end
    turn: int
    result: str


class Step(Struct, kw_only=True, omit_defaults=True):
    """A move of a replay, and the position after it."""

    seat: int
    turn: int
    action: str
    view: str
    late: bool = False  # the server took it, because time was up


class Replay(Struct, kw_only=True):
    """A game from its start, as far as the reader may know it."""

    game: str
    kind: str
    rules: dict[str, str | int]
    printing: str
    names: list[str]
    colours: list[int]
    start: str
    steps: list[Step]
    result: str
    scores: list[int] | None
    record: str
    proven: bool  # the luck follows from the Seed of the record, and no position was set before it
    chosen: list[str]  # what was set and could be taken for chance, as far as it is known
    games: int  # how many games the text has
    resigned: int = 0  # the seat that gave the game up


class AskReplay(Asked):
    """A record to be checked and replayed."""

    record: Annotated[str, Meta(max_length=500_000)]
    number: Annotated[int, Meta(ge=1, le=10_000)] = 1  # which of its games


class Outline(Struct, kw_only=True, tag="outline"):
    """The first line of an analysis: whose every turn is, and the chances as they are known at once."""

    turns: list[int]  # their numbers
    seats: list[int]
    chances: list[list[float]]  # every seat's, at the start and after each turn


class Judgement(Struct, kw_only=True, tag="judged"):
    """A turn of an analysis: what it gave away, what would have been better, and why."""

    index: int  # among the turns, from 0
    chances: list[float]  # after it
    lost: float  # of the seat's winning chance
    mark: str  # `mistake`, `blunder` or nothing
    at: int  # actions of the turn before the decision that `better` is for
    better: list[str]
    reasons: list[Why]
    luck: list[float]  # what cards or dice of this turn brought each seat; empty where that is not told


class Turned(Struct, kw_only=True):
    """A turn that changed the chances: by how much, to whose gain, and why."""

    index: int
    change: float
    gainer: int
    cause: str  # `blunder`, `mistake`, `luck`, `good`, `either` (good or lucky) or `play`


class Verdict(Struct, kw_only=True, tag="verdict"):
    """The last line of an analysis: a figure for each seat, and where the game turned."""

    accuracy: list[float | None]  # 1: nothing was given away; None: the seat had no turn
    mistakes: list[int]
    blunders: list[int]
    luck: list[float]  # empty where it is not told
    turning: list[Turned]


Analysed = Outline | Judgement | Verdict | Fault


class AskAdvice(Asked):
    """A position, and actions of the seat to act, of one turn and with their outcomes, to be judged."""

    position: Annotated[str, Meta(max_length=2000)]
    actions: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=20)] = []


class Advised(Struct, kw_only=True):
    """What the seat to act could do, the best first, and what the actions that were asked about would give away."""

    hints: list[Advice]
    lost: float | None


class AskCheck(Asked):
    """A position to be checked, and actions to be played from it."""

    position: Annotated[str, Meta(max_length=2000)]
    actions: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=200)] = []
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] | None = None  # of the luck in the actions; by chance where none is


class AskPicture(Asked):
    """A link to be drawn as a QR code."""

    link: Annotated[str, Meta(min_length=1, max_length=300)]


class Checked(Struct, kw_only=True):
    """A position that is valid, or what the actions from it led to."""

    game: str
    kind: str
    rules: dict[str, str | int]
    players: int
    seat: int  # who is to act; 0 when the game is over
    position: str
    playable: bool  # nothing in it is unknown, and it is not over
    legal: list[str]  # what the seat to act may do, if it is playable; one word stands for all bets
    result: str  # `*` while it is not over
    steps: list[Step]  # what the actions did, one after another


class PuzzleRow(Struct, kw_only=True):
    """A puzzle to choose."""

    id: str
    kind: str
    game: str
    rating: int
    tries: int  # how many have tried it here
    themes: list[str]


class Puzzles(Struct, kw_only=True):
    """All puzzles, and those of today by kind of game."""

    day: str
    today: dict[str, str]
    puzzles: list[PuzzleRow]


class AskPuzzle(Asked):
    """Actions to try in a puzzle; none to see it."""

    actions: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=20)] = []
    give_up: bool = False


class Answered(Struct, kw_only=True):
    """The best turn and the next best, the chances after them, and what speaks for the best."""

    line: list[str]
    steps: list[Step]
    chance: float
    other: list[str]  # none where the best turn wins
    less: float
    reasons: list[Why]
    solved: list[str]  # levels of bots that find it


class Puzzled(Struct, kw_only=True):
    """A puzzle as the seat to act sees it, what the actions did, and whether they are it."""

    id: str
    game: str
    kind: str
    rules: dict[str, str | int]
    players: int
    seat: int
    opening: str  # the position before the turns before, or the start
    before: list[Step]  # the turns before, where they are part of it; not told again with every try
    start: str
    steps: list[Step]
    legal: list[str]  # while it is open
    verdict: Literal["open", "right", "wrong"]
    lost: float | None  # what wrong actions give away of the seat's chances
    answer: Answered | None


class AskRating(Asked):
    """Whether a puzzle was solved, and the rating of whoever tried it, by Glicko-2."""

    solved: bool
    rating: Annotated[float, Meta(ge=0, le=4000)] = 1500.0
    deviation: Annotated[float, Meta(ge=30, le=350)] = 350.0
    volatility: Annotated[float, Meta(ge=0.01, le=0.2)] = 0.06


class Rated(Struct, kw_only=True):
    """The rating after a try, and that of the puzzle."""

    rating: float
    deviation: float
    volatility: float
    puzzle: int
    tries: int


class Health(Struct, kw_only=True):
    """Whether the server can serve tables, and what of all that it needs is there."""

    ready: bool
    checks: dict[str, bool]


class Refusal(Struct, kw_only=True, omit_defaults=True):
    """A question that was refused: a code, what is wrong with it and where; a common fault of a text as a code too."""

    code: str
    detail: str | None = None
    where: str | None = None
    why: Why | None = None
