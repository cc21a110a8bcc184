"""What a person had changed in a skill's work, as a session shows it: corrections nobody recorded.

Three signs count: the person changed a proposed edit before accepting it; after a complaint the agent changed lines
that it had written; work was taken back, by an edit, by a command, or in words. Each is a candidate only: whether the
skill is to blame is for a person to say.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from skilltune.facts import CommandFact, SessionFacts, TurnFact
from skilltune.limits import CANDIDATE_LATEST, CANDIDATES_OF_ONE_ACT, WINDOW_TURNS
from skilltune.mining.edits import Change, Edit, trim_change
from skilltune.mining.ids import event_id
from skilltune.mining.invocations import Use, find_invocations
from skilltune.mining.model import Model
from skilltune.mining.reverts import Discard, takes_back
from skilltune.mining.session_turns import SessionTurns
from skilltune.mining.windows import Discarded, Window, WindowTurn, read_window
from skilltune.mining.written import (
    Piece,
    Written,
    added_lines,
    is_about,
    is_reversal,
    replaced_lines,
    same_place,
)
from skilltune.records import Attribution

__all__ = ["Detected", "DetectedKind", "Sign", "detect_corrections"]

DetectedKind = Literal["modified", "re_edit", "revert"]
Sign = Literal["proposal", "edit", "denial", "command", "words"]

_COMMITS: Final = re.compile(r"\bgit\b[^\n;|]{0,200}?\b(?:commit|cherry-pick|merge|rebase|am)\b").search


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """One correction that a session shows, and where it does."""

    kind: DetectedKind
    """``modified``: the person changed the proposed edit; ``re_edit``: the agent changed its lines after a complaint;
    ``revert``: what the skill's run had written was taken back.
    """
    sign: Sign
    """What shows it: the changed proposal, the later edit, the edit made in place of a refused one, a command that
    discards work, or the person's words alone.
    """
    skill_id: str
    event_id: str
    """The use before it."""
    attribution: Attribution
    session_id: str
    project: str
    transcript: str
    """The path of the transcript."""
    lines: tuple[int, ...]
    """1-based lines there: of the agent's edit, of the person's act, of the later edit."""
    at: int | None
    """Microseconds since 1970 UTC of the person's act."""
    file: str
    """The file that was edited."""
    original: str
    """What the agent wrote; '' for nothing."""
    corrected: str
    """What it became; '' for nothing."""
    quote: str
    """What the person said, or typed; '' where they only changed the text."""
    copied: bool = False
    """Another file owns the use."""
    base_directory: str = ""
    """The skill's folder, as the transcript names it for the use; '' where it names none."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One use, what a person said of it, and the edits of its run."""

    mined: SessionTurns
    use: Use
    window: Window
    edits: Sequence[Edit]
    """Those from the use up to the next one."""
    end: float
    """The line from which on nothing is about it."""


def detect_corrections(
    session: SessionFacts,
    *,
    edits: Iterable[Edit],
    skills: Collection[str] = (),
    installed: Collection[str] = (),
    model: Model | None = None,
    window_turns: int = WINDOW_TURNS,
) -> list[Detected]:
    """The corrections of skills' work that one session shows, in its order.

    Parameters
    ----------
    session
        The facts.
    edits
        The edits of its file, of other sessions too.
    skills, installed
        As for ``find_invocations``.
    model
        The classifier beside the rules.
    window_turns
        Human turns after a use that can judge it.

    Returns
    -------
    list of Detected
        At most ``CANDIDATES_OF_ONE_ACT`` of one act of the person.
    """
    mined = SessionTurns(session, model=model)
    own = sorted((edit for edit in edits if edit.session_id == session.session_id), key=lambda edit: edit.line)
    if not own:
        return []
    places = [edit.line for edit in own]
    uses = find_invocations(session, skills=skills, installed=installed).uses
    found: list[Detected] = []
    for use, later in zip(uses, [*uses[1:], None], strict=False):
        end = bisect_left(places, later.fact.line) if later else len(own)
        run = own[bisect_left(places, use.fact.line) : end]
        if run:
            found += _detect(_read_case(mined, use=use, later=later, edits=run, window_turns=window_turns))
    return found


def _read_case(mined: SessionTurns, *, use: Use, later: Use | None, edits: Sequence[Edit], window_turns: int) -> _Case:
    window = read_window(
        mined.session,
        use=use,
        end=later.at if later else None,
        turns=window_turns,
        classify=mined.classify,
        discarded=mined.discarded,
    )
    return _Case(mined, use, window, edits, later.fact.line if later else float("inf"))


