"""The change percent: an exact number by words, its rounding, its bounds."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from skilltune.evolution.refusals import TextsTooDifferentError, TextTooLongError
from skilltune.evolution.textdiff import Measure, code_tokens, measure_change, round_half_up, segments, validate_change
from skilltune.evolution.tokens import splits_token, tokenize

WORDS = st.sampled_from(
    ["pot", "tea", "茶", "を", " ", "  ", "\n", "\r\n", ",", "max_tea", "é", "e\u0301", "🍵", "\ud800", "٣"]
)
TEXTS = st.lists(WORDS, max_size=30).map("".join)
CASES = [
    ("", "", 0, 0, 0),
    ("", "pour tea", 8, 0, 100),
    ("pour tea", "", 0, 8, 100),
    ("pour tea", "pour  tea\n", 0, 0, 0),
    ("(pot)(cup)", "(pot) (cup)", 0, 0, 0),
    ("teapot", "tea pot", 7, 6, 217),
    ("warm milk", "warm tea", 3, 4, 78),
    ("泡茶三分", "泡茶五分", 1, 1, 50),
    ("잔을 데운다", "잔이 데운다", 1, 1, 33),
    ("set max_cups", "set max-cups", 8, 8, 133),
    ("boil 🫖", "boil 🍵", 1, 1, 33),
]


def test_textdiff_shared_cases(shared):
    """Every shared case of the change percent comes out, with what is added and removed."""
    for case in json.loads((shared / "vectors" / "refinement_instincts.json").read_text("utf-8"))["change_percent"]:
        change = validate_change(case["original"], case["suggested"])
        found = (change.added, change.removed, change.change_percent, change.valid)
        assert found == (case["added"], case["removed"], case["change_percent"], case["valid_at_20"]), case["id"]


@pytest.mark.parametrize(("original", "suggested", "added", "removed", "percent"), CASES)
def test_textdiff_case(original, suggested, added, removed, percent):
    """Characters added and removed over the original's length, white space alone being no change."""
    change = validate_change(original, suggested)
    assert (change.added, change.removed, change.change_percent) == (added, removed, percent)


def test_textdiff_rounds_half_up_and_compares_the_integer():
    """20.49 % passes a bound of 20, 20.5 % is 21 and does not."""
    assert [Measure(n, 0, 10_000, 0).rounded_percent for n in (2049, 2050, 2149)] == [20, 21, 21]
    body = "x" * 195 + " "
    assert validate_change(body + "aaaa", body + "bbbb").change_percent == 4
    assert validate_change("x" * 196 + " abc", "x" * 196 + " " + "d" * 37).valid
    assert not validate_change("x" * 196 + " abc", "x" * 196 + " " + "d" * 38).valid


def test_textdiff_bound_can_be_set_and_the_reason_has_both_numbers():
    """The reason names the percent and the limit."""
    change = validate_change("warm the pot", "warm the cup", max_change_percent=40)
    assert (change.valid, change.change_percent, change.reason) == (
        False,
        50,
        "the change is 50 %, limit 40 %: change less at once",
    )
    assert validate_change("warm the pot", "warm the cup", max_change_percent=50).valid


def test_textdiff_long_text_is_refused_by_name_and_limit():
    """200,000 characters are compared, one more is refused, on either side."""
    long = "warm the pot\n" * 15_385
    assert validate_change(long[:200_000], long[:200_000]).change_percent == 0
    with pytest.raises(TextTooLongError, match=r"the original has 200,001 characters; texts over 200,000"):
        validate_change(long[:200_001], "pot")
    with pytest.raises(TextTooLongError, match="the suggested text") as caught:
        validate_change("pot", long[:200_001])
    assert (caught.value.chars, caught.value.limit) == (200_001, 200_000)


def test_textdiff_texts_without_spaces_are_refused_before_memory_runs_out():
    """Two long texts of single signs that differ at both ends are refused; with one edit inside they are not."""
    with pytest.raises(TextsTooDifferentError, match="150,000 words and signs"):
        validate_change("茶水" * 75_000, "水茶" * 75_000)
    body = "茶水" * 75_000
    assert validate_change(body, body[:50_000] + "杯" + body[50_000:]).added == 1


def test_textdiff_rounding_is_exact():
    """Halves go up, whatever floats would do."""
    assert [round_half_up(Fraction(n, 2)) for n in (0, 1, 2, 3, 41)] == [0, 1, 1, 2, 21]


@given(TEXTS)
def test_textdiff_tokens_are_the_text(text):
    """No sign is lost or doubled."""
    assert "".join(tokenize(text)) == text


@given(TEXTS)
def test_textdiff_no_cut_between_tokens_splits_one(text):
    """A cut where two tokens meet splits no word, but for signs that are composed of several."""
    at = 0
    for token in tokenize(text):
        if 0 < at < len(text) and text[at] != "\u0301":
            assert not splits_token(text, at)
        at += len(token)


@given(TEXTS, TEXTS)
def test_textdiff_segments_give_both_texts_back(original, suggested):
    """The script holds every token of both sides once, in order."""
    parts = list(segments(original, suggested))
    assert "".join(token for part in parts for token in part.before) == original
    assert "".join(token for part in parts for token in part.after) == suggested


@given(TEXTS, TEXTS)
def test_textdiff_measure_is_bounded_and_balanced(original, suggested):
    """Never more is removed than was there; the sides balance up to white space; equal texts do not differ."""
    measure = measure_change(original, suggested)
    assert 0 <= measure.removed <= len(original)
    assert 0 <= measure.added <= len(suggested)
    assert 0 <= measure.edit_ratio <= 1
    assert 0 <= measure.retained <= 1
    if original.split() == suggested.split() and original:
        assert measure.percent == 0
    assert measure_change(original, original).percent == 0


@given(TEXTS, TEXTS)
def test_textdiff_both_directions_change_as_many_tokens(original, suggested):
    """The shortest script has the same number of tokens from either side."""

    def edits(one: str, other: str) -> int:
        return sum(len(part.before) + len(part.after) for part in segments(one, other) if not part.same)

    assert edits(original, suggested) == edits(suggested, original)


@given(st.text("abc ", max_size=12), st.text("xyz\n", max_size=12))
def test_textdiff_texts_with_nothing_in_common_have_the_script_of_the_library(original, suggested):
    """The short way gives what the library gives: all added, then all removed."""
    before, after = tokenize(original), tokenize(suggested)
    script = [
        (
            code.tag == "equal",
            tuple(before[code.src_start : code.src_end]),
            tuple(after[code.dest_start : code.dest_end]),
        )
        for code in Indel.opcodes(*code_tokens(before, after))
    ]
    assert [tuple(segment) for segment in segments(original, suggested)] == script
