"""Stamp a refinement into a front matter: version, date and count, and nothing else changes by a byte.

Ours stand as texts below ``metadata:``, where validators of skills allow any key. What other tools keep on the same
(``version``, ``updatedAt``, ``learning.lastRefined``, ``applicationCount``) is renewed where it is there already; a
version that is no whole number is the author's own and stays.
"""

import copy
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from skilltune.evolution.frontmatter import load_yaml
from skilltune.evolution.skilldoc import COUNT_KEY, REFINED_KEY, VERSION_KEY, SkillDoc, read_stamp_time

if TYPE_CHECKING:
    from ruamel.yaml.nodes import MappingNode, Node, ScalarNode

__all__ = ["Stamped", "stamp_skill"]

_DATE_CHARS: Final = 10
_QUOTES: Final = {None: "", "'": "'", '"': '"'}


@dataclass(frozen=True, slots=True)
class Stamped:
    """The document after stamping, and '' or why its front matter was left as it is."""

    doc: SkillDoc
    note: str


class _Edit(NamedTuple):
    """Replaces a span of the front matter; `path` and `value` say what that means."""

    start: int
    end: int
    text: str
    values: tuple[tuple[tuple[str, ...], str], ...]


class _Refused(Exception):
    """Why there is no stamp."""


def stamp_skill(doc: SkillDoc, *, version: int, at: datetime, count: int, stamp: bool = True) -> Stamped:
    r"""`doc` with version, date and count of its last refinement in the front matter.

    Parameters
    ----------
    doc
        The document.
    version
        Its new version.
    at
        When it was refined.
    count
        How often it has been refined by now.
    stamp
        False leaves the front matter alone.

    Returns
    -------
    Stamped
        With a note, and the front matter as it was, where it cannot be changed without touching what is not ours.

    Examples
    --------
    >>> doc = SkillDoc.parse("---\nname: lint\n---\nUse tabs.\n")
    >>> print(stamp_skill(doc, version=2, at=datetime(2026, 11, 30, 12, tzinfo=UTC), count=1).doc.head, end="")
    ---
    name: lint
    metadata:
      skilltune-version: "2"
      skilltune-refined: "2026-11-30T12:00:00Z"
      skilltune-refinements: "1"
    ---
    """
    if not stamp:
        return Stamped(doc, "")
    if doc.inside is None:
        return Stamped(doc, "no stamp: the file has no front matter")
    if doc.front_matter.problem:
        return Stamped(doc, f"no stamp: the front matter is left as it is, {doc.front_matter.problem}")
    start, end = doc.inside
    ours = {VERSION_KEY: str(version), REFINED_KEY: _time(at), COUNT_KEY: str(count)}
    try:
        inner = _stamped(doc.head[start:end], ours, version=version, at=at, count=count, newline=doc.newline)
    except _Refused as refused:
        return Stamped(doc, f"no stamp: the front matter is left as it is, {refused}")
    return Stamped(SkillDoc(doc.head[:start] + inner + doc.head[end:], doc.body), "")


def _stamped(inner: str, ours: dict[str, str], *, version: int, at: datetime, count: int, newline: str) -> str:
    """The front matter with all edits, checked: it must say the same as before but for the stamp."""
    root = _compose(inner)
    edits = list(_foreign_edits(root, version=version, at=at, count=count))
    edits += _own_edits(inner, root, ours, newline=newline)
    wanted = copy.deepcopy(load_yaml(inner))
    text = inner
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
        for path, value in edit.values:
            _put(wanted, path, value)
    try:
        found = load_yaml(text)
    except ValueError as error:
        raise _Refused("it has a form that cannot be added to") from error
    if found != wanted:
        raise _Refused("other values would change with it")
    return text


def _compose(inner: str) -> "MappingNode | None":
    from ruamel.yaml import YAML
    from ruamel.yaml.events import AliasEvent
    from ruamel.yaml.nodes import MappingNode

    if any(isinstance(event, AliasEvent) for event in YAML(typ="rt", pure=True).parse(inner)):
        raise _Refused("its values refer to each other")
    with warnings.catch_warnings():
        # its warnings quote the text
        warnings.simplefilter("ignore")
        root = YAML(typ="rt", pure=True).compose(inner)
    return root if isinstance(root, MappingNode) else None


def _foreign_edits(root: "MappingNode | None", *, version: int, at: datetime, count: int) -> Iterator[_Edit]:
    """What other tools keep, renewed."""
    extensions = _map_at(_map_at(root, "metadata"), "extensions")
    places = [((), root)]
    for tool, _ in _entries(extensions):
        places.append((("metadata", "extensions", tool), _map_at(extensions, tool)))  # type: ignore[arg-type]
    for path, place in places:
        yield from _renewed(place, path, {"version": str(version), "applicationCount": str(count)}, at=None)
        yield from _renewed(place, path, {"updatedAt": ""}, at=at)
        learning = _map_at(place, "learning")
        yield from _renewed(learning, (*path, "learning"), {"applicationCount": str(count)}, at=None)
        yield from _renewed(learning, (*path, "learning"), {"lastRefined": ""}, at=at)


