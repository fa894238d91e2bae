"""The server acts by itself: for bots, and for people whose clock has run out."""

import asyncio
import secrets

from escapade import bots, games
from escapade.game import Game
from escapade.server import clock, thinking
from escapade.server.live import Live
from escapade.server.sharing import Busy, Unwanted
from escapade.server.supervision import Tasks, note
from escapade.server.thinking import Thinkers

LOOK_AHEAD = 120.0  # seconds: what is due later is left to the next rounds
DEFAULT_PLAYER = "greedy"  # decides for people whose clock has run out, and where a bot has failed
END, FIRST = "end", "first"  # first try to end the turn; take the first legal action
ANY = "any"  # end the turn, or do anything: where nobody is, no process thinks, and nobody can foresee a bet
BREATH = 1.0  # seconds before a simpler player replaces one for whom there was no time: else that were a way to hurry


def seed_of(game: Game, seat: int) -> int:
    """A bot's luck in a turn: the same for all its actions, and nobody can know it before the game's seed is told."""
    return game.chance.numbers(f"bot {seat} {game.turn}", 1)[0]


class Acting:
    """Schedules the actions that the server takes by itself, and plays them."""

    def __init__(self, thinkers: Thinkers, tasks: Tasks) -> None:
        self.thinkers, self.tasks = thinkers, tasks

    def wake(self, live: Live) -> None:
        """Schedule what the server has to do at a table, if that is due soon."""
        table, due = live.table, live.due
        about = (table.version, due, live.resting, [chair.bot for chair in table.chairs])
        if live.task and live.busy and live.task is not asyncio.current_task():
            if live.about == about:  # somebody came or talked, which is no reason to think again
                return
            live.task.cancel()
        live.task, live.about = None, about
        if due is not None and due - clock.ticks() <= LOOK_AHEAD:
            live.task = self.tasks.start(f"table {table.name}: a bot or a clock", self._act, live, due)

    async def _act(self, live: Live, due: float) -> None:
        """Choose for a bot, or for somebody whose time is up, and play it unless something has happened meanwhile.

        A bot may fail, or choose what is not legal, or its turn to think does not come. Then a simpler one chooses,
        and in the end the first legal action is played: nobody at the table waits for ever.
        """
        table = live.table
        version, seat = table.version, table.bot_to_act()
        level = table.chairs[seat - 1].bot if seat else None
        players = (ANY, FIRST) if live.resting else (level or END, DEFAULT_PLAYER, FIRST)
        if seat is None or live.resting:
            seat = seat or table.waiting()[0]
            await asyncio.sleep(due - clock.ticks())
        for player in players:
            if table.version != version or live.dropped:
                return
            try:
                action = await self._choose(live, seat, player)
                await asyncio.sleep(due - clock.ticks())
                async with live.held():
                    if table.version == version and table.chairs[seat - 1].bot == level:
                        await live.settle(table.act(seat, action, clock.ticks(), late=level is None))
                        self.wake(live)
                return
            except Unwanted:
                return
            except Busy:
                await asyncio.sleep(BREATH)
            except Exception as fault:
                note(f"table {table.name}: {player} for seat {seat} at version {version}", fault)

    async def _choose(self, live: Live, seat: int, player: str) -> str:
        """What a player does for a seat."""
        table, version = live.table, live.table.version
        game = table.game
        assert game is not None
        legal: list[str] = game.legal_actions()
        if player in (END, ANY) and "." in legal:
            return "."
        if player == ANY:
            return secrets.choice(legal)
        if player == END:
            player = DEFAULT_PLAYER
        if player == FIRST or (player == DEFAULT_PLAYER and player not in bots.names(table.kind.name)):
            return legal[0]
        view, record = game.brief(seat)
        known = games.OWN[player].bot if player in games.OWN else player
        about = (known, table.kind.name, view, legal, record, seed_of(game, seat))
        chosen = await self.thinkers.think(
            thinking.choose,
            *about,
            cost=thinking.expected(table.kind.name, player),
            visitors=live.visitors,
            table=table.name,
            wanted=lambda: table.version == version and not live.dropped and not live.resting,
        )
        return str(chosen)
