"""The version of a skill: a short digest of its instructions."""

import hashlib
import re

__all__ = ["ARGUMENTS", "skill_digest"]

ARGUMENTS = "$ARGUMENTS"
"""Where in a skill's text the arguments of a use are put."""

_APPENDED = "\nARGUMENTS:"
"""What stands before arguments at the end, whether the skill or the agent's program put it there."""

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def skill_digest(body: str) -> str:
    r"""First 12 hex digits of the SHA-256 of a skill's instructions.

    Front matter, line ends, outer blanks and the places of arguments do not count, so that the text of a SKILL.md and
    the text an agent injects from it have the same digest, whatever the arguments.

    Examples
    --------
    >>> skill_digest("---\nname: tidy\n---\n\n# Tidy\n") == skill_digest("# Tidy")
    True
    >>> skill_digest("Sort $ARGUMENTS.") == skill_digest("Sort .")
    True
    """
    front = _FRONT_MATTER.match(body)
    text = body[front.end() if front else 0 :].strip()
    text = text.replace("\r\n", "\n") if "\r" in text else text
    if "$" in text:
        text = text.replace(ARGUMENTS, "").strip()
    text = text.removesuffix(_APPENDED).rstrip()
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
