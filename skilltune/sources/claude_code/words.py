"""What a text in a user record is: see ``skilltune.mining.user_texts``, which hooks read, too."""

from skilltune.mining.user_texts import NOT_A_PERSON, Slash, Words, clip, find_slash, find_typed_slash, read_words

__all__ = ["NOT_A_PERSON", "Slash", "Words", "clip", "find_slash", "find_typed_slash", "read_words"]
