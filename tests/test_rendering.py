"""Results as text."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.ranking import ranked_skills
from skilltune.analysis.summary import skill_metrics
from skilltune.analysis.trends import correction_trend
from skilltune.errors import FrameError
from skilltune.rendering import format_metrics_report, render_metrics, render_trends
from tests.analysis.invented import AS_OF, judged, table, use, uses

MIDNIGHT = datetime(2026, 11, 30, tzinfo=ZoneInfo("Europe/Berlin"))
RECENT, PRIOR = MIDNIGHT - timedelta(days=10), MIDNIGHT - timedelta(days=40)
COLOUR = re.compile("\x1b\\[[0-9;]*m")

REPORT = """\
Skill Feedback Metrics
========================================
  rusty: correction_rate=0.50 (n=3, corrections=1, partials=1, acceptances=1) (insufficient data)
    hotspots: accuracy=2
  cpp-expert: correction_rate=0.40 (n=20, corrections=6, partials=4, acceptances=10)
    hotspots: accuracy=5, coverage=3, reliability=1
  docs: correction_rate=0.15 (n=40, corrections=4, partials=4, acceptances=32)
    hotspots: accuracy=8"""

METRICS = """\
1 of 4 skills got worse; sql-migrations: almost every second judged use
corrected.
31 Oct–29 Nov 2026, against the 30 days before; lines: 95% score intervals
Order: most corrected first, few uses pulled towards the rate of all skills

skill           rate  0    25   50   75   100  judged  trend, points
sql-migrations   47%         ──●───             43/44  ▲ got worse        +22
lint-on-save     18%    ──●──                   47/47  ▼ got better       −21
test-writer      13%   ─●───                    40/40  = no clear change    0

Too few data (under 5 judged uses)
pdf  1 corrected, 1 accepted; 3 more judged uses needed (2 of 3 judged)

Next: skilltune report"""

TRENDS = """\
1 of 4 skills got worse, 1 got better.
31 Oct–29 Nov 2026, against the 30 days before; points, with their 95% interval

skill           before   now  change            judged
sql-migrations     25%   47%  +22 (2 to 39)    44 → 43  ▲ got worse
test-writer        13%   13%  0 (−16 to 16)    40 → 40  = no clear change
lint-on-save       39%   18%  −21 (−38 to −3)  46 → 47  ▼ got better
pdf: no verdict; 2 judged uses in the last 30 days, 1 judged use in the 30 days
before; 5 needed.

