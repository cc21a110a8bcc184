"""The tree of commands: what all of them have in common."""

from collections.abc import Iterator

import click
import pytest
import typer

from skilltune.cli import _register, app

SEVERAL = {"report", "mine"}
"""Take any number of skills by their option; ``mine`` by the analyzer's ``--skill-filter``, too."""
NO_JSON = {"lab", "hook"}
"""The one runs JupyterLab, which prints its own; the other prints nothing."""


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its words."""

    def below(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[str, click.Command]]:
        children = getattr(command, "commands", {})
        for name, child in children.items():
            yield from below((*words, name), child)
        if not children:
            yield " ".join(words), command

    if not app.registered_commands:
        _register()
    root = typer.main.get_command(app)
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        yield from below((name,), command)


COMMANDS = dict(_commands())


def _options(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts if name.startswith("--")}


def _takes_skill_argument(command: click.Command) -> bool:
    return any(
        "SKILL" in str(parameter.metavar or "").split("|")
        for parameter in command.params
        if parameter.param_type_name == "argument"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_skill_is_the_argument_or_the_option(name):
    """A command that takes a skill takes it as the argument and as ``--skill``, every one of them."""
    command = COMMANDS[name]
    if name not in SEVERAL:
        assert _takes_skill_argument(command) == ("--skill" in _options(command)), name


def test_commands_about_skills_are_found():
    """The rule above has something to hold for."""
    taking = {name for name, command in COMMANDS.items() if _takes_skill_argument(command)}
    for name in (
        "refine",
        "drift",
        "history",
        "rollback",
        "contradictions",
        "audit verify",
        "audit restart",
        "metrics",
    ):
        assert name in taking
    for name in ("feedback list", "feedback candidates", "feedback accept", "feedback replay", "label sample"):
        assert name in taking


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_json_and_shows_an_example(name):
    """``--json`` everywhere, and a line of ``--help`` that can be typed."""
    command = COMMANDS[name]
    assert "--json" in _options(command) or name in NO_JSON
    example = " ".join((command.help or "").split()).rpartition("Example: ")[2]
    assert example.startswith(f"skilltune {name}"), example


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_answers_for_the_person(name):
    """Only removing texts may be agreed to beforehand; no decision on a skill may."""
    assert "--yes" not in _options(COMMANDS[name]) or name == "feedback scrub"
