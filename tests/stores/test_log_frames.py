"""A log read in columns says what the same log says record by record, whatever its lines hold."""

import json
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from skilltune.errors import LogError
from skilltune.frames import columns, to_frame
from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.columns import as_categories, is_name
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.jsonl import dump_row
from skilltune.stores.log_frames import LogFrames, LoggedUse, iter_uses, read_frames
from skilltune.stores.rows import event_row, row_digest, use_row
from tests.stores.makers import NOW, event, use

ODD = st.one_of(
    st.sampled_from([None, "", " ", "x", "correction", "claude-code", "é", "\x00", "s9", "direct", "no_turn"]),
    st.sampled_from([0, 1, 2.0, 0.5, -1, -0.0, 10**7, 10**13, 10**400, True]),
    st.sampled_from([[], ["Read"], {}, [1], ["a", ["b"]]]),
    st.sampled_from(
        ["2026-11-20", "2026-11-20T10:00:00+02:00", " 2026-11-20T10:00:00Z", "2026-11-20T10:00:00.1234567Z"]
    ),
    st.sampled_from(["0001-01-01T00:00:00+05:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59"]),
)
FIELDS = sorted({*columns(FeedbackEvent), *columns(Invocation), "supersedes", "another_tools"})
CHANGES = st.dictionaries(st.sampled_from(FIELDS), ODD, max_size=3)
DAMAGED = [
    b"",
    b"  \t",
    b"[1]",
    b"not json",
    b'{"event_id": "e1"',
    b'\xff{"event_id": "e1"}',
    b'{"event_id": "\\ud800"}',
]
DAMAGED += [
    b'{"a": ' + b"[" * 150 + b"]" * 150 + b"}",
    b'{"event_id": "e1", "event_id": "e2"}',
    b"\xef\xbb\xbf{}",
    b"{}",
]


def event_line(number: int, changes: dict) -> bytes:
    """A line of a judged use, some of its fields changed."""
    made = event(f"A{number}", timestamp=NOW, turns_seen=number, ai_tools_used=("Edit", "Bash")[:number])
    return json.dumps(event_row(made, text="no") | changes).encode()


def use_line(number: int, changes: dict) -> bytes:
    """A line of a use that was not judged, some of its fields changed."""
    return json.dumps(use_row(use(f"A{number}", turns_seen=number)) | changes).encode()


def mixed(line) -> st.SearchStrategy[bytes]:
    """Lines of few uses, in order and not."""
    return st.builds(line, st.integers(0, 3), CHANGES) | st.builds(line, st.integers(0, 3), st.just({}))


EVENTS = st.lists(mixed(event_line) | st.sampled_from(DAMAGED), max_size=6)
USES = st.lists(mixed(use_line) | st.sampled_from(DAMAGED), max_size=4)


def write(path: Path, lines: list[bytes], *, end: bytes = b"\n") -> None:
    """A file of the log; `end` is what follows its last line."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(b"\n".join(lines) + end if lines else b"")


def same(log: FeedbackLog) -> LogFrames:
    """Both ways of reading, checked to be alike; the frames."""
    found, expected = read_frames(log), log.read()
    pairs = ((found.events, expected.events, FeedbackEvent), (found.invocations, expected.invocations, Invocation))
    for frame, records, record in pairs:
        wanted = to_frame(records, record)
        names = [name for name, kind in columns(record).items() if is_name(name, kind)]
        assert {name: str(frame[name].dtype) for name in names} == dict.fromkeys(names, "category")
        pd.testing.assert_frame_equal(frame.astype(dict.fromkeys(names, "str")), wanted)
    assert found.problems == expected.problem_counts
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(live=EVENTS, archived=EVENTS, uses=USES, end=st.sampled_from([b"\n", b"", b"\r\n", b"\n\n"]))
@example(live=[], archived=[], uses=[], end=b"\n")
@example(live=[b'{"event_id": "e1"'], archived=[], uses=[use_line(1, {})], end=b"")
def test_frames_are_those_of_the_records(tmp_path, live, archived, uses, end):
    """Odd values, damaged lines, several lines about a use, archives: same rows, dtypes, order and problems."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    write(log.path, live, end=end)
    write(log.archive_folder / "feedback-20260101.jsonl", archived, end=end)
    write(log.uses_path, uses, end=end)
    same(log)


