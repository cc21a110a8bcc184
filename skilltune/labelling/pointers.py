"""Labels as pointers: with them and the sessions anyone can build the labelled set again; no text."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from skilltune.errors import InputError
from skilltune.labelling.cells import guarded
from skilltune.labelling.sheets import write_sheet
from skilltune.records import TurnLabel
from skilltune.stores.jsonl import dump_row
from skilltune.stores.labels import LabelLog

__all__ = ["POINTER_FIELDS", "export_labels"]

POINTER_FIELDS: Final = (
    "session_id",
    "uuid",
    "line",
    "turn_id",
    "event_id",
    "skill_id",
    "outcome",
    "correction_type",
    "about",
    "reader",
    "draw_id",
    "labelled_at",
    "label_id",
)
"""Fields of an exported label, in order."""


def export_labels(log: LabelLog, path: str | Path, *, overwrite: bool = False) -> tuple[Path, int]:
    """Write all labels that count to a file ``….csv`` or ``….jsonl``; its path, and how many they are.

    Raises
    ------
    InputError
        The name has another ending, or something is there already.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".jsonl"):
        raise InputError(f"{path} ends in {suffix or 'nothing'!r}; name a file that ends in .csv or .jsonl")
    rows = [_row(label) for label in log.read().labels]
    text = _as_csv(rows) if suffix == ".csv" else _as_jsonl(rows)
    return write_sheet(path, text, overwrite=overwrite, encoding="utf-8-sig" if suffix == ".csv" else "utf-8"), len(
        rows
    )


def _row(label: TurnLabel) -> dict[str, Any]:
    row = {name: getattr(label, name) for name in POINTER_FIELDS}
    return row | {"labelled_at": label.labelled_at.isoformat() if label.labelled_at else None}


def _as_csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(POINTER_FIELDS)
    for row in rows:
        writer.writerow(["" if row[name] is None else guarded(str(row[name])) for name in POINTER_FIELDS])
    return out.getvalue()


def _as_jsonl(rows: Sequence[dict[str, Any]]) -> str:
    return "".join(f"{dump_row(row).decode('utf-8')}\n" for row in rows)
