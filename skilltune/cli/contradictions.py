"""``skilltune contradictions``: what in a skill's corrections works against itself, and keeping a side of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skilltune.cli.ids import find_id
from skilltune.cli.options import AsJson, NamedSkill, Note, Skill, SkillFolder, WorkspaceDir
from skilltune.cli.output import print_json, print_result, print_text, terminal, warn_of_log
from skilltune.cli.skill_name import named
from skilltune.errors import InputError
from skilltune.rendering.terminal import command, count_words

if TYPE_CHECKING:
    from skilltune.evolution.contradictions import Contradiction, Contradictions

__all__ = ["COMMANDS"]

_BOTH, _NONE = "both", "none"


def contradictions(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    finding: Annotated[
        str | None, typer.Option("--finding", metavar="ID", help="One contradiction, by the first digits of its id.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep",
            metavar="SIDE",
            help="1, 2, …: keep this side of --finding and take the others' corrections back; both: keep all sides; "
            "none: it holds again.",
        ),
    ] = None,
    note: Note = "",
    skill_folder: SkillFolder = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Corrections of a skill that contradict each other.

    A conflict (a reversal, a cycle) holds the changes it touches; a warning is shown with them. Keeping a side needs a
    terminal. Reversals in other words are not seen: read the corrections with skilltune feedback SKILL.

    Example: skilltune contradictions deploy-check
    """
    name = named(skill, skill_option, command="contradictions")
    if (finding is None) != (keep is None):
        raise InputError("--keep and --finding go together: which contradiction, and which of its sides")
    if finding is not None and keep is not None:
        _keep(name, finding, keep, note=note, folder=skill_folder, workspace=workspace, as_json=as_json)
        return
    found = _find(name, folder=skill_folder, workspace=workspace)
    if as_json:
        from skilltune.cli.refine_rows import contradictions_row

        print_json(contradictions_row(found, skill_id=name))
    else:
        from skilltune.rendering.contradictions import render_contradictions

        print_text(render_contradictions(found, skill_id=name, **terminal()))


def _find(name: str, *, folder: Path | None, workspace: Path | None) -> "Contradictions":
    """The contradictions by the ledger; what a person released is known of installed skills only."""
    from collections import Counter

    from skilltune.evolution.contradictions import find_contradictions
    from skilltune.refining.state import read_state
    from skilltune.stores.ledger import find_ledger

    ledger = find_ledger(workspace)
    contents = ledger.read()
    warn_of_log(ledger.path, Counter(problem.reason for problem in contents.problems))
    said = [event.as_correction() for event in contents.events if event.type == "correction" and event.skill_id == name]
    try:
        released = read_state(name, workspace=workspace, base_directory=folder).record.released
    except InputError:
        if not said:
            raise
        released = frozenset()
    return find_contradictions(said, retracted=contents.retracted, released=released)


def _keep(
    name: str,
    finding: str,
    keep: str,
    *,
    note: str,
    folder: Path | None,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Keep one side, all sides, or none."""
    from skilltune.cli.person import check_person
    from skilltune.refining.acts import hold_contradiction, release_contradiction

    check_person("keep a side of a contradiction", skill_id=name)
    item = _named_finding(_find(name, folder=folder, workspace=workspace), finding, skill_id=name)
    if keep in (_BOTH, _NONE):
        act = release_contradiction if keep == _BOTH else hold_contradiction
        entry = act(name, item.id, note=note, base_directory=folder)
        said = "All sides are kept; it holds nothing any more." if keep == _BOTH else "It holds its changes again."
        print_result(entry, said, as_json=as_json)
        return
    taken = _retract_others(item, keep, note=note, workspace=workspace)
    many = count_words(len(taken), "correction")
    undo = "\n".join(f"Undo: {command('feedback', 'retract', id_)}" for id_ in taken)
    said = f"Side {keep} is kept; {many} taken back.\n{undo}"
    print_result({"finding": item.id, "kept": int(keep), "retracted": taken}, said, as_json=as_json)


def _retract_others(item: "Contradiction", keep: str, *, note: str, workspace: Path | None) -> list[str]:
    """Take back the corrections of all sides but the one that is kept; the ids of what was written."""
    from skilltune.refining.places import user_name
    from skilltune.stores.ledger import find_ledger

    if not keep.isascii() or not keep.isdigit() or not 1 <= int(keep) <= len(item.sides):
        raise InputError(f"--keep is {keep[:80]!r}; it is both, none, or a side from 1 to {len(item.sides)}")
    kept = item.sides[int(keep) - 1]
    reason = note or f"another side of the contradiction {item.id} is kept"
    ledger = find_ledger(workspace)
    others = [correction for side in item.sides if side is not kept for correction in side.corrections]
    return [ledger.retract(correction.id, by=user_name(), reason=reason).id for correction in others]


def _named_finding(found: "Contradictions", finding: str, *, skill_id: str) -> "Contradiction":
    by_id = {item.id: item for item in found.findings}
    look = command("contradictions", skill_id, "--json")
    return by_id[find_id(finding, by_id, what=f"contradiction of {skill_id}", look=look)]


COMMANDS = (contradictions,)
