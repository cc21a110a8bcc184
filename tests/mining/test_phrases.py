"""The notation of patterns: what it matches and what it refuses."""

import pytest

from skilltune.errors import InputError
from skilltune.mining.phrases import compile_phrase


@pytest.mark.parametrize(
    ("source", "text", "end"),
    [
        ("undo (that|this)", "undo this now", 9),
        ("(please )?redo", "redo", 4),
        ("that'?s wrong", "thats wrong", 11),
        ("(just |now )*push", "now just now push", 17),
        ("not ~2 asked", "not what i asked", 16),
        ("not ~2 asked", "not at all what i asked", None),
        ("not ~2 asked", "not it, i asked", None),
        ("is wrong", "is wrongly", None),
        ("is wrong", "is wrong-ish", None),
        ("is wrong", "is wrong对", 8),
    ],
)
def test_phrase_matches_whole_words(source, text, end):
    """Choices, options, repetitions and gaps match; words are whole, gaps stop at punctuation."""
    match = compile_phrase(source, matching="words").match(text, 0)
    assert (match and match.end()) == end


def test_phrase_in_signs_needs_no_word_end():
    """In a script without spaces a phrase may go on; a gap counts signs."""
    phrase = compile_phrase("漏~2 测试", matching="characters")
    assert phrase.match("漏了个测试用例", 0).end() == 5


def test_phrase_of_prefixes_goes_on():
    """Where words take endings the last word of a pattern is a prefix."""
    assert compile_phrase("틀렸", matching="prefixes").match("틀렸어요", 0)


@pytest.mark.parametrize(
    ("source", "heads"),
    [
        ("(please )?(revert|undo) it", {"please", "revert", "undo"}),
        ("that'?s it", {"that's", "thats"}),
        ("(just |now )*push", {"just", "now", "push"}),
        ("👍", {"👍"}),
    ],
)
def test_phrase_knows_its_first_words(source, heads):
    """The words a pattern can begin with are complete."""
    assert compile_phrase(source, matching="words").heads == heads


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("", "not empty"),
        ("Undo", "lower case"),
        ("a+*", "only after"),
        ("[ab]", r"may not contain '\['"),
        ("(a|b", "without '\\)'"),
        ("a)b", "without '\\('"),
        ("a|b", "outside of brackets"),
        ("~x a", "needs a digit"),
        ("~2 a", "begin with words"),
        ("((a )*b )*c", "without repetition"),
    ],
)
def test_phrase_refuses_what_it_does_not_know(source, complaint):
    """A pattern outside of the notation is refused with the reason."""
    with pytest.raises(InputError, match=complaint):
        compile_phrase(source, matching="words")
