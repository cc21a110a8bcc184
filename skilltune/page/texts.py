"""What the texts of a skill are called on a page: by the numbers of its audit log, else by order of first use.

A log that has only the text it began with changes no name: it begins whenever somebody looks at a skill.
"""

from dataclasses import replace
from typing import Final

import pandas as pd

from skilltune.analysis.weekly import WeeklySummary
from skilltune.page.rows import Row

__all__ = [
    "EARLIER",
    "HOW",
    "OUTSIDE",
    "named_texts",
    "new_text",
    "text_name",
    "text_words",
    "version_marks",
    "with_names",
]

OUTSIDE: Final = "edited outside"
"""A text that the audit log of its skill does not have, first used after the log began."""
EARLIER: Final = "earlier text"
"""One that was used before the log began."""

SECOND: Final = 2
"""The number from which on the versions of an audit log are names: before, it tells the texts apart no better."""
HOW: Final = {"refine": "refined", "rollback": "rolled back", "outside_edit": OUTSIDE}
"""How a text came to be, as its mark says."""


def with_names(summary: WeeklySummary, texts: pd.DataFrame | None) -> WeeklySummary:
    """`summary` whose versions have their names (``name``) from `texts`, the texts that the audit logs have."""
    return replace(summary, versions=named_texts(summary.versions, texts))


def named_texts(versions: pd.DataFrame, texts: pd.DataFrame | None) -> pd.DataFrame:
    """`versions` with the ``name`` that the audit log of its skill gives it; before its second version, their own.

    Parameters
    ----------
    versions
        ``skill_id``, ``skill_digest``, ``since``, and ``name`` by order of first use.
    texts
        ``skill_id``, ``skill_digest``, ``version``, ``at`` of the audit logs' texts.
    """
    if texts is None or texts.empty or versions.empty:
        return versions
    texts = texts[texts.groupby("skill_id")["version"].transform("max") >= SECOND]
    if texts.empty:
        return versions
    known = texts[texts["skill_digest"] != ""].drop_duplicates(["skill_id", "skill_digest"], keep="first")
    numbers = known.set_index(["skill_id", "skill_digest"])["version"]
    found = numbers.reindex(pd.MultiIndex.from_frame(versions[["skill_id", "skill_digest"]])).to_numpy()
    audited = versions["skill_id"].map(texts.groupby("skill_id")["at"].min())
    unknown = (versions["since"] < audited).map({True: EARLIER, False: OUTSIDE})
    number = pd.Series(found, index=versions.index).astype("Int64")
    told = ("v" + number.astype("str")).where(number.notna(), unknown)
    return versions.assign(name=told.where(audited.notna(), versions["name"]).astype("str"))


def text_name(summary: WeeklySummary, skill_id: str) -> str:
    """What the text of a skill that was first used last is called; '' where it had only one, or none is known."""
    names = summary.versions.loc[summary.versions["skill_id"] == skill_id, "name"]
    return str(names.iloc[-1]) if len(names) > 1 else ""


def text_words(text: Row) -> str:
    """A later text in a sentence: ``v3``; ``a text edited outside skilltune``."""
    name = str(text["name"])
    if name in (OUTSIDE, EARLIER):
        return "a text edited outside skilltune" if name == OUTSIDE else "an earlier text"
    return name


def new_text(text: Row) -> str:
    """A later text with what it is: ``a new text (v3)``; the one that an audit log began with is not called new."""
    name = str(text["name"])
    return "the first text in its log (v1)" if name == "v1" else f"a new text ({name})"


def version_marks(texts: pd.DataFrame, marks: pd.DataFrame | None) -> pd.DataFrame:
    """``number``, ``since`` and ``how`` of the marks in the course of one skill.

    Each new text stands where it was first used; one that the audit log has says how it came to be. A change whose
    text no use showed, or one had shown before, stands where it was made.

    Parameters
    ----------
    texts
        The skill's rows of ``named_texts``.
    marks
        ``at``, ``skill_digest``, ``version`` and ``kind`` of the changes in its audit log; None or none without one.
    """
    number = pd.to_numeric(texts["name"].str.removeprefix("v"), errors="coerce").astype("Int64")
    told = texts.assign(number=number, how="")[texts["number"] > 1]
    if marks is None or marks.empty:
        return told.assign(how=told["name"].where(told["number"].isna(), ""))
    changes = marks.sort_values("at", kind="stable")
    first = changes[changes["skill_digest"] != ""].drop_duplicates("skill_digest", keep="first")
    how = dict(zip(first["skill_digest"], first["kind"].map(HOW), strict=True))
    named = told.assign(how=told["skill_digest"].map(how).fillna(told["name"].where(told["number"].isna(), "")))
    used = dict(zip(texts["skill_digest"], texts["since"], strict=True))
    shown = changes["skill_digest"].map(used)
    drawn = (
        changes.index.isin(first.index)
        & (shown >= changes["at"]).to_numpy()
        & changes["skill_digest"].isin(named["skill_digest"]).to_numpy()
    )
    others = changes[~drawn]
    # where marks are near each other only the number is written: of a roll-back the word tells more
    numbers = others["version"].astype("Int64").mask(others["kind"] == "rollback")
    rest = pd.DataFrame({"since": others["at"], "number": numbers, "how": others["kind"].map(HOW)})
    return pd.concat([named, rest]) if len(rest) else named
