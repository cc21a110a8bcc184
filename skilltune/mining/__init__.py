"""Facts to invocations, turns and feedback events; pure."""

from skilltune.mining.classifier import classify_outcome
from skilltune.mining.outcomes import Verdict
from skilltune.mining.sessions import MinedRecords, mine_sessions, ruleset_version

__all__ = ["MinedRecords", "Verdict", "classify_outcome", "mine_sessions", "ruleset_version"]
