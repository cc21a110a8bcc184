"""Data health: what was read, what was not, and what will be gone."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from skilltune.analysis.weekly import WeeklySummary
from skilltune.page.html import Section, render
from skilltune.page.quotes import agent_name
from skilltune.page.refinement_summary import SkillProblem
from skilltune.page.words import LANGUAGES, count_of, long_date, percent

__all__ = ["HEALTH_KEYS", "SKIPPED", "health_section"]

HEALTH_KEYS: Final = {
    "sessions": "sessions read, by agent",
    "unreadable_lines": "damaged lines, passed over",
    "unreadable_files": "files that hold them",
    "unreadable_paths": "files and folders that could not be opened",
    "skipped": "files passed over that may hold a session, by reason: compressed, not_a_session",
    "languages": "turns in a language without a lexicon, by language code",
    "scripted": "scripted sessions left out",
    "duplicates": "records that occur in several files, counted once",
    "expiring": "transcripts that the agent deletes within a week",
    "expiring_before": "ISO date before which that happens",
    "transcript_gone": "events in the log whose transcript is gone",
    "labelled": "uses whose outcome is the person's own label",
    "no_uses": "true where what was read holds no use of a skill, so that there is no log",
}
"""What ``health`` may hold; all of it is optional."""

_REASONS: Final = {
    "no_turn": "nothing was said after it",
    "ended": "the next skill was used at once",
    "no_signal": "what was said shows no verdict",
    "weak": "what was said may be about something else",
    "question": "only questions followed",
    "answer": "only answers followed",
    "no_words": "only pictures or clicks followed",
    "own_mistake": "the person corrected themselves",
    "relayed": "words of others were passed on",
    "offer_declined": "an offer was declined",
    "reworded": "the person reworded their request",
    "forward": "the person only spoke of what may come",
    "aside": "only an aside followed",
    "new_task": "only new work followed",
    "change_request": "only a change was asked for, without a word on the work",
    "repeated": "the request was repeated as it was",
    "changed_outside": "only a file changed, perhaps by a formatter",
    "language": "the language is one that the rules do not know",
    "future": "dated in the future",
    "label": "what was said is labelled as no verdict",
}
SKIPPED: Final = {
    "compressed": "compressed: unpack them, as with zstd -d or gunzip, and they are read",
    "not_a_session": "no agent’s session that skilltune knows",
}
"""Why a file was passed over that may hold a session all the same, and what helps."""
_PROBLEMS: Final = {"unknown_skill": "no such skill", "refused": "refused"}


SHOWN: Final = 5
"""Trigger problems that are named; the rest is one line."""


class Fact(NamedTuple):
    """One line of the table; ``parts`` are lines below its text."""

    name: str
    text: str
    parts: Sequence[str] = ()


def health_section(
    summary: WeeklySummary,
    *,
    health: Mapping[str, Any],
    problems: Sequence[SkillProblem] = (),
    left_out: Sequence[str] = (),
) -> Section:
    """What the report could and could not see; lines whose numbers nobody gave are left out.

    Parameters
    ----------
    health
        See ``HEALTH_KEYS``.
    problems
        Skills and logs of refinement that could not be looked at.
    left_out
        Parts of the page that are not shown, as there is nothing in them.
    """
    facts = [
        *_read(health),
        _judged(summary),
        *_labelled(health),
        *_not_judged(summary),
        *_unversioned(summary),
        *_weak(summary),
    ]
    facts += [*_triggers(summary), *_lost(health), *_not_looked_at(problems)]
    facts += [Fact("Nothing yet in", ", ".join(left_out))] if left_out else []
    return Section(render("health.html.j2", finding=_finding(summary, health, problems), facts=facts))


def _finding(summary: WeeklySummary, health: Mapping[str, Any], problems: Sequence[SkillProblem]) -> str:
    expiring = int(health.get("expiring", 0))
    if expiring:
        before = health.get("expiring_before")
        when = f"before {long_date(date.fromisoformat(str(before)))}" if before else "within a week"
        return f"{count_of(expiring, 'transcript')} will be deleted by Claude Code {when}."
    if unread := _unread(health):
        return unread
    if not summary.logged_uses and summary.ranking.empty:
        return "No use of a skill was found."
    if set(health) - {"labelled"} and not problems and not _skipped(health):
        return "Everything that was found could be read."
    return f"Uses judged: {_judged(summary).text}."


def _unread(health: Mapping[str, Any]) -> str:
    """What could not be read, the gravest first; '' for nothing."""
    lines, paths = (int(health.get(key, 0)) for key in ("unreadable_lines", "unreadable_paths"))
    if paths:
        return f"{count_of(paths, 'file')} could not be opened."
    if lines:
        return f"{count_of(lines, 'line')} could not be read."
    packed = _skipped(health).get("compressed", 0)
    return f"{count_of(packed, 'compressed file')} {'was' if packed == 1 else 'were'} not read." if packed else ""


def _read(health: Mapping[str, Any]) -> list[Fact]:
    facts = []
    if "sessions" in health:
        sessions = {agent_name(agent): int(number) for agent, number in health["sessions"].items()}
        total = sum(sessions.values())
        by_agent = ", ".join(f"{agent} {number:,}" for agent, number in sessions.items())
        if len(sessions) < 2:
            facts.append(Fact("Sessions read", " ".join([f"{total:,}", *(f"({agent})" for agent in sessions)])))
        else:
            facts.append(Fact("Sessions read", f"{total:,}: {by_agent}"))
    if health.get("scripted"):
        facts.append(Fact("Scripted sessions", f"{health['scripted']:,} left out: nobody was there to judge"))
    if "unreadable_lines" in health:
        facts.append(Fact("Lines not readable", _lines(health)))
    if health.get("unreadable_paths"):
        facts.append(Fact("Files not opened", f"{health['unreadable_paths']:,}"))
    if skipped := _skipped(health):
        lines = [f"{number:,}: {SKIPPED.get(reason, reason)}" for reason, number in skipped.items()]
        facts.append(Fact("Files passed over", f"{sum(skipped.values()):,}" if len(lines) > 1 else "", lines))
    if health.get("duplicates"):
        facts.append(Fact("Copied records", f"{health['duplicates']:,} counted once"))
    return facts


def _skipped(health: Mapping[str, Any]) -> dict[str, int]:
    return {str(reason): int(number) for reason, number in dict(health.get("skipped", {})).items() if number}


def _lines(health: Mapping[str, Any]) -> str:
    lines, files = int(health["unreadable_lines"]), int(health.get("unreadable_files", 0))
    if not lines:
        return "none"
    where = f" in {count_of(files, 'file')}" if files else ""
    return f"{lines:,}{where}, passed over"


def _judged(summary: WeeklySummary) -> Fact:
    row = summary.overall.iloc[0] if len(summary.overall) else None
    judged = 0 if row is None else int(row["sample_size"])
    uses = 0 if row is None or row["n_invocations"] is None else int(row["n_invocations"] or 0)
    if not uses:
        return Fact("Uses judged", f"{judged:,} in the last {summary.days} days")
    return Fact("Uses judged", f"{judged:,} of {uses:,} ({percent(judged / uses)}) in the last {summary.days} days")


def _labelled(health: Mapping[str, Any]) -> list[Fact]:
    count = int(health.get("labelled", 0))
    return (
        [Fact("Labelled by you", f"{count_of(count, 'use')}; there the label counts, not the rules")] if count else []
    )


def _unversioned(summary: WeeklySummary) -> list[Fact]:
    if not summary.unversioned:
        return []
    return [Fact("Version not known", f"{count_of(summary.unversioned, 'use')} in the last {summary.days} days")]


def _not_judged(summary: WeeklySummary) -> list[Fact]:
    counts = summary.not_judged
    if counts.empty:
        return []
    reasons = [_REASONS.get(reason, str(reason).replace("_", " ")) for reason in counts["reason"]]
    lines = [f"{uses:,}: {reason}" for reason, uses in zip(reasons, counts["uses"], strict=True)]
    return [
        Fact(
            "Uses not judged",
            f"{int(counts['uses'].sum()):,} in the last {summary.days} days" if len(lines) > 1 else "",
            lines,
        )
    ]


def _weak(summary: WeeklySummary) -> list[Fact]:
    if not summary.weak_complaints:
        return []
    return [Fact("Weak complaints", f"{summary.weak_complaints:,}, about something else perhaps, not counted")]


def _triggers(summary: WeeklySummary) -> list[Fact]:
    problems = summary.trigger_problems
    if problems.empty:
        return []
    lines = [
        f"{times:,}: {skill}, {_PROBLEMS.get(failed, failed)}"
        for skill, failed, times in problems.head(SHOWN).itertuples(index=False)
    ]
    rest = int(problems["times"].iloc[SHOWN:].sum())
    lines += [f"{rest:,}: other skills"] if rest else []
    return [
        Fact(
            "Trigger problems",
            f"{int(problems['times'].sum()):,} in the last {summary.days} days" if len(lines) > 1 else "",
            lines,
        )
    ]


def _not_looked_at(problems: Sequence[SkillProblem]) -> list[Fact]:
    """Skills and logs of refinement that could not be read, each with its reason."""
    if not problems:
        return []
    lines = [f"{problem.what}: {problem.why}" for problem in problems[:SHOWN]]
    rest = len(problems) - SHOWN
    return [Fact("Refinement not seen", "", [*lines, *([f"{rest} more"] if rest > 0 else [])])]


def _lost(health: Mapping[str, Any]) -> list[Fact]:
    facts = []
    languages = {str(code): int(number) for code, number in dict(health.get("languages", {})).items()}
    if languages:
        named = ", ".join([f"{LANGUAGES.get(code, code)} {number:,}" for code, number in languages.items()])
        facts.append(
            Fact("Language without lexicon", f"{count_of(sum(languages.values()), 'turn')} ({named}), not judged")
        )
    if health.get("expiring"):
        facts.append(
            Fact(
                "Soon deleted",
                f"{count_of(int(health['expiring']), 'transcript')}; their events stay in the feedback log",
            )
        )
    if health.get("transcript_gone"):
        facts.append(Fact("Events kept, transcript gone", f"{health['transcript_gone']:,}, from the feedback log"))
    return facts
