"""Every invented message with the right answer, as the first reply after a skill."""

import json
from pathlib import Path
from typing import Any

import pytest

from skilltune.mining import Verdict, classify_outcome
from skilltune.mining.outcomes import is_new_request
from tests.mining.stories import mine, says, session, skill

MESSAGES = Path(__file__).parent / "data" / "messages.jsonl"


def read_messages() -> list[dict[str, Any]]:
    """The messages, one a line."""
    return [json.loads(line) for line in MESSAGES.read_text(encoding="utf-8").splitlines()]


def is_right(case: dict[str, Any]) -> bool:
    """Whether the event of a use with this message as the first reply has the outcome, kind and dimension asked for."""
    events = mine(session(skill(), says(case["message"]))).events
    if case["outcome"] == "none":
        return events == []
    (event,) = events
    implicit = event.rule.startswith("implicit")
    kind = event.correction_type or ("implicit" if implicit else "explicit")
    dimension = None if event.outcome == "acceptance" else case["dimension"] or "unknown"
    return (event.outcome, kind, event.dimension_hint) == (case["outcome"], case["kind"], dimension)


@pytest.mark.parametrize("case", read_messages(), ids=lambda case: case["id"])
def test_message_has_the_right_event(case):
    """A message as the first reply after a skill gives its outcome, kind and dimension."""
    assert is_right(case), case["message"]


KINDS = {
    "question": {"question"},
    "self": {"own_mistake"},
    "topic": {"new_task", "aside", "forward", "no_signal"},
}
"""Kinds of messages that judge nothing, and the reasons that say so."""


def read_shared(shared: Path) -> list[dict[str, Any]]:
    """The shared messages, one a line."""
    text = (shared / "vectors" / "messages.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def outcome_of(verdict: Verdict, case: dict[str, Any]) -> str:
    """The outcome that a use earns by a message; going on to new work is an acceptance that is not said."""
    return "acceptance" if case["kind"] == "implicit" and is_new_request(verdict) else verdict.outcome


def has_kind(verdict: Verdict, case: dict[str, Any]) -> bool:
    """Whether a verdict is of the kind asked for, or says nothing for a reason that fits."""
    if outcome_of(verdict, case) != case["outcome"]:
        return False
    if verdict.outcome == "none":
        return case["kind"] == "implicit" or verdict.reason in KINDS[case["kind"]]
    return (verdict.correction_type or "explicit") == case["kind"]


def test_shared_messages_have_the_right_outcome(shared):
    """Of the shared messages, judged alone, at least 95 % have the outcome and 90 % the kind that was asked for."""
    cases = read_shared(shared)
    verdicts = [classify_outcome(case["message"]) for case in cases]
    wrong = [case["id"] for case, one in zip(cases, verdicts, strict=True) if outcome_of(one, case) != case["outcome"]]
    unkind = [case["id"] for case, one in zip(cases, verdicts, strict=True) if not has_kind(one, case)]
    assert len(cases) >= 50
    assert len(wrong) <= 0.05 * len(cases), wrong
    assert len(unkind) <= 0.10 * len(cases), unkind
    assert "M07" not in wrong


def test_shared_messages_decide_a_window(shared):
    """So it is with each of them as the first reply after a skill."""
    wrong = []
    for case in read_shared(shared):
        events = mine(session(skill(), says(case["message"]))).events
        if (events[0].outcome if events else "none") != case["outcome"]:
            wrong.append(case["id"])
    assert len(wrong) <= 0.05 * 50, wrong
