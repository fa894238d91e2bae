"""What stands around the board, and what sheets say, from what is known of the table."""

import textwrap
from collections.abc import Sequence

from textual.content import Content

from escapade.terminal.face import Face, Option, Row
from escapade.terminal.known import Known, Message, Step, bare
from escapade.words import Words

PAINTS = ("#6ca6f0", "#f07070", "#6cc77e", "#e8c050", "#c08ae8", "#a8b0b8")  # by the colours of the protocol
KEYS = (
    ("↑ ↓ ← →", "terminal.key.move"), ("Enter", "terminal.key.choose"), ("1-9", "terminal.key.digit"),
    ("Backspace", "terminal.key.back"), ("u", "table.keys.undo"), ("e", "table.keys.end"), ("h", "table.keys.hint"),
    ("l", "terminal.key.log"), ("c", "table.keys.chat"), ("n", "terminal.key.new"), ("?", "terminal.key.help"),
    ("q", "terminal.key.quit"),
)  # fmt: skip


def fit(text: str, width: int) -> str:
    """A text that is cut where it would be too wide."""
    content = Content(text)
    return content.truncate(width, ellipsis=True).plain if content.cell_length > width else text


def beside(left: str, right: str, width: int) -> Content:
    """Two texts at the ends of a line; the left one gives way."""
    room = max(0, width - Content(right).cell_length - 2)
    left = fit(left, room)
    gap = width - Content(left).cell_length - Content(right).cell_length - 1
    return Content.assemble((f" {left}", "bold"), " " * max(1, gap - 1), right, " ")


def headline(words: Words, table: Message, title: str) -> str:
    """Which game this is."""
    edition, *house = table["game"].split("+")
    name = edition_name(words, edition)
    parts = [title, *([name] if name != title else [])]
    return " · ".join([*parts, *([words("setup.changed", n=len(house))] if house else [])])


