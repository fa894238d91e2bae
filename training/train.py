"""Train a network by playing against itself.

python training/train.py cartagena --players 2    # all editions at once; evades for Les Évadés
python training/train.py jamaica+pirates=3+deal=3 --games 64 --batch 1024 --decisions 60000    # a processor will do

Many games are played side by side. At each decision every action is tried as its seat can foresee it, the network
judges where they lead to, and the best one is played, with some noise. Each seat's judgements are then corrected
towards the later ones and the result (TD(λ)), and so are those of seats that look on. Progress is printed: games and
decisions a second, loss, and what the network, without noise, wins against fixed opponents. The file is written with
every line; with `--resume` training goes on from there. `ship.py` makes it into weights that the package ships. With
`--against` a rival sits at all other seats, in every game or in a part of them: what can be won from a champion, and
can a champion learn to hold against those who know its ways? A rival's file is read again with every line, so that two
trainings can be each other's rivals. With `--rival-rate` rivals learn in the same training to beat the network alone;
where they learn much faster than it does, it learns to hold against whoever knows its ways.
"""

import json
import math
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from learner import LAST_RATE, RATE, Learner
from loops import loops_for

from escapade.games import kinds
from escapade.nets import PARTS

STEPS = 32  # decisions of each game between two rounds of learning
HEAT, COOLED = 0.03, 1 / 15  # noise in the choice of actions, in chances, and which part of it is left at the end
BLEND = 0.85  # λ
LIMIT = "+turn-limit=400"
TRIAL = 600  # decisions after which a game of a match is shared
EVERY = 60.0  # seconds between two lines
LESSONS = 0.15  # part of the time in which one that will meet rivals alone plays itself: who never wins learns nothing
BEGUN = 0.5  # part of the way that weights to begin with have behind them: less noise, smaller steps
LEAST = -5.0  # what an outcome weighs that weights to begin with think impossible, or learning it breaks all others
NOBODY = -1


class Practice(NamedTuple):
    """How games are played to learn from them: what is said above of the constants."""

    steps: int = STEPS
    heat: float = HEAT
    cooled: float = COOLED
    blend: float = BLEND
    lessons: float = LESSONS
    rival_heat: float = 0.0  # of rivals, all the time
    rate: float = RATE
    rival_rate: float = 0.0  # of learning, by rivals that learn, too, all the time


USUAL = Practice()


class Group:
    """Games of one edition side by side, and where in the arrays of all games they stand."""

    def __init__(self, batch: Any, xp: Any, place: int, notes: int) -> None:
        self.notes = xp.zeros((batch.games, notes), np.int8)
        self.batch, self.rules, self.hidden = batch, batch.box.rules, batch.box.hidden
        self.part = slice(place, place + batch.games)
        self.counts, self.rows = xp.zeros(batch.games, np.int64), xp.zeros(batch.games, np.int64)
        self.actions, self.owner = xp.zeros(batch.games, np.int64), xp.zeros(0, np.int64)
        self.seats, self.rewards = xp.asarray(batch.seats), xp.asarray(batch.rewards)
        self.terminated, self.truncated = xp.asarray(batch.terminated), xp.asarray(batch.truncated)


