"""Corrected rates of a feedback log and the labels beside it."""

import re
from datetime import timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skilltune.labelling import open_labelling
from skilltune.page.corrected import corrected_section
from skilltune.page.html import plain_text
from skilltune.reports import correcting
from skilltune.reports.correcting import corrected_of, logged_corrected
from skilltune.reports.weekly import read_weekly
from skilltune.sample import sample_end, sample_root
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.models import write_own_model
from skilltune.stores.workspace import find_workspace
from skilltune.training.publishing import encode_model
from skilltune.workflow import collect, mine, read_sessions
from tests.mining.models import make_file

PROJECTS = sample_root() / "projects"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FeedbackLog:
    """The log of the bundled sample in a workspace whose settings name its sessions, forty uses of it labelled."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    workspace = tmp_path / "ws"
    workspace.mkdir()
    (workspace / "config.toml").write_text(f'[mining]\nfolders = ["{PROJECTS}"]\n', encoding="utf-8")
    found = collect(PROJECTS, workspace=workspace, as_of=sample_end(), progress=False).log
    labelling = open_labelling(workspace, sessions=PROJECTS, as_of=sample_end(), sample_size=40)
    for number, question in enumerate(labelling.questions):
        wrong = number % 9 == 0
        labelling.answer(question, outcome="none" if wrong else question.rule_outcome or "none")
    return FeedbackLog(found.path)


def test_corrected_of_a_log_is_what_labelling_says(log: FeedbackLog):
    """Labels beside the log correct its rates, from the same uses as in the label notebook."""
    summary = logged_corrected(log, before=sample_end() + timedelta(days=1), skills=())
    (row,) = summary.overall.to_dict("records")
    assert (row["method"], row["n_labels"], summary.labels) == ("sample", 40, 40)
    assert row["low"] < row["corrected_rate"] < row["high"]
    uses = log.read().invocations
    assert row["n_uses"] + row["n_not_covered"] == sum(not use.failed for use in uses)
    one = logged_corrected(log, before=sample_end(), skills=["schema-migrator"])
    assert one.skills["skill_id"].tolist() == ["schema-migrator"]
    assert logged_corrected(log, before=uses[0].timestamp - timedelta(days=400), skills=()).overall.empty


def test_verdicts_of_the_log_predict_where_no_session_may_be_read(log: FeedbackLog, monkeypatch: pytest.MonkeyPatch):
    """With the sessions closed the labels still correct the rates: the same uses, the same labels."""
    before = sample_end() + timedelta(days=1)
    read = logged_corrected(log, before=before, skills=()).overall
    monkeypatch.setattr(correcting, "_read_again", lambda _: None)
    alone = logged_corrected(log, before=before, skills=()).overall
    same = ["raw_rate", "n_uses", "n_labels", "n_not_covered", "method"]
    pd.testing.assert_frame_equal(alone[same], read[same])
    assert abs(alone["corrected_rate"].iloc[0] - read["corrected_rate"].iloc[0]) < 0.1


def test_verdicts_of_ones_own_model_predict_nothing(log: FeedbackLog, monkeypatch: pytest.MonkeyPatch):
    """With the sessions closed and a model that learned from the labels in the log, its verdicts predict nothing."""
    place = find_workspace(explicit=log.path.parent)
    write_own_model(place, encode_model(make_file(version="model-0000abcd")))
    collect(PROJECTS, workspace=place.folder, as_of=sample_end(), progress=False, overwrite=True)
    monkeypatch.setattr(correcting, "_read_again", lambda _: None)
    summary = logged_corrected(log, before=sample_end() + timedelta(days=1), skills=())
    assert summary.own_model
    assert np.isnan(summary.overall["raw_rate"].iloc[0])
    assert summary.overall["method"].iloc[0] == "sample"


def test_labels_do_not_correct_twice(log: FeedbackLog):
    """The raw rate is the rules' own, whether or not labels beat the rules on the rest of the page."""
    rates = [
        read_weekly(workspace=str(log.path), use_labels=use).corrected.overall["raw_rate"].iloc[0]
        for use in (True, False)
    ]
    mined = mine(read_sessions(PROJECTS), turns="window", as_of=sample_end())
    raw = corrected_of(mined.events, mined.invocations, before=sample_end() + timedelta(days=1), skills=())
    assert rates[0] == rates[1]
    assert np.isfinite(raw.overall["raw_rate"].iloc[0])


