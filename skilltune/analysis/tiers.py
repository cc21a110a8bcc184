"""Which skills are at work and which are not: active, failing, dead, silent, missing, unmeasurable."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, Final, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.intervals import Counts
from skilltune.analysis.metrics import correction_rate
from skilltune.analysis.rows import with_skills
from skilltune.analysis.usage import skill_usage
from skilltune.analysis.uses import every_use
from skilltune.analysis.windows import Moment, Window, as_microseconds, as_timestamps, days_before, microseconds
from skilltune.errors import InputError
from skilltune.limits import MIN_INVOCATIONS, TREND_DAYS
from skilltune.records import INSTALLED_OF

__all__ = ["FAILING_RATE", "TIERS", "usage_tiers"]

Tier = Literal["failing", "active", "dead", "silent", "missing", "unmeasurable"]
TIERS: Final = get_args(Tier)
"""What a skill can be, in the order of the table."""
FAILING_RATE: Final = 0.5
"""Correction rate from which on a skill in use is called failing."""
_UNKNOWN: Final = "unknown_skill"


def usage_tiers(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    invocations: pd.DataFrame | None = None,
    installed: Collection[str] | None = None,
    unmeasurable: Mapping[str, str] | None = None,
    days: int = TREND_DAYS,
    min_invocations: int = MIN_INVOCATIONS,
    failing_rate: float = FAILING_RATE,
    implicit: bool = True,
) -> pd.DataFrame:
    """Which skills are used, used badly, installed but not used, or asked for but not there.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs event_id, skill_id, outcome and timestamp.
    as_of : time
        End of time; later uses do not exist.
    invocations : DataFrame, optional
        All uses and failed calls; without it only uses that gave an event are known, and no skill is missing.
    installed : collection of str, optional
        Names of the skills that are installed; without it none is called dead.
    unmeasurable : mapping of str to str, optional
        Skills whose use leaves no trace, as where their text is given as plain prompt, with the reason in words.
    days : int, default 30
        Length of the window that decides, [as_of - days, as_of).
    min_invocations : int, default 5
        Judged uses in the window that failing needs.
    failing_rate : float, default 0.5
        Correction rate in the window from which on a skill is failing; compared exactly.
    implicit : bool, default True
        Whether moving on without a complaint counts as acceptance.

    Returns
    -------
    DataFrame
        One row per skill, tiers in the order below, then most used, then by name: skill_id; tier; reason (in words);
        installed (missing where that is not known, as of skills that only other agents than Claude Code used); uses
        (all before `as_of`), uses_in_window; last_used; days_unused (whole days since, missing without a dated use);
        correction_rate and sample_size (in the window); retried (uses in the window after which the same was asked
        again within two turns; missing where that is not known), retry_rate (of the window's uses of which it is
        known); asked_for (failed calls by that name in the window); loaded (uses in the window in which the skill's
        text is known to have reached the agent; missing where that is not known).
        The tiers:

        - ``failing``: used in the window, enough judged uses, and the rate is `failing_rate` or more.
        - ``active``: used in the window.
        - ``dead``: installed, and not used in the window.
        - ``silent``: used before the window, and not known to be installed.
        - ``missing``: asked for in the window, neither installed nor ever used.
        - ``unmeasurable``: no use is seen, and none could be.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time or number is not understood.

    Notes
    -----
    Installed, loaded, used and retried are four facts: a skill that is installed is offered to the agent, not used; one
    that is used was called, and its text loaded only where the log shows that. Where
    uses can be seen they decide, even if `unmeasurable` names the skill.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"event_id": ["1", "2"], "skill_id": ["a", "old"], "outcome": "acceptance",
    ...                        "timestamp": pd.to_datetime(["2026-11-20", "2026-08-01"], utc=True)})
    >>> tiers = usage_tiers(events, as_of="2026-11-30", installed=["a", "b"], unmeasurable={"c": "plain prompt text"})
    >>> tiers[["skill_id", "tier"]].to_numpy().tolist()
    [['a', 'active'], ['b', 'dead'], ['old', 'silent'], ['c', 'unmeasurable']]
    """
    check_arguments(days=days, min_invocations=min_invocations)
    if not 0 < failing_rate <= 1:
        raise InputError(f"failing_rate is {failing_rate}; it lies above 0 and is at most 1")
    window = Window(days_before(as_of, days=days), as_microseconds(as_of))
    usage = skill_usage(events, as_of=as_of, invocations=invocations, days=days)
    asked = _asked_for(invocations, window=window)
    hidden, there = dict(unmeasurable or {}), None if installed is None else set(installed)
    skills = sorted({*usage["skill_id"], *asked.index, *hidden, *(there or ())})
    table = with_skills(usage, skills, days_unused=pd.NA)
    rates = correction_rate(
        events,
        by=("skill_id",),
        as_of=as_of,
        since=as_timestamps([window.since or 0])[0],
        min_invocations=min_invocations,
        implicit=implicit,
    )
    judged = with_skills(rates, skills, interval_method="score")
    table = table.assign(
        installed=pd.array(_installed(skills, there, elsewhere=_elsewhere(events, invocations)), dtype="boolean"),
        asked_for=asked.reindex(skills, fill_value=0).to_numpy(dtype="int64"),
        correction_rate=judged["correction_rate"],
        sample_size=judged["sample_size"],
        **_retries(every_use(events, invocations, keep=("skill_id", "retried")), skills, window=window),
        loaded=_loaded(every_use(events, invocations, keep=("skill_id", "loaded")), skills, window=window),
    )
    failing = judged["sufficient_data"].to_numpy(dtype=bool) & _reaches(judged, failing_rate)
    tiers = _tiers(table, failing, hidden)
    table = table.assign(
        tier=pd.Categorical(tiers, categories=list(TIERS)),
        reason=pd.Series(
            [
                _reason(tier, row, days=days, hidden=hidden)
                for tier, row in zip(tiers, table.to_dict("records"), strict=True)
            ],
            dtype="str",
        ),
    )
    return _ordered(table)


def _installed(skills: list[str], there: set[str] | None, *, elsewhere: frozenset[str]) -> list[bool | None]:
    """Whether each skill is installed; None where nobody can tell."""
    return [None if there is None or (name in elsewhere and name not in there) else name in there for name in skills]


def _elsewhere(events: pd.DataFrame, invocations: pd.DataFrame | None) -> frozenset[str]:
    """Skills that only other agents used: not all of their folders are looked into."""
    frames = [frame for frame in (events, invocations) if frame is not None and "agent" in frame.columns]
    known = [frame[["skill_id", "agent"]].drop_duplicates() for frame in frames]
    pairs = {pair for frame in known for pair in frame.itertuples(index=False, name=None)}
    return frozenset(skill for skill, _ in pairs) - {skill for skill, agent in pairs if agent in (INSTALLED_OF, "")}


def _asked_for(invocations: pd.DataFrame | None, *, window: Window) -> "pd.Series[int]":
    """Failed calls in the window by a name that the agent did not know."""
    if invocations is None or "failed" not in invocations.columns:
        return pd.Series(dtype="int64", index=pd.Index([], dtype="str"))
    failed = invocations[(invocations["failed"] == _UNKNOWN).to_numpy(dtype=bool)]
    failed = failed[window.holds(microseconds(failed["timestamp"]))]
    return failed["skill_id"].astype("str").value_counts()


def _retries(uses: pd.DataFrame, skills: list[str], *, window: Window) -> dict[str, Any]:
    """How many of each skill's uses were asked for again, and their share."""
    if "retried" not in uses.columns:
        unknown = pd.array([pd.NA] * len(skills), dtype="Int64")
        return {"retried": unknown, "retry_rate": np.full(len(skills), np.nan)}
    inside = uses[window.holds(microseconds(uses["timestamp"]))]
    known = inside[inside["retried"].notna()].astype({"retried": "bool", "skill_id": "str"})
    sums = known.groupby("skill_id")["retried"].agg(["sum", "size"]).reindex(skills)
    return {
        "retried": sums["sum"].astype("Int64").array,
        "retry_rate": (sums["sum"] / sums["size"]).to_numpy(dtype="float64"),
    }


