"""Suggestions: changes with their evidence, the verdict table, the digest, and a person's choice."""

import re
from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.showing import preview_change, suggestion_digest, unified_diff
from skilltune.evolution.suggestions import choose_changes, suggest_refinement
from skilltune.evolution.textdiff import Measure, changed_within
from tests.evolution.invented import AS_OF, BODY, SKILL, answer, correction, repeated

TABS = ("tabs", "spaces", 3)
NPM = ("npm test", "npm test -- --ci", 2)
SMALL = ("small cups", "smallest cups", 2)
OUTPUT = ("utilise the pot", "use the pot", 2)


def suggested(*pairs, body=BODY, baseline=BODY, settings=None, given=None, answers=None, **more):
    """The suggestion for the invented skill."""
    settings = settings or RefinementSettings()
    found = answer(repeated(*pairs) if given is None else given, settings=settings, **(answers or {}))
    return suggest_refinement(found, body=body, version=4, baseline=baseline, settings=settings, **more)


def failing(suggestion):
    """The names of the gates it does not pass."""
    return [verdict.gate for verdict in suggestion.failing]


def test_suggestion_makes_every_free_change_that_stands_in_the_body():
    """Changes in order of frequency, with their reason, places and evidence; all gates pass."""
    found = suggested(TABS, NPM)
    assert found.ready, failing(found)
    assert [(c.number, c.kind, c.status, c.chosen) for c in found.changes] == [
        (1, "replace", "1 hit", True),
        (2, "replace", "1 hit", True),
    ]
    assert found.changes[0].reason == "Pattern observed 3 times in user corrections"
    assert [change.section for change in found.changes] == ["Tea", "Pouring"]
    assert found.body_after == BODY.replace("tabs", "spaces").replace("npm test", "npm test -- --ci")
    assert (found.confidence, found.based_on_corrections) == (Fraction(3, 4), 5)
    assert found.changes[0].sessions == ("s1", "s2", "s3")
    assert (found.skill_id, found.version, found.body_before) == (SKILL, 4, BODY)


def test_suggestion_percent_and_drift_are_of_the_whole_body():
    """One measure for the whole suggestion; drift now and as it would be."""
    found = suggested(TABS, NPM)
    assert found.change_percent == round(100 * (4 + 6 + 8) / len(BODY))
    assert found.drift.percent == 0.0
    assert found.drift.projected_percent == round(100 * (4 + 6 + 8) / len(BODY), 1)


def test_suggestion_for_what_is_not_in_the_body_offers_a_line_and_does_not_choose_it():
    """A correction about output becomes a line that a person has to choose; it counts in the same bound."""
    found = suggested(OUTPUT, TABS)
    line = found.changes[1]
    assert (line.kind, line.status, line.chosen, line.choosable) == ("append", "not_in_body", False, True)
    assert line.line == '- Instead of "utilise the pot", use "use the pot".'
    both = choose_changes(found, numbers=[1, 2])
    assert both.body_after.endswith(f"\n## Learned corrections\n\n{line.line}\n")
    assert both.change_percent > found.change_percent
    assert both.digest != found.digest


def test_suggestion_with_lines_only_has_nothing_to_do_until_one_is_chosen():
    """Without a chosen change the gate says what to choose."""
    found = suggested(OUTPUT, ("a", "b", 1), body=BODY * 2, baseline=BODY * 2)
    assert failing(found) == ["effect"]
    assert found.failing[0].remedy == "choose from the changes 1"
    assert choose_changes(found, numbers=[1]).ready


def test_line_can_go_to_a_section_of_the_body():
    """A section that is there saves the heading; one that is not there is refused, and so is one for a replacement."""
    found = suggested(OUTPUT, TABS)
    placed = choose_changes(found, numbers=[1, 2], sections={2: "Pouring"})
    assert placed.body_after.endswith(f"ones.\n{placed.changes[1].line}\n")
    assert placed.change_percent < choose_changes(found, numbers=[1, 2]).change_percent
    with pytest.raises(InputError, match="no section 'Cups'"):
        choose_changes(found, numbers=[2], sections={2: "Cups"})
    with pytest.raises(InputError, match="change 1 replaces a text of the body; it takes no section"):
        choose_changes(found, numbers=[1], sections={1: "Pouring"})
    short = choose_changes(suggested(OUTPUT, ("a", "b", 1), body="# Tea\n\nPour.\n"), numbers=[1])
    assert "the new heading counts too" in next(v.remedy for v in short.failing if v.gate == "change")


