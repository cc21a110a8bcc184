"""Corrections as groups that say the same, and the pairs of groups that work against each other; hash joins only.

Texts are compared case-folded, but for a correction that changes case only, which is compared with its like.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from skilltune.evolution.containment import Contained
from skilltune.evolution.corrections import Correction, content_key
from skilltune.evolution.tokens import tokenize
from skilltune.limits import PAIRS_LISTED, PARTIAL_MIN_CHARS

__all__ = ["Group", "compared_pair", "find_groups", "find_hunk_reversals", "find_partials", "find_reversals"]

Pair = tuple[str, str]
_CASED = "\0"
"""Opens the keys of a correction that changes case only, so that they meet only each other."""


@dataclass(slots=True, eq=False)
class Group:
    """Corrections that say the same, by folded texts; `place` is its number by first appearance."""

    original: str
    target: str
    place: int
    members: list[Correction] = field(default_factory=list)


def compared_pair(original: str | None, corrected: str | None) -> Pair | None:
    """The keys by which a correction is compared; None where a text is missing or nothing is changed."""
    if original is None or corrected is None:
        return None
    before, after = content_key(original), content_key(corrected)
    if before == after:
        return None
    folded = before.casefold(), after.casefold()
    return (_CASED + before, _CASED + after) if folded[0] == folded[1] else folded


def find_groups(corrections: Iterable[Correction]) -> list[Group]:
    """The groups of corrections in time order, by first appearance."""
    found: dict[Pair, Group] = {}
    for item in corrections:
        pair = compared_pair(item.original, item.corrected)
        if pair is None:
            continue
        group = found.get(pair)
        if group is None:
            group = found[pair] = Group(*pair, place=len(found))
        group.members.append(item)
    return list(found.values())


def find_reversals(groups: list[Group]) -> list[list[Group]]:
    """Pairs a→b, b→a."""
    by_pair = {(group.original, group.target): group for group in groups}
    pairs = ((group, by_pair.get((group.target, group.original))) for group in groups)
    return [[group, other] for group, other in pairs if other is not None and group.place < other.place]


def find_partials(groups: list[Group], *, taken: Callable[[Group, Group], bool]) -> list[list[Group]]:
    """Pairs of which one grows and one shrinks, each with the other's original in its target.

    Parameters
    ----------
    groups
        The groups.
    taken
        Whether a pair is told of already.
    """
    long = [group for group in groups if len(group.original) >= PARTIAL_MIN_CHARS]
    growing = [group for group in long if len(group.target) > len(group.original)]
    shrinking = [group for group in long if PARTIAL_MIN_CHARS <= len(group.target) < len(group.original)]
    if not growing or not shrinking:
        return []
    grown, shrunk = (Contained(group.original for group in some) for some in (growing, shrinking))
    shrinkers: defaultdict[tuple[int, int], list[Group]] = defaultdict(list)
    for group in shrinking:
        for inside in grown.find(group.target):
            shrinkers[inside, shrunk.numbers[group.original]].append(group)
    growers: defaultdict[tuple[int, int], list[Group]] = defaultdict(list)
    for group in growing:
        own = grown.numbers[group.original]
        for inside in shrunk.find(group.target):
            if (own, inside) in shrinkers:
                growers[own, inside].append(group)
    return [found for key in growers for found in _rows(growers[key], shrinkers[key], taken=taken)]


def find_hunk_reversals(groups: list[Group], *, taken: Callable[[Group, Group], bool]) -> list[list[Group]]:
    """Pairs of which one adds exactly the words that the other removes.

    Parameters
    ----------
    groups
        The groups.
    taken
        Whether a pair is told of already.
    """
    adding: defaultdict[bytes, list[Group]] = defaultdict(list)
    removing: defaultdict[bytes, list[Group]] = defaultdict(list)
    for group in groups:
        added, removed = _hunks(group)
        if added:
            adding[added].append(group)
        if removed:
            removing[removed].append(group)
    shared = [hunk for hunk in adding if hunk in removing]
    return [found for hunk in shared for found in _rows(adding[hunk], removing[hunk], taken=taken)]


def _rows(some: list[Group], others: list[Group], *, taken: Callable[[Group, Group], bool]) -> Iterator[list[Group]]:
    """Each pair that is not told of yet; of very many pairs one row with all groups."""
    if len(some) * len(others) > PAIRS_LISTED:
        together = {group.place: group for group in (*some, *others)}
        yield [together[place] for place in sorted(together)]
        return
    for group, other in product(some, others):
        if group is not other and not taken(group, other):
            yield [group, other] if group.place < other.place else [other, group]


def _hunks(group: Group) -> tuple[bytes, bytes]:
    """Digests of the words added and removed, each as often as it stands there; empty for none."""
    # plain dicts: subtracting Counters takes longer than all else that is done with a correction
    more: dict[str, int] = {}
    for word in tokenize(group.target):
        more[word] = more.get(word, 0) + 1
    for word in tokenize(group.original):
        more[word] = more.get(word, 0) - 1
    changed = [(word, count) for word, count in more.items() if count and not word.isspace()]
    return (
        _digest([(word, count) for word, count in changed if count > 0]),
        _digest([(word, -count) for word, count in changed if count < 0]),
    )


def _digest(counts: list[tuple[str, int]]) -> bytes:
    text = " ".join([" ".join([word] * count) if count > 1 else word for word, count in sorted(counts)])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() if text else b""
