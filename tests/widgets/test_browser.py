"""The labelling panel in a real JupyterLab, in a real browser."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.lab import Lab, LabPage
from tests.widgets.labelled_home import TRUTH, write_hostile, write_sessions

pytestmark = pytest.mark.browser

PANEL = """
from skilltune.labelling import open_labelling
from skilltune.widgets.labelling import LabelPanel
panel = LabelPanel(open_labelling({workspace!r}, sessions={sessions!r}, as_of="2026-02-01"))
panel.guard.patience = 1.0
panel
"""
BUSY = """() => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  kernel.requestExecute({code: 'import time; time.sleep(2.5)'});
}"""
ANSWERS = """
import sys
from skilltune.labelling import open_labelling
truth = {truth!r}
labelling = open_labelling(as_of="2026-02-01")
for question in labelling.questions:
    outcome, kind = truth[int(question.session_id[1:]) % len(truth)] if question.number == 1 else ("acceptance", None)
    labelling.answer(question, outcome=outcome, correction_type=kind)
assert labelling.done == 100, labelling
"""


class Panel(LabPage):
    """A notebook with a labelling panel, run."""

    def ready(self) -> "Panel":
        """Wait for the panel, and long enough for its first turn to be read."""
        self.page.get_by_role("group", name="What does the person say").wait_for()
        self.page.wait_for_timeout(400)
        return self

    def press(self, key: str, *, status: str) -> None:
        """Press a key with the focus in the panel; wait for what the status line says then."""
        self.page.keyboard.press(key)
        self.says(status)

    def says(self, words: str) -> None:
        """Wait for words in the status line, and long enough for the next turn to be read."""
        self.page.get_by_role("status").filter(has_text=words).wait_for()
        self.page.wait_for_timeout(350)

    def heading(self) -> str:
        """Which turn is asked about."""
        return str(self.page.locator(".stw-head p").inner_text())


def opened(browser, lab: Lab, home: Path, *, sessions: Path, name: str) -> Panel:
    """A panel of these sessions whose log lies in `home`."""
    lab.notebook(name, PANEL.format(workspace=str(home / ".skilltune"), sessions=str(sessions)))
    page = Panel(browser, lab)
    page.open(name).run_all()
    return page.ready()


def labels(home: Path) -> list[dict]:
    """The rows of the label log, draws left out."""
    path = home / ".skilltune" / "labels.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return [row for row in rows if row["type"] != "draw"]


def test_person_labels_by_keyboard_and_by_click(browser, jupyterlab: Lab, tmp_path: Path):
    """Digits, O, R, U, S, a click, Tab; no key reaches JupyterLab; then the kernel is busy, then restarted."""
    at = opened(browser, jupyterlab, tmp_path, sessions=write_sessions(tmp_path, uses=5), name="keys.ipynb")
    page, cells = at.page, at.cells()
    assert labels(tmp_path) == []
    assert page.get_by_role("region", name="Label turns").count() == 1
    assert at.violations(".stw-label") == []
    page.get_by_role("group", name="What does the person say").focus()
    for key in ("a", "d", "d", "b"):
        page.keyboard.press(key)
        assert at.cells() == cells, f"{key} reached JupyterLab"
    at.press("3", status="Saved: turn 1 is rejection.")
    assert "turn 2 of 10" in at.heading()
    assert page.evaluate("document.activeElement.classList.contains('stw-keys')")
    page.keyboard.press("o")
    assert page.get_by_role("checkbox", name="about something else").is_checked()
    at.press("5", status="Saved: turn 2 is acceptance, about something else.")
    assert not page.get_by_role("checkbox", name="about something else").is_checked()
    page.keyboard.press("r")
    page.get_by_text("The rules say").wait_for()
    page.keyboard.press("r")
    page.get_by_text("The rules say").wait_for(state="detached")
    at.press("u", status="Taken back: turn 2")
    at.press("s", status="Skipped: turn 2")
    page.get_by_role("button", name="revert").click()
    at.says("Saved: turn 3 is revert.")
    assert page.evaluate("document.activeElement.classList.contains('stw-keys')"), "a second Enter would label again"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    at.press("Enter", status="Saved: turn 4 is redo.")
    said = [(row["type"], row.get("outcome"), row.get("correction_type"), row.get("about")) for row in labels(tmp_path)]
    assert said == [
        ("label", "correction", "rejection", "skill"),
        ("label", "acceptance", None, "other"),
        ("retract", None, None, None),
        ("label", "correction", "revert", "skill"),
        ("label", "correction", "redo", "skill"),
    ]
    assert at.outside == []
    silence = page.get_by_role("alert").filter(has_text="No answer from the kernel: nothing was saved")
    page.evaluate(BUSY)
    for key in ("4", "5", "6"):
        page.keyboard.press(key)
    silence.wait_for()
    at.says("Saved: turn 5 is partial.")
    assert silence.count() == 0
    assert len(labels(tmp_path)) == 6, "what was pressed while the kernel was busy is not for the next turn"
    jupyterlab.restart_kernels()
    page.wait_for_timeout(500)
    page.get_by_role("button", name="none").click()
    silence.wait_for()
    assert len(labels(tmp_path)) == 6
    at.close()


def test_hostile_text_stays_text_and_everything_fits(browser, jupyterlab: Lab, tmp_path: Path):
    """Each hostile turn is seen as what it is, in both themes and widths; nothing reaches out sideways."""
    at = opened(browser, jupyterlab, tmp_path, sessions=write_hostile(tmp_path), name="hostile.ipynb")
    page = at.page
    scheme = "getComputedStyle(document.querySelector('.stw')).colorScheme"
    wide = (
        "[...document.querySelectorAll('.stw *')].filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1"
        " && getComputedStyle(e).overflowX === 'visible').map(e => e.className)"
    )
    page.get_by_role("group", name="What does the person say").focus()
    assert page.evaluate(scheme) == "light"
    for place in range(1, 9):
        if place == 5:
            at.turn("dark")
            assert page.evaluate(scheme) == "dark"
        for width in (1280, 520):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(wide) == []
        at.press("6", status=f"Saved: turn {place} is none.")
    assert page.evaluate("window.__xss") is None
    assert page.locator(".stw-turns img, .stw script, .stw-turns svg").count() == 0
    assert at.outside == []
    at.turn("light")
    at.close()


def test_person_with_a_hundred_labels_sees_a_corrected_rate(browser, jupyterlab: Lab):
    """Notebook 04_label, opened and run: the rate with its interval, for all skills and for each."""
    write_sessions(jupyterlab.home, uses=140)
    environment = os.environ | {"HOME": str(jupyterlab.home), "USERPROFILE": str(jupyterlab.home)}
    code = ANSWERS.format(truth=TRUTH)
    subprocess.run([sys.executable, "-c", code], cwd=jupyterlab.root, env=environment, check=True)
    notebook = (ROOT / "notebooks" / "04_label.ipynb").read_text(encoding="utf-8")
    (jupyterlab.root / "04_label.ipynb").write_text(notebook, encoding="utf-8")
    at = Panel(browser, jupyterlab)
    at.open("04_label.ipynb").run_all()
    at.page.get_by_text("100 of 100 turns labelled, 50 of 50 uses whole.").first.wait_for()
    at.page.get_by_text("When the rules say that a use, all its turns together, was complained about").first.wait_for()
    row = at.page.get_by_role("row").filter(has_text="all skills").first
    rate = row.get_by_role("cell").all_inner_texts()
    assert rate[1].endswith("%"), rate
    assert rate[3] == "50 of 140"
    low, _, high = rate[2].removesuffix("%").partition("–")
    assert 0 < float(low) < float(rate[1].removesuffix("%")) < float(high) < 100
    assert at.page.get_by_text(f"Corrected rate {rate[1]} ({rate[2]}), by 50 labelled uses of 140").count() == 2
    for skill in ("sql-migrations", "api-docs"):
        assert at.page.get_by_role("row").filter(has_text=skill).count() == 1
    assert at.page.locator(".stw-dots svg.st-interval").count() == 3
    assert at.outside == []
    at.close()


LONG = """
from dataclasses import replace
panel.labelling.questions = tuple(
    replace(question, previous_prompt="Add the index. " * 80, previous_agent="- wrote a file\\n" * 30,
        next_agent="I take it back. " * 60, text="No, that is wrong: the index is missing. " * 14)
    for question in panel.labelling.questions
)
panel._draw()
"""


def test_turn_and_keys_fit_on_one_screen_and_a_click_gives_the_keyboard(browser, jupyterlab: Lab, tmp_path: Path):
    """At 1280 × 900, whatever the agent wrote; without focus a hint and no label, after a click on the quote, one."""
    code = PANEL.format(workspace=str(tmp_path / ".skilltune"), sessions=str(write_sessions(tmp_path, uses=3)))
    jupyterlab.notebook("fits.ipynb", code.removesuffix("panel\n") + LONG + "panel")
    at = Panel(browser, jupyterlab)
    at.open("fits.ipynb").run_all()
    at.ready()
    page = at.page
    panel, last = (page.locator(look).first.bounding_box() for look in (".stw-label", ".stw-key-6"))
    assert last["y"] + last["height"] - panel["y"] <= 600
    hint = page.get_by_text("click here, then press 1–6")
    assert hint.is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.wait_for_timeout(500)
    assert labels(tmp_path) == []
    focused = "document.activeElement.classList.contains('stw-keys')"
    page.locator(".stw-turn .stw-what").click()
    page.wait_for_function(focused)
    assert not hint.is_visible()
    at.press("3", status="Saved: turn 1 is rejection.")
    page.evaluate("document.activeElement.blur()")
    page.locator(".stw-before .stw-who").first.click()
    page.wait_for_function(focused)
    at.press("6", status="Saved: turn 2 is none.")
    assert [row["outcome"] for row in labels(tmp_path)] == ["correction", "none"]
    if folder := os.environ.get("SKILLTUNE_SHOTS"):
        page.locator(".stw-label").scroll_into_view_if_needed()
        page.screenshot(path=f"{folder}/label-panel.png")
    at.close()
