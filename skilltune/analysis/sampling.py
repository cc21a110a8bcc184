"""Which uses to label: a stratified random sample whose probabilities are known, more where a label helps most.

References
----------
- Neyman (1934), J. Royal Stat. Soc. 97: sizes in proportion to the size and the spread of each stratum.
- Wright (2012), The American Statistician 66: the exact integer allocation, by the priorities N·S/√(m(m+1)).
- Horvitz and Thompson (1952), J. Am. Stat. Assoc. 47: totals from unequal, known probabilities.
"""

import hashlib
import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from skilltune.errors import InputError
from skilltune.records import Draw, PredictedUse, Stratum

__all__ = ["counted_uses", "draw_uses", "drawn_uses", "inclusion_probabilities"]

_Seen = tuple[bool, ...]
"""Whether a use is in each of the later draws' frames."""
POOLED: Final = "*"
"""Stands for all skills too rare for a stratum of their own."""
_ALL: Final = "all"
_PER_STRATUM: Final = 4
"""Uses that a stratum should get on average: with few its spread cannot be told."""
_EDGES: Final = (0.1, 0.3, 0.6)
"""Where the chance of a complaint parts the classes."""
_SPREAD: Final = {"complaint": 0.5, "acceptance": 0.35, "none": 0.35}
"""What a label is expected to differ from the rules by: half of the complaints they find are none, and they miss most
of those that there are, spread over a much larger number of uses."""
_PASSED_OVER: Final = 0.1
"""Uses passed over, for each labelled one of a draw, up to which nobody is taken to have chosen what to label."""
_LEAST_SPREAD: Final = 0.15
"""No class is so sure that it is hardly looked at."""


def draw_uses(
    uses: Sequence[PredictedUse],
    *,
    size: int,
    seed: int,
    ruleset: str = "",
    reader: str = "person",
    earlier: Sequence[Draw] = (),
) -> Draw | None:
    """A random sample of uses to label, or None where all of them have been drawn.

    Parameters
    ----------
    uses
        The frame: uses of which somebody can be asked, each once, in any order.
    size
        Uses to draw, at least 1; all that are left where there are fewer.
    seed
        The same seed, uses and earlier draws give the same sample.
    ruleset
        Version of the rules behind the predictions.
    reader
        Who is to label the sample; with the same seed, readers' samples are drawn apart from each other.
    earlier
        Draws already made for that reader. Their uses are not drawn again; what they could have drawn keeps its
        stratum, so that every probability is known.

    Returns
    -------
    Draw
        Strata by predicted class and skill, rare skills pooled; each with a use to draw gets at least one. The sample
        is in the order to label it: any beginning of it is spread over all strata.

    Notes
    -----
    A draw takes n of the m uses of a stratum that no earlier draw took, each with probability n/m. A use that could
    be taken by several draws is in their union with probability 1 - ∏(1 - n/m), exactly, as the number taken from a
    stratum before is no matter of chance. (Where uses of a stratum have gone since, it is one, and the formula holds
    up to the order of 1/m.)
    """
    if size < 1:
        raise InputError(f"size is {size}; at least 1 use has to be drawn")
    before = drawn_uses(earlier)
    fresh = [use for use in uses if use.event_id not in before]
    if not fresh:
        return None
    size = min(size, len(fresh))
    cells = _cells(uses, size=size, earlier=earlier)
    spreads = _spreads(uses, cells)
    left = {key: sorted(members - before) for key, members in cells.items()}
    shares = _allocate(
        {key: len(ids) for key, ids in left.items()},
        drawn={key: len(cells[key]) - len(left[key]) for key in cells},
        spreads=spreads,
        size=size,
    )
    strata = tuple(
        Stratum(
            key=key,
            population=len(left[key]),
            sampled=shares[key],
            probability=shares[key] / len(left[key]) if left[key] else 0.0,
        )
        for key in sorted(cells)
    )
    sampled = _sampled(strata, left=left, seed=f"{reader}|{seed}|{len(earlier)}")
    frame = {key: tuple(sorted(cells[key])) for key in sorted(cells)}
    draw = Draw(
        draw_id="",
        seed=seed,
        size=size,
        ruleset=ruleset,
        strata=strata,
        sampled=tuple(sampled),
        frame=frame,
        reader=reader,
    )
    return replace(draw, draw_id=_digest(draw))


def drawn_uses(draws: Iterable[Draw]) -> frozenset[str]:
    """The event ids of all uses in some draw's sample."""
    return frozenset(event_id for draw in draws for event_id, _ in draw.sampled)


