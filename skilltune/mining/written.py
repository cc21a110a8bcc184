"""What edits one after another made of files, and whether later ones are about the same lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from skilltune.limits import CANDIDATE_LATEST
from skilltune.mining.edits import Change, Edit, core_lines, telling_lines, trim_change

__all__ = ["Piece", "Written", "added_lines", "is_about", "is_reversal", "replaced_lines", "same_place"]


@dataclass(slots=True, eq=False)
class Piece:
    """A stretch of a file before and after the edits of it."""

    path: str
    before: str
    after: str
    line: int
    """Line of the record of its last edit."""

    @property
    def change(self) -> Change:
        """As one change."""
        return Change(self.before, self.after)


@dataclass(slots=True)
class Written:
    """The stretches that edits wrote, each once however often it was edited."""

    pieces: list[Piece] = field(default_factory=list)

    def add(self, edit: Edit) -> None:
        """Take an edit: one of a text that an earlier one wrote goes on with that."""
        for change in edit.effect:
            if change.before != change.after:
                self._add(edit, change)

    def _add(self, edit: Edit, change: Change) -> None:
        for piece in [piece for piece in self.pieces[: -1 - CANDIDATE_LATEST : -1] if piece.path == edit.path]:
            if change.before and change.before in piece.after:
                piece.after, piece.line = piece.after.replace(change.before, change.after, 1), edit.line
                if piece.after == piece.before:
                    self.pieces.remove(piece)
                return
            if piece.after and piece.after in change.before:
                change = Change(change.before.replace(piece.after, piece.before, 1), change.after)
                self.pieces.remove(piece)
        if change.before != change.after:
            self.pieces.append(Piece(edit.path, change.before, change.after, edit.line))


def added_lines(change: Change) -> str:
    """The lines that a change put in, as far as they say which they are."""
    return "\n".join(telling_lines(core_lines(change)[1]))


def replaced_lines(change: Change) -> list[str]:
    """The lines that a change takes out; of one that only puts lines in, those beside them."""
    removed = list(telling_lines(core_lines(change)[0]))
    return removed or list(telling_lines(trim_change(change).before.splitlines()))


def is_about(replaced: Sequence[str], *, added: str) -> bool:
    """Whether a later change is about what an earlier one put in: at least half of what it takes out, or parts of it.

    Parameters
    ----------
    replaced
        Of the later change (``replaced_lines``).
    added
        Of the earlier one (``added_lines``).
    """
    shared = sum(line in added for line in replaced)
    return shared > 0 and 2 * shared >= len(replaced)


def same_place(proposed: Change, made: Change) -> bool:
    """Whether an edit of the same file was made where another one had been proposed."""
    if proposed.before == made.before:
        return True
    one, other = (set(telling_lines(core_lines(change)[0])) for change in (proposed, made))
    return not one.isdisjoint(other)


def is_reversal(before: Change, after: Change) -> bool:
    """Whether a later edit takes out what an earlier one put in, and puts in what that took out."""
    (gone, came), (gone_later, came_later) = core_lines(before), core_lines(after)
    return _stripped(came) == _stripped(gone_later) and _stripped(gone) == _stripped(came_later)


def _stripped(lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]
