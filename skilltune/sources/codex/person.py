"""The person's side of a session: prompts, each told by up to three records, and what else only a person does."""

from collections.abc import Sequence
from datetime import datetime
from posixpath import dirname

from msgspec import Raw, structs

from skilltune.facts import CommandFact, TurnFact, UseFact
from skilltune.mining.digests import skill_digest
from skilltune.sources.codex.records import Payload
from skilltune.sources.codex.session import AUTOMATION, Channel, Prompt, Session
from skilltune.sources.codex.words import (
    SkillText,
    Words,
    find_mentions,
    folder_told,
    listed_skills,
    read_skill,
    read_words,
)
from skilltune.sources.session import Entry, microseconds

__all__ = ["add_turn", "has_files", "has_images", "note_list", "note_turn_end", "take_back", "take_prompt"]

_PLAN_TOOL = "update_plan"
_MOST_UNDONE = 10**6 - 1
_NO_IMAGES = (b"", b"null", b"[]")
_IMAGES = frozenset({"image", "input_image", "local_image"})
_FILES = frozenset({"audio", "document", "file", "input_audio", "input_file", "local_file"})


def take_prompt(
    session: Session,
    texts: Sequence[str],
    *,
    channel: Channel,
    at: datetime | None,
    line: int,
    image: bool = False,
    file: bool = False,
) -> str:
    """Take what a record with the role of a user says; the word for what became of it."""
    words = read_words(texts)
    if not session.project:
        session.project = folder_told(texts)
    session.interrupted = session.interrupted or words.interrupted
    session.note_tags(words.tags)
    if words.kind == "skill":
        return _take_skill(session, read_skill(words.text), at=at, line=line)
    if words.kind == "command":
        if words.text:
            session.add(CommandFact(line, session.next_uuid(words.text), microseconds(at), words.text))
        return "command"
    if words.kind not in ("person", "plan", "init") and not ((image or file) and words.kind in ("empty", "interrupt")):
        note_list(session, texts)
        if words.kind == "automation" and not session.prompts:
            session.entrypoint = AUTOMATION
        return words.kind
    said = "\n".join(texts) if words.kind in ("plan", "init") else words.text
    return _take_turn(session, words, key="".join(said.split()), channel=channel, image=image, at=at, line=line)


def _take_turn(
    session: Session, words: Words, *, key: str, channel: Channel, image: bool, at: datetime | None, line: int
) -> str:
    """Add a prompt as a turn, unless another kind of record already told it."""
    known = _known(session, key, channel=channel)
    if known is not None:
        known.channels.add(channel)
        if image:
            known.entry.changes["image"] = True
        return "duplicate"
    turn = TurnFact(line, session.next_uuid(key), 0, microseconds(at), "message", words.text, image=image)
    if words.kind == "plan":
        turn = structs.replace(turn, channel="plan", decision="approved", tool=_PLAN_TOOL)
    early = _take_early(session)
    prompt = add_turn(session, structs.replace(turn, rewound=session.rewound))
    session.rewound, session.asked_at = False, session.worked
    session.prompts.append(Prompt(prompt, key=key, channel=channel, worked=session.worked))
    for skill in early:
        _add_text(_add_use(session, skill.name, uuid=turn.uuid, at=at, line=line), skill)
    for mention in find_mentions(words.text) if words.kind == "person" else ():
        if _named(session, mention.name) is None:
            _add_use(session, mention.name, uuid=turn.uuid, path=mention.path, at=at, line=line)
    return "turn"


def _known(session: Session, key: str, *, channel: Channel) -> Prompt | None:
    """The prompt that a record of another kind already told: the same words, or more or less of them just before."""
    waiting = [prompt for prompt in session.prompts if channel not in prompt.channels]
    same = next((prompt for prompt in waiting if prompt.key == key), None)
    if same is not None or not waiting:
        return same
    last = waiting[-1]
    if last is not session.prompts[-1] or last.worked != session.worked or not key or not last.key:
        return None
    return last if key in last.key or last.key in key else None


