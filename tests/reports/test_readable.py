"""Tables of metrics as a person reads them."""

import re
import unicodedata

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.catalogue import Metric, find_metrics
from skilltune.frames import empty_frame
from skilltune.records import FeedbackEvent
from skilltune.reports.readable import NOTHING, ROWS, readable
from tests.analysis.invented import AS_OF, history
from tests.stores.test_secrets import PLANTED

EVENTS = history(size=150, skills=2)


@pytest.mark.parametrize("metric", find_metrics(), ids=lambda metric: metric.name)
def test_every_metric_is_readable(metric: Metric) -> None:
    """Rates are percent, an interval is one column, no number has more decimals than are read, none says NaN."""
    options = {"level": 0.999, "false_discovery_rate": 1.0} if metric.name == "change_points" else {}
    table = metric.table(EVENTS, as_of=AS_OF, weeks=8, **options)
    cells = readable(table).cells
    assert not [name for name in cells.columns if name.endswith(("low", "high"))]
    assert len(cells) == min(len(table), ROWS)
    texts = cells.to_numpy().ravel().tolist()
    assert not [text for text in texts if text.lower() in ("nan", "nat", "none", "<na>", "")]
    rates = [name for name in cells.columns if name.endswith(("rate", "share", "coverage"))]
    assert all(text == "–" or text.endswith("%") for name in rates for text in cells[name])
    assert repr(readable(metric.table(empty_frame(FeedbackEvent), as_of=AS_OF))) == NOTHING


def test_intervals_are_of_rates_or_of_differences() -> None:
    """A ranking has both, each in its own words."""
    ranking = pd.DataFrame({"correction_rate": [0.4], "low": [0.1], "high": [0.5], "trend": [0.25]})
    told = readable(ranking.assign(trend_low=[-0.1], trend_high=[0.4])).cells
    assert told.iloc[0].tolist() == ["40%", "10–50%", "+25 points", "−10 to 40"]
    change = pd.DataFrame({"difference": [-0.2], "low": [-0.3], "high": [0.1]})
    assert readable(change).cells.iloc[0].tolist() == ["−20 points", "−30 to 10"]


def test_weeks_are_named_in_their_zone() -> None:
    """Monday's midnight in Tokyo is Sunday in UTC."""
    monday = pd.to_datetime(["2026-11-23T00:00:00+09:00"], utc=True)
    assert readable(pd.DataFrame({"week": monday}), time_zone="Asia/Tokyo").cells["week"].tolist() == ["2026-W48"]
    assert readable(pd.DataFrame({"week": monday})).cells["week"].tolist() == ["2026-W47"]


def test_long_names_and_tables_lose_nothing_unsaid() -> None:
    """Two names that differ in their 120th character stay apart; rows that are left out are counted."""
    names = ["n" * 119 + end for end in "ab"]
    html = readable(pd.DataFrame({"skill_id": names, **{f"c{n}": 1 for n in range(40)}}))._repr_html_()
    assert all(f">{name}<" in html for name in names)
    assert "c39" in html
    many = readable(pd.DataFrame({"n": range(ROWS + 3)}))
    assert repr(many).endswith("\n3 more rows.")
    assert "3 more rows." in many._repr_html_()


@pytest.mark.parametrize("text", ["category", "str", "object"])
def test_planted_secrets_are_in_no_table(text: str) -> None:
    """Names of a log of any origin, whatever kind of text the frame has."""
    said = [sentence.format(secret) for sentence, secret in PLANTED]
    frame = pd.DataFrame({"skill_id": said, "tools": [(each,) for each in said]}).astype({"skill_id": text})
    shown = readable(frame, time_zone="UTC")
    for told in (repr(shown), shown._repr_html_()):
        assert [secret for _, secret in PLANTED if secret in told] == []


TAGS = ["<tr>", "<td>", "</td>", "<td>", "</td>", "</tr>", "</tbody>", "</table>", "</div>"]


@given(st.text(max_size=60))
def test_any_name_is_text_only(name: str) -> None:
    """No tag, no character that is not seen."""
    html = readable(pd.DataFrame({"n": [1], "skill_id": [f"x{name}"]}))._repr_html_()
    body = html.partition("<tbody>")[2]
    assert re.findall("<[^>]*>", body) == TAGS
    assert not [char for char in body if unicodedata.category(char) in ("Cc", "Cs") and char != "\n"]
    assert not set(body) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
