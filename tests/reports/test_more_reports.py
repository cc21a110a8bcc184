"""Several pages in one run: the order, what fails, and what a person sees meanwhile."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skilltune.errors import ReportError
from skilltune.reports.command import Material, Ready
from skilltune.reports.more_reports import WEEK, write_pages


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
