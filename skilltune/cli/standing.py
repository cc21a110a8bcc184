"""``skilltune status`` and ``skilltune last``: each skill on a line, and the latest session on a few."""

from typing import TYPE_CHECKING, Final

from skilltune.cli.options import AsJson, AsOf, SessionDirs, WorkspaceDir
from skilltune.cli.output import print_result, safe, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skilltune.health.latest import LatestSession
    from skilltune.health.skills import SkillStanding

__all__ = ["COMMANDS"]

_TRENDS: Final = {"": "-", "insufficient_data": "too few", "no_baseline": "too new"}
_NAME: Final = 24
_OUTCOMES: Final = {
    "none": "no reaction",
    "correction": "corrected",
    "partial": "accepted in part",
    "acceptance": "accepted",
    "unknown_skill": "not installed where the agent ran",
    "refused": "refused by the person",
}


def status(*, workspace: WorkspaceDir = None, as_of: AsOf = None, as_json: AsJson = False) -> None:
    """One line a skill: how often it is corrected, where that is heading, what it missed, when it was changed last.

    Example: skilltune status
    """
    from skilltune.health.skills import skill_standings
    from skilltune.workflow import as_time

    rows = skill_standings(workspace, as_of=as_time(as_of))
    print_result([row.as_row() for row in rows], _table(rows), as_json=as_json)


def last(*, session_dir: SessionDirs = None, as_of: AsOf = None, as_json: AsJson = False) -> None:
    """The latest session: its skills and what became of them, misses, errors, and one thing to do next.

    Example: skilltune last
    """
    from skilltune.health.latest import latest_session
    from skilltune.workflow import as_time

    found = latest_session(session_dir, as_of=as_time(as_of))
    print_result(found.as_row(), "\n".join(_session_lines(found, width=terminal()["width"])), as_json=as_json)


def _table(rows: "Sequence[SkillStanding]") -> str:
    if not rows:
        return "No skill is installed, and the log knows no use of one. What lies where: skilltune sources"
    head = f"{'skill':<{_NAME}}  {'health':<22}  {'trend':<10}  {'missed':<12}  last change"
    unsure = any(row.judged and not row.sufficient for row in rows)
    note = ["", "?: too few judged uses to speak of a rate"] if unsure else []
    return "\n".join([head, *map(_line, rows), *note])


def _line(row: "SkillStanding") -> str:
    from skilltune.rendering.terminal import fitted

    trend = _TRENDS.get(row.trend, row.trend)
    missed = "not measured" if row.missed is None else f"{row.missed:,}"
    return f"{fitted(row.skill_id, _NAME)}  {_health(row):<22}  {trend:<10}  {missed:<12}  {_change(row)}"


def _health(row: "SkillStanding") -> str:
    """``3 of 20 corrected``; of skills that nobody judged, how often they were used."""
    if row.judged:
        return f"{row.complaints:,} of {row.judged:,} corrected" + ("" if row.sufficient else " ?")
    return f"{row.uses:,} uses, none judged" if row.uses else "not used"


def _change(row: "SkillStanding") -> str:
    if row.problem:
        return f"unknown: {safe(row.problem)[:60]}"
    if not row.installed:
        return "not installed here"
    if not row.change:
        return "none by skilltune"
    day = f"{row.changed_at:%d %b %Y}" if row.changed_at else "some day"
    verb = "refined" if row.change == "refine" else "rolled back"
    return f"{verb} {day}, version {row.version}"


def _session_lines(found: "LatestSession", *, width: int) -> "Iterator[str]":
    from skilltune.rendering.terminal import count_words, wrapped

    when = f"{found.ended:%d %b %Y %H:%M} UTC" if found.ended else "at an unknown time"
    yield from wrapped(f"{safe(found.agent)} session {safe(found.session_id)}, until {when}", width)
    yield from wrapped(f"{safe(found.path)}", width)
    yield f"{count_words(found.turns, 'human turn')}, {count_words(found.errors, 'tool error')}"
    for used in found.skills:
        yield f"  {safe(used.skill_id)}: {_OUTCOMES.get(used.outcome, used.outcome)}"
    if not found.skills:
        yield "  no skill was used"
    missed = "not measured" if found.missed is None else f"{found.missed:,}"
    yield f"Missed triggers: {missed}"
    yield from wrapped(f"Next: {safe(found.recommendation)}", width)


COMMANDS = (status, last)
