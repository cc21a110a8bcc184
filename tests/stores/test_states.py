"""Which of the lines about one use counts."""

from itertools import permutations

import pytest

from skilltune.stores.jsonl import AppendOnlyLog, dump_row
from skilltune.stores.rows import event_row, row_digest, use_row
from skilltune.stores.states import current_lines, log_lines
from tests.stores.makers import event, use

ACCEPTED = {"outcome": "acceptance", "correction_type": None, "dimension_hint": None}


def _current(folder, events, uses):
    """The row that counts of those in the two files."""
    lines = []
    for kind, rows in (("event", events), ("use", uses)):
        path = folder / f"{kind}.jsonl"
        path.write_bytes(b"".join(dump_row(row) + b"\n" for row in rows))
        lines += log_lines(AppendOnlyLog(path).read(), kind=kind)
    (line,) = current_lines(lines).values()
    return line.row


def _chain():
    """An event, withdrawn, another one, and one more: each names the one before."""
    first = event_row(event())
    withdrawn = use_row(use(reason="question"), supersedes=row_digest(first))
    second = event_row(event(**ACCEPTED), supersedes=row_digest(withdrawn))
    third = event_row(event(), supersedes=row_digest(second))
    return [first, second, third], [withdrawn]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_current_line_in_any_order(tmp_path, order):
    """What no line supersedes counts, in whatever order the lines stand."""
    events, uses = _chain()
    assert _current(tmp_path, [events[i] for i in order], uses) == events[2]


def test_current_line_is_withdrawn(tmp_path):
    """A use that supersedes the event counts, as long as nothing supersedes it."""
    events, uses = _chain()
    assert _current(tmp_path, events[:1], uses) == uses[0]
    assert _current(tmp_path, events[:2], uses) == events[1]


def test_current_line_where_the_replaced_one_changed(tmp_path):
    """A use that replaced a line which another tool has changed since is still later than that line."""
    events, uses = _chain()
    assert _current(tmp_path, [events[0] | {"note": "added by another tool"}], uses) == uses[0]


def test_current_line_without_any_link(tmp_path):
    """An event and a use that say nothing of each other: the event counts; of two events the later line."""
    first, second = event_row(event()), event_row(event(**ACCEPTED))
    assert _current(tmp_path, [first], [use_row(use())]) == first
    assert _current(tmp_path, [first, second], [use_row(use())]) == second
    assert _current(tmp_path, [second, first], []) == first


def test_current_line_where_both_lost_what_they_replaced(tmp_path):
    """An event and a use that each replaced a line which is gone: the event counts."""
    known = event_row(event(), supersedes="0" * 16)
    assert _current(tmp_path, [known], [use_row(use(), supersedes="1" * 16)]) == known
