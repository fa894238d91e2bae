"""What a seat of Cartagena can remember beyond its view: where the cards were when the discards were shuffled.

At that moment the pile is known as a set, so with two players the other's hand is known too (C17 goes no further than
the row). What it plays later is taken from the known cards first, as always.
"""

from typing import Any

from escapade.cartagena.kernel import SYMBOLS, UNKNOWN
from escapade.cartagena.notation import CARDS, read_token
from escapade.cartagena.position import Cartagena
from escapade.record import begin, blocks


def recall(record: str, seat: int) -> Cartagena:
    """The position that a seat's record leads to, with what the seat can remember of the other's hand."""
    block = next(blocks(record.encode().splitlines(keepends=True), "record"))
    game = begin(block.tags)
    assert isinstance(game, Cartagena)
    for _, tokens in block.turns:
        for token in tokens:
            if "~" not in token or game.players != 2:
                game.play_recorded(token)
                continue
            before, mine = game._state[0].copy(), game.seat == seat
            game.play_recorded(token)
            remember_hand(game, before, seat - 1, (read_token(token).cards or "") if mine else "")
    return game


def remember_hand(game: Cartagena, before: Any, me: int, drawn: str) -> None:
    """Set the other's hand to what is neither in one's own, nor open, nor in the pile that has just been shuffled."""
    state, other = game._state[0], 1 - me
    left = int(before["cards"]) - int(before["row"])
    if left and game.rules.row:
        return  # the last cards of the old pile lie in the new row, among others
    hand = [game.rules.copies] * SYMBOLS
    row = before["pile"][left : int(before["cards"])].tolist()
    for symbol in [*row, *(CARDS.index(card) for card in drawn[:left])]:
        hand[symbol] -= 1
    for symbol in range(SYMBOLS):
        hand[symbol] -= int(before["hand"][me, symbol]) + int(before["discard"][symbol])
    unknown = int(state["hand"][other].sum()) - sum(hand)
    state["hand"][other, :SYMBOLS] = hand
    state["hand"][other, UNKNOWN] = unknown
    held = sum(1 << symbol for symbol in range(SYMBOLS) if hand[symbol])
    state["held"][other] = held | (unknown > 0) << UNKNOWN