def inclusion_probabilities(draws: Iterable[Draw], *, labelled: Collection[str] | None = None) -> dict[str, float]:
    """The chance of each use of the draws' frames to be in their union, 1 - ∏(1 - p), in [0, 1].

    Parameters
    ----------
    draws
        The draws for one reader, in the order in which they were made.
    labelled
        The uses that have been labelled; a draw that is labelled only in part counts as the smaller draw that
        ``counted_uses`` makes of it. Default: all that were drawn.

    Notes
    -----
    Where a later draw took only a part of a stratum into its frame (one skill, or what was still there), that part and
    the rest are told apart, each with the share of it that was drawn: given how many were, each is a random sample.
    """
    chances: dict[str, float] = {}
    left: dict[str, float] = {}
    for part in _parts(tuple(draws), labelled):
        for event_id in part.members:
            not_before = left.get(event_id, 1.0)
            chances[event_id] = chances.get(event_id, 0.0) + not_before * part.probability * part.share
            left[event_id] = not_before * (1.0 - part.probability)
    return chances


def counted_uses(draws: Iterable[Draw], *, labelled: Collection[str]) -> frozenset[str]:
    """The labelled uses that are a random sample with the chances of ``inclusion_probabilities``.

    Parameters
    ----------
    draws
        The draws for one reader, in the order in which they were made.
    labelled
        The uses that have been labelled, for whatever reason and in whatever order.

    Notes
    -----
    A sample is in random order, within each stratum and each skill, so that a beginning of it is a random sample, too;
    any other part of it was chosen. What is labelled of a skill (or of the rare ones together) therefore counts where
    it is a beginning of its part of the sample. Where it is none, as with all complaints labelled first, what was
    labelled may have been chosen by what was said: then nothing of it counts. Only where hardly any use of the whole
    draw was passed over, the beginning of each stratum does.
    """
    return frozenset(event_id for part in _parts(tuple(draws), labelled) for event_id in part.counted)


@dataclass(frozen=True, slots=True)
class _Part:
    """Uses of one stratum of one draw that had the same chance, and those of its sample that count."""

    members: Sequence[str]
    probability: float
    drawn: int
    counted: Sequence[str]

    @property
    def share(self) -> float:
        """The share of the sample that counts."""
        return len(self.counted) / self.drawn if self.drawn else 0.0


def _parts(draws: Sequence[Draw], labelled: Collection[str] | None) -> Iterator[_Part]:
    """The parts of all draws, in the order of the draws."""
    before: set[str] = set()
    frames = [{event_id for ids in draw.frame.values() for event_id in ids} for draw in draws]
    for number, draw in enumerate(draws):
        order = [event_id for event_id, _ in draw.sampled]
        done = set(order) if labelled is None else set(labelled).intersection(order)
        parts = {key: _split(ids, frames[number + 1 :]) for key, ids in draw.frame.items()}
        chosen = _chosen(order, done, parts)
        for stratum in draw.strata:
            split = parts.get(stratum.key, {})
            for seen, ids in split.items():
                inside = set(ids)
                drawn = [event_id for event_id in order if event_id in inside]
                of_chosen = (_skill_of(stratum.key), seen) in chosen
                counted = [] if of_chosen else list(itertools.takewhile(done.__contains__, drawn))
                chance = stratum.probability if len(split) == 1 else len(drawn) / max(len(inside - before), 1)
                yield _Part(ids, min(chance, 1.0), len(drawn), counted)
        before.update(order)


def _chosen(
    order: Sequence[str], done: AbstractSet[str], parts: Mapping[str, Mapping[_Seen, Collection[str]]]
) -> set[tuple[str, _Seen]]:
    """The skills, by later frames, of which not a beginning but some other part of the sample is labelled."""
    if _passed_over(order, done) <= _PASSED_OVER * len(done):
        return set()
    home = {
        event_id: (_skill_of(key), seen)
        for key, split in parts.items()
        for seen, ids in split.items()
        for event_id in ids
    }
    orders: dict[tuple[str, _Seen], list[str]] = {}
    for event_id in order:
        if event_id in home:
            orders.setdefault(home[event_id], []).append(event_id)
    return {name for name, ids in orders.items() if _passed_over(ids, done & set(ids))}


