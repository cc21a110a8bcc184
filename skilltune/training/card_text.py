"""The model card as Markdown, every figure from the card's JSON."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined

from skilltune.records import agent_title

__all__ = ["render_card"]

_WORDS: Final = {"negative": "complaints", "acceptance": "acceptances"}


def render_card(card: Mapping[str, Any]) -> str:
    """The card as a Markdown document."""
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)  # noqa: S701  # Markdown of numbers
    environment.filters.update(percent=_percent, two=_two, share=_share, counts=_counts)
    template = environment.from_string(files("skilltune.training").joinpath("card.md.j2").read_text(encoding="utf-8"))
    return template.render(card=card, rows=_rows(card), words=_WORDS)


def _rows(card: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The parts of the turns that are measured apart, each with its figures."""
    small, largest, one = card["other_projects"], card["largest_project_unseen"], card["one_project"]
    return [
        ("all turns, session unseen", card["outcomes"]),
        ("the same, against the second reader", card["second_reader"]),
        ("the same, by rules alone", card["rules_alone"]),
        (f"the {one['turns']} turns of one project, session unseen", one["outcomes"]),
        (f"the largest project ({largest['turns']} turns), project unseen", largest["outcomes"]),
        (f"{small['projects']} smaller projects ({small['turns']} turns), project unseen", small["outcomes"]),
        *(
            (f"{agent_title(agent)} ({part['turns']} turns), project unseen", part["outcomes"])
            for agent, part in card["by_agent"].items()
        ),
    ]


def _percent(rate: float | None) -> str:
    return "not known" if rate is None else f"{rate:.0%}"


def _two(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f}"


def _share(figures: Mapping[str, Any]) -> str:
    if figures["rate"] is None:
        return "none said"
    return f"{figures['rate']:.2f} ({figures['low']:.2f}–{figures['high']:.2f}; {_counts(figures)})"


def _counts(figures: Mapping[str, Any]) -> str:
    return f"{figures['k']} of {figures['n']}"
