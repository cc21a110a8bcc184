"""Every invented message with the right answer, as the first reply after a skill."""

import json
from pathlib import Path
from typing import Any

import pytest

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
