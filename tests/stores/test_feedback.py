"""The feedback log: what is written, what is read back, what a rebuild keeps."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from skilltune.errors import RecordError
from skilltune.records import FeedbackEvent
from skilltune.stores.feedback import FeedbackLog, OverwriteCounts, Scope, ScrubCounts, UpdateCounts
from skilltune.stores.rows import row_digest
from tests.conftest import ROOT
from tests.stores.makers import NOW, event, rows, use

TWELVE = [
    "event_id",
    "timestamp",
    "session_id",
    "skill_id",
    "invocation_uuid",
    "outcome",
    "confidence",
    "correction_type",
    "user_message_snippet",
    "turns_to_feedback",
    "ai_tools_used",
    "dimension_hint",
]
ACCEPTED = {"outcome": "acceptance", "confidence": 0.8, "correction_type": None, "dimension_hint": None}
SCOPE = Scope(frozenset({"A1", "A2", "U1", "U2"}))


@pytest.fixture
def log(tmp_path):
    """An empty log in a folder that is not there yet."""
    return FeedbackLog(tmp_path / "store" / "feedback.jsonl")


def test_update_writes_documented_fields_first(log):
    """A line holds the 12 documented fields in their order, then ours, in UTC and plain types."""
    log.update([event(timestamp=datetime(2026, 11, 20, 10, tzinfo=UTC))], [])
    (row,) = rows(log.path)
    assert list(row)[:12] == TWELVE
    assert row["event_id"] == "2115856688a70813"
    assert row["timestamp"] == "2026-11-20T10:00:00Z"
    assert row["ai_tools_used"] == ["Edit", "Read"]
    assert row["supersedes"] == ""
    assert {"p_negative", "ruleset", "attribution", "channel", "rule", "language", "self_reverted"} <= row.keys()


def test_update_twice_adds_nothing(log):
    """P01: three events mined twice are three lines after either run."""
    events = [event(f"A{i}") for i in range(3)]
    assert log.update(events, [use("B1")]) == UpdateCounts(new=3, uses=1)
    before = log.path.read_bytes(), log.uses_path.read_bytes()
    assert log.update(reversed(events), [use("B1")]) == UpdateCounts(unchanged=3)
    assert (log.path.read_bytes(), log.uses_path.read_bytes()) == before
    assert len(rows(log.path)) == 3


def test_update_reads_back_equal(log):
    """What was written is read back field by field."""
    written = [
        event("A1", user_message_snippet="größer → 不对 😅"),
        event("A2", timestamp=None, p_negative=0.25, channel="denial", agent="codex", interrupted=True),
        event("A3", **ACCEPTED),
    ]
    uses = [use("B1", installed=True, agent="claude-code", path="/x/a.jsonl", line=7), use("B2", via=None)]
    log.update(written, uses)
    contents = log.read(strict=True)
    assert contents.events == written
    assert contents.uses == uses
    assert contents.problems == []


def test_update_supersedes_changed_outcome(log):
    """An outcome that changed is a new line that names the digest of the one it replaces; the old one stays."""
    log.update([event()], [])
    assert log.update([event(**ACCEPTED)], []) == UpdateCounts(updated=1)
    old, new = rows(log.path)
    assert (old["outcome"], old["supersedes"]) == ("correction", "")
    assert (new["outcome"], new["supersedes"]) == ("acceptance", row_digest(old))
    assert [e.outcome for e in log.read().events] == ["acceptance"]


def test_row_digest_can_be_recomputed_by_any_reader(log):
    """The digest is the documented hash of the line's JSON without its text."""
    log.update([event()], [])
    (row,) = rows(log.path)
    del row["user_message_snippet"]
    text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    log.update([event(**ACCEPTED)], [])
    assert rows(log.path)[1]["supersedes"] == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_update_there_and_back_again(log):
    """A verdict that returns to what it was is current again."""
    for outcome in ({}, ACCEPTED, {}, ACCEPTED, {}):
        log.update([event(**outcome)], [])
    assert [e.outcome for e in log.read().events] == ["correction"]
    assert len({row_digest(row) for row in rows(log.path)}) == 5


