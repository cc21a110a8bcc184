"""Pages as PDFs, by a real Chromium; and what is said where there is none."""

import os
import stat
import time
from pathlib import Path

import pytest

from skilltune.errors import ReportError
from skilltune.reports.pdf import find_chromium, print_pdf


def program(path: Path, script: str) -> Path:
    """A program that is no browser."""
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.browser
def test_page_is_printed(made: Path, chromium: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A PDF of several pages beside it; its name may be odd."""
    monkeypatch.setenv("SKILLTUNE_CHROMIUM", chromium)
    page = tmp_path / "a week é #1.html"
    page.write_bytes(made.read_bytes())
    printed = print_pdf(page)
    assert printed == page.with_suffix(".pdf")
    content = printed.read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.count(b"/Type /Page\n") + content.count(b"/Type/Page\n") >= 2


def test_missing_browser_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """None on the PATH, or the one that is named is none."""
    monkeypatch.delenv("SKILLTUNE_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReportError, match=r"sudo apt install chromium.*SKILLTUNE_CHROMIUM="):
        find_chromium()
    monkeypatch.setenv("SKILLTUNE_CHROMIUM", str(tmp_path / "nowhere"))
    with pytest.raises(ReportError, match="which is no program"):
        find_chromium()


def test_browser_that_fails_keeps_the_old_pdf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """What it said last is told."""
    page, old = tmp_path / "page.html", tmp_path / "page.pdf"
    page.write_text("x", encoding="utf-8")
    old.write_bytes(b"%PDF-old")
    monkeypatch.setenv("SKILLTUNE_CHROMIUM", str(program(tmp_path / "browser", "echo cannot draw >&2; exit 3")))
    with pytest.raises(ReportError, match=r"printed no PDF of .*page.html \(it said: cannot draw\)"):
        print_pdf(page)
    assert old.read_bytes() == b"%PDF-old"


def test_browser_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """With all that it started, when its time is over."""
    page = tmp_path / "page.html"
    page.write_text("x", encoding="utf-8")
    script = f"sleep 600 & echo $! > {tmp_path / 'child'}; wait"
    monkeypatch.setenv("SKILLTUNE_CHROMIUM", str(program(tmp_path / "browser", script)))
    with pytest.raises(ReportError, match="did not print the page within 1 seconds"):
        print_pdf(page, seconds=1)
    assert _ends(tmp_path / "child")


def test_child_of_a_browser_that_ended_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """It is not waited for, though it keeps the error output open."""
    page = tmp_path / "page.html"
    page.write_text("x", encoding="utf-8")
    script = f"sleep 600 & echo $! > {tmp_path / 'child'}; echo gone >&2"
    monkeypatch.setenv("SKILLTUNE_CHROMIUM", str(program(tmp_path / "browser", script)))
    with pytest.raises(ReportError, match="it said: gone"):
        print_pdf(page, seconds=30)
    assert _ends(tmp_path / "child")


def _ends(noted: Path) -> bool:
    """Whether the process whose number is noted in the file is gone within 5 seconds."""
    child = int(noted.read_text())
    for _ in range(50):
        if not _runs(child):
            return True
        time.sleep(0.1)
    return False


def _runs(pid: int) -> bool:
    """Whether a process is there, and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
