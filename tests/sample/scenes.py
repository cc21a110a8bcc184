"""Hand-written sessions: what the agent's harness puts between people, and people's rarer ways to react."""

from datetime import timedelta
from typing import Any

from .people import PROJECTS, Project, version_at
from .plan import day_of, skill_version
from .skills import SKILLS
from .transcript import Transcript
from .truth import Use

__all__ = ["Scene", "accepted", "corrected", "unanswered"]


class Scene(Transcript):
    """A transcript with short forms for a hand-written session."""

    def __init__(self, key: str, *, project: Project | str, half_week: int, turn: int = 0, entrypoint: str = "cli"):
        place = PROJECTS[project] if isinstance(project, str) else project
        start = day_of(half_week, turn=turn) + timedelta(hours=16, minutes=len(key) * 3, milliseconds=len(key) * 41)
        version = version_at(place, half_week=half_week)
        super().__init__(key=f"scene {key}", project=place, version=version, start=start, entrypoint=entrypoint)
        self.half_week = half_week

    def uses_skill(self, skill_id: str, *, given: dict[str, Any] | None = None) -> Use:
        """The agent calls a skill, which edits its file and reports."""
        version = skill_version(skill_id, half_week=self.half_week)
        use = self.skill_call(SKILLS[skill_id], version=version, given=given)
        self.edits(self.file_of(skill_id))
        return use

    def types_slash(self, skill_id: str, *, args: str = "") -> Use:
        """The person types a skill's slash command; the run edits its file and reports."""
        version = skill_version(skill_id, half_week=self.half_week)
        use = self.slash(SKILLS[skill_id], version=version, args=args)
        self.hazard("slash_message_first", line=use.line)
        self.edits(self.file_of(skill_id))
        return use

    def file_of(self, skill_id: str) -> str:
        """The file that the skill writes in this session."""
        spec = SKILLS[skill_id].spec
        return str(spec["file"]).replace("{t}", "draft").replace("{n}", "140")

    def edits(self, path: str, *, said: str = "The change is in place.") -> None:
        """The agent edits a file and says so."""
        place = self.project.path(path)
        call = self.call("Edit", {"file_path": place, "old_string": "a", "new_string": "b"})
        self.result(call, f"The file {place} has been updated.", {"filePath": place, "userModified": False})
        if said:
            self.says(said)

    def runs(self, command: str, *, output: str = "") -> None:
        """The agent runs a shell command."""
        call = self.call("Bash", {"command": command})
        self.result(call, output, {"stdout": output, "stderr": "", "interrupted": False})

    def notes(self, content: Any, *hazards: str, **extra: Any) -> dict[str, Any]:
        """A user record that no person wrote, marked as the hazards it is."""
        record = self.injected(content, **extra)
        for name in hazards:
            self.hazard(name)
        return record


def accepted(
    use: Use, t: Transcript, *, acceptance: str = "explicit", channel: str = "message", language: str = "en"
) -> None:
    """The use was accepted with the turn just written."""
    use.outcome, use.acceptance, use.channel = "acceptance", acceptance, channel
    use.turn, use.language = t.window_turns, language


def corrected(
    use: Use, t: Transcript, kind: str, *, dimension: str = "unknown", channel: str = "message", language: str = "en"
) -> None:
    """The use was corrected (or accepted in part) with the turn just written."""
    use.outcome = "partial" if kind == "partial" else "correction"
    use.correction_type, use.dimension, use.channel = kind, dimension, channel
    use.turn, use.language = t.window_turns, language


def unanswered(use: Use, reason: str) -> None:
    """Nobody judged the use."""
    use.reason = reason
