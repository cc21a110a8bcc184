"""Invented states of refinement for the tests of page parts, made by the real functions from invented corrections."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pandas as pd

from skilltune.analysis.before_after import before_after
from skilltune.analysis.ratings import override_reasons, skill_ratings
from skilltune.evolution.complaints import Complaint, group_complaints
from skilltune.evolution.corrections import Correction
from skilltune.evolution.eligibility import check_eligibility
from skilltune.evolution.openings import open_suggestions
from skilltune.evolution.suggestions import suggest_refinement
from skilltune.page.refinement_summary import RefinementSummary, SkillProblem, WaitingSkill
from tests.analysis.invented import judged, table

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
END = datetime(2026, 11, 29, 23, tzinfo=UTC)
BODY = """# Migrations

## Writing

Create indexes with CREATE INDEX.
Use tabs in every file. Name each constraint after its table and column, and never after the ticket.

## Running

Run the formatter on the whole repository after each save, and the tests of what was touched. Report what could not be
mended in a list at the end.
"""


def corrections(skill: str, *pairs: tuple[str, str], times: int = 3, days_ago: float = 5) -> list[Correction]:
    """So many corrections of each pair, each from a session of its own."""
    return [
        Correction(
            id=f"{skill}-{place}-{number}-{days_ago}",
            skill_id=skill,
            session_id=f"secret-session-{number}",
            timestamp=NOW - timedelta(days=days_ago + 3 * number),
            original=original,
            corrected=corrected,
        )
        for place, (original, corrected) in enumerate(pairs)
        for number in range(times)
    ]


def complaints(skill: str, *texts: str, dimension: str = "coverage") -> list[Complaint]:
    """Complaints in those words."""
    return [
        Complaint(
            event_id=f"{skill}-said-{number}",
            skill_id=skill,
            session_id=f"secret-session-{number}",
            timestamp=NOW - timedelta(days=4 + number),
            dimension=dimension,
            text=text,
        )
        for number, text in enumerate(texts)
    ]


def waiting(
    skill: str,
    said: Sequence[Correction] = (),
    *,
    body: str = BODY,
    baseline: str | None = BODY,
    version: int | None = 4,
    refined_at: datetime | None = None,
    complained: Sequence[Complaint] = (),
) -> WaitingSkill:
    """What waits of one skill with those corrections and complaints."""
    found = version is not None
    eligibility = check_eligibility(
        skill, corrections=said, as_of=NOW, found=found, refined_at=[refined_at] if refined_at else []
    )
    suggestion = None
    if found and eligibility.candidates:
        suggestion = suggest_refinement(eligibility, body=body, version=version, baseline=baseline)
    return WaitingSkill(
        skill_id=skill,
        version=version,
        eligibility=eligibility if said else None,
        suggestion=suggestion,
        openings=tuple(open_suggestions(group_complaints(complained), body=body)),
    )


def effects(*refinements: tuple[str, tuple[int, int, int], tuple[int, int, int], int]) -> pd.DataFrame:
    """Refinements of a skill so many days ago, with the outcomes before and after."""
    events, rows = [], []
    for place, (skill, before, after, ago) in enumerate(refinements):
        at = END - timedelta(days=ago)
        events += [*judged(*before, skill=skill, at=at - timedelta(days=3))]
        events += [*judged(*after, skill=skill, at=at + timedelta(days=1))]
        rows.append({"skill_id": skill, "at": at, "skill_digest": "", "version": 4 + place, "former": 3 + place})
    changes = pd.DataFrame(rows)
    told = before_after(table(events), as_of=END, changes=changes)
    known = changes.drop(columns="skill_digest").assign(at=pd.to_datetime(changes["at"], utc=True).dt.as_unit("us"))
    found = told.merge(known, on=["skill_id", "at"])
    nothing = pd.Series([None] * len(found), dtype="datetime64[us, UTC]")
    return found.assign(kind="refine", later=False, rolled_back=nothing, replaced=nothing)


def marks(*rows: tuple[str, float, str, str]) -> pd.DataFrame:
    """Changes of a skill so many days ago, of a kind, with the new text's digest."""
    return pd.DataFrame(
        {
            "skill_id": [skill for skill, _, _, _ in rows],
            "at": pd.to_datetime([END - timedelta(days=ago) for _, ago, _, _ in rows], utc=True),
            "kind": [kind for _, _, kind, _ in rows],
            "skill_digest": [digest for _, _, _, digest in rows],
            "version": range(2, len(rows) + 2),
        }
    )


