"""Names of fields that a reader does not know: of the first records of each type in a file, as ``type.field``."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec
from msgspec import Raw

__all__ = ["MORE", "Fields", "Kind"]

Kind: TypeAlias = str | tuple[str | None, str | None]
"""A type of record; with the type of what it wraps, where it wraps something."""

LOOKS: Final = 3
"""How many records of a type are looked at: what a new version of a program adds, it adds to all of them."""
LOOK_BYTES: Final = 1 << 16
"""A longer record is left for a shorter one of its type: names without end would fill the memory."""
MAX_NAMES: Final = 100
"""Different names that are kept of a file."""
NAME_CHARS: Final = 80
MORE: Final = "(fields not named here)"
"""Under this the fields are counted that come after so many names."""

_decode = msgspec.json.Decoder(dict[str, Raw]).decode


class Fields:
    """The unknown fields of one file."""

    def __init__(self, kinds: Iterable[Kind], *, known: frozenset[str], inner: str = "") -> None:
        self.waiting: dict[Kind | None, int] = dict.fromkeys(kinds, LOOKS)
        """Type → how many records of it are still to be looked at; other types are not."""
        self.counts: dict[str, int] = {}
        self._known, self._inner = known, inner

    def look(self, kind: Kind | None, content: bytes, *, name: str = "") -> None:
        """Count the unknown fields of a record that waits to be looked at, and of the object in its field `inner`.

        They are counted under `name`, default its type.
        """
        if len(content) > LOOK_BYTES:
            return
        self.waiting[kind] -= 1
        name = name or (kind if isinstance(kind, str) else "/".join(filter(None, kind or ())))
        fields = _fields(content)
        self._count(name, fields)
        if self._inner in fields:
            self._count(name, _fields(fields[self._inner]))

    def _count(self, kind: str, fields: Mapping[str, Raw]) -> None:
        if self._known.issuperset(fields):
            return
        for field in fields:
            if field not in self._known:
                name = f"{kind}.{field}"[:NAME_CHARS]
                name = name if name in self.counts or len(self.counts) < MAX_NAMES else MORE
                self.counts[name] = self.counts.get(name, 0) + 1


def _fields(content: bytes | Raw) -> dict[str, Raw]:
    """Name → value as it is written; empty for what is no object."""
    try:
        return _decode(content)
    except (ValueError, RecursionError):
        return {}
