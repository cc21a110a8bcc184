"""The command ``train``: a classifier from labelled turns, or an own one from a person's labels."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.options import AsJson, SessionDirs, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe
from skilltune.errors import InputError
from skilltune.page.words import count_of

if TYPE_CHECKING:
    from skilltune.training.own import OwnModel
    from skilltune.training.recipe import Trained

__all__ = ["COMMANDS"]


def train(
    labels: Annotated[
        list[Path] | None,
        typer.Argument(metavar="LABELS", help="Files or folders of labelled turns (JSON lines).", show_default=False),
    ] = None,
    *,
    own: Annotated[bool, typer.Option("--own", help="Fit to your own labels instead (100 or more).")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FOLDER", help="Where model.json and model_card.json go.")
    ] = None,
    invented: Annotated[
        bool, typer.Option("--invented/--no-invented", help="Learn from the bundled invented turns, too.")
    ] = True,
    each_session: Annotated[
        bool, typer.Option("--each-session", help="Leave out one session at a time, not in 20 bundles; slower.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --own: measure, but change nothing.")] = False,
    session_dir: SessionDirs = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Train the classifier of what people say, and measure it on turns that it has not seen.

    From files of labelled turns (or of pointers to turns in --session-dir) it makes a model and its card. With --own it
    fits the model that ships to your own labels, and uses it in this workspace if it is surely better on labels that it
    had not seen: more so than chance would do. Needs: pip install 'skilltune[train]'.

    Example: skilltune train --own
    """
    if own == bool(labels):
        raise InputError("name files of labelled turns, or --own for your own labels: skilltune train --own")
    if own and (output or not invented or each_session):
        raise InputError("--output, --no-invented and --each-session go with files of labels, not with --own")
    if not own and (dry_run or workspace):
        raise InputError("--dry-run and --workspace go with --own, not with files of labels")
    if own:
        _train_own(workspace, session_dir, dry_run=dry_run, as_json=as_json)
        return
    from skilltune.training.recipe import train as run

    folds = None if each_session else 20
    trained = run(labels or [], sessions=session_dir, invented=invented, folds=folds, progress=_progress)
    written = _write(trained, output)
    if as_json:
        print_json({**trained.card, "written": [str(path) for path in written]})
    else:
        print_text(_card_text(trained.card, written))


def _train_own(workspace: Path | None, session_dir: list[Path] | None, *, dry_run: bool, as_json: bool) -> None:
    from skilltune.training.own import train_own

    result = train_own(workspace, sessions=session_dir, keep=not dry_run)
    if as_json:
        print_json({
            "turns": result.turns,
            "sessions": result.sessions,
            "unread": result.unread,
            "other_language": result.unasked,
            "gains": result.gains,
            "shipped": result.shipped,
            "own": result.own,
            "better": result.better,
            "path": str(result.path) if result.path else None,
        })  # fmt: skip
    else:
        print_text(_own_text(result))


def _write(trained: "Trained", output: Path | None) -> list[Path]:
    if output is None:
        return []
    import json

    from skilltune.stores.files import make_folder, replace_file
    from skilltune.training.publishing import encode_model

    make_folder(output)
    model, card = output / "model.json", output / "model_card.json"
    replace_file(model, encode_model(trained.model))
    replace_file(card, (json.dumps(trained.card, indent=1) + "\n").encode())
    return [model, card]


def _card_text(card: Mapping[str, Any], written: list[Path]) -> str:
    lines = [
        (
            f"Trained on {card['turns']:,} labelled turns of {card['projects']} projects "
            f"({card['sessions']:,} sessions) and {card['invented']['turns']:,} invented ones."
        ),
        "",
        "On turns whose session it had not seen:",
        *_figures(card["outcomes"]),
        f"  complaints, share of all turns: said {card['rate']['said']:.0%}, labelled {card['rate']['true']:.0%}",
    ]
    if card["projects"] > 1:
        lines += [
            "",
            f"On {card['other_projects']['turns']:,} turns of smaller projects that it had not seen at all:",
            *_figures(card["other_projects"]["outcomes"]),
        ]
    lines += ["", *[f"written: {safe(str(path))}" for path in written]] if written else [
        "", "Nothing was written; --output FOLDER keeps the model and its card."
    ]  # fmt: skip
    return "\n".join(lines)


def _own_text(result: "OwnModel") -> str:
    lines = [
        f"{result.turns:,} turns labelled by you, in {result.sessions:,} sessions, each judged without its session:",
        "the model that ships",
        *_figures(result.shipped),
        "your own",
        *_figures(result.own),
        "",
    ]
    left_out = {
        "the transcript is gone": result.unread,
        "too few labels in their language, and no model that is asked in it": result.unasked,
    }
    lines += [f"Left out: {count_of(count, 'labelled turn')}: {why}." for why, count in left_out.items() if count]
    return "\n".join([*lines, *_own_verdict(result)])


def _own_verdict(result: "OwnModel") -> list[str]:
    """Whether the own model is better, how sure that is, and what follows."""
    from skilltune.training.comparing import SURE

    drawn = f"F1 of complaints is higher with yours in {result.gains:.1%} of 1,000 draws of your sessions"
    if result.path:
        return [
            f"{drawn}.",
            f"Yours is better and is used from now on: {safe(str(result.path))} (delete it to go back)",
            "The next skilltune mine judges the log anew with it.",
        ]
    if result.better:
        return [f"{drawn}.", "Yours would be better; nothing was changed."]
    if result.gains >= SURE:
        return [f"{drawn}, but it reads acceptances worse.", "Yours is no better; nothing was changed."]
    return [f"{drawn}; {SURE:.0%} are needed.", "Yours is no better than chance would do; nothing was changed."]


def _figures(outcomes: Mapping[str, Any]) -> list[str]:
    names = {"negative": "complaints", "acceptance": "acceptances"}
    return [f"  {word:12s} {_shares(outcomes[group])}" for group, word in names.items()]


def _shares(figures: Mapping[str, Mapping[str, Any]]) -> str:
    return "  ".join(f"{name} {_share(figures[name])}" for name in ("precision", "recall", "f1"))


def _share(figures: Mapping[str, Any]) -> str:
    if figures["rate"] is None:
        return "not known"
    return f"{figures['rate']:.2f} ({figures['low']:.2f}-{figures['high']:.2f})"


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        print(line, file=sys.stderr)


COMMANDS = (train,)
