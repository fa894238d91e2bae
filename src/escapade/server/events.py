"""What can happen at a table, as it is stored: one struct for each kind of event, written and read as JSON."""

from typing import Literal

import msgspec
from msgspec import Struct


class Chair(Struct, kw_only=True):
    """A seat: who holds it, by the SHA-256 of their key, and the bot that plays it, if any."""

    name: str | None
    colour: int
    bot: str | None = None
    key: str | None = None

    @property
    def free(self) -> bool:
        """Whether neither a person nor a bot has it."""
        return self.key is None and self.bot is None


class Opened(Struct, tag="opened", kw_only=True):
    """A table was made. `first` is how the seat that begins was found; version 0.1.0 did not note it."""

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
    first: Literal["chosen", "chance", "next"] | None = None


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


class Played(Struct, tag="played", kw_only=True, omit_defaults=True):
    """Somebody acted. The action is stored with its outcome, so that reading it back needs no luck.

    `final`: if it ends the turn, that is not to be taken back, and no bot waits for it. `late`: the seat's time was up.
    """

    seat: int
    action: str
    at: float
    final: bool = False
    late: bool = False


class TakenBack(Struct, tag="undone", kw_only=True):
    """A seat's last action was taken back."""

    seat: int
    at: float


class Resigned(Struct, tag="resigned", kw_only=True):
    """A seat gave up the game, which is over."""

    seat: int
    at: float


class Spoken(Struct, tag="said", kw_only=True):
    """Somebody said something."""

    seat: int
    text: str


class Followed(Struct, tag="rematch", kw_only=True):
    """The next game of these people is at another table."""

    table: str


Event = Opened | Sat | Botted | Played | TakenBack | Resigned | Spoken | Followed
read_event = msgspec.json.Decoder(Event).decode
write_event = msgspec.json.Encoder().encode
