"""A suggestion as text: its digest, its unified diff, a short preview."""

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from skilltune.evolution.edits import Span, replace_spans
from skilltune.evolution.learned import LEARNED_HEADING, add_lines
from skilltune.evolution.lists import without_marker
from skilltune.evolution.textdiff import code_tokens, common_ends
from skilltune.limits import DIFF_MAX_CELLS, PREVIEW_CHARS

__all__ = ["preview_change", "suggestion_digest", "unified_diff"]

Opcode = tuple[str, int, int, int, int]
_LEAD_CHARS = 80
"""Characters shown before the first change."""


def suggestion_digest(skill_id: str, *, before: str, after: str, correction_ids: Iterable[str]) -> str:
    """SHA-256, in hex, over the skill, the body before and after, and the ids of the corrections it rests on."""
    digest = hashlib.sha256()
    for part in (skill_id, before, after, *sorted(set(correction_ids))):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()


def unified_diff(before: str, after: str, *, name: str) -> str:
    """The lines that differ, with three lines around them; '' where none do."""
    old, new = _lines(before), _lines(after)
    hunks = [line for group in _Lines(old, new).get_grouped_opcodes() for line in _hunk(group, old, new)]
    return "".join([f"--- a/{name}\n+++ b/{name}\n", *hunks]) if before != after else ""


def preview_change(body: str, *, spans: Sequence[Span], lines: Sequence[str] = (), title: str = LEARNED_HEADING) -> str:
    """At most 500 characters of the body as it would be, from shortly before the first change, which is marked.

    Examples
    --------
    >>> preview_change("Use tabs.", spans=[Span(4, 8, "spaces")])
    'Use [CHANGED: spaces].'
    """
    marked = replace_spans(body, spans=[Span(start, end, _mark(text)) for start, end, text in spans])
    marked = add_lines(marked, lines=[_mark_item(line) for line in lines], title=title)
    first = next((at for at, (old, new) in enumerate(zip(body, marked, strict=False)) if old != new), len(body))
    start = first - _LEAD_CHARS
    if start > 0:
        gap = re.compile(r"\s").search(marked, start, first)
        start = gap.end() if gap else start
    head = "…" if start > 0 else ""
    shown = head + marked[max(0, start) :]
    return shown if len(shown) <= PREVIEW_CHARS else shown[: PREVIEW_CHARS - 1] + "…"


class _Lines(difflib.SequenceMatcher[str]):
    """difflib's grouping of a script that is not difflib's, whose search takes minutes on many equal lines."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, [], [])
        self.old, self.new = old, new

    def get_opcodes(self) -> list[Any]:
        """The script."""
        return list(_opcodes(self.old, self.new))


def _opcodes(old: list[str], new: list[str]) -> list[Opcode]:
    """Which lines are the same, gone and new; of very many lines all between the first and last that differ are."""
    from rapidfuzz.distance import Indel

    first, second = code_tokens(old, new, spaces_alike=False)
    start, end = common_ends(first, second)
    if (len(first) - start - end) * (len(second) - start - end) <= DIFF_MAX_CELLS:
        return [
            (code.tag, code.src_start, code.src_end, code.dest_start, code.dest_end)
            for code in Indel.opcodes(first, second)
        ]
    one, other = len(first) - end, len(second) - end
    return [
        ("equal", 0, start, 0, start),
        ("replace", start, one, start, other),
        ("equal", one, len(first), other, len(second)),
    ]


def _hunk(group: Sequence[Opcode], old: list[str], new: list[str]) -> Iterator[str]:
    """A hunk of the unified diff."""
    (_, one, _, other, _), (_, _, one_end, _, other_end) = group[0], group[-1]
    yield f"@@ -{_range(one, one_end)} +{_range(other, other_end)} @@\n"
    for alike, codes in groupby(group, key=lambda code: code[0] == "equal"):
        stretch = list(codes)
        (_, i, _, j, _), (_, _, i_end, _, j_end) = stretch[0], stretch[-1]
        yield from (_shown(" " if alike else "-", line) for line in old[i:i_end])
        if not alike:
            yield from (_shown("+", line) for line in new[j:j_end])


def _shown(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def _range(start: int, end: int) -> str:
    """First line and number of lines as a unified diff tells them."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + 1 if count else start},{count}"


def _mark_item(line: str) -> str:
    """The mark after the marker of the item, which the section's own form replaces."""
    text = without_marker(line)
    return f"{line[: len(line) - len(text)]}{_mark(text)}"


def _mark(text: str) -> str:
    return f"[CHANGED: {text}]"


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, so that a carriage return is shown."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
