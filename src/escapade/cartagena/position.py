"""A game of Cartagena: legality at the edge, errors that explain, and what a seat may see."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import mul
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np

from escapade.cartagena import features, kernel
from escapade.cartagena.editions import SYMBOLS, check_players, edition
from escapade.cartagena.kernel import COUNT, DRAW, END, FIRST, NOBODY, RETREAT, SECOND, STATE, UNKNOWN, Rules
from escapade.cartagena.notation import (
    ACTIONS,
    CARDS,
    MOVES,
    TEXTS,
    Action,
    Layout,
    Token,
    check_segments,
    lay_tunnel,
    pile_text,
    read_cards,
    read_layout,
    read_pile,
    read_token,
    read_tunnel,
    sort_cards,
)
from escapade.compiled import records
from escapade.game import MOST_TURNS, Chance, Column, Edition, Game, Illegal, Invalid, Option, blaming
from escapade.rng import Words
from escapade.sets import U

LETTERS = CARDS.encode().ljust(256, b"?")  # by number
NOTHING_COMES = "the pile and the discards are empty, so no card comes"


def rules_of(chosen: Edition, segments: int) -> Rules:
    """An edition as the kernel's numbers."""
    rule = {name: value if isinstance(value, int) else int(value == "on") for name, value in chosen.rules.items()}
    boat = 6 * segments + 1
    return Rules(
        boat=boat,
        tunnel=U((1 << boat) - 2),
        retreaters=U((2 << boat) - 1 if rule["boat-retreat"] else (1 << boat) - 1),
        pirates=rule["pirates"],
        least=rule["least-actions"],
        most=rule["most-actions"],
        row=rule["row"],
        empty_hand_draw=rule["empty-hand-draw"],
        turn_limit=rule.get("turn-limit", MOST_TURNS),
        copies=rule["cards"],
        deal=rule["deal"],
    )


def full_deck(chosen: Edition) -> str:
    """Every card of an edition's pack, in alphabetical order (C4)."""
    return "".join(symbol * int(chosen.rules["cards"]) for symbol in SYMBOLS)


def dealt(chosen: Edition, players: int, chance: Chance) -> list[str]:
    """The hands that chance deals, and the pile that is left."""
    pack = "".join(chance.shuffled(full_deck(chosen), "deck"))
    deal = int(chosen.rules["deal"])
    hands = [sort_cards(pack[i * deal : (i + 1) * deal]) for i in range(players)]
    return [*hands, pack[players * deal :]]


def pile_label(turn: int, actions: int) -> str:
    """The stream of Chance that a reshuffle is read from: the turn, and the actions taken in it before."""
    return f"pile {turn} {actions}"


