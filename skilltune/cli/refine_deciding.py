"""What a person decides by ``skilltune refine``: apply, reject, defer, take back, go on as a new skill."""

from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from skilltune.cli.ids import find_id
from skilltune.cli.output import now, print_json, print_result, print_text, safe, terminal
from skilltune.cli.person import check_person
from skilltune.cli.refine_options import Call
from skilltune.cli.refine_showing import seen, warn_of_workspace
from skilltune.errors import InputError, SkillFileError
from skilltune.rendering.terminal import command, count_words

if TYPE_CHECKING:
    from skilltune.cli.refine_choice import Choice, Chosen
    from skilltune.evolution.approvals import Approval, Decision
    from skilltune.evolution.suggestions import Suggestion

__all__ = ["apply_choice", "go_on_as_new", "record_choice", "reopen_decision"]

_SAID: Final = {
    "reject": "Rejected; it is not proposed again until new corrections say it.",
    "defer": "Deferred; it stays as it is.",
}


def apply_choice(call: Call, choice: "Choice", *, digest: str, commit: bool | None, stamp: bool | None) -> None:
    """Write the suggestion that `digest` names to the skill's file."""
    from skilltune.cli.history_text import applied_text
    from skilltune.cli.refine_rows import applied_row
    from skilltune.refining.applying import apply_refinement

    suggestion = _chosen_by_person(call, choice, kind="approve", digest=digest).suggestion
    applied = apply_refinement(
        suggestion,
        approval=_decided(call, suggestion, "approve"),
        workspace=call.workspace,
        base_directory=call.folder,
        allow_missing_baseline=choice.allow_missing_baseline,
        stamp=stamp,
        commit=commit,
    )
    if call.as_json:
        print_json(applied_row(applied))
        return
    made = count_words(len(suggestion.chosen), "change")
    lead = f"Applied {made} to {safe(applied.skill_id)}, {suggestion.change_percent}% of its body"
    looser = [f"looser than the default: {told}" for told in suggestion.basis.settings.looser]
    print_text(
        applied_text(
            applied, lead=lead, back_to=suggestion.version, options=call.folder_option, notes=looser, **terminal()
        )
    )


def record_choice(call: Call, choice: "Choice", *, decision: Literal["reject", "defer"], digest: str) -> None:
    """Record that a person rejects or defers the suggestion that `digest` names."""
    from skilltune.refining.acts import record_decision

    chosen = _chosen_by_person(call, choice, kind=decision, digest=digest)
    approval = _decided(call, chosen.suggestion, decision)
    entry = record_decision(chosen.suggestion, approval=approval, base_directory=call.folder)
    undo = command("refine", call.name, *call.folder_option, "--reopen", chosen.suggestion.digest[:12])
    print_result(entry, f"{_SAID[decision]} The skill is unchanged.\n\nUndo: {undo}", as_json=call.as_json)


def reopen_decision(call: Call, given: str) -> None:
    """Take back a rejection or deferral, found by its digest or the id of its open suggestion."""
    from skilltune.refining.acts import reopen

    check_person("take a decision back", skill_id=call.name)
    look = command("history", call.name, *call.folder_option)
    target = find_id(given, _decided_ids(call), what=f"decision on {call.name} that can be taken back", look=look)
    entry = reopen(call.name, target, note=call.note, base_directory=call.folder)
    look = command("refine", call.name, *call.folder_option)
    print_result(entry, f"Taken back; it may be proposed again.\n\nNext: {look}", as_json=call.as_json)


def go_on_as_new(call: Call, new: str) -> None:
    """Make a new skill of the current body, with a baseline of its own."""
    from skilltune.refining.acts import as_new
    from skilltune.stores.skill_files import check_new_name

    check_new_name(new)
    check_person("go on as a new skill", skill_id=call.name)
    try:
        path = as_new(call.name, new, note=call.note, base_directory=call.folder)
    except SkillFileError as error:
        if not isinstance(error.__cause__, FileExistsError):
            raise
        raise InputError(f"there is a skill {new} already; nothing was changed: choose another name") from error
    told = f"{safe(new)} goes on where {safe(call.name)} is: {safe(str(path))}\n\nNext: {command('drift', new)}"
    print_result({"skill_id": new, "path": str(path), "from": call.name}, told, as_json=call.as_json)


def _chosen_by_person(call: Call, choice: "Choice", *, kind: str, digest: str) -> "Chosen":
    """The suggestion that a person at a terminal names by its digest."""
    check_person(f"{kind} a suggestion", skill_id=call.name)
    moment: datetime = now()
    state = seen(call, as_of=moment)
    warn_of_workspace(state.workspace)
    chosen = choice.make(state, as_of=moment, rejects=kind == "reject")
    chosen.check_digest(digest, record=state.record)
    return chosen


def _decided_ids(call: Call) -> list[str]:
    """Digests of what was rejected and deferred, ids of the open suggestions among it, and of what was released."""
    from skilltune.refining.state import read_state
    from skilltune.refining.taking_back import opening_id

    record = read_state(call.name, workspace=call.workspace, base_directory=call.folder).record
    refused = [*(item for item in record.refusals if item.type == "reject"), *record.deferrals]
    complaints = [change for item in refused for change in item.changes if not change.get("key")]
    openings = [opening_id(name, change.get("ids") or ()) for change in complaints for name in record.names]
    return [*(item.digest for item in refused), *openings, *record.released]


def _decided(call: Call, suggestion: "Suggestion", decision: "Decision") -> "Approval":
    from skilltune.evolution.approvals import decide
    from skilltune.refining.places import user_name

    return decide(suggestion, decision=decision, reviewer=user_name(), at=now(), how="terminal", note=call.note)
