"""Whether a judge's answers may be used for corrected rates: the person says so, and it was scored on their labels."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from skilltune.analysis.corrected_summary import UsableAnswers
from skilltune.judging.command import judge_name
from skilltune.judging.scoring import JUDGE_PREFIX, MIN_SCORED, score_judge
from skilltune.labelling.tables import labelled_uses, read_labels
from skilltune.stores.workspace import find_workspace

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["answers_to_use", "how_to_use", "usable_answers"]


def usable_answers(
    workspace: str | Path | None = None,
    *,
    judge: str | None = None,
    use: bool | None = None,
    min_labels: int = MIN_SCORED,
) -> UsableAnswers:
    """The labelled uses of a judge, if it was scored on a person's labels and the person says that they are used.

    Parameters
    ----------
    judge
        Its name, as in its labels (``judge:NAME``); default that of the judge that ``[judge]`` of the config describes.
    use
        Whether the person wants them used; default what ``[judge] use`` says (no). Where it answered for all uses its
        answers then stand in for the verdicts of the rules; where for a random sample, they are a level between these
        and the person's labels.
    min_labels
        As in ``score_judge``.
    """
    settings = find_workspace(explicit=workspace).config.judge
    name = judge_name(settings) if judge is None else judge
    found = UsableAnswers(judge=name, uses=None)
    if not (settings.use if use is None else use):
        return replace(found, reason=f"not used: {how_to_use(name)}")
    if not name:
        return replace(found, reason="not used: [judge] in config.toml names none; write agent or command there")
    labels = read_labels(workspace)
    (row,) = score_judge(labels, judge=name, min_labels=min_labels).to_dict(orient="records")
    found = replace(
        found,
        turns=row["n_labels"],
        agreement=row["agreement"],
        low=row["agreement_low"],
        high=row["agreement_high"],
    )
    others = _judges(labels)
    if others and name not in others:
        return replace(found, reason=f"not used: it labelled nothing; those that did: {', '.join(others)}")
    if not row["scored"]:
        return replace(found, reason=row["reason"])
    return replace(found, uses=labelled_uses(workspace, reader=JUDGE_PREFIX + name))


def how_to_use(name: str) -> str:
    """What to say where a judge's answers are to be used; the same wherever it is told."""
    return (
        f"say --judge {name or 'NAME'} with skilltune metrics --corrected; for the report, and metrics from then on, "
        "write use = true under [judge] in config.toml"
    )


def answers_to_use(workspace: str | Path | None = None, *, judge: str | None = None) -> UsableAnswers | None:
    """The answers that go into a workspace's corrected rates, or why none do.

    Parameters
    ----------
    judge
        One whose answers are asked for; default the configured one, if ``[judge] use`` says so.

    Returns
    -------
    UsableAnswers or None
        None where there is nothing to say: no judge is asked for, and the configured one labelled nothing.
    """
    settings = find_workspace(explicit=workspace).config.judge
    if judge is not None or settings.use:
        return usable_answers(workspace, judge=judge, use=True)
    if judge_name(settings) not in _judges(read_labels(workspace)):
        return None
    return usable_answers(workspace, use=False)


def _judges(labels: "pd.DataFrame") -> list[str]:
    """The judges that labelled something, by name."""
    readers = sorted(set(labels["reader"].astype("str")))
    return [reader.removeprefix(JUDGE_PREFIX) for reader in readers if reader.startswith(JUDGE_PREFIX)]
