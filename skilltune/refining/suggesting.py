"""May a skill be refined, and what would change: ledger, complaints, audit log and file through the pure core."""

from datetime import datetime
from pathlib import Path

from skilltune.errors import InputError, SkillNotFoundError
from skilltune.evolution.eligibility import Eligibility, check_cooldown
from skilltune.evolution.learned import LEARNED_HEADING
from skilltune.evolution.openings import OpenSuggestion, word_suggestion
from skilltune.evolution.suggestions import Suggestion
from skilltune.evolution.suggestions import suggest_refinement as build_refinement
from skilltune.refining.evidence import find_openings, judge_eligibility, read_evidence, unknown_skill
from skilltune.refining.state import SkillState, read_state, see_skill
from skilltune.stores.secrets import mask_secrets
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import as_time

__all__ = [
    "check_eligibility",
    "eligibility_of",
    "open_suggestions_of",
    "suggest",
    "suggest_from",
    "suggest_refinement",
    "word_from",
    "word_opening",
]


def eligibility_of(
    skill_id: str,
    *,
    workspace: str | Path | None = None,
    base_directory: str | Path | None = None,
    as_of: datetime | str | None = None,
) -> Eligibility:
    """Whether a skill may be refined now, and why not, with the numbers.

    Parameters
    ----------
    skill_id
        The skill; one that is not installed is answered with ``skill_not_found``.
    workspace
        Whose ledger and settings count; default the nearest ``.skilltune`` upwards, else the user's.
    base_directory
        The skill's folder as a transcript names it, for one of several of its name.
    as_of
        Default now.

    Raises
    ------
    InputError
        The name would lead out of the folder of skills.
    DamagedError
        The audit log is not as it was written.
    """
    now = as_time(as_of)
    try:
        state = see_skill(read_state(skill_id, workspace=workspace, base_directory=base_directory), at=now)
    except SkillNotFoundError:
        return unknown_skill(skill_id, workspace=find_workspace(explicit=workspace), as_of=now)
    return judge_eligibility(state, evidence=read_evidence(skill_id, workspace=state.workspace, as_of=now), as_of=now)


def suggest(
    skill_id: str,
    *,
    workspace: str | Path | None = None,
    base_directory: str | Path | None = None,
    allow_missing_baseline: bool = False,
    as_of: datetime | str | None = None,
) -> Suggestion:
    """The bounded change of a skill that its recorded corrections suggest, for a person to approve.

    Parameters
    ----------
    skill_id, workspace, base_directory, as_of
        As for ``eligibility_of``.
    allow_missing_baseline
        A person's allowance to refine a skill whose drift is not known.

    Returns
    -------
    Suggestion
        With every gate's verdict; one that may not be applied says why.

    Raises
    ------
    SkillNotFoundError
        There is no such skill.
    TextTooLongError
        Its body is longer than 200,000 characters.
    """
    now = as_time(as_of)
    state = see_skill(read_state(skill_id, workspace=workspace, base_directory=base_directory), at=now)
    return suggest_from(state, allow_missing_baseline=allow_missing_baseline, as_of=now)


def suggest_from(
    state: SkillState, *, allow_missing_baseline: bool, as_of: datetime, eligibility: Eligibility | None = None
) -> Suggestion:
    """The suggestion for a state that was read, and for its eligibility where that is known already."""
    if eligibility is None:
        evidence = read_evidence(state.skill_id, workspace=state.workspace, as_of=as_of)
        eligibility = judge_eligibility(state, evidence=evidence, as_of=as_of)
    return build_refinement(
        eligibility,
        body=state.doc.body,
        version=state.version,
        baseline=state.baseline_body,
        versions=state.version_bodies,
        allow_missing_baseline=allow_missing_baseline,
        settings=state.settings,
        mask=mask_secrets,
    )


def open_suggestions_of(
    skill_id: str, *, workspace: str | Path | None = None, base_directory: str | Path | None = None
) -> list[OpenSuggestion]:
    """What people complain about in a skill, for a person to word; less what was decided on.

    Parameters
    ----------
    skill_id, workspace, base_directory
        As for ``eligibility_of``; the complaints are those of the workspace's feedback log.
    """
    return find_openings(read_state(skill_id, workspace=workspace, base_directory=base_directory))


def word_opening(
    skill_id: str,
    *,
    opening_id: str,
    line: str,
    section: str = LEARNED_HEADING,
    workspace: str | Path | None = None,
    base_directory: str | Path | None = None,
    allow_missing_baseline: bool = False,
    as_of: datetime | str | None = None,
) -> Suggestion:
    """The suggestion that adds a person's line for an open suggestion; bounds and digest as for corrections.

    Parameters
    ----------
    skill_id, workspace, base_directory, allow_missing_baseline, as_of
        As for ``suggest``.
    opening_id
        Which one of ``open_suggestions_of``.
    line
        The line, in the person's words.
    section
        Title of the section it goes to.

    Raises
    ------
    InputError
        There is no such open suggestion, or the line cannot be taken.
    """
    now = as_time(as_of)
    state = see_skill(read_state(skill_id, workspace=workspace, base_directory=base_directory), at=now)
    found = next((item for item in find_openings(state) if item.id == opening_id), None)
    if found is None:
        raise InputError(f"there is no open suggestion {opening_id!r} for {skill_id}; it may have been decided on")
    return word_from(state, found, line=line, section=section, allow_missing_baseline=allow_missing_baseline, as_of=now)


def word_from(
    state: SkillState,
    opened: OpenSuggestion,
    *,
    line: str,
    section: str,
    allow_missing_baseline: bool,
    as_of: datetime,
) -> Suggestion:
    """The suggestion for an open one and a state that was read."""
    evidence = read_evidence(state.skill_id, workspace=state.workspace, as_of=as_of)
    found = judge_eligibility(state, evidence=evidence, as_of=as_of).contradictions
    blocking = state.settings.on_conflict == "block"
    return word_suggestion(
        opened,
        line=line,
        body=state.doc.body,
        version=state.version,
        baseline=state.baseline_body,
        cooldown=check_cooldown(state.refined_at, as_of=as_of, cooldown_days=state.settings.cooldown_days),
        section=section,
        versions=state.version_bodies,
        allow_missing_baseline=allow_missing_baseline,
        conflicts=[f"{item.kind} {item.id}" for item in found.findings if item.holds] if blocking else (),
        settings=state.settings,
        mask=mask_secrets,
    )


check_eligibility, suggest_refinement = eligibility_of, suggest
