"""Games as they were: their records, all that anyone could see along the way, and what the commands said of them."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner
from golden.compare import Trail, Value, rounded

import escapade

MOST = {"jamaica": 5, "tortuga": 5, "hispaniola": 5, "first-escape": 5, "first-escape-open": 5, "evades": 6}
BOXES = [(edition, players) for edition, most in MOST.items() for players in range(2, most + 1)]
HOUSE = [
    ("jamaica+pirates=3", 2),
    ("jamaica+boat-retreat=off+row=6", 3),
    ("jamaica+hands=open+turn-limit=40", 2),
    ("jamaica+empty-hand-draw=on+least-actions=0", 2),
    ("tortuga+deal=10+most-actions=5", 4),
    ("tortuga+most-actions=1+row=0", 2),
    ("hispaniola+hands=open+pirates=8", 2),
    ("first-escape+least-actions=1+row=12", 3),
    ("first-escape-open+deal=3+empty-hand-draw=off", 2),
    ("evades+length=15", 3),
    ("evades+count-jumped=off+length=60", 2),
    ("evades+count-jumped=off+turn-limit=30", 5),
]
SIMPLE = ["greedy", "sailor", "buccaneer", "cabin-boy", "random", "first"]
# Bots that are given work alone have no bound on time, so what they do does not depend on the machine.
CAPTAINS = {"cartagena": "captain(samples=2)", "evades": "captain(playouts=100)"}
LEGENDS = [
    ("jamaica+turn-limit=40", "legend(samples=2,width=3,replies=2),sailor"),
    ("tortuga+turn-limit=12", "legend(samples=2,width=3,replies=2),captain(samples=3,width=4)"),
    ("evades+turn-limit=8", "legend(playouts=200),captain(playouts=300)"),
]

TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
PILE = "".join(card * (17 - "BBDHKSDKPPSS".count(card)) for card in "BDHKPS")
JAMAICA = f"jamaica {TUNNEL} 0.0.5.6.6.37/0.5.7.8.9.36 BBDHKS/DKPPSS - {PILE} - 1:0:9"
EVADES = "evades 0:yo,5:rb,9:d,#1:ln br.yl.do.n/yo.bn.rl.d - - 2:14"
NEW: list[tuple[str, int, dict[str, Any]]] = [
    ("jamaica", 3, {"segments": 4}),
    ("tortuga", 2, {"tunnel": "free", "segments": 8}),
    ("hispaniola", 2, {"tunnel": "BDHKPS/SPKHDB/BPHSDK"}),
    ("jamaica", 2, {"names": ["Anne", "Bo"], "boat_retreat": False, "pirates": 4}),
    ("evades", 4, {"count_jumped": False, "length": 20}),
]
WRONG: list[Callable[[], object]] = [
    lambda: escapade.new("jamaica", 6),
    lambda: escapade.new("evades", 7),
    lambda: escapade.new("jamaica+pirates=9"),
    lambda: escapade.new("evades", tunnel="free"),
    lambda: escapade.new("tortuga", 3, names=["Anne", "Bo"]),
    lambda: escapade.new("jamaica", seed=b"short"),
    lambda: escapade.parse(JAMAICA.replace("BBDHKS", "BBBDHKS")),
    lambda: escapade.parse(EVADES.replace("9:d", "9:b")),
    lambda: escapade.parse(JAMAICA).play("B0>2"),
    lambda: escapade.parse(JAMAICA).play("walk"),
    lambda: escapade.parse(EVADES).play("b>9"),
    lambda: escapade.parse(EVADES).view(3),
    lambda: escapade.parse(escapade.new("jamaica", seed=1).view(1)).play("."),
]


def command(*arguments: str, rc: int = 0) -> str:
    """What the command `escapade` prints, run in this process, where everything is loaded already."""
    (script,) = entry_points(group="console_scripts", name="escapade")
    done = CliRunner().invoke(script.load(), list(arguments))
    assert done.exit_code == rc, (arguments, done.output, done.exception)
    return done.output


def simulated(edition: str, players: int, who: str, seed: int = 1) -> str:
    """The record of a game between bots."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.esc"
        what = ["--game", edition, "--players", str(players), "--games", "1", "--seed", str(seed)]
        command("simulate", *what, "--players-are", who, "--out", str(file))
        return file.read_text()


def bots_for(number: int, edition: str, players: int) -> str:
    """Bots for every seat, others with every number."""
    bots = [*SIMPLE, CAPTAINS["evades" if edition.startswith("evades") else "cartagena"]]
    return ",".join(bots[(number + seat) % len(bots)] for seat in range(players))


def lineups() -> Iterator[tuple[str, int, str]]:
    """Games between bots: the edition, how many play, and who."""
    for number, (edition, players) in enumerate(BOXES + HOUSE):
        yield edition, players, "random"
        yield edition, players, bots_for(number, edition, players)
    for edition, bots in LEGENDS:
        yield edition, 2, bots
    yield "jamaica+turn-limit=60", 2, "first"
    yield "evades", 2, "first"


def see(game: escapade.Game, trail: Trail, told: str) -> None:
    """Add all that anybody can know of a game now."""
    seats = range(1, game.players + 1)
    how = [game.seat, game.turn, game.over, game.winners, game.scores, game.result, game.tags]
    trail.add(told, str(game), [game.view(seat) for seat in (None, *seats)], how, game.legal_actions())
    if game.over or len(trail.bytes) % 20 == 0:
        trail.add([game.record(), *(game.record(seat) for seat in (0, *seats))])


