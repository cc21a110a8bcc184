"""What a person is told of a skill: eligibility, suggestions, open ones, drift, history, the ledger as a table."""

import errno
import os
from datetime import timedelta

import pytest

import skilltune as st
from skilltune.errors import FrameError, InputError, SkillNotFoundError
from skilltune.evolution.refusals import ApprovalError
from skilltune.refining import acts
from skilltune.refining.acts import (
    as_new,
    hold_contradiction,
    record_decision,
    release_contradiction,
    reset_baseline,
    set_limit,
)
from skilltune.refining.state import read_state
from skilltune.refining.suggesting import eligibility_of, open_suggestions_of, word_opening
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.ledger import find_ledger
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, approve, days, tree
from tests.stores.makers import event


def _reason(home, at=NOW):
    return eligibility_of(SKILL, workspace=home.workspace(), as_of=at).reason


def test_eligibility_goes_from_few_to_eligible_to_cooldown(home):
    """Too few corrections, eligible with three, in cooldown after a refinement, used up after that."""
    home.correct(*FIX, times=2)
    assert _reason(home) == "insufficient_feedback"
    home.correct(*FIX, times=1)
    assert _reason(home) == "eligible"
    home.apply()
    assert _reason(home) == "cooldown"
    assert _reason(home, NOW + days(7)) == "insufficient_feedback"


def test_eligibility_unknown_skill_is_a_value(home):
    """A skill that is not installed is answered, not raised; a path for a name is refused."""
    found = eligibility_of("tidy", workspace=home.workspace(), as_of=NOW)
    assert found.reason == "skill_not_found"
    with pytest.raises(SkillNotFoundError):
        drift_of("tidy")
    for name in ("../tidy", "/etc/passwd"):
        with pytest.raises(InputError):
            eligibility_of(name, workspace=home.workspace())


def test_sight_keeps_a_baseline_and_touches_no_skill(home):
    """Asking takes the baseline once, beside the audit log, and changes nothing else."""
    drift_of(SKILL, as_of=NOW)
    once = tree(home.folder)
    drift_of(SKILL, as_of=NOW + days(1))
    home.suggest()
    assert tree(home.folder) == once
    assert home.file.read_text() == HEAD + BODY
    assert {path.split("/")[1] for path in once} == {"skills", ".audit-log.jsonl", ".skill-snapshots"}


def test_sight_in_a_folder_that_takes_nothing(home):
    """Where no baseline can be kept the answer is given, and says so."""
    (home.claude / ".skill-snapshots").write_text("in the way")
    found = drift_of(SKILL, as_of=NOW)
    assert found.percent == 0
    assert "cannot be kept" in " ".join(found.notes)


def test_contradictions_of_the_ledger(home):
    """A reversal is found in the table, taken back it is not; it holds the change until both sides are kept."""
    home.correct(*FIX)
    home.correct(FIX[1], FIX[0], times=1)
    ledger = st.read_ledger(workspace=home.workspace())
    found = st.contradictions(ledger, skill_id=SKILL)
    assert found.summary == "Found 1 contradiction(s): 1 conflict(s), 0 warning(s)"
    assert _reason(home) == "contradictions"
    release_contradiction(SKILL, found.findings[0].id, note="both hold", as_of=NOW)
    assert _reason(home) == "eligible"
    hold_contradiction(SKILL, found.findings[0].id, as_of=NOW)
    assert _reason(home) == "contradictions"
    find_ledger(home.workspace()).retract(ledger["id"].iloc[-1], by="ada")
    assert not st.contradictions(st.read_ledger(workspace=home.workspace()), skill_id=SKILL).findings
    assert _reason(home) == "eligible"
    with pytest.raises(FrameError):
        st.contradictions(ledger.drop(columns="type"), skill_id=SKILL)


def test_ledger_as_a_table(home):
    """One row an event with skill_id, times in UTC, and what was taken back marked; empty has the same columns."""
    empty = st.read_ledger(workspace=home.workspace())
    home.correct(*FIX, times=1)
    ledger = find_ledger(home.workspace())
    rating = ledger.record_rating(SKILL, score=4, session_id="s")
    ledger.retract(rating.id, by="ada")
    frame = st.read_ledger(workspace=home.workspace())
    assert frame["type"].tolist() == ["correction", "rating", "retract"]
    assert frame["retracted"].tolist() == [False, True, False]
    assert str(frame["timestamp"].dtype).endswith("UTC]")
    assert list(empty.columns) == list(frame.columns)
    assert len(empty) == 0


