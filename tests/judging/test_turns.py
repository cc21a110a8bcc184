"""Putting turns to a judge: redaction, batches, budget, cache, and callables that misbehave."""

import json

import pytest

from skilltune.errors import InputError, JudgeFailed
from skilltune.judging.answers import Answer
from skilltune.judging.cache import AnswerCache
from skilltune.judging.turns import judge_turns, plan_sending
from tests.judging.standin import judge_of, question, stand_in

TURNS = [question(number, f"turn {number} is wrong") for number in range(1, 26)]


class Mine:
    """A callable that remembers what it was asked."""

    name = "mine"

    def __init__(self, answer=None):
        self.batches = []
        self._answer = answer or self.none

    @staticmethod
    def none(asked):
        """Everything is none."""
        return [Answer(event_id=turn.event_id, turn_id=turn.turn_id, outcome="none") for turn in asked]

    def __call__(self, asked):
        """Answer, and remember."""
        self.batches.append(list(asked))
        return self._answer(asked)


def test_judge_turns_asks_in_batches_each_turn_once():
    """Batches have the size asked for; a turn given twice is asked once."""
    judge = Mine()
    judged = judge_turns([*TURNS, *TURNS], judge, batch_size=10)
    assert [len(batch) for batch in judge.batches] == [10, 10, 5]
    assert (len(judged.answers), judged.sent, judged.not_judged, judged.name) == (25, 25, (), "mine")


def test_judge_turns_redacts_for_any_callable():
    """A callable of one's own sees no secret, no home folder and no session either."""
    judge = Mine()
    judge_turns([question(1, "the password: hunter2! is in /home/ana/x, ana@example.org")], judge)
    seen = repr([getattr(judge.batches[0][0], name) for name in question().__slots__])
    assert not any(word in seen for word in ("hunter2", "/home/ana", "ana@", "session-1", "rule-of-thumb"))


def test_judge_turns_keeps_the_budget():
    """No more turns are put to it than allowed, and the others are told."""
    judge = Mine()
    judged = judge_turns(TURNS, judge, max_turns=7, batch_size=5)
    assert sum(len(batch) for batch in judge.batches) == judged.sent == 7
    assert judged.reasons == {"budget": 18}
    assert len(judged.answers) + len(judged.not_judged) == 25


def test_judge_turns_stops_after_two_failures_in_a_row():
    """A judge that is broken is not asked for every batch."""

    def broken(asked):
        raise JudgeFailed("failed", detail="Not logged in")

    judge = Mine(broken)
    judged = judge_turns(TURNS, judge, batch_size=5)
    assert len(judge.batches) == 2
    assert judged.reasons == {"stopped": 15, "failed": 10}
    assert {turn.detail for turn in judged.not_judged if turn.reason == "failed"} == {"Not logged in"}


def test_judge_turns_goes_on_after_one_failure():
    """One bad answer is not the end."""
    calls = []

    def moody(asked):
        calls.append(asked)
        if len(calls) % 2:
            raise JudgeFailed("timeout")
        return Mine.none(asked)

    judged = judge_turns(TURNS, moody, batch_size=5)
    assert judged.reasons == {"timeout": 15}
    assert len(judged.answers) == 10
    assert judged.name == "moody"


@pytest.mark.parametrize(
    ("answer", "reasons", "unknown"),
    [
        (lambda _: [], {"missing": 3}, 0),
        (lambda _: None, {"format": 3}, 0),
        (lambda _: [{"outcome": "none"}], {"format": 3}, 0),
        (lambda asked: Mine.none(asked)[1:], {"missing": 1}, 0),
        (lambda asked: [*Mine.none(asked), Answer(event_id="x", turn_id="t1", outcome="none")], {}, 1),
        (lambda asked: [*Mine.none(asked), *Mine.none(asked)], {}, 0),
        (
            lambda asked: [*Mine.none(asked), Answer(event_id="e1", turn_id="t1", outcome="acceptance")],
            {"twice": 1},
            0,
        ),
        (
            lambda asked: [*Mine.none(asked)[1:], Answer(event_id="e1", turn_id="t1", outcome="angry")],
            {"vocabulary": 1},
            0,
        ),
    ],
)
def test_judge_turns_checks_what_a_callable_gives(answer, reasons, unknown):
    """What is no answer to a turn that was asked about is not taken for one."""
    judged = judge_turns(TURNS[:3], Mine(answer))
    assert (judged.reasons, judged.unknown_ids) == (reasons, unknown)
    assert len(judged.answers) + len(judged.not_judged) == 3


