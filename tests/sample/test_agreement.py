"""The whole chain over the sample: every use is found, and the outcomes agree with a careful person's."""

from collections import Counter

import pytest

from skilltune.mining.sessions import MinedRecords, mine_sessions
from skilltune.records import FeedbackEvent
from skilltune.sample import sample_end, sample_root
from skilltune.scan import scan

from .reading import counted_uses, truth

AGREEMENT = 0.9
"""Share of the uses not marked hard whose outcome and kind must be right."""


@pytest.fixture(scope="module")
def mined() -> MinedRecords:
    """Everything mined from the sample as of its end."""
    return mine_sessions(scan([sample_root() / "projects"]).files, as_of=sample_end())


@pytest.fixture(scope="module")
def events(mined) -> dict[tuple[str, str], FeedbackEvent]:
    """Events by id of the use and skill."""
    return {(event.invocation_uuid, event.skill_id): event for event in mined.events}


def key(row: dict) -> tuple[str, str]:
    """What names a use."""
    return row["id"], row["skill_id"]


def verdict(event: FeedbackEvent | None) -> tuple[str, str | None]:
    """Outcome and kind of an event, as the truth writes them."""
    return ("none", None) if event is None else (event.outcome, event.correction_type)


def shares(pairs: list[tuple[object, object]]) -> tuple[float, list[tuple[object, object]]]:
    """Share of equal pairs, and the others."""
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    return 1 - len(wrong) / len(pairs), wrong


def test_uses_found_are_those_of_the_truth(mined):
    """No use is missed, none is invented, none is counted twice."""
    found = Counter((use.invocation_uuid, use.skill_id, use.via, use.failed) for use in mined.invocations)
    wanted = Counter((*key(row), row["via"], row.get("failed", "")) for row in truth() if "left_out" not in row)
    assert found == wanted


def test_uses_found_name_session_time_and_version(mined):
    """Session, time and version of each use are the true ones."""
    found = {(use.invocation_uuid, use.skill_id): use for use in mined.invocations}
    for row in counted_uses():
        use = found[key(row)]
        assert use.session_id == row["session"]
        assert use.timestamp is not None
        assert use.timestamp.strftime("%Y-%m-%dT%H:%M:%S") == row["timestamp"][:19]
        assert use.skill_digest == row.get("skill_digest", use.skill_digest)


def test_sessions_left_out_are_counted(mined):
    """The scripted session and the three in passing folders are counted by reason."""
    reasons = ("session_scripted", "session_temporary", "session_observer", "session_pytest")
    assert [mined.dropped[reason] for reason in reasons] == [1, 1, 1, 1]


def test_outcomes_agree_with_the_truth(events):
    """Where rules can be expected to get it, outcome and kind are right nine times in ten or more."""
    rows = [row for row in counted_uses() if "hard" not in row]
    pairs = [((row["outcome"], row.get("correction_type")), verdict(events.get(key(row)))) for row in rows]
    share, wrong = shares(pairs)
    assert share >= AGREEMENT, wrong


def test_turns_agree_with_the_truth(events):
    """The deciding turn is the true one wherever the outcome is right and the count is beyond argument."""
    rows = [row for row in counted_uses() if "turn" in row and "hard" not in row and key(row) in events]
    right = [row for row in rows if verdict(events[key(row)]) == (row["outcome"], row.get("correction_type"))]
    share, wrong = shares([(row["turn"], events[key(row)].turns_to_feedback) for row in right])
    assert share >= 0.97, wrong


def test_dimensions_agree_with_the_truth(events):
    """What was wrong is named rightly three times in four or more, where the outcome is right."""
    rows = [row for row in counted_uses() if "dimension" in row and "hard" not in row and key(row) in events]
    right = [row for row in rows if verdict(events[key(row)]) == (row["outcome"], row["correction_type"])]
    share, wrong = shares([(row["dimension"], events[key(row)].dimension_hint) for row in right])
    assert share >= 0.75, wrong


def test_flags_agree_with_the_truth(events):
    """Interrupts before the deciding turn and clean-ups by the agent are flagged where they happened."""
    for row in counted_uses():
        event = events.get(key(row))
        if event is not None and verdict(event) == (row["outcome"], row.get("correction_type")) and "hard" not in row:
            assert event.self_reverted == row.get("self_reverted", False), row
            assert event.interrupted == row.get("interrupted", False), row


def test_messages_in_other_languages_give_no_event(events):
    """A message in a language without a lexicon decides nothing, least of all an acceptance."""
    unread = [row for row in counted_uses() if row.get("reason") == "language"]
    assert len(unread) >= 4
    assert [row for row in unread if key(row) in events] == []


def test_messages_in_other_languages_are_named_as_such(mined):
    """Nine in ten or more are known to be in another language, so that a report can say how many went unread."""
    reasons = {(use.invocation_uuid, use.skill_id): use.reason for use in mined.invocations}
    found = [reasons[key(row)] == "language" for row in counted_uses() if row.get("reason") == "language"]
    assert sum(found) >= 0.9 * len(found)
