"""The eligibility report, against its published form."""

from datetime import UTC, datetime, timedelta

import pytest

from skilltune.evolution.corrections import Correction
from skilltune.evolution.eligibility import check_eligibility
from skilltune.evolution.settings import RefinementSettings
from skilltune.rendering.eligibility import agreement_words, render_eligibility
from skilltune.rendering.terminal import columns

NOW = datetime(2025, 7, 24, 12, tzinfo=UTC)
PAIR = ("npx eslint --fix .", "npx eslint --fix --ext .ts,.tsx .")


def _corrections(*pairs):
    return [
        Correction(
            id=f"c{number}",
            skill_id="lint-on-save",
            session_id=f"s{number}",
            timestamp=NOW - timedelta(days=20 - number),
            original=original,
            corrected=corrected,
        )
        for number, (original, corrected) in enumerate(pairs)
    ]


def _report(*pairs, refined_days_ago=None, **more):
    refined = [] if refined_days_ago is None else [NOW - timedelta(days=refined_days_ago)]
    found = check_eligibility("lint-on-save", corrections=_corrections(*pairs), as_of=NOW, refined_at=refined, **more)
    return render_eligibility(found)


def test_eligibility_has_the_published_form():
    """Title, rule of two signs more, five lines; then the patterns with how often they were seen."""
    assert _report(*[PAIR] * 3, ("tabs", "spaces"), ("tabs", "spaces"), refined_days_ago=39).splitlines() == [
        "Refinement Eligibility: lint-on-save",
        "======================================",
        "Corrections recorded: 5",
        "Minimum required: 3",
        "Last refined: 2025-06-15 (39 days ago)",
        "Cooldown period: 7 days",
        "Status: ELIGIBLE",
        "",
        "Patterns:",
        '  3x "npx eslint --fix ." -> "npx eslint --fix --ext .ts,.tsx ."',
        "     agreement 0.80 (3 of 3), 3 sessions",
        '  2x "tabs" -> "spaces"',
        "     agreement 0.75 (2 of 2), 2 sessions",
        "",
        "Next gates: would suggest 2 changes.",
        "",
        "Next: skilltune refine lint-on-save",
    ]


def test_eligibility_in_cooldown_has_the_published_form():
    """The days that remain, rounded up, and the day on which it is over."""
    lines = _report(*[PAIR] * 3, refined_days_ago=4).splitlines()
    assert lines[6:8] == ["Status: IN COOLDOWN (3 days remaining)", "Next eligible: 2025-07-27"]


@pytest.mark.parametrize(
    ("pairs", "more", "status"),
    [
        ([PAIR], {}, "INSUFFICIENT FEEDBACK (2 more corrections needed)"),
        ([], {}, "INSUFFICIENT FEEDBACK (3 more corrections needed)"),
        ([PAIR, PAIR, PAIR, PAIR[::-1], PAIR[::-1]], {}, "HELD BY CONTRADICTIONS (1 conflict)"),
        ([PAIR] * 3, {"found": False}, "SKILL NOT FOUND"),
        ([PAIR] * 2, {"settings": RefinementSettings(min_corrections=2)}, "ELIGIBLE"),
    ],
)
def test_eligibility_status_says_why(pairs, more, status):
    """Every answer in words, with its number."""
    assert f"Status: {status}" in _report(*pairs, **more).splitlines()


def test_eligibility_says_what_blocks_a_pattern_and_how_many_more_would_do():
    """Too little agreement is told with its numbers, and what the next gates would answer."""
    text = _report(*[("a", "b")] * 3, ("a", "c"), ("a", "d"))
    assert "3 of 5 agree (0.57, needs 0.70)" in " ".join(text.split())
    assert "Next gates: none: 3 of 5 agree (0.57, needs 0.70), 3 more matching" in text


def test_eligibility_of_hostile_texts_cannot_steer_a_terminal():
    """Escape sequences, bidirectional signs and line ends of a correction are shown, not sent; lines fit."""
    found = check_eligibility(
        "\x1b]0;x\x07\u202e", corrections=_corrections(("\x1b[2J\u202ea\nb " + "long " * 90, "b\r\nc")) * 2, as_of=NOW
    )
    text = render_eligibility(found)
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(text)
    assert all(columns(line) <= 80 for line in text.splitlines() if "skilltune " not in line)


def test_eligibility_colours_the_status_only():
    """Colour is the finding's, and without it the text is the same."""
    found = check_eligibility("a", corrections=[], as_of=NOW)
    painted = render_eligibility(found, color=True)
    assert painted.count("\x1b[1m") == 1
    assert painted.replace("\x1b[1m", "").replace("\x1b[0m", "") == render_eligibility(found)


def test_agreement_never_rounds_up_to_its_threshold():
    """What misses 0.70 by a little reads 0.69."""
    from fractions import Fraction

    assert agreement_words(Fraction(697, 1000), count=2, rivals=3) == "0.69 (2 of 3)"
    assert agreement_words(Fraction(3, 4), count=2, rivals=2) == "0.75 (2 of 2)"
