"""A skill's front matter as text → its fields, read as YAML, or line by line where it is none.

All values are texts: a version ``1.10`` stays ``1.10``. What agents read leniently, such as ``description: Use when:
x``, is read here too, but such a front matter is never written to.
"""

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from skilltune.limits import FRONT_MATTER_CHARS

__all__ = ["FrontMatter", "load_yaml", "read_front_matter"]

_KEY: Final = re.compile(r"(?P<indent>[ \t]*)(?P<key>[^\s:#\-][^:\r\n]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_BLOCK: Final = re.compile(r"[|>][+\-0-9]*\s*(?:#.*)?$")
_FAULTS: Final = (ValueError, TypeError, AttributeError, LookupError, RecursionError, AssertionError)
"""What the YAML reader raises on hostile text besides its own errors."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a front matter: texts, lists and maps of such; `problem` is '' where it is valid YAML."""

    values: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""

    def text(self, *path: str) -> str:
        """The text at a path of keys; '' where there is none."""
        found = self.at(*path)
        return found if isinstance(found, str) else ""

    def at(self, *path: str) -> Any:
        """What stands at a path of keys, or None."""
        found: Any = self.values
        for key in path:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found


def read_front_matter(text: str) -> FrontMatter:
    r"""The fields of `text`, which stands between the two fences.

    Examples
    --------
    >>> read_front_matter("name: a\ndescription: Use when: x\n").text("description")
    'Use when: x'
    """
    if len(text) > FRONT_MATTER_CHARS:
        problem = f"it has {len(text):,} characters, limit {FRONT_MATTER_CHARS:,}"
        return FrontMatter(_by_lines(text[:FRONT_MATTER_CHARS]), problem)
    try:
        return FrontMatter(load_yaml(text))
    except ValueError as error:
        return FrontMatter(_by_lines(text), str(error))


def load_yaml(text: str) -> dict[str, Any]:
    """`text` as a YAML map with every scalar a text.

    Raises
    ------
    ValueError
        When it is no YAML, or no map with texts as keys; the message is short and quotes nothing.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        with warnings.catch_warnings():
            # its warnings quote the text
            warnings.simplefilter("ignore")
            found = YAML(typ="base", pure=True).load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ValueError(f"it is no valid YAML, line {line} of it") from error
    except (YAMLError, *_FAULTS) as error:
        raise ValueError("it is no valid YAML") from error
    if found is None or found == "":
        return {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise ValueError("it is no list of keys and values")
    return found


def _by_lines(text: str) -> dict[str, Any]:
    """Keys of the first level with their text, folded blocks joined, and one level of maps below."""
    found: dict[str, Any] = {}
    lines = re.split(r"\r\n|\n|\r", text)
    at = 0
    while at < len(lines):
        match = _KEY.match(lines[at])
        at += 1
        if not match or match["indent"]:
            continue
        end = at
        while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
            end += 1
        found.setdefault(_unquoted(match["key"]), _value((match["value"] or "").strip(), lines[at:end]))
        at = end
    return found


def _value(first: str, more: list[str]) -> Any:
    below = [line.strip() for line in more if line.strip()]
    if _BLOCK.match(first):
        return ("\n" if first[0] == "|" else " ").join(below)
    if first or not below:
        return _unquoted(" ".join([first, *below]))
    pairs = [match for line in more if (match := _KEY.match(line))]
    if not pairs:
        return " ".join(below)
    return {_unquoted(match["key"]): _unquoted((match["value"] or "").strip()) for match in pairs}


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
