"""How far a skill has moved, as HTML: a finding, the chart, the words that changed beside it, the numbers on call."""

from typing import Final

import pandas as pd
from markupsafe import Markup

from skilltune.charts.drawing import chart_svg
from skilltune.charts.drift import BESIDE_TEXT, NARROW, WIDE, drift_steps, drift_steps_table, drift_words
from skilltune.evolution.drift import Drift
from skilltune.evolution.drift_course import BodyVersion, drift_course
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of, short_date
from skilltune.refining.records import SkillRecord
from skilltune.refining.state import SkillState
from skilltune.stores.snapshots import content_digest
from skilltune.widgets.approval_words import version_words
from skilltune.widgets.safe_text import readable_lines
from skilltune.widgets.word_diff import whole_diff

__all__ = ["body_versions", "drift_finding", "drift_view", "skill_course"]

MOST: Final = 24
"""Versions that are drawn; of more, the first and the last ones."""
COMMIT_CHARS: Final = 7


def drift_view(state: SkillState, *, suggestion: Suggestion | None = None, wide: bool = False) -> Markup:
    """The drift of a skill, and of what waits for approval; `wide` where nothing stands beside the chart."""
    drift = suggestion.drift if suggestion and suggestion.chosen else state.measure()
    finding = drift_finding(drift, skill=state.skill_id)
    if drift.percent is None or state.baseline_body is None:
        return Markup('<p class="stw-finding">{}</p><p class="stw-evidence">{}</p>').format(*finding)
    course = skill_course(state, suggestion=suggestion)
    if len(course) < 2:
        return Markup('<p class="stw-finding">{}</p><p class="stw-evidence">{}</p>').format(
            finding[0], "Nothing was changed since it was first seen."
        )
    return Markup(
        '<p class="stw-finding">{}</p><p class="stw-evidence">{}</p><div class="stw-drift"><div>{}{}</div>'
        "<div><h4>From its first text to now</h4>{}</div></div>"
    ).format(
        *finding,
        _chart(course, state=state, drift=drift, wide=wide),
        _table(course),
        whole_diff(state.baseline_body, state.doc.body)
        if state.baseline_body != state.doc.body
        else Markup('<p class="stw-note">Both are the same.</p>'),
    )


def drift_finding(drift: Drift, *, skill: str) -> tuple[str, str]:
    """How far it has moved, in a sentence, and what that leaves, in another."""
    name = readable_lines(skill)
    if drift.percent is None:
        return f"How far {name} has moved is not known.", f"{readable_lines(drift.note)[:1].upper()}{drift.note[1:]}."
    told = f"{name} has moved {drift.percent:.1f}% from its first text"
    ahead = drift.projected_percent is not None and drift.projected_percent != drift.percent
    if ahead:
        told += f". The next change would make it {drift.projected_percent:.1f}%"
    told += f"; the limit is {drift.limit_percent:g}%."
    left = max(0.0, round(drift.limit_percent - (drift.projected_percent or drift.percent), 1))
    if not left:
        return (
            told,
            "Nothing is refined from here on: set another limit, take a new first text, or go on as a new skill.",
        )
    size = drift.average_percent
    room = f": about {count_of(int(left / size), 'refinement')} at the usual size ({size:.1f}%)" if size else ""
    hollow = "Edits made outside and roll-backs (hollow bars) are shown, not bounded"
    return told, f"{left:.1f} points {'would remain' if ahead else 'remain'}{room}. {hollow}."


def skill_course(state: SkillState, *, suggestion: Suggestion | None = None) -> pd.DataFrame:
    """The rows of the chart; see ``drift_course``."""
    waiting = None
    if suggestion is not None and suggestion.chosen and suggestion.body_after != state.doc.body:
        told = "waits for approval" if suggestion.ready else "held"
        name = f"v{state.version + 1}"
        waiting = BodyVersion(name=name, kind="waiting", told=told, at=None, body=suggestion.body_after)
    course = drift_course(body_versions(state), waiting=waiting)
    if len(course) <= MOST:
        return course
    return pd.concat([course.iloc[:1], course.iloc[1 - MOST :]], ignore_index=True)


def body_versions(state: SkillState) -> list[BodyVersion]:
    """The baseline and the versions from it on, as far as their texts are kept; the file as it is comes last."""
    baseline = state.baseline
    if baseline is None or state.baseline_body is None:
        return []
    record: SkillRecord = state.record
    found: list[BodyVersion] = []
    targets = {row.get("version"): row.get("toVersion") for row in record.entries if row.get("type") == "rollback"}
    for version in state.since_baseline:
        body = state.body_of(version.digest)
        if body is not None:
            told = version_words(version.type, to=targets.get(version.number))
            name = f"v{version.number}"
            found.append(BodyVersion(name=name, kind=version.type, told=told, at=version.at, body=body))
    if not found or found[0].body != state.baseline_body:
        name = baseline.commit[:COMMIT_CHARS] or "start"
        told = "first commit" if baseline.commit else version_words("baseline")
        found.insert(0, BodyVersion(name=name, kind="baseline", told=told, at=baseline.at, body=state.baseline_body))
    if state.outside_edit:
        told = version_words("outside_edit")
        name = f"v{state.version}"
        found.append(BodyVersion(name=name, kind="outside_edit", told=told, at=None, body=state.doc.body))
    return found


def _chart(course: pd.DataFrame, *, state: SkillState, drift: Drift, wide: bool) -> Markup:
    """Wide and narrow: the panel's style shows one of them."""
    text = drift_words(course, skill=readable_lines(state.skill_id), limit_percent=drift.limit_percent)
    shown = []
    own = content_digest(state.skill_id.encode("utf-8", "surrogatepass"))[:8]
    for layout, name in ((WIDE if wide else BESIDE_TEXT, "drift-wide"), (NARROW, "drift-narrow")):
        chart = drift_steps(
            course,
            limit_percent=drift.limit_percent,
            max_change_percent=state.settings.max_change_percent,
            layout=layout,
        )
        shown.append(
            Markup('<div class="stw-{}">{}</div>').format(
                name, chart_svg(chart, name=f"{name}-{own}", description=text)
            )
        )
    return Markup("").join(shown)


def _table(course: pd.DataFrame) -> Markup:
    """The chart's numbers on call."""
    row = Markup(
        '<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{:.1f}%</td><td>{:.1f}%</td><td>{:.1f}%</td></tr>'
    )
    rows = [
        row.format(name, told, short_date(at) if not pd.isna(at) else "", net, path, step)
        for name, told, at, net, path, step in drift_steps_table(course).itertuples(index=False)
    ]
    names = ("version", "what", "day", "net drift", "path", "step")
    heads = Markup("").join(Markup('<th scope="col">{}</th>').format(name) for name in names)
    return Markup(
        '<details class="stw-numbers"><summary>the numbers as a table</summary><table class="stw-table"><thead><tr>{}'
        "</tr></thead><tbody>{}</tbody></table></details>"
    ).format(heads, Markup("").join(rows))
