"""A message's prose: folding, and what is taken out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.folding import fold, read_prose, width


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("That’s  WRONG", "that's wrong"),
        ("ｗｒｏｎｇ！", "wrong!"),
        ("这里的 naming 不 consistent", "这里的naming不consistent"),
        ("a\u00a0b\tc", "a b c"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_fold_gives_one_form(text, folded):
    """Case, width, quotes, composed signs and blanks come to one form."""
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("Rename `wrong_name` please", "rename _ please"),
        ('The label says "this is wrong" now', "the label says _ now"),
        ("see https://example.org/wrong/path?x=1 for it", "see _ for it"),
        ("look at src/wrong/main.py again", "look at _ again"),
        ("SKILL.md is fine", "_ is fine"),
        ("```\nthis is wrong\n```\nlooks good", "looks good"),
        ("> you wrote: wrong\nfine by me", "fine by me"),
        ('{"type":"tool_use","name":"Bash"} rename the column', "_ rename the column"),
        ('{"type":"tool_use"}\nrename the column', "rename the column"),
        ("2026-11-02 10:00:00 ERROR wrong\nnext task", "next task"),
        ("and/or yes/no", "and/or yes/no"),
        ('"mise run check" fails', "_ fails"),
        ("```\nnever closed, all wrong", ""),
        ("$db-migrate no, use spaces", "_ no, use spaces"),
        ("[$db-migrate](/x/db migrate/SKILL.md) no, use spaces", "_ no, use spaces"),
        ("$plug:db-migrate no", "_ no"),
        ("$PATH is still wrong", "_ is still wrong"),
        ("${HOME} is wrong", "_ is wrong"),
        ("$50 is wrong", "$50 is wrong"),
        ("[the guide](https://example.org/a) says no", "[the guide]( _ says no"),
        (">5 columns is wrong", ">5 columns is wrong"),
        (">= 3 is wrong", ">= 3 is wrong"),
        ("|| is wrong here", "|| is wrong here"),
        ("12:30 is too late", "12:30 is too late"),
        ("localhost:3000 is still broken", "localhost:3000 is still broken"),
        ("$ make wrong\n>quoted: wrong\n|a|wrong|\n| wrong | b\nfine", "fine"),
        ("src/a.py:3: error: wrong\na.go:3:4 wrong\n  3:4  error  wrong\nfine", "fine"),
    ],
)
def test_prose_leaves_out_what_is_not_said(text, prose):
    """Code, quotations, logs, paths and URLs are no words of the person."""
    assert " ".join(read_prose(text).text.split()) == prose


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ('Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad', True),
        ("--- FAIL: TestResume (0.1s)", True),
        ("```\nerror[E0308]: mismatched types\n```", True),
        ("$ make\nmake: *** No such file or directory", True),
        ("$ make\nall fine", False),
        ("the error handling is fine", False),
    ],
)
def test_prose_knows_a_pasted_failure(text, failure):
    """A pasted log that shows an error is told from other pastes and from talk about errors."""
    assert read_prose(text).failure is failure


def test_prose_looks_at_both_ends_of_a_long_text():
    """Of a long text the beginning and the end count."""
    prose = read_prose("first words. " + "middle part. " * 2_000 + "last words").text
    assert prose.startswith("first words")
    assert prose.endswith("last words")
    assert len(prose) < 5_000


def test_width_counts_cjk_twice():
    """A Chinese, Japanese or Korean sign is two wide."""
    assert width("abc") == 3
    assert width("漢字かな한글a") == 13


@given(st.text(max_size=300))
def test_prose_never_raises_and_is_folded(text):
    """Any text has a prose; folding it again changes nothing but outer blanks."""
    prose = read_prose(text).text
    assert fold(prose).strip() == prose
