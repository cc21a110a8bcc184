"""A SKILL.md as front matter and body, byte for byte: what is not edited stays as it is."""

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final, Self

from skilltune.evolution.frontmatter import FrontMatter, read_front_matter

__all__ = ["COUNT_KEY", "REFINED_KEY", "VERSION_KEY", "SkillDoc", "body_digest", "foreign_maps", "read_stamp_time"]

VERSION_KEY: Final = "skilltune-version"
REFINED_KEY: Final = "skilltune-refined"
COUNT_KEY: Final = "skilltune-refinements"
"""Our keys below ``metadata:``; their values are texts."""

_OPEN: Final = re.compile(r"\ufeff?---[ \t]*(?P<end>\r\n|\n|\r)")
_CLOSE: Final = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*(?:\r\n|\n|\r|\Z)")
_WHOLE: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class SkillDoc:
    """A skill's text; `head` (mark of order, fences, front matter) + `body` is the file."""

    head: str
    body: str

    @classmethod
    def of(cls, content: bytes) -> Self:
        """The document in a file's bytes; bytes that are no UTF-8 come out again as they were."""
        return cls.parse(content.decode("utf-8", "surrogateescape"))

    @classmethod
    def parse(cls, text: str) -> Self:
        r"""The document in a text; without a closed front matter all of it is body.

        Examples
        --------
        >>> doc = SkillDoc.parse("---\nname: lint\n---\nUse tabs.")
        >>> doc.name, doc.body
        ('lint', 'Use tabs.')
        """
        opened = _OPEN.match(text)
        closed = _CLOSE.search(text, opened.end()) if opened else None
        end = closed.end() if closed else int(text.startswith("\ufeff"))
        return cls(text[:end], text[end:])

    def to_bytes(self) -> bytes:
        """The file's bytes."""
        return (self.head + self.body).encode("utf-8", "surrogateescape")

    def with_body(self, body: str) -> Self:
        """The same head with another body."""
        return replace(self, body=body)

    @property
    def newline(self) -> str:
        """The line end of the front matter, else of the body, else a line feed."""
        opened = _OPEN.match(self.head)
        found = opened or re.search(r"(?P<end>\r\n|\n|\r)", self.body)
        return found["end"] if found else "\n"

    @property
    def inside(self) -> tuple[int, int] | None:
        """Where in `head` the front matter stands, between the fences; None without one."""
        opened = _OPEN.match(self.head)
        closed = _CLOSE.search(self.head, opened.end()) if opened else None
        return (opened.end(), closed.start()) if opened and closed else None

    @cached_property
    def front_matter(self) -> FrontMatter:
        """The fields."""
        if self.inside is None:
            return FrontMatter(problem="there is none")
        start, end = self.inside
        return read_front_matter(self.head[start:end])

    @property
    def name(self) -> str:
        """The skill's name; '' where it has none."""
        return self.front_matter.text("name")

    @property
    def description(self) -> str:
        """When the skill is to be used; '' where it does not say."""
        return self.front_matter.text("description")

    @property
    def version(self) -> int:
        """The number of refinements the file tells of, plus 1: the greatest of our stamp and other tools'."""
        ours = self.front_matter.text("metadata", VERSION_KEY)
        return max([1, *_whole_numbers([ours, *(place.get("version") for place in foreign_maps(self.front_matter))])])

    @property
    def refinements(self) -> int:
        """How often the file says that it was refined."""
        ours = self.front_matter.text("metadata", COUNT_KEY)
        return max([0, *_whole_numbers([ours, *self._foreign("applicationCount")])])

    @property
    def last_refined(self) -> datetime | None:
        """The latest time the file says that it was refined, by us or another tool."""
        ours = self.front_matter.text("metadata", REFINED_KEY)
        return _latest([ours, *self._foreign("lastRefined")])

    @property
    def updated_at(self) -> datetime | None:
        """When another tool says that it last changed the file."""
        return _latest([place.get("updatedAt") for place in foreign_maps(self.front_matter)])

    def _foreign(self, key: str) -> list[Any]:
        """What other tools' places say under `key`."""
        places = foreign_maps(self.front_matter)
        places += [place["learning"] for place in places if isinstance(place.get("learning"), dict)]
        return [place.get(key) for place in places]


def foreign_maps(fields: FrontMatter) -> list[dict[str, Any]]:
    """The maps in which other tools keep version and dates: the first level, and ``metadata.extensions.TOOL``."""
    extensions = fields.at("metadata", "extensions")
    below = extensions.values() if isinstance(extensions, dict) else ()
    return [dict(fields.values), *(place for place in below if isinstance(place, dict))]


def read_stamp_time(text: Any) -> datetime | None:
    """A date or time in ISO form, aware; a date is its midnight, no zone is UTC; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def body_digest(body: str) -> str:
    """SHA-256 of a body, in hex."""
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def _whole_numbers(texts: list[Any]) -> list[int]:
    return [int(text) for text in texts if isinstance(text, str) and _WHOLE.fullmatch(text)]


def _latest(texts: list[Any]) -> datetime | None:
    return max((at for text in texts if (at := read_stamp_time(text))), default=None)
