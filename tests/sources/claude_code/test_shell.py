"""What shell commands read and write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.sources.shell import read_paths, written_paths

PIECES = [
    "cat ",
    "cd ",
    "a/SKILL.md",
    "'",
    '"',
    "<<E",
    "\n",
    "E\n",
    ">",
    " && ",
    ";",
    "|",
    "$(",
    ")",
    "`",
    "\\",
    "tee ",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join))
def test_shell_any_text_can_be_read(command):
    """No text ends the reading, and what only looks is never said to write."""
    if read_paths(command):
        assert written_paths(command.replace("2>&1", "")) in ([], ["/dev/null"])


@pytest.mark.parametrize("piece", ["cat <<E > a/SKILL.md\n", "<<'", "> ", "cd a && ", "$(", "'", "tee a\n"])
def test_shell_long_commands_are_read_to_a_limit(piece):
    """Of a command of a megabyte no more is read than of one of 20,000 characters."""
    long = piece * 100_000 + "\ncat a/SKILL.md > behind"
    assert written_paths(long) == written_paths(long[:20_000])
    assert read_paths("cat a/SKILL.md " + long) == []
    assert read_paths("cat " + "a/SKILL.md " * 100_000) == []


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("cat <<E > a.md\nx > b.md\nE\ncat > c.md", ["a.md", "c.md"]),
        ("cat <<E > a.md\nx > b.md", ["a.md"]),
        ("cat <<<'x' > a.md\ncat > b.md", ["a.md", "b.md"]),
        ("cat x >| 'a b.md'", ["a b.md"]),
        ("sed --in-place=.old s/a/b/ a.md", ["s/a/b/", "a.md"]),
        ("sed -n p a.md", []),
        ("cp a.md", []),
        ("mv x/a.md y/b.md z/", ["z/a.md", "z/b.md"]),
        ("cd - && tee a.md", ["a.md"]),
        ("cd /w && cd x && tee a.md", ["/w/x/a.md"]),
    ],
)
def test_shell_written_paths(command, written):
    """Targets of redirections and of programs that write, behind the folder that is entered."""
    assert written_paths(command) == written
