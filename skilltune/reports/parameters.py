"""A notebook's parameters, checked before it runs: papermill itself only warns of unknown ones."""

import ast
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


def known_parameters(notebook: Path) -> dict[str, str]:
    """Name → type name of the parameters that `notebook` declares, in order."""
    return {name: _type_name(told) for name, told in papermill.inspect_notebook(str(notebook)).items()}


def check_parameters(parameters: Mapping[str, Any], *, known: Mapping[str, str]) -> None:
    """Raise ``InputError`` for a parameter that is not in `known`, or has another type; name the known ones."""
    names = ", ".join(known) or "none: no cell is tagged “parameters”"
    for name, value in parameters.items():
        if name not in known:
            raise InputError(f"the notebook has no parameter {name!r}; it knows {names}")
        expected = _TYPES.get(known[name])
        if expected is None:
            continue
        if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
            raise InputError(f"parameter {name!r} is {value!r}; it takes a {known[name]}")
        _check_writable(name, value)


def _type_name(told: Mapping[str, Any]) -> str:
    """The annotated type, without its brackets; else that of the default."""
    annotated = str(told.get("inferred_type_name") or "None").partition("[")[0]
    if annotated != "None":
        return annotated
    try:
        return type(ast.literal_eval(str(told["default"]))).__name__
    except (ValueError, SyntaxError):
        return ""


def _check_writable(name: str, value: Any) -> None:
    """A notebook is UTF-8: a path with bytes that are none cannot be written into it."""
    try:
        str(value).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"parameter {name!r} is {value!r}; it holds characters that are no UTF-8") from error
