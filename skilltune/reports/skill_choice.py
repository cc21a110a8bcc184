"""Which skill the notebook on one skill is about where none was named: said in words, with the others by name."""

from dataclasses import dataclass, field
from typing import Any, Final

from markupsafe import Markup

from skilltune.analysis.ranking import ranked_skills
from skilltune.errors import InputError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.html import EMPTY, Section, visible
from skilltune.page.words import count_of, percent
from skilltune.reports.metric_tables import read_metric_tables
from skilltune.stores.names import mask_name

__all__ = ["ChosenSkill", "choose_skill"]

OTHERS: Final = 10
"""Other skills that are named."""


@dataclass(frozen=True, slots=True)
class ChosenSkill:
    """A skill's name, and, where nobody named it, a section that says why it is this one."""

    name: str
    why: Section = field(default=EMPTY)


def choose_skill(
    skill: str,
    *,
    workspace: str = "",
    as_of: str = "",
    min_invocations: int = MIN_INVOCATIONS,
    sample: bool = False,
    use_labels: bool = True,
) -> ChosenSkill:
    """The skill that was named; for '' the most corrected one of the last 30 days.

    Parameters
    ----------
    workspace, as_of, min_invocations, sample, use_labels
        As of ``read_skill``.

    Raises
    ------
    InputError
        When none is named and the log holds no use, or as in ``read_metric_tables``.
    ReadError
        When there is no log.
    """
    if skill:
        return ChosenSkill(skill)
    asked: Any = {"workspace": workspace, "as_of": as_of, "min_invocations": min_invocations}
    found = read_metric_tables(sample=sample, use_labels=use_labels, **asked)
    ranking = ranked_skills(
        found.events, invocations=found.invocations, as_of=found.as_of, min_invocations=min_invocations
    )
    if ranking.empty:
        raise InputError("no skill is named, and no use of any is known before that time: run skilltune mine first")
    first, others = ranking.iloc[0], ranking["skill_id"].tolist()[1:]
    told = f"No skill was named, so this page is about {_shown(first['skill_id'])}: {_reason(first)}. {_named(others)}"
    return ChosenSkill(str(first["skill_id"]), Section(Markup("<p>{}</p>").format(told.strip())))


def _reason(first: Any) -> str:
    if not first["sufficient_data"]:
        return "no skill has enough judged uses in the last 30 days for a rate, and it has most"
    rate = f"{percent(first['correction_rate'])} of {count_of(int(first['sample_size']), 'judged use')}"
    return f"it is corrected most, {rate} in the last 30 days"


def _named(others: list[str]) -> str:
    if not others:
        return ""
    more = f" and {len(others) - OTHERS:,} more" if len(others) > OTHERS else ""
    named = ", ".join(map(_shown, others[:OTHERS]))
    return f"Others: {named}{more}. To see one of them, write its name at skill in the cell of parameters."


def _shown(name: str) -> str:
    return visible(mask_name(name))