def _loaded(uses: pd.DataFrame, skills: list[str], *, window: Window) -> ExtensionArray:
    """In how many of each skill's uses its text is known to have reached the agent; missing where none tells."""
    if "loaded" not in uses.columns:
        return pd.array([pd.NA] * len(skills), dtype="Int64")
    inside = uses[window.holds(microseconds(uses["timestamp"]))]
    known = inside[inside["loaded"].notna()].astype({"loaded": "bool", "skill_id": "str"})
    return known.groupby("skill_id")["loaded"].sum().reindex(skills).astype("Int64").array


def _reaches(rates: pd.DataFrame, limit: float) -> NDArray[np.bool_]:
    """Whether a rate is the limit or more, by integers."""
    exact = Fraction(str(limit))
    counts = Counts.of(rates["corrections"], rates["partials"], rates["acceptances"])
    reached: NDArray[np.bool_] = counts.halves * exact.denominator >= 2 * exact.numerator * counts.judged
    return reached


def _tiers(table: pd.DataFrame, failing: NDArray[np.bool_], hidden: Mapping[str, str]) -> NDArray[np.str_]:
    used_lately = (table["uses_in_window"] > 0).to_numpy(dtype=bool)
    used = (table["uses"] > 0).to_numpy(dtype=bool)
    there = table["installed"].fillna(value=False).to_numpy(dtype=bool)
    unseen = table["skill_id"].isin(list(hidden)).to_numpy(dtype=bool) & ~used
    return np.select(
        [used_lately & failing, used_lately, unseen, there, used],
        ["failing", "active", "unmeasurable", "dead", "silent"],
        "missing",
    )


def _reason(tier: str, row: Mapping[Any, Any], *, days: int, hidden: Mapping[str, str]) -> str:
    if tier == "failing":
        return f"{row['correction_rate']:.0%} of {row['sample_size']} judged uses in the last {days} days corrected"
    if tier == "active":
        return f"{row['uses_in_window']} use{'' if row['uses_in_window'] == 1 else 's'} in the last {days} days"
    if tier == "unmeasurable":
        return hidden[row["skill_id"]]
    if tier == "missing":
        return f"asked for {row['asked_for']} time{'' if row['asked_for'] == 1 else 's'}, not installed"
    if row["uses"] == 0:
        return "installed, never used"
    last = "" if pd.isna(row["last_used"]) else f", last on {row['last_used']:%Y-%m-%d}"
    return f"not used in the last {days} days{last}"


def _ordered(table: pd.DataFrame) -> pd.DataFrame:
    columns = [
        *("skill_id", "tier", "reason", "installed", "uses", "uses_in_window", "last_used", "days_unused"),
        *("correction_rate", "sample_size", "retried", "retry_rate", "asked_for", "loaded"),
    ]
    order = ["tier", "uses_in_window", "uses", "skill_id"]
    return table.sort_values(order, ascending=[True, False, False, True], ignore_index=True)[columns]
