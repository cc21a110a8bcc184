"""The corpus through the parts of panels, pages, prompts and files that are made without a session."""

from dataclasses import replace

import pytest

from skilltune.evolution.skilldoc import SkillDoc
from skilltune.judging.prompt import build_prompt
from skilltune.page.diffs import gone, marked_change, new
from skilltune.reports.skill_names import page_name
from skilltune.widgets.safe_text import folded_text, text_block
from skilltune.widgets.word_diff import whole_diff
from tests.hostile import OBEYED, TEXTS
from tests.hostile_surfaces.pages import faults_of
from tests.judging.standin import question

every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@every_text
def test_text_of_a_panel_or_page_is_no_markup(text):
    """Nothing in it runs, loads, leads away or is invisible."""
    for html in (
        text_block(text),
        folded_text(text),
        whole_diff(text, "x"),
        gone(text),
        new(text),
        marked_change("x", text),
    ):
        faults, _ = faults_of(str(html))
        assert not faults
        assert not OBEYED & set(str(html)) - {"\u200b"}


@every_text
def test_name_of_a_page_is_one_plain_name(text):
    """It stays in the folder of reports on every system."""
    name = page_name(text)
    assert name.isascii()
    assert name.replace("-", "").replace("_", "").replace(".", "").isalnum()
    assert not name.startswith(".")
    assert len(name) <= 150
    assert name.split(".")[0].upper() not in {"CON", "NUL", "AUX", "PRN"}


@every_text
def test_prompt_of_a_judge_is_ended_by_no_text(text):
    """Each turn is one line of JSON between the two marks; no `@` is left that would bring a file in."""
    asked = replace(question(), text=text, previous_agent=text, previous_prompt=text, skill_id=text)
    prompt = build_prompt([asked, question()]).text
    mark = next(line for line in prompt.splitlines() if line.startswith("DATA "))
    inside = prompt.split(f"\n{mark}\n")[1]
    assert inside.count("\n") == 1
    assert "@" not in inside
    assert not {"\u2028", "\u2029", "\x85", "\x00", "\x1b"} & set(inside)


@every_text
def test_skill_that_says_anything_is_read_and_kept(text):
    """Its bytes are the same again, its fields are texts."""
    for whole in (text, f"---\nname: tea\ndescription: |\n  {text}\n---\n{text}", f"---\n{text}\n---\n"):
        content = whole.encode("utf-8", "surrogatepass")
        document = SkillDoc.of(content)
        assert document.to_bytes() == content
        assert isinstance(document.description, str)
        assert isinstance(document.name, str)
