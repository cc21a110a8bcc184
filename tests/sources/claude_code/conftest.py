"""A transcript on disk, read at once."""

import pytest

from skilltune.sources import SOURCES
from tests.sources.claude_code.building import write


@pytest.fixture
def read(tmp_path):
    """Write a transcript (or text, or bytes) as s1.jsonl and give its facts."""

    def run(content, *, name="s1.jsonl", strict=False):
        return SOURCES["claude-code"].read_facts(write(tmp_path / name, content), strict=strict)

    return run
