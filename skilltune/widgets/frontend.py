"""Who is there: whether a person can see a panel, and whether it was they who pressed a button."""

from typing import Any, Final

__all__ = ["CLICK", "click_origin", "has_frontend"]

CLICK: Final = "comm_msg"
"""The kind of message that a front end sends when a person presses something."""


def has_frontend() -> bool:
    """Whether a person sits before this kernel: JupyterLab lets it ask for input, papermill and nbconvert do not."""
    return bool(getattr(_kernel(), "_allow_stdin", False))


def click_origin() -> str:
    """The kind of the message that the kernel handles now; '' without a kernel.

    A press in the browser arrives as ``CLICK``. A ``.click()`` in a cell arrives within that cell's
    ``execute_request``: code pressed it, no person.
    """
    kernel = _kernel()
    if kernel is None:
        return ""
    parent = kernel.get_parent("shell") or {}
    return str(parent.get("header", {}).get("msg_type", ""))


def _kernel() -> Any:
    """The kernel this runs in, or None."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    return getattr(shell, "kernel", None)
