"""A suggestion as text: its changes with their evidence, the table of gates, the diff, and how to decide."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from skilltune.evolution.gates import GATES, Verdict
from skilltune.evolution.openings import OpenSuggestion
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.suggestions import Suggestion
from skilltune.limits import MAX_CHANGE_PERCENT
from skilltune.rendering.eligibility import agreement_words, iso_date
from skilltune.rendering.hidden_characters import hidden_words, marked_line
from skilltune.rendering.line_room import most_room, room_words
from skilltune.rendering.terminal import (
    NAME_CHARS,
    command,
    count_words,
    cut,
    finished,
    fitted,
    painter,
    safe,
    whole_lines,
    wrapped,
)

__all__ = ["DIGEST_CHARS", "render_diff", "render_openings", "render_suggestion"]

DIGEST_CHARS: Final = 12
"""Digits of a digest that are shown, and enough to name it."""
TEXT_CHARS: Final = 400
QUOTES: Final = 6
_STATUS: Final = {
    "not_in_body": "stands nowhere in the skill",
    "already_applied": "already there",
    "no_op": "no effect",
    "overlaps": "overlaps another change",
}
_GATE, _VALUE, _NEEDED = 12, 15, 28
"""Columns of the table of gates."""


def render_suggestion(
    suggestion: Suggestion,
    *,
    options: Sequence[str] = (),
    notes: Sequence[str] = (),
    wrap_diff: bool = True,
    width: int = 80,
    color: bool = False,
    unicode: bool = True,
) -> str:
    """The suggestion for a person to decide on.

    Parameters
    ----------
    suggestion : Suggestion
        From `suggest_refinement`, or with a choice of its changes.
    options : sequence of str
        What the command line said to get this suggestion, so that the next command says it too.
    notes : sequence of str
        What to look at.
    wrap_diff : bool
        Whether long lines of the diff are broken to fit; not where a program reads them.
    width, color, unicode
        As in `render_metrics`.

    Returns
    -------
    str
        Finding, changes, gates, diff, digest, next commands.
    """
    paint = painter(color=color)
    lines = [paint(line, "finding") for line in wrapped(_finding(suggestion), width)]
    lines += [line for note in notes for line in wrapped(f"Look at: {safe(note)}", width)]
    for change in suggestion.changes:
        lines += ["", *_change_lines(change, threshold=suggestion.basis.settings.threshold, width=width)]
    lines += ["", paint(f"{'gate':{_GATE}}  {'value':{_VALUE}}  {'needed':{_NEEDED}}", "quiet").rstrip()]
    for verdict in suggestion.verdicts:
        lines += _verdict_lines(verdict, width=width)
    lines += [""] * bool(suggestion.contradictions)
    for finding in suggestion.contradictions:
        state = "kept by you" if finding.released else finding.severity
        lines += wrapped(f"Contradiction ({state}): {finding.kind.replace('_', ' ')} {finding.id}", width)
    if suggestion.diff:
        lines += ["", *render_diff(suggestion.diff, width=width if wrap_diff else None, color=color).split("\n")]
        lines += ["", f"Digest: {suggestion.digest}"]
    lines += ["", *_next(suggestion, options=options)]
    return finished(lines, unicode=unicode)


def render_openings(
    openings: Sequence[OpenSuggestion],
    *,
    options: Sequence[str] = (),
    body: str | None = None,
    max_percent: float = MAX_CHANGE_PERCENT,
    width: int = 80,
    unicode: bool = True,
) -> list[str]:
    """The lines on open suggestions: quotes, the part of the skill they touch, how to word or dismiss each.

    `options` say which skill of the name is meant, and stand in the commands. With the skill's `body` they say how
    long a line may be, by the bound `max_percent`.
    """
    lines: list[str] = []
    for opened in openings:
        group = opened.group
        told = f"{count_words(group.count, 'complaint')} in {count_words(len(group.sessions), 'session')}"
        about = f"{cut(opened.about, TEXT_CHARS)} ({group.dimension.replace('_', ' ')})"
        lines += ["", *wrapped(f"Open suggestion {opened.id}: {told} about {about}", width)]
        for quote in opened.quotes[:QUOTES]:
            lines += wrapped(f'"{cut(quote, TEXT_CHARS)}"', width, indent="  ", hanging="   ")
        if group.count > QUOTES:
            lines.append(f"  and {group.count - QUOTES:,} more")
        lines += wrapped(_touched(opened), width, indent="  ")
        if body is not None:
            told = room_words(body, section=opened.section, max_percent=max_percent)
            lines += wrapped(told, width, indent="  ")
        call = ("refine", opened.skill_id, *options, "--open", opened.id)
        if body is None or most_room(body, section=opened.section, max_percent=max_percent):
            lines += [f"  Word it: {command(*call, '--word', 'ONE LINE IN YOUR WORDS')}"]
        lines += [f"  Dismiss: {command(*call, '--reject', opened.id)}"]
    return finished(lines, unicode=unicode).split("\n") if lines else []


def _touched(opened: OpenSuggestion) -> str:
    """The line of the skill that the complaints are about, and its heading where it has one."""
    if not opened.touches:
        return "touches no part of the skill"
    heading = f'"{cut(opened.section, TEXT_CHARS)}"' if opened.section else "what stands before any heading"
    return f"touches {heading}: {cut(opened.touches, TEXT_CHARS)}"


def render_diff(diff: str, *, width: int | None = 80, color: bool = False) -> str:
    """A unified diff, whole; what a terminal would obey, what cannot be seen and look-alikes are written out.

    Long lines go on with ``  `` before them; without a `width` each is one line. Below it stands what the new lines
    hold that cannot be seen.
    """
    paint = painter(color=color)
    tones = {"-": "quiet", "+": "finding", "@": "quiet"}
    lines = diff.removesuffix("\n").split("\n")
    shown = [
        paint(piece, tones.get(line[:1], "plain"))
        for line in lines
        for piece in ([marked_line(line)] if width is None else whole_lines(marked_line(line), width, hanging="  "))
    ]
    added = "\n".join(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ "))
    return "\n".join([*shown, *_hidden_lines("the lines with +", added, width=width)])


def _hidden_lines(what: str, text: str, *, width: int | None, indent: str = "") -> list[str]:
    """What cannot be seen in `text`, by name; nothing where all of it can."""
    words = hidden_words(text)
    told = f"Look at: {what} {'hold' if what.endswith('+') else 'holds'} {words}, written out above"
    if not words:
        return []
    return [told] if width is None else wrapped(told, width, indent=indent)


def _finding(suggestion: Suggestion) -> str:
    name = cut(suggestion.skill_id, NAME_CHARS)
    rest = next((verdict for verdict in suggestion.failing if verdict.gate == "cooldown"), None)
    if rest is not None:
        return f"{name} is in cooldown: refined {rest.value}, {safe(rest.remedy)}; nothing can be applied before."
    if not suggestion.changes:
        return f"No change is suggested for {name}: no correction repeats yet."
    if not suggestion.chosen:
        return f"No change of {name} can be applied as it stands."
    made = count_words(len(suggestion.chosen), "change")
    if suggestion.ready:
        return f"{made} of {name} (version {suggestion.version}) can be applied; you decide."
    first = suggestion.failing[0]
    held = f"{GATES[first.gate].name} is {first.value}, needed {first.threshold}: {safe(first.remedy)}"
    return f"{made} of {name} (version {suggestion.version}) held; {held}."


def _change_lines(change: ProposedChange, *, threshold: Fraction, width: int) -> list[str]:
    lines = wrapped(f"Change {change.number} ({_state(change)}): {safe(change.reason)}", width, hanging="  ")
    if change.original:
        for sign, text in (("-", change.original), ("+", change.suggested)):
            lines += wrapped(f"{sign} {_shown(text)}", width, indent="  ", hanging="    ")
    if change.kind == "append":
        where = f'line for the section "{safe(change.section)}"'
        lines += wrapped(f"{where}: {_shown(change.line) or 'to be worded by you'}", width, indent="  ")
    texts = "\n".join((change.original, change.suggested, change.line))
    lines += _hidden_lines("this change", texts, width=width, indent="  ")
    known = agreement_words(change.confidence, count=change.count, rivals=change.rivals, threshold=threshold)
    seen = sorted({iso_date(at) for at in (change.first_seen, change.last_seen) if at})
    told = [f"agreement {known}", count_words(len(change.sessions), "session"), " to ".join(seen)]
    lines += wrapped(", ".join(part for part in told if part), width, indent="  ")
    for text in (*change.blocked, *change.notes):
        lines += wrapped(safe(text), width, indent="  ", hanging="    ")
    return lines


def _shown(text: str) -> str:
    """The beginning of a text, what cannot be seen in it written out."""
    return marked_line(cut(text, TEXT_CHARS), show=str)


def _state(change: ProposedChange) -> str:
    if change.blocked:
        return "held"
    status = change.status
    if change.chosen and change.kind == "replace":
        place = f' in "{safe(change.section)}"' if change.section else ""
        return f"{status}{place}"
    told = _STATUS.get(status, status)
    return f"{told}; {'chosen' if change.chosen else 'not chosen'}"


def _verdict_lines(verdict: Verdict, *, width: int) -> list[str]:
    """Gate, value, threshold and verdict; below them what would make it pass, and what to look at."""
    columns = ((GATES[verdict.gate].name, _GATE), (verdict.value, _VALUE), (verdict.threshold, _NEEDED))
    row = "  ".join([*(fitted(text, size) for text, size in columns), _verdict_word(verdict)])
    told = [*([verdict.remedy] if verdict.remedy else []), *([verdict.note] if verdict.note else [])]
    below = [line for text in told for line in wrapped(safe(text), width, indent=" " * (_GATE + 2))]
    return [row, *below]


def _verdict_word(verdict: Verdict) -> str:
    """Whether it passes; a gate that passes for what is chosen may hold other changes."""
    if not verdict.passed:
        return "held"
    return "held in part" if verdict.note.startswith("held: ") else "passed"


def _next(suggestion: Suggestion, *, options: Sequence[str]) -> list[str]:
    """The commands that decide, or the one that moves on where there is nothing to decide; never broken over lines."""
    call = ("refine", suggestion.skill_id)
    failing = {verdict.gate for verdict in suggestion.failing}
    if not suggestion.chosen:
        free = [str(change.number) for change in suggestion.changes if change.choosable]
        if free:
            return [f"Choose: {command(*call, '--changes', ','.join(free))}"]
        return [f"Next: {command('refine', '--check', suggestion.skill_id, *_folder(options))}"]
    lines = ["Decide at a terminal:"] if suggestion.ready else []
    if failing == {"baseline"}:
        lines.append(f"Allow it: {command(*call, *options, '--allow-missing-baseline')}")
    if failing & {"drift", "drift_after"}:
        lines.append(f"Ways out: {command('drift', suggestion.skill_id, *_folder(options))}")
    digest = suggestion.digest[:DIGEST_CHARS]
    words = {"--approve": "Approve", "--reject": "Reject", "--defer": "Defer"}
    return lines + [
        f"  {said}: {command(*call, *options, option, digest)}"
        for option, said in words.items()
        if suggestion.ready or option != "--approve"
    ]


def _folder(options: Sequence[str]) -> Sequence[str]:
    """The part of `options` that says which skill of the name is meant."""
    at = options.index("--skill-folder") if "--skill-folder" in options else len(options)
    return options[at : at + 2]
