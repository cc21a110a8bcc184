"""Tables of a log that somebody else may have written, with the secrets in them masked before anything is shown.

Names, and what people said in complaints, are masked when a log is read: reports, lists and panels show them, and look
for what complaints share. All other words are masked where they are shown.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["masked_complaints", "masked_ids", "masked_names", "masked_words"]

_WORDS: Final = "user_message_snippet"

_NAMES: Final = (
    *("agent_version", "base_directory", "model", "project", "rule", "ruleset", "skill_digest", "skill_id"),
)
"""Columns of few texts that reports, charts and tables show, or group by; ids are masked where they are written out."""


def masked_names(table: "pd.DataFrame") -> "pd.DataFrame":
    """`table` with each secret in a name replaced by ``[secret]``; a column without any stays what it is.

    What skilltune wrote has none: names are masked before they are kept.

    Examples
    --------
    >>> import pandas as pd
    >>> masked_names(pd.DataFrame({"skill_id": ["deslop", "deploy password: hunter2!"]}))["skill_id"].tolist()
    ['deslop', 'deploy password: [secret]']
    """
    found = {name: _masked(table[name]) for name in _NAMES if name in table.columns}
    return table.assign(**{name: column for name, column in found.items() if column is not None})


def masked_ids(table: "pd.DataFrame") -> "pd.DataFrame":
    """`table`, which is going to be printed, with each secret in a session's name masked, too."""
    if "session_id" not in table.columns:
        return table
    sessions = _masked(table["session_id"])
    return table if sessions is None else table.assign(session_id=sessions)


def masked_complaints(events: "pd.DataFrame") -> "pd.DataFrame":
    """`events` with each secret masked in what people said who corrected, or had a reserve.

    Examples
    --------
    >>> import pandas as pd
    >>> said = ["no, password: hunter2!", "Thanks."]
    >>> events = pd.DataFrame({"outcome": ["correction", "acceptance"], "user_message_snippet": said})
    >>> masked_complaints(events)["user_message_snippet"].tolist()
    ['no, password: [secret]', 'Thanks.']
    """
    complaints, said = events["outcome"].isin(["correction", "partial"]), events[_WORDS]
    changed = _changed(said[complaints], mask=mask_secrets)
    if not changed:
        return events
    kept = said.where(~(complaints & said.isin(list(changed))), said.map(changed))
    return events.assign(**{_WORDS: kept.astype(said.dtype)})


def masked_words(quotes: "pd.DataFrame") -> "pd.DataFrame":
    """The few rows of events that are going to be quoted, with each secret in what people said masked."""
    said = quotes[_WORDS].astype("object")
    masked = [mask_secrets(text) if isinstance(text, str) else text for text in said]
    return quotes.assign(**{_WORDS: masked})


def _masked(column: "pd.Series[Any]") -> "pd.Series[Any] | None":
    """The column with its secrets masked, None where there are none; categories are looked at once each."""
    changed = _changed(column, mask=mask_name)
    if not changed:
        return None
    texts = column.astype("object").map(lambda word: changed.get(word, word))
    return texts.astype("category" if column.dtype == "category" else column.dtype)


def _changed(column: "pd.Series[Any]", *, mask: Callable[[str], str]) -> dict[str, str]:
    """Text → what it is masked to, of those in the column that hold a secret."""
    return {word: masked for word in column.unique() if isinstance(word, str) and (masked := mask(word)) != word}
