"""What a person decided is taken back; notes are kept without secrets; an act says what else is to be known."""

import json
import os

import pytest

from skilltune.errors import InputError
from skilltune.evolution.complaints import Complaint, ComplaintGroup
from skilltune.refining.acts import record_decision, release_contradiction, reopen, set_limit
from skilltune.refining.notes import clean_note, keep_note
from skilltune.refining.rolling import rollback
from skilltune.refining.state import read_state
from skilltune.refining.taking_back import opening_id
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, approve, days, tree

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
"""What a pattern of tokens finds."""


def _decide(home, decision="reject"):
    suggestion = home.suggest()
    record_decision(suggestion, approval=approve(suggestion, decision=decision), as_of=NOW)
    return suggestion.digest


@pytest.mark.parametrize("chars", [7, 12, 64])
def test_rejection_is_taken_back(home, chars):
    """What was rejected is proposed again at once; rejected anew it holds anew; the log says all of it."""
    home.correct(*FIX)
    digest = _decide(home)
    assert not home.suggest().chosen
    entry = reopen(SKILL, digest[:chars], note="too hasty", reviewer="ada", as_of=NOW)
    assert (entry["type"], entry["target"], entry["by"], entry["note"]) == (
        "reopen",
        digest[:chars],
        "ada",
        "too hasty",
    )
    assert home.suggest().chosen
    with pytest.raises(InputError, match="nothing decided that can be taken back"):
        reopen(SKILL, digest, as_of=NOW)
    _decide(home)
    assert not home.suggest().chosen
    kinds = [row["type"] for row in AuditLog(home.claude).read()]
    assert kinds == ["first_seen", "reject", "reopen", "reject"]


def test_rejection_is_taken_back_after_a_rename(home):
    """What was carried over can be opened again, under the new name."""
    home.correct(*FIX)
    digest = _decide(home)
    home.file.parent.rename(home.claude / "skills" / "lint-too")
    drift_of("lint-too", as_of=NOW)
    assert read_state("lint-too").record.refusals
    reopen("lint-too", digest, as_of=NOW)
    assert not read_state("lint-too").record.refusals


def test_deferral_and_release_are_taken_back(home):
    """A deferral is opened once; a released contradiction holds again."""
    home.correct(*FIX)
    digest = _decide(home, "defer")
    reopen(SKILL, digest[:12], as_of=NOW)
    with pytest.raises(InputError, match="nothing decided"):
        reopen(SKILL, digest[:12], as_of=NOW)
    release_contradiction(SKILL, "c0ffee", note="both hold", as_of=NOW)
    assert read_state(SKILL).record.released == {"c0ffee"}
    assert reopen(SKILL, "c0ffee", as_of=NOW)["contradiction"] == "c0ffee"
    assert not read_state(SKILL).record.released


def test_reopen_names_what_there_is(home):
    """An id that nothing was decided under, or too few signs of one, is refused with those there are."""
    home.correct(*FIX)
    digest = _decide(home)
    before = tree(home.folder)
    for target in ("0" * 12, digest[:6], ""):
        with pytest.raises(InputError, match=rf"{digest[:12]} \(rejected\)"):
            reopen(SKILL, target, as_of=NOW)
    assert tree(home.folder) == before


def test_opening_id_is_that_of_the_group():
    """An open suggestion is found by its complaints."""
    said = [
        Complaint(event_id=id_, skill_id=SKILL, session_id=id_, timestamp=NOW, dimension="accuracy", text="no")
        for id_ in ("e2", "e1")
    ]
    group = ComplaintGroup(skill_id=SKILL, dimension="accuracy", words=(), complaints=tuple(said), shared=())
    assert opening_id(SKILL, ["e1", "e2"]) == group.id


def test_rejected_opening_is_taken_back_by_its_id(home):
    """The entry of a rejected line names its complaints, so that the id of the open suggestion finds it."""
    drift_of(SKILL, as_of=NOW)
    place, log = read_state(SKILL).place, AuditLog(home.claude)
    changes = [{"number": 1, "kind": "append", "key": "", "ids": ["e1", "e2", "e3"]}]
    log.append(place.entry("reject", at=NOW, by="ada", suggestionDigest="ab" * 32, changes=changes))
    assert read_state(SKILL).record.decided == {"e1", "e2", "e3"}
    reopen(SKILL, opening_id(SKILL, ["e3", "e1", "e2"]), as_of=NOW)
    assert not read_state(SKILL).record.decided


