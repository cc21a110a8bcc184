"""``skilltune refine``: which skills may be refined, one skill's suggestion, a person's decision on it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from skilltune.cli.options import AsJson, Note, Skill, SkillArgument, SkillFolder, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, terminal, warn_of_log
from skilltune.errors import InputError, SkillFileError, SkillNotFoundError

if TYPE_CHECKING:
    from skilltune.cli.refine_choice import Choice, Chosen
    from skilltune.evolution.approvals import Decision
    from skilltune.evolution.suggestions import Suggestion
    from skilltune.refining.state import SkillState
    from skilltune.stores.workspace import Workspace

__all__ = ["COMMANDS"]

_NOTHING_TO_DO: Final = 1
_REFUSED: Final = 3
_BOUNDS: Final = {"cooldown", "change", "drift", "drift_after", "baseline", "metadata"}
"""Gates that refuse what there would be to do."""


def refine(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    check: Annotated[
        bool, typer.Option("--check", help="Whether it may be refined now, and why not; without a name, all skills.")
    ] = False,
    changes: Annotated[
        str | None, typer.Option("--changes", metavar="1,3", help="Only these changes; it is a suggestion of its own.")
    ] = None,
    opening: Annotated[
        str | None, typer.Option("--open", metavar="ID", help="An open suggestion, which complaints made.")
    ] = None,
    word: Annotated[
        list[str] | None,
        typer.Option(
            "--word", metavar="TEXT", help="The line in your words: for --open TEXT, for a change of --changes N=TEXT."
        ),
    ] = None,
    section: Annotated[
        list[str] | None,
        typer.Option("--section", metavar="TITLE", help="Where that line goes: TITLE for --open, else N=TITLE."),
    ] = None,
    approve: Annotated[
        str | None, typer.Option("--approve", metavar="DIGEST", help="Apply the suggestion of this digest.")
    ] = None,
    reject: Annotated[
        str | None,
        typer.Option("--reject", metavar="DIGEST", help="Not proposed again until three new corrections say it."),
    ] = None,
    defer: Annotated[
        str | None, typer.Option("--defer", metavar="DIGEST", help="Leave it for later, on record.")
    ] = None,
    note: Note = "",
    allow_missing_baseline: Annotated[
        bool, typer.Option("--allow-missing-baseline", help="Refine although drift is not known.")
    ] = False,
    commit: Annotated[
        bool | None, typer.Option("--commit/--no-commit", help="Commit the skill's file, and nothing else, to git.")
    ] = None,
    stamp: Annotated[
        bool | None, typer.Option("--stamp/--no-stamp", help="Put version and date into the front matter [yes].")
    ] = None,
    as_new: Annotated[
        str | None,
        typer.Option("--as-new", metavar="NAME", help="Go on as a new skill with a baseline of its own."),
    ] = None,
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

    name = skill if skill is not None else skill_option
    decisions = {"approve": approve, "reject": reject, "defer": defer}
    given = {kind: digest for kind, digest in decisions.items() if digest is not None}
    choosing = [value for value in (changes, opening, word, section) if value]
    if len(given) + check + (as_new is not None) > 1 or ((check or as_new is not None) and choosing):
        raise InputError(
            "give one of --check, --approve, --reject, --defer and --as-new; --changes and --open go alone"
        )
    if name is None:
        if given or choosing or as_new is not None:
            raise InputError("name the skill: skilltune refine SKILL")
        _show_all(workspace, as_json=as_json)
        return
    if check:
        _check(name, workspace=workspace, folder=skill_folder, as_json=as_json)
        return
    if as_new is not None:
        _go_on_as_new(name, as_new, note=note, folder=skill_folder, as_json=as_json)
        return
    choice = Choice.of(
        changes=changes,
        words=word or (),
        sections=section or (),
        opening=opening,
        allow_missing_baseline=allow_missing_baseline,
    )
    if not given:
        _show(name, choice, workspace=workspace, folder=skill_folder, as_json=as_json)
        return
    ((kind, digest),) = given.items()
    chosen = _chosen_by_person(name, choice, kind=kind, digest=digest, workspace=workspace, folder=skill_folder)
    if kind == "approve":
        _apply(
            chosen.suggestion,
            note=note,
            workspace=workspace,
            folder=skill_folder,
            allow_missing_baseline=allow_missing_baseline,
            commit=commit,
            stamp=stamp,
            as_json=as_json,
        )
    else:
        _record(chosen.suggestion, decision=kind, note=note, folder=skill_folder, as_json=as_json)  # type: ignore[arg-type]  # a key of the three


def _show_all(workspace: Path | None, *, as_json: bool) -> None:
    from skilltune.cli.refine_overview import overview_rows, overview_text
    from skilltune.stores.workspace import find_workspace

    found = overview_rows(workspace)
    _warn_of_ledger(find_workspace(explicit=workspace))
    if as_json:
        print_json([row.as_dict() for row in found.rows])
    else:
        print_text(overview_text(found, **terminal()))
    if any(row.damaged for row in found.rows):
        raise typer.Exit(4)


def _check(name: str, *, workspace: Path | None, folder: Path | None, as_json: bool) -> None:
    from skilltune.cli.refine_rows import eligibility_row
    from skilltune.refining.evidence import find_openings, judge_eligibility, read_evidence, unknown_skill
    from skilltune.rendering.eligibility import render_eligibility
    from skilltune.stores.workspace import find_workspace

    now = datetime.now(UTC)
    problem: SkillNotFoundError | None = None
    try:
        state = _seen(name, workspace=workspace, folder=folder, now=now)
        home = state.workspace
        openings = len(find_openings(state))
        evidence = read_evidence(name, workspace=home, as_of=now)
        found = judge_eligibility(state, evidence=evidence, as_of=now)
    except SkillNotFoundError as error:
        home, openings, problem = find_workspace(explicit=workspace), 0, error
        evidence = read_evidence(name, workspace=home, as_of=now)
        found = unknown_skill(name, workspace=home, as_of=now)
    standing = sum(item.id not in evidence.retracted for item in evidence.corrections)
    unusable = standing - found.correction_count
    _warn_of_ledger(home)
    if as_json:
        print_json(eligibility_row(found, unusable=unusable, openings=openings))
    else:
        print_text(render_eligibility(found, unusable=unusable, openings=openings, **terminal()))
    if problem is not None:
        raise problem
    if not found.eligible and not (openings and found.reason != "cooldown"):
        raise typer.Exit(_NOTHING_TO_DO)


def _show(name: str, choice: "Choice", *, workspace: Path | None, folder: Path | None, as_json: bool) -> None:
    from skilltune.cli.refine_rows import suggestion_row
    from skilltune.refining.evidence import find_openings
    from skilltune.rendering.suggestion import render_openings, render_suggestion

    now = datetime.now(UTC)
    state = _seen(name, workspace=workspace, folder=folder, now=now)
    chosen = choice.make(state, as_of=now)
    suggestion = chosen.suggestion
    _warn_of_ledger(state.workspace)
    openings = [] if choice.opening else find_openings(state)
    if as_json:
        print_json(suggestion_row(suggestion, openings=openings, notes=state.notes))
    else:
        shown = terminal()
        text = render_suggestion(suggestion, options=chosen.options, notes=_notes(state), **shown)
        print_text("\n".join([text, *render_openings(openings, width=shown["width"])]))
    _exit_for(suggestion, waiting=bool(openings))


def _exit_for(suggestion: "Suggestion", *, waiting: bool) -> None:
    """0: there is something to decide; 3: a bound refuses it; 1: there is nothing."""
    failing = {verdict.gate for verdict in suggestion.failing}
    if suggestion.ready or (waiting and "cooldown" not in failing):
        return
    raise typer.Exit(_REFUSED if suggestion.chosen and failing & _BOUNDS else _NOTHING_TO_DO)


def _chosen_by_person(
    name: str, choice: "Choice", *, kind: str, digest: str, workspace: Path | None, folder: Path | None
) -> "Chosen":
    """The suggestion that a person at a terminal names by its digest."""
    from skilltune.cli.person import check_person

    check_person(f"{kind} a suggestion", skill_id=name)
    now = datetime.now(UTC)
    state = _seen(name, workspace=workspace, folder=folder, now=now)
    chosen = choice.make(state, as_of=now, rejects=kind == "reject")
    chosen.check_digest(digest, record=state.record)
    return chosen


def _apply(
    suggestion: "Suggestion",
    *,
    note: str,
    workspace: Path | None,
    folder: Path | None,
    allow_missing_baseline: bool,
    commit: bool | None,
    stamp: bool | None,
    as_json: bool,
) -> None:
    from skilltune.cli.history_text import applied_text
    from skilltune.cli.refine_rows import applied_row
    from skilltune.evolution.approvals import decide
    from skilltune.refining.applying import apply_refinement
    from skilltune.refining.places import user_name

    approval = decide(suggestion, decision="approve", reviewer=user_name(), at=datetime.now(UTC), note=note)
    applied = apply_refinement(
        suggestion,
        approval=approval,
        workspace=workspace,
        base_directory=folder,
        allow_missing_baseline=allow_missing_baseline,
        stamp=stamp,
        commit=commit,
    )
    if as_json:
        print_json(applied_row(applied))
        return
    made = f"{len(suggestion.chosen)} change{'' if len(suggestion.chosen) == 1 else 's'}"
    lead = f"Applied {made} to {safe(applied.skill_id)}, {suggestion.change_percent}% of its body"
    print_text(applied_text(applied, lead=lead, back_to=suggestion.version, **terminal()))


def _record(suggestion: "Suggestion", *, decision: "Decision", note: str, folder: Path | None, as_json: bool) -> None:
    from skilltune.evolution.approvals import decide
    from skilltune.refining.acts import record_decision
    from skilltune.refining.places import user_name

    approval = decide(suggestion, decision=decision, reviewer=user_name(), at=datetime.now(UTC), note=note)
    entry = record_decision(suggestion, approval=approval, base_directory=folder)
    said = {
        "reject": "Rejected; it is not proposed again until new corrections say it.",
        "defer": "Deferred; it stays as it is.",
    }
    if as_json:
        print_json(entry)
    else:
        print_text(f"{said[decision]} The skill is unchanged.")


def _go_on_as_new(name: str, new: str, *, note: str, folder: Path | None, as_json: bool) -> None:
    from skilltune.cli.person import check_person
    from skilltune.refining.acts import as_new
    from skilltune.rendering.terminal import command
    from skilltune.stores.skill_files import check_new_name

    check_new_name(new)
    check_person("go on as a new skill", skill_id=name)
    try:
        path = as_new(name, new, note=note, base_directory=folder)
    except SkillFileError as error:
        if not isinstance(error.__cause__, FileExistsError):
            raise
        raise InputError(f"there is a skill {new} already; nothing was changed: choose another name") from error
    if as_json:
        print_json({"skill_id": new, "path": str(path), "from": name})
    else:
        print_text(f"{safe(new)} goes on where {safe(name)} is: {safe(str(path))}\n\nNext: {command('drift', new)}")


def _seen(name: str, *, workspace: Path | None, folder: Path | None, now: datetime) -> "SkillState":
    from skilltune.refining.state import read_state, see_skill

    return see_skill(read_state(name, workspace=workspace, base_directory=folder), at=now)


def _warn_of_ledger(home: "Workspace") -> None:
    """Say which lines of the ledger could not be used, for a suggestion may be missing for them."""
    from collections import Counter

    from skilltune.stores.ledger import find_ledger

    ledger = find_ledger(home)
    warn_of_log(ledger.path, Counter(problem.reason for problem in ledger.verify()))


def _notes(state: "SkillState") -> list[str]:
    edited = "the file was edited outside of skilltune since the last entry of its audit log"
    return [*state.notes, *([edited] if state.outside_edit else [])]


COMMANDS = (refine,)
