"""The server acts by itself: for bots, and for people whose clock has run out."""

import asyncio
import secrets

from escapade import bots
from escapade.server import clock, thinking
from escapade.server.live import Live
from escapade.server.supervision import Tasks, note
from escapade.server.table import Table
from escapade.server.thinking import Thinkers

LOOK_AHEAD = 120.0  # seconds: what is due later is left to the next rounds
DEFAULT_PLAYER = "greedy"  # decides for people whose clock has run out, and where a bot has failed
END, FIRST = "end", "first"  # first try to end the turn; take the first legal action


class Acting:
    """Schedules the actions that the server takes by itself, and plays them."""

    def __init__(self, thinkers: Thinkers, tasks: Tasks) -> None:
        self.thinkers, self.tasks = thinkers, tasks

    def wake(self, live: Live) -> None:
        """Schedule what the server has to do at a table, if that is due soon."""
        table, due = live.table, live.due
        about = (table.version, due, [chair.bot for chair in table.chairs])
        if live.task and live.busy and live.task is not asyncio.current_task():
            if live.about == about:  # somebody came or talked, which is no reason to think again
                return
            live.task.cancel()
        live.task, live.about = None, about
        if due is None or (table.bots_only and not live.readers):
            return
        if due - clock.ticks() <= LOOK_AHEAD:
            live.task = self.tasks.start(f"table {table.name}: a bot or a clock", self._act, live, due)

    async def _act(self, live: Live, due: float) -> None:
        """Choose for a bot, or for somebody whose time is up, and play it unless something has happened meanwhile.

        A bot may fail, or choose what is not legal. Then a simpler one chooses, and in the end the first legal action
        is played: nobody at the table waits for ever.
        """
        table = live.table
        version, seat = table.version, table.bot_to_act()
        level = table.chairs[seat - 1].bot if seat else None
        if seat is None:
            seat = table.waiting()[0]
            await asyncio.sleep(due - clock.ticks())
        for player in (level or END, DEFAULT_PLAYER, FIRST):
            if table.version != version or live.dropped:
                return
            try:
                action = await self._choose(table, seat, player)
                await asyncio.sleep(due - clock.ticks())
                async with live.held():
                    if table.version == version and table.chairs[seat - 1].bot == level:
                        await live.settle(table.act(seat, action, clock.ticks()))
                        self.wake(live)
                return
            except Exception as fault:
                note(f"table {table.name}: {player} for seat {seat} at version {version}", fault)

    async def _choose(self, table: Table, seat: int, player: str) -> str:
        """What a player does for a seat."""
        game = table.game
        assert game is not None
        legal = game.legal_actions()
        if player == END:
            if "." in legal:
                return "."
            player = DEFAULT_PLAYER
        if player == FIRST or (player == DEFAULT_PLAYER and player not in bots.names(table.kind.name)):
            return legal[0]
        view, record = game.brief(seat)
        about = (player, table.kind.name, view, legal, record, secrets.randbits(60))
        return str(await self.thinkers.think(thinking.choose, *about))