def test_update_use_becomes_event(log):
    """A use that had no reaction and now has one counts once, as an event."""
    log.update([], [use()])
    assert log.update([event()], []) == UpdateCounts(new=1)
    contents = log.read()
    assert ([e.event_id for e in contents.events], contents.uses) == ([event().event_id], [])
    assert rows(log.path)[0]["supersedes"] == row_digest(rows(log.uses_path)[0])


def test_update_event_becomes_use_and_event_again(log):
    """An event that no longer holds is withdrawn by a line in uses.jsonl; it can come back."""
    log.update([event()], [])
    assert log.update([], [use(reason="question", turns_seen=1)]) == UpdateCounts(withdrawn=1)
    contents = log.read()
    assert (contents.events, [u.reason for u in contents.uses]) == ([], ["question"])
    assert len(rows(log.path)) == 1
    assert log.update([], [use(reason="question", turns_seen=1)]) == UpdateCounts()
    assert log.update([event()], []) == UpdateCounts(new=1)
    contents = log.read()
    assert (len(contents.events), contents.uses) == (1, [])
    assert log.update([event()], []) == UpdateCounts(unchanged=1)


def test_update_passes_over_uses_with_event_and_keeps_failed_calls_apart(log):
    """All invocations of a run may be given: those with an event make no line, failed calls say that they failed."""
    log.update([event()], [use(reason=""), use("B1", failed="refused"), use("B2")])
    assert [(row["event_id"], row["failed"]) for row in rows(log.uses_path)] == [
        (use("B1").event_id, "refused"),
        (use("B2").event_id, ""),
    ]
    assert [found.failed for found in log.read().invocations] == ["", "refused", ""]


def test_update_new_ruleset_recomputes_all(log):
    """Another ruleset is a change even where the verdict stays; the old lines are kept."""
    log.update([event("A1"), event("A2")], [])
    assert log.update([event("A1", ruleset="r2"), event("A2", ruleset="r2")], []) == UpdateCounts(updated=2)
    assert [row["ruleset"] for row in rows(log.path)] == ["r1", "r1", "r2", "r2"]
    assert {e.ruleset for e in log.read().events} == {"r2"}


def test_update_text_alone_is_no_change(log):
    """A scrubbed or text-less line is not written again because the transcript still has the text."""
    log.update([event()], [], snippets=False)
    assert log.update([event()], [], snippets=True) == UpdateCounts(unchanged=1)
    assert "totals" not in log.path.read_text()


def test_update_moved_folder_is_no_change(log):
    """A use whose file moved, or whose skill was installed since, is the same use."""
    log.update([], [use(path="/a/x.jsonl", line=3, installed=False)])
    assert log.update([], [use(path="/b/x.jsonl", line=3, installed=True)]) == UpdateCounts()


def test_update_without_snippets_writes_no_text(log):
    """With snippets=False no word of the person is in any file."""
    log.update([event()], [use("B1")], snippets=False)
    files = [path for path in log.path.parent.rglob("*") if path.is_file()]
    assert not any(b"totals" in path.read_bytes() for path in files)


def test_update_masks_secrets(log):
    """Secrets and addresses are not written."""
    log.update([event(user_message_snippet="no! password: hunter2x, mail ops@example.org")], [])
    assert rows(log.path)[0]["user_message_snippet"] == "no! password: [secret], mail [email]"


def test_update_cleans_half_characters(log):
    """A lone surrogate is replaced, in any field, and the second run still finds nothing to add."""
    odd = event(user_message_snippet="bad \ud83d end", session_id="S\udc00", ai_tools_used=("a\ud800",))
    log.update([odd], [use("B1", reason="\ud83d")])
    assert log.update([odd], [use("B1", reason="\ud83d")]) == UpdateCounts(unchanged=1)
    assert log.read().events[0].user_message_snippet == "bad \ufffd end"


