"""Commands that discard work, read as shell words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.reverts import find_discards, takes_back

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
    "git stash push -- a.py": ("a.py",),
    "bash -c 'git checkout -- a.py'": ("a.py",),
    "bash <<'EOF'\ngit reset --hard\nEOF": (),
    "npm test  # all red\ngit checkout -- a.py": ("a.py",),
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
    "cat > notes.md <<EOF\ngit reset --hard\nEOF",
    "git commit -F - <<'EOF'\ngit reset --hard is gone\ngit reset --hard\nEOF",
    "git commit -m \"$(cat <<'EOF'\ndon't\ngit checkout -- a.py\nEOF\n)\"",
    "git status # then git reset --hard",
    "git stash show",
    "git stash drop",
    "bash -c 'echo git reset --hard'",
    "",
]


@pytest.mark.parametrize("command", DISCARDS)
def test_discard_is_found_with_its_paths(command):
    """A command that discards work is found, with the paths it names or none for the whole tree."""
    ((discard,),) = find_discards([[command]])
    assert discard.paths == DISCARDS[command]


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless_command_discards_nothing(command):
    """Words in a message, an echo or another verb discard nothing."""
    assert find_discards([[command]]) == [()]


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
    (discards,) = find_discards([[command]])
    assert takes_back(discards, edited=edited) is taken_back


STASH = "git stash"


@pytest.mark.parametrize(
    ("stretches", "left"),
    [
        ([[STASH, "npm test"]], [1]),
        ([[STASH, "npm test", "git stash pop"]], [0]),
        ([[STASH], [], ["git stash pop"]], [0, 0, 0]),
        ([[STASH], ["git stash apply"]], [0, 0]),
        ([[STASH], ["git stash apply stash@{0}", "git stash drop"]], [0, 0]),
        ([[STASH], ["git stash branch wip"]], [0, 0]),
        ([[STASH], ["bash -c 'npm test; git stash pop'"]], [0, 0]),
        ([[STASH], ["git stash drop"], ["git stash pop"]], [1, 0, 0]),
        ([[STASH], ["git stash clear"], ["git stash pop"]], [1, 0, 0]),
        ([[STASH], [STASH], ["git stash pop"]], [1, 0, 0]),
        ([[STASH], [STASH], ["git stash pop stash@{1}"]], [0, 1, 0]),
        ([[STASH], [STASH], ["git stash pop", "git stash pop"]], [0, 0, 0]),
        ([["git stash pop"], [STASH]], [0, 1]),
        ([[STASH], ["git stash list"]], [1, 0]),
        ([[STASH], ["echo git stash pop"]], [1, 0]),
    ],
)
def test_stash_that_comes_back_takes_nothing(stretches, left):
    """Work that was stashed is discarded unless a later command, in whichever stretch of work, brings it back."""
    assert [len(discards) for discards in find_discards(stretches)] == left


@given(st.text(alphabet="git checkout--.'\"\\;|&()\nstash", max_size=60))
def test_any_command_can_be_read(command):
    """No command line raises."""
    assert len(find_discards([[f"git {command}"]])) == 1
