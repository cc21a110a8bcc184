"""What a tool call is at heart: the same command with other paths, numbers and texts has the same signature."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, Final, Literal

from rapidfuzz.distance import Levenshtein

from skilltune.limits import SIGNATURE_CHARS

__all__ = ["Likeness", "likeness", "shell_signature", "signature"]

Likeness = Literal["same", "similar", "different"]

_LONGEST: Final = 20_000
"""Characters of a command that are looked at."""
_SHARED: Final = 0.75
_ALIKE: Final = 0.85
_QUOTES: Final = r"'[^']*(?:'|\Z)|\"(?:[^\"\\]|\\.)*(?:\"|\Z)|\$\([^()]*(?:\)|\Z)|`[^`]*(?:`|\Z)"
_TOKEN: Final = re.compile(
    r"(?P<comment>(?<!\S)\#[^\n]*)|(?P<blank>[^\S\n]+)|(?P<feed>\d?<<<?-?)"
    r"|(?P<redirect>\d?(?:&>>?|>>|>\||>&|<&|[<>]))|(?P<cut>&&|\|\||[;&|()\n])"
    rf"|(?P<piece>{_QUOTES}|\\.|[^\s;&|<>()'\"`\\$]+|[\\$])",
    re.DOTALL,
)
_QUOTED: Final = re.compile(_QUOTES, re.DOTALL)
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*\+?=")
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HASH: Final = re.compile(r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_VALUE: Final = re.compile(r"(--[A-Za-z][\w.-]*)=.*", re.DOTALL)
_WRAPPERS: Final = frozenset({"sudo", "doas", "env", "time", "nohup", "timeout", "command", "exec", "nice"})
_WRAPPER_VALUES: Final = frozenset({"-u", "-g", "-n", "-s", "-k", "-C", "--user", "--group", "--chdir", "--signal"})
_OPENERS: Final = frozenset({"if", "then", "elif", "else", "while", "until", "do", "!", "{"})
_NO_COMMANDS: Final = frozenset({"for", "case", "select", "function", "done", "fi", "esac", "}"})
_SILENT: Final = frozenset({"cd", "pushd", "popd", "export", "set", "source", ".", "sleep", "true"})
_FILTERS: Final = frozenset(
    {"tail", "head", "grep", "tee", "wc", "sort", "uniq", "jq", "sed", "awk", "cut", "tr", "less", "cat"}
)
_SHELLS: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_PATHS: Final = ("file_path", "notebook_path", "filePath", "path")


def signature(tool: str, given: Mapping[str, Any]) -> str:
    """The signature of a tool call, at most ``SIGNATURE_CHARS`` characters; '' for one that does nothing of its own.

    Parameters
    ----------
    tool
        The tool's name.
    given
        What it was called with.

    Notes
    -----
    A shell command is made general (``shell_signature``), an edit or read is its path, a skill its name. Of other tools
    no words are kept.

    Examples
    --------
    >>> signature("Bash", {"command": "cd app && NODE_ENV=test npm test"})
    'npm test'
    >>> signature("Edit", {"file_path": "src/app.py", "old_string": "a"})
    'src/app.py'
    """
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        command = _script_of([word for word in command if isinstance(word, str)])
    if isinstance(command, str):
        return shell_signature(command[:_LONGEST])
    for name in _PATHS:
        if isinstance(path := given.get(name), str):
            return path[:SIGNATURE_CHARS]
    skill = given.get("skill") if tool == "Skill" else None
    return skill[:SIGNATURE_CHARS] if isinstance(skill, str) else ""


@lru_cache(maxsize=20_000)
def shell_signature(command: str) -> str:
    """A shell command without what differs from run to run (source: the rules of instincts).

    Examples
    --------
    >>> shell_signature("timeout 60 make build 2>&1 | tail -20")
    'make build'
    >>> shell_signature("git commit -m 'first' && git push origin feature/x")
    'git commit -m <str> && git push origin x'
    """
    calls = (_general(words, piped=piped) for words, piped in _calls(command))
    return " && ".join(filter(None, calls))[:SIGNATURE_CHARS]


def likeness(first: str, second: str) -> Likeness:
    """Whether two signatures are the same, or so alike that one may stand for the other.

    Similar: three quarters of the shorter one's words stand in the other, or at most 15 % of the letters differ.
    """
    if first == second:
        return "same"
    words, others = set(first.split()), set(second.split())
    if not words or not others:
        return "different"
    if len(words & others) >= _SHARED * min(len(words), len(others)):
        return "similar"
    distance = Levenshtein.distance(first, second)
    return "similar" if distance <= (1 - _ALIKE) * max(len(first), len(second)) + 1e-9 else "different"


def _script_of(words: Sequence[str]) -> str:
    """A command that was given as its words: the script, where a shell is to run one."""
    if words and PurePosixPath(words[0]).name in _SHELLS:
        for place, word in enumerate(words[1:], 1):
            if word.startswith("-") and "c" in word:
                return words[place + 1] if place + 1 < len(words) else ""
    return shlex.join(words)


def _calls(command: str) -> Iterator[tuple[list[str], bool]]:
    """The words of each call, quoted as they are, and whether another one's output goes into it."""
    words: list[str] = []
    ends: list[str] = []
    piped, at, target = False, 0, ""
    for kind, text, end in _tokens(command):
        if end < at:
            continue
        match kind:
            case "word" if target:
                ends += [_unquoted(text)] if target == "feed" else []
                target = ""
            case "word":
                words.append(text)
            case "feed" | "redirect":
                target = "feed" if kind == "feed" and "<<<" not in text else "redirect"
            case "cut":
                if words:
                    yield words, piped
                words, piped, target = [], text == "|", ""
                if text == "\n":
                    at = _behind_bodies(command, end, ends)
    if words:
        yield words, piped


