"""What left the machine for judges, by the labels they gave."""

from datetime import date

from skilltune.judging.scoring import JUDGE_PREFIX
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.labels import LabelLog

__all__ = ["sent_to_judges"]


def sent_to_judges(log: FeedbackLog) -> dict[str, tuple[int, date | None]]:
    """Judge → number of turns that it labelled in the label log beside `log`, and the day of the last label (UTC).

    A turn was sent to be labelled; one that got no answer is in no log, so the number is a least one.
    """
    labels = LabelLog.beside(log.path)
    turns: dict[str, set[str]] = {}
    days: dict[str, list[date]] = {}
    for label in labels.read().labels if labels.exists() else ():
        if label.reader.startswith(JUDGE_PREFIX):
            name = label.reader.removeprefix(JUDGE_PREFIX)
            turns.setdefault(name, set()).add(label.turn_id)
            days.setdefault(name, []).extend([label.labelled_at.date()] if label.labelled_at else [])
    return {name: (len(turns[name]), max(days[name], default=None)) for name in sorted(turns)}
