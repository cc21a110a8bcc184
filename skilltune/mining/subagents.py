"""Which stretch of a session started which sub-agent: by the session that it names and the moment it began."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skilltune.facts import FileFacts, SessionFacts, SubagentFacts

__all__ = ["LEAD", "SubagentRuns"]

LEAD = -1
"""Place of the stretch before a session's first item."""


class SubagentRuns:
    """The sub-agents of all files, each to be placed once; of copies of a file the first counts."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[SubagentFacts]] = defaultdict(list)
        self._known: set[str] = set()
        self._stamps: dict[str, dict[str, list[int]]] = defaultdict(dict)
        """Session → file → when what it owns of the session was said or called, sorted."""

    def noting(self, read: Iterable[FileFacts]) -> Iterator[FileFacts]:
        """The same files, their sub-agents and what they own noted."""
        for file in read:
            for session in file.sessions:
                self._stamps[session.session_id][session.path] = sorted(at for at, _ in _owned(session))
            for run in file.subagents:
                if not run.uuid or run.uuid not in self._known:
                    self._waiting[run.session_id].append(run)
                    self._known.add(run.uuid)
            yield file

    def place(self, session: SessionFacts) -> Mapping[int, Sequence[SubagentFacts]]:
        """Index of an item (``LEAD`` before the first) → the sub-agents started after it, taken by this file.

        A sub-agent belongs to the last item before it began; one without a stamp, or before all items, to the stretch
        before the first. Of several files of the session the one that owns that item takes it.
        """
        runs = self._waiting.get(session.session_id)
        if not runs or (session.items and all(item.copied for item in session.items)):
            return {}
        owned = sorted(_owned(session))
        placed: dict[int, list[SubagentFacts]] = defaultdict(list)
        left: list[SubagentFacts] = []
        for run in runs:
            if self._is_nearer_elsewhere(run, session):
                left.append(run)
                continue
            before = 0 if run.started is None else bisect_right(owned, (run.started, len(session.items)))
            placed[owned[before - 1][1] if before else LEAD].append(run)
        self._waiting[session.session_id] = left
        return placed

    def _is_nearer_elsewhere(self, run: SubagentFacts, session: SessionFacts) -> bool:
        """Whether another file owns an item of the session that is later, and yet before the sub-agent."""
        if run.started is None:
            return False
        files = self._stamps[session.session_id]
        counts = {path: bisect_right(stamps, run.started) for path, stamps in files.items()}
        nearest = {path: files[path][count - 1] for path, count in counts.items() if count}
        own = nearest.get(session.path)
        return any(own is None or other > own for path, other in nearest.items() if path != session.path)


def _owned(session: SessionFacts) -> Iterator[tuple[int, int]]:
    """Stamp and index of each item that the file owns."""
    return ((item.at, at) for at, item in enumerate(session.items) if item.at is not None and not item.copied)
