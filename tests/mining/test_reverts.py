"""Commands that discard work, read as shell words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.reverts import discards_work, find_discards

DISCARDS = {
    "git checkout -- a.py": ("a.py",),
    "git checkout HEAD~1 -- src/a.py && ls": ("src/a.py",),
    "git checkout .": (),
    "cd app; git restore a.py b.py": ("a.py", "b.py"),
    "git restore --staged --worktree a.py": ("a.py",),
    "git reset --hard HEAD": (),
    "git revert --no-edit HEAD": (),
    "git clean -fd": (),
    "git stash": (),
    "git stash push -m wip": (),
    "git switch --discard-changes main": (),
    "git -C repo -c core.pager=cat checkout -- .": (),
    "FOO=1 sudo git reset --hard": (),
}
HARMLESS = [
    "git checkout main",
    "git checkout -b feature",
    "git restore --staged a.py",
    "git reset --soft HEAD~1",
    "git reset a.py",
    "git revert --abort",
    "git clean -n",
    "git stash list",
    "git stash pop",
    "git stash && git rebase main && git stash pop",
    "git switch main",
    "git commit -m 'docs: explain git reset --hard'",
    "echo 'git checkout -- a.py'",
    "echo git reset --hard",
    "grep -r 'git reset --hard' .",
    "git log --grep='git revert'",
    "git reset --hard 'unclosed",
    "",
]


@pytest.mark.parametrize("command", DISCARDS)
def test_discard_is_found_with_its_paths(command):
    """A command that discards work is found, with the paths it names or none for the whole tree."""
    (discard,) = find_discards(command)
    assert discard.paths == DISCARDS[command]


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless_command_discards_nothing(command):
    """Words in a message, an echo or another verb discard nothing."""
    assert find_discards(command) == []


@pytest.mark.parametrize(
    ("command", "edited", "taken_back"),
    [
        ("git checkout -- a.py", ["/home/me/app/a.py"], True),
        ("git checkout -- src", ["/home/me/app/src/deep/a.py"], True),
        ("git checkout -- /home/me/app/a.py", ["a.py"], True),
        ("git checkout -- b.py", ["/home/me/app/a.py"], False),
        ("git checkout -- a.py", [], False),
        ("git reset --hard", [], True),
    ],
)
def test_work_is_taken_back_where_paths_meet(command, edited, taken_back):
    """Named paths must be among the edited ones; the whole tree always is."""
    assert discards_work([command], edited=edited) is taken_back


def test_stash_that_comes_back_takes_nothing():
    """Work stashed by one command and brought back by a later one is not taken back."""
    assert discards_work(["git stash", "npm test"], edited=["a.py"])
    assert not discards_work(["git stash", "npm test", "git stash pop"], edited=["a.py"])


@given(st.text(alphabet="git checkout--.'\"\\;|&()\nstash", max_size=60))
def test_any_command_can_be_read(command):
    """No command line raises."""
    assert isinstance(find_discards(f"git {command}"), list)