def _passed_over(order: Sequence[str], done: Collection[str]) -> int:
    """How many uses before the last labelled one are not labelled."""
    last = max((place for place, event_id in enumerate(order) if event_id in done), default=-1)
    return last + 1 - len(done)


def _skill_of(key: str) -> str:
    """The skill of a stratum, or what stands for several."""
    return key.partition("|")[2] or key


def _split(members: Sequence[str], later: Sequence[Collection[str]]) -> dict[_Seen, list[str]]:
    """The uses of a stratum by which of the later frames they are in."""
    parts: dict[_Seen, list[str]] = {}
    for event_id in members:
        parts.setdefault(tuple(event_id in frame for frame in later), []).append(event_id)
    return parts


def _cells(uses: Sequence[PredictedUse], *, size: int, earlier: Sequence[Draw]) -> dict[str, set[str]]:
    """Stratum → its uses; a use of an earlier frame keeps its stratum, so that labels cannot move it."""
    kept = {
        event_id: key
        for draw in reversed(earlier)
        for key, ids in draw.frame.items()
        if key != _ALL
        for event_id in ids
    }
    own = _own_skills(uses, size=size)
    cells: dict[str, set[str]] = {}
    for use in uses:
        skill = use.skill_id if use.skill_id in own else POOLED
        key = kept.get(use.event_id) or f"{_class_of(use)}|{skill}"
        cells.setdefault(key, set()).add(use.event_id)
    if len(cells) > size:
        return {_ALL: {use.event_id for use in uses}}
    return cells


def _own_skills(uses: Sequence[PredictedUse], *, size: int) -> frozenset[str]:
    """The most used skills, as many as leave every stratum enough of the sample."""
    classes = len({_class_of(use) for use in uses})
    room = size // (_PER_STRATUM * classes) - 1
    ranked = sorted(Counter(use.skill_id for use in uses).items(), key=lambda item: (-item[1], item[0]))
    return frozenset(skill for skill, _ in ranked[: max(room, 0)])


def _class_of(use: PredictedUse) -> str:
    """What is predicted: how likely a complaint is, else the outcome by the rules."""
    if use.p_negative is None or math.isnan(use.p_negative):
        return "complaint" if use.outcome in ("correction", "partial") else use.outcome
    return f"p{sum(use.p_negative >= edge for edge in _EDGES)}"


def _spreads(uses: Sequence[PredictedUse], cells: Mapping[str, Collection[str]]) -> dict[str, float]:
    """Expected standard deviation of what a label adds, by stratum."""
    by_id = {use.event_id: use for use in uses}
    return {key: sum(_spread(by_id[event_id]) for event_id in ids) / len(ids) for key, ids in cells.items()}


def _spread(use: PredictedUse) -> float:
    chance = use.p_negative
    if chance is None or math.isnan(chance):
        return _SPREAD[_class_of(use)]
    return max(math.sqrt(chance * (1.0 - chance)), _LEAST_SPREAD)


def _allocate(
    left: Mapping[str, int], *, drawn: Mapping[str, int], spreads: Mapping[str, float], size: int
) -> dict[str, int]:
    """How many uses to draw from each stratum: one each, the rest where it narrows the estimate most."""
    shares = {key: min(1, count) for key, count in left.items()}
    for _ in range(size - sum(shares.values())):
        open_keys = [key for key in sorted(left) if shares[key] < left[key]]
        best = max(open_keys, key=lambda key: _priority(left[key] + drawn[key], spreads[key], drawn[key] + shares[key]))
        shares[best] += 1
    return shares


def _priority(population: int, spread: float, taken: int) -> float:
    return population * spread / math.sqrt(taken * (taken + 1))


def _sampled(strata: Sequence[Stratum], *, left: Mapping[str, Sequence[str]], seed: str) -> list[tuple[str, float]]:
    """The uses drawn with their probabilities, the strata mixed evenly."""
    placed = []
    for stratum in strata:
        chance = random.Random(_hash(f"{seed}|{stratum.key}"))  # noqa: S311  # a reproducible sample, no secret
        for place, event_id in enumerate(chance.sample(left[stratum.key], stratum.sampled)):
            placed.append(((place + chance.random()) / stratum.sampled, event_id, stratum.probability))
    return [(event_id, probability) for _, event_id, probability in sorted(placed)]


def _digest(draw: Draw) -> str:
    """The id of a draw: the same draw made twice is one."""
    content = json.dumps([draw.reader, draw.seed, draw.ruleset, draw.sampled, draw.frame], sort_keys=True)
    return _hash(content)[:16]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
