"""``skilltune refine`` as a person runs it: what is shown, who may decide, what is refused with which exit code."""

import json

import pytest

from tests.cli.people import BODY, FIX, HEAD, SKILL, TABS, Desk
from tests.refining.homes import tree

OUTPUT = ("a tall tale of mistakes", "a short list of mistakes")
"""A correction of what the skill makes, not of its text."""


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with one skill."""
    found = Desk(machine)
    found.write()
    return found


def test_check_of_all_skills_puts_the_most_ready_first(desk):
    """A line a skill that somebody corrected, with corrections, status, days, conflicts, drift; 80 columns."""
    for name in ("deploy-check", "tidy-up"):
        desk.write(HEAD.replace(SKILL, name) + BODY, name=name)
    desk.write(HEAD.replace(SKILL, "nobody-said") + BODY, name="nobody-said")
    desk.lines(*[FIX] * 3)
    desk.lines(FIX, FIX, FIX[::-1], FIX[::-1], skill="deploy-check")
    desk.lines(FIX, skill="tidy-up")
    desk.lines(FIX, skill="gone-by-now")
    printed = desk.run("refine", "--check").stdout
    lines = printed.splitlines()
    assert lines[0] == "1 of 4 skills has something for you to decide."
    rows = [line.split() for line in lines[3:7]]
    assert [(row[0], row[1]) for row in rows] == [
        ("lint-on-save", "3"),
        ("deploy-check", "4"),
        ("tidy-up", "1"),
        ("gone-by-now", "1"),
    ]
    assert rows[1][2:] == ["held", "0", "1", "0.0%", "0"]
    assert "1 other skill installed" in printed
    assert max(map(len, lines)) <= 80
    programs = json.loads(desk.run("refine", "--check", "--json").stdout)
    assert [row["status"] for row in programs] == ["ready", "held", "too few", "not installed"]


def test_check_with_nothing_recorded_says_how_to_begin(desk):
    """No feedback: a sentence and the commands that make some, exit 0."""
    printed = desk.run("refine", "--check").stdout
    assert printed.startswith("Nothing is recorded about any skill yet.")
    assert "Next: skilltune mine" in printed
    assert "skilltune feedback record correction --help" in printed


@pytest.mark.parametrize(("count", "code"), [(0, 1), (2, 1), (3, 0)])
def test_check_of_a_skill_tells_by_its_exit_code(desk, count, code):
    """0 eligible, 1 nothing to do; the same for programs."""
    desk.lines(*[FIX] * count)
    row = json.loads(desk.run("refine", "--check", SKILL, "--json", code=code).stdout)
    assert (row["eligible"], row["correction_count"], row["corrections_needed"]) == (code == 0, count, 3 - count)


def test_check_of_an_unknown_skill_names_the_most_alike(desk):
    """A slip is a usage error, with the answer as a value for programs."""
    done = desk.run("refine", "--check", "lint-on-safe", "--json", code=2)
    assert json.loads(done.stdout)["reason"] == "skill_not_found"
    assert "lint-on-save" in done.stderr


@pytest.mark.parametrize("name", ["../lint-on-save", "a/b", "..", "x\x1b[2Jy", "$(touch owned)", "-x"])
def test_hostile_skill_names_lead_nowhere(desk, name):
    """A name that is none is refused; nothing is run, made, or sent to the terminal."""
    for command in ("refine", "drift", "contradictions", "history", "rollback"):
        printed, told = desk.at_terminal(command, "--skill", name, code=2)
        assert "\x1b" not in printed + told
        assert "Traceback" not in told
    assert not list(desk.machine.cwd.iterdir())


def test_refine_shows_and_writes_nothing_to_the_skill(desk):
    """The file stays byte for byte; a second look changes nothing at all."""
    desk.lines(*[FIX] * 3)
    before = desk.file().read_bytes()
    desk.run("refine", SKILL)
    seen = tree(desk.machine.home)
    desk.run("refine", SKILL)
    assert tree(desk.machine.home) == seen
    assert desk.file().read_bytes() == before


@pytest.mark.parametrize("option", ["--approve", "--reject", "--defer"])
def test_decision_without_a_terminal_is_refused(desk, option):
    """No terminal on standard input: exit 3, not one byte written, whatever the environment says."""
    desk.lines(*[FIX] * 3)
    digest = desk.shown()["digest"]
    before = tree(desk.machine.home)
    for environment in ({}, {"SKILLTUNE_YES": "1", "CI": "", "FORCE_TTY": "1"}):
        done = desk.run("refine", SKILL, option, digest, code=3, **environment)
        assert "there is no terminal on standard input" in done.stderr
    assert tree(desk.machine.home) == before


def test_decision_knows_no_yes(desk):
    """There is no option that answers for the person."""
    assert "No such option" in desk.run("refine", SKILL, "--yes", code=2).stderr
    assert "No such option" in desk.run("rollback", SKILL, "--yes", code=2).stderr


def test_approval_of_another_digest_is_refused(desk):
    """A digest of an earlier body: exit 3, nothing written, and where to look."""
    desk.lines(*[FIX] * 3)
    digest = desk.shown()["digest"]
    desk.write(HEAD + BODY.replace("short", "brief"))
    before = desk.file().read_bytes()
    _, errors = desk.at_terminal("refine", SKILL, "--approve", digest, code=3)
    assert "is not the suggestion for lint-on-save as it is now" in errors
    assert "skilltune refine lint-on-save" in errors
    assert desk.file().read_bytes() == before


def test_approval_a_second_time_is_told_as_applied(desk):
    """A digest that was approved and applied says so, with the version it made: exit 3."""
    desk.lines(*[FIX] * 3)
    digest = desk.shown()["digest"]
    desk.at_terminal("refine", SKILL, "--approve", digest)
    before = desk.file().read_bytes()
    _, errors = desk.at_terminal("refine", SKILL, "--approve", digest[:12], code=3)
    assert f"{digest[:12]} is already applied: it made version 2 of lint-on-save" in errors
    assert desk.file().read_bytes() == before


@pytest.mark.parametrize("digest", ["", "abc", "latest", "*", "zzzzzzzzzzzz"])
def test_approval_of_no_digest_is_a_usage_error(desk, digest):
    """Less than 12 digits, or none, names nothing."""
    desk.lines(*[FIX] * 3)
    _, errors = desk.at_terminal("refine", SKILL, "--approve", digest, code=2)
    assert "is no digest" in errors


def test_approval_of_some_changes_is_a_suggestion_of_its_own(desk):
    """``--changes`` shows its own numbers and digest, and only these are written."""
    desk.lines(*[FIX] * 3, *[TABS] * 2)
    whole, part = desk.shown(), desk.shown("--changes", "2")
    assert part["digest"] != whole["digest"]
    assert part["change_percent"] < whole["change_percent"] or part["change_percent"] == 1
    out, _ = desk.at_terminal("refine", SKILL, "--changes", "2", "--approve", part["digest"][:12])
    assert "Applied 1 change" in out
    text = desk.file().read_text()
    assert TABS[1] in text
    assert FIX[1] not in text
    assert desk.entries()[-1]["suggestionDigest"] == part["digest"]


def test_approval_takes_a_part_by_the_digest_of_the_whole(desk):
    """The digest that was shown stands for what it shows, less what is left out; not for what it does not show."""
    desk.lines(*[FIX] * 3, *[TABS] * 2, *[OUTPUT] * 2)
    digest = desk.shown()["digest"]
    _, errors = desk.at_terminal("refine", SKILL, "--changes", "2,3", "--approve", digest, code=3)
    assert "is not the suggestion" in errors
    desk.at_terminal("refine", SKILL, "--changes", "2", "--approve", digest)
    assert desk.entries()[-1]["suggestionDigest"] != digest


def test_approval_of_a_line_in_ones_own_words(desk):
    """A correction of output becomes a line, worded by the person, below a heading of its own."""
    desk.lines(*[OUTPUT] * 3)
    assert desk.run("refine", SKILL, code=1).stdout.startswith("No change of lint-on-save can be applied")
    word = ("--changes", "1", "--word", "1=Keep the report short.")
    out, _ = desk.approve(*word)
    assert "Applied 1 change" in out
    assert desk.file().read_text().endswith("## Learned corrections\n\n- Keep the report short.\n")


def test_rejection_is_kept_and_not_proposed_again(desk):
    """Rejected: recorded with the note, the skill unchanged, the change blocked until new corrections come."""
    desk.lines(*[FIX] * 3)
    before, digest = desk.file().read_bytes(), desk.shown()["digest"]
    out, _ = desk.at_terminal("refine", SKILL, "--reject", digest, "--note", "we use eslint 9")
    assert "Rejected" in out
    assert desk.file().read_bytes() == before
    assert (desk.entries()[-1]["type"], desk.entries()[-1]["note"]) == ("reject", "we use eslint 9")
    assert "rejected before, 0 of 3 new corrections since" in " ".join(desk.run("refine", SKILL, code=1).stdout.split())


def test_deferral_is_kept_and_the_suggestion_stays(desk):
    """Deferred: recorded, and the same digest can be approved later."""
    desk.lines(*[FIX] * 3)
    digest = desk.shown()["digest"]
    desk.at_terminal("refine", SKILL, "--defer", digest)
    assert desk.entries()[-1]["type"] == "defer"
    assert desk.shown()["digest"] == digest


def test_refinement_over_the_change_bound_is_refused(desk):
    """More than a fifth of the body: exit 3 for showing and for approving, with number, limit and what would do."""
    desk.lines(*[(TABS[0], "Use spaces and " + "say why in so many words " * 5)] * 3)
    shown = desk.run("refine", SKILL, code=3).stdout
    assert "held; change is 33%, needed at most 20%" in " ".join(shown.split())
    digest = desk.shown(code=3)["digest"]
    _, errors = desk.at_terminal("refine", SKILL, "--approve", digest, code=3)
    assert "limit 20 %" in errors
    assert TABS[0] in desk.file().read_text()
    desk.settings("[refinement]\nmax_change_percent = 50\n")
    assert "looser: max_change_percent 50 (default 20)" in desk.run("refine", SKILL).stdout


def test_refinement_in_cooldown_is_refused_with_the_days(desk):
    """A second one within seven days: exit 3, the days, nothing written."""
    desk.lines(*[FIX] * 3)
    desk.approve()
    desk.lines(*[TABS] * 3, first=10)
    before = desk.file().read_bytes()
    assert "wait 7 days" in desk.run("refine", SKILL, code=3).stdout
    _, errors = desk.at_terminal("refine", SKILL, "--approve", desk.shown(code=3)["digest"], code=3)
    assert "7 days remain" in errors
    assert desk.file().read_bytes() == before
    row = json.loads(desk.run("refine", "--check", SKILL, "--json", code=1).stdout)
    assert (row["reason"], row["days_remaining"], row["unusable_corrections"]) == ("cooldown", 7, 3)


def test_open_suggestion_from_complaints_is_worded_and_applied(desk, talk):
    """Three complaints in three sessions, mined: nobody typed a correction, and a line comes of it."""
    for number, said in enumerate(
        ["No, that is wrong: semicolons", "That is wrong, I said semicolons", "Wrong, semicolons please"]
    ):
        desk.machine.session(f"s{number}", talk(f"s{number}", said, skill=SKILL))
    desk.run("mine")
    shown = desk.shown(code=0)
    (opened,) = shown["open_suggestions"]
    assert opened["complaints"] == 3
    assert f"Open suggestion {opened['id']}" in desk.run("refine", SKILL).stdout
    assert "word it" in desk.run("refine", "--check").stdout
    assert "has no words yet" in desk.run("refine", SKILL, "--open", opened["id"], code=2).stderr
    word = ("--open", opened["id"], "--word", "End every statement with a semicolon.", "--section", "Rules")
    out, _ = desk.approve(*word)
    assert "Applied 1 change" in out
    assert "- End every statement with a semicolon." in desk.file().read_text()
    assert desk.shown(code=1)["open_suggestions"] == []


def test_open_suggestion_is_dismissed_without_words(desk, talk):
    """Rejected by its own id: recorded, nothing written to the skill, not shown again."""
    for number in range(3):
        desk.machine.session(f"s{number}", talk(f"s{number}", "No, wrong: the semicolons are missing", skill=SKILL))
    desk.run("mine")
    before = desk.file().read_bytes()
    opened = desk.shown()["open_suggestions"][0]["id"]
    desk.at_terminal("refine", SKILL, "--open", opened, "--approve", opened, code=2)
    desk.at_terminal("refine", SKILL, "--open", opened, "--reject", opened)
    assert desk.shown(code=1)["open_suggestions"] == []
    assert desk.file().read_bytes() == before


def test_open_suggestion_that_feedback_dismiss_took_counts_nowhere(desk, talk):
    """Dismissed among the detected corrections, a group of complaints is gone from the list of all skills, too."""
    for number in range(3):
        desk.machine.session(f"s{number}", talk(f"s{number}", "No, wrong: the semicolons are missing", skill=SKILL))
    desk.run("mine")
    (row,) = json.loads(desk.run("refine", "--check", "--json").stdout)
    assert (row["status"], row["open_suggestions"]) == ("word it", 1)
    (group,) = json.loads(desk.run("feedback", "candidates", "--json").stdout)["complaints"]
    desk.run("feedback", "dismiss", group["id"])
    (row,) = json.loads(desk.run("refine", "--check", "--json").stdout)
    assert (row["status"], row["open_suggestions"]) == ("too few", 0)


def test_as_new_makes_a_skill_with_a_baseline_of_its_own(desk):
    """The body goes on under another name; the old skill stays as it is, a taken or wrong name is refused."""
    before = desk.file().read_bytes()
    assert "no terminal" in desk.run("refine", SKILL, "--as-new", "lint-two", code=3).stderr
    printed, _ = desk.at_terminal("refine", SKILL, "--as-new", "lint-two")
    assert str(desk.file("lint-two")) in printed
    assert desk.file("lint-two").read_text() == (HEAD + BODY).replace("name: lint-on-save", "name: lint-two")
    assert "Cumulative drift: 0.0%" in desk.run("drift", "lint-two").stdout
    assert desk.file().read_bytes() == before
    _, told = desk.at_terminal("refine", SKILL, "--as-new", "lint-two", code=2)
    assert "there is a skill lint-two already" in told
    for name in ("../evil", "-x"):
        desk.run("refine", SKILL, f"--as-new={name}", code=2)


def test_skill_folder_that_holds_no_such_skill_is_refused(desk):
    """No other file is taken: exit 2, and nothing is written."""
    before = desk.file().read_bytes()
    folder = ("--skill-folder", str(desk.machine.cwd))
    for command in (("refine", SKILL), ("refine", "--check", SKILL), ("drift", SKILL), ("history", SKILL)):
        assert "holds no skill" in desk.run(*command, *folder, code=2).stderr
    desk.at_terminal("rollback", SKILL, *folder, code=2)
    desk.at_terminal("refine", SKILL, "--as-new", "more", *folder, code=2)
    assert desk.file().read_bytes() == before
    assert desk.entries() == []


def test_refine_of_one_of_two_skills_of_a_name_says_which(desk):
    """The user's skill hides the project's, which is said; the folder names the other one, and only that is written."""
    folder = desk.machine.cwd / ".claude" / "skills" / SKILL
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(HEAD + "# Ours\n" + BODY)
    desk.lines(*[FIX] * 3)
    assert "hides" in desk.run("refine", SKILL).stdout
    desk.lines(*[FIX] * 3, first=10, folder=folder)
    before = desk.file().read_bytes()
    desk.approve("--skill-folder", str(folder), "--no-stamp")
    assert (folder / "SKILL.md").read_text() == HEAD + "# Ours\n" + BODY.replace(*FIX)
    assert desk.file().read_bytes() == before
    assert str(folder) in desk.run("history", SKILL, "--skill-folder", str(folder)).stdout


def test_refine_options_that_do_not_fit_are_told(desk):
    """Two decisions at once, words without changes, numbers that are none."""
    for options, words in (
        (("--approve", "a" * 12, "--reject", "b" * 12), "give one of"),
        (("--check", "--changes", "1"), "give one of"),
        (("--reopen", "a" * 12, "--changes", "1"), "give one of"),
        (("--word", "1=x"), "--changes"),
        (("--changes", "one"), "write the numbers"),
        (("--changes", "1", "--word", "x"), "write the number of the change before it"),
        (("--changes", "9"), "there is no change 9"),
        (("--open", "nothing"), "names no open suggestion"),
        (("--open", "it"), "has 2 characters"),
        (("--open", "abcdef123456", "--changes", "1"), "one line"),
    ):
        assert words in desk.run("refine", SKILL, *options, code=2).stderr, options
    assert "name the skill" in desk.run("refine", "--changes", "1", code=2).stderr


def test_refine_of_a_read_only_skill_is_refused(desk):
    """A file that may not be written: exit 4, its bytes as they were."""
    desk.lines(*[FIX] * 3)
    digest, before = desk.shown()["digest"], desk.file().read_bytes()
    desk.file().chmod(0o444)
    _, errors = desk.at_terminal("refine", SKILL, "--approve", digest, code=4)
    assert "is read-only" in errors
    assert desk.file().read_bytes() == before


def test_refine_of_a_body_over_the_limit_is_refused_by_name(desk):
    """200,000 characters are the limit; a file of 10 MB is none that is read."""
    desk.lines(*[FIX] * 3)
    desk.write(HEAD + BODY + "word " * 50_000)
    assert "200,000" in desk.run("refine", SKILL, code=3).stderr
    desk.write(HEAD + "x" * 10_000_000)
    assert "4,194,304 bytes" in desk.run("refine", SKILL, code=4).stderr


def test_refine_with_a_damaged_audit_log_stops_with_the_line(desk):
    """Nothing is suggested or written on a log that was changed: exit 4, file and line."""
    desk.lines(*[FIX] * 3)
    desk.run("refine", SKILL)
    desk.log.write_text(desk.log.read_text().replace("first_seen", "first_sean"))
    assert f"{desk.log}:1" in desk.run("refine", SKILL, code=4).stderr
    assert "damaged" in desk.run("refine", "--check", code=4).stdout


def test_refine_without_a_baseline_needs_an_allowance(desk):
    """A stamped file whose log is gone has no baseline: drift is missing, not 0, and a person has to allow it."""
    desk.lines(*[FIX] * 3)
    desk.write(HEAD.replace("---\n", "---\nmetadata:\n  skilltune-version: '2'\n", 1) + BODY)
    assert desk.shown(code=3)["drift"]["drift_percent"] is None
    assert "NO BASELINE" in desk.run("drift", SKILL).stdout
    assert desk.shown("--allow-missing-baseline")["ready"]
    desk.approve("--allow-missing-baseline")
    assert FIX[1] in desk.file().read_text()


def test_refine_on_a_terminal_is_coloured_and_escaped(desk):
    """Bold for the finding on a terminal, none into a pipe; a text cannot steer it."""
    desk.lines(*[("\x1b[31mred \u202e", "\x1b]0;x\x07blue")] * 3)
    shown = desk.on_screen("refine", SKILL)
    assert "\x1b[1m" in shown
    assert "\x1b[31m" not in shown
    assert "\x1b]0" not in shown
    assert "\x1b" not in desk.on_screen("refine", SKILL, NO_COLOR="1")
    assert "\x1b" not in desk.run("refine", SKILL, code=1).stdout


def test_apply_and_rollback_commit_only_when_asked(desk):
    """``--commit`` makes one commit of the skill's file; without it git is left alone."""
    import subprocess

    folder = desk.file().parent
    git = ["git", "-C", str(folder), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    environment = desk.machine.environment(GIT_CONFIG_GLOBAL="/dev/null")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True, env=environment)
    subprocess.run([*git, "config", "user.name", "Ada"], check=True, env=environment)
    subprocess.run([*git, "config", "user.email", "ada@example.org"], check=True, env=environment)
    desk.lines(*[FIX] * 3)
    digest = desk.shown()["digest"]
    out, _ = desk.at_terminal("refine", SKILL, "--approve", digest, "--commit")
    assert "Committed as" in out
    first = subprocess.run(
        [*git, "log", "--format=%H"], check=True, env=environment, capture_output=True, text=True
    ).stdout.split()
    assert len(first) == 2
    assert "Original commit: " in desk.run("drift", SKILL).stdout
    printed, _ = desk.at_terminal("rollback", SKILL, "--to", first[-1][:10])
    assert "has the text of commit" in printed
    assert desk.file().read_text() == HEAD + BODY


