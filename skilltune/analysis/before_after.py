"""Whether a change of a skill helped: its rate before and after, with an interval that may be looked at every week.

References
----------
- Jennison and Turnbull (2000), Group Sequential Methods, ch. 3: of a comparison with a fixed first sample, the test
  statistics at successive looks are those of a Brownian motion at the times n_after / (n_before + n_after).
- Miller and Siegmund (1982), Biometrics 38: the chance that the greatest of such statistics passes a bound.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import norm

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.clusters import Rows, change_clusters, session_numbers
from skilltune.analysis.counts import OUTCOMES, Flags, Groups, Judged, group_rows, judged_events
from skilltune.analysis.intervals import Clusters, Counts, plain_difference_interval, score_interval
from skilltune.analysis.uses import uses_only
from skilltune.analysis.windows import DAY, MISSING, Moment, Window, as_microseconds, as_timestamps, microseconds
from skilltune.errors import FrameError, InputError
from skilltune.frames import check_frame
from skilltune.limits import CONFIDENCE_LEVEL, MIN_INVOCATIONS, TREND_DAYS
from skilltune.records import FeedbackEvent

__all__ = ["EFFECTS", "before_after", "repeated_looks"]

Effect = Literal["helped", "made_worse", "no_evidence", "too_early"]
EFFECTS: Final = get_args(Effect)
"""The verdicts."""
_NEEDS: Final = ("skill_id", "at")
_RATES: Final = (
    *("rate_before", "rate_after", "difference", "low", "high", "before_low", "before_high", "after_low"),
    *("after_high", "critical"),
)
_COUNTS: Final = ("needed", "n_before", "n_after", "n_other")
_COLUMNS: Final = ("at", "skill_digest", "verdict", "reason", *_RATES, *_COUNTS)
_NO_GROUPS: Final = ("skill_digest", "week")
"""What is compared, and along what: no group of a comparison."""
_GREATEST_Z: Final = 9.0


class _Uses(NamedTuple):
    """The judged uses of one group."""

    stamps: NDArray[np.int64]
    kinds: NDArray[np.int8]
    digests: NDArray[Any]
    sessions: NDArray[np.int64]


class _Change(NamedTuple):
    """One change in one group, in microseconds: the text before it began, it, and the next one."""

    group: int
    """Its place in the table of groups, which is in order of names."""
    digest: str
    since: int
    at: int
    until: int


def before_after(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    by: Sequence[str] = ("skill_id",),
    changes: pd.DataFrame | None = None,
    at: Moment | None = None,
    skill_id: str | None = None,
    invocations: pd.DataFrame | None = None,
    days: int = TREND_DAYS,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
    level: float = CONFIDENCE_LEVEL,
) -> pd.DataFrame:
    """Whether changes of skills helped: the rate after each less the rate before it.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome and timestamp, and skill_digest unless `at` is given.
    as_of : time
        End of time; later events and changes do not exist.
    by : sequence of str, default ("skill_id",)
        Columns to group by, in any crossing: each change is looked at in every group that has a use of its skill.
        ``skill_id`` may be missing only with `at`; not skill_digest and ``week``, which are what is compared.
    changes : DataFrame, optional
        The changes, one row each: skill_id, at (when the new text was there), and where it is known skill_digest (of
        the new text; "" where it is not). Give all changes of a skill, so that each ends where the next begins.
    at : time, optional
        In place of `changes`: this date, for every group with an event.
    skill_id : str, optional
        Only this skill.
    invocations : DataFrame, optional
        All uses: without `changes` and `at` they tell when a text was first used.
    days : int, default 30
        How far back "before" reaches at most.
    min_invocations : int, default 5
        Judged uses that either side needs; the first look is the one with so many after the change.
    implicit, attribution
        As in `correction_rate`.
    level : float, default 0.95
        How often, over all looks together, the interval holds the true difference.

    Returns
    -------
    DataFrame
        One row per change before `as_of`, latest first, then by name: the columns of `by`; at; skill_digest;
        verdict (helped, made_worse: the interval leaves 0 out; no_evidence; too_early); reason (why there can
        be no verdict, else ""); rate_before, rate_after, difference (after - before, -1 to 1); low, high
        (interval of the difference over all looks; missing where a side has no judged use); before_low,
        before_high, after_low, after_high (of each rate, widened alike); critical (of the normal distribution,
        in place of 1.96); needed (judged uses after the change that are missing for a verdict); n_before,
        n_after (judged uses); n_other (judged uses after it that had another text, left out).

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time or number is not understood, both `changes` and `at` are given, or it cannot be grouped by `by`.

    Notes
    -----
    Without `changes` and `at` the changes are the texts that were used: each digest but a skill's first, from its
    first use on. Before: the last `days` of the text before, from the change before on. After: until the next change.
    A use belongs to a side by its time; where its digest is known, it must also be of the new text after the change,
    and of another text before it.

    Whoever looks every week sees a false difference sooner or later. Here every look, from the first one with
    `min_invocations` uses after the change to the end of all time, has the same critical value, so great that all of
    them together err with the chance 1 - `level` (`repeated_looks`). Where sessions have several uses, it is multiplied
    by how much wider they make each side (`skilltune.analysis.clusters.change_clusters`). Dates for `at` that were
    chosen because the rate moved there, and many changes looked at together, are not corrected for. A rate may
    change for other reasons, too: this is no proof of a cause.

    Examples
    --------
    >>> import pandas as pd
    >>> before, after = pd.Timestamp("2026-10-20"), pd.Timestamp("2026-11-10")
    >>> events = pd.DataFrame({"skill_id": "a", "timestamp": [before] * 30 + [after] * 30,
    ...                        "outcome": ["correction"] * 18 + ["acceptance"] * 12 + ["correction", "acceptance"] * 2
    ...                        + ["acceptance"] * 26})
    >>> table = before_after(events, as_of="2026-11-30", at="2026-11-01")
    >>> table[["verdict", "difference", "low", "high"]].round(2).values.tolist()
    [['helped', -0.53, -0.74, -0.2]]
    """
    if changes is not None and at is not None:
        raise InputError("changes and at are both given; give one of them")
    check_arguments(days=days, min_invocations=min_invocations)
    if min_invocations < 1:
        raise InputError(f"min_invocations is {min_invocations}; at least 1 is needed")
    _check_groups(by, dated=at is not None)
    until = as_microseconds(as_of)
    check_frame(events, FeedbackEvent, needs=("skill_id",))
    keep = ["skill_id", *by, *(["skill_digest"] if at is None else []), *({"session_id"} & set(events.columns))]
    judged = judged_events(
        events,
        keep=keep,
        window=Window(None, until),
        skill_id=skill_id,
        implicit=implicit,
        attribution=attribution,
    )
    if at is not None:
        groups = _groups_of(judged.frame, by=by)
        table = _at_date(groups.codes[judged.counted], at)
    else:
        if changes is not None:
            table = _given(changes, skill_id=skill_id)
        else:
            table = _new_texts(judged, invocations, skill_id=skill_id, until=until)
        groups = _groups_with(judged.frame, table, by=by)
        table = _in_groups(table.astype({"skill_id": "str"}), groups.names)
    return _table(_changes(table, until=until, days=days), judged, groups, needed=min_invocations, level=level)


@cache
def repeated_looks(first_share: float, *, level: float = CONFIDENCE_LEVEL) -> float:
    """The critical value for any number of looks from the first one on.

    Parameters
    ----------
    first_share
        The share that the later sample has in both samples together at the first look, above 0 and at most 1.
    level
        How often no look at all errs where nothing changed.

    Returns
    -------
    float
        z, for which P(abs(B(t)) / sqrt(t) < z for all t from `first_share` to 1) is `level`, B a Brownian motion.

    Notes
    -----
    By the approximation of Miller and Siegmund, which errs by less than half a percent of chance here:
    ``P(any) = φ(z) ((z - 1/z) log(1 / first_share) + 4/z)``.

    Examples
    --------
    >>> round(repeated_looks(1.0), 1), round(repeated_looks(5 / 45), 2)
    (2.3, 2.83)
    """
    if not 0 < level < 1:
        raise InputError(f"level is {level}; a confidence level lies between 0 and 1")
    if not 0 < first_share <= 1:
        raise InputError(f"first_share is {first_share}; it lies between 0 and 1")
    span = math.log(1 / first_share)

    def excess(z: float) -> float:
        return float(norm.pdf(z)) * ((z - 1 / z) * span + 4 / z) - (1 - level)

    fixed = float(norm.isf((1 - level) / 2))
    return fixed if excess(fixed) <= 0 else float(brentq(excess, fixed, _GREATEST_Z))


def _check_groups(by: Sequence[str], *, dated: bool) -> None:
    odd = next((name for name in _NO_GROUPS if name in by), None)
    if odd is not None:
        raise InputError(
            f"before_after cannot be grouped by {odd}: texts are compared over time; leave {odd} out of by"
        )
    if "skill_id" not in by and not dated:
        raise InputError("a change is of a skill: put skill_id into by, or give a date with at")


def _groups_of(frame: pd.DataFrame, *, by: Sequence[str]) -> Groups:
    """The groups of `frame`, numbered in the order of their names."""
    found = group_rows(frame, by=by, stamps=np.empty(0, dtype="int64"))
    order = found.names.sort_values(list(by)).index if by else found.names.index
    return Groups(np.argsort(order)[found.codes], found.names.loc[order].reset_index(drop=True))


def _groups_with(frame: pd.DataFrame, changes: pd.DataFrame, *, by: Sequence[str]) -> Groups:
    """The same; a skill of `changes` is a group of its own also where no use of it was judged."""
    if list(by) != ["skill_id"]:
        return _groups_of(frame, by=by)
    groups = _groups_of(pd.concat([frame[["skill_id"]], changes[["skill_id"]]]), by=by)
    return Groups(groups.codes[: len(frame)], groups.names)


def _in_groups(changes: pd.DataFrame, names: pd.DataFrame) -> pd.DataFrame:
    """Each change once for every group of its skill."""
    places = pd.DataFrame({"skill_id": names["skill_id"], "group": names.index})
    return changes[["skill_id", "at", "skill_digest"]].merge(places, on="skill_id")


def _at_date(codes: NDArray[np.int64], at: Moment) -> pd.DataFrame:
    places = np.unique(codes)
    moment = as_timestamps([as_microseconds(at)] * len(places))
    return pd.DataFrame({"group": places, "at": moment, "skill_digest": ""})


def _given(changes: pd.DataFrame, *, skill_id: str | None) -> pd.DataFrame:
    missing = [name for name in _NEEDS if name not in changes.columns]
    if missing:
        raise FrameError(f"the table of changes lacks the column {missing[0]!r}; it needs {' and '.join(_NEEDS)}")
    table = changes.assign(skill_digest=changes.get("skill_digest", "")).fillna({"skill_digest": ""})
    return table if skill_id is None else table[table["skill_id"] == skill_id]


def _new_texts(judged: Judged, invocations: pd.DataFrame | None, *, skill_id: str | None, until: int) -> pd.DataFrame:
    """Each text but a skill's first, from its first use on."""
    names = ["skill_id", "skill_digest"]
    parts = [judged.frame[names].assign(stamp=judged.stamps)]
    if invocations is not None:
        uses = uses_only(invocations)
        parts.append(uses[names].assign(stamp=microseconds(uses["timestamp"])))
    uses = pd.concat(parts, ignore_index=True)
    known = uses["skill_digest"].fillna("").ne("") & uses["stamp"].ne(MISSING) & uses["stamp"].lt(until)
    known &= uses["skill_id"].eq(skill_id) if skill_id is not None else True
    first = uses[known].groupby(names, as_index=False, observed=True).agg(stamp=("stamp", "min"))
    first = first.sort_values(["stamp", *names])
    later = first[first.groupby("skill_id", observed=True).cumcount() > 0]
    return later[names].assign(at=as_timestamps(later["stamp"].to_numpy(dtype="int64")))


