"""A log that was cut, changed or moved away is noticed, and one begun anew keeps every bound."""

import json
import shlex
import subprocess

import pytest

from skilltune.errors import DamagedError, InputError
from skilltune.refining.acts import record_decision, release_contradiction, reset_baseline, set_limit
from skilltune.refining.restarting import restart_log
from skilltune.refining.rolling import rollback
from skilltune.refining.state import read_state
from skilltune.refining.suggesting import eligibility_of
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.heads import read_head_file
from skilltune.stores.snapshots import content_digest
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, approve, days, tree
from tests.stores import makers


def _lines(home):
    return home.log.read_bytes().splitlines(keepends=True)


def _cut_the_end(home):
    home.log.write_bytes(b"".join(_lines(home)[:-2]))


def _empty(home):
    home.log.write_bytes(b"")


def _move_away(home):
    home.log.rename(home.log.with_name("away.jsonl"))


def _change(home):
    home.log.write_bytes(home.log.read_bytes().replace(b'"by":"ada"', b'"by":"bob"'))


def _exchange(home):
    """Another log, whole in itself, of as many entries."""
    entries = [{"type": "set_limit", "file": f"skills/{SKILL}/SKILL.md", "limit": 99.0} for _ in _lines(home)]
    head = home.head.read_bytes()
    home.lose_history()
    AuditLog(home.claude).append(*entries)
    home.head.write_bytes(head)


def _unchain_the_last(home):
    """The last entry looks like a line of another tool."""
    lines = _lines(home)
    home.log.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b'"tool":"skilltune', b'"tool":"another')]))


def _spoil_the_head(home):
    home.head.write_text("{")


def _move_all_but_the_head(home):
    _move_away(home)
    for path in home.head.parent.glob("*.md"):
        path.rename(path.with_suffix(".away"))


DAMAGES = [_cut_the_end, _empty, _move_away, _change, _exchange, _unchain_the_last, _spoil_the_head]


def _refined(home):
    """A skill with all that bounds rest on: a refinement, a limit, a rejection, a release."""
    home.correct(*FIX)
    home.apply(stamp=False)
    set_limit(SKILL, 40, note="strict", as_of=NOW)
    home.correct(*TABS)
    waiting = home.suggest(at=NOW + days(8))
    assert [change.original for change in waiting.chosen] == [TABS[0]]
    record_decision(waiting, approval=approve(waiting, decision="reject", note="no"), as_of=NOW)
    release_contradiction(SKILL, "c0ffee", as_of=NOW)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.strip("_"))
def test_damaged_log_is_told_by_everything(home, damage):
    """Verify, every question and every act say so and name the next step; nothing changes."""
    _refined(home)
    home.correct(*FIX)
    suggestion = home.suggest(at=NOW + days(8))
    damage(home)
    before = tree(home.folder)
    assert not AuditLog(home.claude).verify().whole
    asked = [
        home.suggest,
        lambda: home.apply(suggestion, at=NOW + days(8)),
        lambda: drift_of(SKILL),
        lambda: history_of(SKILL),
        lambda: rollback(SKILL, as_of=NOW),
        lambda: reset_baseline(SKILL, note="x"),
    ]
    for ask in asked:
        with pytest.raises(DamagedError) as caught:
            ask()
        told = str(caught.value)
        words = shlex.split(told[told.index("skilltune audit restart") :])
        assert words == ["skilltune", "audit", "restart", str(home.claude), "--note", "why"]
    assert tree(home.folder) == before


@pytest.mark.parametrize("damage", [*DAMAGES, _move_all_but_the_head], ids=lambda damage: damage.__name__.strip("_"))
def test_restart_keeps_every_bound(home, damage):
    """Baseline, cooldown, limit, what was used up, rejected and released go on; the old log lies beside the new."""
    _refined(home)
    old = read_state(SKILL)
    drift = drift_of(SKILL).percent
    damage(home)
    damaged = home.log.read_bytes() if home.log.exists() else None
    done = restart_log(home.claude, note="the disk was full", reviewer="ada", as_of=NOW + days(1))
    assert done.skills == (SKILL,)
    assert (done.aside.read_bytes() if done.aside else None) == damaged
    assert AuditLog(home.claude).verify().whole
    new = read_state(SKILL)
    assert (new.record.baseline.digest, new.version) == (content_digest((HEAD + BODY).encode()), 2)
    assert new.record.consumed == old.record.consumed
    assert new.record.last_refined == old.record.last_refined == NOW
    assert (new.settings.drift_limit, new.record.refinements) == (40, 1)
    assert new.record.released == {"c0ffee"}
    assert not new.outside_edit
    assert eligibility_of(SKILL, as_of=NOW + days(2)).days_remaining == 5
    assert not home.suggest(at=NOW + days(8)).chosen
    if damage is not _move_all_but_the_head:
        assert drift_of(SKILL).percent == drift
    home.correct(*TABS)
    if damage is not _move_all_but_the_head:
        assert home.suggest(at=NOW + days(8)).chosen
    first = AuditLog(home.claude).read()[0]
    assert (first["type"], first["by"], first["note"], first["restarted"]) == (
        "first_seen",
        "ada",
        "the disk was full",
        True,
    )


