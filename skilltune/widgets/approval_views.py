"""A suggestion as HTML: heading, sides of a change, verdict table with meters, evidence, contradictions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from skilltune.evolution.candidates import Candidate
from skilltune.evolution.complaints import Complaint
from skilltune.evolution.contradictions import BLIND_SPOT, Contradiction, Side
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of, percent, short_date
from skilltune.widgets.approval_items import Dismissal, Waiting
from skilltune.widgets.approval_words import Row, agreement_words, days_words, kind_words, verdict_rows
from skilltune.widgets.safe_text import readable_lines, text_block
from skilltune.widgets.word_diff import after_side, before_side, drawn, hidden_note

__all__ = [
    "agreement_view",
    "candidate_view",
    "dismissal_view",
    "finding_view",
    "heading_view",
    "new_side",
    "old_side",
    "opening_view",
    "quotes_view",
    "side_letter",
    "verdict_view",
]

QUOTES: Final = 8
"""Quotes and sessions shown at most; how many more there are is said."""
ROOM: Final = 1.25
"""Meters end this far over their limit."""
_KINDS: Final = {"modified": "a changed proposal", "re_edit": "edited again", "revert": "taken back"}
_GLYPHS: Final = {"passed": "✓", "held": "✕", "look": "△"}


def heading_view(item: Waiting, *, told: str, stale: str = "") -> Markup:
    """Skill and versions, and a sentence on what it would change and how the skill fares."""
    version = item.state.version
    changes = item.opening is not None or (item.suggestion is not None and item.suggestion.chosen)
    ahead = Markup(" → v{}").format(version + 1) if changes else ""
    fares = _fares(item.rate)
    mark = Markup('<p class="stw-stale">{}</p>').format(readable_lines(stale)) if stale else ""
    notes = Markup("").join(
        Markup('<p class="stw-note">△ {}</p>').format(readable_lines(_sentence(note))) for note in item.notes
    )
    return Markup('<h3>{} <span class="stw-version">v{}{}</span></h3><p class="stw-lead">{} {}</p>{}{}').format(
        readable_lines(item.skill_id), version, ahead, readable_lines(told), fares, notes, mark
    )


def old_side(change: ProposedChange) -> Markup:
    """The text as it is, and where."""
    if change.kind == "append":
        if not change.original:
            return Markup('<p class="stw-note">nothing yet</p>')
        note = Markup('<p class="stw-note">in what the skill made, not in its own text</p>')
        return before_side(drawn(change.original, change.suggested)) + note
    return before_side(drawn(change.original, change.suggested))


def new_side(change: ProposedChange) -> Markup:
    """The text as it would be; why it cannot be taken, where it cannot."""
    told = [readable_lines(reason) for reason in change.blocked] or [_status(change)]
    told += [readable_lines(note) for note in change.notes]
    notes = Markup("").join(
        Markup('<p class="{}">{}</p>').format("stw-note" if not change.blocked else "stw-reason", words)
        for words in told
        if words
    )
    if change.kind == "append":
        line = Markup("")
        if change.line and change.chosen:
            line = text_block(change.line, look="stw-added") + hidden_note(change.line)
        shown = after_side(drawn(change.original, change.suggested)) if change.original and not line else line
        return shown + notes
    return after_side(drawn(change.original, change.suggested)) + notes


def agreement_view(change: ProposedChange, *, suggestion: Suggestion) -> Markup:
    """How many agree, and from where."""
    days = days_words(change.first_seen, change.last_seen)
    where = f"{count_of(len(change.sessions), 'session')}{', ' if days else ''}{days}"
    return Markup('<p><b>{} of {}</b> agree ({})</p><p class="stw-note">{}</p>').format(
        change.count, change.rivals, agreement_words(change, suggestion=suggestion), where
    )


def verdict_view(item: Waiting, suggestion: Suggestion, *, done: bool) -> Markup:
    """The verdict table under its finding; gates that do not pass first."""
    edited = ""
    if item.state.outside_edit:
        edited = "edited outside"
    rows = verdict_rows(suggestion, conflicts=item.conflicts, outside_edit=edited, version=item.state.version)
    failing = [row for row in rows if row.look == "held"]
    looks = sum(row.look == "look" for row in rows)
    if done:
        words = "every bound was met when it was applied"
    elif item.group == "settled":
        words = "nothing is suggested now"
    elif failing:
        words = f"held, {count_of(len(failing), 'gate does', 'gates do')} not pass"
    else:
        more = f", {count_of(looks, 'thing')} to look at" if looks else ""
        words = f"can be applied{more}"
    body = Markup("").join(_verdict_row(row, suggestion) for row in rows)
    return Markup(
        '<div class="stw-verdicts"><h4>Verdict: {}</h4><table><caption class="stw-hidden">Every gate, its value, its '
        'limit and the result</caption><thead><tr><th scope="col">gate</th><th scope="col">value</th>'
        '<th scope="col">limit</th><th scope="col">result</th></tr></thead><tbody>{}</tbody></table></div>'
    ).format(words, body)


def quotes_view(item: Waiting, changes: Sequence[ProposedChange]) -> Markup:
    """Who corrected what and when, with the words they used in that session where the log has them."""
    said: dict[str, Complaint] = {}
    for complaint in item.complaints:
        said.setdefault(complaint.session_id, complaint)
    sessions: dict[str, list[tuple[int, Any]]] = {}
    for change in changes:
        for id_ in change.correction_ids:
            found = item.corrections.get(id_)
            if found is not None:
                sessions.setdefault(found.session_id, []).append((change.number, found.timestamp))
    shown = list(sessions.items())[:QUOTES]
    parts = [_session(name, rows, said.get(name)) for name, rows in shown]
    more = len(sessions) - len(shown)
    if more > 0:
        parts.append(Markup('<p class="stw-note">and {} more</p>').format(count_of(more, "session")))
    several = len({change.number for change in changes if change.correction_ids}) > 1
    all_of_them = " in all" if several else ""
    head = Markup("<h4>Who corrected it · {}{}</h4>").format(count_of(len(sessions), "session"), all_of_them)
    return Markup('<div class="stw-quotes">{}{}</div>').format(head, Markup("").join(parts)) if parts else Markup("")


def opening_view(item: Waiting) -> Markup:
    """What people complained about, and the section of the skill that speaks of it."""
    opened = item.opening
    if opened is None:
        return Markup("")
    group = opened.group
    shown = group.complaints[:QUOTES]
    quotes = Markup("").join(
        _quote(each.text, [_day(each.timestamp), f"session {_short(each.session_id)}"]) for each in shown
    )
    more = group.count - len(shown)
    if more > 0:
        quotes += Markup('<p class="stw-note">and {} more</p>').format(count_of(more, "complaint"))
    head = Markup("<h4>What people said · {} in {}</h4>").format(
        readable_lines(opened.heading), count_of(len(group.sessions), "session")
    )
    touched = Markup('<p class="stw-note">No section of the skill speaks of it.</p>')
    if opened.touches:
        touched = Markup('<p class="stw-note">The skill speaks of it under “{}”:</p>{}').format(
            readable_lines(opened.section or "its beginning"), text_block(opened.touches)
        )
    return Markup(
        '<div class="stw-opening"><div class="stw-quotes">{}{}</div><div class="stw-touched">{}</div></div>'
    ).format(head, quotes, touched)


def finding_view(finding: Contradiction) -> Markup:
    """A contradiction: its sides with their counts, sessions and days, and what to do about it."""
    sides = Markup("").join(_side(side, place=place) for place, side in enumerate(finding.sides))
    look = "stw-conflict" if finding.holds else "stw-warning"
    return Markup('<div class="{}"><h4>{}</h4>{}<p class="stw-note">{}. {}</p></div>').format(
        look, kind_words(finding), sides, _sentence("; or ".join(finding.advice)), BLIND_SPOT if finding.holds else ""
    )


def candidate_view(candidate: Candidate) -> Markup:
    """A correction that a session shows: what was said, both texts, where."""
    best = candidate.best
    where = [_KINDS.get(candidate.kind, candidate.kind), _day(best.timestamp), f"session {_short(best.session_id)}"]
    where += [candidate.file] if candidate.file else []
    where += [] if best.attribution == "direct" else [f"{best.attribution} about this skill"]
    more = len(candidate.sessions) - 1
    where += [f"and {count_of(more, 'session')} more"] if more else []
    quote = _quote(candidate.quote or "", where)
    if not candidate.has_texts:
        return quote + Markup('<p class="stw-note">Its texts are not kept; accepting reads its transcript again.</p>')
    runs = drawn(candidate.original or "", candidate.corrected or "")
    empty = Markup('<p class="stw-note">nothing</p>')
    sides = (before_side(runs) if candidate.original else empty, after_side(runs) if candidate.corrected else empty)
    cut = Markup('<p class="stw-note">Only the beginning is kept.</p>') if candidate.cut else Markup("")
    return quote + Markup('<div class="stw-seen"><div>{}</div><div>{}</div></div>{}').format(*sides, cut)


def dismissal_view(dismissal: Dismissal) -> Markup:
    """What was taken off the list, and when."""
    return Markup("<h4>Dismissed on {}</h4>{}").format(_day(dismissal.at), _quote(dismissal.words, []))


def side_letter(place: int) -> str:
    """``A``, ``B``, … for the sides of a contradiction."""
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def _side(side: Side, *, place: int) -> Markup:
    runs = drawn(side.original, side.corrected)
    empty = Markup('<p class="stw-note">nothing</p>')
    days = days_words(side.first_seen, side.last_seen)
    told = (
        f"{count_of(side.count, 'correction')}, {count_of(len(side.sessions), 'session')}{', ' if days else ''}{days}"
    )
    return Markup('<div class="stw-side"><b>{}</b><div>{}</div><div>{}</div><p class="stw-note">{}</p></div>').format(
        side_letter(place),
        before_side(runs) if side.original else empty,
        after_side(runs) if side.corrected else empty,
        told,
    )


def _fares(rate: Mapping[str, Any] | None) -> str:
    """How often the skill's uses are corrected, where enough are judged."""
    if not rate or not rate["sufficient_data"] or rate["correction_rate"] is None:
        return ""
    judged = count_of(int(rate["sample_size"]), "judged use")
    return f"Corrected in {percent(rate['correction_rate'])} of {judged}, over all time."


