"""A turn with what is said in it and what stood around it."""

from dataclasses import dataclass

from skilltune.mining.asking import Asked, read_agent
from skilltune.mining.signals import Signals, read_signals
from skilltune.records import Channel

__all__ = ["Situation"]


@dataclass(frozen=True, slots=True)
class Situation:
    """A turn with what is said in it and what stood around it."""

    signals: Signals
    previous_agent: str
    channel: str
    decision: str
    interrupted: bool
    ended_in_error: bool
    previous_prompt: str
    tool: str
    begins: bool = False
    """Nothing at all came before: there is no work that it could judge."""

    @classmethod
    def of(
        cls,
        text: str,
        *,
        previous_agent: str = "",
        channel: Channel = "message",
        decision: str = "",
        tool: str = "",
        interrupted: bool = False,
        ended_in_error: bool = False,
        previous_prompt: str = "",
        begins: bool = False,
    ) -> "Situation":
        """The situation of a turn that says `text`; the rest as in ``classifier.classify_outcome``."""
        signals = read_signals(text)
        return cls(
            signals, previous_agent, channel, decision, interrupted, ended_in_error, previous_prompt, tool, begins
        )

    @property
    def asked(self) -> Asked | None:
        """What the agent asked before."""
        return read_agent(self.previous_agent) if self.previous_agent else None

    @property
    def declines_politely(self) -> bool:
        """Whether the turn opens with a polite no."""
        refusal = self.signals.opening.first("refusal") if self.signals.opening else None
        return refusal is not None and refusal.opens and refusal.rule.endswith("polite")

    @property
    def replies(self) -> bool:
        """Whether the turn answers a question other than whether the work is right: a wish is then no objection.

        A choice is answered by whatever is said, an offer by what opens with a yes.
        """
        asked, opening = self.asked, self.signals.opening
        if asked is None or not asked.question or asked.checks:
            return False
        first = opening.first("ack", "okay", "go_on", "pick") if opening else None
        return asked.choice or bool(first and first.opens)

    @property
    def answers(self) -> bool:
        """Whether the turn takes up what the agent asked, so that it is no request that stands by itself."""
        return self.asked is not None and self.asked.taken_up_by(self.signals.reading.prose.text)
