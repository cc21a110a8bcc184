"""The model card: what the classifier was made of and how good it is on turns that it had not seen."""

from collections.abc import Sequence
from typing import Any

from skilltune.training.evaluating import Judged
from skilltune.training.figures import (
    GROUPS,
    attribution,
    calibration_curve,
    confusion,
    quality,
    reader_agreement,
)

__all__ = ["build_card", "measure", "rates"]

_MAIN = ("negative", "acceptance")


def build_card(by_session: Sequence[Judged], by_source: Sequence[Judged], *, first_file: int) -> dict[str, Any]:
    """The measured part of the card.

    Parameters
    ----------
    by_session
        All labelled turns, each judged without having seen its session.
    by_source
        The same turns in the same order, each judged without having seen its project.
    first_file
        Number of turns, from the first, that make up the set of one project that others measure on.
    """
    sources = [row.turn.source for row in by_session]
    main = max(sorted(set(sources)), key=sources.count)
    small = [row for row in by_source if row.turn.source != main]
    agents = sorted({row.turn.agent for row in by_session if row.turn.agent})
    return {
        "turns": len(by_session),
        "sessions": len({row.turn.session for row in by_session}),
        "projects": len(set(sources)),
        "languages": sorted({row.turn.language for row in by_session}),
        "outcomes": {group: quality(by_session, group) for group in GROUPS},
        "second_reader": {group: quality(by_session, group, second=True) for group in _MAIN},
        "rules_alone": {group: quality(by_session, group, said=lambda row: row.by_rules) for group in _MAIN},
        "rate": rates(by_session),
        "one_project": {**measure(by_session[:first_file]), "rate": rates(by_session[:first_file])},
        "largest_project_unseen": measure([row for row in by_source if row.turn.source == main]),
        "other_projects": {**measure(small), "projects": len(set(sources)) - 1},
        "by_agent": {agent: measure([row for row in by_source if row.turn.agent == agent]) for agent in agents},
        "readers": reader_agreement(by_session),
        "calibration": {group: calibration_curve(by_session, group) for group in _MAIN},
        "attribution": attribution(by_source),
        "confusion": confusion(by_session),
    }


def measure(judged: Sequence[Judged]) -> dict[str, Any]:
    """Complaints and acceptances of some turns, against each reader."""
    return {
        "turns": len(judged),
        "outcomes": {group: quality(judged, group) for group in _MAIN},
        "second_reader": {group: quality(judged, group, second=True) for group in _MAIN},
    }


def rates(judged: Sequence[Judged]) -> dict[str, float | None]:
    """The share of complaints as labelled, as said, and as the probabilities add up to."""
    if not judged:
        return {"true": None, "said": None, "probabilities": None}
    negative = GROUPS["negative"]
    number = len(judged)
    return {
        "true": round(sum(row.turn.outcome in negative for row in judged) / number, 4),
        "said": round(sum(row.outcome in negative for row in judged) / number, 4),
        "probabilities": round(sum(row.p_negative for row in judged) / number, 4),
    }
