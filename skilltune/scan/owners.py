"""Whose records are whose: the sessions that several files hold, and the one file that owns each record."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from skilltune.facts import CommandFact, FileFacts, Item, SessionFacts, UseFact
from skilltune.mining.ids import is_unique

__all__ = ["Copy", "Owners", "mark_copies"]

_FAR = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A session of which another file owns some or all: a fork, a resumed session, an export, a second store."""

    session_id: str
    path: str
    owner_id: str
    """The session that owns the first of what is copied."""
    owner_path: str
    copied: int
    """Turns, uses and commands that are counted elsewhere."""
    items: int
    """All of them."""
    forked_from: str = ""
    """The session that the records name as the one this is a fork of."""


class _Rank(NamedTuple):
    """Whose claim on a record is stronger: the smaller one. The earliest file owns."""

    foreign: bool
    """The file is not the one the record's session is named after."""
    forked: bool
    """The records say that the session is a fork: what it shares with another is the other's."""
    first_at: int
    last_at: int
    """A copy begins with the same record as what it is a copy of, and goes on longer."""
    path: str


class _Claim(NamedTuple):
    """One session of one file."""

    rank: _Rank
    file: int
    """Number of the file."""
    session_id: str


class Owners:
    """Which file owns which record."""

    def __init__(self) -> None:
        self._claims: list[_Claim] = []
        self._owner: dict[int, int] = {}
        """Key of a record → number of the strongest claim."""
        self.contested = False
        """Whether two files claim one record: else there are no copies."""

    def claim(self, facts: FileFacts, *, index: int) -> None:
        """Enter a file's claim on its items."""
        last_at = max((session.last_at for session in facts.sessions if session.last_at is not None), default=_FAR)
        for session in facts.sessions:
            foreign, first = Path(facts.path).stem != session.session_id, session.first_at
            first_at = _FAR if first is None else first
            rank = _Rank(foreign, bool(session.forked_from), first_at, last_at, facts.path)
            number = len(self._claims)
            self._claims.append(_Claim(rank, index, session.session_id))
            for key in _keys(session):
                if key is not None:
                    held = self._owner.setdefault(key, number)
                    if held != number:
                        self.contested = self.contested or self._claims[held].file != index
                        if rank < self._claims[held].rank:
                            self._owner[key] = number

    def are_copies(self, session: SessionFacts, *, index: int) -> list[bool]:
        """For each item of the session whether another file than number `index` owns it."""
        return [key is not None and self._claims[self._owner[key]].file != index for key in _keys(session)]

    def copies(self, facts: FileFacts, *, index: int) -> Iterator[Copy]:
        """Those sessions of file number `index` of which another file owns something."""
        for session in facts.sessions:
            claims = [self._claims[self._owner[key]] for key in _keys(session) if key is not None]
            owners = [claim for claim in claims if claim.file != index]
            if owners:
                yield Copy(
                    session_id=session.session_id,
                    path=facts.path,
                    owner_id=owners[0].session_id,
                    owner_path=owners[0].rank.path,
                    copied=len(owners),
                    items=len(session.items),
                    forked_from=session.forked_from,
                )


def _keys(session: SessionFacts) -> Iterator[int | None]:
    """What makes each item the same in two files: its uuid, else its call; None where nothing does.

    An id that may be a number in its session counts with the moment and the words. A queued prompt has no
    id: it is the same after the same item at the same moment with the same words, and nothing
    makes it the same where no item before it has a uuid or call.
    """
    before: int | None = None
    for item in session.items:
        name = item.uuid or (item.call_id if isinstance(item, UseFact) else "")
        if name:
            before = _digest(name if is_unique(name) else f"{name} {item.at} {_words(item)}")
            yield before
        elif before is None or item.at is None:
            yield None
        else:
            yield _digest(f"{before} {item.at} {_words(item)}")


def _words(item: Item) -> str:
    if isinstance(item, CommandFact):
        return item.command
    return item.skill_id if isinstance(item, UseFact) else item.text


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def mark_copies(facts: FileFacts, *, owners: Owners, index: int) -> FileFacts:
    """`facts` of file number `index`, its items that another file owns marked ``copied``."""
    if not any(any(owners.are_copies(session, index=index)) for session in facts.sessions):
        return facts
    sessions = tuple(_mark_session(session, owners=owners, index=index) for session in facts.sessions)
    return structs.replace(facts, sessions=sessions)


def _mark_session(session: SessionFacts, *, owners: Owners, index: int) -> SessionFacts:
    items: tuple[Any, ...] = tuple(
        structs.replace(item, copied=True) if copied else item
        for item, copied in zip(session.items, owners.are_copies(session, index=index), strict=True)
    )
    return structs.replace(session, items=items)
