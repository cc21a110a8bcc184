"""``skilltune hooks`` and ``skilltune hook``: what an agent runs, and putting it into the agent's settings."""

from typing import TYPE_CHECKING, Annotated

import typer

from skilltune.cli.options import AsJson
from skilltune.cli.output import print_json, print_text, safe

if TYPE_CHECKING:
    from skilltune.hooks.installing import Change, HookState

__all__ = ["hook", "hooks"]

Project = Annotated[
    bool,
    typer.Option(
        "--project/--user",
        help="The settings of this folder's project that are yours alone (.claude/settings.local.json), or your own "
        "(settings.json in Claude Code's folder).",
    ),
]
Observe = Annotated[
    bool, typer.Option("--observe", help="Note every tool call, too, to learn habits from; it is one line a call.")
]

hooks = typer.Typer(
    help="Have Claude Code tell skilltune of prompts, uses of skills and ends of sessions as they happen.\n\n"
    "Everything can be read from the transcripts as well, so hooks are optional; they outlive transcripts. "
    "Example: skilltune hooks install",
    rich_markup_mode=None,
)


@hooks.command()
def install(
    *,
    project: Project = False,
    observe: Observe = False,
    print_only: Annotated[
        bool, typer.Option("--print", help="Print what would be put into the settings, and write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put the hooks into Claude Code's settings, and leave everything else there as it is.

    The settings as they were are kept beside them. Done twice, nothing changes. Example: skilltune hooks install
    """
    from skilltune.hooks.installing import install_hooks, print_block, settings_path

    if print_only:
        print_text(print_block(observe=observe))
        return
    done = install_hooks(settings_path("project" if project else "user"), observe=observe)
    if as_json:
        print_json(_change_row(done))
        return
    if not done.changed:
        print_text(f"Nothing to do: {safe(str(done.path))} has the hooks already.")
        return
    print_text(f"Hooks written to {safe(str(done.path))}; they work from Claude Code's next start on.")
    _tell_backup(done.backup)


@hooks.command()
def uninstall(*, project: Project = False, as_json: AsJson = False) -> None:
    """Take the hooks out of Claude Code's settings, and nothing else.

    What they wrote stays. Example: skilltune hooks uninstall
    """
    from skilltune.hooks.installing import settings_path, uninstall_hooks

    done = uninstall_hooks(settings_path("project" if project else "user"))
    if as_json:
        print_json(_change_row(done))
        return
    if not done.changed:
        print_text(f"Nothing to do: {safe(str(done.path))} has no hooks of skilltune.")
        return
    print_text(f"Hooks taken out of {safe(str(done.path))}.")
    _tell_backup(done.backup)


@hooks.command()
def status(*, as_json: AsJson = False) -> None:
    """Say which hooks are in the settings, and whether they can run; the exit code is 1 where one is not.

    Example: skilltune hooks status
    """
    from skilltune.hooks.installing import hook_state, missing_hooks, settings_path
    from skilltune.hooks.running import hook_faults

    states = (hook_state(settings_path("user")), hook_state(settings_path("project")))
    missing, faults = missing_hooks(states), hook_faults(states)
    problems = [state.problem for state in states if state.problem]
    if as_json:
        print_json({"settings": [_state_row(state) for state in states], "missing": missing, "not_running": faults})
    else:
        print_text("\n".join(_state_lines(states, missing=missing, faults=faults)))
    if missing or faults or problems:
        raise typer.Exit(1)


def hook(
    name: Annotated[str, typer.Argument(metavar="NAME", help="prompt, skill-use, session-end or observe.")],
) -> None:
    """What an agent's hooks run: a payload on standard input, at most one line in a log, nothing on the screen.

    skilltune hooks install puts it where the agent finds it.

    Example: skilltune hook prompt < payload.json
    """
    from skilltune.hooks.command import run_hook

    run_hook(name)


def _change_row(done: "Change") -> dict[str, object]:
    return {"path": str(done.path), "changed": done.changed, "backup": done.backup and str(done.backup)}


def _tell_backup(backup: object) -> None:
    if backup is not None:
        print_text(f"As they were before: {safe(str(backup))}")


def _state_row(state: "HookState") -> dict[str, object]:
    return {
        "path": str(state.path),
        "exists": state.exists,
        "problem": state.problem,
        "hooks": [
            {"event": hook.event, "matcher": hook.matcher, "hook": hook.name, "command": hook.command}
            for hook in state.hooks
        ],
    }


def _state_lines(states: "tuple[HookState, ...]", *, missing: list[str], faults: list[str]) -> list[str]:
    lines: list[str] = []
    for state in states:
        what = "not there" if not state.exists else f"{len(state.hooks)} of skilltune" if state.hooks else "no hooks"
        lines.append(f"{safe(str(state.path))}: {safe(state.problem) or what}")
        lines += [f"  {hook.event:<18} {hook.name:<12} {safe(hook.matcher or '')}".rstrip() for hook in state.hooks]
    if missing:
        lines.append(f"Missing: {', '.join(missing)}. Install them: skilltune hooks install")
    return [*lines, *(f"Cannot run: {safe(fault)}" for fault in faults)]
