"""A turn with what is said in it and what stood around it."""

from dataclasses import dataclass

from skilltune.mining.asking import Asked, read_agent
from skilltune.mining.signals import Signals

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