def test_without_labels_other_projects_may_tell(monkeypatch: pytest.MonkeyPatch):
    """With a model card its confusion makes a marked figure; without one the section says what to do."""
    mined = mine(read_sessions(PROJECTS), turns="window", as_of=sample_end())
    options = {"before": sample_end() + timedelta(days=1), "skills": ()}
    monkeypatch.setattr(correcting, "read_model_card", dict)
    assert corrected_of(mined.events, mined.invocations, **options).overall["method"].tolist() == ["refused"]
    counts = {
        "correction": {"correction": 90, "none": 10},
        "acceptance": {"acceptance": 90, "none": 10},
        "none": {"none": 95, "correction": 5},
    }
    monkeypatch.setattr(correcting, "read_model_card", lambda: {"confusion": counts, "sessions": 200})
    assert corrected_of(mined.events, mined.invocations, **options).overall["method"].tolist() == ["transfer"]


def judge_all(log: FeedbackLog) -> None:
    """Let a judge label all uses as the rules have them, one turn in ten otherwise."""
    options = {"sessions": PROJECTS, "as_of": sample_end(), "sample_size": 1_000, "reader": "judge:claude"}
    labelling = open_labelling(log.path.parent, **options)
    for number, question in enumerate(labelling.questions):
        labelling.answer(question, outcome="none" if number % 10 == 0 else question.rule_outcome or "none")


def test_judges_answers_go_into_the_rates_where_the_settings_say_so(log: FeedbackLog):
    """Off by default; turned on, page and figures have them, and its agreement with the person is told."""
    options = {"before": sample_end() + timedelta(days=1), "skills": ()}
    alone = logged_corrected(log, **options)
    judge_all(log)
    assert logged_corrected(log, **options).answers is None
    config = log.path.parent / "config.toml"
    config.write_text(f'{config.read_text()}[judge]\nagent = "claude"\n', encoding="utf-8")
    unused = plain_text(corrected_section(logged_corrected(log, **options)).html)
    assert "The answers of the judge claude are not used: say --judge claude with skilltune metrics" in unused
    assert "write use = true under [judge] in config.toml." in unused
    config.write_text(f"{config.read_text()}use = true\n", encoding="utf-8")
    used = logged_corrected(log, **options)
    assert used.overall["n_judged"].iloc[0] > 100
    assert used.overall["corrected_rate"].iloc[0] != alone.overall["corrected_rate"].iloc[0]
    text = plain_text(corrected_section(used).html)
    told = re.search(r"The answers of the judge claude to (\d+) uses were used: it agreed with you on \d+% of", text)
    assert told
    assert int(told[1]) == used.overall["n_judged"].iloc[0]


def test_judge_named_by_hand(log: FeedbackLog):
    """With a name no settings are needed; an unknown one is told; a log outside of a workspace has no judge."""
    options = {"before": sample_end() + timedelta(days=1), "skills": ()}
    judge_all(log)
    assert logged_corrected(log, judge="claude", **options).overall["n_judged"].iloc[0] > 100
    other = logged_corrected(log, judge="codex", **options)
    assert other.overall["n_judged"].iloc[0] == 0
    assert "those that did: claude" in other.answers.reason
    copy = log.path.with_name("copy.jsonl")
    copy.write_bytes(log.path.read_bytes())
    assert "in no workspace" in logged_corrected(FeedbackLog(copy), judge="claude", **options).answers.reason


def test_acceptances_by_going_on_can_be_left_out(log: FeedbackLog):
    """Fewer uses are judged, the rate is higher, and the page says what is left out."""
    options = {"before": sample_end() + timedelta(days=1), "skills": ()}
    every, words = (logged_corrected(log, implicit=implicit, **options) for implicit in (True, False))
    assert words.overall["n_classified"].iloc[0] < every.overall["n_classified"].iloc[0]
    assert words.overall["corrected_rate"].iloc[0] > every.overall["corrected_rate"].iloc[0]
    assert "Acceptances by going on to other work are left out." in plain_text(corrected_section(words).html)
