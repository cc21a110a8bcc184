"""Sheets: a sample as a CSV file to fill in, and the filled in file back into the label log.

A row is a turn. The person fills in ``outcome``, and where it complains ``about`` (see ``COLUMNS``).
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from skilltune.errors import InputError, ReadError
from skilltune.labelling.answering import Labelling, draws_by_use, label_at
from skilltune.labelling.cells import guarded, shown, unguarded
from skilltune.labelling.questions import Question
from skilltune.records import About, CorrectionType, Outcome, TurnLabel, TurnPointer
from skilltune.stores.files import make_folder, read_small, replace_file
from skilltune.stores.label_rows import PERSON, check_label
from skilltune.stores.labels import LabelContents, LabelLog
from skilltune.stores.paths import expand_path, look_at

__all__ = [
    "COLUMNS",
    "RULE_COLUMNS",
    "ImportCounts",
    "check_free",
    "check_sheet_name",
    "import_sheet",
    "sheet_text",
    "write_sheet",
]

COLUMNS: Final = {
    "outcome": (
        "to fill in: correction, partial, acceptance (also: goes on to other work with no complaint) or none; empty is "
        "not labelled yet"
    ),
    "correction_type": "to fill in for a correction: revert, redo or rejection (meant where it is empty)",
    "about": "to fill in for a correction or partial: skill, or other where it speaks of something else",
    "turn": "which turn of how many in the skill's window",
    "text": "what the person said; secrets masked",
    "previous_agent": "the end of what the agent had said",
    "did": "what the agent had done",
    "previous_prompt": "what the person had asked before",
    "next_agent": "what the agent said then",
    "channel": "message, answer, denial, queued, steering, plan or edit, and what was decided",
    "interrupted": "yes where the person had stopped the agent",
    "skill": "the skill in whose window the turn stands",
    "time": "when it was said, UTC",
    "session": "id of the session",
    "event_id": "the use; leave it as it is",
    "turn_id": "the turn; leave it as it is",
}
"""Columns of a sheet and what is in them."""
RULE_COLUMNS: Final = {
    "rule_outcome": "the rules' verdict on the turn",
    "rule_type": "its correction type",
    "rule": "the rule that decided",
}
"""Further columns with ``with_rules``; not there by default, for they would sway the reader."""
SHEET_BYTES: Final = 64 * 1024 * 1024
_NEEDED: Final = ("event_id", "turn_id", "outcome", "correction_type", "about")
_USE: Final = "use-"
_TURN: Final = "turn-"
"""Before ids, so that a spreadsheet takes none for a number."""
_SHOWN_ERRORS: Final = 10
_SEPARATOR: Final = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)
"""The first line that tells a spreadsheet how cells are parted."""
_ID: Final = re.compile(r"[0-9a-z-]{1,64}")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "outcome": get_args(Outcome),
    "correction_type": (*(word for word in get_args(CorrectionType)), ""),
    "about": (*get_args(About), ""),
}
"""What may stand in the columns to fill in."""


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What became of the rows of a sheet."""

    new: int = 0
    """Turns that had no label."""
    changed: int = 0
    """Turns whose label says something else now."""
    unchanged: int = 0
    blank: int = 0
    """Rows without an outcome."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of a sheet: where it stands in the file, and its cells."""

    line: int
    cells: Mapping[str, str]


