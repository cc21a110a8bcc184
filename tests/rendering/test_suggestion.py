"""A suggestion as a person sees it before deciding."""

from datetime import timedelta

from skilltune.evolution.complaints import group_complaints
from skilltune.evolution.gates import GATES
from skilltune.evolution.openings import open_suggestions
from skilltune.evolution.suggestions import suggest_refinement
from skilltune.rendering.suggestion import render_diff, render_openings, render_suggestion
from skilltune.rendering.terminal import columns
from tests.evolution.invented import AS_OF, BODY, SKILL, answer, complaint, correction, repeated


def _suggestion(*pairs, body=BODY, baseline=BODY, **more):
    return suggest_refinement(answer(repeated(*pairs), **more), body=body, version=3, baseline=baseline)


def test_suggestion_shows_change_gates_diff_digest_and_commands():
    """Finding, change with evidence, every gate with its verdict, the whole digest, three commands."""
    found = _suggestion(("Use tabs", "Use spaces", 3))
    text = render_suggestion(found)
    lines = text.splitlines()
    assert lines[0] == "1 change of tea-steps (version 3) can be applied; you decide."
    assert lines[2:6] == [
        'Change 1 (1 hit in "Tea"): Pattern observed 3 times in user corrections',
        "  - Use tabs",
        "  + Use spaces",
        "  agreement 0.80 (3 of 3), 3 sessions, 2026-10-31",
    ]
    for verdict in found.verdicts:
        (line,) = [line for line in lines if line.startswith(f"{GATES[verdict.gate].name:12}  ")]
        assert line[14:29].strip() == verdict.value
        assert line.endswith("passed")
    assert f"Digest: {found.digest}" in lines
    assert lines[-3:] == [
        f"  {said}: skilltune refine tea-steps {option} {found.digest[:12]}"
        for said, option in (("Approve", "--approve"), ("Reject", "--reject"), ("Defer", "--defer"))
    ]
    assert all(columns(line) <= 80 for line in lines)


def test_suggestion_over_its_bound_is_held_and_cannot_be_approved():
    """The failing gate stands first, with what would make it pass; no command to approve is shown."""
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces and say why in many words " * 3, 3)))
    assert text.startswith("1 change of tea-steps (version 3) held; change is 40%, needed at most 20%:")
    assert "--approve" not in text
    assert "--reject" in text


def test_suggestion_that_agreement_holds_in_part_says_so():
    """Where changes are held for agreement, the row says so, beside those that are chosen, too."""
    some = render_suggestion(_suggestion(("Use tabs", "Use spaces", 3), ("short", "brief", 2), ("short", "terse", 2)))
    none = render_suggestion(_suggestion(("short", "brief", 2), ("short", "terse", 2)))
    for text, word in ((some, "held in part"), (none, "held")):
        (line,) = [line for line in text.splitlines() if line.startswith("agreement     ")]
        assert line.endswith(f"  {word}")


def test_suggestion_in_cooldown_says_that_first():
    """The cooldown is the finding, whatever else is missing, and whatever there would be to do."""
    refined = (AS_OF - timedelta(days=2),)
    for times in (1, 3):
        text = render_suggestion(_suggestion(("Use tabs", "Use spaces", times), refined_at=refined))
        assert text.startswith("tea-steps is in cooldown: refined 2 days ago, wait 5 days; nothing can be\napplied")


def test_suggestion_of_nothing_says_so():
    """No pattern: no digest, no commands to decide."""
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces", 1)))
    assert text.startswith("No change is suggested for tea-steps: no correction repeats yet.")
    assert "Digest" not in text
    assert text.splitlines()[-1] == "Next: skilltune refine --check tea-steps"


def test_suggestion_for_output_offers_a_line():
    """What stands nowhere in the skill is a line a person may choose."""
    text = render_suggestion(_suggestion(("a tall tale", "a short tale", 3)))
    assert "Change 1 (stands nowhere in the skill; not chosen)" in text
    assert 'line for the section "Learned corrections"' in text
    assert "Choose: skilltune refine tea-steps --changes 1" in text


def test_suggestion_names_the_conflict_that_holds_a_change():
    """A held change says by what, and the finding is named."""
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces", 3), ("Use spaces", "Use tabs", 2)))
    assert "Change 1 (held)" in text
    assert "held by a reversal" in text
    assert "Contradiction (conflict): reversal" in text


