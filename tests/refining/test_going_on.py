"""A refinement can be undone, byte for byte, whatever became of the skill's folder and of its audit log since."""

import pytest

from skilltune.errors import DamagedError, NoEffectError, OutsideEditError
from skilltune.refining.acts import release_contradiction, reset_baseline, set_limit
from skilltune.refining.places import find_log
from skilltune.refining.restarting import restart_log
from skilltune.refining.rolling import rollback
from skilltune.refining.state import read_state
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.heads import read_head_file
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, days

FIRST = (HEAD + BODY).encode()


def _rename(home, new="lint-too"):
    home.file.parent.rename(home.claude / "skills" / new)
    home.skill = new


def _rename_and_look(home):
    _rename(home)
    drift_of(home.skill, as_of=NOW + days(1))


def _rename_and_return(home):
    _rename_and_look(home)
    release_contradiction(home.skill, "c0ffee", as_of=NOW + days(1))
    _rename(home, SKILL)


def _cut_and_restart(home):
    home.log.write_bytes(b"".join(home.log.read_bytes().splitlines(keepends=True)[:-1]))
    _restart(home)


def _lose_and_restart(home):
    home.log.unlink()
    _restart(home)


def _spoil_the_head_and_restart(home):
    home.head.write_text("{")
    _restart(home)


def _restart(home):
    restart_log(home.claude, note="the disk was full", reviewer="ada", as_of=NOW + days(1))


def _restart_twice(home):
    _lose_and_restart(home)
    _lose_and_restart(home)


def _rename_then_restart(home):
    _rename_and_look(home)
    _lose_and_restart(home)


def _restart_then_rename(home):
    _lose_and_restart(home)
    _rename(home)


def _rename_unseen_then_restart(home):
    _rename(home)
    _lose_and_restart(home)


def _return_and_restart(home):
    _rename_and_return(home)
    drift_of(home.skill, as_of=NOW + days(1))
    _cut_and_restart(home)


FATES = [
    _rename,
    _rename_and_look,
    _rename_and_return,
    _cut_and_restart,
    _lose_and_restart,
    _spoil_the_head_and_restart,
    _restart_twice,
    _rename_then_restart,
    _restart_then_rename,
    _rename_unseen_then_restart,
    _return_and_restart,
]


def _refined(home):
    """A skill that was refined once."""
    home.correct(*FIX)
    return home.apply()


@pytest.mark.parametrize("to", [None, 1, "1"])
@pytest.mark.parametrize("fate", FATES, ids=lambda fate: fate.__name__.strip("_"))
def test_refinement_is_undone_byte_for_byte(home, fate, to):
    """Renamed, begun anew, both: the text before the refinement comes back, as a version after it."""
    done = _refined(home)
    after = home.file.read_bytes()
    fate(home)
    assert home.file.read_bytes() == after
    told = history_of(home.skill)
    assert [(item.number, item.type) for item in told.versions] == [(1, "first_seen"), (2, "refine")]
    assert (told.version, told.versions[1].by, told.notes) == (2, "ada", ())
    assert told.versions[1].change_percent == done.entry["changePercent"]
    back = rollback(home.skill, to=to, as_of=NOW + days(2))
    assert home.file.read_bytes() == FIRST
    assert (back.version, back.entry["toVersion"], back.entry["undone"]) == (3, 1, [2])
    assert back.drift.percent == 0
    record = read_state(home.skill).record
    assert (record.undone, record.versions[1].undone_by) == ({2}, 3)
    assert [item.type for item in record.refusals] == ["refine"]
    rollback(home.skill, to=2, as_of=NOW + days(2))
    assert home.file.read_bytes() == after
    assert not read_state(home.skill).record.refusals
    assert AuditLog(home.claude).verify().whole


@pytest.mark.parametrize("fate", FATES, ids=lambda fate: fate.__name__.strip("_"))
def test_rolled_back_refinement_stays_rejected(home, fate):
    """What was undone before is not proposed afterwards, and its cooldown, its ids and its count go on."""
    _refined(home)
    rollback(SKILL, as_of=NOW)
    old = read_state(SKILL).record
    fate(home)
    drift_of(home.skill, as_of=NOW + days(1))
    new = read_state(home.skill).record
    assert [item.row() for item in new.refusals] == [item.row() for item in old.refusals]
    assert (new.consumed, new.refinements, new.last_refined) == (old.consumed, 1, NOW)
    assert (new.undone, [item.number for item in new.versions]) == ({2}, [1, 2, 3])


