"""The picture of a change: two texts in, runs to draw out. It is drawn to be read; the number comes from the script."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from skilltune.evolution.textdiff import Segment, code_tokens, segments
from skilltune.evolution.tokens import tokenize
from skilltune.limits import PICTURE_MAX_CHARS, PICTURE_MAX_TOKENS

__all__ = ["Run", "draw_change"]

Mark = Literal["same", "space", "changed"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of the picture.

    `before` is struck out and `after` underlined where `mark` is ``changed``; where it is ``space`` only white space
    differs and stays unmarked, unless the whole change is such; where it is ``same`` both are equal.
    """

    mark: Mark
    before: str
    after: str


def draw_change(original: str, suggested: str) -> tuple[Run, ...]:
    """The runs of the picture; their ``before`` joined is `original`, their ``after`` joined is `suggested`.

    Raises
    ------
    TextTooLongError
        When a text is longer than 200,000 characters.

    Notes
    -----
    By diff-match-patch on words without its time limit, which would make the picture depend on the machine; over
    20,000 changed characters or 3,000 changed words and signs from the exact script. Changes parted only by white space
    are one, and white space at the ends of a mark is set apart.

    Examples
    --------
    >>> [(run.mark, run.before, run.after) for run in draw_change("brew green tea", "brew black tea")]
    [('same', 'brew ', 'brew '), ('changed', 'green', 'black'), ('same', ' tea', ' tea')]
    """
    script = list(segments(original, suggested))
    changed = [token for part in script if not part.same for token in part.before + part.after]
    many = len(changed) > PICTURE_MAX_TOKENS or sum(map(len, changed)) > PICTURE_MAX_CHARS
    parts = script if many else _readable(original, suggested)
    return tuple(_joined(run for part in _merged(parts) for run in _runs(part)))


def _readable(original: str, suggested: str) -> list[Segment]:
    """The script of diff-match-patch."""
    from diff_match_patch import diff_match_patch

    before, after = tokenize(original), tokenize(suggested)
    differ = diff_match_patch()
    differ.Diff_Timeout = 0
    found: list[Segment] = []
    at = [0, 0]
    for sign, codes in differ.diff_main(*code_tokens(before, after), checklines=False):
        old = tuple(before[at[0] : at[0] + len(codes)]) if sign <= 0 else ()
        new = tuple(after[at[1] : at[1] + len(codes)]) if sign >= 0 else ()
        at = [at[0] + len(old), at[1] + len(new)]
        found.append(Segment(sign == 0, old, new))
    return found


def _merged(parts: Iterable[Segment]) -> Iterator[Segment]:
    """Neighbouring changes, and those parted only by white space, as one."""
    open_change: list[Segment] = []
    gap: list[Segment] = []
    for part in parts:
        if not part.same:
            open_change += [*gap, part]
            gap = []
        elif open_change and not gap and all(token.isspace() for token in part.before):
            gap = [part]
        else:
            yield from _as_one(open_change)
            yield from (*gap, part)
            open_change, gap = [], []
    yield from _as_one(open_change)
    yield from gap


def _as_one(pieces: Sequence[Segment]) -> Iterator[Segment]:
    if pieces:
        yield Segment(
            same=False,
            before=tuple(token for piece in pieces for token in piece.before),
            after=tuple(token for piece in pieces for token in piece.after),
        )


def _runs(part: Segment) -> Iterator[Run]:
    if part.same:
        for old, new in zip(part.before, part.after, strict=True):
            yield Run("same" if old == new else "space", old, new)
        return
    before, after = "".join(part.before), "".join(part.after)
    lead, core, trail = _trimmed(before)
    new_lead, new_core, new_trail = _trimmed(after)
    for mark, old, new in (("space", lead, new_lead), ("changed", core, new_core), ("space", trail, new_trail)):
        if old or new:
            yield Run("same" if old == new else mark, old, new)  # type: ignore[arg-type]  # words of Mark


def _trimmed(text: str) -> tuple[str, str, str]:
    """White space before, the rest, white space after."""
    core = text.strip()
    if not core:
        return text, "", ""
    start = text.index(core)
    return text[:start], core, text[start + len(core) :]


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Neighbours of one mark as one run."""
    for mark, neighbours in groupby(runs, key=lambda run: run.mark):
        stretch = list(neighbours)
        yield Run(mark, "".join(run.before for run in stretch), "".join(run.after for run in stretch))
