"""A home with a skill for each test."""

import pytest

from tests.refining.homes import Home, make_home


@pytest.fixture
def home(tmp_path, monkeypatch) -> Home:
    """A home with one skill and nothing recorded."""
    return make_home(tmp_path, monkeypatch)