@pytest.mark.parametrize("name", FIELDS)
def test_each_field_with_each_odd_value(tmp_path, name):
    """Every field, with every value that may be odd in it, in events and uses."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    values = [None, "", " ", "x", 0, 1, 2.0, 0.5, -1, -0.0, 10**7, 10**13, True, [], ["Read"], {}, [1], "\x00"]
    made = [event_row(event(f"A{i}")) | {name: value} for i, value in enumerate(values)]
    others = [use_row(use(f"B{i}")) | {name: value} for i, value in enumerate(values)]
    write(log.path, [dump_row(row) for row in made] + [dump_row({k: v for k, v in made[0].items() if k != name})])
    write(log.uses_path, [dump_row(row) for row in others])
    assert len(same(log).invocations) > 0


def test_superseded_lines_count_as_in_records(tmp_path):
    """There and back again over both files and the archive, with a copy that a killed run left."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    first = event_row(event("A1"))
    second = event_row(event("A1", outcome="acceptance", correction_type=None), supersedes=row_digest(first))
    third = use_row(use("A1", reason="question"), supersedes=row_digest(second))
    fourth = event_row(event("A1", outcome="partial"), supersedes=row_digest(third))
    others = [dump_row(event_row(event(f"C{number}"))) for number in range(5)]
    write(log.archive_folder / "feedback-20260101.jsonl", [dump_row(first), *others])
    write(log.path, [*others, dump_row(second), dump_row(first)])
    write(log.uses_path, [dump_row(third)])
    assert same(log).events["invocation_uuid"].tolist() == ["C0", "C1", "C2", "C3", "C4"]
    write(log.path, [*others, dump_row(second), dump_row(fourth)])
    found = same(log)
    assert found.events["outcome"].tolist()[0] == "partial"
    assert len(found.invocations) == 6


def test_lines_longer_than_a_block(tmp_path):
    """Lines are put together again, wherever a block ends."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    lines = [event_line(number % 3, {"session_id": f"S{number}"}) for number in range(8)]
    long = event_line(5, {"user_message_snippet": "no " * 6_000_000})
    write(log.path, [*lines[:4], long, *lines[4:]], end=b"")
    write(log.uses_path, [use_line(9, {})])
    found = same(log)
    assert found.events["session_id"].tolist() == ["S6", "S7", "S5", "S1"]
    assert found.events["user_message_snippet"].str.len().max() == 18_000_000


def test_names_are_sorted_categories_of_what_is_there(tmp_path):
    """Sorting by a name sorts as text does; '' is always known, so that a missing name can be filled."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.update([event("A1", skill="b"), event("A2", skill="a"), event("A3", skill="Ä")], [use("B1", skill="c")])
    found = read_frames(log)
    assert found.events["skill_id"].cat.categories.tolist() == ["", "a", "b", "Ä"]
    assert found.invocations["skill_id"].cat.categories.tolist() == ["", "a", "b", "c", "Ä"]
    assert found.events.sort_values("skill_id")["skill_id"].tolist() == ["a", "b", "Ä"]


class RebuiltLog(FeedbackLog):
    """A log that another run rebuilds after the live file was read, before the archive is."""

    rebuilt: bytes = b""

    def archives(self) -> list[Path]:
        """The archive, after the rebuild."""
        if self.rebuilt:
            self.path.write_bytes(self.rebuilt)
            self.rebuilt = b""
        return super().archives()


@pytest.mark.parametrize("more", [b"", b"{}\n"])
def test_file_replaced_while_it_is_read(tmp_path, more):
    """A log that is rebuilt between the two looks at its lines is read again, whole."""
    log = RebuiltLog(tmp_path / "feedback.jsonl")
    twice = [event_line(1, {"session_id": "S1"}), event_line(1, {"session_id": "S2"})]
    write(log.path, twice)
    log.rebuilt = more + b"\n".join([event_line(2, {}), *twice]) + b"\n"
    assert read_frames(log).events["session_id"].tolist() == ["S1", "S2"]


def test_uses_line_by_line(tmp_path):
    """Every use with its skill, secrets masked, time and failure, from all files; other lines are left out."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.update(
        [event("A1"), event("A2", skill="old", timestamp=NOW - timedelta(days=200))], [use("B1", failed="refused")]
    )
    log.archive(NOW)
    odd = event_line(1, {"timestamp": "0001-01-01T00:00:00Z", "skill_id": "odd password: hunter2!"})
    log.path.write_bytes(log.path.read_bytes() + b"not json\n\n" + odd)
    assert list(iter_uses(log)) == [
        LoggedUse("s1", NOW - timedelta(days=10), ""),
        LoggedUse("odd password: [secret]", None, ""),
        LoggedUse("old", NOW - timedelta(days=200), ""),
        LoggedUse("s1", NOW - timedelta(days=10), "refused"),
    ]


def test_log_that_is_no_file(tmp_path):
    """The same error as for every reader of the log."""
    (tmp_path / "feedback.jsonl").mkdir()
    with pytest.raises(LogError, match="cannot be read"):
        read_frames(FeedbackLog(tmp_path / "feedback.jsonl"))


def test_categories_of_a_frame_that_has_some(tmp_path):
    """Names that are categories stay as they are."""
    frame = to_frame([event("A1"), event("A2", skill="s0")], FeedbackEvent)
    once = as_categories(frame, FeedbackEvent)
    assert once["skill_id"].cat.categories.tolist() == ["", "s0", "s1"]
    assert as_categories(once, FeedbackEvent) is once
