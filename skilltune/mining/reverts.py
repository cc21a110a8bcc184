"""Commands that discard work, read as shell words."""

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Discard", "discards_work", "find_discards"]

_SEPARATORS = frozenset({"&&", "||", ";", "|", "&", "(", ")", "{", "}", "\n"})
_PREFIXES = frozenset({"sudo", "command", "time", "env", "then", "do", "else", "!"})
_MAY_DISCARD = re.compile(r"git\b(?s:.){0,2000}?\b(?:checkout|clean|reset|restore|revert|stash|switch)\b").search
_VALUE_OPTIONS = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})


@dataclass(frozen=True, slots=True)
class Discard:
    """A command that discards work: of `paths`, or of the whole tree where there are none."""

    verb: str
    paths: tuple[str, ...] = ()


def find_discards(command: str) -> list[Discard]:
    """The parts of a shell command line that discard work; none where it cannot be read as shell words.

    ``git checkout -- p``, ``git checkout REV -- p``, ``git restore`` without ``--staged``, ``git reset --hard``,
    ``git revert``, ``git clean -f``, ``git stash`` (unless popped or applied in the same line) and ``git switch
    --discard-changes``.
    """
    return _left_discarded([command])


def discards_work(commands: Iterable[str], *, edited: Sequence[str] | None = None) -> bool:
    """Whether one of `commands` takes back work on `edited` paths: names one of them, or means the whole tree.

    Without `edited` any path will do. Work that was stashed and brought back by a later command is not taken back.
    """
    return any(_hits(discard, edited) for discard in _left_discarded(commands))


def _left_discarded(commands: Iterable[str]) -> list[Discard]:
    """What is discarded when all `commands` have run: work that was stashed and brought back is not."""
    calls = [words for command in commands if _MAY_DISCARD(command) for words in _git_calls(command)]
    brought_back = any(words[:2] in (["stash", "pop"], ["stash", "apply"]) for words in calls)
    found = [discard for words in calls if (discard := _read_discard(words)) is not None]
    return [discard for discard in found if not (brought_back and discard.verb == "stash")]


def _git_calls(command: str) -> list[list[str]]:
    """The words after ``git`` (and its global options) of every git call in a command line."""
    try:
        lexer = shlex.shlex(command.replace("\n", " ; "), posix=True, punctuation_chars="();&|")
        lexer.commenters = ""
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return []
    calls: list[list[str]] = []
    current: list[str] = []
    for word in [*words, ";"]:
        if word in _SEPARATORS or (word and not word.strip("();&|")):
            calls.append(current)
            current = []
        else:
            current.append(word)
    return [call for words in calls if (call := _after_git(words)) is not None]


def _after_git(words: list[str]) -> list[str] | None:
    """The subcommand and its arguments where `words` call git, else None."""
    rest = list(words)
    while rest and (rest[0] in _PREFIXES or ("=" in rest[0] and not rest[0].startswith("-"))):
        rest.pop(0)
    if not rest or PurePosixPath(rest.pop(0)).name not in ("git", "git.exe"):
        return None
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in _VALUE_OPTIONS and rest:
            rest.pop(0)
    return rest


def _read_discard(words: list[str]) -> Discard | None:
    """What a git call discards, or None."""
    verb, arguments = (words[0], words[1:]) if words else ("", [])
    reader = _READERS.get(verb)
    if reader is None:
        return None
    options = {word for word in arguments if word.startswith("-")}
    return reader(options, [word for word in arguments if not word.startswith("-")], arguments)


def _checkout(options: set[str], names: list[str], arguments: list[str]) -> Discard | None:
    if "--" in arguments:
        return _of_paths("checkout", arguments[arguments.index("--") + 1 :])
    return Discard("checkout") if names == ["."] or options & {"-f", "--force"} else None


def _restore(options: set[str], names: list[str], _: list[str]) -> Discard | None:
    staged_only = options & {"--staged", "-S"} and not options & {"--worktree", "-W"}
    return None if staged_only else _of_paths("restore", names)


def _reset(options: set[str], _names: list[str], _: list[str]) -> Discard | None:
    return Discard("reset") if "--hard" in options else None


def _revert(options: set[str], _names: list[str], _: list[str]) -> Discard | None:
    return None if options & {"--abort", "--quit", "--skip"} else Discard("revert")


def _clean(options: set[str], names: list[str], _: list[str]) -> Discard | None:
    short = "".join(option[1:] for option in options if not option.startswith("--"))
    forced = "f" in short or "--force" in options
    dry = "n" in short or "--dry-run" in options
    return _of_paths("clean", names or ["."]) if forced and not dry else None


def _stash(_options: set[str], names: list[str], _: list[str]) -> Discard | None:
    return Discard("stash") if not names or names[0] in ("push", "save") else None


def _switch(options: set[str], _names: list[str], _: list[str]) -> Discard | None:
    return Discard("switch") if options & {"--discard-changes", "-f", "--force"} else None


_READERS: dict[str, Callable[[set[str], list[str], list[str]], Discard | None]] = {
    "checkout": _checkout,
    "clean": _clean,
    "reset": _reset,
    "restore": _restore,
    "revert": _revert,
    "stash": _stash,
    "switch": _switch,
}


def _of_paths(verb: str, paths: Sequence[str]) -> Discard | None:
    if not paths:
        return None
    return Discard(verb, () if any(path in (".", "*", ":/", "./") for path in paths) else tuple(paths))


def _hits(discard: Discard, edited: Sequence[str] | None) -> bool:
    return not discard.paths or edited is None or any(_covers(path, file) for path in discard.paths for file in edited)


def _covers(named: str, file: str) -> bool:
    """Whether the path `named` in a command is `file` or a folder above it; either may be relative."""
    parts = [part for part in PurePosixPath(named.replace("\\", "/")).parts if part not in (".", "/")]
    whole = [part for part in PurePosixPath(file.replace("\\", "/")).parts if part not in (".", "/")]
    if not parts or not whole:
        return False
    if len(parts) > len(whole):
        return parts[-len(whole) :] == whole
    return any(whole[at : at + len(parts)] == parts for at in range(len(whole) - len(parts) + 1))
