"""What ``skilltune refine`` shows: all skills, one skill's eligibility, its suggestion; no skill is written."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from skilltune.cli.output import is_screen, now, print_json, print_text, terminal, warn, warn_of_log
from skilltune.cli.refine_options import Call
from skilltune.errors import SkillNotFoundError

if TYPE_CHECKING:
    from skilltune.cli.refine_choice import Choice
    from skilltune.evolution.suggestions import Suggestion
    from skilltune.refining.state import SkillState
    from skilltune.rendering.next_step import Status
    from skilltune.stores.workspace import Workspace

__all__ = ["check_skill", "seen", "show_all", "show_suggestion", "warn_of_workspace"]

_NOTHING_TO_DO: Final = 1
_REFUSED: Final = 3
_DAMAGED: Final = 4
_BOUNDS: Final = {"cooldown", "change", "drift", "drift_after", "baseline", "metadata"}
"""Gates that refuse what there would be to do."""


def show_all(workspace: Path | None, *, as_json: bool) -> None:
    """Print a line a skill that somebody said something about."""
    from skilltune.cli.refine_overview import overview_rows, overview_text
    from skilltune.stores.workspace import find_workspace

    found = overview_rows(workspace)
    warn_of_workspace(find_workspace(explicit=workspace))
    if as_json:
        print_json([row.as_dict() for row in found.rows])
    else:
        print_text(overview_text(found, **terminal()))
    if any(row.damaged for row in found.rows):
        raise typer.Exit(_DAMAGED)


def check_skill(call: Call) -> None:
    """Print whether a skill may be refined now, and why not; exit code 1 where there is nothing to do."""
    from skilltune.cli.refine_overview import read_standing
    from skilltune.refining.evidence import say_complaints_elsewhere

    moment = now()
    try:
        state = seen(call, as_of=moment)
    except SkillNotFoundError:
        _tell_unknown(call, as_of=moment)
        raise
    standing = read_standing(state, as_of=moment)
    warn_of_workspace(state.workspace)
    looser = (f"looser than the default: {told}" for told in state.settings.looser)
    notes = (*_notes(state), *looser, *say_complaints_elsewhere(state))
    if call.as_json:
        from skilltune.cli.refine_rows import eligibility_row

        counts = {"unusable": standing.unusable, "openings": standing.openings}
        print_json(eligibility_row(standing.eligibility, status=standing.status, notes=notes, **counts))
    else:
        from skilltune.rendering.eligibility import render_eligibility

        text = render_eligibility(
            standing.eligibility,
            unusable=standing.unusable,
            openings=standing.openings,
            status=standing.status,
            folder=str(call.folder or ""),
            notes=notes,
            **terminal(),
        )
        print_text(text)
    if not standing.eligibility.eligible and standing.status != "word it":
        raise typer.Exit(_NOTHING_TO_DO)


def show_suggestion(call: Call, choice: "Choice") -> None:
    """Print a skill's suggestion with its gates, and its open suggestions; the exit code says what there is to do."""
    from skilltune.cli.refine_rows import suggestion_row
    from skilltune.refining.evidence import find_openings, say_complaints_elsewhere
    from skilltune.rendering.suggestion import render_openings, render_suggestion

    moment = now()
    state = seen(call, as_of=moment)
    chosen = choice.make(state, as_of=moment)
    warn_of_workspace(state.workspace)
    openings = [] if choice.opening else find_openings(state)
    notes = [*_notes(state), *say_complaints_elsewhere(state)]
    if call.as_json:
        print_json(suggestion_row(chosen.suggestion, openings=openings, notes=notes))
    else:
        shown = terminal()
        text = render_suggestion(chosen.suggestion, options=chosen.options, notes=notes, wrap_diff=is_screen(), **shown)
        waiting = render_openings(
            openings,
            options=call.folder_option,
            body=state.doc.body,
            max_percent=state.settings.max_change_percent,
            width=shown["width"],
            unicode=shown["unicode"],
        )
        print_text("\n".join([text, *waiting]))
    _exit_for(chosen.suggestion, waiting=bool(openings))


def seen(call: Call, *, as_of: datetime) -> "SkillState":
    """The skill as it is now; its baseline is kept from the first look on."""
    from skilltune.refining.state import read_state, see_skill

    return see_skill(read_state(call.name, workspace=call.workspace, base_directory=call.folder), at=as_of)


def warn_of_workspace(home: "Workspace") -> None:
    """Say which settings are pointless or too loose, and which lines of the ledger could not be used."""
    from skilltune.stores.ledger import find_ledger

    for message in home.config.warnings:
        warn(message)
    ledger = find_ledger(home)
    warn_of_log(ledger.path, Counter(problem.reason for problem in ledger.verify()))


def _tell_unknown(call: Call, *, as_of: datetime) -> None:
    """Print the answer for a skill that is not installed."""
    from skilltune.cli.refine_rows import eligibility_row
    from skilltune.refining.evidence import unknown_skill
    from skilltune.rendering.eligibility import render_eligibility
    from skilltune.stores.workspace import find_workspace

    home = find_workspace(explicit=call.workspace)
    found = unknown_skill(call.name, workspace=home, as_of=as_of)
    warn_of_workspace(home)
    if call.as_json:
        print_json(eligibility_row(found, status="not installed"))
    else:
        folder = _used_from(call.name, home)
        status: Status = "elsewhere" if folder else "not installed"
        print_text(render_eligibility(found, status=status, folder=folder, **terminal()))


def _used_from(name: str, home: "Workspace") -> str:
    """The folder outside of this project that a skill was last used from; '' for none."""
    from skilltune.refining.folders import used_folders

    folders: Sequence[str] = used_folders(home).get(name, ())
    return next(iter(folders), "")


def _exit_for(suggestion: "Suggestion", *, waiting: bool) -> None:
    """0: there is something to decide; 3: a bound refuses it; 1: there is nothing."""
    failing = {verdict.gate for verdict in suggestion.failing}
    if suggestion.ready or (waiting and "cooldown" not in failing):
        return
    raise typer.Exit(_REFUSED if suggestion.chosen and failing & _BOUNDS else _NOTHING_TO_DO)


def _notes(state: "SkillState") -> list[str]:
    edited = "the file was edited outside of skilltune since the last entry of its audit log"
    return [*state.notes, *([edited] if state.outside_edit else [])]
