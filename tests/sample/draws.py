"""Draws that depend on a key only: the same key gives the same draw on every machine and Python."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["hex_of", "number", "pick", "uuid_of"]

T = TypeVar("T")


def hex_of(key: str, *, digits: int) -> str:
    """`digits` hex digits made from `key`."""
    return hashlib.shake_128(key.encode()).hexdigest((digits + 1) // 2)[:digits]


def number(key: str, *, below: int) -> int:
    """A whole number from 0 to `below` - 1."""
    return int(hex_of(key, digits=12), 16) % below


def pick(items: Sequence[T], *, key: str) -> T:
    """One of `items`."""
    return items[number(key, below=len(items))]


def uuid_of(key: str) -> str:
    """A version 4 shaped uuid."""
    digits = hex_of(key, digits=32)
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:]}"