def again(record: str) -> Trail:
    """What was to be seen of a game that is played anew from its seed and its bare actions."""
    tags = dict(line[1:-2].split(' "', 1) for line in record.splitlines() if line.startswith("["))
    names, seed, trail = tags["Seats"].split("/"), bytes.fromhex(tags["Seed"]), Trail()
    game = escapade.new(tags["Edition"], len(names), seed=seed, names=names, tunnel=tags.get("Tunnel"))
    see(game, trail, "")
    actions = [f"bet:{bet}" for bet in tags.get("Bets", "").split("/") if bet]
    actions += [token for line in record.split("\n\n")[1].splitlines() for token in line.split(" ")[1:]]
    for action in actions:
        see(game, trail, game.play(re.sub("[+~=].*", "", action)))
    assert game.record() == record
    return trail


def anyhow(game: escapade.Game, seed: int, most: int = 400) -> Trail:
    """What is to be seen of a game that is played on at random."""
    trail, luck = Trail(), random.Random(seed)
    see(game, trail, "")
    while not game.over and len(trail.bytes) < most:
        see(game, trail, game.play(luck.choice(game.legal_actions())))
    trail.add(game.record())
    return trail


def games() -> Value:
    """A trail for each game."""
    told: dict[str, Value] = {}
    for edition, players, who in lineups():
        record = simulated(edition, players, who)
        told[f"{edition} {players} {who}"] = {"record": Trail(record).digest, **again(record).told()}
    for edition, players, more in NEW:
        game = escapade.new(edition, players, seed=5, **more)
        told[f"{edition} {players} {more}"] = anyhow(game, 3).told()
    for position in (JAMAICA, EVADES):
        told[position] = anyhow(escapade.parse(position, seed=4), 3).told()
    return told


def records() -> Value:
    """A whole record of each edition."""
    return {edition: simulated(edition, 3, bots_for(1, edition, 3), seed=2) for edition in MOST}


def errors() -> Value:
    """What is said to what cannot be."""
    told = []
    for wrong in WRONG:
        try:
            wrong()
        except (escapade.Invalid, escapade.Illegal) as fault:
            told.append(f"{type(fault).__name__}: {fault}")
    assert len(told) == len(WRONG)
    return told


def played(edition: str, players: int, actions: int) -> escapade.Game:
    """A game after so many actions at random."""
    game = escapade.new(edition, players, seed=5)
    anyhow(game, 1, actions + 1)
    return game


def hints() -> Value:
    """What is advised, and why, where time is no bound."""
    told = {}
    stages = [
        *[(edition, 2 + k % 3, 20 + 15 * k) for k, edition in enumerate(MOST)],
        *[("evades", 3, k) for k in range(5)],
    ]
    for edition, players, actions in stages:
        game = played(edition, players, actions)
        view, record = game.view(game.seat), game.record(game.seat)
        for known in (record, None):
            advice = escapade.hint(view, known, most=5, seed=2, time=60)
            told[f"{view} {'remembered' if known else ''}"] = [
                rounded([one.action, one.line, one.chance, one.chances, one.reasons, one.reason]) for one in advice
            ]
    return told


def analyses() -> Value:
    """Short games gone over turn by turn, where time is no bound."""
    told = {}
    with TemporaryDirectory() as folder:
        for edition, players in [("jamaica+pirates=3", 2), ("tortuga+turn-limit=6", 3), ("evades+length=15", 2)]:
            file = Path(folder) / "game.esc"
            file.write_text(simulated(edition, players, "sailor"))
            told[edition] = rounded(json.loads(command("analyze", str(file), "--time", "60", "--json")))
    return told


def matches() -> Value:
    """Figures of simulations and matches; how long anybody thought is left out."""
    told = {}
    for line in [
        "simulate --game jamaica --players 3 --games 60 --seed 7 --json",
        "simulate --game evades --players 4 --games 60 --seed 7 --json",
        "simulate --game tortuga --players 2 --games 4 --seed 7 --players-are sailor,greedy --json",
        "arena greedy random --games 20 --seed 3 --json",
        "arena sailor greedy random --games 18 --seed 3 --game tortuga --json",
        "arena sailor greedy random --players 3 --games 9 --seed 3 --game evades --json",
        "arena buccaneer sailor --players 4 --games 8 --seed 3 --game hispaniola --json",
        "arena greedy random --games 200 --seed 3 --sprt 0 200 --game jamaica+pirates=3 --json",
    ]:
        told[line] = json.loads(command(*line.split(" ")))
        for bot in told[line].get("bots", []):
            del bot["ms_per_action"]
    return rounded(told)


def commands() -> Value:
    """What the other commands print."""
    told: dict[str, Value] = {}
    for name, position, actions in [("jamaica", JAMAICA, ["B0>1", "6<5"]), ("evades", EVADES, ["roll:by"])]:
        told[f"moves {name}"] = command("moves", position, *actions, "--seed", "3").splitlines()
        told[f"moves {name} wrong"] = command("moves", position, "B0>2", rc=1)
        told[f"perft {name}"] = command("perft", position, "2")
        told[f"hint {name}"] = rounded(json.loads(command("hint", position, "--time", "60", "--json")))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.esc"
        whole = simulated("jamaica", 2, "random") + simulated("evades", 3, "random")
        for name, text in [("verify", whole), ("verify damaged", whole.replace("1. ", "1. B0>36 ", 1))]:
            file.write_text(text)
            told[name] = command("verify", str(file), rc=name != "verify").replace(str(file), "games.esc")
    escape = [str(Path(sys.executable).parent / "escapade"), "moves", EVADES, "roll:byw", "--seed", "1"]
    told["as people start it"] = subprocess.run(escape, capture_output=True, text=True, check=True).stdout.splitlines()
    return told
