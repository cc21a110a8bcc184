"""Credentials by the company they keep: headers, cookies, an account's name before its password."""

import binascii
import re
from collections.abc import Iterator
from typing import Final

from skilltune.stores.secret_patterns import CODE, COMMON_WORDS, FILE_NAME

__all__ = ["find_credentials"]

_BASIC: Final = re.compile(r"\bbasic\s{1,3}(?P<value>[A-Za-z0-9+/]{6,400}={0,2})", re.IGNORECASE)
_BEARER: Final = re.compile(
    r"\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|token|negotiate|digest|apikey)\s{1,3}"
    r"(?P<value>[A-Za-z0-9._~+/=-]{20,400})",
    re.IGNORECASE,
)
_COOKIES: Final = re.compile(
    r"(?:\bcookies?|(?<!\S)-b)[\"']?\s{0,3}[:=]?\s{0,3}[\"']?(?P<pairs>[\w.-]{1,60}=[^\s;\"']{1,400}(?:;\s{0,3}[\w.-]{1,60}"
    r"(?:=[^\s;\"']{1,400})?){0,30})",
    re.IGNORECASE,
)
_PAIR: Final = re.compile(r"(?P<name>[\w.-]{1,60})=(?P<value>[^\s;\"']{1,400})")
_SESSION: Final = re.compile(r"sess|sid\b|auth|token|csrf|xsrf|jwt|login|remember|secret|key|pass", re.IGNORECASE)
_ATTRIBUTES: Final = frozenset({"path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "version"})
_LOGIN: Final = re.compile(
    r"\b(?:log ?[io]n|sign ?in|credentials?|creds|account|user(?:name)?)\b(?:\s{1,3}(?:is|are|as|with))?[:\s]\s{0,3}"
    r"(?P<user>[\w.+@-]{2,60}|\[email\])(?P<between>\s{0,2}[/|:]\s{0,2})(?P<value>[!-~]{6,60})",
    re.IGNORECASE,
)
_USUAL_USERS: Final = frozenset({"admin", "administrator", "root", "test", "tester", "demo", "guest", "sa", "postgres"})


def find_credentials(text: str) -> Iterator[tuple[int, int]]:
    """Where the secret part of each of them stands in a plain text."""
    yield from (match.span("value") for match in _BASIC.finditer(text) if _is_basic(match["value"]))
    yield from (match.span("value") for match in _BEARER.finditer(text) if not CODE.match(match["value"]))
    for cookies in _COOKIES.finditer(text):
        for pair in _PAIR.finditer(text, *cookies.span("pairs")):
            if _is_session(pair["name"], pair["value"]):
                yield pair.span("value")
    for login in _LOGIN.finditer(text):
        value = login["value"].rstrip(".,;:)]}>\"'`")
        if _is_password_of(login["user"], value, spaced=" " in login["between"] or ":" in login["between"]):
            yield login.start("value"), login.start("value") + len(value)


def _is_basic(value: str) -> bool:
    """Whether this is ``name:password`` in base64, be its end cut off."""
    whole = value.rstrip("=")
    whole = whole[: len(whole) - (len(whole) % 4 == 1)]
    try:
        decoded = binascii.a2b_base64(whole + "=" * (-len(whole) % 4)).decode("utf-8", "ignore")
    except binascii.Error:
        return False
    return ":" in decoded[1:] and decoded.isprintable()


def _is_session(name: str, value: str) -> bool:
    if name.lower() in _ATTRIBUTES or CODE.match(value) or value.casefold() in COMMON_WORDS:
        return False
    digits = bool(re.search(r"\d", value))
    return len(value) >= 4 if _SESSION.search(name) else digits and len(value) >= 16


def _is_password_of(user: str, value: str, *, spaced: bool) -> bool:
    """Whether an account's name is followed by what looks like its password, rather than by the rest of a path."""
    if FILE_NAME.search(value) or CODE.match(value) or "/" in value:
        return False
    letters, digits = bool(re.search(r"[A-Za-z]", value)), bool(re.search(r"\d", value))
    if not (letters and digits and len(value) >= 6):
        return False
    if spaced and (user.lower() in _USUAL_USERS or "@" in user or user == "[email]"):
        return True
    mixed = bool(re.search(r"[a-z]", value)) and bool(re.search(r"[A-Z]", value))
    return len(value) >= 8 and mixed and bool(re.search(r"[!#$%&*+?@^~]|\d[A-Za-z]", value))
