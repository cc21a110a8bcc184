"""``skilltune metrics --list`` and ``--metric NAME``: whatever metric there is, by its name."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from skilltune.cli.output import print_json, print_text, terminal
from skilltune.errors import FrameError, InputError
from skilltune.limits import TREND_DAYS
from skilltune.stores.masked_tables import masked_ids
from skilltune.stores.unmeasurable import unmeasurable_of

if TYPE_CHECKING:
    import pandas as pd

    from skilltune.analysis.catalogue import Metric
    from skilltune.stores.tables import FeedbackTables

__all__ = ["check_options", "few_sessions_words", "print_metric", "print_metrics"]

_NAMED: Final = 5
_OPTIONS: Final = {
    "--interval": ("interval",),
    "--days": ("days", "since"),
    "--min-invocations": ("min_invocations",),
    "--no-implicit": ("implicit",),
}
"""What a metric calls the options that it may be asked with."""
_OF_ONE_USE: Final = frozenset({"event_id", "invocation_uuid", "user_message_snippet", "supersedes"})
"""Columns whose text is of one use: grouped by them, each use is a group."""


def print_metrics(*, as_json: bool) -> None:
    """Print which metrics there are."""
    from skilltune.analysis.catalogue import find_metrics
    from skilltune.rendering.metric_rows import render_metric_list

    found = find_metrics()
    rows: list[dict[str, Any]] = [{"name": each.name, "title": each.title, "meaning": each.meaning} for each in found]
    if as_json:
        print_json([{**row, "columns": each.columns} for row, each in zip(rows, found, strict=True)])
        return
    size = {name: value for name, value in terminal().items() if name != "color"}
    print_text(render_metric_list(rows, **size))
    print_text("\nOne of them: skilltune metrics --metric outcome_mix --by skill_id,week")


def check_options(name: str, *, given: Sequence[str]) -> None:
    """Refuse an option among those `given` that the metric called `name` does not know."""
    from skilltune.analysis.catalogue import metric_named

    known = metric_named(name).options
    for option in given:
        if not any(word in known for word in _OPTIONS[option]):
            of = " (it is of correction_rate)" if option == "--interval" else ""
            raise InputError(f"{option} does nothing for {name}{of}; leave it out")


def print_metric(
    tables: "FeedbackTables",
    *,
    name: str,
    by: str | None,
    as_of: datetime,
    days: int | None,
    needed: int,
    implicit: bool,
    interval: str | None,
    skill: str | None,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Print one metric's table; it is asked for what it knows of these options.

    Without `days` a metric of windows takes its usual ones, and any other all time.
    """
    from skilltune.analysis.catalogue import metric_named
    from skilltune.analysis.rows import as_records
    from skilltune.analysis.windows import as_timestamps, days_before
    from skilltune.rendering.metric_rows import render_metric_rows
    from skilltune.stores.skills import find_installed_skills

    metric, zone = metric_named(name), _time_zone(workspace)
    windowed = "days" in metric.options
    options: dict[str, Any] = {"invocations": tables.invocations, "time_zone": zone}
    options |= {"days": days or TREND_DAYS}
    options |= {"since": as_timestamps([days_before(as_of, days=days)])[0]} if days and not windowed else {}
    options |= {"min_invocations": needed, "implicit": implicit, "unmeasurable": unmeasurable_of(workspace)}
    options |= {"sessions": tables.sessions}
    options |= {"interval": interval} if interval is not None else {}
    options |= {"installed": find_installed_skills()} if "installed" in metric.options else {}
    table = _table(metric, tables, by=by, as_of=as_of, options=options)
    if skill is not None and "skill_id" in table.columns:
        table = table[table["skill_id"] == skill]
    elif skill is not None:
        raise InputError(f"--by {by} leaves out the skills; write --by skill_id,{by} or leave {skill!r} out")
    rows = as_records(masked_ids(table))
    if as_json:
        print_json(rows)
        return
    span = f"in windows of {days or TREND_DAYS} days" if windowed else f"over {days} days" if days else "over all time"
    note = f"{metric.title} {span}, before {as_of:%Y-%m-%d %H:%M} UTC; weeks in {zone}."
    keys = _keys(list(table.columns), _names(by) or metric.groups or ("skill_id",))
    few = few_sessions_words(rows, keys=keys, time_zone=zone)
    note = " ".join([note, *few, *_unknown_rest(rows, kept=tables.sessions is not None)])
    size = {key: value for key, value in terminal().items() if key != "color"}
    texts: dict[str, Any] = {"meaning": metric.meaning, "note": note, "nothing": _nothing(metric), "time_zone": zone}
    print_text(render_metric_rows(rows, keys=keys, **texts, **size))


