"""One corpus of nasty texts as words, names, folders and ids of sessions, through everything that shows them."""

import csv
import json

import pandas as pd
import pytest

from tests.cli.conftest import Machine
from tests.hostile import FORMULA_STARTS, MARK, OBEYED, TEXTS
from tests.hostile_surfaces.pages import faults_of

LINE_CHARS, ALL_CHARS = 2_000, 60_000
COMMANDS = [
    ["sources"],
    ["mine", "--explain"],
    ["metrics"],
    ["metrics", "--plain"],
    ["metrics", "--metric", "hotspot_dimensions"],
    ["trend"],
    ["events", "--last", "100"],
    ["refine", "--check"],
    ["feedback", "candidates"],
    ["feedback", "list"],
    ["feedback", "verify"],
    ["contradictions", "tea"],
    ["history", "tea"],
    ["drift", "tea"],
    ["label", "status"],
    ["judge"],
    ["status"],
    ["last"],
    ["doctor"],
]


def session(number, name, text):
    """A session in which a skill of that name is used beside another, and all words are that text."""
    name = (
        text if name.startswith(("path", "device", "script", "formula", "ansi", "bidi", "table")) else f"{name} skill"
    )
    common = {"sessionId": f"h{number}", "cwd": f"/srv/{text[:200]}", "version": "2.1.200", "entrypoint": "cli"}

    def record(place, kind, content, **more):
        stamp = f"2026-11-20T10:{number % 60:02}:{place:02}.000Z"
        message = {"role": kind, "content": content}
        return common | {"type": kind, "uuid": f"h{number}-{place}", "timestamp": stamp, "message": message} | more

    calls = [
        {"type": "tool_use", "id": f"h{number}-{place}", "name": "Skill", "input": {"skill": skill, "args": text}}
        for place, skill in enumerate((name, "tea"))
    ]
    results = [{"type": "tool_result", "tool_use_id": call["id"], "content": text} for call in calls]
    edit = {"type": "tool_use", "id": f"h{number}-e", "name": "Edit", "input": {"file_path": text, "new_string": text}}
    return [
        record(0, "user", text),
        record(1, "assistant", [calls[0]]),
        record(2, "user", [results[0]]),
        record(3, "assistant", [{"type": "text", "text": text}]),
        record(4, "user", f"No, that is wrong: {text}"),
        record(5, "assistant", [calls[1], edit]),
        record(6, "user", [results[1]]),
        record(7, "assistant", [{"type": "text", "text": text}], gitBranch=text),
        record(8, "user", f"That is not what I asked for. {text}"),
    ]


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A person's machine whose sessions are full of it."""
    found = Machine(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work"))
    for number, (name, text) in enumerate(TEXTS.items()):
        found.session(f"h{number}", session(number, name, text), folder=f"-srv-{number}")
    found.run("mine")
    return found


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_command_shows_no_text_that_a_terminal_obeys(machine, words):
    """No escape, no sign that cannot be seen, no traceback, no flood."""
    from tests.cli.forking import run_command

    done = run_command(*words, cwd=machine.cwd, environment=machine.environment())
    printed = done.stdout + done.stderr
    assert done.returncode in (0, 1, 2, 3, 4), printed[-500:]
    assert not OBEYED & set(printed), sorted(map(ascii, OBEYED & set(printed)))
    assert "Traceback" not in printed
    assert "a fault of skilltune" not in printed
    assert max(map(len, printed.splitlines())) <= LINE_CHARS, max(printed.splitlines(), key=len)[:300]
    assert len(printed) <= ALL_CHARS


@pytest.mark.parametrize(
    "words", [["metrics"], ["events", "--last", "100"], ["trend"], ["status"], ["turns"], ["sources"]]
)
def test_json_is_json(machine, words):
    """Whatever the texts are, a program can read what is printed for programs."""
    if words == ["turns"]:
        words = ["turns", machine.projects]
        lines = machine.run(*words, "--json").stdout.splitlines()
        assert len([json.loads(line) for line in lines]) >= 2 * len(TEXTS)
        return
    assert json.loads(machine.run(*words, "--json").stdout)


@pytest.mark.parametrize("table", ["events", "uses", "metrics", "hotspots"])
def test_exports_are_read_back_whole(machine, table):
    """CSV without formulas, JSON, Markdown of one line a row, Parquet: the same rows in each."""
    folder = machine.cwd / table
    folder.mkdir()
    for ending in ("csv", "json", "md", "parquet"):
        machine.run("export", table, "--output", folder / f"t.{ending}")
    with (folder / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert len({len(row) for row in rows}) == 1
    cells = [cell for row in rows[1:] for cell in row]
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS) and not _is_number(cell)]
    whole = json.loads((folder / "t.json").read_text(encoding="utf-8"))
    count = len(whole if isinstance(whole, list) else whole["rows"])
    assert count == len(rows) - 1 == len(pd.read_parquet(folder / "t.parquet"))
    markdown = (folder / "t.md").read_text(encoding="utf-8")
    tables = [part.split("\n") for part in markdown.split("\n\n") if part.startswith("|")]
    assert all(len({line.replace("\\|", "").count("|") for line in lines if line}) == 1 for lines in tables)
    assert max(len([line for line in lines if line]) for lines in tables) == count + 2
    assert not OBEYED & set(markdown)


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.long
def test_pages_run_nothing_load_nothing_and_lead_nowhere(machine):
    """The week's page with its quotes, a skill's page without: words stay words, and the private one has none."""
    machine.run("report", "--week", "2026-W47", "--time-zone", "UTC")
    machine.run("report", "--skill", "tea", "--week", "2026-W47", "--privacy", "--output", machine.cwd / "private")
    week = (machine.cwd / "reports" / "2026-W47" / "weekly.html").read_text(encoding="utf-8")
    pages = [*(machine.cwd / "reports").rglob("*.html"), *(machine.cwd / "private").rglob("*.html")]
    assert len(pages) >= 4
    for page in pages:
        html = page.read_text(encoding="utf-8")
        faults, text = faults_of(html)
        assert not faults, (page, faults[:5])
        assert "Content-Security-Policy" in html
        assert not OBEYED - {"\u200b"} & set(html), page
        if "private" in page.parts:
            assert MARK not in html
        if html == week:
            assert MARK in text
    for notebook in [*(machine.cwd / "reports").rglob("*.ipynb")]:
        assert json.loads(notebook.read_text(encoding="utf-8"))["cells"]
