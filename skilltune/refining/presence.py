"""Whether a person can be there: no notebook that runs without a front end decides on anything.

This stops accidents, and agents that go by the commands; it does not stop a program that forges what a person would do.
"""

import sys
from typing import Any

from skilltune.evolution.approvals import How
from skilltune.evolution.refusals import ApprovalError

__all__ = ["check_presence", "find_how"]


def check_presence() -> None:
    """Return unless this runs in a notebook's kernel that no person sits before, as under papermill or nbclient.

    Raises
    ------
    ApprovalError
        Nobody can be asked here.
    """
    kernel = _kernel()
    if kernel is not None and not _answers(kernel):
        raise ApprovalError(
            "this notebook runs without a front end (papermill, nbclient or nbconvert), so no person can decide here; "
            "nothing was written: open it in JupyterLab, or decide in a terminal, see: skilltune refine --help"
        )


def find_how() -> How | None:
    """Where a person can act from here: before a kernel's front end, or at a terminal; None where neither is there."""
    kernel = _kernel()
    if kernel is not None:
        return "panel" if _answers(kernel) else None
    return "terminal" if sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty() else None


def _answers(kernel: Any) -> bool:
    """Whether what runs the kernel lets it ask for input: JupyterLab does, papermill and nbconvert do not."""
    return bool(getattr(kernel, "_allow_stdin", False))


def _kernel() -> Any:
    """The kernel this runs in, or None; outside of IPython nothing is imported for it."""
    module = sys.modules.get("IPython.core.getipython")
    shell = module.get_ipython() if module is not None else None
    return getattr(shell, "kernel", None)
