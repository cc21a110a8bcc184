"""The types of records that Codex has written so far; others are counted as unknown."""

import re
from typing import Final

__all__ = ["EVENTS", "ITEMS", "SILENT_RECORDS", "WRAPPED"]

WRAPPED: Final = frozenset(
    {
        "compacted",
        "event_msg",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "response_item",
        "session_meta",
        "turn_context",
        "world_state",
    }
)
"""Records that wrap a payload."""

SILENT_RECORDS: Final = frozenset({"state"})
"""Records without a payload that say nothing of the conversation."""

ITEMS: Final = frozenset(
    re.findall(
        r"\S+",
        """
additional_tools agent_message compaction compaction_summary context_compaction ghost_snapshot
image_generation_call reasoning tool_search_call tool_search_output
        """,
    )
)
"""Items of the conversation with the model that are no message, call or output."""

EVENTS: Final = frozenset(
    re.findall(
        r"\S+",
        """
account/rateLimits/updated agent_message_delta agent_reasoning agent_reasoning_raw_content
agent_reasoning_section_break apply_patch_approval_request automation_message background_event codex/event/raw_item
collab_agent_interaction_begin collab_agent_interaction_end collab_agent_spawn_begin collab_agent_spawn_end
collab_close_begin collab_close_end collab_resume_begin collab_resume_end collab_waiting_begin
collab_waiting_end context_compacted deprecation_notice dynamic_tool_call_request dynamic_tool_call_response
entered_review_mode error exec_approval_request exec_command_begin exec_command_end exec_command_output_delta
exited_review_mode guardian_assessment guardian_warning hook_completed hook_started image_generation_begin
image_generation_end item_started mcp_startup_complete mcp_startup_update mcp_tool_call_begin
model_reroute model_verification patch_apply_begin patch_apply_updated plan_update raw_response_item
request_permissions request_user_input session_configured shutdown_complete stream_error sub_agent_activity
task_complete terminal_interaction thread_goal_updated thread_name_updated thread_settings_applied turn_complete
turn_diff undo_started view_image_tool_call warning web_search_begin web_search_end
        """,
    )
)
"""Events that say nothing of what facts hold."""
