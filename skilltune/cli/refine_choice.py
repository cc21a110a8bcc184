"""What the command line says about a suggestion: which of its changes, and in which words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from skilltune.cli.ids import ID_CHARS, find_id, matching_ids
from skilltune.errors import InputError
from skilltune.evolution.learned import LEARNED_HEADING, has_section
from skilltune.evolution.openings import OpenSuggestion
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.suggestions import Suggestion, choose_changes
from skilltune.refining.evidence import find_openings
from skilltune.refining.records import SkillRecord
from skilltune.refining.state import SkillState
from skilltune.refining.suggesting import suggest_from, word_from
from skilltune.rendering.suggestion import DIGEST_CHARS
from skilltune.rendering.terminal import command

__all__ = ["Choice", "Chosen"]

_NUMBERED: Final = re.compile(r"([0-9]{1,4})=(.*)", re.DOTALL)
_UNWORDED: Final = "(dismissed without words)"
"""The line of an open suggestion that is rejected as it is; it is never written."""


@dataclass(frozen=True)
class Chosen:
    """A suggestion, and the digests that name it."""

    suggestion: Suggestion
    digests: tuple[str, ...]
    """Its own; that of all changes chosen by default, where this one only leaves some of them out; the id of an open
    suggestion that is rejected without words."""
    options: tuple[str, ...]
    """How it was chosen, as it is typed."""

    def check_digest(self, given: str, *, record: SkillRecord) -> None:
        """Return if `given`, by the rule of `find_id`, names this suggestion; `record` says which were applied before.

        Raises
        ------
        InputError
            It is no digest.
        ApprovalError
            It is that of another suggestion, or of one that was applied already.
        """
        said, skill_id = given.strip().lower(), self.suggestion.skill_id
        look = command("refine", skill_id, *self.options)
        if not re.fullmatch(rf"[0-9a-f]{{{ID_CHARS},64}}", said):
            raise InputError(
                f"{given[:80]!r} is no digest; give at least {ID_CHARS} of its digits, as this shows it: {look}"
            )
        if not matching_ids(said, self.digests):
            version = record.version_of(said)
            if version is not None:
                raise ApprovalError(
                    f"{said[:DIGEST_CHARS]} is already applied: it made version {version} of {skill_id}; nothing was "
                    f"written, look at what there is now: {look}"
                )
            raise ApprovalError(
                f"{said[:DIGEST_CHARS]} is not the suggestion for {skill_id} as it is now, "
                f"{self.suggestion.digest[:DIGEST_CHARS]}; nothing was written, look at it again: {look}"
            )


@dataclass(frozen=True)
class Choice:
    """The changes a person names; None for those the suggestion chooses itself."""

    numbers: tuple[int, ...] | None
    lines: dict[int, str] = field(default_factory=dict)
    sections: dict[int, str] = field(default_factory=dict)
    opening: str = ""
    """Which open suggestion; '' for the corrections."""
    line: str = ""
    section: str = ""
    allow_missing_baseline: bool = False
    folder: Path | None = None
    """The skill's folder, where one was named."""

    @classmethod
    def of(
        cls,
        *,
        changes: str | None,
        words: Sequence[str],
        sections: Sequence[str],
        opening: str | None,
        allow_missing_baseline: bool,
        folder: Path | None = None,
    ) -> Self:
        """The choice that the options make.

        Raises
        ------
        InputError
            They do not fit each other.
        """
        if opening is not None:
            if changes is not None or len(words) > 1 or len(sections) > 1:
                raise InputError("an open suggestion is one line: give --open with one --word, at most one --section")
            return cls(
                numbers=None,
                opening=opening.strip(),
                folder=folder,
                line="".join(words),
                section="".join(sections),
                allow_missing_baseline=allow_missing_baseline,
            )
        if changes is None and (words or sections):
            raise InputError("--word and --section need --changes, the changes to make, as --changes 1,3")
        return cls(
            numbers=None if changes is None else _numbers(changes),
            lines=_by_number("--word", words),
            sections=_by_number("--section", sections),
            allow_missing_baseline=allow_missing_baseline,
            folder=folder,
        )

    @property
    def options(self) -> tuple[str, ...]:
        """The choice as it is typed."""
        typed: list[str] = ["--open", self.opening] if self.opening else []
        if self.numbers is not None:
            typed += ["--changes", ",".join(map(str, self.numbers))]
        for name, text, by_number in (("--word", self.line, self.lines), ("--section", self.section, self.sections)):
            typed += [name, text] if text else []
            typed += [part for number, value in by_number.items() for part in (name, f"{number}={value}")]
        typed += ["--allow-missing-baseline"] if self.allow_missing_baseline else []
        return (*typed, *self._folder_option)

    def make(self, state: SkillState, *, as_of: datetime, rejects: bool = False) -> Chosen:
        """The suggestion with this choice.

        Parameters
        ----------
        state
            The skill.
        as_of
            Now.
        rejects
            It is to be rejected, so an open suggestion needs no words.

        Raises
        ------
        InputError
            A number, an id, a section or a line cannot be taken.
        """
        if self.opening:
            return self._worded(state, as_of=as_of, rejects=rejects)
        whole = suggest_from(state, allow_missing_baseline=self.allow_missing_baseline, as_of=as_of)
        if self.numbers is None:
            return Chosen(whole, (whole.digest,), self.options)
        made = choose_changes(whole, numbers=self.numbers, lines=self.lines, sections=self.sections)
        taken = {change.number for change in made.chosen}
        is_part = taken and taken <= {change.number for change in whole.chosen}
        return Chosen(made, (made.digest, *([whole.digest] if is_part else [])), self.options)

    @property
    def _folder_option(self) -> tuple[str, ...]:
        return () if self.folder is None else ("--skill-folder", str(self.folder))

    def _worded(self, state: SkillState, *, as_of: datetime, rejects: bool) -> Chosen:
        opened = self._find_opening(state)
        if not self.line and not rejects:
            told = command(
                "refine", state.skill_id, *self._folder_option, "--open", opened.id, "--word", "ONE LINE IN YOUR WORDS"
            )
            raise InputError(f"the open suggestion {opened.id} has no words yet; word it: {told}")
        section = self.section or opened.section or LEARNED_HEADING
        if self.section and self.section != LEARNED_HEADING and not has_section(state.doc.body, title=self.section):
            raise InputError(f"the body of {state.skill_id} has no section {self.section!r}; name one of its headings")
        made = word_from(
            state,
            opened,
            line=self.line or _UNWORDED,
            section=section,
            allow_missing_baseline=self.allow_missing_baseline,
            as_of=as_of,
        )
        return Chosen(made, (made.digest,) if self.line else (opened.id,), self.options)

    def _find_opening(self, state: SkillState) -> OpenSuggestion:
        by_id = {item.id: item for item in find_openings(state)}
        look = command("refine", state.skill_id, *self._folder_option)
        return by_id[find_id(self.opening, by_id, what=f"open suggestion for {state.skill_id}", look=look)]


def _numbers(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\s*[0-9]{1,4}\s*(,\s*[0-9]{1,4}\s*)*", text):
        raise InputError(f"--changes is {text[:80]!r}; write the numbers of the changes to make, as 1,3")
    return tuple(sorted({int(part) for part in text.split(",")}))


def _by_number(name: str, values: Sequence[str]) -> dict[int, str]:
    found = [(match, value) for value in values for match in [_NUMBERED.fullmatch(value)]]
    wrong = next((value for match, value in found if match is None), None)
    if wrong is not None:
        raise InputError(f"{name} is {wrong[:80]!r}; write the number of the change before it, as '2=TEXT'")
    return {int(match[1]): match[2] for match, _ in found if match is not None}
