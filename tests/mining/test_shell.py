"""Command lines read as the calls they make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.shell import read_calls

RESET = ["git", "reset", "--hard"]


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("git reset --hard", [RESET]),
        ("cd app && git reset --hard; ls", [["cd", "app"], RESET, ["ls"]]),
        ("ls |& git reset --hard &", [["ls"], RESET]),
        ("git \\\n  reset --hard", [RESET]),
        ("'git' \"reset\" --h\\ard", [RESET]),
        ("git reset --hard 2>&1 >/dev/null </dev/null", [RESET]),
        ("git reset --hard &> log.txt", [RESET]),
        ("FOO=1 sudo -u me git reset --hard", [RESET]),
        ("timeout 30 nohup git reset --hard", [RESET]),
        ("if true; then git reset --hard; fi", [["true"], RESET, ["fi"]]),
        ("(cd app; { git reset --hard; })", [["cd", "app"], RESET]),
    ],
)
def test_calls_are_read_as_a_shell_reads_them(command, calls):
    """Operators, quotes, escapes, redirections and words that only run another are read for what they are."""
    assert read_calls(command) == calls


@pytest.mark.parametrize(
    "command",
    [
        "cat > notes.md <<EOF\ngit reset --hard\nEOF",
        "cat > notes.md <<'EOF' && ls\nit's all about\ngit reset --hard\nEOF\nls",
        "cat <<-EOF > a.md\n\tgit reset --hard\n\tEOF\nls",
        "cat <<A <<B\ngit reset --hard\nA\ngit reset --hard\nB\n",
        'git commit -m "$(cat <<\'EOF\'\nit\'s "why" (we)\ngit reset --hard\nEOF\n)"',
        "ls # git reset --hard",
        "echo 'one\ngit reset --hard\n'",
        'echo "one\ngit reset --hard"',
        "echo $'git\\nreset' --hard",
        "echo git reset --hard",
        "bash script.sh <<EOF\ngit reset --hard\nEOF",
        "echo $((1 + 2)) ${git reset --hard}",
    ],
)
def test_calls_leave_out_what_is_only_data(command):
    """Bodies of here-documents, comments and quoted text are no calls."""
    assert RESET not in read_calls(command)


@pytest.mark.parametrize(
    "command",
    [
        "bash -c 'git reset --hard'",
        'sh -c "cd app && git reset --hard"',
        "/bin/bash -lc 'git reset --hard'",
        "sudo bash -e -c 'git reset --hard'",
        "bash <<EOF\ngit reset --hard\nEOF",
        "bash -s <<'EOF'\ngit reset --hard\nEOF",
        "sh <<< 'git reset --hard'",
        "eval 'git reset --hard'",
        "echo $(git reset --hard)",
        'echo "done: $(git reset --hard)"',
        "echo `git reset --hard`",
        "diff <(git reset --hard) a",
        "bash -c \"bash -c 'git reset --hard'\"",
    ],
)
def test_calls_of_scripts_and_substitutions_count(command):
    """What a shell is given to run, and what a substitution runs, are calls."""
    assert RESET in read_calls(command)


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("ls && git reset --hard 'unclosed", [["ls"]]),
        ('ls; git commit -m "$(cat <<EOF\ntext', [["ls"], ["cat"]]),
        ("ls; cat <<EOF\ngit reset --hard", [["ls"], ["cat"]]),
        ("ls\necho $(git reset", [["ls"]]),
        ("", []),
        (") ;; &", []),
    ],
)
def test_calls_of_a_command_that_was_cut_off(command, calls):
    """Only the call that is not whole is lost."""
    assert read_calls(command) == calls


def test_calls_nested_without_end_are_given_up():
    """A depth that nobody writes is not followed."""
    assert read_calls("$(" * 5_000) == []
    assert read_calls("`" * 5_000 + "(" * 5_000) is not None


@given(st.text(alphabet="git -c<>EOF'\"\\;|&()$`{}#\n\t", max_size=80))
def test_any_text_can_be_read(text):
    """No text raises, and every call has a word."""
    assert all(read_calls(text))
