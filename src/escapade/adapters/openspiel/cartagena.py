"""Cartagena with chance as a player: it lays the tunnel, deals, and names every card that comes up."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Self

import numpy as np

from escapade.adapters.openspiel.playouts import end_at_random, end_by_thumb
from escapade.adapters.openspiel.table import (
    ACTOR,
    CHANCE,
    EVERYONE,
    LINE,
    NOTHING,
    OVER,
    Numbers,
    Outcomes,
    Reals,
    Setting,
    Shapes,
    States,
    Table,
    lottery,
    named,
)
from escapade.cartagena import features
from escapade.cartagena.editions import PRINTED, SYMBOLS
from escapade.cartagena.features import action_of, number_of
from escapade.cartagena.kernel import (
    ACTION,
    COUNT,
    DRAW,
    FIRST,
    NOBODY,
    RETREAT,
    SECOND,
    STATE,
    TARGET,
    UNKNOWN,
    Rules,
    State,
    apply,
    deal_in,
    outcome,
    reshuffles,
    restock,
    target_in,
)
from escapade.cartagena.notation import CARDS, TEXTS, sort_cards
from escapade.cartagena.position import Cartagena, letters
from escapade.compiled import compiled, records
from escapade.rng import Words
from escapade.sets import signed

SIDES = [side for segment in PRINTED for side in (segment, segment[::-1])]
DRAWN = FIRST, SECOND
ANY_CARDS = UNKNOWN << FIRST | UNKNOWN << SECOND


class Secret(NamedTuple):
    """A card that only its owner has seen: where in the history it came and, unless it was dealt, where in the log."""

    place: int
    seat: int
    card: int
    pack: int  # how often the discards had been shuffled
    line: int
    slot: int


@compiled
def who_acts(s: State) -> int:
    """The seat to act, or OVER."""
    return signed(s.seat) if s.winner == NOBODY else OVER


@compiled
def shuffle_unseen(s: State, rules: Rules, action: int) -> None:
    """Put the discards under the pile, if an action needs them, in an order that is not settled."""
    if reshuffles(s, rules, action):
        for i in range(restock(s)):
            s.pile[i] = UNKNOWN


@compiled
def comes_up(states: States, rules: Rules, action: int) -> int:
    """How many cards an action brings up from the face-down pile, found by trying it."""
    trial = states.copy()
    s: State = trial[0]
    shuffle_unseen(s, rules, action)
    up: int = signed(s.cards) - signed(s.row)
    apply(s, rules, action)
    up -= signed(s.cards) - signed(s.row)
    return up


@compiled
def begin(states: States, rules: Rules, number: int) -> tuple[int, int, int]:
    """How many cards an action brings up; if none it is played: the move, and who acts then."""
    s: State = states[0]
    action = action_of(rules, number)
    if action >> 6 == RETREAT or action == DRAW:
        up = comes_up(states, rules, action)
        if up > 0:
            return up, 0, CHANCE
    move = outcome(s, rules, action)
    apply(s, rules, action)
    return 0, move, who_acts(s)


@compiled
def bring_up(states: States, rules: Rules, number: int, cards: Numbers) -> tuple[int, int]:
    """Play an action for which these cards come up: the move, and who acts then."""
    s: State = states[0]
    action = action_of(rules, number)
    shuffle_unseen(s, rules, action)
    top = s.cards - s.row - 1
    for i in range(len(cards)):
        s.pile[top - i] = cards[i]
    move = outcome(s, rules, action)
    apply(s, rules, action)
    return move, who_acts(s)


@compiled
def count_face_down(states: States, rules: Rules, counts: Numbers) -> None:
    """Count the cards of the face-down pile: all that are nowhere else."""
    s: State = states[0]
    for symbol in range(UNKNOWN):
        counts[symbol] = rules.copies - signed(s.discard[symbol])
        for seat in range(s.players):
            counts[symbol] -= s.hand[seat, symbol]
    for i in range(s.cards - s.row, s.cards):
        counts[s.pile[i]] -= 1


@compiled
def hides(rules: Rules, action: int) -> bool:
    """Whether the cards that an action brings are seen by their owner alone, where hands are hidden."""
    return rules.row == 0 or action == DRAW


@compiled
def write_moves(log: Numbers, rules: Rules, hidden: bool, reader: int, out: Reals) -> None:
    """Write each move as its number, counted from 1, and the cards that a reader saw it bring, a digit for each."""
    for i in range(len(log)):
        action = log[i] & ACTION
        blind = hidden and log[i] >> ACTOR != reader and hides(rules, action)
        out[i, 0] = number_of(rules, action) + 1
        for k in range(log[i] >> COUNT & 3):
            card = log[i] >> SECOND & 7 if k else log[i] >> FIRST & 7
            out[i, 1] = 10 * out[i, 1] + 1 + (UNKNOWN if blind else card)


class CartagenaTable(Table):
    """A game of Cartagena."""

    features = features

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting, records(STATE, 1))
        rules, cards = setting.rules, len(SYMBOLS) * setting.rules.copies
        self.hidden = setting.edition.rules["hands"] == "hidden"
        self.most_actions = rules.turn_limit * rules.most
        self.most_outcomes = rules.boat // 6 + setting.players * rules.deal + rules.row + 2 * self.most_actions
        self.states["pile"][0, :cards] = UNKNOWN
        self.states["cards"] = cards
        deal_in(self.states, rules._replace(deal=0, row=0), setting.players)
        self.laid: tuple[str, ...] = ()
        self.dealt: tuple[str, ...] = ()
        self.secrets: tuple[Secret, ...] = ()
        self.first = 0  # the place in the history of the first card that is coming
        if setting.tunnel != "printed":
            for segment in setting.tunnel.split("/"):
                self.lay(segment)

    def lay(self, segment: str) -> None:
        """Add a segment to the tunnel; when it is whole, cards are due."""
        for symbol, letter in enumerate(SYMBOLS):
            space = 1 + len(SYMBOLS) * len(self.laid) + segment.index(letter)
            self.states["spaces"][0, symbol] |= np.uint64(1 << space)
        self.laid = (*self.laid, segment)
        rules, hands = self.setting.rules, self.setting.players * self.setting.rules.deal
        if len(self.laid) == rules.boat // len(SYMBOLS):
            self.due = hands + min(rules.row, len(SYMBOLS) * rules.copies - hands)

    def act(self, number: int) -> None:
        actor = self.mover
        due, move, mover = begin(self.states, self.setting.rules, number)
        if due:
            self.wait(number, due)
            self.first = self.past + 1
            return
        self.done(actor, move, mover)
        if self.hidden and move & ACTION < RETREAT << 6:
            self.spend(actor, (move & ACTION) >> 6)

    def spend(self, seat: int, symbol: int) -> None:
        """Count a played card as the first of its kind that came to the seat unseen, unless it was a known one."""
        state = self.states[0]
        mine = [secret for secret in self.secrets if secret.seat == seat and secret.card == symbol]
        if len(mine) > int(state["hand"][seat, symbol]) - int(state["known"][seat, symbol]):
            self.secrets = tuple(secret for secret in self.secrets if secret is not mine[0])

    def fall(self, outcome: int) -> None:
        if not self.due:
            self.lay(SIDES[outcome])
            self.first = self.past + 1
            return
        self.coming = (*self.coming, outcome)
        if len(self.coming) < self.due:
            return
        rules, cards = self.setting.rules, np.array(self.coming, np.int64)
        secrets = self.secrets_coming()
        if self.number == NOTHING:
            self.set_up(cards)
        else:
            self.done(self.actor(), *bring_up(self.states, rules, self.number, cards))
        self.secrets += secrets

    def set_up(self, cards: Numbers) -> None:
        """Deal the cards that have come, and lay out the row."""
        top = int(self.states["cards"][0])
        self.states["pile"][0, top - len(cards) : top] = cards[::-1]
        deal_in(self.states, self.setting.rules, self.setting.players)
        self.dealt = self.hands_dealt()
        self.due, self.coming, self.mover = 0, (), 0

    def actor(self) -> int:
        """The seat whose action waits for chance."""
        return int(self.states["seat"][0])

    def hands_dealt(self) -> tuple[str, ...]:
        """The first hands, as far as they have come."""
        deal = self.setting.rules.deal
        hands = [self.coming[seat * deal : (seat + 1) * deal] for seat in range(self.setting.players)]
        return self.dealt or tuple(sort_cards("".join(SYMBOLS[card] for card in hand)) for hand in hands)

    def secrets_coming(self) -> tuple[Secret, ...]:
        """The cards that are coming to hands where the others do not see them."""
        rules, places = self.setting.rules, enumerate(self.coming, self.first)
        if not self.hidden:
            return ()
        if self.number == NOTHING:
            hands = zip(places, range(self.setting.players * rules.deal), strict=False)
            return tuple(Secret(place, i // rules.deal, card, 0, NOTHING, 0) for (place, card), i in hands)
        if not hides(rules, action_of(rules, self.number)):
            return ()
        pack, old, line = int(self.states["reshuffles"][0]), self.face_down(), len(self.log)
        return tuple(
            Secret(place, self.actor(), card, pack + (i >= old), line, slot)
            for i, ((place, card), slot) in enumerate(zip(places, DRAWN, strict=False))
        )

    def face_down(self) -> int:
        """How many cards lie face down, the discards not counted that are to be shuffled."""
        return int(self.states["cards"][0]) - int(self.states["row"][0])

    def packs(self) -> list[list[int]]:
        """Cards by symbol that are not settled: those face down, and the discards where they are to be shuffled."""
        old = self.face_down()
        counts = np.zeros(len(SYMBOLS), np.int64)
        count_face_down(self.states, self.setting.rules, counts)
        piles = [counts.tolist(), self.states["discard"][0, : len(SYMBOLS)].tolist()]
        for i, card in enumerate(self.coming):
            piles[i >= old][card] -= 1
        return piles if self.due > old else piles[:1]

    def outcomes(self) -> Outcomes:
        if not self.due:
            box = len(self.laid) // len(PRINTED) * len(PRINTED)
            return lottery([int(not {side, side[::-1]} & {*self.laid[box:]}) for side in SIDES])
        return lottery(self.packs()[len(self.coming) >= self.face_down()])

    def action_text(self, number: int) -> str:
        rules = self.setting.rules
        action = action_of(rules, number)
        return TEXTS[action | (target_in(self.states, rules, action) << TARGET if action < DRAW else 0)]

    def outcome_text(self, outcome: int) -> str:
        return SYMBOLS[outcome] if self.due else SIDES[outcome]

    def word(self, line: int, reader: int | None) -> str:
        move = line & LINE
        if move >> COUNT and self.is_blind(reader, line >> ACTOR, move & ACTION):
            move = move & ~(7 << FIRST | 7 << SECOND) | ANY_CARDS
        return " " + TEXTS[move]

    def waiting(self, reader: int | None) -> str:
        if self.number == NOTHING:
            return ""
        blind = self.is_blind(reader, self.actor(), action_of(self.setting.rules, self.number))
        cards = "".join("?" if blind else SYMBOLS[card] for card in self.coming)
        return f" {self.action_text(self.number)}+{cards}.."

    def is_blind(self, reader: int | None, owner: int, action: int) -> bool:
        """Whether a reader does not see the cards that an action brings their owner."""
        return self.hidden and reader not in (owner, EVERYONE) and hides(self.setting.rules, action)

    def seen_dealt(self, reader: int | None) -> list[str]:
        """The first hands as a reader has seen them."""
        hands = enumerate(self.hands_dealt())
        return [hand if not self.hidden or reader in (seat, EVERYONE) else "?" * len(hand) for seat, hand in hands]

    def memory(self, reader: int | None) -> str:
        text = f"{named(reader)} {'/'.join(self.laid)} {'/'.join(self.seen_dealt(reader))}{self.story(reader)}"
        if self.setting.rules.row:
            text += " row " + self.row_text()
        return text + self.waiting(reader)

    def row_text(self) -> str:
        """The row, its head first."""
        if not self.dealt:
            return "".join(SYMBOLS[card] for card in self.coming[self.setting.players * self.setting.rules.deal :])
        state = self.states[0]
        cards, row = int(state["cards"]), int(state["row"])
        return "".join(CARDS[card] for card in state["pile"][cards - row : cards][::-1].tolist())

    def private(self, reader: int) -> str:
        if not self.hidden:
            return ""
        return letters(self.states["hand"][0, reader]) if self.dealt else self.hands_dealt()[reader]

    def game(self) -> Cartagena | None:
        return Cartagena.from_states(self.setting.edition, self.states, self.setting.players) if self.dealt else None

    def own_shapes(self) -> Shapes:
        players, row = self.setting.players, self.setting.rules.row
        return [("deal", (players, UNKNOWN + 1)), ("coming", (row + 4,)), ("events", (self.most_actions, 2))]

    def write_own(self, reader: int, pieces: Mapping[str, Reals]) -> None:
        rules, players = self.setting.rules, self.setting.players
        for seat, hand in enumerate(self.seen_dealt(reader)):
            pieces["deal"][(seat - reader) % players] = [hand.count(card) for card in CARDS]
        if self.mover == CHANCE:
            self.write_coming(reader, pieces["coming"])
        write_moves(np.array(self.log, np.int64), rules, self.hidden, reader, pieces["events"])

    def write_coming(self, reader: int, out: Reals) -> None:
        """Write the action that waits for chance, how many cards have come, and which."""
        rules, cards, blind = self.setting.rules, self.coming, False
        if self.number == NOTHING:
            cards = cards[self.setting.players * rules.deal :]
        else:
            blind = self.is_blind(reader, self.actor(), action_of(rules, self.number))
        out[:2] = self.number + 1, len(self.coming)
        out[2 : 2 + len(cards)] = [1 + (UNKNOWN if blind else card) for card in cards]

    def add_shares(self, shares: Reals) -> None:
        winner = int(self.states["winner"][0])
        if winner >= 0:
            shares[winner] += 1

    def resampled(self, reader: int, uniform: Callable[[], float]) -> tuple[Self, dict[int, int]]:
        """Cards that the reader has not seen change places with each other and with those face down, all ways alike.

        Only cards of the same pack can: when the discards are shuffled, everyone knows which cards those are.
        """
        twin = self.twin()
        unseen = [secret for secret in (*self.secrets, *self.secrets_coming()) if secret.seat != reader]
        piles = dict(enumerate(self.packs(), int(self.states["reshuffles"][0]))) if unseen else {}
        drawn: dict[Secret, int] = {}
        for pack in {secret.pack for secret in unseen}:
            mine = [secret for secret in unseen if secret.pack == pack]
            cards = [secret.card for secret in mine]
            cards += [card for card, count in enumerate(piles.get(pack, ())) for _ in range(count)]
            for i, secret in enumerate(mine):
                j = i + int(uniform() * (len(cards) - i))
                cards[i], cards[j] = cards[j], cards[i]
                if cards[i] != secret.card:
                    drawn[secret] = cards[i]
        self.exchange(twin, drawn)
        return twin, {secret.place: card for secret, card in drawn.items()}

    def exchange(self, twin: Self, drawn: Mapping[Secret, int]) -> None:
        """Put other cards in the place of secret ones."""
        lines: dict[int, dict[int, int]] = {}
        hands, dealt, coming = twin.states["hand"][0], list(self.dealt), list(self.coming)
        for secret, card in drawn.items():
            if secret.place >= self.past - len(coming):
                coming[secret.place - self.first] = card
                continue
            hands[secret.seat, secret.card] -= 1
            hands[secret.seat, card] += 1
            if secret.line == NOTHING:
                rest = dealt[secret.seat].replace(SYMBOLS[secret.card], "", 1)
                dealt[secret.seat] = sort_cards(rest + SYMBOLS[card])
            else:
                mine = lines.setdefault(secret.seat, {})
                line = mine.get(secret.line, self.log[secret.line])
                mine[secret.line] = line & ~(7 << secret.slot) | card << secret.slot
        for seat in {secret.seat for secret in drawn}:
            held = sum(1 << symbol for symbol, count in enumerate(hands[seat].tolist()) if count)
            twin.states["held"][0, seat] = held
            if seat in lines:
                self.retell(twin, seat, lines[seat])
        twin.secrets = tuple(secret._replace(card=drawn.get(secret, secret.card)) for secret in self.secrets)
        twin.dealt, twin.coming = tuple(dealt), tuple(coming)

    def play_on(self, games: int, greedy: bool, rng: Words, shares: Reals) -> None:
        (end_by_thumb if greedy else end_at_random)(self.states, self.setting.rules, games, rng, shares)
