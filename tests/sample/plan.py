"""How many uses of which skill ended how, when: quotas, laid out over 24 half-weeks and grouped into sessions."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from .draws import number, pick
from .people import Project, project_for
from .skills import texts

__all__ = ["FIRST_MONDAY", "PlannedSession", "PlannedUse", "day_of", "plan_sessions", "skill_version"]

FIRST_MONDAY = datetime(2026, 9, 7, tzinfo=UTC)
_HALF_WEEKS = 24
_EDITED = {"schema-migrator": 14, "report-builder": 16}
"""First half-week with the second version of a skill: 26 October and 2 November."""
_COMPLAINTS = ("rejection", "redo", "revert", "partial")

_QUOTAS: dict[str, tuple[tuple[int, int, str], ...]] = {
    "schema-migrator": (
        (0, 6, "silent 3 question 1 implicit 3 explicit 2 rejection 1 partial 1"),
        (7, 13, "silent 8 question 2 neutral 1 implicit 10 explicit 8 rejection 2 redo 1 partial 2"),
        (14, 15, "silent 1 question 1 implicit 2 explicit 1 rejection 1"),
        (
            16,
            23,
            "silent 13 question 3 language 1 neutral 1 implicit 7 explicit 6 rejection 14 redo 3 revert 3 partial 4",
        ),
    ),
    "report-builder": (
        (0, 6, "silent 1 question 1 implicit 1 explicit 1 rejection 2 partial 1"),
        (7, 15, "silent 8 question 3 neutral 1 language 1 implicit 4 explicit 4 rejection 8 redo 3 revert 1 partial 3"),
        (16, 23, "silent 9 question 3 neutral 1 language 2 implicit 8 explicit 6 rejection 2 redo 1 partial 3"),
    ),
    "test-scaffold": (
        (0, 6, "silent 1 question 1 implicit 1 explicit 1 rejection 1 partial 1"),
        (7, 15, "silent 4 question 1 neutral 1 implicit 1 explicit 1 rejection 2 redo 1"),
        (16, 23, "silent 4 question 1 language 1 implicit 2 explicit 1 rejection 2 revert 1 partial 1"),
    ),
    "ops:incident-notes": (
        (0, 6, "silent 2 implicit 2 explicit 1 rejection 1"),
        (7, 15, "silent 3 neutral 1 implicit 1 explicit 1 rejection 1 partial 1"),
        (16, 23, "silent 3 question 1 implicit 2 explicit 2 rejection 1 partial 1"),
    ),
    "changelog-writer": (
        (0, 6, "silent 1 implicit 2 explicit 1"),
        (7, 15, "silent 3 neutral 1 implicit 3 explicit 2 rejection 1"),
        (16, 23, "silent 2 question 1 implicit 2 explicit 2 partial 1"),
    ),
    "sql-explainer": ((0, 11, "silent 2 question 1 implicit 2 explicit 1 rejection 1 partial 1"),),
    "license-audit": ((5, 21, "silent 1 rejection 1"),),
    "pr-splitter": ((22, 23, "silent 2 implicit 1 explicit 1 rejection 1"),),
}
_FORMS = {
    "rejection": {5: "queued", 9: "steering", 12: "interrupt", 20: "enqueue", 26: "answer", 31: "queued", 37: "plan"},
    "explicit": {4: "plan", 11: "queued", 18: "steering", 24: "answer_text", 33: "plan", 41: "enqueue"},
    "redo": {2: "queued", 6: "interrupt"},
    "partial": {3: "queued", 11: "steering"},
}
"""Every so many-th reply of a kind reaches the agent in another way than as a typed message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedUse:
    """One use to be played."""

    key: str
    skill_id: str
    half_week: int
    kind: str
    """silent, question, neutral, language, implicit, explicit, rejection, redo, revert or partial."""
    project: Project
    said: dict[str, Any] = field(default_factory=dict)
    """The person's deciding message."""
    form: str = ""
    slash: bool = False

    @property
    def language(self) -> str:
        """Language the person writes in."""
        language = str(self.said.get("l", "en" if self.said else self.project.languages[0]))
        return self.project.languages[0] if self.kind == "language" else language

    @property
    def version(self) -> int:
        """Which version of the skill is in force."""
        return skill_version(self.skill_id, half_week=self.half_week)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSession:
    """Uses that one person makes in one sitting."""

    key: str
    project: Project
    half_week: int
    start: datetime
    uses: tuple[PlannedUse, ...]