def test_secret_in_a_note_is_masked_and_told(home):
    """No act brings a key into the audit log; what was masked is said in the entry and in the result."""
    home.correct(*FIX)
    suggestion = home.suggest()
    done = home.apply(suggestion, approval=approve(suggestion, note=f"as in the mail, token {TOKEN}"))
    assert any("masked" in note for note in done.notes)
    assert done.entry["noteMasked"]
    back = rollback(SKILL, note=f"password: {TOKEN}", as_of=NOW)
    assert any("masked" in note for note in back.notes)
    assert set_limit(SKILL, 50, note=f"see {TOKEN}", as_of=NOW)["note"] == "see [secret]"
    assert "noteMasked" not in set_limit(SKILL, 50, note="plain", as_of=NOW)
    assert TOKEN not in home.log.read_text() + home.head.read_text()


def test_note_is_one_line_without_what_a_terminal_obeys(home):
    """Line ends become blanks; escapes, marks that turn the direction and invisible signs are left out; words stay."""
    odd = "as\nagreed\r\n\x1b[31m\u202ered\u2066 \u200bin\u2028 größe \u0645\u06cc\u200c\u062e 👩\u200d🔧"
    assert clean_note(odd) == "as agreed [31mred in größe \u0645\u06cc\u200c\u062e 👩\u200d🔧"
    assert keep_note("plain").text == "plain"
    drift_of(SKILL, as_of=NOW)
    set_limit(SKILL, 50, note=odd, as_of=NOW)
    raw = home.log.read_text()
    assert not {"\x1b", "\u202e", "\u2066", "\u200b"} & set(raw)
    # an entry of a version that did not clean its notes
    log, place = AuditLog(home.claude), read_state(SKILL).place
    log.append(place.entry("rollback", at=NOW, by="x", version=2) | {"note": odd})
    assert history_of(SKILL).versions[-1].note == clean_note(odd)


def test_other_hard_links_are_told(home):
    """A file with other names on disk: what is written does not reach them, which state and result say."""
    other = home.folder / "backup.md"
    os.link(home.file, other)
    home.correct(*FIX)
    assert any("another hard link" in note for note in drift_of(SKILL, as_of=NOW).notes)
    done = home.apply()
    assert any("keeps the old text" in note for note in done.notes)
    assert other.read_text() == HEAD + BODY
    assert not any("hard link" in note for note in drift_of(SKILL).notes)


def test_refinement_that_was_rolled_back_says_so(home):
    """When, and by which version; one that was put in place again is no longer undone."""
    home.correct(*FIX)
    home.apply()
    rollback(SKILL, as_of=NOW + days(1))
    undone = history_of(SKILL).versions[1]
    assert (undone.number, undone.undone_at, undone.undone_by) == (2, NOW + days(1), 3)
    assert [version.undone_at for version in history_of(SKILL).versions if version.number != 2] == [None, None]
    rollback(SKILL, to=2, as_of=NOW + days(2))
    assert history_of(SKILL).versions[1].undone_at is None


def test_empty_first_text_is_no_baseline(home):
    """A skill first seen without a text is measured from its first text on: drift is known, grows, and is a bound."""
    home.write(HEAD)
    first = drift_of(SKILL, as_of=NOW)
    assert first.status == "undefined"
    assert first.measure.note
    home.write(HEAD + BODY)
    found = drift_of(SKILL, as_of=NOW)
    assert (found.percent, found.status) == (0, "within_bounds")
    assert any("first that is not" in note for note in found.notes)
    home.correct(*FIX)
    done = home.apply()
    assert done.drift.percent == home_drift(home)
    assert done.drift.percent > 0
    percent = home_drift(home)
    home.file.parent.rename(home.claude / "skills" / "lint-too")
    assert drift_of("lint-too", as_of=NOW).percent == percent
    (home.claude / "skills" / "lint-too" / "SKILL.md").write_text(HEAD + "Something new. " * 60)
    assert drift_of("lint-too", as_of=NOW).status == "exceeded"


def home_drift(home):
    """As it is told now."""
    return drift_of(SKILL, as_of=NOW).percent


@pytest.mark.parametrize("body", ["", "\n", " \n\t\n"])
def test_blank_first_text_bounds_the_growth_of_the_next(home, body):
    """Blanks only are an empty text; the head of the log carries the baseline in force."""
    home.write(HEAD + body)
    drift_of(SKILL, as_of=NOW)
    home.write(HEAD + BODY)
    home.correct(*TABS)
    home.apply()
    assert drift_of(SKILL).measure.path_percent == drift_of(SKILL).percent > 0
    kept = json.loads(home.head.read_text())["skills"][f"skills/{SKILL}/SKILL.md"]
    assert kept["baselineDigest"] == history_of(SKILL).versions[1].digest
