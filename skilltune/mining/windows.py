"""The influence window of a use: which turns can judge it, and what they add up to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skilltune.facts import CommandFact, Item, SessionFacts, TurnFact, UseFact, Work
from skilltune.limits import CONFIDENCE, IMPLICIT_MIN_CHARS
from skilltune.mining.attribution import attribute_turn
from skilltune.mining.folding import width
from skilltune.mining.invocations import Use, join_work
from skilltune.mining.outcomes import Verdict, is_new_request
from skilltune.mining.reverts import Discard, find_discards, prompts_undone, takes_back
from skilltune.records import Attribution

__all__ = [
    "TAKEN_BACK",
    "Discarded",
    "Judgement",
    "Window",
    "WindowTurn",
    "discarded_by_item",
    "goes_on",
    "judge_window",
    "read_window",
]

_STRENGTH = {"revert": 5, "redo": 4, "partial": 3, "rejection": 2}
_EXPLICIT = 1
TAKEN_BACK: Final = "command.revert"
"""The rule where no words decided but a command, or the agent's own ``/undo``, that took the work back."""


@dataclass(frozen=True, slots=True)
class WindowTurn:
    """A turn in a window: its item's place in the session, its number in the window, what it says and of what."""

    at: int
    number: int
    fact: TurnFact
    verdict: Verdict
    attribution: Attribution
    before: Work
    """What the agent did from the use up to this turn."""

    @property
    def decides(self) -> bool:
        """Whether the turn may decide the outcome of the use."""
        return self.attribution != "weak"


