"""The version of a skill: a short digest of its instructions."""

import hashlib
import re

__all__ = ["skill_digest"]

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def skill_digest(body: str) -> str:
    r"""First 12 hex digits of the SHA-256 of a skill's instructions.

    Front matter, line ends and outer blanks do not count, so that the text of a SKILL.md and the text an agent
    injects from it have the same digest.

    Examples
    --------
    >>> skill_digest("---\nname: tidy\n---\n\n# Tidy\n") == skill_digest("# Tidy")
    True
    """
    front = _FRONT_MATTER.match(body)
    text = body[front.end() if front else 0 :].strip()
    text = text.replace("\r\n", "\n") if "\r" in text else text
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
