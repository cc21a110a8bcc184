"""What people said: quotes with their kind, dimension, date, agent and project."""

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

import pandas as pd

from skilltune.limits import SNIPPET_CHARS
from skilltune.page.rows import Row, rows_of
from skilltune.page.words import short_date

__all__ = ["Quote", "quotes_of"]

_AGENTS: Final = {"claude-code": "Claude Code", "codex": "Codex", "opencode": "OpenCode"}
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


def quotes_of(complaints: pd.DataFrame, *, time_zone: str, privacy: bool, with_skill: bool = False) -> list[Quote]:
    """The rows of `complaints` as quotes, in their order; private ones say neither words nor project."""
    return [
        Quote(
            text="" if privacy else _whole_words(str(row["user_message_snippet"] or "")),
            source=_source(row, time_zone=time_zone, privacy=privacy),
            lang=str(row["language"]) if row["language"] in _LANGUAGES and not privacy else "",
            skill=str(row["skill_id"]) if with_skill else "",
        )
        for row in _known(complaints)
    ]


def agent_name(agent: str) -> str:
    """What an agent calls itself."""
    return _AGENTS.get(agent, agent)


def _known(complaints: pd.DataFrame) -> list[Row]:
    names = [
        "timestamp",
        "skill_id",
        "outcome",
        "correction_type",
        "dimension_hint",
        "user_message_snippet",
        "language",
        "agent",
        "project",
    ]
    known = complaints.reindex(columns=names).astype("object")
    return rows_of(known.where(known.notna(), None))


def _whole_words(snippet: str) -> str:
    """A snippet that was cut ends after a whole word, with an ellipsis."""
    text = snippet.strip()
    if len(snippet) < SNIPPET_CHARS:
        return text
    head, space, _ = text.rpartition(" ")
    return f"{head if space and len(head) > SNIPPET_CHARS // 2 else text}…"


def _source(row: Row, *, time_zone: str, privacy: bool) -> str:
    kind = row["correction_type"] or row["outcome"]
    dimension = (row["dimension_hint"] or "unknown").replace("_", " ")
    day = "" if row["timestamp"] is None else short_date(row["timestamp"].tz_convert(time_zone).date())
    agent = agent_name(row["agent"] or "")
    words = [] if privacy or row["user_message_snippet"] else ["no words"]
    return " · ".join(
        filter(None, [*words, dimension, kind, day, agent, "" if privacy else _folder(row["project"] or "")])
    )


def _folder(project: str) -> str:
    """The last part of a project's path, from any system."""
    kind = PureWindowsPath if "\\" in project else PurePosixPath
    return kind(project).name