def test_update_one_line_for_readers_that_split_elsewhere(log):
    """Line separators of Unicode inside a text do not part the line for readers that split at them."""
    log.update([event(project="a\u2028b\u0085c")], [])
    assert len(log.path.read_text(encoding="utf-8").splitlines()) == 1
    assert log.read().events[0].project == "a\u2028b\u0085c"


def test_update_continues_log_of_another_tool(log):
    """An event of a 12-field log is superseded by ours; fields nobody here knows come along."""
    log.path.parent.mkdir()
    old = _foreign_row(reviewed_by="me")
    log.path.write_text(json.dumps(old) + "\n")
    assert log.update([event()], []) == UpdateCounts(updated=1)
    first, second = rows(log.path)
    assert first == old
    assert (second["reviewed_by"], second["supersedes"]) == ("me", row_digest(old))
    assert log.update([event()], []) == UpdateCounts(unchanged=1)


def test_events_of_records_without_uuid_are_distinct():
    """P05: ids made of session id, file name and line differ between sessions and lines."""
    ids = {event(f"{session}:{session}.jsonl:{line}").event_id for session in ("S1", "S2") for line in (1, 2)}
    assert len(ids) == 4


# reading -------------------------------------------------------------------------------------------------------------


def _foreign_row(**changes) -> dict:
    row = dict(zip(TWELVE, ["2115856688a70813", "2026-11-20T10:00:00Z", "S1", "s1", "A1"], strict=False))
    row |= {"outcome": "correction", "confidence": 0.9, "correction_type": "rejection", "user_message_snippet": "no"}
    return row | {"turns_to_feedback": 1, "ai_tools_used": ["Edit"], "dimension_hint": "accuracy"} | changes


def _write(log, *lines) -> None:
    log.path.parent.mkdir(exist_ok=True)
    log.path.write_bytes(b"".join((x if isinstance(x, bytes) else json.dumps(x).encode()) + b"\n" for x in lines))


def test_read_missing_log_is_empty(log):
    """Where nothing was ever written there is nothing to read, move or scrub, and nothing is made."""
    assert log.read().events == []
    assert (log.update([], []), log.archive(NOW), log.scrub()) == (UpdateCounts(), 0, ScrubCounts(0, 0))
    assert not log.exists()
    assert not log.path.parent.exists()


def test_read_log_of_another_tool(log):
    """A line with only the 12 fields is an event, with our fields empty."""
    _write(log, _foreign_row())
    (found,) = log.read(strict=True).events
    assert (found.ruleset, found.attribution, found.p_negative, found.interrupted) == ("", None, None, False)
    assert found.ai_tools_used == ("Edit",)


@pytest.mark.parametrize(
    ("stamp", "hour"),
    [
        ("2026-11-20T10:00:00Z", 10),
        ("2026-11-20T10:00:00+08:00", 2),
        ("2026-11-20T10:00:00", 10),
        ("2026-11-20T10:00:00.123456-05:00", 15),
        ("2026-11-20 10:00:00+00:00", 10),
    ],
)
def test_read_timestamp(log, stamp, hour):
    """P07: times with an offset, with Z and without a zone (UTC) are read."""
    _write(log, _foreign_row(timestamp=stamp))
    time = log.read().events[0].timestamp
    assert (time.hour, time.utcoffset()) == (hour, timedelta())


