"""Mined complaints about a skill → groups about the same thing, large enough to ask a person for a change.

A group shares its dimension and a content word, or two words; see ``group_complaints``. Each complaint is in at most
one group. The order of the rows does not matter.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from skilltune.evolution.topics import content_words, generic_words
from skilltune.frames import check_frame
from skilltune.limits import COMMON_WORD_FROM, COMPLAINT_GROUP, COMPLAINT_SESSIONS, MIN_REPEATS
from skilltune.records import Dimension, FeedbackEvent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Complaint", "ComplaintGroup", "group_complaints", "read_complaints"]

_NEEDS = (
    *("event_id", "skill_id", "session_id", "timestamp", "outcome", "attribution", "dimension_hint"),
    "user_message_snippet",
)


_Key = tuple[str, tuple[str, ...]]
"""A dimension, and the words that a group of it shares: one, or two where the dimension is unknown."""


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
    A group shares a known dimension and a word. A complaint of unknown dimension joins two of them where it shares that
    word and another one with a member; those of unknown dimension alone are a group where they share two words. Generic
    words (``generic_words.toml``), the words of the skill's name, and a word in more than half of many complaints of
    all dimensions do not count. The largest group is taken first, then the largest among the rest; of equals the one
    whose word is rarer among all complaints of the skill, then by alphabet.
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
    pool = _Pool(left, words=words, min_complaints=min_complaints)

    def is_enough(ids: Collection[str]) -> bool:
        return len(ids) >= min_complaints and len({left[id_].session_id for id_ in ids}) >= min_sessions

    members = {key: ids for key in pool.cores if is_enough(ids := pool.members(key))}
    found = []
    while members:
        best = min(members, key=lambda key: (-len(members[key]), *pool.rank(key)))
        taken = members.pop(best)
        found.append(_group(best, [left[id_] for id_ in taken], words=words, min_complaints=min_complaints))
        pool.gone |= taken
        # one that has become too small, or comes from too few sessions, never grows again
        again = {key: ids if ids.isdisjoint(taken) else pool.members(key) for key, ids in members.items()}
        members = {key: ids for key, ids in again.items() if is_enough(ids)}
    return found


class _Pool:
    """The complaints of one skill by what could make them a group, less those that a group has."""

    def __init__(
        self, complaints: Mapping[str, Complaint], *, words: Mapping[str, frozenset[str]], min_complaints: int
    ) -> None:
        self.spread = Counter(word for found in words.values() for word in found)
        vague = _vague(complaints, words=words, spread=self.spread)
        self.telling = {id_: found - vague for id_, found in words.items()}
        self.cores: dict[_Key, set[str]] = defaultdict(set)
        self.open_ended: dict[str, set[str]] = defaultdict(set)
        """Word → the complaints with it of which no dimension is known."""
        self.gone: set[str] = set()
        for id_, item in complaints.items():
            if item.dimension != "unknown":
                for word in self.telling[id_]:
                    self.cores[item.dimension, (word,)].add(id_)
                continue
            for word in self.telling[id_]:
                self.open_ended[word].add(id_)
            often = sorted(word for word in self.telling[id_] if self.spread[word] >= min_complaints)
            for pair in combinations(often, 2):
                self.cores["unknown", pair].add(id_)

    def members(self, key: "_Key") -> set[str]:
        """Those that share the key; to two or more also who of unknown dimension shares a second word with one."""
        core = self.cores[key] - self.gone
        if key[0] == "unknown" or len(core) < MIN_REPEATS:
            return core
        (word,) = key[1]
        beside = frozenset().union(*(self.telling[id_] for id_ in core)) - {word}
        return core | {id_ for id_ in self.open_ended[word] - self.gone if self.telling[id_] & beside}

    def rank(self, key: "_Key") -> tuple[bool, int, tuple[str, ...], str]:
        """Of groups of one size: a known dimension first, then the rarer words, then by alphabet."""
        dimension, words = key
        return dimension == "unknown", min(self.spread[word] for word in words), words, dimension


def _vague(
    complaints: Mapping[str, Complaint], *, words: Mapping[str, frozenset[str]], spread: Mapping[str, int]
) -> frozenset[str]:
    """Words that found no group: generic ones, those of the skill's name, and what all kinds of complaints share.

    A word in more than half of many complaints is their topic only where one dimension has most of them: a skill with
    one fault is complained about in the same words.
    """
    name = next((item.skill_id for item in complaints.values()), "")
    scattered = set()
    if len(complaints) >= COMMON_WORD_FROM:
        for word in (word for word, count in spread.items() if 2 * count > len(complaints)):
            kinds = Counter(item.dimension for id_, item in complaints.items() if word in words[id_])
            kinds.pop("unknown", 0)
            if 2 * max(kinds.values(), default=0) <= spread[word]:
                scattered.add(word)
    return generic_words() | content_words(re.sub(r"[\W_]+", " ", name)) | scattered


def _group(
    key: _Key,
    complaints: list[Complaint],
    *,
    words: Mapping[str, frozenset[str]],
    min_complaints: int,
) -> ComplaintGroup:
    dimension, keys = key
    ordered = sorted(complaints, key=lambda item: (item.timestamp or datetime.max.replace(tzinfo=UTC), item.event_id))
    counts = Counter(other for item in complaints for other in words[item.event_id] if other not in keys)
    others = sorted((other for other in counts if counts[other] >= min_complaints), key=lambda w: (-counts[w], w))
    return ComplaintGroup(
        skill_id=ordered[0].skill_id,
        dimension=dimension,  # type: ignore[arg-type]  # a key is made of a complaint's own dimension
        words=(*keys, *others),
        shared=(*keys, *(other for other in others if counts[other] == len(complaints))),
        complaints=tuple(ordered),
    )
