"""Sessions to candidates: the second reading of transcripts in which a skill was used, secrets masked, texts cut."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from skilltune.errors import ReadError
from skilltune.evolution.candidates import Candidate, Sighting, candidate_id, merge_candidates
from skilltune.facts import SessionFacts, UseFact
from skilltune.limits import CANDIDATE_CHARS, CANDIDATE_COMPARED_CHARS
from skilltune.mining.detected import Detected, detect_corrections
from skilltune.mining.invocations import find_skill_names
from skilltune.mining.origins import why_skipped
from skilltune.mining.rows import time_of
from skilltune.scan import Scan
from skilltune.sources import SOURCES
from skilltune.sources.claude_code.edits import read_edits
from skilltune.stores.models import choose_model
from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets, snippet
from skilltune.stores.skills import find_installed_skills
from skilltune.stores.workspace import Workspace
from skilltune.workflow import Paths, read_sessions

__all__ = ["detect_candidates"]

_READ: Final = "claude-code"
"""The agent whose edits are read with their texts."""


def detect_candidates(place: Workspace, *, sessions: Scan | Paths | None = None) -> tuple[list[Candidate], list[str]]:
    """The candidates in sessions, each content once, and what was said of sessions that were not read again.

    Parameters
    ----------
    place
        The workspace, whose settings count.
    sessions
        As for ``skilltune.refining.candidates.find_candidates``.

    Raises
    ------
    ReadError
        None of `sessions` can be read.
    """
    mining = place.config.mining
    named = sessions if sessions is not None else mining.folders or None
    scan = named if isinstance(named, Scan) else read_sessions(named)
    skills, installed, model = find_skill_names(scan.files()), find_installed_skills(), choose_model(place)
    found: list[Detected] = []
    unreadable: list[str] = []
    others: Counter[str] = Counter()
    for file in scan.files():
        with_uses = [session for session in file.sessions if _counts(session, scripted=mining.scripted)]
        others.update(session.agent for session in with_uses if session.agent != _READ)
        used = [session for session in with_uses if session.agent == _READ]
        if not used:
            continue
        try:
            edits = read_edits(file.path)
        except ReadError as error:
            unreadable.append(str(error))
            continue
        for session in used:
            found += detect_corrections(
                session,
                edits=edits,
                skills=skills,
                installed=installed,
                model=model,
                window_turns=mining.window_turns,
            )
    owned_first = sorted(found, key=lambda item: item.copied)
    candidates = merge_candidates(kept for item in owned_first if (kept := _candidate(item)) is not None)
    return candidates, [*unreadable, *_not_looked_at(others)]


def _counts(session: SessionFacts, *, scripted: bool) -> bool:
    """Whether a session is one of a person, in which a skill was used."""
    used = any(isinstance(item, UseFact) for item in session.items)
    return used and not why_skipped(session, scripted=scripted)


def _not_looked_at(others: Mapping[str, int]) -> list[str]:
    """What is said of sessions of other agents, by agent."""
    return [
        f"{SOURCES[agent].name if agent in SOURCES else agent}: corrections are looked for in sessions of "
        f"{SOURCES[_READ].name} only; {count:,} in which a skill was used {'is' if count == 1 else 'are'} left out"
        for agent, count in sorted(others.items())
    ]


def _candidate(found: Detected) -> Candidate | None:
    """What is kept of a detected correction: secrets masked, texts cut; None where nothing but a secret differs."""
    original, corrected = (mask_secrets(text[:CANDIDATE_COMPARED_CHARS]) for text in (found.original, found.corrected))
    if original == corrected:
        return None
    return Candidate(
        id=candidate_id(found.kind, original, corrected),
        kind=found.kind,
        sign=found.sign,
        file=mask_name(found.file),
        original=original[:CANDIDATE_CHARS],
        corrected=corrected[:CANDIDATE_CHARS],
        quote=snippet(found.quote),
        cut=max(len(original), len(corrected)) > CANDIDATE_CHARS,
        sightings=(
            Sighting(
                skill_id=mask_name(found.skill_id),
                event_id=found.event_id,
                attribution=found.attribution,
                session_id=mask_name(found.session_id),
                project=mask_name(found.project),
                transcript=found.transcript,
                lines=found.lines,
                timestamp=time_of(found.at),
                base_directory=mask_name(found.base_directory),
            ),
        ),
    )
