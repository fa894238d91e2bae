"""Cartagena as beginners play it: one action at a time, by rules of thumb, never looking at the others."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from escapade.bots.bot import Bot, Fallible
from escapade.cartagena.position import Cartagena
from escapade.game import Chance

NO_LUCK = Chance(0)


class Step(NamedTuple):
    """A legal action as a beginner sees it: from where to where, and how many cards it brings."""

    action: str
    space: int
    goal: int
    cards: int


def steps(legal: Sequence[str], everyone: Sequence[int]) -> tuple[list[Step], list[Step]]:
    """The advances and the retreats among the legal actions."""
    advances, retreats = [], []
    for action in legal:
        if ">" in action:
            space, goal = action[1:].split(">")
            advances.append(Step(action, int(space), int(goal), 0))
        elif "<" in action:
            space, goal = action.split("<")
            retreats.append(Step(action, int(space), int(goal), everyone.count(int(goal))))
    return advances, retreats


def leap(step: Step) -> tuple[int, int]:
    """How far an advance goes; of two equal ones the pirate further back."""
    return step.goal - step.space, -step.space


def many_cards(step: Step) -> tuple[int, int]:
    """A retreat for as many cards as it brings, by as few spaces as it takes."""
    return step.cards, step.goal - step.space


def short_way(step: Step) -> tuple[int, int]:
    """A retreat by as few spaces as it takes."""
    return step.goal - step.space, step.cards


class Beginner(Bot):
    """Takes the longest leap, or its preferred retreat when it holds fewer cards than it wants.

    None of them overlooks that the last pirate can board.
    """

    def __init__(self, seed: int, cards: int, retreat: Callable[[Step], tuple[int, int]]) -> None:
        super().__init__(seed)
        self.cards, self.retreat = cards, retreat

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = Cartagena.parse(view, NO_LUCK)
        layout, boat = game.layout(), game.rules.boat
        everyone = [space for spaces in layout.pirates for space in spaces]
        advances, retreats = steps(legal, everyone)
        if advances and layout.pirates[layout.seat - 1].count(boat) == game.rules.pirates - 1:
            last = max(advances, key=lambda step: step.goal)
            if last.goal == boat:
                return last.action
        if retreats and (not advances or len(layout.hands[layout.seat - 1]) < self.cards):
            return max(retreats, key=self.retreat).action
        return max(advances, key=leap).action if advances else legal[0]


class CabinBoy(Beginner):
    """Plays every card as soon as it has it, and then goes back as little as it can for the next."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, 1, short_way)


class Sailor(Beginner):
    """Takes the longest leap there is, and fetches cards when it holds fewer than three."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, 3, many_cards)


class Greedy(Beginner):
    """Takes the longest leap there is, and fetches cards whenever it holds fewer than five."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, 5, many_cards)


class Deckhand(Fallible):
    """A sailor who at times plays every card at once, as cabin boys do."""

    good, bad = Sailor, CabinBoy
