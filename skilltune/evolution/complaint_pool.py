"""Complaints of one skill → the sets of them that share a word or two, which could be groups.

Words meet by their stems. What a word founds depends on how much of the complaints it is: a word in the midst of many
others is shared by chance.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Final, get_args

from skilltune.evolution.topics import content_words, generic_words, stem
from skilltune.limits import COMMON_WORD_FROM
from skilltune.records import Dimension

if TYPE_CHECKING:
    from skilltune.evolution.complaints import Complaint

__all__ = ["ComplaintPool", "Key"]

Key = tuple[str, tuple[str, ...]]
"""A dimension and the stem that its complaints share, or '' and two stems, which complaints of any dimension share."""

_WORD_SHARE: Final = Fraction(3, 10)
"""Of the content words of its complaints one shared word is at least so much, on average, where some of the complaints
are of unknown dimension."""
_PAIR_SHARE: Final = Fraction(4, 10)
"""The same of two shared words, whichever the dimensions."""
_TOPIC_SHARE: Final = Fraction(1, 2)
"""The same of a word in more than half of many complaints that is their topic though no dimension is known."""


class ComplaintPool:
    """The complaints of one skill by what could make them a group, less those in ``gone``."""

    def __init__(self, complaints: Mapping[str, "Complaint"], *, min_complaints: int) -> None:
        self.stems = {id_: frozenset(map(stem, content_words(item.text))) for id_, item in complaints.items()}
        self.spread = Counter(word for found in self.stems.values() for word in found)
        self.gone: set[str] = set()
        self._dimensions = {id_: item.dimension for id_, item in complaints.items()}
        vague = self._vague(next((item.skill_id for item in complaints.values()), ""))
        generic = frozenset(map(stem, generic_words()))
        self._cores: dict[Key, set[str]] = defaultdict(set)
        for id_, found in self.stems.items():
            often = sorted(word for word in found - vague if self.spread[word] >= min_complaints)
            for pair in combinations(often, 2):
                self._cores["", pair].add(id_)
            known = self._dimensions[id_]
            for word in (word for word in often if word not in generic):
                for dimension in get_args(Dimension) if known == "unknown" else (known,):
                    self._cores[dimension, (word,)].add(id_)

    def __iter__(self) -> Iterator[Key]:
        """What any of them share."""
        return iter(self._cores)

    def members(self, key: Key) -> set[str]:
        """Those left that share the key; none where it is too little of what they say to be what they are about."""
        dimension, words = key
        ids = self._cores[key] - self.gone
        known = {id_ for id_ in ids if self._dimensions[id_] != "unknown"}
        if dimension not in ("", "unknown") and not known:
            return set()
        if not ids or self._share(words, ids) >= (_WORD_SHARE if dimension else _PAIR_SHARE):
            return ids
        # of a known dimension they agree in what is wrong, too
        return known if dimension else set()

    def rank(self, key: Key) -> tuple[bool, int, tuple[str, ...], str]:
        """Of groups of one size: a known dimension first, then the rarer words, then by alphabet."""
        dimension, words = key
        return dimension in ("", "unknown"), min(self.spread[word] for word in words), words, dimension

    def _share(self, words: Collection[str], ids: Collection[str]) -> Fraction:
        """How much of the content words of complaints these words are, on average."""
        lengths = Counter(len(self.stems[id_]) for id_ in ids)
        return sum((Fraction(len(words) * count, length) for length, count in lengths.items()), Fraction()) / len(ids)

    def _vague(self, skill_id: str) -> frozenset[str]:
        """Words that found no group: those of the skill's name, and what all kinds of complaints share."""
        name = frozenset(map(stem, content_words(re.sub(r"[\W_]+", " ", skill_id))))
        if len(self.stems) < COMMON_WORD_FROM:
            return name
        often = (word for word, count in self.spread.items() if 2 * count > len(self.stems))
        return name | {word for word in often if not self._is_topic(word)}

    def _is_topic(self, word: str) -> bool:
        """Whether a word in more than half of many complaints is what they are about: one dimension has most of them.

        Where few of them have a known dimension, it is most of what they say.
        """
        ids = {id_ for id_, found in self.stems.items() if word in found}
        kinds = Counter(self._dimensions[id_] for id_ in ids)
        if 2 * kinds.pop("unknown", 0) > len(ids):
            return self._share((word,), ids) >= _TOPIC_SHARE
        return 2 * max(kinds.values(), default=0) > len(ids)
