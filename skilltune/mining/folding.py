"""A person's text to plain prose: folded, and without what says nothing about their mood.

Code, quotations, pasted logs, paths and URLs go (a lone ``_`` keeps their place); what is left is lower case, in
composed and narrow signs, one blank between words. Whether a pasted part shows a failure is kept apart.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from skilltune.mining.phrases import CJK

__all__ = ["Prose", "fold", "read_prose", "width"]

HEAD_CHARS, TAIL_CHARS = 3_000, 1_000
"""How much of a long text's beginning and end is looked at."""

_QUOTES = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "\u00b4": "'", "\uff07": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"', "\uff02": '"',
    "\u300c": '"', "\u300d": '"', "\u300e": '"', "\u300f": '"', "\u300a": '"', "\u300b": '"',
    "\u2013": "-", "\u2014": " - ", "\u00a0": " ", "\u200b": "", "\ufe0f": "", "\u200d": "",
    "\r": "\n",
})  # fmt: skip
_FENCES = ("```", '"""')
_CALLED = r"\[\$[^\]\n]{1,200}\]\([^)\n]{0,2000}\)|(?<![\w$])\$(?:[a-z_][\w:-]{0,100}|\{[^\n{}]{1,300}\})"
"""A skill that is called in a prompt, by its bare name or as a link to its file; a variable looks the same."""
_INLINE = re.compile(
    rf"{_CALLED}|"
    r"`[^`\n]{1,200}`|\{[^\n{}]{1,300}\}"
    r"|\"[^\"\n]{1,300}\""
    r"|(?<![\w'])'[^'\n]{1,100}'(?![\w'])"
    r"|\bhttps?://\S{1,500}|\bwww\.\S{1,300}"
    r"|(?<![\w/.~@-])(?:~|\.{1,2}|@)?/?(?:[\w.@+-]{1,80}/){1,20}[\w.@+-]{0,80}"
    r"|(?<![\w.])[\w-]{1,60}(?:\.[a-z][a-z0-9]{0,5}){1,3}(?![\w.])(?!\.\w)",
    re.IGNORECASE,
)
_MENTION = re.compile(r"\A\s*@[\w-]{1,40}[,:]?\s+(?=\S)")
"""A name that a message is addressed to, as in a comment: "@agent undo that"."""
_PLAIN = re.compile(r"\b(?:and/or|either/or|yes/no|i\.e|e\.g)\b", re.IGNORECASE)
_LOG_LINE = re.compile(
    r"\s{0,40}(?:[❯⎿✓✗✘●└├│]|>(?![\d=])|\$(?!\S)|\|(?:[\s:-]|.{0,1000}\|\s{0,40}\Z)"
    r"|\+\+|[#%] \$|\d{4}-\d\d-\d\d[t ]|\[?\d\d:\d\d:\d\d|at \S{1,200} ?\(|file \""
    r"|@@ |diff --git"
    r"|-{3} |={3,}|e {3}|[\"'{}\[\]]|[\w.-]{1,60}@[\w.-]{1,60}[:~$]"
    r"|\S{1,200}:\d{1,6}(?:(?::\d{1,6})?(?:: |  )|:\d{1,6} )"
    r"|(?-i:FAIL|PASS|ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b|ok\s\s|npm err!|traceback \(|exit (?:code|status) \d"
    r"|(?:error|fatal|panic|warning|caused by): "
    r"|[\w.]{0,80}(?:error|exception): )",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"traceback \(most recent|\b\w{0,40}(?:error|exception): |\bpanic: |\bfatal: |--- fail|^\s{0,40}fail(?:ed)?\b[: \t]"
    r"|npm err!|\bexit(?:ed with)? (?:code|status) [1-9]|segmentation fault|\berror ts\d|error\[e\d|\bundefined: "
    r"|command not found|no such file or directory|✗|\b[1-9]\d{0,4} (?:tests? )?failed\b|\bfailed with\b|✖",
    re.IGNORECASE | re.MULTILINE,
)
# A line that begins like a log and goes on as a sentence, such as one opened by a quotation
_PROSE_LINE = re.compile(
    r"\s{0,40}(?:[\"'\[][^\"'\n]{1,300}[\"'\]](?:\([^)\n]{0,2000}\))?|\{[^\n]{1,300}\}) [a-z]", re.IGNORECASE
)
_SIMPLE = re.compile(r"[\w ,!?'\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]*\.?\Z")
_WIDE = re.compile(f"[{CJK}\uac00-\ud7af]")
_NEAR_CJK = re.compile(f"(?<=[{CJK}]) | (?=[{CJK}])")
_BLANKS = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Prose:
    """What a person wrote themselves, folded; `failure`: a part they pasted shows an error."""

    text: str
    failure: bool = False


def fold(text: str, *, variants: Mapping[int, str] | None = None) -> str:
    """`text` in lower case, composed and narrow signs, straight quotes, one blank between words.

    Parameters
    ----------
    variants
        Signs to replace, such as traditional by simplified forms; by default none.
    """
    if text.isascii():
        return _BLANKS.sub(" ", text.replace("\r", "\n").lower())
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES)).lower()
    if variants:
        text = text.translate(variants)
    return _NEAR_CJK.sub("", _BLANKS.sub(" ", text))


def read_prose(text: str, *, variants: Mapping[int, str] | None = None) -> Prose:
    """The prose of `text`: see the module. Of a long text only the beginning and the end are looked at."""
    text = _MENTION.sub("", text, count=1) if text.lstrip()[:1] == "@" else text
    if _is_simple(text):
        return Prose(fold(_ends_of(text), variants=variants).strip())
    straight = text if text.isascii() else text.translate(_QUOTES)
    bare = _without_fences(straight)
    lines = _ends_of(bare).split("\n")
    kept = [line for line in lines if not (_LOG_LINE.match(line) and not _PROSE_LINE.match(line))]
    pasted = len(kept) < len(lines) or len(bare) < len(straight)
    prose = "\n".join(_INLINE.sub(_placeholder, line) for line in kept)
    failure = pasted and bool(_FAILURE.search(_ends_of(straight)))
    return Prose(fold(prose, variants=variants).strip(), failure)


def width(text: str) -> int:
    """Length of `text` where a Chinese, Japanese or Korean sign counts 2."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def _is_simple(text: str) -> bool:
    """Whether `text` is one line without anything that could be code, a quotation, a path or a log."""
    return "\n" not in text and bool(_SIMPLE.match(text)) and "'" not in text


def _ends_of(text: str) -> str:
    """The beginning and the end of a long text, the whole of another."""
    return text if len(text) <= HEAD_CHARS + TAIL_CHARS else f"{text[:HEAD_CHARS]}\n{text[-TAIL_CHARS:]}"


def _without_fences(text: str) -> str:
    """`text` without what stands between fences; one that is never closed goes to the end."""
    for fence in _FENCES:
        if fence in text:
            parts = text.split(fence)
            gaps = [" _ " if "\n" not in code else "\n" for code in parts[1::2]]
            text = "".join(part + gap for part, gap in zip(parts[::2], [*gaps, ""], strict=False))
    return text


def _placeholder(match: "re.Match[str]") -> str:
    return match[0] if _PLAIN.fullmatch(match[0]) else " _ "
