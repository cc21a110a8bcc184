"""Everything one week's report is made from: frames of events and uses → a ``WeeklySummary``."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import pandas as pd

from skilltune.analysis.changepoints import change_points
from skilltune.analysis.isoweeks import IsoWeek
from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.ranking import ranked_skills
from skilltune.analysis.trends import rate_over_time
from skilltune.errors import InputError
from skilltune.frames import check_frame
from skilltune.limits import MIN_INVOCATIONS, TREND_DAYS
from skilltune.records import FeedbackEvent, Invocation

__all__ = ["WEEKS", "WeeklySummary", "verdict_of", "weekly_summary"]

WEEKS: Final = 12
"""Weeks that courses, versions and shifts look back."""

_EVENT_COLUMNS: Final = ("event_id", "timestamp", "session_id", "skill_id", "outcome", "user_message_snippet")
_USE_COLUMNS: Final = ("timestamp", "skill_id", "reason", "failed", "skill_digest")
_LOOKED_AT: Final = (*_USE_COLUMNS, "event_id", "weak_complaints")
"""What is asked of uses; the rest of a large table is not copied with the rows chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklySummary:
    """One week's frames and facts; rates are over the `days` that end with the week."""

    week: IsoWeek
    days: int
    min_invocations: int
    ranking: pd.DataFrame
    """``ranked_skills`` with ``verdict`` and ``verdict_before`` (a week earlier, '' where it had none)."""
    overall: pd.DataFrame
    """``correction_rate`` of all skills together: one row."""
    courses: pd.DataFrame
    """``rate_over_time`` of all skills."""
    hotspots: pd.DataFrame
    """``hotspot_dimensions`` by skill."""
    complaints: pd.DataFrame
    """Corrections and partials of the last `days`, newest first."""
    versions: pd.DataFrame
    """``skill_id``, ``skill_digest``, ``number`` (1 = first seen), ``since``, ``name`` (``v1``): each text of a skill,
    first use first.
    """
    shifts: pd.DataFrame
    """``change_points`` of all skills of the log, so that a shift is held to the false-discovery control of all."""
    focus: str
    """The skill that the report looks at closely: the worst that got worse, else the most corrected; '' without one."""
    only: tuple[str, ...]
    """The skills that were chosen; none means all."""
    first_used: tuple[str, ...]
    """Skills whose first use ever seen lies in this week."""
    fallen_silent: tuple[str, ...]
    """Skills whose last use passed out of the last `days` in this week."""
    long_unused: tuple[str, ...]
    """Skills whose last use is more than 12 weeks ago: no list of the page has them."""
    silent: pd.DataFrame
    """``skill_id``, ``last_used``: used in the last 12 weeks, but not in the last `days`; latest first."""
    not_judged: pd.DataFrame
    """``reason``, ``uses``: why uses of the last `days` gave no verdict, most frequent first."""
    trigger_problems: pd.DataFrame
    """``skill_id``, ``failed``, ``times`` in the last `days`, most frequent first."""
    languages: pd.DataFrame
    """``language``, ``judged``: judged uses of the last `days` by language, most frequent first; '' is no words."""
    unversioned: int
    """Uses of the last `days` of which nobody can tell which text of the skill they had."""
    weak_complaints: int
    """Complaints near uses of the last `days` that may be about something else and are not counted."""
    logged_uses: int
    """Uses in the whole log, later ones than the week's included."""
    logged_span: tuple[pd.Timestamp, pd.Timestamp] | None
    """When the first and the last of them were; None without any."""

    @property
    def sufficient(self) -> pd.DataFrame:
        """The ranked skills with enough data."""
        return self.ranking[self.ranking["sufficient_data"]]

    @property
    def shift(self) -> pd.DataFrame:
        """The latest of ``shifts`` of the skill in focus in the weeks of its course: one row or none."""
        own, course = (frame[frame["skill_id"] == self.focus] for frame in (self.shifts, self.courses))
        shown: pd.DataFrame = own[own["week"] >= course["week"].min()]
        return shown.sort_values("week").tail(1)

    @property
    def too_few(self) -> pd.DataFrame:
        """The ranked skills without enough data."""
        return self.ranking[~self.ranking["sufficient_data"]]

    @property
    def shown_courses(self) -> pd.DataFrame:
        """``courses`` whose windows with fewer judged uses than `min_invocations` have no rate."""
        thin = self.courses["sample_size"] < self.min_invocations
        return self.courses.assign(**{name: self.courses[name].mask(thin) for name in ("rate", "low", "high")})

    @property
    def has_week_before(self) -> bool:
        """Whether any skill was seen before the week began."""
        return bool((self.ranking["verdict_before"] != "").any())


