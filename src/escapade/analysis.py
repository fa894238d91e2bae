"""A game analysed turn by turn: each seat's winning chances, what was given away, and where the game turned.

A turn is judged by what its seat knew when it played: a decision is weighed against the best in the same imagined
worlds, and what dice and unknown cards brought afterwards is luck. The chances after a turn are those of an onlooker
who knows all hands and bets, but not what will be drawn or thrown.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from escapade.game import Game, Invalid, bare
from escapade.hints import consider, outlook

MISTAKE, BLUNDER = 0.05, 0.15  # winning chance given away
TURNING, MOST_TURNING = 0.12, 5  # change of chances that makes a turning point, and how many are named
TIME = 0.2  # seconds for a decision
COLOURS = ("#b3541e", "#1b6b72", "#6a4c93", "#7a7a00", "#a0004a", "#44505c")


class Judged(NamedTuple):
    """A turn: what was played, everyone's chances after it, what it gave away, and what would have been better."""

    turn: int
    seat: int
    actions: tuple[str, ...]
    chances: tuple[float, ...]
    lost: float
    better: tuple[str, ...]

    @property
    def mark(self) -> str:
        """What the turn was, if it gave much away."""
        return "blunder" if self.lost >= BLUNDER else ("mistake" if self.lost >= MISTAKE else "")


class Turning(NamedTuple):
    """A turn that changed the chances: by how much, to whose gain, and why."""

    turn: int
    seat: int
    change: float
    gainer: int
    cause: str


def analyze(game: Game, *, seed: int = 1, time: float = TIME) -> Iterator[Judged]:
    """Every turn of a game, judged one after the other."""
    replay = game.beginning()
    if game.hidden or replay.hidden:
        raise Invalid("the record hides cards or bets from its reader; only a whole record can be analysed")
    for number, tokens in game.turns:
        yield judge_turn(replay, number, tokens, seed, time)


def judge_turn(game: Game, number: int, tokens: Sequence[str], seed: int, time: float) -> Judged:
    """Judge a turn decision by decision, and play it."""
    seat, played, lost, worst = game.seat, 0, 0.0, 0.0
    better: tuple[str, ...] = ()
    while played < len(tokens):
        rest = tuple(bare(token) for token in tokens[played:])
        lines = consider(game.view(seat), game.record(seat), seed, time, rest)
        line = next(line for line in lines if rest[: len(line.actions)] == line.actions)
        loss = max(0.0, lines[0].chances[seat - 1] - line.chances[seat - 1])
        if loss > worst:
            worst, better = loss, lines[0].actions
        lost += loss
        for token in tokens[played : played + len(line.actions)]:
            game.play_recorded(token)
        played += len(line.actions)
    if game.over:
        chances = tuple((one in game.winners) / max(1, len(game.winners)) for one in range(1, game.players + 1))
    else:
        chances = outlook(str(game), seed, time)
    return Judged(number, seat, tuple(tokens), chances, lost, better if lost >= MISTAKE else ())


def turning_points(turns: Sequence[Judged], players: int) -> list[Turning]:
    """The turns that changed the chances most, in the order of the game."""
    before: tuple[float, ...] = (1 / players,) * players
    found = []
    for judged in turns:
        gains = [new - old for new, old in zip(judged.chances, before, strict=True)]
        gainer = gains.index(max(gains)) + 1
        cause = judged.mark or ("a good turn, or luck" if gainer == judged.seat else "luck")
        found.append(Turning(judged.turn, judged.seat, sum(map(abs, gains)) / 2, gainer, cause))
        before = judged.chances
    weighty = sorted((point for point in found if point.change >= TURNING), key=lambda point: -point.change)
    return sorted(weighty[:MOST_TURNING])


def as_values(game: Game, turns: Sequence[Judged]) -> dict[str, Any]:
    """An analysis as plain values."""
    return {
        "game": str(game.edition),
        "seats": list(game.names),
        "result": game.result,
        "turns": [{**judged._asdict(), "mark": judged.mark} for judged in turns],
        "turning_points": [point._asdict() for point in turning_points(turns, game.players)],
    }


def in_words(game: Game, turns: Sequence[Judged]) -> Iterator[str]:
    """An analysis as lines of text."""
    width = max(len(name) for name in game.names)
    for seat, name in enumerate(game.names, 1):
        own = [judged for judged in turns if judged.seat == seat]
        given = sum(judged.lost for judged in own)
        marks = [sum(judged.mark == mark for judged in own) for mark in ("mistake", "blunder")]
        yield (
            f"{seat} {name:<{width}}  {len(own)} turns, {marks[0]} mistakes, {marks[1]} blunders, "
            f"{given / max(1, len(own)):.1%} given away a turn"
        )
    yield ""
    for judged in turns:
        chances = " ".join(f"{chance:>4.0%}" for chance in judged.chances)
        line = f"{judged.turn:>3}. {judged.seat} {chances}  {' '.join(judged.actions)}"
        yield f"{line}   {judged.mark} (-{judged.lost:.0%}): {' '.join(judged.better)}" if judged.mark else line
    points = turning_points(turns, game.players)
    yield ""
    yield "Turning points:" if points else "No turning point: the chances never changed by much at once."
    for point in points:
        actor, gainer = game.names[point.seat - 1], game.names[point.gainer - 1]
        yield f"  turn {point.turn}, {actor}: {point.change:.0%} to {gainer}, {point.cause}"


def picture(game: Game, turns: Sequence[Judged]) -> str:
    """The winning chances turn by turn as an SVG picture, mistakes and blunders marked on the line of their seat."""
    left, top, width, height = 50, 40, 760, 260
    steps = max(1, len(turns))

    def x(step: int) -> float:
        return left + width * step / steps

    def y(chance: float) -> float:
        return top + height * (1 - chance)

    parts = [
        f'<path d="M{left} {y(share):.1f}h{width}" stroke="#ddd"/>'
        f'<text x="{left - 8}" y="{y(share) + 4:.1f}" text-anchor="end" font-size="12">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts += [
        f'<text x="{x(i):.1f}" y="{top + height + 18}" text-anchor="middle" font-size="12">{judged.turn}</text>'
        for i, judged in enumerate(turns, 1)
        if judged.turn % 10 == 0
    ]
    for seat, name in enumerate(game.names):
        points = [(x(0), y(1 / game.players)), *((x(i), y(turn.chances[seat])) for i, turn in enumerate(turns, 1))]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        colour = COLOURS[seat]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{left + seat * width / game.players:.0f}" y="{top + height + 42}" fill="{colour}">'
            f"{seat + 1} {escape(name)}</text>"
        )
        for i, judged in enumerate(turns, 1):
            if judged.seat == seat + 1 and judged.mark:
                fill = colour if judged.mark == "blunder" else "#fffdf7"
                title = f"turn {judged.turn}: {judged.mark}, {judged.lost:.0%} given away"
                parts.append(
                    f'<circle cx="{x(i):.1f}" cy="{y(judged.chances[seat]):.1f}" r="5" fill="{fill}" stroke="{colour}">'
                    f"<title>{escape(title)}</title></circle>"
                )
    size = f'viewBox="0 0 {left + width + 30} {top + height + 60}"'
    title = escape(f"{game.edition}: winning chances turn by turn (○ mistake, ● blunder)")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="14">'
        f'<rect width="100%" height="100%" fill="#fffdf7"/><text x="{left}" y="24">{title}</text>'
        f"{''.join(parts)}</svg>\n"
    )
