"""Les Évadés exactly as in docs/rules/evades.md (G1-G14), naive on purpose: the oracle for testing the engine."""

from copy import deepcopy
from itertools import combinations, product

PAWNS = "bryldon"
BOATS = {1: 2, 2: 2, 3: 2, 4: 1}
HOUSE_RULES = {"count-jumped": "on", "length": "30", "turn-limit": "none"}


class Evades:
    """A position with everything known; `play` changes it in place."""

    def __init__(self, edition: str, players: int) -> None:
        self.rules = HOUSE_RULES | dict(rule.split("=") for rule in edition.split("+")[1:])
        self.length = int(self.rules["length"])
        self.track = [""] * self.length  # stacks from the bottom up; 0 is the windows, in any order
        self.track[0] = PAWNS
        self.boats = dict.fromkeys(BOATS, "")
        self.bets = ["-"] * players
        self.dice: dict[str, int] = {}  # thrown and not used yet
        self.moved: dict[str, str] = {}  # in this turn: "+" forward, "-" back
        self.seat, self.turn = 1, 0
        self.still = 0  # turns since a pawn last moved (G14)

    @classmethod
    def start(cls, edition: str, players: int) -> "Evades":
        """The position before the first bet."""
        return cls(edition, players)

    @classmethod
    def parse(cls, text: str) -> "Evades":
        """Read a position that is known to be valid."""
        edition, places, bets, dice, moved, clock = text.split(" ")
        game = cls(edition, len(bets.split("/")))
        game.track[0] = ""
        for place in places.split(","):
            where, pawns = place.split(":")
            if where.startswith("#"):
                game.boats[int(where[1:])] = pawns
            else:
                game.track[int(where)] = pawns
        game.bets = bets.split("/")
        game.dice = {die: int(number) for die, number in pairs(dice)}
        game.moved = dict(pairs(moved))
        game.seat, game.turn = (int(number) for number in clock.split(":"))
        return game

    def __str__(self) -> str:
        return self.text(self.bets)

    def view(self, seat: int | None) -> str:
        """The position as a seat may see it; None sees no bet (G12)."""
        if self.over:
            return str(self)
        return self.text([bet if bet == "-" or own == seat else "?" for own, bet in enumerate(self.bets, start=1)])

    def text(self, bets: list[str]) -> str:
        """The six fields, with these bets."""
        house = [f"{name}={value}" for name, value in sorted(self.rules.items()) if value != HOUSE_RULES[name]]
        places = [f"0:{listed(self.track[0])}"] if self.track[0] else []
        places += [f"{space}:{stack}" for space, stack in enumerate(self.track) if space > 0 and stack]
        places += [f"#{boat}:{listed(pawns)}" for boat, pawns in self.boats.items() if pawns]
        dice = "".join(f"{die}{self.dice[die]}" for die in PAWNS + "w" if die in self.dice)
        moved = "".join(pawn + self.moved[pawn] for pawn in PAWNS if pawn in self.moved)
        clock = f"{self.seat}:{self.turn}"
        return " ".join(
            ["+".join(["evades", *house]), ",".join(places), "/".join(bets), dice or "-", moved or "-", clock]
        )

    @property
    def aboard(self) -> int:
        """How many pawns are in boats."""
        return sum(len(pawns) for pawns in self.boats.values())

    @property
    def over(self) -> bool:
        """Whether all pawns are in boats, the last turn allowed is over (C19), or nothing moves any more (G14)."""
        limit = self.rules["turn-limit"]
        return self.aboard == 7 or (limit != "none" and self.turn > int(limit)) or self.still >= 3 * len(self.bets)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Every seat's points (G11); None before the end, and where a game is drawn (G14)."""
        return tuple(self.points(bet) for bet in self.bets) if self.aboard == 7 else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most points (G11); none when the game is drawn."""
        if self.scores is None:
            return ()
        return tuple(seat for seat, points in enumerate(self.scores, start=1) if points == max(self.scores))

    def points(self, bet: str) -> int:
        """A boat's number for each pawn that was bet into it and is there (G11)."""
        return sum(boat for boat, pawns in enumerate(bet.split("."), start=1) for p in pawns if p in self.boats[boat])

    def legal(self) -> list[str]:
        """All legal actions in the order of notation.md."""
        if self.over:
            return []
        if self.turn == 0:
            return all_bets()
        if not self.dice:
            return self.rolls()
        forward, back = self.moves_forward(), self.moves_back()
        return forward + back + (["."] if back and not forward else [])

    def rolls(self) -> list[str]:
        """The choices of dice (G5); no white die in the first round (G8)."""
        left = [pawn for pawn in PAWNS if not any(pawn in pawns for pawns in self.boats.values())]
        white = self.turn > len(self.bets)
        if self.aboard >= 4:
            pairs_left = [f"roll:{one}{other}" for one, other in combinations(left, 2)]
            return pairs_left + ([f"roll:{pawn}w" for pawn in left] if white else [])
        rolls = []
        for colours in combinations(left, 2 if self.aboard >= 2 else 3):
            rolls.append("roll:" + "".join(colours))
            if white:
                rolls.append("roll:" + "".join(colours) + "w")
        return rolls

    def free(self) -> dict[str, int]:
        """The space of every pawn that is not in a boat and not under another (G6)."""
        spaces = dict.fromkeys(self.track[0], 0)
        for space in range(1, self.length):
            if self.track[space]:
                spaces[self.track[space][-1]] = space
        return spaces

    def moves_forward(self) -> list[str]:
        """A move for each die whose pawn is free and not yet moved (G7)."""
        free = self.free()
        moves = []
        for pawn in PAWNS:
            if pawn in self.dice and pawn in free and pawn not in self.moved:
                target = self.ahead(free[pawn], self.dice[pawn])
                moves.append(f"{pawn}>{target}" if target < self.length else f"{pawn}>#{self.boat_with_room()}")
        return moves

    def moves_back(self) -> list[str]:
        """The moves of the white die (G8)."""
        if "w" not in self.dice:
            return []
        free = self.free()
        able = [pawn for pawn in PAWNS if pawn in free and free[pawn] >= 2 and pawn not in self.moved]
        return [f"{pawn}<{max(1, free[pawn] - self.dice['w'])}" for pawn in able]

    def ahead(self, space: int, steps: int) -> int:
        """Where that many steps forward lead (G6); the last space or more is a boat."""
        if self.rules["count-jumped"] == "on":
            return space + steps
        for _ in range(steps - 1):
            space += 1
            while space < self.length and self.track[space]:
                space += 1
        return space + 1

    def boat_with_room(self) -> int:
        """The lowest one (G9)."""
        return min(boat for boat, room in BOATS.items() if len(self.boats[boat]) < room)

    def outcomes(self, action: str) -> list[str]:
        """The action with every result of its throw, or alone where nothing is thrown."""
        if not action.startswith("roll:"):
            return [action]
        dice = action.removeprefix("roll:")
        return [f"{action}={''.join(numbers)}" for numbers in product("123456", repeat=len(dice))]

    def play(self, token: str) -> None:
        """Play a legal action, a throw with its numbers."""
        action, _, numbers = token.partition("=") if token.startswith("roll:") else (token, "", "")
        assert action in self.legal(), f"{token} is not legal in {self}"
        if action.startswith("bet:"):
            self.bet(action.removeprefix("bet:"))
            return
        if action == ".":
            self.end_turn()
            return
        if action.startswith("roll:"):
            dice = action.removeprefix("roll:")
            assert len(numbers) == len(dice), f"{token} needs a number for each die in {self}"
            assert set(numbers) <= set("123456"), f"{token} has a number that no die shows in {self}"
            self.dice = {die: int(number) for die, number in zip(dice, numbers, strict=True)}
        elif action[1] == ">":
            self.move_forward(action[0], action[2:])
        else:
            self.move_back(action[0], int(action[2:]))
        if not self.over and not self.moves_forward() and not self.moves_back():  # G7
            self.end_turn()

    def bet(self, bet: str) -> None:
        """Note the bet; after the last one the first turn begins."""
        self.bets[self.seat - 1] = bet
        if self.seat == len(self.bets):
            self.seat, self.turn = 1, 1
        else:
            self.seat += 1

    def end_turn(self) -> None:
        """Hand the dice to the next seat (G4)."""
        self.still = 0 if self.moved else self.still + 1
        self.dice, self.moved = {}, {}
        self.seat = self.seat % len(self.bets) + 1
        self.turn += 1

    def move_forward(self, pawn: str, target: str) -> None:
        """Use the pawn's die; a last pawn goes to boat 4 at once (G9, G10)."""
        del self.dice[pawn]
        self.moved[pawn] = "+"
        if not target.startswith("#"):
            self.lift(pawn)
            self.track[int(target)] += pawn
            return
        self.board(pawn, int(target[1:]))
        if self.aboard == 6:
            self.board("".join(self.track), 4)

    def move_back(self, pawn: str, target: int) -> None:
        """Use the white die; of the last two a pawn back on space 1 takes boat 4, the other boat 3 (G8, G10)."""
        del self.dice["w"]
        self.moved[pawn] = "-"
        self.lift(pawn)
        self.track[target] += pawn
        if target == 1 and self.aboard == 5:
            self.board(pawn, 4)
            self.board("".join(self.track), 3)

    def board(self, pawn: str, boat: int) -> None:
        """Put the pawn into the boat."""
        self.lift(pawn)
        self.boats[boat] += pawn

    def lift(self, pawn: str) -> None:
        """Take the pawn off the windows or the track."""
        self.track = [stack.replace(pawn, "") for stack in self.track]


