"""Texts in the cells of a spreadsheet: guarded, and given back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.labelling.cells import CELL_CHARS, guarded, shown, unguarded


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", " =1", "\uff1d1", "'=1", "''-1"])
def test_guarded_formula_begins_with_an_apostrophe(text):
    """What a spreadsheet might compute gets an apostrophe, also where it has one."""
    assert guarded(text) == f"'{text}"


@given(st.text(alphabet="'=+-@ \t\r\nab\uff1d") | st.text())
def test_guarded_text_comes_back(text):
    """Unguarding gives back what was guarded, and no guarded text begins as a formula."""
    assert unguarded(guarded(text)) == text
    assert not guarded(text).lstrip(" ").startswith(tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20"))


@given(st.text(st.characters()))
def test_shown_text_hides_nothing(text):
    """No control or bidirectional character is left, and what is left can be written as UTF-8."""
    cell = shown(text)
    assert not set(cell) & set("\x00\x07\x1b\r\u202e\u2066\u200b\u2028")
    cell.encode("utf-8")


def test_shown_text_is_masked_and_cut():
    """A secret is masked, and a text that no cell holds is cut."""
    assert shown("the password: hunter2!") == "the password: [secret]"
    assert len(shown("so " * CELL_CHARS)) <= CELL_CHARS + 2
    assert shown("a\x1b[31mb\u202ec") == "a\\u001b[31mb\\u202ec"