def _changes(table: pd.DataFrame, *, until: int, days: int) -> list[_Change]:
    """The changes before `until`, latest first, each with where the text before it began and the next one begins."""
    stamps = microseconds(table["at"])
    columns = (table["group"].tolist(), table["skill_digest"].astype("str"), stamps.tolist())
    rows = sorted({row for row in zip(*columns, strict=True) if row[2] != MISSING and row[2] < until})
    by_group: dict[int, list[int]] = {}
    for group, _, stamp in rows:
        by_group.setdefault(group, []).append(stamp)
    found = []
    for group, digest, stamp in rows:
        known = by_group[group]
        earlier = max((other for other in known if other < stamp), default=MISSING)
        later = min((other for other in known if other > stamp), default=until)
        found.append(_Change(group, digest, max(earlier, stamp - days * DAY), stamp, later))
    return sorted(found, key=lambda change: (-change.at, change.group, change.digest))


def _table(changes: Sequence[_Change], judged: Judged, groups: Groups, *, needed: int, level: float) -> pd.DataFrame:
    sessions = session_numbers(judged)
    places = [change.group for change in changes]
    of_group = {place: _uses_of(judged, groups.codes == place, sessions) for place in set(places)}
    uses = [of_group[place] for place in places]
    sides = [_sides(change, own) for change, own in zip(changes, uses, strict=True)]
    kinds = [own.kinds for own in uses]
    cells = [
        [np.bincount(kind[one], minlength=len(OUTCOMES)) for one in each]
        for kind, each in zip(kinds, sides, strict=True)
    ]
    counts = np.array(cells, dtype="int64").reshape(len(changes), 3, len(OUTCOMES))
    clusters = _clusters(uses, sides)
    before, after, other = (Counts(*counts[:, side].T) for side in range(3))
    critical = _critical(before.judged, needed=needed, level=level)
    low, high = plain_difference_interval(after, before, z=critical, clusters=clusters)
    (before_low, before_high), (after_low, after_high) = (
        score_interval(side, z=critical * np.sqrt(effect))
        for side, effect in ((before, clusters.prior), (after, clusters.recent))
    )
    verdicts = _verdicts(before, after, low, high, needed=needed)
    values: dict[str, Any] = {
        "at": as_timestamps([change.at for change in changes]),
        "skill_digest": pd.Series([change.digest for change in changes], dtype="str"),
        "verdict": pd.Categorical(verdicts, categories=list(EFFECTS)),
        "reason": pd.Series([_reason(count, needed=needed) for count in before.judged.tolist()], dtype="str"),
        "rate_before": before.rate,
        "rate_after": after.rate,
        "difference": _exact_difference(before, after),
        "low": low,
        "high": high,
        "before_low": before_low,
        "before_high": before_high,
        "after_low": after_low,
        "after_high": after_high,
        "critical": critical,
        "needed": np.maximum(needed - after.judged, 0),
        "n_before": before.judged,
        "n_after": after.judged,
        "n_other": other.judged,
    }
    names = groups.names.iloc[np.array(places, dtype="int64")].reset_index(drop=True)
    return names.assign(**{name: values[name] for name in _COLUMNS})


