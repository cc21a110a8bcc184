"""What people said: quotes with their kind, dimension, date, agent and project; the same words are shown once."""

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

import pandas as pd

from skilltune.charts.hotspots import NOT_TOLD, UNKNOWN
from skilltune.limits import SNIPPET_CHARS
from skilltune.mining.windows import TAKEN_BACK
from skilltune.page.rows import Row, rows_of
from skilltune.page.words import short_date
from skilltune.records import agent_title

__all__ = ["Quote", "quotes_of"]

_LANGUAGES: Final = frozenset(
    [
        "ar",
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "en",
        "es",
        "et",
        "fa",
        "fi",
        "fr",
        "he",
        "hi",
        "hr",
        "hu",
        "id",
        "it",
        "ja",
        "ko",
        "lt",
        "lv",
        "nl",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sv",
        "th",
        "tr",
        "uk",
        "vi",
        "zh",
    ]
)


@dataclass(frozen=True, slots=True)
class Quote:
    """One complaint as it is shown; ``text`` is '' where words may not be shown or there are none."""

    text: str
    source: str
    lang: str = ""
    skill: str = ""
    times: int = 1
    """How many complaints it stands for."""


def quotes_of(complaints: pd.DataFrame, *, time_zone: str, privacy: bool, with_skill: bool = False) -> list[Quote]:
    """The rows of `complaints` as quotes, in their order; private ones say neither words nor project.

    Words that were said to one skill several times stand where they were said last.
    """
    same = _same_words(complaints, privacy=privacy)
    return [
        Quote(
            text="" if privacy else _whole_words(str(rows[0]["user_message_snippet"] or "")),
            source=_source(rows[0], times=len(rows), time_zone=time_zone, privacy=privacy),
            lang=str(rows[0]["language"]) if rows[0]["language"] in _LANGUAGES and not privacy else "",
            skill=str(rows[0]["skill_id"]) if with_skill else "",
            times=len(rows),
        )
        for rows in same
    ]


def agent_name(agent: str) -> str:
    """What an agent calls itself."""
    return agent_title(agent)


def _known(complaints: pd.DataFrame) -> list[Row]:
    names = [
        "timestamp",
        "skill_id",
        "outcome",
        "correction_type",
        "dimension_hint",
        "user_message_snippet",
        "language",
        "rule",
        "agent",
        "project",
    ]
    known = complaints.reindex(columns=names).astype("object")
    return rows_of(known.where(known.notna(), None))


def _same_words(complaints: pd.DataFrame, *, privacy: bool) -> list[list[Row]]:
    """The rows, those with the same words to the same skill together; a row whose words are not shown stands alone."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for place, row in enumerate(_known(complaints)):
        words = "" if privacy else " ".join(str(row["user_message_snippet"] or "").split()).casefold()
        groups.setdefault((str(row["skill_id"]), words or f"\n{place}"), []).append(row)
    return list(groups.values())


def _whole_words(snippet: str) -> str:
    """A snippet that was cut ends after a whole word, with an ellipsis."""
    text = snippet.strip()
    if len(snippet) < SNIPPET_CHARS:
        return text
    head, space, _ = text.rpartition(" ")
    return f"{head if space and len(head) > SNIPPET_CHARS // 2 else text}…"


def _source(row: Row, *, times: int, time_zone: str, privacy: bool) -> str:
    kind = row["correction_type"] or row["outcome"]
    hint = row["dimension_hint"] or UNKNOWN
    dimension = NOT_TOLD if hint == UNKNOWN else hint.replace("_", " ")
    day = "" if row["timestamp"] is None else short_date(row["timestamp"].tz_convert(time_zone).date())
    if times > 1:
        day = f"× {times:,}, last on {day}" if day else f"× {times:,}"
    agent = agent_name(row["agent"] or "")
    wordless = "taken back by a command" if row["rule"] == TAKEN_BACK else "no words"
    words = [] if privacy or row["user_message_snippet"] else [wordless]
    return " · ".join(
        filter(None, [*words, dimension, kind, day, agent, "" if privacy else _folder(row["project"] or "")])
    )


def _folder(project: str) -> str:
    """The last part of a project's path, from any system."""
    kind = PureWindowsPath if "\\" in project else PurePosixPath
    return kind(project).name
