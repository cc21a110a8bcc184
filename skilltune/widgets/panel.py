"""What every panel where a person decides has in common: who may press, when, and what is said afterwards."""

import time
from collections.abc import Callable
from typing import Any, Final

import ipywidgets as W  # noqa: N812  # as in its own documentation
from markupsafe import Markup

from skilltune.errors import InputError
from skilltune.widgets.frontend import CLICK, click_origin, has_frontend
from skilltune.widgets.guard import Guard
from skilltune.widgets.safe_text import readable_lines, with_bold
from skilltune.widgets.theme import panel_style

__all__ = ["MIN_VIEW_SECONDS", "Panel", "PressRefused", "html"]

MIN_VIEW_SECONDS: Final = 0.3
"""A press within this time of the drawing of a text is refused: nobody has read it."""


class PressRefused(InputError):
    """A press that is no decision of a person, or came before they could read."""


class Panel:
    """A box of widgets in which nothing is decided but by a person's press.

    Parts say what they are; a subclass fills ``root.children``, wires its buttons with ``on_press``, and calls
    ``drawn`` whenever it has drawn a text that presses are about.

    Parameters
    ----------
    look
        CSS class of the outermost box.
    guard
        The panel's part in the browser.
    min_view_s
        Seconds between drawing a text and the first press that counts.
    origin
        Tells the kind of the message handled now; only ``CLICK`` decides.
    clock
        Seconds, ever rising.
    """

    def __init__(
        self,
        *,
        look: str,
        guard: Guard,
        min_view_s: float = MIN_VIEW_SECONDS,
        origin: Callable[[], str] = click_origin,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.min_view_s, self.origin, self.clock = min_view_s, origin, clock
        self.guard = guard
        self.status = html("stw-status")
        self.style = W.HTML(panel_style())
        self.root = W.VBox([])
        self.root.add_class("stw").add_class(look)
        self._drawn_at = clock()

    def drawn(self) -> None:
        """A text that presses are about is on the screen from now on."""
        self._drawn_at = self.clock()

    def on_press(self, button: Any, act: Callable[[], None], *, decides: bool = False) -> None:
        """Let a press of `button` do `act`; what goes wrong is said in the status line, never swallowed.

        Parameters
        ----------
        decides
            `act` writes: only a person's press counts, and only once they could read the text.
        """

        def handle(_: Any) -> None:
            try:
                if decides:
                    self._check_press()
                act()
            except Exception as error:  # noqa: BLE001  # nothing else would show it: ipywidgets swallows what a handler raises
                self.say_failed(error)
            finally:
                self.guard.answered()
                self.after_press()

        button.on_click(handle)

    def on_change(self, control: Any, act: Callable[[], None]) -> None:
        """Let a change of `control` by a person or by code do `act`, which writes nothing; what goes wrong is said."""

        def handle(_: Any) -> None:
            try:
                act()
            except Exception as error:  # noqa: BLE001  # as for a press
                self.say_failed(error)

        control.observe(handle, names="value")

    def after_press(self) -> None:
        """What may take longer, once the screen shows what became of a press."""

    def say(self, *parts: str) -> None:
        """Put a sentence into the status line; every second part is set in bold."""
        self._say(with_bold(*parts), look="stw-said")

    def say_failed(self, error: Exception) -> None:
        """Put an error into the status line."""
        told = str(error) if isinstance(error, PressRefused) else f"Nothing was saved: {error or type(error).__name__}"
        self._say(Markup.escape(readable_lines(told)), look="stw-failed")

    def still(self) -> Markup:
        """What is shown where nobody can press anything."""
        raise NotImplementedError

    def still_text(self) -> str:
        """`still` as plain text."""
        raise NotImplementedError

    def _say(self, words: Markup, *, look: str) -> None:
        self.status.value = Markup('<p class="{}">{}</p>').format(look, words)

    def _check_press(self) -> None:
        if self.origin() != CLICK:
            raise PressRefused("Nothing was saved: only a person’s press in the browser decides, no code")
        left = self.min_view_s - (self.clock() - self._drawn_at)
        if left > 0:
            raise PressRefused("Nothing was saved: that came before this text could be read; press again")

    def _repr_mimebundle_(self, **options: Any) -> Any:
        if has_frontend():
            # what ipywidgets would give as text is the beginning of its children's markup
            return self.root._repr_mimebundle_(**options) | {"text/plain": self.still_text()}
        return {"text/html": str(self.still()), "text/plain": self.still_text()}


def html(*looks: str, value: str = "") -> Any:
    """A part that shows markup; text of a session only goes into it through ``safe_text``."""
    part = W.HTML(value)
    for look in looks:
        part.add_class(look)
    return part