def test_suggestion_repeats_the_options_it_was_made_with():
    """The command to approve a choice makes the same choice again."""
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces", 3)), options=["--changes", "1"])
    assert "skilltune refine tea-steps --changes 1 --approve " in text


def test_suggestion_of_hostile_texts_cannot_steer_a_terminal():
    """In changes, diff and notes; every line fits."""
    body = BODY + "\n\x1b[31mUse \u202etabs\x07 now\n"
    found = suggest_refinement(
        answer([correction("Use \u202etabs\x07 now", "Use\x1b]0;x " + "w" * 200, number=n) for n in range(3)]),
        body=body,
        version=1,
        baseline=body,
    )
    text = render_suggestion(found, notes=["hides \x1b[2J"])
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert all(columns(line) <= 80 for line in text.splitlines())


def test_diff_keeps_white_space_and_wraps_without_losing_a_sign():
    """Indentation stays, a tab is drawn out, and what is cut into pieces is whole."""
    long = "x" * 200
    lines = render_diff(f"+    indented\n-\tcode\n+{long}\n").splitlines()
    assert lines[:2] == ["+    indented", "-   code"]
    assert "".join(line.removeprefix("  ") for line in lines[2:]) == f"+{long}"


def test_openings_show_quotes_and_the_two_commands():
    """Complaints of a group, the section they touch, how to word and how to dismiss."""
    said = ["the cold kettle, slowly please", "you must warm it slowly, it is a cold kettle", "cold kettle, slowly now"]
    groups = group_complaints([complaint(text, number=n) for n, text in enumerate(said)])
    (opened,) = open_suggestions(groups, body=BODY)
    lines = render_openings([opened])
    text = "\n".join(lines)
    assert f'Open suggestion {opened.id}: 3 complaints in 3 sessions about "cold", "kettle", "slowly"' in " ".join(
        text.split()
    )
    assert '  "you must warm it slowly, it is a cold kettle"' in lines
    assert 'touches "Pouring": Pour the water slowly' in text
    assert f"skilltune refine {SKILL} --open {opened.id} --word 'ONE LINE IN YOUR WORDS'" in text
    assert f"skilltune refine {SKILL} --open {opened.id} --reject {opened.id}" in text
    assert "room for" not in text
    assert "  room for 25 characters (10% of the body)" in render_openings([opened], body=BODY, max_percent=10)


def test_opening_of_a_short_body_without_a_heading_offers_no_line():
    """No heading is named where there is none, and no command that a bound would refuse."""
    said = [f"the cold kettle, slowly {word}" for word in ("please", "now", "again")]
    groups = group_complaints([complaint(text, number=n) for n, text in enumerate(said)])
    (opened,) = open_suggestions(groups, body="Warm the kettle.")
    text = "\n".join(render_openings([opened], body="Warm the kettle."))
    assert "touches what stands before any heading: Warm the kettle." in text
    assert "no line fits 20%" in text
    assert "--word" not in text
    assert f"--reject {opened.id}" in text


def test_diff_for_programs_is_not_broken():
    """Without a width each line of the diff is one line, so that a patch can be read from it."""
    long = "x" * 200
    assert render_diff(f"+{long}\n-{long}\n", width=None).splitlines() == [f"+{long}", f"-{long}"]
    text = render_suggestion(_suggestion(("Use tabs", "Use " + "spaces and " * 10, 3)), wrap_diff=False)
    assert [line for line in text.splitlines() if line.startswith("+") and len(line) > 100]


def test_commands_are_never_broken_over_lines():
    """However long, a command is one line: it works as it is printed."""
    options = ["--skill-folder", "/somewhere/" + "deep/" * 20]
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces", 3)), options=options)
    for said in ("Approve", "Reject", "Defer"):
        (line,) = [line for line in text.splitlines() if line.startswith(f"  {said}: ")]
        assert "deep/deep/" in line
        assert "--" + said.lower() in line


def test_agreement_is_one_figure_wherever_it_is_shown():
    """The same agreement reads the same at the change and in the table of gates."""
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces", 5)))
    assert "agreement 0.86 (5 of 5)" in text
    assert "agreement     0.86 " in text


def test_missing_baseline_names_the_allowance():
    """Where only the baseline is missing, the next command allows to go on without."""
    text = render_suggestion(_suggestion(("Use tabs", "Use spaces", 3), baseline=None))
    assert "Allow it: skilltune refine tea-steps --allow-missing-baseline" in text.splitlines()
