"""The programs that the pages show, each by a name for its file."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"^```(python|\{code-cell\} python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs() -> dict[str, str]:
    """All of them: every block of a page, and of a notebook all its cells together."""
    found: dict[str, str] = {}
    for page in PAGES:
        name, blocks = page.stem.lower().replace("-", "_"), BLOCK.findall(page.read_text())
        codes = [code for kind, code in blocks if kind == "python"]
        cells = [code for kind, code in blocks if kind != "python"]
        found |= {f"{name}_{number}": code for number, code in enumerate(codes, 1)}
        if cells:
            found[name] = "\n\n".join(cells)
    found["mybot"] = found.pop("writing_a_bot_1")  # as the page calls it, for the others import it
    return found