def plan_sessions() -> list[PlannedSession]:
    """All ordinary sessions, oldest first."""
    cells: dict[tuple[int, str], list[PlannedUse]] = {}
    for use in sorted(_planned_uses(), key=lambda use: (use.half_week, number(use.key, below=10**9))):
        cells.setdefault((use.half_week // 2, use.project.key), []).append(use)
    sessions = []
    for _, uses in sorted(cells.items()):
        sessions += [_session(part, nth=nth) for nth, part in enumerate(_split(uses))]
    return sessions


def skill_version(skill_id: str, *, half_week: int) -> int:
    """Index of the version of a skill that is in force."""
    return int(half_week >= _EDITED.get(skill_id, _HALF_WEEKS))


def day_of(half_week: int, *, turn: int) -> datetime:
    """A working day of a half-week: Monday to Wednesday, or Thursday and Friday."""
    week, second = divmod(half_week, 2)
    day = 3 + turn % 2 if second else turn % 3
    return FIRST_MONDAY + timedelta(weeks=week, days=day)


def _planned_uses() -> list[PlannedUse]:
    uses: list[PlannedUse] = []
    told: dict[str, int] = {}
    for skill_id, segments in _QUOTAS.items():
        pools = {kind: list(texts("complaints")[skill_id].get(kind, ())) for kind in _COMPLAINTS}
        turn = 0
        for first, last, quota in segments:
            words = quota.split()
            kinds = [kind for kind, count in zip(words[::2], words[1::2], strict=True) for _ in range(int(count))]
            kinds.sort(key=lambda kind: kind)
            order = sorted(range(len(kinds)), key=lambda i: number(f"{skill_id} {first} {i}", below=10**9))
            for place, index in enumerate(order):
                half_week = first + place * (last - first + 1) // len(order)
                turn += 1
                key = f"{skill_id} {turn}"
                uses.append(_planned(kinds[index], skill_id, half_week, key=key, turn=turn, pools=pools, told=told))
    return uses


def _planned(
    kind: str,
    skill_id: str,
    half_week: int,
    *,
    key: str,
    turn: int,
    pools: dict[str, list[dict[str, Any]]],
    told: dict[str, int],
) -> PlannedUse:
    """A use with its project, message and form; takes the message from its pool."""
    told[kind] = told.get(kind, 0) + 1
    said: dict[str, Any] = {}
    if kind in _COMPLAINTS:
        said = pools[kind].pop(0)
        project = project_for(skill_id, turn=turn, language=said.get("l", "en"))
    elif kind == "language":
        said = texts("replies")["language"][(told[kind] - 1) % 6]
        project = project_for(skill_id, turn=turn, language=said["l"])
    else:
        project = project_for(skill_id, turn=turn)
        if kind in ("explicit", "question", "neutral"):
            said = _reply(kind, language=project.languages[0], turn=told[kind])
    form = said.get("form") or _FORMS.get(kind, {}).get(told[kind], "")
    return PlannedUse(
        key=key, skill_id=skill_id, half_week=half_week, kind=kind, project=project, said=said, form=form,
        slash=number(key + " slash", below=100) < 15,
    )  # fmt: skip


def _reply(kind: str, *, language: str, turn: int) -> dict[str, Any]:
    own = [reply for reply in texts("replies")[kind] if reply.get("l", "en") == language]
    return dict(own[turn % len(own)] if own else texts("replies")[kind][0])


def _split(uses: list[PlannedUse]) -> list[list[PlannedUse]]:
    """Parts of one to four uses; a use that nobody reacts to mostly ends its part."""
    parts: list[list[PlannedUse]] = [[]]
    for use in uses:
        if parts[-1] and _ends(parts[-1]):
            parts.append([])
        follows_silence = bool(parts[-1]) and parts[-1][-1].kind in ("silent", "question", "neutral", "language")
        parts[-1].append(replace(use, slash=True) if follows_silence else use)
    return parts


def _ends(part: list[PlannedUse]) -> bool:
    last = part[-1]
    limit = pick((3, 3, 4, 5), key=part[0].key + " length")
    quiet = last.kind in ("silent", "question", "neutral", "language")
    return len(part) >= limit or (quiet and number(last.key + " end", below=10) < 3)


def _session(uses: list[PlannedUse], *, nth: int) -> PlannedSession:
    half_week = uses[-1].half_week
    key = f"{uses[0].project.key} {half_week} {nth}"
    minutes = 7 * 60 + number(key + " start", below=540)
    start = day_of(half_week, turn=nth + number(key, below=3)) + timedelta(
        minutes=minutes, milliseconds=number(key, below=60000)
    )
    return PlannedSession(key=key, project=uses[0].project, half_week=half_week, start=start, uses=tuple(uses))
