"""Numbers, dates and verdicts read as the visual language says."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.page.words import (
    VERDICTS,
    as_list,
    bound,
    count_of,
    date_range,
    interval,
    judged_words,
    last_days,
    nearest_share,
    number_word,
    of_judged,
    part_word,
    percent,
    points,
    points_interval,
    times_in,
)


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0%"), (0.47, "47%"), (0.125, "13%"), (0.145, "15%"), (0.004, "0.4%"), (0.0001, "0.01%"), (1.0, "100%")],
)
def test_percent_is_whole_and_hides_nothing(share: float, words: str):
    """A rate is a whole percent, halves go up, and one that is not 0 never reads 0."""
    assert percent(share) == words


@given(st.floats(1e-9, 1))
def test_bound_of_something_is_never_nothing(share: float):
    """Whatever is above 0 is printed above 0."""
    assert float(bound(share)) > 0


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("2026-11-30T00:00:00+01:00", "31 October–29 November"),
        ("2026-11-29T23:00:00+00:00", "31 October–29 November"),
        ("2026-04-06T00:00:00+02:00", "7 March–5 April"),
        ("2026-12-01T13:20:00+00:00", "until 1 December, 14:20"),
    ],
)
def test_last_days_are_as_many_as_they_are_called(end: str, words: str):
    """Thirty days until a midnight are thirty by name, when clocks change too; others name the moment."""
    assert last_days(datetime.fromisoformat(end), days=30, time_zone="Europe/Berlin") == words


def test_interval_has_an_en_dash_and_one_sign():
    """An interval of a rate is written 33–60%."""
    assert interval(0.33, 0.6) == "33–60%"
    assert interval(0.004, 0.37) == "0.4–37%"


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0.22, "+22 points"),
        (-0.21, "−21 points"),
        (0.004, "0 points"),
        (-0.01, "−1 point"),
        (0.01, "+1 point"),
        (0, "0 points"),
    ],
)
def test_points_have_a_sign_and_a_true_minus(difference: float, words: str):
    """A difference of rates is in points, never in percent."""
    assert points(difference) == words


def test_points_interval_says_to_and_keeps_small_bounds():
    """Bounds of a change stand with "to", a true minus, and one decimal where they would read 0."""
    assert points_interval(-0.35, -0.06) == "−35 to −6"
    assert points_interval(0.004, 0.37) == "0.4 to 37"
    assert points_interval(-0.004, 0.0) == "−0.4 to 0"


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (0.0, "no judged use"),
        (0.02, "less than 1 of 25 judged uses"),
        (0.1, "1 of 10 judged uses"),
        (0.26, "about every fourth judged use"),
        (0.31, "almost every third judged use"),
        (0.47, "almost every second judged use"),
        (0.5, "every second judged use"),
        (0.55, "almost 3 of 5 judged uses"),
        (0.64, "almost 2 of 3 judged uses"),
        (0.98, "almost every judged use"),
        (1.0, "every judged use"),
    ],
)
def test_rate_in_a_sentence_is_an_everyday_fraction_of_judged_uses(rate: float, words: str):
    """Sentences say how often, of what, and not how many percent."""
    assert of_judged(rate) == words


@pytest.mark.parametrize(
    ("share", "words"), [(0.46, "half"), (0.64, "two thirds"), (0.25, "a quarter"), (0.28, "3 in 10")]
)
def test_part_in_a_sentence_has_a_word(share: float, words: str):
    """Plain fractions have names, others are counted."""
    assert part_word(share) == words


def test_counts_of_few_data_are_words():
    """What is there is counted, what is not is left out."""
    assert judged_words({"corrections": 2, "partials": 1, "acceptances": 0}) == "2 corrected, 1 partly"
    assert judged_words({"corrections": 0, "partials": 0, "acceptances": 0}) == "not judged yet"


def test_accuracy_in_a_sentence_is_an_everyday_fraction():
    """The finding on accuracy says 6 times in 7."""
    assert times_in(38 / 44) == "about 6 times in 7"
    assert times_in(0.28) == "about 3 times in 10"


@given(st.floats(0.035, 0.965))
def test_everyday_fraction_is_never_far_off(share: float):
    """The fraction is at most a sixth of the smaller side away."""
    assert abs(float(nearest_share(share)) - share) <= max(min(share, 1 - share) / 6, 0.035)


def test_dates_have_no_year_and_join_inside_a_month():
    """A span inside a month names it once."""
    assert date_range(date(2026, 11, 23), date(2026, 11, 29)) == "23–29 November"
    assert date_range(date(2026, 10, 31), date(2026, 11, 29)) == "31 October–29 November"
    assert date_range(date(2026, 11, 2), date(2026, 11, 2)) == "2 November"


def test_counts_and_lists_read_as_english():
    """Plurals, thousands and the last "and"."""
    assert [count_of(n, "use") for n in (0, 1, 1204)] == ["0 uses", "1 use", "1,204 uses"]
    assert [as_list(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert number_word(1, start=True) == "One"
    assert number_word(14) == "14"


def test_verdicts_have_their_words_glyphs_and_tones():
    """Every verdict of the visual language, word for word; only evidence has a colour."""
    told = {name: (verdict.glyph, verdict.words, verdict.tone) for name, verdict in VERDICTS.items()}
    assert told == {
        "got_worse": ("▲", "got worse", "worse"),
        "looks_worse": ("△", "looks worse, no evidence yet", "plain"),
        "no_change": ("＝", "no clear change", "quiet"),
        "looks_better": ("▽", "looks better, no evidence yet", "plain"),
        "got_better": ("▼", "got better", "better"),
        "no_baseline": ("·", "too few data before", "quiet"),
        "too_few": ("·", "too few data", "quiet"),
    }
