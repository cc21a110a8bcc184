"""Any metric's table as text: the columns that fit the terminal, the others in blocks below."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from skilltune.rendering.terminal import columns as text_columns
from skilltune.rendering.terminal import finished, fitted, safe, wrapped

__all__ = ["group_words", "render_metric_list", "render_metric_rows"]

_LONGEST: Final = 44
_GAP: Final = "  "
_NONE: Final = "–"
_UNTOLD: Final = "not told"
"""The group of uses of which nobody told the agent, model or project; its name is '' for programs."""


def render_metric_list(metrics: Sequence[Mapping[str, str]], *, width: int = 80, unicode: bool = True) -> str:
    """Each metric's name with what it means; rows have name and meaning."""
    size = max((len(metric["name"]) for metric in metrics), default=0) + len(_GAP)
    lines = [
        line
        for metric in metrics
        for line in wrapped(f"{metric['name']:<{size}}{metric['meaning']}", width, hanging=" " * size)
    ]
    return finished(lines, unicode=unicode)


def render_metric_rows(
    rows: Sequence[Mapping[str, Any]],
    *,
    meaning: str,
    keys: Sequence[str] = (),
    note: str = "",
    nothing: str = "No row.",
    time_zone: str = "UTC",
    width: int = 80,
    unicode: bool = True,
) -> str:
    """A metric's rows (plain values, missing ones None) under the sentence that says what they are.

    Columns that do not fit `width` go on below, each block with the columns `keys`; those without any value are left
    out. A ``week`` is shown as that of its Monday in `time_zone`, a key without a name as ``not told``; `nothing` is
    the text where there are no rows.
    """
    head, foot = wrapped(meaning, width), wrapped(note, width)
    if not rows:
        return finished([*head, "", *wrapped(nothing, width), *foot], unicode=unicode)
    zone = ZoneInfo(time_zone)
    texts = {
        name: [(_key_text if name in keys else _text_of)(name, row[name], zone) for row in rows]
        for name in rows[0]
        if name in keys or _told(rows, name)
    }
    sizes = {
        name: min(max(map(text_columns, [name, *cells])), max(_LONGEST, len(name))) for name, cells in texts.items()
    }
    numbers = {name for name in texts if all(_is_number(row[name]) for row in rows)}
    lines = []
    for names in _blocks(sizes, width, keys=[key for key in keys if key in texts]):
        for line in [names, *zip(*(texts[name] for name in names), strict=True)]:
            cells = [_cell(cell, sizes[name], right=name in numbers) for name, cell in zip(names, line, strict=True)]
            lines.append(_GAP.join(cells))
        lines.append("")
    return finished([*head, "", *lines, *foot], unicode=unicode)


def group_words(row: Mapping[str, Any], *, keys: Sequence[str], time_zone: str = "UTC") -> str:
    """What a row is about in a sentence: its keys, long names cut; ``all`` where it has none."""
    zone = ZoneInfo(time_zone)
    return " ".join(fitted(_key_text(key, row[key], zone), _LONGEST).rstrip() for key in keys) or "all"


def _told(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    return any(row[name] is not None and row[name] != "" for row in rows)


def _blocks(sizes: Mapping[str, int], width: int, *, keys: Sequence[str]) -> list[list[str]]:
    """The columns in blocks that fit; each has the keys and at least one more."""
    begun = sum(sizes[key] + len(_GAP) for key in keys)
    blocks: list[list[str]] = []
    taken = width + 1
    for name, size in sizes.items():
        if name in keys:
            continue
        if taken + size > width or not blocks:
            blocks.append([*keys])
            taken = begun
        blocks[-1].append(name)
        taken += size + len(_GAP)
    return blocks or [[*keys]]


def _cell(text: str, size: int, *, right: bool) -> str:
    return " " * max(size - text_columns(text), 0) + text if right else fitted(text, size)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _key_text(name: str, value: Any, zone: ZoneInfo) -> str:
    return _UNTOLD if value in (None, "") else _text_of(name, value, zone)


def _text_of(name: str, value: Any, zone: ZoneInfo) -> str:
    if name == "week" and value is not None:
        year, week, _ = datetime.fromisoformat(str(value)).astimezone(zone).isocalendar()
        return f"{year}-W{week:02}"
    return _text(value)


def _text(value: Any) -> str:
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3g}" if isinstance(value, float) and abs(value) < 1 else _longer(value)


def _longer(value: Any) -> str:
    """Numbers of one and more with a decimal at most, times to the minute, all else as a line."""
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.1f}"
    text = str(value)
    is_time = len(text) > 19 and text[4] == "-" and text[10] == "T" and text[13] == ":"
    return text[:16].replace("T", " ") if is_time else safe(text)