def _tokens(command: str) -> Iterator[tuple[str, str, int]]:
    """(kind, text, end) of each operator and word; pieces without a blank between them are one word."""
    word, last = "", 0
    for token in _TOKEN.finditer(command):
        kind, end = str(token.lastgroup), token.end()
        if kind == "piece":
            word, last = word + token[0], end
            continue
        if word:
            yield "word", word, last
            word = ""
        yield kind, token[0], end
    if word:
        yield "word", word, last


def _behind_bodies(command: str, at: int, ends: list[str]) -> int:
    """Where the commands go on behind the here-documents whose last lines are `ends`, which are taken off."""
    while ends:
        last = ends.pop(0)
        while at < len(command):
            end = command.find("\n", at)
            end = len(command) if end < 0 else end
            line, at = command[at:end], end + 1
            if line.strip() == last:
                break
    return at


def _unquoted(word: str) -> str:
    return word.strip("'\"").replace("\\", "")


def _general(words: list[str], *, piped: bool) -> str:
    """One call made general; '' for one that only moves, waits or filters."""
    words = _without_wrappers(words)
    if not words or words[0] in _NO_COMMANDS:
        return ""
    program = PurePosixPath(_replaced(words[0])).name
    if program in _SILENT or (piped and program in _FILTERS):
        return ""
    return " ".join([program, *map(_word, words[1:])])


def _without_wrappers(words: list[str]) -> list[str]:
    """The words from the program on."""
    at, wrapped = 0, ""
    while at < len(words):
        word = words[at]
        if wrapped and word.startswith("-"):
            at += 2 if word in _WRAPPER_VALUES else 1
        elif word in _OPENERS or _ASSIGNED.match(word) or (wrapped == "timeout" and word[:1].isdigit()):
            at += 1
        elif PurePosixPath(word).name in _WRAPPERS:
            at, wrapped = at + 1, PurePosixPath(word).name
        else:
            break
    return words[at:]


def _replaced(word: str) -> str:
    return _QUOTED.sub("<str>", word)


def _word(word: str) -> str:
    """A word behind the program, made general."""
    if value := _VALUE.fullmatch(word):
        return f"{value[1]}=<v>"
    plain = _replaced(word)
    if _URL.match(plain) or _URL.match(_unquoted(word)):
        return "<url>"
    if _HASH.fullmatch(plain):
        return "<hash>"
    if _NUMBER.fullmatch(plain):
        return "<n>"
    return PurePosixPath(plain).name or plain if "/" in plain else plain
