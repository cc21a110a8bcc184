"""An eligibility and a body → a bounded suggestion: changes, verdicts, what the body would be, and its digest.

Nothing is refused here: a suggestion that may not be applied says so in its table. A person's choice of some changes
makes another suggestion with another digest.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from skilltune.errors import InputError
from skilltune.evolution.basis import Basis, change_body, relocate
from skilltune.evolution.contradictions import Contradiction
from skilltune.evolution.copied import tell_copied
from skilltune.evolution.drift import Drift, measure_drift
from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.gates import Verdict
from skilltune.evolution.hidden import Mask, check_secrets
from skilltune.evolution.learned import LEARNED_HEADING, has_section
from skilltune.evolution.proposals import ProposedChange, check_line, propose_changes
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.showing import preview_change, suggestion_digest, unified_diff
from skilltune.evolution.skilldoc import body_digest
from skilltune.evolution.table import judge_evidence, judge_suggestion
from skilltune.evolution.textdiff import Measure, measure_change

__all__ = ["Suggestion", "build_suggestion", "choose_changes", "suggest_refinement"]


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A change of one skill's body, for a person to approve."""

    basis: Basis = field(repr=False)
    changes: tuple[ProposedChange, ...]
    body_after: str = field(repr=False)
    measure: Measure
    drift: Drift
    verdicts: tuple[Verdict, ...]
    digest: str
    """SHA-256 over skill, body before, body after and correction ids: what an approval names."""
    diff: str = field(repr=False)
    preview: str = field(repr=False)

    @property
    def skill_id(self) -> str:
        """The skill."""
        return self.basis.skill_id

    @property
    def version(self) -> int:
        """The version it changes."""
        return self.basis.version

    @property
    def body_before(self) -> str:
        """The body it changes."""
        return self.basis.body

    @property
    def base_digest(self) -> str:
        """SHA-256 of the body it changes."""
        return body_digest(self.basis.body)

    @property
    def chosen(self) -> tuple[ProposedChange, ...]:
        """The changes it makes."""
        return tuple(change for change in self.changes if change.chosen)

    @property
    def confidence(self) -> Fraction | None:
        """The least of its changes' confidences; None where it makes none."""
        return min((change.confidence for change in self.chosen), default=None)

    @property
    def correction_ids(self) -> tuple[str, ...]:
        """The corrections it rests on, each once; applying it uses them up."""
        return tuple(dict.fromkeys(id_ for change in self.chosen for id_ in change.correction_ids))

    @property
    def based_on_corrections(self) -> int:
        """How many they are."""
        return len(self.correction_ids)

    @property
    def change_percent(self) -> int:
        """The change of the whole body, rounded half up."""
        return self.measure.rounded_percent

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """Every finding that touches one of its changes, chosen or not, each once."""
        return tuple({item.id: item for change in self.changes for item in change.contradictions}.values())

    @property
    def failing(self) -> tuple[Verdict, ...]:
        """The gates it does not pass."""
        return tuple(verdict for verdict in self.verdicts if not verdict.passed)

    @property
    def ready(self) -> bool:
        """Whether it passes every gate and waits for a person only."""
        return not self.failing


def suggest_refinement(
    eligibility: Eligibility,
    *,
    body: str,
    version: int,
    baseline: str | None,
    versions: Sequence[str] = (),
    metadata_changes: int = 0,
    allow_missing_baseline: bool = False,
    settings: RefinementSettings | None = None,
    mask: Mask = str,
) -> Suggestion:
    """The suggestion for a skill's current body.

    Parameters
    ----------
    eligibility
        The answer of ``check_eligibility`` with the same settings.
    body
        The body as it is on disk now.
    version
        Its version.
    baseline
        The body that drift is measured against, None where there is none.
    versions
        The bodies between them, the oldest first.
    metadata_changes
        Fields of the front matter that are changed with it.
    allow_missing_baseline
        A person's allowance to refine without a baseline.
    settings
        The bounds; by default the published ones.
    mask
        What hides secrets in a text; a change that would put one into the body is blocked.

    Returns
    -------
    Suggestion
        With every repeated correction as a change; chosen are those that nothing blocks and that stand in the body.

    Raises
    ------
    TextTooLongError
        When a body is longer than 200,000 characters.
    """
    settings = settings or RefinementSettings()
    basis = Basis(
        skill_id=eligibility.skill_id,
        version=version,
        body=body,
        cooldown=eligibility.cooldown,
        settings=settings,
        opening=judge_evidence(eligibility, settings=settings),
        baseline=baseline,
        versions=tuple(versions),
        metadata_changes=metadata_changes,
        allow_missing_baseline=allow_missing_baseline,
        mask=mask,
    )
    return build_suggestion(basis, changes=propose_changes(body, candidates=eligibility.candidates, mask=mask))


