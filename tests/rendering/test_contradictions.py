"""The contradiction report, against its published form."""

from datetime import UTC, datetime

from skilltune.evolution.contradictions import find_contradictions
from skilltune.evolution.corrections import Correction
from skilltune.rendering.contradictions import render_contradictions
from skilltune.rendering.terminal import columns


def _correction(number, day, original, corrected):
    return Correction(
        id=f"c{number}",
        skill_id="deploy-check",
        session_id=f"s{number}",
        timestamp=datetime(2025, 7, day, tzinfo=UTC),
        original=original,
        corrected=corrected,
    )


def _lines(*rows, released=()):
    given = [_correction(*row) for row in rows]
    found = find_contradictions(given, released=released)
    return render_contradictions(found, skill_id="deploy-check").splitlines()


REVERSAL = ((3, 15, "build", "build --production"), (5, 22, "build --production", "build"))
DIVERGENCE = ((6, 23, "use tabs here", "use spaces here"), (7, 24, "use tabs here", "use nothing here"))


def test_contradictions_have_the_published_form():
    """Title, rule of one sign more, counts, a block a finding, numbered advice."""
    lines = _lines(*REVERSAL, *DIVERGENCE)
    assert lines[:14] == [
        "Contradiction Report: deploy-check",
        "===================================",
        "Corrections analyzed: 4",
        "Contradictions found: 2",
        "",
        "CONFLICT  Reversal detected",
        "          Session s3 (2025-07-15): changed 'build' to 'build --production'",
        "          Session s5 (2025-07-22): changed 'build --production' to 'build'",
        "          Action: retract the side that no longer holds",
        "",
        "WARNING   Divergence detected",
        "          Session s6 (2025-07-23): changed 'use tabs here' to 'use spaces here'",
        "          Session s7 (2025-07-24): changed 'use tabs here' to 'use nothing here'",
        "          Action: rewrite the instruction with a condition that says which text",
    ]
    assert lines[lines.index("Recommendation:") + 1].startswith("  1. ")
    assert "Found 2 contradiction(s): 1 conflict(s), 1 warning(s)" in lines
    assert all(columns(line) <= 80 for line in lines)


def test_contradictions_without_any_say_so_and_what_is_not_seen():
    """None is told in the published words, with what escapes the search and where to look."""
    lines = _lines(REVERSAL[0])
    assert "No contradictions detected" in lines
    assert "Recommendation:" not in lines
    assert "Reversals in other words are not seen" in "\n".join(lines)
    assert lines[-1] == "Next: skilltune feedback deploy-check"


def test_contradiction_of_empty_sides_is_told_as_removed_and_added():
    """A deletion and its return are no change from or to nothing."""
    text = "\n".join(_lines((1, 1, "a long step", ""), (2, 2, "", "a long step")))
    assert "removed 'a long step'" in text
    assert "added 'a long step'" in text


def test_contradiction_side_that_repeats_tells_how_often():
    """Count and last day of a side."""
    text = " ".join(" ".join(_lines(*REVERSAL, (8, 28, "build", "build --production"))).split())
    assert "changed 'build' to 'build --production' (2 times, last 2025-07-28)" in text


def test_contradiction_that_holds_names_the_command_and_released_does_not():
    """A conflict says how to keep a side; one that a person released holds nothing."""
    (finding,) = find_contradictions([_correction(*row) for row in REVERSAL]).findings
    command = f"  skilltune contradictions deploy-check --finding {finding.id} --keep both"
    assert command in _lines(*REVERSAL)
    released = _lines(*REVERSAL, released=[finding.id])
    assert command not in released
    assert "          Action: none; you keep both sides" in released


def test_contradictions_of_hostile_texts_cannot_steer_a_terminal():
    """What a terminal would obey is made visible."""
    text = "\n".join(_lines((1, 1, "\x1b[2Ja\u202e", "b\x07"), (2, 2, "b\x07", "\x1b[2Ja\u202e")))
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
