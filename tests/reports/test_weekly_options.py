"""What the weekly notebook takes in one parameter."""

import inspect
import re
from typing import Any

import pytest

from skilltune.errors import InputError
from skilltune.reports.weekly import read_weekly, weekly_options


def test_options_are_those_of_the_reading() -> None:
    """What passes is what ``read_weekly`` takes."""
    given = {"use_labels": False, "health": {"sessions": {}}, "weeks": ["2026-W48"]}
    assert weekly_options(given) == given
    assert given.keys() <= inspect.signature(read_weekly).parameters.keys()
    assert weekly_options({}) == {}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"labels": True}, "options has 'labels', which is not known; it knows use_labels (bool), health (dict)"),
        ({"use_labels": "no"}, "options has use_labels as 'no'; it takes a bool"),
        ({"weeks": "2026-W48"}, "options has weeks as '2026-W48'; it takes a list"),
        ({"health": ["x" * 5_000]}, "options has health as ['xxx"),
    ],
)
def test_option_that_is_none_is_named(given: dict[str, Any], named: str) -> None:
    """With its value, cut where it is long, and those that are known."""
    with pytest.raises(InputError, match=re.escape(named)) as caught:
        weekly_options(given)
    assert len(str(caught.value)) < 200