def few_sessions_words(rows: Sequence[Mapping[str, Any]], *, keys: Sequence[str], time_zone: str = "UTC") -> list[str]:
    """A sentence on clustered intervals that rest on few sessions; none where there are none such."""
    from skilltune.rendering.metric_rows import group_words

    few = [row for row in rows if row.get("few_sessions") and row.get("sample_size")]
    if not few:
        return []
    named = ", ".join(f"{group_words(row, keys=keys, time_zone=time_zone)} {row['sessions']:,}" for row in few[:_NAMED])
    more = f" and {len(few) - _NAMED:,} more" if len(few) > _NAMED else ""
    return [f"Few sessions only, so that the interval itself is unsure: {named}{more}."]


def _table(
    metric: "Metric", tables: "FeedbackTables", *, by: str | None, as_of: datetime, options: dict[str, Any]
) -> "pd.DataFrame":
    """The metric's table; where a name of `by` is no column, the error says which there are."""
    try:
        return metric.table(tables.events, as_of=as_of, by=_names(by), **options)
    except FrameError as error:
        if by is None or "cannot group" not in str(error):
            raise
        raise InputError(f"{error}; --by takes {', '.join(_groupable())}") from error


def _groupable() -> list[str]:
    """Columns with a word or a name that many uses share."""
    from typing import get_origin

    from skilltune.frames import columns
    from skilltune.records import FeedbackEvent

    words = [
        name for name, kind in columns(FeedbackEvent).items() if kind in (str, bool) or get_origin(kind) is Literal
    ]
    return [*(name for name in words if name not in _OF_ONE_USE), "week"]


def _nothing(metric: "Metric") -> str:
    """What a table without rows says: what its rows would be, in the words of the metric's own documentation."""
    found = re.search(r"One row (?:per|for each) (.+?)[,;:.(]", " ".join((metric.function.__doc__ or "").split()))
    what = found[1].removesuffix(" before `as_of`").strip() if found else ""
    return f"No row: there is one per {what}, and there was none before this date." if what else "No row."


def _unknown_rest(rows: Sequence[Mapping[str, Any]], *, kept: bool) -> list[str]:
    """Where the log of an older skilltune did not keep what sessions cost: that, and what to do."""
    if kept or not rows or "attributed" not in rows[0]:
        return []
    return ["What sessions cost was not kept yet, so no share is known; run skilltune mine."]


def _names(by: str | None) -> tuple[str, ...] | None:
    """The names in `by`, each once."""
    if by is None:
        return None
    return tuple(dict.fromkeys(name for name in (part.strip() for part in by.split(",")) if name))


def _keys(columns: list[str], groups: tuple[str, ...]) -> list[str]:
    """The columns that say what a row is about: its groups, and its week where it has one."""
    return [name for name in columns[: len(groups) + 1] if name in groups or name == "week"]


def _time_zone(workspace: Path | None) -> str:
    """The zone of the config, else the machine's."""
    from tzlocal import get_localzone_name

    from skilltune.stores.workspace import find_workspace

    return str(find_workspace(explicit=workspace).config.report.time_zone or get_localzone_name())
