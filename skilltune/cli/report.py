"""The command ``report``: from sessions to the weekly page, to pages on single skills, or to a report of one's own."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.options import AsJson, Labels, MinInvocations, SessionDirs, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe
from skilltune.errors import InputError, ReportError

if TYPE_CHECKING:
    from skilltune.reports.command import WeeklyReport
    from skilltune.reports.more_reports import SkillReports

__all__ = ["COMMANDS", "failed_words", "skill_lines"]


def report(
    *,
    week: Annotated[
        str | None,
        typer.Option(
            "--week",
            metavar="WEEK",
            help="ISO week, as 2026-W48. Default: the last whole one; pages on skills alone end now.",
        ),
    ] = None,
    skill: Annotated[
        list[str] | None,
        typer.Option("--skill", metavar="NAME", help="A page on this skill instead of the week's; several times."),
    ] = None,
    all_skills: Annotated[
        bool, typer.Option("--all-skills", help="The week's page, and one on each skill that was used.")
    ] = False,
    definition: Annotated[
        str | None,
        typer.Option("--definition", metavar="NAME|FILE", help="The report that a definition (a .yaml file) makes."),
    ] = None,
    as_of: Annotated[
        str,
        typer.Option(
            "--as-of", metavar="DATE", help="Pages on skills: as they were when this ISO date began. Default: now."
        ),
    ] = "",
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Weekly page: only this skill; several times.")
    ] = None,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Print each page as a PDF, too, with this machine's Chromium.")
    ] = False,
    session_dir: SessionDirs = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FOLDER", help="Folder of the reports. Default: ./reports.")
    ] = None,
    workspace: WorkspaceDir = None,
    time_zone: Annotated[
        str | None,
        typer.Option(
            "--time-zone", metavar="NAME", help="Where weeks begin, as Europe/Berlin. Default: this machine's."
        ),
    ] = None,
    min_invocations: MinInvocations = None,
    privacy: Annotated[bool, typer.Option("--privacy", help="No quotes, paths, project or session names.")] = False,
    sample: Annotated[bool, typer.Option("--sample", help="Report on the bundled sample sessions.")] = False,
    labels: Labels = True,
    mine: Annotated[bool, typer.Option("--mine/--no-mine", help="Read what is new in the sessions first.")] = True,
    as_json: AsJson = False,
) -> None:
    """Write the week's page from your sessions, pages on single skills, or both.

    A page is one HTML file that opens without a network. Where there are no sessions the bundled sample is shown,
    and says so. Sessions named by --session-dir go into a log of their own, OUTPUT/.skilltune, not into yours.

    Example: skilltune report --week 2026-W48
    """
    _check_choice(week=week, skill=skill, all_skills=all_skills, definition=definition, as_of=as_of, only=only)
    if pdf:
        from skilltune.reports.pdf import find_chromium

        find_chromium()
    reading: dict[str, Any] = {
        "session_dirs": session_dir,
        "output": output,
        "workspace": workspace,
        "time_zone": time_zone,
        "min_invocations": min_invocations,
        "privacy": privacy,
        "sample": sample,
        "use_labels": labels,
        "mine_first": mine,
        "progress": not as_json,
    }
    if skill or all_skills:
        _skills(skill or [], reading | {"as_of": as_of, "week": week}, pdf=pdf, as_json=as_json)
    elif definition is not None:
        _defined(definition, reading | {"week": week, "skills": only}, pdf=pdf, as_json=as_json)
    else:
        _weekly(reading | {"week": week, "skills": only}, asked=sample, pdf=pdf, as_json=as_json)


def _check_choice(
    *,
    week: str | None,
    skill: list[str] | None,
    all_skills: bool,
    definition: str | None,
    as_of: str,
    only: list[str] | None,
) -> None:
    """Refuse options that say two things."""
    kinds = {"--skill": bool(skill), "--all-skills": all_skills, "--definition": definition is not None}
    named = [name for name, given in kinds.items() if given]
    if len(named) > 1:
        raise InputError(f"{named[0]} and {named[1]} are both given; each makes other pages, give one of them")
    if skill and week and as_of:
        raise InputError("--week and --as-of are both given; each says when the page ends, give one of them")
    if (skill or all_skills) and only:
        raise InputError(f"--only is of the weekly page alone; leave it out, or {named[0]}")
    if as_of and not (skill or all_skills):
        raise InputError("--as-of is of pages on skills; give --skill NAME with it, or --week for the weekly page")


def _weekly(options: dict[str, Any], *, asked: bool, pdf: bool, as_json: bool) -> None:
    from skilltune.reports.command import weekly_report

    made = weekly_report(**options)
    printed = _printed([made.page], pdf=pdf)
    if as_json:
        print_json(_row(made) | ({"pdf": str(printed[0])} if printed else {}))
    else:
        print_text("\n".join([_made_text(made, asked=asked), *_pdf_lines(printed)]))


def _skills(names: list[str], options: dict[str, Any], *, pdf: bool, as_json: bool) -> None:
    from skilltune.reports.more_reports import all_reports, skill_reports

    made = skill_reports(names, **options) if names else all_reports(**options)
    printed = _printed([*filter(None, [made.weekly]), *made.pages.values()], pdf=pdf)
    if as_json:
        print_json(_row(made) | ({"pdf": [str(path) for path in printed]} if pdf else {}))
    else:
        print_text("\n".join([*skill_lines(made), *_pdf_lines(printed)]))
    if made.failed:
        raise ReportError(failed_words(made))


def _defined(name: str, options: dict[str, Any], *, pdf: bool, as_json: bool) -> None:
    from skilltune.reports.more_reports import definition_report

    pages = definition_report(name, **options)
    printed = _printed(pages, pdf=pdf)
    if as_json:
        told = {"pages": [str(page) for page in pages]}
        print_json(told | ({"pdf": [str(path) for path in printed]} if pdf else {}))
    else:
        print_text("\n".join([*(f"Report: {safe(str(page))}" for page in pages), *_pdf_lines(printed)]))


def _printed(pages: list[Path], *, pdf: bool) -> list[Path]:
    """The PDFs of the pages, where they are asked for."""
    if not pdf:
        return []
    from skilltune.reports.pdf import print_pdf

    return [print_pdf(page) for page in pages]


def _pdf_lines(printed: list[Path]) -> list[str]:
    return [f"PDF: {safe(str(path))}" for path in printed]


def _made_text(made: "WeeklyReport", *, asked: bool) -> str:
    about = f"{made.sessions:,} sessions read" if made.sessions else "from the feedback log"
    if made.sample:
        about = "bundled sample sessions" if asked else "bundled sample sessions: none of your own were found"
    lines = [f"Week {made.week} ({about})", f"Report: {safe(str(made.page))}", *_index_lines("All weeks", made.index)]
    return "\n".join(lines)


def skill_lines(made: "SkillReports") -> list[str]:
    """The week's page, each skill's, and the index."""
    pages = [f"{safe(skill)}: {safe(str(page))}" for skill, page in made.pages.items()]
    week = [] if made.weekly is None else [f"Week {made.week}: {safe(str(made.weekly))}"]
    if not pages and not made.failed:
        pages = ["No skill was used yet: there is no page on one. Look with: skilltune sources"]
    sample = ["(bundled sample sessions)"] if made.sample else []
    return [*sample, *week, *pages, *_index_lines("All reports", made.index)]


def failed_words(made: "SkillReports") -> str:
    """How many pages failed, what became of the others, and why the first one did."""
    first, why = next(iter(made.failed.items()))
    number = len(made.failed) + len(made.pages) + (made.weekly is not None)
    if number == 1:
        return f"the page failed; {first}: {why}"
    others = ", the others are written" if len(made.failed) < number else ""
    return f"{len(made.failed)} of {number} pages failed{others}; {first}: {why}"


def _index_lines(title: str, index: Path) -> list[str]:
    """Where the index is; nothing where none was written, as no page was."""
    return [f"{title}: {safe(str(index))}"] if index.is_file() else []


def _row(made: "WeeklyReport | SkillReports") -> dict[str, Any]:
    """A report for programs; the index is null where there is none."""
    return asdict(made) | ({} if made.index.is_file() else {"index": None})


COMMANDS = (report,)
