"""A study as one page of HTML that needs nothing else: every figure a table whose rows are plotted beside the numbers.

All figures stand in it once more as JSON, in the script with the id `figures`.
"""

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, NamedTuple

import escapade
from escapade.games import LEVELS, kind_of
from escapade.study.figures import UNITS, Figure, Group, Row, Setting

STYLE = """
:root { color-scheme: light dark; --ink: #2a2118; --paper: #fffdf7; --pale: #e9dcc3; --mark: #1b6b72; --dot: #b3541e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #efe6d6; --paper: #1d1915; --pale: #4a4033; --mark: #6cc5cd; --dot: #f0975e; }
}
body { font: 1rem/1.5 Georgia, serif; color: var(--ink); background: var(--paper); max-width: 56rem; margin: auto;
  padding: 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin: 2.5rem 0 .5rem; }
a { color: var(--mark); } main { overflow-x: clip; }
code { font-size: .875rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; font-weight: normal; padding: .15rem .4rem .15rem 0; vertical-align: top; }
thead th { font-size: .875rem; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody th[colspan] { font-weight: bold; padding-top: .8rem; }
td.number { text-align: right; white-space: nowrap; }
small { display: block; font-size: .8125rem; }
.plot { width: 42%; padding-right: .5rem; }
.plot svg { display: block; width: 100%; height: 1.4rem; overflow: visible; }
.scale { display: flex; justify-content: space-between; }
path { vector-effect: non-scaling-stroke; fill: none; stroke-linecap: round; }
.band { stroke: var(--pale); stroke-width: 12; stroke-linecap: butt; }
.fair { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 2 3; }
.reach { stroke: var(--mark); stroke-width: 3; } .dot { stroke: var(--dot); stroke-width: 9; }
@media (max-width: 40rem) { .plot { width: 34%; } body { padding: .75rem; } th, td { font-size: .875rem; } }
"""


class Studied(NamedTuple):
    """What a page tells of its making."""

    settings: Sequence[Setting]
    games: int
    seed: int
    command: str


def page(studied: Studied, figures: Sequence[Figure]) -> str:
    """The whole page."""
    data = json.dumps(as_values(studied, figures), ensure_ascii=False).replace("</", "<\\/")
    links = "".join(f'<li><a href="#{figure.key}">{escape(figure.title)}</a></li>' for figure in figures)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Numbers about the games</title><style>{STYLE}</style></head><body><main>\n"
        f"<h1>Numbers about the games</h1>\n{introduction(studied)}\n<nav><ul>{links}</ul></nav>\n"
        + "\n".join(map(section, figures))
        + f'\n</main><script type="application/json" id="figures">{data}</script></body></html>\n'
    )


def introduction(studied: Studied) -> str:
    """Who played, how much, and how to do it again."""
    kinds = {kind.name: kind for kind in (kind_of(setting.edition) for setting in studied.settings)}
    players = "".join(f"<li>{escape(kind.title)}: {kind.study.PLAYER}.</li>" for kind in kinds.values() if kind.study)
    today = datetime.now(UTC).date().isoformat()
    return (
        f"<p>Escapade {escapade.__version__}, {today}, seed {studied.seed}: {studied.games:,} games of each edition "
        f"and number of players, and further ones for single questions, as the figures tell. All seats are played "
        f"by one player, without search:</p><ul>{players}</ul>"
        f"<p>How strong that is: no level below the mate, number {LEVELS.index('mate') + 1} of {len(LEVELS)}, is "
        "stronger, and nobody who does not search (<code>docs/strength.md</code> has the matches). Better players may "
        "find other numbers; these hold for play of this strength.</p>"
        "<p>Every number has its 95 % interval (the line through the dot): Wilson's for shares, normal ones for means, "
        "over independent games, deals or tunnels. There are many intervals here, and one in twenty misses. "
        f"Played again by <code>{escape(studied.command)}</code>: the same seed and version give the same numbers, "
        "with any number of processes.</p>"
    )


