"""A turn in its context as HTML: what was asked, what the agent did, what the person said then, what came after."""

from dataclasses import replace
from typing import Final

from markupsafe import Markup

from skilltune.labelling import Question
from skilltune.page.words import short_date
from skilltune.sources import SOURCES
from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets
from skilltune.widgets.safe_text import folded_text, readable_lines, text_block

__all__ = ["turn_heading", "turn_view", "verdict_words"]

LONG_TURN: Final = 600
"""Characters from which on the turn itself is folded."""
BRIEF: Final = 160
"""Characters of a piece of context that are shown unfolded: about two lines, so that turn and keys fit on a screen."""

_CHANNELS: Final = {
    "message": "person",
    "answer": "person, answering",
    "denial": "person, refusing",
    "queued": "person, while the agent worked",
    "steering": "person, steering",
    "plan": "person, on the plan",
    "edit": "person, on an edit",
}
_WORDLESS: Final = {
    "denial": "refused the call, without words",
    "plan": "decided on the plan, without words",
    "edit": "changed the proposed edit, without words",
}
_ROW: Final = Markup('<div class="stw-row {}"><div class="stw-who">{}</div><div class="stw-what">{}</div></div>')


def turn_heading(question: Question, *, place: int, total: int) -> str:
    """``turn 61 of 120 · sql-migrations · 24 Nov · Claude Code``."""
    day = short_date(question.timestamp.date()) if question.timestamp else ""
    skill = readable_lines(mask_name(question.skill_id))
    parts = [f"turn {place} of {total}", skill, day, agent_name(question.agent)]
    return " · ".join(filter(None, parts))


def turn_view(question: Question) -> Markup:
    """The turn, largest, between what came before and after it; secrets are masked, as on sheets and for judges."""
    question = _masked(question)
    rows = [
        _context("person", question.previous_prompt, look="stw-before"),
        _agent_before(question),
        _turn(question),
        _context("agent", question.next_agent, look="stw-after"),
    ]
    return Markup('<div class="stw-turns">{}</div>').format(Markup("").join(rows))


def verdict_words(question: Question) -> tuple[str, ...]:
    """What the rules say of the turn, in parts of which every second is set in bold."""
    kind = f" ({question.rule_type})" if question.rule_type and question.rule_type != question.rule_outcome else ""
    because = f"; the rule is {question.rule}" if question.rule else ""
    return "The rules say ", f"{question.rule_outcome}{kind}", f"{because}."


def agent_name(agent: str | None) -> str:
    """An agent as people write it."""
    source = SOURCES.get(agent or "")
    return source.name if source else readable_lines(agent or "")


def _masked(question: Question) -> Question:
    """`question` without the secrets in its texts and names: a notebook is saved, shared and looked at by others."""
    return replace(
        question,
        skill_id=mask_name(question.skill_id),
        tool=mask_name(question.tool),
        text=mask_secrets(question.text),
        previous_prompt=mask_secrets(question.previous_prompt),
        previous_agent=mask_secrets(question.previous_agent),
        did=mask_secrets(question.did),
        next_agent=mask_secrets(question.next_agent),
    )


def _context(who: str, text: str, *, look: str) -> Markup:
    return _ROW.format(f"stw-context {look}", who, _brief(text)) if text.strip() else Markup("")


def _brief(text: str) -> Markup:
    """`text` on about two lines, and all of it on call; what has more lines is folded even where it is short."""
    return folded_text(text, limit=min(BRIEF, len(text) - 1) if text.strip().count("\n") > 1 else BRIEF)


def _agent_before(question: Question) -> Markup:
    """What the agent did since the previous prompt, and its last words."""
    used = Markup("Used <b>{}</b>").format(readable_lines(question.skill_id)) if question.number == 1 else ""
    did = readable_lines(question.did)
    facts = Markup(" · ").join(part for part in (used, did) if part)
    told = Markup('<p class="stw-did">{}</p>').format(facts) if facts else Markup("")
    said = _brief(question.previous_agent) if question.previous_agent.strip() else Markup("")
    return _ROW.format("stw-context stw-before", "agent", told + said) if told or said else Markup("")


def _turn(question: Question) -> Markup:
    who = _CHANNELS.get(question.channel, "person")
    if question.channel == "denial" and question.tool:
        who = f"{who} {readable_lines(question.tool)}"
    notes = [who]
    if question.interrupted:
        notes.append("after an interrupt")
    if question.of > 1:
        notes.append(f"turn {question.number} of {question.of} after the use")
    label = Markup(" ").join(Markup('<span class="stw-part">{}</span>').format(note) for note in notes)
    return _ROW.format("stw-turn", label, _words(question))


def _words(question: Question) -> Markup:
    if not question.text.strip():
        return Markup('<p class="stw-wordless">{}</p>').format(_wordless(question))
    return folded_text(question.text, limit=LONG_TURN) if len(question.text) > LONG_TURN else text_block(question.text)


def _wordless(question: Question) -> str:
    if question.channel == "plan" and question.decision:
        return f"{question.decision} the plan, without words"
    return _WORDLESS.get(question.channel, "no words: an image, or only a click")
