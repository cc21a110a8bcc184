"""Whether a turn is about the use in whose window it stands."""

import re

from skilltune.facts import TurnFact, Work
from skilltune.mining.invocations import Use
from skilltune.records import Attribution

__all__ = ["attribute_turn", "names_use"]

_MIN_NAME = 4
_TELLING = re.compile(r"[-_:.\d]")
_FILE_NAME = re.compile(r"[^/\\]+$")


def attribute_turn(turn: TurnFact, *, use: Use, attributed: str, touched: Work, moved_on: bool) -> Attribution:
    """How sure it is that `turn` is about `use`.

    Parameters
    ----------
    turn
        The person's turn.
    use
        The use in whose window it stands.
    attributed
        The skill that the agent's own record names for the output the person answers, or ''.
    touched
        What the agent did since the use began: files and commands a turn can name.
    moved_on
        A request that stands by itself came before this turn.

    Returns
    -------
    Attribution
        ``direct``: the agent's record, or the turn itself, names the skill or what its run touched. ``weak``: the
        record names another skill, or the work has moved on. Else ``likely``.
    """
    if attributed and _is_skill(attributed, use.fact.skill_id):
        return "direct"
    if names_use(turn.text, use=use, touched=touched):
        return "direct"
    return "weak" if attributed or moved_on else "likely"


def names_use(text: str, *, use: Use, touched: Work) -> bool:
    """Whether `text` names the skill, or a file that its run touched."""
    lowered = text.lower()
    if not lowered:
        return False
    if _names_skill(lowered, use.fact.skill_id.rsplit(":", 1)[-1].lower()):
        return True
    return any(
        _stands_in(file, lowered) for path in (*touched.edited, *touched.touched) if (file := _file_name(path)) != ""
    )


def _names_skill(text: str, name: str) -> bool:
    """Whether `text` names the skill: a telling name as it is, a plain word only as ``/word`` or beside "skill"."""
    if len(name) >= _MIN_NAME and _TELLING.search(name):
        return _stands_in(name, text)
    return any(_stands_in(form, text) for form in (f"/{name}", f"{name} skill", f"skill {name}", f"`{name}`"))


def _is_skill(one: str, other: str) -> bool:
    """Whether two names mean one skill, with or without the plugin's name before it."""
    short = one.rsplit(":", 1)[-1], other.rsplit(":", 1)[-1]
    return one == other or (short[0] == short[1] and (":" not in one or ":" not in other))


def _file_name(path: str) -> str:
    """The file's name where it is telling: with an extension, or long."""
    match = _FILE_NAME.search(path)
    name = match[0].lower() if match else ""
    return name if len(name) >= _MIN_NAME and _TELLING.search(name.strip(".")) else ""


def _stands_in(name: str, text: str) -> bool:
    """Whether `name` stands in `text` as a word of its own."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not _joins(before) and not _joins(after):
            return True
        at = text.find(name, at + 1)
    return False


def _joins(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign in ("_", "-")) and sign != ""
