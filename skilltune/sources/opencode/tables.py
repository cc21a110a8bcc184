"""The tables of a database: which there are, where the rows of one stand, and what a row holds."""

import sqlite3
from collections import defaultdict
from typing import Any, Final, NamedTuple

from skilltune import limits

__all__ = ["Place", "Table", "Tables", "as_plain", "as_words", "quoted"]

_ROW_NAMES: Final = ("rowid", "_rowid_", "oid")
"""What a row's own number is called; a column of that name hides it."""


class Table(NamedTuple):
    """A table and its columns, in small letters: a database does not tell them from capitals."""

    name: str
    columns: frozenset[str]
    primary: tuple[str, ...]
    """The columns of its primary key."""

    def first(self, *names: str) -> str:
        """The first of these columns that the table has, '' for none."""
        return next((name for name in names if name in self.columns), "")


class Place(NamedTuple):
    """Where a row stands."""

    number: int
    """Its place among the rows of its table."""
    key: tuple[Any, ...]
    id: str
    created: Any


class Tables:
    """The tables of these names that a database has."""

    def __init__(self, connection: sqlite3.Connection, *, names: frozenset[str]) -> None:
        self._connection = connection
        rows = self.all("SELECT name FROM sqlite_master WHERE type = 'table'")
        there = {name.decode(errors="replace").lower() for (name,) in rows if isinstance(name, bytes)}
        self._tables = {name: self._table(name) for name in sorted(names & there)}
        self._keys: dict[str, tuple[str, ...]] = {}

    def get(self, name: str) -> Table | None:
        """The table of a name."""
        return self._tables.get(name)

    def all(self, query: str) -> list[tuple[Any, ...]]:
        """The rows that a query gives, texts as bytes."""
        return self._connection.execute(query).fetchall()

    def count(self, table: Table | None) -> int:
        """How many rows a table has."""
        if table is None:
            return 0
        ((number,),) = self.all(f"SELECT count(*) FROM {quoted(table.name)}")  # noqa: S608 (a quoted name)
        return int(number)

    def places(self, table: Table, *, by: str, created: str) -> dict[str, list[Place]]:
        """Value of the column `by` → where its rows stand, in the order of their keys.

        `created` is the column with the moment at which a row was made, '' for none.
        """
        key = self._key(table)
        wanted = [*key, quoted("id") if "id" in table.columns else "NULL", quoted(by), quoted(created) or "NULL"]
        rows = self.all(f"SELECT {', '.join(wanted)} FROM {quoted(table.name)} ORDER BY {', '.join(key)}")  # noqa: S608
        found: dict[str, list[Place]] = defaultdict(list)
        for number, (*values, name, group, stamp) in enumerate(rows):
            found[as_words(group)].append(
                Place(number, tuple(as_plain(value) for value in values), as_words(name), as_plain(stamp))
            )
        return dict(found)

    def content(self, table: Table, column: str, place: Place) -> bytes | None:
        """The bytes in a column of a row; None where there are too many."""
        value, missing = self._row(
            table,
            f"CASE WHEN length(CAST({quoted(column)} AS BLOB)) <= {limits.LINE_BYTES:d} THEN {quoted(column)} END, "
            f"{quoted(column)} IS NULL",
            place,
        ) or (b"", True)
        if value is None:
            return b"" if missing else None
        return value if isinstance(value, bytes) else str(value).encode()

    def words(self, table: Table, columns: list[str], place: Place) -> list[str]:
        """What some columns of a row hold, as text; '' where a column is '' or holds nothing."""
        row = self._row(table, ", ".join(quoted(name) or "NULL" for name in columns), place)
        return [as_words(value) for value in row or [None] * len(columns)]

    def _row(self, table: Table, columns: str, place: Place) -> Any:
        where = " AND ".join(f"{name} = ?" for name in self._key(table))
        return self._connection.execute(
            f"SELECT {columns} FROM {quoted(table.name)} WHERE {where}",  # noqa: S608 (quoted names of the schema)
            place.key,
        ).fetchone()

    def _table(self, name: str) -> Table:
        rows = self.all(f"PRAGMA table_xinfo({quoted(name)})")
        columns = {row[1].decode(errors="replace").lower(): row[5] for row in rows}
        primary = sorted((at, column) for column, at in columns.items() if at)
        return Table(name, frozenset(columns), tuple(column for _, column in primary))

    def _key(self, table: Table) -> tuple[str, ...]:
        """What names a row of a table: its own number, else its primary key."""
        if table.name not in self._keys:
            number = next((name for name in _ROW_NAMES if name not in table.columns), "")
            self._keys[table.name] = (number,) if number and self._has(table, number) else _quoted_all(table.primary)
        return self._keys[table.name]

    def _has(self, table: Table, name: str) -> bool:
        """Whether the rows of a table have numbers: there are tables without."""
        try:
            self.all(f"SELECT {name} FROM {quoted(table.name)} LIMIT 0")  # noqa: S608 (one of three names)
        except sqlite3.OperationalError:
            return False
        return True


def _quoted_all(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise sqlite3.DataError("nothing names a row of the table")
    return tuple(map(quoted, names))


def quoted(name: str) -> str:
    """A name of the schema as it stands in a query; '' for ''."""
    return '"' + name.replace('"', '""') + '"' if name else ""


def as_words(value: Any) -> str:
    """A column as text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else "" if value is None else str(value)


def as_plain(value: Any) -> Any:
    """A column as a number or a text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value
