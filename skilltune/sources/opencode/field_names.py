"""The names of fields that sessions, messages and parts of OpenCode have had so far."""

import re
from typing import Final

__all__ = ["FIELD_NAMES"]

FIELD_NAMES: Final = frozenset(
    re.findall(
        r"\S+",
        """
agent attempt auto callID command cost description directory error filename files finish format hash id ignored
messageID metadata mime mode model modelID name overflow parentID path permission projectID prompt providerID reason
revert role sessionID share slug snapshot source state structured subtask summary synthetic system tail_start_id text
time title tokens tool tools type url variant version workspaceID
        """,
    )
)
