"""``TurnBrowser``: what people said, turn by turn, each in its context with the verdict on it and why."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

import ipywidgets as W  # noqa: N812  # as in its own documentation
from markupsafe import Markup

from skilltune.errors import InputError
from skilltune.page.html import plain_text
from skilltune.page.words import count_of
from skilltune.widgets.approval_rows import button_of, look_box
from skilltune.widgets.browser_context import read_context
from skilltune.widgets.browser_turns import COMPLAINT, TurnFilter, TurnTable
from skilltune.widgets.browser_views import counts_words, row_words, still_view, use_words, verdict_view, window_view
from skilltune.widgets.guard import Guard
from skilltune.widgets.label_tables import framed
from skilltune.widgets.panel import Panel, html
from skilltune.widgets.safe_text import readable_lines
from skilltune.widgets.turn_view import agent_name, turn_heading, turn_view
from skilltune.workflow import Mined, Paths, as_time, mine, read_sessions

__all__ = ["TurnBrowser"]

ROWS: Final = 12
"""Turns in the list at a time."""
MOST_CHOICES: Final = 200
"""Skills offered by the filter; the rarest of more are found by their text or session."""
OUTCOMES: Final = (
    ("any verdict", ""),
    ("complaints", COMPLAINT),
    ("corrections", "correction"),
    ("partials", "partial"),
    ("acceptances", "acceptance"),
    ("none", "none"),
)
READING: Final = "Nothing is decided here: to correct a verdict, label the use."


class TurnBrowser(Panel):
    """Filters turns, shows one in its context, and jumps to complaints, to the use and to the session.

    Parameters
    ----------
    source
        What was mined, or files and folders of sessions; default the places where the agents keep them.
    skill_id, outcome, session_id
        What the filters begin with; ``complaint`` stands for corrections and partials.
    since
        Only turns from then on.

    Raises
    ------
    InputError
        `since` is no time, or `outcome` none of those there are.
    ReadError
        None of the sessions can be read.

    Notes
    -----
    A page of turns is drawn at a time, however many there are. What stood around a turn is read from its transcript
    when it is shown; secrets are masked. Keys: `J` and `K` go to the next turn and the one before, `N` and `P` to
    complaints, `U` to the use, `S` keeps the session, `A` shows all again. Where nobody can see it it is a table.
    """

    def __init__(
        self,
        source: Mined | Paths | None = None,
        *,
        skill_id: str = "",
        outcome: str = "",
        session_id: str = "",
        since: datetime | str | None = None,
    ) -> None:
        super().__init__(look="stw-browser", guard=_guard())
        mined = source if isinstance(source, Mined) else mine(read_sessions(source))
        self.table = TurnTable.of(mined)
        self.since = as_time(since) if since else None
        self._build()
        self._begin(skill_id=skill_id, outcome=outcome, session_id=session_id)

    def still(self) -> Markup:
        """The turns that the filter lets through, as a table."""
        return framed(still_view(self.table, self.found))

    def still_text(self) -> str:
        """The same as text: how many turns, and what the first of them say."""
        return plain_text(still_view(self.table, self.found))

    @property
    def filter(self) -> TurnFilter:
        """What the filters say."""
        return TurnFilter(
            skill_id=str(self.skill.value),
            outcome=str(self.outcome.value),
            agent=str(self.agent.value),
            channel=str(self.channel.value),
            text=str(self.text.value),
            session_id=str(self.session.value).strip(),
            since=self.since,
        )

    def _build(self) -> None:
        table = self.table
        skills = [("any skill", ""), *_choices(table.values("skill_id")[:MOST_CHOICES])]
        agents = [("any agent", ""), *((agent_name(name), name) for name in table.values("agent"))]
        self.skill = W.Dropdown(description="skill", options=skills)
        self.outcome = W.Dropdown(description="verdict", options=OUTCOMES)
        self.agent = W.Dropdown(description="agent", options=agents)
        self.channel = W.Dropdown(description="how", options=[("any way", ""), *_choices(table.values("channel"))])
        self.text = W.Text(description="words", placeholder="then Enter", continuous_update=False)
        self.session = W.Text(description="session", placeholder="id, then Enter", continuous_update=False)
        self.filters = (self.skill, self.outcome, self.agent, self.channel, self.text, self.session)
        self.rows = [button_of("", "stw-item") for _ in range(ROWS)]
        for place, button in enumerate(self.rows):
            self.on_press(button, partial(self._choose_row, place))
        self.head, self.heading, self.turn, self.why, self.window, self.pages = map(
            html, ("stw-top", "stw-heading", "stw-said-turn", "stw-lower", "stw-windowbox", "stw-pages")
        )
        acts: dict[str, tuple[str, Callable[[], None]]] = {
            "k": ("previous", partial(self._step, -1)),
            "j": ("next", partial(self._step, 1)),
            "p": ("previous complaint", partial(self._to_complaint, -1)),
            "n": ("next complaint", partial(self._to_complaint, 1)),
            "u": ("to the use", self._to_use),
            "s": ("only this session", self._keep_session),
            "a": ("all turns", self._show_all),
        }
        self.acts = {key: button_of(words, "stw-act", f"stw-go-{key}") for key, (words, _) in acts.items()}
        for key, (_, act) in acts.items():
            self.on_press(self.acts[key], act)
        self._arrange()

    def _arrange(self) -> None:
        """Put the parts in their places."""
        list_box = look_box("stw-queue", *self.rows, self.pages)
        acts = look_box("stw-acts", *self.acts.values())
        main = look_box("stw-main", self.heading, acts, self.turn, self.window, self.why)
        self.root.children = [
            self.style,
            self.head,
            look_box("stw-filters", *self.filters),
            look_box("stw-body", list_box, main),
            look_box("stw-foot", self.status),
            self.guard,
        ]

    def _begin(self, *, skill_id: str, outcome: str, session_id: str) -> None:
        """Set the filters as they were asked for, and show the first turn."""
        known = [value for _, value in OUTCOMES]
        if outcome not in known:
            raise InputError(f"outcome is {outcome!r}; it is one of {', '.join(filter(None, known))}, or ''")
        if skill_id and skill_id not in [value for _, value in self.skill.options]:
            self.skill.options = (*self.skill.options, (readable_lines(skill_id), skill_id))
        self.skill.value, self.outcome.value, self.session.value = skill_id, outcome, session_id
        for control in self.filters:
            self.on_change(control, self._filter)
        self._filter()
        self.say(READING)

    def _filter(self, *, keep: int | None = None) -> None:
        """Find what the filters let through, and show the turn `keep` of it, else the first one."""
        self.found = self.table.find(self.filter)
        self._show(self.found.index(keep) if keep in self.found else 0)

    def _show(self, at: int) -> None:
        """Show the turn at the index `at` of what was found, and the page of the list that it is on."""
        self.at = at
        total = len(self.table.turns)
        counts = counts_words(self.table.count(self.found))
        told = (
            f"{len(self.found):,} of {count_of(total, 'turn')}" if len(self.found) < total else count_of(total, "turn")
        )
        self.head.value = Markup('<div class="stw-head"><h2>{}</h2><p>{}</p></div>').format(told, counts)
        self._draw_list()
        self._draw_turn()
        self.drawn()

    def _draw_list(self) -> None:
        first = self.at - self.at % ROWS
        for place, button in enumerate(self.rows):
            at = first + place
            there = at < len(self.found)
            button.layout.display = "" if there else "none"
            if there:
                button.description = row_words(self.table.turns[self.found[at]])
            (button.add_class if at == self.at and there else button.remove_class)("stw-chosen")
        last = min(first + ROWS, len(self.found))
        shown = f"{first + 1:,}–{last:,} of {len(self.found):,}" if self.found else "No turn fits these filters."
        self.pages.value = Markup('<p class="stw-note">{}</p>').format(shown)

    def _draw_turn(self) -> None:
        parts = (self.heading, self.turn, self.window, self.why)
        if not self.found:
            for part in parts:
                part.value = ""
            return
        place = self.found[self.at]
        turn, window = self.table.turns[place], self.table.window(place)
        number = window.index(place) + 1 if window else 1
        context = read_context(turn, number=number, of=max(len(window), 1))
        event_id = turn.event_id or ""
        heading = turn_heading(context.question, place=self.at + 1, total=len(self.found))
        self.heading.value = Markup("<h3>{}</h3>").format(heading)
        self.turn.value = turn_view(context.question)
        self.window.value = window_view(self.table, place)
        use, event = self.table.uses.get(event_id), self.table.events.get(event_id)
        self.why.value = verdict_view(turn, context, use=use, event=event)

    def _choose_row(self, place: int) -> None:
        at = self.at - self.at % ROWS + place
        if at < len(self.found):
            self._show(at)
            self.say(READING)

    def _step(self, step: int) -> None:
        if not 0 <= self.at + step < len(self.found):
            self.say(f"This is the {'last' if step > 0 else 'first'} turn of these.")
            return
        self._show(self.at + step)
        self.say(READING)

    def _to_complaint(self, step: int) -> None:
        there = self.table.complaint_beside(self.found, self.at, step=step)
        if there is None:
            self.say(f"No complaint {'after' if step > 0 else 'before'} this turn.")
            return
        self._show(there)
        self.say(READING)

    def _to_use(self) -> None:
        """Go to the first turn after the use, whatever the filters say."""
        window = self.table.window(self.found[self.at]) if self.found else []
        if not window:
            self.say("This turn stands after no use of a skill.")
            return
        turn = self.table.turns[window[0]]
        if window[0] not in self.found:
            self._clear()
        self._filter(keep=window[0])
        use, event = self.table.uses.get(turn.event_id or ""), self.table.events.get(turn.event_id or "")
        told, where = use_words(use, event=event)
        self.say("The use: ", told, f" ({where}). This is the first turn after it.")

    def _keep_session(self) -> None:
        """Show the session of this turn alone, whole."""
        if not self.found:
            return
        place = self.found[self.at]
        self._clear(session_id=self.table.turns[place].session_id)
        self._filter(keep=place)
        self.say("Only this session; ", "all turns", " shows the others again.")

    def _show_all(self) -> None:
        place = self.found[self.at] if self.found else None
        self._clear()
        self._filter(keep=place)
        self.say("All turns.")

    def _clear(self, *, session_id: str = "") -> None:
        """Empty the filters."""
        for control in self.filters:
            control.value = ""
        self.session.value = session_id


def _choices(values: list[str]) -> list[tuple[str, str]]:
    return [(readable_lines(value), value) for value in values]


def _guard() -> Guard:
    """The keys of the browser, and its names for a screen reader."""
    return Guard(
        presses={key: f".stw-go-{key}" for key in "kjpnusa"},
        attributes={
            ".stw-browser": {"role": "region", "aria-label": "Browse turns"},
            ".stw-filters": {"role": "group", "aria-label": "Filters"},
            ".stw-queue": {"role": "group", "aria-label": "Turns"},
            ".stw-item:not(.stw-chosen)": {"aria-current": "false"},
            ".stw-item.stw-chosen": {"aria-current": "true"},
            ".stw-status": {"role": "status", "aria-live": "polite", "tabindex": "-1"},
        },
        home=".stw-status",
        rows=".stw-item",
        current=".stw-item.stw-chosen",
    )
