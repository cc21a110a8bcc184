"""What people recorded about skills, as a table, and what in it contradicts itself."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.errors import FrameError
from skilltune.evolution.contradictions import Contradictions, find_contradictions
from skilltune.evolution.corrections import read_corrections
from skilltune.stores.ledger import find_ledger

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["contradictions", "read_ledger"]

_COLUMNS: Final = (
    *("id", "type", "skill_id", "session_id", "timestamp", "original", "corrected", "formatting_only", "rejected"),
    *("reason", "score", "target", "by", "retracted"),
)


def read_ledger(
    *, workspace: str | Path | None = None, skill_id: str | None = None, since: datetime | str | None = None
) -> "pd.DataFrame":
    """What people recorded, one row per event in the order of the ledger; empty where nothing was.

    Parameters
    ----------
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    skill_id, since
        Only of this skill, or from this time on.

    Returns
    -------
    DataFrame
        ``id``, ``type`` (correction, override, rating, retract), ``skill_id``, ``session_id``, ``timestamp`` (UTC),
        ``original``, ``corrected`` (missing: not kept), ``formatting_only``, ``rejected``, ``reason``, ``score`` (1 to
        5), ``target``, ``by``, ``retracted``.
    """
    import pandas as pd

    ledger = find_ledger(workspace)
    gone = ledger.read().retracted
    rows = [
        [getattr(event, name) if name != "retracted" else event.id in gone for name in _COLUMNS]
        for event in ledger.events(skill_id=skill_id, since=since, retracted=True)
    ]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    kinds = {"formatting_only": bool, "retracted": bool, "score": float, "original": object, "corrected": object}
    return frame.astype(kinds).assign(timestamp=pd.to_datetime(frame["timestamp"], utc=True))


def contradictions(ledger: "pd.DataFrame", *, skill_id: str, released: Sequence[str] = ()) -> Contradictions:
    """The contradictions among the recorded corrections of one skill.

    Parameters
    ----------
    ledger
        From ``read_ledger``.
    skill_id
        The skill.
    released
        Ids of contradictions of which a person keeps all sides.

    Raises
    ------
    FrameError
        A column is missing.
    """
    if "type" not in ledger.columns:
        raise FrameError("the ledger lacks the column 'type'; take the table that read_ledger gives")
    rows = ledger[ledger["type"] == "correction"]
    gone: list[Any] = rows.loc[rows["retracted"].astype(bool), "id"].tolist() if "retracted" in rows.columns else []
    return find_contradictions(read_corrections(rows, skill_id=skill_id), retracted=gone, released=released)
