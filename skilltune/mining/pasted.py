"""Skills whose text a program puts in as the person's prompt, without a name: told by the texts of installed ones."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import structs

from skilltune.facts import Item, SessionFacts, TurnFact, UseFact
from skilltune.mining.digests import skill_digest

__all__ = ["name_pasted"]

_PASTE: Final = frozenset({"opencode"})
"""Agents that make a skill's text the prompt when a person calls it by ``/name``."""
_MIN_CHARS: Final = 40
"""A shorter prompt may have a skill's words by chance."""
_MOST_PARAGRAPHS: Final = 20
"""Arguments stand behind the text; so many paragraphs of them are looked for."""


def name_pasted(session: SessionFacts, *, installed: Mapping[str, str]) -> SessionFacts:
    """`session` with each prompt that is an installed skill's text as the person's use of that skill.

    Parameters
    ----------
    session
        The facts.
    installed
        Digests by name of the skills installed here; a digest of '' tells nothing.
    """
    names = {digest: name for name, digest in sorted(installed.items(), reverse=True) if digest}
    if session.agent not in _PASTE or not names:
        return session
    items = tuple([_as_use(item, names) for item in session.items])
    return structs.replace(session, items=items)


def _as_use(item: Item, names: Mapping[str, str]) -> Item:
    """The item, a use where its words are a skill's."""
    if not isinstance(item, TurnFact) or item.channel != "message" or len(item.text) < _MIN_CHARS:
        return item
    for body, arguments in _cuts(item.text):
        digest = skill_digest(body)
        if digest in names:
            return UseFact(
                line=item.line,
                uuid=item.uuid,
                call_id="",
                at=item.at,
                skill_id=names[digest],
                via="slash",
                form="message_first",
                args=arguments,
                body=True,
                digest=digest,
                copied=item.copied,
                work=item.work,
                body_chars=len(body),
            )
    return item


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    """The text as it is, then without its last paragraph, its last two …, each with what was left off."""
    yield text, ""
    end = len(text)
    for _ in range(_MOST_PARAGRAPHS):
        end = text.rfind("\n\n", 0, end)
        if end < _MIN_CHARS:
            return
        yield text[:end], text[end + 2 :]