class Cartagena(Game):
    """A game of Cartagena in any edition."""

    kind = "cartagena"
    setup = ("Tunnel", "Deal", "Pile")
    action_type = Action
    features: ClassVar[ModuleType] = features
    options: ClassVar[Mapping[str, Option]] = {"tunnel": Option("printed", "tunnel"), "segments": Option(6, "tunnel")}
    columns: ClassVar[Mapping[str, Column]] = {"tunnel": "string", "deal": "strings", "pile": "string"}
    rules: Rules

    def __init__(
        self, chosen: Edition, tunnel: str, players: int, names: Sequence[str] | None, chance: Chance, start: str | None
    ) -> None:
        self.edition, self.tunnel, self.players = chosen, tunnel, players
        self.rules = rules_of(chosen, tunnel.count("/") + 1)
        self._deal: list[str] = []
        self._pile = ""
        super().__init__(names, chance, start, records(STATE, 1), np.zeros(64, np.int64))
        self.states[0]["spaces"][: len(SYMBOLS)] = spaces_of(tunnel)

    @classmethod
    def rules_of(cls, edition: Edition, segments: int = 6, **options: Any) -> Rules:
        check_segments(segments)
        return rules_of(edition, segments)

    @classmethod
    def hides(cls, edition: Edition) -> bool:
        return edition.rules["hands"] == "hidden"

    @classmethod
    def new(
        cls,
        text: str,
        players: int,
        chance: Chance,
        names: Sequence[str] | None = None,
        tunnel: str = "printed",
        segments: int = 6,
        **options: Any,
    ) -> Self:
        """A new game; `tunnel` is a tunnel's text, or `printed` or `free` for one laid by chance."""
        chosen = edition(text)
        check_players(players, text)
        if tunnel in ("printed", "free"):
            tunnel = lay_tunnel(chance, segments, tunnel == "free")
        game = cls(chosen, read_tunnel(tunnel, "new"), players, names, chance, None)
        *hands, pile = dealt(chosen, players, chance)
        game._set_up(hands, pile)
        return game

    @classmethod
    def from_states(cls, edition: Edition, states: kernel.States, players: int) -> Self:
        spaces = [int(places) for places in states[0]["spaces"]]
        shown = "".join(
            SYMBOLS[[places >> q & 1 for places in spaces].index(1)] for q in range(1, max(spaces).bit_length())
        )
        tunnel = "/".join(shown[i : i + 6] for i in range(0, len(shown), 6))
        game = cls(edition, tunnel, players, None, Chance(0), None)
        game.states[0] = states[0]
        game.start = str(game)
        return game

    @classmethod
    def from_tags(cls, tags: Mapping[str, str], names: Sequence[str], chance: Chance) -> Self:
        """The start of a recorded game."""
        chosen = edition(tags["Edition"])
        check_players(len(names), f"[Seats {tags['Seats']!r}]")
        where = "the record's tags"
        game = cls(chosen, read_tunnel(tags["Tunnel"], where), len(names), names, chance, None)
        hands = tags["Deal"].split("/")
        pile = read_pile(tags["Pile"], where)
        if [read_cards(hand, "hand", where) for hand in hands] != hands or pile_text(pile) != tags["Pile"]:
            raise Invalid(f"{where}: {tags['Deal']!r} and {tags['Pile']!r} are not written in listing order")
        if any(len(hand) != chosen.rules["deal"] for hand in hands) or len(hands) != len(names):
            raise Invalid(f"{where}: {len(names)} seats get {chosen.rules['deal']} cards each, not {tags['Deal']!r}")
        check_cards(chosen, "".join(hands) + pile, where)
        game._set_up(hands, pile)
        return game

    def _set_up(self, hands: list[str], pile: str) -> None:
        self._deal, self._pile = hands, pile
        cards = [CARDS.index(card) for card in "".join(hands) + pile]
        state = self.states[0]
        state["pile"][: len(cards)] = cards[::-1]
        state["cards"] = len(cards)
        kernel.deal_in(self.states, self.rules, self.players)
        self.hidden = UNKNOWN in cards

    @classmethod
    def parse(cls, text: str, chance: Chance) -> Self:
        """A game that begins from a position; positions that cannot be are refused."""
        layout = read_layout(text)
        start = f"{layout.edition} {text.partition(' ')[2]}"  # as its layout is written: others are refused
        game = cls(layout.edition, layout.tunnel, len(layout.pirates), None, chance, start)
        game._load(layout, text)
        return game

    def _load(self, layout: Layout, text: str) -> None:
        rules, state = self.rules, self.states[0]
        fields = text.split(" ")
        with blaming("bad-pirates", fields[2]):
            check_pirates(layout, rules, text)
        with blaming("bad-cards", " ".join(fields[3:7])):
            check_table(layout, rules, text)
        with blaming("bad-clock", fields[7]):
            check_clock(layout, rules, text)
        with blaming("bad-cards", " ".join(fields[3:7])):
            check_cards(self.edition, "".join(layout.hands) + layout.row + layout.pile + layout.discards, text)
        kernel.deal_in(self.states, rules._replace(deal=0, row=0), self.players)
        everyone = [q for spaces in layout.pirates for q in spaces if 0 < q < rules.boat]
        state["one"], state["two"], state["three"] = (crowded(everyone, least) for least in (1, 2, 3))
        for seat, (spaces, hand) in enumerate(zip(layout.pirates, layout.hands, strict=True)):
            state["prison"][seat], state["boat"][seat] = spaces.count(0), spaces.count(rules.boat)
            tunnel = [q for q in spaces if 0 < q < rules.boat]
            state["own"][seat] = crowded(spaces, 1), crowded(tunnel, 2), crowded(tunnel, 3)
            state["hand"][seat, :7] = [hand.count(card) for card in CARDS]
            state["held"][seat] = crowded([CARDS.index(card) for card in hand], 1)
            if "?" in hand:
                state["known"][seat, :6] = state["hand"][seat, :6]
        cards = [CARDS.index(card) for card in layout.row + layout.pile]
        state["pile"][: len(cards)] = cards[::-1]
        state["cards"], state["row"] = len(cards), len(layout.row)
        for symbol, letter in enumerate(SYMBOLS):
            state["discard"][symbol] = layout.discards.count(letter)
        state["seat"], state["actions"], state["turn"] = layout.seat - 1, layout.actions, layout.turn
        kernel.settle_in(self.states, rules)
        self.hidden = "?" in "".join(layout.hands) + layout.row + layout.pile

    def cells(self) -> dict[str, Any]:
        if self.start is not None:
            return {"tunnel": self.tunnel}
        deal = [None if "?" in hand else hand for hand in self._deal]
        return {"tunnel": self.tunnel, "deal": deal, "pile": None if "?" in self._pile else self._pile}

    def beginning(self) -> Self:
        if self.start is not None:
            game = self.parse(self.start, self.chance)
            game.names = self.names
            return game
        game = type(self)(self.edition, self.tunnel, self.players, self.names, self.chance, None)
        game._set_up(self._deal, self._pile)
        return game

    @property
    def actions(self) -> int:
        """How many actions the seat has taken in this turn."""
        return int(self.states["actions"].item(0))

    @property
    def face_down(self) -> int:
        return int(self.states["cards"].item(0) - self.states["row"].item(0))

    @property
    def reshuffles(self) -> int:
        """How often the discards have been shuffled."""
        return int(self.states[0]["reshuffles"])

    @property
    def over(self) -> bool:
        return bool(self.states["winner"].item(0) != NOBODY)

    @property
    def winners(self) -> tuple[int, ...]:
        winner = int(self.states[0]["winner"])
        return (winner + 1,) if winner >= 0 else ()

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.states[0]["boat"][: self.players].tolist())

    def layout(self) -> Layout:
        """The position field by field, everything known."""
        state = self.states[0]
        stack = state["pile"][: state["cards"]][::-1].tobytes().translate(LETTERS).decode()
        row = int(state["row"])
        return Layout(
            self.edition,
            self.tunnel,
            tuple(self._pirates(seat) for seat in range(self.players)),
            tuple(letters(counts) for counts in state["hand"][: self.players].tolist()),
            stack[:row],
            stack[row:],
            letters(state["discard"].tolist()),
            self.seat,
            self.actions,
            self.turn,
        )

    @property
    def position(self) -> Layout:
        """The position as a value with its fields by name."""
        return self.layout()

    def _pirates(self, seat: int) -> tuple[int, ...]:
        state = self.states[0]
        inside = int(self.rules.tunnel)
        tunnel = sorted(space for spaces in state["own"][seat].tolist() for space in members(spaces & inside))
        return (0,) * int(state["prison"][seat]) + tuple(tunnel) + (self.rules.boat,) * int(state["boat"][seat])

    def __str__(self) -> str:
        return str(self.layout())

    def view(self, seat: int | None) -> str:
        """The position as a seat, or with 0 or None a spectator, may see it (C17).

        A text with `?` in it is somebody's view already: whoever has a hand without `?` in it is taken for its reader.
        """
        if seat:
            self.check_seat(seat)
        layout = self._once(self.layout)
        hands = layout.hands
        if self._hides_from(seat):
            known = [letters(counts) for counts in self.states[0]["known"][: self.players].tolist()]
            hands = tuple(
                hand if owner == seat else known[owner - 1].ljust(len(hand), "?") for owner, hand in enumerate(hands, 1)
            )
        return str(layout._replace(hands=hands, pile="?" * len(layout.pile)))

    def _hides_from(self, seat: int | None) -> bool:
        reader = self.hidden and seat and not self.states[0]["hand"][seat - 1, UNKNOWN]
        return self.hides(self.edition) and not reader

    def check_hand(self) -> None:
        if self.states[0]["hand"][self.seat - 1, UNKNOWN] and not self.over:
            raise Illegal(f"the hand of seat {self.seat}, which is to act, is not known, in {self}")

    def legal_actions(self) -> list[Action]:
        self.check_hand()
        n = kernel.legal_moves_in(self.states, self.rules, self._buffer)
        return [ACTIONS[move] for move in self._buffer[:n].tolist()]

    def _foreseeing(self) -> Self:
        game = super()._foreseeing()
        others = np.arange(self.players) != self.seat - 1
        game.states[0]["known"][: self.players][others] = game.states[0]["hand"][: self.players][others]
        game.states[0]["known"][:, UNKNOWN] = 0
        return game

    def _foresee(self, action: str) -> Self:
        after, token = self.copy(), read_token(action)
        move = kernel.play_in(after.states, self.rules, token.action, -1)
        if move == kernel.SHUFFLE:
            put_pile(after.states, "?" * int(self.states[0]["discard"].sum()))
            move = kernel.play_in(after.states, self.rules, token.action, -1)
        after.note(self.turn, TEXTS[move])
        return after

    def _foresees(self) -> bool:
        state = self.states[0]
        row = state["pile"][state["cards"] - state["row"] : state["cards"]]
        return not state["hand"][self.seat - 1, UNKNOWN] and UNKNOWN not in row

    def is_listed(self, action: str) -> bool:
        token = read_token(action)
        return token.cards is None and token.pile is None and (token.target is not None or token.action >= DRAW)

    def play(self, action: str, seat: int | None = None) -> Action:
        token = read_token(action)
        self.check_turn(action, seat)
        if self.hidden:
            raise Illegal(f"{action}: a position with unknown cards can be looked at, not played on, in {self}")
        if "?" in action:
            raise Illegal(f"{action}: only a record may leave open what was drawn, in {self}")
        if token.cards is not None or token.pile is not None:
            return self.play_recorded(action)
        turn = self.turn
        goal = -1 if token.target is None else token.target
        move = kernel.play_in(self.states, self.rules, token.action, goal)
        pile = ""
        if move == kernel.SHUFFLE:
            pile = self.lot(None, self._shuffled_discards())
            put_pile(self.states, pile)
            move = kernel.play_in(self.states, self.rules, token.action, goal)
        if move == kernel.ILLEGAL:
            raise Illegal(f"{action}: {self._why_not(token)}, in {self}")
        if pile:
            played = f"{TEXTS[move]}~{pile}"
            self.note(turn, played)
            return Action(played)
        self.note(turn, TEXTS[move])
        return ACTIONS[move]

    def play_recorded(self, token: str) -> Action:
        """Play an action whose outcome is given: checked, and used in place of chance."""
        read = read_token(token)
        trial = self.twin()
        played = trial._play_given(read)
        self.note(self.turn, played)
        self.states, self.tags, self.hidden = trial.states, trial.tags, trial.hidden
        return Action(played)

    def _play_given(self, token: Token) -> str:
        state, rules, before = self.states, self.rules, str(self)
        if self.hidden and token.action >> 6 < RETREAT:
            self._show_card(token)
        goal = -1 if token.target is None else token.target
        legal = kernel.play_in(state.copy(), rules, token.action, goal)
        if legal == kernel.ILLEGAL:
            raise Illegal(f"{token.text}: {self._why_not(token)}, in {self}")
        pile = ""
        if legal == kernel.SHUFFLE:
            drawn = self._shuffled_discards()
            given = token.pile or self._brought_up(drawn, token)
            if sort_cards(given) != sort_cards(drawn) and given != "?" * len(drawn):
                raise Illegal(f"{token.text}: the discards to be shuffled are {sort_cards(drawn)}, in {self}")
            pile = self.lot(given, drawn)
            put_pile(state, pile)
            self.hidden = self.hidden or "?" in pile
        elif token.pile is not None:
            raise Illegal(f"{token.text}: nothing is reshuffled here, in {self}")
        if token.cards is not None and self.hidden:
            self._show_drawn(token)
        move = kernel.play_in(state, rules, token.action, goal)
        cards = "".join(CARDS[move >> at & 7] for at in (FIRST, SECOND)[: move >> COUNT & 3])
        if token.cards is not None and cards != token.cards:
            comes = f"{cards} is what comes" if cards else NOTHING_COMES
            why = f"{token.cards} cannot be what comes" if pile else comes
            raise Illegal(f"{token.text}: {why}, in {before}")
        return f"{TEXTS[move]}~{pile_text(pile)}" if pile else TEXTS[move]

    def _shuffled_discards(self) -> str:
        discards = letters(self.states[0]["discard"].tolist())
        return "".join(self.chance.shuffled(discards, pile_label(self.turn, self.actions)))

    def _brought_up(self, pile: str, token: Token) -> str:
        """A shuffled pile with the given cards, as far as they come from it, brought to the top."""
        state = self.states[0]
        ahead = int(state["cards"]) - (int(state["row"]) if token.action == DRAW else 0)
        cards = list(pile)
        for place, card in enumerate((token.cards or "")[ahead:]):
            if card in cards[place:]:
                other = cards.index(card, place)
                cards[place], cards[other] = cards[other], cards[place]
        return "".join(cards)

    def _show_card(self, token: Token) -> None:
        """Let an unknown card of the acting seat turn out to be the one that it plays."""
        hand, symbol = self.states[0]["hand"][self.seat - 1], token.action >> 6
        if hand[symbol] == 0 and hand[UNKNOWN] > 0 and self._unseen(symbol):
            hand[UNKNOWN] -= 1
            hand[symbol] += 1
            self.states[0]["held"][self.seat - 1] = sum(1 << card for card in range(7) if hand[card])

    def _show_drawn(self, token: Token) -> None:
        """Let unknown cards of the row or the pile turn out to be the ones that are drawn."""
        state = self.states[0]
        top = int(state["cards"]) - (int(state["row"]) if token.action == DRAW else 0)
        for place, card in enumerate(token.cards or ""):
            at, symbol = top - 1 - place, CARDS.index(card)
            if at >= 0 and state["pile"][at] == UNKNOWN and (symbol == UNKNOWN or self._unseen(symbol)):
                state["pile"][at] = symbol

    def _unseen(self, symbol: int) -> bool:
        """Whether an unknown card can still be of this symbol."""
        state = self.states[0]
        seen = state["hand"][: self.players, symbol].sum() + (state["pile"][: state["cards"]] == symbol).sum()
        return bool(seen + state["discard"][symbol] < self.rules.copies)

    def _why_not(self, token: Token) -> str:
        """Why an action is not legal, in words."""
        if self.over:
            return f"the game is over ({self.result})"
        seat, state, space = self.seat, self.states[0], token.action & 63
        if token.action == END:
            return self._why_no_end()
        if token.action == DRAW:
            if not self.rules.empty_hand_draw:
                return f"{self.edition} has no draw with an empty hand"
            return "only at the start of a turn" if self.actions else f"seat {seat} has cards in hand"
        if token.action == RETREAT << 6:
            return "nobody goes back from the prison"
        if space > self.rules.boat:
            return f"there is no space {space}; the boat is {self.rules.boat}"
        if space not in self._pirates(seat - 1):
            return f"seat {seat} has no pirate on {space}"
        if token.action >> 6 == RETREAT:
            return self._why_no_retreat(space)
        symbol = SYMBOLS[token.action >> 6]
        if space == self.rules.boat:
            return "a pirate in the boat goes no further"
        if not state["hand"][seat - 1, token.action >> 6]:
            return f"seat {seat} holds no {symbol}"
        target = kernel.target_in(self.states, self.rules, token.action)
        if target == self.rules.boat:
            return f"no free {symbol} lies ahead of {space}, so the pirate boards ({target})"
        return f"the first free {symbol} ahead of {space} is {target}"

    def _why_no_end(self) -> str:
        why = "a turn has at least one action, and one is possible"
        if self.legal_actions() == ["draw"] and not self.face_down and not self.states[0]["discard"].any():
            why += f": draw, although {NOTHING_COMES}"
        return why

    def _why_no_retreat(self, space: int) -> str:
        if space == self.rules.boat and not int(self.rules.retreaters) >> space & 1:
            return "the house rule boat-retreat=off keeps pirates in the boat"
        action = RETREAT << 6 | space
        if kernel.play_in(self.states.copy(), self.rules, action, -1) == kernel.ILLEGAL:
            return f"no space behind {space} holds one or two pirates"
        target = kernel.target_in(self.states, self.rules, action)
        return f"the nearest space behind {space} with one or two pirates is {target}"

    def setup_tags(self, seat: int | None) -> list[tuple[str, str]]:
        if self.start is not None:
            return [("Start", self.start if seat is None else self.parse(self.start, self.chance).view(seat or None))]
        deal, pile = self._deal, self._pile
        if seat is not None:
            pile = "?" * len(pile)
            if self.edition.rules["hands"] == "hidden":
                deal = [hand if owner == seat else "?" * len(hand) for owner, hand in enumerate(deal, 1)]
        return [("Tunnel", self.tunnel), ("Deal", "/".join(deal)), ("Pile", pile_text(pile))]

    def shown(self, token: str, actor: int, seat: int) -> str:
        read = read_token(token)
        if read.cards is None:
            return token
        action = token.partition("+")[0]
        public = self.edition.rules["hands"] == "open" or (self.rules.row > 0 and read.action != DRAW)
        cards = read.cards if public or actor == seat else "?" * len(read.cards)
        return f"{action}+{cards}~?{len(read.pile)}" if read.pile else f"{action}+{cards}"

    def replay(self, turns: Iterable[tuple[int, list[str]]]) -> None:
        """Play recorded turns in one compiled go, and only where that finds a fault one by one, to explain it."""
        lines = list(turns)
        if not self._replay_at_once(lines):
            super().replay(lines)

    def _replay_at_once(self, lines: list[tuple[int, list[str]]]) -> bool:
        log: list[int] = []
        piles: list[int] = []
        try:
            for number, tokens in lines:
                for token in tokens:
                    whole, tilde, pile = token.partition("~")
                    if tilde:
                        piles += [len(log), len(pile), *map(CARDS.index, pile)]
                    log.append(MOVES[whole] | number << kernel.TURN)
        except ValueError:
            return False
        numbers = [number for number, _ in lines]
        if self.hidden or numbers != list(range(self.turn, self.turn + len(lines))):
            return False
        trial = self.states.copy()
        moves = np.array(log, np.int64)
        if kernel.replay_in(trial, self.rules, moves, np.array(piles, np.int64)) < len(log):
            return False
        self.states, self.turns = trial, lines
        return True

    def proves(self, chance: Chance) -> str | None:
        if self.start is None:
            drawn = dealt(self.edition, self.players, chance)
            if any(
                "?" not in dealt_cards and dealt_cards != cards
                for dealt_cards, cards in zip([*self._deal, self._pile], drawn, strict=True)
            ):
                return "the deal and the pile do not follow from the Seed"
        first = read_layout(self.start).actions if self.start else 0
        for turn, tokens in self.turns:
            for actions, token in enumerate(tokens, first):
                pile = token.partition("~")[2]
                drawn = chance.shuffled(sort_cards(pile), pile_label(turn, actions)) if pile and "?" not in pile else []
                if drawn and pile != "".join(drawn):
                    return f"turn {turn}, {token}: the new pile does not follow from the Seed"
            first = 0
        return None

    def unproven(self) -> tuple[str, ...]:
        count = self.tunnel.count("/") + 1
        by_chance = self.tunnel in (lay_tunnel(self.chance, count, free) for free in (False, True))
        return super().unproven() or (() if by_chance else ("tunnel",))

    def play_out(self, firsts: int, rng: Words) -> int:
        """Play to the end with the kernel's own players, those in the set `firsts` first-legal, the others random."""
        log, n = np.zeros(4096, np.int64), 0
        piles: dict[int, str] = {}
        while True:
            n = kernel.playout_in(self.states, self.rules, U(firsts), rng, log, n)
            if self.over:
                break
            if n == len(log):
                log = np.concatenate([log, np.zeros_like(log)])
            else:
                piles[n] = self.lot(None, self._shuffled_discards())
                put_pile(self.states, piles[n])
        self._note_log(log[:n], piles)
        return n

    def _note_log(self, log: kernel.Numbers, piles: Mapping[int, str]) -> None:
        """Write a log of moves, and the piles that were reshuffled for some of them, into the record."""
        tokens = [TEXTS[move] for move in (log & (1 << kernel.TURN) - 1).tolist()]
        for place, pile in piles.items():
            tokens[place] += f"~{pile}"
        turns = log >> kernel.TURN
        begin = 0
        for end in [*(np.flatnonzero(np.diff(turns)) + 1).tolist(), len(tokens)]:
            self.turns.append((int(turns[begin]), tokens[begin:end]))
            begin = end

    def perft(self, depth: int) -> int:
        """How many sequences of so many actions there are; reshuffled cards lie in alphabetical order, B on top."""
        states = self._ladder(depth)
        return kernel.perft(states, self.rules, depth) if depth else 1

    def perft_after(self, depth: int, number: int) -> int:
        return kernel.perft_after(self._ladder(depth), self.rules, depth, number)

    def _ladder(self, depth: int) -> kernel.States:
        """Room for a state at every depth, with this one on top."""
        if self.hidden:
            raise Illegal(f"a position with unknown cards cannot be played on, in {self}")
        states = records(STATE, depth + 1)
        states[depth] = self.states[0]
        return states


