"""The command `escapade`."""

import json
import math
import os
import re
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from functools import partial
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO, TypeVar

import click

import escapade
from escapade.cluster import Unusable, Workers, join
from escapade.games import LEVELS
from escapade.record import is_proven, is_seeded
from escapade.simulate import Match, Played, Tally, first_interrupt, in_order, play_games, seat_players

DAYS = click.IntRange(0, 100_000)
TURNS = 8  # of a game that are analysed together: the turns before are gone through each time
Found = TypeVar("Found")


class Fault(click.ClickException):
    """What was wrong with the input, shown without a traceback."""


class Command(click.Command):
    """A command whose errors in games, positions and clusters are messages."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (escapade.Invalid, escapade.Illegal, Unusable) as fault:
            raise Fault(str(fault)) from None


class Group(click.Group):
    """The commands, in the order in which they stand here."""

    command_class = Command

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)


class StorePath(click.ParamType[str | Path]):
    """A file, or a database by its address."""

    name = "store"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> str | Path:
        if str(value).startswith(("postgresql://", "postgres://")):
            return str(value)
        if "://" in str(value):
            self.fail(
                f"{str(value).partition('://')[0]}://… is neither a file nor postgresql://user@host/name",
                param,
                context,
            )
        path: Path = click.Path(dir_okay=False, path_type=Path).convert(value, param, context)
        return path


STORE = StorePath()


class Seconds(click.FloatRange):
    """A number of seconds; the range of click lets through what is no number."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        found = super().convert(value, param, context)
        if not math.isfinite(found):
            self.fail(f"{value} is not a number of seconds", param, context)
        return found


def budget_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that bound how much thinking may wait; the defaults are those of `thinking.Budget`."""
    for name, default, text in (
        ("--think-most", 300.0, "Seconds of thinking that wait in all before some is refused."),
        ("--think-each", 30.0, "The same for one visitor."),
        ("--think-wait", 15.0, "Seconds that a bot or a hint waits for its turn before it is refused."),
    ):
        command = click.option(name, default=default, show_default=True, type=Seconds(0.1), help=text)(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object instead of words.")


def read_token(context: click.Context, parameter: click.Parameter, file: TextIO | None) -> str | None:
    """The operator's token, from a file or from the environment."""
    token = (file.read() if file else os.environ.get("ESCAPADE_OPERATE_TOKEN", "")).strip()
    if file and not token:
        raise click.BadParameter("the file has no token in it")
    return token or None


def token_option(name: str) -> Callable[[Any], Any]:
    """Where the operator's token is."""
    text = "File with the token that the operator's port asks for; also in ESCAPADE_OPERATE_TOKEN."
    return click.option(name, "token", type=click.File(encoding="utf-8"), callback=read_token, help=text)


operate_option = click.option(
    "--operate", metavar="[HOST:]PORT", help="Port for metrics and the command tables; none otherwise."
)
log_option = click.option(
    "--log", default="text", show_default=True, type=click.Choice(["text", "json"]), help="Form of the log."
)


