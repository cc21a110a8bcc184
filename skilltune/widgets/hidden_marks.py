"""Characters that a reader would not see, or would take for others, as HTML: written out and set apart."""

from typing import Final

from markupsafe import Markup

from skilltune.rendering.hidden_characters import hidden_runs, plain_lines

__all__ = ["marked_lines"]

_MARK: Final = Markup('<span class="stw-odd">{}</span>')


def marked_lines(text: str) -> Markup:
    r"""`text` with its lines, escaped; what cannot be seen is written out and set apart, look-alikes with their code.

    Examples
    --------
    >>> print(marked_lines("rm\u200b it"))
    rm<span class="stw-odd">U+200B</span> it
    """
    plain = plain_lines(text)
    parts: list[Markup] = []
    done = 0
    for run in hidden_runs(plain):
        parts += [Markup.escape(plain[done : run.start]), _MARK.format(run.words)]
        done = run.start + run.times
    return Markup("").join([*parts, Markup.escape(plain[done:])])
