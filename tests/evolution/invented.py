"""Invented corrections, complaints and bodies."""

from datetime import UTC, datetime, timedelta

from skilltune.evolution.complaints import Complaint
from skilltune.evolution.corrections import Correction
from skilltune.evolution.eligibility import Eligibility, check_eligibility
from skilltune.records import Dimension

AS_OF = datetime(2026, 11, 30, 12, tzinfo=UTC)
SKILL = "tea-steps"
BODY = (
    "# Tea\n\nWarm the pot before the water boils. Use tabs in the list of leaves.\n\n"
    "## Pouring\n\nPour the water slowly over the leaves, cover the pot, wait for the time on the tin, and taste.\n"
    "Run npm test when the recipe changes. Serve it in the small cups, never in the large ones.\n"
)


def correction(
    original: str | None, corrected: str | None, *, number: int, session: str = "", days_ago: float | None = None
) -> Correction:
    """One correction; its number is its id, session and place in time."""
    at = AS_OF - timedelta(days=days_ago) if days_ago is not None else AS_OF - timedelta(days=30 - number / 1000)
    return Correction(
        id=f"c{number}",
        skill_id=SKILL,
        session_id=session or f"s{number}",
        timestamp=at,
        original=original,
        corrected=corrected,
    )


def corrections(*pairs: tuple[str | None, str | None]) -> list[Correction]:
    """Corrections in time order, numbered from 1, one a session."""
    return [correction(original, corrected, number=number) for number, (original, corrected) in enumerate(pairs, 1)]


def repeated(*pairs: tuple[str, str, int]) -> list[Correction]:
    """Corrections each so many times."""
    return corrections(*((original, corrected) for original, corrected, count in pairs for _ in range(count)))


def answer(given: list[Correction], **more: object) -> Eligibility:
    """The eligibility of the invented skill."""
    return check_eligibility(SKILL, corrections=given, as_of=AS_OF, **more)  # type: ignore[arg-type]


def complaint(
    text: str, *, number: int, dimension: Dimension = "unknown", session: str = "", skill: str = SKILL
) -> Complaint:
    """One complaint; its number is its id, session and place in time."""
    return Complaint(
        event_id=f"e{number}",
        skill_id=skill,
        session_id=session or f"s{number}",
        timestamp=AS_OF - timedelta(days=30 - number),
        dimension=dimension,
        text=text,
    )
