"""One real run of the weekly notebook, shared by all tests of reports."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skilltune.reports import render_weekly
from skilltune.stores.feedback import FeedbackLog
from tests.invented_weeks import PICTURE, records

HEALTH = {"sessions": {"claude-code": 241}, "unreadable_lines": 7, "unreadable_files": 3, "expiring": 0}


@pytest.fixture(scope="session", autouse=True)
def jupyter_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Notebooks are signed with a key of the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(tmp_path_factory.mktemp("jupyter") / "data"))
        yield


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A feedback log of invented weeks."""
    path = tmp_path_factory.mktemp("work space {x}") / "feedback.jsonl"
    FeedbackLog(path).update(*records(PICTURE, seed=3))
    return path


@pytest.fixture(scope="session")
def made(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of week 48, 2026, made in a folder whose name is odd."""
    return render_weekly(
        workspace_events=log,
        output=tmp_path_factory.mktemp("reports {week} é") / "reports",
        week="2026-W48",
        time_zone="Europe/Berlin",
        health=HEALTH,
        progress=False,
    )
