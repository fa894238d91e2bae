"""The server is killed in the middle of play, again and again: what was acknowledged is there once, and in order."""

import random
import threading
import time

from hostile.starting import Begin
from hostile.wire import Closed, Line, Message, Refused, Visitor, mine
from server.live import Running

KILLS, TABLES, PLAYED = 2, 6, 0.8
AT_ONCE = 35  # messages of a connection before it is told that it is too fast


class Table(threading.Thread):
    """Two seats in one hand, which acts and takes back as fast as it is answered, until the line breaks."""

    def __init__(self, number: int, visitor: Visitor, table: str, key: str) -> None:
        super().__init__(daemon=True)
        self.rng, self.visitor, self.table, self.key = random.Random(number), visitor, table, key
        self.told: list[Message] = []  # the moves that stand, as far as they were acknowledged
        self.unanswered: Message | None = None
        self.count, self.version = 0, 0

    def run(self) -> None:
        try:
            while True:
                self.play_on(self.visitor.come(self.table, self.key))
        except (Closed, Refused, OSError):
            return

    def play_on(self, line: Line) -> None:
        """Act as often as a connection may at once."""
        shown = line.shown
        for _ in range(AT_ONCE):
            state = shown["state"]
            asked: Message = {"type": "play", "version": shown["version"]}
            if state["undo"] and self.rng.random() < 0.2:
                asked["type"] = "undo"
            elif state["legal"]:
                asked["action"] = self.rng.choice(state["legal"])
            else:
                return
            self.unanswered = asked
            line.send(asked["type"], **{name: value for name, value in asked.items() if name != "type"})
            shown = line.until("moved", "undone", "fault")
            assert shown["type"] != "fault", shown
            self.acknowledged(shown)
        line.close()

    def acknowledged(self, answer: Message) -> None:
        """The server said that it has happened."""
        self.unanswered = None
        self.count, self.version = self.count + 1, answer["version"]
        if answer["type"] == "moved":
            self.told.append(answer["move"])
        else:
            self.told.pop()

    def check(self, visitor: Visitor) -> "Table":
        """After a restart everything told is there, and at most the one thing that was not answered besides."""
        with visitor.come(self.table, self.key) as line:
            shown = line.shown
        more = shown["version"] - self.version
        assert more in ((0, 1) if self.unanswered else (0,))
        kept = [(move["seat"], move["action"].split("+")[0]) for move in shown["moves"]]
        told = [(move["seat"], move["action"].split("+")[0]) for move in self.told]
        if more and self.unanswered and self.unanswered["type"] == "undo":
            told.pop()
        elif more and self.unanswered:
            assert kept.pop()[1].split("~")[0] == self.unanswered["action"]
        assert kept == told
        again = Table(self.count, visitor, self.table, self.key)
        again.told, again.version, again.count = list(shown["moves"]), shown["version"], self.count
        return again


def test_what_was_acknowledged_is_there_once_and_in_order(begin: Begin) -> None:
    server = begin()
    with Visitor(server.port) as maker:
        made = [maker.made("jamaica", mine("Anne"), mine("Bo"), first=0) for _ in range(TABLES)]
    tables = [Table(number, Visitor(server.port), *one) for number, one in enumerate(made)]
    for _ in range(KILLS):
        tables = killed(server, tables)
    assert sum(table.count for table in tables) > 20 * KILLS
    for table in tables:
        table.visitor.opened.close()


def killed(server: Running, tables: list[Table]) -> list[Table]:
    """Play, kill, start again and look."""
    for table in tables:
        table.start()
    time.sleep(PLAYED)
    server.kill()
    for table in tables:
        table.join()
        table.visitor.opened.close()
    server.start(server.port)
    return [table.check(Visitor(server.port)) for table in tables]
