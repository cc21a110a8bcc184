"""No sequence of acts, from one workspace or two, passes a bound, or writes what was not approved."""

import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skilltune.errors import DamagedError, InputError, NoEffectError, OutsideEditError, RefusedError
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.showing import suggestion_digest
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.evolution.suggestions import choose_changes
from skilltune.evolution.textdiff import measure_change
from skilltune.refining.acts import record_decision, set_limit
from skilltune.refining.restarting import restart_log
from skilltune.refining.rolling import rollback
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from skilltune.stores.ledger import find_ledger
from tests.refining.homes import NOW, SKILL, Home, approve, make_home

WORDS = ("aniseeds", "bergamot", "cinnamon", "dandelio", "eucalypt", "fennelly", "gingered", "hibiscus")
LINES = "".join(f"Pour {word} in.\n" for word in WORDS)
CONTENT = f"---\nname: {SKILL}\ndescription: d\n---\n{LINES}"
EDITS = ("", "Stir it well.\n", "Let the whole pot rest for some minutes, then taste.\n", "Pour juniperr in.\n")

EMPTY = CONTENT.removesuffix(LINES)
NAMES = (SKILL, "tea-time", "tea-too")
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
        st.tuples(st.just("damage"), st.integers(0, 3), st.booleans(), _WORKSPACES),
        st.tuples(st.just("rename"), st.integers(0, 2), st.booleans(), _WORKSPACES),
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
        found = history_of(self.home.skill)
        if not found.outside_edit:
            self.versions.setdefault(found.versions[-1].number, self.content)
        if [version.type for version in found.versions[-2:-1]] == ["outside_edit"]:
            self.versions.setdefault(found.versions[-2].number, before)

    def step(self, name: str, number, more, workspace: str) -> None:
        """Do one thing; only an apply, a rollback or an edit may change the file."""
        before = self.content
        getattr(self, f"_{name}")(number, more, workspace)
        if name not in ("apply", "cycle", "edit", "rename", "rollback"):
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
            done = self.home.apply(
                suggestion, approval=approval, workspace=workspace, at=self.now, stamp=workspace == "one"
            )
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
        assert approval.suggestion_digest == suggestion_digest(
            self.home.skill, before=old, after=new, correction_ids=ids
        )
        self.applied.append(self.now)

    def _damage(self, number: int, away: bool, workspace: str) -> None:
        """Entries are taken off the end, or the log is moved away: nothing is done until it is begun anew."""
        lines = self.home.log.read_bytes().splitlines(keepends=True)
        kept = None if away else b"".join(lines[: max(0, len(lines) - number)])
        self.home.log.rename(self.home.log.with_name("away.jsonl"))
        if kept is not None:
            self.home.log.write_bytes(kept)
        if kept is not None and len(kept) == sum(map(len, lines)):
            return
        for act in (self._apply, self._rollback):
            before = self.content
            with pytest.raises(DamagedError):
                act("fresh" if act == self._apply else 9, 0, workspace)
            assert self.content == before
        restart_log(self.home.claude, note="it was damaged", reviewer="ada", as_of=self.now)

    def _rename(self, number: int, edited: bool, _workspace: str) -> None:
        """The folder is renamed, and the file edited or not, by less than makes it another skill."""
        old, new = self.home.file.parent, self.home.file.parent.with_name(NAMES[number])
        if old == new or history_of(self.home.skill).outside_edit:
            return
        old.rename(new)
        self.home.skill = NAMES[number]
        if edited:
            self.home.write(self.content + EDITS[1].encode())
        drift_of(self.home.skill, as_of=self.now)

    def _rollback(self, number: int, over: bool, workspace: str) -> None:
        before = self.content
        to = None if number > 6 else number % len(self.versions) + 1
        try:
            done = rollback(
                self.home.skill,
                to=to,
                workspace=self.home.workspace(workspace),
                over_outside_edits=over,
                as_of=self.now,
            )
        except (NoEffectError, OutsideEditError, InputError):
            assert self.content == before
            return
        assert self.content == self.versions[done.entry["toVersion"]]


def _refined_around(*between):
    """A refinement without a stamp in the file, something else, and another try a little too early."""
    return [("cycle", 0, 7.0, "two"), *between, ("cycle", 1, 6.99, "two")]


_AWAY, _CUT = ("damage", 0, True, "two"), ("damage", 3, False, "two")
_RENAMED, _BACK = ("rename", 1, True, "two"), ("rename", 0, False, "two")
_ALL_WORDS = [
    step for number in range(8) for step in (("cycle", number, 7.0, "two"), (_AWAY, _RENAMED, _BACK)[number % 3])
]


@example(steps=_refined_around(_AWAY), empty=False)
@example(steps=_refined_around(_CUT), empty=True)
@example(steps=_refined_around(_RENAMED), empty=False)
@example(steps=_refined_around(_RENAMED, _AWAY, _BACK), empty=False)
@example(steps=[_RENAMED, *_refined_around(_BACK)], empty=True)
@example(steps=_ALL_WORDS, empty=False)
@example(steps=_ALL_WORDS, empty=True)
@given(steps=_STEPS, empty=st.booleans())
def test_no_sequence_passes_a_bound(steps, empty):
    """20 % a refinement, 60 % drift, one in 7 days, exactly the approved digest; rollback gives the exact bytes; under
    any name, and whatever becomes of the log.
    """
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        world = World(make_home(Path(folder).resolve(), patch, content=EMPTY if empty else CONTENT))
        world.home.suggest()
        if empty:
            world.note_versions()
            world.home.write(CONTENT)
            set_limit(SKILL, 60, note="as ever", as_of=NOW)
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
