"""The log: a line for what happened, so many a minute of each kind, and nothing that a visitor wrote."""

import json
import logging
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

A_MINUTE = 10  # lines of a kind
MOST_KINDS = 100  # told apart in a minute; the rest is one kind
MOST_LINE = 300  # characters of a line
KIND_LENGTH = 60
ON_DISK = ("table-opened", "table-over", "table-closed")  # events that need no bound: the store has them too


def place(trace: TracebackType | None) -> str:
    """The line that raised an exception."""
    frames = traceback.extract_tb(trace)
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


def message(record: logging.LogRecord) -> str:
    """What a record says. asyncio adds what it was doing and with which values, which is left out."""
    text = record.getMessage().strip().partition("\n")[0]
    return text.partition("(")[0].partition("<")[0] if record.name == "asyncio" else text


class Bounded(logging.Filter):
    """Lets so many lines of each kind pass in a minute; the next one that passes says how many did not."""

    def __init__(self, a_minute: int = A_MINUTE) -> None:
        super().__init__()
        self.a_minute, self.since = a_minute, time.monotonic()
        self.seen: dict[str, int] = {}
        self.left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "event", "") in ON_DISK:
            return True
        if time.monotonic() - self.since >= 60:
            over = {kind: count - self.a_minute for kind, count in self.seen.items()}
            self.left_out = {kind: count for kind, count in over.items() if count > 0}
            self.seen, self.since = {}, time.monotonic()
        kind = self._kind(record)
        self.seen[kind] = self.seen.get(kind, 0) + 1
        record.left_out = self.left_out.pop(kind, 0)
        return self.seen[kind] <= self.a_minute

    def _kind(self, record: logging.LogRecord) -> str:
        template = record.msg if isinstance(record.msg, str) and record.args else message(record)
        kind = f"{record.name} {getattr(record, 'kind', template)[:KIND_LENGTH]}"
        return kind if kind in self.seen or len(self.seen) < MOST_KINDS else ""


class OneLine(logging.Formatter):
    """A record as one line. An exception is named by its type and place: its message may hold secrets."""

    def format(self, record: logging.LogRecord) -> str:
        text = f"{record.levelname}: {message(record)}"
        if record.exc_info and record.exc_info[0]:
            text += f": {record.exc_info[0].__name__}{place(record.exc_info[2])}"
        text = "".join(c if c.isprintable() else " " for c in text[:MOST_LINE])
        left_out = getattr(record, "left_out", 0)
        return f"{text} (and {left_out:,} like it in the minute before)" if left_out else text


class AsJson(logging.Formatter):
    """A record as an object of JSON in one line. What is not one of our own events is named by its logger."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", record.name),
            **getattr(record, "fields", {"message": message(record)[:MOST_LINE]}),
        }
        if record.exc_info and record.exc_info[0]:
            line |= {"fault": record.exc_info[0].__name__, "where": place(record.exc_info[2]).strip(" ()")}
        if left_out := getattr(record, "left_out", 0):
            line["left_out"] = left_out  # lines like it in the minute before
        return json.dumps(line)


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": OneLine}},
    "filters": {"bounded": {"()": Bounded}},
    "handlers": {"log": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["bounded"]}},
    "root": {"handlers": ["log"], "level": "WARNING"},
}
FORMS: dict[str, dict[str, Any]] = {
    "text": LOGGING,
    "json": {**LOGGING, "formatters": {"line": {"()": AsJson}}, "loggers": {"escapade": {"level": "INFO"}}},
}
