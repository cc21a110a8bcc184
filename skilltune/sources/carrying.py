"""What a reader knows of a file so far, as bytes: when the file has grown, reading goes on where it had ended.

A file is read up to the end of its last whole line, what is known by then is packed, and what stands behind is read
for these facts only. The bytes hold plain values and the attributes of known classes: whatever they say, no other
code runs than that of the reader.
"""

import hashlib
import io
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import msgspec
from msgspec import Struct

from skilltune.facts import FileFacts
from skilltune.sources.base import naming
from skilltune.sources.lines import BUFFER_BYTES, iterate_lines, open_file
from skilltune.sources.session import EARLIEST

__all__ = ["Carrier", "ReadOn", "pack_values", "read_on", "unpack_values"]

HEAD_BYTES: Final = 4096
TAIL_BYTES: Final = 256
"""The file's first bytes and those before the end of its last whole line: where either differs, it is another file."""
MAX_CARRIED: Final = 16 << 20
"""A longer state is not worth keeping: the file is read from its start."""

_SCALARS: Final = frozenset({type(None), bool, int, float, str, bytes})
_OBJECT, _REF, _DICT, _TIME, _DEQUE = range(5)
_TAGS: Final[dict[type, int]] = {list: 5, tuple: 6, set: 7}
_MADE: Final[dict[int, Callable[..., Any]]] = {tag: kind for kind, tag in _TAGS.items()}


class Carrier(Protocol):
    """A reader of one file whose state can be packed between two lines."""

    def read_lines(self, lines: Iterable[bytes | None]) -> None:
        """Take lines; their numbers go on from those before."""
        ...

    def facts(self, *, size: int) -> FileFacts:
        """Everything kept of the file; nothing is read after it."""
        ...

    def carried(self) -> tuple[Any, ...]:
        """All it knows."""
        ...

    def resume(self, values: Sequence[Any]) -> None:
        """Know what another reader knew that gave this."""
        ...


class ReadOn(Protocol):
    """What a source offers as ``read_on`` that can go on reading a file that has grown."""

    def __call__(self, path: Path, *, carried: bytes = b"") -> tuple[FileFacts, bytes]:
        """Facts of a file as ``read_facts`` gives them, and what to go on from next time (b"" for the start).

        Parameters
        ----------
        path
            The file.
        carried
            What this gave before. Where it does not fit the file, all of the file is read.

        Raises
        ------
        ReadError
            The file cannot be read.
        """
        ...


class _State(Struct, array_like=True):
    """What is carried, less its check sum."""

    agent: str
    offset: int
    """Bytes read: the end of a line."""
    edges: bytes
    """Check sum of the file's first and last bytes up to there."""
    values: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode
_decode_state = msgspec.msgpack.Decoder(_State).decode


def read_on(
    path: Path,
    *,
    agent: str,
    new: Callable[[], Carrier],
    classes: Sequence[type],
    carried: bytes = b"",
    is_whole: Callable[[bytes], object] = lambda _head: False,
) -> tuple[FileFacts, bytes]:
    """Read a file, from where `carried` ends if it fits; see ``ReadOn``.

    Parameters
    ----------
    path
        The file.
    agent
        Whose reader this is.
    new
        Makes a reader that knows nothing.
    classes
        Of all objects that a reader carries; their order is part of the bytes.
    carried
        What was given before.
    is_whole
        Whether a file with this head is no file of lines: it is always read whole, by the caller.

    Raises
    ------
    ReadError
        The file cannot be read.
    """
    with naming(path), open_file(path, buffer_bytes=0) as file:
        if is_whole(_bytes_at(file, 0, HEAD_BYTES)):
            return FileFacts(path=""), b""
        reader, start = _begin(file, agent=agent, new=new, classes=classes, carried=carried)
        end = _end_of_lines(file, start)
        reader.read_lines(_lines(file, start, end))
        state = _pack_state(file, reader, agent=agent, offset=end, classes=classes)
        reader.read_lines(_lines(file, end, None))
        return reader.facts(size=file.tell()), state


def _begin(
    file: BinaryIO, *, agent: str, new: Callable[[], Carrier], classes: Sequence[type], carried: bytes
) -> tuple[Carrier, int]:
    """A reader, and the place from which it has to read on."""
    reader = new()
    state = _state_of(carried)
    if state is None or state.agent != agent or _edges(file, state.offset) != state.edges:
        return reader, 0
    reader.resume(unpack_values(state.values, classes=classes))
    return reader, state.offset


def _state_of(carried: bytes) -> _State | None:
    """The state in these bytes; None where there is none, or it is damaged."""
    packed = carried[8:]
    return _decode_state(packed) if packed and carried[:8] == _sum(packed) else None


def _pack_state(file: BinaryIO, reader: Carrier, *, agent: str, offset: int, classes: Sequence[type]) -> bytes:
    values = pack_values(reader.carried(), classes=classes) if offset else b""
    if not values or len(values) > MAX_CARRIED:
        return b""
    packed = _encode(_State(agent, offset, _edges(file, offset), values))
    return _sum(packed) + packed


def _sum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=8).digest()


def _edges(file: BinaryIO, offset: int) -> bytes:
    """What tells the first `offset` bytes of a file from those of another."""
    head = _bytes_at(file, 0, min(offset, HEAD_BYTES))
    tail = _bytes_at(file, max(offset - TAIL_BYTES, 0), min(offset, TAIL_BYTES))
    return _sum(b"%d %b %b" % (len(head) + len(tail), head, tail))


