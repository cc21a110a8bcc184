"""The sentence on top, the lede, and what changed since last week."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import pandas as pd

from skilltune.analysis.weekly import WeeklySummary
from skilltune.page.html import Section, render, unbroken
from skilltune.page.rows import Row, first_row, rows_of
from skilltune.page.texts import new_text
from skilltune.page.words import (
    VERDICTS,
    as_list,
    count_of,
    date_range,
    last_day,
    last_days,
    long_date,
    number_word,
    of_judged,
    percent,
    points,
    points_interval,
)

__all__ = [
    "Link",
    "headline",
    "headline_section",
    "lede",
    "most_corrected",
    "seen_skills",
    "text_beside",
    "turning_version",
    "week_line",
]

NAMES_SHOWN: Final = 5
MOVED: Final = ("got_worse", "got_better")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a change; names are strong, numbers quiet."""

    text: str
    strong: bool = False
    numbers: bool = False


class Link(NamedTuple):
    """A sentence of the lede that leads to a section of the page."""

    words: str
    place: str


class Change(NamedTuple):
    """One line of what changed."""

    glyph: str
    tone: str
    pieces: list[Piece]


def headline(summary: WeeklySummary) -> str:
    """The finding of the week in one or two sentences."""
    enough = summary.sufficient
    if enough.empty:
        return _headline_without_rates(summary)
    worse = int((enough["verdict"] == "got_worse").sum())
    if worse:
        often, seen = of_judged(float(_focus_row(summary)["correction_rate"])), len(seen_skills(summary))
        if seen == 1:
            return f"{summary.focus} got worse: it is now corrected in {often}."
        these = f"these {seen:,} skills" if summary.only else count_of(seen, "skill")
        return f"{worse} of {these} got worse. {summary.focus} is now corrected in {often}."
    compared = (enough["verdict"] != "no_baseline").any()
    alone = len(seen_skills(summary)) == 1
    calm = f"None of these {len(seen_skills(summary)):,} skills got worse." if summary.only else "No skill got worse."
    if compared and alone:
        return _most_corrected(summary)
    lead = calm if compared else f"No earlier {summary.days} days to compare with."
    return f"{lead} {_most_corrected(summary)}"


def lede(summary: WeeklySummary) -> str:
    """How the headline's skill changed, and how the others stand."""
    enough = summary.sufficient
    if enough.empty:
        return _lede_without_rates(summary)
    sentences = [_rise(summary), _others(summary)]
    return " ".join(filter(None, sentences))


def headline_section(summary: WeeklySummary, *, links: Sequence[Link] = ()) -> Section:
    """The top of the page; `links` are added to the lede."""
    sentence = headline(summary)
    span = last_days(summary.week.end, days=summary.days, time_zone=summary.week.time_zone)
    if summary.sufficient.empty:
        note, changes = f"The last {summary.days} days: {span}.", []
    else:
        note = (
            f"Rates are over the last {summary.days} days ({span}); trends compare them with the {summary.days} days "
            "before."
        )
        changes = _changes(summary)
    return Section(
        render(
            "headline.html.j2",
            headline=unbroken(sentence, *summary.ranking["skill_id"]),
            lede=lede(summary),
            links=links,
            note=note,
            changes=changes,
        ),
        headline=sentence,
    )


def most_corrected(summary: WeeklySummary) -> list[str]:
    """The skills that are corrected as much as the one in focus, in the order of the ranking."""
    if not summary.focus:
        return []
    enough, row = summary.sufficient, _focus_row(summary)
    halves = 2 * enough["corrections"] + enough["partials"]
    same = halves * row["sample_size"] == (2 * row["corrections"] + row["partials"]) * enough["sample_size"]
    return [str(skill) for skill in enough.loc[same, "skill_id"]]


def _most_corrected(summary: WeeklySummary) -> str:
    """Which skill is corrected most, and how often; several that are corrected alike share the place."""
    if not summary.focus:
        return f"No judged use was corrected in the last {summary.days} days."
    often = of_judged(float(_focus_row(summary)["correction_rate"]))
    total, tied = len(summary.sufficient), most_corrected(summary)
    if total == 1:
        return f"{summary.focus} is corrected in {often}."
    if len(tied) == 1:
        return f"{summary.focus} is corrected most, in {often}."
    if len(tied) == total:
        return f"{'Both' if total == 2 else f'All {number_word(total)}'} skills are corrected in {often}."
    return f"{number_word(len(tied), start=True)} skills are corrected most, each in {often}."


