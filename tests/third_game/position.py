"""A Game of the Goose: legality at the edge, errors that explain, and what a seat may see."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np

from escapade.compiled import records
from escapade.game import MOST_TURNS, Chance, Edition, Game, Illegal, Invalid
from escapade.rng import Words
from escapade.sets import U
from third_game import features, kernel
from third_game.editions import check_players, edition
from third_game.kernel import CARD, DRAWN, HIGHEST, NOBODY, PASS, STATE, TARGET, TURN, UNKNOWN, Rules
from third_game.notation import (
    CARDS,
    Layout,
    Token,
    hand_text,
    move_text,
    pile_text,
    read_hands,
    read_layout,
    read_pile,
    read_token,
)

MOST_MOVES = 512  # more than any game has: in each round at least one of 66 cards is played


def dealt(chosen: Edition, players: int, chance: Chance) -> tuple[list[str], str]:
    """The hands that chance deals, and the pile that is left."""
    pack = "".join(chance.shuffled(CARDS[1:] * int(chosen.rules["cards"]), "deck"))
    size = int(chosen.rules["hand"])
    hands = [hand_text(pack[seat * size : (seat + 1) * size]) for seat in range(players)]
    return hands, pack[players * size :] if chosen.rules["draw"] == "on" else ""


class Goose(Game):
    """A Game of the Goose in either edition."""

    kind = "goose"
    setup = ("Deal", "Pile")
    features: ClassVar[ModuleType] = features
    rules: Rules

    def __init__(
        self, chosen: Edition, players: int, names: Sequence[str] | None, chance: Chance, start: str | None
    ) -> None:
        self.edition, self.players = chosen, players
        self.rules = self.rules_of(chosen)
        self._deal: list[str] = []
        self._pile = ""
        super().__init__(names, chance, start, records(STATE, 1), np.zeros(PASS, np.int64))

    @classmethod
    def rules_of(cls, edition: Edition, **options: Any) -> Rules:
        rule = edition.rules
        return Rules(
            length=int(rule["length"]),
            copies=int(rule["cards"]),
            hand=int(rule["hand"]),
            draw=int(rule["draw"] == "on"),
            turn_limit=int(rule.get("turn-limit", MOST_TURNS)),
        )

    @classmethod
    def hides(cls, edition: Edition) -> bool:
        return True

    @classmethod
    def new(cls, text: str, players: int, chance: Chance, names: Sequence[str] | None = None, **options: Any) -> Self:
        chosen = edition(text)
        check_players(players, text)
        game = cls(chosen, players, names, chance, None)
        game._set_up(*dealt(chosen, players, chance))
        return game

    @classmethod
    def from_tags(cls, tags: Mapping[str, str], names: Sequence[str], chance: Chance) -> Self:
        where = "the record's tags"
        chosen = edition(tags["Edition"])
        check_players(len(names), where)
        hands, pile = read_hands(tags["Deal"], where), read_pile(tags["Pile"], where)
        if len(hands) != len(names) or any(len(hand) != chosen.rules["hand"] for hand in hands):
            raise Invalid(f"{where}: {len(names)} seats get {chosen.rules['hand']} cards each, not {tags['Deal']!r}")
        if len(pile) != len(dealt(chosen, len(names), chance)[1]):
            raise Invalid(f"{where}: {len(pile)} cards cannot be left in the pile")
        check_cards(chosen, "".join(hands) + pile, where)
        game = cls(chosen, len(names), names, chance, None)
        game._set_up(hands, pile)
        return game

    @classmethod
    def from_states(cls, edition: Edition, states: kernel.States, players: int) -> Self:
        game = cls(edition, players, None, Chance(0), None)
        game.states[0] = states[0]
        game.start = str(game)
        return game

    def _set_up(self, hands: list[str], pile: str) -> None:
        self._deal, self._pile = hands, pile
        self._stack("".join(hands) + pile)
        kernel.deal_in(self.states, self.rules, self.players)

    def _stack(self, cards: str) -> None:
        """Make a pile of cards, the first on top."""
        self.states[0]["pile"][: len(cards)] = [CARDS.index(card) for card in reversed(cards)]
        self.states[0]["cards"] = len(cards)
        self.hidden = "?" in cards

    @classmethod
    def parse(cls, text: str, chance: Chance) -> Self:
        layout = read_layout(text)
        game = cls(layout.edition, len(layout.spaces), None, chance, str(layout))
        game._load(layout, text)
        return game

    def _load(self, layout: Layout, text: str) -> None:
        check_table(layout, self.rules, text)
        check_cards(self.edition, "".join(layout.hands) + layout.pile, text)
        state, hands = self.states[0], layout.hands
        self._stack(layout.pile)
        self.hidden = "?" in "".join(hands) + layout.pile
        state["space"][: self.players] = layout.spaces
        state["hand"][: self.players, : len(CARDS)] = [[hand.count(card) for card in CARDS] for hand in hands]
        state["held"][: self.players] = [len(hand) for hand in hands]
        state["players"], state["seat"], state["turn"] = self.players, layout.seat - 1, layout.turn
        state["winner"] = NOBODY
        if self.rules.length in layout.spaces:
            state["winner"] = layout.seat - 1
        elif layout.turn > self.rules.turn_limit or not any(hands):
            state["winner"] = DRAWN

    def beginning(self) -> Self:
        if self.start is not None:
            game = self.parse(self.start, self.chance)
            game.names = self.names
            return game
        game = type(self)(self.edition, self.players, self.names, self.chance, None)
        game._set_up(self._deal, self._pile)
        return game

    @property
    def face_down(self) -> int:
        return int(self.states[0]["cards"])

    @property
    def over(self) -> bool:
        return bool(self.states[0]["winner"] != NOBODY)

    @property
    def winners(self) -> tuple[int, ...]:
        winner = int(self.states[0]["winner"])
        return (winner + 1,) if winner >= 0 else ()

    @property
    def scores(self) -> tuple[int, ...]:
        """How far each goose has come."""
        return tuple(self.states[0]["space"][: self.players].tolist())

    def layout(self) -> Layout:
        """The position field by field, everything known."""
        state = self.states[0]
        hands = ["".join(CARDS[card] * hand[card] for card in range(len(CARDS))) for hand in state["hand"].tolist()]
        pile = "".join(CARDS[card] for card in state["pile"][: self.face_down].tolist())
        return Layout(self.edition, list(self.scores), hands[: self.players], pile[::-1], self.seat, self.turn)

    def __str__(self) -> str:
        return str(self.layout())

    def view(self, seat: int | None) -> str:
        """The position as a seat, or with 0 or None a spectator, may see it: all but the pile and the others' hands."""
        if seat:
            self.check_seat(seat)
        layout = self.layout()
        return str(layout._replace(hands=others_hidden(layout.hands, seat), pile="?" * len(layout.pile)))

    def check_hand(self) -> None:
        if self.states[0]["hand"][self.seat - 1, UNKNOWN] and not self.over:
            raise Illegal(f"the hand of seat {self.seat}, which is to act, is not known, in {self}")

    def legal_actions(self) -> list[str]:
        self.check_hand()
        n = kernel.legal_moves_in(self.states, self.rules, self._buffer)
        return [move_text(move, kernel.NO_CARD) for move in self._buffer[:n].tolist()]

    def is_listed(self, action: str) -> bool:
        return read_token(action).drawn is None

    def play(self, action: str, seat: int | None = None) -> str:
        token = read_token(action)
        self.check_turn(action, seat)
        if self.hidden:
            raise Illegal(f"{action}: a position with unknown cards can be looked at, not played on, in {self}")
        return self._play(token, self.states.copy())

    def play_recorded(self, token: str) -> str:
        """Play an action of a record, in which cards may be unknown until they are played or drawn."""
        read = read_token(token)
        return self._play(read, self._revealed(read) if self.hidden else self.states.copy())

    def _play(self, token: Token, trial: kernel.States) -> str:
        turn = self.turn
        card = kernel.play_in(trial, self.rules, token.move)
        if card == kernel.ILLEGAL:
            raise Illegal(f"{token.text}: {self._why_not(token)}, in {self}")
        played = move_text(token.move, card)
        if token.drawn is not None and played != token.text:
            raise Illegal(f"{token.text}: the record should have {played} here, in {self}")
        self.states = trial
        self.note(turn, played)
        return played

    def _revealed(self, token: Token) -> kernel.States:
        """The state in which an unknown card turns out to be the one played, and another the one drawn."""
        trial = self.states.copy()
        state, card = trial[0], token.move & (1 << TARGET) - 1
        hand, top = state["hand"][self.seat - 1], self.face_down - 1
        if card <= HIGHEST and not hand[card] and hand[UNKNOWN]:
            hand[UNKNOWN] -= 1
            hand[card] += 1
        if top >= 0 and state["pile"][top] == UNKNOWN:
            state["pile"][top] = CARDS.index(token.drawn or "?")
        return trial

    def _why_not(self, token: Token) -> str:
        """Why an action is not legal, in words."""
        card = token.move & (1 << TARGET) - 1
        if self.over:
            return f"the game is over ({self.result})"
        if card == PASS:
            return f"seat {self.seat} has cards to play"
        if not self.states[0]["hand"][self.seat - 1, card]:
            return f"seat {self.seat} holds no {card}"
        goal = next(action for action in self.legal_actions() if action.startswith(str(card)))
        return f"the card takes the goose to {goal.partition('>')[2]}"

    def setup_tags(self, seat: int | None) -> list[tuple[str, str]]:
        if self.start is not None:
            return [("Start", self.start if seat is None else self.parse(self.start, self.chance).view(seat or None))]
        deal, pile = self._deal, self._pile
        if seat is not None:
            deal, pile = others_hidden(deal, seat), "?" * len(pile)
        return [("Deal", "/".join(deal)), ("Pile", pile_text(pile))]

    def shown(self, token: str, actor: int, seat: int) -> str:
        action, plus, _ = token.partition("+")
        return f"{action}+?" if plus and actor != seat else token

    def proves(self, chance: Chance) -> str | None:
        known = self.start is None and "?" not in "".join(self._deal) + self._pile
        if known and (self._deal, self._pile) != dealt(self.edition, self.players, chance):
            return "the deal and the pile do not follow from the Seed"
        return None

    def play_out(self, firsts: int, rng: Words) -> int:
        log = np.zeros(MOST_MOVES, np.int64)
        n = kernel.playout_in(self.states, self.rules, U(firsts), rng, log)
        for entry in log[:n].tolist():
            self.note(entry >> TURN, move_text(entry & (1 << CARD) - 1, entry >> CARD & 7))
        return n

    def perft(self, depth: int) -> int:
        if self.hidden:
            raise Illegal(f"unknown cards cannot be played on, in {self}")
        states = records(STATE, depth + 1)
        states[depth] = self.states[0]
        return kernel.perft(states, self.rules, depth) if depth else 1