def test_rejected_is_not_proposed_until_three_new(home):
    """A rejection is recorded, holds the change back, and ends with the third new correction."""
    home.correct(*FIX)
    suggestion = home.suggest()
    with pytest.raises(ApprovalError):
        record_decision(suggestion, approval=approve(suggestion))
    record_decision(suggestion, approval=approve(suggestion, decision="defer"), as_of=NOW)
    assert home.suggest().chosen
    record_decision(suggestion, approval=approve(suggestion, decision="reject", note="no"), as_of=NOW)
    assert not home.suggest().chosen
    home.correct(*FIX, times=2)
    assert not home.suggest().chosen
    home.correct(*FIX, times=1)
    assert home.suggest().chosen
    assert [row["type"] for row in AuditLog(home.claude).read()] == ["first_seen", "defer", "reject"]


def _complain(home, *texts):
    events = [
        event(
            f"E{n}",
            SKILL,
            session_id=f"s{n}",
            user_message_snippet=text,
            attribution="direct",
            timestamp=NOW - timedelta(days=n + 1),
        )
        for n, text in enumerate(texts)
    ]
    FeedbackLog(home.workspace() / "feedback.jsonl").update(events, [])


def test_complaints_become_an_approved_line(home):
    """Mined complaints alone start the loop: an open suggestion, a worded line, approval, the file, then no more."""
    assert open_suggestions_of(SKILL, workspace=home.workspace()) == []
    _complain(home, "no, the summary table is missing", "the summary table is gone again", "wrong, no summary table")
    opened = open_suggestions_of(SKILL, workspace=home.workspace())
    assert [item.group.count for item in opened] == [3]
    suggestion = word_opening(
        SKILL, opening_id=opened[0].id, line="Always end with a summary table.", workspace=home.workspace(), as_of=NOW
    )
    assert suggestion.ready
    done = home.apply(suggestion)
    assert home.file.read_text().endswith("- Always end with a summary table.\n")
    assert done.entry["correctionIds"] == list(opened[0].group.event_ids)
    assert open_suggestions_of(SKILL, workspace=home.workspace()) == []
    with pytest.raises(InputError, match="decided"):
        word_opening(SKILL, opening_id=opened[0].id, line="x", workspace=home.workspace(), as_of=NOW)


def test_rejected_complaints_are_never_shown_again(home):
    """A rejected open suggestion does not come back."""
    _complain(home, "no, the summary table is missing", "the summary table is gone again", "wrong, no summary table")
    opened = open_suggestions_of(SKILL, workspace=home.workspace())[0]
    worded = word_opening(SKILL, opening_id=opened.id, line="Totals.", workspace=home.workspace(), as_of=NOW)
    record_decision(worded, approval=approve(worded, decision="reject"), as_of=NOW)
    assert open_suggestions_of(SKILL, workspace=home.workspace()) == []


def test_reset_baseline_is_an_audited_act(home):
    """Drift is measured from the current body on; who, when and why stand in the log; a note is needed."""
    drift_of(SKILL, as_of=NOW)
    home.write(HEAD + BODY + "Something new. " * 40)
    assert drift_of(SKILL).status == "exceeded"
    with pytest.raises(InputError, match="note"):
        reset_baseline(SKILL, note=" ")
    entry = reset_baseline(SKILL, note="rewritten on purpose", reviewer="ada", as_of=NOW)
    assert (entry["type"], entry["by"], entry["note"]) == ("reset_baseline", "ada", "rewritten on purpose")
    found = drift_of(SKILL)
    assert (found.percent, found.measure.path_percent, found.outside_edit) == (0, 0, False)
    assert found.baseline.source == "reset"