def seen_skills(summary: WeeklySummary) -> pd.DataFrame:
    """Skills used or judged in the last days."""
    ranking = summary.ranking
    return ranking[(ranking["n_invocations"].fillna(0) > 0) | (ranking["sample_size"] > 0)]


def _focus_row(summary: WeeklySummary) -> Row:
    return rows_of(summary.sufficient[summary.sufficient["skill_id"] == summary.focus])[0]


def _headline_without_rates(summary: WeeklySummary) -> str:
    seen = seen_skills(summary)
    if seen.empty:
        return f"No use of a skill in these {summary.days} days."
    needed = count_of(summary.min_invocations, "judged use")
    if len(seen) == 1:
        return f"Too few data for a rate: {seen['skill_id'].iloc[0]} has fewer than {needed}."
    return f"Too few data for rates: none of {len(seen)} skills has {needed}."


def _lede_without_rates(summary: WeeklySummary) -> str:
    seen = seen_skills(summary)
    if seen.empty:
        return _where_uses_are(summary)
    judged = int(seen["sample_size"].sum())
    uses = int(seen["n_invocations"].fillna(0).sum())
    if not judged:
        return "1 use; it could not be judged." if uses == 1 else f"{uses:,} uses; none of them could be judged."
    complaints = len(summary.complaints)
    said = f"{complaints or 'none'} complained about"
    return f"{count_of(uses, 'use')}, {judged} judged, {said}{'; here is what people said.' if complaints else '.'}"


def _where_uses_are(summary: WeeklySummary) -> str:
    """What the log holds outside these days; for an empty log, what a use is."""
    if summary.logged_span is None:
        return (
            "A use is counted when an agent calls a skill or reads its `SKILL.md`, or a person types its name. "
            "`skilltune sources` tells what was read."
        )
    first, last = (moment.tz_convert(summary.week.time_zone).date() for moment in summary.logged_span)
    year = {first.year, last.year} != {summary.week.sunday.year}
    when = date_range(first, last) if first.year == last.year else f"{long_date(first, year=True)}–{long_date(last)}"
    shown = "`skilltune report --week {}-W{:02}` shows the last of them.".format(*last.isocalendar()[:2])
    return f"The log has {count_of(summary.logged_uses, 'use')}, {when}{f' {last.year}' if year else ''}. {shown}"


def _rise(summary: WeeklySummary) -> str:
    row = _focus_row(summary) if summary.focus else None
    if row is None or row["verdict"] != "got_worse":
        return ""
    change = f"It rose from {percent(row['prior_rate'])} to {percent(row['correction_rate'])}"
    text = text_beside(summary)
    if text is None:
        return f"{change}."
    return f"{change}; {new_text(text)} was first used on {_first_used(text, summary)}."


def _first_used(text: Row, summary: WeeklySummary) -> str:
    return long_date(text["since"].tz_convert(summary.week.time_zone).date())


def turning_version(summary: WeeklySummary) -> Row | None:
    """The text of the skill in focus that began nearest to its shift: in its range or the week before; else None.

    Shifts are told by whole weeks: what changed inside a week may show from the next Monday on.
    """
    shift = first_row(summary.shift)
    if shift is None:
        return None
    texts = summary.versions[(summary.versions["skill_id"] == summary.focus) & (summary.versions["number"] > 1)]
    week = pd.Timedelta(days=7)
    inside = texts[(texts["since"] >= shift["first"] - week) & (texts["since"] < shift["last"] + week)]
    nearest = (inside["since"] - shift["week"]).abs().sort_values().index
    return first_row(inside.loc[nearest])


def text_beside(summary: WeeklySummary) -> Row | None:
    """The text to name beside the change of the skill in focus: the turning one, else the last new one compared."""
    return turning_version(summary) or _recent_text(summary.focus, summary)


def _others(summary: WeeklySummary) -> str:
    verdicts = summary.sufficient["verdict"]
    better = int((verdicts == "got_better").sum())
    unclear = int(verdicts.isin(["looks_worse", "no_change", "looks_better"]).sum())
    few = int((seen_skills(summary)["verdict"] == "too_few").sum())
    new = int((verdicts == "no_baseline").sum())
    if len(seen_skills(summary)) == 1:
        return _alone(str(verdicts.iloc[0]))
    if new == len(verdicts):
        return " ".join(["No skill can be compared yet.", *([_sentence([_too_few(few)])] if few else [])])
    parts = []
    if better:
        parts.append(f"{number_word(better)} {'skill' if better == 1 else 'skills'} got better")
    if unclear:
        parts.append(f"{unclear} {'shows' if unclear == 1 else 'show'} no clear change or no evidence yet")
    if new:
        parts.append(f"{new} {'was' if new == 1 else 'were'} judged too rarely before to compare")
    if few:
        parts.append(_too_few(few))
    return _sentence(parts) if parts else ""