def clock_text(words: Words, seconds: float) -> str:
    """Time that is left."""
    whole = max(0, round(seconds))
    if whole >= 86_400:
        return words("table.days", n=whole // 86_400)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def level_name(words: Words, level: str) -> str:
    """A level of bots by its name."""
    path = f"level.{level}.name"
    return words(path) if words.has(path) else level


def edition_name(words: Words, edition: str) -> str:
    """An edition by its name."""
    path = f"edition.{edition}.name"
    return words(path) if words.has(path) else edition


def players(words: Words, face: Face, known: Known, width: int, covered: bool) -> list[Content]:
    """Everyone who sits here, two lines each."""
    table, state = known.table, known.state
    assert table
    lines = []
    for seat, sitter in enumerate(table["seats"], 1):
        acts = state and not known.over and (seat == state["seat"] if state["turn"] else seat not in state["sealed"])
        mark = "▶" if acts else "★" if seat in known.winners else " "
        notes = []
        if sitter["yours"]:
            notes.append(words("table.you"))
        if sitter["bot"]:
            level = level_name(words, sitter["bot"])
            notes += [] if sitter["name"].startswith(level) else [level]
        elif sitter["person"] and not sitter["here"]:
            notes.append(words("table.away"))
        name = sitter["name"] or words("lobby.free")
        note = f" ({', '.join(notes)})" if notes else ""
        shown = fit(name, max(6, width - 3 - len(note)))
        style = "bold" if acts else ""
        paint = PAINTS[sitter["colour"] % len(PAINTS)]
        lines.append(Content.assemble((mark, "bold"), (f"{seat} ", f"bold {paint}"), (shown, style), (note, "dim")))
        if state and not covered:
            lines.append(face.standing(state["view"], seat, state["eyes"]).pad_left(3))
    return lines


def said(words: Words, face: Face, step: Step) -> str:
    """A move in words, as the log tells it."""
    if step.before and step.after:
        told = face.say(step)
    else:  # until the past has come: what it brought may be another's secret
        told = Face.say(face, step._replace(move={**step.move, "action": bare(step.move["action"])}))
    return f"{words('log.late')} {told}" if step.move.get("late") else told


def log_lines(words: Words, face: Face, steps: Sequence[Step], width: int) -> list[str]:
    """The game so far in lines that fit, the latest last."""
    return [part for step in steps for part in textwrap.wrap(said(words, face, step), width, subsequent_indent="  ")]


def log_body(words: Words, face: Face, known: Known) -> Content:
    """The whole game in words, a turn set apart from the next."""
    lines: list[Content] = []
    turn = None
    for step in known.steps:
        if step.move["turn"] != turn:
            turn = step.move["turn"]
            lines += [Content.styled(f"{words('table.turn')} {turn}", "bold")] if turn else []
        lines.append(Content(f"  {said(words, face, step)}"))
    return Content("\n").join(lines)


def outcome(words: Words, known: Known) -> str:
    """How the game ended."""
    table, won = known.table, known.winners
    assert table
    if not won:
        return words("finish.drawn")
    names = words.list([table["seats"][seat - 1]["name"] for seat in won])
    you = known.own == won
    if table["resigned"]:
        loser = table["seats"][table["resigned"] - 1]["name"]
        return words("finish.resignedYou" if you else "finish.resigned", loser=loser, name=names)
    if len(won) > 1:
        return words("finish.shared", names=names)
    return words("finish.you") if you else words("finish.wins", name=names)


def ranking(words: Words, face: Face, known: Known) -> Content:
    """Everyone from first to last, with their points."""
    table, state = known.table, known.state
    assert table
    assert state
    scores = state["scores"] or [None] * len(table["seats"])
    score = f"finish.score.{table['kind']}"
    lines = []
    for seat in sorted(range(1, len(scores) + 1), key=lambda one: (one not in known.winners, -(scores[one - 1] or 0))):
        points = scores[seat - 1]
        told = "" if points is None else words(score, n=points) if words.has(score) else str(points)
        mark = "★" if seat in known.winners else " "
        standing = face.standing(state["view"], seat, 0)
        lines.append(Content.assemble(f"{mark} {seat} {table['seats'][seat - 1]['name']}  ", (told, "bold")))
        lines += [standing.pad_left(4)] if standing.plain else []
    return Content("\n").join(lines)


def reason(words: Words, face: Face, why: Message) -> str:
    """A reason in words."""
    values = dict(why["values"])
    seat, you = values.pop("seat", 0), values.pop("you", False)
    path = f"hints.reason.{why['code']}{'-you' if you else ''}"
    if not words.has(path):
        return str(why["code"])
    return words(path, **{"name": face.names[seat - 1] if seat else "", **face.reason(values)})


def hint_rows(words: Words, face: Face, known: Known) -> tuple[Content, list[Row]]:
    """The hints with their chances and reasons, and which of them to take up."""
    state, seat = known.state, known.acting()
    assert state
    lines: list[Content] = []
    options: list[Option] = []
    for number, hint in enumerate(known.advice or [], 1):
        move = {"seat": seat, "turn": state["turn"], "action": hint["action"]}
        told = face.say(Step(move, state["view"], state["view"]))
        why = " · ".join(reason(words, face, one) for one in hint["reasons"])
        chance = words.percent(hint["chances"][seat - 1])
        lines.append(Content.assemble((f"{number}. {chance} ", "bold"), told))
        lines += [Content.styled(f"   {why}", "dim")] if why else []
        options.append(Option(f"{number}.", hint["action"]))
    if not lines:
        return Content(words("hints.none")), []
    return Content("\n").join(lines), [Row(words("terminal.take"), options)]


def help_body(words: Words, face: Face | None, table: Message | None) -> Content:
    """The keys, the rules in short, and what was agreed on at this table."""
    parts: list[Content] = [Content.styled(words("help.keys"), "bold")]
    parts += [Content(f"  {key:<10} {words(path)}") for key, path in KEYS]
    for lesson in face.lesson() if face else []:
        parts += [Content(""), Content.styled(lesson.title, "bold"), *map(Content, lesson.says)]
    if table:
        parts += [Content(""), Content.styled(words("help.table"), "bold"), Content(f"  {table['game']}")]
        for rule, value in table["rules"].items():
            name = f"house.{rule}.name"
            own, common = f"house.{rule}.values.{value}", f"house.values.{value}"
            shown = words(own) if words.has(own) else words(common) if words.has(common) else value
            parts.append(Content(f"  {words(name) if words.has(name) else rule}: {shown}"))
        parts += [Content(f"  {words(f'chosen.{one}')}") for one in table["chosen"]]
        if table["commitment"]:
            parts += [Content(f"  {words('agreed.sealed')} {table['commitment']}")]
    return Content("\n").join(parts)


def chat_body(words: Words, known: Known) -> Content:
    """What was said so far."""
    table = known.table or {"chat": [], "seats": []}
    lines = [
        Content.assemble((f"{table['seats'][line['seat'] - 1]['name']}: ", "bold"), line["text"])
        for line in table["chat"]
    ]
    return Content("\n").join(lines)


def lobby_rows(words: Words, known: Known) -> list[Row]:
    """What can be done while seats are free: sit down, or let bots take them."""
    table = known.table
    assert table
    free = [seat for seat, sitter in enumerate(table["seats"], 1) if sitter["free"]]
    rows = []
    if not known.own or table["host"]:
        options = [Option(words("setup.seat", n=seat), send={"type": "sit", "seat": seat}) for seat in free]
        rows.append(Row(words("lobby.sit"), options))
    if table["host"]:
        bots = [Option(words("setup.seat", n=seat), send={"type": "bot", "seat": seat}) for seat in free]
        rows.append(Row(words("lobby.fill"), bots))
    return rows


def aside_rows(words: Words, known: Known) -> list[Row]:
    """What can be done about seats while others act: take one's own back from a bot, let one play for the absent."""
    table = known.table
    assert table
    mine, gone = [], []
    for seat, sitter in enumerate(table["seats"], 1):
        if sitter["yours"] and sitter["bot"]:
            mine.append(
                Option(words("table.return", name=sitter["name"]), send={"type": "bot", "seat": seat, "level": None})
            )
        elif known.own and sitter["person"] and not sitter["here"] and not sitter["bot"]:
            gone.append(Option(sitter["name"], send={"type": "bot", "seat": seat}))
    return [Row("", mine)] * bool(mine) + [Row(words("table.replace"), gone)] * bool(gone)
