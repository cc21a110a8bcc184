"""Applying an approved suggestion: what is written, what is refused, and by which numbers."""

import os
import stat
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from skilltune.errors import (
    BaselineError,
    ChangeBoundError,
    ConflictError,
    CooldownError,
    DamagedError,
    DriftBoundError,
    EvidenceError,
    LogError,
    NoEffectError,
    RefusedError,
    SkillFileError,
    StaleError,
)
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.evolution.suggestions import choose_changes
from skilltune.refining.acts import reset_baseline
from skilltune.refining.rolling import rollback
from skilltune.refining.telling import drift_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.ledger import find_ledger
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, approve, days, tree


def test_apply_writes_the_approved_body_and_an_entry(home):
    """The body is the approved one, the front matter ours only by the stamp, the entry says who, what and why."""
    home.correct(*FIX)
    suggestion = home.suggest()
    done = home.apply(suggestion, approval=approve(suggestion, note="as agreed"))
    doc = SkillDoc.of(home.file.read_bytes())
    assert doc.body == suggestion.body_after == BODY.replace(*FIX)
    assert (doc.version, doc.refinements, doc.last_refined) == (2, 1, NOW)
    assert doc.head.startswith(HEAD.removesuffix("---\n"))
    entry = AuditLog(home.claude).read()[-1]
    assert entry == done.entry
    assert (entry["type"], entry["by"], entry["note"], entry["filePath"]) == (
        "refine",
        "ada",
        "as agreed",
        str(home.file),
    )
    assert entry["suggestionDigest"] == suggestion.digest
    assert entry["correctionIds"] == list(suggestion.correction_ids)
    assert entry["thresholds"]["driftLimit"] == 60
    assert entry["tool"].startswith("skilltune ")
    assert done.drift.percent == suggestion.drift.projected_percent
    assert done.version == 2
    text = home.log.read_text()
    assert "eslint" not in text
    assert AuditLog(home.claude).verify().whole


