"""The recipe: labelled turns in, a model and its card out; the same input gives the same output."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skilltune.mining.model import ModelFile
from skilltune.training.calibrating import calibrate
from skilltune.training.card import build_card
from skilltune.training.evaluating import Judged, judge_held_out
from skilltune.training.examples import Example, build_examples
from skilltune.training.figures import GROUPS, quality
from skilltune.training.fitting import Fitting, check_extra, fit_weights
from skilltune.training.holdout import held_out_scores
from skilltune.training.pointers import read_pointed_turns
from skilltune.training.publishing import make_model_file
from skilltune.training.turns import LabelledTurn, invented_turns, read_labelled_turns
from skilltune.workflow import Paths, read_sessions

__all__ = ["Trained", "held_out_by_session", "helpful_turns", "train"]

Progress = Callable[[str], None]
_SOURCE_FOLDS = 10


@dataclass(frozen=True)
class Trained:
    """What training gave: the model, its card, and the held-out verdicts that the card counts."""

    model: ModelFile
    card: dict[str, Any]
    by_session: list[Judged] = field(repr=False)
    by_source: list[Judged] = field(repr=False)


def train(
    paths: Sequence[Path],
    *,
    sessions: Paths | None = None,
    invented: bool = True,
    folds: int | None = 20,
    compare: bool = True,
    fitting: Fitting | None = None,
    progress: Progress = lambda _line: None,
) -> Trained:
    """A model trained on labelled turns, measured on turns that it had not seen.

    Parameters
    ----------
    paths
        Files (JSON lines) or folders of labelled turns; with `sessions`, files of pointers to turns.
    sessions
        Where the turns are that pointers name.
    invented
        Learn from the invented turns that ship with the package, too (they are never measured on).
    folds
        Sessions are left out in so many bundles; None leaves out one at a time, which takes longer.
    compare
        Measure what the invented turns add, by training without them as well.
    fitting
        How the regression is made.
    progress
        Called with a line for each step.

    Raises
    ------
    InputError
        A label or line is wrong, a class is missing, or scikit-learn is not installed.
    """
    check_extra()
    how = fitting or Fitting()
    if sessions is None:
        files = [read_labelled_turns(path) for path in paths]
    else:
        scanned = read_sessions(sessions)
        files = [read_pointed_turns(path, scanned.files()) for path in paths]
    examples = build_examples(turn for turns in files for turn in turns)
    languages = sorted({example.turn.language for example in examples})
    beside = build_examples(helpful_turns(invented_turns(), languages=languages)) if invented else []
    progress(f"{len(examples):,} labelled turns, {len(beside):,} invented ones beside them")
    by_session, by_source, model = _fit(examples, beside, how=how, folds=folds, languages=languages, progress=progress)
    card = {
        "model": model.version,
        "invented": {"turns": len(beside), "sources": len({example.turn.source for example in beside})},
        "folds": "each session" if folds is None else folds,
        **build_card(by_session, by_source, first_file=len(files[0])),
        "rules_on_invented": _rules_by_language(),
    }
    if beside and compare:
        card["invented"] |= _what_they_add(examples, beside, how=how, folds=folds, with_them=(by_session, by_source))
    return Trained(model, card, by_session, by_source)


def helpful_turns(turns: Sequence[LabelledTurn], *, languages: Sequence[str]) -> list[LabelledTurn]:
    """Those in `languages` that something went before: a session's first message can judge nothing."""
    return [
        turn
        for turn in turns
        if turn.language in languages and (turn.situation.previous_agent or turn.situation.previous_prompt)
    ]


def held_out_by_session(
    examples: Sequence[Example], beside: Sequence[Example], *, how: Fitting, folds: int | None
) -> list[Judged]:
    """Verdicts on `examples`, each without its session having been seen."""
    scores = held_out_scores(examples, beside=beside, group=lambda turn: turn.session, fitting=how, folds=folds)
    return judge_held_out(examples, scores)


def _fit(
    examples: Sequence[Example],
    beside: Sequence[Example],
    *,
    how: Fitting,
    folds: int | None,
    languages: list[str],
    progress: Progress,
) -> tuple[list[Judged], list[Judged], ModelFile]:
    by_session = held_out_scores(
        examples,
        beside=beside,
        group=lambda turn: turn.session,
        fitting=how,
        folds=folds,
        progress=lambda done, of: progress(f"left out session {done} of {of}") if done % 50 == 0 else None,
    )
    progress("sessions left out in turn")
    by_source = _judge_by_source(examples, beside, how=how)
    progress("projects left out in turn")
    calibrated = calibrate(examples, by_session)
    weights = fit_weights([*examples, *beside], fitting=how)
    model = make_model_file(weights, calibrated, languages=languages)
    return judge_held_out(examples, by_session), by_source, model


def _judge_by_source(examples: Sequence[Example], beside: Sequence[Example], *, how: Fitting) -> list[Judged]:
    """Verdicts without the project having been seen, by weights or thresholds; none of a single project."""
    if len({example.turn.source for example in examples}) == 1:
        return []
    scores = held_out_scores(examples, beside=beside, group=lambda turn: turn.source, fitting=how, folds=_SOURCE_FOLDS)
    return judge_held_out(examples, scores, group=lambda turn: turn.source)


def _what_they_add(
    examples: Sequence[Example],
    beside: Sequence[Example],
    *,
    how: Fitting,
    folds: int | None,
    with_them: tuple[Sequence[Judged], Sequence[Judged]],
) -> dict[str, Any]:
    """F1 with and without invented turns, sessions and projects left out; and on the invented ones themselves."""
    without = [held_out_by_session(examples, [], how=how, folds=folds)]
    if len({example.turn.source for example in examples}) > 1:
        without.append(_judge_by_source(examples, [], how=how))
    own = held_out_scores(beside, beside=examples, group=lambda turn: turn.source, fitting=how, folds=_SOURCE_FOLDS)
    return {
        "with": {name: _f1s(judged) for name, judged in zip(("session", "project"), with_them, strict=True)},
        "without": {name: _f1s(judged) for name, judged in zip(("session", "project"), without, strict=False)},
        "on_invented_left_out": _f1s(judge_held_out(beside, own)),
    }


def _rules_by_language() -> dict[str, dict[str, Any]]:
    """The rules alone on invented turns of each language: all that is known where nobody labelled real ones."""
    by_language: dict[str, list[Judged]] = {}
    for example in build_examples(invented_turns()):
        row = Judged(example.turn, example.said.outcome, example.said.outcome, 0.0, 0.0)
        by_language.setdefault(example.turn.language, []).append(row)
    return {
        language: {"turns": len(rows), **{group: quality(rows, group) for group in ("negative", "acceptance")}}
        for language, rows in sorted(by_language.items())
    }


def _f1s(judged: Sequence[Judged]) -> dict[str, dict[str, Any]]:
    return {group: quality(judged, group)["f1"] for group in GROUPS if group in ("negative", "acceptance")}
