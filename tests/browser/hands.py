"""Hands that do an action on a page as people do: with a mouse, with a finger, with keys alone."""

import re
from itertools import count

from playwright.sync_api import Locator
from server.live import Message

from browser.screens import Screen

SYMBOLS = "BDHKPS"
DICE = "bryldonw"
MOVE = re.compile(r"([A-Z])(\d+)>(\d+)|(\d+)<(\d+)")
IN_SIGHT = """(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
Parts = tuple[str, int, int]


def parts(action: str) -> Parts:
    """The card (or `<`), start and end of a move of Cartagena."""
    match = MOVE.fullmatch(action)
    assert match, action
    card, start, end, far, near = match.groups()
    return card or "<", int(start or far), int(end or near)


def moves(legal: list[str]) -> list[Parts]:
    """The moves of Cartagena among the legal actions."""
    return [parts(action) for action in legal if MOVE.fullmatch(action)]


class Hand:
    """Does what its owner decides, one way after another."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.page = screen, screen.page
        self.turns = count()

    def act(self, action: str) -> Message:
        """Do it, and wait until it has been heard."""
        screen = self.screen
        screen.page.locator(f"{screen.shown['kind']}-face").wait_for()
        before, seats = len(screen.heard), screen.seats
        self.do(action)

        def told() -> list[Message]:
            return [one for one in screen.heard[before:] if one["type"] == "moved" and one["move"]["seat"] in seats]

        screen.wait(told, f"for {action}")
        sent = told()[0]
        assert re.split("[=+~]", sent["move"]["action"])[0] == action
        return sent

    def do(self, action: str) -> None:
        """Find the way of the game."""
        if action == ".":
            self.end()
        elif action == "draw":
            self.draw()
        elif action.startswith("bet:"):
            self.bet(action[4:].split("."))
        elif action.startswith("roll:"):
            self.throw(action[5:])
        elif self.screen.shown["kind"] == "evades":
            self.move(action)
        elif "<" in action:
            self.retreat(*parts(action)[1:])
        else:
            self.advance(*parts(action))

    def play_out(self, seed: int = 1) -> None:
        """Play until the game is over."""
        self.screen.wait_turn()
        while not self.screen.over:
            self.act(self.screen.choose(seed))
            self.screen.wait_turn()

    def ambiguous(self, card: str, place: int) -> bool:
        """Whether a tap on a place could mean several moves by a card."""
        return sum(one == card and place in (start, end) for one, start, end in moves(self.screen.legal)) > 1

    # ways that each hand has of its own
    def end(self) -> None: ...
    def draw(self) -> None: ...
    def bet(self, boats: list[str]) -> None: ...
    def throw(self, dice: str) -> None: ...
    def move(self, action: str) -> None: ...
    def advance(self, card: str, start: int, end: int) -> None: ...
    def retreat(self, start: int, end: int) -> None: ...


class Mouse(Hand):
    """Clicks."""

    def press(self, what: str | Locator) -> None:
        """One click."""
        self.at(what).click()

    def at(self, what: str | Locator) -> Locator:
        """The thing itself."""
        return self.page.locator(what) if isinstance(what, str) else what

    def end(self) -> None:
        """End the turn."""
        self.press("[data-do=end]")

    def draw(self) -> None:
        """Draw with an empty hand."""
        self.press("[data-do=draw]")

    def place(self, place: int) -> None:
        """Take what is at a place, or what leads there."""
        self.press(f"tunnel-board [data-place='{place}']")

    def card(self, card: str) -> None:
        """Take a card."""
        self.press(f".hand [data-card={card}]")

    def advance(self, card: str, start: int, end: int) -> None:
        """Card and space, pirate and card, card and pirate."""
        way = next(self.turns) % 3
        if way == 1:
            self.place(start)
            self.card(card)
            return
        self.card(card)
        place = end if way == 0 else start
        self.place(place)
        if self.ambiguous(card, place):
            self.press(f".choice [data-action='{card}{start}>{end}']")

    def retreat(self, start: int, end: int) -> None:
        """Pirate and button, pirate and space."""
        self.place(start)
        if next(self.turns) % 2:
            self.place(end)
        else:
            self.press("[data-do=retreat]")

    def bet(self, boats: list[str]) -> None:
        """Tap them in the order of their boats, and seal."""
        for pawn in "".join(boats):
            self.press(f"dialog.bet .pool [data-token={pawn}]")
        self.press("dialog.bet [data-do=seal]")

    def throw(self, dice: str) -> None:
        """Choose dice, and throw."""
        for die in dice:
            self.press(f"[data-die={die}]")
        self.press("[data-deed=throw]")

    def move(self, action: str) -> None:
        """The die, the pawn or the marked space; back by the white die and one of the latter."""
        pawn, target, back = action[0], action[2:], action[1] == "<"
        forward = [one for one in self.screen.legal if one[1] == ">"]
        if back and forward:
            self.press("[data-die=w]")
        way = next(self.turns) % 3
        if way == 0 and not back:
            self.press(f"[data-die={pawn}]")
            return
        meant = [one for one in self.screen.legal if one[1] == ">" or (one[1] == "<" and (back or not forward))]
        if way == 1 and self.in_sight(f"[data-pawn={pawn}]"):
            self.press(f"[data-pawn={pawn}]")
            several = sum(one[0] == pawn for one in meant) > 1
        else:
            self.press(f"[data-pin='{target}']")
            several = sum(one[2:] == target for one in meant) > 1
        if several:
            self.press(f".choice [data-action='{action}']")

    def in_sight(self, selector: str) -> bool:
        """Whether its middle can be pressed: a high stack may stand before a pawn."""
        return bool(self.at(selector).evaluate(IN_SIGHT))


