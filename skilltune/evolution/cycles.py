"""Cycles among replacements: arrows between texts in, the arrows of each cycle of three or more texts out; linear."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

__all__ = ["find_cycles"]

Arrow = tuple[int, int]
_TANGLE: Final = 200
"""Arrows of cycles that share texts up to which each is looked at."""


def find_cycles(arrows: Sequence[Arrow]) -> list[list[int]]:
    """The places in `arrows` of each cycle's arrows.

    Parameters
    ----------
    arrows
        (from, to), each pair once, none from a text to itself.

    Returns
    -------
    list
        One per cycle of three or more texts, walked from its earliest arrow; cycles that share texts are one, in the
        order of `arrows`. Two arrows that only turn each other round are none.

    Examples
    --------
    >>> find_cycles([(1, 2), (5, 6), (2, 3), (6, 5), (3, 1)])
    [[0, 2, 4]]
    """
    component = _components(_trimmed(arrows))
    inside = [at for at, (old, new) in enumerate(arrows) if old in component and component[old] == component.get(new)]
    blocks = _without_bridges({arrows[at] for at in inside})
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at in inside:
        old, new = arrows[at]
        if blocks[old] == blocks[new]:
            members[blocks[old]].append(at)
    found = (found for found in members.values() if len({text for at in found for text in arrows[at]}) > 2)
    return [_walked(_turns(places, arrows), arrows) for places in found]


def _trimmed(arrows: Iterable[Arrow]) -> dict[int, list[int]]:
    """Successors, without texts that nothing leads to or from."""
    after, before = defaultdict(list), defaultdict(list)
    for old, new in arrows:
        after[old].append(new)
        before[new].append(old)
    nodes = after.keys() | before.keys()
    left = {node: [len(after.get(node, ())), len(before.get(node, ()))] for node in nodes}
    loose = [node for node in nodes if not all(left[node])]
    while loose:
        node = loose.pop()
        if node not in left:
            continue
        del left[node]
        for side, ends in ((1, after.get(node, ())), (0, before.get(node, ()))):
            for other in ends:
                if other in left:
                    left[other][side] -= 1
                    if not left[other][side]:
                        loose.append(other)
    return {node: [new for new in after[node] if new in left] for node in left}


def _without_bridges(arrows: Iterable[Arrow]) -> dict[int, int]:
    """Text → number of its part, where what alone holds two parts together (a bare reversal) is cut."""
    beside: defaultdict[int, set[int]] = defaultdict(set)
    for old, new in arrows:
        beside[old].add(new)
        beside[new].add(old)
    return _components(beside, both_ways=True)


def _components(after: Mapping[int, Iterable[int]], *, both_ways: bool = False) -> dict[int, int]:
    """The number of each text's strongly connected component (Tarjan); `both_ways`: two-edge-connected component."""
    search = _Search(after)
    for root in after:
        if root not in search.order:
            search.enter(root, None)
        while search.path:
            node, above, rest = search.path[-1]
            new = next(rest, None)
            if new is None:
                search.leave(node, above)
            elif new not in search.order:
                search.enter(new, node)
            elif new not in search.component and not (both_ways and new == above):
                search.low[node] = min(search.low[node], search.order[new])
    return search.component


class _Search:
    """A depth-first search without recursion, with what Tarjan's algorithm keeps of it."""

    def __init__(self, after: Mapping[int, Iterable[int]]) -> None:
        self.after = after
        self.order: dict[int, int] = {}
        self.low: dict[int, int] = {}
        self.component: dict[int, int] = {}
        self.waiting: list[int] = []
        self.path: list[tuple[int, int | None, Iterator[int]]] = []

    def enter(self, node: int, above: int | None) -> None:
        """Go from `above` to a new text."""
        self.order[node] = self.low[node] = len(self.order)
        self.waiting.append(node)
        self.path.append((node, above, iter(self.after[node])))

    def leave(self, node: int, above: int | None) -> None:
        """Go back to `above`; what waits since `node` is a component where nothing led further back."""
        self.path.pop()
        if above is not None:
            self.low[above] = min(self.low[above], self.low[node])
        if self.low[node] == self.order[node]:
            member = None
            while member != node:
                member = self.waiting.pop()
                self.component[member] = node


def _turns(places: list[int], arrows: Sequence[Arrow]) -> list[int]:
    """`places` without arrows that only turn another one round; of a large tangle all are kept."""
    if len(places) > _TANGLE:
        return places
    after: defaultdict[int, set[int]] = defaultdict(set)
    for at in places:
        after[arrows[at][0]].add(arrows[at][1])
    return [at for at in places if _leads_back(arrows[at], after)]


def _leads_back(arrow: Arrow, after: Mapping[int, set[int]]) -> bool:
    """Whether a way of two or more arrows leads from the end of `arrow` to its start."""
    start, end = arrow
    seen = {end}
    reached = after[end] - {start}
    while reached:
        if any(start in after[text] for text in reached):
            return True
        seen |= reached
        reached = {new for text in reached for new in after[text]} - seen
    return False


def _walked(places: list[int], arrows: Sequence[Arrow]) -> list[int]:
    """A plain cycle in walking order, anything else as it is."""
    starts = Counter(arrows[at][0] for at in places)
    if len(starts) != len(places):
        return places
    by_start = {arrows[at][0]: at for at in places}
    walk = [places[0]]
    while len(walk) < len(places):
        walk.append(by_start[arrows[walk[-1]][1]])
    return walk
