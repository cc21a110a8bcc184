"""Summaries of invented weeks for the tests of page parts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from skilltune.analysis.isoweeks import iso_week
from skilltune.analysis.weekly import WeeklySummary, weekly_summary
from skilltune.frames import to_frame
from skilltune.page.html import Section
from skilltune.page.weekly import WeeklyPage
from skilltune.records import FeedbackEvent, Invocation
from tests.invented_weeks import END, Skill, records

WEEK = iso_week("2026-W48", time_zone="Europe/Berlin")
MADE = date(2026, 11, 30)
ACCURACY = {
    "turns": 137,
    "projects": 6,
    "outcomes": {
        "correction": {"precision": {"rate": 38 / 44, "k": 38, "n": 44}, "recall": {"rate": 0.72, "n": 53}},
        "partial": {"precision": {"rate": 0.68, "k": 17, "n": 25}, "recall": {"rate": 0.63, "n": 27}},
        "acceptance": {"precision": {"rate": 0.86, "k": 61, "n": 71}, "recall": {"rate": 0.92, "n": 66}},
    },
}


def summary_of(skills: Sequence[Skill], *, seed: int = 3, **options) -> WeeklySummary:
    """The summary of invented skills' weeks."""
    events, uses = records(skills, seed=seed)
    return summarize(events, uses, **options)


def summarize(events: Sequence[FeedbackEvent], uses: Sequence[Invocation], **options) -> WeeklySummary:
    """The summary of given events and uses."""
    return weekly_summary(to_frame(events, FeedbackEvent), to_frame(uses, Invocation), week=WEEK, **options)


def judged(
    skill_id: str, outcomes: str, *, days_ago: float = 3, **fields
) -> tuple[list[FeedbackEvent], list[Invocation]]:
    """One event and use for each letter: c(orrection), p(artial), a(cceptance), and - for a use without verdict."""
    skill = Skill(skill_id, judged=40, coverage=0.9, first_week=0)
    made, uses = records([skill], weeks=1)
    template, use = made[0], uses[0]
    words = {"c": "correction", "p": "partial", "a": "acceptance"}
    kinds = {"c": "rejection", "p": "partial", "a": None}
    events, invocations = [], []
    for place, letter in enumerate(outcomes):
        event_id = f"{skill_id}-{days_ago}-{place}"
        at = END - timedelta(days=days_ago, minutes=place)
        # a session each: uses of one session count for less
        reason = "no_turn" if letter == "-" else ""
        invocations.append(replace(use, event_id=event_id, session_id=event_id, timestamp=at, reason=reason))
        if letter != "-":
            values = {
                "user_message_snippet": "You forgot the error case.",
                "dimension_hint": "coverage" if letter != "a" else None,
                "language": "en",
                "session_id": event_id,
            } | fields
            events.append(
                replace(
                    template,
                    event_id=event_id,
                    timestamp=at,
                    outcome=words[letter],
                    correction_type=kinds[letter],
                    **values,
                )
            )
    return events, invocations


def together(*parts: tuple[list[FeedbackEvent], list[Invocation]]) -> WeeklySummary:
    """The summary of several ``judged`` at once."""
    return summarize([event for events, _ in parts for event in events], [use for _, uses in parts for use in uses])


def sections_of(page: WeeklyPage) -> list[Section]:
    """All parts of a page in the notebook's order."""
    return [
        page.masthead(),
        page.headline(),
        page.complaints(),
        page.skills(),
        page.hotspots(),
        page.closeup(),
        page.contradictions(),
        page.waiting(),
        page.refinements(),
        page.ratings(),
        page.data_health(),
        page.corrected_rates(),
        page.how_good(),
        page.foot(),
    ]
