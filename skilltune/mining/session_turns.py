"""The turns of one session: each in its situation, with the verdict on it, made when it is asked for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from skilltune.facts import SessionFacts, SubagentFacts, Tokens, TurnFact, Work
from skilltune.mining.classifier import judge_turn
from skilltune.mining.invocations import Use
from skilltune.mining.labelled import AskedUse, ask_use
from skilltune.mining.model import Model
from skilltune.mining.outcomes import Verdict
from skilltune.mining.retries import find_requests
from skilltune.mining.rows import turn_row
from skilltune.mining.situation import Situation
from skilltune.mining.windows import Discarded, Window, WindowTurn, discarded_by_item
from skilltune.records import Turn

__all__ = ["SessionTurns"]


_NO_TOKENS = Tokens()


class SessionTurns:
    """A session whose turns are classified when they are asked for, each once.

    Parameters
    ----------
    session
        The facts.
    model
        The classifier beside the rules; None for the rules alone.
    aside
        Sub-agents in files of their own, by the item after which they began.
    """

    def __init__(
        self,
        session: SessionFacts,
        *,
        model: Model | None,
        aside: Mapping[int, Sequence[SubagentFacts]] = MappingProxyType({}),
    ) -> None:
        self.session, self._model, self.aside = session, model, aside
        self._verdicts: dict[int, Verdict] = {}

    def classify(self, at: int) -> Verdict:
        """The verdict on the turn at the place `at` of the session's items."""
        if at not in self._verdicts:
            self._verdicts[at] = judge_turn(self.situation(at), model=self._model)
        return self._verdicts[at]

    def situation(self, at: int) -> Situation:
        """The turn at the place `at` with what stood around it."""
        item, work = self.session.items[at], self._work_before(at)
        assert isinstance(item, TurnFact)  # noqa: S101  # only turns are asked for
        return Situation.of(
            item.text,
            previous_agent=work.said,
            channel=item.channel,
            decision=item.decision,
            tool=item.tool,
            interrupted=item.interrupted,
            ended_in_error=work.ended_in_error,
            previous_prompt=self._previous_prompts[at],
            begins=at == 0 and not (work.said or work.tools),
        )

    def rows(self, in_window: Mapping[int, tuple[WindowTurn, Use]], *, which: str) -> Iterator[Turn]:
        """The rows of the turns that this file owns: ``all``, those in a ``window``, or ``none``."""
        for at, item in self.turns() if which != "none" else ():
            turn, use = in_window.get(at, (None, None))
            if not item.copied and (turn is not None or which == "all"):
                yield turn_row(
                    self.session,
                    item=item,
                    said=self._work_before(at).said,
                    model=self._models[at],
                    verdict=self.classify(at),
                    turn=turn,
                    use=use,
                )

    def asked(self, window: Window) -> AskedUse:
        """What can be asked about the use of `window`."""
        return ask_use(self.session, window=window, previous_prompts=self._previous_prompts)

    def turns(self) -> Iterator[tuple[int, TurnFact]]:
        """The turns with their places among the session's items."""
        return ((at, item) for at, item in enumerate(self.session.items) if isinstance(item, TurnFact))

    @cached_property
    def discarded(self) -> Mapping[int, Discarded]:
        """What commands discarded for good, by item."""
        return discarded_by_item(self.session)

    @cached_property
    def requests(self) -> Sequence[int]:
        """Places of what a person asked for, in order."""
        return find_requests(self.session)

    @cached_property
    def counts_tokens(self) -> bool:
        """Whether the transcript says of any stretch of work how many tokens it took."""
        works = (self.session.lead, *(item.work for item in self.session.items))
        return any(work.tokens != _NO_TOKENS or work.aside != _NO_TOKENS for work in works)

    @cached_property
    def _models(self) -> Sequence[str]:
        """The model whose work each item answers; of the first work that names one where none does before."""
        works = [self.session.lead, *(item.work for item in self.session.items)]
        last = next((work.model for work in works if work.model), "")
        return [last := work.model or last for work in works[:-1]]

    @cached_property
    def _previous_prompts(self) -> dict[int, str]:
        """The person's message before each turn."""
        found: dict[int, str] = {}
        last = ""
        for at, item in self.turns():
            found[at] = last
            if item.text and item.channel in ("message", "queued"):
                last = item.text
        return found

    def _work_before(self, at: int) -> Work:
        return self.session.items[at - 1].work if at else self.session.lead