@lru_cache(maxsize=256)
def spaces_of(tunnel: str) -> tuple[int, ...]:
    """The set of spaces that show each symbol."""
    letters = tunnel.replace("/", "")
    return tuple(sum(1 << q for q, shown in enumerate(letters, 1) if shown == letter) for letter in SYMBOLS)


def crowded(places: Sequence[int], least: int) -> int:
    """The set of places that are named so often."""
    return sum(1 << place for place in set(places) if places.count(place) >= least)


def letters(counts: Sequence[int]) -> str:
    """Cards counted by symbol, as letters."""
    return "".join(map(mul, CARDS, counts))


def members(places: int) -> Iterator[int]:
    """The places in a set."""
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


def put_pile(state: kernel.States, pile: str) -> None:
    """Put the discards under what is left of the pile, in the order that chance or a record gives."""
    kernel.restock_in(state, np.array([len(pile), *map(CARDS.index, pile)], np.int64))


def check_cards(chosen: Edition, cards: str, where: str) -> None:
    """Refuse cards that are not the edition's pack."""
    pack = full_deck(chosen)
    for symbol, count in Counter(cards).items():
        if symbol != "?" and count > int(chosen.rules["cards"]):
            raise Invalid(f"{where}: {count} cards show {symbol}; {chosen} has {chosen.rules['cards']} of each symbol")
    if len(cards) != len(pack):
        raise Invalid(f"{where}: {len(cards)} cards; {chosen} has {len(pack)}")


