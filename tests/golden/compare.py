"""What golden files hold, and how they are compared: trails of digests, and the first difference told in words."""

import hashlib
import json
from typing import Any, TypeAlias

import numpy as np

Value: TypeAlias = Any  # as JSON has it
ELO_CLOSE, CLOSE = 0.1, 2e-6  # ratings are fitted until they hardly change; other numbers may end in other digits


class Trail:
    """Digests of what is seen step by step, each over all before it; the first byte of each tells where two part."""

    def __init__(self, *seen: Any) -> None:
        self.sum, self.bytes = hashlib.sha256(), bytearray()
        if seen:
            self.add(*seen)

    def add(self, *seen: Any) -> None:
        """A step: arrays, or what JSON can hold."""
        for one in seen:
            if isinstance(one, np.ndarray):
                self.sum.update(f"{one.dtype} {one.shape} ".encode() + one.tobytes())
            else:
                self.sum.update(json.dumps(one).encode() + b"\n")
        self.bytes.append(self.sum.digest()[0])

    @property
    def digest(self) -> str:
        """The digest over everything."""
        return self.sum.hexdigest()[:32]

    def told(self) -> dict[str, str]:
        """The steps with two digits each, and the digest."""
        return {"trail": self.bytes.hex(), "digest": self.digest}


def rounded(value: Value) -> Value:
    """The same with numbers that do not depend on the last bits, which processors may disagree about."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, str):
        return str(value)  # an action is a kind of text
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def difference(golden: Value, now: Value, where: str = "", loose: bool = False) -> str | None:
    """Where two values first differ, and how; `loose` lets there be more keys than there were."""
    if isinstance(golden, dict) and isinstance(now, dict):
        if set(golden) - set(now) or (set(now) - set(golden) and not loose):
            return f"{where}: lacks {sorted(set(golden) - set(now))}, has besides {sorted(set(now) - set(golden))}"
        pairs = [(f"{where} {key}", golden[key], now[key]) for key in golden]
        return next(filter(None, (difference(a, b, place, loose) for place, a, b in pairs)), None)
    if isinstance(golden, list) and isinstance(now, list):
        for number, (a, b) in enumerate(zip(golden, now, strict=False), 1):
            if found := difference(a, b, f"{where} #{number}", loose):
                return found
        return None if len(golden) == len(now) else f"{where}: had {len(golden)} items, has {len(now)}"
    if isinstance(golden, float) and isinstance(now, float | int):
        close = ELO_CLOSE if " elo" in where.rpartition(" #")[2] else CLOSE
        return None if abs(golden - now) <= close else f"{where}: was {golden}, is {now}"
    if golden == now and type(golden) is type(now):
        return None
    if where.endswith(" trail"):
        return f"{where}: parts at step {parting(golden, now) // 2 + 1} of {len(golden) // 2}"
    if isinstance(golden, str) and isinstance(now, str) and len(golden) > 80:
        start = max(0, parting(golden, now) - 40)
        golden, now, where = golden[start : start + 120], now[start : start + 120], f"{where}, character {start}"
    return f"{where}:\n  was {golden!r}\n  is  {now!r}"


def parting(a: str, b: str) -> int:
    """The first character that is not the same."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
