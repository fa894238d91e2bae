"""A game of Les Évadés: legality at the edge, errors that explain, and what a seat may see."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np

from escapade.compiled import records
from escapade.evades import features, kernel
from escapade.evades.editions import COLOURS, DICE, PAWNS, check_players, edition
from escapade.evades.kernel import (
    ACTION,
    ARRIVED,
    BACK,
    BET,
    BETS,
    END,
    ROLL,
    RUNNING,
    STATE,
    TARGET,
    TURN,
    UNTOLD,
    Rules,
)
from escapade.evades.notation import (
    ACTIONS,
    TEXTS,
    Action,
    Layout,
    Token,
    bet_text,
    read_bet,
    read_layout,
    read_token,
    sort_pawns,
)
from escapade.game import MOST_TURNS, Chance, Column, Edition, Game, Illegal, Invalid, blaming
from escapade.rng import Words
from escapade.sets import U


def dice_label(turn: int) -> str:
    """The stream of Chance that a turn's eight dice are read from."""
    return f"dice {turn}"


class Evades(Game):
    """A game of Les Évadés."""

    kind = "evades"
    setup = ("Bets",)
    action_type = Action
    features: ClassVar[ModuleType] = features
    columns: ClassVar[Mapping[str, Column]] = {"bets": "strings"}
    rules: Rules

    def __init__(
        self, chosen: Edition, players: int, names: Sequence[str] | None, chance: Chance, start: str | None
    ) -> None:
        self.edition, self.players = chosen, players
        self.rules = self.rules_of(chosen)
        super().__init__(names, chance, start, records(STATE, 1), np.zeros(len(BETS), np.int64))
        kernel.clear_in(self.states, players)

    @classmethod
    def rules_of(cls, edition: Edition, **options: Any) -> Rules:
        """The house rules as the kernel's numbers; the track's length is one of them (G2)."""
        return Rules(
            length=int(edition.rules["length"]),
            count_jumped=int(edition.rules["count-jumped"] == "on"),
            turn_limit=int(edition.rules.get("turn-limit", MOST_TURNS)),
        )

    @classmethod
    def hides(cls, edition: Edition) -> bool:
        return True

    @classmethod
    def new(cls, text: str, players: int, chance: Chance, names: Sequence[str] | None = None, **options: Any) -> Self:
        """A new game, before the first bet."""
        chosen = edition(text)
        check_players(players, text)
        return cls(chosen, players, names, chance, None)

    @classmethod
    def from_states(cls, edition: Edition, states: kernel.States, players: int) -> Self:
        game = cls(edition, players, None, Chance(0), None)
        game.states[0] = states[0]
        game.start = str(game)
        return game

    @classmethod
    def from_tags(cls, tags: Mapping[str, str], names: Sequence[str], chance: Chance) -> Self:
        """The start of a recorded game."""
        chosen = edition(tags["Edition"])
        check_players(len(names), f"[Seats {tags['Seats']!r}]")
        game = cls(chosen, len(names), names, chance, None)
        game._take_bets(tags["Bets"].split("/"), "the record's tags")
        return game

    def _take_bets(self, bets: Sequence[str], where: str) -> None:
        """Write down bets as if they had just been made, in the order of the seats."""
        if len(bets) != self.players:
            raise Invalid(f"{where}: {len(bets)} bets for {self.players} seats")
        made = len(bets) - bets.count("-")
        if "-" in bets[:made]:
            raise Invalid(f"{where}: bets are made in the order of the seats, not {'/'.join(bets)}")
        state = self.states[0]
        for seat, bet in enumerate(bets[:made]):
            state["bet"][seat, :7] = UNTOLD if bet == "?" else BETS[read_bet(bet, where)]
        state["seat"] = made % self.players
        state["turn"] = int(made == self.players)
        self.hidden = "?" in bets

    @classmethod
    def parse(cls, text: str, chance: Chance) -> Self:
        """A game that begins from a position; positions that cannot be are refused."""
        layout = read_layout(text)
        game = cls(layout.edition, len(layout.bets), None, chance, str(layout))
        game._load(layout, text)
        return game

    def _load(self, layout: Layout, text: str) -> None:
        _, places, bets, *thrown, clock = str(layout).split(" ")
        with blaming("bad-pawns", places):
            check_pawns(layout, self.rules, text)
        with blaming("bad-dice", " ".join(thrown)):
            check_dice(layout, self.rules, text)
        state = self.states[0]
        with blaming("bad-bets", bets):
            self._take_bets(layout.bets, text)
        with blaming("bad-clock", clock):
            self._check_clock(layout, text)
        for boat, pawns in enumerate(layout.boats, 1):
            for pawn in pawns:
                state["boat"][PAWNS.index(pawn)] = boat
                state["aboard"] |= np.uint64(1 << PAWNS.index(pawn))
        for space, pawns in layout.stacks.items():
            for pawn in pawns:
                kernel.land_in(self.states, PAWNS.index(pawn), space)
        for die, number in layout.dice.items():
            state["dice"][DICE.index(die)] = number
        state["thrown"] = sum(1 << DICE.index(die) for die in layout.dice)
        state["forth"], state["back"] = (
            sum(1 << PAWNS.index(pawn) for pawn, way in layout.moved.items() if way == sign) for sign in "+-"
        )
        state["seat"], state["turn"] = layout.seat - 1, layout.turn
        if not layout.stacks:
            state["over"] = ARRIVED
        elif layout.turn > self.rules.turn_limit:
            state["over"] = kernel.DRAWN
        elif layout.dice and not kernel.count_moves_in(self.states):
            words = f"{text}: none of the thrown dice can be used, so the turn would be over"
            raise Invalid(words, code="bad-dice", text=" ".join(thrown))
        elif layout.moved and not layout.dice:
            words = f"{text}: pawns have moved, but no die is left, so the turn would be over"
            raise Invalid(words, code="bad-dice", text=" ".join(thrown))

    def _check_clock(self, layout: Layout, text: str) -> None:
        """Refuse a clock that cannot be, once the bets are taken."""
        if (layout.turn == 0) != (self.turn == 0) or (layout.turn == 0 and layout.seat != self.seat):
            raise Invalid(f"{text}: with these bets made, {layout.seat}:{layout.turn} cannot be the clock")
        if not 1 <= layout.seat <= self.players:
            raise Invalid(f"{text}: seat {layout.seat} is to act, but there are seats 1 to {self.players}")

    def take_setup(self, tags: Mapping[str, str]) -> None:
        """Take the bets of a record that started before they were all made."""
        if self.turn > 0:
            super().take_setup(tags)
        elif "Bets" in tags:
            bets = tags["Bets"].split("/")
            if any(old not in ("-", new) for old, new in zip(self._bets(), bets, strict=False)):
                raise Invalid(f"the Bets {tags['Bets']!r} are not those of the Start")
            self._take_bets(bets, "the record's tags")

    def beginning(self) -> Self:
        return self._begun(self._bets())  # bets have no turn line in a record, so they are made already

    def _begun(self, bets: Sequence[str]) -> Self:
        """This game at its start, with these bets made."""
        if self.start is None:
            game = type(self)(self.edition, self.players, self.names, self.chance, None)
        else:
            game = self.parse(self.start, self.chance)
            game.names = self.names
        if game.turn == 0:
            game._take_bets(bets, "the game")
        return game

    @property
    def over(self) -> bool:
        return bool(self.states["over"].item(0) != RUNNING)

    @property
    def winners(self) -> tuple[int, ...]:
        points = self.scores or ()
        return tuple(seat for seat, own in enumerate(points, 1) if own == max(points))

    @property
    def scores(self) -> tuple[int, ...] | None:
        if self.states[0]["over"] != ARRIVED or self.hidden:
            return None
        return tuple(kernel.points_in(self.states, seat) for seat in range(self.players))

    def _bets(self) -> tuple[str, ...]:
        return tuple(bet_text(tuple(bet)) for bet in self.states[0]["bet"][: self.players, :7].tolist())

    def pop(self) -> Action:
        """Take back the last action, which before the first throw is the last bet made."""
        if self.turns or not self._choices:
            return super().pop()  # type: ignore[no-any-return]
        *earlier, (_, choice) = self._choices.items()
        before = self._begun(["-" if seat in self._choices else bet for seat, bet in enumerate(self._bets(), 1)])
        for seat, bet in earlier:
            before._choose(bet, seat)
        self.states, self._choices = before.states, before._choices
        return Action(choice)

    def layout(self) -> Layout:
        """The position field by field, everything known."""
        state = self.states[0]
        boat_of, top, below, dice = (state[name].tolist() for name in ("boat", "top", "below", "dice"))
        boats = tuple("".join(p for i, p in enumerate(PAWNS) if boat_of[i] == boat) for boat in (1, 2, 3, 4))
        spaces = state["space"].tolist()
        stacks = {0: "".join(p for i, p in enumerate(PAWNS) if not spaces[i] and not boat_of[i])}
        for space in range(1, self.rules.length):
            pawn, stack = top[space], ""
            while pawn >= 0:
                stack, pawn = PAWNS[pawn] + stack, below[pawn]
            stacks[space] = stack
        thrown, forth, back = int(state["thrown"]), int(state["forth"]), int(state["back"])
        return Layout(
            self.edition,
            {space: stack for space, stack in stacks.items() if stack},
            boats,
            self._bets(),
            {die: dice[i] for i, die in enumerate(DICE) if thrown >> i & 1},
            {p: "+" if forth >> i & 1 else "-" for i, p in enumerate(PAWNS) if (forth | back) >> i & 1},
            self.seat,
            self.turn,
        )

    @property
    def position(self) -> Layout:
        """The position as a value with its fields by name."""
        return self.layout()

    def __str__(self) -> str:
        return str(self.layout())

    def view(self, seat: int | None) -> str:
        """The position as a seat, or with 0 or None a spectator, may see it: until the end no other's bet (G12)."""
        if seat:
            self.check_seat(seat)
        bets = self._shown_bets(seat)
        for owner, choice in self._choices.items():
            if bets[owner - 1] == "-":
                bets[owner - 1] = choice.removeprefix("bet:") if owner == seat else "?"
        return str(self._once(self.layout)._replace(bets=tuple(bets)))

    def brief(self, seat: int) -> tuple[str, str | None]:
        """While bets are made, a seat knows no other one, and need not wait for those of the seats before it."""
        if not self.choosing:
            return super().brief(seat)
        bets = ("?",) * (seat - 1) + ("-",) * (self.players - seat + 1)
        return str(self.layout()._replace(bets=bets, seat=seat)), None

    @property
    def choosing(self) -> bool:
        return self.turn == 0 and not self.over

    def is_choice(self, action: str) -> bool:
        return action.startswith("bet:")

    def chosen(self) -> list[tuple[int, str]]:
        before = ["-"] * self.players if self.start is None else self.parse(self.start, self.chance)._bets()
        made = enumerate(zip(before, self._bets(), strict=True), 1)
        return [(seat, "bet" if bet == "?" else f"bet:{bet}") for seat, (old, bet) in made if old == "-" != bet]

    def cells(self) -> dict[str, Any]:
        return {"bets": [None if bet in "-?" else bet for bet in self._bets()]}

    def offers(self, seat: int) -> list[str]:
        """The legal actions; `bet` stands for each of the 630 bets."""
        return ["bet"] if self.choosing else super().offers(seat)

    def _shown_bets(self, seat: int | None) -> list[str]:
        bets = list(self._bets())
        if self.over:
            return bets
        return [bet if bet == "-" or owner == seat else "?" for owner, bet in enumerate(bets, 1)]

    def _with_sealed(self) -> kernel.States:
        states = self.states.copy()
        for owner, choice in self._choices.items():
            states[0]["bet"][owner - 1, :7] = BETS[read_bet(choice.removeprefix("bet:"), "a sealed bet")]
        return states

    def _foresee(self, action: str) -> Self | None:
        return None if action.startswith("roll:") else super()._foresee(action)

    def legal_actions(self) -> list[Action]:
        n = kernel.legal_moves_in(self.states, self.rules, self._buffer)
        return [ACTIONS[move] for move in self._buffer[:n].tolist()]

    def is_listed(self, action: str) -> bool:
        return read_token(action).numbers is None

    def play(self, action: str, seat: int | None = None) -> Action:
        token = read_token(action)
        if self.hidden:
            raise Illegal(f"{action}: a position with unknown bets can be looked at, not played on, in {self}")
        if self.choosing and self.is_choice(action):
            return Action(self._choose(action, seat or self.seat))
        self.check_turn(action, seat)
        return self._play(token)

    def _open(self, choice: str) -> None:
        self._play(read_token(choice))

    def play_recorded(self, token: str) -> Action:
        """Play an action of a record, in which bets may be unknown."""
        return self._play(read_token(token))

    def _play(self, token: Token) -> Action:
        turn, played = self.turn, TEXTS[token.move]
        dice = np.zeros(8, np.int8)
        if played.startswith("roll:"):
            thrown = [DICE.index(die) for die in played[5:]]
            dice[:] = self.chance.dice(dice_label(turn), 8)
            drawn = "".join(map(str, dice[thrown]))
            if token.numbers is not None:
                dice[thrown] = [int(number) for number in token.numbers]
            played += f"={token.numbers or drawn}"
        if kernel.play_in(self.states, self.rules, token.move, dice) == kernel.ILLEGAL:
            raise Illegal(f"{token.text}: {self._why_not(token)}, in {self}")
        if played.startswith("roll:"):
            self.lot(token.numbers, drawn)
        if turn > 0:
            self.note(turn, played)
        return Action(played) if "=" in played else ACTIONS[token.move]

    def _why_not(self, token: Token) -> str:
        """Why an action is not legal, in words."""
        action, layout = token.move & ACTION, self.layout()
        if self.over:
            return f"the game is over ({self.result})"
        if action >= BET or layout.turn == 0:
            return "all bets have been made" if layout.turn else f"seat {self.seat} has to bet"
        if action >= ROLL:
            return self._why_no_roll(token.text.partition("=")[0][5:], layout)
        if not layout.dice:
            return "the dice have to be thrown first"
        if action == END:
            return "a pawn has to be moved forward first"
        pawn = PAWNS[action & 7]
        if any(pawn in boat for boat in layout.boats):
            return f"{pawn} is in a boat"
        space, stack = next((space, stack) for space, stack in layout.stacks.items() if pawn in stack)
        if space and stack[-1] != pawn:
            return f"{pawn} is blocked: {stack[stack.index(pawn) + 1 :]} stands on it"
        if layout.moved.get(pawn):
            return f"{pawn} has been moved in this turn"
        if action >= BACK:
            return self._why_not_back(action, space, layout)
        if pawn not in layout.dice:
            return f"the die of {pawn} ({COLOURS[pawn]}) has not been thrown"
        target = TEXTS[action | kernel.target_in(self.states, self.rules, action) << TARGET].partition(">")[2]
        return f"{pawn} is on {space} with a {layout.dice[pawn]}, which takes it to {target}"

    def _why_no_roll(self, dice: str, layout: Layout) -> str:
        if layout.dice:
            return "the dice of this turn have been thrown"
        for die in dice:
            if any(die in boat for boat in layout.boats):
                return f"the pawn of {die} ({COLOURS[die]}) is in a boat"
        if "w" in dice and self.turn <= self.players:
            return "the white die is not thrown in the first round"
        aboard = sum(map(len, layout.boats))
        if aboard >= 4:
            return f"with {aboard} pawns in boats exactly two dice are thrown, one of which may be the white one"
        return f"with {aboard or 'no'} pawns in boats exactly {'two' if aboard >= 2 else 'three'} colours are thrown"

    def _why_not_back(self, action: int, space: int, layout: Layout) -> str:
        if "w" not in layout.dice:
            return "there is no white die to use"
        if space < 2:
            return f"{PAWNS[action & 7]} stands {'on space 1' if space else 'at a window'} and cannot go back"
        return (
            f"the white {layout.dice['w']} takes it from {space} to {kernel.target_in(self.states, self.rules, action)}"
        )

    def setup_tags(self, seat: int | None) -> list[tuple[str, str]]:
        bets = "/".join(self._bets() if seat is None else self._shown_bets(seat))
        if self.start is None:
            return [("Bets", bets)]
        began = self.parse(self.start, self.chance)
        start = self.start
        if seat is not None:
            shown = [bet if old != "-" else "-" for bet, old in zip(self._shown_bets(seat), began._bets(), strict=True)]
            start = str(began.layout()._replace(bets=tuple(shown)))
        # Bets made since have no turn line, so they stand in their tag beside the start.
        return [("Start", start), ("Bets", bets)] if began.turn == 0 else [("Start", start)]

    def shown(self, token: str, actor: int, seat: int) -> str:
        return "bet" if self.is_choice(token) and actor != seat and not self.over else token

    def proves(self, chance: Chance) -> str | None:
        for turn, tokens in self.turns:
            for token in tokens:
                roll, equals, numbers = token.partition("=")
                if equals:
                    drawn = dict(zip(DICE, chance.dice(dice_label(turn), 8), strict=True))
                    if numbers != "".join(str(drawn[die]) for die in roll[5:]):
                        return f"turn {turn}, {token}: the numbers do not follow from the Seed"
        return None

    def play_out(self, firsts: int, rng: Words) -> int:
        """Play to the end with the kernel's own players, those in the set `firsts` first-legal, the others random."""
        log, n = np.zeros(512, np.int64), 0
        dice = np.zeros((1, 8), np.int64)
        while not self.over:
            if n == len(log):
                log = np.concatenate([log, np.zeros_like(log)])
            turns = range(len(dice), len(dice) + 32)
            dice = np.concatenate([dice, [self.chance.dice(dice_label(turn), 8) for turn in turns]])
            n = kernel.playout_in(self.states, self.rules, U(firsts), rng, dice, log, n)
        self._note_log(log[:n].tolist(), dice.tolist())
        return n

    def _note_log(self, log: list[int], dice: list[list[int]]) -> None:
        """Write a log of moves into the record."""
        for entry in log:
            turn, token = entry >> TURN, TEXTS[entry & (1 << TURN) - 1]
            if token.startswith("roll:"):
                token += "=" + "".join(str(dice[turn][DICE.index(die)]) for die in token[5:])
            if turn > 0:
                self.note(turn, token)

    def perft(self, depth: int) -> int:
        """How many sequences of so many actions there are, every outcome of a throw counted."""
        states = self._ladder(depth)
        return kernel.perft(states, self.rules, depth) if depth else 1

    def perft_after(self, depth: int, number: int) -> int:
        return kernel.perft_after(self._ladder(depth), self.rules, depth, number)

    def _ladder(self, depth: int) -> kernel.States:
        """Room for a state at every depth, with this one on top."""
        if self.hidden:
            raise Illegal(f"a position with unknown bets cannot be played on, in {self}")
        states = records(STATE, depth + 1)
        states[depth] = self.states[0]
        return states


