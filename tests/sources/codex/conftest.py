"""A file of Codex on disk, read at once."""

import pytest

from skilltune.sources import SOURCES
from tests.sources.codex.building import THREAD, write


@pytest.fixture
def read(tmp_path):
    """Write a rollout (or text, or bytes) and give its facts."""

    def run(content, *, name=f"rollout-2026-01-05T10-00-00-{THREAD}.jsonl", strict=False):
        return SOURCES["codex"].read_facts(write(tmp_path / name, content), strict=strict)

    return run
