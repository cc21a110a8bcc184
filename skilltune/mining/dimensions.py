"""What a complaint is about, by words of the lexicons; ``unknown`` is the normal answer."""

from skilltune.mining.reading import Reading, find_dimension_hits
from skilltune.records import Dimension

__all__ = ["classify_dimension"]

_STRONGEST_FIRST: tuple[Dimension, ...] = (
    "security",
    "trigger_quality",
    "reliability",
    "coverage",
    "efficiency",
    "accuracy",
)


def classify_dimension(reading: Reading) -> Dimension:
    """The dimension that the complaint in `reading` names, the strongest of several, or ``unknown``.

    Security and trigger quality beat everything else, accuracy gives way to everything else; a pasted failure without
    words of its own is reliability.
    """
    named = {hit.kind for hit in find_dimension_hits(reading.prose.text, language=reading.language)}
    for dimension in _STRONGEST_FIRST:
        if dimension in named:
            return dimension
    return "reliability" if reading.prose.failure else "unknown"