class Table:
    """Games of some editions side by side, in which every action is tried before one is played."""

    def __init__(self, machine: str, editions: list[str], players: int, games: int, seed: int) -> None:
        self.players, share = players, games // len(editions)
        if machine == "gpu":
            import cupy

            from escapade.cuda import Batch as Games

            self.xp: Any = cupy
            many = {"check": False}
        else:
            from escapade.batch import Batch as Games  # type: ignore[assignment]

            self.xp, many = np, {}
        batches = [Games(name + LIMIT, players, share, seed=seed + k, **many) for k, name in enumerate(editions)]
        self.games, kind = share * len(editions), batches[0].box.kind
        assert kind.inputs is not None
        self.groups = [Group(batch, self.xp, k * share, kind.inputs.NOTES) for k, batch in enumerate(batches)]
        self.words: int = kind.inputs.count(players)
        self.outcomes: int = kind.inputs.outcomes(players)
        self.loops = loops_for(kind, machine == "gpu")

    def seats(self, out: Any) -> None:
        """Write who is to act in each game."""
        for group in self.groups:
            out[group.part] = group.seats

    def attempts(self, group: Group) -> tuple[Any, Any, Any, Any]:
        """Try every action: where each game's rows begin, what they lead to, their numbers and shares of a win."""
        xp = self.xp
        self.loops.count(group.batch.tables, group.rules, group.counts)
        ends = xp.cumsum(group.counts)
        first, total = ends - group.counts, int(ends[-1])
        owner = group.owner = xp.searchsorted(ends, xp.arange(total), side="right")
        words, numbers = xp.empty((total, self.words), np.uint64), xp.empty(total, np.int64)
        shares = xp.empty(total, np.float32)
        self.loops.attempt(
            group.batch.tables, group.notes, group.rules, group.hidden, owner, first, words, numbers, shares
        )
        return first, words, numbers, shares

    def step(self, judge: Any, heats: Any, words: Any, chances: Any) -> int:
        """Play an action in every game, and write what it was foreseen to lead to; how many were tried."""
        tried = 0
        for group in self.groups:
            first, rows, numbers, shares = self.attempts(group)
            judged = judge(group, rows)
            self.loops.choose(
                group.batch.tables,
                first,
                group.counts,
                judged,
                shares,
                numbers,
                heats[group.part],
                group.rows,
                group.actions,
            )  # fmt: skip
            words[group.part] = rows[group.rows]
            chances[group.part] = judged[group.rows]
            self.loops.note(group.batch.tables, group.notes, group.rules, group.actions)
            group.batch.step(group.actions)
            group.notes *= ~(group.terminated | group.truncated)[:, None]
            tried += len(rows)
        return tried

    def results(self, ended: Any, won: Any, without: Any = None) -> None:
        """Write which games have ended, and each outcome's share of the win.

        A game that was drawn or broken off is nobody's. Where that is no outcome, or only two play, who are worth the
        same then, all share in it, or all but one seat `without` a share: else one who cannot win learns to wait.
        """
        xp = self.xp
        for group in self.groups:
            ended[group.part] = group.terminated | group.truncated
            wins = xp.zeros((len(group.rewards), self.outcomes), np.bool_)
            wins[:, : self.players] = group.rewards > 0
            sharers = xp.zeros_like(wins)
            if self.outcomes > self.players > 2:
                sharers[:, self.players] = True
            elif without is None:
                sharers[:, : self.players] = True
            else:
                sharers[:, : self.players] = xp.arange(self.players) != without[group.part][:, None]
            wins = xp.where(wins.any(1, keepdims=True), wins, sharers).astype(np.float32)
            won[group.part] = wins / wins.sum(1, keepdims=True)

    def look(self, readers: Any, words: Any) -> None:
        """Write what one seat of each game sees now."""
        for group in self.groups:
            self.loops.describe(
                group.batch.tables, group.notes, group.rules, group.hidden, readers[group.part], words[group.part]
            )

    def active(self) -> float:
        """How many inputs are there at a time, about: after some decisions, made anyhow."""
        xp, words = self.xp, self.xp.zeros((self.games, self.words), np.uint64)
        chances, heats = xp.zeros((self.games, self.outcomes), np.float32), xp.ones(self.games, np.float32)
        for _ in range(STEPS):
            self.step(lambda group, rows: xp.zeros((len(rows), self.outcomes), np.float32), heats, words, chances)
        return float(np.bitwise_count(on_host(words)).sum(1).mean())


class Window:
    """The decisions between two rounds of learning."""

    def __init__(self, table: Table, steps: int) -> None:
        xp, games, players, outcomes = table.xp, table.games, table.players, table.outcomes
        self.table, self.steps = table, steps
        self.rows = xp.empty((2, steps, games, table.words), np.uint64)  # of who acted, and of a seat that looks on
        self.right = xp.zeros((2, steps, games, outcomes), np.float32)
        self.words, self.seen = self.rows
        self.targets, self.others = self.right
        self.chances, self.won = (xp.zeros((steps, games, outcomes), np.float32) for _ in range(2))
        self.seats, self.readers = (xp.zeros((steps, games), np.int8) for _ in range(2))
        self.ended = xp.zeros((steps, games), np.bool_)
        self.later, self.near = (xp.zeros((games, players, outcomes), np.float32) for _ in range(2))
        self.known = xp.zeros((games, players), np.bool_)

    def play(self, judge: Any, heat: float, rival_heat: float, luck: Any, alone: Any, without: Any) -> int:
        """Play the decisions; how many actions were tried.

        Where one seat of a game is `alone`, the others play with noise of their own. A game that is broken off is lost
        for the seat in `without`.
        """
        table, tried, xp = self.table, 0, self.table.xp
        for step in range(self.steps):
            table.seats(self.seats[step])
            learns = (self.seats[step] == alone) | (alone == NOBODY)
            heats = xp.where(learns, np.float32(heat), np.float32(rival_heat))
            tried += table.step(judge, heats, self.words[step], self.chances[step])
            table.results(self.ended[step], self.won[step], without)
            self.readers[step] = (luck.random(table.games) * table.players).astype(np.int8)
            table.look(self.readers[step], self.seen[step])
        return tried

    def correct(self, blend: float) -> None:
        """Find out what should have been judged."""
        self.table.loops.returns(
            self.seats, self.readers, self.ended, self.won, self.chances, blend, self.later, self.near, self.known,
            self.targets, self.others,
        )  # fmt: skip


