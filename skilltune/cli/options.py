"""Options that several commands share, each with one meaning."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AsJson",
    "AsOf",
    "Cache",
    "Implicit",
    "Labels",
    "MinInvocations",
    "NamedSkill",
    "Note",
    "Scheduler",
    "SessionDirs",
    "SessionPlaces",
    "Skill",
    "SkillArgument",
    "SkillFolder",
    "Workers",
    "WorkspaceDir",
]

SessionPlaces = Annotated[
    list[str] | None,
    typer.Option(
        "--session-dir",
        metavar="PATH",
        help="Folder or file of sessions, or a URL (s3://…, sftp://…) that fsspec reads; may be given several times. "
        "Default: where Claude Code, Codex and OpenCode keep them; skilltune sources names these places.",
    ),
]
SessionDirs = Annotated[
    list[Path] | None,
    typer.Option(
        "--session-dir",
        metavar="PATH",
        help="Folder or file of sessions; may be given several times. Default: where Claude Code, Codex and OpenCode "
        "keep them; skilltune sources names these places.",
    ),
]
WorkspaceDir = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        metavar="FOLDER",
        help="Where the feedback log lives. Default: the nearest .skilltune, else yours.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="DATE", help="Look at things as they were at this ISO date or time (UTC). Default: now."
    ),
]
Implicit = Annotated[
    bool,
    typer.Option(
        "--implicit/--no-implicit", help="Whether going on to other work without a complaint counts as acceptance."
    ),
]
Labels = Annotated[
    bool, typer.Option("--labels/--no-labels", help="Whether your own labels beat the rules, where there are any.")
]
MinInvocations = Annotated[
    int | None,
    typer.Option(
        "--min-invocations", min=1, metavar="N", help="Judged uses from which on a rate is called sufficient [5]."
    ),
]
Skill = Annotated[str | None, typer.Option("--skill", metavar="NAME", help="Only this skill.")]
SkillArgument = Annotated[str | None, typer.Argument(metavar="SKILL", help="Only this skill.", show_default=False)]
NamedSkill = Annotated[str | None, typer.Argument(metavar="SKILL", help="The skill.", show_default=False)]
SkillFolder = Annotated[
    Path | None,
    typer.Option("--skill-folder", metavar="FOLDER", help="The skill's folder, where several skills have its name."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, max=64, metavar="N", help="Processes that read. Default: as many as the bytes are worth."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="A Dask scheduler whose workers read instead, for instance tcp://10.0.0.5:8786; they see the same files.",
    ),
]
Cache = Annotated[
    bool,
    typer.Option(
        "--cache/--no-cache",
        help="Whether to remember, in your cache folder, what was read of files until they change or are gone.",
    ),
]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why; it stands in the audit log.")]