def test_line_with_particulars_of_a_case_is_left_for_a_person_to_word():
    """A number or name from the evidence that the skill does not know is not proposed."""
    found = suggested(("write rows", "for ACME-7 always write 14 rows", 3))
    (change,) = found.changes
    assert change.line == ""
    assert "ACME-7, 14 may belong to one case only" in change.notes[0]
    with pytest.raises(InputError, match="needs a line in your words"):
        choose_changes(found, numbers=[1])
    worded = choose_changes(found, numbers=[1], lines={1: "Ask how many rows are wanted."})
    assert worded.body_after.endswith("- Ask how many rows are wanted.\n")
    assert worded.ready


def test_replacement_says_what_it_has_from_one_session_only():
    """A particular that no second session has is told of a change in the body, too; one that the skill knows is not."""
    original = "Serve it in the small cups"
    given = [correction(original, f"{original} of ACME-7", number=n, session="s") for n in range(1, 4)]
    (change,) = suggested(given=given).changes
    assert (change.kind, change.notes) == (
        "replace",
        ("look at: one session", 'look at: "ACME-7" is in no other session'),
    )
    (known,) = suggested(given=given, body=BODY + "Mind ACME-7.\n").changes
    assert known.notes == ("look at: one session",)
    several = [correction(original, f"{original} of ACME-7", number=n) for n in range(1, 4)]
    assert suggested(given=several).changes[0].notes == ()


def test_line_from_one_session_is_left_for_a_person_to_word():
    """Evidence from one session alone drafts no line."""
    given = [correction("utilise", "use", number=n, session="s") for n in range(1, 4)]
    (change,) = suggested(given=given).changes
    assert (change.line, change.notes[-1]) == ("", "word the line yourself: all evidence is from one session")


def test_suggestion_over_the_change_bound_says_which_changes_would_fit():
    """The gate names the most changes, from the first, that stay within it."""
    long = "Pour the water slowly over the leaves, cover the pot, wait for the time on the tin, and taste."
    found = suggested(TABS, (long, "Pour, wait, taste.", 2))
    assert failing(found) == ["change"]
    assert found.failing[0].remedy.startswith("take only change 1 (")
    assert choose_changes(found, numbers=[1]).ready
    lone = suggested(("Tea", "Coffee", 3), body="Tea", baseline="Tea")
    assert lone.failing[0].remedy == "no change fits within the bound: the body is too short"


def test_remedy_of_a_change_that_is_too_long_is_enough_and_no_more():
    """So many characters less, of a line or of a replacement, and it fits; one character more does not."""
    body = BODY + "\n## Learned corrections\n\n- Be kind.\n"
    found = suggested(OUTPUT, ("a", "b", 1), body=body, baseline=body)
    line = "Warm each of the pots, " + "x" * 200

    def bound(text):
        made = choose_changes(found, numbers=[1], lines={1: text})
        return next(verdict for verdict in made.verdicts if verdict.gate == "change")

    excess = int(re.fullmatch(r"shorten the line by (\d+) characters", bound(line).remedy)[1])
    assert bound(line[:-excess]).passed
    assert not bound(line[: 1 - excess]).passed
    long = suggested(("Use tabs", "Use spaces" + "y" * 100, 3))
    assert re.fullmatch(r"change \d+ characters less", long.failing[0].remedy)
    heading = choose_changes(suggested(OUTPUT, ("a", "b", 1)), numbers=[1], lines={1: line})
    assert "the new heading counts too" in next(v.remedy for v in heading.failing if v.gate == "change")


