"""The part of a panel that lives in the browser: keys, focus, names, and a kernel that does not answer.

A panel works without it, by Tab, Enter and the mouse.
"""

from importlib.resources import files
from typing import Final

import anywidget
import traitlets

__all__ = ["PATIENCE", "SILENCE", "Guard"]

PATIENCE: Final = 4.0
"""Seconds without an answer after which a kernel is called silent."""
SILENCE: Final = (
    "No answer from the kernel: nothing was saved. If it is busy, this goes away when it is done; "
    "if it was restarted, run this cell again."
)


class Guard(anywidget.AnyWidget):
    """An invisible child of a panel's outermost box; says `silence` where a press gets no answer.

    Python adds 1 to ``beat`` at the end of each handler. Until then further presses of a button are ignored: they
    would be for a text that nobody has seen.
    """

    _esm = files("skilltune.widgets").joinpath("guard.js").read_text(encoding="utf-8")

    panel = traitlets.Unicode(".stw").tag(sync=True)
    """Selector of the outermost box."""
    presses = traitlets.Dict().tag(sync=True)
    """Key (lower case) → selector of the button or box it presses, within the panel."""
    attributes = traitlets.Dict().tag(sync=True)
    """Selector → attributes: roles and names that ipywidgets cannot give."""
    home = traitlets.Unicode("").tag(sync=True)
    """Selector of where the focus goes when what had it is gone."""
    catches = traitlets.Bool(default_value=False).tag(sync=True)
    """Whether a click on what is no control moves the focus to `home`, so that the keys work."""
    returning = traitlets.Unicode("").tag(sync=True)
    """Selector of buttons that give the focus back to `home` once they were answered."""
    rows = traitlets.Unicode("").tag(sync=True)
    """Selector of the rows of a list."""
    current = traitlets.Unicode("").tag(sync=True)
    """Selector of the row that is shown: it stays in sight, and takes the focus over from another row."""
    patience = traitlets.Float(PATIENCE).tag(sync=True)
    silence = traitlets.Unicode(SILENCE).tag(sync=True)
    beat = traitlets.Int(0).tag(sync=True)

    def answered(self) -> None:
        """Tell the browser that a press was handled, whatever came of it."""
        self.beat += 1
