"""Usable corrections, patterns, and how far corrections agree."""

import json
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import FrameError, InputError
from skilltune.evolution.contradictions import find_contradictions
from skilltune.evolution.corrections import (
    content_key,
    coverage,
    find_patterns,
    in_time_order,
    read_corrections,
    usable_corrections,
)
from skilltune.evolution.outlook import find_candidates
from skilltune.evolution.settings import RefinementSettings, show_confidence
from tests.evolution.invented import AS_OF, answer, correction, corrections, repeated


def agreements(given, **more):
    """Text, k, m and agreement of each pattern that repeats."""
    patterns = find_patterns(usable_corrections(given, **more))
    return [(f"{p.original}→{p.suggested}", p.count, p.rivals, p.agreement) for p in patterns if p.count > 1]


def test_patterns_shared_cases(shared):
    """Every shared case: usable corrections, coverage, agreement, and what is suggested, held or too little."""
    for case in json.loads((shared / "vectors" / "refinement_instincts.json").read_text("utf-8"))["confidence"]:
        given = repeated(*map(tuple, case["corrections"]))
        usable = usable_corrections(given)
        patterns = find_patterns(usable)
        assert (len(usable), float(coverage(patterns))) == (case["usable"], case["coverage"]), case["id"]
        found = [
            [f"{p.original}→{p.suggested}", p.count, p.rivals, float(p.agreement)] for p in patterns if p.count > 1
        ]
        assert found == case["agreement"], case["id"]
        result = answer(given)
        free = ", ".join(f"{c.pattern.original}→{c.pattern.suggested}" for c in result.candidates if not c.blocked)
        said = {
            "insufficient_feedback": f"too few usable ({result.correction_count}<{result.min_corrections})",
            "contradictions": "held: reversed",
        }.get(result.reason, f"suggest {free}")
        assert said == case["decision"], case["id"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (repeated(("tin", "jar", 2)), [("tin→jar", 2, 2, Fraction(3, 4))]),
        (repeated(("tin", "jar", 3)), [("tin→jar", 3, 3, Fraction(4, 5))]),
        (repeated(("tin", "jar", 14)), [("tin→jar", 14, 14, Fraction(15, 16))]),
        (
            repeated(("tin", "jar", 3), ("tin", "box", 2)),
            [("tin→jar", 3, 5, Fraction(4, 7)), ("tin→box", 2, 5, Fraction(3, 7))],
        ),
        (
            repeated(("tin", "jar", 13), ("tin", "box", 5)),
            [("tin→jar", 13, 18, Fraction(7, 10)), ("tin→box", 5, 18, Fraction(3, 10))],
        ),
        (repeated(("tin", "jar", 2), ("a", "b", 1), ("c", "d", 1)), [("tin→jar", 2, 2, Fraction(3, 4))]),
        (repeated(("tin", "jar", 2), ("jar", "tin", 1)), [("tin→jar", 2, 3, Fraction(3, 5))]),
    ],
)
def test_agreement_is_an_exact_fraction(given, expected):
    """(k + 1) / (m + 2): rivals and exact reversals count in m, one-offs of other texts do not."""
    assert agreements(given) == expected


def test_threshold_compares_exactly():
    """14/20 passes a threshold of 0.7, 4 of 7 does not."""
    free = {c.pattern.count: not c.blocked for c in answer(repeated(("tin", "jar", 13), ("tin", "box", 5))).candidates}
    assert free == {13: True, 5: False}
    assert answer(repeated(("tin", "jar", 3), ("tin", "box", 2))).outlook.startswith(
        "none: 3 of 5 agree (0.57, needs 0.70)"
    )


def test_patterns_fold_composition_and_white_space_and_keep_case():
    """Line ends, runs of blanks and composed signs are one text; another case is another text."""
    given = corrections(
        ("café au  lait", "tea\r\nplease"), ("cafe\u0301 au lait", "tea please"), ("Café au lait", "tea please")
    )
    patterns = find_patterns(usable_corrections(given))
    assert [pattern.count for pattern in patterns] == [2, 1]
    assert patterns[0].rivals == 2


def test_pattern_text_is_its_commonest_raw_pair():
    """The commonest spelling wins, the earliest of equals."""
    (pattern,) = find_patterns(usable_corrections(corrections(("a  b", "c"), ("a b", "c"), ("a b", "c"))))
    assert (pattern.original, pattern.suggested) == ("a b", "c")
    (pattern,) = find_patterns(usable_corrections(corrections(("a  b", "c"), ("a b", "c"))))
    assert pattern.original == "a  b"


