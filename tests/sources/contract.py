"""What the tests of an agent give, and get the whole contract suite (``test_contract.py``) for it.

An agent's tests lie in ``tests/sources/<package>/``, the package named as the one in ``skilltune/sources``; a module
``contract.py`` there has these names, which ``find_fixtures`` collects as a ``Fixture``:

``AGENT : str``
    The agent's name in ``SOURCES``.
``SHAPES : tuple[str, ...]``
    Names of the shapes its sessions have on disk that can hold a whole conversation, today's first. A shape that cannot
    (a stream without prompts, say) has tests of its own and does not stand here.
``environment(home: Path) -> dict[str, str]``
    Variables under which the agent keeps its sessions somewhere below `home` (an empty folder): its
    ``default_roots()`` must then all lie below it. ``HOME`` is set to `home` by the suite; give only what else it
    takes, '' for a variable that must not be heeded.
``write_conversation(folder: Path, steps: Sequence[Step], *, session: str, shape: str) -> Path``
    Writes the steps as one session with the id `session` below `folder`, laid out as below a root of the agent, and
    returns the path that ``find_files(folder)`` gives for it (whose facts hold it). Folders are made as needed.
    The same arguments give the same bytes, ids included, so that a second folder holds a copy. Ids and stamps depend on
    `session` and the step's number: two sessions share no id of a record. Stamps begin at 2026-01-05T10:00:00Z and go
    up by seconds. The path may hold other sessions only where the shape is one database for all.
    An agent that makes its own form of ids may turn `session` (such as ``s1``) into one, always in the same way:
    ``session_id(session)`` then says what the facts call it; without that function they call it `session`.
``write_subagent(folder: Path, words: str, *, session: str, parent: str, shape: str) -> Path`` (or ``None``)
    The same for a sub-agent `session` that the session `parent` started in that folder, with the prompt `words` from
    the agent, one answer to it and 7 tokens in, 3 out. ``None`` where the agent has none.
``read_records(path: Path) -> list[Any]`` and ``write_records(path: Path, records: list[Any]) -> None``
    Every JSON value that the path's session consists of (lines, rows, files), and back; for files of lines
    ``read_json_lines`` and ``write_json_lines`` below are these two: ``from tests.sources.contract import
    read_json_lines as read_records``. ``write_records`` is given as many values as were read, in their order, each
    any JSON value.

What the steps mean is said at each of them. The suite looks at facts and mined events, not at how they are written.
"""

import json
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = [
    "CONVERSATION",
    "Answer",
    "Deny",
    "Edit",
    "Fixture",
    "Inject",
    "Interrupt",
    "Say",
    "Step",
    "Use",
    "find_fixtures",
    "read_json_lines",
    "write_json_lines",
]


@dataclass(frozen=True)
class Say:
    """The person types `text`: one turn of channel ``message``."""

    text: str


@dataclass(frozen=True)
class Use:
    """The agent itself uses `skill`, and it works: a Skill tool, or where there is none a read of its SKILL.md.

    One ``UseFact``, no turn. `body` is the text of the skill, where the agent's logs hold it.
    """

    skill: str
    body: str = "# Tidy\n\nSort the imports.\n"


@dataclass(frozen=True)
class Edit:
    """The agent changes the file `path` (absolute) with its tool for that; the tool's result follows.

    With `fails` the result is an error, by nobody's decision.
    """

    path: str
    fails: bool = False


@dataclass(frozen=True)
class Answer:
    """The agent writes `text` with the model ``m1``; the message cost so many tokens, none of them cached.

    Where the agent counts tokens once a turn, the turn's only message is this one.
    """

    text: str
    input_tokens: int = 10
    output_tokens: int = 5


@dataclass(frozen=True)
class Interrupt:
    """The person stops the agent while it works: a flag on the next turn, no turn of its own."""


@dataclass(frozen=True)
class Inject:
    """The agent's program puts `text` where a person's words stand, in its own form: no turn, counted."""

    text: str


@dataclass(frozen=True)
class Deny:
    """The person refuses a tool call of the agent without a word: a turn of channel ``denial``, and no error."""


Step = Say | Use | Edit | Answer | Interrupt | Inject | Deny

CONVERSATION: tuple[Step, ...] = (
    Say("Please tidy the imports of the cart."),
    Use("tidy"),
    Edit("/home/dev/shop/cart.py"),
    Answer("I sorted the imports.", input_tokens=100, output_tokens=20),
    Say("No, that's wrong, you broke the order of the imports."),
    Edit("/home/dev/shop/cart.py", fails=True),
    Interrupt(),
    Say("Leave the file as it was."),
    Answer("It is as it was.", input_tokens=50, output_tokens=4),
    Inject("The check failed: that is wrong, undo it."),
    Deny(),
    Say("Thanks, that is all."),
)
"""A use, a correction of it, a failed edit, an interrupt, a machine's words, a refusal, 150 tokens in and 24 out.

Whoever writes it keeps to: the project ``/home/dev/shop``, some version of the agent, in every record that tells them.
"""


@dataclass(frozen=True)
class Fixture:
    """What an agent's ``contract.py`` gives."""

    agent: str
    shapes: tuple[str, ...]
    environment: Callable[[Path], dict[str, str]]
    write_conversation: Callable[..., Path]
    write_subagent: Callable[..., Path] | None
    read_records: Callable[[Path], list[Any]]
    write_records: Callable[[Path, list[Any]], None]
    session_id: Callable[[str], str]


def find_fixtures() -> dict[str, Fixture]:
    """Agent name → its fixture, for every package beside this module that has a ``contract`` module."""
    here = Path(__file__).parent
    packages = [
        found.name for found in pkgutil.iter_modules([str(here)]) if (here / found.name / "contract.py").exists()
    ]
    fixtures = [_fixture(import_module(f"tests.sources.{name}.contract")) for name in sorted(packages)]
    return {fixture.agent: fixture for fixture in fixtures}


def _fixture(module: ModuleType) -> Fixture:
    return Fixture(
        agent=module.AGENT,
        shapes=module.SHAPES,
        environment=module.environment,
        write_conversation=module.write_conversation,
        write_subagent=module.write_subagent,
        read_records=module.read_records,
        write_records=module.write_records,
        session_id=getattr(module, "session_id", str),
    )


def read_json_lines(path: Path) -> list[Any]:
    """The value of each line."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_json_lines(path: Path, records: Sequence[Any]) -> None:
    """One value a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
