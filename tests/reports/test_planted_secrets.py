"""The secrets that every way out is tested with: none is in a report, or in what a notebook shows."""

import inspect
import json
from typing import Any

import pytest

from skilltune.page.html import Section
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
    rows = [
        row(
            number * TIMES + time,
            outcome="correction",
            correction_type="rejection",
            dimension_hint="accuracy",
            **dict.fromkeys(["user_message_snippet", "skill_id", "model", "rule", "skill_digest"], said),
            project=f"/srv/{said}",
            session_id=f"{said} {time}",
        )
        for number, said in enumerate(sentence.format(secret) for sentence, secret in PLANTED)
        for time in range(TIMES)
    ]
    return str(written(tmp_path_factory.mktemp("planted"), rows))


def told(page: Any) -> str:
    """All that the sections of a page say, as a notebook keeps them."""
    parts = [
        method()
        for name, method in inspect.getmembers(page, callable)
        if not name.startswith("_") and not inspect.signature(method).parameters
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
    assert found_in(text) == []


def test_none_is_in_the_report_on_one_skill(log: str):
    """Where nobody names one, the sentence that says which it is has none either."""
    chosen = choose_skill("", workspace=log, as_of="2026-11-30")
    text = told(read_skill(skill=chosen.name, workspace=log, as_of="2026-11-30"))
    assert "[secret]" in text
    assert found_in(text + str(chosen.why.html)) == []


def test_none_is_in_the_tables_that_notebooks_draw_and_show(log: str):
    """Names are masked in the frames, ids and words where a table is shown."""
    tables = read_metric_tables(workspace=log, as_of="2026-11-30")
    for frame in (tables.events, tables.invocations):
        names = frame[["skill_id", "model", "project", "skill_digest"]]
        assert found_in(names.astype("str").to_csv()) == []
        shown = tables.shown(frame)
        assert found_in(shown.cells.to_csv() + shown._repr_html_()) == []
