"""The secrets that every way out is tested with: none is in a report, or in what a notebook shows."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from skilltune.cli.candidates import candidates
from skilltune.cli.figures import events, metrics
from skilltune.cli.refine_rows import opening_row
from skilltune.evolution.openings import open_suggestions
from skilltune.page.html import Section
from skilltune.refining.candidates import waiting_complaints
from skilltune.reports.metric_tables import read_metric_tables
from skilltune.reports.skill import read_skill
from skilltune.reports.skill_choice import choose_skill
from skilltune.reports.weekly import read_weekly
from tests.exporting.logs import row, written
from tests.stores.test_secrets import PLANTED

SECRETS = [secret for _, secret in PLANTED]
TIMES = 6


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A log of another tool, whose names and texts hold secrets."""
    said = [sentence.format(secret) for sentence, secret in PLANTED]
    rows = [
        row(
            number * TIMES + time,
            outcome="correction",
            correction_type="rejection",
            dimension_hint="accuracy",
            attribution="direct",
            **dict.fromkeys(["skill_id", "model", "rule", "skill_digest"], words),
            # a group of complaints needs a word that is not one of the skill's name
            user_message_snippet=f"no retry budget {words}",
            project=f"/srv/{words}",
            session_id=f"{words} {time}",
        )
        for number, words in enumerate(said)
        for time in range(TIMES)
    ]
    return str(written(tmp_path_factory.mktemp("planted"), rows))


def told(page: Any) -> str:
    """All that the sections of a page say, as a notebook keeps them."""
    parts = [
        method()
        for name in dir(page)
        if not name.startswith("_")
        and callable(method := getattr(page, name))
        and not inspect.signature(method).parameters
    ]
    sections = [part for part in parts if isinstance(part, Section)]
    assert len(sections) > 10
    return "".join(json.dumps(each._repr_mimebundle_(), ensure_ascii=False) for each in sections)


def found_in(text: str) -> list[str]:
    """The planted secrets in a text."""
    return [secret for secret in SECRETS if secret in text]


def test_none_is_in_the_weekly_report(log: str):
    """Neither as a skill's name nor in a quote."""
    text = told(read_weekly(workspace=log, week="2026-W47", made="2026-11-30"))
    assert "[secret]" in text
    assert "complaints about" in text
    assert found_in(text) == []


def test_none_is_in_what_the_command_line_lists(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Neither in the events nor in the groups of complaints, as text or for programs."""
    place = Path(log).parent
    for as_json in (False, True):
        events(workspace=place, last=len(SECRETS) * TIMES, as_json=as_json)
        listed = capsys.readouterr().out
        candidates(workspace=place, session_dir=[tmp_path], as_json=as_json)
        grouped = capsys.readouterr().out
        metrics(workspace=place, metric="turns_to_feedback", by="session_id,skill_id,model", as_json=as_json)
        measured = capsys.readouterr().out
        assert all("[secret]" in text for text in (listed, grouped, measured))
        assert found_in(listed + grouped + measured) == []
    assert len(json.loads(grouped)["complaints"]) > 10
    opened = [opening_row(each) for each in open_suggestions(waiting_complaints(place), body="")]
    assert found_in(json.dumps(opened)) == []


def test_none_is_in_the_report_on_one_skill(log: str):
    """Where nobody names one, the sentence that says which it is has none either."""
    chosen = choose_skill("", workspace=log, as_of="2026-11-30")
    text = told(read_skill(skill=chosen.name, workspace=log, as_of="2026-11-30"))
    assert "[secret]" in text
    assert "complaints about" in text
    assert found_in(text + str(chosen.why.html)) == []


def test_none_is_in_the_tables_that_notebooks_draw_and_show(log: str):
    """Names are masked in the frames, ids and words where a table is shown."""
    tables = read_metric_tables(workspace=log, as_of="2026-11-30")
    for frame in (tables.events, tables.invocations):
        names = frame[["skill_id", "model", "project", "skill_digest"]]
        assert found_in(names.astype("str").to_csv()) == []
        shown = tables.shown(frame)
        assert found_in(shown.cells.to_csv() + shown._repr_html_()) == []