Next: skilltune metrics"""


@pytest.fixture(name="events", scope="module")
def invented_events() -> pd.DataFrame:
    """Four skills: one got worse, one better, one stayed, one has too few data."""
    windows = {
        "sql-migrations": ((18, 4, 21), (8, 6, 30)),
        "lint-on-save": ((7, 3, 37), (16, 4, 26)),
        "test-writer": ((4, 2, 34), (4, 2, 34)),
        "pdf": ((1, 0, 1), (0, 0, 1)),
    }
    return table(
        *(judged(*recent, skill=skill, at=RECENT) for skill, (recent, _) in windows.items()),
        *(judged(*prior, skill=skill, at=PRIOR) for skill, (_, prior) in windows.items()),
    )


@pytest.fixture(name="ranking", scope="module")
def invented_ranking(events: pd.DataFrame) -> pd.DataFrame:
    """The skills, two uses of which nobody judged."""
    unjudged = uses(use(skill="sql-migrations", at=RECENT), use(skill="pdf", at=RECENT))
    return ranked_skills(events, as_of=MIDNIGHT, invocations=unjudged)


def test_report_text() -> None:
    """The documented text: title, rule, worst first, three hotspots, a note where data are few."""
    events = table(
        judged(4, 4, 32, skill="docs"),
        judged(5, 0, 0, skill="cpp-expert", dimension_hint="accuracy"),
        judged(0, 3, 0, skill="cpp-expert", dimension_hint="coverage"),
        judged(1, 0, 0, skill="cpp-expert", dimension_hint="reliability"),
        judged(0, 1, 10, skill="cpp-expert", dimension_hint="unknown"),
        judged(1, 1, 1, skill="rusty"),
    )
    assert format_metrics_report(correction_rate(events), hotspot_dimensions(events)) == REPORT
    assert format_metrics_report(skill_metrics(events)) == REPORT
    assert format_metrics_report(correction_rate(events).iloc[::-1], hotspot_dimensions(events)) == REPORT


def test_report_of_another_table_says_what_to_give() -> None:
    """Events are no rates; a function that makes rates of them is named."""
    with pytest.raises(FrameError, match=r"no column 'correction_rate'.*correction_rate\(events\)"):
        format_metrics_report([{"skill_id": "a", "outcome": "correction"}])


def test_report_text_without_data() -> None:
    """No events, and a skill that was used and never judged, are said in words."""
    assert format_metrics_report(correction_rate(table())).splitlines()[2:] == ["  no feedback yet"]
    unjudged = format_metrics_report(correction_rate(table(), invocations=uses(use())))
    assert "a: correction_rate=missing (n=0, corrections=0, partials=0, acceptances=0) (insufficient data)" in unjudged


def test_metrics_in_a_terminal(ranking: pd.DataFrame) -> None:
    """Sentence, dates, table, few data, next command."""
    assert render_metrics(ranking, as_of=MIDNIGHT) == METRICS


def test_trends_in_a_terminal(events: pd.DataFrame) -> None:
    """Sentence, dates, table with intervals, why there is no verdict, next command."""
    trends = correction_trend(
        pd.concat([events, table(judged(0, 0, 1, skill="test-writer", at=PRIOR - timedelta(days=60)))]), as_of=MIDNIGHT
    )
    assert render_trends(trends, as_of=MIDNIGHT) == TRENDS


@pytest.mark.parametrize("width", [60, 72, 80, 100, 120])
@pytest.mark.parametrize("name", ["x", "a-skill-" * 15, "技能名称" * 10])
def test_terminal_width(width: int, name: str) -> None:
    """No line is wider than the terminal, whatever skills are called; the text lines apart, names stay whole."""
    events = table(
        judged(18, 4, 21, skill=name, at=RECENT), judged(8, 6, 30, skill=name, at=PRIOR), judged(1, 0, 0, skill="b")
    )
    texts = [
        render_metrics(ranked_skills(events, as_of=MIDNIGHT), as_of=MIDNIGHT, width=width),
        render_trends(correction_trend(events, as_of=MIDNIGHT), as_of=MIDNIGHT, width=width),
    ]
    rows = [line for text in texts for line in text.splitlines() if "▲" in line or line.startswith("skill ")]
    assert len(rows) == 4
    for line in rows:
        assert sum(2 if character > "⺀" else 1 for character in line) <= width


@pytest.mark.parametrize("render", ["metrics", "trends"])
def test_terminal_colour_is_only_colour(events: pd.DataFrame, ranking: pd.DataFrame, render: str) -> None:
    """With colour the words are the same; orange and blue stand on verdicts with evidence only."""
    trends = correction_trend(events, as_of=MIDNIGHT)
    plain, coloured = (
        render_metrics(ranking, as_of=MIDNIGHT, color=color)
        if render == "metrics"
        else render_trends(trends, as_of=MIDNIGHT, color=color)
        for color in (False, True)
    )
    assert [line.rstrip() for line in COLOUR.sub("", coloured).splitlines()] == plain.splitlines()
    loud = [line for line in coloured.splitlines() if "38;5;208" in line or "38;5;75" in line]
    assert len(loud) == 2
    assert all("got worse" in line or "got better" in line for line in loud)


def test_terminal_without_unicode(events: pd.DataFrame, ranking: pd.DataFrame) -> None:
    """Without UTF-8 every mark has an ASCII one of the same width."""
    plain = render_metrics(ranking, as_of=MIDNIGHT, unicode=False)
    assert plain.isascii()
    assert "--o---" in plain
    assert "^ got worse        +22" in plain
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in METRICS.splitlines()]
    assert render_trends(correction_trend(events, as_of=MIDNIGHT), as_of=MIDNIGHT, unicode=False).isascii()


def test_terminal_without_data() -> None:
    """No events: one sentence and the command that changes it."""
    nothing = table()
    for text in (
        render_metrics(ranked_skills(nothing, as_of=AS_OF), as_of=AS_OF),
        render_trends(correction_trend(nothing, as_of=AS_OF), as_of=AS_OF),
    ):
        assert text == "No feedback yet.\n\nNext: skilltune mine"


def test_terminal_with_few_data() -> None:
    """Only skills with few data: said once, no table, and the counts in words."""
    text = render_metrics(ranked_skills(table(judged(1, 0, 1)), as_of=AS_OF + timedelta(days=1)), as_of=AS_OF)
    assert text.splitlines()[0] == "Too few data: no skill has 5 judged uses in the last 30 days."
    assert text.count("Too few data") == 1
    assert "a  1 corrected, 1 accepted; 3 more judged uses needed" in text
    assert "%" not in text


def test_terminal_of_flawless_skills() -> None:
    """Nothing corrected is said so, and whether that was compared with anything."""
    now = table(judged(0, 0, 9))
    before = table(judged(0, 0, 9, at=AS_OF - timedelta(days=40)), judged(0, 0, 9, at=AS_OF - timedelta(days=70)))
    for events, lead in ((now, "No earlier 30 days to compare with"), (pd.concat([now, before]), "No skill got worse")):
        ranking = ranked_skills(events, as_of=AS_OF + timedelta(days=1))
        assert render_metrics(ranking, as_of=AS_OF).startswith(f"{lead}; none was corrected.")


def test_terminal_skill_of_other_days() -> None:
    """A skill that was not used in these days is not counted, and its line says why it has no numbers."""
    events = table(judged(6, 0, 3, at=RECENT), judged(1, 0, 0, skill="old", at=PRIOR))
    text = render_metrics(ranked_skills(events, as_of=MIDNIGHT, invocations=uses()), as_of=MIDNIGHT)
    assert "old  not used in these days" in text


def test_terminal_is_not_obeyed() -> None:
    """A skill whose name holds control characters cannot move the cursor or change colours."""
    ranking = ranked_skills(table(judged(6, 0, 3, skill="evil\x1b[2J\n\x9b31m")), as_of=AS_OF + timedelta(days=1))
    text = render_metrics(ranking, as_of=AS_OF)
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "evil?[2J??31m" in text


def test_head_says_what_is_left_out_where_no_skill_has_enough(events: pd.DataFrame):
    """Without acceptances by going on too few uses may be judged: the text says of what."""
    few = ranked_skills(events[events["skill_id"] == "pdf"], as_of=MIDNIGHT, implicit=False)
    text = render_metrics(few, as_of=MIDNIGHT, implicit=False)
    assert "31 Oct–29 Nov 2026, acceptances by going on left out" in text
    assert "left out" not in render_metrics(few, as_of=MIDNIGHT)
