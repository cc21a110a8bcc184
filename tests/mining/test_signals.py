"""Which phrases are meant: negation, conditions, topics, questions, and praise meant bitterly."""

import pytest

from skilltune.mining.outcomes import classify_by_rules
from skilltune.mining.signals import read_signals
from tests.mining.stories import says, skill, verdict_of

NO_COMPLAINT = [
    "this isn't wrong",
    "that's not a problem",
    "doesn't look bad",
    "it doesn't seem broken to me",
    "no longer broken",
    "The layout isn't that bad",
    "it's not broken anymore",
    "these tests are no longer failing",
    "nothing is broken now",
    "I don't see anything wrong",
    "the error is gone",
    "The timeouts disappeared",
    "it no longer crashes",
    "No, it works",
    "nah it's fine",
    "No I think that's good",
    "No no, it's fine",
    "no go ahead",
    "no, don't worry",
    "no changes",
    "No rush",
    "No questions from my side",
    "no more than 3 retries please",
    "stop the server",
    "stop the watcher process and start it on port 80",
    "make the error message say 'not correct'",
    "Create an issue: export is broken",
    "log a ticket saying that the search returns nothing",
    "add a button to undo the last change",
    "implement a way to roll back the last deployment",
    "build a command to redo the last step",
    "加一个撤销上次修改的按钮",
]


@pytest.mark.parametrize("text", NO_COMPLAINT)
def test_signals_negated_or_named_as_topic_complain_of_nothing(text):
    """What is said not to be so, and what a task is about, is no complaint."""
    assert not classify_by_rules(text).complains


CONDITIONS = [
    "If it fails, retry",
    "should it fail, try again",
    "In case it's wrong, roll back",
    "If it's wrong I'll tell you",
    "if tests fail fix them",
    "once it fails, start over",
    "retry if it fails",
    "revert it if the tests fail",
    "roll back when something breaks",
    "if not, redo it",
    "如果失败了，再试一次",
    "要是不对就撤销",
    "有问题就回滚",
    "出错的话重试",
    "不行就撤回",
    "運行失敗的話再試一次",
    "wenn die Tests fehlschlagen, mach es rückgängig",
    "si no funciona, inténtalo de nuevo",
    "si c'est faux, annule",
    "se falhar, tente de novo",
    "если тесты падают, откати",
    "もし失敗したらやり直してください",
    "실패하면 다시 해 주세요",
]


@pytest.mark.parametrize("text", CONDITIONS)
def test_signals_that_hang_on_a_condition_are_none(text):
    """What is to be done in case of a failure says nothing of the work so far."""
    verdict = classify_by_rules(text)
    assert (verdict.outcome, verdict.reason) == ("none", "forward")


@pytest.mark.parametrize(
    "text", ["revert that if you can", "undo it please, if possible", "redo it when you have time"]
)
def test_signals_with_a_polite_condition_are_meant(text):
    """A condition about the agent's leisure leaves the wish as it is."""
    assert classify_by_rules(text).correction_type in ("revert", "redo")


QUESTIONS = [
    "这样对吗？",
    "好的吗？",
    "可以吗",
    "对吗",
    "这样对不对",
    "是不是",
    "行不行",
    "能不能",
    "好不好",
    "这样可以了吗",
    "改好了吗",
    "没错吧？",
    "這樣對嗎？",
    "这个有没有问题",
    "これでいいですか",
    "이거 맞아요?",
    "¿está bien?",
    "это правильно?",
]


@pytest.mark.parametrize("text", QUESTIONS)
def test_signals_in_a_question_accept_nothing(text):
    """A question is neither acceptance nor complaint, with or without its mark."""
    verdict = classify_by_rules(text)
    assert (verdict.outcome, verdict.reason) == ("none", "question")


@pytest.mark.parametrize("text", ["好多了", "现在清楚多了", "這樣好多了，謝謝", "好的", "可以", "对"])
def test_signals_of_a_chinese_answer_accept(text):
    """The same words without a question accept; much better is no too much."""
    assert classify_by_rules(text).outcome == "acceptance"


