"""Rows added to a file that an earlier export made: of rows with the same key the new ones stay."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from skilltune.analysis.rows import as_records
from skilltune.errors import InputError
from skilltune.exporting.formats import (
    Format,
    csv_bytes,
    json_bytes,
    parquet_bytes,
    parquet_table,
    pyarrow,
    table_cells,
    write_rows,
)
from skilltune.exporting.redacting import OPEN_COLUMNS

__all__ = ["add_rows"]

Head = Mapping[str, Any]
_NAMES: Final = 5
"""Columns that a message names."""
_NAME_CHARS: Final = 60


def add_rows(content: bytes, table: pd.DataFrame, form: Format, *, keys: Sequence[str], head: Head) -> bytes:
    """The bytes of the file `content` with the rows of `table` at its end.

    To a file of no bytes, as ``touch`` makes one, the rows are written as to a new one.

    Parameters
    ----------
    keys
        Columns that name a row: an older row with the key of a new one is left out.
    head
        As in ``write_rows``; the file that is there must be of the same schema and version.

    Raises
    ------
    InputError
        The file is no such file, or holds another table.
    """
    add = _ADDERS.get(form)
    if add is None:
        raise InputError(
            f"rows cannot be added to {form}; choose csv, json or parquet, or put --overwrite for --append"
        )
    if not content:
        return write_rows(table, form, head=head)
    try:
        return add(content, table, keys, head)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, csv.Error) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"the file that is there is no {form} of this kind ({reason}); name another one") from error


def _to_csv(content: bytes, table: pd.DataFrame, keys: Sequence[str], head: Head) -> bytes:
    there = list(csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True))
    columns = list(table.columns)
    named = there[0] if there else []
    _check_columns(named, columns, keys=keys, head=head)
    if any(len(row) != len(named) for row in there):
        raise ValueError("its rows are not equally long")
    rows, places = list(table_cells(table)), [columns.index(key) for key in keys]
    fresh = {tuple(row[place] for place in places) for row in rows}
    known = [dict(zip(named, row, strict=True)) for row in there[1:]]
    old = [[row.get(name, "") for name in columns] for row in known if tuple(row[key] for key in keys) not in fresh]
    return csv_bytes(columns, [*old, *rows])


def _to_json(content: bytes, table: pd.DataFrame, keys: Sequence[str], head: Head) -> bytes:
    document = json.loads(content)
    _check_head(document, head)
    columns = list(table.columns)
    _check_columns(document["columns"], columns, keys=keys, head=head)
    rows = as_records(table)
    fresh = {tuple(row[key] for key in keys) for row in rows}
    old = [
        {name: row.get(name) for name in columns}
        for row in document["rows"]
        if tuple(row[key] for key in keys) not in fresh
    ]
    return json_bytes(columns, [*old, *rows], head=head)


def _to_parquet(content: bytes, table: pd.DataFrame, keys: Sequence[str], head: Head) -> bytes:
    arrow, parquet = pyarrow()
    there = parquet.read_table(io.BytesIO(content))
    _check_head(json.loads((there.schema.metadata or {}).get(b"skilltune", b"{}")), head)
    new = parquet_table(table)
    _check_columns(there.column_names, new.column_names, keys=keys, head=head)
    fresh = {tuple(row.values()) for row in new.select(list(keys)).to_pylist()}
    stays = [tuple(row.values()) not in fresh for row in there.select(list(keys)).to_pylist()]
    old = there.filter(arrow.array(stays, type=arrow.bool_()))
    bare = [each.replace_schema_metadata(None) for each in (old, new)]
    both = arrow.concat_tables(bare, promote_options="permissive")
    return parquet_bytes(both.select(new.column_names), head=head)


def _check_head(told: Head, head: Head) -> None:
    if any(told.get(name) != head[name] for name in ("schema", "version")):
        was = f"{told.get('schema', 'another table')} version {told.get('version', 'unknown')}"
        raise InputError(
            f"the file that is there holds {was[:100]}, not {head['schema']} version {head['version']}; "
            "name another one, or put --overwrite for --append"
        )


def _check_columns(there: Sequence[str], columns: Sequence[str], *, keys: Sequence[str], head: Head) -> None:
    """Columns that came since are empty in older rows; others are of another table."""
    odd, lacking = sorted(set(map(str, there)) - set(columns)), [key for key in keys if key not in there]
    twice = sorted({str(name) for name in there if list(there).count(name) > 1})
    if head.get("privacy") and odd and not (lacking or twice or OPEN_COLUMNS & set(odd)):
        reason = f"was made without --privacy: it has {_listed(odd)}; leave --privacy out"
    elif odd:
        reason = f"has other columns ({_listed(odd)})"
    elif lacking:
        reason = f"lacks the column{'s' if len(lacking) > 1 else ''} {_listed(lacking)}"
    elif twice:
        reason = f"has columns twice ({_listed(twice)})"
    else:
        return
    raise InputError(f"the file that is there {reason}; name another one, or put --overwrite for --append")


def _listed(names: Sequence[str]) -> str:
    """The first names whole, one that is very long cut, and how many more there are."""
    told = [name if len(name) <= _NAME_CHARS else f"{name[:_NAME_CHARS]}…" for name in names[:_NAMES]]
    more = [f"{len(names) - _NAMES} more"] if len(names) > _NAMES else []
    return ", ".join([*told, *more])


_ADDERS: Final[dict[str, Callable[[bytes, pd.DataFrame, Sequence[str], Head], bytes]]] = {
    "csv": _to_csv,
    "json": _to_json,
    "parquet": _to_parquet,
}
