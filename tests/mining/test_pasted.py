"""Skills whose text is put in as the person's prompt."""

import pytest

from skilltune.mining.digests import skill_digest
from skilltune.mining.pasted import name_pasted
from tests.mining.stories import mine, says, session, skill, tools

BODY = "# Tidy\n\nSort the imports of the file.\n\nNever leave a wrong or missing one."
FILE = f"---\nname: tidy\n---\n\n{BODY}\n"
INSTALLED = {"tidy": skill_digest(FILE), "unreadable": ""}


@pytest.mark.parametrize(("behind", "args"), [("", ""), ("\n\nonly cart.py", "only cart.py"), ("\n\na\n\nb", "a\n\nb")])
def test_pasted_text_is_a_use_by_the_person(behind, args):
    """The prompt is the skill's, not a person's words: it begins a use, and judges none before it."""
    steps = [skill("s1"), tools("edit"), says(BODY + behind), tools("edit"), says("perfect, thanks")]
    found = mine(session(*steps, agent="opencode"), installed=INSTALLED)
    uses = [(use.skill_id, use.via, use.installed, use.skill_digest) for use in found.invocations]
    assert uses == [("s1", "tool", None, ""), ("tidy", "slash", True, INSTALLED["tidy"])]
    assert [(event.skill_id, event.outcome) for event in found.events] == [("tidy", "acceptance")]
    assert [turn.text for turn in found.turns] == ["perfect, thanks"]
    named = name_pasted(session(*steps, agent="opencode"), installed=INSTALLED)
    assert named.items[1].args == args


@pytest.mark.parametrize(
    ("text", "agent"),
    [(BODY, "claude-code"), (f"Please read this:\n\n{BODY}", "opencode"), (BODY.replace("Sort", "Cut"), "opencode")],
)
def test_other_prompts_stay_turns(text, agent):
    """Only the very text of an installed skill, in sessions of an agent that puts it in, is no turn."""
    told = session(says(text), agent=agent)
    assert name_pasted(told, installed=INSTALLED).items == told.items
    assert name_pasted(session(says(BODY), agent="opencode"), installed={"x": ""}).items[0].text == BODY


def test_short_words_are_a_persons():
    """A skill of few words takes no prompt away."""
    told = session(says("fix it"), agent="opencode")
    assert name_pasted(told, installed={"fix": skill_digest("fix it")}) == told
