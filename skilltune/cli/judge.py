"""``skilltune judge``: what a judge would be sent; with ``--send``, sending it, its score and what it changes."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.judge_text import plan_text, score_lines, sent_text
from skilltune.cli.options import AsJson, AsOf, SessionDirs, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_text
from skilltune.cli.skill_name import one_skill

if TYPE_CHECKING:
    from skilltune.judging.working import Judging

__all__ = ["COMMANDS"]

_NOT_CONFIRMED = 1


def judge(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    session_dir: SessionDirs = None,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="claude, codex or opencode; default as [judge] says.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="Model the agent should use.")] = None,
    sample: Annotated[
        int,
        typer.Option(
            "--sample",
            min=1,
            metavar="N",
            help="Uses of its random sample, behind those you labelled: on these it is scored.",
        ),
    ] = 50,
    everything: Annotated[bool, typer.Option("--all", help="All uses instead of a sample.")] = False,
    max_turns: Annotated[
        int | None,
        typer.Option(
            "--max-turns",
            min=1,
            max=100_000,
            metavar="N",
            help="Turns to send at most, of your uses and its sample together [200].",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Of the random sample.")] = 0,
    as_of: AsOf = None,
    send: Annotated[bool, typer.Option("--send", help="Send it; on a terminal you are asked first.")] = False,
    use: Annotated[
        bool, typer.Option("--use", help="Print the corrected rate with its answers here, too, once it is scored.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Have turns labelled by a model of yours, checked on your labels.

    Without --send nothing leaves the machine: you are told what would, and no more than that is sent. A judge's answers
    are labels of its own. They override nobody's, and are used only once you labelled 30 of the same turns and say so:
    --judge NAME with skilltune metrics --corrected; for the report, use = true under [judge] in config.toml.

    Example: skilltune judge --agent claude --sample 100
    """
    from skilltune.judging.working import open_judging

    opened = open_judging(
        workspace,
        sessions=session_dir or None,
        sample_size=None if everything else sample,
        skill_id=one_skill(skill, skill_option),
        seed=seed,
        as_of=as_of,
        agent=agent,
        model=model,
        max_turns=max_turns,
    )
    if not send:
        _show(opened, earlier=_earlier(opened, workspace=workspace, use=use), as_json=as_json)
        return
    if opened.plan.questions:
        _ask(opened)
    judged = opened.send(consent=True, progress=True)
    result = _result(opened, workspace=workspace, use=use)
    if as_json:
        counts = {"answers": len(judged.answers), "cached": judged.cached, "sent": judged.sent}
        print_json({"judge": judged.name, **counts, "not_judged": judged.reasons, **result})
    else:
        print_text(sent_text(judged, **result))


def _earlier(opened: "Judging", *, workspace: Path | None, use: bool) -> dict[str, Any]:
    """How good its earlier answers are; nothing where it gave none."""
    from skilltune.labelling.tables import read_labels

    if read_labels(workspace, reader=opened.reader).empty:
        return {}
    return _result(opened, workspace=workspace, use=use)


def _show(opened: "Judging", *, earlier: dict[str, Any], as_json: bool) -> None:
    """What would leave the machine."""
    if not as_json:
        print_text("\n".join([plan_text(opened, sent=False), *(score_lines(**earlier) if earlier else [])]))
        return
    from skilltune.judging.prompt import shown_fields

    plan = opened.plan
    print_json(
        {
            "sent": False,
            "judge": opened.judge.name,
            "program": list(opened.judge.argv),
            "turns": len(plan.questions),
            "turns_for_scoring": opened.for_scoring,
            "turns_of_sample": len(plan.questions) - opened.for_scoring,
            "prompts": plan.batches,
            "characters": plan.characters,
            "known": plan.cached,
            "over_budget": plan.over_budget,
            "example": shown_fields(plan.questions[0]) if plan.questions else None,
            **earlier,
        }
    )


def _ask(opened: "Judging") -> None:
    """Return if the person agrees to the sending, by typing it or, without a terminal, by the config."""
    if sys.stdin is None or not sys.stdin.isatty():
        if not opened.settings.enabled:
            print(
                "skilltune: nothing was sent: there is no terminal to ask on; write enabled = true under [judge] in "
                f"{opened.workspace / 'config.toml'} to agree beforehand",
                file=sys.stderr,
            )
            raise typer.Exit(_NOT_CONFIRMED)
        return
    print(plan_text(opened, sent=True), file=sys.stderr)
    answer = typer.prompt('Type "yes" to send this', default="no", show_default=False, err=True)
    if answer.strip().casefold() != "yes":
        print("skilltune: nothing was sent", file=sys.stderr)
        raise typer.Exit(_NOT_CONFIRMED)


def _result(opened: "Judging", *, workspace: Path | None, use: bool) -> dict[str, Any]:
    """The judge's score, and the corrected rate with its answers where they may be used."""
    from skilltune.analysis.corrected import corrected_rate
    from skilltune.analysis.rows import as_records
    from skilltune.judging.scoring import score_judge
    from skilltune.judging.using import usable_answers
    from skilltune.labelling.tables import labelled_uses, read_labels

    name = opened.judge.name
    (score,) = as_records(score_judge(read_labels(workspace), judge=name))
    usable = usable_answers(workspace, judge=name, use=use or None)
    rates = None
    if usable.uses is not None:
        predicted, labelled = opened.labelling.predicted_uses(), labelled_uses(workspace)
        (rates,) = as_records(corrected_rate(predicted, labelled, judged=usable.uses)) or (None,)
    return {"score": score, "not_used": usable.reason, "rate": rates}


COMMANDS = (judge,)
