"""The command ``notebook``: which notebooks come with skilltune, and a copy of one to open in JupyterLab."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from skilltune.cli.options import AsJson
from skilltune.cli.output import print_json, print_text, safe
from skilltune.errors import InputError

__all__ = ["COMMANDS"]

_FOR = {
    "weekly": "the weekly report, section by section",
    "skill_report": "one skill on one page, section by section",
    "01_sessions": "read sessions turn by turn, each with its verdict and why",
    "02_metrics": "every metric as a table, and as a chart where there is one",
    "03_review": "changes of skills that wait: look at each, approve, undo",
    "04_label": "label what people said, one turn after another",
}


def notebook(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Such as 04_label; without, they are listed.")
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.ipynb", help="Where the copy goes; default here, under its own name."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy a notebook to where you can open it.

    One that is there already and was run or edited is not replaced. Without a name: which there are.

    Example: skilltune notebook 04_label
    """
    from skilltune.reports.notebooks import copy_notebook, shipped_notebooks

    if name is None:
        if output is not None:
            raise InputError("--output goes with a name, as: skilltune notebook 04_label --output mine.ipynb")
        names = list(shipped_notebooks())
        if as_json:
            print_json({"notebooks": names})
        else:
            width = max(map(len, names))
            lines = [f"{each:<{width}}  {_FOR.get(each, '')}".rstrip() for each in names]
            hints = ["Copy one: skilltune notebook 04_label", "Open all of them in JupyterLab: skilltune lab"]
            print_text("\n".join([*lines, "", *hints]))
        return
    path = copy_notebook(name, output)
    if as_json:
        print_json({"notebook": str(path)})
    else:
        print_text(f"{safe(str(path))}\nOpen it with: jupyter lab {safe(shlex.quote(str(path)))}")


COMMANDS = (notebook,)
