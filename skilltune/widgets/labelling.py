"""``LabelPanel``: one turn after another in its context, one key per outcome, and how good the estimate is by now."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import ipywidgets as W  # noqa: N812  # as in its own documentation
from markupsafe import Markup

from skilltune.errors import InputError
from skilltune.labelling import Labelling, Question, open_labelling
from skilltune.records import About, CorrectionType, Outcome
from skilltune.widgets.estimate import estimate_view
from skilltune.widgets.frontend import click_origin
from skilltune.widgets.guard import Guard
from skilltune.widgets.label_tables import framed, progress_text, progress_view
from skilltune.widgets.panel import MIN_VIEW_SECONDS, Panel, html
from skilltune.widgets.safe_text import readable_lines, with_bold
from skilltune.widgets.turn_view import turn_heading, turn_view, verdict_words

__all__ = ["KEYS", "Key", "LabelPanel"]

ASKED: Final = "What does the person say about the work?"
ABOUT: Final = "about something else"
HINT: Final = "click here, then press 1–6"
"""Stands there while the panel has no focus, since no key reaches it then."""
SHOW: Final = "show the rule’s verdict"
HIDE: Final = "hide the rule’s verdict"
ASIDE: Final = "labels are kept apart; they beat the rule in every metric"

SAMPLE: Final = (
    "There are no sessions of yours to label: these are invented sample sessions. Answers about them are kept until "
    "the kernel stops, and count nowhere."
)


class Key(NamedTuple):
    """One of the six answers."""

    name: str
    outcome: Outcome
    correction_type: CorrectionType | None


KEYS: Final = (
    Key("revert", "correction", "revert"),
    Key("redo", "correction", "redo"),
    Key("rejection", "correction", "rejection"),
    Key("partial", "partial", "partial"),
    Key("acceptance", "acceptance", None),
    Key("none", "none", None),
)
"""The answers in the order of their keys, 1 to 6; always the same."""


class LabelPanel(Panel):
    """Asks for the outcome of one turn after another; each answer is on the disk before the next turn is shown.

    Parameters
    ----------
    labelling
        What to ask; default the turns of uses drawn at random from the workspace's sessions.
    workspace, sample_size, seed, skill_id
        As in ``labelling.open_labelling``, where no `labelling` is given.
    sample
        These are the bundled sample sessions: the panel says what becomes of their labels.
    min_view_s
        Seconds between drawing a turn and the first press that counts.
    origin, clock
        As in ``Panel``; for tests.

    Notes
    -----
    The widgets are attributes (``keys``, ``other``, ``reveal``, ``skip``, ``undo``), so that a test can press them.
    Where no person can see it (papermill, nbconvert) it is a table of what is labelled, and decides nothing.
    """

    def __init__(
        self,
        labelling: Labelling | None = None,
        *,
        workspace: str | Path | None = None,
        sample_size: int = 50,
        seed: int = 0,
        skill_id: str | None = None,
        sample: bool = False,
        min_view_s: float = MIN_VIEW_SECONDS,
        origin: Callable[[], str] = click_origin,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        guard = _guard()
        super().__init__(look="stw-label", guard=guard, min_view_s=min_view_s, origin=origin, clock=clock)
        self.labelling = labelling or open_labelling(workspace, sample_size=sample_size, seed=seed, skill_id=skill_id)
        self.sample = sample
        self._places = {_id(question): place for place, question in enumerate(self.labelling.questions, start=1)}
        self._shown: Question | None = None
        self._estimated = -1
        self._build()
        self._draw()
        self.say(self._opening())
        self.after_press()

    def after_press(self) -> None:
        """Draw the estimate anew where a label came or went: it takes longer than the next turn may."""
        if self.labelling.done == self._estimated:
            return
        self._estimated = self.labelling.done
        try:
            self.estimate.value = estimate_view(self.labelling)
        except Exception as error:  # noqa: BLE001  # what was saved is saved; here is all there is to say it
            self.estimate.value = Markup('<p class="stw-evidence">There is no estimate: {}</p>').format(
                readable_lines(str(error))
            )

    def still(self) -> Markup:
        """What is labelled so far, and the estimate, as tables."""
        return framed(progress_view(self.labelling, sample=self.sample), estimate_view(self.labelling))

    def still_text(self) -> str:
        """What is labelled so far, in a sentence."""
        return progress_text(self.labelling, sample=self.sample)

    def _build(self) -> None:
        self.head, self.turn, self.verdict, self.estimate = (
            html(look) for look in ("stw-top", "stw-turnbox", "stw-verdict", "stw-estimate")
        )
        self.keys = tuple(_button(key.name, "stw-key", f"stw-key-{n}") for n, key in enumerate(KEYS, start=1))
        self.hint = html("stw-hint")
        self.other = W.Checkbox(value=False, description=ABOUT, indent=False)
        self.other.add_class("stw-other")
        self.reveal = _button(SHOW, "stw-act", "stw-act-r")
        self.skip = _button("skip", "stw-act", "stw-act-s")
        self.undo = _button("undo the last", "stw-act", "stw-act-u")
        for button, key in zip(self.keys, KEYS, strict=True):
            self.on_press(button, partial(self._answer, key), decides=True)
        self.on_press(self.skip, self._skip, decides=True)
        self.on_press(self.undo, self._undo, decides=True)
        self.on_press(self.reveal, self._turn_verdict)
        self.root.children = [
            self.style,
            self.head,
            self.turn,
            _box("stw-keys", self.hint, _box("stw-six", *self.keys), self.other),
            _box("stw-acts", self.reveal, self.skip, self.undo),
            self.verdict,
            self.estimate,
            _box("stw-foot", self.status, html("stw-aside", value=ASIDE)),
            self.guard,
        ]

    def _answer(self, key: Key) -> None:
        question = self._asked()
        about: About = "other" if self.other.value else "skill"
        self.labelling.answer(question, outcome=key.outcome, correction_type=key.correction_type, about=about)
        self._draw()
        self.say(f"Saved: turn {self._place(question)} is ", key.name, f", {ABOUT}." if about == "other" else ".")

    def _skip(self) -> None:
        question = self._asked()
        self.labelling.skip(question)
        self._draw()
        self.say(f"Skipped: turn {self._place(question)} has no label.")

    def _undo(self) -> None:
        question = self.labelling.undo()
        self._draw()
        if question is None:
            self.say("There is no answer of this panel to take back.")
        else:
            self.say(f"Taken back: turn {self._place(question)} has no label again.")

    def _turn_verdict(self) -> None:
        """Show the rules' verdict, or hide it again."""
        self._show_verdict(shown=self.reveal.description == SHOW)

    def _show_verdict(self, *, shown: bool) -> None:
        self.reveal.description = HIDE if shown else SHOW
        (self.reveal.add_class if shown else self.reveal.remove_class)("stw-open")
        words = verdict_words(self._shown) if shown and self._shown else ()
        self.verdict.value = Markup("<p>{}</p>").format(with_bold(*words)) if words else ""

    def _draw(self) -> None:
        """Put the current turn on the screen, with nothing chosen and the verdict hidden."""
        self._shown = question = self.labelling.current
        self.other.value = False
        self._show_verdict(shown=False)
        self.head.value = self._heading(question)
        self.turn.value = turn_view(question) if question else self._ended()
        self.hint.value = Markup("<p>{}</p>").format(HINT) if question else ""
        for part in (*self.keys, self.other, self.reveal, self.skip):
            part.disabled = question is None
        self.drawn()

    def _heading(self, question: Question | None) -> Markup:
        total, known = self.labelling.total, self.labelling.done
        meta = turn_heading(question, place=self._place(question), total=total) if question else ""
        share = 100 * known / total if total else 0
        bar = Markup(
            '<div class="stw-bar" role="progressbar" aria-label="turns labelled" aria-valuemin="0" '
            'aria-valuemax="{}" aria-valuenow="{}"><div style="width:{:.4g}%"></div></div>'
        ).format(total, known, share)
        told = Markup('<p class="stw-sample">{}</p>').format(SAMPLE) if self.sample else ""
        return Markup('<div class="stw-head"><h2>{}</h2><p>{}</p></div>{}{}').format(ASKED, meta, bar, told)

    def _ended(self) -> Markup:
        """What stands in place of a turn where there is none to ask about."""
        return Markup(
            '<div class="stw-turns"><div class="stw-row stw-turn"><div class="stw-who"></div>'
            '<div class="stw-what">{}</div></div></div>'
        ).format(progress_text(self.labelling, sample=False))

    def _opening(self) -> str:
        if self._shown is None:
            return "There is nothing to label." if not self.labelling.total else "Everything here is labelled."
        return "Press 1 to 6, or click. Nothing is written before that."

    def _asked(self) -> Question:
        if self._shown is None:
            raise InputError("there is no turn to answer any more")
        return self._shown

    def _place(self, question: Question) -> int:
        return self._places[_id(question)]


def _guard() -> Guard:
    keys = {str(n): f".stw-key-{n}" for n in range(1, len(KEYS) + 1)}
    other = ".stw-other input"
    return Guard(
        presses=keys | {"7": other, "o": other, "r": ".stw-act-r", "s": ".stw-act-s", "u": ".stw-act-u"},
        attributes={
            ".stw-label": {"role": "region", "aria-label": "Label turns"},
            ".stw-keys": {"role": "group", "aria-label": f"{ASKED} Keys 1 to 7", "tabindex": "0"},
            ".stw-status": {"role": "status", "aria-live": "polite"},
            ".stw-estimate": {"role": "group", "aria-label": "How good the estimate is by now"},
        },
        home=".stw-keys",
        catches=True,
        returning=".stw-key",
    )


def _button(words: str, *looks: str) -> Any:
    button = W.Button(description=words)
    for look in looks:
        button.add_class(look)
    return button


def _box(look: str, *children: Any) -> Any:
    box = W.Box(list(children))
    box.add_class(look)
    return box


def _id(question: Question) -> tuple[str, str]:
    return question.event_id, question.turn_id