def judge_apart(xp: Any, whose: Any, rows: Any, nets: list[Learner]) -> Any:
    """Each row judged by the network whose number stands in `whose`."""
    judged = xp.empty((len(rows), nets[0].outcomes), np.float32)
    for number, net in enumerate(nets):
        some = xp.flatnonzero(whose == number)
        judged[some] = net.judge(rows[some])
    return judged


def match(net: Learner, other: Learner | None, table: Table, heat: float = 0.0) -> float:
    """The share of games that a network, without noise, wins alone among others, or among those who do anything."""
    xp, running = table.xp, table.xp.ones(table.games, np.bool_)
    won = xp.full(table.games, 1 / table.players, np.float32)
    mine, luck = xp.arange(table.games) % table.players, xp.random.default_rng(table.games)
    words, chances = (
        xp.empty((table.games, table.words), np.uint64),
        xp.empty((table.games, table.outcomes), np.float32),
    )
    finished, wins = xp.zeros(table.games, np.bool_), xp.zeros((table.games, table.outcomes), np.float32)
    seats = xp.zeros(table.games, np.int8)

    def judge(group: Group, rows: Any) -> Any:
        ours = (group.seats == mine[group.part])[group.owner]
        if other:
            return judge_apart(xp, ~ours, rows, [net, other])
        return xp.where(ours[:, None], net.judge(rows), luck.random((len(rows), 1)).astype(np.float32))

    for group in table.groups:
        group.batch.reset()
        group.notes[:] = 0
    for step in range(TRIAL):
        table.seats(seats)
        table.step(judge, xp.where(seats == mine, np.float32(0), np.float32(heat)), words, chances)
        table.results(finished, wins)
        now = running & finished
        won[now] = wins[now, mine[now]]
        running &= ~finished
        if step % STEPS == 0 and not running.any():
            break
    return float(won.mean())