@given(st.integers(1, 5_000), st.sampled_from([0, 1, 20, 20.5, 33, 60, 100, 250]))
def test_most_that_may_change_is_within_the_bound_and_one_more_is_not(chars, percent):
    """The share of that many characters, rounded, is within; that of one more is not."""
    most = changed_within(chars, percent=percent)
    assert Measure(0, max(0, most), chars, chars).rounded_percent <= percent
    assert Measure(0, most + 1, chars, chars).rounded_percent > percent


def test_suggestion_at_the_drift_limit_is_refused_now_and_ahead():
    """The body now, and the body to come, each have their gate with the ways out."""
    drifted = suggested(TABS, baseline="x" * len(BODY))
    assert failing(drifted) == ["drift", "drift_after"]
    assert "as the baseline" in drifted.failing[0].remedy
    tight = suggested(TABS, NPM, settings=RefinementSettings(drift_limit=2))
    assert failing(tight) == ["drift_after"]
    ahead = suggested(TABS, NPM).drift.projected_percent
    assert failing(suggested(TABS, NPM, settings=RefinementSettings(drift_limit=ahead))) == ["drift_after"]
    assert suggested(TABS, NPM, settings=RefinementSettings(drift_limit=ahead + 0.1)).ready


def test_suggestion_without_a_baseline_needs_an_allowance():
    """Drift that is not known passes only where a person allows it; an empty baseline passes with a note."""
    assert failing(suggested(TABS, baseline=None)) == ["baseline"]
    assert suggested(TABS, baseline=None, allow_missing_baseline=True).ready
    empty = suggested(TABS, baseline="")
    assert empty.ready
    assert any("not defined" in verdict.note for verdict in empty.verdicts)


def test_suggestion_tells_every_gate_at_once():
    """Cooldown, counts, effect and metadata are told beside each other, each with what would help."""
    found = suggested(
        ("zig", "zag", 2), answers={"refined_at": (AS_OF - timedelta(days=5),)}, metadata_changes=4, baseline=None
    )
    assert failing(found) == ["cooldown", "corrections", "effect", "baseline", "metadata"]
    assert [verdict.remedy for verdict in found.failing[:2]] == ["wait 2 days", "1 more usable correction"]
    assert all(verdict.remedy for verdict in found.failing)
    assert not any(verdict.remedy for verdict in found.verdicts if verdict.passed)


def test_suggestion_for_a_skill_that_is_not_found_fails_first():
    """The first gate is the skill."""
    assert failing(suggested(TABS, answers={"found": False}))[0] == "skill"


def test_suggestion_holds_what_a_conflict_touches_and_goes_on_with_the_rest():
    """A held change is shown with the opposing events, cannot be chosen, and others stay."""
    found = suggested(TABS, ("spaces", "tabs", 1), NPM)
    assert [(c.chosen, c.blocked) for c in found.changes] == [
        (False, ("held by a reversal", "3 of 4 agree (0.67, needs 0.70)")),
        (True, ()),
    ]
    assert found.ready
    assert [finding.kind for finding in found.contradictions] == ["reversal"]
    assert "held: change 1" in [verdict.note for verdict in found.verdicts]
    with pytest.raises(InputError, match="change 1 cannot be chosen: held by a reversal"):
        choose_changes(found, numbers=[1, 2])
    assert "conflicts" in failing(suggested(TABS, ("spaces", "tabs", 1)))
    resting = suggested(TABS, ("spaces", "tabs", 1), answers={"refined_at": (AS_OF,)})
    assert failing(resting)[:2] == ["cooldown", "conflicts"]


def test_suggestion_shows_warnings_without_holding():
    """A divergence is told with the change it touches."""
    found = suggested(("tabs", "spaces", 7), ("tabs", "two spaces", 1))
    assert found.ready
    assert [finding.severity for finding in found.contradictions] == ["warning"]


