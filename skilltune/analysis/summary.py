"""All skills at once, as plain dictionaries for scripts and JSON."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from skilltune.analysis.catalogue import find_metrics
from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.rows import as_records
from skilltune.analysis.trends import correction_trend
from skilltune.analysis.windows import Moment
from skilltune.errors import InputError
from skilltune.limits import MIN_INVOCATIONS

__all__ = ["hotspots_by_skill", "skill_metrics"]


def skill_metrics(
    events: pd.DataFrame,
    *,
    invocations: pd.DataFrame | None = None,
    as_of: Moment | None = None,
    since: Moment | None = None,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
    every: bool = False,
) -> list[dict[str, Any]]:
    """The metrics of every skill as dictionaries of plain Python values, worst rate first.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome, timestamp and dimension_hint.
    invocations, as_of, since, min_invocations, implicit, attribution
        As in `correction_rate`.
    every : bool, default False
        Also the rows of every other public metric (`skilltune.analysis.catalogue.find_metrics`), which needs `as_of`
        and takes longer.

    Returns
    -------
    list of dict
        Per skill the columns of `correction_rate`; hotspots, {dimension: complaints}, most first; trend, the
        dictionary of `correction_trend`, or None without `as_of`; with `every`, metrics, {name of the metric: the
        skill's rows}. Missing values are None.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        `every` is asked for without `as_of`.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"skill_id": "a", "outcome": ["correction", "partial", "acceptance"],
    ...                        "timestamp": pd.NaT, "dimension_hint": ["accuracy", None, None]})
    >>> [summary] = skill_metrics(events)
    >>> summary["correction_rate"], summary["hotspots"], summary["sufficient_data"]
    (0.5, {'accuracy': 1, 'unknown': 1}, False)
    """
    rates = correction_rate(
        events,
        by=("skill_id",),
        invocations=invocations,
        as_of=as_of,
        since=since,
        min_invocations=min_invocations,
        implicit=implicit,
        attribution=attribution,
    )
    spots = hotspot_dimensions(events, by=("skill_id",), as_of=as_of, since=since, attribution=attribution)
    by_skill = hotspots_by_skill(spots)
    trends: dict[str, dict[str, Any]] = {}
    if as_of is not None:
        table = correction_trend(
            events,
            by=("skill_id",),
            invocations=invocations,
            as_of=as_of,
            min_invocations=min_invocations,
            implicit=implicit,
            attribution=attribution,
        )
        trends = {row["skill_id"]: row for row in as_records(table)}
    summaries = [
        {**row, "hotspots": by_skill.get(row["skill_id"], {}), "trend": trends.get(row["skill_id"])}
        for row in as_records(rates)
    ]
    if not every:
        return summaries
    if as_of is None:
        raise InputError("every metric is asked for without as_of; give the moment, such as as_of='2026-11-30'")
    options = {"invocations": invocations, "min_invocations": min_invocations, "implicit": implicit}
    more = _every_metric(events, as_of=as_of, since=since, attribution=attribution, **options)
    return [
        {**row, "metrics": {name: rows.get(row["skill_id"], []) for name, rows in more.items()}} for row in summaries
    ]


def _every_metric(events: pd.DataFrame, *, as_of: Moment, **options: Any) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Name of each metric that tells of skills → skill → its rows."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for metric in find_metrics():
        table = metric.table(events, as_of=as_of, **options)
        if "skill_id" in table.columns:
            rows: dict[str, list[dict[str, Any]]] = {}
            for row in as_records(table):
                rows.setdefault(row["skill_id"], []).append(row)
            found[metric.name] = rows
    return found


def hotspots_by_skill(hotspots: pd.DataFrame) -> dict[str, dict[str, int]]:
    """A table of `hotspot_dimensions` as {skill: {dimension: complaints}}, most first, zeros left out."""
    seen = hotspots[hotspots["complaints"] > 0].sort_values(["complaints", "dimension"], ascending=[False, True])
    result: dict[str, dict[str, int]] = {}
    for skill, dimension, complaints in seen[["skill_id", "dimension", "complaints"]].itertuples(index=False):
        result.setdefault(skill, {})[dimension] = int(complaints)
    return result
