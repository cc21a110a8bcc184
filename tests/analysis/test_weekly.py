"""One week's summary."""

from dataclasses import replace

import pytest

from skilltune.analysis.weekly import verdict_of, weekly_summary
from skilltune.errors import FrameError, InputError
from skilltune.frames import empty_frame, to_frame
from skilltune.records import FeedbackEvent, Invocation
from tests.invented_weeks import PICTURE, records
from tests.page.summaries import WEEK, judged, summarize, together


@pytest.mark.parametrize(
    ("sufficient", "direction", "discovered", "verdict"),
    [
        (True, "worsening", True, "got_worse"),
        (True, "worsening", False, "looks_worse"),
        (True, "improving", True, "got_better"),
        (True, "improving", False, "looks_better"),
        (True, "stable", True, "no_change"),
        (True, "stable", False, "no_change"),
        (True, "insufficient_data", False, "no_baseline"),
        (True, "no_baseline", False, "no_baseline"),
        (False, "worsening", True, "too_few"),
    ],
)
def test_verdict_needs_evidence(sufficient: bool, direction: str, discovered: bool, verdict: str):
    """Got worse or better only with the interval's and the control's consent."""
    assert verdict_of(sufficient=sufficient, direction=direction, discovered=discovered) == verdict


def test_later_weeks_do_not_exist():
    """Events after the week change nothing."""
    events, uses = records(PICTURE, weeks=6)
    now = weekly_summary(to_frame(events, FeedbackEvent), to_frame(uses, Invocation), week=WEEK)
    later_events, later_uses = records(PICTURE, weeks=2, end=WEEK.end.replace(month=12, day=28))
    both = weekly_summary(
        to_frame(events + later_events, FeedbackEvent), to_frame(uses + later_uses, Invocation), week=WEEK
    )
    assert now.ranking.equals(both.ranking)
    assert now.complaints.equals(both.complaints)


def test_chosen_skills_alone_are_summed_up():
    """Overall, ranking and complaints are those of the named skills."""
    events, uses = (
        to_frame(rows, kind) for rows, kind in zip(records(PICTURE, weeks=6), (FeedbackEvent, Invocation), strict=True)
    )
    summary = weekly_summary(events, uses, week=WEEK, skills=["cpp-expert"])
    assert summary.ranking["skill_id"].tolist() == ["cpp-expert"]
    assert summary.overall["sample_size"].tolist() == summary.ranking["sample_size"].tolist()
    with pytest.raises(InputError, match=r"'nope'.*api-client-gen"):
        weekly_summary(events, uses, week=WEEK, skills=["nope"])


def test_focus_is_the_worst_that_got_worse():
    """A skill with a higher rate but no evidence is passed over."""
    summary = together(
        judged("steady", "cccccccca", days_ago=3),
        judged("steady", "cccccccca", days_ago=40),
        judged("rising", "cccccccccaaaaaaaaa", days_ago=3),
        judged("rising", "aaaaaaaaaaaaaaaaaaa", days_ago=40),
    )
    assert summary.focus == "rising"


def test_versions_are_numbered_by_first_use():
    """The first text seen is 1; texts come back without a new number."""
    events, uses = records([skill for skill in PICTURE if skill.name == "sql-migrations"])
    summary = weekly_summary(to_frame(events, FeedbackEvent), to_frame(uses, Invocation), week=WEEK)
    assert summary.versions["number"].tolist() == [1, 2, 3]
    assert summary.versions["since"].is_monotonic_increasing


def test_nothing_is_new_where_the_log_begins_this_week():
    """A first report does not call every skill new."""
    assert together(judged("x", "caaaaa", days_ago=1)).first_used == ()


def test_log_is_told_apart_from_these_weeks():
    """Uses after the week are counted as logged, and nowhere else; failed calls are no uses."""
    events, uses = judged("x", "ca", days_ago=-9)
    summary = summarize(events, [*uses, replace(uses[0], event_id="f", failed="refused")])
    assert summary.logged_uses == 2
    assert summary.logged_span == (uses[1].timestamp, uses[0].timestamp)
    assert summary.ranking.empty
    assert not summary.has_week_before


def test_judged_uses_are_counted_by_language():
    """Those of the last 30 days, most frequent first; those without words as ''."""
    parts = [("en", "caa", 3), ("zh", "c", 4), ("", "aa", 5), ("zh", "cccc", 40)]
    summary = together(*(judged("x", outcomes, language=code, days_ago=days) for code, outcomes, days in parts))
    assert summary.languages.to_numpy().tolist() == [["en", 3], ["", 2], ["zh", 1]]


def test_shown_courses_have_gaps_where_data_are_few():
    """A window with fewer judged uses than are asked for has no rate."""
    summary = together(judged("x", "ca", days_ago=40), judged("x", "caaaaa", days_ago=3))
    thin = summary.courses["sample_size"] < summary.min_invocations
    assert thin.any()
    assert summary.courses.loc[thin & (summary.courses["sample_size"] > 0), "rate"].notna().all()
    assert summary.shown_courses["rate"].isna().tolist() == thin.tolist()


def test_empty_log_has_a_summary():
    """No event, no use: empty frames, no focus."""
    summary = weekly_summary(empty_frame(FeedbackEvent), empty_frame(Invocation), week=WEEK)
    assert summary.ranking.empty
    assert summary.complaints.empty
    assert summary.focus == ""


def test_frame_without_a_column_is_refused():
    """The missing column is named."""
    with pytest.raises(FrameError, match="skill_id"):
        weekly_summary(empty_frame(FeedbackEvent).drop(columns="skill_id"), empty_frame(Invocation), week=WEEK)
