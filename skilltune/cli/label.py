"""Commands over a person's labels: ``label`` and its ``sample``, ``import``, ``status``, ``export``, ``retract``."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skilltune.cli.options import AsJson, AsOf, SessionDirs, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_result, safe, warn_of_log
from skilltune.cli.skill_name import one_skill
from skilltune.rendering.terminal import count_words, fitted

if TYPE_CHECKING:
    from skilltune.labelling.answering import Labelling
    from skilltune.labelling.status import LabelStatus

__all__ = ["label"]

label = typer.Typer(rich_markup_mode=None)

_HOW = """\
Label in a notebook:    skilltune notebook 04_label     puts it here; a checkout has it as notebooks/04_label.ipynb
                        jupyter lab 04_label.ipynb
Label in a spreadsheet: skilltune label sample --output to-label.csv
                        fill in the column outcome (correction, partial, acceptance, none), for complaints also about
                        skilltune label import to-label.csv
Acceptance is also: going on to other work with no complaint. Much of the rate hangs on that."""


@label.callback(invoke_without_command=True)
def _root(context: typer.Context, *, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """Label what people said, for rates one can trust.

    The rules that judge what people say make mistakes; labels of a small random sample tell how many. Without a
    command: how far you are, and how to go on.

    Example: skilltune label sample --size 50 --output to-label.csv
    """
    if context.invoked_subcommand is None:
        _show_status(workspace, as_json=as_json, how=True)
    elif workspace is not None or as_json:
        from skilltune.errors import InputError

        name = context.invoked_subcommand
        raise InputError(f"write the options behind the command, as: skilltune label {name} --workspace FOLDER")


@label.command()
def status(*, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """How many uses and turns are labelled, by skill.

    And how many uses of the random samples are still to be labelled.

    Example: skilltune label status
    """
    _show_status(workspace, as_json=as_json, how=False)


@label.command()
def sample(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    size: Annotated[int, typer.Option("--size", min=1, max=100_000, metavar="N", help="Uses on the sheet.")] = 50,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the random draw.")] = 0,
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE.csv", help="The sheet to write, for your eyes only.")
    ] = Path("to-label.csv"),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file, answers and all.")] = False,
    with_rules: Annotated[
        bool, typer.Option("--with-rules", help="Show the rules' verdicts too; they sway who reads them first.")
    ] = False,
    session_dir: SessionDirs = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Draw uses at random and write them to a sheet.

    Uses drawn earlier and not labelled yet come first; what is missing is drawn, and kept in the log with its
    probabilities. The sheet holds what people said, with keys, tokens and passwords masked.

    Fill in outcome in each row: correction, partial, acceptance or none. Acceptance is also going on to other work with
    no complaint: much of the rate hangs on that; none says nothing about the work, such as a question. For a correction
    or partial also about: skill, or other where it speaks of something else; and, if you like, correction_type:
    rejection, revert or redo.

    Example: skilltune label sample --size 50 --output to-label.csv
    """
    from skilltune.labelling.opening import open_sample
    from skilltune.labelling.population import read_population
    from skilltune.labelling.sheets import check_free, check_sheet_name, sheet_text, write_sheet

    check_free(check_sheet_name(output), overwrite=overwrite)
    population = read_population(workspace, sessions=session_dir, as_of=as_of)
    labelling = open_sample(
        population, sample_size=size, seed=seed, skill_id=one_skill(skill, skill_option), only_open=True
    )
    if not labelling.total:
        print_result(
            {"sheet": None, "uses": 0, "turns": 0, "no_transcript": labelling.unread},
            f"There is nothing left to label: {_nothing(labelling)}",
            as_json=as_json,
        )
        return
    text = sheet_text(labelling.questions, labelling=labelling, with_rules=with_rules)
    labelling.ask_elsewhere()
    target = write_sheet(output, text, overwrite=overwrite)
    row = {
        "sheet": str(target),
        "uses": labelling.uses_total,
        "turns": labelling.total,
        "no_transcript": labelling.unread,
    }
    print_result(row, _sample_text(labelling, target), as_json=as_json)


