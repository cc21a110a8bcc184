"""Home folders and the person's own user name out of a text: as they stand, in URLs, in shells, as names of folders."""

import os
import re
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from skilltune.stores.homes import find_home

__all__ = ["without_persons"]

_USUAL: Final = """
admin administrator app build builder ci code coder default dev developer docker ec2-user grant guest guy home hope
jovyan jupyter mark may me node nobody public root runner server service shared staff student system test tester ubuntu
user username users vagrant vscode will work www
"""
_COMMON: Final = frozenset(_USUAL.split())
"""User names that tell nobody apart, or are words of any text."""
_SHORTEST: Final = 3

_SEP: Final = r"(?:[\\/]{1,4}|%2F|%5C|%252F|%255C)"
_BARE: Final = r"(?<![\w.~-])"
_START: Final = rf"(?:{_BARE}(?:/|\\{{1,4}})|%2F|%5C|%252F|%255C)"
_ENDS: Final = r"/\\\"'`<>|:;,)\]}\r\n"
_ENCODED: Final = r"%(?:25)?(?!2F|5C|3A|3B|22|27|26|3F|23|3D|2C|25|0A|0D)[0-9A-F]{2}"
_MORE: Final = r"(?:\\? (?-i:(?:(?:d[aei]|do|dos|la|van|von|bin|al) )?[A-Z\u00c0-\u00de])[\w.'-]{0,30}){1,3}(?=/)"
"""Further names of a person, each with a capital, up to the next slash."""
_NAME: Final = rf"(?:{_ENCODED}|[^\s%&?#={_ENDS}]){{1,64}}(?:{_MORE})?"
_USERS: Final = r"(?:Users|Documents(?: |%20|\+)and(?: |%20|\+)Settings)"
_WINDOWS_NAME: Final = rf"(?:[^{_ENDS}%]{{1,64}}(?=[\\/])|{_NAME})"

_HOME: Final = re.compile(
    rf"(?:{_BARE}/(?:System/Volumes/Data|private)/|{_START})"
    rf"(?:(?:export|var|usr){_SEP})?(?:home|Users){_SEP}{_NAME}"
    rf"|(?<=[\w$])\\{{1,4}}home\\{{1,4}}{_NAME}"
    r"|(?<![\w.~-])/root(?![\w.-])"
    rf"|(?:(?<![A-Za-z])[A-Za-z](?::|%3A|%253A)|{_START}(?:mnt{_SEP})?[a-z]){_SEP}{_USERS}{_SEP}{_WINDOWS_NAME}",
    re.IGNORECASE,
)
_TILDE: Final = re.compile(r"(?<![\w.~/\\-])~[a-z_][a-z0-9_-]{1,31}(?![\w~])", re.IGNORECASE)
"""Homes of users as shells write them."""
_FOLDER_NAME: Final = re.compile(r"(?<![\w.~-])(?:-home|-Users|[A-Za-z]--Users)-[A-Za-z0-9]{1,64}(?=-)")
"""Home folders as Claude Code writes them into names of folders."""


def without_persons(text: str) -> str:
    """`text` with ``~`` for home folders, this person's and others', and ``[user]`` for this person's user name.

    Examples
    --------
    >>> without_persons("see /home/ana/shop and %2Fhome%2Fana%2Fshop")
    'see ~/shop and ~%2Fshop'
    """
    home = str(find_home() or "")
    named = (home.replace("\\", "/").rsplit("/", 1)[-1], *(os.environ.get(name, "") for name in _VARIABLES))
    own_home, own_name = _own(home, tuple(dict.fromkeys(named)))
    if own_home:
        as_folder = re.sub(r"[^A-Za-z0-9]", "-", home)
        text = re.sub(rf"(?<![\w.~-]){re.escape(as_folder)}(?=-)", "-~", text)
        text = own_home.sub("~", text)
    text = _FOLDER_NAME.sub("-~", _TILDE.sub("~", _HOME.sub("~", text)))
    return own_name.sub("[user]", text) if own_name else text


_VARIABLES: Final = ("USER", "LOGNAME", "USERNAME")


@lru_cache(maxsize=8)
def _own(home: str, names: tuple[str, ...]) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """What finds the home folder and one of the names, however written; None where they tell nothing."""
    folder = None
    if len(home) > _SHORTEST:
        parts = [part for part in re.split(r"[\\/]+", home) if part]
        start = "" if ":" in parts[0] else _SEP
        prefix = r"(?:/var|/private|/System/Volumes/Data)?"
        folder = re.compile(prefix + start + _SEP.join(map(_written, parts)) + r"(?![\w.-])", re.IGNORECASE)
    told = [name for name in names if len(name) >= _SHORTEST and name.casefold() not in _COMMON]
    if not told:
        return folder, None
    words = "|".join(_written(name) for name in sorted(told, key=len, reverse=True))
    return folder, re.compile(rf"(?:(?<![^\W_])|(?<=%[0-9A-Fa-f]{{2}}))(?:{words})(?![^\W_])")


def _written(part: str) -> str:
    """A pattern for a folder's or a person's name: as it is, or with characters encoded once or twice."""
    return "".join(map(_character, part))


def _character(char: str) -> str:
    if char.isascii() and char.isalnum():
        return char
    once = quote(char, safe="")
    ways = [re.escape(char), *([] if once == char else _both_cases(once))]
    if char == " ":
        ways += [r"\+", r"\\ "]
    return f"(?:{'|'.join(dict.fromkeys(ways))})"


def _both_cases(encoded: str) -> list[str]:
    twice = encoded.replace("%", "%25")
    return [word for one in (encoded, twice) for word in (one, one.lower())]
