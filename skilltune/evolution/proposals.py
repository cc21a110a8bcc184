"""One proposed change of a body: its texts, its evidence, where it stands and what keeps it back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Literal

from skilltune.errors import InputError
from skilltune.evolution.contradictions import Contradiction
from skilltune.evolution.copied import find_particulars, tell_particulars
from skilltune.evolution.edits import Located, locate_changes
from skilltune.evolution.hidden import Mask, say_secret
from skilltune.evolution.learned import LEARNED_HEADING, Section, find_sections, learned_line, section_at
from skilltune.evolution.outlook import Candidate
from skilltune.limits import COMPLAINT_SESSIONS

__all__ = ["ProposedChange", "check_line", "propose_changes"]

_LINE_CHARS = 500


@dataclass(frozen=True, kw_only=True)
class ProposedChange:
    """A change a person may take or leave."""

    number: int
    """1, 2, … as it is shown and chosen."""
    kind: Literal["replace", "append"]
    """``replace``: on the body. ``append``: one line more, for what stands nowhere in the body."""
    section: str
    """Title of the section of its first place, or of the section the line goes to; '' before the first heading."""
    original: str
    suggested: str
    line: str
    """The line to add; '' for a replacement, and where a person has to word it."""
    reason: str
    confidence: Fraction
    count: int
    """k of the agreement."""
    rivals: int
    """m of the agreement."""
    sessions: tuple[str, ...]
    first_seen: datetime | None
    last_seen: datetime | None
    correction_ids: tuple[str, ...]
    status: str
    """``2 hits``, ``already_applied``, ``not_in_body``, ``no_op``, ``overlaps``."""
    chosen: bool
    blocked: tuple[str, ...]
    """Why it cannot be chosen."""
    contradictions: tuple[Contradiction, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def choosable(self) -> bool:
        """Whether a person may take it, wording its line where it has none."""
        return not self.blocked and (self.kind == "append" or self.status.endswith(("hit", "hits")))


def propose_changes(body: str, *, candidates: Sequence[Candidate], mask: Mask = str) -> tuple[ProposedChange, ...]:
    """The candidates as changes of `body`, numbered in the order given.

    Those that nothing blocks are located together and chosen where they stand in the body; one that stands nowhere
    becomes a line to add, which a person has to choose. What would put a secret into the body is blocked, or left for a
    person to word.

    Parameters
    ----------
    body
        The current body.
    candidates
        The patterns that repeat.
    mask
        What hides secrets in a text.
    """
    sections = find_sections(body)
    told = [say_secret(item.pattern.suggested, before=item.pattern.original, mask=mask) for item in candidates]
    free = [item for item, secret in zip(candidates, told, strict=True) if not item.blocked and not secret]
    pairs = [(item.pattern.original, item.pattern.suggested) for item in free]
    located = dict(zip(map(id, free), locate_changes(body, changes=pairs), strict=True))
    return tuple(
        _proposed(
            body,
            candidate,
            number=number,
            located=located.get(id(candidate)),
            sections=sections,
            secret=secret,
        )
        for number, (candidate, secret) in enumerate(zip(candidates, told, strict=True), 1)
    )


def check_line(line: str) -> str:
    """`line` as it may be added to a body.

    Raises
    ------
    InputError
        When it is empty, more than one line, a fence or heading, or longer than 500 characters.
    """
    text = line.strip()
    if not text:
        raise InputError("the line is empty; word it, or leave the change out")
    if len(text.splitlines()) > 1:
        raise InputError(f"the line has {len(text.splitlines())} lines; word it in one")
    if len(text) > _LINE_CHARS:
        raise InputError(f"the line has {len(text)} characters, limit {_LINE_CHARS}; shorten it")
    if text.startswith(("```", "~~~", "#")):
        raise InputError(
            f"the line begins with {text[:3]!r}, which would change what stands below it; begin with a word"
        )
    return text if text.startswith(("- ", "* ")) else f"- {text}"


def _proposed(
    body: str,
    candidate: Candidate,
    *,
    number: int,
    located: Located | None,
    sections: Sequence[Section],
    secret: str,
) -> ProposedChange:
    pattern = candidate.pattern
    found = located or locate_changes(body, changes=[(pattern.original, pattern.suggested)])[0]
    change = ProposedChange(
        number=number,
        kind="replace",
        section=section_at(sections, at=found.spans[0].start) if found.spans else "",
        original=pattern.original,
        suggested=pattern.suggested,
        line="",
        reason=f"Pattern observed {pattern.count} times in user corrections",
        confidence=candidate.confidence,
        count=pattern.count,
        rivals=pattern.rivals,
        sessions=pattern.sessions,
        first_seen=pattern.first_seen,
        last_seen=pattern.last_seen,
        correction_ids=pattern.ids,
        status=found.told,
        chosen=not candidate.blocked and bool(found.spans),
        blocked=candidate.blocked,
        contradictions=candidate.contradictions,
        notes=candidate.notes,
    )
    if found.status == "not_in_body":
        return _as_line(body, change, secret=secret)
    looks = tell_particulars(pattern.suggested, original=pattern.original, sessions=pattern.sessions, known=body)
    change = replace(change, notes=(*change.notes, *looks))
    return replace(change, chosen=False, blocked=(*change.blocked, secret)) if secret else change


def _as_line(body: str, change: ProposedChange, *, secret: str) -> ProposedChange:
    """The change as a line to add; one that would carry a session's particulars is left for a person to word."""
    line = learned_line(change.original, change.suggested)
    particulars = find_particulars(line, evidence=[change.original, change.suggested], known=body)
    notes = list(change.notes)
    if secret:
        notes.append(secret)
    elif particulars:
        notes.append(f"word the line yourself: {', '.join(particulars)} may belong to one case only")
    elif len(change.sessions) < COMPLAINT_SESSIONS:
        notes.append("word the line yourself: all evidence is from one session")
    drafted = line if len(notes) == len(change.notes) and len(line) <= _LINE_CHARS else ""
    return replace(change, kind="append", section=LEARNED_HEADING, line=drafted, notes=tuple(notes))
