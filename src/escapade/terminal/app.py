"""The game in a terminal: a table on the whole screen, played by keys or the mouse."""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any, ClassVar, NamedTuple

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from escapade.terminal import frame, sheets
from escapade.terminal.choice import Choice
from escapade.terminal.face import END, Face, Option, Picked, Row, face_for
from escapade.terminal.host import Host
from escapade.terminal.known import Known, Message, Pending, hear
from escapade.terminal.line import Line
from escapade.terminal.link import Link, Trouble, ask, offer
from escapade.words import Words

WIDTH, HEIGHT = 80, 24  # what everything fits into
SIDE = 29  # columns beside the board
AROUND = 3  # lines for head, prompt and keys
LEAST = 4  # lines for what can be chosen, however high the board is
LOST = ("no-table", "damaged", "closed")  # faults after which there is nothing more to hear


class Wish(NamedTuple):
    """What was asked for on the command line."""

    game: str = ""
    players: int = 0
    bots: tuple[str, ...] = ()
    name: str = ""
    wait: bool = True  # for an undo of one's own, before a bot answers


class Left(NamedTuple):
    """How the screen was left: with a seat that one can come back to, or because of some trouble."""

    link: Link
    trouble: str = ""


class Play(App[Left]):
    """A table, from the setup to the end."""

    ENABLE_COMMAND_PALETTE = False
    CSS = (
        """
    #head { height: 1; background: $primary-background; }
    #middle { height: auto; }
    #board { width: 51; height: 100%; overflow-y: auto; }
    #side { width: 1fr; height: 100%; }
    #players { height: auto; }
    #log { height: 1fr; color: $text-muted; margin-top: 1; }
    #prompt { height: auto; max-height: 2; background: $boost; }
    Choice { height: 1fr; }
    #keys { height: 1; background: $primary-background; link-style: none; link-color: $text; }
    """
        + sheets.CSS
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", show=False),
        Binding("e", "end", show=False),
        Binding("h", "hint", show=False),
        Binding("l", "log", show=False),
        Binding("c", "chat", show=False),
        Binding("n", "new", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,ctrl+c", "leave", show=False),
    ]

    def __init__(self, link: Link | None, wish: Wish, words: Words, host: Host | None = None) -> None:
        super().__init__()
        self.link, self.wish, self.words, self.host = link or Link(""), wish, words, host
        self.known = Known()
        self.face: Face | None = None
        self.titles: dict[str, str] = {}
        self.line: Line | None = None
        self.up = False
        self.told = ""
        self.picked: Picked = ()
        self.offered: Any = None  # what the rows were made for
        self.seen_by = 0  # the seat whose secrets are uncovered, where several play here
        self.wants_next = self.finished = False
        self.parts = {name: Static(id=name) for name in ("head", "board", "players", "log", "prompt", "keys")}
        self.middle = Horizontal(id="middle")
        self.choice = Choice([], self.choose, self.unpick, self.draw_board)

    def compose(self) -> ComposeResult:
        yield self.parts["head"]
        with self.middle:
            yield self.parts["board"]
            with Vertical(id="side"):
                yield self.parts["players"]
                yield self.parts["log"]
        yield self.parts["prompt"]
        yield self.choice
        yield self.parts["keys"]

    def on_mount(self) -> None:
        """Go to the table, or set one up."""
        self.title = "Escapade"
        self.choice.focus()
        self.set_interval(1.0, self.draw_head)
        self.told = self.words("table.loading")
        self.draw()
        self.beside(self.begin)

    def on_resize(self) -> None:
        """Draw for another size."""
        self.call_after_refresh(self.draw)

    def beside(self, work: Callable[[], Coroutine[Any, Any, object]], **how: Any) -> None:
        """Do something beside the drawing; a function, since what is cancelled before it begins must never be made."""
        begun: Any = work
        self.run_worker(begun, **how)

    # Going to a table

    async def begin(self) -> None:
        """Find the server, make a table where the link names none, and sit down to listen."""
        try:
            if self.host:
                self.link = await asyncio.to_thread(self.host.link)
            offered = await asyncio.to_thread(offer, self.link)
            self.titles = {name: kind["title"] for name, kind in offered["kinds"].items()}
            if not self.link.table:
                await self.make(offered)
        except Trouble as trouble:
            self.exit(Left(self.link, str(trouble)), return_code=1)
            return
        if self.is_running and self.link.table:
            self.line = Line(self.link, self.hello, self.heard, self.changed)
            await self.line.run()

    async def make(self, offered: Message) -> None:
        """Make a table from what was asked for, or from what is chosen now."""
        wish = self.wish
        if not (wish.game or wish.players or wish.bots):
            chosen = await self.push_screen_wait(self.setup(offered))
            if chosen is None or not chosen.send:
                self.exit(Left(Link("")))
                return
            wish = wish._replace(**chosen.send)
        kinds = list(offered["kinds"].values())
        game = wish.game or kinds[0]["editions"][0]
        players = wish.players or len(wish.bots) + 1 if wish.bots or wish.players else 2
        levels = [wish.bots[n % len(wish.bots)] if wish.bots else middling(offered) for n in range(players - 1)]
        seats: list[Message] = [{"colour": 0, "name": wish.name, "mine": True}]
        for colour, level in enumerate(levels, 1):
            name = frame.level_name(self.words, level)
            twin = levels.count(level) > 1
            seats.append({"colour": colour, "name": f"{name} {colour}" if twin else name, "bot": level})
        made = await asyncio.to_thread(ask, self.link, "/api/tables", {"game": game, "seats": seats})
        self.link = self.link._replace(table=made["table"], key=made["key"])

    def setup(self, offered: Message) -> sheets.Setup:
        """The sheet on which a game is chosen."""
        words, kinds = self.words, offered["kinds"]
        boxes = {edition: kind for kind in kinds.values() for edition in kind["editions"]}

        def rows(picked: Picked) -> list[Row]:
            game, players, level = picked
            least, most = boxes[game]["players"]
            count = str(max(least, min(most, int(players))))
            levels = [one for one in offered["levels"] if one in boxes[game]["levels"]]
            level = level if level in levels else levels[len(levels) // 2]
            games = [
                Option(tick(one == game) + frame.edition_name(words, one), picked=(one, count, level)) for one in boxes
            ]
            counts = [
                Option(tick(n == int(count)) + str(n), picked=(game, str(n), level)) for n in range(least, most + 1)
            ]
            bots = [
                Option(tick(one == level) + frame.level_name(words, one), picked=(game, count, one)) for one in levels
            ]
            begin = {"game": game, "players": int(count), "bots": (level,)}
            return [
                Row("", [Option(words("home.play"), send=begin)]),
                Row(words("home.edition"), games),
                Row(words("home.players"), counts),
                Row(words("home.level"), bots),
            ]

        first = next(iter(boxes))
        return sheets.Setup(words("home.title"), rows, (first, "2", middling(offered)), words("terminal.keys"))

    def hello(self) -> Message:
        """Which table, and whose seats."""
        return {"table": self.link.table, **({"key": self.link.key} if self.link.key else {})}

    # What comes

    def changed(self, up: bool, why: str) -> None:
        """The connection is there, or it is lost."""
        if self.up and not up:
            kept = bool(self.known.pending)
            self.told = " ".join([self.words("table.down"), *([self.words("table.kept")] if kept else [])])
        elif not up and not self.known.table:
            self.told = f"{self.words('table.down')} {why}"
        elif up and not self.up:
            self.told = self.words("terminal.back") if self.known.table else ""
        self.up = up
        self.draw()

    def heard(self, message: Message) -> None:
        """Take a message in, and show what it changed."""
        before, self.known = self.known, hear(self.known, message, time.monotonic())
        known, kind = self.known, message["type"]
        if kind == "table":
            self.sat_down(before)
        elif kind in ("moved", "undone") and known.table is not before.table:
            self.told = ""
        if self.face and known.table:
            self.face.table = known.table
            if kind in ("table", "moved", "undone") and not all(known.views):
                self.beside(partial(self.look_back, known.table["table"]), group="past", exclusive=True)
        if kind == "fault":
            path = f"fault.{message['code']}"
            self.told = self.words(path) if self.words.has(path) else message["code"]
            if message["code"] in LOST and message["about"] in (None, "hello"):
                self.exit(Left(Link(""), self.told), return_code=1)
        if kind == "said":
            self.heard_line(message)
        if known.dropped:
            self.told = self.words("table.dropped")
        if kind == "hints" and known.advice is not None:
            self.show_hints()
        if self.is_running and self.face and isinstance(self.screen, sheets.Log):
            self.screen.show(frame.log_body(self.words, self.face, known))
        self.draw()
        if known.over and not self.finished:
            self.finished = True
            self.show_end()
        if kind == "rematch" or (kind == "table" and self.wants_next):
            self.next_game()

    def sat_down(self, before: Known) -> None:
        """The whole table has come: know its game, and send again what was not answered."""
        known = self.known
        assert known.table
        self.face = face_for(self.words, known.table)
        if not before.table or before.table["table"] != known.table["table"]:
            self.finished = False
            self.seen_by = known.state["eyes"] if known.state and len(known.own) == 1 else 0
        if known.pending:
            self.send(known.pending.message)

    async def look_back(self, table: str) -> None:
        """Ask for the positions of the game so far, which the log's words need."""
        try:
            replay = await asyncio.to_thread(ask, self.link, f"/api/tables/{table}/replay")
        except Trouble:
            return
        if self.known.table and self.known.table["table"] == table:
            self.heard({"type": "past", "start": replay["start"], "steps": replay["steps"]})

    def heard_line(self, message: Message) -> None:
        """Somebody has said something."""
        assert self.known.table
        if isinstance(self.screen, sheets.Chat):
            self.screen.show(frame.chat_body(self.words, self.known))
        else:
            self.told = f"{self.known.table['seats'][message['seat'] - 1]['name']}: {message['text']}"

    # What goes

    def send(self, message: Message) -> None:
        """Send a message, or say that it cannot be sent."""
        if self.line and self.up:
            self.beside(partial(self.line.send, message))
        else:
            self.told = self.words("table.unsent")
            self.draw()

    def act(self, kind: str, seat: int, **fields: Any) -> None:
        """Send an action or an undo, and keep it until it is answered."""
        assert self.known.table
        if not self.up:
            self.told = self.words("table.unsent")
            self.draw()
            return
        version = self.known.table["version"]
        message = {"type": kind, "version": version, **fields}
        if kind == "play" and not self.wish.wait:
            message["final"] = True
        self.known = replace(self.known, pending=Pending(version, seat, message), fault=None)
        self.told = self.words("table.sending")
        self.send(message)
        self.draw()

    def unpick(self) -> None:
        """Take the last pick back."""
        if self.picked:
            self.pick(self.picked[:-1])

    def choose(self, option: Option) -> None:
        """Play an action, pick a part of one, or do something about a seat."""
        if option.action:
            self.act("play", self.known.acting(), action=option.action)
        elif option.picked is not None:
            self.pick(option.picked)
        elif option.send:
            self.beside(partial(self.ask_for, option.send), group="asking", exclusive=True)

    def pick(self, picked: Picked) -> None:
        """Have something picked; where that makes an action, the cursor goes there."""
        self.picked, self.told = picked, ""
        self.draw()
        ready = next((n for n, piece in enumerate(self.choice.pieces) if piece.option.action), None)
        if ready is not None:
            self.choice.go(ready)

    async def ask_for(self, message: Message) -> None:
        """Sit down, let a bot sit down, or uncover a hand."""
        match message["type"]:
            case "ready":
                self.seen_by, self.offered = message["seat"], None
                self.draw()
            case "sit":
                question = sheets.Chat(self.words("lobby.name"), Content(""), "", 24, self.words("terminal.line"))
                name = self.wish.name or await self.push_screen_wait(question)
                if name:
                    key = self.link.key or secrets.token_urlsafe(18)
                    self.link = self.link._replace(key=key)
                    if self.line:
                        self.line.link = self.link
                    self.send({**message, "name": name, "key": key})
            case "bot" if "level" not in message:
                try:
                    self.send({**message, "level": await self.which_level()})
                except Trouble:
                    self.tell("table.unsent")
            case _:
                self.send({name: value for name, value in message.items() if value is not None})

    async def which_level(self) -> str:
        """How strong a bot should be."""
        offered = await asyncio.to_thread(offer, self.link)
        assert self.known.table
        levels = offered["kinds"][self.known.table["kind"]]["levels"]
        options = [Option(frame.level_name(self.words, one), action=one) for one in levels]
        sheet = sheets.Sheet(self.words("lobby.level"), Content(""), [Row("", options)], self.words("terminal.keys"))
        chosen = await self.push_screen_wait(sheet)
        return chosen.action if chosen else middling(offered)

    # The keys

    def action_undo(self) -> None:
        """Take the last action back."""
        state, known = self.known.state, self.known
        if not state or known.pending:
            return
        if self.picked:
            self.pick(())
        elif state["undo"]:
            mine = [move["seat"] for move in (known.table or {"moves": []})["moves"] if move["seat"] in known.own]
            self.act("undo", mine[-1] if mine else 0)
        else:
            self.tell("table.noUndo")

    def action_end(self) -> None:
        """End the turn."""
        known, state = self.known, self.known.state
        if END in known.legal:
            self.act("play", known.acting(), action=END)
        elif state and known.legal and self.face:
            self.told = self.face.why_not_end(state["view"], known.legal)
            self.draw()
        elif known.own:
            self.tell("fault.not-your-turn")

    def action_hint(self) -> None:
        """Ask what could be done."""
        known = self.known
        if known.advice:
            self.show_hints()
        elif not known.table or not known.table["hints"]:
            self.tell("fault.no-hints")
        elif not known.legal:
            self.tell("fault.not-your-turn")
        elif self.up and not known.asking:
            self.known = replace(known, asking=True)
            self.send({"type": "hint", "version": known.table["version"]})
            self.tell("hints.asking")

    def action_log(self) -> None:
        """Open the log."""
        if self.face:
            body = frame.log_body(self.words, self.face, self.known)
            self.push_screen(sheets.Log(self.words("log.title"), body, keys=self.words("terminal.read"), last=True))

    def action_help(self) -> None:
        """Open the rules in short and the keys."""
        body = frame.help_body(self.words, self.face, self.known.table)
        self.push_screen(sheets.Sheet(self.words("help.title"), body, keys=self.words("terminal.read")))

    def action_chat(self) -> None:
        """Open the chat."""
        known, writes = self.known, bool(self.known.own)
        if known.table:
            keys = self.words("terminal.line" if writes else "chat.watching")
            body = frame.chat_body(self.words, known)
            self.push_screen(sheets.Chat(self.words("chat.title"), body, "", 200, keys, writes), self.say)

    def say(self, text: str | None) -> None:
        """Say something to everyone."""
        if text:
            self.send({"type": "say", "text": text})

    def action_new(self) -> None:
        """Play the same people again, once the game is over."""
        known = self.known
        if not known.table or not known.over:
            self.tell("fault.not-over")
        elif known.table["rematch"]:
            self.next_game()
        elif known.own:
            self.wants_next = True
            self.send({"type": "rematch"})

    def next_game(self) -> None:
        """Go to the table of the next game."""
        table = self.known.table
        if table and table["rematch"]:
            self.wants_next = False
            self.link = self.link._replace(table=table["rematch"])
            self.known, self.told = Known(), self.words("table.loading")
            self.send({"type": "hello", **self.hello()})

    async def action_quit(self) -> None:
        """Textual's own way out asks too."""
        self.action_leave()

    def action_leave(self) -> None:
        """Leave; in the middle of a game only if that is meant."""
        known = self.known
        if not known.own or known.over or not known.table:
            self.exit(self.leaving())
            return
        says = self.words("terminal.lost" if self.host else "terminal.return")
        options = [Option(self.words("leaving.no")), Option(self.words("leaving.leave"), action="leave")]
        if len(known.table["seats"]) == 2 and known.state and not self.host:
            options.append(Option(self.words("leaving.resign"), action="resign"))
        sheet = sheets.Sheet(
            self.words("terminal.sure"), Content(says), [Row("", options)], self.words("terminal.keys")
        )
        self.push_screen(sheet, self.left)

    def left(self, option: Option | None) -> None:
        """Do as was answered."""
        if option and option.action == "leave":
            self.exit(self.leaving())
        elif option and option.action == "resign":
            self.send({"type": "resign", "seat": self.known.own[0]})

    def leaving(self) -> Left:
        """Where one could come back to."""
        return Left(self.link if not self.host and self.known.own and not self.known.over else Link(""))

    def tell(self, path: str) -> None:
        """Say something in the line above what can be chosen."""
        self.told = self.words(path)
        self.draw()

    def show_hints(self) -> None:
        """Open the hints; one that is chosen is put under the cursor."""
        assert self.face
        body, rows = frame.hint_rows(self.words, self.face, self.known)
        self.told = ""
        keys = self.words("terminal.keys")
        self.push_screen(sheets.Sheet(self.words("hints.title"), body, rows, keys), self.aim)

    def aim(self, option: Option | None) -> None:
        """Put an action under the cursor."""
        if not option or not self.face:
            return
        self.picked = self.face.picks(option.action)
        self.draw()
        offered = [piece.option.action for piece in self.choice.pieces]
        if option.action in offered:
            self.choice.go(offered.index(option.action))

    def show_end(self) -> None:
        """Open the last sheet: who has won, and what comes next."""
        assert self.face
        words, known = self.words, self.known
        again, leave = (
            Option(words("finish.rematch"), action="new"),
            Option(words("terminal.foot.quit"), action="leave"),
        )
        options = [again, Option(words("terminal.look")), leave][0 if known.own else 1 :]
        answers = {"q": leave, **({"n": again} if known.own else {})}
        body, keys = frame.ranking(words, self.face, known), words("terminal.keys")
        sheet = sheets.Sheet(frame.outcome(words, known), body, [Row("", options)], keys, answers=answers)
        while isinstance(self.screen, sheets.Sheet | sheets.Chat):
            self.pop_screen()
        self.push_screen(sheet, self.ended)

    def ended(self, option: Option | None) -> None:
        """Do what was chosen at the end."""
        if option and option.action == "new":
            self.action_new()
        elif option and option.action == "leave":
            self.exit(self.leaving())

    # Drawing

    @property
    def covered(self) -> bool:
        """Whether the next player here has not said yet that it is they who look."""
        state = self.known.state
        if not state or self.known.over or len(self.known.own) < 2 or not (self.face and self.face.hides()):
            return False
        return bool(state["eyes"] and state["eyes"] != self.seen_by)

    def draw(self) -> None:
        """Show everything anew."""
        if not self.is_running:
            return
        self.draw_rows()
        self.draw_head()
        self.draw_board()
        width = self.size.width
        prompt = self.told or self.prompt()
        self.parts["prompt"].update(Content(f" {prompt}"))
        self.draw_keys(width)

    def draw_rows(self) -> None:
        """Offer what can be chosen now; the cursor stays where nothing has changed."""
        known = self.known
        table, state = known.table, known.state
        version = (table["table"], table["version"], bool(known.pending)) if table else None
        if self.offered and self.offered[0] != version:
            self.picked = ()
        rows = self.rows()
        key = (version, self.picked, rows)
        if key != self.offered:
            same = bool(self.offered) and self.offered[0] == version
            self.offered = key
            self.choice.offer(rows, self.choice.at if same and state else 0)

    def rows(self) -> Sequence[Row]:
        """What can be chosen now."""
        known, table, state = self.known, self.known.table, self.known.state
        if not table or not self.face:
            return []
        if not state:
            return frame.lobby_rows(self.words, known)
        if self.covered:
            name = table["seats"][state["eyes"] - 1]["name"]
            return [
                Row("", [Option(self.words("table.ready", name=name), send={"type": "ready", "seat": state["eyes"]})])
            ]
        if known.legal:
            return self.face.rows(state["view"], known.legal, self.picked)
        return [] if known.over else frame.aside_rows(self.words, known)

    def prompt(self) -> str:
        """What to do, or what is waited for."""
        words, known, table, state = self.words, self.known, self.known.table, self.known.state
        if not table:
            return ""
        if not state:
            free = sum(sitter["free"] for sitter in table["seats"])
            link = "" if known.own and not table["host"] else f" {self.link._replace(key='')}"
            return f"{words('lobby.title', n=free)}.{link}"
        if known.over:
            return f"{frame.outcome(words, known)}  ·  n {words('finish.rematch')}"
        if self.covered:
            return words("table.pass", name=table["seats"][state["eyes"] - 1]["name"])
        if known.legal and self.face:
            turn = words("table.yourTurn" if state["turn"] else "table.yourBet")
            told = self.face.prompt(state["view"], known.legal, self.picked)
            return ". ".join([turn, *([told] if told else [])])
        if not state["turn"] and known.own:
            return words("table.waitingBets")
        name = table["seats"][state["seat"] - 1]["name"] if state["seat"] else ""
        waits = words("table.waiting" if known.own else "table.watching", name=name)
        return f"{waits} u {words('table.undo')}." if state["undo"] else waits

    def draw_head(self) -> None:
        """The line on top: the game, the turn, the clock, and whether there is a connection."""
        table, state, words = self.known.table, self.known.state, self.words
        left, right = "Escapade", []
        if table:
            left = frame.headline(words, table, self.titles.get(table["kind"]) or str(table["kind"]))
            if table["watchers"]:
                right.append(words("table.watchers", n=table["watchers"]))
        if state and state["turn"]:
            right.append(f"{words('table.turn')} {state['turn']}")
        if state and not self.known.over:
            if self.known.legal and self.face and not self.covered and self.face.left(state["view"]):
                right.append(self.face.left(state["view"]))
            since = time.monotonic() - self.known.at
            if state["grace"] and state["grace"] > since and state["undo"]:
                right.append(words("table.undoFor", n=ceil(state["grace"] - since)))
            if state["left"] is not None:
                right.append(frame.clock_text(words, state["left"] - since))
        if table and not self.up:
            right.append("⚠ " + words("terminal.offline"))
        width = self.size.width
        self.parts["head"].update(frame.beside(left, " · ".join(right), width))

    def draw_board(self) -> None:
        """The position, who sits around it, and the latest moves, in the room that there is."""
        known, state, face = self.known, self.known.state, self.face
        if not known.table or not face:
            return
        size = self.size
        side = SIDE + max(0, size.width - WIDTH) // 3
        wide, room = size.width - side - 1, size.height - AROUND - face.lines
        lines = [Content(""), Content(f" {self.words('lobby.starts')}")]
        if self.covered:
            lines = [Content(f" {self.words('plain.covered')}")]
        elif state:
            lines = face.board(state["view"], state["eyes"], self.choice.option, wide - 1, room)
        around = frame.players(self.words, face, known, side - 1, self.covered)
        height = min(max(len(lines), len(around), room), size.height - AROUND - LEAST)
        self.middle.styles.height = height
        board = self.parts["board"]
        board.styles.width = wide
        board.update(Content("\n").join(lines))
        self.parts["players"].update(Content("\n").join(around))
        spare = height - len(around)
        told = [] if self.covered else frame.log_lines(self.words, face, known.steps, side - 1)
        self.parts["log"].update(Content("\n".join(told[-max(0, spare - 1) :] if spare > 1 else [])))

    def draw_keys(self, width: int) -> None:
        """The keys that do something, the others dimmed; each can be clicked."""
        known, state, table = self.known, self.known.state, self.known.table
        can = {
            "undo": bool(state and (state["undo"] or self.picked)),
            "end": END in known.legal,
            "hint": bool(table and table["hints"] and known.legal),
            "log": bool(known.steps),
            "chat": bool(table),
            "new": known.over,
        }
        shown = [("⏎", "choose", "")] if self.choice.rows else []
        shown += [("u", "undo", "undo"), ("e", "end", "end"), ("h", "hint", "hint"), ("l", "log", "log")]
        shown += [("c", "chat", "chat"), ("n", "new", "new"), ("?", "help", "help"), ("q", "quit", "leave")]
        parts = []
        for key, name, action in shown:
            if name == "new" and not known.over:
                continue
            style = "bold" if can.get(name, True) else "dim"
            text = f" {key} {self.words(f'terminal.foot.{name}')} "
            click = f"[@click=app.{action}()]" if action else ""
            parts.append(Content.from_markup(f"{click}[{style}]$text[/]{'[/]' if click else ''}", text=text))
        self.parts["keys"].update(Content.assemble(*parts))


def tick(chosen: bool) -> str:
    """The sign of what is chosen."""
    return "✓" if chosen else ""


def middling(offered: Message) -> str:
    """The level in the middle."""
    levels: list[str] = offered["levels"]
    return levels[len(levels) // 2 - 1]