@pytest.mark.parametrize("fate", FATES, ids=lambda fate: fate.__name__.strip("_"))
def test_versions_before_a_baseline_taken_anew_stay_before_it(home, fate):
    """Drift by its course counts the texts since the baseline in force, and no older one."""
    _refined(home)
    reset_baseline(SKILL, note="grown", as_of=NOW)
    home.correct(*TABS)
    home.apply(at=NOW + days(8))
    old = read_state(SKILL)
    fate(home)
    drift_of(home.skill, as_of=NOW + days(9))
    new = read_state(home.skill)
    assert [item.number for item in new.since_baseline] == [item.number for item in old.since_baseline] == [3]
    assert new.measure() == old.measure()
    assert [item.number for item in new.record.versions] == [1, 2, 3]


def test_edit_while_renaming_is_not_overwritten_unasked(home):
    """A text that nobody kept yet is an edit from outside, under a new name too."""
    _refined(home)
    _rename(home)
    home.write(home.file.read_bytes() + b"By hand.\n")
    edited = home.file.read_bytes()
    with pytest.raises(OutsideEditError, match=r"drift lint-too --diff.*--over-outside-edits"):
        rollback("lint-too", as_of=NOW)
    assert home.file.read_bytes() == edited
    rollback("lint-too", over_outside_edits=True, as_of=NOW)
    assert home.file.read_bytes() == FIRST
    rollback("lint-too", to=3, as_of=NOW)
    assert home.file.read_bytes() == edited


def _nothing(_home):
    """It stays as it is."""


@pytest.mark.parametrize("fate", [_nothing, _rename, _lose_and_restart], ids=lambda fate: fate.__name__.strip("_"))
def test_version_whose_text_is_gone_is_told(home, fate):
    """A snapshot that is missing: history and rollback say which version, and which texts are there."""
    _refined(home)
    (home.head.parent / f"{history_of(SKILL).versions[0].digest}.md").unlink()
    fate(home)
    assert any("the text of version 1 is missing" in note for note in history_of(home.skill).notes)
    before = home.file.read_bytes()
    with pytest.raises(DamagedError, match=r"the text of version 1 of .*the texts of 2 are there; nothing was written"):
        rollback(home.skill, as_of=NOW)
    assert home.file.read_bytes() == before


def test_refined_skill_without_its_log_is_not_called_unrefined(home):
    """A file that is stamped was refined, whatever is known of it; one that never was is said to be so."""
    with pytest.raises(NoEffectError, match="was never refined"):
        rollback(SKILL, as_of=NOW)
    _refined(home)
    home.lose_history()
    with pytest.raises(NoEffectError, match=r"was refined before, but .*nothing was written: name a commit") as told:
        rollback(SKILL, as_of=NOW)
    assert "never refined" not in str(told.value)


def test_ids_are_in_the_log_once(home):
    """The entry of the refinement holds the ids that it used up; neither its approval nor a renamed skill's say them
    again, and all bounds rest on them all the same.
    """
    home.correct(*FIX, times=100)
    done = _refined(home)
    (change,) = done.entry["changes"]
    ids = done.entry["correctionIds"]
    assert change["count"] == len(ids) >= 100
    for id_ in ids:
        assert home.log.read_text().count(id_) == 1
    _rename_and_look(home)
    assert read_state("lint-too").record.consumed == set(ids)
    assert home.log.read_text().count(ids[0]) == 2
    rollback("lint-too", as_of=NOW)
    (refusal,) = read_state("lint-too").record.refusals
    assert [set(item["ids"]) for item in refusal.changes] == [set(ids)]


def test_head_holds_long_lists_of_ids_beside_it(home):
    """The head that each entry writes anew names a file that holds the ids; a log begun anew takes them from there."""
    home.correct(*FIX, times=200)
    done = _refined(home)
    ids = done.entry["correctionIds"]
    assert ids[0] not in home.head.read_text()
    kept = sorted(path.name for path in home.head.parent.glob("ids-*"))
    set_limit(SKILL, 70, note="longer", as_of=NOW)
    assert sorted(path.name for path in home.head.parent.glob("ids-*")) == kept
    assert len(kept) == 1
    home.log.unlink()
    _restart(home)
    assert read_state(SKILL).record.consumed == set(ids)
    head = find_log(home.claude).head_path
    (home.head.parent / kept[0]).unlink()
    assert read_head_file(head) is not None
    home.log.write_bytes(home.log.read_bytes().replace(b'"by":"ada"', b'"by":"bob"'))
    _restart(home)
    assert read_state(SKILL).record.consumed == set(ids)
