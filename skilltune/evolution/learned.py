"""Lines added to a body: sections by their headings, and the section of learned corrections."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skilltune.evolution.lists import find_list_form, without_marker

__all__ = [
    "LEARNED_HEADING",
    "Section",
    "add_lines",
    "find_learned_lines",
    "find_sections",
    "has_section",
    "learned_line",
    "section_at",
]

LEARNED_HEADING: Final = "Learned corrections"
"""The heading below which learned lines stand."""

_HEADING: Final = re.compile(r"(?P<marks>#{1,6})[ \t]+")
_FENCE: Final = re.compile(r"(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_LEARNED: Final = ('Instead of "', '", use "', '".')


@dataclass(frozen=True, slots=True)
class Section:
    """A heading's own part of a body, down to the next heading; '' and level 0 for what stands before the first."""

    title: str
    level: int
    start: int
    end: int


def find_sections(body: str) -> list[Section]:
    """The sections of `body` in order; headings inside fenced code are none."""
    starts = [("", 0, 0), *_headings(body)]
    ends = [start for _, _, start in starts[1:]] + [len(body)]
    return [Section(title, level, start, end) for (title, level, start), end in zip(starts, ends, strict=True)]


def section_at(sections: Sequence[Section], *, at: int) -> str:
    """The title of that of `sections` in which the sign at `at` of the body stands; '' before the first heading."""
    return next(section.title for section in reversed(sections) if section.start <= at)


def has_section(body: str, *, title: str) -> bool:
    """Whether `body` has a heading of this title, in any case."""
    return bool(_titled(body, title))


def learned_line(original: str, suggested: str) -> str:
    """The line that tells of a correction whose text stands nowhere in the body; one line whatever the texts hold."""
    before, after = (" ".join(text.split()) for text in (original, suggested))
    return f'- Instead of "{before}", use "{after}".'


def find_learned_lines(body: str) -> list[tuple[int, int]]:
    """Where the lines of ``learned_line`` stand below the heading of learned corrections."""
    return [
        (section.start + match.start(), section.start + match.end())
        for section in find_sections(body)
        if _is_learned(section)
        for match in _LINE.finditer(body[section.start : section.end])
        if _is_learned_line(match[0])
    ]


def _is_learned_line(text: str) -> bool:
    opens, between, closes = _LEARNED
    line = without_marker(text).rstrip("\r\n").rstrip(" \t")
    if line == text.rstrip("\r\n").rstrip(" \t"):
        return False
    at = line.find(between, len(opens))
    return line.startswith(opens) and line.endswith(closes) and 0 < at <= len(line) - len(between) - len(closes)


def add_lines(body: str, *, lines: Sequence[str], title: str = LEARNED_HEADING) -> str:
    r"""`body` with `lines` at the end of a section.

    Parameters
    ----------
    body
        The body; its line ends are kept, and whether it ends with one.
    lines
        Items with the marker ``- ``, without line ends; where the section ends with a list they go on with it: its
        bullet or next number, its indentation.
    title
        The section's title; of several the last. A section of learned corrections is made at the end where there is
        none of that title.

    Examples
    --------
    >>> add_lines("Use tabs.\n", lines=["- Say please."])
    'Use tabs.\n\n## Learned corrections\n\n- Say please.\n'
    """
    if not lines:
        return body
    there = _titled(body, title)
    newline = _line_end(body, before=there[-1].end if there else len(body))
    if not there:
        lead = "" if not body.strip() else newline * (2 - min(2, _final_line_ends(body)))
        head = body if body.strip() else ""
        text = f"{lead}## {LEARNED_HEADING}{newline}{newline}{newline.join(lines)}"
        return head + text + (newline if not body or _final_line_ends(body) else "")
    section = there[-1]
    kept = body[: section.end].rstrip()
    gap = newline * 2 if _HEADING.match(kept[kept.rfind("\n") + 1 :].rsplit("\r", 1)[-1]) else newline
    form = find_list_form(_lines_without_code(kept[section.start :]))
    items = [form.item(without_marker(line), nth=nth) for nth, line in enumerate(lines, 1)] if form else lines
    return kept + gap + newline.join(items) + body[len(kept) :]


def _lines_without_code(text: str) -> list[str]:
    """The lines of a section; of fenced code only how far its fence is indented."""
    return [line[0].rstrip("\r\n") if fence is None else f"{fence}code" for line, fence in _fenced(text)]


def _headings(body: str) -> Iterator[tuple[str, int, int]]:
    """Title, level and place of each heading outside fenced code."""
    for line, fence in _fenced(body):
        text = line[0].rstrip("\r\n")
        if fence is None and (heading := _HEADING.match(text)):
            yield _title(text[heading.end() :]), len(heading["marks"]), line.start()


def _fenced(body: str) -> Iterator[tuple[re.Match[str], str | None]]:
    """Each line, and the white space before the fence of the code that it belongs to; None outside of code."""
    fence = indent = ""
    for line in _LINE.finditer(body):
        text = line[0].rstrip("\r\n")
        opened = _FENCE.match(text)
        if fence:
            yield line, indent
            closes = opened and opened["fence"].startswith(fence) and not text.strip().strip(fence[0])
            fence = "" if closes else fence
        elif opened:
            fence, indent = opened["fence"], opened["indent"]
            yield line, indent
        else:
            yield line, None


def _line_end(body: str, *, before: int) -> str:
    """The line end that stands last before that place, else the first of the body."""
    at = max(body.rfind("\n", 0, before), body.rfind("\r", 0, before))
    if at < 0:
        match = re.search(r"\r\n|\n|\r", body)
        return match[0] if match else "\n"
    return "\r\n" if body[at] == "\n" and body[at - 1 : at] == "\r" else body[at]


def _title(text: str) -> str:
    """A heading's title without the marks that may close it."""
    title = text.strip()
    open_end = title.rstrip("#")
    return open_end.rstrip() if open_end != open_end.rstrip() or not open_end else title


def _titled(body: str, title: str) -> list[Section]:
    return [item for item in find_sections(body) if item.level and item.title.casefold() == title.casefold()]


def _is_learned(section: Section) -> bool:
    return section.level > 0 and section.title.casefold() == LEARNED_HEADING.casefold()


def _final_line_ends(body: str) -> int:
    """With how many line ends `body` ends."""
    return len(re.findall(r"\r\n|\n|\r", body[len(body.rstrip()) :]))
