"""What a report is made of: its notebook and definition, of the installed package, of a checkout, or a person's own."""

import reprlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from skilltune.errors import InputError
from skilltune.stores.files import read_small
from skilltune.stores.paths import expand_path

__all__ = ["CHECKOUT", "Definition", "read_definition", "shipped_definitions"]

CHECKOUT: Final = Path(__file__).parents[2]
KEYS: Final = ("title", "notebook", "parameters")
"""What a definition may say; the first two it has to."""
_NOTEBOOK_BYTES: Final = 20_000_000
_REASON_CHARS: Final = 200
_ENDS: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A report: its notebook's text, the parameters it sets, its title."""

    name: str
    title: str
    kind: str
    """Name of its notebook."""
    notebook: str
    """Its text."""
    parameters: dict[str, Any]
    known: dict[str, str]
    """Name → type name of the parameters that the notebook declares."""


def shipped_definitions() -> list[str]:
    """Names of the reports that come with skilltune."""
    return sorted({entry.name.partition(".")[0] for entry in _folder("reports").iterdir() if _is_yaml(entry.name)})


def read_definition(name: str) -> Definition:
    """The report called `name`, or that of the file at `name` (``….yaml``).

    Raises
    ------
    InputError
        When there is no such report, or its definition has a mistake: a key or parameter that is not known, a value
        of another type, a notebook that is not there. The message names what is known.
    """
    path = expand_path(name) if _is_yaml(name) else None
    where = str(path) if path is not None else f"reports/{name}.yaml"
    try:
        text = read_small(path).decode() if path is not None else _shipped("reports", f"{name}.yaml")
    except FileNotFoundError as error:
        known = ", ".join(shipped_definitions())
        raise InputError(
            f"there is no report called {name!r}: {where} is missing; those there are: {known}, or name a file that "
            "ends in .yaml"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{where} cannot be read: {error}") from error
    told = _checked(text, where=where)
    notebook = _notebook(told["notebook"], beside=path, where=where)
    takes = _known_parameters(notebook, where=where)
    parameters = dict(told.get("parameters") or {})
    _check(parameters, known=takes, where=where)
    return Definition(
        name=Path(name).stem if path is not None else name,
        title=told["title"],
        kind=Path(told["notebook"]).stem,
        notebook=notebook,
        parameters=parameters,
        known=takes,
    )


def _is_yaml(name: str) -> bool:
    return name.endswith(_ENDS)


def _checked(text: str, *, where: str) -> Mapping[str, Any]:
    """The definition in `text`, its keys and their types as they should be."""
    try:
        aliased = any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text))
        told = None if aliased else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{where} is no YAML: {' '.join(str(error).split())[:_REASON_CHARS]}") from error
    if aliased:
        raise InputError(f"{where} uses an alias (*name), which definitions do not know; write the value out")
    if not isinstance(told, dict):
        raise InputError(f"{where} holds no keys; it needs title and notebook")
    odd = [key for key in told if key not in KEYS]
    if odd:
        raise InputError(f"{where} has the key {reprlib.repr(odd[0])}, which is not known; it knows {', '.join(KEYS)}")
    for key in KEYS[:2]:
        if not isinstance(told.get(key), str) or not told[key].strip():
            raise InputError(f"{where} lacks {key}, a text; it needs title and notebook")
    if not isinstance(told.get("parameters", {}), dict | None):
        raise InputError(f"{where}: parameters is {reprlib.repr(told['parameters'])}; write one `name: value` a line")
    return told


def _notebook(name: str, *, beside: Path | None, where: str) -> str:
    """The text of the notebook called so, or of the file at that path beside the definition (``….ipynb``)."""
    try:
        if beside is not None and name.endswith(".ipynb"):
            return read_small(beside.parent / Path(name).expanduser(), limit=_NOTEBOOK_BYTES).decode()
        return _shipped("notebooks", f"{name.removesuffix('.ipynb')}.ipynb")
    except (OSError, RuntimeError, ValueError) as error:
        own = "" if beside is None else ", or a file ending in .ipynb beside it"
        names = (entry.name for entry in _folder("notebooks").iterdir())
        known = ", ".join(sorted(each.removesuffix(".ipynb") for each in names if each.endswith(".ipynb")))
        raise InputError(
            f"{where}: there is no notebook {reprlib.repr(name)}; it may be one of {known}{own}"
        ) from error


def _known_parameters(notebook: str, *, where: str) -> dict[str, str]:
    from nbformat import ValidationError

    from skilltune.reports.parameters import known_parameters

    with tempfile.TemporaryDirectory(prefix="skilltune-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "notebook.ipynb"
        path.write_text(notebook, encoding="utf-8")
        try:
            return known_parameters(path)
        except (ValidationError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
            reason = " ".join(str(error).split())[:_REASON_CHARS]
            raise InputError(f"{where}: its notebook cannot be read: {reason}") from error


def _check(parameters: Mapping[str, Any], *, known: Mapping[str, str], where: str) -> None:
    from skilltune.reports.parameters import check_parameters

    try:
        check_parameters(parameters, known=known)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def _folder(kind: str) -> Any:
    """The folder of shipped notebooks or definitions: of the installed package, or of the checkout."""
    packaged = files("skilltune") / {"reports": "reports/definitions", "notebooks": "notebooks"}[kind]
    return packaged if packaged.is_dir() else CHECKOUT / kind


def _shipped(kind: str, name: str) -> str:
    """A file of the installed package, or, where that has none, of the checkout."""
    if Path(name).name != name or "\0" in name:
        raise FileNotFoundError(name)
    source = _folder(kind) / name
    return str((source if source.is_file() else CHECKOUT / kind / name).read_text(encoding="utf-8"))
