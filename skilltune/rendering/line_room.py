"""How many characters a line may have that is added to a section of a skill's body, by the bound on changes."""

import shlex
from fractions import Fraction
from math import ceil, floor

from skilltune.evolution.learned import LEARNED_HEADING, add_lines, find_sections, has_section
from skilltune.evolution.textdiff import measure_change
from skilltune.rendering.terminal import count_words, safe

__all__ = ["line_room", "most_room", "room_words"]


def line_room(body: str, *, section: str, max_percent: float) -> int:
    r"""Characters of the longest line that the bound lets into a section; 0 where not even one fits.

    Parameters
    ----------
    body
        The body as it is.
    section
        Title of the section; '' or one that is not there for the learned corrections, whose heading counts, too.
    max_percent
        The bound, in percent of the body.

    Examples
    --------
    >>> line_room("# Tea\n\n" + "- Pour slowly.\n" * 10, section="Tea", max_percent=20)
    29
    """
    title = section if section and has_section(body, title=section) else LEARNED_HEADING
    beside = measure_change(body, add_lines(body, lines=["- x"], title=title)).changed - 1
    most = ceil((floor(max_percent) + Fraction(1, 2)) * len(body) / 100) - 1
    return max(0, most - beside)


def most_room(body: str, *, section: str, max_percent: float) -> int:
    """The most that ``room_words`` offers, in the section or under the last heading."""
    titles = [part.title for part in find_sections(body) if part.title][-1:]
    return max(line_room(body, section=title, max_percent=max_percent) for title in (section, *titles))


def room_words(body: str, *, section: str, max_percent: float) -> str:
    """``room for 18 characters (20% of the body)``, and where there is more."""
    room = line_room(body, section=section, max_percent=max_percent)
    if not most_room(body, section=section, max_percent=max_percent):
        return f"no line fits {floor(max_percent)}% of so short a body: write it into the skill's file by hand"
    told = f"room for {count_words(room, 'character')} ({floor(max_percent)}% of the body)"
    titles = [part.title for part in find_sections(body) if part.title]
    if not titles or (section and has_section(body, title=section)) or has_section(body, title=LEARNED_HEADING):
        return told
    more = line_room(body, section=titles[-1], max_percent=max_percent)
    return f"{told}; {more:,} under a heading that is there, as --section {shlex.quote(safe(titles[-1]))}"
