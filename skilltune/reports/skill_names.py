"""The file's name of a skill's own page: readable, safe on every system, and another one for every skill."""

import hashlib
import re
from typing import Final

__all__ = ["page_name"]

_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_ODD: Final = re.compile(r"[^a-z0-9_-]+")
_TAKEN: Final = re.compile(r".*(-[0-9a-f]{8}|[.]failed)")
"""Names that another skill's page, or a failed run's notebook, may have."""
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?|index")


def page_name(skill_id: str) -> str:
    """The skill's name where it can be a file's; else its plain characters and the beginning of a hash.

    Examples
    --------
    >>> page_name("lint-on-save"), page_name("tools:Lint")
    ('lint-on-save', 'tools-lint-b2ff9ca9')
    """
    taken = skill_id.endswith(".") or _RESERVED.fullmatch(skill_id) or _TAKEN.fullmatch(skill_id)
    if _PLAIN.fullmatch(skill_id) and not taken:
        return skill_id
    plain = _ODD.sub("-", skill_id.casefold()).strip("-")[:48] or "skill"
    return f"{plain}-{hashlib.sha256(skill_id.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
