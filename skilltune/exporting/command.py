"""A part of a feedback log put into a file."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_args

from skilltune.errors import InputError, UnknownSkillError
from skilltune.exporting.adding import add_rows
from skilltune.exporting.formats import SCHEMA_VERSION, Format, format_of, write_rows
from skilltune.exporting.notes import hotspot_note
from skilltune.exporting.redacting import redacted
from skilltune.exporting.tables import KEYS, TABLES, Choice, Content
from skilltune.exporting.writing import adding_alone, write_export
from skilltune.limits import MIN_INVOCATIONS, TREND_DAYS
from skilltune.stores.files import read_bytes
from skilltune.stores.names import mask_name
from skilltune.stores.paths import expand_path
from skilltune.stores.tables import as_text, read_tables
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import as_time, existing_log

__all__ = ["Exported", "export_table"]

_DAYS: Final[dict[str, int | None]] = {"metrics": TREND_DAYS}
"""Length of the window where none is named; all time where none is here."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    path: Path
    content: Content
    format: Format
    rows: int
    """Rows that this export brought."""
    columns: tuple[str, ...]
    problems: Mapping[str, int]
    """Lines of the log that were not in order, by reason."""


def export_table(
    content: Content,
    output: str | Path | None = None,
    *,
    format: str | None = None,  # noqa: A002  # named as the option is
    log: str | Path | None = None,
    workspace: str | Path | None = None,
    as_of: datetime | str | None = None,
    days: int | None = None,
    skill_id: str | None = None,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    use_labels: bool = True,
    privacy: bool = False,
    snippets: bool | None = None,
    overwrite: bool = False,
    append: bool = False,
) -> Exported:
    """Write one table of a feedback log to a file that only its owner may read; what was written.

    Secrets and e-mail addresses are masked whatever log they come from.

    Parameters
    ----------
    content : {"events", "uses", "metrics", "hotspots"}
        One row per judged use; per use, judged or not; per skill, its correction rate in a window; per skill and
        dimension, its complaints. Hotspots as ``md`` are a note with front matter and the recent corrections.
    output : path, optional
        The file. It is written as a whole or not at all. Default, and in a folder that is named: a name with day and
        content, such as ``2026-11-30-session-feedback-events.csv``, hotspots as ``.md``.
    format : {"csv", "json", "parquet", "md"}, optional
        Default as the output's name ends; hotspots without a name ``md``, all else ``csv``. Parquet needs pyarrow.
    log, workspace : path, optional
        A ``feedback.jsonl``, or the workspace whose log is meant; default as in ``read_events``.
    as_of : time, default now
        Later uses do not exist.
    days : int, optional
        Length of the window before `as_of`; default 30 for metrics, else all time.
    skill_id : str, optional
        Only this skill.
    min_invocations, implicit
        As in ``correction_rate``.
    use_labels : bool, default True
        Whether a person's labels beat the rules.
    privacy : bool, default False
        Leave out texts, paths, project and session names.
    snippets : bool, optional
        Whether to write what people said; default as the config says (yes).
    overwrite : bool, default False
        Put the new file in the place of one that is there.
    append : bool, default False
        Add the rows to a file that an earlier export made; a row with the same key takes the older one's place.

    Returns
    -------
    Exported
        Path, format, number of rows and columns.

    Raises
    ------
    InputError
        An option is wrong, the log knows no such skill, the file is there already, or pyarrow is missing.
    ReadError
        There is no log.
    LogError
        The file cannot be written.
    """
    if content not in get_args(Content):
        raise InputError(f"{content!r} cannot be exported; choose {', '.join(get_args(Content))}")
    if overwrite and append:
        raise InputError("--overwrite and --append exclude each other; choose one")
    moment, skill_id = as_time(as_of), None if skill_id is None else mask_name(skill_id)
    path, form = _target(content, output, format, moment)
    place = find_workspace(explicit=workspace)
    tables = as_text(read_tables(existing_log(log, workspace=workspace), use_labels=use_labels))
    known = {*tables.events["skill_id"], *tables.invocations["skill_id"]}
    if skill_id is not None and skill_id not in known:
        raise UnknownSkillError(skill_id, known)
    choice = Choice(
        as_of=moment,
        skill_id=skill_id,
        days=_DAYS.get(content) if days is None else days,
        min_invocations=min_invocations,
        implicit=implicit,
    )
    quoted = place.config.privacy.snippets if snippets is None else snippets
    table = redacted(TABLES[content](tables, choice), privacy=privacy, snippets=quoted)
    head = _head(content, choice, privacy=privacy)
    note: Any = {"head": head, "privacy": privacy, "snippets": quoted}
    with adding_alone(path) if append else nullcontext():
        if append and path.exists():
            made = add_rows(read_bytes(path), table, form, keys=KEYS[content], head=head)
        elif (content, form) == ("hotspots", "md"):
            made = hotspot_note(tables, choice, **note)
        else:
            made = write_rows(table, form, head=head)
        write_export(path, made, overwrite=overwrite or append)
    return Exported(path, content, form, len(table), tuple(map(str, table.columns)), tables.problems)


def _target(content: Content, output: str | Path | None, name: str | None, moment: datetime) -> tuple[Path, Format]:
    """The file to write and its format; a folder, or nothing, gets a file of the usual name."""
    path = expand_path(output) if output is not None else Path()
    if not path.is_dir():
        return path, format_of(name, suffix=path.suffix)
    form = format_of(name or ("md" if content == "hotspots" else "csv"), suffix="")
    return path / f"{moment:%Y-%m-%d}-session-feedback-{content}.{form}", form


def _head(content: Content, choice: Choice, *, privacy: bool) -> dict[str, Any]:
    """What a file says of itself."""
    package = import_module("skilltune")  # asked for here, as the package imports this module
    return {
        "schema": f"skilltune.{content}",
        "version": SCHEMA_VERSION,
        "made_by": f"skilltune {package.__version__}",
        "as_of": choice.as_of.isoformat(),
        "days": choice.days,
        "privacy": privacy,
    }
