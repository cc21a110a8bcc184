"""``skilltune refine``: which skills may be refined, one skill's suggestion, a person's decision on it."""

from typing import TYPE_CHECKING

from skilltune.cli.options import AsJson, Note, Skill, SkillArgument, SkillFolder, WorkspaceDir
from skilltune.cli.refine_options import (
    AllowMissingBaseline,
    Approve,
    Asked,
    AsNew,
    Call,
    Changes,
    Check,
    Commit,
    Defer,
    Opening,
    Reject,
    Reopen,
    Section,
    Stamp,
    Word,
)
from skilltune.cli.skill_name import one_skill
from skilltune.errors import InputError

if TYPE_CHECKING:
    from skilltune.cli.refine_choice import Choice

__all__ = ["COMMANDS"]


def refine(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    check: Check = False,
    changes: Changes = None,
    opening: Opening = None,
    word: Word = None,
    section: Section = None,
    approve: Approve = None,
    reject: Reject = None,
    defer: Defer = None,
    reopen: Reopen = None,
    note: Note = "",
    allow_missing_baseline: AllowMissingBaseline = False,
    commit: Commit = None,
    stamp: Stamp = None,
    as_new: AsNew = None,
    skill_folder: SkillFolder = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """A bounded change of a skill, from corrections, for you to decide on.

    With a name alone it shows the suggestion, every gate it has to pass, and its digest; nothing of the skill is
    written. A decision needs that digest and a terminal: there is no option and no setting that replaces you.

    Exit code 1: there is nothing to do. 3: a bound refuses.

    Example: skilltune refine lint-on-save --approve 3f9a1c0b7d42
    """
    from skilltune.cli.refine_choice import Choice
    from skilltune.cli.refine_showing import show_all

    chooses = any((changes, opening, word, section))
    asked = Asked.of(
        check=check, chooses=chooses, approve=approve, reject=reject, defer=defer, reopen=reopen, as_new=as_new
    )
    name = one_skill(skill, skill_option)
    if name is None:
        if chooses or skill_folder is not None or asked.act not in ("show", "check"):
            raise InputError("name the skill: skilltune refine SKILL")
        show_all(workspace, as_json=as_json)
        return
    call = Call(name=name, folder=skill_folder, workspace=workspace, note=note, as_json=as_json)
    choice = Choice.of(
        changes=changes,
        words=word or (),
        sections=section or (),
        opening=opening,
        allow_missing_baseline=allow_missing_baseline,
        folder=skill_folder,
    )
    _do(asked, call, choice, commit=commit, stamp=stamp)


def _do(asked: Asked, call: Call, choice: "Choice", *, commit: bool | None, stamp: bool | None) -> None:
    """Show or do the one thing that is asked for."""
    from skilltune.cli.refine_deciding import apply_choice, go_on_as_new, record_choice, reopen_decision
    from skilltune.cli.refine_showing import check_skill, show_suggestion

    match asked.act:
        case "check":
            check_skill(call)
        case "as_new":
            go_on_as_new(call, asked.value)
        case "reopen":
            reopen_decision(call, asked.value)
        case "approve":
            apply_choice(call, choice, digest=asked.value, commit=commit, stamp=stamp)
        case "reject" | "defer":
            record_choice(call, choice, decision=asked.act, digest=asked.value)
        case "show":
            show_suggestion(call, choice)


COMMANDS = (refine,)
