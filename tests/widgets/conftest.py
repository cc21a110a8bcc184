"""Sessions to label, in homes of the tests' own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skilltune.labelling import Labelling, open_labelling
from tests.conftest import ROOT
from tests.lab import Lab
from tests.widgets.labelled_home import write_hostile, write_sessions


class Clock:
    """Seconds that only pass when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """What time it is."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder without anything in it; no settings of this machine are read."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def labelling(home: Path) -> Labelling:
    """Four uses of two turns each, none labelled."""
    return open_labelling(home / ".skilltune", sessions=write_sessions(home, uses=4), as_of="2026-02-01")


@pytest.fixture
def hostile(home: Path) -> Labelling:
    """Turns whose every text would be code somewhere."""
    return open_labelling(home / ".skilltune", sessions=write_hostile(home), as_of="2026-02-01")


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One real JupyterLab for all panels: starting it takes longer than a test."""
    lab = Lab(tmp_path_factory.mktemp("lab"), environment={"PYTHONPATH": str(ROOT)})
    try:
        yield lab
    finally:
        lab.stop()
