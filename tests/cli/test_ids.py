"""One rule for ids that are typed."""

import pytest

from skilltune.cli.ids import find_id, matching_ids
from skilltune.errors import InputError

IDS = ["3f2a9c0d1e4b5a67", "3f2a9c0d77777777", "s1", "S1-long-name", "abcdef"]


def _find(given, ids=IDS):
    return find_id(given, ids, what="candidate", look="skilltune feedback candidates")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("3f2a9c0d1e4b5a67", "3f2a9c0d1e4b5a67"),
        ("3f2a9c0d1", "3f2a9c0d1e4b5a67"),
        (" 3F2A9C0D7 ", "3f2a9c0d77777777"),
        ("s1", "s1"),
        ("s1-lon", "S1-long-name"),
    ],
)
def test_whole_ids_and_unique_beginnings_name_one(given, found):
    """All of it, however short; else six characters and more, in any case of letters."""
    assert _find(given) == found


def test_id_that_begins_another_is_meant_itself():
    """A whole id is never ambiguous."""
    assert _find("abcdef", ["abcdef", "abcdef01"]) == "abcdef"


def test_ambiguous_beginning_lists_the_ids_it_begins():
    """What there is to choose from is in the message."""
    with pytest.raises(InputError, match="begins 2 ids: 3f2a9c0d1e4b5a67, 3f2a9c0d77777777; give more"):
        _find("3f2a9c0d")


@pytest.mark.parametrize(
    ("given", "words"),
    [("3f2a9", "'3f2a9' has 5 characters"), ("", "has 0 characters"), ("999999", "'999999' names no candidate")],
)
def test_id_that_names_none_says_where_they_are(given, words):
    """Too short, or unknown: the command that lists them."""
    with pytest.raises(InputError, match=words) as told:
        _find(given)
    assert str(told.value).endswith(": skilltune feedback candidates")


def test_article_fits_what_is_asked_for():
    """An open suggestion, a candidate."""
    with pytest.raises(InputError, match="no whole id of an open suggestion for x; give"):
        find_id("3f2", IDS, what="open suggestion for x", look="skilltune refine x")
    with pytest.raises(InputError, match="no whole id of a candidate; give"):
        _find("3f2")


def test_hostile_ids_are_shown_harmless_and_cut():
    """An id of ten thousand characters or of escape sequences does not reach the terminal as it is."""
    for given in ("\x1b]0;x\x07\u202e-and-more", "x" * 10_000):
        with pytest.raises(InputError) as told:
            _find(given)
        assert not {"\x1b", "\x07", "\u202e"} & set(str(told.value))
        assert len(str(told.value)) < 300


def test_nothing_matches_an_empty_list():
    """No ids, no match."""
    assert matching_ids("abcdefgh", []) == []
