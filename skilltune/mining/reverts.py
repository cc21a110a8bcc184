"""Commands that discard work, what of it a later command brings back, and an agent's own taking back."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from skilltune.mining.shell import read_calls

__all__ = ["Discard", "find_discards", "prompts_undone", "takes_back"]

_MAY_MATTER = re.compile(r"git\b(?s:.){0,2000}?\b(?:checkout|clean|reset|restore|revert|stash|switch)\b").search
_VALUE_OPTIONS = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})
_BRINGS_BACK = frozenset({"pop", "apply", "branch"})
_UNDO = re.compile(r"/undo(?: ([0-9]{1,6}))?").fullmatch


@dataclass(frozen=True, slots=True)
class Discard:
    """A command that discards work: of `paths`, or of the whole tree where there are none."""

    verb: str
    paths: tuple[str, ...] = ()
    since: int = 0
    """Index of the item from which on the work is taken back: uses before it keep theirs."""


def find_discards(stretches: Iterable[Sequence[str]]) -> list[tuple[Discard, ...]]:
    """What each stretch of shell commands discards for good.

    Parameters
    ----------
    stretches
        Shell commands in the order they ran, in stretches of work.

    Returns
    -------
    list of tuple
        For each stretch what it discards: ``git checkout -- p``, ``git checkout REV -- p``, ``git restore`` without
        ``--staged``, ``git reset --hard``, ``git revert``, ``git clean -f``, ``git switch --discard-changes``, and
        ``git stash`` unless a later command, of whichever stretch, brings the stashed work back.
    """
    found: list[list[Discard]] = []
    stashes: list[tuple[list[Discard], Discard]] = []
    for commands in stretches:
        found.append([])
        for words in (words for command in commands if _MAY_MATTER(command) for words in _git_calls(command)):
            discard = _read_discard(words)
            if discard is not None:
                found[-1].append(discard)
            if discard is not None and discard.verb == "stash":
                stashes.append((found[-1], discard))
            elif words[0] == "stash":
                _unstash(stashes, words[1:])
    return [tuple(discards) for discards in found]


def takes_back(discards: Iterable[Discard], *, edited: Sequence[str] | None = None) -> bool:
    """Whether one of `discards` takes back work on `edited` paths: names one of them, or means the whole tree.

    Without `edited` any path will do.
    """
    return any(_hits(discard, edited) for discard in discards)


def prompts_undone(command: str) -> int:
    """How many of the last prompts ``/undo``, or ``/undo N``, takes back; 0 for any other command."""
    found = _UNDO(command)
    return int(found[1] or 1) if found else 0


def _unstash(stashes: list[tuple[list[Discard], Discard]], arguments: list[str]) -> None:
    """Note what a ``git stash`` of another kind does to the stashes: bring one back, or forget it."""
    verb = arguments[0] if arguments else ""
    if verb == "clear":
        stashes.clear()
    if not stashes or verb not in _BRINGS_BACK | {"drop"}:
        return
    name = next((word for word in arguments[1:] if word.startswith("stash@") or word.isdigit()), "0")
    depth = min(int("".join(filter(str.isdecimal, name)) or 0), len(stashes) - 1)
    discards, discard = stashes[-1 - depth]
    if verb in _BRINGS_BACK and any(one is discard for one in discards):
        discards[:] = [one for one in discards if one is not discard]
    if verb != "apply":
        del stashes[-1 - depth]


def _git_calls(command: str) -> list[list[str]]:
    """The words after ``git`` (and its global options) of every git call in a command line."""
    return [call for words in read_calls(command) if (call := _after_git(words))]


def _after_git(words: list[str]) -> list[str]:
    """The subcommand and its arguments where `words` call git, else none."""
    if PurePosixPath(words[0]).name not in ("git", "git.exe"):
        return []
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _VALUE_OPTIONS else 1
    return words[at:]


def _read_discard(words: list[str]) -> Discard | None:
    """What a git call discards, or None."""
    verb, arguments = words[0], words[1:]
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


def _stash(_options: set[str], names: list[str], arguments: list[str]) -> Discard | None:
    if names and names[0] not in ("push", "save") and arguments[0] == names[0]:
        return None
    return _of_paths("stash", arguments[arguments.index("--") + 1 :]) if "--" in arguments else Discard("stash")


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