def _detect(case: _Case) -> list[Detected]:
    found = [item for edit in case.edits if edit.modified for item in _modified(case, edit)]
    done = Written()
    taken = 0
    for at, turn in enumerate(case.window.turns):
        while taken < len(case.edits) and case.edits[taken].line < turn.fact.line:
            done.add(case.edits[taken])
            taken += 1
        found += _after_turn(case, turn, done=done, redone=_until_next(case, at))
    return [*found, *_typed_discards(case)]


def _modified(case: _Case, edit: Edit) -> Iterator[Detected]:
    """What the person changed in a proposed edit."""
    turn = next((turn for turn in case.window.turns if turn.fact.line == edit.result_line), None)
    for change in edit.corrections[:CANDIDATES_OF_ONE_ACT]:
        yield from _candidate(
            case,
            change,
            kind="modified",
            sign="proposal",
            attribution=turn.attribution if turn else "weak",
            lines=(edit.line, edit.result_line),
            at=turn.fact.at if turn else edit.at,
            file=edit.path,
        )


def _until_next(case: _Case, at: int) -> list[Edit]:
    """The edits between a turn of the window and whatever the person said next."""
    turn = case.window.turns[at]
    later = (item.line for item in islice(case.mined.session.items, turn.at + 1, None) if isinstance(item, TurnFact))
    end = min(next((line for line in later if line > turn.fact.line), case.end), case.end)
    return [edit for edit in case.edits if turn.fact.line < edit.line < end]


def _after_turn(case: _Case, turn: WindowTurn, *, done: Written, redone: Sequence[Edit]) -> Iterator[Detected]:
    """What the work after a turn makes of the work before it."""
    discards = _discards(case, turn)
    if not turn.verdict.complains and not discards:
        return
    after = Written()
    for edit in redone:
        after.add(edit)
    found: list[Detected] = []
    settled: list[Piece] = []
    again = after.pieces if turn.verdict.complains else []
    wrote = [(piece, added_lines(piece.change)) for piece in done.pieces[: -1 - CANDIDATE_LATEST : -1]] if again else []
    for piece in again:
        instead = list(_in_place_of_refused(case, turn, piece))
        before = None if instead else _find_before(piece, wrote)
        found += instead
        if before is not None:
            settled.append(before)
            found += _re_edited(case, turn, before=before, after=piece)
    left = [piece for piece in done.pieces if not any(piece is other for other in settled)]
    yield from [*found, *_taken_back(case, turn, left, discards=discards)][:CANDIDATES_OF_ONE_ACT]


def _find_before(after: Piece, wrote: Sequence[tuple[Piece, str]]) -> Piece | None:
    """The latest piece whose lines a later one changes."""
    replaced = replaced_lines(after.change)
    same_file = ((piece, lines) for piece, lines in wrote if piece.path == after.path)
    return next((piece for piece, lines in same_file if is_about(replaced, added=lines)), None)


def _discards(case: _Case, turn: WindowTurn) -> list[Discard]:
    """What the agent's commands discarded after a turn about the use; the whole tree only after a complaint."""
    gone = case.mined.discarded.get(turn.at, Discarded()).worked if turn.decides else ()
    return [discard for discard in gone if discard.paths or turn.verdict.complains]


def _re_edited(case: _Case, turn: WindowTurn, *, before: Piece, after: Piece) -> Iterator[Detected]:
    yield from _candidate(
        case,
        trim_change(after.change),
        kind="revert" if is_reversal(before.change, after.change) else "re_edit",
        sign="edit",
        attribution=turn.attribution,
        lines=(before.line, turn.fact.line, after.line),
        at=turn.fact.at,
        file=after.path,
        quote=turn.fact.text,
    )


def _in_place_of_refused(case: _Case, turn: WindowTurn, made: Piece) -> Iterator[Detected]:
    """What the agent wrote in place of an edit that the person refused."""
    refused = case.edits if turn.fact.channel == "denial" else ()
    for edit in refused:
        if edit.result_line != turn.fact.line or edit.path != made.path:
            continue
        proposed = next((change for change in edit.changes if same_place(change, made.change)), None)
        if proposed is not None:
            yield from _candidate(
                case,
                trim_change(Change(proposed.after, made.after)),
                kind="re_edit",
                sign="denial",
                attribution=turn.attribution,
                lines=(edit.line, turn.fact.line, made.line),
                at=turn.fact.at,
                file=edit.path,
                quote=turn.fact.text,
            )


