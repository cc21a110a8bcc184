"""A notebook's parameters, checked before it runs: papermill itself only warns of unknown ones."""

import ast
import reprlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import papermill

from skilltune.errors import InputError

__all__ = ["check_parameters", "known_parameters"]

_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "list": list,
    "dict": dict,
}
_DEEPEST: Final = 10
"""Lists and dictionaries inside each other."""


def known_parameters(notebook: Path) -> dict[str, str]:
    """Name → type of the parameters that `notebook` declares, in order, as ``str`` or ``list[str]``."""
    return {name: _type_name(told) for name, told in papermill.inspect_notebook(str(notebook)).items()}


def check_parameters(parameters: Mapping[str, Any], *, known: Mapping[str, str]) -> None:
    """Raise ``InputError`` for a parameter that is not in `known`, or has another type; name the known ones.

    What stands in a list is of the type that the notebook says it is; what stands in a dictionary is text, number,
    yes or no, or again a list or dictionary, ten deep at most.
    """
    names = ", ".join(known) or "none: no cell is tagged “parameters”"
    for name, value in parameters.items():
        if name not in known:
            raise InputError(f"the notebook has no parameter {_short(name)}; it knows {names}")
        _check_type(name, value, known[name])
        _check_plain(name, value)


def _type_name(told: Mapping[str, Any]) -> str:
    """The annotated type; else that of the default."""
    annotated = str(told.get("inferred_type_name") or "None").strip()
    if annotated != "None":
        return annotated
    try:
        return type(ast.literal_eval(str(told["default"]))).__name__
    except (ValueError, SyntaxError):
        return ""


def _check_type(name: str, value: Any, wanted: str) -> None:
    """The type, and that of each item where the type of a list says it."""
    outer, _, inner = wanted.partition("[")
    if outer in _TYPES and not _is_a(value, outer):
        raise InputError(f"parameter {name!r} is {_short(value)}; it takes a {wanted}{_hint(value, outer)}")
    item = inner.removesuffix("]")
    if outer != "list" or item not in _TYPES:
        return
    for place, each in enumerate(value, start=1):
        if not _is_a(each, item):
            raise InputError(
                f"parameter {name!r} has {_short(each)} as item {place}; it takes a {wanted}{_hint(each, item)}"
            )


def _is_a(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "bool" or not isinstance(value, bool))


def _hint(value: Any, kind: str) -> str:
    """A number or date that was meant as text needs quotes."""
    scalar = not isinstance(value, list | dict | str)
    return f": put {str(value)[:30]!r} into quotes" if kind == "str" and scalar and value is not None else ""


def _check_plain(name: str, value: Any, *, depth: int = 0) -> None:
    """A notebook's cell holds plain values in UTF-8: no dates, no bytes, no bytes of a path that are none."""
    if depth > _DEEPEST:
        raise InputError(f"parameter {name!r} has lists more than {_DEEPEST} deep: {_short(value)}; make it flatter")
    if isinstance(value, Mapping):
        for key, each in value.items():
            _check_plain(name, key, depth=depth + 1)
            _check_plain(name, each, depth=depth + 1)
    elif isinstance(value, list | tuple):
        for each in value:
            _check_plain(name, each, depth=depth + 1)
    elif value is not None and not isinstance(value, str | int | float):
        raise InputError(
            f"parameter {name!r} holds {_short(value)}, a {type(value).__name__}, which no cell takes; write it as text"
        )
    else:
        _check_writable(name, value)


def _check_writable(name: str, value: Any) -> None:
    try:
        str(value).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"parameter {name!r} is {_short(value)}; it holds characters that are no UTF-8; "
            "where the name is right, set a locale that knows it: LC_ALL=C.UTF-8"
        ) from error
    except ValueError as error:
        raise InputError(f"parameter {name!r} is a number too long to be written out; give a smaller one") from error


def _short(value: Any) -> str:
    """The value as Python writes it, long ones cut."""
    try:
        return reprlib.repr(value)
    except ValueError:
        return "a number of thousands of digits"
