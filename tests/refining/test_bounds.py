"""No sequence of acts, from one workspace or two, passes a bound, or writes what was not approved."""

import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import NoEffectError, OutsideEditError, RefusedError, SkilltuneError
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.showing import suggestion_digest
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.evolution.suggestions import choose_changes
from skilltune.evolution.textdiff import measure_change
from skilltune.refining.acts import record_decision
from skilltune.refining.rolling import rollback
from skilltune.refining.telling import history_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.ledger import find_ledger
from tests.refining.homes import NOW, SKILL, Home, approve, make_home

WORDS = ("aniseeds", "bergamot", "cinnamon", "dandelio", "eucalypt", "fennelly", "gingered", "hibiscus")
LINES = "".join(f"Pour {word} in.\n" for word in WORDS)
CONTENT = f"---\nname: {SKILL}\ndescription: d\n---\n{LINES}"
EDITS = ("", "Stir it well.\n", "Let the whole pot rest for some minutes, then taste.\n", "Pour juniperr in.\n")

_WORKSPACES = st.sampled_from(["one", "two"])
_DAYS = st.sampled_from([6.99, 7.0, 7.0, 8.0])
_CYCLE = st.tuples(st.just("cycle"), st.integers(0, 9), _DAYS, _WORKSPACES)
_ROLLBACK = st.tuples(st.just("rollback"), st.integers(0, 9), st.booleans(), _WORKSPACES)
_HOW = st.sampled_from(["fresh", "kept", "first", "forged", "rejected", "rejection"])
_STEPS = st.lists(
    st.one_of(
        _CYCLE,
        _CYCLE,
        _CYCLE,
        st.tuples(st.just("correct"), st.integers(0, 9), st.integers(1, 4), _WORKSPACES),
        st.tuples(st.just("apply"), _HOW, st.integers(0, 9), _WORKSPACES),
        st.tuples(st.just("edit"), st.integers(0, 9), st.booleans(), _WORKSPACES),
        _ROLLBACK,
        _ROLLBACK,
        st.tuples(st.just("clock"), st.sampled_from([-3.0, 0.5, 3.5, 7.0]), st.none(), _WORKSPACES),
        st.tuples(st.just("retract"), st.integers(0, 9), st.none(), _WORKSPACES),
    ),
    min_size=12,
    max_size=24,
)


@dataclass
class World:
    """The home, and what must hold of it, kept beside the code under test."""

    home: Home
    now: datetime = NOW
    applied: list[datetime] = field(default_factory=list)
    versions: dict[int, bytes] = field(default_factory=dict)
    kept: list = field(default_factory=list)

    @property
    def content(self) -> bytes:
        """The file's bytes."""
        return self.home.file.read_bytes()

    def body(self, content: bytes) -> str:
        """The body of a file."""
        return SkillDoc.of(content).body

    def note_versions(self, before: bytes = b"") -> None:
        """Take down the bytes of every version when it is met first: the file now, and an edit before the last act."""
        found = history_of(SKILL)
        if not found.outside_edit:
            self.versions.setdefault(found.versions[-1].number, self.content)
        if [version.type for version in found.versions[-2:-1]] == ["outside_edit"]:
            self.versions.setdefault(found.versions[-2].number, before)

    def step(self, name: str, number, more, workspace: str) -> None:
        """Do one thing; only an apply, a rollback or an edit may change the file."""
        before = self.content
        getattr(self, f"_{name}")(number, more, workspace)
        if name not in ("apply", "cycle", "edit", "rollback"):
            assert self.content == before
        self.note_versions(before)
        assert AuditLog(self.home.claude).verify().whole

    def _correct(self, number: int, times: int, workspace: str) -> None:
        word = WORDS[number % len(WORDS)]
        pair = (word, word[::-1]) if number < len(WORDS) else (word[::-1], word)
        self.home.correct(f"Pour {pair[0]}", f"Pour {pair[1]}", times=times, workspace=workspace, at=self.now)

    def _cycle(self, number: int, days: float, workspace: str) -> None:
        self._correct(number, 3, workspace)
        self._clock(days, None, workspace)
        self._apply("fresh", 0, workspace)

    def _clock(self, days: float, _more, _workspace: str) -> None:
        self.now += timedelta(days=days)

    def _edit(self, number: int, back: bool, _workspace: str) -> None:
        content = self.versions[1] if back and self.versions else self.content
        self.home.write(content + EDITS[number % len(EDITS)].encode())

    def _retract(self, number: int, _more, workspace: str) -> None:
        ledger = find_ledger(self.home.workspace(workspace))
        if found := ledger.corrections():
            ledger.retract(found[number % len(found)].id, by="ada", at=self.now)

    def _apply(self, how: str, number: int, workspace: str) -> None:
        suggestion = self.home.suggest(workspace=workspace, at=self.now)
        if how == "first" and suggestion.chosen:
            suggestion = choose_changes(suggestion, numbers=[suggestion.chosen[0].number])
        approval = approve(suggestion, at=self.now)
        self.kept.append((suggestion, approval))
        if how == "kept":
            suggestion, approval = self.kept[number % len(self.kept)]
        elif how == "forged":
            approval = replace(approval, suggestion_digest=f"{number}" * 64)
        elif how == "rejected":
            approval = replace(approval, decision="reject")
        elif how == "rejection":
            record_decision(suggestion, approval=replace(approval, decision="reject"), as_of=self.now)
            return
        before = self.content
        try:
            done = self.home.apply(suggestion, approval=approval, workspace=workspace, at=self.now)
        except (RefusedError, ApprovalError):
            assert self.content == before
            return
        assert how not in ("forged", "rejected")
        self._check_applied(before, approval, done.entry)

    def _check_applied(self, before: bytes, approval, entry) -> None:
        """Every bound, measured anew, and the digest of exactly what was written."""
        old, new = self.body(before), self.body(self.content)
        assert old != new
        assert measure_change(old, new).rounded_percent <= 20
        assert measure_change(LINES, new).percent < 60
        assert all(self.now - at >= timedelta(days=7) for at in self.applied)
        ids = entry["correctionIds"]
        assert approval.decision == "approve"
        assert approval.suggestion_digest == suggestion_digest(SKILL, before=old, after=new, correction_ids=ids)
        self.applied.append(self.now)

    def _rollback(self, number: int, over: bool, workspace: str) -> None:
        before = self.content
        to = None if number > 6 else number % len(self.versions) + 1
        try:
            done = rollback(
                SKILL,
                to=to,
                workspace=self.home.workspace(workspace),
                over_outside_edits=over,
                as_of=self.now,
            )
        except (NoEffectError, OutsideEditError, SkilltuneError):
            assert self.content == before
            return
        assert self.content == self.versions[done.entry["toVersion"]]


@given(steps=_STEPS)
def test_no_sequence_passes_a_bound(steps):
    """20 % a refinement, 60 % drift, one in 7 days, exactly the approved digest; rollback gives the exact bytes."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        world = World(make_home(Path(folder).resolve(), patch, content=CONTENT))
        world.home.suggest()
        world.note_versions()
        for step in steps:
            world.step(*step)


def test_cycles_reach_the_drift_bound(home):
    """One word a week is refined until the next would reach 60 %: the bound is met, never passed."""
    home.write(CONTENT)
    world = World(home)
    home.suggest()
    world.note_versions()
    for number in range(8):
        world.step("cycle", number, 7.0, "one" if number % 2 else "two")
    assert 3 <= len(world.applied) < 8
    last = measure_change(LINES, world.body(world.content)).percent
    assert 45 < last < 60
