"""What a person ticked and worded → the suggestion that it makes, with a digest of its own."""

from collections.abc import Sequence
from datetime import datetime

from skilltune.evolution.suggestions import Suggestion, choose_changes
from skilltune.refining.suggesting import word_from
from skilltune.widgets.approval_items import Waiting
from skilltune.widgets.approval_rows import ChangeRow

__all__ = ["ticked_suggestion", "worded_suggestion"]


def ticked_suggestion(found: Suggestion | None, rows: Sequence[ChangeRow]) -> Suggestion | None:
    """The suggestion that makes the changes ticked; `found` itself where that is the same.

    Raises
    ------
    InputError
        A line that is ticked is missing or wrong.
    """
    if found is None or not found.changes:
        return found
    ticked = [row for row in rows if row.ticked]
    numbers = {row.number for row in ticked}
    lines = {row.number: row.line for row in ticked if row.line is not None}
    if numbers == {change.number for change in found.chosen} and not lines:
        return found
    shown = {change.number: change.section for change in found.changes}
    sections = {row.number: row.title for row in ticked if row.title is not None and row.title != shown[row.number]}
    return choose_changes(found, numbers=numbers, lines=lines, sections=sections)


def worded_suggestion(
    item: Waiting, *, line: str, section: str, allow_missing_baseline: bool, as_of: datetime
) -> Suggestion | None:
    """The suggestion that adds a person's line for an open one; None without a line.

    Raises
    ------
    InputError
        The line cannot be taken.
    """
    if item.opening is None or not line.strip():
        return None
    return word_from(
        item.state,
        item.opening,
        line=line,
        section=section,
        allow_missing_baseline=allow_missing_baseline,
        as_of=as_of,
    )
