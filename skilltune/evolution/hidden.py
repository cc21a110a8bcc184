"""Whether a text that a skill would get holds a secret, or the mask of one.

What a secret is, is for the caller to say: the core takes a function that masks them.
"""

from collections.abc import Callable
from typing import Final

from skilltune.errors import InputError

__all__ = ["Mask", "check_secrets", "say_secret"]

Mask = Callable[[str], str]
"""A text → the text with ``[secret]`` for each secret in it; ``str`` where nothing is masked."""
_MARKS: Final = ("[secret]", "[email]")
_AROUND: Final = 30


def say_secret(text: str, *, before: str = "", mask: Mask) -> str:
    """Why `text` may not go into a skill, in words with the secret masked; '' where it may.

    Parameters
    ----------
    text
        What the skill would get.
    before
        What stands there now: the marks that it has already are no reason.
    mask
        What hides secrets. An e-mail address is none, its mask is.

    Examples
    --------
    >>> say_secret("log in with [secret]", mask=str)
    'the change holds what looks like a secret: "log in with [secret]"; word it anew'
    """
    masked = mask(text)
    for mark in _MARKS:
        found = masked if mark == _MARKS[0] else text
        if found.count(mark) > before.count(mark):
            return f'the change holds what looks like a secret: "{_excerpt(masked, mark)}"; word it anew'
    return ""


def check_secrets(text: str, *, mask: Mask) -> None:
    """Raise where a person's line for a skill holds a secret.

    Raises
    ------
    InputError
        With the secret masked.
    """
    if told := say_secret(text, mask=mask):
        raise InputError(told)


def _excerpt(text: str, mark: str) -> str:
    """What stands around the first `mark`, on one line."""
    at = text.index(mark)
    start, end = max(0, at - _AROUND), min(len(text), at + len(mark) + _AROUND)
    shown = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