@pytest.mark.parametrize(
    "stamp", ["yesterday", 17, "", ["x"], "0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31"]
)
def test_read_odd_timestamp_keeps_event(log, stamp):
    """An event whose time cannot be read has none; that is reported, unless there simply was none."""
    _write(log, _foreign_row(timestamp=stamp))
    contents = log.read()
    assert contents.events[0].timestamp is None
    assert contents.problem_counts == ({} if stamp == "" else {"odd_timestamp": 1})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("confidence", "abc"),
        ("confidence", 7),
        ("confidence", None),
        ("outcome", "meh"),
        ("outcome", ""),
        ("outcome", "none"),
        ("correction_type", "shrug"),
        ("turns_to_feedback", "one"),
        ("turns_to_feedback", True),
        ("turns_to_feedback", -1),
        ("turns_to_feedback", 10**20),
        ("turns_to_feedback", 10**6 + 1),
        ("turns_to_feedback", float("nan")),
        ("confidence", float("nan")),
        ("confidence", float("inf")),
        ("ai_tools_used", "Edit"),
        ("ai_tools_used", [1]),
        ("event_id", ""),
        ("event_id", None),
        ("skill_id", 3),
        ("session_id", ["S1"]),
        ("user_message_snippet", {"text": "no"}),
    ],
)
def test_read_odd_value_is_a_problem(log, field, value):
    """A line with a value that makes no sense is counted with its number and reason; the others are read."""
    _write(log, _foreign_row(), _foreign_row(**{"event_id": "other", field: value}))
    contents = log.read()
    assert len(contents.events) == 1
    assert [(p.line, p.reason) for p in contents.problems] == [(2, f"odd_{field}")]


@pytest.mark.parametrize(("field", "value"), [("channel", "voice"), ("p_negative", "x"), ("dimension_hint", "taste")])
def test_read_unknown_word_in_our_fields_keeps_event(log, field, value):
    """A word of a later version is left out and reported; the event counts."""
    _write(log, _foreign_row(**{field: value}))
    contents = log.read()
    assert getattr(contents.events[0], field) is None
    assert contents.problem_counts == {f"odd_{field}": 1}


DAMAGED = [
    (b'{"event_id": "x", "outco', "cut_off"),
    (b"not json", "not_json"),
    (b"[1,2]", "not_an_object"),
    (b"null", "not_an_object"),
    (b"[" * 100_000, "not_json"),
    (b"\xff\xfe", "not_json"),
    (b'{"event_id": "x", "odd": ' + b"[" * 300 + b"]" * 300 + b"}", "too_deep"),
    (b'{"event_id": "x", "odd": ' + b'{"a":' * 200 + b"1" + b"}" * 200 + b"}", "too_deep"),
    (b'{"event_id": "\xff", "odd": ' + b"[" * 200 + b"]" * 200 + b"}", "too_deep"),
]


@pytest.mark.parametrize(("raw", "reason"), DAMAGED, ids=[reason + str(i) for i, (_, reason) in enumerate(DAMAGED)])
def test_read_damaged_line(log, raw, reason):
    """A line that is no object is counted; strict=True raises with path and line."""
    _write(log, _foreign_row(), raw)
    if reason == "cut_off":
        log.path.write_bytes(log.path.read_bytes()[:-1])
    contents = log.read()
    assert (len(contents.events), contents.problem_counts) == (1, {reason: 1})
    with pytest.raises(RecordError, match=f":2: {reason}") as caught:
        log.read(strict=True)
    assert (caught.value.line, caught.value.path) == (2, str(log.path))


def test_read_odd_bytes_in_text(log):
    """K21: a BOM, CRLF, invalid UTF-8, a NUL and half a surrogate pair in a text are replaced and flagged."""
    raw = json.dumps(_foreign_row(user_message_snippet="X")).encode()
    lines = [
        b"\xef\xbb\xbf" + raw.replace(b"2115", b"1111") + b"\r",
        raw.replace(b'"X"', b'"gr\xf6\xdfer"').replace(b"2115", b"2222"),
        raw.replace(b'"X"', b'"a\0b"').replace(b"2115", b"3333"),
        raw.replace(b'"X"', b'"a\\ud83db"').replace(b"2115", b"4444"),
    ]
    _write(log, *lines, b"", b"   ")
    contents = log.read()
    assert [e.user_message_snippet for e in contents.events] == ["X", "gr\ufffd\ufffder", "ab", "a\ufffdb"]
    assert [(p.line, p.reason) for p in contents.problems] == [(n, "replaced_characters") for n in (2, 3, 4)]


def test_read_last_line_of_a_file_wins(log):
    """Two lines of one event without supersedes, as other tools write them: the later one counts."""
    _write(log, _foreign_row(), _foreign_row(outcome="acceptance", correction_type=None))
    assert [e.outcome for e in log.read().events] == ["acceptance"]


