"""Invented feedback logs as files, as skilltune or another tool would leave them."""

import json
from pathlib import Path
from typing import Any


def row(number: int, **fields: Any) -> dict[str, Any]:
    """One line of a log: the documented fields, and what is given."""
    return {
        "event_id": f"{number:016x}",
        "timestamp": f"2026-11-{10 + number % 15:02}T10:00:00+00:00",
        "session_id": f"session-{number % 3}",
        "skill_id": "tidy-imports",
        "invocation_uuid": f"uuid-{number}",
        "outcome": "acceptance",
        "confidence": 0.9,
        "correction_type": None,
        "user_message_snippet": "Thanks.",
        "turns_to_feedback": 1,
        "ai_tools_used": ["Edit", "Bash"],
        "dimension_hint": None,
        **fields,
    }


def judged(*outcomes: str, **fields: Any) -> list[dict[str, Any]]:
    """Lines with these outcomes; complaints are about accuracy."""
    kinds = {"correction": "rejection", "partial": "partial"}
    return [
        row(
            number,
            outcome=outcome,
            correction_type=kinds.get(outcome),
            dimension_hint="accuracy" if outcome in kinds else None,
            **fields,
        )
        for number, outcome in enumerate(outcomes)
    ]


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """The log's file."""
    path = folder / "feedback.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path
