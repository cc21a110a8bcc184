"""The one place where words of a session become HTML of a panel: made visible, escaped, never a path or an address.

What goes in may be hostile: tags, escape sequences, characters that turn the direction of writing, halves of
characters, whole files. What comes out is markup that begins with a tag of ours, so that no viewer takes a text for
the path of a file or an address to fetch.
"""

import re
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from skilltune.page.html import visible
from skilltune.rendering.hidden_characters import plain_lines

__all__ = ["LONG_TEXT", "folded_text", "readable_lines", "text_block", "with_bold"]

LONG_TEXT: Final = 360
"""Characters from which on a text of the context is folded."""
MOST_SHOWN: Final = 20_000
"""Characters of one text that a panel shows at most; how many more there are is said."""

_CODE: Final = re.compile(r"`([^`\n]+)`")
_WORD: Final = re.compile(r"[^ \n]+")
_EDGE: Final = 24
"""How far a cut may move to end between two words."""


def readable_lines(text: str) -> str:
    r"""`text` with its lines and indents, control, direction and surrogate characters written out.

    Examples
    --------
    >>> readable_lines("if x:\r\n\tundo \x1b[31mthat\u202e")
    'if x:\n    undo \\u001b[31mthat\\u202e'
    """
    return _WORD.sub(lambda found: visible(found[0]), plain_lines(text))


def text_block(text: str, *, look: str = "") -> Markup:
    """All of `text` as a block that keeps its lines, read from the side its own language is read from.

    Parameters
    ----------
    look
        A CSS class of ours.

    Examples
    --------
    >>> print(text_block("<b>no</b>"))
    <pre class="stw-text" dir="auto">&lt;b&gt;no&lt;/b&gt;</pre>
    """
    shown = _with_code(text[:MOST_SHOWN])
    more = len(text) - MOST_SHOWN
    left = Markup('<span class="stw-note"> … {} more characters</span>').format(f"{more:,}") if more > 0 else Markup("")
    return Markup('<pre class="{}" dir="auto">{}{}</pre>').format(f"stw-text {look}".strip(), shown, left)


def folded_text(text: str, *, look: str = "", limit: int = LONG_TEXT) -> Markup:
    """`text` as a block; of one longer than `limit` the beginning and the end, and all of it on call.

    The end is kept because it is what the next speaker answers. Opening needs no kernel.
    """
    if len(text) <= limit:
        return text_block(text, look=look)
    head, tail = _ends(text, limit=limit)
    brief = Markup('<span class="stw-brief" dir="auto">{} <b class="stw-gap">…</b> {}</span>')
    return Markup(
        '<details class="stw-fold {}"><summary>{}<span class="stw-show"></span></summary>{}</details>'
    ).format(look, brief.format(_with_code(head), _with_code(tail)), text_block(text))


def with_bold(*parts: str) -> Markup:
    """A sentence in parts, made visible and escaped; every second part is set in bold.

    Examples
    --------
    >>> print(with_bold("Saved: turn 1 is ", "a<b", "."))
    Saved: turn 1 is <b>a&lt;b</b>.
    """
    return _alternating([readable_lines(part) for part in parts], tag="b")


def _with_code(text: str) -> Markup:
    """`text` made visible and escaped, with what stands between backticks set as code."""
    return _alternating(_CODE.split(readable_lines(text)), tag="code")


def _alternating(parts: Sequence[str], *, tag: str) -> Markup:
    """Escaped parts, every second one within a `tag` of ours."""
    inside = Markup("<{0}>{1}</{0}>")
    return Markup("").join(inside.format(tag, part) if place % 2 else part for place, part in enumerate(parts))


def _ends(text: str, *, limit: int) -> tuple[str, str]:
    """Beginning and end, together about `limit` characters, cut between words where one ends near."""
    half = limit // 2
    head, tail = text[:half], text[-half:]
    space = head.rfind(" ", half - _EDGE)
    if space > 0:
        head = head[:space]
    space = tail.find(" ", 0, _EDGE)
    if space >= 0:
        tail = tail[space + 1 :]
    return head.rstrip(), tail.lstrip()
