"""The texts of a language, from the catalogs that the browser uses too."""

import json
import locale
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CATALOGS = Path(__file__).parent / "client" / "lang"
LANGUAGES = sorted(path.stem for path in CATALOGS.glob("*.json"))
BLANK = re.compile(r"\{(\w+)\}")


def preferred() -> str:
    """The language of the terminal, if there is a catalog for it."""
    told = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    code = (told or locale.getlocale()[0] or "")[:2].lower()
    return code if code in LANGUAGES else "en"


class Words:
    """A catalog: `words("table.watchers", n=3)`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.catalog: dict[str, Any] = {}
        for path in CATALOGS.rglob(f"{language}.json"):
            self.catalog |= json.loads(path.read_text(encoding="utf-8"))

    def __call__(self, path: str, **values: object) -> str:
        """A text by its path, with values for its blanks; one with plural forms is chosen by `n`."""
        text = self.find(path)
        if isinstance(text, dict):
            text = text["one" if "one" in text and self.is_one(values.get("n")) else "other"]
        return BLANK.sub(lambda blank: str(values.get(blank[1], "")), text) if isinstance(text, str) else path

    def find(self, path: str) -> Any:
        """What the catalog has at a path, if anything."""
        branch: Any = self.catalog
        for name in path.split("."):
            branch = branch.get(name) if isinstance(branch, dict) else None
        return branch

    def has(self, path: str) -> bool:
        """Whether there is a text."""
        return self.find(path) is not None

    def is_one(self, n: object) -> bool:
        """Whether a number takes the singular."""
        return n in ((0, 1) if self.language == "fr" else (1,))

    def list(self, things: Sequence[str]) -> str:
        """Things joined for a sentence: `a, b and c`."""
        *some, last = things or [""]
        return f"{', '.join(some)} {self('and')} {last}" if some else last

    def percent(self, share: float) -> str:
        """A share of all."""
        return f"{share:.0%}" if self.language == "en" else f"{share * 100:.0f} %"


def sentence(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]
