"""A table as the bytes of a file: CSV, JSON, Parquet, Markdown."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Literal, cast, get_args

import pandas as pd

from skilltune.analysis.rows import as_records
from skilltune.errors import InputError
from skilltune.labelling.cells import guarded, shown

__all__ = [
    "FORMATS",
    "SCHEMA_VERSION",
    "Format",
    "csv_bytes",
    "format_of",
    "json_bytes",
    "markdown_text",
    "parquet_bytes",
    "parquet_table",
    "pyarrow",
    "records",
    "table_cells",
    "write_rows",
]

Format = Literal["csv", "json", "parquet", "md"]
FORMATS: Final = get_args(Format)
SCHEMA_VERSION: Final = 1
"""Grows when a column is taken away or means something else; new columns come without notice."""
_ALIKE: Final = {"markdown": "md", "pq": "parquet"}
_LIST: Final = "; "
_PART: Final = 10_000
_MARKS: Final = re.compile(r"([\\`*_{}\[\]#|~$!])")
_BLOCK: Final = re.compile(r"^([-+=>:]|\d+(?=[.)]))")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LINK: Final = re.compile(r":(?=//)|(?<=\bwww)\.", re.IGNORECASE)


def format_of(name: str | None, *, suffix: str) -> Format:
    """The format called `name`, else the one that a file's `suffix` stands for.

    Raises
    ------
    InputError
        There is no such format.
    """
    wanted = (name or suffix.removeprefix(".")).lower()
    wanted = _ALIKE.get(wanted, wanted)
    if wanted in FORMATS:
        return cast("Format", wanted)
    if name is None:
        raise InputError(
            f"the output's name ends in {suffix or 'nothing'!r}, which is no format; name one with --format: "
            + ", ".join(FORMATS)
        )
    raise InputError(f"{name!r} is no format; those there are: {', '.join(FORMATS)}")


def write_rows(table: pd.DataFrame, form: Format, *, head: Mapping[str, Any]) -> bytes:
    """The bytes of a file of `table`, which has been redacted.

    Parameters
    ----------
    head
        What JSON and Parquet say of the whole: ``schema``, ``version`` and more.
    """
    return _WRITERS[form](table, head)


def markdown_text(text: str) -> str:
    r"""`text` on one line of Markdown that shows it as it is: no markup, no HTML, no link.

    Examples
    --------
    >>> print(markdown_text("use **tabs** <b>"))
    use \*\*tabs\*\* &lt;b&gt;
    """
    line = " ".join(shown(text).split())
    escaped = _LINK.sub(lambda found: f"\\{found[0]}", _MARKS.sub(r"\\\1", line)).translate(_ENTITIES)
    return _BLOCK.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", escaped)


def records(table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows of `table` as plain values, a part of them at a time: a million at once would not fit into memory."""
    for start in range(0, len(table), _PART):
        yield from as_records(table.iloc[start : start + _PART])


def table_cells(table: pd.DataFrame) -> Iterator[list[str]]:
    """The rows of `table` as cells of CSV; what a spreadsheet would compute has an apostrophe before it."""
    return ([_cell(value) for value in row.values()] for row in records(table))


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """CSV as RFC 4180 has it, in UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().encode("utf-8")


def json_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, head: Mapping[str, Any]) -> bytes:
    """One JSON document, ASCII only, a line for each row."""
    document = json.dumps({**head, "columns": list(columns), "rows": []}, indent=1, allow_nan=False)
    begin, _, end = document.rpartition("[]")
    out = io.BytesIO()
    out.write(f"{begin}[".encode("ascii"))
    for place, row in enumerate(rows):
        out.write(f"{',' if place else ''}\n  {json.dumps(row, allow_nan=False)}".encode("ascii"))
    out.write(f"\n ]{end}\n".encode("ascii"))
    return out.getvalue()


def parquet_table(table: pd.DataFrame) -> Any:
    """`table` as one of Arrow, each column of one type, also where all its values are missing."""
    lists = {name: table[name].map(lambda value: list(value or ())) for name in ("ai_tools_used",) if name in table}
    words = [name for name in table.columns if name not in lists and _is_text(table[name])]
    ready = table.assign(**lists).astype(dict.fromkeys(words, "str"))
    return pyarrow()[0].Table.from_pandas(ready, preserve_index=False)


def parquet_bytes(table: Any, *, head: Mapping[str, Any]) -> bytes:
    """An Arrow table as Parquet, `head` in its metadata under ``skilltune``."""
    out = io.BytesIO()
    pyarrow()[1].write_table(table.replace_schema_metadata({"skilltune": json.dumps(head)}), out)
    return out.getvalue()


def pyarrow() -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises
    ------
    InputError
        They are not installed.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError(
            "Parquet needs pyarrow, which is not installed: pip install 'skilltune[parquet]' (or pip install pyarrow)"
        ) from error


def _as_csv(table: pd.DataFrame, _: Mapping[str, Any]) -> bytes:
    return csv_bytes(list(table.columns), table_cells(table))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return guarded(_LIST.join(map(str, value)))
    return guarded(value) if isinstance(value, str) else repr(value)


def _as_json(table: pd.DataFrame, head: Mapping[str, Any]) -> bytes:
    return json_bytes(list(table.columns), records(table), head=head)


def _as_parquet(table: pd.DataFrame, head: Mapping[str, Any]) -> bytes:
    return parquet_bytes(parquet_table(table), head=head)


def _is_text(column: "pd.Series[Any]") -> bool:
    return column.dtype == "object" or isinstance(column.dtype, pd.CategoricalDtype)


def _as_markdown(table: pd.DataFrame, head: Mapping[str, Any]) -> bytes:
    lines = [f"# {head['schema']}", "", _table_row(table.columns), _table_row(["---"] * len(table.columns))]
    lines += [_table_row([_markdown_cell(value) for value in row.values()]) for row in records(table)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _markdown_cell(value: Any) -> str:
    if isinstance(value, list | tuple):
        return markdown_text(_LIST.join(map(str, value)))
    return markdown_text(value) if isinstance(value, str) else "" if value is None else str(value)


def _table_row(cells: Any) -> str:
    return f"| {' | '.join(map(str, cells))} |"


_WRITERS: Final[dict[Format, Callable[[pd.DataFrame, Mapping[str, Any]], bytes]]] = {
    "csv": _as_csv,
    "json": _as_json,
    "parquet": _as_parquet,
    "md": _as_markdown,
}
