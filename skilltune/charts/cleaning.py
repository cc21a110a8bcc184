"""Text that is drawn or spoken: what nobody would see, or a reader's program would obey, is written out.

Every drawing passes here once, with its data, its words and its name: a raw escape in a label would end the renderer.
"""

import re
import unicodedata
from typing import Any, Final

__all__ = ["visible_spec", "visible_text"]

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_NO_XML: Final = frozenset("\ufffe\uffff")
_JOINERS: Final = frozenset("\u200c\u200d")
"""Hold letters of many scripts, and emoji, together."""
_SPACE: Final = re.compile(r"[\t\n\v\f\r ]+")


def visible_text(text: str) -> str:
    r"""`text` on one line, with control, direction and other hidden characters written out.

    Examples
    --------
    >>> visible_text("a\u202eb\x1b[1m\nc")
    'a\\u202eb\\u001b[1m c'
    """
    return _written_out(_SPACE.sub(" ", text))


def visible_spec(spec: Any) -> Any:
    """A copy of a Vega-Lite specification whose texts, those of its data among them, have nothing hidden in them."""
    if isinstance(spec, str):
        return _written_out(spec, keep="\t\n\r")
    if isinstance(spec, dict):
        return {_written_out(str(name)): visible_spec(value) for name, value in spec.items()}
    return [visible_spec(part) for part in spec] if isinstance(spec, (list, tuple)) else spec


def _written_out(text: str, *, keep: str = "") -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char in keep or not _is_hidden(char) else f"\\u{ord(char):04x}" for char in text)


def _is_hidden(char: str) -> bool:
    return char in _NO_XML or (unicodedata.category(char) in _HIDDEN and char not in _JOINERS)
