"""Apply and rollback killed at every step, and two at once: the file is old or new, and the log agrees."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from skilltune.errors import CooldownError, DamagedError, LogError, RefusedError, StaleError
from skilltune.refining import writing
from skilltune.refining.places import find_place
from skilltune.refining.rolling import rollback
from skilltune.refining.state import read_state
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores import files
from skilltune.stores.audit import AuditLog
from skilltune.stores.heads import read_head_file
from skilltune.stores.skill_writing import new_path
from skilltune.stores.snapshots import content_digest
from tests.conftest import ROOT
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, days, make_home
from tests.stores import makers

CALLS = (*makers.SYSTEM_CALLS, "unlink", "mkdir", "chmod")


@pytest.fixture(autouse=True)
def _every_call(monkeypatch):
    """Processes are killed before any call that changes something on disk."""
    monkeypatch.setattr(makers, "SYSTEM_CALLS", CALLS)


def _ready_to_apply(home) -> Callable[[], object]:
    home.correct(*FIX)
    suggestion = home.suggest()
    return lambda: home.apply(suggestion)


def _first_sight_and_apply(home) -> Callable[[], object]:
    home.correct(*FIX)
    suggestion = home.suggest()
    home.lose_history()
    return lambda: home.apply(suggestion)


def _apply_over_an_edit(home) -> Callable[[], object]:
    home.correct(*FIX)
    home.suggest()
    home.write(HEAD + BODY + "By hand.\n")
    suggestion = home.suggest()
    return lambda: home.apply(suggestion)


def _ready_to_roll_back(home) -> Callable[[], object]:
    home.correct(*FIX)
    home.apply()
    return lambda: rollback(SKILL, as_of=NOW)


def _roll_back_over_an_edit(home) -> Callable[[], object]:
    home.correct(*FIX)
    home.apply()
    home.write(home.file.read_bytes() + b"By hand.\n")
    return lambda: rollback(SKILL, over_outside_edits=True, as_of=NOW)


READY = [
    _ready_to_apply,
    _first_sight_and_apply,
    _apply_over_an_edit,
    _ready_to_roll_back,
    _roll_back_over_an_edit,
]


def _acts(home) -> list[str]:
    """What the log says was done to the file."""
    kinds = [row["type"] for row in AuditLog(home.claude).read()]
    return [kind for kind in kinds if kind in ("refine", "rollback")]


@pytest.mark.parametrize("prepare", READY, ids=lambda prepare: prepare.__name__.strip("_"))
def test_kill_at_each_step(tmp_path, monkeypatch, prepare):
    """Killed before any change to the disk the file is old or new, whole; after the next start the log agrees."""
    wanted = make_home(tmp_path / "wanted", monkeypatch)
    work = prepare(wanted)
    old, acts = wanted.file.read_bytes(), _acts(wanted)
    work()
    new = wanted.file.read_bytes()
    outcomes = set()
    for at in range(1, 200):
        home = make_home(tmp_path / str(at), monkeypatch)
        work = prepare(home)
        killed = makers.run_killed(work, at=at)
        assert home.file.read_bytes() in (old, new)
        is_new = home.file.read_bytes() == new
        drift_of(SKILL, as_of=NOW)
        assert AuditLog(home.claude).verify().whole
        assert not list(home.head.parent.glob("pending*.json"))
        assert read_head_file(home.head).seq == len(AuditLog(home.claude).read())
        assert not new_path(home.file).exists()
        assert _acts(home) == (_acts(wanted) if is_new else acts)
        outcomes.add((killed, is_new, history_of(SKILL).versions[-1].healed))
        if not is_new:
            work()
        assert home.file.read_bytes() == new
        assert _acts(home) == _acts(wanted)
        assert not history_of(SKILL).outside_edit
        if not killed:
            break
    assert not killed
    assert at > 12
    assert {(True, False, False), (True, True, True), (False, True, False)} <= outcomes


def test_heal_counts_what_it_cannot_tell(home):
    """Killed after the file was written, then edited: the refinement counts, and the edit is one from outside."""
    _killed_after_the_file(home)
    home.write(home.file.read_bytes() + b"By hand.\n")
    found = history_of(SKILL)
    assert found.versions[-1].healed
    assert found.outside_edit
    home.correct(*TABS)
    with pytest.raises(CooldownError):
        home.apply(at=NOW + days(6))


def test_heal_does_not_count_what_was_never_written(home):
    """Killed when the new file stood beside the old one, then edited: nothing was refined, and nothing is left over."""
    home.correct(*FIX)
    suggestion = home.suggest()
    for at in range(1, 200):
        if not makers.run_killed(lambda: home.apply(suggestion), at=at) or new_path(home.file).exists():
            break
    assert new_path(home.file).exists()
    home.write(HEAD + BODY + "By hand.\n")
    assert [version.type for version in history_of(SKILL).versions] == ["first_seen"]
    assert not new_path(home.file).exists()
    home.apply()


def test_edit_in_the_last_moment(home, monkeypatch):
    """An edit between reading and writing is not overwritten: the act is refused, and the edit stands."""
    home.correct(*FIX)
    suggestion = home.suggest()
    edited = HEAD + BODY + "By hand.\n"

    def edit_then_replace(path, content):
        home.write(edited)
        files.replace_file(path, content)

    monkeypatch.setattr(writing, "replace_file", edit_then_replace)
    with pytest.raises(StaleError):
        home.apply(suggestion)
    assert home.file.read_text() == edited
    assert _acts(home) == []
    assert history_of(SKILL).outside_edit


def test_log_that_fails_after_the_file(home, monkeypatch):
    """Where the last entry cannot be written that is told, and the entry is there after the next start."""
    home.correct(*FIX)
    suggestion = home.suggest()

    def fail(log, *entries):
        if entries[-1]["type"] == "refine":
            raise LogError("the disk is full")
        return append(log, *entries)

    append = AuditLog.append
    monkeypatch.setattr(AuditLog, "append", fail)
    with pytest.raises(LogError, match="was written, but its entry"):
        home.apply(suggestion)
    monkeypatch.undo()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home.claude))
    assert history_of(SKILL).versions[-1].healed
    assert not history_of(SKILL).outside_edit


def test_pending_note_of_somebody_else(home):
    """A note that is none of ours is not believed: told for the skill it names, nothing outside written or deleted."""
    drift_of(SKILL, as_of=NOW)
    pending = find_place(SKILL).pending
    outside = home.folder / ".x.skilltune-new"
    outside.write_text("mine")
    key, kept = f"skills/{SKILL}/SKILL.md", content_digest(home.file.read_bytes())
    forged = {"type": "set_limit", "file": key, "id": "1", "limit": 1e9, "beforeDigest": kept, "afterDigest": kept}
    gone = {**forged, "type": "refine", "afterDigest": "0" * 64}
    notes = [json.dumps({"entry": row, "before": kept, "after": row["afterDigest"]}) for row in (forged, gone)]
    for text in ("{", "[1]", '{"entry": {}}', "", "[" * 100_000, *notes):
        pending.write_text(text)
        with pytest.raises(DamagedError, match=r"pending-[0-9a-f]{16}\.json"):
            history_of(SKILL)
    pending.unlink()
    for name in ("pending.json", "pending-0123456789abcdef.json"):
        pending.with_name(name).write_text('{"entry":{"file":"../x","id":"1"},"before":"a","after":"b"}')
    assert history_of(SKILL).version == 1
    home.correct(*FIX)
    assert home.apply().version == 2
    assert pending.with_name("pending.json").exists()
    assert outside.read_text() == "mine"


def test_pending_note_that_is_a_folder(home):
    """A folder where the note would be is told, and stays."""
    drift_of(SKILL, as_of=NOW)
    pending = find_place(SKILL).pending
    pending.mkdir()
    with pytest.raises(DamagedError, match=r"pending-[0-9a-f]{16}\.json"):
        history_of(SKILL)
    assert pending.is_dir()


def test_pending_note_of_one_skill_stops_no_other(home):
    """One that cannot be read stops its own skill; of others, and where one note was for all, it is told and left."""
    other = home.claude / "skills" / "tidy" / "SKILL.md"
    other.parent.mkdir()
    other.write_text(HEAD + BODY)
    for name in (SKILL, "tidy"):
        drift_of(name, as_of=NOW)
    find_place("tidy").pending.write_text("{")
    home.head.with_name("pending.json").write_text("\x00")
    home.correct(*FIX)
    done = home.apply()
    assert done.version == 2
    assert any("pending.json is no note" in note for note in done.notes)
    with pytest.raises(DamagedError, match="pending-"):
        history_of("tidy")


def _killed_after_the_file(home) -> None:
    """The file is written, the entry and the note's end are not."""
    home.correct(*FIX)
    suggestion = home.suggest()
    for at in range(1, 200):
        if not makers.run_killed(lambda: home.apply(suggestion), at=at):
            pytest.fail("never killed between file and log")
        if home.file.read_text() != HEAD + BODY:
            return


