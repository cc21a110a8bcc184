"""The approval panel in a real JupyterLab, in a real browser: the whole story, by clicks and by keys."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from skilltune.stores.audit import AuditLog
from tests.lab import ARGUMENTS, Lab, LabPage
from tests.widgets.labelled_home import HOSTILE
from tests.widgets.reviewed_home import FIX, correct, write_complaints, write_lint, write_review, write_skill

pytestmark = pytest.mark.browser

PANEL = """
from skilltune.widgets.approval import ApprovalPanel
panel = ApprovalPanel('{home}/.skilltune', as_of={as_of!r})
panel.guard.patience = 3.0
panel
"""
NOW = "2026-11-30T12:00:00Z"
FOCUS = "document.activeElement.closest('.stw-status') !== null"
BUSY = """() => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  kernel.requestExecute({code: 'import time; time.sleep(2)'});
}"""


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator:
    """A headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, headless=True, chromium_sandbox=False, args=ARGUMENTS
        )
        yield running
        running.close()


@pytest.fixture
def home(jupyterlab: Lab, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of the Lab's kernels, emptied afterwards; ours, too."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(jupyterlab.home))
    yield jupyterlab.home
    for name in (".claude", ".skilltune"):
        shutil.rmtree(jupyterlab.home / name, ignore_errors=True)


class Panel(LabPage):
    """A notebook with an approval panel, run."""

    def ready(self) -> "Panel":
        """Wait for the panel, and long enough for it to be read."""
        self.page.get_by_role("region", name="Approve changes of skills").wait_for()
        self.page.wait_for_timeout(600)
        return self

    def says(self, words: str) -> None:
        """Wait for words in the result line, and long enough for what is shown then to be read."""
        self.page.get_by_role("status").filter(has_text=words).wait_for()
        self.page.wait_for_timeout(600)

    def press(self, name: str) -> None:
        """Click a button by what it says."""
        self.page.get_by_role("button", name=name).click()


def opened(browser, lab: Lab, home: Path, *, name: str, as_of: str | None = NOW) -> Panel:
    """The panel of that home's workspace."""
    lab.notebook(name, PANEL.format(home=home.as_posix(), as_of=as_of))
    page = Panel(browser, lab)
    page.open(name).run_all()
    return page.ready()


def acts(home: Path) -> list[str]:
    """The types of the audit entries on all skills."""
    return [row["type"] for row in AuditLog(home / ".claude").read()]


def test_story_from_three_corrections_to_the_exact_bytes_again(browser, jupyterlab: Lab, home: Path):
    """Recorded thrice → suggested → approved by a click → changed → drift shown → reversed → held → rolled back."""
    file = write_lint(home)
    before = file.read_bytes()
    at = opened(browser, jupyterlab, home, name="story.ipynb")
    page = at.page
    assert page.get_by_role("heading", name="1 suggestion waits for a decision").count() == 1
    at.press("Approve 1 change")
    at.says("lint-on-save is now v2: 1 change in ~/.claude/skills/lint-on-save/SKILL.md")
    assert page.evaluate(FOCUS)
    changed = file.read_text(encoding="utf-8")
    assert FIX[1] in changed
    assert acts(home) == ["first_seen", "approve", "refine"]
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert acts(home) == ["first_seen", "approve", "refine"], "a second Enter does nothing"
    at.press("show the drift")
    page.locator("p.stw-finding").filter(has_text="lint-on-save has moved 4.7% from its first text").wait_for()
    assert page.locator(".stw-drift-wide svg").is_visible()
    correct(home, "lint-on-save", *reversed(FIX), "s8")
    at.press("read again")
    at.says("Read again from the disk.")
    assert "✕ 1 conflict" in page.locator(".stw-item").inner_text()
    assert page.get_by_role("button", name="Approve").is_disabled()
    assert page.get_by_role("rowheader").first.inner_text() == "Conflicts"
    assert page.get_by_role("button", name="Keep both").is_enabled()
    at.press("Undo: back to v1")
    at.says("lint-on-save is now v3, with the exact text of v1")
    assert file.read_bytes() == before
    assert acts(home) == ["first_seen", "approve", "refine", "rollback"]
    assert at.outside == []
    at.close()


def test_person_decides_by_keyboard_alone(browser, jupyterlab: Lab, home: Path):
    """Queue, ticks, buttons by Tab, Space, Enter; J and K; no key reaches JupyterLab; then no kernel answers."""
    write_review(home)
    at = opened(browser, jupyterlab, home, name="keys.ipynb")
    page, cells = at.page, at.cells()
    page.locator(".stw-item").first.focus()
    for key in ("a", "b", "x"):
        page.keyboard.press(key)
        assert at.cells() == cells, f"{key} reached JupyterLab"
    page.keyboard.press("j")
    page.get_by_role("heading", name=re.compile("^lint-on-save")).wait_for()
    page.keyboard.press("k")
    page.get_by_role("heading", name=re.compile("^sql-migrations")).wait_for()
    page.locator(".stw-item").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "checkbox", "the ticks come after the queue"
    page.keyboard.press("Space")
    page.get_by_role("button", name="Approve 2 changes").wait_for()
    page.wait_for_timeout(600)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Approve 2 changes":
            break
    page.keyboard.press("Enter")
    at.says("sql-migrations is now v2: 2 changes")
    assert page.evaluate(FOCUS)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Undo: back to v1", "Undo is one Tab away"
    page.keyboard.press("Enter")
    at.says("sql-migrations is now v3, with the exact text of v1")
    page.locator(".stw-item").nth(2).click()
    line = page.get_by_label("The line")
    line.wait_for()
    line.press_sequentially("Show an error response for every call.", delay=15)
    page.get_by_role("button", name="Approve this line").wait_for()
    assert line.input_value() == "Show an error response for every call.", "no key of the words was lost"
    page.wait_for_timeout(900)
    at.press("Approve this line")
    at.says("api-docs is now v2")
    written = acts(home)
    silence = page.get_by_role("alert").filter(has_text="No answer from the kernel: nothing was saved")
    page.evaluate(BUSY)
    page.locator(".stw-item").nth(1).click()
    page.get_by_role("button", name=re.compile("Approve")).click(force=True)
    page.get_by_role("heading", name=re.compile("^lint-on-save")).wait_for()
    assert acts(home) == written, "what was not on the screen is not approved"
    page.wait_for_timeout(600)
    jupyterlab.restart_kernels()
    page.wait_for_timeout(800)
    at.press("Approve 1 change")
    silence.wait_for()
    assert acts(home) == written
    at.close()


def test_hostile_words_stay_words_and_everything_fits(browser, jupyterlab: Lab, home: Path):
    """In skill, corrections, complaints and sessions; both themes, wide and narrow; nothing reaches out sideways."""
    text = HOSTILE[0] + HOSTILE[1] + HOSTILE[2]
    write_skill(home, "tidy", f"# Tidy\n\n{'Sort the imports of every file. ' * 30}\n\nWrite {text} here.\n")
    correct(home, "tidy", f"Write {text} here.", f"Write {HOSTILE[3]} here.", *(f"{HOSTILE[1]}{n}" for n in range(3)))
    correct(home, "tidy", "Sort the", HOSTILE[6], "s1", "s2")
    write_complaints(home, texts=tuple(f"No, that is wrong: the example {each}" for each in HOSTILE[:4]))
    at = opened(browser, jupyterlab, home, name="hostile.ipynb")
    page = at.page
    wide = (
        "[...document.querySelectorAll('.stw *')].filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1"
        " && getComputedStyle(e).overflowX === 'visible').map(e => e.className)"
    )
    for theme in ("light", "dark"):
        at.turn(theme)
        for place in range(page.locator(".stw-item").count()):
            page.locator(".stw-item").nth(place).click()
            page.wait_for_timeout(250)
            for width in (1280, 520):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(wide) == []
    assert page.evaluate("window.__xss") is None
    assert page.locator(".stw-main img, .stw script, .stw-main svg").count() == 0
    assert at.outside == []
    at.turn("light")
    at.close()