class Finger(Mouse):
    """Taps."""

    def press(self, what: str | Locator) -> None:
        """One tap."""
        self.at(what).tap()


class Keys(Hand):
    """Keys alone."""

    def press(self, *keys: str) -> None:
        """One key after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self, selector: str) -> bool:
        """Whether the focus is there."""
        return bool(self.screen.evaluate("(there) => document.activeElement.matches(there)", selector))

    def tab_to(self, selector: str, key: str = "Tab", most: int = 120) -> None:
        """Go on until the focus is there."""
        for _ in range(most):
            if self.focused(selector):
                return
            self.press(key)
        raise AssertionError(f"{key} never came to {selector}")

    def end(self) -> None:
        """End the turn."""
        self.press("e")

    def draw(self) -> None:
        """Draw with an empty hand."""
        self.press("t")

    def pirate(self, place: int) -> None:
        """Go to a pirate."""
        self.press("p")
        self.tab_to(f"[data-place='{place}']", "p", 8)
        self.press("Enter")

    def advance(self, card: str, start: int, end: int) -> None:
        """Card and pirate, pirate and card, card and along the tunnel from the prison to the space."""
        way, digit = next(self.turns) % 3, str(SYMBOLS.index(card) + 1)
        if way == 1:
            self.pirate(start)
            self.press(digit)
            return
        self.press(digit)
        place = start if way == 0 else end
        if way == 0:
            self.pirate(start)
        else:
            self.press("p", "Home")
            self.tab_to(f"[data-place='{end}']", "ArrowRight", 38)
            self.press("Enter")
        if self.ambiguous(card, place):
            self.page.locator(".choice:popover-open").wait_for()
            self.tab_to(f"[data-action='{card}{start}>{end}']")
            self.press("Enter")

    def retreat(self, start: int, end: int) -> None:
        """Go to the pirate, and back with it."""
        self.pirate(start)
        self.press("r")

    def bet(self, boats: list[str]) -> None:
        """Each into its boat, and seal."""
        self.page.locator("dialog.bet[open]").wait_for()
        for boat, pawns in enumerate(boats, 1):
            for pawn in pawns:
                self.tab_to(f"[data-token={pawn}]")
                self.press(str(boat))
        self.tab_to("[data-do=seal]")
        self.press("Enter")

    def throw(self, dice: str) -> None:
        """Choose dice, and throw."""
        self.press(*(str(DICE.index(die) + 1) for die in dice), "t")

    def move(self, action: str) -> None:
        """The die's number; back by the white one and the marked space."""
        pawn, target, back = action[0], action[2:], action[1] == "<"
        if not back:
            self.press(str(DICE.index(pawn) + 1))
            return
        if any(one[1] == ">" for one in self.screen.legal):
            self.press("8")
        self.tab_to(f"[data-pin='{target}']")
        self.press("Enter")
        if sum(one[2:] == target for one in self.screen.legal) > 1:
            self.tab_to(f".choice [data-action='{action}']", "ArrowDown")
            self.press("Enter")
