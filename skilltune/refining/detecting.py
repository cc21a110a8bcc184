"""Sessions to candidates: the second reading of transcripts in which a skill was used, secrets masked, texts cut."""

from skilltune.errors import ReadError
from skilltune.evolution.candidates import Candidate, Sighting, candidate_id, merge_candidates
from skilltune.facts import SessionFacts, UseFact
from skilltune.limits import CANDIDATE_CHARS, CANDIDATE_COMPARED_CHARS
from skilltune.mining.detected import Detected, detect_corrections
from skilltune.mining.invocations import find_skill_names
from skilltune.mining.origins import why_skipped
from skilltune.mining.rows import time_of
from skilltune.scan import Scan
from skilltune.sources.claude_code.edits import read_edits
from skilltune.stores.models import choose_model
from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets, snippet
from skilltune.stores.skills import find_installed_skills
from skilltune.stores.workspace import Workspace
from skilltune.workflow import Paths, read_sessions

__all__ = ["detect_candidates"]


def detect_candidates(place: Workspace, *, sessions: Scan | Paths | None = None) -> tuple[list[Candidate], list[str]]:
    """The candidates in sessions, each content once, and what was said of transcripts that cannot be read again.

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
    for file in scan.files():
        used = [session for session in file.sessions if _counts(session, scripted=mining.scripted)]
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
    return merge_candidates(kept for item in owned_first if (kept := _candidate(item)) is not None), unreadable


def _counts(session: SessionFacts, *, scripted: bool) -> bool:
    """Whether a session is one of a person with Claude Code, in which a skill was used."""
    used = any(isinstance(item, UseFact) for item in session.items)
    return used and session.agent == "claude-code" and not why_skipped(session, scripted=scripted)


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