HEADS = {
    "block scalar": "---\nname: a\ndescription: >-\n  Use when\n  files are\n  saved.\nversion: 1.10\n---\n",
    "comments": "---\n# kept\nname: lint-on-save # here too\nallowed-tools: [Bash,  Read]\n---\n",
    "odd colon": "---\nname: x\ndescription: Use when: x\n---\n",
    "mark of order": "\ufeff---\nname: x\n---\n",
    "none": "",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_apply_keeps_every_byte_of_the_head(home, head, newline):
    """Whatever stands in the front matter stays byte for byte, line ends too, apart from our stamp; so with none."""
    content = (head + BODY.rstrip("\n")).replace("\n", newline).encode()
    home.write(content)
    home.correct(*FIX)
    suggestion = home.suggest()
    home.apply(suggestion, stamp=False)
    assert home.file.read_bytes() == content.replace(FIX[0].encode(), FIX[1].encode())
    rollback(SKILL, as_of=NOW)
    assert home.file.read_bytes() == content
    home.correct(*TABS)
    home.apply(at=NOW + days(8))
    after = home.file.read_bytes()
    kept = [line for line in after.splitlines(keepends=True) if b"skilltune-" not in line and b"metadata:" not in line]
    assert b"".join(kept) == content.replace(b"Use tabs", b"Use spaces")


def test_apply_reads_and_renews_stamps_of_other_tools(home):
    """Another tool's version and date count, and are renewed where they are."""
    head = "---\nname: lint-on-save\nversion: 4\nlearning:\n  lastRefined: 2026-11-28\n  applicationCount: 3\n---\n"
    home.write(head + BODY)
    home.correct(*FIX)
    with pytest.raises(CooldownError) as caught:
        home.apply()
    assert (caught.value.value, caught.value.limit) == (5, 7)
    done = home.apply(at=NOW + days(6))
    assert done.version == 5
    text = home.file.read_text()
    assert "version: 5\n" in text
    assert "lastRefined: 2026-12-06\n" in text
    assert "applicationCount: 4\n" in text


def test_apply_only_the_changes_that_were_chosen(home):
    """Some changes and not others make another digest; the rest can be proposed again later."""
    home.correct(*FIX)
    home.correct(*TABS)
    both = home.suggest()
    first = choose_changes(both, numbers=[1])
    assert first.digest != both.digest
    with pytest.raises(ApprovalError):
        home.apply(both, approval=approve(first))
    home.apply(first)
    assert "Use tabs" in home.file.read_text()
    assert [change.suggested for change in home.suggest(at=NOW + days(8)).chosen] == ["Use spaces"]


def test_apply_appends_a_worded_line(home):
    """A correction of what stands nowhere in the body becomes a line, in the person's words."""
    home.correct("the report is a table", "the report is a list")
    suggestion = home.suggest()
    assert not suggestion.chosen
    with pytest.raises(NoEffectError):
        home.apply(suggestion)
    worded = choose_changes(suggestion, numbers=[1], lines={1: "Write the report as a list."})
    home.apply(worded)
    assert home.file.read_text().endswith("## Learned corrections\n\n- Write the report as a list.\n")


def _refused(home, error, suggestion, **more):
    """Applying raises this error, and not a byte of the home changes."""
    before = tree(home.folder)
    with pytest.raises(error) as caught:
        home.apply(suggestion, **more)
    assert tree(home.folder) == before
    return caught.value


@pytest.mark.parametrize("decision", ["reject", "defer"])
def test_apply_needs_an_approval(home, decision):
    """A decision that is no approval, or of another digest, writes nothing."""
    home.correct(*FIX)
    suggestion = home.suggest()
    _refused(home, ApprovalError, suggestion, approval=approve(suggestion, decision=decision))
    other = replace(approve(suggestion), suggestion_digest="0" * 64)
    _refused(home, ApprovalError, suggestion, approval=other)
    _refused(home, ApprovalError, suggestion, approval=replace(approve(suggestion), changes=()))


def test_apply_forged_suggestion(home):
    """A suggestion whose text was exchanged under its digest writes what was approved, or nothing."""
    home.correct(*FIX)
    suggestion = home.suggest()
    forged = replace(suggestion, body_after="All yours.", verdicts=())
    home.apply(forged)
    assert SkillDoc.of(home.file.read_bytes()).body == suggestion.body_after


def test_apply_with_a_setting_that_allows_everything(home):
    """No setting stands for an approval: one that says so is refused as a whole."""
    home.correct(*FIX)
    suggestion = home.suggest()
    for line in ("auto_apply = false", "approved = true", "require_approval = false"):
        (home.workspace() / "config.toml").write_text(f"[refinement]\n{line}\n")
        _refused(home, ValueError, suggestion)


def test_apply_stale_body(home):
    """A body that changed since is not written over; a head that changed is, kept as it is now."""
    home.correct(*FIX)
    suggestion = home.suggest()
    home.write(HEAD + BODY + "One more line.\n")
    error = _refused(home, StaleError, suggestion)
    assert error.limit == suggestion.base_digest != error.value
    changed = HEAD.replace("saved", "stored")
    home.write(changed + BODY)
    home.apply(suggestion)
    assert "files are stored" in home.file.read_text()
    types = [row["type"] for row in AuditLog(home.claude).read()]
    assert types == ["first_seen", "outside_edit", "approve", "refine"]


def test_apply_evidence_changed(home):
    """A correction that was taken back, or a new one, makes another suggestion."""
    home.correct(*FIX)
    suggestion = home.suggest()
    home.correct(*FIX, times=1)
    _refused(home, ApprovalError, suggestion)
    suggestion = home.suggest()
    ledger = find_ledger(home.workspace())
    for event in ledger.corrections()[:3]:
        ledger.retract(event.id, by="ada")
    _refused(home, EvidenceError, suggestion)


def test_apply_cooldown(home):
    """7 days rest after a refinement, rolled back or not, exactly 7.0 days are over."""
    home.correct(*FIX)
    home.correct(*TABS)
    home.apply(choose_changes(home.suggest(), numbers=[1]))
    later = NOW + days(7) - timedelta(seconds=1)
    error = _refused(home, CooldownError, home.suggest(at=later), at=later)
    assert (error.value, error.limit) == (1, 7)
    rollback(SKILL, as_of=NOW)
    _refused(home, CooldownError, home.suggest(at=later), at=later)
    home.apply(at=NOW + days(7))


def test_apply_conflict(home):
    """A change that a reversal holds is not made, the numbers told."""
    home.correct(*FIX)
    suggestion = home.suggest()
    home.correct(FIX[1], FIX[0], times=1)
    error = _refused(home, ConflictError, suggestion)
    assert error.value == 1


def test_apply_change_bound(home):
    """More than 20 % of the body is refused with its percent; 20 % passes."""
    home.write(HEAD + BODY + "green tea slowly now. " * 4)
    home.correct("green tea slowly now", "black tea swiftly then")
    suggestion = home.suggest()
    error = _refused(home, ChangeBoundError, suggestion)
    assert error.value == suggestion.change_percent > error.limit == 20


def test_apply_drift_bound(home):
    """A body that is, or would be, 60 % from its baseline is refused with the numbers."""
    home.suggest()
    home.write(HEAD + BODY + "Eat a plum. " * 19)
    home.correct("Ask before a rule is switched off", "Decide alone when some checks annoy")
    suggestion = home.suggest()
    assert 50 < suggestion.drift.percent < 60
    error = _refused(home, DriftBoundError, suggestion)
    assert error.value >= 60
    assert "would drift" in str(error)
    home.write(HEAD + BODY + "Something new. " * 40)
    home.correct(*FIX)
    error = _refused(home, DriftBoundError, home.suggest())
    assert "has drifted" in str(error)


def test_apply_no_effect_and_too_few(home):
    """What is in the body already, and too few corrections, are refused."""
    home.correct(*FIX)
    suggestion = home.suggest()
    home.write(HEAD + BODY.replace(*FIX))
    _refused(home, StaleError, suggestion)
    assert not home.suggest().chosen
    _refused(home, NoEffectError, home.suggest())
    home.correct("short lines", "long lines", times=2)


def test_apply_lost_log_needs_an_allowance(home):
    """A file that says that it was refined, whose log is gone, has no baseline; a person may allow to go on."""
    home.correct(*FIX)
    home.apply()
    home.correct(*TABS)
    home.lose_history()
    at = NOW + days(10)
    suggestion = home.suggest(at=at)
    assert suggestion.drift.status == "no_baseline"
    _refused(home, BaselineError, suggestion, at=at)
    allowed = home.suggest(at=at, allow_missing_baseline=True)
    done = home.apply(allowed, at=at, allow_missing_baseline=True)
    assert done.entry["withoutBaseline"]


def test_apply_damaged_log(home):
    """With a log that is not as it was written nothing is refined."""
    home.correct(*FIX)
    suggestion = home.suggest()
    home.log.write_text(home.log.read_text().replace("first_seen", "first_sean"))
    _refused(home, DamagedError, suggestion)


def test_apply_where_no_snapshot_can_be_kept(home):
    """Where the snapshot fails nothing is written."""
    home.correct(*FIX)
    suggestion = home.suggest()
    folder = home.claude / ".skill-snapshots"
    home.log.unlink()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    _refused(home, LogError, suggestion)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_apply_read_only(home, what):
    """A read-only file or folder is refused by name, and stays as it is."""
    home.correct(*FIX)
    suggestion = home.suggest()
    place = home.file if what == "file" else home.file.parent
    place.chmod(place.stat().st_mode & 0o7555)
    try:
        error = _refused(home, SkillFileError, suggestion)
    finally:
        place.chmod(0o755)
    assert "read-only" in str(error)


def test_apply_linked_skill_is_written_at_its_target(home):
    """The link stays a link, its target is written, with its mode; who comes by the other way meets the same log."""
    kit = home.folder / "kit" / "skills" / SKILL
    kit.parent.mkdir(parents=True)
    home.file.parent.rename(kit)
    home.file.parent.symlink_to(kit)
    (kit / "SKILL.md").chmod(0o600)
    home.correct(*FIX)
    home.apply()
    assert home.file.parent.is_symlink()
    assert FIX[1] in (kit / "SKILL.md").read_text()
    assert stat.S_IMODE((kit / "SKILL.md").stat().st_mode) == 0o600
    assert (home.folder / "kit" / ".audit-log.jsonl").exists()
    assert not home.log.exists()


def test_apply_reads_the_bounds_of_the_workspace(home):
    """Settings of the workspace count, and what is looser than the default stands in the entry."""
    home.correct(*FIX)
    (home.workspace() / "config.toml").write_text("[skill.lint-on-save]\nmax_change_percent = 1\n")
    _refused(home, ChangeBoundError, home.suggest())
    (home.workspace() / "config.toml").write_text("[refinement]\nmax_change_percent = 50\n")
    assert home.apply().entry["looser"] == ["max_change_percent 50 (default 20)"]


def test_apply_from_another_workspace_meets_the_same_bounds(home):
    """What one workspace did holds for all: cooldown, baseline, drift and used up corrections."""
    home.correct(*FIX)
    home.apply()
    home.correct(*TABS, workspace="two")
    error = _refused(home, CooldownError, home.suggest(workspace="two"), workspace="two")
    assert error.value == 7
    home.apply(workspace="two", at=NOW + days(7))
    assert [row["type"] for row in AuditLog(home.claude).read()].count("first_seen") == 1


def test_apply_body_that_would_become_a_head(home):
    """A body that would be read as front matter is not written."""
    home.write("Rules first\nname: x\n---\n" + BODY)
    home.correct("Rules first", "---")
    suggestion = home.suggest()
    assert suggestion.ready
    assert "front matter" in str(_refused(home, RefusedError, suggestion))


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no text are a matter of Linux")
def test_apply_in_a_folder_whose_name_is_no_text(home):
    """A folder with bytes in its name that are no UTF-8 has a record all the same."""
    odd = Path(os.fsdecode(os.fsencode(home.claude) + b"/skills/t\xff"))
    odd.mkdir()
    (odd / "SKILL.md").write_text(HEAD + BODY)
    assert drift_of(odd.name, as_of=NOW).baseline.source == "file"
    drift_of(odd.name, as_of=NOW)
    assert len(AuditLog(home.claude).read()) == 1
    reset_baseline(odd.name, note="as it is", as_of=NOW)
    assert drift_of(odd.name).baseline.source == "reset"


def test_apply_huge_body(home):
    """A body of 10 MB is refused by name and limit, and not waited for."""
    home.correct(*FIX)
    home.write(HEAD + BODY * 15_000)
    assert os.path.getsize(home.file) > 5_000_000  # noqa: PTH202
    with pytest.raises(SkillFileError, match="4,194,304"):
        home.suggest()
    home.write(HEAD + BODY * 500)
    with pytest.raises(ValueError, match="200,000"):
        home.suggest()
