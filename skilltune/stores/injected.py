"""Whether what papermill put into a notebook's kernel is known to the notebook; papermill itself only warns."""

import ast
import sys
from collections.abc import Sequence
from typing import Any, Final

from skilltune.errors import InputError

__all__ = ["check_injected", "unknown_parameters"]

_MARK: Final = "# Parameters"
"""How the cell begins that papermill puts after that of the defaults."""


def check_injected() -> None:
    """Raise ``InputError`` where papermill set a name that the notebook's cell of parameters does not.

    Outside a kernel, and where nothing was set from outside, it does nothing.
    """
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cells = [] if shell is None else [str(cell) for cell in shell.user_ns.get("In", ())]
    odd, known = unknown_parameters(cells)
    if odd:
        raise InputError(f"the notebook has no parameter {odd[0]!r}; it knows {', '.join(known) or 'none'}")


def unknown_parameters(cells: Sequence[str]) -> tuple[list[str], list[str]]:
    r"""Names that the cell after the defaults sets and the defaults do not, and the names of the defaults.

    Examples
    --------
    >>> unknown_parameters(["week: str = ''", "# Parameters\nweeek = '2026-W48'"])
    (['weeek'], ['week'])
    """
    run = [cell for cell in cells if cell.strip()]
    if len(run) < 2 or run[1].lstrip().partition("\n")[0].strip() != _MARK:
        return [], []
    known = _assigned(run[0])
    return [name for name in _assigned(run[1]) if known and name not in known], known


def _assigned(cell: str) -> list[str]:
    """The names that the cell sets at its top level, in order; none where it is no Python."""
    try:
        body = ast.parse(cell).body
    except SyntaxError:
        return []
    targets = [
        target
        for line in body
        for target in (
            line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.AnnAssign) else []
        )
    ]
    return [target.id for target in targets if isinstance(target, ast.Name)]
