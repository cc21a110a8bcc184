"""Which metrics there are, found by their names."""

import sys
from types import ModuleType

import pandas as pd
import pytest

import skilltune
from skilltune.analysis.catalogue import find_metrics, metric_named, metric_table
from skilltune.analysis.summary import skill_metrics
from skilltune.errors import InputError
from tests.analysis.invented import AS_OF, history


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    """A metric that nobody but the package's list of names knows of."""

    def longest_session(events: pd.DataFrame, *, as_of: object, by: object = ("skill_id",)) -> pd.DataFrame:
        """How many events the longest session has.

        More words.
        """
        sizes = events.groupby("skill_id")["session_id"].agg(lambda ids: ids.value_counts().max())
        return sizes.rename("events").reset_index()

    module = ModuleType("skilltune.analysis.longest")
    module.longest_session = longest_session
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(skilltune, "__all__", [*skilltune.__all__, "longest_session"])
    monkeypatch.setitem(skilltune._HOME, "longest_session", module.__name__)


@pytest.mark.usefixtures("invented")
def test_new_metric_is_listed_unasked() -> None:
    """A new public metric stands in the list with its title and meaning, and in every skill's summary."""
    metric = metric_named("longest_session")
    assert (metric.title, metric.meaning) == ("Longest session", "How many events the longest session has.")
    assert metric.columns == ("skill_id", "events")
    assert "longest_session" in metric_table()["name"].tolist()
    first = skill_metrics(history(), as_of=AS_OF, every=True)[0]
    [row] = first["metrics"]["longest_session"]
    assert row["skill_id"] == first["skill_id"]


def test_what_is_no_metric_is_not_listed() -> None:
    """Functions of labels, of the ledger, or without a frame are no metrics of events."""
    names = {metric.name for metric in find_metrics()}
    assert {"correction_rate", "outcome_mix", "skill_cost", "usage_tiers", "change_points"} <= names
    assert not names & {"skill_metrics", "apply_labels", "corrected_rate", "skill_ratings", "weekly_report", "mine"}


def test_unknown_metric_names_the_known_ones() -> None:
    """The message says what there is."""
    with pytest.raises(InputError, match=r"no metric 'cost'; there are .*skill_cost"):
        metric_named("cost")


def test_metric_that_cannot_be_grouped() -> None:
    """Asked for groups it does not have, a metric names those that can."""
    with pytest.raises(InputError, match=r"usage_tiers cannot be grouped; .*outcome_mix"):
        metric_named("usage_tiers").table(history(), as_of=AS_OF, by=("model",))


def test_every_metric_takes_the_same_options() -> None:
    """All metrics can be asked alike, and each gives the columns it says."""
    events = history()
    for metric in find_metrics():
        table = metric.table(events, as_of=AS_OF, min_invocations=3, days=20, implicit=False, time_zone="Asia/Tokyo")
        assert tuple(table.columns) == metric.columns
        assert len(table) or metric.name == "change_points"


def test_every_metric_in_summaries_needs_a_moment() -> None:
    """Without as_of the other metrics cannot be told."""
    with pytest.raises(InputError, match="as_of"):
        skill_metrics(history(), every=True)