def test_suggestion_agreement_too_low_is_blocked_with_its_numbers():
    """3 against 2 is 0.57 and not suggested."""
    found = suggested(("tabs", "spaces", 3), ("tabs", "blanks", 2))
    assert [change.blocked[0] for change in found.changes] == [
        "3 of 5 agree (0.57, needs 0.70)",
        "2 of 5 agree (0.43, needs 0.70)",
    ]
    assert failing(found) == ["agreement", "effect"]
    row = next(verdict for verdict in found.verdicts if verdict.gate == "agreement")
    assert (row.value, row.note) == ("0.57", "held: changes 1, 2")


def test_suggestion_a_blocked_longer_change_does_not_hide_a_free_one():
    """Overlaps are decided among the changes that may be made."""
    found = suggested(("Use tabs in", "Use blanks in", 2), ("Use tabs in", "Use dots in", 2), ("tabs", "spaces", 2))
    assert [(change.chosen, change.status) for change in found.changes][2] == (True, "1 hit")


def test_suggestion_states_looser_settings_in_its_table():
    """A bound that allows more than the default says so where it is applied."""
    found = suggested(TABS, settings=RefinementSettings(max_change_percent=50, drift_limit=90, min_confidence=0.4))
    notes = {verdict.gate: verdict.note for verdict in found.verdicts}
    assert notes["change"] == "looser: max_change_percent 50 (default 20)"
    assert notes["drift"] == "looser: drift_limit 90 (default 60)"
    assert notes["agreement"].startswith("looser: min_confidence 0.4 (default 0.7); min_confidence is 0.4, below 0.5")
    few = suggested(TABS, settings=RefinementSettings(min_corrections=1, rejected_memory=0, min_sessions=0))
    notes = {verdict.gate: verdict.note for verdict in few.verdicts}
    assert notes["corrections"] == "looser: min_corrections 1 (default 3), rejected_memory 0 (default 3)"
    assert notes["sessions"] == "looser: min_sessions 0 (default 1)"


def test_choice_of_some_changes_is_another_suggestion():
    """Other changes, another body, another digest; the same choice gives the same digest."""
    found = suggested(TABS, NPM, SMALL)
    some = choose_changes(found, numbers=[1, 3])
    assert some.digest != found.digest
    assert [change.number for change in some.chosen] == [1, 3]
    assert "--ci" not in some.body_after
    assert (some.based_on_corrections, some.base_digest) == (5, found.base_digest)
    assert choose_changes(some, numbers=[1, 2, 3]).digest == found.digest
    assert choose_changes(found, numbers=[]).body_after == BODY


@pytest.mark.parametrize(
    ("numbers", "lines", "message"),
    [
        ([4], {}, "there is no change 4; there are 2"),
        ([1], {7: "x"}, "there is no change 7"),
        ([1], {1: "a line"}, "takes no line"),
        ([2], {2: ""}, "the line is empty"),
        ([2], {2: "one\ntwo"}, "the line has 2 lines"),
        ([2], {2: "one\u2028two"}, "the line has 2 lines"),
        ([2], {2: "x" * 501}, "501 characters, limit 500"),
        ([2], {2: "# Title"}, "begins with"),
        ([2], {2: "```"}, "begins with"),
    ],
)
def test_choice_that_cannot_be_made_is_refused(numbers, lines, message):
    """Unknown numbers and lines that are none are named."""
    with pytest.raises(InputError, match=message):
        choose_changes(suggested(TABS, OUTPUT), numbers=numbers, lines=lines)


def test_choice_of_a_change_that_was_made_already_is_refused():
    """What the body has already cannot be chosen."""
    found = suggested(NPM, TABS, body=BODY.replace("npm test", "npm test -- --ci"))
    assert found.changes[1].status == "already_applied"
    with pytest.raises(InputError, match="already_applied"):
        choose_changes(found, numbers=[2])


@given(st.lists(st.text(max_size=6), min_size=4, max_size=6), st.integers(0, 3), st.text(max_size=6))
def test_digest_changes_with_any_ingredient(parts, at, other):
    """Skill, body before, body after and the set of corrections each make another digest; order and repeats do not."""

    def digest(values):
        return suggestion_digest(values[0], before=values[1], after=values[2], correction_ids=values[3:])

    changed = [*parts]
    changed[at] = other
    same = changed[:3] == parts[:3] and set(changed[3:]) == set(parts[3:])
    assert (digest(changed) == digest(parts)) == same
    assert digest([*parts[:3], *reversed(parts[3:]), parts[3]]) == digest(parts)


