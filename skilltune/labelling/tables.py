"""Labels as tables: turns, uses, and what the rules say of each use."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from skilltune.analysis import labels as uses_of_labels
from skilltune.frames import to_frame
from skilltune.labelling.population import label_log, read_population
from skilltune.records import LabelledUse, PredictedUse, TurnLabel
from skilltune.stores.label_rows import PERSON
from skilltune.stores.labels import LabelLog
from skilltune.workflow import Paths

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["labelled_uses", "last_labels", "predicted_uses", "read_labels"]


_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def read_labels(workspace: str | Path | None = None, *, reader: str | None = None) -> "pd.DataFrame":
    """The turn labels that count, one row each (columns of ``TurnLabel``); pointers and words, no text.

    Parameters
    ----------
    workspace
        Folder of the logs; default the nearest ``.skilltune`` upwards, else the user's.
    reader
        Only the labels of this reader (``person``, ``judge:NAME``); default all.
    """
    labels = label_log(workspace).read().labels
    return to_frame([label for label in labels if reader in (None, label.reader)], TurnLabel)


def last_labels(log: LabelLog, *, count: int) -> list[str]:
    """The ids of the last labels that a person gave, the newest first."""
    given = [label for label in log.read().of_reader(PERSON) if label.labelled_at is not None]
    given.sort(key=lambda label: label.labelled_at or _LONG_AGO, reverse=True)
    return [label.label_id for label in given[:count]]


def labelled_uses(workspace: str | Path | None = None, *, reader: str = "person") -> "pd.DataFrame":
    """The uses all of whose turns `reader` has labelled, one row each (columns of ``LabelledUse``).

    ``probability`` is the chance of being in the random sample, in (0, 1], missing where the use was chosen otherwise.
    """
    contents = label_log(workspace).read()
    found = uses_of_labels.labelled_uses(contents.of_reader(reader), draws=contents.draws_for(reader))
    return to_frame(found, LabelledUse)


def predicted_uses(
    workspace: str | Path | None = None,
    *,
    sessions: Paths | None = None,
    reader: str = "person",
    as_of: datetime | str | None = None,
) -> "pd.DataFrame":
    """All uses with what the rules say of each, labels left aside, one row each (columns of ``PredictedUse``).

    Parameters
    ----------
    workspace, sessions, as_of
        As in ``open_labelling``. Uses that only the log remembers are there, too.
    reader
        Whose sample ``covered`` is about.

    Raises
    ------
    CollectionDisabled
        The person switched collection off.
    ReadError
        None of `sessions` can be read.
    """
    population = read_population(workspace, sessions=sessions, as_of=as_of)
    return to_frame(population.covered_by(population.log.read(), reader=reader), PredictedUse)
