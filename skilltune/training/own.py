"""A model fitted to a person's own labels: the one that ships, corrected by what they labelled."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from skilltune.errors import InputError
from skilltune.facts import FileFacts
from skilltune.mining.classifier import judge_turn
from skilltune.mining.model import Model, ModelFile, read_model
from skilltune.mining.outcomes import judge_by_rules
from skilltune.mining.rows import id_of_turn
from skilltune.mining.session_turns import SessionTurns
from skilltune.records import TurnLabel
from skilltune.stores.labels import LabelLog
from skilltune.stores.models import write_own_model
from skilltune.stores.privacy import check_collection
from skilltune.stores.workspace import find_workspace
from skilltune.training.calibrating import calibrate
from skilltune.training.comparing import SURE, share_of_gains
from skilltune.training.evaluating import Judged, judge_held_out
from skilltune.training.examples import Example, build_examples
from skilltune.training.figures import quality
from skilltune.training.fitting import Fitting, Weights, check_extra, fit_weights
from skilltune.training.holdout import Scores, bare_model
from skilltune.training.publishing import encode_model, make_model_file
from skilltune.training.turns import LabelledTurn
from skilltune.workflow import Paths, read_sessions

__all__ = ["ACCEPTANCE_LOSS", "MIN_LABELS", "OwnModel", "fit_own_model", "own_turns", "train_own"]

MIN_LABELS: Final = 100
"""Labelled turns from which on an own model is tried."""
ACCEPTANCE_LOSS: Final = 0.02
"""By how much F1 of acceptances may be lower with an own model that is used."""
_FOLDS: Final = 10
_PRIOR_SCALE: Final = 10.0
"""The shipped model's sum enters so much enlarged that the penalty on weights does not hold it down."""
_PRIORS: Final = ("prior=negative", "prior=acceptance")
_HOW: Final = Fitting(strength=0.05, invented_weight=1.0, min_sessions=3, min_sources=1)


@dataclass(frozen=True, slots=True)
class OwnModel:
    """What fitting gave: figures on held-out own labels of both models, and the own one if it is better."""

    turns: int
    sessions: int
    shipped: dict[str, Any]
    own: dict[str, Any]
    better: bool
    file: ModelFile
    path: Path | None = None
    """Where it was put; None where it is not better, or was not to be kept."""
    unread: int = 0
    """Labels whose turn is in none of the sessions."""
    gains: float = 0.0
    """Share of bootstrap draws of sessions in which its F1 of complaints is the higher one."""
    unasked: int = 0
    """Labelled turns left out because no model is asked in their language."""


def train_own(workspace: str | Path | None = None, *, sessions: Paths | None = None, keep: bool = True) -> OwnModel:
    """Fit the model to the labels of a workspace, and use it there from now on if it is better.

    Better: on own labels that it had not seen, F1 of complaints is higher than with the model that ships in at least
    95 % of 1,000 paired bootstrap draws of sessions, and F1 of acceptances not lower by more than 2 points.

    Raises
    ------
    InputError
        Fewer than 100 labelled turns can be read, one kind is missing, or scikit-learn is not installed.
    CollectionDisabled
        The person switched collection off.
    """
    check_extra()
    check_collection()
    place = find_workspace(explicit=workspace)
    labels = LabelLog.beside(place.feedback_path).read().of_reader("person")
    folders = sessions if sessions is not None else place.config.mining.folders or None
    turns = own_turns(read_sessions(folders).files(), labels) if labels else []
    if len(turns) < MIN_LABELS:
        raise InputError(
            f"{len(turns)} labelled turns can be read, {MIN_LABELS} are needed for an own model; "
            "label more with: skilltune label sample (the transcripts must still be there)"
        )
    fitted = fit_own_model(turns)
    unread = len({label.turn_id for label in labels}) - len(turns)
    path = write_own_model(place, encode_model(fitted.file)) if keep and fitted.better else None
    return replace(fitted, path=path, unread=unread)


def own_turns(read: Iterable[FileFacts], labels: Iterable[TurnLabel]) -> list[LabelledTurn]:
    """The labelled turns of a person's sessions, each once."""
    wanted = {label.turn_id: label for label in labels}
    found: dict[str, LabelledTurn] = {}
    for file in read:
        for session in file.sessions:
            turns = SessionTurns(session, model=None)
            for at, item in turns.turns():
                key = id_of_turn(session, item)
                if key in wanted and key not in found:
                    situation = turns.situation(at)
                    found[key] = LabelledTurn(
                        key=key,
                        source=session.project or "own",
                        session=session.session_id,
                        agent=session.agent,
                        language=judge_by_rules(situation).language or "en",
                        situation=situation,
                        outcome=wanted[key].outcome,
                        uuid=item.uuid,
                    )
    return [found[key] for key in sorted(found)]


