"""One rule for every id that is typed: the whole of it, or its first six characters and more where that is only one."""

from collections.abc import Iterable
from typing import Final

from skilltune.errors import InputError
from skilltune.rendering.terminal import count_words, cut

__all__ = ["ID_CHARS", "find_id", "matching_ids"]

ID_CHARS: Final = 6
"""Characters that name an id at least."""
_SHOWN: Final = 10
_SHOWN_CHARS: Final = 80


def matching_ids(given: str, ids: Iterable[str]) -> list[str]:
    """The ids that `given` names: the one it is, else those that begin with it; none for one that is too short."""
    said, known = given.strip(), list(dict.fromkeys(ids))
    if said and said in known:
        return [said]
    lower = said.casefold()
    return [id_ for id_ in known if len(lower) >= ID_CHARS and id_.casefold().startswith(lower)]


def find_id(given: str, ids: Iterable[str], *, what: str, look: str) -> str:
    """The one id that `given` names.

    Parameters
    ----------
    given
        As it was typed.
    ids
        All that there are.
    what
        What has these ids, such as ``candidate``.
    look
        The command that lists them.

    Raises
    ------
    InputError
        It is too short, names none, or names several, which are listed.
    """
    known, shown = list(ids), cut(given, _SHOWN_CHARS)
    found = matching_ids(given, known)
    if len(found) == 1:
        return found[0]
    if found:
        more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
        told = ", ".join(cut(id_, _SHOWN_CHARS) for id_ in found[:_SHOWN])
        raise InputError(f"{shown} begins {len(found):,} ids: {told}{more}; give more of its characters")
    if len(given.strip()) < ID_CHARS:
        chars = count_words(len(given.strip()), "character")
        raise InputError(
            f"{shown!r} has {chars} and is no whole id of {_article(what)} {what}; give {ID_CHARS} characters or more, "
            f"as this lists them: {look}"
        )
    raise InputError(f"{shown!r} names no {what}; this lists them: {look}")


def _article(what: str) -> str:
    return "an" if what[:1] in "aeiou" else "a"
