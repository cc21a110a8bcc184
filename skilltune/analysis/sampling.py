"""Which uses to label: a stratified random sample whose probabilities are known, more where a label helps most.

References
----------
- Neyman (1934), J. Royal Stat. Soc. 97: sizes in proportion to the size and the spread of each stratum.
- Wright (2012), The American Statistician 66: the exact integer allocation, by the priorities N·S/√(m(m+1)).
- Horvitz and Thompson (1952), J. Am. Stat. Assoc. 47: totals from unequal, known probabilities.
"""

import hashlib
import json
import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from skilltune.errors import InputError
from skilltune.records import Draw, PredictedUse, Stratum

__all__ = ["draw_uses", "drawn_uses", "inclusion_probabilities"]

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
        The uses that have been labelled; a draw that is labelled only in part counts as the smaller draw it is. (Its
        sample is in random order, so that a beginning of it is a random sample, too.) Default: all that were drawn.
    """
    chances: dict[str, float] = {}
    left: dict[str, float] = {}
    for draw in draws:
        shares = _labelled_shares(draw, labelled)
        for stratum in draw.strata:
            for event_id in draw.frame.get(stratum.key, ()):
                not_before = left.get(event_id, 1.0)
                taken = not_before * stratum.probability
                chances[event_id] = chances.get(event_id, 0.0) + taken * shares[stratum.key]
                left[event_id] = not_before - taken
    return chances


def _labelled_shares(draw: Draw, labelled: Collection[str] | None) -> dict[str, float]:
    """The share of each stratum's sample that is labelled."""
    home = {event_id: key for key, ids in draw.frame.items() for event_id in ids}
    drawn = Counter(home.get(event_id, "") for event_id, _ in draw.sampled)
    done = Counter(home.get(event_id, "") for event_id, _ in draw.sampled if labelled is None or event_id in labelled)
    return {
        stratum.key: done[stratum.key] / drawn[stratum.key] if drawn[stratum.key] else 0.0 for stratum in draw.strata
    }


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