def fit_own_model(turns: Sequence[LabelledTurn], *, shipped: Model | None = None) -> OwnModel:
    """The model for `turns` on top of `shipped` (default the one of the package), and how both do on unseen ones.

    Turns in a language in which neither model would be asked, for want of 100 labels, are left out.

    Raises
    ------
    InputError
        Fewer than 100 turns are left, or one kind is missing.
    """
    base = shipped or read_model()
    if base is None:
        raise InputError("there is no model to start from; train one with: skilltune train LABELS")
    spoken = sorted({*base.file.languages, *_well_labelled(turns)})
    asked = [turn for turn in turns if turn.language in spoken]
    if len(asked) < MIN_LABELS:
        raise InputError(
            f"{len(asked)} of {len(turns)} labelled turns are in a language that a model is asked in "
            f"({', '.join(spoken)}); {MIN_LABELS} are needed there, or in another language"
        )
    examples = [_with_prior(example, base) for example in build_examples(asked)]
    scores = _held_out(examples, base)
    own = judge_held_out(examples, scores, folds=_FOLDS)
    before = [_by_shipped(example, base) for example in examples]
    figures = {name: _figures(judged) for name, judged in (("shipped", before), ("own", own))}
    calibrated = calibrate(examples, scores)
    file = make_model_file(_folded(fit_weights(examples, fitting=_HOW), base), calibrated, languages=spoken)
    sessions = len({turn.session for turn in asked})
    gains = share_of_gains(before, own)
    return OwnModel(
        turns=len(asked),
        sessions=sessions,
        shipped=figures["shipped"],
        own=figures["own"],
        better=gains >= SURE and _keeps_acceptances(figures),
        file=file,
        gains=gains,
        unasked=len(turns) - len(asked),
    )


def _held_out(examples: Sequence[Example], base: Model) -> Scores:
    """Scores of own examples by models that have not seen their session, each on top of `base`."""
    names = sorted({example.turn.session for example in examples})
    scores: Scores = [(0.0, 0.0)] * len(examples)
    for fold in range(min(_FOLDS, len(names))):
        out = set(names[fold::_FOLDS])
        seen = [example for example in examples if example.turn.session not in out]
        model = bare_model(_folded(fit_weights(seen, fitting=_HOW), base))
        for place, example in enumerate(examples):
            if example.turn.session in out:
                scores[place] = model.scores(example.features)
    return scores


def _with_prior(example: Example, base: Model) -> Example:
    prior = {name: value * _PRIOR_SCALE for name, value in zip(_PRIORS, base.sums(example.features), strict=True)}
    return replace(example, features={**example.features, **prior})


def _folded(weights: Weights, base: Model) -> Weights:
    """`weights` on features and on the base model's sums, as weights on features alone."""
    shares = [weights.weights.get(name, (0.0, 0.0)) for name in _PRIORS]
    scaled = [(one * _PRIOR_SCALE, two * _PRIOR_SCALE) for one, two in shares]

    def blend(own: tuple[float, float], shipped: tuple[float, float]) -> tuple[float, float]:
        return (
            own[0] + scaled[0][0] * shipped[0] + scaled[1][0] * shipped[1],
            own[1] + scaled[0][1] * shipped[0] + scaled[1][1] * shipped[1],
        )

    names = [name for name in {*weights.weights, *base.file.weights} if name not in _PRIORS]
    nothing = (0.0, 0.0)
    return Weights(
        blend(weights.bias, base.file.bias),
        {name: blend(weights.weights.get(name, nothing), base.file.weights.get(name, nothing)) for name in names},
    )


def _by_shipped(example: Example, base: Model) -> Judged:
    verdict = judge_turn(example.turn.situation, model=base)
    return Judged(
        example.turn, verdict.outcome, example.said.outcome, verdict.p_negative or 0.0, verdict.p_acceptance or 0.0
    )


def _figures(judged: Sequence[Judged]) -> dict[str, Any]:
    return {group: quality(judged, group) for group in ("negative", "acceptance")}


def _keeps_acceptances(figures: Mapping[str, Mapping[str, Any]]) -> bool:
    own, shipped = (float(figures[which]["acceptance"]["f1"]["rate"] or 0.0) for which in ("own", "shipped"))
    return own >= shipped - ACCEPTANCE_LOSS


def _well_labelled(turns: Sequence[LabelledTurn]) -> list[str]:
    """Languages with enough labels to be told apart from what ships."""
    spoken = [turn.language for turn in turns]
    return [language for language in set(spoken) if spoken.count(language) >= MIN_LABELS]
