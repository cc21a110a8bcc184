"""``skilltune metrics --list`` and ``--metric NAME``: whatever metric there is, by its name."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skilltune.cli.output import print_json, print_text, terminal
from skilltune.errors import InputError

if TYPE_CHECKING:
    from skilltune.stores.tables import FeedbackTables

__all__ = ["print_metric", "print_metrics"]


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


def print_metric(
    tables: "FeedbackTables",
    *,
    name: str,
    by: str | None,
    as_of: datetime,
    days: int,
    needed: int,
    implicit: bool,
    skill: str | None,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Print one metric's table; it is asked for what it knows of these options."""
    from skilltune.analysis.catalogue import metric_named
    from skilltune.analysis.rows import as_records
    from skilltune.rendering.metric_rows import render_metric_rows
    from skilltune.stores.skills import find_installed_skills

    metric, zone = metric_named(name), _time_zone(workspace)
    table = metric.table(
        tables.events,
        as_of=as_of,
        by=_names(by),
        invocations=tables.invocations,
        days=days,
        min_invocations=needed,
        implicit=implicit,
        time_zone=zone,
        installed=find_installed_skills() if "installed" in metric.options else None,
    )
    if skill is not None and "skill_id" in table.columns:
        table = table[table["skill_id"] == skill]
    elif skill is not None:
        raise InputError(f"--by {by} leaves out the skills; write --by skill_id,{by} or leave {skill!r} out")
    rows = as_records(table)
    if as_json:
        print_json(rows)
        return
    span = f"in windows of {days} days" if "days" in metric.options else "over all time"
    note = f"{metric.title} {span}, before {as_of:%Y-%m-%d %H:%M} UTC; weeks in {zone}."
    size = {key: value for key, value in terminal().items() if key != "color"}
    keys = _keys(list(table.columns), _names(by) or metric.groups or ("skill_id",))
    print_text(render_metric_rows(rows, meaning=metric.meaning, keys=keys, note=note, **size))


def _names(by: str | None) -> tuple[str, ...] | None:
    if by is None:
        return None
    return tuple(name for name in (part.strip() for part in by.split(",")) if name)


def _keys(columns: list[str], groups: tuple[str, ...]) -> list[str]:
    """The columns that say what a row is about: its groups, and its week where it has one."""
    return [name for name in columns[: len(groups) + 1] if name in groups or name == "week"]


def _time_zone(workspace: Path | None) -> str:
    """The zone of the config, else the machine's."""
    from tzlocal import get_localzone_name

    from skilltune.stores.workspace import find_workspace

    return str(find_workspace(explicit=workspace).config.report.time_zone or get_localzone_name())
