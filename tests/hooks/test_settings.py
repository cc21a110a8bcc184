"""What the settings of Claude Code say with and without our hooks: nothing else ever changes."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError
from skilltune.hooks.settings import find_installed, hook_block, with_hooks, without_hooks

PROGRAM = ["/opt/some where/bin/skilltune"]
FOREIGN = {"type": "command", "command": "prettier --write $FILE", "timeout": 9, "x-more": [1]}

foreign_commands = st.sampled_from(
    [
        "prettier --write .",
        "skilltune hook",
        "skilltune hook other",
        "wrap skilltune hook prompt",
        "echo 'skilltune hook prompt'",
        "skilltune hook prompt && date",
        "skilltune mine",
        "my-skilltune hook prompt",
        "unclosed ' quote skilltune hook prompt",
    ]
)
entries = st.builds(lambda command: {"type": "command", "command": command}, foreign_commands)
groups = st.one_of(
    st.fixed_dictionaries(
        {"hooks": st.lists(entries, max_size=2)}, optional={"matcher": st.sampled_from(["", "Bash"])}
    ),
    st.sampled_from([{}, {"hooks": None}, "odd", 3]),
)
settings = st.fixed_dictionaries(
    {"model": st.sampled_from(["opus", 1.5, None])},
    optional={
        "hooks": st.dictionaries(
            st.sampled_from(["Stop", "PostToolUse", "PreToolUse"]), st.lists(groups, min_size=1, max_size=3), min_size=1
        ),
        "permissions": st.just({"allow": ["Bash(ls:*)"]}),
    },
)


@given(settings, st.booleans())
def test_install_and_uninstall_give_back_what_was_there(before, observe):
    """Installing adds to what is there and mutates nothing; a second time does nothing; uninstalling takes it back."""
    kept = copy.deepcopy(before)
    installed = with_hooks(before, PROGRAM, observe=observe)
    assert before == kept
    assert with_hooks(installed, PROGRAM, observe=observe) == installed
    assert json.dumps(without_hooks(installed)) == json.dumps(before)
    assert find_installed(before) == []
    assert [hook.name for hook in find_installed(installed)].count("session-end") == 2


def test_block_names_events_matchers_and_seconds():
    """The block of an empty file: quoted program, matcher of skills and reads, 5 s and 15 s."""
    block = hook_block(PROGRAM, observe=True)["hooks"]
    told = {
        (event, group.get("matcher"), entry["command"].rsplit(" ", 1)[1], entry["timeout"])
        for event, groups in block.items()
        for group in groups
        for entry in group["hooks"]
    }
    assert told == {
        ("UserPromptSubmit", None, "prompt", 5),
        ("PostToolUse", "Skill|Read", "skill-use", 5),
        ("PostToolUse", "*", "observe", 5),
        ("PostToolUseFailure", "*", "observe", 5),
        ("Stop", None, "session-end", 15),
        ("SessionEnd", None, "session-end", 15),
    }
    assert block["Stop"][0]["hooks"][0]["command"] == "'/opt/some where/bin/skilltune' hook session-end"


@pytest.mark.parametrize(
    "old", ["skilltune hook prompt", "/old/bin/skilltune hook prompt", "python -P -m skilltune hook prompt"]
)
def test_entries_of_another_installation_are_pointed_here(old):
    """An entry of ours that runs another program is changed in its place, a second one goes, neighbours stay."""
    group = {
        "hooks": [FOREIGN, {"type": "command", "command": old, "timeout": 60}, {"type": "command", "command": old}]
    }
    after = with_hooks({"hooks": {"UserPromptSubmit": [group]}}, PROGRAM, observe=False)
    first, second = after["hooks"]["UserPromptSubmit"][0]["hooks"]
    assert first == FOREIGN
    assert second == {"type": "command", "command": "'/opt/some where/bin/skilltune' hook prompt", "timeout": 5}


def test_observing_stays_where_it_was_asked_for():
    """Installing again without --observe keeps the hooks that observe, and uninstalling takes them too."""
    observed = with_hooks({}, PROGRAM, observe=True)
    assert with_hooks(observed, PROGRAM, observe=False) == observed
    assert without_hooks(observed) == {}


@pytest.mark.parametrize(
    ("odd", "told"), [({"hooks": []}, '"hooks" is no object'), ({"hooks": {"Stop": {}}}, '"hooks.Stop" is no list')]
)
def test_settings_of_another_shape_are_refused(odd, told):
    """Where something else stands in the place of hooks, nothing is guessed."""
    for act in (lambda: with_hooks(odd, PROGRAM, observe=False), lambda: without_hooks(odd)):
        with pytest.raises(InputError, match=told):
            act()