def test_invocations_cover_events_and_uses(log):
    """Every use is there once for coverage, with or without an event."""
    log.update([event("A1"), event("A2")], [use("B1")])
    invocations = log.read().invocations
    assert {i.event_id for i in invocations} == {event("A1").event_id, event("A2").event_id, use("B1").event_id}
    assert [i.reason for i in invocations] == ["", "", "no_turn"]


def test_log_where_nothing_is_utf8(log):
    """K21: where the locale is C and Python's UTF-8 mode is off, texts are written and read as UTF-8 all the same."""
    code = (
        "import sys; from skilltune.stores.feedback import FeedbackLog; from tests.stores.makers import event\n"
        "log = FeedbackLog(sys.argv[1])\n"
        "log.update([event(user_message_snippet='gr\\xf6\\xdfer \\u2192 \\u4e0d\\u5bf9 \\U0001f605')], [])\n"
        "print(ascii(log.read(strict=True).events[0].user_message_snippet))"
    )
    env = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", code, str(log.path)]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ascii("größer → 不对 😅")
    assert "größer → 不对 😅".encode() in log.path.read_bytes()


# overwrite -----------------------------------------------------------------------------------------------------------


def test_overwrite_of_resumed_copy(log):
    """P03: a session and its resumed copy, which share one use: one line for each use."""
    log.update([event("A1", session_id="S2")], [])
    scope = Scope(frozenset({"A1", "A2"}))
    counts = log.overwrite([event("A1"), event("A2", session_id="S2")], [], scope=scope)
    assert counts == OverwriteCounts(new=1, updated=1, unchanged=0, removed=0, kept=0)
    assert [(row["invocation_uuid"], row["session_id"]) for row in rows(log.path)] == [("A1", "S1"), ("A2", "S2")]


def test_overwrite_keeps_events_whose_transcript_is_gone(log):
    """K07: uses that the run did not meet stay, line by line, with their history."""
    gone = event("G1", session_id="S9")
    log.update([gone, event("A1"), event("A2")], [use("U9", session_id="S9"), use("U1")])
    log.update([event("G1", session_id="S9", **ACCEPTED)], [])
    kept = [line for line in log.path.read_bytes().splitlines() if b'"G1"' in line]
    counts = log.overwrite([event("A1", **ACCEPTED)], [], scope=SCOPE)
    assert counts == OverwriteCounts(new=0, updated=1, unchanged=0, removed=1, kept=1)
    assert [line for line in log.path.read_bytes().splitlines() if b'"G1"' in line] == kept
    assert [row["invocation_uuid"] for row in rows(log.path)] == ["G1", "G1", "A1"]
    assert [row["invocation_uuid"] for row in rows(log.uses_path)] == ["U9"]


def test_overwrite_replaces_only_filtered_skills(log):
    """With a skill filter the events of other skills in the same sessions stay."""
    log.update([event("A1", "s1"), event("A2", "s2")], [use("U1", "s1"), use("U2", "s2")])
    log.overwrite([], [], scope=Scope(SCOPE.invocations, frozenset({"s1"})))
    assert [row["skill_id"] for row in rows(log.path) + rows(log.uses_path)] == ["s2", "s2"]


def test_overwrite_from_a_part_of_a_session(log):
    """Where a file holds only some records of a session, the uses that they do not show stay."""
    log.update([event("A1"), event("A2")], [])
    counts = log.overwrite([event("A2")], [], scope=Scope(frozenset({"A2", "A3"})))
    assert counts == OverwriteCounts(new=0, updated=0, unchanged=1, removed=0, kept=1)
    assert [e.invocation_uuid for e in log.read().events] == ["A1", "A2"]


