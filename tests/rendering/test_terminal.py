"""Text on a terminal: nothing of it is obeyed, nothing of it is lost."""

from hypothesis import given
from hypothesis import strategies as st

from skilltune.rendering.terminal import columns, command, cut, finished, fitted, safe, visible, whole_lines, wrapped

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


def test_fitted_names_take_exactly_their_columns():
    """Wide, combining, joined and very long names: the columns are what was asked for, and a cut is marked."""
    for name in (
        "short",
        "保存時に検査する技能の名前です",
        "e\u0301" * 40,
        "👩\u200d🔧" * 9,
        "x" * 10_000,
        "\u0301" * 10_000,
    ):
        shown = fitted(name, 20)
        assert columns(shown) == 20
        assert ("…" in shown) == (columns(name) > 20 or len(name) > 1_000)


def test_signs_that_are_drawn_as_nothing_are_marked():
    """Zero-width signs, fillers and private signs are told, in names and in texts."""
    for sign in "\u200b\u2060\ufeff\u00ad\u3164\u2800\ue000":
        assert safe(f"a{sign}b") == f"a\\u{ord(sign):04x}b"
        assert fitted(f"a{sign}b", 3) == "a?b"


def test_command_with_a_word_of_any_length_is_bounded():
    """A name of ten thousand characters is cut and marked; a line of 500 characters stands as it is."""
    assert command("refine", "y" * 500).endswith("y" * 500)
    assert len(command("refine", "y" * 10_000)) < 1_100
    assert "…" in command("refine", "y" * 10_000)


def test_text_without_utf8_has_plain_marks_only():
    """Every sign that the texts of refinement use has a plain one."""
    assert finished(["1 – 2 − 3 … → “a” — b · ▲△▽▼●─"], unicode=False).isascii()
