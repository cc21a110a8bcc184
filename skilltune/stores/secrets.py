"""Secrets and e-mail addresses out of a person's words, before they are kept.

Found are: private key blocks, tokens with a known prefix, credentials in URLs, headers and cookies, values given to a
password, token or key by name, random-looking strings, e-mail addresses; also in wide letters, or with invisible
characters between them. Not touched: prose, commit hashes, UUIDs, file names,
variables that only stand for a secret. Masking twice changes nothing.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from skilltune.limits import SNIPPET_CHARS
from skilltune.stores.credentials import find_credentials
from skilltune.stores.plain import plain_text
from skilltune.stores.secret_patterns import (
    ASSIGNED,
    BLOCKS,
    CODE,
    COMMON_WORDS,
    EMAIL,
    FILE_NAME,
    PLACED,
    PROSE_WORDS,
    SECRET_KEY,
    SPOKEN,
    TOKEN,
    WIDE_EMAIL,
    WORD,
    library_hint,
    library_patterns,
)

__all__ = ["mask_secrets", "snippet"]

_MARGIN: Final = 400
"""Characters after the snippet that are looked at, for secrets which the limit would cut."""
_PASSES: Final = 4
"""A mask can part what was glued to a secret from it, so that a second look sees more; this many looks are enough."""
_PIECE: Final = 1_000
_OVERLAP: Final = 200


_LAST_WORD: Final = re.compile(r"[!-~]{1,150}\Z")
_ODD_IN_WORD: Final = re.compile(r"[\d_@=:/+-]|^(?:AKIA|ASIA|AIza|eyJ|gh[pousr]|sk)")
_KEYWORD_BEFORE: Final = re.compile(
    r"(?:pass|pwd|secret|token|key|credential|bearer|contraseña|пароль|密码|密碼|口令|密钥|令牌|パスワード)[^.!?。]*\Z",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(r"\s*(?:(?:[!-<>?A-~]{1,11}|[(\"'`]?[a-z]{12,19}[,.;:!?)\"'`]{0,4})(?:\s+|\Z))*")
"""Nothing but short words, and long ones of small letters: no token, address or assignment is as short."""
_TELLING: Final = (
    *("pass", "pw", "secret", "token", "credential", "key", "basic", "bearer", "mysql", "-u"),
    *("login", "logon", "log in", "log on", "sign", "creds", "account", "user"),
)
"""Part of what stands before every secret that a short word can be."""


class _Span(NamedTuple):
    """Characters to mask, and with what."""

    start: int
    end: int
    mask: str = "[secret]"


def mask_secrets(text: str) -> str:
    """`text` with each secret replaced by ``[secret]`` and each e-mail address by ``[email]``.

    Examples
    --------
    >>> mask_secrets("log in as ops@example.org, password: hunter2!")
    'log in as [email], password: [secret]'
    """
    if _is_plain(text):
        return text
    for _ in range(_PASSES):
        masked = _replace(text, _spans(text), end=len(text))
        if masked == text:
            break
        text = masked
    return text


def snippet(text: str) -> str:
    r"""What is kept of a person's words: white space folded, secrets masked, at most 200 characters.

    Secrets are masked before the text is cut, so that the first half of one is not kept either. A text of exactly
    200 characters was cut by somebody else: half a word at its end that may be half a secret is left out.

    Examples
    --------
    >>> snippet("no,\n\n   not like that")
    'no, not like that'
    """
    window = SNIPPET_CHARS + _MARGIN
    folded = " ".join(text[: 8 * window].split())
    if len(folded) < window < len(text):
        folded = " ".join(text.split())
    folded = _without_cut_end(folded) if len(folded) == SNIPPET_CHARS else folded[:window]
    return mask_secrets(_replace(folded, _spans(folded), end=SNIPPET_CHARS))[:SNIPPET_CHARS].rstrip()


def _is_plain(text: str) -> bool:
    """Whether it can be told at a glance that nothing is to be masked, as of most of what people say."""
    folded = text.lower()
    return text.isascii() and not any(word in folded for word in _TELLING) and bool(_PLAIN.fullmatch(text))


def _replace(text: str, spans: list[_Span], *, end: int) -> str:
    """The first `end` characters of `text`, with a mask for each span that begins there."""
    parts, at = [], 0
    for span in spans:
        if span.start >= end:
            break
        parts += [text[at : span.start], span.mask]
        at = span.end
    return "".join([*parts, text[at:end]])


def _without_cut_end(text: str) -> str:
    """`text` less its last word, if that is no plain word or what a password would follow stands before it."""
    plain = plain_text(text)
    end = _LAST_WORD.search(plain.text)
    if end and (_ODD_IN_WORD.search(end[0]) or _KEYWORD_BEFORE.search(plain.text[: end.start()][-40:])):
        return text[: plain.places[end.start()]]
    return text


def _spans(text: str) -> list[_Span]:
    """What to mask in `text`, in order, without overlap."""
    plain = plain_text(text)
    merged: list[_Span] = []
    for found in _plain_spans(plain.text):
        span = _Span(*plain.source_span(found.start, found.end), found.mask)
        if merged and span.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def _plain_spans(text: str) -> list[_Span]:
    """What to mask in a plain text, in order; spans may overlap."""
    credentials = {_Span(*span) for span in find_credentials(text)}
    return sorted({*_blocks(text), *_placed(text), *credentials, *_tokens(text), *_named(text), *_emails(text)})


def _blocks(text: str) -> Iterator[_Span]:
    for pattern in BLOCKS:
        yield from (_Span(*match.span()) for match in pattern.finditer(text))


def _placed(text: str) -> Iterator[_Span]:
    for pattern in PLACED:
        for match in pattern.finditer(text):
            if not CODE.match(match[1]):
                yield _Span(*match.span(1))


def _tokens(text: str) -> Iterator[_Span]:
    """Tokens and random strings, looked for in long words only, and in pieces of very long ones."""
    for word in WORD.finditer(text):
        for start in range(word.start(), max(word.start() + 1, word.end() - _OVERLAP), _PIECE - _OVERLAP):
            piece = text[start : min(start + _PIECE, word.end())]
            for pattern in (TOKEN, *library_patterns()) if library_hint().search(piece) else (TOKEN,):
                yield from (_Span(start + m.start(), start + m.end()) for m in pattern.finditer(piece))
            yield from (_Span(start + a, start + b) for a, b in _random_strings(piece))


def _random_strings(word: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(r"[A-Za-z0-9][A-Za-z0-9+/_-]{19,}={0,2}", word):
        if any(_looks_random(run) for run in re.findall(r"[A-Za-z0-9+]{20,}", match[0])):
            yield match.span()
    for match in SECRET_KEY.finditer(word):
        if not _is_path(match[0]) and _looks_random(re.sub(r"[/+]", "", match[0]), digits_from=1, changes_from=0.33):
            yield match.span()


def _is_path(text: str) -> bool:
    """Whether a plain word stands between the slashes."""
    return any(len(part) >= 3 and part.isalpha() and part.islower() for part in text.split("/"))


def _looks_random(run: str, *, digits_from: int = 2, changes_from: float = 0.4) -> bool:
    """Whether letters of both cases and digits alternate too often for names joined together."""
    kinds = ["digit" if char.isdigit() else "upper" if char.isupper() else "lower" for char in run]
    changes = sum(a != b for a, b in pairwise(kinds))
    return len(set(kinds)) == 3 and kinds.count("digit") >= digits_from and changes / len(run) >= changes_from


def _named(text: str) -> Iterator[_Span]:
    """Values that the text itself calls a password, a token or a key."""
    for pattern, spoken in ((ASSIGNED, False), (SPOKEN, True)):
        for match in pattern.finditer(text):
            span = _value_span(match)
            if _at_word_start(match) and _is_secret(text[span.start : span.end], match, spoken=spoken):
                yield span


def _value_span(match: re.Match[str]) -> _Span:
    """Where the value stands, without quotes and without the punctuation of the sentence."""
    group = next(name for name in ("double", "single", "tick", "bare") if match[name] is not None)
    start, end = match.span(group)
    if group == "bare":
        end = start + max(len(match[group].rstrip(".,;:)]}>")), 1)
    return _Span(start, end)


def _at_word_start(match: re.Match[str]) -> bool:
    """Whether the keyword is a word, or one of a compound: ``DB_PASSWORD`` and ``apiToken``, not ``compass``.

    In a mask it is neither.
    """
    if match.string.startswith("[secret]", match.start() - 1):
        return False
    before = match.string[match.start() - 1 : match.start()]
    keyword = match["password"] or match["key"]
    inside = before.isascii() and before.isalpha() and keyword[0].isascii() and keyword[0].islower()
    return not inside or keyword.lower() == "password"


def _is_secret(value: str, match: re.Match[str], *, spoken: bool) -> bool:
    if _stands_for_something(value, match) or (spoken and (value.startswith("-") or _is_verb(match))):
        return False
    if match["password"] and _is_quoted_password(value, match, spoken=spoken):
        return True
    if spoken and match["key"] and not match["link"].strip() and not _is_flagged(value, match):
        return False
    if match["key"] or spoken:
        return _has_letters_and_digits(value) and len(value) >= (6 if match["password"] else 8) and " " not in value
    return _is_password(value, match)


def _stands_for_something(value: str, match: re.Match[str]) -> bool:
    """Whether a value is code, a file, or a word that is said of passwords."""
    code = CODE.match(value) and not _is_number_code(value, match)
    return bool(code or FILE_NAME.search(value)) or value.casefold() in COMMON_WORDS


def _is_verb(match: re.Match[str]) -> bool:
    """Whether the keyword is "pass word" without a link: a verb and what is passed."""
    return not match["link"].strip() and bool(re.fullmatch(r"pass[ -]word", match["password"] or "", re.IGNORECASE))


def _is_quoted_password(value: str, match: re.Match[str], *, spoken: bool) -> bool:
    """Whether a quoted value is a password without a digit: a word said to be it, or a phrase that is no sentence."""
    if match["bare"] is not None or match["suffix"]:
        return False
    said = spoken and match["link"].strip().isalpha()
    words = value.casefold().split()
    if len(words) < 3:
        return said and _is_password(value, match)
    common = sum(word.strip(".,!?") in COMMON_WORDS for word in words)
    prose = PROSE_WORDS.intersection(words)
    return (said or (value.islower() and not spoken)) and not prose and common * 4 <= len(words)


def _is_flagged(value: str, match: re.Match[str]) -> bool:
    """Whether a value right after a keyword is its value: ``--token x1``, or a string that is no name."""
    option = match.string[max(match.start() - 1, 0) : match.start()] == "-"
    return option or (value.isalnum() and len(value) >= 10 and len(re.findall(r"\d", value)) >= 2)


def _is_password(value: str, match: re.Match[str]) -> bool:
    """Whether what is assigned to a password can be one: no sentence, no name of a variable."""
    if " " in value:
        return "phrase" in match["password"].lower() or _has_letters_and_digits(value)
    if not value.isidentifier():
        return len(value) >= 4 and (bool(re.search(r"[\d!#$%&*+?@^~]", value)) or value.count("-") >= 2)
    if re.search(r"\d", value):
        return len(value) >= 4
    plain = value.islower() and not re.search(r"_|pass|pwd|secret|token|key", value)
    return plain and len(value) >= 4 and (match["bare"] is None or "=" in match["link"] or _ends_here(match))


def _is_number_code(value: str, match: re.Match[str]) -> bool:
    """A password of digits only, given as such."""
    return bool(match["password"]) and not match["suffix"] and value.isdigit() and len(value) >= 4 and _ends_here(match)


def _ends_here(match: re.Match[str]) -> bool:
    """Whether the sentence ends after the value: what goes on is prose about passwords."""
    return not re.match(r"\s+[a-z]", match.string[match.end() :])


def _has_letters_and_digits(value: str) -> bool:
    algorithm = re.match(r"(?:sha|md|base|utf|aes|rsa|ed|argon|pbkdf|oauth|http|ipv)-?\d", value, re.IGNORECASE)
    return not algorithm and bool(re.search(r"\d", value)) and bool(re.search(r"[A-Za-z]", value))


def _emails(text: str) -> Iterator[_Span]:
    for match in (*EMAIL.finditer(text), *_wide_emails(text)):
        remote = match["local"] == "git" and text[match.end() : match.end() + 1] in {":", "/"}
        version = re.match(r"\d+\.\d", match["domain"])
        if not remote and not version and not FILE_NAME.search("." + match["top"]):
            yield _Span(*match.span(), "[email]")


def _wide_emails(text: str) -> list[re.Match[str]]:
    """Addresses in scripts without blanks, where no plain one has the same ``@``."""
    if text.isascii():
        return []
    known = {match.end("local") for match in EMAIL.finditer(text)}
    return [match for match in WIDE_EMAIL.finditer(text) if match.end("local") not in known]