def choose_changes(
    suggestion: Suggestion,
    *,
    numbers: Collection[int],
    lines: Mapping[int, str] | None = None,
    sections: Mapping[int, str] | None = None,
) -> Suggestion:
    """The suggestion that makes only the changes of these `numbers`; it has a digest of its own.

    Parameters
    ----------
    suggestion
        Any suggestion for the same body.
    numbers
        Numbers of changes to make; none is allowed, and makes nothing.
    lines
        For a change that adds a line: the line as the person words it.
    sections
        For a change that adds a line: the title of the body's section it goes to the end of.

    Raises
    ------
    InputError
        When a number or section is unknown, the change is blocked or stands nowhere in the body, or its line is missing
        or wrong, or holds a secret.
    """
    lines, sections = lines or {}, sections or {}
    unknown = {*numbers, *lines, *sections} - {change.number for change in suggestion.changes}
    if unknown:
        raise InputError(f"there is no change {min(unknown)}; there are {len(suggestion.changes)}")
    changes = [
        _worded(change, lines.get(change.number), basis=suggestion.basis)
        if change.number in numbers
        else replace(change, chosen=False)
        for change in suggestion.changes
    ]
    return build_suggestion(
        suggestion.basis,
        changes=[_placed(suggestion.body_before, change, sections.get(change.number)) for change in changes],
    )


def build_suggestion(basis: Basis, *, changes: Sequence[ProposedChange]) -> Suggestion:
    """The suggestion that makes the chosen ones of `changes`."""
    located, spans = relocate(basis.body, changes)
    lines = [(change.line, change.section) for change in located if change.chosen and change.kind == "append"]
    after = change_body(basis.body, spans=spans, lines=lines)
    measure = measure_change(basis.body, after, names=("the body", "the suggested body"))
    drift = measure_drift(
        basis.body,
        baseline=basis.baseline,
        versions=basis.versions,
        projected=after,
        limit_percent=basis.settings.drift_limit,
    )
    chosen = [change for change in located if change.chosen]
    ids = {id_ for change in chosen for id_ in change.correction_ids}
    return Suggestion(
        basis=basis,
        changes=tuple(located),
        body_after=after,
        measure=measure,
        drift=drift,
        verdicts=judge_suggestion(basis, changes=located, after=after, measure=measure, drift=drift),
        digest=suggestion_digest(basis.skill_id, before=basis.body, after=after, correction_ids=ids),
        diff=unified_diff(basis.body, after, name=f"{basis.skill_id}/SKILL.md"),
        preview=preview_change(
            basis.body,
            spans=spans,
            lines=[line for line, _ in lines],
            title=lines[0][1] if lines else LEARNED_HEADING,
        ),
    )


def _worded(change: ProposedChange, line: str | None, *, basis: Basis) -> ProposedChange:
    """The change as chosen, with the person's line."""
    if change.blocked:
        raise InputError(f"change {change.number} cannot be chosen: {'; '.join(change.blocked)}")
    if change.kind == "replace":
        if line is not None:
            raise InputError(f"change {change.number} replaces a text of the body; it takes no line")
        if change.status in ("already_applied", "no_op"):
            raise InputError(f"change {change.number} cannot be chosen: {change.status}")
        return replace(change, chosen=True)
    if line is None and not change.line:
        raise InputError(f"change {change.number} needs a line in your words; {'; '.join(change.notes)}")
    if line is None or (line and line == change.line):
        return replace(change, chosen=True)
    worded = check_line(line)
    check_secrets(worded, mask=basis.mask)
    said = [(session, f"{change.original}\n{change.suggested}") for session in change.sessions]
    notes = [note for note in tell_copied(worded, said=said, known=basis.body) if note not in change.notes]
    return replace(change, chosen=True, line=worded, notes=(*change.notes, *notes))


def _placed(body: str, change: ProposedChange, title: str | None) -> ProposedChange:
    """The change with the section its line goes to."""
    if title is None:
        return change
    if change.kind == "replace":
        raise InputError(f"change {change.number} replaces a text of the body; it takes no section")
    if title != LEARNED_HEADING and not has_section(body, title=title):
        raise InputError(f"the body has no section {title!r}; name one of its headings")
    return replace(change, section=title)
