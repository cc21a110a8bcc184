"""Agent logs to facts; one module an agent, found by being there: a module here with ``SOURCE = …``.

Importing this package is light: the agents' modules are loaded when ``SOURCES`` is first used.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skilltune.sources.base import Source

    SOURCES: dict[str, Source]
    """Agent name → source."""

__all__ = ["SOURCES", "Source"]


@cache
def _find_sources() -> "dict[str, Source]":
    """Agent name → source, for every module beside this one that has a ``SOURCE``."""
    modules = [import_module(f"{__name__}.{found.name}") for found in sorted(iter_modules(__path__))]
    sources: list[Source] = [module.SOURCE for module in modules if hasattr(module, "SOURCE")]
    return {source.agent: source for source in sources}


def __getattr__(name: str) -> Any:
    if name == "SOURCES":
        return _find_sources()
    if name == "Source":
        return import_module(f"{__name__}.base").Source
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
