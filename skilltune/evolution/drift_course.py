"""How a skill came to where it is: its bodies in, one row per version with net drift, path and step out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from skilltune.evolution.drift import tenths
from skilltune.evolution.textdiff import measure_change

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "BodyVersion", "drift_course"]

COLUMNS: Final = ("name", "kind", "told", "at", "net_percent", "path_percent", "step_percent")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyVersion:
    """One body of a skill, and how it came to be."""

    name: str
    """``v3``; of a baseline that no version has, the beginning of its commit."""
    kind: str
    """``baseline``, ``first_seen``, ``refine``, ``rollback``, ``outside_edit`` or ``waiting``."""
    told: str
    """The same in words, such as ``rolled back to v3``."""
    at: datetime | None
    body: str


def drift_course(versions: Sequence[BodyVersion], *, waiting: BodyVersion | None = None) -> "pd.DataFrame":
    """The drift of each version, one row a version, oldest first.

    Parameters
    ----------
    versions
        The baseline first.
    waiting
        The body as it would be, which nobody has approved yet.

    Returns
    -------
    DataFrame
        ``name``, ``kind``, ``told``, ``at`` (UTC); ``net_percent``: change against the baseline, in percent of its
        length; ``path_percent``: all steps added up, in percent of the same; ``step_percent``: change against the
        version before, in percent of that one's length, as the change bound measures it. One decimal, rounded half up.
        Of an empty baseline net and path are missing.

    Examples
    --------
    >>> first = BodyVersion(name="v1", kind="first_seen", told="first seen", at=None, body="Brew green tea.")
    >>> then = BodyVersion(name="v2", kind="refine", told="refined", at=None, body="Brew black tea.")
    >>> drift_course([first, then])[["name", "net_percent", "path_percent", "step_percent"]].values.tolist()
    [['v1', 0.0, 0.0, 0.0], ['v2', 66.7, 66.7, 66.7]]
    """
    import pandas as pd

    rows: list[list[Any]] = []
    before = base = versions[0].body if versions else ""
    walked = 0
    for version in [*versions, *([waiting] if waiting else [])]:
        step = measure_change(before, version.body)
        walked += step.changed
        net = tenths(measure_change(base, version.body).percent) if base.strip() else None
        path = tenths(Fraction(100 * walked, len(base))) if base.strip() else None
        rows.append([version.name, version.kind, version.told, version.at, net, path, tenths(step.percent)])
        before = version.body
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    numbers = {name: "float64" for name in COLUMNS if name.endswith("_percent")}
    return frame.astype(numbers).assign(at=pd.to_datetime(frame["at"], utc=True))