def test_pending_note_of_old_is_healed(home):
    """A note of the time when a folder had one for all its skills is completed, for whichever skill comes first."""
    _killed_after_the_file(home)
    pending = find_place(SKILL).pending
    pending.rename(pending.with_name("pending.json"))
    other = home.claude / "skills" / "tidy" / "SKILL.md"
    other.parent.mkdir()
    other.write_text("Another skill.\n")
    drift_of("tidy", as_of=NOW)
    assert not list(home.head.parent.glob("pending*.json"))
    assert history_of(SKILL).versions[-1].healed


def test_pending_note_of_a_skill_renamed_after_a_crash(home):
    """Killed between file and log, then renamed: the refinement counts under the new name."""
    _killed_after_the_file(home)
    home.file.parent.rename(home.claude / "skills" / "lint-too")
    drift_of("lint-too", as_of=NOW)
    assert read_state("lint-too").record.last_refined == NOW


CODE = """
import pathlib, sys, time
from skilltune.errors import RefusedError
from tests.refining.homes import Home, NOW
home = Home(pathlib.Path(sys.argv[1]))
suggestion = home.suggest(workspace=sys.argv[2])
(home.folder / f"ready-{sys.argv[3]}").touch()
while not (home.folder / "go").exists():
    time.sleep(0.001)
try:
    home.apply(suggestion, workspace=sys.argv[2])
    print("applied")
except RefusedError as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize("second", ["one", "two"])
def test_two_processes_at_once(home, second):
    """Of two processes that apply at the same time one wins, and the other is told that the body is stale."""
    home.correct(*FIX)
    if second == "two":
        home.correct(*TABS, workspace="two")
    home.suggest()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", CODE, str(home.folder), workspace, str(number)],
            cwd=ROOT,
            env=os.environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number, workspace in enumerate(["one", second])
    ]
    until = time.monotonic() + 60
    while not all((home.folder / f"ready-{number}").exists() for number in range(2)) and time.monotonic() < until:
        time.sleep(0.01)
    (home.folder / "go").touch()
    said = sorted(process.communicate(timeout=60)[0].strip() for process in running)
    assert said == ["StaleError", "applied"]
    log = AuditLog(home.claude)
    assert log.verify().whole
    assert [row["type"] for row in log.read()].count("refine") == 1
    with pytest.raises(RefusedError):
        home.apply(at=NOW + days(1))