def _taken_back(
    case: _Case, turn: WindowTurn, pieces: Sequence[Piece], *, discards: Sequence[Discard]
) -> Iterator[Detected]:
    """What was discarded after a turn by a command, or is to be undone by the person's words."""
    told = turn.verdict.correction_type == "revert"
    meant = {id(piece) for piece in _meant(case, turn, pieces)} if told else set()
    committed = _committed_until(case, turn.at)
    for piece in pieces:
        gone = any(_discarded(discard, piece, committed=committed) for discard in discards)
        if gone or id(piece) in meant:
            yield from _reversed(
                case,
                piece,
                sign="command" if gone else "words",
                attribution=turn.attribution,
                line=turn.fact.line,
                at=turn.fact.at,
                quote=turn.fact.text,
            )


def _meant(case: _Case, turn: WindowTurn, pieces: Sequence[Piece]) -> list[Piece]:
    """What "undo that" means: what the turn names by its file, else what was written since the person last spoke."""
    text = turn.fact.text.lower()
    named = [piece for piece in pieces if piece.path.replace("\\", "/").rpartition("/")[2].lower() in text]
    if named:
        return named
    items = case.mined.session.items[: turn.at]
    spoken = max((item.line for item in items if isinstance(item, TurnFact)), default=0)
    return [piece for piece in pieces if piece.line > spoken]


def _typed_discards(case: _Case) -> Iterator[Detected]:
    """What the person discarded by a command of their own, up to the end of the window."""
    last = case.window.turns[-1].at if case.window.turns else case.use.until
    items = case.mined.session.items
    for at, item in enumerate(items[case.use.until + 1 :], case.use.until + 1):
        if item.line >= case.end or (at > last and isinstance(item, TurnFact)):
            return
        gone = case.mined.discarded.get(at)
        if not isinstance(item, CommandFact) or gone is None:
            continue
        done = Written()
        for edit in case.edits:
            if edit.line < item.line:
                done.add(edit)
        until = _committed_until(case, at)
        pieces = [p for p in done.pieces if any(_discarded(typed, p, committed=until) for typed in gone.typed)]
        for piece in pieces[:CANDIDATES_OF_ONE_ACT]:
            yield from _reversed(
                case, piece, sign="command", attribution="likely", line=item.line, at=item.at, quote=item.command
            )


def _discarded(discard: Discard, piece: Piece, *, committed: int) -> bool:
    """Whether a command takes back a piece: one for the whole tree leaves what was committed before."""
    whole = not discard.paths and discard.verb != "revert"
    return takes_back([discard], edited=[piece.path]) and not (whole and piece.line < committed)


def _committed_until(case: _Case, at: int) -> int:
    """The line up to which what was edited had been committed when the item at the place `at` came."""
    items = case.mined.session.items
    for before in range(at - 1, case.use.at - 1, -1):
        if any(_COMMITS(command) for command in items[before].work.commands):
            return items[before + 1].line
    return 0


def _reversed(
    case: _Case, piece: Piece, *, sign: Sign, attribution: Attribution, line: int, at: int | None, quote: str
) -> Iterator[Detected]:
    yield from _candidate(
        case,
        trim_change(Change(piece.after, piece.before)),
        kind="revert",
        sign=sign,
        attribution=attribution,
        lines=(piece.line, line),
        at=at,
        file=piece.path,
        quote=quote,
    )


def _candidate(
    case: _Case,
    change: Change,
    *,
    kind: DetectedKind,
    sign: Sign,
    attribution: Attribution,
    lines: tuple[int, ...],
    at: int | None,
    file: str,
    quote: str = "",
) -> Iterator[Detected]:
    """The candidate, unless both texts are the same."""
    session, use = case.mined.session, case.use
    if change.before != change.after:
        yield Detected(
            kind=kind,
            sign=sign,
            skill_id=use.fact.skill_id,
            event_id=event_id(use.invocation_uuid, use.fact.skill_id),
            attribution=attribution,
            session_id=session.session_id,
            project=session.project,
            transcript=session.path,
            lines=lines,
            at=at,
            file=file,
            original=change.before,
            corrected=change.after,
            quote=quote,
            copied=use.fact.copied,
            base_directory=use.fact.base_dir,
        )
