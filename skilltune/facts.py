"""Facts: what is expensive to read of a session, kept once; everything later is computed from them.

A source (``skilltune/sources``) turns one file into a ``FileFacts``. Its sessions hold *items* in file order:
what a person did (``TurnFact``, ``CommandFact``) and each use of a skill (``UseFact``). What the agent did between
an item and the next one is that item's ``work``. Facts hold no verdicts: those belong to ``skilltune.mining``.
"""

from typing import Literal

from msgspec import Struct

__all__ = [
    "AgentName",
    "CommandFact",
    "FileFacts",
    "Item",
    "Problem",
    "SessionFacts",
    "SubagentFacts",
    "Tokens",
    "TurnFact",
    "UseFact",
    "Work",
]

AgentName = str
"""The name of an agent, as its source has it: ``claude-code``, ``codex``, ``opencode`` …"""

FACTS_VERSION = 7
"""Changes whenever a reader would give other facts for the same file; every ``FileFacts`` carries it."""


class Tokens(Struct, frozen=True, array_like=True):
    """Tokens of the API messages of one stretch of work, each message counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0


class Work(Struct, frozen=True, array_like=True):
    """What the agent did between an item and the next one."""

    tools: tuple[str, ...] = ()
    """Names of the tools called, distinct, in order of the first call (the Skill tool left out)."""
    edited: tuple[str, ...] = ()
    """Paths written by edit tools (as given) and SKILL.md files written by shell commands, distinct, at most 200."""
    touched: tuple[str, ...] = ()
    """Other paths that tool inputs name (read, searched), distinct, at most 50."""
    commands: tuple[str, ...] = ()
    """Shell commands that contain the word ``git`` and were neither refused nor failed, in order, each cut at 2,000
    characters, at most 200."""
    errors: int = 0
    """Tool results flagged as errors that are no denial by a person."""
    ended_in_error: bool = False
    """The last tool result before the next item was such an error."""
    said: str = ""
    """The last text the agent wrote, its last ``AGENT_TEXT_CHARS`` characters."""
    attributed: str = ""
    """``attributionSkill`` of the last agent record that carries one."""
    model: str = ""
    """Model of the last agent record."""
    tokens: Tokens = Tokens()
    ended: int | None = None
    """Microseconds since 1970 UTC of the agent's last record."""
    aside: Tokens = Tokens()
    """Tokens of sub-agents whose records stand here, in the session's own file."""


class TurnFact(Struct, frozen=True, array_like=True, tag="turn"):
    """One thing a person typed or decided."""

    line: int
    """1-based line of its record."""
    uuid: str
    """The record's uuid, or ''. Several turns may come from one record: see ``part``."""
    part: int
    """0 for the first turn of its record, 1 for the second …"""
    at: int | None
    """Microseconds since 1970 UTC; None where the record has no readable timestamp."""
    channel: Literal["message", "answer", "denial", "queued", "steering", "plan", "edit"]
    text: str
    """The person's words, harness tags removed; '' where they only clicked or sent an image."""
    decision: Literal["", "approved", "rejected"] = ""
    """For plan (and denial: always rejected): what the person decided."""
    tool: str = ""
    """For denial, answer, plan, edit: the tool whose call was decided on."""
    interrupted: bool = False
    """The person interrupted the agent just before."""
    rewound: bool = False
    """The person went back to an earlier point: the parent has an older child."""
    image: bool = False
    """The turn carries an image."""
    copied: bool = False
    """Another file owns this record (resume, fork, export); set by ``scan``."""
    work: Work = Work()