def _too_few(few: int) -> str:
    return f"{few} {'has' if few == 1 else 'have'} too few data for a rate"


def _sentence(parts: list[str]) -> str:
    text = as_list(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return f"{text[0].upper()}{text[1:]}."


def _alone(verdict: str) -> str:
    """How the only skill of the page stands, where it did not get worse."""
    told = {
        "looks_worse": "It looks worse than before, without evidence yet.",
        "no_change": "There is no clear change against the days before.",
        "looks_better": "It looks better than before, without evidence yet.",
        "got_better": "It got better.",
        "no_baseline": "It cannot be compared yet.",
    }
    return told.get(verdict, "")


def _changes(summary: WeeklySummary) -> list[Change]:
    rows = rows_of(summary.sufficient)
    lines = [
        _moved(row, summary) for verdict in ("got_worse", "got_better") for row in rows if row["verdict"] == verdict
    ]
    lines += [_faded(row) for row in rows if row["verdict_before"] in MOVED and row["verdict"] not in MOVED]
    usage = _usage(summary)
    if usage:
        lines.append(Change("·", "quiet", usage))
    nothing = (
        "Nothing changed since last week." if summary.has_week_before else "There is no earlier week to compare with."
    )
    return lines or [Change("·", "quiet", [Piece(nothing)])]


def _moved(row: Row, summary: WeeklySummary) -> Change:
    verdict = VERDICTS[row["verdict"]]
    since = "as it had a week ago" if row["verdict_before"] == row["verdict"] else "new this week"
    text = None if row["skill_id"] == summary.focus else _recent_text(row["skill_id"], summary)
    rates = f"{percent(row['prior_rate'])} → {percent(row['correction_rate'])}"
    evidence = f"({points(row['trend'])}, {points_interval(row['trend_low'], row['trend_high'])})"
    pieces = [
        Piece(row["skill_id"], strong=True),
        Piece(f" {verdict.words} ({since}): {rates} "),
        Piece(evidence, numbers=True),
        *([Piece("; "), Piece(f"{new_text(text)} from {_first_used(text, summary)}", numbers=True)] if text else []),
    ]
    return Change(verdict.glyph, verdict.tone, pieces)


def _recent_text(skill_id: str, summary: WeeklySummary) -> Row | None:
    """The last new text of a skill that was first used in the days that its trend compares; None without one."""
    texts, begin = summary.versions, summary.week.end - pd.Timedelta(days=2 * summary.days)
    return first_row(
        texts[(texts["skill_id"] == skill_id) & (texts["number"] > 1) & (texts["since"] >= begin)].iloc[::-1]
    )


def _faded(row: Row) -> Change:
    """A verdict of last week that no longer holds."""
    words = f" {VERDICTS[row['verdict_before']].words} as of last week; now there is no evidence for it."
    return Change("·", "quiet", [Piece(row["skill_id"], strong=True), Piece(words)])


def _usage(summary: WeeklySummary) -> list[Piece]:
    pieces: list[Piece] = []
    for names, one, many in (
        (summary.first_used, "was used for the first time.", "were used for the first time."),
        (
            summary.fallen_silent,
            f"has not been used for {summary.days} days.",
            f"have not been used for {summary.days} days.",
        ),
    ):
        if names:
            pieces += [Piece(" ")] if pieces else []
            pieces += [*_names(names), Piece(f" {one if len(names) == 1 else many}")]
    return pieces


def _names(names: tuple[str, ...]) -> list[Piece]:
    shown = [*names[:NAMES_SHOWN]]
    rest = len(names) - len(shown)
    pieces: list[Piece] = []
    for place, name in enumerate(shown):
        last = place == len(shown) - 1 and not rest
        pieces += [Piece("" if not place else " and " if last else ", "), Piece(name, strong=True)]
    return [*pieces, Piece(f" and {rest} more")] if rest else pieces


def week_line(summary: WeeklySummary) -> str:
    """The week with its dates and zone: ``Week 48, 2026 · 23–29 November · Europe/Berlin``."""
    week = summary.week
    year, number = week.name.split("-W")
    return f"Week {int(number)}, {year} · {date_range(week.monday, last_day(week.end.date()))} · {week.time_zone}"
