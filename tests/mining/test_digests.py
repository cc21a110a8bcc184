"""The version of a skill."""

import re

import pytest

from skilltune.mining.digests import skill_digest

BODY = "# Tidy\n\nSort the imports.\n"


@pytest.mark.parametrize(
    "same",
    [
        f"---\nname: tidy\ndescription: >-\n  sorts --- things\n---\n\n{BODY}",
        f"\ufeff---\r\nname: tidy\r\n---\r\n{BODY}",
        BODY.replace("\n", "\r\n"),
        f"\n\n{BODY}\n\n",
    ],
)
def test_skill_digest_ignores_front_matter_line_ends_and_blanks(same):
    """The file and the injected body of one version have one digest."""
    assert skill_digest(same) == skill_digest(BODY)


@pytest.mark.parametrize("other", [BODY.upper(), BODY + "More.", "", f"text\n---\nname: a\n---\n{BODY}"])
def test_skill_digest_tells_versions_apart(other):
    """Any other instruction has another digest; a rule in the middle is no front matter."""
    assert skill_digest(other) != skill_digest(BODY)


def test_skill_digest_is_twelve_hex_digits():
    """Also of a text no file can hold."""
    assert re.fullmatch(r"[0-9a-f]{12}", skill_digest("lone \ud83d"))


@pytest.mark.parametrize("same", ["Sort $ARGUMENTS now", "Sort  now", "Sort $ARGUMENTS now\n\nARGUMENTS: $ARGUMENTS\n"])
def test_skill_digest_ignores_places_of_arguments(same):
    """A text with places for arguments has the digest of the text with nothing there."""
    assert skill_digest(same) == skill_digest("Sort  now")
