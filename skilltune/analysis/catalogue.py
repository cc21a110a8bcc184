"""Which metrics there are: each public function from events to a table, with its title, meaning and columns.

A metric needs no entry here. It is a name in ``skilltune.__all__`` that lives in ``skilltune.analysis``, takes events
first, all else by keyword, ``as_of`` among it, and returns a frame; the command line and the reports list it then.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import pandas as pd

from skilltune.analysis.windows import Moment
from skilltune.errors import InputError
from skilltune.frames import empty_frame
from skilltune.records import FeedbackEvent

__all__ = ["Metric", "find_metrics", "metric_named", "metric_table"]

_HOME: Final = "skilltune.analysis."
_ANY_TIME: Final = "2000-01-01"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: a function from events to a table."""

    name: str
    meaning: str
    """The first sentence of its docstring."""
    function: Callable[..., pd.DataFrame]

    @property
    def title(self) -> str:
        """Its name in words."""
        return self.name.replace("_", " ").capitalize()

    @property
    def options(self) -> tuple[str, ...]:
        """The names of its keyword arguments."""
        return tuple(inspect.signature(self.function).parameters)[1:]

    @property
    def groups(self) -> tuple[str, ...]:
        """What it is grouped by without being asked; empty where it cannot be grouped."""
        by = inspect.signature(self.function).parameters.get("by")
        return () if by is None else tuple(by.default or ("skill_id",))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of its table, as grouped without being asked."""
        table = self.table(empty_frame(FeedbackEvent), as_of=_ANY_TIME)
        return tuple(map(str, table.columns))

    def table(
        self, events: pd.DataFrame, *, as_of: Moment, by: Sequence[str] | None = None, **options: Any
    ) -> pd.DataFrame:
        """Its table; of `options` it takes what it knows, so that all metrics can be asked alike.

        Raises
        ------
        InputError
            It cannot be grouped by `by`.
        """
        asked = {name: value for name, value in options.items() if name in self.options}
        if by is not None and "by" not in self.options:
            raise InputError(
                f"{self.name} cannot be grouped; it is of whole skills: leave by out, or take one of {_groupable()}"
            )
        if "by" in self.options:
            asked["by"] = self.groups if by is None else tuple(by)
        return self.function(events, as_of=as_of, **asked)


def find_metrics() -> tuple[Metric, ...]:
    """Every public metric, by name.

    Examples
    --------
    >>> [metric.title for metric in find_metrics()][:2]
    ['Before after', 'Change points']
    """
    package = import_module("skilltune")
    homes: dict[str, str] = vars(package)["_HOME"]
    names = sorted(name for name in package.__all__ if homes.get(name, "").startswith(_HOME))
    functions = {name: getattr(package, name) for name in names}
    return tuple(
        Metric(name, _first_sentence(function), function)
        for name, function in functions.items()
        if _is_metric(function)
    )


def metric_named(name: str) -> Metric:
    """The metric called `name`.

    Raises
    ------
    InputError
        There is none; the message names those there are.

    Examples
    --------
    >>> metric_named("correction_rate").meaning
    "How often each skill's work is corrected, and how sure that is."
    """
    known = {metric.name: metric for metric in find_metrics()}
    if name not in known:
        raise InputError(f"there is no metric {name!r}; there are {', '.join(known)}")
    return known[name]


def metric_table() -> pd.DataFrame:
    """What can be measured: one row per metric, by name: name, title, meaning, columns.

    Examples
    --------
    >>> metric_table().columns.tolist()
    ['name', 'title', 'meaning', 'columns']
    """
    rows = [(metric.name, metric.title, metric.meaning, ", ".join(metric.columns)) for metric in find_metrics()]
    return pd.DataFrame(rows, columns=["name", "title", "meaning", "columns"], dtype="str")


def _groupable() -> str:
    return ", ".join(metric.name for metric in find_metrics() if "by" in metric.options)


def _is_metric(function: Any) -> bool:
    """Events first, all else by keyword and optional but for ``as_of``; a frame comes back."""
    if not inspect.isfunction(function):
        return False
    signature = inspect.signature(function)
    first, *others = signature.parameters.values()
    asked = {other.name for other in others if other.default is other.empty}
    return (
        first.name == "events"
        and "as_of" in signature.parameters
        and asked <= {"as_of"}
        and all(other.kind is other.KEYWORD_ONLY for other in others)
        and "DataFrame" in str(signature.return_annotation)
    )


def _first_sentence(function: Any) -> str:
    return " ".join(inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0].split())