def check_table(layout: Layout, rules: Rules, where: str) -> None:
    """Refuse hands or a row that cannot be."""
    players = len(layout.pirates)
    if len(layout.hands) != players:
        raise Invalid(f"{where}: {len(layout.hands)} hands for {players} seats")
    if len(layout.row) > rules.row:
        raise Invalid(f"{where}: a row of {len(layout.row)} cards; {layout.edition} has room for {rules.row}")


def check_clock(layout: Layout, rules: Rules, where: str) -> None:
    """Refuse a clock that cannot be."""
    players = len(layout.pirates)
    won = any(spaces[0] == rules.boat for spaces in layout.pirates)
    if layout.actions > rules.most or (layout.actions == rules.most and not won):
        raise Invalid(f"{where}: {layout.actions} actions taken, but the turn ends with action {rules.most}")
    if not 1 <= layout.seat <= players:
        raise Invalid(f"{where}: seat {layout.seat} is to act, but there are seats 1 to {players}")
    if layout.turn < 1:
        raise Invalid(f"{where}: turns are counted from 1")


def check_pirates(layout: Layout, rules: Rules, where: str) -> None:
    """Refuse pirates that cannot stand so."""
    for seat, spaces in enumerate(layout.pirates, 1):
        if len(spaces) != rules.pirates:
            raise Invalid(f"{where}: seat {seat} has {len(spaces)} pirates; {layout.edition} has {rules.pirates} each")
        if spaces[-1] > rules.boat:
            raise Invalid(f"{where}: seat {seat} has a pirate on {spaces[-1]}; the boat is {rules.boat}")
    for space, count in sorted(Counter(q for spaces in layout.pirates for q in spaces).items()):
        if 0 < space < rules.boat and count > 3:
            raise Invalid(f"{where}: {count} pirates on space {space}; three at most can stand there")
    if sum(spaces[0] == rules.boat for spaces in layout.pirates) > 1:
        raise Invalid(f"{where}: two seats have all their pirates in the boat; the game ends with the first")
