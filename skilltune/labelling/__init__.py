"""A person's labels: what to label, the answers, and what follows for the uses.

``open_labelling`` asks about a random sample of uses; what it writes is read back with ``read_labels`` (turns) and
``labelled_uses`` (uses). Each name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skilltune.analysis.labels import apply_labels
    from skilltune.labelling.answering import Labelling
    from skilltune.labelling.opening import open_labelling
    from skilltune.labelling.questions import Question
    from skilltune.labelling.tables import labelled_uses, predicted_uses, read_labels

__all__ = [
    "Labelling",
    "Question",
    "apply_labels",
    "labelled_uses",
    "open_labelling",
    "predicted_uses",
    "read_labels",
]

_HOME = {
    "Labelling": "skilltune.labelling.answering",
    "Question": "skilltune.labelling.questions",
    "apply_labels": "skilltune.analysis.labels",
    "labelled_uses": "skilltune.labelling.tables",
    "open_labelling": "skilltune.labelling.opening",
    "predicted_uses": "skilltune.labelling.tables",
    "read_labels": "skilltune.labelling.tables",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'skilltune.labelling' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
