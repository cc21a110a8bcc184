"""Detected corrections that say nothing a rule could come of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.noise import why_noise

OLD = "\n".join(f"pour the tea number {number}" for number in range(12))
NEW = "\n".join(f"rinse cup {number}" for number in range(12))


@pytest.mark.parametrize(
    ("original", "corrected", "reason"),
    [
        ("orders.channel", "orders.channel (2)", "generated"),
        ("made on 2026-10-01T08:00:00Z", "made on 2026-11-02", "generated"),
        ("at 3f2a9c0d1e4b", "at 77aa01bc9", "generated"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-426614174000", "generated"),
        ("1048576 bytes", "2097152 bytes", "generated"),
        (OLD, NEW, "rewritten"),
        ("b", "a", "short"),
        ("--", "++", "short"),
        ("wait 3 minutes", "wait 5 minutes", None),
        ("port 8080", "port 9090", None),
        ("steep (twice)", "steep", None),
        ("茶", "水", None),
        ("Use tabs", "Use spaces", None),
        ("deadbeef", "decade", None),
        (OLD, OLD.replace("number 5", "number five"), None),
        ("\n".join(OLD.splitlines()[:9]), "\n".join(NEW.splitlines()[:9]), None),
        ("Use tabs", "", None),
        (None, "a", None),
        ("a  b c", "a b c", None),
    ],
)
def test_noise_has_its_reason(original, corrected, reason):
    """Counters, dates, hashes and long numbers; rewrites of many lines; texts without three letters."""
    assert why_noise(original, corrected) == reason


@given(st.text(max_size=40), st.text(max_size=40))
def test_noise_is_the_same_both_ways(one, other):
    """What is noise as a correction is noise as its reversal."""
    assert why_noise(one, other) == why_noise(other, one)
