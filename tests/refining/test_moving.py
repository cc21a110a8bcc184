"""A skill that is renamed, edited or not, goes on as it was: with its baseline, its cooldown, and what was decided."""

import pytest

from skilltune.evolution.textdiff import measure_change
from skilltune.refining.acts import hold_contradiction, record_decision, release_contradiction, set_limit
from skilltune.refining.state import read_state
from skilltune.refining.suggesting import eligibility_of, suggest
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.ledger import find_ledger
from skilltune.stores.snapshots import content_digest
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, approve, days


def _rename(home, new, old=SKILL):
    (home.claude / "skills" / old).rename(home.claude / "skills" / new)
    return home.claude / "skills" / new / "SKILL.md"


@pytest.mark.parametrize("edited", [False, True])
def test_renamed_skill_goes_on_as_it_was(home, edited):
    """A folder that is renamed, with the text as it is or as it once was, keeps baseline, cooldown, limit and more."""
    home.correct(*FIX)
    before = home.file.read_bytes()
    done = home.apply(stamp=False)
    set_limit(SKILL, 40, note="strict", as_of=NOW)
    if edited:
        home.write(before)
    home.file.parent.rename(home.claude / "skills" / "lint-too")
    found = drift_of("lint-too", as_of=NOW + days(1))
    assert found.baseline.digest == content_digest(before)
    assert found.percent == (0 if edited else done.drift.percent)
    assert found.measure.limit_percent == 40
    assert found.version == (3 if edited else 2)
    assert eligibility_of("lint-too", as_of=NOW + days(1)).days_remaining == 6
    state = read_state("lint-too")
    assert state.record.consumed == set(done.entry["correctionIds"])
    (home.claude / "skills" / "other").mkdir()
    (home.claude / "skills" / "other" / "SKILL.md").write_text("Quite another skill.\n")
    assert eligibility_of("other", as_of=NOW + days(1)).reason == "insufficient_feedback"


def test_copied_skill_begins_anew(home):
    """A copy beside a skill that is still there is a skill of its own."""
    home.correct(*FIX)
    home.apply(stamp=False)
    copy = home.claude / "skills" / "lint-too" / "SKILL.md"
    copy.parent.mkdir()
    copy.write_bytes(home.file.read_bytes())
    assert drift_of("lint-too", as_of=NOW).percent == 0
    assert eligibility_of("lint-too", as_of=NOW).reason == "insufficient_feedback"


def _words(count, *, first):
    """So many words of one sign each, all different."""
    return "".join(chr(ord(first) + number) for number in range(count))


@pytest.mark.parametrize(("changed", "same"), [(30, True), (31, False)])
def test_renamed_and_edited_skill_up_to_the_drift_limit(home, changed, same):
    """Of 100 words 30 exchanged are 60 % of the text: up to there it is the same skill, one word more is another."""
    home.write(HEAD + _words(100, first="一"))
    drift_of(SKILL, as_of=NOW)
    set_limit(SKILL, 40, note="strict", as_of=NOW)
    file = _rename(home, "lint-too")
    edited = _words(changed, first="怀") + _words(100, first="一")[changed:]
    assert (measure_change(_words(100, first="一"), edited).percent <= 60) == same
    file.write_text(HEAD + edited)
    found = drift_of("lint-too", as_of=NOW)
    first = AuditLog(home.claude).read()[-1]
    assert ("movedFrom" in first, found.measure.limit_percent == 40) == (same, same)
    if same:
        assert first["note"] == f"goes on from skills/{SKILL}/SKILL.md, edited since"
        assert found.percent == 60
        assert found.version == 2


def test_renamed_and_edited_skill_goes_on_from_the_one_most_like_it(home):
    """Of two that are gone the likelier is taken; one that another goes on from, and one that is there, is not."""
    texts = {"one": BODY, "two": BODY + "Then look once more at the list.\n", "three": BODY + "Then rest.\n"}
    for name, text in texts.items():
        path = home.claude / "skills" / name / "SKILL.md"
        path.parent.mkdir()
        path.write_text(text)
        drift_of(name, as_of=NOW)
    for name in ("one", "two"):
        (home.claude / "skills" / name / "SKILL.md").unlink()
    for name, text in (("four", texts["two"] + "Eat.\n"), ("five", BODY + "Drink.\n"), ("six", BODY + "Sleep.\n")):
        path = home.claude / "skills" / name / "SKILL.md"
        path.parent.mkdir()
        path.write_text(text)
        drift_of(name, as_of=NOW)
    rows = {row["skillName"]: row.get("movedFrom") for row in AuditLog(home.claude).read()}
    assert (rows["four"], rows["five"], rows["six"]) == ("skills/two/SKILL.md", "skills/one/SKILL.md", None)


def _correct_as(home, name, pair, times=3):
    for number in range(times):
        find_ledger(home.workspace()).record_correction(
            name, original=pair[0], corrected=pair[1], session_id=f"r{number}", at=NOW
        )


@pytest.mark.parametrize("edited", [False, True])
def test_renamed_skill_keeps_what_was_decided(home, edited):
    """What was rejected is not proposed under the new name before three new corrections; what was released holds
    nothing, until it is held again.
    """
    home.correct(*TABS)
    suggestion = home.suggest()
    record_decision(suggestion, approval=approve(suggestion, decision="reject", note="no"), as_of=NOW)
    release_contradiction(SKILL, "c0ffee", as_of=NOW)
    ids = {event.id for event in find_ledger(home.workspace()).corrections()}
    file = _rename(home, "lint-too")
    if edited:
        file.write_text(HEAD + BODY + "By hand.\n")
    record = see(home, "lint-too")
    assert record.released == {"c0ffee"}
    assert record.names == ("lint-too", SKILL)
    _correct_as(home, "lint-too", TABS)
    rejected = record.rejections(_corrections(home), skill_id="lint-too")
    assert [(item.suggested, item.correction_ids) for item in rejected] == [("Use spaces", ids)] * len(rejected)
    assert rejected
    hold_contradiction("lint-too", "c0ffee", as_of=NOW)
    assert not read_state("lint-too").record.released


def see(home, name):
    """The record, once the skill was looked at."""
    drift_of(name, as_of=NOW)
    return read_state(name).record


def _corrections(home):
    return [event.as_correction() for event in find_ledger(home.workspace()).corrections()]


def test_renamed_skill_that_comes_back_keeps_what_was_done_meanwhile(home):
    """Renamed, refined, and renamed back: the cooldown and what was used up are those of the refinement."""
    drift_of(SKILL, as_of=NOW)
    _rename(home, "lint-too")
    _correct_as(home, "lint-too", FIX)
    suggestion = suggest("lint-too", workspace=home.workspace(), as_of=NOW)
    home.apply(suggestion, stamp=False)
    _rename(home, SKILL, old="lint-too")
    found = see(home, SKILL)
    assert found.last_refined == NOW
    assert found.consumed == {event.id for event in find_ledger(home.workspace()).corrections()}
    assert found.refinements == 1
    assert history_of(SKILL).version == 2
    assert eligibility_of(SKILL, as_of=NOW + days(1)).days_remaining == 6
    assert drift_of(SKILL).baseline.digest == content_digest((HEAD + BODY).encode())
    _rename(home, "lint-too")
    assert see(home, "lint-too").last_refined == NOW
    assert see(home, "lint-too").refinements == 1
