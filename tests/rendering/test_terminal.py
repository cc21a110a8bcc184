"""Text on a terminal: nothing of it is obeyed, nothing of it is lost."""

from hypothesis import given
from hypothesis import strategies as st

from skilltune.rendering.terminal import columns, command, cut, fitted, safe, visible, whole_lines, wrapped

TEXT = st.text(st.characters(codec=None), max_size=80)


@given(TEXT)
def test_safe_text_is_one_line_of_harmless_signs(text):
    """No control, bidirectional or surrogate sign is left, and no line end."""
    shown = safe(text)
    assert shown == " ".join(shown.split())
    assert all(
        sign.isprintable() or sign == "\u200d" for sign in visible(shown) if not sign.isspace() and ord(sign) < 0xE000
    )
    assert not {"\x1b", "\u202e", "\u2028", "\n", "\r"} & set(shown)


@given(TEXT, st.integers(4, 30))
def test_whole_lines_fit_and_lose_nothing(text, width):
    """The pieces of a line are at most so wide, and together they are the line."""
    line = visible(text)
    pieces = whole_lines(line, width)
    assert all(columns(piece) <= width for piece in pieces)
    assert "".join(pieces) == line


@given(TEXT, st.integers(1, 30))
def test_fitted_is_exactly_as_wide(text, size):
    """A column stays straight whatever stands in it."""
    assert columns(fitted(text, size)) == size


def test_cut_ends_after_a_word_and_says_how_much_is_left_out():
    """No quote ends in the middle of a word."""
    assert cut("one two three", 8) == "one two … (6 more characters)"
    assert cut("one two", 8) == "one two"


def test_wrapped_wide_signs_fit():
    """East Asian signs take two columns each."""
    assert all(columns(line) <= 20 for line in wrapped("测" * 50, 20))


def test_command_quotes_what_a_shell_would_obey():
    """A hostile name in a suggested command does nothing when it is pasted."""
    assert command("drift", "$(rm -rf x)") == "skilltune drift '$(rm -rf x)'"
