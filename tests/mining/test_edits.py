"""How two texts differ, in runs of whole lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.edits import Change, Edit, changed_parts, core_lines, telling_lines, trim_change
from skilltune.mining.written import Written, is_reversal

LINES = st.lists(st.sampled_from(["", "a", "b", "  b", "pour the tea", "warm the pot"]), max_size=8).map("\n".join)


def _edit(before, after, *, line=1, path="/t/tea.md"):
    return Edit(session_id="s1", line=line, uuid="", at=None, path=path, changes=(Change(before, after),))


@given(LINES, LINES)
def test_changed_parts_stand_in_both_texts(before, after):
    """Each part is a run of lines of the text it comes from; equal texts have none, texts of other words have some."""
    parts = changed_parts(before, after)
    assert parts or before.split() == after.split()
    assert not (parts and before == after)
    for part in parts:
        assert part.before in before
        assert part.after in after
        assert part.before != part.after


@given(LINES, LINES)
def test_trim_change_keeps_what_differs(before, after):
    """A trimmed change stands in both texts, and putting its second text in place of its first explains the other."""
    change = trim_change(Change(before, after))
    assert change.before in before
    assert change.after in after
    if before.splitlines() == after.splitlines():
        assert change.before == change.after


@given(LINES, LINES)
def test_core_lines_have_no_common_edges(before, after):
    """What is left of both sides begins and ends differently."""
    old, new = core_lines(Change(before, after))
    if old and new:
        assert old[0] != new[0]
        assert old[-1] != new[-1]


def test_changed_parts_of_texts_too_long_to_compare_are_one():
    """Texts whose lines are too many to be compared one by one are one change."""
    before, after = "".join(f"a{n}\n" for n in range(3000)), "".join(f"b{n}\n" for n in range(3000))
    assert len(changed_parts(before, after)) == 1


def test_telling_lines_leave_brackets_and_short_words_out():
    """A line that stands in every file says nothing."""
    assert list(telling_lines(["}", "", "  end", "-------", "  pour the tea "])) == ["pour the tea"]


def test_written_joins_edits_of_one_stretch():
    """Edits of what was written before, inside of it or around it, are one stretch from the first text to the last."""
    done = Written()
    for edit in [
        _edit("cold water", "warm water\nblack tea", line=1),
        _edit("black tea", "green tea", line=2),
        _edit("jug:\nwarm water\ngreen tea", "jug:\nhot water\ngreen tea", line=3),
        _edit("cold water", "ice", line=4, path="/t/other.md"),
    ]:
        done.add(edit)
    assert [(piece.before, piece.after, piece.line) for piece in done.pieces] == [
        ("jug:\ncold water", "jug:\nhot water\ngreen tea", 3),
        ("cold water", "ice", 4),
    ]


def test_written_forgets_what_the_agent_took_back_itself():
    """A stretch that reads as before is none."""
    done = Written()
    done.add(_edit("a cup", "two cups"))
    done.add(_edit("two cups", "a cup"))
    assert done.pieces == []


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        (("a cup", "two cups"), ("two cups", "a cup"), True),
        (("x\na cup\ny", "x\ntwo cups\ny"), ("  two cups", "  a cup"), True),
        (("x\ny", "x\nsugar\ny"), ("sugar\ny", "y"), True),
        (("a cup", "two cups"), ("two cups", "three cups"), False),
    ],
)
def test_is_reversal(first, then, expected):
    """Only what puts the earlier lines back is a reversal, wherever their edges are."""
    assert is_reversal(Change(*first), Change(*then)) is expected