def test_overwrite_twice_is_once(log):
    """A second rebuild from the same finds changes no byte."""
    found = [event("A1", **ACCEPTED), event("A2")], [use("U1")]
    log.update([event("A1")], [use("A2")])
    log.overwrite(*found, scope=SCOPE)
    before = log.path.read_bytes(), log.uses_path.read_bytes()
    assert log.overwrite(*found, scope=SCOPE) == OverwriteCounts(new=0, updated=0, unchanged=2, removed=0, kept=0)
    assert (log.path.read_bytes(), log.uses_path.read_bytes()) == before
    assert log.update(*found) == UpdateCounts(unchanged=2)


def test_overwrite_keeps_that_a_verdict_changed(log):
    """The one line that a rebuild leaves still says that it replaced another one."""
    log.update([event()], [])
    replaced = row_digest(rows(log.path)[0])
    log.overwrite([event(**ACCEPTED)], [], scope=SCOPE)
    assert [row["supersedes"] for row in rows(log.path)] == [replaced]


def test_overwrite_brings_text_back_or_empties_all(log):
    """A rebuild writes the texts anew; without snippets it empties those it keeps, in the archive too."""
    old = NOW - timedelta(days=100)
    log.update([event("G1", session_id="S9"), event("O1", session_id="S9", timestamp=old), event("A1")], [])
    log.archive(NOW)
    log.scrub()
    log.update([event("G2", session_id="S9"), event("O2", session_id="S9", timestamp=old)], [])
    log.archive(NOW)
    log.overwrite([event("A1")], [], scope=SCOPE)
    texts = {e.invocation_uuid: e.user_message_snippet != "" for e in log.read().events}
    assert texts == {"G1": False, "O1": False, "A1": True, "G2": True, "O2": True}
    log.overwrite([event("A1")], [], scope=SCOPE, snippets=False)
    assert {e.user_message_snippet for e in log.read().events} == {""}
    assert len(log.read().events) == 5


def test_overwrite_withdraws_event(log):
    """An event that the rebuild finds to be a mere use is gone for every reader of the 12 fields, too."""
    log.update([event()], [])
    counts = log.overwrite([], [use(reason="question")], scope=SCOPE)
    assert (counts.removed, rows(log.path)) == (1, [])
    assert [u.reason for u in log.read().uses] == ["question"]


def test_overwrite_of_archived_event(log):
    """An archived event that is found again has one line, wherever that is."""
    old = {"timestamp": NOW - timedelta(days=100)}
    log.update([event(**old)], [])
    log.archive(NOW)
    log.overwrite([event(**old, **ACCEPTED)], [], scope=SCOPE)
    log.archive(NOW)
    assert rows(log.path) == []
    (path,) = log.archive_folder.glob("*.jsonl")
    assert [row["outcome"] for row in rows(path)] == ["acceptance"]


def test_overwrite_keeps_damaged_lines_and_unknown_fields(log):
    """A rebuild loses no line that it cannot read, and no field that it does not know."""
    _write(
        log,
        b"damaged",
        _foreign_row(event_id=event().event_id) | {"note": "mine"},
        _foreign_row(event_id="e9", session_id="S9"),
    )
    log.overwrite([event()], [], scope=SCOPE)
    lines = log.path.read_bytes().splitlines()
    assert b"damaged" in lines
    assert any(b'"note": "mine"' in line for line in lines)
    assert log.read().problem_counts == {"not_json": 1}


# shorter copies of a session -----------------------------------------------------------------------------------------

LESS = [
    pytest.param(event(turns_seen=2), [event(turns_seen=1, **ACCEPTED)], [], id="event by another event"),
    pytest.param(event(turns_seen=1), [], [use(turns_seen=0)], id="event by none"),
    pytest.param(use(turns_seen=3, reason="question"), [], [use(turns_seen=1, reason="language")], id="use by a use"),
    pytest.param(use(turns_seen=3, reason="question"), [event(turns_seen=1)], [], id="use by an event"),
]


def _store(log, record):
    log.update(*(([record], []) if isinstance(record, FeedbackEvent) else ([], [record])))