def weekly_summary(
    events: pd.DataFrame,
    invocations: pd.DataFrame,
    *,
    week: IsoWeek,
    skills: Sequence[str] = (),
    days: int = TREND_DAYS,
    min_invocations: int = MIN_INVOCATIONS,
) -> WeeklySummary:
    """What happened to the skills until the end of `week`; later events and uses do not exist yet.

    Parameters
    ----------
    events
        Frame of FeedbackEvent.
    invocations
        Frame of Invocation, trigger problems included.
    skills
        Only these skills; none means all. Their verdicts and shifts are those that they have among all.

    Raises
    ------
    InputError
        When a name in `skills` occurs nowhere.
    """
    check_frame(events, FeedbackEvent, needs=_EVENT_COLUMNS)
    check_frame(invocations, Invocation, needs=_USE_COLUMNS)
    _check_known(skills, events, invocations)
    end = pd.Timestamp(week.end)
    known = invocations[[name for name in _LOOKED_AT if name in invocations.columns]]
    logged = _of_skills(_rows(known, known["failed"] == ""), skills)
    every_event, every_use = (_rows(frame, frame["timestamp"] < end) for frame in (events, known))
    uses = _rows(every_use, every_use["failed"] == "")
    since = end - timedelta(days=days)
    among_all = _ranking(every_event, uses, week=week, days=days, min_invocations=min_invocations)
    ranking = _of_skills(among_all, skills).reset_index(drop=True)
    events, every_use, uses = (_of_skills(frame, skills) for frame in (every_event, every_use, uses))
    return WeeklySummary(
        week=week,
        days=days,
        min_invocations=min_invocations,
        ranking=ranking,
        overall=_overall(events, uses, since=since, end=end, min_invocations=min_invocations),
        courses=rate_over_time(events, as_of=week.end, weeks=WEEKS, days=days, time_zone=week.time_zone),
        hotspots=hotspot_dimensions(events, as_of=week.end, since=since),
        complaints=_complaints(events, since=since),
        versions=_versions(uses),
        shifts=change_points(every_event, as_of=week.end, min_invocations=min_invocations, time_zone=week.time_zone),
        focus=_focus(ranking),
        only=tuple(skills),
        first_used=_first_used(uses, week=week),
        fallen_silent=_fallen_silent(uses, week=week, days=days),
        long_unused=_long_unused(uses, end=end),
        silent=_silent(uses, ranking, since=since, end=end),
        not_judged=_counted(uses[(uses["timestamp"] >= since) & (uses["reason"] != "")], by=["reason"], name="uses"),
        trigger_problems=_counted(
            every_use[(every_use["failed"] != "") & (every_use["timestamp"] >= since)],
            by=["skill_id", "failed"],
            name="times",
        ),
        unversioned=int(((uses["timestamp"] >= since) & (uses["skill_digest"] == "")).sum()),
        languages=_languages(events[events["timestamp"] >= since]),
        weak_complaints=_weak_complaints(rows[rows["timestamp"] >= since] for rows in (events, uses)),
        logged_uses=len(logged),
        logged_span=_span(logged["timestamp"]),
    )


def verdict_of(*, sufficient: bool, direction: str, discovered: bool) -> str:
    """The verdict on one trend: got_worse, looks_worse, no_change, looks_better, got_better, no_baseline or too_few.

    Only a change whose interval excludes 0 after the false-discovery control *got* worse or better.
    """
    if not sufficient:
        return "too_few"
    known = {
        ("worsening", True): "got_worse",
        ("worsening", False): "looks_worse",
        ("improving", True): "got_better",
        ("improving", False): "looks_better",
    }
    if direction == "stable":
        return "no_change"
    return known.get((direction, discovered), "no_baseline")


def _check_known(skills: Sequence[str], events: pd.DataFrame, invocations: pd.DataFrame) -> None:
    known = sorted({*events["skill_id"].unique(), *invocations["skill_id"].unique()}) if skills else []
    odd = [name for name in skills if name not in known]
    if odd:
        raise InputError(f"no use of a skill called {odd[0]!r} is in the log; it has {', '.join(known) or 'none'}")


def _of_skills(frame: pd.DataFrame, skills: Sequence[str]) -> pd.DataFrame:
    return _rows(frame, frame["skill_id"].isin(list(skills))) if skills else frame


def _rows(frame: pd.DataFrame, where: "pd.Series[bool]") -> pd.DataFrame:
    """Some rows; the frame itself, and no copy, where that is all."""
    return frame if where.all() else frame[where]


def _ranking(
    events: pd.DataFrame, uses: pd.DataFrame, *, week: IsoWeek, days: int, min_invocations: int
) -> pd.DataFrame:
    now, before = (
        ranked_skills(events, invocations=uses, as_of=moment, days=days, min_invocations=min_invocations)
        for moment in (week.end, week.start)
    )
    earlier = dict(zip(before["skill_id"], _verdicts(before), strict=True))
    return now.assign(
        verdict=pd.Series(_verdicts(now), index=now.index, dtype="str"),
        verdict_before=pd.Series([earlier.get(skill, "") for skill in now["skill_id"]], index=now.index, dtype="str"),
    )


