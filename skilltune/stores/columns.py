"""Rows of a feedback log in columns: numbers in arrays, words and names as small numbers, text in pandas' own form.

Rows come a block at a time, and only the block that is being read is there as objects.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from skilltune.frames import columns, empty_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OWN_TEXT", "Columns", "Names", "as_categories", "is_name", "joined", "names_as_text"]

OWN_TEXT: Final = frozenset({"event_id", "invocation_uuid", "user_message_snippet", "supersedes"})
"""Text that most rows have for themselves; all other text is names that many rows share."""
_OPTIONAL: Final = ("Int64", "boolean")
"""Dtypes of numbers that may be missing."""
Array = Any
"""A NumPy array, or one of pandas'."""


def is_name(name: str, kind: Any) -> bool:
    """Whether a column holds names: text that many rows share."""
    return kind is str and name not in OWN_TEXT


class Names(dict[str | None, int]):
    """Numbers for names, given as they come; a missing name is ''."""

    def __init__(self) -> None:
        super().__init__({None: 0, "": 0})
        self.words = [""]

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self.words)
        self.words.append(name)
        return number

    def series(self, codes: NDArray[np.int32]) -> "pd.Series[Any]":
        """The names of rows as categories: those that occur, and '', sorted, so that they sort as text does."""
        import pandas as pd

        used = np.flatnonzero(np.bincount(codes, minlength=1)[: len(self.words)])
        places = sorted({0, *used.tolist()}, key=self.words.__getitem__)
        numbers = np.zeros(len(self.words), dtype="int32")
        numbers[places] = np.arange(len(places), dtype="int32")
        return pd.Series(pd.Categorical.from_codes(numbers[codes], categories=_text([self.words[i] for i in places])))


class Columns:
    """The columns of one kind of record, which grow by blocks of rows.

    Parameters
    ----------
    record
        The record's class.
    names
        Column → the numbers of its names; shared with the other kind.
    """

    def __init__(self, record: type, names: dict[str, Names]) -> None:
        self.kinds = columns(record)
        self._names = names
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._dtypes = empty_frame(record).dtypes
        self._blocks: dict[str, list[Array]] = {name: [] for name in self.kinds}
        self._encoders = {name: self._encoder(name, kind) for name, kind in self.kinds.items()}

    def add(self, rows: Sequence[Any]) -> None:
        """Take in the rows of a block."""
        for name, encode in self._encoders.items():
            self._blocks[name].append(encode(list(map(attrgetter(name), rows))))

    def extend(self, others: "Columns") -> None:
        """Take in the rows of `others`, which has none afterwards."""
        for name in self.kinds:
            self._blocks[name] += others._blocks[name]  # noqa: SLF001 - of the same class
            others.drop(name)

    def take(self, name: str, rows: NDArray[np.int64] | None = None) -> Array:
        """A column as it is kept, or some of its rows."""
        blocks = self._blocks[name]
        if len(blocks) != 1:
            blocks[:] = [joined(blocks)] if blocks else [self._encoders[name]([])]
        whole = blocks[0]
        return whole if rows is None else whole.take(rows)

    def encode(self, name: str, values: list[Any]) -> Array:
        """Values of a column as they are kept."""
        return self._encoders[name](values)

    def drop(self, name: str) -> None:
        """Let go of a column."""
        self._blocks[name] = []

    def series(self, name: str, values: Array) -> "pd.Series[Any]":
        """Kept values of a column as a frame has them."""
        import pandas as pd

        kind, dtype = self.kinds[name], self._dtypes[name]
        if is_name(name, kind):
            return self._names[name].series(values)
        if get_origin(kind) is Literal:
            return pd.Series(pd.Categorical.from_codes(values, dtype=dtype))
        if kind is datetime:
            return pd.Series(pd.DatetimeIndex(values, tz="UTC"))
        if str(dtype) in _OPTIONAL:
            missing = np.isnan(values)
            plain = np.where(missing, 0, values).astype("int64" if kind is int else "bool")
            array = pd.arrays.IntegerArray if kind is int else pd.arrays.BooleanArray
            return pd.Series(array(plain, missing))
        return pd.Series(values)

    def _encoder(self, name: str, kind: Any) -> Callable[[list[Any]], Array]:
        """From the values of a block to what is kept of them."""
        if is_name(name, kind):
            codes = self._names.setdefault(name, Names()).__getitem__
            return lambda values: np.fromiter(map(codes, values), dtype="int32", count=len(values))
        if get_origin(kind) is Literal:
            places = {None: -1, "": -1} | {word: place for place, word in enumerate(get_args(kind))}
            return lambda values: np.array([places[word] for word in values], dtype="int8")
        if get_origin(kind) is tuple:
            return self._tuples
        return _text if kind is str else _numbers(kind, optional=str(self._dtypes[name]) in _OPTIONAL)

    def _tuples(self, values: list[Any]) -> Array:
        """The tuples of a block, of alike ones the first one met."""
        shared = (self._shared.setdefault(value or (), value or ()) for value in values)
        return np.fromiter(shared, dtype="object", count=len(values))


def as_categories(frame: "pd.DataFrame", record: type) -> "pd.DataFrame":
    """`frame` with names as categories, sorted; ones that are categories already stay."""
    import pandas as pd

    text = [
        name
        for name, kind in columns(record).items()
        if is_name(name, kind) and not isinstance(frame[name].dtype, pd.CategoricalDtype)
    ]
    return frame.assign(**{name: _categories(frame[name]) for name in text}) if text else frame


def names_as_text(frame: "pd.DataFrame", record: type) -> "pd.DataFrame":
    """`frame` with names as text."""
    return frame.astype({name: "str" for name, kind in columns(record).items() if is_name(name, kind)})


def _categories(column: "pd.Series[Any]") -> "pd.Series[Any]":
    import pandas as pd

    names = Names()
    codes = np.fromiter(map(names.__getitem__, column), dtype="int32", count=len(column))
    return pd.Series(names.series(codes).array, index=column.index)


def _numbers(kind: type, *, optional: bool) -> Callable[[list[Any]], Array]:
    """Times, truths and numbers; where one may be missing they are kept as floats, which can say so."""
    if kind is datetime:
        return lambda values: np.array(values, dtype="datetime64[us]")
    if kind is float or optional:
        return _floats
    return lambda values: np.array([value or 0 for value in values], dtype="bool" if kind is bool else "int64")


def _floats(values: list[Any]) -> Array:
    # a log of an older skilltune has none in a whole column: that is told fast
    return np.full(len(values), np.nan) if values.count(None) == len(values) else np.array(values, dtype="float64")


def _text(values: Iterable[str | None]) -> Array:
    import pandas as pd

    return pd.array([value or "" for value in values], dtype="str")


def joined(blocks: Sequence[Array]) -> Array:
    """Kept values, one after the other."""
    import pandas as pd

    if isinstance(blocks[0], np.ndarray):
        return np.concatenate(blocks)
    return pd.concat([pd.Series(block) for block in blocks], ignore_index=True).array