def test_patterns_do_not_merge_texts_with_a_long_common_beginning():
    """Texts that differ after fifty signs are two patterns."""
    lead = "warm the pot with hot water before the leaves go in, and then "
    patterns = find_patterns(
        usable_corrections(corrections((lead + "wait", lead + "stir"), (lead + "sip", lead + "stir")))
    )
    assert len(patterns) == 2


@pytest.mark.parametrize(
    "pair", [("tin", ""), ("", "jar"), ("tin", None), (None, "jar"), ("tin", "tin"), ("tin", " tin\n"), (" ", "jar")]
)
def test_correction_without_two_different_texts_is_not_usable(pair):
    """An empty or missing side, or the same text, makes no change."""
    (item,) = corrections(pair)
    assert not item.usable
    assert usable_corrections([item]) == []


def test_correction_of_formatting_only_is_told():
    """A change of white space or composition only is flagged; an identical pair is none."""
    flags = [
        item.formatting_only
        for item in corrections(("a b", "a  b"), ("é", "e\u0301"), ("a", "a"), ("a", "b"), ("", None))
    ]
    assert flags == [True, True, False, False, False]


def test_consumed_and_retracted_corrections_are_left_out():
    """What a refinement used, or a person took back, counts no more; a repeated id counts once."""
    given = repeated(("tin", "jar", 5))
    assert agreements([*given, given[4]], consumed={"c1"}, retracted={"c2"}) == [("tin→jar", 3, 3, Fraction(4, 5))]


def test_patterns_know_when_and_where_they_were_seen():
    """First, last, distinct sessions, ids."""
    given = [
        correction("tin", "jar", number=1, session="b", days_ago=3),
        correction("tin", "jar", number=2, session="a", days_ago=9),
        correction("tin", "jar", number=3, session="b", days_ago=1),
    ]
    (pattern,) = find_patterns(usable_corrections(given))
    assert (pattern.sessions, pattern.ids) == (("a", "b"), ("c2", "c1", "c3"))
    assert (AS_OF - pattern.first_seen).days == 9
    assert (AS_OF - pattern.last_seen).days == 1


@given(st.permutations(range(9)))
def test_patterns_do_not_depend_on_the_order_of_rows(order):
    """Rows in any order give the same patterns and contradictions."""
    given = repeated(("tin", "jar", 3), ("jar", "tin", 2), ("tin", "box", 1), ("Box", "box", 1), ("cup", "mug", 2))
    shuffled = [given[at] for at in order]
    assert find_patterns(usable_corrections(shuffled)) == find_patterns(usable_corrections(given))
    assert find_contradictions(shuffled) == find_contradictions(given)


def test_documented_confidence_is_offered_with_its_own_threshold_and_a_warning():
    """Frequency ÷ (2 × corrections) never exceeds a half; a threshold above it warns."""
    documented = RefinementSettings(confidence="documented")
    given = repeated(("tin", "jar", 3), ("cup", "mug", 1))
    (pattern, _) = find_patterns(usable_corrections(given))
    assert pattern.confidence("documented") == Fraction(3, 8)
    assert documented.threshold == Fraction(7, 20)
    assert [c.blocked for c in answer(given, settings=documented).candidates] == [()]
    assert documented.warnings == ()
    strict = RefinementSettings(confidence="documented", min_confidence=0.51)
    assert "cannot exceed 0.5" in strict.warnings[0]
    assert strict.warnings[0] in answer(given, settings=strict).warnings
    assert RefinementSettings(confidence="documented", min_confidence=0.5).warnings == ()


def test_settings_tell_what_is_looser_than_the_defaults():
    """Only what allows more is told."""
    assert RefinementSettings().looser == ()
    assert RefinementSettings(min_corrections=5, max_change_percent=10, cooldown_days=14).looser == ()
    assert RefinementSettings(drift_limit=80, min_confidence=0.5, cooldown_days=1).looser == (
        "min_confidence 0.5 (default 0.7)",
        "cooldown_days 1 (default 7)",
        "drift_limit 80 (default 60)",
    )