def _status(change: ProposedChange) -> str:
    words = {
        "already_applied": "the skill says this already",
        "no_op": "changes nothing",
        "overlaps": "stands inside another change that is ticked",
    }
    if change.kind == "append":
        return f"a line under “{readable_lines(change.section)}”"
    hits = change.status.partition(" ")[0]
    return words.get(change.status, f"in {hits} places" if hits.isdigit() and int(hits) > 1 else "")


def _verdict_row(row: Row, suggestion: Suggestion) -> Markup:
    meter = _meter(row, suggestion)
    glyph = Markup('<span class="stw-glyph stw-{}" aria-hidden="true">{}</span>').format(row.look, _GLYPHS[row.look])
    more = ""
    if row.more:
        more = Markup('<tr class="stw-more"><td colspan="4">{}</td></tr>').format(readable_lines(row.more))
    return Markup(
        '<tr class="stw-row-{}"><th scope="row">{}</th><td>{}{}</td><td>{}</td><td>{}<span>{}</span></td></tr>{}'
    ).format(row.look, row.name, readable_lines(row.value), meter, row.limit, glyph, row.result, more)


def _meter(row: Row, suggestion: Suggestion) -> Markup:
    """How near the limit, in 5 pixels; what the suggestion would add is lighter."""
    drift, settings = suggestion.drift, suggestion.basis.settings
    if row.gate == "change":
        return meter(float(suggestion.measure.percent), limit=settings.max_change_percent)
    if row.gate == "drift_after" and drift.projected_percent is not None and drift.percent is not None:
        return meter(drift.projected_percent, limit=drift.limit_percent, now=drift.percent)
    return Markup("")


