"""Whether the same request came again right after a use: a flag beside the verdict, which it does not change."""

from bisect import bisect_right
from collections.abc import Collection, Sequence

from skilltune.facts import Item, SessionFacts, TurnFact, UseFact
from skilltune.limits import RETRY_LIKENESS, RETRY_MIN_CHARS, RETRY_TURNS
from skilltune.mining.folding import fold
from skilltune.mining.invocations import Use, builtin_commands

__all__ = ["find_requests", "was_retried"]

_COMPARED_CHARS = 4_000


def find_requests(session: SessionFacts) -> list[int]:
    """Indices of the items in which a person asks for something: turns, and slash commands but the agent's own."""
    own = builtin_commands(session.agent)
    return [at for at, item in enumerate(session.items) if isinstance(item, TurnFact) or _is_command(item, own)]


def was_retried(session: SessionFacts, *, use: Use, requests: Sequence[int]) -> bool:
    """Whether one of the two turns after `use` asks again for what led to it (`requests`: ``find_requests``).

    That is the same slash command with the same arguments, or words that are nine tenths alike, folded, and at least
    12 characters; a slash command counts as a turn. Whatever the agent did in between, another use too, is passed over.
    """
    before, after = bisect_right(requests, use.at), bisect_right(requests, use.until)
    if not before:
        return False
    request = session.items[requests[before - 1]]
    return any(_is_same(request, session.items[at]) for at in requests[after : after + RETRY_TURNS])


def _is_command(item: Item, own: Collection[str]) -> bool:
    """Whether the item is a command by itself; a ``$name`` stands in a prompt, which is a turn."""
    if not isinstance(item, UseFact) or item.via != "slash" or item.form == "dollar":
        return False
    return item.body or item.skill_id not in own


def _is_same(one: Item, other: Item) -> bool:
    from rapidfuzz import fuzz

    if isinstance(one, UseFact) and isinstance(other, UseFact):
        return (one.skill_id, one.args.strip()) == (other.skill_id, other.args.strip())
    first, second = _words(one), _words(other)
    long_enough = min(len(first), len(second)) >= RETRY_MIN_CHARS
    return long_enough and fuzz.ratio(first, second, score_cutoff=100 * RETRY_LIKENESS) > 0


def _words(item: Item) -> str:
    text = item.args if isinstance(item, UseFact) else item.text if isinstance(item, TurnFact) else ""
    return fold(text[:_COMPARED_CHARS])
