"""Names out of transcripts (of skills, sessions, records, tools) before they are kept: a secret in one is masked."""

import re
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
_REMEMBERED: Final = 256
"""Characters up to which a name is looked at only once; longer ones are none, and not worth the memory."""


def mask_name(name: str) -> str:
    """`name` with each secret in it replaced by ``[secret]``; the same name always gives the same.

    Examples
    --------
    >>> mask_name("plugin:sql-migrations")
    'plugin:sql-migrations'
    >>> mask_name("deploy password: hunter2!")
    'deploy password: [secret]'
    """
    if _OF_AGENTS.fullmatch(name):
        return name
    return _mask_once(name) if len(name) <= _REMEMBERED else mask_secrets(name)


@lru_cache(maxsize=1 << 14)
def _mask_once(name: str) -> str:
    return mask_secrets(name)
