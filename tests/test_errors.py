"""Messages that name what there is."""

import pytest

from skilltune.errors import SkillNotFoundError, UnknownSkillError


@pytest.mark.parametrize("kind", [UnknownSkillError, SkillNotFoundError])
def test_a_name_with_a_line_end_is_told_apart(kind) -> None:
    """It is written as one, so that it is no other name once the message stands on one line."""
    message = str(kind("tidy", ["tidy\nimports", "tidy imports"]))
    assert "tidy\\nimports" in message
    assert "tidy imports" in message
    assert "\n" not in message
