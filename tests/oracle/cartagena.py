"""A naive oracle for Cartagena: lists and loops, written from the rules (C1-C20) alone to test the fast engine."""

import re

COMMON = {"boat-retreat": "on", "deal": "6", "most-actions": "3", "pirates": "6", "turn-limit": "none"}
CLASSIC = COMMON | {"cards": "17", "least-actions": "1", "empty-hand-draw": "off"}
SECOND = COMMON | {"cards": "18", "least-actions": "0", "empty-hand-draw": "on"}
EDITIONS = {
    "jamaica": CLASSIC | {"hands": "hidden", "row": "0"},
    "tortuga": CLASSIC | {"hands": "open", "row": "12"},
    "hispaniola": CLASSIC | {"hands": "hidden", "row": "12"},
    "first-escape": SECOND | {"hands": "hidden", "row": "10"},
    "first-escape-open": SECOND | {"hands": "open", "row": "10"},
}


class Cartagena:
    """A game in progress; seats count from 1, piles and rows have their first card at index 0."""

    def __init__(self, edition: str, tunnel: str, pirates: list[list[int]], hands: list[list[str]]) -> None:
        """Set up a table with nothing in row, pile and discards; hands' letters are in no special order."""
        self.edition, *changes = edition.split("+")
        self.rules = dict(EDITIONS[self.edition])
        for change in changes:
            name, value = change.split("=")
            self.rules[name] = value
        self.tunnel = tunnel
        self.symbols = tunnel.replace("/", "")
        self.boat = len(self.symbols) + 1
        self.pirates = pirates
        self.hands = hands
        self.known: list[list[str]] = [[] for _ in hands]  # the cards of each hand that all have seen (C17)
        self.row: list[str] = []
        self.pile: list[str] = []
        self.discards: list[str] = []
        self.seat, self.actions, self.turn = 1, 0, 1
        self.passes = 0  # turns without an action that came last, one after another (C20)

    @classmethod
    def parse(cls, text: str) -> "Cartagena":
        """Read a position without '?'; nobody remembers any card."""
        edition, tunnel, pirates, hands, row, pile, discards, clock = text.split(" ")
        spaces = [[int(space) for space in group.split(".")] for group in pirates.split("/")]
        game = cls(edition, tunnel, spaces, [list(hand.strip("-")) for hand in hands.split("/")])
        game.row = list(row.strip("-"))
        game.pile = list(pile.strip("-"))
        game.discards = [card for card, count in re.findall(r"([BDHKPS])(\d+)", discards) for _ in range(int(count))]
        game.seat, game.actions, game.turn = (int(number) for number in clock.split(":"))
        return game

    @classmethod
    def start(cls, edition: str, tunnel: str, deal: str, pile: str) -> "Cartagena":
        """Begin a game from a record's tags and lay out the first row (C15)."""
        hands = [list(hand) for hand in deal.split("/")]
        game = cls(edition, tunnel, [[] for _ in hands], hands)
        game.pirates = [[0] * int(game.rules["pirates"]) for _ in hands]
        game.pile = list(pile)
        game._lay_out()
        return game

    def copy(self) -> "Cartagena":
        """Return a copy that shares no mutable list with this game."""
        other = Cartagena.__new__(Cartagena)
        other.__dict__.update(self.__dict__)
        other.pirates = [list(group) for group in self.pirates]
        other.hands = [list(hand) for hand in self.hands]
        other.known = [list(cards) for cards in self.known]
        other.row, other.pile, other.discards = list(self.row), list(self.pile), list(self.discards)
        return other

    def __str__(self) -> str:
        """Write the position with everything in it."""
        return self._text(["".join(sorted(hand)) for hand in self.hands], "".join(self.pile))

    def view(self, seat: int | None) -> str:
        """Write the position as a seat, or a spectator (None), may know it (C17)."""
        hands = []
        for owner, (hand, known) in enumerate(zip(self.hands, self.known, strict=True), start=1):
            if owner == seat or self.rules["hands"] == "open":
                hands.append("".join(sorted(hand)))
            else:
                hands.append("".join(sorted(known)) + "?" * (len(hand) - len(known)))
        return self._text(hands, f"?{len(self.pile)}" if self.pile else "")

    def _text(self, hands: list[str], pile: str) -> str:
        """Join the eight fields of a position."""
        own = EDITIONS[self.edition]
        changes = [f"+{name}={value}" for name, value in sorted(self.rules.items()) if value != own[name]]
        counts = [f"{card}{self.discards.count(card)}" for card in "BDHKPS" if card in self.discards]
        return " ".join(
            [
                self.edition + "".join(changes),
                self.tunnel,
                "/".join(".".join(str(space) for space in sorted(group)) for group in self.pirates),
                "/".join(hand or "-" for hand in hands),
                "".join(self.row) or "-",
                pile or "-",
                "".join(counts) or "-",
                f"{self.seat}:{self.actions}:{self.turn}",
            ]
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """Count each seat's pirates aboard."""
        return tuple(group.count(self.boat) for group in self.pirates)

    @property
    def winners(self) -> tuple[int, ...]:
        """Name the seat whose pirates are all aboard (C14); nobody in a drawn or unfinished game."""
        return tuple(seat for seat, aboard in enumerate(self.scores, start=1) if aboard == len(self.pirates[seat - 1]))

    @property
    def over(self) -> bool:
        """Tell whether the game is won (C14), out of turns (C19), dead (C18) or passed by all, three times (C20)."""
        limit = self.rules["turn-limit"]
        out_of_turns = limit != "none" and self.turn > int(limit)
        return bool(self.winners) or out_of_turns or self._dead() or self._unwanted()

    def _unwanted(self) -> bool:
        """Tell whether all seats, free to pass, have passed in the last three rounds (C20)."""
        return self.rules["least-actions"] == "0" and self.passes >= 3 * len(self.pirates)

    def _dead(self) -> bool:
        """Tell whether no seat can ever advance, retreat or draw a card again (C18)."""
        for seat in range(1, len(self.pirates) + 1):
            if self._advances(seat) or self._retreats(seat):
                return False
            if self._may_draw(seat) and (self.pile or self.discards):
                return False
        return True

    def legal(self) -> list[str]:
        """List the legal actions in the notation's order; none when the game is over."""
        if self.over:
            return []
        actions = self._advances(self.seat) + self._retreats(self.seat)
        if self.actions == 0 and self._may_draw(self.seat):
            actions.append("draw")
        if self.actions >= int(self.rules["least-actions"]) or not actions:  # C7, C12
            actions.append(".")
        return actions

    def _advances(self, seat: int) -> list[str]:
        """List a seat's advances, by card and then by space (C8)."""
        spaces = [space for space in sorted(set(self.pirates[seat - 1])) if space != self.boat]
        cards = sorted(set(self.hands[seat - 1]))
        return [f"{card}{space}>{self._ahead(space, card)}" for card in cards for space in spaces]

    def _ahead(self, space: int, card: str) -> int:
        """Find the first free space ahead with the card's symbol, or else the boat (C8)."""
        for target in range(space + 1, self.boat):
            if self.symbols[target - 1] == card and self._pirates_on(target) == 0:
                return target
        return self.boat

    def _retreats(self, seat: int) -> list[str]:
        """List a seat's retreats by space (C9), from the boat only where that is allowed (C10)."""
        actions = []
        for space in sorted(set(self.pirates[seat - 1])):
            target = self._behind(space)
            if target is not None and (space != self.boat or self.rules["boat-retreat"] == "on"):
                actions.append(f"{space}<{target}")
        return actions

    def _behind(self, space: int) -> int | None:
        """Find the nearest space behind with one or two pirates (C9)."""
        for target in range(space - 1, 0, -1):
            if self._pirates_on(target) in (1, 2):
                return target
        return None

    def _pirates_on(self, space: int) -> int:
        """Count the pirates of all colours on a space."""
        return sum(group.count(space) for group in self.pirates)

    def _may_draw(self, seat: int) -> bool:
        """Tell whether a seat with this hand could start its turn with a draw (C13)."""
        return self.rules["empty-hand-draw"] == "on" and not self.hands[seat - 1]

    def play(self, token: str) -> None:
        """Play a record's token; if it is wrong, raise AssertionError and change nothing."""
        outcome, tilde, new_pile = token.partition("~")
        action = outcome.partition("+")[0]
        assert action in self.legal(), f"{action} is not legal in {self}"
        after = self.copy()
        if tilde:
            assert sorted(new_pile) == sorted(self.discards), f"{new_pile} is no shuffle of the discards in {self}"
            after.discards = list(new_pile)
        done = after._do(action)
        assert done == token, f"{token} should be {done} in {self}"
        self.__dict__.update(after.__dict__)

    def children(self) -> list["Cartagena"]:
        """Return the game after each legal action; a reshuffle leaves the discards in alphabetical order."""
        games = []
        for action in self.legal():
            game = self.copy()
            game.discards.sort()
            game._do(action)
            games.append(game)
        return games

    def _do(self, action: str) -> str:
        """Carry out a legal action and return its token; a reshuffle leaves the discards in the order they have."""
        pirates, hand, known = self.pirates[self.seat - 1], self.hands[self.seat - 1], self.known[self.seat - 1]
        drawn, discards = "", list(self.discards)
        if ">" in action:
            card = action[0]
            start, end = (int(space) for space in action[1:].split(">"))
            pirates.remove(start)
            pirates.append(end)
            hand.remove(card)
            self.discards.append(card)
            if card in known:
                known.remove(card)
        elif "<" in action:
            start, end = (int(space) for space in action.split("<"))
            for _ in range(self._pirates_on(end)):
                drawn += self._from_pile() if self.rules["row"] == "0" else self._from_row()
            pirates.remove(start)
            pirates.append(end)
            hand.extend(drawn)
            if self.rules["row"] != "0":
                known.extend(drawn)
        elif action == "draw":
            drawn = self._from_pile()
            hand.extend(drawn)
        if action != ".":
            self.actions += 1
            self.passes = 0
        elif self.actions == 0:
            self.passes += 1
        if action in ("draw", ".") or (self.actions == int(self.rules["most-actions"]) and not self.winners):
            self.seat, self.actions, self.turn = self.seat % len(self.pirates) + 1, 0, self.turn + 1
        reshuffled = discards and not self.discards  # a reshuffle takes them all, and nothing else takes any
        return action + ("+" + drawn if drawn else "") + ("~" + "".join(discards) if reshuffled else "")

    def _from_pile(self) -> str:
        """Take the pile's top card, made of the discards if it is empty; '' where no card comes (C16)."""
        if not self.pile:
            self.pile, self.discards = self.discards, []
        return self.pile.pop(0) if self.pile else ""

    def _from_row(self) -> str:
        """Take the row's first card, with a new row laid out when the row is empty, before and after (C15, C16)."""
        if not self.row:
            self._lay_out()
        card = self.row.pop(0) if self.row else ""
        if not self.row:
            self._lay_out()
        return card

    def _lay_out(self) -> None:
        """Fill the empty row from the pile as far as there are cards (C15, C16)."""
        for _ in range(int(self.rules["row"])):
            self.row.extend(self._from_pile())


def perft(game: Cartagena, depth: int) -> int:
    """Count the action sequences of that length; games that end earlier count nothing."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1) for child in game.children())
