"""Whether what papermill put into a notebook's kernel is what the notebook takes; papermill only warns of names."""

import ast
import reprlib
import sys
from collections.abc import Sequence
from typing import Any, Final

from skilltune.errors import InputError

__all__ = ["check_injected", "unfit_values", "unknown_parameters"]

_MARK: Final = "# Parameters"
"""How the cell begins that papermill puts after that of the defaults."""
_KINDS: Final[dict[str, tuple[str, tuple[type, ...]]]] = {
    "str": ("text", (str,)),
    "int": ("a whole number", (int,)),
    "float": ("a number", (int, float)),
    "bool": ("True or False", (bool,)),
    "list": ("a list", (list,)),
    "list[str]": ("a list of texts", (list,)),
    "dict": ("a mapping", (dict,)),
}
"""What a parameter's type is in words, and which values it takes."""


def check_injected() -> None:
    """Raise ``InputError`` where papermill set a name that the cell of parameters does not, or an unfit value.

    Outside a kernel, and where nothing was set from outside, it does nothing.
    """
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cells = [] if shell is None else [str(cell) for cell in shell.user_ns.get("In", ())]
    odd, known = unknown_parameters(cells)
    if odd:
        raise InputError(f"the notebook has no parameter {odd[0]!r}; it knows {', '.join(known) or 'none'}")
    if unfit := unfit_values(cells):
        raise InputError(unfit[0])


def unknown_parameters(cells: Sequence[str]) -> tuple[list[str], list[str]]:
    r"""Names that the cell after the defaults sets and the defaults do not, and the names of the defaults.

    Examples
    --------
    >>> unknown_parameters(["week: str = ''", "# Parameters\nweeek = '2026-W48'"])
    (['weeek'], ['week'])
    """
    default, injected = _cells(cells)
    known = list(_assigned(default))
    return [name for name in _assigned(injected) if known and name not in known], known


def unfit_values(cells: Sequence[str]) -> list[str]:
    r"""What is wrong with values that the cell after the defaults sets, of those whose type the defaults tell.

    Examples
    --------
    >>> unfit_values(["days: int = 30", "# Parameters\ndays = 'many'"])
    ["days is 'many'; it takes a whole number, such as 30"]
    """
    default, injected = (_assigned(cell) for cell in _cells(cells))
    told = []
    for name in injected.keys() & default.keys():
        kind, usual = _kind_of(default[name]), ast.unparse(default[name].value or ast.Constant(...))
        value = _value_of(injected[name])
        if kind in _KINDS and value is not ... and not _fits(value, kind):
            told.append(f"{name} is {reprlib.repr(value)}; it takes {_KINDS[kind][0]}, such as {usual}")
    return sorted(told)


def _cells(cells: Sequence[str]) -> tuple[str, str]:
    """The cell of the defaults and the one of papermill; both empty where papermill set nothing."""
    run = [cell for cell in cells if cell.strip()]
    is_set = len(run) > 1 and run[1].lstrip().partition("\n")[0].strip() == _MARK
    return (run[0], run[1]) if is_set else ("", "")


def _assigned(cell: str) -> dict[str, ast.Assign | ast.AnnAssign]:
    """Name → where the cell sets it at its top level, in order; none where it is no Python."""
    try:
        body = ast.parse(cell).body
    except SyntaxError:
        return {}
    return {
        target.id: line
        for line in body
        if isinstance(line, ast.Assign | ast.AnnAssign)
        for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
        if isinstance(target, ast.Name)
    }


def _kind_of(line: ast.Assign | ast.AnnAssign) -> str:
    """The type that a default is annotated with, else that of its value."""
    return ast.unparse(line.annotation) if isinstance(line, ast.AnnAssign) else type(_value_of(line)).__name__


def _value_of(line: ast.Assign | ast.AnnAssign) -> Any:
    """The value that is set; ``...`` where it is no literal."""
    try:
        return ast.literal_eval(line.value or ast.Constant(...))
    except (ValueError, TypeError):
        return ...


def _fits(value: Any, kind: str) -> bool:
    is_kind = isinstance(value, _KINDS[kind][1]) and isinstance(value, bool) == (kind == "bool")
    return is_kind and (kind != "list[str]" or all(isinstance(each, str) for each in value))
