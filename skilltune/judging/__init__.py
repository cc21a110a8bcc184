"""A judge the person turns on: a model of theirs that labels turns, checked on their own labels.

A judge is any callable from a list of questions to a list of answers, or the person's own agent, or any program that
reads a prompt and prints JSON (``command.command_judge``). It is off by default. What it is given is redacted; its
answers are labels of its own (``judge:NAME``), which override nobody's and are used only once they were scored on
turns that the person labelled, and the person says so. Each name is loaded when it is first used.

- ``judge_turns`` puts questions to a judge, ``plan_sending`` says what that would send;
- ``open_judging`` does so for a workspace and its config: ``.plan``, then ``.send(consent=True)``;
- ``score_judge`` measures it, ``usable_answers`` gives its uses to ``corrected_rate(judged=...)``, and
  ``answers_to_use`` those that a workspace's corrected rates have in them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skilltune.errors import JudgeFailed
    from skilltune.judging.answers import Answer, Judge, Judged, NotJudged
    from skilltune.judging.command import CommandJudge, command_judge
    from skilltune.judging.scoring import score_judge
    from skilltune.judging.turns import SendPlan, judge_turns, plan_sending
    from skilltune.judging.using import answers_to_use, usable_answers
    from skilltune.judging.working import Judging, open_judging

__all__ = [
    "Answer",
    "CommandJudge",
    "Judge",
    "JudgeFailed",
    "Judged",
    "Judging",
    "NotJudged",
    "SendPlan",
    "answers_to_use",
    "command_judge",
    "judge_turns",
    "open_judging",
    "plan_sending",
    "score_judge",
    "usable_answers",
]

_HOMES = {
    "skilltune.errors": ("JudgeFailed",),
    "skilltune.judging.answers": ("Answer", "Judge", "Judged", "NotJudged"),
    "skilltune.judging.command": ("CommandJudge", "command_judge"),
    "skilltune.judging.scoring": ("score_judge",),
    "skilltune.judging.turns": ("SendPlan", "judge_turns", "plan_sending"),
    "skilltune.judging.using": ("answers_to_use", "usable_answers"),
    "skilltune.judging.working": ("Judging", "open_judging"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'skilltune.judging' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