def _uses_of(judged: Judged, own: Flags, sessions: NDArray[np.int64]) -> _Uses:
    """The rows of one group that count."""
    taken = judged.counted & own
    digests = np.full(int(taken.sum()), "", dtype=object)
    if "skill_digest" in judged.frame.columns:
        digests = judged.frame["skill_digest"][taken].astype("object").fillna("").to_numpy(dtype=object)
    return _Uses(judged.stamps[taken], judged.kind[taken], digests, sessions[taken])


def _sides(change: _Change, uses: _Uses) -> list[NDArray[np.bool_]]:
    """Which uses are before, after, and after with another text."""
    unknown = (uses.digests == "") | (change.digest == "")
    same = uses.digests == change.digest
    early = (uses.stamps >= change.since) & (uses.stamps < change.at) & (unknown | ~same)
    late = (uses.stamps >= change.at) & (uses.stamps < change.until)
    return [early, late & (unknown | same), late & ~unknown & ~same]


def _clusters(uses: Sequence[_Uses], sides: Sequence[Sequence[NDArray[np.bool_]]]) -> Clusters:
    """What the sessions of each change's uses do to its intervals."""
    parts = [Rows(*(np.empty(0, dtype=kind) for kind in ("int64", "int64", "int8")))]
    for number, (own, (before, after, _)) in enumerate(zip(uses, sides, strict=True)):
        for place, side in ((2 * number, after), (2 * number + 1, before)):
            parts.append(Rows(np.full(int(side.sum()), place), own.sessions[side], own.kinds[side]))
    return change_clusters(Rows(*(np.concatenate(column) for column in zip(*parts, strict=True))), groups=len(uses))


def _critical(judged: NDArray[np.int64], *, needed: int, level: float) -> NDArray[np.float64]:
    shares = [needed / (needed + count) for count in judged.tolist()]
    return np.array([repeated_looks(share, level=level) for share in shares], dtype="float64")


def _verdicts(
    before: Counts, after: Counts, low: NDArray[np.float64], high: NDArray[np.float64], *, needed: int
) -> NDArray[np.str_]:
    told = np.select([high < 0, low > 0], ["helped", "made_worse"], "no_evidence")
    told = np.where(before.judged < needed, "no_evidence", told)
    return np.where((after.judged < needed) & (before.judged >= needed), "too_early", told)


def _exact_difference(before: Counts, after: Counts) -> NDArray[np.float64]:
    """With one rounding; missing where a side has no judged use."""
    over = after.halves * before.judged - before.halves * after.judged
    under = 2 * after.judged * before.judged
    return np.where(under > 0, over / np.maximum(under, 1), np.nan)


def _reason(judged: int, *, needed: int) -> str:
    if judged >= needed:
        return ""
    return f"{judged} judged use{'' if judged == 1 else 's'} before; {needed} needed"
