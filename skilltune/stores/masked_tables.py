"""Tables of a log that somebody else may have written, with the secrets in their names masked before they are shown."""

from typing import TYPE_CHECKING, Any, Final

from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["masked_names", "masked_words"]

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


def masked_words(quotes: "pd.DataFrame") -> "pd.DataFrame":
    """The few rows of events that are going to be quoted, with each secret in what people said masked."""
    said = quotes["user_message_snippet"].astype("object")
    masked = [mask_secrets(text) if isinstance(text, str) else text for text in said]
    return quotes.assign(user_message_snippet=masked)


def _masked(column: "pd.Series[Any]") -> "pd.Series[Any] | None":
    """The column with its secrets masked, None where there are none; categories are looked at once each."""
    changed = {
        word: masked for word in column.unique() if isinstance(word, str) and (masked := mask_name(word)) != word
    }
    if not changed:
        return None
    texts = column.astype("object").map(lambda word: changed.get(word, word))
    return texts.astype("category" if column.dtype == "category" else column.dtype)
