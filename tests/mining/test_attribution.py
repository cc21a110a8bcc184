"""Whether a turn is about the use in whose window it stands."""

import pytest

from skilltune.facts import Work
from skilltune.mining.attribution import attribute_turn, names_use
from skilltune.mining.invocations import find_invocations
from tests.mining.stories import says, session, skill

TOUCHED = Work(edited=("/home/me/app/src/parse_rows.py",), touched=("docs/guide.md", "Makefile"))


def use_of(name):
    """A use of the skill called `name`."""
    return find_invocations(session(skill(name))).uses[0]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("the tidy-up result is wrong", True),
        ("TIDY-UP went wrong", True),
        ("tidy-ups are wrong", False),
        ("parse_rows.py is wrong", True),
        ("src/parse_rows.py is wrong", True),
        ("my_parse_rows.py is wrong", False),
        ("guide.md lacks a title", True),
        ("the guide lacks a title", False),
        ("the makefile is wrong", False),
        ("", False),
    ],
)
def test_use_is_named_by_skill_or_file(text, named):
    """The skill's telling name, or a file its run touched, as a word of its own."""
    assert names_use(text, use=use_of("plugin:tidy-up"), touched=TOUCHED) is named


@pytest.mark.parametrize(
    ("text", "attributed", "moved_on", "attribution"),
    [
        ("wrong", "", False, "likely"),
        ("wrong", "", True, "weak"),
        ("wrong", "tidy-up", True, "direct"),
        ("wrong", "plugin:tidy-up", True, "direct"),
        ("wrong", "other", False, "weak"),
        ("guide.md is wrong", "other", True, "direct"),
    ],
)
def test_turn_is_attributed_by_the_best_evidence(text, attributed, moved_on, attribution):
    """The agent's record, then what the turn names, then whether the work moved on."""
    (turn,) = session(says(text)).items
    found = attribute_turn(
        turn, use=use_of("tidy-up"), attributed=attributed, touched=TOUCHED, moved_on=moved_on
    )  # fmt: skip
    assert found == attribution


def test_skills_of_two_plugins_are_not_one():
    """The same short name in another plugin is another skill."""
    (turn,) = session(says("wrong")).items
    found = attribute_turn(turn, use=use_of("a:tidy-up"), attributed="b:tidy-up", touched=Work(), moved_on=False)
    assert found == "weak"
