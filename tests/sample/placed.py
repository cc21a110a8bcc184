"""A session's file: where it lies and its bytes."""

from dataclasses import dataclass, field

from .transcript import Transcript
from .truth import Hazard, Use

__all__ = ["Placed", "place"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One file of the sample, with the truth about what stands in it."""

    path: str
    content: bytes
    uses: list[Use] = field(default_factory=list)
    hazards: list[Hazard] = field(default_factory=list)


def place(t: Transcript, *, stem: str = "", content: bytes | None = None) -> Placed:
    """A transcript as a file of its project's folder, named after its session unless `stem` says otherwise."""
    path = f"projects/{t.project.folder}/{stem or t.session_id}.jsonl"
    whole = b"\n".join(t.lines) + b"\n" if content is None else content
    return Placed(path=path, content=whole, uses=t.uses, hazards=t.hazards)
