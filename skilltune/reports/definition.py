"""What a report is made of: its notebook and definition, from the installed package or from a checkout."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from skilltune.errors import InputError

__all__ = ["Definition", "read_definition"]

CHECKOUT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A report: its notebook's text, the parameters it sets, its title."""

    name: str
    title: str
    notebook: str
    parameters: dict[str, Any]


def read_definition(name: str) -> Definition:
    """The report called `name`.

    Raises
    ------
    InputError
        When there is no such report, or its definition lacks something.
    """
    try:
        told = yaml.safe_load(_read("reports", f"{name}.yaml"))
        return Definition(
            name=name,
            title=str(told["title"]),
            notebook=_read("notebooks", f"{told['notebook']}.ipynb"),
            parameters=dict(told.get("parameters") or {}),
        )
    except FileNotFoundError as error:
        raise InputError(f"there is no report called {name!r}: {error.filename or error} is missing") from error
    except (KeyError, TypeError, yaml.YAMLError) as error:
        raise InputError(f"reports/{name}.yaml lacks notebook or title, or is no YAML: {error}") from error


def _read(folder: str, name: str) -> str:
    """A file of the installed package, or, where that has none, of the checkout."""
    packaged = files("skilltune") / {"reports": "reports/definitions", "notebooks": "notebooks"}[folder] / name
    source = packaged if packaged.is_file() else CHECKOUT / folder / name
    return source.read_text(encoding="utf-8")
