"""Whose records are whose: the sessions that several files hold, and the one file that owns each record."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from msgspec import structs

from skilltune.facts import FileFacts, SessionFacts
from skilltune.scan.outlines import Outline, SessionOutline

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
    session: SessionOutline


class Owners:
    """Which file owns which record."""

    def __init__(self) -> None:
        self._claims: list[_Claim] = []
        self._owner: dict[int | None, int] = {}
        """Key of a record → number of the strongest claim."""
        self.contested = False
        """Whether two files claim one record: else there are no copies."""
        self._first: dict[int, int] | None = None
        """Number of a file → that of its first claim, as soon as somebody asks."""

    def claim(self, outline: Outline, *, index: int) -> None:
        """Enter a file's claim on its items."""
        last_at = _FAR if outline.last_at is None else outline.last_at
        for session in outline.sessions:
            first_at = _FAR if session.first_at is None else session.first_at
            rank = _Rank(session.foreign, bool(session.forked_from), first_at, last_at, outline.path)
            number = len(self._claims)
            self._claims.append(_Claim(rank, index, session))
            claimed = dict.fromkeys(session.keys, number)
            claimed.pop(None, None)
            if self._owner.keys().isdisjoint(claimed):
                self._owner |= claimed
            else:
                self._dispute(claimed, rank, index=index)

    def _dispute(self, claimed: Mapping[int | None, int], rank: _Rank, *, index: int) -> None:
        """Enter a claim on items of which some are claimed already."""
        for key, number in claimed.items():
            held = self._owner.setdefault(key, number)
            if held != number:
                self.contested = self.contested or self._claims[held].file != index
                if rank < self._claims[held].rank:
                    self._owner[key] = number

    def copies(self) -> Iterator[Copy]:
        """Those sessions, in the order of the files, of which another file owns something."""
        for claim in self._claims if self.contested else ():
            owners = [held for held in self._owners_of(claim) if held is not None]
            if owners:
                session = claim.session
                yield Copy(
                    session_id=session.session_id,
                    path=claim.rank.path,
                    owner_id=owners[0].session.session_id,
                    owner_path=owners[0].rank.path,
                    copied=len(owners),
                    items=len(session.keys),
                    forked_from=session.forked_from,
                )

    def copied(self, index: int) -> list[list[bool]]:
        """For each item of each session of file number `index` whether another file owns it."""
        if self._first is None:
            self._first = {}
            for number, claim in enumerate(self._claims):
                self._first.setdefault(claim.file, number)
        found: list[list[bool]] = []
        for claim in islice(self._claims, self._first.get(index, len(self._claims)), None):
            if claim.file != index:
                break
            found.append([held is not None for held in self._owners_of(claim)])
        return found

    def _owners_of(self, claim: _Claim) -> list[_Claim | None]:
        """The claim of another file that is stronger, for each item; None for what the file itself owns."""
        held = [None if key is None else self._claims[self._owner[key]] for key in claim.session.keys]
        return [None if other is None or other.file == claim.file else other for other in held]


def mark_copies(facts: FileFacts, *, owners: Owners, index: int) -> FileFacts:
    """`facts` of file number `index`, its items that another file owns marked ``copied``."""
    copied = owners.copied(index)
    if not any(map(any, copied)):
        return facts
    marked = zip(facts.sessions, copied, strict=True)
    return structs.replace(facts, sessions=tuple(_mark_session(session, copied=flags) for session, flags in marked))


def _mark_session(session: SessionFacts, *, copied: Sequence[bool]) -> SessionFacts:
    items: tuple[Any, ...] = tuple(
        structs.replace(item, copied=True) if is_copied else item
        for item, is_copied in zip(session.items, copied, strict=True)
    )
    return structs.replace(session, items=items)
