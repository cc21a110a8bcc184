"""Open suggestions: a group of complaints, the section it touches, and one line for a person to word."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from skilltune.evolution.basis import Basis
from skilltune.evolution.complaints import ComplaintGroup
from skilltune.evolution.copied import tell_copied
from skilltune.evolution.eligibility import Cooldown
from skilltune.evolution.gates import Verdict, judge_cooldown, judge_count
from skilltune.evolution.hidden import Mask, check_secrets
from skilltune.evolution.learned import LEARNED_HEADING, find_sections
from skilltune.evolution.proposals import ProposedChange, check_line
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.suggestions import Suggestion, build_suggestion
from skilltune.evolution.topics import content_words
from skilltune.limits import COMPLAINT_GROUP, COMPLAINT_SESSIONS

__all__ = ["OpenSuggestion", "open_suggestions", "word_suggestion"]


@dataclass(frozen=True, kw_only=True)
class OpenSuggestion:
    """What people complain about, without words for the skill yet."""

    group: ComplaintGroup
    section: str
    """Title of the section of the body that speaks of the same; '' where none does, or before the first heading."""
    touches: str
    """The first line of that section which speaks of it; '' where none does."""

    @property
    def id(self) -> str:
        """The group's id."""
        return self.group.id

    @property
    def skill_id(self) -> str:
        """The skill."""
        return self.group.skill_id

    @property
    def about(self) -> str:
        """The words that all of them share, quoted: ``"timer", "second"``."""
        return self.group.about

    @property
    def heading(self) -> str:
        """What to call it: ``3 complaints about "timer"``."""
        return self.group.heading

    @property
    def quotes(self) -> tuple[str, ...]:
        """What people wrote, in time order."""
        return tuple(item.text for item in self.group.complaints)


def open_suggestions(groups: Sequence[ComplaintGroup], *, body: str) -> list[OpenSuggestion]:
    """An open suggestion for each group, with the section of `body` that shares the most of its words, if any."""
    lines = [
        (section.title, line) for section in find_sections(body) for line in _lines(body, section.start, section.end)
    ]
    worded = [(title, line, content_words(line)) for title, line in lines]
    return [_opened(group, worded) for group in groups]


def word_suggestion(
    opened: OpenSuggestion,
    *,
    line: str,
    body: str,
    version: int,
    baseline: str | None,
    cooldown: Cooldown,
    section: str | None = None,
    versions: Sequence[str] = (),
    metadata_changes: int = 0,
    allow_missing_baseline: bool = False,
    conflicts: Collection[str] = (),
    settings: RefinementSettings | None = None,
    mask: Mask = str,
) -> Suggestion:
    """The suggestion that adds `line`, which a person worded, to a section of the body.

    Its agreement is (k + 1) / (k + 2) for k complaints; every bound and the digest are as for corrections. What the
    line has from one session only is said in the change's notes and is no reason to refuse it.

    Parameters
    ----------
    opened
        The open suggestion.
    line
        One line in the person's words.
    body, version, baseline, versions, metadata_changes, allow_missing_baseline, settings, mask
        As for ``suggest_refinement``.
    cooldown
        Of the skill, by ``check_cooldown``.
    section
        Title of the section it goes to the end of; by default the one the complaints touch, else the learned
        corrections, which are made where they are missing.
    conflicts
        Conflicts that hold the whole skill (``on_conflict="block"``), in words.

    Raises
    ------
    InputError
        When the line is empty, too long or more than one line, or holds a secret.
    """
    settings = settings or RefinementSettings()
    group = opened.group
    worded = check_line(line)
    check_secrets(worded, mask=mask)
    change = ProposedChange(
        number=1,
        kind="append",
        section=(opened.section if section is None else section) or LEARNED_HEADING,
        original="",
        suggested="",
        line=worded,
        reason=f"{group.count} complaints in {len(group.sessions)} sessions: {', '.join(group.words)}",
        confidence=group.agreement,
        count=group.count,
        rivals=group.count,
        sessions=group.sessions,
        first_seen=min((item.timestamp for item in group.complaints if item.timestamp), default=None),
        last_seen=max((item.timestamp for item in group.complaints if item.timestamp), default=None),
        correction_ids=group.event_ids,
        status="not_in_body",
        chosen=True,
        blocked=(),
        notes=tell_copied(worded, said=[(item.session_id, item.text) for item in group.complaints], known=body),
    )
    basis = Basis(
        skill_id=group.skill_id,
        version=version,
        body=body,
        cooldown=cooldown,
        settings=settings,
        opening=_opening(group, cooldown=cooldown, conflicts=conflicts, settings=settings),
        baseline=baseline,
        versions=tuple(versions),
        metadata_changes=metadata_changes,
        allow_missing_baseline=allow_missing_baseline,
        mask=mask,
    )
    return build_suggestion(basis, changes=[change])


def _opened(group: ComplaintGroup, lines: Sequence[tuple[str, str, frozenset[str]]]) -> OpenSuggestion:
    weights = {word: len(group.words) - at for at, word in enumerate(group.words)}
    scored = [(sum(weights.get(word, 0) for word in words), -at) for at, (_, _, words) in enumerate(lines)]
    score, at = max(scored, default=(0, 0))
    if not score:
        return OpenSuggestion(group=group, section="", touches="")
    title, line, _ = lines[-at]
    return OpenSuggestion(group=group, section=title, touches=line)


def _lines(body: str, start: int, end: int) -> list[str]:
    return [line.strip() for line in body[start:end].splitlines() if line.strip()]


def _opening(
    group: ComplaintGroup, *, cooldown: Cooldown, conflicts: Collection[str], settings: RefinementSettings
) -> tuple[Verdict, ...]:
    return (
        judge_cooldown(cooldown, settings=settings),
        judge_count("complaints", count=group.count, needed=COMPLAINT_GROUP, noun="complaint"),
        judge_count(
            "sessions", count=len(group.sessions), needed=max(COMPLAINT_SESSIONS, settings.min_sessions), noun="session"
        ),
        Verdict(
            gate="conflicts",
            value=str(len(conflicts)),
            threshold="none that holds the skill",
            passed=not conflicts,
            remedy="" if not conflicts else "keep one side of each conflict, or both",
            note="; ".join(conflicts),
        ),
    )
