"""The committed sample is what the generator makes, whole, small, and kept byte for byte."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from skilltune.sample import sample_end, sample_root

from .builder import MADE, build, write

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built() -> dict[str, bytes]:
    """The generator's output."""
    return build()


def test_build_equals_committed_files(built):
    """Every committed file has the bytes that the generator makes, and there is no other."""
    root = sample_root()
    places = [path for name in MADE for path in [root / name, *(root / name).rglob("*")] if path.is_file()]
    committed = {path.relative_to(root).as_posix(): path.read_bytes() for path in places}
    assert sorted(committed) == sorted(built)
    assert [path for path, content in built.items() if committed[path] != content] == []


def test_build_twice_is_equal(built):
    """The generator has no chance in it."""
    assert build() == built


def test_write_replaces_an_older_sample(tmp_path, built):
    """Writing over an older sample leaves nothing of it."""
    stale = tmp_path / "projects" / "gone" / "old.jsonl"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}\n")
    write(tmp_path)
    assert not stale.exists()
    assert sum(path.is_file() for path in tmp_path.rglob("*")) == len(built)


def test_build_stays_small(built):
    """All of it is under 3 MB, and no line is longer than 200 KB."""
    assert sum(len(content) for content in built.values()) <= 3_000_000
    assert max(len(line) for content in built.values() for line in content.split(b"\n")) <= 200_000


def test_git_keeps_the_bytes():
    """Git is told to leave the sessions alone."""
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("skilltune/sample/projects/** -text") for line in lines)


def test_sample_end_closes_a_week():
    """The sample ends where ISO week 48 of 2026 does."""
    assert sample_end() == datetime(2026, 11, 30, tzinfo=UTC)
    assert sample_end().isocalendar()[:3] == (2026, 49, 1)
