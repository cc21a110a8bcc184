"""Numbers, dates and verdicts as the words that a reader sees."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from shlex import quote
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

__all__ = [
    "LANGUAGES",
    "RARE",
    "VERDICTS",
    "Verdict",
    "as_list",
    "bound",
    "command_for",
    "command_in",
    "count_of",
    "date_range",
    "interval",
    "judged_words",
    "last_day",
    "last_days",
    "local_day",
    "long_date",
    "nearest_share",
    "number_word",
    "of_judged",
    "part_word",
    "percent",
    "points",
    "points_interval",
    "short_date",
    "short_range",
    "times_in",
]

Tone = Literal["worse", "better", "plain", "quiet"]
_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_NUMBERS: Final = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_SHARES: Final = sorted(
    {Fraction(1, n) for n in (*range(2, 11), 12, 15, 20, 25)}
    | {Fraction(n - 1, n) for n in (*range(3, 11), 20)}
    | {Fraction(2, 5), Fraction(3, 5), Fraction(3, 10), Fraction(7, 10)},
    key=lambda share: (share.denominator, share.numerator),
)
"""Shares that read as everyday fractions, the plainest first."""
RARE: Final = 0.035
"""Below this share (and above 1 less it) no everyday fraction fits."""
_ORDINALS: Final = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
_PARTS: Final = {
    (1, 2): "half",
    (1, 3): "a third",
    (2, 3): "two thirds",
    (1, 4): "a quarter",
    (3, 4): "three quarters",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A trend in words: the glyph beside it, its words, and the tone that sets its colour."""

    glyph: str
    words: str
    tone: Tone


LANGUAGES: Final = {
    "en": "English",
    "zh": "Chinese",
    "und": "other",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
}
"""English names of languages by code; ``und`` is one that nobody could tell."""

VERDICTS: Final[dict[str, Verdict]] = {
    "got_worse": Verdict("▲", "got worse", "worse"),
    "looks_worse": Verdict("△", "looks worse, no evidence yet", "plain"),
    "no_change": Verdict("＝", "no clear change", "quiet"),
    "looks_better": Verdict("▽", "looks better, no evidence yet", "plain"),
    "got_better": Verdict("▼", "got better", "better"),
    "no_baseline": Verdict("·", "too few data before", "quiet"),
    "too_few": Verdict("·", "too few data", "quiet"),
}
"""What each verdict of ``analysis.weekly`` is called."""


def percent(share: float) -> str:
    """`share` (0–1) as whole percent; a share that is not 0 never prints as 0."""
    return f"{bound(share)}%"


def bound(share: float) -> str:
    """`share` in percent without the sign: whole, or with as many decimals as keep it from reading 0."""
    value = Decimal(str(round(float(share) * 100, 9)))
    for decimals in range(10):
        shown = value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
        if shown or not value:
            return _true_minus(shown)
    return "0"


def interval(low: float, high: float) -> str:
    """An interval of a rate: ``33–60%``."""
    return f"{bound(low)}–{bound(high)}%"


def points(difference: float) -> str:
    """A difference of two rates in whole points: ``+22 points``, ``−21 points``, ``0 points``."""
    whole = Decimal(str(round(float(difference) * 100, 9))).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return f"{'+' if whole > 0 else ''}{_true_minus(whole)} point{'' if abs(whole) == 1 else 's'}"


def points_interval(low: float, high: float) -> str:
    """The interval of a difference, without its unit: ``−35 to −6``."""
    return f"{bound(low)} to {bound(high)}"


def of_judged(rate: float) -> str:
    """A correction rate as an everyday fraction: ``almost every second judged use``, ``about 3 of 5 judged uses``."""
    if rate <= 0 or rate >= 1:
        return "every judged use" if rate > 0 else "no judged use"
    if rate < RARE:
        return "less than 1 of 25 judged uses"
    if rate > 1 - RARE:
        return "almost every judged use"
    share = nearest_share(rate)
    nth = _ORDINALS.get(share.denominator) if share.numerator == 1 else None
    words = f"every {nth} judged use" if nth else f"{share.numerator} of {share.denominator} judged uses"
    return f"{_how_near(rate, share)} {words}".strip()