def others_hidden(hands: Sequence[str], seat: int | None) -> list[str]:
    """Hands as a seat sees them, or with None or 0 a spectator."""
    return [hand if owner == seat else "?" * len(hand) for owner, hand in enumerate(hands, 1)]


def check_cards(chosen: Edition, cards: str, where: str) -> None:
    """Refuse cards that are not in the pack, some of which may have been played."""
    copies = int(chosen.rules["cards"])
    for card in CARDS[1:]:
        if cards.count(card) > copies:
            raise Invalid(f"{where}: {cards.count(card)} cards show {card}; the pack has {copies} of each number")
    if len(cards) > HIGHEST * copies:
        raise Invalid(f"{where}: {len(cards)} cards; the pack has {HIGHEST * copies}")


def check_table(layout: Layout, rules: Rules, where: str) -> None:
    """Refuse geese, hands, a pile or a clock that cannot be."""
    players = len(layout.spaces)
    if len(layout.hands) != players:
        raise Invalid(f"{where}: {len(layout.hands)} hands for {players} seats")
    if max(map(len, layout.hands)) > rules.hand:
        raise Invalid(f"{where}: nobody holds more than {rules.hand} cards")
    if layout.pile and not rules.draw:
        raise Invalid(f"{where}: {layout.edition} has no pile")
    if layout.turn < 1 or not 1 <= layout.seat <= players:
        raise Invalid(f"{where}: turns are counted from 1, and there are seats 1 to {players}")
    for seat, space in enumerate(layout.spaces, 1):
        if space > rules.length or (space == rules.length and seat != layout.seat):
            raise Invalid(f"{where}: seat {seat} is on {space}; whoever reaches {rules.length} has won at once")
        if 0 < space < rules.length and kernel.is_goose(space):
            raise Invalid(f"{where}: seat {seat} is on {space}, and no goose stays on a goose space")
