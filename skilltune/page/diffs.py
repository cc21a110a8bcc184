"""Texts of corrections and skills as a page shows them: shortened to whole words, changes struck out and underlined."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from skilltune.evolution.picture import Run, draw_change
from skilltune.page.html import visible

__all__ = ["gone", "marked_change", "new", "shorten"]

SHOWN: Final = 240
"""Characters of a text, or of one stretch of a change, that are shown."""
_AROUND: Final = 60
"""Characters of an unchanged stretch that are shown beside a change."""
_COMPARED: Final = 4_000
"""Characters up to which the words of two texts are compared for the picture."""
_ONE_WORD: Final = 40
"""Characters that may be cut inside where they have no blank: texts without blanks between words."""

_DEL: Final = Markup('<del class="st-del">{}</del>')
_INS: Final = Markup('<ins class="st-ins">{}</ins>')


def shorten(text: str, *, most: int = SHOWN) -> str:
    """The first `most` characters of `text` on one line, ending after a whole word where one ends there."""
    folded = " ".join(text[: 8 * most].split())
    if len(folded) <= most and len(text) <= 8 * most:
        return folded
    cut = folded[:most]
    head, blank, tail = cut.rpartition(" ")
    return f"{head if blank and len(tail) <= _ONE_WORD else cut}…"


def gone(text: str) -> Markup:
    """A text that is taken out, struck through; one that is empty is named."""
    return _DEL.format(visible(shorten(text))) if text.strip() else Markup('<span class="st-none">nothing</span>')


def new(text: str) -> Markup:
    """A text that is put in, underlined; one that is empty is named."""
    return _INS.format(visible(shorten(text))) if text.strip() else Markup('<span class="st-none">nothing</span>')


def marked_change(original: str, suggested: str) -> Markup:
    """Both texts as one, with what goes struck through and what comes underlined; long same stretches are shortened."""
    if max(len(original), len(suggested)) > _COMPARED:
        return Markup(" ").join([gone(original), new(suggested)])
    runs = draw_change(original, suggested)
    if not any(run.mark == "changed" for run in runs):
        return Markup(" ").join([_DEL.format(_spaces(original)), _INS.format(_spaces(suggested))])
    return Markup("").join(_run(runs, place) for place in range(len(runs)))


def _run(runs: Sequence[Run], place: int) -> Markup:
    run = runs[place]
    if run.mark != "changed":
        return Markup.escape(visible(_middle(run.after, first=not place, last=place == len(runs) - 1)))
    parts = [mark.format(visible(shorten(text))) for mark, text in ((_DEL, run.before), (_INS, run.after)) if text]
    return Markup(" ").join(parts)


def _middle(text: str, *, first: bool, last: bool) -> str:
    """An unchanged stretch, without what lies far from the changes beside it."""
    if len(text) <= 2 * _AROUND:
        return text
    head = "" if first else text[:_AROUND].rpartition(" ")[0]
    tail = "" if last else text[-_AROUND:].partition(" ")[2]
    return f"{head} … {tail}" if head or tail else "…"


def _spaces(text: str) -> str:
    """White space that can be seen: nothing else changes."""
    return visible("".join("␣" if char.isspace() else char for char in text[:SHOWN]))
