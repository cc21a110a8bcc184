"""What the arguments that metrics share may be: one place, one wording."""

from collections.abc import Sequence
from math import isfinite
from numbers import Real
from typing import Any, Final, get_args

from skilltune.errors import InputError
from skilltune.records import Attribution

__all__ = ["MOST_WEEKS", "check_arguments", "check_whole", "shown"]

_MOST_DAYS: Final = 36_525
"""Length of the longest window: a hundred years."""
MOST_WEEKS: Final = 5_200
_MOST: Final = 10**9
_SHOWN: Final = 80
"""Characters of a value that a message shows."""


def check_arguments(
    *,
    min_invocations: Any = None,
    days: Any = None,
    seed: Any = None,
    attribution: Any = None,
    false_discovery_rate: Any = None,
) -> None:
    """Return if each argument that is given is one a metric can use; None stands for one that it does not have.

    Raises
    ------
    InputError
        One is not; the message names it, its value and what it may be.
    """
    if min_invocations is not None:
        check_whole(min_invocations, name="min_invocations", least=0, most=_MOST)
    if days is not None:
        check_whole(days, name="days", least=1, most=_MOST_DAYS)
    if seed is not None:
        check_whole(seed, name="seed", least=0, most=_MOST)
    if attribution is not None:
        _check_attribution(attribution)
    rate = false_discovery_rate
    if rate is not None and not (_is_number(rate) and 0 <= rate <= 1):
        raise InputError(f"false_discovery_rate is {shown(rate)}; give a share from 0 to 1, such as 0.1")


def check_whole(value: Any, *, name: str, least: int, most: int) -> None:
    """Return if `value` is a whole number from `least` to `most`.

    Raises
    ------
    InputError
        It is not.

    Examples
    --------
    >>> check_whole(-1, name="seed", least=0, most=9)
    Traceback (most recent call last):
    skilltune.errors.InputError: seed is -1; give a whole number from 0 to 9
    """
    if not (_is_number(value) and value == int(value) and least <= value <= most):
        raise InputError(f"{name} is {shown(value)}; give a whole number from {least:,} to {most:,}")


def shown(value: Any) -> str:
    """A value in a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and isfinite(value)


def _check_attribution(attribution: Any) -> None:
    words = get_args(Attribution)
    given = f"; give a list of {', '.join(words)}"
    if isinstance(attribution, str) or not isinstance(attribution, Sequence | set | frozenset):
        raise InputError(f"attribution is {shown(attribution)}{given}, such as ['direct']")
    odd = [word for word in attribution if word not in words]
    if odd:
        raise InputError(f"attribution has {shown(odd[0])}{given}")