@dataclass(frozen=True, slots=True)
class Window:
    """The turns after a use that can judge it.

    `taken_back` is the number of turns after which work was discarded by command (0: by the person before any turn),
    None where it was not. `ended`: the next use closed the window; `open`: the session could still add turns.
    """

    turns: tuple[WindowTurn, ...]
    taken_back: int | None
    self_reverted: bool
    ended: bool
    open: bool
    until: int
    """Index of the first item past the window: the turn after its last, the next use, or the number of items."""

    @property
    def weak_complaints(self) -> int:
        """Complaints in the window that may not decide the outcome of the use."""
        return sum(turn.verdict.complains and not turn.decides for turn in self.turns)

    @property
    def interrupted(self) -> bool:
        """Whether a turn of the window came after an interrupt."""
        return any(turn.fact.interrupted for turn in self.turns)

    @property
    def rewound(self) -> bool:
        """Whether a turn of the window came after the person went back to an earlier point."""
        return any(turn.fact.rewound for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a window adds up to: the verdict, and the turn that decided (None: a command before any turn)."""

    verdict: Verdict
    turn: WindowTurn | None


@dataclass(frozen=True, slots=True)
class Discarded:
    """What was discarded for good after one item: by what the person typed, and by the agent's work."""

    typed: tuple[Discard, ...] = ()
    worked: tuple[Discard, ...] = ()


_NOTHING = Discarded()
Classify = Callable[[int], Verdict]


def discarded_by_item(session: SessionFacts) -> Mapping[int, Discarded]:
    """What commands discarded for good, by the place of the item among the session's items."""
    stretches: list[Sequence[str]] = [session.lead.commands]
    for item in session.items:
        stretches += [(item.command,) if isinstance(item, CommandFact) else (), item.work.commands]
    found = find_discards(stretches)[1:]
    pairs = enumerate(zip(found[::2], found[1::2], strict=True))
    discarded = {at: Discarded(typed, worked) for at, (typed, worked) in pairs if typed or worked}
    for at, item in enumerate(session.items):
        if isinstance(item, CommandFact) and (count := prompts_undone(item.command)):
            since = _nth_last_prompt(session.items[:at], count)
            discarded[at] = Discarded((Discard("undo", since=since),), discarded.get(at, _NOTHING).worked)
    return discarded


def _nth_last_prompt(items: Sequence[Item], count: int) -> int:
    """The place of the prompt that is the `count`-th from the end; 0 where there are not so many."""
    prompts = [at for at, item in enumerate(items) if _is_prompt(item)]
    return prompts[-count] if count <= len(prompts) else 0


def _is_prompt(item: Item) -> bool:
    """Whether a person began a piece of work with the item; a ``$name`` stands in a prompt that is a turn."""
    if isinstance(item, TurnFact):
        return item.channel in ("message", "queued")
    return isinstance(item, UseFact) and item.via == "slash" and item.form != "dollar"


def read_window(
    session: SessionFacts,
    *,
    use: Use,
    end: int | None,
    turns: int,
    classify: Classify,
    discarded: Mapping[int, Discarded],
) -> Window:
    """The window of `use`.

    Parameters
    ----------
    session
        The facts.
    use
        The use.
    end
        Index of the item with which the next use begins, None for the last use.
    turns
        Number of human turns the window holds.
    classify
        Gives the verdict on the turn at an index of the session's items.
    discarded
        What was discarded after the item at an index (``discarded_by_item``).

    Notes
    -----
    An answer without a complaint uses up no turn, nor does a change of a file that a formatter may have made. A
    request that stands by itself is the last full turn; later ones are weak unless they name the skill or what its
    run touched. A turn past the last one does not belong to it.
    """
    found: list[WindowTurn] = []
    works, number, moved_on, full = [use.work], 0, False, False
    taken_back: int | None = None
    until = len(session.items) if end is None else end
    cleaned = any(takes_back(discarded[at].worked) for at in range(use.at, use.until + 1) if at in discarded)
    for at, item in enumerate(session.items[use.until + 1 : until], use.until + 1):
        if isinstance(item, TurnFact):
            if number >= turns:
                full, until = True, at
                break
            turn = _window_turn(
                item, at=at, number=number, use=use, works=works, moved_on=moved_on, verdict=classify(at)
            )
            found.append(turn)
            number = turn.number
            moved_on = moved_on or goes_on(turn)
        gone = discarded.get(at, _NOTHING)
        if taken_back is None and _takes_back(gone, found, works, use=use):
            taken_back = number
        cleaned = cleaned or (not found and takes_back(gone.worked))
        works.append(item.work)
    return Window(
        tuple(found),
        taken_back,
        self_reverted=cleaned,
        ended=end is not None,
        open=end is None and not full and number < turns,
        until=until,
    )


def judge_window(window: Window) -> Judgement | None:
    """What the turns of `window` add up to, or None where nothing in it judges the use.

    The strongest signal counts, the earliest of equals: revert, redo, partial, rejection, explicit acceptance; where no
    turn complains or is in a language without a lexicon, going on to other work is an implicit acceptance.
    """
    deciding = [turn for turn in window.turns if turn.decides]
    best = max(deciding, key=_strength, default=None)
    if window.taken_back is not None and (best is None or _strength(best) < _STRENGTH["revert"]):
        return _taken_back(window, deciding)
    if best is not None and _strength(best) > 0:
        return Judgement(best.verdict, best)
    if any(turn.verdict.reason == "language" for turn in deciding):
        return None
    return next((_implicit(turn) for turn in deciding if goes_on(turn)), None)


def goes_on(turn: WindowTurn) -> bool:
    """Whether the turn asks for other work, at some length: a request that stands by itself."""
    return is_new_request(turn.verdict) and width(turn.fact.text.strip()) > IMPLICIT_MIN_CHARS


def _window_turn(
    item: TurnFact, *, at: int, number: int, use: Use, works: Sequence[Work], moved_on: bool, verdict: Verdict
) -> WindowTurn:
    spent = 0 if item.channel in ("answer", "edit") and not verdict.complains else 1
    before = join_work(works)
    attribution = attribute_turn(item, use=use, attributed=works[-1].attributed, touched=before, moved_on=moved_on)
    return WindowTurn(at, number + spent, item, verdict, attribution, before)


def _takes_back(gone: Discarded, found: Sequence[WindowTurn], works: Sequence[Work], *, use: Use) -> bool:
    """Whether work of the use is discarded by what the person typed, or by the agent after a turn about the use."""
    told = bool(found) and found[-1].decides
    typed = tuple(discard for discard in gone.typed if discard.since <= use.at)
    discards = typed + (gone.worked if told else ())
    return bool(discards) and takes_back(discards, edited=[path for work in works for path in work.edited])


def _strength(turn: WindowTurn) -> int:
    kind = turn.verdict.correction_type
    if kind is not None:
        return _STRENGTH[kind]
    return _EXPLICIT if turn.verdict.outcome == "acceptance" else 0


def _taken_back(window: Window, deciding: Sequence[WindowTurn]) -> Judgement:
    """A revert by command, told by the last turn before it."""
    before = [turn for turn in deciding if turn.number <= (window.taken_back or 0)]
    told = before[-1] if before else None
    said = told.verdict if told else None
    return Judgement(
        Verdict(
            outcome="correction",
            correction_type="revert",
            confidence=CONFIDENCE["revert"],
            dimension=(said.dimension if said else None) or "unknown",
            rule=TAKEN_BACK,
            language=said.language if said else "",
        ),
        told,
    )


def _implicit(turn: WindowTurn) -> Judgement:
    return Judgement(
        Verdict(
            outcome="acceptance",
            confidence=CONFIDENCE["implicit"],
            rule=f"implicit.{turn.verdict.rule}",
            language=turn.verdict.language,
            p_negative=turn.verdict.p_negative,
            p_acceptance=turn.verdict.p_acceptance,
        ),
        turn,
    )