def section(figure: Figure) -> str:
    """A figure: what it says, and its table."""
    low, high = scale(figure)
    middle = (low + high) / 2
    labels = "".join(f"<span>{number(figure.unit, at)}</span>" for at in (low, middle, high))
    body = "".join(group_rows(figure, group, low, high) for group in figure.groups)
    return (
        f'<section id="{figure.key}"><h2>{escape(figure.title)}</h2><p>{escape(figure.says)}</p>'
        f'<table><thead><tr><td></td><th scope="col">{UNITS[figure.unit]}</th>'
        f'<th scope="col">95 % interval</th><th scope="col" class="plot"><div class="scale">{labels}</div></th></tr>'
        f"</thead>{body}</table></section>"
    )


def group_rows(figure: Figure, group: Group, low: float, high: float) -> str:
    """The rows of a group, under its name; how many it is made of stands there where that is the same for all."""
    counts = {row.made_of for row in group.rows}
    same = f" ({next(iter(counts)):,})" if len(counts) == 1 else ""
    head = f'<tr><th colspan="4" scope="rowgroup">{escape(group.label)}{same}</th></tr>'
    return f"<tbody>{head}{''.join(table_row(figure, group, row, low, high, not same) for row in group.rows)}</tbody>"


def table_row(figure: Figure, group: Group, row: Row, low: float, high: float, counted: bool) -> str:
    """A number, its interval and its plot."""
    notes = [row.note] * bool(row.note) + [f"{row.made_of:,}"] * counted
    small = f"<small>{escape('; '.join(notes))}</small>" if notes else ""
    interval = f"{number(figure.unit, row.low)} to {number(figure.unit, row.high)}"
    return (
        f'<tr><th scope="row">{escape(row.label)}{small}</th><td class="number">{number(figure.unit, row.value)}</td>'
        f'<td>{interval}</td><td class="plot">{plot(row, group.fair, low, high)}</td></tr>'
    )


def plot(row: Row, fair: float | None, low: float, high: float) -> str:
    """A row drawn; the numbers beside it say the same, so it is hidden from those who listen."""

    def x(value: float) -> str:
        return f"{100 * (min(max(value, low), high) - low) / (high - low):.2f}"

    parts = [f'<path class="band" d="M{x(row.spread[0])} 5H{x(row.spread[1])}"/>'] if row.spread else []
    parts += [f'<path class="fair" d="M{x(fair)} -2V12"/>'] if fair is not None else []
    parts.append(
        f'<path class="reach" d="M{x(row.low)} 5H{x(row.high)}"/><path class="dot" d="M{x(row.value)} 5h.01"/>'
    )
    return f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>'


def scale(figure: Figure) -> tuple[float, float]:
    """The ends of a figure's scale, at round numbers."""
    ends = [end for group in figure.groups for row in group.rows for end in (*(row.spread or ()), row.low, row.high)]
    ends += [group.fair for group in figure.groups if group.fair is not None]
    finite = [end for end in ends if math.isfinite(end)]
    step = 10 ** math.floor(math.log10(max(max(finite) - min(finite), 1e-6)))
    low = math.floor(min(finite) / step) * step
    if figure.unit == "share":
        return max(0.0, low), min(1.0, math.ceil(max(finite) / step) * step)
    return low, max(low + step, math.ceil(max(finite) / step) * step)


def number(unit: str, value: float) -> str:
    """A number as it is read."""
    if not math.isfinite(value):
        return "unknown"
    match unit:
        case "share":
            return f"{value:.1%}"
        case "chance":
            return f"{100 * value:+.2f}".replace("-", "\N{MINUS SIGN}")
        case _:
            return f"{value:.1f}"


def as_values(studied: Studied, figures: Sequence[Figure]) -> dict[str, Any]:
    """Everything as plain values."""

    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None

    def row_values(row: Row) -> dict[str, Any]:
        return {**row._asdict(), "low": finite(row.low), "high": finite(row.high)}

    return {
        "version": escapade.__version__,
        "games": studied.games,
        "seed": studied.seed,
        "figures": [
            {
                **figure._asdict(),
                "groups": [
                    {"label": group.label, "fair": group.fair, "rows": list(map(row_values, group.rows))}
                    for group in figure.groups
                ],
            }
            for figure in figures
        ],
    }
