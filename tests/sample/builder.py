"""Makes the bundled sample sessions: ``python -m tests.sample.builder`` writes them into the package."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path

from . import scenes_channels, scenes_files, scenes_harness, scenes_skills
from .episodes import play
from .placed import Placed, place
from .plan import plan_sessions
from .skills import SKILLS, TEXTS

__all__ = ["MADE", "TARGET", "build", "write"]

TARGET = Path(__file__).parents[2] / "skilltune" / "sample"
MADE = ("projects", "skills", "plugins", "truth.jsonl", "hazards.jsonl", "README.md")
"""What the generator owns in the sample's folder."""


def build() -> dict[str, bytes]:
    """Relative path → bytes of every file of the sample."""
    placed = _all_files()
    files = {file.path: file.content for file in placed}
    files |= {_skill_path(skill.id): skill.markdown().encode() for skill in SKILLS.values()}
    uses = [_filled(asdict(use) | {"file": file.path}) for file in placed for use in file.uses]
    hazards = [asdict(hazard) | {"file": file.path} for file in placed for hazard in file.hazards]
    files["truth.jsonl"] = _lines(sorted(uses, key=lambda row: (row["timestamp"], row["file"], row["line"], row["id"])))
    files["hazards.jsonl"] = _lines(sorted(hazards, key=lambda row: (row["name"], row["file"], row["line"])))
    files["README.md"] = (TEXTS / "readme.md").read_bytes()
    return files


def write(target: Path) -> None:
    """Put the sample under `target`, in place of the one that is there."""
    for name in MADE:
        old = target / name
        if old.is_dir():
            shutil.rmtree(old)
    for path, content in build().items():
        goal = target / path
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_bytes(content)


def _all_files() -> list[Placed]:
    ordinary = [place(play(session)) for session in plan_sessions()]
    scenes = (scenes_harness, scenes_channels, scenes_skills, scenes_files)
    return [*ordinary, *(file for module in scenes for file in module.scenes())]


def _skill_path(skill_id: str) -> str:
    plugin, _, name = skill_id.rpartition(":")
    folder = f"plugins/cache/house-tools/{plugin}/1.4.0/skills" if plugin else "skills"
    return f"{folder}/{name}/SKILL.md"


def _filled(row: dict[str, object]) -> dict[str, object]:
    """`row` without the fields that say nothing."""
    return {name: value for name, value in row.items() if value not in (None, "", False)}


def _lines(rows: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


if __name__ == "__main__":
    write(TARGET)
