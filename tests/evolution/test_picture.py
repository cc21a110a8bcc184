"""The picture of a change: both texts whole, marks without white space at their ends."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.picture import Run, draw_change
from tests.evolution.test_textdiff import TEXTS


def shown(original: str, suggested: str) -> list[tuple[str, str, str]]:
    """The runs without their class."""
    return [(run.mark, run.before, run.after) for run in draw_change(original, suggested)]


@given(TEXTS, TEXTS)
def test_picture_holds_both_texts(original, suggested):
    """Read from the left, the picture is the text before, and the text after."""
    runs = draw_change(original, suggested)
    assert "".join(run.before for run in runs) == original
    assert "".join(run.after for run in runs) == suggested


@given(TEXTS, TEXTS)
def test_picture_marks_are_plain(original, suggested):
    """A mark begins and ends with no white space, ``same`` is the same, neighbours differ in their mark."""
    runs = draw_change(original, suggested)
    for run in runs:
        if run.mark == "changed":
            assert run.before == run.before.strip()
            assert run.after == run.after.strip()
        elif run.mark == "space":
            assert not (run.before + run.after).strip()
        else:
            assert run.before == run.after
    assert all(one.mark != other.mark for one, other in pairwise(runs))


def test_picture_changes_parted_by_white_space_are_one():
    """Two changed words beside each other are one mark."""
    assert ("changed", "green leaves", "black tea") in shown("take green leaves now", "take black tea now")


def test_picture_change_of_white_space_only_has_no_mark():
    """Where only white space differs there are runs of that kind and no marks."""
    assert shown("warm  pot\n", "warm pot") == [
        ("same", "warm", "warm"),
        ("space", "  ", " "),
        ("same", "pot", "pot"),
        ("space", "\n", ""),
    ]


@pytest.mark.parametrize("size", [3_000, 12_000])
def test_picture_of_a_large_change_is_whole(size):
    """Below and above 20,000 changed characters the picture holds both texts."""
    before = " ".join(f"w{n}" for n in range(size))
    after = " ".join(f"w{n}" if n % 2 else f"v{n}" for n in range(size))
    runs = draw_change(before, after)
    assert "".join(run.after for run in runs) == after
    assert Run("changed", "w0", "v0") in runs


def test_picture_of_nothing_is_empty():
    """Two empty texts have no runs."""
    assert draw_change("", "") == ()


@given(st.text(max_size=40), st.text(max_size=40))
def test_picture_takes_any_text(original, suggested):
    """Any signs at all are drawn."""
    assert "".join(run.after for run in draw_change(original, suggested)) == suggested


def test_unified_diff_shows_what_goes_before_what_comes():
    """Where lines go and others come, the gone ones stand first, as everywhere."""
    from skilltune.evolution.showing import unified_diff

    assert unified_diff("a\nb\nc\n", "a\nB\nc\nd\n", name="x").splitlines()[2:] == [
        "@@ -1,3 +1,4 @@", " a", "-b", "+B", " c", "+d",
    ]  # fmt: skip
