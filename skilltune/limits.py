"""Every published number of skilltune, once, with what it means."""

from typing import Final

FIRST_YEAR: Final = 1970
"""Year before which no moment is taken for one: clocks that were never set begin there."""
LAST_YEAR: Final = 9990
"""Last year of moments: with it all windows around one are on the calendar."""
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
IDLE_SECONDS: Final = 600
"""Pause before a turn from which on the person counts as away."""
MAX_TOKENS: Final = 10**12
"""Most tokens that one figure says: larger ones are no count of anything."""
RETRY_TURNS: Final = 2
"""Turns after a use in which the same request again is a retry."""
RETRY_LIKENESS: Final = 0.9
"""Share of equal characters from which on two requests are the same."""
RETRY_MIN_CHARS: Final = 12
"""Shorter requests are alike by chance."""
LINE_BYTES: Final = 64 * 1024 * 1024
"""Longest line that is decoded; longer ones are passed over and counted ``too_long``."""
TRANSCRIPT_DAYS: Final = 30
"""Days after which Claude Code deletes a transcript unless ``cleanupPeriodDays`` says otherwise."""
MIN_CORRECTIONS: Final = 3
"""Usable corrections a skill needs before a refinement is suggested."""
MIN_REPEATS: Final = 2
"""Corrections that say the same before it counts as a pattern."""
MIN_CONFIDENCE: Final = 0.7
"""Agreement (k + 1) / (m + 2) from which on a change is suggested."""
CAUTIOUS_CONFIDENCE: Final = 0.5
"""Agreement below which more people can have corrected the text otherwise; less is allowed, with a warning."""
DOCUMENTED_MIN_CONFIDENCE: Final = 0.35
"""Threshold of the documented confidence, which cannot exceed 0.5."""
DOCUMENTED_MAX_CONFIDENCE: Final = 0.5
"""What frequency ÷ (2 × corrections) can reach at most."""
MIN_SESSIONS: Final = 1
"""Distinct sessions a pattern must come from."""
COOLDOWN_DAYS: Final = 7
"""Days between two applied refinements of a skill."""
MAX_CHANGE_PERCENT: Final = 20.0
"""Characters added and removed by one refinement, as a share of the body; rounded half up to an integer."""
MAX_METADATA_CHANGES: Final = 3
"""Front matter changes of one refinement."""
DRIFT_LIMIT: Final = 60.0
"""Change against the baseline at which refinement halts; one decimal, rounded half up."""
REJECTED_MEMORY: Final = 3
"""New corrections after which a rejected or rolled-back change may be proposed again."""
DIFF_MAX_CHARS: Final = 200_000
"""Longest text that is compared: the memory of a word diff grows with the square of its length."""
DIFF_MAX_CELLS: Final = 3_700_000_000
"""Tokens before × tokens after that a word diff compares at most: an eighth of a byte each, so less than 500 MB."""
PICTURE_MAX_CHARS: Final = 20_000
"""Changed characters up to which the picture of a change is drawn by diff-match-patch."""
PICTURE_MAX_TOKENS: Final = 3_000
"""Changed words and signs up to which it is: its time grows with their square, to half a minute at 20,000."""
PREVIEW_CHARS: Final = 500
"""Characters of a suggestion's preview."""
COMPLAINT_GROUP: Final = 3
"""Complaints that make an open suggestion."""
COMPLAINT_SESSIONS: Final = 2
"""Sessions these complaints must come from."""
FRONT_MATTER_CHARS: Final = 65_536
"""Longest front matter that is read as YAML."""
PARTIAL_MIN_CHARS: Final = 10
"""Length from which on contained originals can make a partial contradiction."""
PAIRS_LISTED: Final = 10
"""Pairs that corrections with the same removed or contained text are listed in; more make one finding."""
COPIED_WORDS: Final = 6
"""Words in a row that a line and its evidence share from which on a person is told to look at it."""
CANDIDATE_CHARS: Final = 2_000
"""Characters of each text of a candidate that are kept: a screen; a longer one is accepted as a person writes it."""
CANDIDATE_COMPARED_CHARS: Final = 20_000
"""Characters of each text by which candidates are told apart: ten times what is kept, so that a cut joins none."""
CANDIDATES_OF_ONE_ACT: Final = 10
"""Candidates that one act of the person gives at most: who has everything undone says nothing of each line."""
CANDIDATE_LATEST: Final = 300
"""Stretches a later edit is compared with, the latest: the work grows with the number of edits only."""
CANDIDATE_DIFF_CELLS: Final = 4_000_000
"""Lines before × lines after of an edit that are compared (2,000 × 2,000 take a second); more are one change."""
CANDIDATE_REWRITE_LINES: Final = 10
"""Lines of both texts from which on a candidate that keeps less than half of them is a rewrite: none of 1,100 public
sessions repeats one, and no bound would let it pass."""
COMMON_WORD_FROM: Final = 8
"""Complaints of a skill from which on a word in more than half of them can be too common to say what is wrong."""
HOOK_PAYLOAD_BYTES: Final = 16 * 1024 * 1024
"""Largest payload that a hook reads."""
HOOK_QUERY_CHARS: Final = 16_000
"""Characters of a prompt that a hook keeps: as many as facts do."""
HOOK_COMMANDS: Final = 100
"""Shell commands that a telemetry row keeps, the last ones; each cut at 200 characters."""
HOOK_LOCK_SECONDS: Final = 3.0
"""How long a hook waits for another writer: less than the 5 s after which the agent ends it."""
HOOK_LOG_BYTES: Final = 256 * 1024
"""Size from which on the log of what went wrong in hooks begins anew; one old one is kept."""
TELEMETRY_PAUSE_SECONDS: Final = 600
"""A stop of the agent adds a telemetry row only where the session has none as young as this; its end always does."""
STOP_TRANSCRIPT_BYTES: Final = 8 * 1024 * 1024
"""Transcripts larger than this are read at the session's end only, not each time the agent stops."""
SILENT_DAYS: Final = 7
"""Days without a line in a log from which on doctor warns, where sessions go on."""
SIGNATURE_CHARS: Final = 200
"""Longest signature of a tool call (source: the format of observations)."""