@pytest.mark.parametrize(("logged", "events", "uses"), LESS)
def test_less_evidence_replaces_nothing(log, logged, events, uses):
    """What rests on more turns stays when a shorter copy of the session is read, in an update and a rebuild."""
    _store(log, logged)
    before = log.read()
    files = {path: path.read_bytes() for path in log.path.parent.glob("*.jsonl")}
    seen = int(bool(events) or isinstance(logged, FeedbackEvent))
    assert log.update(events, uses) == UpdateCounts(kept_longer=seen)
    counts = log.overwrite(events, uses, scope=SCOPE)
    assert counts == OverwriteCounts(new=0, updated=0, unchanged=0, removed=0, kept=0, kept_longer=seen)
    assert {path: path.read_bytes() for path in log.path.parent.glob("*.jsonl")} == files
    assert log.read() == before


@pytest.mark.parametrize(
    ("logged", "fresh"),
    [
        (event(turns_seen=2), event(turns_seen=2, **ACCEPTED)),
        (event(turns_seen=2), event(turns_seen=3, **ACCEPTED)),
        (event(turns_seen=2), event(turns_seen=1, ruleset="r2", **ACCEPTED)),
        (event(turns_seen=0), event(turns_seen=1, **ACCEPTED)),
        (event(turns_seen=2), event(turns_seen=0, **ACCEPTED)),
        (event(turns_seen=0), use(turns_seen=0)),
        (event(turns_seen=1), use(turns_seen=2, reason="question")),
        (use(turns_seen=0), event(turns_seen=1)),
    ],
)
def test_as_much_evidence_or_other_rules_replace(log, logged, fresh):
    """The newer finding counts where it saw no fewer turns, nobody knows how many, or other rules were asked for."""
    _store(log, logged)
    _store(log, fresh)
    contents = log.read()
    assert [replace(record, supersedes="") for record in contents.events] + contents.uses == [fresh]


def test_overwrite_without_snippets_empties_what_a_longer_copy_left(log):
    """A verdict that stays loses its text all the same when no text is wanted."""
    log.update([event(turns_seen=2)], [])
    log.overwrite([event(turns_seen=1, **ACCEPTED)], [], scope=SCOPE, snippets=False)
    assert [(e.outcome, e.user_message_snippet) for e in log.read().events] == [("correction", "")]


# archive and scrub ---------------------------------------------------------------------------------------------------


def test_archive_moves_old_events_by_day(log):
    """Events older than 90 days move into the file of their day; readers see all; a second time nothing moves."""
    ages = {"A1": 89, "A2": 91, "A3": 91, "A4": 200}
    events = [event(uuid, timestamp=NOW - timedelta(days=days)) for uuid, days in ages.items()]
    log.update([*events, event("A5", timestamp=None)], [])
    before = log.read().events
    assert log.archive(NOW) == 3
    assert sorted(path.name for path in log.archive_folder.iterdir()) == [
        "feedback-20260514.jsonl",
        "feedback-20260831.jsonl",
    ]
    assert sorted(row["invocation_uuid"] for row in rows(log.path)) == ["A1", "A5"]
    assert sorted(log.read().events, key=str) == sorted(before, key=str)
    assert log.archive(NOW) == 0


def test_archive_border_is_exactly_90_days(log):
    """An event of exactly 90 days stays, one second more moves."""
    log.update(
        [event("A1", timestamp=NOW - timedelta(days=90)), event("A2", timestamp=NOW - timedelta(days=90, seconds=1))],
        [],
    )
    assert log.archive(NOW.replace(tzinfo=None)) == 1
    assert [row["invocation_uuid"] for row in rows(log.path)] == ["A1"]


def test_archive_old_session_read_again(log):
    """Mining an archived session again adds nothing and archives nothing."""
    old = event(timestamp=NOW - timedelta(days=100))
    log.update([old], [])
    log.archive(NOW)
    files = {path: path.read_bytes() for path in log.path.parent.rglob("*.jsonl")}
    assert log.update([old], []) == UpdateCounts(unchanged=1)
    assert log.archive(NOW) == 0
    assert {path: path.read_bytes() for path in log.path.parent.rglob("*.jsonl")} == files