@label.command(name="import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="A sheet that you filled in.")],
    *,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Take the labels of a filled in sheet.

    All of them or, where a row is wrong, none. Rows without an outcome are left open; imported twice, a sheet adds
    nothing.

    Example: skilltune label import to-label.csv
    """
    from skilltune.labelling.population import label_log
    from skilltune.labelling.sheets import import_sheet
    from skilltune.stores.privacy import check_collection

    check_collection()
    log = label_log(workspace)
    counts = import_sheet(log, file)
    if counts.new or counts.changed:
        written = f"Written to {safe(str(log.path))}"
    elif counts.unchanged:
        written = f"Nothing new to write to {safe(str(log.path))}"
    else:
        written = f"Nothing written: fill in the column outcome of {safe(str(file))}, then import it again"
    text = (
        f"{count_words(counts.new, 'new label')}, {counts.changed:,} changed, {counts.unchanged:,} as before; "
        f"{count_words(counts.blank, 'row')} without an outcome.\n{written}"
    )
    print_result(asdict(counts) | {"log": str(log.path)}, text, as_json=as_json)


@label.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that ends in .csv or .jsonl.")],
    *,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Write the labels as pointers, without any text.

    Session, record, turn and label of each: whoever has the sessions can build the labelled set from them.

    Example: skilltune label export labels.jsonl
    """
    from skilltune.labelling.pointers import export_labels
    from skilltune.labelling.population import label_log

    target, count = export_labels(label_log(workspace), file, overwrite=overwrite)
    print_result(
        {"file": str(target), "labels": count}, f"{count_words(count, 'label')} in {safe(str(target))}", as_json=as_json
    )


@label.command()
def retract(
    label_ids: Annotated[
        list[str] | None, typer.Argument(metavar="LABEL_ID...", help="Ids of labels, as export writes them.")
    ] = None,
    *,
    last: Annotated[int, typer.Option("--last", min=0, metavar="N", help="The last N labels you gave.")] = 0,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Take labels back.

    What was said of their turns before counts again, be it a label or the rules.

    Example: skilltune label retract --last 1
    """
    from skilltune.errors import InputError
    from skilltune.labelling.population import label_log
    from skilltune.labelling.tables import last_labels

    log = label_log(workspace)
    ids = [*(label_ids or ()), *last_labels(log, count=last)]
    if not ids:
        raise InputError("no label is named; give ids as skilltune label export writes them, or --last N")
    count = log.retract(ids)
    print_result({"retracted": count}, f"{count_words(count, 'label')} taken back.", as_json=as_json)


def _show_status(workspace: Path | None, *, as_json: bool, how: bool) -> None:
    from skilltune.labelling.status import read_status

    found = read_status(workspace)
    warn_of_log(found.path, found.problems)
    row = {
        "log": str(found.path),
        **{name: found.total(name) for name in ("uses", "turns", "drawn", "open")},
        "judges": found.judges,
        "skills": [asdict(skill) for skill in found.skills],
    }
    print_result(row, "\n".join([*_status_lines(found), *(["", _HOW] if how else [])]), as_json=as_json)


def _status_lines(found: "LabelStatus") -> Sequence[str]:
    if not found.skills:
        return ["Nothing is labelled yet."]
    still = f"{found.total('open'):,} of {found.total('drawn'):,} uses drawn at random are still open"
    lines = [
        f"{count_words(found.total('uses'), 'use')} and {count_words(found.total('turns'), 'turn')} labelled.",
        f"{still}, those whose transcript is gone among them.",
        "",
        f"{'skill':<32} {'uses':>7} {'turns':>7} {'drawn':>7} {'open':>7}",
    ]
    lines += [
        f"{fitted(skill.skill_id, 32)} {skill.uses:>7,} {skill.turns:>7,} {skill.drawn:>7,} {skill.open:>7,}"
        for skill in found.skills
    ]
    lines += [f"{safe(judge)} labelled {count_words(turns, 'turn')}." for judge, turns in found.judges.items()]
    return lines


def _sample_text(labelling: "Labelling", target: Path) -> str:
    uses, turns = count_words(labelling.uses_total, "use"), count_words(labelling.total, "turn")
    lines = [
        f"{uses} with {turns} to label: {safe(str(target))}",
        "Fill in outcome (correction, partial, acceptance, none), for complaints also about (skill, other).",
        "Acceptance is also going on to other work with no complaint.",
    ]
    if labelling.unread:
        lines.append(f"{count_words(labelling.unread, 'use')} left out: the transcript is gone, or was not read.")
    return "\n".join([*lines, "", f"Next: skilltune label import {safe(str(target))}"])


def _nothing(labelling: "Labelling") -> str:
    if labelling.unread:
        return f"the transcripts of {count_words(labelling.unread, 'use')} are gone, or were not read."
    return "everything that somebody said about a use is labelled."
