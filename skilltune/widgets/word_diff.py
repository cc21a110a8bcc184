"""The words that a change takes out and puts in, as HTML: side by side, or in one column with what is unchanged folded.

Struck through and underlined, so that it reads without colours. Texts are hostile: each run is escaped by itself.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from skilltune.evolution.picture import Run, draw_change
from skilltune.page.words import count_of
from skilltune.widgets.safe_text import readable_lines

__all__ = ["after_side", "before_side", "drawn", "whole_diff"]

MOST_SHOWN: Final = 4_000
"""Characters of one side of a change that are shown; how many more there are is said."""
WHOLE_SHOWN: Final = 20_000
"""The same of a whole body."""
AROUND: Final = 2
"""Lines that stay on each side of a change; more in between are folded."""

_OUT: Final = Markup('<del class="stw-del">{}</del>')
_IN: Final = Markup('<ins class="stw-ins">{}</ins>')


def drawn(original: str, suggested: str) -> tuple[Run, ...]:
    """The runs to draw; both texts as one change where they are too long or too different to compare."""
    try:
        return draw_change(original, suggested)
    except ValueError:
        return (Run("changed", original, suggested),)


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
    left = WHOLE_SHOWN
    for place, run in enumerate(runs):
        if left <= 0:
            rest = sum(max(len(run.before), len(run.after)) for run in runs[place:])
            shown.append(_gap(f"{rest:,} more characters"))
            break
        left -= max(len(run.before), len(run.after))
        shown.append(_both(run, first=place == 0, last=place == len(runs) - 1))
    return Markup('<pre class="stw-text stw-whole" dir="auto">{}</pre>').format(Markup("").join(shown))


def _side(parts: list[tuple[str, bool, bool]], *, mark: Markup) -> Markup:
    shown: list[Markup] = []
    left = MOST_SHOWN
    for text, changed, spaces in parts:
        words = readable_lines(text[: max(left, 0)])
        lone = spaces and text.isspace()
        words = words.replace(" ", "␣") if lone else words
        if words:
            shown.append(mark.format(words) if changed or lone else Markup.escape(words))
        left -= len(text)
    if left < 0:
        shown.append(_gap(f"{-left:,} more characters"))
    return Markup('<pre class="stw-text" dir="auto">{}</pre>').format(Markup("").join(shown))


def _only_spaces(runs: Sequence[Run]) -> bool:
    """Whether nothing but white space changes: it is shown then."""
    return any(run.mark == "space" for run in runs) and not any(run.mark == "changed" for run in runs)


def _both(run: Run, *, first: bool, last: bool) -> Markup:
    if run.mark != "changed":
        return _folded(run.after, first=first, last=last)
    before, after = readable_lines(run.before), readable_lines(run.after)
    out = _OUT.format(before) if before else Markup("")
    return out + (_IN.format(after) if after else Markup(""))


def _folded(text: str, *, first: bool, last: bool) -> Markup:
    """An unchanged stretch: the lines beside the changes, and how many there are between."""
    lines = readable_lines(text).split("\n")
    head = 0 if first else AROUND + 1
    tail = 0 if last else AROUND + 1
    hidden = len(lines) - head - tail
    if hidden <= AROUND:
        return Markup.escape("\n".join(lines))
    before = Markup.escape("".join(f"{line}\n" for line in lines[:head]))
    after = Markup.escape("\n".join(lines[len(lines) - tail :]) if tail else "")
    return before + _gap(count_of(hidden, "unchanged line")) + Markup("\n") + after


def _gap(words: str) -> Markup:
    return Markup('<span class="stw-note">… {} …</span>').format(words)