def add_turn(session: Session, turn: TurnFact) -> Entry:
    """Append a turn; an interruption before it is its flag."""
    session.named.clear()
    entry = session.add(structs.replace(turn, interrupted=session.interrupted))
    session.interrupted = False
    return entry


def _add_use(session: Session, name: str, *, uuid: str, at: datetime | None, line: int, path: str = "") -> Entry:
    """Add the sign of a skill that the prompt names."""
    entry = session.add(
        UseFact(
            line=line,
            uuid=uuid,
            call_id="",
            at=microseconds(at),
            skill_id=name,
            via="slash",
            form="dollar",
            base_dir=dirname(path.replace("\\", "/")),
        )
    )
    session.named.setdefault(_base(name), entry)
    return entry


def _take_skill(session: Session, skill: SkillText | None, *, at: datetime | None, line: int) -> str:
    """Take the text of a skill that was put into the conversation: that of one the prompt names, or of another."""
    if skill is None or skill.gone:
        return "meta"
    entry = _named(session, skill.name)
    if entry is None:
        entry = _add_use(session, skill.name, uuid=session.next_uuid(skill.name), at=at, line=line)
        if session.asked_at != session.worked:
            session.early.append((entry, skill))
            session.early_at = session.worked
    _add_text(entry, skill)
    return "skill_body"


def _take_early(session: Session) -> list[SkillText]:
    """Texts of skills that stand before the prompt which asked for them: their uses begin after it."""
    early, session.early = session.early, []
    if not early or session.early_at != session.worked:
        return []
    # The last first: each is then found at once, however many there are.
    for entry, _skill in reversed(early):
        session.drop(entry)
    return [skill for _entry, skill in early]


def _named(session: Session, name: str) -> Entry | None:
    """The use since the last turn that has this name, whether or not it says which plugin it belongs to."""
    return session.named.get(_base(name))


def _base(name: str) -> str:
    return name.rsplit(":", 1)[-1].lower()


def _add_text(entry: Entry, skill: SkillText) -> None:
    entry.changes |= {
        "body": True,
        "digest": "" if skill.cut else skill_digest(skill.body),
        "base_dir": dirname(skill.path.replace("\\", "/")),
        "body_chars": len(skill.body),
    }


def note_list(session: Session, texts: Sequence[str]) -> None:
    """Take the names of skills that a text lists as available."""
    for text in texts:
        names = listed_skills(text)
        if names is not None:
            session.listed = (session.listed or set()) | names


def note_turn_end(session: Session, payload: Payload) -> str:
    """Take that a turn was aborted: by the person, or by what they asked next."""
    if payload.reason != "interrupted":
        return "turn_aborted"
    session.interrupted = True
    return "interrupt"


def take_back(session: Session, payload: Payload, *, at: datetime | None, line: int) -> str:
    """Take that the person took back prompts, or what the last one changed: an act of theirs, no turn."""
    rolled = payload.type == "thread_rolled_back"
    if not rolled and payload.success is not True:
        return payload.type or ""
    number = min(max(payload.num_turns or 1, 1), _MOST_UNDONE)
    command = f"/undo {number}" if rolled else "/undo"
    session.rewound = session.rewound or rolled
    session.add(CommandFact(line, session.next_uuid(command), microseconds(at), command))
    return "command"


def has_images(payload: Payload) -> bool:
    """Whether a message carries images, in it or beside it."""
    if any(_is_list(raw) for raw in (payload.images, payload.local_images)):
        return True
    return _has_part(payload, _IMAGES)


def has_files(payload: Payload) -> bool:
    """Whether a message carries something else than words and images."""
    return _has_part(payload, _FILES)


def _has_part(payload: Payload, types: frozenset[str]) -> bool:
    content = payload.content
    return isinstance(content, list) and any(part.type in types for part in content)


def _is_list(raw: Raw) -> bool:
    return bytes(raw).lstrip()[:1] == b"[" and bytes(raw) not in _NO_IMAGES