def _renewed(
    place: "MappingNode | None", path: tuple[str, ...], values: dict[str, str], *, at: datetime | None
) -> Iterator[_Edit]:
    """An edit of each key of `values` that is there with a value of its kind: a whole number, or with `at` a time."""
    for key, node in _entries(place):
        if key not in values or not hasattr(node, "style") or node.style not in _QUOTES:
            continue
        if at is None and re.fullmatch(r"\d{1,9}", node.value):
            yield _scalar_edit(node, (*path, key), values[key], quote=_QUOTES[node.style])
        elif at is not None and read_stamp_time(node.value):
            yield _scalar_edit(node, (*path, key), _like(node.value, at), quote=_QUOTES[node.style])


def _own_edits(inner: str, root: "MappingNode | None", ours: dict[str, str], *, newline: str) -> Iterator[_Edit]:
    """Our keys: renewed where they are there, else added to ``metadata:``, which is added where it is missing."""
    block = dict(_entries(root)).get("metadata")
    if root is None or block is None:
        lines = "".join(f'  {key}: "{value}"{newline}' for key, value in ours.items())
        yield _added(len(inner), f"metadata:{newline}{lines}", ours)
        return
    there = _map_at(root, "metadata")
    if there is None:
        if block.value:
            raise _Refused("its metadata is no map")
        at = _line_end(inner, next(key.end_mark.index for key, value in root.value if value is block))
        lines = "".join(f'  {key}: "{value}"{newline}' for key, value in ours.items())
        yield _added(at, lines if at == 0 or inner[at - 1] in "\r\n" else newline + lines, ours)
        return
    known = dict(_entries(there))
    for key in ours.keys() & known.keys():
        if getattr(known[key], "style", "map") not in _QUOTES:
            raise _Refused(f"its {key} is no plain value")
        yield _scalar_edit(known[key], ("metadata", key), ours[key], quote='"')
    missing = {key: value for key, value in ours.items() if key not in known}
    if missing:
        yield _insert(inner, there, missing, newline=newline)


def _insert(inner: str, block: "MappingNode", missing: dict[str, str], *, newline: str) -> _Edit:
    """The missing keys at the end of the map."""
    pairs = [f'{key}: "{value}"' for key, value in missing.items()]
    if block.flow_style:
        at = block.end_mark.index - 1
        while at and inner[at - 1].isspace():
            at -= 1
        return _added(at, (", " if block.value else "") + ", ".join(pairs), missing)
    key, _ = block.value[-1]
    column = key.start_mark.column
    at = _block_end(inner, _line_end(inner, key.start_mark.index), column)
    lead = "" if inner[at - 1] in "\r\n" else newline
    indent = inner[key.start_mark.index - column : key.start_mark.index]
    return _added(at, lead + "".join(f"{indent}{pair}{newline}" for pair in pairs), missing)


def _block_end(inner: str, at: int, column: int) -> int:
    """The end of the value that goes on after `at`: the lines further in than `column`, and a list's at it."""
    end = at
    while at < len(inner):
        after = _line_end(inner, at)
        line = inner[at:after]
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent <= column and not (indent == column and line[indent : indent + 1] == "-"):
            break
        at = after
        end = at if line.strip() else end
    return end


def _line_end(text: str, at: int) -> int:
    """Where the line after the one at `at` begins."""
    found = re.compile(r"\r\n|\n|\r").search(text, at)
    return found.end() if found else len(text)


def _added(at: int, text: str, values: dict[str, str]) -> _Edit:
    return _Edit(at, at, text, tuple((("metadata", key), value) for key, value in values.items()))


def _scalar_edit(node: "ScalarNode", path: tuple[str, ...], value: str, *, quote: str) -> _Edit:
    text = f"{quote}{value}{quote}"
    return _Edit(node.start_mark.index, node.end_mark.index, text, ((path, value),))


def _entries(block: "MappingNode | None") -> Iterator[tuple[str, Any]]:
    """Key and value node of each entry with a text as its key."""
    for key, value in block.value if block is not None else ():
        if isinstance(key.value, str):
            yield key.value, value


def _map_at(block: "MappingNode | None", key: str) -> "MappingNode | None":
    from ruamel.yaml.nodes import MappingNode

    found: "Node | None" = dict(_entries(block)).get(key)
    return found if isinstance(found, MappingNode) else None


def _put(values: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    *above, last = path
    for key in above:
        if not isinstance(values.get(key), dict):
            values[key] = {}
        values = values[key]
    values[last] = value


def _time(at: datetime) -> str:
    return f"{_utc(at):%Y-%m-%dT%H:%M:%SZ}"


def _like(old: str, at: datetime) -> str:
    """The time in the form of `old`: a date alone, with milliseconds, or to the second."""
    if len(old.strip()) == _DATE_CHARS:
        return _time(at)[:_DATE_CHARS]
    return f"{_utc(at):%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z" if "." in old else _time(at)


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