BITTER = [
    "Great, it crashed again",
    "great, another failure",
    "awesome, thanks for breaking the build",
    "perfect, exactly what I didn't want",
    "Wonderful, now nothing works",
    "Fantastic, the tests fail again",
    "Perfect. Now the build is broken.",
]


@pytest.mark.parametrize("text", BITTER)
def test_signals_of_bitter_praise_reject(text):
    """Praise beside a failure, without a but, is meant bitterly."""
    assert classify_by_rules(text).correction_type == "rejection"


@pytest.mark.parametrize("text", ["great, but one test still fails", "good work, but the footer is missing"])
def test_signals_of_praise_with_a_but_accept_in_part(text):
    """A but makes the praise honest."""
    assert classify_by_rules(text).correction_type == "partial"


COMPLAINTS = [
    "thats not right",
    "it doesnt work",
    "you didnt update the docs",
    "dont like it",
    "isnt good",
    "isn't good",
    "not great",
    "this sucks",
    "that is the opposite of what I want",
    "its wrong",
    "no that's wrong",
    "No, it doesn't work",
    "No. Wrong file.",
    "no, the other one is better",
    "no, not like that",
    "stop",
    "Stop, that's the wrong table",
    "stop changing the tests",
    "fix this: the total is wrong",
    "The dates are not correct, we never use that format. Did you read the guide?",
    "no funciona",
    "这样不行",
    "太多了",
]


@pytest.mark.parametrize("text", COMPLAINTS)
def test_signals_of_plain_complaints_reject(text):
    """Complaints count in loose spelling, after a no, and where a question follows."""
    assert classify_by_rules(text).correction_type == "rejection"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("please undo the last change", "revert"), ("add the tests and undo the last change", "revert")],
)
def test_signals_beside_a_task_are_meant(text, kind):
    """A wish of its own counts beside a task."""
    assert classify_by_rules(text).correction_type == kind


@pytest.mark.parametrize(
    "text", ["check the comments in the parser and sort them", "translate the comments and the labels"]
)
def test_signals_of_code_comments_are_not_relayed(text):
    """Comments may be those in the code."""
    assert classify_by_rules(text).reason == "new_task"


CHANGES = [
    "let's use postgres instead of sqlite here",
    "change it to use tabs rather than blanks",
    "make it a table with four columns",
    "put that in the sidebar and call it notes",
    "rename it to parse_rows please",
    "把它换成蓝色的，字体也调大一点",
    "cambia el botón a verde en vez de rojo, por favor",
    "utilise plutôt postgres au lieu de sqlite",
    "nimm lieber postgres statt sqlite",
]


@pytest.mark.parametrize("text", CHANGES)
def test_signals_of_a_change_are_no_new_task(text):
    """A change of what was done is no acceptance of it, and a later complaint still counts in full."""
    assert not classify_by_rules(text).explicit
    assert not verdict_of(skill(), says(text)).startswith("acceptance")
    assert verdict_of(skill(), says(text), says("that's wrong")).startswith("correction/rejection")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Actually, use green instead of red please", "rejection"),
        ("Actually, make it a list", "rejection"),
        ("use the short form instead of what you wrote there", "rejection"),
        ("switch it back to sqlite", "revert"),
    ],
)
def test_signals_of_a_change_of_mind_complain(text, kind):
    """Clear words make a change a correction."""
    assert classify_by_rules(text).correction_type == kind


def test_signals_of_long_messages_stay_early():
    """A complaint far down in a long message is not about the work before."""
    text = "Build it. Test it. Ship it later. " + "Write more words here. " * 40 + "The last is wrong."
    assert read_signals(text).first("rejection") is None


def test_signals_of_a_story_with_conditions_accept_nothing():
    """A forward instruction alone gives no event."""
    assert verdict_of(skill(), says(CONDITIONS[0])) == "none"
