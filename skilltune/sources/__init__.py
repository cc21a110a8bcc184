"""Agent logs to facts; one module an agent, found by being there: a module here with ``SOURCE = …``."""

from importlib import import_module
from pkgutil import iter_modules

from skilltune.sources.base import Source

__all__ = ["SOURCES", "Source"]


def _find_sources() -> dict[str, Source]:
    """Agent name → source, for every module beside this one that has a ``SOURCE``."""
    modules = [import_module(f"{__name__}.{found.name}") for found in sorted(iter_modules(__path__))]
    sources: list[Source] = [module.SOURCE for module in modules if hasattr(module, "SOURCE")]
    return {source.agent: source for source in sources}


SOURCES: dict[str, Source] = _find_sources()
"""Agent name → source."""
