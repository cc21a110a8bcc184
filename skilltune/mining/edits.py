"""What an agent wrote into files, and how two such texts differ: the parts of lines that corrections are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from skilltune.limits import CANDIDATE_DIFF_CELLS

__all__ = ["Change", "Edit", "changed_parts", "core_lines", "telling_lines", "trim_change"]


@dataclass(frozen=True, slots=True)
class Change:
    """A text, and what it became."""

    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One call of an edit tool, with what its result says of it."""

    session_id: str
    line: int
    """1-based line of the call's record."""
    uuid: str
    """Of that record, or ''."""
    at: int | None
    """Microseconds since 1970 UTC; None where the record has no readable timestamp."""
    path: str
    """The file, as the call names it."""
    changes: tuple[Change, ...]
    """What the agent proposed; ``before`` is '' for a file that was not there, or whose text nobody kept."""
    failed: bool = False
    """Its result is an error."""
    result_line: int = 0
    """1-based line of the result's record; 0 where there is none."""
    modified: bool = False
    """The person changed the proposal before accepting it."""
    corrections: tuple[Change, ...] = ()
    """What they changed in it: the proposed text, and theirs."""
    written: tuple[Change, ...] = ()
    """What was written where that is not what was proposed."""
    attributed: str = ""
    """The skill that the call's record names, or ''."""

    @property
    def effect(self) -> tuple[Change, ...]:
        """What the file's text became; nothing where the edit failed."""
        return () if self.failed else self.written or self.changes


def changed_parts(before: str, after: str) -> list[Change]:
    r"""The runs of whole lines in which two texts differ; a line beside stays where one text would be empty.

    Examples
    --------
    >>> changed_parts("a\nb\nc\n", "a\nB\nc\nd\n")
    [Change(before='b', after='B'), Change(before='c', after='c\nd')]
    """
    old, new = before.splitlines(), after.splitlines()
    start, end = _common(old, new)
    start, end = max(0, start - 1), max(0, end - 1)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if old == new:
        return []
    if len(old) * len(new) > CANDIDATE_DIFF_CELLS:
        return [_change(old, new)]
    runs = [run for run in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if run[0] != "equal"]
    parts = [_with_neighbour(old, new, run[1:]) for run in runs]
    return [part for part in parts if part.before != part.after]


def trim_change(change: Change) -> Change:
    r"""`change` less the whole lines that both texts begin or end with; a line beside stays where one would be empty.

    Examples
    --------
    >>> trim_change(Change("one\ntwo\n", "one\n2\n"))
    Change(before='two', after='2')
    >>> trim_change(Change("one\ntwo", "one\nand\ntwo"))
    Change(before='one', after='one\nand')
    """
    old, new = change.before.splitlines(), change.after.splitlines()
    start, end = _common(old, new)
    return _with_neighbour(old, new, (start, len(old) - end, start, len(new) - end))


def core_lines(change: Change) -> tuple[list[str], list[str]]:
    """The lines of both texts between those that they begin and end with in common."""
    old, new = change.before.splitlines(), change.after.splitlines()
    start, end = _common(old, new)
    return old[start : len(old) - end], new[start : len(new) - end]


def telling_lines(lines: Sequence[str]) -> Iterator[str]:
    """The lines, less white space around them, that say which they are: with letters, and not of one short word."""
    for line in lines:
        bare = line.strip()
        if len(bare) >= 6 and any(sign.isalpha() for sign in bare):
            yield bare


def _with_neighbour(old: Sequence[str], new: Sequence[str], run: tuple[int, int, int, int]) -> Change:
    """The lines `run` of both texts, with the equal line before or after where there would be none of one."""
    a, b, c, d = run
    if a == b or c == d:
        if a and c:
            a, c = a - 1, c - 1
        elif b < len(old) and d < len(new):
            b, d = b + 1, d + 1
    return _change(old[a:b], new[c:d])


def _change(old: Sequence[str], new: Sequence[str]) -> Change:
    return Change("\n".join(old), "\n".join(new))


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines both begin with, and how many of the rest they end with."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - start
    end = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return start, end
