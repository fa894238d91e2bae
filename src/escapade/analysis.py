"""A game analysed turn by turn: winning chances, what was given away, what luck brought, and where the game turned.

A turn is judged by what its seat knew when it played: a decision is weighed against the best in the same imagined
worlds. The chances after a turn are those of an onlooker who knows all hands and bets, but not what will be drawn or
thrown. Luck is what a card or a throw changed in them, measured from what was to be expected before; where no network
tells chances, it is not told.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from escapade.bots.bot import Line
from escapade.bots.onlooker import Onlooker
from escapade.game import Game, Illegal, Invalid, bare
from escapade.hints import consider, onlooker, outlook, result

MISTAKE, BLUNDER = 0.08, 0.2  # winning chance given away
HALF = 0.5  # of the winning chances: whoever gives so much away in a turn has played it as badly as can be
TURNING, MOST_TURNING = 0.12, 5  # change of chances that makes a turning point, and how many are named
TIME = 0.2  # most seconds for a decision
COLOURS = ("#b3541e", "#1b6b72", "#6a4c93", "#7a7a00", "#a0004a", "#44505c")


class Judged(NamedTuple):
    """A turn: what was played, everyone's chances after it, what it gave away and what would have been better, luck.

    `luck` is what cards or dice of this turn brought each seat, or empty where that is not told; `at` is how many
    actions came before the decision that `better` is for.
    """

    turn: int
    seat: int
    actions: tuple[str, ...]
    chances: tuple[float, ...]
    lost: float
    better: tuple[str, ...]
    luck: tuple[float, ...] = ()
    at: int = 0

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
    judge = Judge(beginning(game), seed, time)
    for number, tokens in game.turns:
        yield judge.turn(number, tokens)


def beginning(game: Game) -> Game:
    """A game at its start, if nothing of it is hidden."""
    replay = game.beginning()
    if game.hidden or replay.hidden:
        words = "the record hides cards or bets from its reader; only a whole record can be analysed"
        raise Invalid(words, code="not-whole")
    return replay


def outline(game: Game, *, seed: int = 1, time: float = TIME) -> list[tuple[float, ...]]:
    """Everyone's chances at the start of a game and after each of its turns, none of which is judged."""
    judge = Judge(beginning(game), seed, time)
    found = [judge.chances]
    for _, tokens in game.turns:
        judge.skip(tokens)
        found.append(judge.look())
    return found


def judge_turn(game: Game, index: int, *, seed: int = 1, time: float = TIME) -> Judged:
    """One turn of a game, counted from 0, judged as `analyze` does it."""
    return judge_turns(game, index, index + 1, seed=seed, time=time)[0]


def judge_turns(game: Game, first: int, end: int, *, seed: int = 1, time: float = TIME) -> list[Judged]:
    """The turns from one up to another, both counted from 0, judged as `analyze` does it."""
    judge = Judge(beginning(game), seed, time)
    for _, tokens in game.turns[:first]:
        judge.skip(tokens)
    judge.chances = judge.look()
    return [judge.turn(number, tokens) for number, tokens in game.turns[first:end]]


def judge_try(game: Game, tokens: Sequence[str], *, seed: int = 1, time: float = TIME) -> Judged:
    """What the seat to act would give away in a position by some actions, with their outcomes, of one turn.

    That is by what the seat knows alone: what is hidden may have decided the game already, which it must not learn.
    """
    trial, turn = game.copy(), game.turn
    for token in tokens:
        if trial.over or trial.turn != turn:
            raise Illegal(f"{token}: the turn is over, in {trial}")
        trial.play(token)
    judge = Judge(game.copy(), seed, time)
    judge.chances = (1.0,) * game.players
    return judge.turn(turn, tokens)