def test_settings_are_read_from_any_object_with_their_names():
    """A workspace's configuration gives the settings; unknown attributes are passed over."""
    from skilltune.stores.config import RefinementConfig

    settings = RefinementSettings.of(RefinementConfig(drift_limit=50), on_conflict="block")
    assert (settings.drift_limit, settings.on_conflict, settings.min_corrections) == (50, "block", 3)
    assert RefinementSettings.of(RefinementConfig()).looser == ()


@pytest.mark.parametrize("wrong", [{"min_confidence": 1.5}, {"drift_limit": -1}, {"cooldown_days": float("nan")}])
def test_settings_out_of_range_are_refused(wrong):
    """The message names the setting and its value."""
    with pytest.raises(InputError, match=next(iter(wrong))):
        RefinementSettings(**wrong)


def test_confidence_that_misses_its_threshold_never_prints_as_it():
    """Two decimals are rounded, but cut where rounding would show the threshold."""
    seven = Fraction(7, 10)
    assert show_confidence(Fraction(2, 3), threshold=seven) == "0.67"
    assert show_confidence(Fraction(699, 1000), threshold=seven) == "0.69"
    assert show_confidence(seven, threshold=seven) == "0.70"
    assert show_confidence(Fraction(7001, 10000), threshold=Fraction(7002, 10000)) != "0.70"


@given(st.fractions(0, 1, max_denominator=500), st.fractions(0, 1, max_denominator=500))
def test_confidence_is_rounded_half_up_wherever_it_is_shown(confidence, threshold):
    """By the exact fraction, so that 0.855 is 0.86; what misses a threshold never reads as it."""
    assert show_confidence(Fraction(171, 200)) == "0.86"
    assert show_confidence(confidence) == f"{int(100 * confidence + Fraction(1, 2)) / 100:.2f}"
    shown = show_confidence(confidence, threshold=threshold)
    assert (shown == show_confidence(threshold)) <= (confidence >= threshold)


def test_settings_below_even_odds_warn():
    """Wherever the settings go the warning is there; the documented confidence has its own scale."""
    loose = RefinementSettings(min_confidence=0.49)
    assert loose.warnings == ("min_confidence is 0.49, below 0.5: changes pass that more people corrected otherwise",)
    assert loose.warnings[0] in answer([], settings=loose).warnings
    assert RefinementSettings(min_confidence=0.5).warnings == ()
    assert RefinementSettings(confidence="documented").warnings == ()


def test_min_sessions_blocks_and_one_session_is_worth_a_look():
    """A pattern from one session is noted; with a minimum of two it is blocked, with the numbers."""
    given = [correction("tin", "jar", number=n, session="s") for n in range(1, 4)]
    (candidate,) = answer(given).candidates
    assert (candidate.notes, candidate.blocked) == (("look at: one session",), ())
    (candidate,) = answer(given, settings=RefinementSettings(min_sessions=2)).candidates
    assert candidate.blocked == ("from 1 of 2 sessions",)


def test_corrections_are_read_from_a_table():
    """Missing texts stay missing, times become aware, other skills are left out; a missing column is named."""
    frame = pd.DataFrame(
        {
            "id": ["1", "2", "3"],
            "skill_id": ["tea", "tea", "pot"],
            "session_id": ["s", "s", "s"],
            "timestamp": pd.to_datetime(["2026-01-02T00:00:00Z", None, None], utc=True),
            "original": ["tin", None, "x"],
            "corrected": ["jar", "", "y"],
        }
    )
    first, second = read_corrections(frame, skill_id="tea")
    assert (first.original, first.corrected, first.timestamp.isoformat()) == ("tin", "jar", "2026-01-02T00:00:00+00:00")
    assert (second.original, second.corrected, second.timestamp) == (None, "", None)
    assert [item.id for item in in_time_order([second, first])] == ["1", "2"]
    assert read_corrections(frame.iloc[:0]) == []
    with pytest.raises(FrameError, match="'original'"):
        read_corrections(frame.drop(columns="original"))


@given(st.text(max_size=30))
def test_content_key_is_stable(text):
    """Folding a folded text changes nothing."""
    assert content_key(content_key(text)) == content_key(text)


def test_candidates_need_two():
    """A single correction is no candidate."""
    patterns = find_patterns(usable_corrections(repeated(("tin", "jar", 1), ("cup", "mug", 2))))
    found = find_candidates(patterns, contradictions=find_contradictions([]), settings=RefinementSettings())
    assert [candidate.pattern.original for candidate in found] == ["cup"]
