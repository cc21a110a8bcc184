"""What to do next with a skill: its state in refinement, and the command that moves it on from there."""

from collections.abc import Collection
from typing import Final, Literal, get_args

from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.gates import Gate
from skilltune.rendering.terminal import command

__all__ = ["RANK", "Status", "next_call", "next_step", "state_of"]

Status = Literal[
    "ready",
    "word it",
    "choose",
    "no baseline",
    "over the bound",
    "disagreement",
    "rejected",
    "held",
    "in cooldown",
    "too few",
    "drift reached",
    "elsewhere",
    "not installed",
    "damaged",
]
RANK: Final[tuple[Status, ...]] = get_args(Status)
"""The most ready first."""


def state_of(
    found: Eligibility,
    *,
    failing: Collection[Gate] = (),
    choosable: bool = False,
    rejected: bool = False,
    openings: int = 0,
    exceeded: bool = False,
) -> Status:
    """The state of a skill.

    Parameters
    ----------
    found : Eligibility
        Whether it may be refined.
    failing : collection of str
        The gates that its suggestion does not pass; none where it is ready.
    choosable : bool
        Whether a change is there that a person has to choose, such as a line for what stands nowhere in the body.
    rejected : bool
        Whether a person rejected a change that its corrections still ask for.
    openings : int
        Open suggestions that wait for words.
    exceeded : bool
        Whether its drift has reached the limit.
    """
    if found.reason == "skill_not_found":
        return "not installed"
    if exceeded:
        return "drift reached"
    if found.reason == "cooldown":
        return "in cooldown"
    if found.reason == "eligible":
        return _bounded_state(set(failing), choosable=choosable, openings=openings) or _lacking(
            found, set(failing), rejected=rejected
        )
    if openings:
        return "word it"
    return "held" if found.reason == "contradictions" else "too few"


def next_call(skill_id: str, status: Status, *, folder: str = "") -> tuple[str, ...]:
    """The words of the command that moves a skill on from a state.

    Parameters
    ----------
    skill_id : str
        The skill.
    status : str
        Its state, by `state_of`; ``elsewhere`` for one that was used from `folder` and is not installed here.
    folder : str
        The ``--skill-folder`` that names it, '' where its name is enough.
    """
    calls: dict[Status, tuple[str, ...]] = {
        "no baseline": ("refine", skill_id, "--allow-missing-baseline"),
        "disagreement": ("feedback", skill_id, "--ids"),
        "rejected": ("history", skill_id),
        "held": ("contradictions", skill_id),
        "too few": ("feedback", "candidates", skill_id),
        "drift reached": ("drift", skill_id),
        "elsewhere": ("refine", "--check", skill_id),
        "not installed": ("feedback", skill_id),
        "damaged": ("audit", "verify", skill_id),
    }
    call = calls.get(status, ("refine", skill_id))
    knows_folder = call[0] in ("refine", "contradictions", "drift", "history", "audit")
    return (*call, *(("--skill-folder", folder) if folder and knows_folder else ()))


def next_step(skill_id: str, status: Status, *, folder: str = "") -> str:
    """That command as it is typed."""
    return command(*next_call(skill_id, status, folder=folder))


def _bounded_state(failing: Collection[Gate], *, choosable: bool, openings: int) -> Status | None:
    """The state of a skill that may be refined, where there is something to decide or a bound is in the way."""
    if not failing:
        return "ready"
    if openings:
        return "word it"
    if {"change", "drift_after", "metadata"} & set(failing):
        return "over the bound"
    if set(failing) == {"baseline"}:
        return "no baseline"
    return "choose" if choosable else None


def _lacking(found: Eligibility, failing: Collection[Gate], *, rejected: bool) -> Status:
    """The state where no change can be chosen: what the corrections lack."""
    if not found.candidates:
        return "too few"
    if any(candidate.held for candidate in found.candidates):
        return "held"
    if "agreement" in failing:
        return "disagreement"
    return "rejected" if rejected else "too few"