def pairs(text: str) -> list[tuple[str, str]]:
    """Letter and sign by turns, as in `b4w3` or `r+o-`; none for `-`."""
    return [] if text == "-" else list(zip(text[::2], text[1::2], strict=True))


def listed(pawns: str) -> str:
    """The pawns in listing order."""
    return "".join(pawn for pawn in PAWNS if pawn in pawns)


def all_bets() -> list[str]:
    """The 630 bets (G3)."""
    bets = []
    for first in combinations(PAWNS, 2):
        after_first = [pawn for pawn in PAWNS if pawn not in first]
        for second in combinations(after_first, 2):
            after_second = [pawn for pawn in after_first if pawn not in second]
            for third in combinations(after_second, 2):
                fourth = [pawn for pawn in after_second if pawn not in third]
                bets.append("bet:" + ".".join("".join(boat) for boat in (first, second, third, fourth)))
    return bets


def perft(game: Evades, depth: int) -> int:
    """How many sequences of that many tokens there are, every outcome of a throw counted."""
    if depth == 0:
        return 1
    tokens = [token for action in game.legal() for token in game.outcomes(action)]
    if depth == 1:
        return len(tokens)
    count = 0
    for token in tokens:
        after = deepcopy(game)
        after.play(token)
        count += perft(after, depth - 1)
    return count
