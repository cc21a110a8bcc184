"""The invented people, their projects, and which version of the agent they ran when."""

import re
from dataclasses import dataclass

__all__ = ["PROJECTS", "Project", "is_late", "project_for", "version_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One folder that one person works in."""

    key: str
    home: str
    cwd: str
    languages: tuple[str, ...]
    """Languages the person writes in, the usual one first."""
    versions: tuple[tuple[int, str], ...]
    """(first half-week, agent version), oldest first."""

    @property
    def folder(self) -> str:
        """Name of the folder that holds its sessions."""
        return re.sub(r"[^A-Za-z0-9]", "-", self.cwd)

    @property
    def separator(self) -> str:
        """Path separator of its machine."""
        return "\\" if "\\" in self.cwd else "/"

    def path(self, relative: str) -> str:
        """An absolute path inside the project."""
        return self.cwd + self.separator + relative.replace("/", self.separator)

    def skill_dir(self, skill_id: str) -> str:
        """Base directory of a skill on this person's machine."""
        plugin, _, name = skill_id.rpartition(":")
        parts = ["plugins", "cache", "house-tools", plugin, "1.4.0", "skills", name] if plugin else ["skills", name]
        return self.separator.join([self.home, ".claude", *parts])


PROJECTS = {
    project.key: project
    for project in (
        Project(
            key="atlas",
            home="/home/mira",
            cwd="/home/mira/work/atlas-web",
            languages=("en",),
            versions=((0, "2.1.47"), (8, "2.1.96"), (15, "2.1.170")),
        ),
        Project(
            key="ledger",
            home="/home/mira",
            cwd="/home/mira/work/ledger-api",
            languages=("en",),
            versions=((0, "2.1.96"), (9, "2.1.170"), (17, "2.1.220")),
        ),
        Project(
            key="harbor",
            home="/Users/tomek",
            cwd="/Users/tomek/code/harbor-cli",
            languages=("en", "pl"),
            versions=((0, "2.0.76"), (6, "2.1.12"), (14, "2.1.31"), (20, "2.1.96")),
        ),
        Project(
            key="sales",
            home="/Users/jun",
            cwd="/Users/jun/projects/sales-desk",
            languages=("zh", "mixed"),
            versions=((0, "2.1.30"), (10, "2.1.114"), (18, "2.1.207")),
        ),
        Project(
            key="monthly",
            home="C:\\Users\\bea",
            cwd="C:\\Users\\bea\\Documents\\monthly-reports",
            languages=("en", "it"),
            versions=((0, "2.1.110"), (12, "2.1.180"), (19, "2.1.220")),
        ),
        Project(
            key="shop",
            home="/home/wen",
            cwd="/home/wen/shop-tw",
            languages=("zh-Hant", "mixed"),
            versions=((0, "2.0.76"), (7, "2.1.47"), (16, "2.1.165")),
        ),
    )
}

_BY_SKILL = {
    "schema-migrator": ("ledger", "atlas", "ledger", "harbor", "ledger", "shop", "atlas", "sales"),
    "report-builder": ("monthly", "sales", "monthly", "monthly", "sales", "shop"),
    "test-scaffold": ("harbor", "atlas", "sales", "harbor", "ledger"),
    "ops:incident-notes": ("ledger", "harbor", "atlas"),
    "changelog-writer": ("harbor", "atlas", "sales"),
    "sql-explainer": ("ledger", "atlas"),
    "license-audit": ("atlas", "harbor"),
    "pr-splitter": ("atlas", "ledger"),
}


def project_for(skill_id: str, *, turn: int, language: str = "") -> Project:
    """The project of a skill's `turn`-th use, among those whose person writes `language` ('' for any)."""
    fitting = [key for key in _BY_SKILL[skill_id] if not language or language in PROJECTS[key].languages]
    if not fitting:
        fitting = [key for key, project in PROJECTS.items() if language in project.languages]
    return PROJECTS[fitting[turn % len(fitting)]]


def version_at(project: Project, *, half_week: int) -> str:
    """The agent's version on that person's machine."""
    return [version for first, version in project.versions if first <= half_week][-1]


def is_late(version: str, *, since: tuple[int, int, int]) -> bool:
    """Whether `version` is `since` or later."""
    return tuple(int(part) for part in version.split(".")) >= since
