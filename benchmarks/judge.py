"""The legend against OpenSpiel's searches with ten times its time, the same deals from both seats, two players.

python benchmarks/judge.py --edition jamaica --games 60 --seconds 0.05 --times 10
python benchmarks/judge.py --edition tortuga --games 60 --seconds 0.05 --times 10

With hidden hands the opponent is OpenSpiel's information set search (ISMCTSBot), with open hands its tree search
(MCTSBot), both from its Python code, with a time limit instead of a number of simulations. Leaves are evaluated by
Escapade's compiled playouts, about fifty times as many as OpenSpiel's own rollouts in the same time. Where the legend
takes longer than it was given, because even one world does, OpenSpiel gets ten times of that.

OpenSpiel's player has the settings that did best in 16 games each with 0.1 s against the sailor: greedy playouts (with
random ones it won none of 24), eight for each leaf (better than one, as good as thirty), and an exploration constant of
1 in tortuga (of 0.5, 1 and 2: 11, 15 and 9 won) and 0.2 in jamaica (of 0.2, 0.4, 1 and 2: 8, 5, 3 and 0 won); its
nodes are information states, not observations (5 against 3 won at 0.4).
"""

import hashlib
import math
import time
from typing import Any, NamedTuple

import click
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import escapade
from escapade.adapters.openspiel import Playouts, mirror
from escapade.bots import make
from escapade.cartagena.editions import EDITIONS
from escapade.simulate import in_order, wilson

UCT_HIDDEN, UCT_OPEN = 0.2, 1.0
NO_BOUND = 10**9
TURN_LIMIT = 500


class TimeUp(Exception):
    """The time of a search is over."""


class Clock:
    """Stops a search when its time is up, and counts searches and simulations."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.end = seconds, math.inf
        self.searches = self.simulations = self.least = 0

    def start(self) -> None:
        """Begin a search."""
        self.end = time.perf_counter() + self.seconds
        self.searches += 1
        self.least = self.simulations + 2  # OpenSpiel's bot needs two to give an answer

    def tick(self) -> None:
        """Begin a simulation."""
        if time.perf_counter() >= self.end and self.simulations >= self.least:
            raise TimeUp
        self.simulations += 1


class TimedISMCTS(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's information set search with a time limit."""

    clock: Clock

    def run_search(self, state: Any) -> Any:
        self.clock.start()
        try:
            return super().run_search(state)
        except TimeUp:
            return self.get_final_policy(state, self._root_node)

    def sample_root_state(self, state: Any) -> Any:
        self.clock.tick()
        return super().sample_root_state(state)


class TimedMCTS(mcts.MCTSBot):  # type: ignore[misc]
    """OpenSpiel's tree search with a time limit."""

    clock: Clock
    root: Any = None

    def mcts_search(self, state: Any) -> Any:
        self.clock.start()
        try:
            return super().mcts_search(state)
        except TimeUp:
            return self.root

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        self.root = root
        self.clock.tick()
        return super()._apply_tree_policy(root, state)


class Contest(NamedTuple):
    """The settings of a match."""

    edition: str
    seconds: float
    times: float
    greedy: bool
    each: int
    uct: float
    seed: int


class Outcome(NamedTuple):
    """A game for the legend: 1 won, -1 lost, 0 drawn; both players' actions and seconds, OpenSpiel's simulations."""

    result: int
    own: tuple[int, float]
    other: tuple[int, float]
    searches: int
    simulations: int


def peer(contest: Contest, game: Any, seed: int) -> Any:
    """OpenSpiel's player."""
    leaves = Playouts(contest.each, seed, contest.greedy)
    luck = np.random.RandomState(seed % 2**32)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        bot = TimedMCTS(game, contest.uct, NO_BOUND, leaves, random_state=luck)
    else:
        bot = TimedISMCTS(game, leaves, contest.uct, NO_BOUND, random_state=luck)
    bot.clock = Clock(contest.seconds * contest.times)
    return bot