def times_in(share: float) -> str:
    """How often, as an everyday fraction: ``about 6 times in 7``, ``every time``, ``never``."""
    if share in (0, 1):
        return "every time" if share else "never"
    if share > 1 - RARE:
        return "almost every time"
    near = nearest_share(share)
    return f"about {'once' if near.numerator == 1 else f'{near.numerator} times'} in {near.denominator}"


def part_word(share: float) -> str:
    """A share in words: ``half``, ``two thirds``, ``3 in 10``."""
    near = nearest_share(share)
    return _PARTS.get((near.numerator, near.denominator), f"{near.numerator} in {near.denominator}")


def nearest_share(share: float) -> Fraction:
    """The plainest everyday fraction within a tenth of `share` (or of what is missing to 1), else the nearest one."""
    reach = min(share, 1 - share) / 10
    near = [each for each in _SHARES if math.fabs(each - share) <= reach]
    plainest = [each for each in near if each.denominator == near[0].denominator]
    return min(plainest or _SHARES, key=lambda each: math.fabs(each - share))


def short_date(day: date) -> str:
    """``2 Nov``."""
    return f"{day.day} {_MONTHS[day.month - 1][:3]}"


def long_date(day: date, *, year: bool = False) -> str:
    """``2 November``, or with its year."""
    return f"{day.day} {_MONTHS[day.month - 1]}{f' {day.year}' if year else ''}"


def date_range(first: date, last: date) -> str:
    """``23–29 November``, ``31 October–29 November``; one day stands alone."""
    if first == last:
        return long_date(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{long_date(last)}"
    return f"{long_date(first)}–{long_date(last)}"


def short_range(first: date, last: date) -> str:
    """``3–25 Nov``, ``26 Oct–3 Nov``; one day stands alone."""
    if first == last:
        return short_date(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{short_date(last)}"
    return f"{short_date(first)}–{short_date(last)}"


def local_day(moment: datetime, time_zone: str) -> date:
    """The day of an aware moment in a named time zone."""
    return moment.astimezone(ZoneInfo(time_zone)).date()


def command_for(words: str, skill_id: str, *more: str) -> str:
    """A command on one skill as a person would type it: ``skilltune refine a-skill``; an odd name is quoted."""
    return " ".join(["skilltune", words, quote(skill_id), *more])


def command_in(words: str, skill_id: str, *, folder: str, privacy: bool) -> str:
    """A command on a skill, with `folder` as it is typed where it has to be named; '' and `privacy`: without a path."""
    if not folder:
        return command_for(words, skill_id)
    return "skilltune refine --check" if privacy else command_for(words, skill_id, "--skill-folder", folder)


def number_word(number: int, *, start: bool = False) -> str:
    """A small number in words (from 13 on in digits); `start` begins a sentence."""
    word = _NUMBERS[number] if 0 <= number < len(_NUMBERS) else f"{number:,}"
    return word.capitalize() if start else word


def count_of(number: int, singular: str, plural: str = "") -> str:
    """``1 skill``, ``2 skills``, ``1,204 uses``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def judged_words(counts: Mapping[str, Any]) -> str:
    """What was judged, in words: ``2 corrected, 1 partly, 1 accepted``; ``not judged yet``."""
    words = {"corrections": "corrected", "partials": "partly", "acceptances": "accepted"}
    return ", ".join(f"{counts[name]} {word}" for name, word in words.items() if counts[name]) or "not judged yet"


def as_list(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def last_day(end: date) -> date:
    """The last day of a span that ends before `end`."""
    return end - timedelta(days=1)


def last_days(end: datetime, *, days: int, time_zone: str) -> str:
    """The `days` before `end`: ``31 October–29 November``; where that is no midnight, ``until 1 December, 14:20``."""
    local = end.astimezone(ZoneInfo(time_zone))
    if local.timetz().replace(tzinfo=None) != time():
        return f"until {long_date(local.date())}, {local:%H:%M}"
    last = last_day(local.date())
    return date_range(last - timedelta(days=days - 1), last)


def _how_near(rate: float, share: Fraction) -> str:
    """Whether `rate` lies on, just under or over `share`."""
    gap = rate - float(share)
    if math.fabs(gap) < 0.005:
        return ""
    return "almost" if gap < 0 else "about"


def _true_minus(value: Decimal) -> str:
    return f"−{-value:f}" if value < 0 else f"{abs(value):f}"
