"""What ``turns`` and ``events`` print of one row."""

import pytest

from skilltune.cli.mined_text import events_text, turn_text

EVENT = {
    "timestamp": "2026-11-29T10:00:00Z",
    "skill_id": "tidy",
    "outcome": "correction",
    "correction_type": "revert",
    "dimension_hint": None,
    "rule": "command.revert",
    "user_message_snippet": "",
    "agent": "codex",
}


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, ["2026-11-29  tidy  revert  [command.revert]  codex", "    (taken back by a command)"]),
        ({"rule": "x", "agent": ""}, ["2026-11-29  tidy  revert  [x]", "    (no words)"]),
        ({"user_message_snippet": "no"}, ["2026-11-29  tidy  revert  [command.revert]  codex", "    no"]),
    ],
)
def test_events_name_their_agent_and_why_there_are_no_words(changes, lines):
    """The same skill of two agents is told apart; what a command decided is not called silence (N16, N22)."""
    assert events_text([EVENT | changes]).splitlines() == lines


@pytest.mark.parametrize(
    ("path", "place"),
    [("/x/opencode.db", "/x/opencode.db:1  opencode ses_1"), ("/x/ses_1.json", "/x/ses_1.json:1  opencode")],
)
def test_turns_name_agent_and_session(path, place):
    """Sessions that share a file are told apart by their ids (N16)."""
    row = {"path": path, "line": 1, "session": "ses_1", "agent": "opencode", "channel": "message", "outcome": "none"}
    row |= {"correction_type": None, "rule": "r", "skill_id": None, "attribution": None, "text": "hm"}
    assert turn_text(row).splitlines() == [f"{place}  message  none  [r]", "    hm"]