def test_archive_changed_event_follows(log):
    """A later verdict on an archived event is a line of its own, which is archived beside it and counts."""
    old = {"timestamp": NOW - timedelta(days=100)}
    log.update([event(**old)], [])
    log.archive(NOW)
    assert log.update([event(**old, **ACCEPTED)], []) == UpdateCounts(updated=1)
    assert log.archive(NOW) == 1
    assert [e.outcome for e in log.read().events] == ["acceptance"]
    (path,) = log.archive_folder.glob("*.jsonl")
    assert [row["outcome"] for row in rows(path)] == ["correction", "acceptance"]


def test_archive_leaves_damaged_lines(log):
    """Lines that cannot be read stay where they are."""
    _write(log, b"damaged", _foreign_row(timestamp="2026-01-01T00:00:00Z"))
    assert log.archive(NOW) == 1
    assert log.path.read_bytes() == b"damaged\n"


def test_scrub_removes_all_text(log):
    """After a scrub no word is left in any file, nor in what killed runs left; the verdicts stand."""
    log.update([event("A1"), event("A2", timestamp=NOW - timedelta(days=100))], [use("U1")])
    log.archive(NOW)
    log.update([event("A1", **ACCEPTED)], [])
    with log.path.open("ab") as file:
        file.write(b'{"user_message_snippet": "the totals \n{"user_message_snippet": "the totals ')
    log.path.with_name("feedback.jsonl.tmp").write_text("the totals")
    log.update([event("A3")], [])
    (log.archive_folder / "feedback-20260101.jsonl.tmp").write_text("the totals")
    before = [(e.event_id, e.outcome) for e in log.read().events]
    assert log.scrub() == ScrubCounts(texts=4, damaged=1)
    files = [path for path in log.path.parent.rglob("*") if path.is_file()]
    assert not [path for path in files if b"totals" in path.read_bytes()]
    assert [(e.event_id, e.outcome) for e in log.read().events] == before
    assert log.scrub() == ScrubCounts(texts=0, damaged=0)


def test_scrub_keeps_supersedes_valid(log):
    """The digests that lines name each other by do not depend on the text."""
    log.update([event()], [])
    log.update([], [use(reason="question")])
    log.scrub()
    assert rows(log.uses_path)[0]["supersedes"] == row_digest(rows(log.path)[0])
    assert log.read().events == []


def test_events_are_the_documented_record(log):
    """The first twelve fields of the record are the format's."""
    assert list(FeedbackEvent.__dataclass_fields__)[:12] == TWELVE


def test_deep_line_stops_no_command(log):
    """With a line nested a thousand deep, the log is mined into, rebuilt, archived and scrubbed as ever."""
    deep = (
        json.dumps(_foreign_row(event_id=event().event_id))[:-1].encode() + b', "x": ' + b"[" * 900 + b"]" * 900 + b"}"
    )
    _write(log, deep, _foreign_row(event_id="e9", invocation_uuid="A9"))
    assert log.update([event()], []) == UpdateCounts(new=1)
    log.overwrite([event()], [], scope=SCOPE)
    log.archive(NOW)
    assert deep in log.path.read_bytes()
    log.scrub()
    assert len(log.read().events) == 2


def test_files_of_a_log_are_private(log):
    """Whatever the umask, nobody else reads the log, its uses, its archive, or what a cut off line became."""
    umask = os.umask(0)
    try:
        log.update([event(timestamp=NOW - timedelta(days=100)), event("A2")], [use("U1")])
        log.archive(NOW)
        with log.path.open("ab") as file:
            file.write(b"cut")
        log.update([event("A3")], [])
    finally:
        os.umask(umask)
    files = {path.name: path.stat().st_mode & 0o777 for path in log.path.parent.rglob("*.jsonl*")}
    assert files == dict.fromkeys(
        ["feedback.jsonl", "uses.jsonl", "feedback-20260822.jsonl", "feedback.jsonl.torn"], 0o600
    )
