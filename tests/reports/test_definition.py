"""Report definitions."""

import os
from pathlib import Path

import pytest
import yaml

from skilltune.errors import InputError
from skilltune.reports.definition import CHECKOUT, read_definition, shipped_definitions


@pytest.mark.parametrize(
    ("name", "title"), [("weekly", "skilltune weekly report"), ("skill", "skilltune skill report")]
)
def test_shipped_reports_are_defined(name: str, title: str):
    """Their notebook and title are there."""
    definition = read_definition(name)
    assert definition.title == title
    assert '"parameters"' in definition.notebook
    assert name in shipped_definitions()


def test_every_definition_of_the_checkout_can_be_read():
    """No definition names a notebook that is not there."""
    for path in sorted((CHECKOUT / "reports").glob("*.yaml")):
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert read_definition(path.stem).title == told["title"]
        assert read_definition(str(path)).kind == told["notebook"]


@pytest.mark.parametrize("name", ["monthly", "../weekly", "/etc/passwd", "", "a\0b"])
def test_unknown_report_is_refused(name: str):
    """The missing file is named, and the reports that there are; nothing outside their folder is read."""
    with pytest.raises(InputError, match=r"no report called.*those there are: skill, weekly"):
        read_definition(name)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("title: x\nnotebook: weekly\nparametres: {}\n", r"'parametres'.*knows title, notebook, parameters"),
        ("title: x\nnotebook: weekly\nparameters: {skils: [a]}\n", r"no parameter 'skils'; it knows workspace, week"),
        ("title: x\nnotebook: weekly\nparameters: {skills: a}\n", r"'skills' is 'a'; it takes a list"),
        ("title: x\nnotebook: weekly\nparameters: {min_invocations: true}\n", "takes a int"),
        ("title: x\nnotebook: weekly\nparameters: [a]\n", "write one `name: value` a line"),
        ("title: x\nnotebook: nope\n", r"no notebook 'nope'.*skill_report.*weekly.*beside it"),
        ("title: x\nnotebook: missing.ipynb\n", "no notebook 'missing.ipynb'"),
        ("title: x\n", "lacks notebook"),
        ("title: 3\nnotebook: weekly\n", "lacks title, a text"),
        ("- a\n", "holds no keys"),
        ("title: [\n", "is no YAML"),
        ("!!python/object/apply:os.system ['true']\n", "is no YAML"),
    ],
)
def test_mistake_is_named_with_what_is_known(tmp_path: Path, text: str, named: str):
    """Keys, parameters and their types, before anything runs; the file is named."""
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=named) as caught:
        read_definition(str(path))
    assert str(path) in str(caught.value)


def test_notebook_that_is_none_is_named(tmp_path: Path):
    """What lies beside the definition may be anything."""
    (tmp_path / "own.ipynb").write_text("not json", encoding="utf-8")
    (tmp_path / "mine.yaml").write_text("title: x\nnotebook: own.ipynb\n", encoding="utf-8")
    with pytest.raises(InputError, match="its notebook cannot be read"):
        read_definition(str(tmp_path / "mine.yaml"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("title: &a x\nnotebook: *a\n", r"yaml uses an alias"),
        ("a: &a [*a]\n", "yaml uses an alias"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "yaml uses an alias"),
        ("? [a]\n: 1\n", "is no YAML"),
        ("? " * 3000 + "\n", "is no YAML: maximum recursion"),
        ("title: x\nnotebook: weekly\n~: 1\n", "has the key None"),
        ("title: 2026-11-30\nnotebook: weekly\n", "lacks title, a text"),
        ("title: x\nnotebook: ~nobody-at-all/own.ipynb\n", "no notebook '~nobody"),
        (f"title: x\nnotebook: {'n' * 5000}\n", r"no notebook 'nnn.{1,20}\.\.\."),
        ("title: x\nnotebook: weekly\nparameters: {week: 2026-99-99}\n", "is no YAML"),
        ("title: " + "[" * 3000 + "\n", "is no YAML"),
    ],
)
def test_hostile_definition_is_refused(tmp_path: Path, text: str, named: str):
    """Aliases that could grow without end, dates and names that are none, nesting that is too deep, long names cut."""
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=named):
        read_definition(str(path))


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("{skills: [a, 1]}", r"'skills' has 1 as item 2; it takes a list\[str\]: put '1' into quotes"),
        ("{skills: [[b]]}", r"'skills' has \['b'\] as item 1"),
        ("{skills: [2026-11-30]}", "put '2026-11-30' into quotes"),
        (
            "{week: 2026-11-30}",
            r"'week' is datetime.date\(2026, 11, 30\); it takes a str: put '2026-11-30' into quotes",
        ),
        ("{options: {health: {seen: 2026-11-30}}}", "'options' holds datetime.date.*a date.*write it as text"),
        ("{options: {a: !!binary aGk=}}", "'options' holds b'hi', a bytes"),
        ("{options: {a: " + "[" * 30 + "]" * 30 + "}}", r"lists more than 10 deep: .*\[\.\.\.\].*make it flatter"),
        ("{min_invocations: 0b" + "1" * 20_000 + "}", "too long to be written out"),
        ("{min_invocations: [" + "x, " * 5000 + "]}", r"is \['x', .{1,60}\.\.\.\]; it takes a int"),
        ("''", "write one `name: value` a line"),
        ("0", "write one `name: value` a line"),
    ],
)
def test_value_that_no_notebook_takes_is_named(tmp_path: Path, value: str, named: str):
    """Items of lists have types, too; nothing but plain values goes into a cell; long values are not printed whole."""
    (tmp_path / "mine.yaml").write_text(f"title: x\nnotebook: weekly\nparameters: {value}\n", encoding="utf-8")
    with pytest.raises(InputError, match=named) as caught:
        read_definition(str(tmp_path / "mine.yaml"))
    assert len(str(caught.value)) < len(str(tmp_path)) + 400


@pytest.mark.parametrize(
    "content", ["{}", "[]", "5", "[" * 100_000, '{"nbformat": 4, "nbformat_minor": 5, "cells": [1]}']
)
def test_odd_notebook_is_named(tmp_path: Path, content: str):
    """JSON that is no notebook, and nesting without end."""
    (tmp_path / "own.ipynb").write_text(content, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text("title: x\nnotebook: own.ipynb\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.yaml: its notebook cannot be read: .{1,200}$"):
        read_definition(str(tmp_path / "mine.yaml"))


@pytest.mark.parametrize("name", ["mine.yaml", "own.ipynb"])
def test_pipe_is_not_waited_for(tmp_path: Path, name: str):
    """Neither as a definition nor as its notebook."""
    (tmp_path / "mine.yaml").write_text("title: x\nnotebook: own.ipynb\n", encoding="utf-8")
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match=r"cannot be read|no notebook"):
        read_definition(str(tmp_path / "mine.yaml"))
