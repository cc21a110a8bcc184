"""Mined complaints about a skill → groups about the same thing, large enough to ask a person for a change.

A group shares its dimension and a content word; complaints of unknown dimension join by the word. Each complaint is in
at most one group. The order of the rows does not matter.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING

from skilltune.evolution.topics import content_words
from skilltune.frames import check_frame
from skilltune.limits import COMPLAINT_GROUP, COMPLAINT_SESSIONS
from skilltune.records import Dimension, FeedbackEvent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Complaint", "ComplaintGroup", "group_complaints", "read_complaints"]

_NEEDS = (
    *("event_id", "skill_id", "session_id", "timestamp", "outcome", "attribution", "dimension_hint"),
    "user_message_snippet",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """A person's correction of a use, or their reserve about it, in their words."""

    event_id: str
    skill_id: str
    session_id: str
    timestamp: datetime | None
    dimension: Dimension
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintGroup:
    """Complaints about the same thing."""

    skill_id: str
    dimension: Dimension
    words: tuple[str, ...]
    """What they share, the word of all of them first."""
    complaints: tuple[Complaint, ...]
    """In time order."""

    @property
    def id(self) -> str:
        """16 hex digits of a hash of its complaints."""
        text = "\n".join([self.skill_id, *sorted(item.event_id for item in self.complaints)])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def count(self) -> int:
        """k: how many complaints."""
        return len(self.complaints)

    @property
    def agreement(self) -> Fraction:
        """(k + 1) / (k + 2), exact."""
        return Fraction(self.count + 1, self.count + 2)

    @property
    def sessions(self) -> tuple[str, ...]:
        """Their sessions, each once, in time order."""
        return tuple(dict.fromkeys(item.session_id for item in self.complaints))

    @property
    def event_ids(self) -> tuple[str, ...]:
        """Their ids, in time order."""
        return tuple(item.event_id for item in self.complaints)


def read_complaints(events: "pd.DataFrame", *, skill_id: str | None = None) -> list[Complaint]:
    """The corrections and partials among `events` that are about the skill, in the order given.

    Parameters
    ----------
    events
        Feedback events, one row each.
    skill_id
        Only of this skill; by default of all.

    Returns
    -------
    list of Complaint
        Those attributed directly or likely.

    Raises
    ------
    FrameError
        When a column is missing or holds an unknown word.
    """
    import pandas as pd

    check_frame(events, FeedbackEvent, needs=_NEEDS)
    chosen = events["outcome"].isin(["correction", "partial"]) & events["attribution"].isin(["direct", "likely"])
    if skill_id is not None:
        chosen &= events["skill_id"] == skill_id
    rows = events[chosen]
    times = [None if pd.isna(at) else at.to_pydatetime() for at in pd.to_datetime(rows["timestamp"], utc=True)]
    dimensions = rows["dimension_hint"].astype("object").fillna("unknown")
    texts = rows["user_message_snippet"].astype("object").fillna("")
    columns = (rows[name].tolist() for name in ("event_id", "skill_id", "session_id"))
    return [
        Complaint(event_id=id_, skill_id=skill, session_id=session, timestamp=at, dimension=dimension, text=text)
        for id_, skill, session, at, dimension, text in zip(*columns, times, dimensions, texts, strict=True)
    ]


def group_complaints(
    complaints: Iterable[Complaint],
    *,
    decided: Collection[str] = (),
    min_complaints: int = COMPLAINT_GROUP,
    min_sessions: int = COMPLAINT_SESSIONS,
) -> list[ComplaintGroup]:
    """The groups that are large enough, by skill, the largest first.

    Parameters
    ----------
    complaints
        Of any skills.
    decided
        Ids of complaints whose group a person has decided on, or that an applied refinement used.
    min_complaints, min_sessions
        How many complaints, from how many sessions, make a group.

    Notes
    -----
    The largest group that shares a dimension and a word is taken first, then the largest among the rest; of equals the
    one whose word is rarer among all complaints of the skill, then by alphabet.
    """
    by_skill: defaultdict[str, dict[str, Complaint]] = defaultdict(dict)
    for item in complaints:
        if item.event_id not in decided:
            by_skill[item.skill_id][item.event_id] = item
    return [
        group
        for skill_id in sorted(by_skill)
        for group in _groups(by_skill[skill_id], min_complaints=min_complaints, min_sessions=min_sessions)
    ]


def _groups(left: Mapping[str, Complaint], *, min_complaints: int, min_sessions: int) -> list[ComplaintGroup]:
    """The groups of one skill."""
    words = {id_: content_words(item.text) for id_, item in left.items()}
    spread = Counter(word for found in words.values() for word in found)
    members = _shared(left, words)
    found = []
    while members:
        # one that has become too small, or comes from too few sessions, never grows again
        members = {
            key: ids
            for key, ids in members.items()
            if len(ids) >= min_complaints and len({left[id_].session_id for id_ in ids}) >= min_sessions
        }
        if not members:
            break
        best = min(members, key=lambda key: (-len(members[key]), key[0] == "unknown", spread[key[1]], key[1], key[0]))
        taken = members.pop(best)
        found.append(_group(best, [left[id_] for id_ in taken], words=words, min_complaints=min_complaints))
        members = {key: ids - taken for key, ids in members.items()}
    return found


def _shared(left: Mapping[str, Complaint], words: Mapping[str, frozenset[str]]) -> dict[tuple[str, str], set[str]]:
    """Dimension and word → the complaints of that dimension, or of none that is known, with that word."""
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    open_ended: dict[str, set[str]] = defaultdict(set)
    for id_, item in left.items():
        for word in words[id_]:
            named[item.dimension, word].add(id_)
            if item.dimension == "unknown":
                open_ended[word].add(id_)
    return {(dimension, word): ids | open_ended.get(word, set()) for (dimension, word), ids in named.items()}


def _group(
    key: tuple[str, str],
    complaints: list[Complaint],
    *,
    words: Mapping[str, frozenset[str]],
    min_complaints: int,
) -> ComplaintGroup:
    dimension, word = key
    ordered = sorted(complaints, key=lambda item: (item.timestamp or datetime.max.replace(tzinfo=UTC), item.event_id))
    counts = Counter(other for item in complaints for other in words[item.event_id] if other != word)
    others = sorted((other for other in counts if counts[other] >= min_complaints), key=lambda w: (-counts[w], w))
    return ComplaintGroup(
        skill_id=ordered[0].skill_id,
        dimension=dimension,  # type: ignore[arg-type]  # a key is made of a complaint's own dimension
        words=(word, *others),
        complaints=tuple(ordered),
    )
