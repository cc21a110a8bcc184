"""Names out of transcripts (of skills, sessions, records, tools) before they are kept or shown.

A secret in one is masked; one of nothing but blanks is put into quotation marks, as nobody could see it.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from skilltune.stores.secrets import mask_secrets

__all__ = ["mask_name"]

_OF_AGENTS: Final = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?:ses|msg|prt|call|toolu|srvtoolu|fc|req|resp|item|rs)_[A-Za-z0-9]{1,48}",
    re.IGNORECASE,
)
"""UUIDs, and the ids that agents make up: they look as random as keys do, and open nothing."""
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Signs that are drawn as nothing, and are no white space by their category."""
_REMEMBERED: Final = 256
"""Characters up to which a name is looked at only once; longer ones are none, and not worth the memory."""


def mask_name(name: str) -> str:
    """`name` with each secret in it replaced by ``[secret]``, a blank one quoted; the same name always gives the same.

    Examples
    --------
    >>> mask_name("plugin:sql-migrations")
    'plugin:sql-migrations'
    >>> mask_name("deploy password: hunter2!")
    'deploy password: [secret]'
    >>> mask_name(" ")
    '" "'
    """
    if _OF_AGENTS.fullmatch(name):
        return name
    return _mask_once(name) if len(name) <= _REMEMBERED else mask_secrets(name)


@lru_cache(maxsize=1 << 14)
def _mask_once(name: str) -> str:
    return f'"{name}"' if name and all(map(_is_blank, name)) else mask_secrets(name)


def _is_blank(character: str) -> bool:
    return character.isspace() or character in _BLANK or unicodedata.category(character) == "Cf"