def rated(*rows: tuple[str, str, float | str]) -> dict[str, pd.DataFrame]:
    """``ratings`` and ``reasons`` of rows of kind, skill, and score or reason."""
    ledger = pd.DataFrame(
        {
            "type": [kind for kind, _, _ in rows],
            "skill_id": [skill for _, skill, _ in rows],
            "timestamp": pd.to_datetime([END - timedelta(days=3)] * len(rows), utc=True),
            "score": [value if kind == "rating" else None for kind, _, value in rows],
            "reason": [value if kind == "override" else "" for kind, _, value in rows],
        }
    ).astype({"score": "float64"})
    uses = pd.DataFrame({"skill_id": [skill for _, skill, _ in rows] * 10}).assign(timestamp=END - timedelta(days=1))
    return {
        "ratings": skill_ratings(ledger, as_of=END, invocations=uses),
        "reasons": override_reasons(ledger, as_of=END),
    }


INDEX = ("CREATE INDEX", "CREATE INDEX CONCURRENTLY")
REPOSITORY = ("the whole repository", "the files that changed in this session")
LIST = ("List every changed file.", "Name the three most important files.")


def much() -> RefinementSummary:
    """Something of everything: ready, held by a conflict, by the cooldown, to choose, to word, applied, rated."""
    reversed_list = (LIST[1], LIST[0])
    said = [
        waiting("sql-migrations", corrections("sql-migrations", INDEX, REPOSITORY, times=3), version=7),
        waiting("lint-on-save", corrections("lint-on-save", INDEX), refined_at=NOW - timedelta(days=2)),
        waiting(
            "pr-description",
            [*corrections("pr-description", LIST), *corrections("pr-description", reversed_list, times=2, days_ago=3)],
        ),
        waiting("commit-style", corrections("commit-style", ("past tense", "imperative"), ("past tense", "present"))),
        waiting("test-writer", corrections("test-writer", ("assertEqual(a, b)", "assert a == b"))),
        waiting("gone-away", corrections("gone-away", INDEX), version=None),
        waiting(
            "api-client-gen",
            complained=complaints(
                "api-client-gen",
                "no, the retry budget is missing",
                "the retry budget is gone again",
                "wrong, no retry budget",
            ),
        ),
    ]
    applied = effects(
        ("lint-on-save", (24, 2, 30), (3, 2, 42), 34),
        ("cpp-expert", (4, 2, 40), (22, 2, 20), 30),
        ("test-writer", (22, 2, 47), (17, 2, 37), 27),
        ("frontend-forms", (4, 1, 2), (1, 0, 1), 12),
        ("release-notes", (1, 0, 1), (3, 0, 9), 20),
    )
    return RefinementSummary(
        skills=tuple(sorted(said, key=lambda skill: skill.skill_id)),
        effects=applied,
        marks=marks(("sql-migrations", 57, "refine", "b2" * 6), ("sql-migrations", 12, "rollback", "")),
        corrections=23,
        problems=(SkillProblem(what="old-skill", why="cannot be read"),),
        made=NOW,
        **rated(
            ("rating", "sql-migrations", 2),
            ("rating", "sql-migrations", 3),
            ("override", "sql-migrations", "dropped the wrong column"),
            ("override", "sql-migrations", "dropped the wrong column"),
            ("rating", "lint-on-save", 5),
        ),
    )