def play(contest: Contest, deal: int, seat: int) -> Outcome:
    """Play a deal with the legend in this seat."""
    seed = hashlib.sha256(b"judge %d %d" % (contest.seed, deal)).digest()
    number = int.from_bytes(seed[:4], "big")
    game = escapade.new(f"{contest.edition}+turn-limit={TURN_LIMIT}", 2, seed=seed)
    spiel = pyspiel.load_game(f"escapade_cartagena(edition={contest.edition},turn_limit={TURN_LIMIT})")
    state = spiel.new_initial_state()
    mirror.begin(state, game)
    legend, other = make(f"legend(time={contest.seconds:g})", "cartagena", number), peer(contest, spiel, number)
    spent = [(0, 0.0), (0, 0.0)]
    while not game.over:
        legal, mine = game.legal_actions(), game.seat == seat
        view, record = game.view(game.seat), game.record(game.seat)
        began = time.perf_counter()
        if len(legal) == 1:
            choice = legal[0]
        elif mine:
            choice = legend.choose(view, legal, record)
        else:
            choice = state.action_to_string(other.step(state))
        count, seconds = spent[not mine]
        if len(legal) > 1:
            spent[not mine] = count + 1, seconds + time.perf_counter() - began
        if spent[0][0]:
            other.clock.seconds = contest.times * max(contest.seconds, spent[0][1] / spent[0][0])
        mirror.follow(state, game, choice)
    result = 0 if not game.winners else 1 if seat in game.winners else -1
    return Outcome(result, spent[0], spent[1], other.clock.searches, other.clock.simulations)


def row(contest: Contest, outcomes: list[Outcome], command: str) -> str:
    """The match as a line of a table."""
    won, lost, drawn = (sum(outcome.result == result for outcome in outcomes) for result in (1, -1, 0))
    low, high = wilson(won, max(1, won + lost))
    own, other = (
        sum(getattr(outcome, who)[1] for outcome in outcomes) / sum(getattr(outcome, who)[0] for outcome in outcomes)
        for who in ("own", "other")
    )
    simulations = sum(outcome.simulations for outcome in outcomes) / sum(outcome.searches for outcome in outcomes)
    cells = (
        contest.edition,
        f"{contest.each} {'greedy' if contest.greedy else 'random'}, c = {contest.uct:g}",
        len(outcomes),
        won,
        drawn,
        f"{won / max(1, won + lost):.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{own:.2f} / {other:.2f}",
        f"{simulations:,.0f}",
        f"`{command}`",
    )
    return f"| {' | '.join(map(str, cells))} |"


@click.command()
@click.option("--edition", type=click.Choice(list(EDITIONS)), default="jamaica", show_default=True)
@click.option("--games", default=20, show_default=True, help="Games, half of them from each seat.")
@click.option("--seconds", default=0.2, show_default=True, help="The legend's time for an action.")
@click.option("--times", default=10.0, show_default=True, help="OpenSpiel's time as a multiple of it.")
@click.option("--playouts", type=click.Choice(["random", "greedy"]), default="greedy", show_default=True)
@click.option("--each", default=8, show_default=True, help="Playouts for each leaf.")
@click.option("--uct", type=float, help="OpenSpiel's exploration constant.  [default: 0.2, or 1 with open hands]")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=1, show_default=True, help="Games at a time, each on one core.")
def main(
    edition: str, games: int, seconds: float, times: float, playouts: str, each: int, uct: float | None, seed: int,
    jobs: int,
) -> None:  # fmt: skip
    """Play the match and print it as a row of a table."""
    if uct is None:
        uct = UCT_HIDDEN if EDITIONS[edition]["hands"] == "hidden" else UCT_OPEN
    contest = Contest(edition, seconds, times, playouts == "greedy", each, uct, seed)
    play(contest._replace(seconds=0.01), 0, 1)  # compiles before anything is timed
    tasks = [(contest, deal, seat) for deal in range(1, games // 2 + 1) for seat in (1, 2)]
    outcomes = list(in_order(play, tasks, jobs))
    command = (
        f"python benchmarks/judge.py --edition {edition} --games {games} --seconds {seconds:g} --times {times:g} "
        f"--playouts {playouts} "
    )
    command += f"--each {each} --uct {uct:g} --seed {seed}"
    print("| edition | playouts | games | legend won | drawn | of decided | 95 % interval | s/action | simulations | |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    print(row(contest, outcomes, command))


if __name__ == "__main__":
    main()
