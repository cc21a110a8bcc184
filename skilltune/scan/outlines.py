"""Of the facts of a file what a scan needs of every file, however many there are: its counts, and whose it may be."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from skilltune.facts import CommandFact, FileFacts, Item, SessionFacts, UseFact
from skilltune.mining.ids import is_unique

__all__ = ["Outline", "SessionOutline", "outline_of", "pack_outline", "unpack_outline"]


class SessionOutline(Struct, frozen=True, array_like=True):
    """One session of a file."""

    agent: str
    session_id: str
    foreign: bool
    """The file is not named after the session."""
    forked_from: str
    first_at: int | None
    keys: tuple[int | None, ...]
    """What makes each item the same in two files, None where nothing does."""


class Outline(Struct, frozen=True, array_like=True):
    """One file."""

    path: str
    size: int
    skipped: str
    last_at: int | None
    """The last stamp of all its sessions."""
    records: dict[str, int]
    unknown_types: dict[str, int]
    unknown_fields: dict[str, int]
    problems: dict[str, int]
    """Reason → damaged lines."""
    sessions: tuple[SessionOutline, ...]
    subagents: tuple[tuple[str, str], ...]
    """Session and file of each sub-agent."""


pack_outline = msgspec.msgpack.Encoder().encode
unpack_outline = msgspec.msgpack.Decoder(Outline).decode


def outline_of(facts: FileFacts) -> Outline:
    """The outline of the facts of a file."""
    stem = Path(facts.path).stem
    return Outline(
        path=facts.path,
        size=facts.size,
        skipped=facts.skipped,
        last_at=max((session.last_at for session in facts.sessions if session.last_at is not None), default=None),
        records=facts.records,
        unknown_types=facts.unknown_types,
        unknown_fields=facts.unknown_fields,
        problems=dict(Counter(problem.reason for problem in facts.problems)),
        sessions=tuple([_outline_session(session, stem) for session in facts.sessions]),
        subagents=tuple([(run.session_id, run.path) for run in facts.subagents]),
    )


def _outline_session(session: SessionFacts, stem: str) -> SessionOutline:
    return SessionOutline(
        agent=session.agent,
        session_id=session.session_id,
        foreign=stem != session.session_id,
        forked_from=session.forked_from,
        first_at=session.first_at,
        keys=tuple(_keys(session)),
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
