"""The result of a look at the machine: each check with its verdict, and what to do about it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Check", "Health", "Verdict"]

Verdict = Literal["ok", "warning", "failure"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    verdict: Verdict
    found: str
    """What is there, in words."""
    next_step: str = ""
    """What to do about it, '' for nothing."""


@dataclass(frozen=True, slots=True)
class Health:
    """All that was looked at; healthy where nothing failed, whatever there is to warn of."""

    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether no check failed."""
        return all(check.verdict != "failure" for check in self.checks)

    @property
    def counts(self) -> dict[str, int]:
        """Checks by verdict; they add up to the number of checks."""
        counted = Counter(check.verdict for check in self.checks)
        return {verdict: counted[verdict] for verdict in ("ok", "warning", "failure")}

    def of_verdict(self, verdict: Verdict) -> Iterator[Check]:
        """The checks with one verdict."""
        return (check for check in self.checks if check.verdict == verdict)

    def as_row(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return {"healthy": self.healthy, "counts": self.counts, "checks": [asdict(check) for check in self.checks]}
