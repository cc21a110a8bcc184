"""How long a line may be: what the bound says of the line itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.learned import LEARNED_HEADING, add_lines
from skilltune.evolution.textdiff import measure_change
from skilltune.rendering.line_room import line_room, most_room, room_words

BODY = (
    "# Tea\n\n1. Pour the water slowly.\n2. Wait for a while.\n\n## Cups\n\nWarm them. "
    + "Take two of them. " * 9
    + "\n"
)


@given(
    repeats=st.integers(0, 40),
    percent=st.sampled_from([5, 20, 33]),
    section=st.sampled_from(["", "Tea", "Cups", "Pot"]),
)
def test_longest_line_passes_and_the_next_does_not(repeats: int, percent: int, section: str):
    """By the bound itself, in any section, with the heading that may have to be made."""
    body = BODY + "More of it. " * repeats
    room = line_room(body, section=section, max_percent=percent)
    title = section if section in ("Tea", "Cups") else LEARNED_HEADING
    for size, fits in ((room, True), (room + 1, False)):
        if size:
            after = add_lines(body, lines=["- " + "q" * size], title=title)
            assert (measure_change(body, after).rounded_percent <= percent) is fits


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("Cups", "room for 44 characters (20% of the body)"),
        ("", "room for 21 characters (20% of the body); 44 under a heading that is there, as --section Cups"),
    ],
)
def test_a_new_heading_takes_room_and_that_is_said(section: str, words: str):
    """Where the line would need a heading, a section that is there is named."""
    assert room_words(BODY, section=section, max_percent=20) == words


def test_no_room_is_none_and_not_less():
    """A very short body takes no line."""
    assert line_room("Do it.", section="", max_percent=20) == 0
    told = room_words("Do it.", section="", max_percent=20)
    assert told == "no line fits 20% of so short a body: write it into the skill's file by hand"
    assert most_room(BODY, section="", max_percent=20) == line_room(BODY, section="Cups", max_percent=20)
