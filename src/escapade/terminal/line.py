"""The connection to a table: it says hello, notices when it is dead, and comes back by itself."""

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any, Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from escapade.terminal.known import Message
from escapade.terminal.link import Link

FIRST_WAIT, LONGEST_WAIT = 0.4, 15.0
QUIET, PATIENCE = 15, 10  # seconds between pings, and for their answers
UNSEEN = dict.fromkeys([*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])


class Line:
    """A connection that is opened anew whenever it breaks."""

    def __init__(
        self,
        link: Link,
        hello: Callable[[], Message],
        heard: Callable[[Message], None],
        changed: Callable[[bool, str], None],
    ) -> None:
        self.link, self.hello, self.heard, self.changed = link, hello, heard, changed
        self.socket: ClientConnection | None = None
        self.tries = 0

    async def run(self) -> None:
        """Be connected until this is cancelled."""
        proxy: Literal[True] | None = None if self.link.is_local else True
        while True:
            why = ""
            try:
                await self.listen(
                    await connect(
                        self.link.socket, max_size=None, proxy=proxy, ping_interval=QUIET, ping_timeout=PATIENCE
                    )
                )
            except InvalidStatus as refusal:
                why = str(refusal.response.status_code)
            except (OSError, WebSocketException, ValueError):
                pass
            self.changed(False, why)
            # Jitter, so that clients do not all come back at once after a restart of the server.
            await asyncio.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2**self.tries) * (0.5 + random.random() / 2))
            self.tries += 1

    async def listen(self, socket: ClientConnection) -> None:
        """Say hello, and hear what comes."""
        self.socket = socket
        try:
            await socket.send(json.dumps({"type": "hello", **self.hello()}))
            async for text in socket:
                message = clean(json.loads(text))
                if not isinstance(message, dict) or "type" not in message:
                    continue
                if message["type"] == "table":
                    self.tries = 0
                    self.changed(True, "")
                self.heard(message)
        finally:
            self.socket = None
            socket.transport.abort()  # there is nothing left to say, and nobody to wait for an answer

    async def send(self, message: Message) -> bool:
        """Send a message; whether there is a connection to send it on."""
        if not self.socket:
            return False
        try:
            await self.socket.send(json.dumps(message))
        except WebSocketException:
            return False
        return True


def clean(value: Any) -> Any:
    """A message whose texts cannot steer the terminal, whoever wrote them."""
    if isinstance(value, str):
        return value.translate(UNSEEN)
    if isinstance(value, list):
        return [clean(one) for one in value]
    return {name: clean(one) for name, one in value.items()} if isinstance(value, dict) else value