class Training:
    """A network, the games that it plays, and how far it has come."""

    def __init__(
        self, table: Table, editions: list[str], seed: int, rivals: list[Learner], share: float, practice: Practice
    ) -> None:
        xp, luck = table.xp, np.random.default_rng(seed)
        self.table, self.editions, self.seed, self.rivals, self.share = table, editions, seed, rivals, share
        self.net = Learner(xp, table.words, table.outcomes, seed, table.active())
        self.practice, self.window = practice, Window(table, practice.steps)
        self.luck = xp.random.default_rng(seed)
        self.done = self.games = 0
        rival = luck.integers(len(rivals), size=table.games) + 1 if rivals else np.zeros(table.games, np.int64)
        self.rival = xp.asarray(rival * (luck.random(table.games) < share))  # its number, 0 for the network itself
        self.alone = xp.asarray(np.where(on_host(self.rival), luck.integers(table.players, size=table.games), NOBODY))
        self.everyone = xp.full(table.games, NOBODY)

    def judge(self, group: Group, rows: Any) -> Any:
        """Every row by the network, or where a rival sits by that."""
        whose = self.rival[group.part] * (group.seats != self.alone[group.part])
        return judge_apart(self.table.xp, whose[group.owner], rows, [self.net, *self.rivals])

    def round(self, progress: float, batch: int) -> tuple[float, int]:
        """Play a window, and learn from it; the loss, and how many actions were tried."""
        window, xp = self.window, self.table.xp
        alone, judge = self.alone, self.judge
        if not self.rivals or (self.share == 1 and progress < self.practice.lessons):
            alone, judge = self.everyone, lambda group, rows: self.net.judge(rows)
        heat = self.practice.heat * self.practice.cooled**progress
        without = self.everyone if self.practice.rival_rate else alone  # where all learn, nobody is to gain by waiting
        tried = window.play(judge, heat, self.practice.rival_heat, self.luck, alone, without)
        window.correct(self.practice.blend)
        rate = LAST_RATE + (self.practice.rate - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))
        total = window.steps * self.table.games
        rows, right = (part.reshape(2 * total, -1) for part in (window.rows, window.right))
        batches, losses = 2 * total // batch | 1, []  # an odd number, so that each has something of every game
        whose, rivals = self.learners(alone), self.rivals if self.practice.rival_rate else []
        for k in range(batches):
            some = slice(k, None, batches)
            mine = xp.flatnonzero(whose[some] == 0)
            losses.append(self.net.learn(rows[some][mine], right[some][mine], rate))
            for number, rival in enumerate(rivals, 1):
                theirs = xp.flatnonzero(whose[some] == number)
                if len(theirs):
                    rival.learn(rows[some][theirs], right[some][theirs], self.practice.rival_rate)
        self.done += total
        self.games += int(window.ended.sum())
        return float(sum(losses)) / len(losses), tried

    def learners(self, alone: Any) -> Any:
        """Whose each row of a window is: a rival's by its number, or 0 for the network itself."""
        xp, window = self.table.xp, self.window
        seats = xp.stack((window.seats, window.readers))
        return xp.where((alone == NOBODY) | (seats == alone), 0, self.rival).ravel()

    def save(self, path: Path) -> None:
        """Write everything that training needs to go on."""
        about = {"editions": self.editions, "players": self.table.players, "seed": self.seed, "done": self.done,
                 "games": self.games, "steps": self.net.steps, "command": " ".join(["python", *sys.argv])}  # fmt: skip
        flat, mean, square = (on_host(getattr(self.net, name)) for name in ("flat", "mean", "square"))
        learned = self.rivals if self.practice.rival_rate else []
        rivals = {f"rival{number}": on_host(rival.flat) for number, rival in enumerate(learned, 1)}
        held = path.with_suffix(".part.npz")
        np.savez(held, about=json.dumps(about), flat=flat, mean=mean, square=square, **rivals)
        held.replace(path)

    def load(self, path: Path) -> None:
        """Go on from a file."""
        with np.load(path) as file:
            about = json.loads(str(file["about"]))
            self.net.load(file["flat"])
            self.net.mean[:], self.net.square[:] = (self.table.xp.asarray(file[name]) for name in ("mean", "square"))
            for number, rival in enumerate(self.rivals, 1):
                if f"rival{number}" in file:
                    rival.load(file[f"rival{number}"])
        self.done, self.games, self.net.steps = about["done"], about["games"], about["steps"]
        self.luck = self.table.xp.random.default_rng(self.seed + self.done)
        for k, group in enumerate(self.table.groups):
            group.batch.reset(self.seed + self.done + k)
            group.notes[:] = 0


def on_host(array: Any) -> Any:
    """An array in the processor's memory."""
    return array.get() if hasattr(array, "get") else array


def read_weights(xp: Any, path: Path, words: int, outcomes: int) -> Learner:
    """The network of a checkpoint, or of weights that are shipped, whose later layers lie the other way round."""
    net = Learner(xp, words, outcomes, 0)
    with np.load(path) as file:
        parts = [file[name].T for name in PARTS if name in file]
    if parts:
        parts[0] = parts[0].T
        net.load(np.concatenate([part.ravel() for part in parts]).astype(np.float32))
    else:
        with np.load(path) as file:
            net.load(file["flat"])
    return net