def sheet_text(questions: Iterable[Question], *, labelling: Labelling | None = None, with_rules: bool = False) -> str:
    """The CSV of questions, one row each; labels that `labelling` knows are filled in."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    names = [*COLUMNS, *(RULE_COLUMNS if with_rules else ())]
    writer.writerow(names)
    for question in questions:
        cells = _cells(question, labelling.label_of(question) if labelling else None)
        writer.writerow([guarded(cells[name]) for name in names])
    return out.getvalue()


def check_free(path: str | Path, *, overwrite: bool = False) -> Path:
    """The whole path of a file that may be written.

    Raises
    ------
    InputError
        Something is there already, and `overwrite` is False: it may hold answers.
    """
    target = expand_path(path)
    if look_at(target) is not None and not overwrite:
        raise InputError(f"{target} is there already; import it first, name another file, or give --overwrite")
    return target


def check_sheet_name(path: str | Path) -> Path:
    """`path`, if a spreadsheet will know the file as a sheet by its name.

    Raises
    ------
    InputError
        It ends in something else than ``.csv``.
    """
    if Path(path).suffix.lower() != ".csv":
        raise InputError(f"{path} is no name of a sheet; give one that ends in .csv, such as to-label.csv")
    return Path(path)


def write_sheet(path: str | Path, text: str, *, overwrite: bool = False, encoding: str = "utf-8-sig") -> Path:
    """Write a file that only its owner can read, in UTF-8 as spreadsheets know it; its path.

    Raises
    ------
    InputError
        As in ``check_free``.
    LogError
        The file cannot be written.
    """
    target = check_free(path, overwrite=overwrite)
    make_folder(target.parent)
    replace_file(target, text.encode(encoding, "replace"))
    target.chmod(0o600)
    return target


def import_sheet(log: LabelLog, path: str | Path) -> ImportCounts:
    """Take the labels of a filled in sheet into the label log; all of them, or none where a row is wrong.

    Run twice, it adds nothing. A row without an outcome says nothing, and takes no label back.

    Raises
    ------
    ReadError
        The file cannot be read.
    InputError
        It is no such sheet, or rows are wrong; the message names their lines.
    """
    rows = _read_rows(expand_path(path))
    contents = log.read()
    filled = [row for row in rows if row.cells["outcome"]]
    labels, errors = _labels(filled, contents)
    if errors:
        more = len(errors) - _SHOWN_ERRORS
        shown_errors = [*errors[:_SHOWN_ERRORS], *([f"and {more} more"] if more > 0 else [])]
        raise InputError(f"nothing was imported from {path}: {'; '.join(shown_errors)}")
    written = log.write(labels)
    return ImportCounts(
        new=sum(each.before is None for each in written),
        changed=sum(each.before not in (None, each.label_id) for each in written),
        unchanged=sum(each.before == each.label_id for each in written),
        blank=len(rows) - len(filled),
    )


def _cells(question: Question, label: tuple[str, str | None, str] | None) -> dict[str, str]:
    outcome, kind, about = label or ("", "", "")
    return {
        "outcome": outcome,
        "correction_type": kind or "",
        "about": about,
        "turn": f"{question.number} of {question.of}",
        "text": shown(question.text),
        "previous_agent": shown(question.previous_agent),
        "did": shown(question.did),
        "previous_prompt": shown(question.previous_prompt),
        "next_agent": shown(question.next_agent),
        "channel": " ".join(filter(None, (question.channel, question.decision, shown(question.tool)))),
        "interrupted": "yes" if question.interrupted else "",
        "skill": shown(question.skill_id),
        "time": f"{question.timestamp:%Y-%m-%d %H:%M}" if question.timestamp else "",
        "session": shown(question.session_id),
        "event_id": _USE + question.event_id,
        "turn_id": _TURN + question.turn_id,
        "rule_outcome": question.rule_outcome,
        "rule_type": question.rule_type or "",
        "rule": question.rule,
    }


def _read_rows(path: Path) -> list[_Row]:
    """The rows of a sheet, as this or a spreadsheet of any country wrote it."""
    try:
        content = read_small(path, limit=SHEET_BYTES)
    except OSError as error:
        raise ReadError(f"{path} cannot be read ({error.strerror or error}); name the CSV file to import") from error
    try:
        rows = list(_parsed(_decoded(content)))
    except csv.Error as error:
        raise InputError(f"{path} is no CSV file that can be understood ({error}); save it as CSV in UTF-8") from error
    if not rows:
        raise InputError(f"{path} is empty; make a sheet with: skilltune label sample")
    names = [name.strip().casefold() for name in rows[0][1]]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise InputError(f"{path} has no column {missing[0]!r}; it needs {', '.join(_NEEDED)}")
    twice = [name for name in _NEEDED if names.count(name) > 1]
    if twice:
        raise InputError(f"{path} has {names.count(twice[0])} columns {twice[0]!r}; leave the one that counts")
    found = [_Row(line, _named(names, cells)) for line, cells in rows[1:] if any(cell.strip() for cell in cells)]
    return [row for row in found if row.cells["outcome"] or row.cells["event_id"] or row.cells["turn_id"]]


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8-sig", "replace")


def _parsed(text: str) -> Iterator[tuple[int, list[str]]]:
    """The line on which each row begins, and its cells."""
    told = _SEPARATOR.match(text)
    body = text[told.end() :] if told else text
    delimiter = told[1] if told else max(",;\t", key=body.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    before = 1 if told else 0
    start = before + 1
    for cells in reader:
        if cells:
            yield start, cells
        start = before + reader.line_num + 1


def _named(names: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    values = dict(zip(names, cells, strict=False))
    words = {name: unguarded(values.get(name, "")).strip() for name in _NEEDED}
    words |= {name: words[name].casefold() for name in ("outcome", "correction_type", "about")}
    return words | {
        "event_id": words["event_id"].removeprefix(_USE),
        "turn_id": words["turn_id"].removeprefix(_TURN),
    }


def _labels(rows: Sequence[_Row], contents: LabelContents) -> tuple[list[TurnLabel], list[str]]:
    """The labels of the rows, and what is wrong with those that give none."""
    labels: dict[tuple[str, str], TurnLabel] = {}
    errors: list[str] = []
    draws = draws_by_use(contents.draws_for(PERSON))
    for row in rows:
        key = (row.cells["event_id"], row.cells["turn_id"])
        try:
            label = _label(row.cells, pointer=contents.asked.get(key), draw_id=draws.get(key[0], ""))
        except InputError as error:
            errors.append(f"line {row.line}: {error}")
            continue
        if labels.setdefault(key, label) != label:
            errors.append(f"line {row.line}: the same turn has another label further up")
    return list(labels.values()), errors


def _label(cells: Mapping[str, str], *, pointer: TurnPointer | None, draw_id: str) -> TurnLabel:
    if pointer is None:
        # cells that were moved may hold what somebody said: nothing but an id is repeated
        turn, use = (f" {cells[name]!r}" if _ID.fullmatch(cells[name]) else "" for name in ("turn_id", "event_id"))
        raise InputError(
            f"nobody was asked about turn{turn} of use{use} in this workspace; "
            "leave the ids as they are, or make the sheet anew with: skilltune label sample"
        )
    for name, words in _WORDS.items():
        if cells[name] not in words:
            raise InputError(f"{name} is a word that is not known; write one of {', '.join(filter(None, words))}")
    complains = cells["outcome"] in ("correction", "partial")
    if complains and not cells["about"]:
        raise InputError("about is missing; a correction or partial is about skill or other")
    said: dict[str, Any] = {
        "outcome": cells["outcome"],
        "correction_type": cells["correction_type"] or None,
        "about": cells["about"] or "skill",
    }
    return check_label(label_at(pointer, **said, reader=PERSON, draw_id=draw_id))
