"""Games as tables, a row an action or a row a game, for data frames, Parquet and CSV (docs/data.md).

Tables are Arrow's, by pyarrow, which is imported when one is made: it writes a file piece by piece, so that the games
need not fit into memory, and the libraries for data frames take its tables as they are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, BinaryIO

from escapade import record
from escapade.game import Action, Column, Game, Invalid
from escapade.games import kinds

LISTS: Mapping[Column, str] = {"strings": "string", "numbers": "int16"}
BATCH = 1 << 16  # rows that are turned into columns at once
GAME: Mapping[str, Column] = {
    "game": "int64",
    "kind": "string",
    "edition": "string",
    "players": "int8",
    "names": "strings",
    "result": "string",
    "winners": "numbers",
    "scores": "numbers",
    "turns": "int32",
    "actions": "int32",
    "proven": "bool",
    "start": "string",
}
ACTION: Mapping[str, Column] = {
    "game": "int64",
    "turn": "int32",
    "step": "int16",
    "seat": "int8",
    "name": "string",
    "won": "bool",
    "action": "string",
    "outcome": "string",
}


def arrow() -> ModuleType:
    """pyarrow, or an error that says how to get it."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ModuleNotFoundError("tables need pyarrow: pip install 'escapade[data]'", name="pyarrow") from None
    module: ModuleType = pyarrow
    return module


def frame(games: Iterable[Game | str], rows: str = "actions") -> Any:
    """A table of games, or of their records as texts: a row for each of their actions, or with `"games"` for each game.

    It is a `pyarrow.Table`; `.to_pandas()` and `polars.from_arrow` make other data frames of it.
    """
    table = Rows(rows)
    for number, game in enumerate(replayed([games] if isinstance(games, (str, Game)) else games), 1):
        table.add(number, game)
    table.pack()
    return arrow().Table.from_batches(table.packed, table.schema)


def replayed(games: Iterable[Game | str]) -> Iterator[Game]:
    """Games, and those that texts tell."""
    for number, game in enumerate(games, 1):
        if isinstance(game, Game):
            yield game
        elif isinstance(game, str):
            yield from record.read_lines(game.splitlines(keepends=True), f"text {number}")
        else:
            raise Invalid(f"{type(game).__name__} {game!r}: a table is made of games, or of records as texts")


def export(games: Iterable[Game], form: str, files: Mapping[str, BinaryIO]) -> dict[str, int]:
    """Write the tables named in `files` as `parquet` or `csv`, without keeping the games; how many rows each has."""
    tables = [(Rows(rows, flat=form == "csv"), file) for rows, file in files.items()]
    writers = [(table, writer(form, file, table)) for table, file in tables]
    for number, game in enumerate(games, 1):
        for table, out in writers:
            table.add(number, game)
            hand_over(table, out)
    for table, out in writers:
        table.pack()
        hand_over(table, out)
        out.close()
    return {rows: table.count for rows, (table, _) in zip(files, tables, strict=True)}


def writer(form: str, file: BinaryIO, table: "Rows") -> Any:
    """What writes a table into a file, batch by batch."""
    if form == "csv":
        from pyarrow.csv import CSVWriter

        return CSVWriter(file, table.schema)
    from pyarrow.parquet import ParquetWriter

    return ParquetWriter(file, table.schema, compression="zstd")


def hand_over(table: "Rows", out: Any) -> None:
    """Write the batches that are ready."""
    for batch in table.packed:
        out.write_batch(batch)
    table.packed.clear()


class Rows:
    """The rows of one table, packed into batches of columns; a flat one has lists as texts, for files without them."""

    def __init__(self, rows: str, flat: bool = False) -> None:
        if rows not in ("actions", "games"):
            raise Invalid(f"rows {rows!r}: a table has a row for each of the actions or the games")
        self.pa = arrow()
        own: Sequence[type[Game] | type[Action]] = [
            kind.game if rows == "games" else kind.game.action_type for kind in kinds().values()
        ]
        self.columns = joined(GAME if rows == "games" else ACTION, own)
        self.schema = self.pa.schema([(name, self._type(column, flat)) for name, column in self.columns.items()])
        self.lists = [at for at, column in enumerate(self.columns.values()) if column in LISTS] if flat else []
        self.rows: Callable[[int, Game], Iterable[tuple[Any, ...]]] = self._game if rows == "games" else self._actions
        self.waiting: list[tuple[Any, ...]] = []
        self.packed: list[Any] = []
        self.count = 0
        self._parts = lru_cache(1 << 14)(self._parts_of)  # the same actions come again and again

    def _type(self, column: Column, flat: bool) -> Any:
        if column in LISTS:
            return self.pa.string() if flat else self.pa.list_(getattr(self.pa, LISTS[column])())
        return getattr(self.pa, "bool_" if column == "bool" else column)()

    def add(self, number: int, game: Game) -> None:
        """Add a game, the one of a number."""
        self.waiting += self.rows(number, game)
        if len(self.waiting) >= BATCH:
            self.pack()

    def pack(self) -> None:
        """Turn the rows that wait into a batch of columns."""
        if not self.waiting:
            return
        columns: list[Any] = list(zip(*self.waiting, strict=True))
        for at in self.lists:
            columns[at] = [None if cell is None else "/".join(map(written, cell)) for cell in columns[at]]
        arrays = [self.pa.array(cells, field.type) for cells, field in zip(columns, self.schema, strict=True)]
        self.packed.append(self.pa.RecordBatch.from_arrays(arrays, schema=self.schema))
        self.count += len(self.waiting)
        self.waiting = []

    def _game(self, number: int, game: Game) -> list[tuple[Any, ...]]:
        cells = {
            "game": number,
            "kind": game.kind,
            "edition": str(game.edition),
            "players": game.players,
            "names": game.names,
            "result": game.result,
            "winners": game.winners if game.over else None,
            "scores": game.scores,
            "turns": len(game.turns),
            "actions": len(game.chosen()) + sum(len(tokens) for _, tokens in game.turns),
            "proven": record.is_proven(game),
            "start": game.start,
            **game.cells(),
        }
        return [tuple(cells.get(name) for name in self.columns)]

    def _actions(self, number: int, game: Game) -> Iterator[tuple[Any, ...]]:
        won = [seat in game.winners if game.over else None for seat in range(game.players + 1)]
        turns = [(0, seat, [action]) for seat, action in game.chosen()]
        turns += [(turn, seat, tokens) for (turn, tokens), seat in zip(game.turns, game.actors(), strict=True)]
        for turn, seat, tokens in turns:
            for step, token in enumerate(tokens, 1):
                yield number, turn, step, seat, game.names[seat - 1], won[seat], *self._parts(game.action_type, token)

    def _parts_of(self, kind: type[Action], token: str) -> tuple[Any, ...]:
        """An action, its outcome, and the columns of all kinds for it."""
        action = kind(token)
        own = action.cells()
        return (action.bare, action.outcome or None, *(own.get(name) for name in list(self.columns)[len(ACTION) :]))


def joined(first: Mapping[str, Column], own: Iterable[type[Game] | type[Action]]) -> dict[str, Column]:
    """The columns that all kinds have, and then each kind's own."""
    columns = dict(first)
    for some in own:
        for name, column in some.columns.items():
            if columns.setdefault(name, column) != column:
                raise Invalid(f"the column {name} of {some.__module__} is {column}; elsewhere it is {columns[name]}")
    return columns


def written(cell: str | int | None) -> str:
    """A part of a list in a flat table."""
    return "" if cell is None else str(cell)