class Judge:
    """Goes through a game, and keeps everyone's chances as they stand."""

    def __init__(self, game: Game, seed: int, time: float) -> None:
        self.game, self.seed, self.time = game, seed, time
        self.looker: Onlooker | None = onlooker(game)
        self.chances = self.look()

    def look(self) -> tuple[float, ...]:
        """Everyone's chances now."""
        if self.game.over:
            return result(self.game)
        return self.looker.chances(self.game) if self.looker else outlook(str(self.game), self.seed, self.time)

    def skip(self, tokens: Sequence[str]) -> None:
        """Play a turn without judging it."""
        for token in tokens:
            if self.looker:
                self.looker.see(self.game, bare(token))
            self.game.play_recorded(token)

    def turn(self, number: int, tokens: Sequence[str]) -> Judged:
        """Judge a turn decision by decision, and play it; it gives away no more than its seat had or thought it had."""
        seat, played, lost, worst, at, most = self.game.seat, 0, 0.0, 0.0, 0, 0.0
        better: tuple[str, ...] = ()
        luck = [0.0] * self.game.players if self.looker else []
        while played < len(tokens):
            best, line = self.decision(tuple(bare(token) for token in tokens[played:]))
            loss = max(0.0, best.chances[seat - 1] - line.chances[seat - 1])
            if loss > worst:
                worst, better, at = loss, best.actions, played
            lost += loss
            most = max(most, best.chances[seat - 1])
            for token in tokens[played : played + len(line.actions)]:
                self.play(token, luck)
            played += len(line.actions)
        lost = min(lost, most, self.chances[seat - 1])
        self.chances = self.look()
        if lost < MISTAKE:
            better, at = (), 0
        return Judged(number, seat, tuple(tokens), self.chances, lost, better, tuple(luck), at)

    def decision(self, rest: tuple[str, ...]) -> tuple[Line, Line]:
        """What the seat to act could have done best, as it saw the game, and what it did of these actions."""
        game = self.game
        if len(game.legal_actions()) == 1:
            forced = Line(rest[:1], (0.0,) * game.players)
            return forced, forced
        lines = consider(game.view(game.seat), game.record(game.seat), self.seed, self.time, rest)
        return lines[0], next(line for line in lines if rest[: len(line.actions)] == line.actions)

    def play(self, token: str, luck: list[float]) -> None:
        """Play an action of the record, and add what luck brought each seat by it."""
        expected = self.looker.foresee(self.game, bare(token)) if self.looker else None
        self.game.play_recorded(token)
        if expected:
            for k, (came, hoped) in enumerate(zip(self.look(), expected, strict=True)):
                luck[k] += came - hoped


def turning_points(turns: Sequence[Judged], players: int, start: Sequence[float] = ()) -> list[Turning]:
    """The turns that changed the chances most, in the order of the game; all are equal at a start that is not told."""
    before: Sequence[float] = start or (1 / players,) * players
    found = []
    for judged in turns:
        gains = [new - old for new, old in zip(judged.chances, before, strict=True)]
        gainer = gains.index(max(gains)) + 1
        cause = judged.mark or cause_of(judged, gainer, gains[gainer - 1])
        found.append(Turning(judged.turn, judged.seat, sum(map(abs, gains)) / 2, gainer, cause))
        before = judged.chances
    weighty = sorted((point for point in found if point.change >= TURNING), key=lambda point: -point.change)
    return sorted(weighty[:MOST_TURNING])


def cause_of(judged: Judged, gainer: int, gain: float) -> str:
    """Why a turn that was no mistake changed the chances."""
    if not judged.luck:
        return "a good turn, or luck" if gainer == judged.seat else "luck"
    if 2 * judged.luck[gainer - 1] >= gain:
        return "luck"
    return "a good turn" if gainer == judged.seat else "the run of play"


def accuracy_of(turns: Sequence[Judged], seat: int) -> float | None:
    """How well a seat played: a turn that gave nothing away counts 1, half the chances 0; None where it had no turn."""
    kept = [max(0.0, 1 - judged.lost / HALF) for judged in turns if judged.seat == seat]
    return sum(kept) / len(kept) if kept else None


def luck_of(turns: Sequence[Judged]) -> list[float]:
    """What luck brought each seat in all, or nothing where it is not told."""
    return [sum(brought) for brought in zip(*(judged.luck for judged in turns), strict=True)]


def as_values(game: Game, turns: Sequence[Judged]) -> dict[str, Any]:
    """An analysis as plain values."""
    return {
        "game": str(game.edition),
        "seats": list(game.names),
        "result": game.result,
        "turns": [{**judged._asdict(), "mark": judged.mark} for judged in turns],
        "luck": luck_of(turns),
        "turning_points": [point._asdict() for point in turning_points(turns, game.players)],
    }


def in_words(game: Game, turns: Sequence[Judged]) -> Iterator[str]:
    """An analysis as lines of text."""
    width, brought = max(len(name) for name in game.names), luck_of(turns)
    for seat, name in enumerate(game.names, 1):
        own = [judged for judged in turns if judged.seat == seat]
        given = sum(judged.lost for judged in own)
        luck = f", luck {brought[seat - 1]:+.0%}" if brought else ""
        marks = [sum(judged.mark == mark for judged in own) for mark in ("mistake", "blunder")]
        yield (
            f"{seat} {name:<{width}}  {len(own)} turns, {marks[0]} mistakes, {marks[1]} blunders, "
            f"{given / max(1, len(own)):.1%} given away a turn{luck}"
        )
    yield ""
    seats = " ".join(f"{f'seat {seat}':>6}" for seat in range(1, game.players + 1))
    yield f"turn seat  {seats}  played (chances after the turn; what it gave away, and what was better)"
    for judged in turns:
        chances = " ".join(f"{chance:>6.0%}" for chance in judged.chances)
        line = f"{judged.turn:>3}. {judged.seat:>4}  {chances}  {' '.join(judged.actions)}"
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