def test_digest_is_not_confused_by_where_texts_end():
    """Texts that read the same when put together are different ingredients."""
    one = suggestion_digest("a", before="bc", after="d", correction_ids=["e"])
    assert one != suggestion_digest("ab", before="c", after="d", correction_ids=["e"])
    assert one != suggestion_digest("a", before="b", after="cd", correction_ids=["e"])


def test_digest_of_a_suggestion_moves_with_body_and_corrections():
    """Another body on disk, or one correction more, is another suggestion."""
    first = suggested(TABS)
    assert suggested(TABS, body=BODY + "\n").digest != first.digest
    assert suggested(("tabs", "spaces", 4)).digest != first.digest
    assert suggested(TABS, baseline="x" * 400).digest == first.digest


def test_preview_marks_changes_within_500_characters():
    """The preview begins shortly before the first change and never gets too long."""
    found = suggested(NPM, ("a", "b", 1))
    assert "Run [CHANGED: npm test -- --ci] when" in found.preview
    long = suggested(("tabs", "spaces " * 200, 3))
    assert len(long.preview) == 500
    assert long.preview.endswith("…")
    assert preview_change("tea", spans=[]) == "tea"


def test_diff_shows_the_lines_that_differ():
    """A unified diff with names, also where the last line has no end."""
    found = suggested(TABS)
    assert "-Warm the pot before the water boils. Use tabs in the list of leaves.\n" in found.diff
    assert found.diff.startswith(f"--- a/{SKILL}/SKILL.md\n+++ b/{SKILL}/SKILL.md\n")
    assert unified_diff("a", "b", name="x").count("No newline at end of file") == 2
    assert unified_diff("a\r\n", "a\r\n", name="x") == ""


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "\r\n", " \n", "c\r\n"]), max_size=25).map("".join)


@given(LINES, LINES, st.sampled_from(["", "end"]))
def test_diff_can_be_applied(before, after, last):
    """Old lines and places are right: the hunks put on the text before give the text after."""
    before, after = before + last, after + last[:1]
    diff = unified_diff(before, after, name="x").replace("\n\\ No newline at end of file\n", "\0\n")
    old, made, at = re.findall(r"[^\n]*\n|[^\n]+", before), [], 0
    for line in [line.replace("\0\n", "") for line in re.findall(r"[^\n]*\n", diff)[2:]]:
        if hunk := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            start = int(hunk[1]) - (hunk[2] != "0")
            made += old[at:start]
            at = start
        elif line[0] == "+":
            made.append(line[1:])
        else:
            assert old[at] == line[1:]
            made += [old[at]] if line[0] == " " else []
            at += 1
    assert "".join([*made, *old[at:]]) == after


def test_diff_of_many_equal_lines_is_made():
    """Very many lines of few kinds, and texts with too many lines to be compared one by one, have a diff."""
    before, after = "".join(f"{n * 7 % 13}\n" for n in range(9_000)), "".join(f"{n * 5 % 13}\n" for n in range(9_000))
    assert unified_diff(before, after, name="x").count("\n") > 9_000
    assert unified_diff("\n" * 150_000 + "a", "b\n" * 150_000, name="x").endswith("+b\n")


@given(st.lists(st.tuples(st.sampled_from(BODY.split()), st.sampled_from(["wait", "the leaves", ""])), max_size=12))
def test_suggestion_that_is_ready_keeps_every_bound(pairs):
    """Whatever is recorded: a ready suggestion changes at most 20 %, drifts below 60 %, and rests on agreement."""
    given = [correction(old, new, number=n) for n, (old, new) in enumerate([*pairs, *pairs], 1)]
    found = suggested(given=given)
    if found.ready:
        assert found.measure.changed > 0
        assert found.change_percent <= 20
        assert found.drift.projected_percent < 60
        assert found.confidence >= Fraction(7, 10)
        assert found.body_after != BODY
