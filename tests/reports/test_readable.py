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
    """A few columns in a person's words, rates as percent or in words, all rows or outcomes there, none says NaN."""
    options = {"level": 0.999, "false_discovery_rate": 1.0} if metric.name == "change_points" else {}
    table = metric.table(EVENTS, as_of=AS_OF, weeks=8, **options)
    cells = readable(table).cells
    odd = r"_|low$|high$|p.value|q.value|excludes|insufficient|discovered"
    assert not [name for name in cells.columns if re.search(odd, name)]
    assert len(cells.columns) <= 12
    if metric.name != "outcome_mix":
        assert len(cells) == min(len(table), ROWS)
    else:
        assert cells["uses"].astype(int).sum() == table["n"].sum()
    texts = cells.to_numpy().ravel().tolist()
    assert not [text for text in texts if text.lower() in ("nan", "nat", "none", "<na>", "")]
    assert not [text for text in texts if re.search("insufficient|worsening|improving|no_", text)]
    rates = [name for name in cells.columns if name.endswith("rate") or name in ("share", "before", "after", "lately")]
    told = [text for name in rates for text in cells[name]]
    assert [text for text in told if not re.fullmatch(r"–|\d.*%|too few: .+|no judged use", text)] == []
    assert repr(readable(metric.table(empty_frame(FeedbackEvent), as_of=AS_OF))) == NOTHING


def test_intervals_are_of_rates_or_of_differences() -> None:
    """A ranking has both, each in its own words."""
    ranking = pd.DataFrame({"correction_rate": [0.4], "low": [0.1], "high": [0.5], "trend": [0.25]})
    told = readable(ranking.assign(trend_low=[-0.1], trend_high=[0.4])).cells
    assert told.iloc[0].tolist() == ["40%", "10–50%", "+25 points", "−10 to 40"]
    assert told.columns.tolist() == ["correction rate", "95% interval", "change", "interval of the change"]
    change = pd.DataFrame({"difference": [-0.2], "low": [-0.3], "high": [0.1]})
    assert readable(change).cells.iloc[0].tolist() == ["−20 points", "−30 to 10"]


def test_few_judged_uses_and_verdicts_are_words() -> None:
    """As on the page: no 0% for one judged use, no bound of what is not known, only found changes have happened."""
    rates = pd.DataFrame({"correction_rate": [0.0, 0.4, None], "low": [0.0, 0.1, None], "high": [0.8, 0.7, None]})
    counts = pd.DataFrame({"sample_size": [1, 5, 0], "corrections": [0, 2, 0], "partials": 0, "acceptances": [1, 3, 0]})
    cells = readable(rates.join(counts)).cells
    assert cells["correction rate"].tolist() == ["too few: 1 accepted", "40%", "no judged use"]
    assert cells["95% interval"].tolist() == ["–", "10–70%", "–"]
    assert readable(rates.join(counts), min_invocations=1).cells["correction rate"][0] == "0%"
    ways = ["worsening", "worsening", "stable", "insufficient_data", "no_baseline"]
    trends = pd.DataFrame({"direction": ways, "discovered": [True, False, False, False, False], "p_value": 0.01})
    said = ["got worse", "looks worse, no evidence yet", "no clear change", "too few data", "too few data before"]
    assert readable(trends).cells.to_dict("list") == {"verdict": said}


def test_outcomes_stand_side_by_side_and_add_up() -> None:
    """A row for each week, also for that of no time; a skill called as an outcome stays a column of its own."""
    weeks = pd.to_datetime(["2026-11-23", "2026-11-23", None], utc=True)
    mix = pd.DataFrame({"week": weeks, "outcome": ["moved_on", "<b>", "moved_on"], "n": [2, 1, 4], "share": 0.5})
    shown = readable(mix)
    assert shown.cells.to_numpy().tolist() == [["2026-W48", "2", "1", "3"], ["–", "4", "0", "4"]]
    assert "<b>" not in shown._repr_html_()
    assert "&lt;b&gt;" in shown._repr_html_()


def test_group_of_no_name_is_not_told() -> None:
    """An agent or model that the sessions do not name has a row that says so."""
    assert readable(pd.DataFrame({"agent": ["", "codex"], "n": 1})).cells["agent"].tolist() == ["not told", "codex"]


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
    assert repr(many).endswith(f"\n3 more rows; with rows={ROWS + 3} all are shown.")
    assert "3 more rows" in many._repr_html_()
    assert "more" not in repr(readable(pd.DataFrame({"n": range(ROWS + 3)}), rows=ROWS + 3))


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