def _verdicts(ranking: pd.DataFrame) -> list[str]:
    return [
        verdict_of(sufficient=bool(sufficient), direction=str(direction), discovered=bool(discovered))
        for sufficient, direction, discovered in zip(
            ranking["sufficient_data"], ranking["direction"], ranking["discovered"], strict=True
        )
    ]


def _focus(ranking: pd.DataFrame) -> str:
    enough = ranking[ranking["sufficient_data"] & (ranking["correction_rate"] > 0)]
    worse = enough[enough["verdict"] == "got_worse"]
    return next(iter([*worse["skill_id"], *enough["skill_id"]]), "")


def _overall(
    events: pd.DataFrame, uses: pd.DataFrame, *, since: pd.Timestamp, end: pd.Timestamp, min_invocations: int
) -> pd.DataFrame:
    return correction_rate(events, by=(), invocations=uses, as_of=end, since=since, min_invocations=min_invocations)


def _complaints(events: pd.DataFrame, *, since: pd.Timestamp) -> pd.DataFrame:
    recent = events[(events["timestamp"] >= since) & events["outcome"].isin(["correction", "partial"])]
    return recent.sort_values(["timestamp", "event_id"], ascending=False, ignore_index=True)


def _versions(uses: pd.DataFrame) -> pd.DataFrame:
    known = uses[(uses["skill_digest"] != "") & uses["skill_digest"].notna()]
    first = known.groupby(["skill_id", "skill_digest"], as_index=False, observed=True).agg(since=("timestamp", "min"))
    first = first.sort_values(["skill_id", "since", "skill_digest"], ignore_index=True)
    number = first.groupby("skill_id", observed=True).cumcount() + 1
    return first.assign(number=number, name=("v" + number.astype("str")).astype("str"))


def _first_used(uses: pd.DataFrame, *, week: IsoWeek) -> tuple[str, ...]:
    """Nothing is new where the log itself begins in this week."""
    if not (uses["timestamp"] < week.start).any():
        return ()
    first = uses.groupby("skill_id", observed=True)["timestamp"].min()
    return tuple(sorted(first[first >= week.start].index))


def _fallen_silent(uses: pd.DataFrame, *, week: IsoWeek, days: int) -> tuple[str, ...]:
    last = uses.groupby("skill_id", observed=True)["timestamp"].max()
    span = timedelta(days=days)
    return tuple(sorted(last[(last >= week.start - span) & (last < week.end - span)].index))


def _long_unused(uses: pd.DataFrame, *, end: pd.Timestamp) -> tuple[str, ...]:
    last = uses.groupby("skill_id", observed=True)["timestamp"].max()
    return tuple(sorted(last[last < end - timedelta(weeks=WEEKS)].index))


def _silent(uses: pd.DataFrame, ranking: pd.DataFrame, *, since: pd.Timestamp, end: pd.Timestamp) -> pd.DataFrame:
    last = uses.groupby("skill_id", as_index=False, observed=True).agg(last_used=("timestamp", "max"))
    shown = ranking.loc[ranking["n_invocations"].fillna(0) > 0, "skill_id"]
    quiet = last[(last["last_used"] < since) & (last["last_used"] >= end - timedelta(weeks=WEEKS))]
    quiet = quiet[~quiet["skill_id"].isin(shown)]
    return quiet.sort_values(["last_used", "skill_id"], ascending=[False, True], ignore_index=True)


def _languages(events: pd.DataFrame) -> pd.DataFrame:
    spoken = events["language"] if "language" in events else pd.Series("", index=events.index)
    return _counted(pd.DataFrame({"language": spoken.fillna("").astype("str")}), by=["language"], name="judged")


def _weak_complaints(frames: Iterable[pd.DataFrame]) -> int:
    """Those of all uses; one whose event and use both tell them counts once."""
    told = [rows[["event_id", "weak_complaints"]] for rows in frames if "weak_complaints" in rows]
    if not told:
        return 0
    return int(pd.concat(told).fillna({"weak_complaints": 0}).groupby("event_id")["weak_complaints"].max().sum())


def _span(moments: "pd.Series[pd.Timestamp]") -> tuple[pd.Timestamp, pd.Timestamp] | None:
    known = moments.dropna()
    return None if known.empty else (known.min(), known.max())


def _counted(rows: pd.DataFrame, *, by: list[str], name: str) -> pd.DataFrame:
    counts = rows.groupby(by, as_index=False, observed=True).size().rename(columns={"size": name})
    return counts.sort_values([name, *by], ascending=[False, *(True for _ in by)], ignore_index=True)