def test_judge_turns_lets_a_callables_own_error_through():
    """A fault in a callable is not hidden; what it answered before is handed on."""
    seen = []

    def faulty(asked):
        if asked[0].event_id != "e1":
            raise ZeroDivisionError
        return Mine.none(asked)

    with pytest.raises(ZeroDivisionError):
        judge_turns(TURNS, faulty, batch_size=5, on_answers=seen.extend)
    assert len(seen) == 5


@pytest.mark.parametrize("option", ["max_turns", "max_chars", "batch_size"])
def test_judge_turns_refuses_a_number_below_one(option):
    """Budgets are positive, and the message names the one that is not."""
    judge = Mine()
    with pytest.raises(InputError, match=f"{option} is 0"):
        judge_turns(TURNS, judge, **{option: 0})
    assert judge.batches == []


def test_cache_answers_are_free_and_told(tmp_path):
    """A second run sends nothing, gives the same answers, and does not count against the budget."""
    path, program = tmp_path / "cache" / "judge.jsonl", stand_in(tmp_path)
    judge = judge_of(program, tmp_path)
    first = judge_turns(TURNS[:12], judge, cache=AnswerCache(path), batch_size=6)
    assert len(program.calls) == 2
    again = judge_turns(TURNS, judge, cache=AnswerCache(path), max_turns=3, batch_size=6)
    assert len(program.calls) == 3
    assert again.answers[:12] == first.answers
    assert (again.cached, again.sent, again.reasons) == (12, 3, {"budget": 10})


def test_cache_holds_no_text(tmp_path):
    """The file has hashes and words of the vocabulary alone."""
    path = tmp_path / "judge.jsonl"
    judge_turns(TURNS, Mine(), cache=AnswerCache(path))
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert row.keys() == {"key", "outcome", "correction_type", "about"}
        assert len(row["key"]) == 64
        assert not {"wrong", "imports", "e1", "t1"} & set(line.replace('"', " ").split())


def test_cache_depends_on_judge_and_text(tmp_path):
    """Another judge, model, text or context is another question; the session and the ids are not."""
    cache = AnswerCache(tmp_path / "judge.jsonl")
    answer = Answer(event_id="e1", turn_id="t1", outcome="acceptance")
    cache.keep([(question(1), answer)], judge="a")
    known = AnswerCache(tmp_path / "judge.jsonl")
    assert known.find(question(1), judge="a") == answer
    assert known.find(question(1, event_id="e9", turn_id="t9"), judge="a") == Answer(
        event_id="e9", turn_id="t9", outcome="acceptance"
    )
    assert known.find(question(1), judge="b") is None
    assert known.find(question(1, "other words"), judge="a") is None
    assert known.find(question(1, previous_agent="I failed."), judge="a") is None


def test_cache_that_was_damaged_is_only_slower(tmp_path):
    """Lines that hold no answer are passed over; the file can be thrown away."""
    path = tmp_path / "judge.jsonl"
    judge_turns(TURNS[:2], Mine(), cache=AnswerCache(path))
    lines = path.read_bytes().splitlines()
    path.write_bytes(lines[0].replace(b'"none"', b'["none"]') + b"\n[1]\n\xff\n" + lines[1][:20])
    judge = Mine()
    judged = judge_turns(TURNS[:2], judge, cache=AnswerCache(path))
    assert (judged.sent, len(judged.answers)) == (2, 2)
    path.unlink()
    assert judge_turns(TURNS[:2], judge, cache=AnswerCache(path)).sent == 2


def test_plan_says_what_judge_turns_then_sends(tmp_path):
    """The plan starts nothing, and its turns and prompts are those that are sent."""
    program = stand_in(tmp_path)
    judge = judge_of(program, tmp_path)
    plan = plan_sending(TURNS, key=judge.key, max_turns=8, batch_size=3)
    assert program.calls == []
    judged = judge_turns(TURNS, judge, max_turns=8, batch_size=3)
    assert (len(plan.questions), plan.batches, plan.over_budget) == (judged.sent, len(program.calls), 17) == (8, 3, 17)
    assert plan.characters < sum(len(call["prompt"]) for call in program.calls)