def meter(value: float, *, limit: float, now: float | None = None) -> Markup:
    """A bar of `value` with an upright tick at `limit`; the part between `now` and `value` is lighter."""
    whole = max(limit, 1) * ROOM
    first = value if now is None else min(now, value)
    full, ahead = (min(100.0, 100 * part / whole) for part in (first, value))
    lighter = Markup('<i class="stw-ahead" style="left:{:.4g}%;width:{:.4g}%"></i>').format(full, max(ahead - full, 0))
    over = " stw-over" if value > limit else ""
    return Markup(
        '<span class="stw-meter{}" aria-hidden="true"><i class="stw-full" style="width:{:.4g}%"></i>{}'
        '<i class="stw-tick" style="left:{:.4g}%"></i></span>'
    ).format(over, full, lighter if now is not None else "", 100 * limit / whole)


def _session(name: str, rows: list[tuple[int, Any]], said: Complaint | None) -> Markup:
    numbers = sorted({number for number, _ in rows})
    told = f"change{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"
    last = max((at for _, at in rows if at), default=None)
    return _quote(said.text if said else "", [told, _day(last), f"session {_short(name)}"])


def _quote(text: str, about: list[str]) -> Markup:
    words = text_block(text) if text.strip() else Markup("")
    foot = Markup('<p class="stw-note">{}</p>').format(readable_lines(" · ".join(filter(None, about))))
    return Markup('<blockquote class="stw-quote">{}{}</blockquote>').format(words, foot)


def _day(at: Any) -> str:
    return short_date(at.astimezone().date()) if at else ""


def _short(session: str) -> str:
    """The beginning of a session's id, which tells it from the others."""
    return session if len(session) <= 12 else session[:8]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
