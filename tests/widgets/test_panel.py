"""What all panels have in common."""

import re

import ipywidgets
import pytest

from skilltune.charts.theme import DARK, LIGHT
from skilltune.widgets.frontend import CLICK
from skilltune.widgets.guard import PATIENCE, SILENCE, Guard
from skilltune.widgets.panel import Panel
from skilltune.widgets.theme import panel_style
from tests.widgets.conftest import Clock


class Small(Panel):
    """A panel of one button."""

    def __init__(self, act, *, decides: bool, clock: Clock, origin: str = CLICK) -> None:
        super().__init__(look="stw-small", guard=Guard(), clock=clock, origin=lambda: origin)
        self.button = ipywidgets.Button(description="do it")
        self.on_press(self.button, act, decides=decides)

    def press(self) -> None:
        """What the browser sends."""
        self.button._handle_custom_msg({"event": "click"}, [])


@pytest.mark.parametrize("error", [ValueError("a <b>reason</b>"), KeyError(), RuntimeError("\u202ehidden")])
def test_what_goes_wrong_is_said(error: Exception, clock: Clock):
    """Escaped, visible, and the browser is told that the press was handled."""

    def act() -> None:
        raise error

    panel = Small(act, decides=False, clock=clock)
    panel.press()
    assert panel.guard.beat == 1
    assert "stw-failed" in panel.status.value
    assert "Nothing was saved: " in panel.status.value
    assert "<b>" not in panel.status.value
    assert "\u202e" not in panel.status.value


def test_looking_needs_no_person(clock: Clock):
    """Only what decides is guarded."""
    done = []
    Small(lambda: done.append(1), decides=False, clock=clock, origin="execute_request").press()
    Small(lambda: done.append(2), decides=True, clock=clock, origin="execute_request").press()
    assert done == [1]


def test_press_counts_from_when_the_text_was_drawn(clock: Clock):
    """Drawn anew, the time to read begins anew."""
    done = []
    panel = Small(lambda: done.append(1), decides=True, clock=clock)
    panel.press()
    clock.now += 0.5
    panel.press()
    panel.drawn()
    panel.press()
    assert done == [1]


def test_guard_says_after_four_seconds_that_nothing_was_saved():
    """The words and the time that the browser uses."""
    guard = Guard()
    assert PATIENCE == guard.patience == 4.0
    assert guard.silence.startswith("No answer from the kernel: nothing was saved")
    assert guard.silence == SILENCE


def test_guard_loads_nothing_from_outside():
    """Its script is within it."""
    assert "import " not in re.sub(r"//.*", "", Guard._esm)
    assert "http" not in Guard._esm


def test_style_reaches_panels_only_and_loads_nothing():
    """Every rule is about something inside a panel; no address in it."""
    style = str(panel_style())
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in style
    rules = re.sub(r"@(?:media|container)[^{]*\{", "", style.removeprefix("<style>").removesuffix("</style>"))
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{", rules) for part in re.split(r",(?![^(]*\))", rule)]
    assert selectors
    assert [selector for selector in selectors if ".stw" not in selector] == []


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG)."""
    lights = sorted((_luminance(one), _luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("theme", "turn", "lab"), [(LIGHT, "#D7EAF7", "#FFFFFF"), (DARK, "#123A54", "#111111")])
def test_texts_have_contrast_enough(theme: dict[str, str], turn: str, lab: str):
    """4.5 to 1 for text on what is behind it, 3 to 1 for borders and the focus; JupyterLab's own ground too."""
    assert f"--turn:{turn}" in panel_style()
    for text, ground in (("ink", turn), ("ink2", turn), ("ink2", theme["well"]), ("worse-text", theme["well"])):
        assert contrast(theme[text], ground) >= 4.5, (text, ground)
    for ground in (theme["bg"], lab):
        for text in ("ink", "ink2", "ink3", "better-text", "worse-text"):
            assert contrast(theme[text], ground) >= 4.5, (text, ground)
        for border in ("edge", "better"):
            assert contrast(theme[border], ground) >= 3, (border, ground)