@click.group(cls=Group, invoke_without_command=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for other devices.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 8000 or the next free one otherwise.")
@click.option(
    "--name",
    "names",
    multiple=True,
    help="Host name that this server, or a web server in front of it, is reached by; others are refused then.",
)
@click.option(
    "--proxy", "proxies", multiple=True, help="Address of a web server in front, which tells where requests come from."
)
@click.option(
    "--per-address", default=500, show_default=True, type=click.IntRange(1), help="Connections from one address."
)
@click.option("--store", type=STORE, help="File that games are kept in, or a database as postgresql://user@host/name.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Processes that serve; needs PostgreSQL.",
)
@click.option("--relay", help="HOST or HOST:PORT by which other processes of the same database reach this one.")
@click.option(
    "--processes",
    default=2,
    show_default=True,
    type=click.IntRange(0),
    help="Processes that bots think in, besides one for quick bots; 0: other processes of the database think.",
)
@budget_options
@click.option("--bot", "own_bots", multiple=True, help="Offer a bot of your own as a level, as in mybot:Leaper.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@operate_option
@token_option("--operate-token")
@log_option
@click.option("--keep-finished", default=365, show_default=True, type=DAYS, help="Days to keep finished games; 0: all.")
@click.option("--keep-abandoned", default=180, show_default=True, type=DAYS, help="The same for games left unfinished.")
@click.version_option(escapade.__version__, prog_name="escapade")
@click.pass_context
def main(
    context: click.Context,
    host: str,
    port: int | None,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    per_address: int,
    store: str | Path | None,
    workers: int,
    relay: str | None,
    processes: int,
    think_wait: float,
    think_each: float,
    think_most: float,
    own_bots: tuple[str, ...],
    no_browser: bool,
    operate: str | None,
    token: str | None,
    log: str,
    keep_finished: int,
    keep_abandoned: int,
) -> None:
    """Escapade: Cartagena in all its editions and Les Évadés, to play, study and simulate.

    Without a command it serves the games to the browser.
    """
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)  # so that bots in this folder are found, in other processes too
    if context.invoked_subcommand is None:
        offer_bots(own_bots)
        from escapade.server import limits, serve, thinking
        from escapade.server.admin import Trouble, read_place
        from escapade.server.operating import Operator
        from escapade.server.pruning import Keep

        settings = serve.Settings(
            host,
            port,
            store or serve.default_store(),
            names,
            proxies,
            processes,
            Keep(keep_finished, keep_abandoned),
            limits.BOUNDS._replace(per_address=per_address),
            workers,
            relay,
            not no_browser,
            thinking.Budget(think_wait, think_each, think_most),
        )
        if not processes and not isinstance(settings.store, str):
            raise Fault("--processes 0 needs other processes that think: --store postgresql://…")
        try:
            operated = Operator(*read_place(operate), token) if operate else None
            serve.serve(settings._replace(operated=operated, log=log))
        except (Trouble, serve.CannotServe) as fault:
            raise Fault(str(fault)) from None


@main.command()
@click.option("--store", required=True, type=STORE, help="The database, as postgresql://user@host/name.")
@click.option(
    "--processes", default=2, show_default=True, type=click.IntRange(1), help="Processes, besides one for quick bots."
)
@click.option("--relay", help="HOST or HOST:PORT by which other processes of the same database reach this one.")
@budget_options
@operate_option
@token_option("--operate-token")
@log_option
def think(
    store: str | Path,
    processes: int,
    relay: str | None,
    think_wait: float,
    think_each: float,
    think_most: float,
    operate: str | None,
    token: str | None,
    log: str,
) -> None:
    """Think for the bots and hints of all servers that use a database, on this machine or another."""
    from escapade.server import serve, thinking
    from escapade.server.admin import Trouble, read_place
    from escapade.server.operating import Operator

    budget = thinking.Budget(think_wait, think_each, think_most)
    settings = serve.Settings("", None, store, processes=processes, relay=relay, budget=budget, log=log)
    try:
        operated = Operator(*read_place(operate), token) if operate else None
        serve.think_alone(settings._replace(operated=operated))
    except (Trouble, serve.CannotServe) as fault:
        raise Fault(str(fault)) from None


@main.command()
@click.argument("link", required=False)
@click.option("--game", help="Edition with house rules, e.g. tortuga+pirates=4.")
@click.option("--players", type=click.IntRange(2), help="How many seats, you among them.")
@click.option("--bots", help=f"Level of the bots: {', '.join(LEVELS)}; one for all or one for each.")
@click.option("--name", help="Your name.")
@click.option("--no-wait", is_flag=True, help="Bots answer at once; the end of a turn cannot be undone.")
@click.option("--language", help="Language of the screen, as en; that of the terminal otherwise.")
def play(
    link: str | None,
    game: str | None,
    players: int | None,
    bots: str | None,
    name: str | None,
    no_wait: bool,
    language: str | None,
) -> None:
    """Play in the terminal: against bots, or at a server's table by its LINK.

    With http://host:port/t/ID one watches or takes a free seat, with #KEY at its end one holds a seat. Without a LINK a
    server of one's own is started; with a server's address alone, a table against bots is made there.
    """
    try:
        from escapade.terminal import command
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise Fault("the terminal needs Textual: pip install 'escapade[terminal]'") from None
    try:
        came_back = command.play(link, game, players, split_players(bots) if bots else [], name, language, not no_wait)
    except command.Trouble as trouble:
        raise Fault(str(trouble)) from None
    if came_back:
        click.echo(f"Your seat is kept: escapade play '{came_back}'")


@main.group(cls=Group, invoke_without_command=True)
@click.option(
    "--operate",
    "places",
    multiple=True,
    required=True,
    envvar="ESCAPADE_OPERATE",
    metavar="URL|[HOST:]PORT",
    help="The server's operator's port, or one for each of its processes; also in ESCAPADE_OPERATE.",
)
@token_option("--token")
@json_option
@click.pass_context
def tables(context: click.Context, places: tuple[str, ...], token: str | None, as_json: bool) -> None:
    """List the tables of a running server, without names; with `close ID` close one."""
    from escapade.server import admin

    context.obj = places, token
    if context.invoked_subcommand is None:
        with admin_trouble():
            found = admin.tables(places, token)
        click.echo(json.dumps(found) if as_json else admin.columns(found))


@tables.command("close")
@click.argument("table", metavar="ID")
@click.pass_obj
def close_table(asked: tuple[tuple[str, ...], str | None], table: str) -> None:
    """Close a table for good: everyone there is told and disconnected. Its game stays in the store."""
    from escapade.server import admin

    with admin_trouble():
        admin.close(*asked, table)
    click.echo(f"{table} is closed")


@contextmanager
def admin_trouble() -> Iterator[None]:
    """What goes wrong at the operator's port is a message."""
    from escapade.server.admin import Trouble

    try:
        yield
    except Trouble as fault:
        raise Fault(str(fault)) from None


def offer_bots(names: tuple[str, ...]) -> None:
    """Make these bots levels of the server, each for the kinds of game that it plays."""
    from escapade import bots, games

    for bot in names:
        level, plays, why = bot.partition("(")[0].rpartition(":")[2][:24], [], ""
        if level in (*LEVELS, *games.OWN):
            raise Fault(f"--bot {bot}: there is a level {level} already")
        for kind in games.kinds():
            try:
                bots.make(bot, kind, 0)
                plays.append(kind)
            except escapade.Invalid as fault:
                why = str(fault)
        if not plays:
            raise Fault(f"--bot {bot}: {why}")
        games.OWN[level] = games.OwnLevel(bot, tuple(plays))


def typed(context: click.Context, parameter: click.Parameter, text: str) -> str:
    """What was given, or with `-` the first line of standard input."""
    return sys.stdin.readline().strip() if text == "-" else text


seed_option = click.option("--seed", type=int, help="A number that all luck follows from.")
OUT = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
out_option = click.option(
    "--out",
    type=OUT,
    help="File to write the records to; - is standard output.",
)
SVG = click.File("w", encoding="utf-8", lazy=False)


def place(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """An address; a name that follows the option is none, but taken for one."""
    if text and ":" not in text and text != "local":
        raise click.BadParameter(f"{text!r} is no address, as in head:6379; without one, write --cluster last")
    return text


def workers_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say who works on many games."""
    jobs = click.option(
        "--jobs", type=click.IntRange(1), help="Processes to work on; 1 otherwise, and on a cluster all it has."
    )
    cluster = click.option(
        "--cluster",
        is_flag=False,
        flag_value="",
        metavar="[ADDRESS]",
        callback=place,
        help="Work on the Ray cluster at head:6379; without an address on that of RAY_ADDRESS or of this machine, or"
        " on one started for this run.",
    )
    return jobs(cluster(command))


@contextmanager
def workers_of(jobs: int | None, cluster: str | None, bots: Sequence[str] = ()) -> Iterator[Workers]:
    """Who works: so many processes, or a cluster, which gets this folder where one of the bots is found in it."""
    if cluster is None:
        yield jobs or 1
        return
    modules = (sys.modules.get(bot.partition(":")[0]) for bot in bots)
    files = [Path(module.__file__) for module in modules if module and module.__file__]
    own = any(file.is_relative_to(Path.cwd()) and not file.is_relative_to(sys.prefix) for file in files)
    with join(cluster, jobs, Path.cwd() if own else None) as joined:
        yield joined


game_option = click.option(
    "--game", default="jamaica", show_default=True, help="Edition with house rules, e.g. tortuga+pirates=4."
)
players_option = click.option("--players", default=2, show_default=True, help="How many seats.")
seat_option = click.option(
    "--seat", type=click.IntRange(0), help="Show what this seat may see, with 0 a spectator; all is shown otherwise."
)


@main.command()
@game_option
@players_option
@seed_option
@seat_option
def new(game: str, players: int, seed: int | None, seat: int | None) -> None:
    """Print the position in which a new game begins."""
    begun = escapade.new(game, players, seed=seed)
    click.echo(str(begun) if seat is None else begun.view(seat))


@main.command()
@click.argument("position", callback=typed)
@seat_option
@click.option("--svg", type=SVG, help="File to draw the board into instead; - is standard output.")
@click.option("--arrows", default="", help="Actions to draw as arrows, blanks between them, e.g. 'D6>15 18<17'.")
def show(position: str, seat: int | None, svg: TextIO | None, arrows: str) -> None:
    """Print the board of POSITION, a position or a view, or draw it."""
    game = escapade.parse(position)
    if arrows and not svg:
        raise click.UsageError("--arrows are drawn: say where to with --svg FILE")
    if svg:
        svg.write(game.svg(seat, actions=arrows))
    else:
        click.echo(game.board(seat))


@main.command()
@click.argument("position", callback=typed)
@click.argument("actions", nargs=-1)
@seed_option
def moves(position: str, actions: tuple[str, ...], seed: int | None) -> None:
    """Print the position reached by ACTIONS from POSITION, then its legal actions, one a line."""
    game = escapade.parse(position, seed)
    for action in actions:
        game.play(action)
    click.echo("\n".join([str(game), *game.legal_actions()]))


@main.command()
@game_option
@players_option
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="How many games.")
@seed_option
@click.option(
    "--players-are",
    default="random",
    show_default=True,
    help=f"Who plays: random, greedy, {', '.join(LEVELS)}, mybot:Leaper; one for all seats or one for each.",
)
@out_option
@workers_options
@json_option
def simulate(
    game: str,
    players: int,
    games: int,
    seed: int | None,
    players_are: str,
    out: Path | None,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play many games and report who won how often, and how long they were."""
    seed = secrets.randbits(32) if seed is None else seed
    escapade.new(game, players)
    named = split_players(players_are)
    match = Match(game, seat_players(named, game, players), seed, out is not None)
    tally = Tally(players)
    bar = click.progressbar(length=games, file=sys.stderr, hidden=not sys.stderr.isatty())
    with (
        first_interrupt() as interrupted,
        workers_of(jobs, cluster, named) as workers,
        closing(play_games(match, games, workers)) as chunks,
        open_out(out) as file,
        bar,
    ):
        for chunk in chunks:
            if file:
                write_records(file, chunk)
            for played in chunk:
                tally.add(played)
            bar.update(len(chunk))
            if interrupted():
                break
    if tally.games:
        summary = {"game": game, "players": list(match.bots), "seed": seed, **tally.summary()}
        click.echo(json.dumps(summary) if as_json else summary_text(summary), err=str(out) == "-")
    if tally.games < games:
        click.echo(f"Stopped after {tally.games:,} of {games:,} games.", err=True)
        sys.exit(130)


@main.command()
@click.argument("bots", nargs=-1, required=True)
@game_option
@players_option
@click.option(
    "--games", default=200, show_default=True, type=click.IntRange(1), help="How many games in all, at least."
)
@seed_option
@workers_options
@click.option("--sprt", nargs=2, type=float, metavar="ELO0 ELO1", help="Stop when one of two Elo differences is shown.")
@out_option
@click.option("--plot", type=SVG, help="File to draw the ratings into, as SVG.")
@json_option
def arena(
    bots: tuple[str, ...],
    game: str,
    players: int,
    games: int,
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    sprt: tuple[float, float] | None,
    out: Path | None,
    plot: TextIO | None,
    as_json: bool,
) -> None:
    """Let BOTS play each other, the same deals with the seats rotated, and rate them.

    Each is a level, random, greedy, or your own as in mybot:Leaper, found in this folder too. With two seats every pair
    meets; with more, as many bots as seats, or two, the first against copies of the second.
    """
    from escapade import arena as matches

    escapade.new(game, players)
    for name in bots:
        seat_players([name], game, players)
    matches.lineups(len(bots), players)
    if len(bots) < 2 or (sprt and (len(bots) != 2 or sprt[0] >= sprt[1])):
        raise Fault("a match has two bots or more; --sprt takes exactly two, and ELO0 below ELO1")
    match = Match(game, bots, secrets.randbits(32) if seed is None else seed, out is not None)
    blocks: list[Any] = []
    bar: Any = click.progressbar(
        length=games,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        item_show_func=lambda _: matches.running(bots, blocks) if blocks else None,
    )
    with (
        first_interrupt() as interrupted,
        workers_of(jobs, cluster, bots) as workers,
        closing(matches.play(match, players, games, workers)) as work,
        open_out(out) as file,
        bar,
    ):
        for block in work:
            if file:
                write_records(file, block.games)
            blocks.append(block._replace(games=[game._replace(record=None) for game in block.games]))
            bar.update(len(block.games), block)
            if interrupted() or (sprt and matches.decided(matches.llr(matches.score(blocks), *sprt))):
                break
    summary = matches.summary(match, blocks, sprt)
    if plot:
        plot.write(matches.plot(summary))
    click.echo(json.dumps(summary) if as_json else arena_text(summary), err=str(out) == "-" or is_stdout(plot))
    if interrupted():
        sys.exit(130)


def listed(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[str, ...]:
    """What was given between commas."""
    return tuple(text.split(",")) if text else ()


@main.command()
@click.option("--games", default=1000, show_default=True, type=click.IntRange(2), help="Games of every setting.")
@click.option("--editions", callback=listed, help="Editions, joined by commas; all where none is named.")
@click.option("--players", callback=listed, help="How many play, as in 2,3; every number that networks play otherwise.")
@click.option("--seed", default=1, show_default=True, type=int, help="A number that all luck follows from.")
@workers_options
@click.option(
    "--out",
    default="study.html",
    show_default=True,
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="File to write the page to; - is standard output.",
)
def study(
    games: int,
    editions: tuple[str, ...],
    players: tuple[str, ...],
    seed: int,
    jobs: int | None,
    cluster: str | None,
    out: Path,
) -> None:
    """Let the network's player play many games, and write a page of numbers about them, with plots and intervals.

    Who wins by seat, how long games are, how far luck decides, and what each game can be asked besides.
    """
    from escapade.study import page, run

    if not all(count.isdecimal() for count in players):
        raise click.BadParameter(f"{','.join(players)!r} is not a list of numbers", param_hint="--players")
    if not out.parent.is_dir():
        raise Fault(f"{out} cannot be written: there is no folder {out.parent}")
    asked = run.settings(editions, [int(count) for count in players], seed)
    todo, answers = run.tasks(asked, games), run.Answers()
    bar = click.progressbar(length=sum(task[3] for task in todo), file=sys.stderr, hidden=not sys.stderr.isatty())
    with workers_of(jobs, cluster) as workers, closing(run.ask(todo, workers, answers)) as work, bar:
        for rows in work:
            bar.update(rows)
    named = [f"--{name} {','.join(given)}" for name, given in (("editions", editions), ("players", players)) if given]
    command = " ".join(["escapade study", f"--games {games} --seed {seed}", *named])
    text = page.page(page.Studied(asked, games, seed, command), run.tell(answers))
    if str(out) == "-":
        click.echo(text, nl=False)
        return
    part = out.with_name(f"{out.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(out)


@main.command()
@click.argument("view", callback=typed)
@click.option("--record", type=click.File("r", encoding="utf-8"), help="The game so far for the seat's eyes.")
@click.option("--most", default=3, show_default=True, type=click.IntRange(1), help="How many actions to list.")
@click.option("--time", default=2.0, show_default=True, type=click.FloatRange(0.01), help="Most seconds.")
@json_option
def hint(view: str, record: TextIO | None, most: int, time: float, as_json: bool) -> None:
    """List the best actions in VIEW, a position as the seat to act may see it, with winning chances and reasons."""
    hints = escapade.hint(view, record.read() if record else None, most=most, time=time)
    if as_json:
        values = [
            {**hint._asdict(), "reason": hint.reason, "reasons": list(map(tuple, hint.reasons))} for hint in hints
        ]
        click.echo(json.dumps(values))
        return
    for one in hints:
        click.echo(f"{one.chance:>4.0%}  {' '.join(one.line):<24}  {one.reason}")


@main.command()
@click.argument("file", type=click.File("rb"))
@click.option("--number", default=1, show_default=True, type=click.IntRange(1), help="Which game of the file.")
@click.option("--all", "every", is_flag=True, help="All games of the file instead; as JSON an object a line.")
@click.option("--time", default=0.2, show_default=True, type=click.FloatRange(0.01), help="Most seconds a decision.")
@workers_options
@click.option("--svg", type=SVG, help="File to draw the winning chances into.")
@json_option
def analyze(
    file: Any,
    number: int,
    every: bool,
    time: float,
    jobs: int | None,
    cluster: str | None,
    svg: TextIO | None,
    as_json: bool,
) -> None:
    """Go over a recorded game turn by turn: winning chances, mistakes and blunders, luck, turning points."""
    from escapade import analysis

    if every and svg:
        raise click.UsageError("--svg draws one game: say which with --number")
    games = list(islice(escapade.read(file), None if every else number))
    if not every and len(games) < number:
        raise Fault(f"{file.name} holds {len(games)} games, and no game {number}")
    games = games if every else games[-1:]
    crowded = every and sys.stdout.isatty()  # with what is told of the games before
    length = sum(len(game.turns) for game in games)
    bar: Any = click.progressbar(length=length, file=sys.stderr, hidden=crowded or not sys.stderr.isatty())
    with workers_of(jobs, cluster) as workers, closing(judged(games, time, workers)) as work, bar:
        for place, game in enumerate(games, 1):
            turns = []
            for turn in islice(work, len(game.turns)):
                turns.append(turn)
                bar.update(1)
            if svg:
                svg.write(analysis.picture(game, turns))
            words = [f"Game {place}", ""] if every else []
            words += [*analysis.in_words(game, turns), *([""] if every else [])]
            told = json.dumps(analysis.as_values(game, turns)) if as_json else "\n".join(words)
            click.echo(told, err=is_stdout(svg))


def judged(games: Sequence[escapade.Game], time: float, workers: Workers) -> Generator[Any, None, None]:
    """All turns of games, judged: one after the other in this process, or some at a time elsewhere."""
    from escapade import analysis

    if workers == 1:
        for game in games:
            yield from analysis.analyze(game, time=time)
        return
    tasks = ((game, first, first + TURNS) for game in games for first in range(0, len(game.turns), TURNS))
    for turns in in_order(partial(analysis.judge_turns, time=time), tasks, workers):
        yield from turns


def is_stdout(file: TextIO | None) -> bool:
    """Whether a picture goes to standard output, so that words go elsewhere."""
    return file is not None and file.name == sys.stdout.name


def arena_text(summary: dict[str, Any]) -> str:
    """A match's outcome in words."""
    width = max(len(bot["name"]) for bot in summary["bots"])
    lines = [
        f"{summary['games']:,} games of {summary['game']}, seed {summary['seed']}: {summary['drawn']:,} drawn,"
        f" {summary['shared']:,} won by more than one bot",
        f"  {'':<{width}}    elo   95 % interval    won of decided   95 % interval   ms/action",
    ]
    for bot in sorted(summary["bots"], key=lambda bot: -bot["elo"]):
        time = "-" if bot["ms_per_action"] is None else f"{bot['ms_per_action']:.1f}"
        lines.append(
            f"  {bot['name']:<{width}}  {bot['elo']:>+5.0f}  {bot['elo_low']:>+6.0f} to {bot['elo_high']:>+5.0f}"
            f"  {bot['won']:>6,} of {bot['games']:>5,}  {bot['share_low']:>6.1%} to {bot['share_high']:<6.1%} {time:>8}"
        )
    names = [bot["name"] for bot in summary["bots"]]
    lines.append("  wins of the row's bot over the column's:")
    for name, row in zip(names, summary["wins"], strict=True):
        lines.append(f"  {name:<{width}}  " + " ".join(f"{wins:>7g}" for wins in row))
    if "sprt" in summary:
        test = summary["sprt"]
        found = "nothing yet" if test["decided"] is None else f"{test[test['decided']]:+g}"
        lines.append(f"  sequential test of {test['elo0']:+g} and {test['elo1']:+g} Elo has shown {found}")
    return "\n".join(lines)


def split_players(text: str) -> list[str]:
    """Names joined by commas, but for commas in brackets."""
    return re.split(r",(?![^(]*\))", text)


def write_records(file: FileIO, chunk: list[Played]) -> None:
    """Write whole games; where they do not fit, none of these is left in part."""
    left = "".join(played.record or "" for played in chunk).encode()
    whole = file.tell() if file.seekable() else 0
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as fault:
        with suppress(OSError):  # a device cannot be cut
            file.truncate(whole)
        raise Fault(f"{file.name} cannot be written: {fault.strerror}") from None


def open_out(out: Path | None) -> Any:
    """The file for records, unbuffered, so that whole games reach it at once."""
    if out is None:
        return nullcontext()
    try:
        return open(1, "wb", buffering=0, closefd=False) if str(out) == "-" else out.open("wb", buffering=0)
    except OSError as fault:
        raise Fault(f"{out} cannot be written: {fault.strerror}") from None


def summary_text(summary: dict[str, Any]) -> str:
    """A simulation's outcome in words."""

    def share(label: str, some: dict[str, Any]) -> str:
        interval = f"95 % interval {some['low']:.1%} to {some['high']:.1%}"
        return f"  {label:<24}{some['count']:>9,}  {some['share']:>6.1%}   {interval}"

    def length(name: str) -> str:
        some = summary[name]
        mean = f"{some['mean']:.1f} ± {1.96 * some['standard_error']:.1f}"
        return f"  {name + ' a game':<24}{mean:>17}   from {some['least']:,} to {some['most']:,}"

    lines = [
        f"{summary['games']:,} games of {summary['game']}, {len(summary['players'])} players, seed {summary['seed']}"
    ]
    lines += [share(f"seat {one['seat']} ({summary['players'][one['seat'] - 1]}) won", one) for one in summary["wins"]]
    lines.append(share("drawn", summary["drawn"]))
    if summary["shared"]:
        lines.append(f"  {'won by several seats':<24}{summary['shared']:>9,}")
    lines += [length(name) for name in ("turns", "actions", "reshuffles") if name in summary]
    return "\n".join(lines)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
def verify(files: tuple[str, ...]) -> None:
    """Check every game in FILES: legality, cards, dice, results, and that the luck follows from the seed, if given.

    A position that a game began from, or a tunnel laid by hand, follows from no seed: such games are counted apart.
    """
    for name in files:
        games = proven = 0
        unproven: Counter[str] = Counter()
        try:
            for game in escapade.read(sys.stdin.buffer if name == "-" else name):
                games += 1
                proven += is_proven(game)
                unproven.update(game.unproven() if is_seeded(game.tags) else ())
        except (escapade.Invalid, escapade.Illegal) as fault:
            click.echo(str(fault))
            sys.exit(1)
        told = [f"{games:,} games hold, {proven:,} of them proven fair by their seed"]
        if positions := unproven.pop("position", 0):
            told.append(f"{positions:,} began from a position, and only what came after it follows from the seed")
        told += [f"in {count:,} the {part} does not follow from the seed" for part, count in sorted(unproven.items())]
        click.echo(f"{name}: {'; '.join(told)}")


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--parquet", "form", flag_value="parquet", help="Write Parquet.")
@click.option("--csv", "form", flag_value="csv", help="Write CSV, lists with / between their parts.")
@click.option("--actions", type=OUT, help="File for the table with a row an action; - is standard output.")
@click.option("--games", type=OUT, help="The same for the table with a row a game.")
def export(file: Path, form: str | None, actions: Path | None, games: Path | None) -> None:
    """Write the games of FILE, each checked, as tables: a row an action and a row a game.

    Without --actions and --games both are written beside FILE, as games.actions.csv and games.games.csv.
    """
    from escapade import data

    if form is None:
        raise click.UsageError("say how to write the tables: --parquet or --csv")
    outs = {rows: out for rows, out in (("actions", actions), ("games", games)) if out}
    if not outs and str(file) == "-":
        raise click.UsageError("games from standard input: say where their tables go with --actions or --games")
    outs = outs or {rows: file.with_suffix(f".{rows}.{form}") for rows in ("actions", "games")}
    if list(map(str, outs.values())).count("-") > 1:
        raise click.UsageError("both tables do not fit into standard output")
    try:
        with ExitStack() as opened:
            files = {rows: opened.enter_context(open_whole(out)) for rows, out in outs.items()}
            counts = data.export(escapade.read(sys.stdin.buffer if str(file) == "-" else file), form, files)
    except ModuleNotFoundError as fault:
        raise Fault(str(fault)) from None
    except OSError as fault:
        names = " and ".join(map(str, outs.values()))
        raise Fault(f"{names} cannot be written: {fault.strerror or fault}") from None
    for rows, count in counts.items():
        click.echo(f"{outs[rows]}: {count:,} {rows}", err=True)


@contextmanager
def open_whole(out: Path) -> Iterator[BinaryIO]:
    """A file that takes its name once it is whole; standard output and devices are written as they are."""
    if str(out) == "-":
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    if out.exists() and not out.is_file():
        with out.open("wb") as file:
            yield file
        return
    part = out.resolve().with_name(f"{out.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(out.resolve())
    finally:
        part.unlink(missing_ok=True)


@main.command()
@click.argument("position", callback=typed)
@click.argument("depth", type=click.IntRange(0))
@click.option("--divide", is_flag=True, help="Count them for each action that they begin with too, a line each.")
def perft(position: str, depth: int, divide: bool) -> None:
    """Count the sequences of DEPTH actions from POSITION.

    Reshuffled cards lie in alphabetical order, B on top; every outcome of a throw is counted.
    """
    game = escapade.parse(position)
    if not divide:
        click.echo(game.perft(depth))
        return
    counts = game.divide(depth)
    for action, count in counts.items():
        click.echo(f"{action} {count}")
    click.echo(sum(counts.values()))


@main.command()
@click.option("--game", help="Edition with house rules; all of them where none is named.")
@click.option("--players", type=int, help="How many seats; every number where none is named.")
@click.option("--seconds", default=1.0, show_default=True, type=click.FloatRange(0.01), help="How long each.")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1), help="Threads that play at once.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 1 << 60), help="Seed of the playouts.")
@json_option
def bench(game: str | None, players: int | None, seconds: float, threads: int, seed: int, as_json: bool) -> None:
    """Measure how fast uniformly random games are played."""
    from escapade.bench import measure, wanted

    if seconds != seconds:  # the range lets nan through
        raise click.BadParameter("nan is not a number of seconds", param_hint="--seconds")
    boxes = wanted(game, players)
    if not boxes:
        raise Fault(f"{game} is not played by {players}" if game else f"no game is played by {players}")
    rows = []
    if not as_json:
        click.echo(f"{'game':<24} players   games/s  decisions/s  ns/decision  decisions  turns   drawn")
    for text, seats in boxes:
        row = measure(text, seats, seconds, threads, seed)
        rows.append(row)
        if not as_json:
            click.echo(
                f"{text:<24} {seats:>7} {row['games_per_s']:>9,.0f} {row['decisions_per_s']:>12,.0f}"
                f" {row['ns_per_decision']:>12.1f} {row['decisions_per_game']:>10.1f} {row['turns_per_game']:>6.1f}"
                f" {row['drawn']:>7.2%}"
            )
    if as_json:
        click.echo(json.dumps(rows[0] if len(rows) == 1 else {"rows": rows}))


@main.group(cls=Group)
def store() -> None:
    """Look after a store of games: a file that no server has open, or a database, whoever uses it."""


store_option = click.option("--store", "where", type=STORE, help="Another file, or a database as postgresql://….")


@store.command()
@store_option
@json_option
def check(where: str | Path | None, as_json: bool) -> None:
    """Read every table, and report those that are damaged and how much of them can be saved. Writes nothing."""
    from escapade.server import checking

    name, found = on_store(where, checking.check)
    damaged = [one._asdict() for one in found.damaged]
    if as_json:
        click.echo(json.dumps({"store": name, "tables": found.tables, "damaged": damaged, "file": found.file}))
    else:
        click.echo(f"{name}: {found.tables:,} tables, {len(damaged):,} of them damaged")
        for line in [*map(str, found.damaged), *(f"the file: {line}" for line in found.file)]:
            click.echo(line)
    if damaged or found.file:
        sys.exit(1)


@store.command()
@click.option("--older-than", "days", required=True, type=DAYS, help="Days since something last happened at a table.")
@store_option
@json_option
def prune(where: str | Path | None, days: int, as_json: bool) -> None:
    """Delete the tables at which nothing has happened for so long, finished or not, and make the store smaller.

    In a database those that a server has in memory stay.
    """
    from escapade.server import pruning

    name, done = on_store(where, lambda where: pruning.prune(where, days))
    if as_json:
        click.echo(json.dumps({"store": name, **done._asdict()}))
    else:
        click.echo(f"{name}: {done.tables:,} tables deleted, {done.before:,} bytes became {done.after:,}")


@store.command("copy")
@click.argument("source", metavar="FROM", type=STORE)
@click.argument("target", metavar="TO", type=STORE)
@json_option
def copy_store(source: str | Path, target: str | Path, as_json: bool) -> None:
    """Copy all tables of a store into an empty one, and compare what has arrived.

    Either is a file or a database as postgresql://…. It arrives whole or not at all. FROM is only read; a database may
    be in use, and is copied as it is at the beginning.
    """
    import asyncio

    from escapade.server.copying import copy
    from escapade.server.store import shown

    bar = click.progressbar(length=1, label="copying", file=sys.stderr, hidden=not sys.stderr.isatty())

    def tell(rows: int, of: int) -> None:
        bar.length = of
        bar.update(rows)

    with bar:
        name, done = on_store(source, lambda source: asyncio.run(copy(source, target, tell)))
    if as_json:
        click.echo(json.dumps({"from": name, "to": shown(target), **done._asdict()}))
    else:
        click.echo(f"{done.tables:,} tables with {done.rows['events']:,} events copied from {name} to {shown(target)}")
        click.echo(f"and compared: the same number of rows everywhere, the same digest of all events, {done.digest}")


def on_store(where: str | Path | None, work: Callable[[str | Path], Found]) -> tuple[str, Found]:
    """Do something with a store, the usual one where none is named; what is wrong with it is a message."""
    from escapade.server.serve import default_store
    from escapade.server.store import CannotOpen, shown

    where = where or default_store()
    if isinstance(where, Path) and not where.exists():
        raise Fault(f"{where} does not exist")
    try:
        return shown(where), work(where)
    except CannotOpen as fault:
        raise Fault(str(fault)) from None


if __name__ == "__main__":
    main()
