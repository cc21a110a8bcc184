"""From signs of use to invocations: what counts as one use of one skill.

A slash command and the call it leads to are one use, so are reads of the skill's file with no turn between; commands
of the agent itself and the reads of somebody who is writing the skill are none; a call that named no skill, or that the
person refused, is a trigger problem. A ``$name`` in a prompt is a use where the skill's text was given or its file was
read for it; else nobody can tell whether a skill was meant, and it counts as ambiguous.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import takewhile
from pathlib import PurePosixPath, PureWindowsPath

from msgspec import structs

from skilltune.facts import FileFacts, Item, SessionFacts, TurnFact, UseFact, Work
from skilltune.mining.ids import id_in_world

__all__ = ["Use", "Uses", "builtin_commands", "find_invocations", "find_skill_names", "id_of_sign", "join_work"]

STUB_CHARS = 1_000
"""Length up to which a command's body is one that merely calls a skill; a skill of its own has a longer one."""
_STUB_LETTERS = 4
_TRIGGER_PROBLEMS = frozenset({"unknown_skill", "refused"})
_MENTION = re.compile(r"\[\$[^\]\n]{1,200}\]\([^)\n]{0,2000}\)")
"""A skill that is called in a prompt, as some programs write it: a link to its file."""

_NAMED = re.compile(r"(?<![\w/.~$-])[/$]([a-z][\w:-]{0,100})(?![\w/.:-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Use:
    """One use of one skill: the place of its item in the session, and what the signs together tell."""

    at: int
    """Index of its first sign among the session's items."""
    until: int
    """Index of its last sign; what the person did later stands after it."""
    fact: UseFact
    invocation_uuid: str
    work: Work
    """What the agent did from the first sign up to the next item after the last."""
    loaded: bool = False
    """The skill's text is known to have reached the agent, by some sign of the use."""


@dataclass(frozen=True, slots=True)
class Uses:
    """The invocations of a session in order, its trigger problems, and how many signs were dropped why."""

    uses: tuple[Use, ...]
    failed: tuple[Use, ...]
    dropped: Counter[str]


@cache
def builtin_commands(agent: str = "claude-code") -> frozenset[str]:
    """The names of an agent's own commands; empty for an agent without a list."""
    lists = tomllib.loads((files(__package__) / "builtins.toml").read_text(encoding="utf-8"))
    return frozenset(lists.get(agent, "").split())


def find_skill_names(read: Iterable[FileFacts]) -> frozenset[str]:
    """Names that some log proves to be skills: called by the Skill tool, with a body, or a command of the person's."""
    return frozenset(
        item.skill_id
        for file in read
        for session in file.sessions
        for item in session.items
        if isinstance(item, UseFact) and not _is_failed(item) and _proves_skill(item, session)
    )


def find_invocations(session: SessionFacts, *, skills: Collection[str] = (), installed: Collection[str] = ()) -> Uses:
    """The invocations of one session.

    Parameters
    ----------
    session
        The facts.
    skills
        Names known to be skills from other sessions (``find_skill_names``).
    installed
        Names of skills installed here; they settle only what a bare command of the agent's list may be.
    """
    found: list[Use] = []
    failed: list[Use] = []
    dropped: Counter[str] = Counter()
    known = frozenset(skills) | frozenset(installed)
    since_turn = 0
    for index, item in enumerate(session.items):
        if isinstance(item, TurnFact):
            since_turn = len(found)
            dropped["mention"] += _mentions(item, index, session, known)
        elif isinstance(item, UseFact):
            reason = _why_no_use(item, index, session, known)
            if reason:
                dropped[reason] += 1
            elif _is_failed(item):
                failed.append(_first_sign(item, index, session, [*found, *failed]))
            elif (place := _find_same(found, item, index, session.items, first=since_turn)) is not None:
                found[place] = _joined(found[place], item, index)
                dropped["part_of_use"] += 1
            else:
                found.append(_first_sign(item, index, session, [*found, *failed]))
    uses = tuple(use for use in found if not _is_ambiguous(use))
    dropped["ambiguous"] += len(found) - len(uses)
    return Uses(uses, tuple(failed), +dropped)


def _mentions(turn: TurnFact, index: int, session: SessionFacts, known: Collection[str]) -> int:
    """How many known skills a turn names as ``/name`` or ``$name`` without calling them there."""
    named = {name for name in _NAMED.findall(turn.text) if name in known} if known else set()
    if not named:
        return 0
    later = takewhile(lambda item: not isinstance(item, TurnFact), session.items[index + 1 :])
    called = {item.skill_id for item in later if isinstance(item, UseFact) and item.form == "dollar"}
    return len(named - called)


def _why_no_use(item: UseFact, index: int, session: SessionFacts, known: Collection[str]) -> str:
    if not _is_skill(item, session, known):
        return "builtin_command"
    if item.via == "read" and item.failed:
        return "read_failed"
    if item.via == "read" and _is_authoring(item, index, session):
        return "authoring"
    return ""


def _proves_skill(item: UseFact, session: SessionFacts) -> bool:
    return _is_skill(item, session, ()) and (item.body or item.form != "dollar")


def _is_failed(item: UseFact) -> bool:
    """Whether the sign is no use; a call of a skill that ended in an error of another kind is one."""
    return item.failed in _TRIGGER_PROBLEMS or (item.via == "read" and item.failed != "")


def _is_skill(item: UseFact, session: SessionFacts, known: Collection[str]) -> bool:
    """Whether the sign names a skill, in the order the format's rules are asked."""
    if item.form == "subtask":  # its prompt is always there, of the agent's own commands too
        return item.skill_id in known or item.skill_id not in builtin_commands(session.agent)
    if item.via != "slash" or item.body or item.form == "dollar":
        return True
    if item.form == "message_first":
        return item.skill_id not in builtin_commands(session.agent)
    return item.form == "system" and item.skill_id not in builtin_commands(session.agent) and item.skill_id in known


def _is_authoring(item: UseFact, index: int, session: SessionFacts) -> bool:
    """Whether the session also writes the SKILL.md that was read or a file beside it, or the turn before names it."""
    written = [path for part in (session.lead, *(other.work for other in session.items)) for path in part.edited]
    if any(_is_same_file(path, item.path) or _is_beside(path, item.path) for path in written):
        return True
    before = next((other for other in reversed(session.items[:index]) if isinstance(other, TurnFact)), None)
    return before is not None and _names_file(before.text, item.path)


def _is_same_file(one: str, other: str) -> bool:
    """Whether two paths, each perhaps relative, end alike in folder and name."""
    return _parts(one)[-2:] == _parts(other)[-2:]


def _is_beside(path: str, skill_file: str) -> bool:
    """Whether a path lies in the skill's folder, which is known by its own name and that of the one above."""
    above, folder = _parts(path)[:-1], _parts(skill_file)[-3:-1]
    return any(above[at : at + 2] == folder for at in range(len(above) - 1))


def _names_file(text: str, path: str) -> bool:
    text = _MENTION.sub(" ", text)
    folder = "/".join(_parts(path)[-2:])
    return folder.lower() in text.replace("\\", "/").lower() or "skill.md" in text.lower()


def _parts(path: str) -> tuple[str, ...]:
    return PurePosixPath(path.replace("\\", "/")).parts


def _is_ambiguous(use: Use) -> bool:
    """Whether all there is of the use is a ``$name`` that may be a variable's, or a skill's that nobody read."""
    return use.fact.form == "dollar" and not use.fact.body and use.until == use.at


def _find_same(found: Sequence[Use], item: UseFact, index: int, items: Sequence[Item], *, first: int) -> int | None:
    """The place of the use, from `first` on (no human turn since), that `item` is a further sign of.

    A read may go on with any of them: agents open the files of several skills in turn.
    """
    if len(found) <= first:
        return None
    last = len(found) - 1
    if item.via != "read":
        return last if _is_same_use(found[last], item, index, items) else None
    same = (at for at in range(last, first - 1, -1) if _base(found[at].fact.skill_id) == _base(item.skill_id))
    return next(same, None)


def _is_same_use(before: Use, item: UseFact, index: int, items: Sequence[Item]) -> bool:
    """Whether a call, with no human turn since `before`, is a further sign of the same use."""
    same = _base(before.fact.skill_id) == _base(item.skill_id)
    if before.fact.via != "slash" or item.via != "tool":
        return False
    at_once = before.until == before.at and not items[before.at].work.tools
    called = before.fact.body and before.fact.body_chars <= STUB_CHARS and index == before.at + 1
    return same or (at_once and (_is_stub(before.fact, item) or called))


def _is_stub(command: UseFact, call: UseFact) -> bool:
    """Whether a command merely stands for the skill that it calls at once: ``write-plan`` for ``writing-plans``."""
    one, other = _base(command.skill_id), _base(call.skill_id)
    return one[:_STUB_LETTERS] == other[:_STUB_LETTERS] and min(len(one), len(other)) >= _STUB_LETTERS


def _base(skill_id: str) -> str:
    return skill_id.rsplit(":", 1)[-1].lower()


def _first_sign(item: UseFact, index: int, session: SessionFacts, earlier: Sequence[Use]) -> Use:
    taken = {(use.invocation_uuid, use.fact.skill_id) for use in earlier}
    uuid = id_of_sign(item, session=session)
    if (uuid, item.skill_id) in taken:
        own = id_in_world("", call_id=item.call_id, at=item.at, session_id=session.session_id)
        uuid = own if own not in ("", uuid) else f"{_place(session, item)}#{index}"
    fact = _placed(item, _folder_of(item) or _folder_above(item, earlier))
    return Use(index, index, fact, uuid, item.work, _loads(item))


def _loads(item: UseFact) -> bool:
    return item.body or item.repeat or item.via == "read"


def _placed(fact: UseFact, folder: str) -> UseFact:
    """`fact` with the skill's folder where its own record names none."""
    return fact if fact.base_dir or not folder else structs.replace(fact, base_dir=folder)


def _folder_of(item: UseFact) -> str:
    """The folder of the file that was read, where the path tells it."""
    path = item.path
    absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
    return path[: max(path.rfind("/"), path.rfind("\\"))] if absolute else ""


def _folder_above(item: UseFact, earlier: Sequence[Use]) -> str:
    """The folder that an earlier use of the skill named, for a call that was told that it is already loaded."""
    if not item.repeat:
        return ""
    known = (use.fact.base_dir for use in reversed(earlier) if use.fact.skill_id == item.skill_id)
    return next(filter(None, known), "")


def id_of_sign(item: UseFact, *, session: SessionFacts) -> str:
    """The id of the use that `item` would begin: its record's, else its call's, else its place."""
    name = id_in_world(item.uuid, call_id=item.call_id, at=item.at, session_id=session.session_id)
    return name or _place(session, item)


def _place(session: SessionFacts, item: UseFact) -> str:
    """Session, file name, line and time: two files of one name in two folders are told apart by the last."""
    place = f"{session.session_id}:{_parts(session.path)[-1] if session.path else ''}:{item.line}"
    return place if item.at is None else f"{place}:{item.at}"


def _joined(use: Use, item: UseFact, index: int) -> Use:
    """`use` with a further sign: the slash command's record stays its id, the called skill gives it the name."""
    fact = _renamed(use.fact, item) if item.via == "tool" else _placed(use.fact, _folder_of(item))
    loaded = use.loaded or _loads(item)
    return replace(use, until=index, fact=fact, work=join_work([use.work, item.work]), loaded=loaded)


def _renamed(first: UseFact, call: UseFact) -> UseFact:
    """The slash command's fact under the name of the skill it called, with the body that was injected for either."""
    return structs.replace(
        first,
        skill_id=call.skill_id,
        digest=call.digest or first.digest,
        base_dir=call.base_dir or first.base_dir,
        body=first.body or call.body,
    )


def join_work(parts: Sequence[Work]) -> Work:
    """Stretches of work as one: names and paths once, in order; what was said last stays.

    Tokens and times are left out: cost is counted by stretch (``skilltune.mining.costs``).
    """
    return Work(
        tools=tuple(dict.fromkeys(tool for part in parts for tool in part.tools)),
        edited=tuple(dict.fromkeys(path for part in parts for path in part.edited)),
        touched=tuple(dict.fromkeys(path for part in parts for path in part.touched)),
        commands=tuple(command for part in parts for command in part.commands),
        errors=sum(part.errors for part in parts),
        ended_in_error=parts[-1].ended_in_error,
        said=parts[-1].said or (parts[0].said if len(parts) > 1 else ""),
        attributed=next((part.attributed for part in reversed(parts) if part.attributed), ""),
        model=next((part.model for part in reversed(parts) if part.model), ""),
    )
