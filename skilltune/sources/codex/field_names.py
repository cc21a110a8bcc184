"""The names of fields that records of Codex, and their payloads, have had so far."""

import re
from typing import Final

__all__ = ["FIELD_NAMES"]

FIELD_NAMES: Final = frozenset(
    re.findall(
        r"\S+",
        """
action action_name active_permission_profile additional_details agent_nickname agent_path agent_role agent_statuses
agent_thread_id aggregated_output app_name approval_policy approvals_reviewer arguments audio author auto_approved
base_instructions call_id callId changes chunk cli_version client_id codex_error_info collaboration_mode
collaboration_mode_kind command comp_hash completed_at completed_at_ms connector_id content content_items
context_window created_at current_date cwd decision_source delta detail developer_instructions duration duration_ms
dynamic_tools effort encrypted_content error event_id execution exit_code explanation file_system_sandbox_policy
final_output_json_schema first_window_id forked_from_id formatted_output full function ghost_commit git goal
history_entry_count history_log_id history_mode id images info initial_messages input instructions
interaction_input internal_chat_message_metadata_passthrough invocation item item_id kind last_agent_message link_id
local_audio local_images memory_citation memory_mode message metadata model model_context_window model_provider
model_provider_id multi_agent_mode multi_agent_version name namespace network new_agent_nickname new_agent_role
new_thread_id num_turns occurred_at_ms ordinal originator output parent_thread_id parsed_cmd path payload
permission_profile personality phase plan plugin_id previous_window_id process_id prompt query rate_limits rationale
read_only_hint realtime_active reason reasoning_effort receiver_agent_nickname receiver_agent_role
receiver_thread_id recipient record_type replacement_history result results review_output revised_prompt risk_level
role rollout_path sandbox_policy saved_path sender_thread_id server session_id source started_at started_at_ms state
status statuses stderr stdin stdout stream success summary target target_item_id text text_elements threadId
thread_id thread_name thread_settings thread_source time_to_first_token_ms timestamp timezone tool tools trace_id
trigger_turn truncation_policy turnId turn_id type unified_diff usage user_authorization user_facing_hint
user_instructions window_id window_number workspace_roots
        """,
    )
)
