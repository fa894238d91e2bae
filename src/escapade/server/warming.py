"""Loading the compiled rules and bots before anyone waits for them."""

import asyncio
import gc
from collections.abc import Iterable, Mapping
from contextlib import suppress

import escapade
from escapade import games
from escapade.games import LEVELS, Kind
from escapade.server import thinking
from escapade.server.messages import Refused
from escapade.server.sharing import QUICK
from escapade.server.supervision import logged, note
from escapade.server.thinking import Thinkers


class Ready:
    """Whether the compiled rules of a kind of game are loaded, or cannot be."""

    def __init__(self) -> None:
        self.known, self.failed = asyncio.Event(), False

    def set(self, failed: bool = False) -> None:
        """The rules are loaded, or failed to load."""
        self.failed = failed
        self.known.set()

    async def wait(self) -> None:
        """Wait until the rules are loaded; if they cannot be, tables of this kind are refused."""
        await self.known.wait()
        if self.failed:
            raise Refused("broken")


async def warm_up(ready: Mapping[str, Ready], thinkers: Thinkers) -> None:
    """Load everything; what fails is logged, and the rest is loaded all the same.

    On a machine's first start everything is compiled: the rules of the first kind of game here, those of the others
    meanwhile where bots think, and the bots one after another, so that a bot that somebody waits for is never behind
    more than one of them. Where other processes think, they load their bots themselves.
    """
    first, *others = games.kinds().values()
    async with asyncio.TaskGroup() as group:
        for kind in others:
            if kind.levels and thinkers.processes:
                group.create_task(warm(thinkers, kind.name, kind.levels[0]))
        await load(first, ready[first.name])
    for kind in others:
        await load(kind, ready[kind.name])
    gc.collect()
    gc.freeze()  # else every collection goes through all that the compiler has left, and everyone waits
    if not thinkers.processes:
        return
    bots = [(kind.name, level) for level in LEVELS for kind in [first, *others] if level in kind.levels]
    for bot in bots:
        await warm(thinkers, *bot)
    for kind in [first, *others]:
        await warm_advice(thinkers, kind.name)
    for bot in bots:  # now that all is compiled, in every process
        thinkers.keep_ready(thinking.warm_up, *bot, quick=thinking.expected(*bot) <= QUICK)
    for kind in [first, *others]:
        thinkers.keep_ready(thinking.warm_up_advice, kind.name, quick=False)


async def load(kind: Kind, ready: Ready) -> None:
    """Load the rules of a kind of game in this process."""
    try:
        await asyncio.to_thread(load_rules, kind.samples)
    except Exception as fault:
        note(f"loading the rules of {kind.name}", fault)
        ready.set(failed=True)
    else:
        ready.set()


def load_rules(editions: Iterable[str]) -> None:
    """Play a few actions, so that the compiled rules are loaded."""
    for name in editions:
        game = escapade.new(name, players=games.kind_of(name).players[0], seed=1)
        for _ in range(6):
            if not game.over:
                game.play(game.legal_actions()[0])
            game.view(1)


def load_all() -> None:
    """Load the rules of every kind of game; those that cannot be loaded have been logged by the server."""
    for kind in games.kinds().values():
        with suppress(Exception):
            load_rules(kind.samples)


async def warm(thinkers: Thinkers, kind: str, level: str) -> None:
    """Load a bot where bots think."""

    async def load() -> None:
        await thinkers.think(thinking.warm_up, kind, level, cost=1.0, wait=3600)  # it may have to be compiled

    await logged(f"loading {level} of {kind}", load)


async def warm_advice(thinkers: Thinkers, kind: str) -> None:
    """Load what goes over games, behind all bots."""

    async def load() -> None:
        await thinkers.think(thinking.warm_up_advice, kind, cost=1.0, wait=3600, idle=True)

    await logged(f"loading advice on {kind}", load)