def _end_of_lines(file: BinaryIO, start: int) -> int:
    """Where the last whole line ends; `start` where none ends behind it."""
    at = file.seek(0, os.SEEK_END)
    while at > start:
        before = max(start, at - (1 << 16))
        found = _bytes_at(file, before, at - before).rfind(b"\n")
        if found >= 0:
            return before + found + 1
        at = before
    return start


def _bytes_at(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)


def _lines(file: BinaryIO, start: int, end: int | None) -> Iterator[bytes | None]:
    """The lines from one place to another, or to the end."""
    file.seek(start)
    stretch = io.BufferedReader(_Stretch(file, end), BUFFER_BYTES)
    return iterate_lines(stretch)


class _Stretch(io.RawIOBase):
    """A file as if it ended at a place; positions are the file's, which itself stays open."""

    def __init__(self, file: BinaryIO, end: int | None) -> None:
        self._file, self._end = file, end

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        if whence == os.SEEK_END and self._end is not None:
            offset, whence = self._end + offset, os.SEEK_SET
        return self._file.seek(offset, whence)

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer)
        if self._end is not None:
            view = view[: max(self._end - self._file.tell(), 0)]
        count: int = self._file.readinto(view) if len(view) else 0  # type: ignore[attr-defined]  # it is unbuffered
        return count


def pack_values(values: Sequence[Any], *, classes: Sequence[type]) -> bytes:
    """Values as bytes: an object that stands in several places is one object again when they are unpacked.

    b"" where something cannot be packed: an object of another class, a text that is no UTF-8, too deep a nesting.
    """
    try:
        return _encode(_Packer(classes).pack(tuple(values)))
    except (TypeError, UnicodeEncodeError, OverflowError, RecursionError):
        return b""


def unpack_values(packed: bytes, *, classes: Sequence[type]) -> tuple[Any, ...]:
    """The values that were packed, with the same `classes`."""
    values = _Unpacker(classes).unpack(_decode(packed))
    return values if isinstance(values, tuple) else ()


def _names(kind: type) -> tuple[str, ...]:
    """The attributes that every object of a class has; none for one with a dictionary of them, or without names."""
    fields: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return fields or tuple(() if issubclass(kind, tuple) else getattr(kind, "__slots__", ()))


def _is_positional(kind: type) -> bool:
    """Whether an object is made of its fields in their order: a Struct or a named tuple."""
    return issubclass(kind, Struct | tuple)


class _Packer:
    """Objects to plain values: what is not plain is a list that begins with its kind."""

    def __init__(self, classes: Sequence[type]) -> None:
        self._classes = {kind: (tag, _names(kind), _is_positional(kind)) for tag, kind in enumerate(classes)}
        self._numbers: dict[int, int] = {}
        """Id of an object → its number, in the order in which they are complete."""

    def pack(self, value: Any) -> Any:
        kind = value.__class__
        if kind in _SCALARS:
            return value
        if kind in self._classes:
            return self._pack_object(value, kind)
        if kind is dict:
            return [_DICT, self._items(value), self._items(value.values())] if value else [_DICT, [], []]
        if kind in _TAGS:
            return [_TAGS[kind], self._items(value)] if value else [_TAGS[kind]]
        if kind is datetime:
            return [_TIME, None if value is EARLIEST else value.isoformat()]
        if kind is deque:
            return [_DEQUE, value.maxlen, self._items(value)]
        raise TypeError(f"{kind.__name__}: nothing that is carried")

    def _items(self, values: Iterable[Any]) -> list[Any]:
        return [item if item.__class__ in _SCALARS else self.pack(item) for item in values]

    def _pack_object(self, value: Any, kind: type) -> Any:
        number = self._numbers.get(id(value))
        if number is not None:
            return [_REF, number]
        tag, names, positional = self._classes[kind]
        if names:
            packed = [_OBJECT, tag, *self._items([getattr(value, name) for name in names])]
        elif positional:
            packed = [_OBJECT, tag, *self._items(value)]
        else:
            packed = [_OBJECT, tag, list(vars(value)), *self._items(vars(value).values())]
        self._numbers[id(value)] = len(self._numbers)
        return packed


class _Unpacker:
    """What ``_Packer`` made, back to objects."""

    def __init__(self, classes: Sequence[type]) -> None:
        self._classes = [(kind, _names(kind), _is_positional(kind)) for kind in classes]
        self._objects: list[Any] = []

    def unpack(self, packed: Any) -> Any:
        if packed.__class__ is not list:
            return packed
        kind = packed[0]
        if kind == _OBJECT:
            return self._unpack_object(packed)
        if kind == _REF:
            return self._objects[packed[1]]
        return self._unpack_plain(kind, packed)

    def _unpack_plain(self, kind: int, packed: list[Any]) -> Any:
        """A container or a moment."""
        if kind in _MADE:
            return _MADE[kind](self._items(packed[1])) if len(packed) > 1 else _MADE[kind]()
        if kind == _DICT:
            return dict(zip(self._items(packed[1]), self._items(packed[2]), strict=True))
        if kind == _TIME:
            return EARLIEST if packed[1] is None else datetime.fromisoformat(packed[1])
        return deque(self._items(packed[2]), maxlen=packed[1])

    def _items(self, packed: list[Any]) -> list[Any]:
        return [item if item.__class__ is not list else self.unpack(item) for item in packed]

    def _unpack_object(self, packed: list[Any]) -> Any:
        kind, names, positional = self._classes[packed[1]]
        if positional:
            made = kind(*self._items(packed[2:]))
        else:
            made = object.__new__(kind)
            values = packed[2:] if names else packed[3:]
            for name, value in zip(names or packed[2], self._items(values), strict=True):
                setattr(made, name, value)
        self._objects.append(made)
        return made
