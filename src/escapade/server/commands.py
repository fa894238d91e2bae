"""What each message from a client does."""

import secrets
import time

import msgspec

from escapade.server import clock, messages, thinking
from escapade.server.events import Event
from escapade.server.keys import hashed, new_key
from escapade.server.live import Live, Reader
from escapade.server.messages import Advice, Fault, FromClient, Held, Hints, Next, Pong, Refused
from escapade.server.sharing import Busy, Unwanted
from escapade.server.supervision import note
from escapade.server.tables import Tables


async def do(tables: Tables, reader: Reader, message: FromClient) -> None:
    """Do what a message asks for, or refuse it."""
    match message:
        case messages.Ping():
            reader.send(Pong())
        case messages.Say() if not reader.chatting.take():
            raise Refused("too-fast")
        case _ if reader.live:
            await do_at_table(tables, reader, reader.live, message)
        case _:
            raise Refused("hello-first")


async def do_at_table(tables: Tables, reader: Reader, live: Live, message: FromClient) -> None:
    """Do it at the reader's table, whose lock is held from the check until everyone has been sent the change."""
    event: Event | None = None
    async with live.held() as table:
        now, seats = clock.ticks(), reader.seats
        match message:
            case messages.Play():
                event = table.play(seats, message.version, message.action, now, message.final)
            case messages.Undo():
                event = table.undo(seats, message.version, now)
            case messages.Resign():
                event = table.resign(seats, message.seat, now)
            case messages.Sit():
                event = sit(reader, live, message, now)
            case messages.SetBot():
                absent = live.absent(table.chair(message.seat).key)
                event = table.set_bot(message.seat, message.level, reader.holder, absent, now)
            case messages.Say():
                event = table.say(seats, message.text)
            case messages.AskHint():
                ask_hint(tables, reader, live, message.version)
                return
            case messages.Again():
                if not seats and reader.holder != table.opened.host:
                    raise Refused("no-seat")
                if table.rematch is not None:
                    reader.send(Next(table=table.rematch))
                    return
                following = table.next_opened(secrets.token_bytes(32), now)
                event = table.follow(await tables.open(following, reader.address))
        if event is None:  # done before: the sender may have missed the answer
            reader.send(live.whole(reader))
            return
        await live.settle(event)
        tables.acting.wake(live)


def sit(reader: Reader, live: Live, message: messages.Sit, now: float) -> Event | None:
    """Take a free seat; None where this very message has been done before.

    Whoever is unknown at the table is told the key, their own or a new one, once it holds the seat on disk.
    """
    known = reader.seats or reader.holder == live.table.opened.host
    key = None if known else message.key or new_key()
    holder = hashed(key) if key else reader.holder
    assert holder is not None
    held = Held(seat=message.seat, key=key) if key else None
    if message.key and live.table.chair(message.seat).key == holder:
        take_again(reader, live, holder, held)
        return None
    event = live.table.sit(message.seat, message.name, holder, now)
    reader.holder, reader.granted = holder, held
    return event


def take_again(reader: Reader, live: Live, holder: str, held: Held | None) -> None:
    """Hold a seat that one's key has already: the line broke before one heard of it."""
    reader.holder = holder
    live.left.pop(holder, None)
    if held:
        reader.send(held)
        live.send_seats(but=reader)


def ask_hint(tables: Tables, reader: Reader, live: Live, version: int) -> None:
    """Begin to compute hints, one question of a reader at a time, without holding anything up."""
    table = live.table
    seat = table.actor(reader.seats)
    if seat is None:
        raise Refused("not-your-turn")
    if not table.hinted:
        raise Refused("no-hints")
    if version != table.version:
        raise Refused("stale")
    if reader.advised and not reader.advised.done():
        raise Refused("busy")
    assert table.game is not None
    about = (tables, reader, live, version, table.game.brief(seat))
    reader.advised = tables.tasks.start(f"table {table.name}: a hint", advise, *about)


async def advise(tables: Tables, reader: Reader, live: Live, version: int, brief: tuple[str, str | None]) -> None:
    """Send hints when they are computed, or that they could not be."""
    asked = time.perf_counter()
    try:
        found = await tables.thinkers.think(
            thinking.advise,
            *brief,
            cost=thinking.HINT_TIME,
            visitors=[reader.address],
            table=live.table.name,
            wanted=lambda: live.table.version == version and not live.dropped,
        )
        reader.send(Hints(version=version, hints=msgspec.convert(found, list[Advice])))
        tables.seen.waits["hint"].observe(time.perf_counter() - asked)
        return
    except Busy:
        code = "busy"
    except Unwanted:
        code = "stale"
    except Exception as fault:
        note(f"table {live.table.name}: a hint at version {version}", fault)
        code = "broken"
    reader.send(Fault(code=code, about="hint", version=live.table.version))