@click.command()
@click.argument("game")
@click.option("--players", default=2, show_default=True, help="How many play.")
@click.option("--decisions", default=1_000_000_000, show_default=True, help="Actions played until the end.")
@click.option("--games", default=65_536, show_default=True, help="Games side by side.")
@click.option("--batch", default=32_768, show_default=True, help="Rows of one step of learning.")
@click.option("--seed", default=1, show_default=True, help="Of weights, deals and noise.")
@click.option("--machine", type=click.Choice(["gpu", "processor"]), help="Where.  [default: gpu, if CuPy is installed]")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.  [default: GAME-PLAYERS.npz]"
)
@click.option("--resume", is_flag=True, help="Go on from that file.")
@click.option(
    "--begin",
    type=click.Path(path_type=Path, exists=True),
    help="Weights to begin with: a checkpoint, or shipped ones.",
)
@click.option(
    "--against", type=click.Path(path_type=Path, exists=True), multiple=True, help="Rivals to play alone against."
)
@click.option("--share", default=1.0, show_default=True, help="Part of the games that are played against rivals.")
@click.option("--seconds", default=math.inf, show_default=True, help="Stop after so long; --resume goes on.")
@click.option("--within", default=math.inf, show_default=True, help="Be done in so many seconds, whatever they yield.")
@click.option("--every", default=EVERY, show_default=True, help="Seconds between two lines.")
@click.option("--steps", default=STEPS, show_default=True, help="Decisions of each game between two rounds.")
@click.option("--heat", default=HEAT, show_default=True, help="Noise in the choice of actions at the beginning.")
@click.option("--cooled", default=COOLED, show_default=True, help="Which part of it is left at the end.")
@click.option("--lessons", default=LESSONS, show_default=True, help="Part of the time before rivals alone are met.")
@click.option("--rival-heat", default=0.0, show_default=True, help="Noise in the choices of rivals, all the time.")
@click.option("--rate", default=RATE, show_default=True, help="How fast the network learns at the beginning.")
@click.option("--rival-rate", default=0.0, show_default=True, help="How fast rivals learn, too, all the time.")
@click.option("--blend", default=BLEND, show_default=True, help="λ: how much results count, not the next judgement.")
def main(
    game: str, players: int, decisions: int, games: int, batch: int, seed: int, machine: str | None, out: Path | None,
    resume: bool, begin: Path | None, against: tuple[Path, ...], share: float, seconds: float, within: float,
    every: float, steps: int, heat: float, cooled: float, blend: float, lessons: float, rival_heat: float,
    rate: float, rival_rate: float,
) -> None:  # fmt: skip
    """Train a network for GAME: a kind of game with all its editions (cartagena, evades), or one edition.

    A line of progress tells decisions and games a second, how many actions were tried at each decision, the loss, and
    the share of games that the network wins alone against those who do anything, and against itself some lines ago.
    """
    machine = machine or ("gpu" if find_spec("cupy") else "processor")
    out = out or Path(f"{game}-{players}.npz")
    train(
        game, players, decisions, games, batch, seed, machine, out, resume, begin, against, share, seconds, within,
        every, Practice(steps, heat, cooled, blend, lessons, rival_heat, rate, rival_rate),
    )  # fmt: skip


def passed(began: float, within: float, made: float) -> float:
    """Which part of a training is over, by time or by decisions made."""
    return max(made, (time.perf_counter() - began) / within)


def train(
    game: str, players: int, decisions: int, games: int, batch: int, seed: int, machine: str, out: Path,
    resume: bool = False, begin: Path | None = None, against: tuple[Path, ...] = (), share: float = 1.0,
    seconds: float = math.inf, within: float = math.inf, every: float = EVERY, practice: Practice = USUAL,
) -> None:  # fmt: skip
    """Train, and tell how it goes."""
    editions = list(kinds()[game].editions) if game in kinds() else [game]
    table = Table(machine, editions, players, games, seed)
    rivals = [read_weights(table.xp, path, table.words, table.outcomes) for path in against]
    training = Training(table, editions, seed, rivals, share, practice)
    behind = BEGUN if begin else 0.0
    if begin:
        training.net.load(read_weights(table.xp, begin, table.words, table.outcomes).flat)
        last = training.net.parts(training.net.flat)[-1]
        table.xp.maximum(last, LEAST, out=last)
    if resume:
        training.load(out)
    ring = Table(machine, editions, players, min(games, 1000), seed + 1000)
    earlier = Learner(table.xp, table.words, table.outcomes, seed)
    began = shown = time.perf_counter()
    before, played = training.done, training.games
    tried, losses, marks = 0, [], 0
    while (progress := passed(began, within, training.done / decisions)) < 1 and time.perf_counter() - began < seconds:
        loss, some = training.round(behind + (1 - behind) * progress, batch)
        losses.append(loss)
        tried += some
        now = time.perf_counter()
        if now - shown < every and passed(began, within, training.done / decisions) < 1:
            continue
        told = [f"{match(training.net, None, ring):.1%} against random"]
        if marks:
            told.append(f"{match(training.net, earlier, ring):.1%} against an earlier self")
        for path, rival in zip(against, rivals, strict=True):
            if not practice.rival_rate:
                rival.load(read_weights(table.xp, path, table.words, table.outcomes).flat)
            noise = 0.0 if practice.rival_rate else practice.rival_heat
            told.append(f"{match(training.net, rival, ring, noise):.1%} against {path.stem}")
        if marks % 4 == 0:
            earlier.load(training.net.flat)
        marks += 1
        training.save(out)
        spent, new = now - began, training.done - before
        print(
            f"{spent:6.0f} s, {training.done:,} decisions, {new / spent:,.0f} a second, "
            f"{(training.games - played) / spent:.0f} games a second, "
            f"{new / max(1, training.games - played):.0f} decisions a game, {tried / new:.1f} tried each, "
            f"loss {np.mean(losses):.4f}, {', '.join(told)}",
            flush=True,
        )
        losses.clear()
        shown = time.perf_counter()
    training.save(out)


if __name__ == "__main__":
    main()