def check_pawns(layout: Layout, rules: Rules, where: str) -> None:
    """Refuse pawns that cannot stand so."""
    pawns = Counter("".join(layout.stacks.values()) + "".join(layout.boats))
    for pawn in PAWNS:
        if pawns[pawn] != 1:
            raise Invalid(f"{where}: {pawn} ({COLOURS[pawn]}) is there {pawns[pawn]} times")
    for space in layout.stacks:
        if space >= rules.length:
            raise Invalid(f"{where}: no pawn stands on {space}; one that reaches {rules.length} goes into a boat")
    for boat, aboard in enumerate(layout.boats, 1):
        room = 1 if boat == 4 else 2
        if len(aboard) > room:
            raise Invalid(f"{where}: {len(aboard)} pawns in boat {boat}, which takes {room}")
        if boat > 1 and aboard and len(layout.boats[boat - 2]) < 2:
            raise Invalid(f"{where}: a pawn is in boat {boat} while boat {boat - 1} has room")
    if sum(map(len, layout.boats)) == 6:
        raise Invalid(f"{where}: six pawns are in boats, and the last one would be in boat 4 at once")


def check_dice(layout: Layout, rules: Rules, where: str) -> None:
    """Refuse dice and moved pawns that contradict each other."""
    forth = [pawn for pawn, way in layout.moved.items() if way == "+"]
    back = [pawn for pawn, way in layout.moved.items() if way == "-"]
    colours = [die for die in layout.dice if die != "w"]
    if (layout.dice or layout.moved) and not 1 <= layout.turn <= rules.turn_limit:
        raise Invalid(f"{where}: nothing can be thrown or moved in turn {layout.turn}")
    for pawn in colours:
        if pawn in forth:
            raise Invalid(f"{where}: {pawn} has moved forward, so its die is used")
        if layout.stacks and pawn in "".join(layout.boats):
            raise Invalid(f"{where}: {pawn} is in a boat, so its die is out of the game")
    for pawn in layout.moved:
        if pawn in layout.stacks.get(0, ""):
            raise Invalid(f"{where}: {pawn} has moved, but stands at a window")
    if len(back) > 1 or (back and "w" in layout.dice):
        raise Invalid(f"{where}: the white die takes one pawn back, and is then used up")
    if len(forth) + len(colours) > 3:
        raise Invalid(f"{where}: {sort_pawns(''.join(forth + colours))} are more than three colours")
    if ("w" in layout.dice or back) and layout.turn <= len(layout.bets):
        raise Invalid(f"{where}: the white die is not thrown in the first round")
