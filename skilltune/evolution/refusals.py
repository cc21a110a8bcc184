"""What the refinement of a text refuses, each with its numbers."""

from skilltune.errors import InputError, SkilltuneError
from skilltune.limits import DIFF_MAX_CELLS, DIFF_MAX_CHARS

__all__ = ["ApprovalError", "TextTooLongError", "TextsTooDifferentError"]


class TextTooLongError(InputError):
    """A text is too long to be compared word by word; has .name, .chars and .limit."""

    def __init__(self, name: str, chars: int, *, limit: int = DIFF_MAX_CHARS) -> None:
        super().__init__(
            f"{name} has {chars:,} characters; texts over {limit:,} are not compared; move parts of it into other files"
        )
        self.name, self.chars, self.limit = name, chars, limit


class TextsTooDifferentError(InputError):
    """Two texts have too many words to be compared one by one; has .tokens and .limit."""

    def __init__(self, names: tuple[str, str], tokens: tuple[int, int], *, limit: int = DIFF_MAX_CELLS) -> None:
        super().__init__(
            f"{names[0]} has {tokens[0]:,} words and signs, {names[1]} {tokens[1]:,}; their product is over {limit:,}, "
            "so they are not compared; move parts into other files"
        )
        self.names, self.tokens, self.limit = names, tokens, limit


class ApprovalError(SkilltuneError, ValueError):
    """An approval is not one of this suggestion."""
