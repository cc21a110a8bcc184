"""Sessions of OpenCode to read."""

import pytest

from skilltune.sources.opencode import SOURCE
from tests.sources.opencode.building import write_export


@pytest.fixture
def read(tmp_path):
    """Facts of one session."""

    def facts(talk, *, strict=False):
        return SOURCE.read_facts(write_export(tmp_path / "export.json", talk), strict=strict)

    return facts
