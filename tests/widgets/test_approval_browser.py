"""The approval panel in a real JupyterLab, in a real browser: the whole story, by clicks and by keys."""

import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from skilltune.stores.audit import AuditLog
from skilltune.stores.ledger import find_ledger
from tests.cli.conftest import Machine
from tests.lab import Lab, LabPage
from tests.widgets.labelled_home import HOSTILE
from tests.widgets.reviewed_home import (
    DESCRIBE,
    LONG,
    SHORT,
    correct,
    write_complaints,
    write_lint,
    write_review,
    write_skill,
)
from tests.widgets.reviewed_home import NOW as SHOWN
from tests.widgets.sample_story import BOTH, SKILL, UP, copy_sample

pytestmark = pytest.mark.browser

PANEL = """
from skilltune.widgets.approval import ApprovalPanel
panel = ApprovalPanel('{home}/.skilltune', as_of={as_of!r})
panel.guard.patience = 1.5
panel.min_view_s = 0.2
panel
"""
NOW = "2026-11-30T12:00:00Z"
FOCUS = "() => document.activeElement.closest('.stw-status') !== null"
BUSY = """() => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  kernel.requestExecute({code: 'import time; time.sleep(1)'});
}"""


@pytest.fixture
def home(jupyterlab: Lab, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of the Lab's kernels, emptied afterwards; ours, too."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(jupyterlab.home))
    _empty(jupyterlab.home)
    yield jupyterlab.home
    _empty(jupyterlab.home)


def _empty(home: Path) -> None:
    for name in (".claude", ".skilltune"):
        shutil.rmtree(home / name, ignore_errors=True)


class Panel(LabPage):
    """A notebook with an approval panel, run."""

    def ready(self) -> "Panel":
        """Wait for the panel, and long enough for it to be read."""
        self.page.get_by_role("region", name="Approve changes of skills").wait_for()
        self.page.wait_for_timeout(300)
        return self

    def says(self, words: str) -> None:
        """Wait for words in the result line, and long enough for what is shown then to be read."""
        self.page.get_by_role("status").filter(has_text=words).wait_for()
        self.page.wait_for_timeout(300)

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


def test_story_on_the_sample_from_three_corrections_to_the_exact_bytes_again(browser, jupyterlab: Lab, home: Path):
    """Recorded thrice → eligible → suggested → approved by a click → drift → reversed → held → undone."""
    file = copy_sample(home) / SKILL / "SKILL.md"
    before = file.read_bytes()
    desk = Machine(home, jupyterlab.root)
    record = ("feedback", "record", "correction", SKILL)
    for session in ("mon", "tue", "wed"):
        desk.run(*record, "--original", UP, "--corrected", BOTH, "--session", session)
    assert "Status: ELIGIBLE" in desk.run("refine", "--check", SKILL).stdout
    assert f"+1. {BOTH}" in desk.run("refine", SKILL).stdout
    at = opened(browser, jupyterlab, home, name="story.ipynb", as_of=None)
    page = at.page
    assert page.get_by_role("heading", name="1 suggestion waits for a decision").count() == 1
    assert at.violations(".stw-approval") == []
    assert acts(home) == ["first_seen"]
    at.press("Approve 1 change")
    at.says(f"{SKILL} is now v2: 1 change in ~/.claude/skills/{SKILL}/SKILL.md")
    page.wait_for_function(FOCUS)
    assert BOTH in file.read_text(encoding="utf-8")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert acts(home) == ["first_seen", "approve", "refine"], "a second Enter does nothing"
    assert [row["how"] for row in AuditLog(home / ".claude").read() if "how" in row] == ["panel", "panel"]
    at.press("show the drift")
    page.locator("p.stw-finding").filter(has_text=f"{SKILL} has moved 8.0% from its first text").wait_for()
    assert page.locator(".stw-drift-wide svg").is_visible()
    desk.run(*record, "--original", BOTH, "--corrected", UP, "--session", "thu")
    at.press("read again")
    at.says("Read again from the disk.")
    held = page.locator(".stw-item.stw-held")
    assert "✕ 1 conflict" in held.inner_text()
    tones = [held.evaluate(f"e => getComputedStyle(e{line}).color") for line in ("", ", '::first-line'")]
    assert tones[0] != tones[1], "the cross and its words have the colour of what is worse, the name has its own"
    assert page.get_by_role("button", name="Approve").is_disabled()
    assert page.get_by_role("rowheader").first.inner_text() == "Conflicts"
    assert page.get_by_role("button", name="Keep both").is_enabled()
    assert at.violations(".stw-approval") == []
    at.press("Undo: back to v1")
    at.says(f"{SKILL} is now v3, with the exact text of v1")
    assert file.read_bytes() == before
    assert acts(home) == ["first_seen", "approve", "refine", "rollback"]
    assert at.outside == []
    at.close()


def test_two_panels_on_one_workspace_and_only_one_of_them_decides(browser, jupyterlab: Lab, home: Path):
    """What the other decided meanwhile is refused as decided or stale, and shown as it is."""
    file = write_lint(home)
    first = opened(browser, jupyterlab, home, name="one.ipynb")
    other = opened(browser, jupyterlab, home, name="two.ipynb")
    first.press("Approve 1 change")
    first.says("lint-on-save is now v2: 1 change")
    written = file.read_bytes()
    other.press("Approve 1 change")
    other.page.get_by_text("It changed since it was shown").wait_for()
    assert acts(home) == ["first_seen", "approve", "refine"]
    assert file.read_bytes() == written
    assert other.page.get_by_role("button", name="Approve", exact=True).is_disabled()
    other.close()
    first.close()


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
    page.wait_for_timeout(300)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Approve 2 changes":
            break
    page.keyboard.press("Enter")
    at.says("sql-migrations is now v2: 2 changes")
    page.wait_for_function(FOCUS)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Undo: back to v1", "Undo is one Tab away"
    page.keyboard.press("Enter")
    at.says("sql-migrations is now v3, with the exact text of v1")
    page.locator(".stw-item").nth(2).click()
    line = page.get_by_label("The line")
    line.wait_for()
    line.press_sequentially("Show an expired token for every call.", delay=15)
    page.get_by_role("button", name="Approve this line").wait_for()
    assert line.input_value() == "Show an expired token for every call.", "no key of the words was lost"
    page.wait_for_timeout(400)
    at.press("Approve this line")
    at.says("api-docs is now v2")
    written = acts(home)
    silence = page.get_by_role("alert").filter(has_text="No answer from the kernel: nothing was saved")
    page.evaluate(BUSY)
    page.locator(".stw-item").nth(1).click()
    page.get_by_role("button", name=re.compile("Approve")).click(force=True)
    page.get_by_role("heading", name=re.compile("^lint-on-save")).wait_for()
    assert acts(home) == written, "what was not on the screen is not approved"
    page.wait_for_timeout(300)
    jupyterlab.restart_kernels()
    page.wait_for_timeout(500)
    at.press("Approve 1 change")
    silence.wait_for()
    assert acts(home) == written
    at.close()


def test_person_settles_a_contradiction_by_keyboard_alone(browser, jupyterlab: Lab, home: Path):
    """Keep A, Keep B, Keep both and each Undo: Tab order, the focus after each act, nothing by a second Enter."""
    write_skill(home, "pr-description", DESCRIBE)
    correct(home, "pr-description", SHORT, LONG, "p1", "p2", "p3", at=SHOWN - timedelta(days=5))
    correct(home, "pr-description", LONG, SHORT, "p4", "p5", at=SHOWN)
    at = opened(browser, jupyterlab, home, name="keep.ipynb")
    page = at.page
    page.locator(".stw-item").first.focus()
    order = []
    for _ in range(6):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.textContent || document.activeElement.placeholder"))
    assert order == [
        "Keep A",
        "Keep B",
        "Keep both",
        "show the drift and earlier versions",
        "read again",
        "needed to reject",
    ]
    for words, told, standing in (
        ("Keep A", "Kept A. 2 corrections that said otherwise: taken back.", 3),
        ("Keep B", "Kept B. 3 corrections that said otherwise: taken back.", 2),
        ("Keep both", "Kept both. The contradiction holds nothing any more", 5),
    ):
        page.locator(".stw-item").first.focus()
        at.tab_to(words)
        page.keyboard.press("Enter")
        at.says(told)
        page.wait_for_function(FOCUS)
        page.keyboard.press("Enter")
        page.wait_for_timeout(200)
        assert len(find_ledger(home / ".skilltune").corrections("pr-description")) == standing
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent").startswith("Undo: ")
        page.keyboard.press("Enter")
        at.says("Taken back.")
        page.wait_for_function(FOCUS)
        page.keyboard.press("Enter")
        page.wait_for_timeout(200)
        assert len(find_ledger(home / ".skilltune").corrections("pr-description")) == 5
    assert acts(home) == ["first_seen", "release", "reopen"]
    at.close()


def test_hostile_words_stay_words_and_everything_fits(browser, jupyterlab: Lab, home: Path):
    """In skill, corrections, complaints and sessions; both themes, wide and narrow; nothing reaches out sideways."""
    text = HOSTILE[0] + HOSTILE[1] + HOSTILE[2]
    write_skill(home, "tidy", f"# Tidy\n\n{'Sort the imports of every file. ' * 30}\n\nWrite {text} here.\n")
    correct(home, "tidy", f"Write {text} here.", f"Write {HOSTILE[3]} here.", *(f"{HOSTILE[1]}{n}" for n in range(3)))
    correct(home, "tidy", "Sort the", HOSTILE[6], "s1", "s2")
    write_complaints(home, texts=tuple(f"No, that is wrong: the expired token {each}" for each in HOSTILE[:4]))
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
