"""Mined complaints about a skill → groups about the same thing, large enough to ask a person for a change.

A group shares a word that says what is wrong, or two words; see ``group_complaints``. Each complaint is in at most one
group. The order of the rows does not matter.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING

from skilltune.evolution.complaint_pool import ComplaintPool, Key
from skilltune.evolution.topics import content_words, stem
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
    base_directory: str = ""
    """The folder of the skill that was used, as the transcript names it; '' where it names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintGroup:
    """Complaints about the same thing."""

    skill_id: str
    dimension: Dimension
    words: tuple[str, ...]
    """What they share, the words of all of them first."""
    shared: tuple[str, ...]
    """The words of all of them: the first of ``words``."""
    complaints: tuple[Complaint, ...]
    """In time order."""

    @property
    def id(self) -> str:
        """16 hex digits of a hash of its complaints."""
        text = "\n".join([self.skill_id, *sorted(item.event_id for item in self.complaints)])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def base_directory(self) -> str:
        """The folder that all of them name as the skill's; '' where they name none, or several."""
        named = {item.base_directory for item in self.complaints}
        return named.pop() if len(named) == 1 else ""

    @property
    def about(self) -> str:
        """The words that all of them share, quoted: ``"timer", "second"``."""
        return ", ".join(f'"{word}"' for word in self.shared)

    @property
    def heading(self) -> str:
        """What to call the group: ``3 complaints about "timer"``."""
        return f"{self.count} complaint{'' if self.count == 1 else 's'} about {self.about}"

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
    folders = rows["base_directory"].astype("object").fillna("") if "base_directory" in rows else [""] * len(rows)
    columns = (rows[name].tolist() for name in ("event_id", "skill_id", "session_id"))
    return [
        Complaint(
            event_id=id_,
            skill_id=skill,
            session_id=session,
            timestamp=at,
            dimension=dimension,
            text=text,
            base_directory=folder,
        )
        for id_, skill, session, at, dimension, text, folder in zip(
            *columns, times, dimensions, texts, folders, strict=True
        )
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
    A group shares one word, or two. One word joins complaints of one known dimension and those of unknown dimension;
    it is no generic word (``generic_words.toml``), and where some are of unknown dimension it is 3 in 10 of their
    content words on average, for what stands among many words is shared by chance. Two words, generic or not, join
    complaints of any dimensions where they are 4 in 10. The words of the skill's name do not count, nor does a word in
    more than half of many complaints of all dimensions. The forms of a word are one word. The largest group is taken
    first, then the largest among the rest; of equals the one whose word is rarer among all complaints of the skill,
    then by alphabet.
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
    pool = ComplaintPool(left, min_complaints=min_complaints)

    def is_enough(ids: Collection[str]) -> bool:
        return len(ids) >= min_complaints and len({left[id_].session_id for id_ in ids}) >= min_sessions

    members = {key: ids for key in pool if is_enough(ids := pool.members(key))}
    found = []
    while members:
        best = min(members, key=lambda key: (-len(members[key]), *pool.rank(key)))
        taken = members.pop(best)
        found.append(_group(best, [left[id_] for id_ in taken], pool=pool, min_complaints=min_complaints))
        pool.gone |= taken
        # one that has become too small, or comes from too few sessions, never grows again
        again = {key: ids if ids.isdisjoint(taken) else pool.members(key) for key, ids in members.items()}
        members = {key: ids for key, ids in again.items() if is_enough(ids)}
    return found


def _group(key: Key, complaints: list[Complaint], *, pool: ComplaintPool, min_complaints: int) -> ComplaintGroup:
    keys = key[1]
    ordered = sorted(complaints, key=lambda item: (item.timestamp or datetime.max.replace(tzinfo=UTC), item.event_id))
    counts = Counter(other for item in complaints for other in pool.stems[item.event_id] if other not in keys)
    others = sorted((other for other in counts if counts[other] >= min_complaints), key=lambda w: (-counts[w], w))
    shown = _shown_words(complaints)
    shared = (*keys, *(other for other in others if counts[other] == len(complaints)))
    return ComplaintGroup(
        skill_id=ordered[0].skill_id,
        dimension=_main_dimension(complaints),
        words=tuple(shown[word] for word in (*keys, *others)),
        shared=tuple(shown[word] for word in shared),
        complaints=tuple(ordered),
    )


def _shown_words(complaints: Iterable[Complaint]) -> dict[str, str]:
    """Stem → the form of it that most complaints have, of equals the shortest."""
    counts = Counter(word for item in complaints for word in content_words(item.text))
    best_last = sorted(counts, key=lambda word: (-counts[word], len(word), word), reverse=True)
    return {stem(word): word for word in best_last}


def _main_dimension(complaints: Collection[Complaint]) -> Dimension:
    """The known dimension that most of them with one have; unknown where two have as many."""
    known = Counter(item.dimension for item in complaints if item.dimension != "unknown").most_common(2)
    if not known or (len(known) == 2 and known[0][1] == known[1][1]):
        return "unknown"
    return known[0][0]
