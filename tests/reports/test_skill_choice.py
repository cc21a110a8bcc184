"""Which skill a report is about where nobody named one."""

from datetime import timedelta
from pathlib import Path

import nbformat
import pytest

from skilltune.errors import InputError
from skilltune.page.html import plain_text
from skilltune.reports.running import run_notebook
from skilltune.reports.skill_choice import OTHERS, choose_skill
from skilltune.stores.feedback import FeedbackLog
from tests.conftest import ROOT
from tests.exporting.logs import judged, written
from tests.invented_weeks import END, Skill, records

AS_OF = "2026-11-30"


def test_named_skill_needs_no_reason() -> None:
    """Nothing is read, and nothing is shown."""
    chosen = choose_skill("tidy-imports", workspace="/nowhere/at/all.jsonl")
    assert (chosen.name, str(chosen.why.html)) == ("tidy-imports", "")


def test_most_corrected_skill_is_chosen_and_said(tmp_path: Path) -> None:
    """Its name, its rate and n, and the other skills by name."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.update(*records([Skill("calm", 12), Skill("a" * 120, 12)], weeks=3))
    chosen = choose_skill("", workspace=str(log.path), as_of=(END + timedelta(days=1)).isoformat())
    told = plain_text(str(chosen.why.html))
    assert told.startswith(f"No skill was named, so this page is about {chosen.name}: it is corrected most, ")
    assert " judged uses in the last 30 days. Others: " in told
    assert ({"calm", "a" * 120} - {chosen.name}).pop() in told
    assert "write its name at skill in the cell of parameters" in told


def test_choice_without_enough_uses_says_so(tmp_path: Path) -> None:
    """The skill with most judged uses, as no rate can be told; many others are counted, not listed."""
    lines = [each for n in range(OTHERS + 3) for each in judged("acceptance", skill_id=f"<b>skill-{n:02}")]
    rows = [{**each, "event_id": f"{place:016x}"} for place, each in enumerate(lines)]
    chosen = choose_skill("", workspace=str(written(tmp_path, rows)), as_of=AS_OF)
    assert chosen.name == "<b>skill-00"
    html = str(chosen.why.html)
    assert "no skill has enough judged uses in the last 30 days" in html
    assert " and 2 more. " in html
    assert "<b>" not in html


def test_nothing_to_choose_from(tmp_path: Path) -> None:
    """An empty log says what to do."""
    (tmp_path / "feedback.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match="run skilltune mine first"):
        choose_skill("", workspace=str(tmp_path / "feedback.jsonl"))


def test_notebook_without_a_skill_says_whose_page_it_is(tmp_path: Path) -> None:
    """Opened as it is shipped, it shows one skill, and which."""
    source = ROOT / "notebooks" / "skill_report.ipynb"
    made = nbformat.read(
        run_notebook(source, folder=tmp_path, parameters={"sample": True}, progress=False), as_version=4
    )
    texts = [out["data"]["text/plain"] for cell in made.cells for out in cell.get("outputs", [])]
    assert "schema-migrator" in texts[0]
    assert texts[1].startswith("No skill was named, so this page is about schema-migrator: it is corrected most, ")