def test_set_limit_is_an_audited_act(home):
    """The drift limit of one skill is set for all workspaces, within its range."""
    for percent in (0, 101, float("nan")):
        with pytest.raises(InputError, match="between"):
            set_limit(SKILL, percent, note="x")
    set_limit(SKILL, 75, note="it grows", as_of=NOW)
    assert drift_of(SKILL, workspace=home.workspace("two")).measure.limit_percent == 75
    home.correct(*FIX)
    assert home.apply().entry["looser"] == ["drift_limit 75 (default 60)"]


def test_as_new_goes_on_under_another_name(home):
    """A new skill of the current text, its name in the front matter, with a baseline of its own; the old one stays."""
    home.correct(*FIX)
    home.apply()
    path = as_new(SKILL, "lint-more", note="split", reviewer="ada", as_of=NOW)
    assert path == home.claude / "skills" / "lint-more" / "SKILL.md"
    assert path.read_text() == home.file.read_text().replace("name: lint-on-save", "name: lint-more")
    assert drift_of("lint-more").percent == 0
    assert drift_of("lint-more").baseline.source == "file"
    for name in ("lint-more", "Lint", "../x", "a/b", "-x"):
        with pytest.raises((InputError, OSError)):
            as_new(SKILL, name)
    assert AuditLog(home.claude).verify().whole


def test_as_new_carries_the_cooldown(home):
    """The new skill rests as long as the old one would, with no stamp in its file either."""
    home.correct(*FIX)
    home.apply(stamp=False)
    as_new(SKILL, "lint-more", as_of=NOW + days(1))
    assert eligibility_of("lint-more", as_of=NOW + days(2)).days_remaining == 5
    assert eligibility_of("lint-more", as_of=NOW + days(7)).reason != "cooldown"


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "append"])
def test_as_new_on_a_full_disk_leaves_nothing(home, monkeypatch, call):
    """Where the file or its entry cannot be written, neither file nor folder of the new skill stays."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    drift_of(SKILL, as_of=NOW)
    if call == "append":
        monkeypatch.setattr(AuditLog, "append", full)
    elif call == "write":
        monkeypatch.setattr(acts, "replace_file", full)
    else:
        monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left"):
        as_new(SKILL, "lint-more", as_of=NOW)
    monkeypatch.undo()
    assert not (home.claude / "skills" / "lint-more").exists()
    assert [entry["type"] for entry in AuditLog(home.claude).read()] == ["first_seen"]


def test_limit_out_of_its_range_does_not_count(home):
    """An entry with a limit that nobody can set is passed over."""
    set_limit(SKILL, 40, note="strict", as_of=NOW)
    log, place = AuditLog(home.claude), read_state(SKILL).place
    for limit in (1e9, -1, True, "90", 0):
        log.append(place.entry("set_limit", at=NOW, by="x", limit=limit))
        assert drift_of(SKILL, as_of=NOW).measure.limit_percent == 40


def test_history_tells_versions_and_acts(home):
    """Every version with its number, kind and figures; every act; an edit from outside is told."""
    home.correct(*FIX)
    home.apply()
    home.correct(*TABS, at=NOW + days(9))
    home.write(home.file.read_bytes() + b"By hand.\n")
    assert history_of(SKILL).outside_edit
    home.apply(at=NOW + days(9))
    found = history_of(SKILL)
    assert [(v.number, v.type) for v in found.versions] == [
        (1, "first_seen"),
        (2, "refine"),
        (3, "outside_edit"),
        (4, "refine"),
    ]
    assert found.versions[1].change_percent == 2
    assert found.version == 4
    assert not found.outside_edit
    assert found.path == home.file


def test_hidden_skill_is_told(home, monkeypatch):
    """With a project's skill of the same name the user's is refined, and the notes say what it hides."""
    other = home.folder / "shop" / ".claude" / "skills" / SKILL / "SKILL.md"
    other.parent.mkdir(parents=True)
    other.write_text(HEAD + BODY)
    monkeypatch.chdir(home.folder / "shop")
    home.correct(*FIX)
    assert any(str(other) in note for note in home.apply().notes)
    assert other.read_text() == HEAD + BODY
    there = drift_of(SKILL, base_directory=other.parent)
    assert there.version == 1
    assert (home.folder / "shop" / ".claude" / ".audit-log.jsonl").exists()
