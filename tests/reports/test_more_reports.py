"""Several pages in one run: the order, what fails, and what a person sees meanwhile."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skilltune.errors import InputError, ReportError
from skilltune.reports.command import Material, Ready, weekly_report
from skilltune.reports.more_reports import WEEK, all_reports, skill_reports, write_pages


class Terminal(io.StringIO):
    """Standard error as a person has it."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.fixture
def ready(tmp_path: Path) -> Ready:
    """Nothing read, and a folder."""
    found = Material(log=None, read_uses=list, health={}, sessions=0, now=datetime(2026, 11, 30, tzinfo=UTC))
    places = {"folder": tmp_path, "target": tmp_path}
    return Ready(found=found, sample=False, time_zone="UTC", private=False, configured_min=5, **places)


def fails(*_: object, **__: object) -> Path:
    """A page that cannot be made."""
    raise ReportError("cell 3 failed")


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (lambda **places: skill_reports(["a"], week="2026-W99", **places), "'2026-W99' is no ISO week"),
        (lambda **places: skill_reports(["a"], as_of="someday", **places), "'someday' is no date or time"),
        (lambda **places: all_reports(week="2026-W99", **places), "'2026-W99' is no ISO week"),
        (lambda **places: weekly_report(week="2026-W99", **places), "'2026-W99' is no ISO week"),
    ],
)
def test_time_is_checked_before_sessions_are_read(report, words: str, tmp_path: Path):
    """A mistyped week or date is told at once: the sessions, which are not there, are not looked for."""
    with pytest.raises(InputError, match=words):
        report(session_dirs=tmp_path / "gone", output=tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_week_of_skills_that_has_not_begun_is_refused(tmp_path: Path):
    """No page until now is made in its place."""
    with pytest.raises(InputError, match="week 2090-W01 has not begun"):
        skill_reports(["schema-migrator"], week="2090-W01", sample=True, output=tmp_path)


def test_bar_names_the_skill_it_is_at(ready: Ready, monkeypatch: pytest.MonkeyPatch):
    """On a terminal alone; a name that moves the cursor is written out, a long one cut; one page shows its parts."""
    asked = []

    def page(_: object, *, progress: bool) -> Path:
        asked.append(progress)
        return Path("page.html")

    makers = {WEEK: page, "clear\x1b[2J": page, "a-long-name-" * 10: page, "lint": fails}
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr("sys.stderr", stream)
        made = write_pages(ready, makers, progress=True)
        assert list(made.pages) == list(makers)[:3]
        assert made.failed == {"lint": "cell 3 failed"}
        shown = stream.getvalue()
        words = [WEEK, "clear\\u001b[2J", "a-long-name-a-long-name-a-long-name-a-l…", "lint"]
        assert [word in shown for word in words] == [stream.isatty()] * 4
        assert "\x1b[2J" not in shown
    assert asked == [False] * 6
    write_pages(ready, {"lint": page}, progress=True)
    assert asked[-1] is True
