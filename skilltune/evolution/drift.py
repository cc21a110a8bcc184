"""How far a body has moved from its baseline: bodies in, one figure with its parts out. Only the body counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from skilltune.errors import InputError
from skilltune.evolution.settings import exact
from skilltune.evolution.textdiff import measure_change, round_half_up
from skilltune.limits import DRIFT_LIMIT

__all__ = ["Drift", "DriftStatus", "measure_drift"]

DriftStatus = Literal["within_bounds", "exceeded", "no_baseline", "undefined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """The drift of one body; percentages are of the baseline's length, None where there is nothing to compare."""

    percent: float | None
    """Net drift now, one decimal, rounded half up."""
    projected_percent: float | None
    """The same for the body as it would be; None without one."""
    path_percent: float | None
    """All versions' changes added up: a change and its reversal count here, and not in ``percent``."""
    edit_ratio: float | None
    """Changed share of baseline and body together, 0 to 1."""
    retained: float | None
    """Share of the baseline that is still there, 0 to 1."""
    limit_percent: float
    status: DriftStatus
    remaining_percent: float | None
    """What is left before refinement halts; 0 where it is halted."""
    average_percent: float | None
    """Path per version; None without history."""
    refinements_remaining: int | None
    """How many refinements of the average size fit into what is left; None without history."""
    note: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether the body now, or as it would be, reaches the limit."""
        return _reaches(self.percent, self.limit_percent) or _reaches(self.projected_percent, self.limit_percent)


def measure_drift(
    body: str,
    *,
    baseline: str | None,
    versions: Sequence[str] = (),
    projected: str | None = None,
    limit_percent: float = DRIFT_LIMIT,
) -> Drift:
    """The drift of `body` against `baseline`.

    Parameters
    ----------
    body
        The current body.
    baseline
        The body skilltune first saw, or None where there is none: drift is then missing, not 0.
    versions
        The bodies between them, the oldest first.
    projected
        The body as it would be.
    limit_percent
        The drift at which refinement halts: 59.95 counts as 60.0, which reaches 60.

    Raises
    ------
    TextTooLongError
        When a body is longer than 200,000 characters.

    Examples
    --------
    >>> drift = measure_drift("brew black tea", baseline="brew green tea")
    >>> drift.percent, drift.status
    (71.4, 'exceeded')
    """
    if not limit_percent > 0:
        raise InputError(f"limit_percent is {limit_percent}; a drift limit is more than 0")
    if baseline is None:
        return _missing(limit_percent, "no_baseline", "no baseline: drift is not known")
    if not baseline.strip():
        note = "" if not body.strip() else "the baseline is empty: drift is not defined"
        return _missing(limit_percent, "undefined", note or "the baseline and the body are empty")
    net = measure_change(baseline, body, names=("the baseline", "the body"))
    percent = tenths(net.percent)
    ahead = None if projected is None else tenths(measure_change(baseline, projected).percent)
    steps = _steps([baseline, *versions, body])
    path = Fraction(100 * sum(steps), len(baseline))
    remaining = max(Fraction(0), exact(limit_percent) - exact(percent))
    average = path / len(steps) if steps else None
    return Drift(
        percent=percent,
        projected_percent=ahead,
        path_percent=tenths(path),
        edit_ratio=float(net.edit_ratio),
        retained=float(net.retained),
        limit_percent=limit_percent,
        status="exceeded" if _reaches(percent, limit_percent) else "within_bounds",
        remaining_percent=float(remaining),
        average_percent=tenths(average) if average else None,
        refinements_remaining=int(remaining / average) if average else None,
    )


def tenths(percent: Fraction) -> float:
    """`percent` with one decimal, rounded half up."""
    return round_half_up(percent * 10) / 10


def _steps(bodies: Sequence[str]) -> list[int]:
    """Characters changed from each body to the next one that differs."""
    return [measure_change(old, new).changed for old, new in pairwise(bodies) if old != new]


def _reaches(percent: float | None, limit: float) -> bool:
    return percent is not None and exact(percent) >= exact(limit)


def _missing(limit_percent: float, status: DriftStatus, note: str) -> Drift:
    return Drift(
        percent=None,
        projected_percent=None,
        path_percent=None,
        edit_ratio=None,
        retained=None,
        limit_percent=limit_percent,
        status=status,
        remaining_percent=None,
        average_percent=None,
        refinements_remaining=None,
        note=note,
    )
