"""The words that a change takes out and puts in, as HTML: side by side, or in one column with what is unchanged folded.

Struck through and underlined, so that it reads without colours. Texts are hostile: each run is escaped by itself, what
cannot be seen in it is written out, and a line under the text names it. Texts are long: the picture is bounded.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from skilltune.evolution.picture import Run, draw_change
from skilltune.page.words import count_of
from skilltune.rendering.hidden_characters import hidden_words
from skilltune.widgets.hidden_marks import marked_lines

__all__ = ["after_side", "before_side", "drawn", "hidden_note", "whole_diff"]

MOST_SHOWN: Final = 4_000
"""Characters of one side of a change that are shown; how many more there are is said."""
WHOLE_SHOWN: Final = 20_000
"""The same of a whole body."""
SAME_SHOWN: Final = 500
"""The same of each end of an unchanged stretch that has no lines to fold."""
AROUND: Final = 2
"""Lines that stay on each side of a change; more in between are folded."""

_OUT: Final = Markup('<del class="stw-del">{}</del>')
_IN: Final = Markup('<ins class="stw-ins">{}</ins>')


def drawn(original: str, suggested: str) -> tuple[Run, ...]:
    """The runs to draw; what is compared word by word is bounded, what is left of longer texts is one change."""
    head, tail = _common_ends(original, suggested)
    before, after = original[head : len(original) - tail], suggested[head : len(suggested) - tail]
    middle: tuple[Run, ...] = (Run("changed", before, after),)
    if max(len(before), len(after)) <= WHOLE_SHOWN:
        middle = draw_change(before, after)
    ends = (original[:head], original[len(original) - tail :])
    same = [Run("same", text, text) if text else None for text in ends]
    return tuple(run for run in (same[0], *middle, same[1]) if run is not None)


def hidden_note(text: str) -> Markup:
    """A line that names what cannot be seen in `text`; nothing where all of it can."""
    words = hidden_words(text)
    told = Markup('<p class="stw-reason">△ this text holds {}; the marks show where</p>')
    return told.format(words) if words else Markup("")


def before_side(runs: Sequence[Run]) -> Markup:
    """The text as it was, what is taken out struck through."""
    return _side([(run.before, run.mark == "changed", _only_spaces(runs)) for run in runs], mark=_OUT)


def after_side(runs: Sequence[Run]) -> Markup:
    """The text as it would be, what is put in underlined."""
    return _side([(run.after, run.mark == "changed", _only_spaces(runs)) for run in runs], mark=_IN)


def whole_diff(original: str, suggested: str) -> Markup:
    """Both texts as one, what is gone struck through, what is new underlined; long unchanged stretches are folded."""
    runs = drawn(original, suggested)
    shown: list[Markup] = []
    left, cut = WHOLE_SHOWN, 0
    for place, run in enumerate(runs):
        size = max(len(run.before), len(run.after))
        if left > 0:
            part = Run(run.mark, run.before[:left], run.after[:left]) if run.mark == "changed" else run
            found = _both(part, first=place == 0, last=place == len(runs) - 1)
            shown.append(found)
            left -= min(size, len(found))
            cut += size - max(len(part.before), len(part.after))
        else:
            cut += size
    if cut:
        shown.append(_gap(f"{cut:,} more characters"))
    picture = Markup('<pre class="stw-text stw-whole" dir="auto">{}</pre>').format(Markup("").join(shown))
    return picture + hidden_note(suggested)


def _common_ends(one: str, other: str) -> tuple[int, int]:
    """Characters that long texts share at their beginning and end, whole lines or words; 0 of shorter ones."""
    if max(len(one), len(other)) <= WHOLE_SHOWN:
        return 0, 0
    from diff_match_patch import diff_match_patch

    differ = diff_match_patch()
    head = _back_to_blank(one, differ.diff_commonPrefix(one, other))
    rest, others = one[head:][::-1], other[head:][::-1]
    return head, _back_to_blank(rest, differ.diff_commonPrefix(rest, others))


def _back_to_blank(text: str, end: int) -> int:
    """The last place up to `end` behind a line's end or a blank, so that no word is torn; `end` of an endless word."""
    if end == len(text):
        return end
    return max(text.rfind("\n", 0, end), text.rfind(" ", 0, end)) + 1 or end


def _side(parts: list[tuple[str, bool, bool]], *, mark: Markup) -> Markup:
    shown: list[Markup] = []
    left = MOST_SHOWN
    for text, changed, spaces in parts:
        words = marked_lines(text[: max(left, 0)])
        lone = spaces and text.isspace()
        words = words.replace(" ", "␣") if lone and "<" not in words else words
        if words:
            shown.append(mark.format(words) if changed or lone else words)
        left -= len(text)
    if left < 0:
        shown.append(_gap(f"{-left:,} more characters"))
    picture = Markup('<pre class="stw-text" dir="auto">{}</pre>').format(Markup("").join(shown))
    return picture + hidden_note("".join(text for text, _, _ in parts))


def _only_spaces(runs: Sequence[Run]) -> bool:
    """Whether nothing but white space changes: it is shown then."""
    return any(run.mark == "space" for run in runs) and not any(run.mark == "changed" for run in runs)


def _both(run: Run, *, first: bool, last: bool) -> Markup:
    if run.mark != "changed":
        return _folded(run.after, first=first, last=last)
    before, after = marked_lines(run.before), marked_lines(run.after)
    out = _OUT.format(before) if before else Markup("")
    return out + (_IN.format(after) if after else Markup(""))


def _folded(text: str, *, first: bool, last: bool) -> Markup:
    """An unchanged stretch: the lines beside the changes, and how many there are between."""
    lines = text.splitlines(keepends=False) if "\r" in text else text.split("\n")
    head = 0 if first else AROUND + 1
    tail = 0 if last else AROUND + 1
    hidden = len(lines) - head - tail
    if hidden <= AROUND:
        return _ended("\n".join(lines))
    before = "".join(f"{line}\n" for line in lines[:head])
    after = "\n".join(lines[len(lines) - tail :]) if tail else ""
    return _ended(before) + _gap(count_of(hidden, "unchanged line")) + Markup("\n") + _ended(after)


def _ended(text: str) -> Markup:
    """An unchanged stretch without folds; of a very long one both ends."""
    if len(text) <= 2 * SAME_SHOWN:
        return marked_lines(text)
    gap = _gap(f"{len(text) - 2 * SAME_SHOWN:,} unchanged characters")
    return marked_lines(text[:SAME_SHOWN]) + gap + marked_lines(text[-SAME_SHOWN:])


def _gap(words: str) -> Markup:
    return Markup('<span class="stw-note">… {} …</span>').format(words)