def test_restart_is_refused_where_nothing_is_damaged(home):
    """A log that is whole is not begun anew, nor one that is not there; a note is needed."""
    with pytest.raises(InputError, match="no audit log"):
        restart_log(home.claude, note="x")
    drift_of(SKILL, as_of=NOW)
    before = tree(home.folder)
    with pytest.raises(InputError, match="nothing to begin anew"):
        restart_log(home.claude, note="x")
    _empty(home)
    with pytest.raises(InputError, match="note is empty"):
        restart_log(home.claude, note=" ")
    home.log.write_bytes(before["claude/.audit-log.jsonl"])
    assert tree(home.folder) == before


def test_restart_twice_keeps_both_old_logs(home):
    """Two damages in one second: no file is overwritten."""
    _refined(home)
    found = []
    for _ in range(2):
        _change(home)
        found.append(restart_log(home.claude, note="again", reviewer="ada", as_of=NOW).aside)
    assert len(set(found)) == 2
    assert all(path.exists() for path in found)
    assert read_state(SKILL).record.last_refined == NOW


def test_restart_keeps_who_went_on_from_whom(home):
    """A skill that was renamed before is no former one of another afterwards."""
    _refined(home)
    home.file.parent.rename(home.claude / "skills" / "lint-too")
    drift_of("lint-too", as_of=NOW)
    _move_away(home)
    restart_log(home.claude, note="lost", as_of=NOW)
    copy = home.claude / "skills" / "lint-copy" / "SKILL.md"
    copy.parent.mkdir()
    copy.write_bytes((home.claude / "skills" / "lint-too" / "SKILL.md").read_bytes())
    assert drift_of("lint-copy", as_of=NOW).percent == 0
    assert read_state("lint-too").record.last_refined == NOW


def test_restart_killed_at_each_step(home):
    """Killed anywhere, the log is whole and new, or damaged until it is begun anew; the bounds hold in the end."""
    _refined(home)
    _change(home)
    kept = {path: path.read_bytes() for path in (home.log, home.head)}
    for at in range(1, 60):
        for path, content in kept.items():
            path.write_bytes(content)
        killed = makers.run_killed(lambda: restart_log(home.claude, note="why", as_of=NOW), at=at)
        if not AuditLog(home.claude).verify().whole:
            restart_log(home.claude, note="why", as_of=NOW)
        assert read_state(SKILL).record.last_refined == NOW
        assert read_state(SKILL).settings.drift_limit == 40
        if not killed:
            break
    assert not killed
    assert at > 5


def test_head_is_made_for_a_log_that_has_none(home):
    """A log of old gets its head by the first look, and what is cut off after that is seen."""
    _refined(home)
    wanted = home.head.read_bytes()
    home.head.unlink()
    assert AuditLog(home.claude).verify().whole
    history_of(SKILL)
    assert home.head.read_bytes() == wanted
    _cut_the_end(home)
    with pytest.raises(DamagedError, match="the last were taken off"):
        history_of(SKILL)


def test_head_that_is_behind_is_healed(home):
    """A head as a killed writer left it, some entries back, is brought up to the log."""
    _refined(home)
    early = home.head.read_bytes()
    set_limit(SKILL, 50, note="less strict", as_of=NOW)
    latest = home.head.read_bytes()
    home.head.write_bytes(early)
    assert history_of(SKILL).version == 2
    assert home.head.read_bytes() == latest
    assert read_head_file(home.head).skills[f"skills/{SKILL}/SKILL.md"]["limit"] == 50


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"seq":-1,"hash":"","skills":{}}', '{"seq":1,"hash":"","skills":[]}']
)
def test_head_that_is_no_head(home, text):
    """Whatever stands there is told as a damage, never taken for the head."""
    drift_of(SKILL, as_of=NOW)
    home.head.write_text(text)
    with pytest.raises(DamagedError, match=r"head\.json.*not as it was written"):
        history_of(SKILL)


def test_head_holds_no_text(home):
    """No correction and no line of the skill is in it."""
    _refined(home)
    found = home.head.read_text()
    assert "eslint" not in found
    assert json.loads(found)["seq"] == len(_lines(home))


def test_remedy_is_a_command_for_any_folder(home, monkeypatch):
    """A folder with blanks and quotes in its name is quoted, so that a shell takes it as one word."""
    odd = home.folder / "my 'own' claude"
    home.claude.rename(odd)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(odd))
    drift_of(SKILL, as_of=NOW)
    (odd / ".audit-log.jsonl").unlink()
    with pytest.raises(DamagedError) as caught:
        drift_of(SKILL)
    command = str(caught.value).partition("with: skilltune ")[2]
    said = subprocess.run(["sh", "-c", f"printf '%s|' {command}"], capture_output=True, text=True, check=True)
    assert said.stdout.split("|")[2] == str(odd)
