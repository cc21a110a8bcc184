"""``skilltune drift``: how far a skill has come from its baseline; its limit, and a baseline taken anew."""

from pathlib import Path
from typing import Annotated, Any

import typer

from skilltune.cli.options import AsJson, NamedSkill, Note, Skill, SkillFolder, WorkspaceDir
from skilltune.cli.output import is_screen, now, print_json, print_result, print_text, safe, terminal
from skilltune.cli.skill_name import named
from skilltune.errors import InputError
from skilltune.limits import DRIFT_LIMIT

__all__ = ["COMMANDS"]


def drift(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    diff: Annotated[bool, typer.Option("--diff", help="Show the body against its baseline.")] = False,
    reset_baseline: Annotated[
        bool, typer.Option("--reset-baseline", help="Measure against the current body from now on.")
    ] = False,
    set_limit: Annotated[
        float | None, typer.Option("--set-limit", metavar="N", help="Drift, in percent, at which refinement halts.")
    ] = None,
    note: Note = "",
    skill_folder: SkillFolder = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """How far a skill has come from its baseline.

    The baseline is the oldest commit of the file, else the text that skilltune first saw. Only the body counts, not the
    front matter. A limit and a baseline taken anew need a terminal and a --note.

    Example: skilltune drift lint-on-save --diff
    """
    name = named(skill, skill_option, command="drift")
    if diff + reset_baseline + (set_limit is not None) > 1:
        raise InputError("give one of --diff, --reset-baseline and --set-limit")
    if reset_baseline or set_limit is not None:
        _act(name, limit=set_limit, note=note, folder=skill_folder, as_json=as_json)
    elif diff:
        _show_diff(name, folder=skill_folder, workspace=workspace, as_json=as_json)
    else:
        _show(name, folder=skill_folder, workspace=workspace, as_json=as_json)


def _show(name: str, *, folder: Path | None, workspace: Path | None, as_json: bool) -> None:
    from skilltune.cli.refine_rows import drift_row, time_text
    from skilltune.refining.telling import drift_of
    from skilltune.rendering.drift import render_drift

    found = drift_of(name, workspace=workspace, base_directory=folder)
    base = found.baseline
    where: dict[str, Any] = {
        "source": base.source if base else "",
        "commit": base.commit if base else "",
        "since": base.at if base else None,
    }
    if as_json:
        baseline = where | {"since": time_text(where["since"]), "digest": base.digest if base else None}
        told = {"outside_edit": found.outside_edit, "notes": list(found.notes)}
        print_json(
            {"skill_id": name, "version": found.version, **drift_row(found.measure), "baseline": baseline, **told}
        )
        return
    limit = found.measure.limit_percent
    looser = (f"looser than the default: drift_limit {limit:g} (default {DRIFT_LIMIT:g})",) * (limit > DRIFT_LIMIT)
    shown = {"skill_id": name, "version": found.version, "notes": (*found.notes, *looser), **where, **terminal()}
    print_text(render_drift(found.measure, **shown))


def _show_diff(name: str, *, folder: Path | None, workspace: Path | None, as_json: bool) -> None:
    from skilltune.evolution.showing import unified_diff
    from skilltune.refining.state import read_state, see_skill
    from skilltune.rendering.suggestion import render_diff

    state = see_skill(read_state(name, workspace=workspace, base_directory=folder), at=now())
    before = state.baseline_body
    text = None if before is None else unified_diff(before, state.doc.body, name=state.place.file.path.name)
    if as_json:
        print_json({"skill_id": name, "diff": text})
    elif text is None:
        print_text(f"{safe(name)} has no baseline, so there is nothing to compare its body with.")
    elif not text:
        print_text(f"The body of {safe(name)} is its baseline.")
    else:
        shown = terminal()
        print_text(render_diff(text, width=shown["width"] if is_screen() else None, color=shown["color"]))


def _act(name: str, *, limit: float | None, note: str, folder: Path | None, as_json: bool) -> None:
    from skilltune.cli.person import check_person
    from skilltune.refining.acts import reset_baseline, set_limit

    check_person("take a baseline anew" if limit is None else "set a drift limit", skill_id=name)
    if limit is None:
        entry = reset_baseline(name, note=note, base_directory=folder)
        said = f"Drift of {safe(name)} is measured against its current body from now on."
    else:
        entry = set_limit(name, limit, note=note, base_directory=folder)
        said = f"Refinement of {safe(name)} halts at a drift of {limit:g}% from now on."
    print_result(entry, said, as_json=as_json)


COMMANDS = (drift,)
