"""What the system refuses about the audit log and its snapshots: told in words of its own, and no skill is changed."""

import os
from datetime import timedelta

import pytest

from skilltune.errors import AuditError, CooldownError, DamagedError, InputError
from skilltune.refining import clock
from skilltune.refining.acts import as_new, record_decision, set_limit
from skilltune.refining.candidates import reopen_candidate
from skilltune.refining.restarting import restart_log
from skilltune.refining.rolling import rollback
from skilltune.refining.state import read_state
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from tests.refining.homes import FIX, NOW, SKILL, TABS, approve, days


def _file_for_snapshots(home):
    home.head.parent.write_text("in the way")


def _folder_for_lock(home):
    home.log.with_name(home.log.name + ".lock").mkdir()


@pytest.mark.parametrize("fault", [_file_for_snapshots, _folder_for_lock], ids=lambda fault: fault.__name__.strip("_"))
def test_what_cannot_be_written_names_no_option_that_does_not_help(home, fault):
    """The message says that the skill is unchanged, which folder is meant, and nothing of --workspace or of locks."""
    home.correct(*FIX)
    suggestion = home.suggest()
    before = home.file.read_bytes()
    home.lose_history()
    for path in (*home.head.parent.iterdir(), home.log.with_name(home.log.name + ".lock")):
        path.unlink(missing_ok=True)
    home.head.parent.rmdir()
    fault(home)
    for act in (lambda: home.apply(suggestion), lambda: set_limit(SKILL, 70, note="longer", as_of=NOW)):
        with pytest.raises(AuditError) as told:
            act()
        assert "nothing was written, and no skill is changed" in str(told.value)
        assert str(home.claude) in str(told.value)
        assert [word for word in ("--workspace", "--output", "pending", ".lock") if word in str(told.value)] == []
    assert home.file.read_bytes() == before


def _pipe(path):
    os.mkfifo(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")
@pytest.mark.parametrize("make", [_pipe, os.mkdir], ids=["pipe", "folder"])
@pytest.mark.parametrize("what", ["log", "head"])
def test_log_that_is_no_file_is_set_aside(home, make, what):
    """A pipe or folder in the place of the log or its head counts as damaged, and a new log keeps the bounds."""
    home.correct(*FIX)
    home.apply()
    path = getattr(home, what)
    path.unlink()
    make(path)
    for ask in (lambda: history_of(SKILL), lambda: rollback(SKILL, as_of=NOW)):
        with pytest.raises(DamagedError, match="skilltune audit restart") as told:
            ask()
        assert str(told.value).count("not as it was written") == 1
    done = restart_log(home.claude, note="a pipe", reviewer="ada", as_of=NOW)
    assert AuditLog(home.claude).verify().whole
    assert done.aside.exists()
    assert read_state(SKILL).record.last_refined == NOW
    rollback(SKILL, as_of=NOW)


def test_snapshot_that_is_no_file_is_told_as_missing(home):
    """A folder in the place of a snapshot is a damage, and the message names the version."""
    home.correct(*FIX)
    home.apply()
    path = home.head.parent / f"{history_of(SKILL).versions[0].digest}.md"
    path.unlink()
    path.mkdir()
    with pytest.raises(DamagedError, match="the text of version 1"):
        rollback(SKILL, as_of=NOW)


def test_acts_to_come_are_refused(home, monkeypatch):
    """No act is recorded as of a day that the clock has not reached; nothing is written."""
    home.correct(*TABS)
    waiting = home.suggest()
    monkeypatch.setattr(clock, "read_clock", lambda: NOW)
    later, before = NOW + timedelta(days=3), home.log.read_bytes()
    acts = [
        lambda: as_new(SKILL, "lint-new", as_of=later),
        lambda: set_limit(SKILL, 70, note="longer", as_of=later),
        lambda: record_decision(waiting, approval=approve(waiting, decision="reject"), as_of=later),
        lambda: reopen_candidate("c0ffee", workspace=home.workspace(), as_of=later),
    ]
    for act in acts:
        with pytest.raises(InputError, match="as_of is 2026-12-03"):
            act()
    assert home.log.read_bytes() == before
    assert not (home.claude / "skills" / "lint-new").exists()


def test_who_acted_is_kept_without_secrets(home):
    """A key that was given as a name is masked in the log and in its head."""
    secret = "ghp_" + "a1B2c3D4e5" * 4
    drift_of(SKILL, as_of=NOW)
    set_limit(SKILL, 70, note="longer", reviewer=f"ada {secret}", as_of=NOW)
    assert secret not in home.log.read_text() + home.head.read_text()
    assert AuditLog(home.claude).read()[-1]["by"].startswith("ada ")


def test_stamp_to_come_names_the_way_out(home):
    """A skill that a wrong date keeps resting for good: the refusal names file and date, and correcting it helps."""
    home.correct(*FIX)
    home.apply()
    home.correct(*TABS)
    stamped = home.file.read_text()
    home.write(stamped.replace("2026-11-30", "2098-01-01"))
    assert home.file.read_text() != stamped
    suggestion = home.suggest(at=NOW + days(8))
    with pytest.raises(CooldownError, match=r"SKILL\.md says that it was refined on 2098-01-01.*correct that date"):
        home.apply(suggestion, at=NOW + days(8))
    home.write(stamped)
    assert home.suggest(at=NOW + days(8)).chosen
