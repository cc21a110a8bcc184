"""The names of fields that records of Claude Code, and the messages in them, have had so far."""

import re
from typing import Final

__all__ = ["FIELD_NAMES"]

FIELD_NAMES: Final = frozenset(
    re.findall(
        r"\S+",
        """
agentColor agentId agentName agentSetting aiTitle apiError apiErrorStatus apiRefusalCategory apiRefusalExplanation
attachment attributionAgent attributionMcpServer attributionMcpTool attributionPlugin attributionSkill bridgeSessionId
cause classifierMetaLines compactMetadata container content context_management costUSD customTitle cwd data
diagnostics direction durationMs effort entrypoint error errorDetails fallbackModel forkedFrom frameUrl gitBranch
hasOutput hookAdditionalContext hookCount hookErrors hookInfos id imagePasteIds input interruptedByShutdown
interruptedMessageId isAbortedMidStream isApiErrorMessage isCompactSummary isMeta isSidechain isSnapshotUpdate
isVisibleInTranscriptOnly lastPrompt lastSequenceNum leafUuid level logicalParentUuid maxRetries mcpMeta message
messageCount messageId microcompactMetadata mode model name operation origin originalModel output ownerAccountUuid
ownerOrganizationUuid parentToolUseID parentUuid path pendingBackgroundAgentCount permissionMode planContent prNumber
prRepository prUrl preventedContinuation promptId promptSource refusedUserMessageUuid relocatedCwd requestId
retractedMessageUuids retryAttempt retryInMs role scope sessionId sessionKind session_id slug snapshot source
sourceToolAssistantUUID sourceToolUseID stopReason stop_details stop_reason stop_sequence subtype summary
supersedesUuids tag teamName thinkingMetadata timestamp title todos toolDenialKind toolEndsTurn toolUseID
toolUseResult trigger turnCompanion type url usage userType uuid version worktreeSession
        """,
    )
)
