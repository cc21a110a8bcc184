"""How text is put on a terminal: escaped, coloured, wrapped, fitted into columns.

Every terminal text is a sentence with the finding, a table, and what to do next; colour repeats what words say.
"""

import shlex
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

__all__ = [
    "NAME_CHARS",
    "Paint",
    "clean",
    "columns",
    "command",
    "count_words",
    "cut",
    "finished",
    "fitted",
    "numbered",
    "painter",
    "safe",
    "titled",
    "visible",
    "whole_lines",
    "wrapped",
]

TONES: Final = {
    "finding": "1",
    "worse": "1;38;5;208",
    "better": "1;38;5;75",
    "held": "1;38;5;208",
    "quiet": "38;5;245",
    "plain": "",
}
"""How a tone is drawn where colour is allowed."""
PLAIN_MARKS: Final = str.maketrans(
    {
        "▲": "^",
        "△": "^",
        "▽": "v",
        "▼": "v",
        "●": "o",
        "─": "-",
        "–": "-",
        "−": "-",
        "·": ".",
        "…": "~",
        "→": ">",
        "—": "-",
        "“": '"',
        "”": '"',
        "‹": "<",
        "›": ">",
        "×": "x",
    }
)
"""Marks for a terminal without UTF-8, as wide as those they stand for."""
NAME_CHARS: Final = 100
"""Characters of a name that are shown."""
_TAB: Final = 4
_SIGNS: Final = 8
"""Signs that a column holds at most: a letter and its combining marks."""
_WORD_CHARS: Final = 1000
"""Characters of one word of a command that is shown; the longest line a skill takes has 500."""
_JOINERS: Final = "\u200d\ufe0f"
"""Parts of an emoji of several signs."""
_BLANK: Final = "\u115f\u1160\u3164\uffa0\u034f\u2800"
"""Signs that are drawn as nothing, and are no white space by their category."""

Paint = Callable[[str, str], str]


def safe(text: str) -> str:
    """`text` on one line with control and bidirectional characters made visible: a terminal must not obey it."""
    return "".join(map(_visible, " ".join(text.split())))


def visible(line: str) -> str:
    """One line with its white space kept, tabs drawn out, and what a terminal would obey made visible."""
    return "".join(map(_visible, line.rstrip("\r\n").expandtabs(_TAB)))


def clean(name: str) -> str:
    """A name that a terminal cannot mistake for a command; signs that have no width and no use in it are marked."""
    return "".join(character if _stands_alone(character) else "?" for character in name)


def columns(text: str) -> int:
    """How many columns a terminal needs; wide East Asian characters take two, combining ones none."""
    return sum(map(_width, text))


def fitted(name: str, size: int) -> str:
    """A name padded, or cut with an ellipsis, to so many columns."""
    text = clean(name[: size * _SIGNS + 1])
    if len(name) > size * _SIGNS or columns(text) > size:
        text = f"{_first_columns(text, size - 1)}…"
    return text + " " * (size - columns(text))


def cut(text: str, chars: int) -> str:
    """`text` on one line, safe, and where it is longer than `chars` cut after a word, with how much is left out."""
    shown = safe(text)
    if len(shown) <= chars:
        return shown
    kept = shown[: chars + 1].rsplit(" ", 1)[0][:chars].rstrip()
    return f"{kept} … ({len(shown) - len(kept):,} more characters)"


def wrapped(text: str, width: int, *, indent: str = "", hanging: str | None = None) -> list[str]:
    """`text` in lines of at most `width` columns; `hanging` stands before all lines but the first."""
    later = indent if hanging is None else hanging
    lines = textwrap.wrap(
        text, width, break_on_hyphens=False, initial_indent=indent, subsequent_indent=later, drop_whitespace=True
    )
    if all(columns(line) <= width for line in lines):
        return lines
    return [piece for line in lines for piece in whole_lines(line, width, hanging=later)]


def whole_lines(line: str, width: int, *, hanging: str = "") -> list[str]:
    """`line`, its white space kept, in pieces of at most `width` columns; `hanging` begins all but the first."""
    return list(_pieces(line, width, hanging=hanging)) or [""]


def numbered(items: Sequence[str], width: int, *, indent: str = "") -> list[str]:
    """`items` as a numbered list."""
    return [
        line
        for number, item in enumerate(items, 1)
        for line in wrapped(item, width, indent=f"{indent}{number}. ", hanging=indent + " " * len(f"{number}. "))
    ]


def count_words(count: int, noun: str, *, plural: str = "") -> str:
    """``1 change``, ``2 changes``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def command(*words: str) -> str:
    """A call of skilltune as it is typed."""
    shown = (safe(word if len(word) <= _WORD_CHARS else f"{word[:_WORD_CHARS]}…") for word in words)
    return " ".join(["skilltune", *map(shlex.quote, shown)])


def titled(title: str, *, beyond: int = 1) -> list[str]:
    """A title and its rule, which is so many signs longer."""
    return [title, "=" * (columns(title) + beyond)]


def painter(*, color: bool) -> Paint:
    """What puts a text into the colour of a tone, or leaves it as it is."""

    def paint(text: str, tone: str) -> str:
        return f"\x1b[{TONES[tone]}m{text}\x1b[0m" if color and TONES[tone] else text

    return paint


def finished(lines: Iterable[str], *, unicode: bool) -> str:
    """The lines as one text, in marks that the terminal has."""
    text = "\n".join(line.rstrip() for line in lines)
    return text if unicode else text.translate(PLAIN_MARKS)


def _first_columns(text: str, size: int) -> str:
    """The beginning of `text` that takes at most so many columns."""
    taken = 0
    for at, character in enumerate(text):
        taken += _width(character)
        if taken > size:
            return text[:at]
    return text


def _pieces(line: str, width: int, *, hanging: str) -> Iterator[str]:
    """Pieces broken after a blank where there is one in their second half."""
    piece = ""
    taken = 0
    for character in line:
        size = _width(character)
        if taken + size > width and taken:
            at = piece.rfind(" ") + 1
            at = at if at > len(piece) // 2 else len(piece)
            yield piece[:at]
            piece = hanging + piece[at:]
            taken = columns(piece)
        piece += character
        taken += size
    if piece:
        yield piece


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me"} or character in _JOINERS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _stands_alone(character: str) -> bool:
    """Whether a terminal shows the sign, and as what it is."""
    return character.isprintable() and (character in _JOINERS or _visible(character) == character)


def _visible(character: str) -> str:
    if character in _JOINERS:
        return character
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} or character in _BLANK:
        return f"\\u{ord(character):04x}"
    return character
