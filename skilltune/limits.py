"""Every published number of skilltune, once, with what it means."""

from typing import Final

WINDOW_TURNS: Final = 3
"""Human turns after a use that can judge it."""
SNIPPET_CHARS: Final = 200
"""Characters of the person's message kept in the feedback log."""
MIN_INVOCATIONS: Final = 5
"""Classified uses from which on a rate is called sufficient."""
TREND_DAYS: Final = 30
"""Length of each of the two windows a trend compares."""
TREND_STABLE: Final = 0.05
"""A change of the rate up to this size, either way, is called stable."""
FALSE_DISCOVERY_RATE: Final = 0.10
"""Expected share of wrong verdicts among those called worse or better."""
CONFIDENCE_LEVEL: Final = 0.95
"""Level of every interval."""
ARCHIVE_DAYS: Final = 90
"""Age from which on events move into the archive."""
IMPLICIT_MIN_CHARS: Final = 20
"""A message longer than this (a CJK character counts 2) can be an implicit acceptance."""
CONFIDENCE: Final = {
    "revert": 0.9,
    "redo": 0.9,
    "rejection": 0.9,
    "denial_without_words": 0.7,
    "partial": 0.7,
    "explicit": 0.8,
    "implicit": 0.6,
}
"""Documented confidence constants of the feedback log, by kind of outcome."""
TURN_TEXT_CHARS: Final = 16_000
"""Characters of one turn that are kept in the facts."""
AGENT_TEXT_CHARS: Final = 1_000
"""Last characters of the agent's text before a turn that are kept in the facts."""
LINE_BYTES: Final = 64 * 1024 * 1024
"""Longest line that is decoded; longer ones are passed over and counted ``too_long``."""
TRANSCRIPT_DAYS: Final = 30
"""Days after which Claude Code deletes a transcript unless ``cleanupPeriodDays`` says otherwise."""
