"""What a seat of Cartagena can remember beyond its view: where the cards were when the discards were shuffled.

At that moment the pile is known as a set, and with it what the others hold together; with two players that is the
other's hand. What is played later is taken from the known cards first, and what is drawn later is unknown again, as
everywhere (C17). With an open row almost every card is seen anyway, and nothing more is remembered.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from escapade.cartagena.kernel import SYMBOLS, UNKNOWN, Numbers
from escapade.cartagena.notation import CARDS, read_token
from escapade.cartagena.position import Cartagena
from escapade.record import Record, begin, parse


class Old(NamedTuple):
    """Cards that were in the others' hands at the last shuffle and still are: by symbol, and how many each seat has."""

    cards: Numbers
    held: Numbers


def nothing_old(players: int) -> Old:
    """No such memory."""
    return Old(np.zeros(SYMBOLS, np.int64), np.zeros(players, np.int64))


def recall(view: str, record: str | None) -> str:
    """The view of the seat to act with what it remembers of the other's hand, from its record of the game."""
    fields = view.split(" ")
    hands = fields[3].split("/")
    if record is None or "~" not in record or len(hands) != 2 or fields[4] != "-" or "?" not in fields[3]:
        return view
    seat = int(fields[7].split(":")[0])
    game = follow(record, seat - 1)
    fields[3] = "/".join([*hands[: 2 - seat], game.layout().hands[2 - seat], *hands[3 - seat :]])
    return " ".join(fields)


class Played(NamedTuple):
    """An action of a record: the game after it, the state before it, who acted, and the token."""

    game: Cartagena
    before: np.void
    actor: int
    token: str

    def drawn_by(self, me: int) -> str:
        """The cards that a seat drew and saw."""
        return (read_token(self.token).cards or "") if self.actor == me else ""


def replay(recorded: Record) -> Iterator[Played]:
    """Play a record again, action by action."""
    game = begin(recorded)
    assert isinstance(game, Cartagena)
    for _, tokens in recorded.turns:
        for token in tokens:
            before, actor = game.states[0].copy(), game.seat - 1
            game.play_recorded(token)
            yield Played(game, before, actor, token)


def follow(record: str, me: int) -> Cartagena:
    """The game of a seat's record, the other's hand made known whenever the discards are shuffled."""
    for played in replay(parse(record)):
        if "~" in played.token:
            hand = other_hand(played.game, played.before, me, played.drawn_by(me))
            set_hand(played.game.states[0], 1 - me, hand)
    return played.game


def other_hand(game: Cartagena, before: np.void, me: int, drawn: str) -> list[int]:
    """The other's hand by symbol: all that was neither in our hand, nor discarded, nor drawn from the old pile."""
    hand = [game.rules.copies - int(before["hand"][me, k]) - int(before["discard"][k]) for k in range(SYMBOLS)]
    for card in drawn[: int(before["cards"])]:
        hand[CARDS.index(card)] -= 1
    return hand


def set_hand(state: np.void, seat: int, hand: list[int]) -> None:
    """Make these cards of a hand known; any others it has were drawn since and are unknown."""
    unknown = int(state["hand"][seat].sum()) - sum(hand)
    state["hand"][seat, :UNKNOWN] = hand
    state["hand"][seat, UNKNOWN] = unknown
    held = sum(1 << symbol for symbol in range(SYMBOLS) if hand[symbol])
    state["held"][seat] = held | (unknown > 0) << UNKNOWN


def remembered(view: str, record: str | None) -> Old:
    """What the seat to act remembers of several others' hands together, from its record of the game."""
    fields = view.split(" ")
    players = len(fields[3].split("/"))
    if record is None or "~" not in record or players == 2 or fields[4] != "-" or "?" not in fields[3]:
        return nothing_old(players)
    me, old = int(fields[7].split(":")[0]) - 1, nothing_old(players)
    for played in replay(parse(record)):
        game, before, actor, token = played
        after = game.states[0]
        if "~" in token:
            cards = np.array(other_hand(game, before, me, played.drawn_by(me)))
            old = Old(cards, before["hand"][:players].sum(1).astype(np.int64))
            came = int(after["hand"][actor].sum()) - int(before["hand"][actor].sum())
            old.held[actor] += min(came, int(before["cards"]))
            old.held[me] = 0
        elif actor != me:
            for symbol in np.flatnonzero(after["discard"] > before["discard"]).tolist():
                if old.cards[symbol] and old.held[actor]:
                    old.cards[symbol] -= 1
                    old.held[actor] -= 1
    return old if fits(game, old, me) else nothing_old(players)


def fits(game: Cartagena, old: Old, me: int) -> bool:
    """Whether what is remembered can be: a card taken for an old one may have been a new one."""
    s = game.states[0]
    unseen = game.rules.copies - s["hand"][me, :SYMBOLS] - s["discard"][:SYMBOLS]
    held = s["hand"][: game.players, UNKNOWN]
    return bool((old.cards <= unseen).all() and (old.held <= held).all() and old.cards.sum() == old.held.sum())
