"""The options of ``skilltune refine``, and the one thing they ask for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self

import typer

from skilltune.errors import InputError

__all__ = [
    "AllowMissingBaseline",
    "Approve",
    "AsNew",
    "Asked",
    "Call",
    "Changes",
    "Check",
    "Commit",
    "Defer",
    "Opening",
    "Reject",
    "Reopen",
    "Section",
    "Stamp",
    "Word",
]

Check = Annotated[
    bool, typer.Option("--check", help="Whether it may be refined now, and why not; without a name, all skills.")
]
Changes = Annotated[
    str | None, typer.Option("--changes", metavar="1,3", help="Only these changes; it is a suggestion of its own.")
]
Opening = Annotated[str | None, typer.Option("--open", metavar="ID", help="An open suggestion, which complaints made.")]
Word = Annotated[
    list[str] | None,
    typer.Option(
        "--word", metavar="TEXT", help="The line in your words: for --open TEXT, for a change of --changes N=TEXT."
    ),
]
Section = Annotated[
    list[str] | None,
    typer.Option("--section", metavar="TITLE", help="Where that line goes: TITLE for --open, else N=TITLE."),
]
Approve = Annotated[
    str | None, typer.Option("--approve", metavar="DIGEST", help="Apply the suggestion of this digest.")
]
Reject = Annotated[
    str | None,
    typer.Option("--reject", metavar="DIGEST", help="Not proposed again until three new corrections say it."),
]
Defer = Annotated[str | None, typer.Option("--defer", metavar="DIGEST", help="Leave it for later, on record.")]
Reopen = Annotated[
    str | None,
    typer.Option("--reopen", metavar="ID", help="Take a rejection or deferral back, by its digest or open suggestion."),
]
AllowMissingBaseline = Annotated[
    bool, typer.Option("--allow-missing-baseline", help="Refine although drift is not known.")
]
Commit = Annotated[
    bool | None, typer.Option("--commit/--no-commit", help="Commit the skill's file, and nothing else, to git.")
]
Stamp = Annotated[
    bool | None, typer.Option("--stamp/--no-stamp", help="Put version and date into the front matter [yes].")
]
AsNew = Annotated[
    str | None, typer.Option("--as-new", metavar="NAME", help="Go on as a new skill with a baseline of its own.")
]

Act = Literal["show", "check", "approve", "reject", "defer", "reopen", "as_new"]
_ONE_OF: Final = "give one of --check, --approve, --reject, --defer, --reopen and --as-new"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is to be done, and the digest, id or name it is to be done with."""

    act: Act
    value: str = ""

    @classmethod
    def of(cls, *, check: bool, chooses: bool, **given: str | None) -> Self:
        """The one act that the options name; to show the suggestion where they name none.

        Parameters
        ----------
        check
            Whether ``--check`` is there.
        chooses
            Whether options choose changes, which only a suggestion has.
        given
            The value of each act's option.

        Raises
        ------
        InputError
            They name several acts, or one that does not go with a choice.
        """
        named = {name: value for name, value in given.items() if value is not None}
        if len(named) + check > 1:
            raise InputError(f"{_ONE_OF}; each goes alone")
        if chooses and (check or {"as_new", "reopen"} & set(named)):
            raise InputError(f"{_ONE_OF}; --changes and --open choose what a suggestion makes, which this is not about")
        if check:
            return cls(act="check")
        name, value = next(iter(named.items()), ("show", ""))
        return cls(act=name, value=value)  # type: ignore[arg-type]  # a name of an act's option, or show


@dataclass(frozen=True, kw_only=True)
class Call:
    """Which skill it is about, and how to tell."""

    name: str
    folder: Path | None
    workspace: Path | None
    note: str
    as_json: bool

    @property
    def folder_option(self) -> tuple[str, ...]:
        """``--skill-folder`` as it was typed, nothing where it was not."""
        return () if self.folder is None else ("--skill-folder", str(self.folder))
