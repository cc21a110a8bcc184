"""Every state a skill can be in when its refinement is asked for, made by real files and commands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.cli.people import BODY, FIX, HEAD, SKILL, TABS, Desk

OUTPUT = ("a tall tale of mistakes", "a short list of mistakes")
"""A correction of what the skill makes, not of its text."""
COMPLAINTS = ("No, wrong: the semicolons are missing",) * 3
STAMPED = HEAD.replace("---\n", "---\nmetadata:\n  skilltune-version: '2'\n", 1) + BODY


@dataclass(frozen=True)
class State:
    """How to get there, what ``refine --check`` calls it, its exit code, and the command that moves on."""

    make: Callable[[Desk, Callable[..., list]], None]
    status: str
    code: int
    step: tuple[str, ...]
    step_code: int = 0


def complain(desk: Desk, talk: Callable[..., list]) -> None:
    """Three complaints of one kind in three sessions, mined."""
    for number, said in enumerate(COMPLAINTS):
        desk.machine.session(f"s{number}", talk(f"s{number}", said, skill=SKILL))
    desk.run("mine")


def refined(desk: Desk, _talk: Callable[..., list]) -> None:
    """Refined just now."""
    desk.lines(*[FIX] * 3)
    desk.approve()


def rejected(desk: Desk, _talk: Callable[..., list]) -> None:
    """The one change there is was rejected."""
    desk.lines(*[FIX] * 3)
    desk.at_terminal("refine", SKILL, "--reject", desk.shown()["digest"])


def drifted(desk: Desk, _talk: Callable[..., list]) -> None:
    """Edited far from what was first seen."""
    desk.run("drift", SKILL)
    desk.write(HEAD + "# Lint\n\n" + "Something else altogether is said in this place now. " * 12)
    desk.lines(*[FIX] * 3)


def damaged(desk: Desk, _talk: Callable[..., list]) -> None:
    """The audit log was edited."""
    refined(desk, _talk)
    desk.log.write_text(desk.log.read_text().replace('"approve"', '"reject"', 1))


def recorded(*corrections: tuple[str, str], before: str = "") -> Callable[[Desk, Callable[..., list]], None]:
    """Corrections in the ledger, and the skill's text where it is another one."""

    def make(desk: Desk, _talk: Callable[..., list]) -> None:
        if before:
            desk.write(before)
        desk.lines(*corrections)

    return make


BIG = (TABS[0], "Use spaces " + "and explain at length why spaces are wanted " * 4)
STATES: Mapping[str, State] = {
    "nothing recorded": State(recorded(), "too few", 1, ("feedback", "candidates", SKILL)),
    "no repeat": State(recorded(FIX, TABS, OUTPUT), "too few", 0, ("feedback", "candidates", SKILL)),
    "ready": State(recorded(*[FIX] * 3), "ready", 0, ("refine", SKILL)),
    "word it": State(complain, "word it", 0, ("refine", SKILL)),
    "choose": State(recorded(*[(OUTPUT[0], OUTPUT[1])] * 3), "choose", 0, ("refine", SKILL), 1),
    "over bounds": State(recorded(*[BIG] * 3), "over the bound", 0, ("refine", SKILL), 3),
    "agreement": State(
        recorded(*[FIX] * 3, (FIX[0], "npm run lint"), (FIX[0], "make lint")),
        "disagreement",
        0,
        ("feedback", SKILL, "--ids"),
    ),
    "contradiction": State(recorded(*[FIX] * 3, *[FIX[::-1]] * 2), "held", 1, ("contradictions", SKILL)),
    "cooldown": State(refined, "in cooldown", 1, ("refine", SKILL), 1),
    "rejected": State(rejected, "rejected", 0, ("history", SKILL)),
    "drift": State(drifted, "drift reached", 0, ("drift", SKILL)),
    "no baseline": State(
        recorded(*[FIX] * 3, before=STAMPED), "no baseline", 0, ("refine", SKILL, "--allow-missing-baseline")
    ),
}
