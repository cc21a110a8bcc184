"""How a skill came to where it is, version by version."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.drift import measure_drift
from skilltune.evolution.drift_course import COLUMNS, BodyVersion, drift_course

FIRST = "Run the linter after every save and read what it says. Use tabs in all files of the project."
SECOND = FIRST.replace("tabs", "spaces")


def version(body: str, *, name: str = "v1", kind: str = "refine") -> BodyVersion:
    """A version of that body."""
    return BodyVersion(name=name, kind=kind, told=kind, at=None, body=body)


def test_change_and_reversal_is_no_drift_but_a_path():
    """Net is 0 again; the path counts both steps."""
    course = drift_course([version(FIRST), version(SECOND), version(FIRST)])
    assert course["net_percent"].tolist()[2] == 0
    assert course["path_percent"].tolist()[2] == pytest.approx(2 * course["path_percent"].tolist()[1], abs=0.2)


def test_waiting_is_the_last_row():
    """With the step that it would be."""
    course = drift_course([version(FIRST)], waiting=version(SECOND, name="v2", kind="waiting"))
    assert course["kind"].tolist() == ["refine", "waiting"]
    assert course["step_percent"].tolist()[1] == course["net_percent"].tolist()[1] > 0


def test_empty_first_text_has_no_drift():
    """Missing, not 0; the steps are there."""
    course = drift_course([version(""), version("some words")])
    assert course["net_percent"].isna().all()
    assert course["step_percent"].tolist() == [0.0, 100.0]


def test_no_versions_are_an_empty_table():
    """With its columns and times in UTC."""
    course = drift_course([])
    assert tuple(course.columns) == COLUMNS
    assert course.empty
    assert isinstance(course["at"].dtype, pd.DatetimeTZDtype)


@given(
    st.lists(st.text("ab c", min_size=1, max_size=12), min_size=1, max_size=6).filter(lambda texts: texts[0].strip())
)
def test_last_row_agrees_with_the_drift_that_is_bounded(bodies: list[str]):
    """The chart shows the very figure of the gate."""
    course = drift_course([version(body) for body in bodies])
    drift = measure_drift(bodies[-1], baseline=bodies[0], versions=bodies[1:-1])
    assert course["net_percent"].iloc[-1] == drift.percent
    assert course["path_percent"].iloc[-1] == drift.path_percent