class UseFact(Struct, frozen=True, array_like=True, tag="use"):
    """One sign that a skill was used (or asked for); ``mining.invocations`` decides what counts."""

    line: int
    uuid: str
    """The record's uuid, or ''."""
    call_id: str
    """The tool call's own id, or ''."""
    at: int | None
    skill_id: str
    """As named in the record; a leading ``/`` dropped."""
    via: Literal["tool", "slash", "read"]
    form: Literal["skill_tool", "message_first", "name_first", "system", "skill_file", "dollar", "subtask"]
    """Slash: which element came first in a user record; ``system``: a system/local_command record, or typed into the
    queue while the agent worked, with no record of its own later; ``dollar``: ``$name`` in a Codex prompt; ``subtask``:
    OpenCode's part of that name."""
    args: str = ""
    body: bool = False
    """The skill's or command's body was injected next."""
    digest: str = ""
    """First 12 hex digits of the SHA-256 of that body (less base directory and arguments), or ''."""
    base_dir: str = ""
    """The base directory the injected body names, or ''."""
    path: str = ""
    """For ``read``: the SKILL.md path as given, behind the folder that a ``cd`` in the same command names."""
    failed: Literal["", "unknown_skill", "refused", "error"] = ""
    """Why the call was no use."""
    repeat: bool = False
    """The result said that the skill is already loaded."""
    copied: bool = False
    work: Work = Work()
    body_chars: int = 0
    """Length of that body: a command that merely calls a skill has a short one."""


class CommandFact(Struct, frozen=True, array_like=True, tag="command"):
    """A shell command the person typed themselves (``<bash-input>``), or their taking back: an act, no turn."""

    line: int
    uuid: str
    at: int | None
    command: str
    """As typed; ``/undo N`` where the person took back their last N prompts and what was done for them, by a command
    of the agent's own."""
    copied: bool = False
    work: Work = Work()


Item = TurnFact | UseFact | CommandFact


class SessionFacts(Struct, frozen=True, array_like=True):
    """One session as far as one file holds it."""

    session_id: str
    path: str
    agent: AgentName
    agent_version: str = ""
    entrypoint: str = ""
    """How the agent was started (``cli``, ``sdk-cli`` …); ``scripted``, or a word of ``mining.origins.SCRIPTED``, where
    a program started it and nobody was there."""
    project: str = ""
    """The cwd of the first record that has one."""
    last_at: int | None = None
    records: int = 0
    pending: bool = False
    """The file ends in an unfinished line: its last turn may still change."""
    lead: Work = Work()
    """What the agent did before the first item."""
    items: tuple[Item, ...] = ()
    first_at: int | None = None
    """Stamp of the first record that has one."""
    available: int | None = None
    """Skills that the program's records list as available; None where none does."""
    forked_from: str = ""
    """The session that this one is a fork or branch of, where its records say so."""


class SubagentFacts(Struct, frozen=True, array_like=True):
    """What a sub-agent spent that has a file of its own; it holds no turns of a person."""

    session_id: str
    """The session that started it, by its records, else by its folder; '' where neither tells."""
    path: str
    uuid: str = ""
    """That of its first message, or ''; two files with the same are copies."""
    started: int | None = None
    """Microseconds since 1970 UTC of the first message that has a stamp."""
    tokens: Tokens = Tokens()


class Problem(Struct, frozen=True, array_like=True):
    """A line that could not be used."""

    line: int
    reason: str


class FileFacts(Struct, frozen=True, array_like=True):
    """Everything kept of one file."""

    path: str
    size: int = 0
    skipped: str = ""
    """Why the whole file is no session (``subagent``, ``not_a_session`` …), or ''."""
    records: dict[str, int] = {}
    """Records by what became of them (``turn``, ``use``, ``agent``, ``tool_result``, a reason for being dropped …).

    The values add up to the number of records in the file.
    """
    unknown_types: dict[str, int] = {}
    """Record types the reader does not know, and ``<tags>`` of the harness, with their number."""
    problems: tuple[Problem, ...] = ()
    """The first 100 damaged lines."""
    sessions: tuple[SessionFacts, ...] = ()
    subagents: tuple[SubagentFacts, ...] = ()
    """Sub-agents in a file that is theirs (``skipped`` is ``subagent``)."""
    version: int = FACTS_VERSION
    """Facts of another version than ``FACTS_VERSION`` have to be read again."""
    unknown_fields: dict[str, int] = {}
    """``type.field`` of the first records of each type whose names the reader does not know, with their number."""
