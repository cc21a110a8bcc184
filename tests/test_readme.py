"""What the README says is so: its figures, its commands, its code."""

import json
import re
from typing import Any

import pytest

from skilltune.sample import sample_root
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _figures(measured: dict[str, Any], group: str) -> list[str]:
    """A table row's cells: precision and recall with their intervals, in whole percent."""
    cells = []
    for name in ("precision", "recall"):
        share = measured[group][name]
        low, high = (round(100 * share[bound]) for bound in ("low", "high"))
        cells.append(f"{round(100 * share['rate'])} % ({low}–{high}; {share['k']} of {share['n']})")
    return cells


@pytest.mark.parametrize("group", ["negative", "acceptance"])
@pytest.mark.parametrize("where", ["all", "other_projects"])
def test_readme_accuracy_is_the_measured_one(group, where):
    """The table of the README holds the figures of ``skilltune/mining/model_card.json``."""
    measured = json.loads((ROOT / "skilltune" / "mining" / "model_card.json").read_text(encoding="utf-8"))
    part = measured if where == "all" else measured[where]
    precision, recall = _figures(part["outcomes"], group)
    assert f"| {precision} | {recall} |" in README
    assert str(part["turns"]) in README


def test_readme_python_example_runs():
    """The Python block runs as it stands, on the sample."""
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    code = block.replace('"~/.claude/projects"', repr(str(sample_root() / "projects")))
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102  # our own README
    assert len(names["mined"].events) > 100


def test_readme_lists_every_command():
    """The table of commands is the list of commands."""
    import typer

    from skilltune import cli

    if not cli.app.registered_commands:
        cli._register()
    listed = set(re.findall(r"^\| `skilltune (\w+)", README, flags=re.MULTILINE))
    assert listed == set(typer.main.get_command(cli.app).commands)


def test_readme_example_report_is_this_versions():
    """The rendered example says what this version makes of the sample."""
    from skilltune.page.html import plain_text
    from skilltune.reports.weekly import read_weekly

    page = read_weekly(sample=True, week="2026-W48")
    example = plain_text((ROOT / "reports" / "example" / "weekly.html").read_text(encoding="utf-8"))
    for section in (page.headline(), page.skills(), page.hotspots()):
        assert plain_text(section.html) in example
