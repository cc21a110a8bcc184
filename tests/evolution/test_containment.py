"""Which texts stand inside another one, as Python's own ``in`` says."""

from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.containment import Contained

PIECES = st.sampled_from(["a", "b", " ", "  ", "\n", "春", "pour the water ", "into the cup", "warm"])
TEXTS = st.lists(PIECES, min_size=1, max_size=24).map("".join)


@given(st.lists(TEXTS.filter(lambda text: len(text) >= 10), max_size=6), TEXTS, st.integers(0, 5))
def test_contained_finds_what_stands_inside(texts, around, which):
    """Short and long texts, with blanks and without, at the beginning, in the middle and at the end."""
    index = Contained(texts)
    inside = texts[which % len(texts)] if texts else ""
    for text in (around, inside, around + inside, inside + around, f"{around}x{inside}x{around}"):
        assert index.find(text) == {number for known, number in index.numbers.items() if known in text}
