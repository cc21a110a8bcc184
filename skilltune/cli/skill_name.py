"""The skill a command is about: its argument, or ``--skill``."""

from skilltune.errors import InputError
from skilltune.stores.names import mask_name

__all__ = ["logged_skill", "named", "one_skill"]


def one_skill(skill: str | None, option: str | None) -> str | None:
    """The name that was given as an argument or as ``--skill``; None for none.

    Raises
    ------
    InputError
        Two names were given.
    """
    if skill is not None and option is not None and skill != option:
        raise InputError(f"two skills are named, {skill[:80]!r} and {option[:80]!r}; name one")
    return skill if skill is not None else option


def logged_skill(skill: str | None, option: str | None) -> str | None:
    """As ``one_skill``, for a skill that is looked for in the log: a secret in its name is masked there."""
    found = one_skill(skill, option)
    return None if found is None else mask_name(found)


def named(skill: str | None, option: str | None, *, command: str) -> str:
    """The name that was given.

    Raises
    ------
    InputError
        None was given, or two.
    """
    found = one_skill(skill, option)
    if found is None:
        raise InputError(f"name the skill: skilltune {command} SKILL")
    return found
