"""The eight skills of the sample, as read from ``texts/skills.toml``."""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .draws import number, pick

__all__ = ["SKILLS", "TEXTS", "Job", "Skill", "texts"]

TEXTS = Path(__file__).parent / "texts"


@cache
def texts(name: str) -> dict[str, Any]:
    """One of the TOML files of texts."""
    return tomllib.loads((TEXTS / f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What one use is about."""

    asked: str
    """The thing asked for, as people name it."""
    stem: str
    file: str

    def fill(self, text: str) -> str:
        """`text` with the job's names in it."""
        return text.replace("{o}", self.asked).replace("{t}", self.stem).replace("{f}", self.file)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill: its versions and what goes on around it."""

    id: str
    description: str
    bodies: tuple[str, ...]
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        """The name without the plugin's."""
        return self.id.rpartition(":")[2]

    def digest(self, version: int) -> str:
        """First 12 hex digits of the body's SHA-256."""
        return hashlib.sha256(self.bodies[version].strip().encode()).hexdigest()[:12]

    def markdown(self) -> str:
        """SKILL.md in its newest version."""
        return f"---\nname: {self.name}\ndescription: {self.description}\n---\n\n{self.bodies[-1]}\n"

    def job(self, *, key: str, language: str) -> Job:
        """A job in `language`."""
        chinese = language != "en" and "objects_zh" in self.spec
        asked = pick(self.spec["objects_zh" if chinese else "objects"], key=key + " object")
        stem = re.sub(r"[^a-z0-9]+", "_", asked.partition(".")[0].lower()).strip("_") or f"report_{len(asked)}"
        path = self.spec["file"].replace("{t}", stem).replace("{n}", str(100 + number(key, below=900)))
        return Job(asked=asked, stem=stem, file=path)

    def task(self, *, key: str, language: str) -> str:
        """A way to ask for a job, with ``{o}`` in it."""
        fitting = [task["t"] for task in self.spec["tasks"] if task.get("l", "en") == language]
        return pick(fitting or [task["t"] for task in self.spec["tasks"] if "l" not in task], key=key + " task")


SKILLS = {
    skill_id: Skill(
        id=skill_id,
        description=spec["description"],
        bodies=tuple(body.strip() for body in spec["bodies"]),
        spec=spec,
    )
    for skill_id, spec in texts("skills").items()
}