@pytest.mark.parametrize("decision", ["--reject", "--defer"])
def test_decision_is_taken_back_by_the_beginning_of_its_digest(desk, decision):
    """What was rejected or deferred is proposed as before; the undo that was printed works."""
    desk.lines(*[FIX] * 3)
    digest = desk.shown()["digest"]
    printed, _ = desk.at_terminal("refine", SKILL, decision, digest)
    assert f"Undo: skilltune refine {SKILL} --reopen {digest[:12]}" in printed
    assert "there is no terminal" in desk.run("refine", SKILL, "--reopen", digest, code=3).stderr
    out, _ = desk.at_terminal("refine", SKILL, "--reopen", digest[:6], "--note", "after all")
    assert "Taken back" in out
    assert desk.shown()["digest"] == digest
    assert "taken back" in desk.run("history", SKILL).stdout
    assert "that can be taken back" in desk.at_terminal("refine", SKILL, "--reopen", "f" * 12, code=2)[1]


def test_open_suggestion_that_was_dismissed_is_taken_back(desk, talk):
    """By the beginning of its id; it waits for words again."""
    for number in range(3):
        desk.machine.session(f"s{number}", talk(f"s{number}", "No, wrong: the semicolons are missing", skill=SKILL))
    desk.run("mine")
    opened = desk.shown()["open_suggestions"][0]["id"]
    desk.at_terminal("refine", SKILL, "--open", opened[:7], "--reject", opened[:7])
    assert desk.shown(code=1)["open_suggestions"] == []
    desk.at_terminal("refine", SKILL, "--reopen", opened[:7])
    assert [item["id"] for item in desk.shown()["open_suggestions"]] == [opened]


def test_settings_that_are_looser_are_said_wherever_a_verdict_is(desk):
    """A low agreement warns on every look, and stands beside the verdicts, in the check and in what was applied."""
    desk.settings("[refinement]\nmin_confidence = 0.4\nmax_change_percent = 50\n")
    desk.lines(*[FIX] * 3)
    for call in (("refine", "--check"), ("refine", "--check", SKILL), ("refine", SKILL)):
        assert "min_confidence" in desk.run(*call).stderr
    assert "min_confidence 0.4 (default 0.7)" in " ".join(desk.run("refine", "--check", SKILL).stdout.split())
    assert "looser: min_confidence 0.4" in desk.run("refine", SKILL).stdout
    assert "max_change_percent 50 (default 20)" in " ".join(desk.approve()[0].split())
