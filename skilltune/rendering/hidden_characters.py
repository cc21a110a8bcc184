"""Characters that a reader would not see, or would take for others: where they stand, what they are, how many.

They matter in a diff: a person approves what they read, the agent reads what is there.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from skilltune.page.words import as_list, count_of
from skilltune.rendering.terminal import visible

__all__ = ["HiddenRun", "hidden_runs", "hidden_words", "marked_line", "plain_lines"]

NAMED: Final = 4
"""Kinds of hidden characters that are named; of how many more there are, only the count is said."""
TAB: Final = "    "

_ODD: Final = re.compile(r"[^\x20-\x7e\n]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile("[A-Za-z]")
_LINE_ENDS: Final = re.compile(r"\r\n?")
_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Letters, a joiner and a symbol without ink."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Belong between letters of many scripts and between emoji; beside ASCII they only hide."""
_SCRIPTS: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "FULLWIDTH", "MATHEMATICAL")
"""Scripts with letters that look like Latin ones, as Unicode's names of characters begin."""


class HiddenRun(NamedTuple):
    """One such character, or the same several times in a row."""

    start: int
    shown: str
    """``U+200B``; of a letter that looks like another, the letter before it."""
    times: int

    @property
    def words(self) -> str:
        """``U+200B ×3``."""
        return f"{self.shown} ×{self.times:,}" if self.times > 1 else self.shown


def plain_lines(text: str) -> str:
    """`text` with one kind of line end, and blanks for tabs."""
    return _LINE_ENDS.sub("\n", text).replace("\t", TAB)


def hidden_runs(text: str) -> Iterator[HiddenRun]:
    """Where in `text`, which is as `plain_lines` leaves it, such characters stand."""
    places = enumerate(_found(text))
    for _, same in groupby(places, key=lambda found: (found[1][0] - found[0], found[1][1])):
        first, *rest = same
        yield HiddenRun(first[1][0], first[1][1], 1 + len(rest))


def hidden_words(text: str) -> str:
    r"""How many such characters `text` holds, by name; '' for none.

    Examples
    --------
    >>> hidden_words("\u202eab p\u0430y p\u0430y")
    '1 right-to-left override and 2 Cyrillic letters inside Latin words'
    """
    counts = Counter(name for _, _, name in _found(plain_lines(text)))
    shown = counts.most_common(NAMED)
    more = counts.total() - sum(count for _, count in shown)
    told = sorted((_counted(name, count) for name, count in shown), key=lambda words: " inside " in words)
    return as_list([*told, f"{more:,} more"] if more else told)


def marked_line(line: str, *, show: Callable[[str], str] = visible) -> str:
    r"""One line for a terminal, in which `show` makes visible what it would obey; the rest is set between ``‹ ›``.

    Examples
    --------
    >>> marked_line("p\u0430y\u00a0it \x1b[1m")
    'p‹\u0430 U+0430›y‹U+00A0›it \\u001b[1m'
    """
    shown = show(line)
    parts: list[str] = []
    done = 0
    for run in hidden_runs(shown):
        parts += [shown[done : run.start], f"‹{run.words}›"]
        done = run.start + run.times
    return "".join([*parts, shown[done:]])


def _found(text: str) -> Iterator[tuple[int, str, str]]:
    """Place, what is shown there, and name of each character that is hidden or looks like another, in order."""
    alike = dict(_look_alikes(text))
    for match in _ODD.finditer(text):
        at, char = match.start(), match[0]
        code = f"U+{ord(char):04X}"
        if at in alike:
            yield at, f"{char} {code}", alike[at]
        elif _is_hidden(text, at):
            yield at, code, unicodedata.name(char, "").lower() or f"control character {code}"


def _look_alikes(text: str) -> Iterator[tuple[int, str]]:
    """Letters of other scripts within words that have Latin letters."""
    for word in _WORD.finditer(text):
        if word[0].isascii() or not _LATIN.search(word[0]):
            continue
        for place, char in enumerate(word[0]):
            script = unicodedata.name(char, "").partition(" ")[0] if ord(char) > 0x7F else ""
            if script in _SCRIPTS:
                yield word.start() + place, f"{script.capitalize()} letter inside"


def _is_hidden(text: str, at: int) -> bool:
    """Whether a character that is not of ASCII shows nothing where it stands, or turns what is around it."""
    char = text[at]
    before = text[at - 1] if at else ""
    if char in _JOINERS:
        return not (_is_joined(before) and _is_joined(text[at + 1 : at + 2]))
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return not before or before.isalpha() or before.isspace() or unicodedata.category(before) in ("Mn", "Cf")
    kind = unicodedata.category(char)
    return char in _BLANK_LETTERS or kind[0] == "C" or kind in ("Zl", "Zp") or (kind == "Zs" and char != "\u3000")


def _is_joined(char: str) -> bool:
    """Whether `char` is a letter, an accent or a symbol outside of ASCII."""
    return not char.isascii() and unicodedata.category(char)[0] in "LMS"


def _counted(name: str, count: int) -> str:
    if name.endswith(" inside"):
        words = count_of(count, name.removesuffix(" inside"))
        return f"{words} inside {'a Latin word' if count == 1 else 'Latin words'}"
    return f"{count:,} {name}" if count == 1 or name.startswith("control") else count_of(count, name)
