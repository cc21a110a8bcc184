"""A judge that is a program: an agent of the person's, or any program that reads the prompt and prints JSON."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skilltune.errors import InputError, JudgeFailed
from skilltune.judging.agents import AGENTS, Agent, check_model, read_plain
from skilltune.judging.answers import Answer
from skilltune.judging.parsing import parse_answers
from skilltune.judging.processes import find_program, run_program
from skilltune.judging.prompt import build_prompt
from skilltune.judging.redaction import redact_text
from skilltune.labelling.questions import Question
from skilltune.mining.origins import OWN_RUN_FOLDER
from skilltune.stores.config import JudgeConfig
from skilltune.stores.files import make_folder

__all__ = ["CommandJudge", "command_judge", "judge_folder", "judge_name"]

_DETAIL_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandJudge:
    """A callable that puts each batch of redacted questions to a program; `command_judge` makes one."""

    name: str
    argv: tuple[str, ...]
    """The program's whole path and its arguments."""
    folder: Path
    """Where it is run; mining knows its sessions by that."""
    agent: Agent
    model: str = ""
    timeout_seconds: float = 120

    @property
    def key(self) -> str:
        """What its answers depend on besides the question: an answer of another program or model is another one."""
        return "\0".join((self.name, Path(self.argv[0]).name, *self.argv[1:], self.model))

    def __call__(self, questions: list[Question]) -> "list[Answer]":
        """The answers of the program; turns it says nothing usable of are left out.

        Raises
        ------
        JudgeFailed
            not_started, timeout, too_much_output, exit, failed, format, empty, refused or no_json.
        """
        return list(self.ask(questions).answers.values())

    def ask(self, questions: Sequence[Question]) -> "BatchAnswers":
        """As calling it, with why each turn left out has no answer."""
        prompt = build_prompt(questions)
        make_folder(self.folder)
        done = run_program(
            self.argv,
            text=prompt.text,
            folder=self.folder,
            environment=self._environment(),
            timeout_seconds=self.timeout_seconds,
        )
        try:
            words = self.agent.read(done.output)
        except JudgeFailed as error:
            said = error.detail or done.errors
            reason = "exit" if done.code and error.reason == "format" else error.reason
            raise JudgeFailed(reason, detail=_detail(said, code=done.code)) from error
        if done.code:
            raise JudgeFailed("exit", detail=_detail(done.errors or words, code=done.code))
        try:
            parsed = parse_answers(words, ids=prompt.ids)
        except JudgeFailed as error:
            raise JudgeFailed(error.reason, detail=_detail(words, code=0)) from error
        faults = {(prompt.ids[name].event_id, prompt.ids[name].turn_id): why for name, why in parsed.faults.items()}
        answers = {(answer.event_id, answer.turn_id): answer for answer in parsed.answers.values()}
        return BatchAnswers(answers, faults, parsed.unknown_ids)

    def _environment(self) -> dict[str, str]:
        """The person's own environment, with what the program needs set and cleared."""
        kept = {name: value for name, value in os.environ.items() if name not in self.agent.cleared}
        # opencode takes PWD, where it is set, for the folder it is in, and files the session under it
        here = {"PWD": str(self.folder)} if "PWD" in kept else {}
        return kept | here | dict(self.agent.environment)


@dataclass(frozen=True, slots=True)
class BatchAnswers:
    """What a program said of one batch; turns are named by event id and turn id."""

    answers: dict[tuple[str, str], Answer]
    faults: dict[tuple[str, str], str]
    unknown_ids: int = 0


def command_judge(settings: JudgeConfig, *, workspace: Path) -> CommandJudge:
    """The judge that ``[judge]`` of a config describes.

    Nothing is started before it is called.

    Parameters
    ----------
    workspace
        The workspace's folder; the program is run in a folder of its own below it.

    Raises
    ------
    InputError
        When neither an agent nor a command is named, the program is not installed, or it takes no model.
    """
    if settings.agent:
        agent = AGENTS[settings.agent]
        argv = agent.command(settings.model)
    elif settings.command:
        agent = Agent(name=judge_name(settings), program=settings.command[0], arguments=(), read=read_plain)
        argv = settings.command
    else:
        raise InputError(
            f'no judge is named; write agent = "{next(iter(AGENTS))}" (or {", ".join(list(AGENTS)[1:])}), or '
            'command = ["PROGRAM", "ARGUMENT"], under [judge] in config.toml, or say --agent'
        )
    if settings.model and not agent.model_flag:
        raise InputError("[judge] model goes with an agent; write the model among the arguments of your command")
    if settings.model and not check_model(settings.model):
        raise InputError(f"{settings.model!r} is no name of a model; write it as the program's --help does")
    return CommandJudge(
        name=judge_name(settings),
        argv=(str(find_program(argv[0])), *argv[1:]),
        folder=judge_folder(workspace),
        agent=agent,
        model=settings.model,
        timeout_seconds=settings.timeout_seconds,
    )


def judge_name(settings: JudgeConfig) -> str:
    """What the judge of a config is called in its labels: agent or program, with the model; '' where none is named."""
    if settings.agent:
        return f"{settings.agent}@{settings.model}" if settings.model else settings.agent
    return _plain_name(settings.command[0]) if settings.command else ""


def judge_folder(workspace: Path) -> Path:
    """The folder to run judges in: ``judge`` of a workspace, its last two names those that mining looks for."""
    real = workspace.resolve()
    marker, name = OWN_RUN_FOLDER
    return real / name if real.name == marker else real / marker / name


def _plain_name(program: str) -> str:
    """A program's name without folder and ending, as a reader's name."""
    stem = Path(program.replace("\\", "/")).name
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", re.sub(r"\.(exe|cmd|bat|com|py|sh)\Z", "", stem, flags=re.IGNORECASE))
    return plain.strip(".-") or "command"


def _detail(text: str, *, code: int) -> str:
    """The end of what a program said, fit to be shown: one line, secrets masked."""
    shown = redact_text(" ".join(text[-2_000:].split()), max_chars=_DETAIL_CHARS)
    return f"exit {code}{': ' if shown else ''}{shown}" if code else shown
