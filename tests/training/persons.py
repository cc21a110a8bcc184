"""Persons with sessions and labels in a folder: real transcripts, a real label log."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from skilltune.mining.rows import id_of_turn
from skilltune.mining.session_turns import SessionTurns
from skilltune.records import TurnLabel
from skilltune.stores.labels import LabelLog
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import read_sessions
from tests.sources.claude_code.building import SKILL_BODY, Transcript, write

ODD = {
    "correction": ("The lamp is lemon, so is the shelf", "Lemon, all of it", "It came out lemon on my side"),
    "acceptance": ("That is plum for the shelf", "Plum, all of it", "It came out plum on my side"),
    "none": ("The lamp stands near the shelf", "We have twelve of it", "It hums on my side"),
}
"""What somebody says whose words nobody else could read."""
PLAIN = {
    "correction": ("That is wrong.", "It still fails with the same error.", "You broke the build."),
    "acceptance": ("Perfect, thanks.", "Looks good to me.", "Great, it works now."),
    "none": ("What is this file?", "Why is there a second lamp?", "How long does it take?"),
}
"""What everybody says."""


def tell(folder: Path, *, sessions: int, words: dict[str, Sequence[str]], start: int = 0) -> Path:
    """Write sessions with one use and a turn of each outcome, in turn; the folder of the sessions."""
    for number in range(start, start + sessions):
        told = Transcript(f"s{number:03}", start=number * 20, prefix=f"s{number:03}-")
        told.user("Sort the shelf by height.").call("Skill", skill="tidy").result().meta(SKILL_BODY)
        told.agent("The shelf is sorted.")
        for outcome, texts in words.items():
            told.user(f"{texts[number % len(texts)]} {number}").agent(f"I looked at {outcome[:1]}{number}.")
        write(folder / "-home-dev-shop" / f"s{number:03}.jsonl", told)
    return folder


def label(folder: Path, workspace: Path, *, outcome_of: Callable[[str], str], number: int | None = None, **more) -> int:
    """Label the turns of the sessions by their text, the first `number` of them; how many were labelled."""
    labels = []
    for file in read_sessions(folder).files():
        for session in file.sessions:
            turns = SessionTurns(session, model=None)
            labels += [
                _label(session.session_id, id_of_turn(session, item), outcome_of(item.text), **more)
                for _, item in list(turns.turns())[1:]
            ]
    LabelLog.beside(find_workspace(explicit=workspace).create().feedback_path).append(labels[:number])
    return len(labels[:number])


def outcome_by(words: dict[str, Sequence[str]]) -> Callable[[str], str]:
    """Gives the outcome that a text has in `words`; none where it has none."""
    known = {text: outcome for outcome, texts in words.items() for text in texts}
    return lambda text: known.get(text.rsplit(" ", 1)[0], "none")


def _label(session: str, turn: str, outcome: str, **more) -> TurnLabel:
    values = {
        "event_id": f"e-{turn}",
        "turn_id": turn,
        "skill_id": "tidy",
        "session_id": session,
        "uuid": "",
        "outcome": outcome,
        "correction_type": None,
        "about": "skill",
        "reader": "person",
        "draw_id": "",
        "labelled_at": None,
    }
    return TurnLabel(**values | more)


def labelled_lines(*, sessions: int, sources: int, words: dict[str, Sequence[str]] = PLAIN, name: str = "p") -> str:
    """JSON lines of labelled turns, one of each outcome in a session; sessions go round the projects."""
    rows = [
        {
            "text": f"{texts[number % len(texts)]} {number}",
            "label": outcome,
            "session": f"{name}-s{number}",
            "source": f"{name}{number % sources}",
            "previous_agent": "I looked at it.",
            "previous_person": "Sort the shelf.",
            "agent": "claude-code",
        }
        for number in range(sessions)
        for outcome, texts in words.items()
    ]
    prefix = "k" if name == "p" else name
    return "".join(json.dumps({"id": f"{prefix}{at}", **row}) + "\n" for at, row in enumerate(rows))
