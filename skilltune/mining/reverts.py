"""Commands that discard work, read as shell words."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Discard", "discards_work", "find_discards"]

_SEPARATORS = frozenset({"&&", "||", ";", "|", "&", "(", ")", "{", "}", "\n"})
_PREFIXES = frozenset({"sudo", "command", "time", "env", "then", "do", "else", "!"})
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
    if "git" not in command:
        return []
    found = [discard for words in _git_calls(command) if (discard := _read_discard(words)) is not None]
    popped = any(words[:1] == ["stash"] and words[1:2] in (["pop"], ["apply"]) for words in _git_calls(command))
    return [discard for discard in found if not (popped and discard.verb == "stash")]


def discards_work(commands: Iterable[str], *, edited: Sequence[str]) -> bool:
    """Whether one of `commands` takes back work on `edited` paths: names one of them, or means the whole tree.

    Work that was stashed and brought back by a later command is not taken back.
    """
    lines = list(commands)
    stash_returns = any(
        words[:1] == ["stash"] and words[1:2] in (["pop"], ["apply"]) for line in lines for words in _git_calls(line)
    )
    discards = [discard for line in lines for discard in find_discards(line)]
    return any(_hits(discard, edited) for discard in discards if not (stash_returns and discard.verb == "stash"))


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
    options = {word for word in arguments if word.startswith("-")}
    names = [word for word in arguments if not word.startswith("-")]
    if verb == "checkout" and "--" in arguments:
        return _of_paths(verb, arguments[arguments.index("--") + 1 :])
    if verb == "checkout":
        return _of_paths(verb, ["."]) if names == ["."] or "-f" in options or "--force" in options else None
    if verb == "restore":
        return _restore(options, names)
    if verb == "reset":
        return Discard(verb) if "--hard" in options else None
    if verb == "revert":
        return None if options & {"--abort", "--quit", "--skip"} else Discard(verb)
    if verb == "clean":
        return _clean(options, names)
    if verb == "stash":
        return Discard(verb) if not names or names[0] in ("push", "save", "-u") else None
    if verb == "switch":
        return Discard(verb) if options & {"--discard-changes", "-f", "--force"} else None
    return None


def _of_paths(verb: str, paths: Sequence[str]) -> Discard | None:
    if not paths:
        return None
    return Discard(verb, () if any(path in (".", "*", ":/", "./") for path in paths) else tuple(paths))


def _restore(options: set[str], names: list[str]) -> Discard | None:
    staged_only = options & {"--staged", "-S"} and not options & {"--worktree", "-W"}
    return None if staged_only else _of_paths("restore", names)


def _clean(options: set[str], names: list[str]) -> Discard | None:
    short = "".join(option[1:] for option in options if not option.startswith("--"))
    forced = "f" in short or "--force" in options
    dry = "n" in short or "--dry-run" in options
    return _of_paths("clean", names or ["."]) if forced and not dry else None


def _hits(discard: Discard, edited: Sequence[str]) -> bool:
    return not discard.paths or any(_covers(path, file) for path in discard.paths for file in edited)


def _covers(named: str, file: str) -> bool:
    """Whether the path `named` in a command is `file` or a folder above it; either may be relative."""
    parts = [part for part in PurePosixPath(named.replace("\\", "/")).parts if part not in (".", "/")]
    whole = [part for part in PurePosixPath(file.replace("\\", "/")).parts if part not in (".", "/")]
    if not parts or not whole:
        return False
    if len(parts) > len(whole):
        return parts[-len(whole) :] == whole
    return any(whole[at : at + len(parts)] == parts for at in range(len(whole) - len(parts) + 1))
