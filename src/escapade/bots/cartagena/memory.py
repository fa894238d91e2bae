"""What a seat of Cartagena can remember beyond its view: where the cards were when the discards were shuffled.

At that moment the pile is known as a set, so with two players and no open row the other's hand is known too. What it
plays later is taken from the known cards first, and what it draws later is unknown again, as everywhere (C17).
"""

import numpy as np

from escapade.cartagena.kernel import SYMBOLS, UNKNOWN
from escapade.cartagena.notation import CARDS, read_token
from escapade.cartagena.position import Cartagena
from escapade.record import begin, parse


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


def follow(record: str, me: int) -> Cartagena:
    """The game of a seat's record, the other's hand made known whenever the discards are shuffled."""
    recorded = parse(record)
    game = begin(recorded)
    assert isinstance(game, Cartagena)
    for _, tokens in recorded.turns:
        for token in tokens:
            before, actor = game.states[0].copy(), game.seat - 1
            game.play_recorded(token)
            if "~" in token:
                drawn = read_token(token).cards if actor == me else None
                set_hand(game.states[0], 1 - me, other_hand(game, before, me, drawn or ""))
    return game


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
