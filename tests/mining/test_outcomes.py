"""The verdict on one turn."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.limits import CONFIDENCE, TURN_TEXT_CHARS
from skilltune.mining.folding import HEAD_CHARS, TAIL_CHARS
from skilltune.mining.outcomes import Verdict, classify_by_rules

SAYS = {
    "revert": [
        "undo that",
        "Revert your last change please",
        "can you undo that?",
        "go back to the old version",
        "put it back the way it was",
        "撤回",
        "改回去",
        "取消剛才的修改",
        "Vuelve a la versión anterior",
        "annule ça",
        "desfaz isso",
        "mach das rückgängig",
        "верни как было",
        "元に戻してください",
        "되돌려 주세요",
    ],
    "redo": [
        "do it again",
        "Please redo the summary from scratch",
        "start over",
        "scrap this and try again",
        "again, with tabs",
        "could you redo it with async?",
        "再试一次",
        "請重新生成",
        "hazlo de nuevo",
        "refais-le",
        "refaz",
        "nochmal bitte",
        "переделай",
    ],
    "rejection": [
        "nope, still broken",
        "That doesn't work.",
        "You didn't update the changelog",
        "I asked for JSON",
        "there's still a bug in the parser",
        "that can not run on the old image, let us take the other base",
        "Thank you, but that's not what I meant",
        "You just wiped my config, great",
        "Nice, now everything is broken",
        "thanks for nothing",
        "it works sometimes",
        "Not exactly, the title should be bold",
        "fix the failing tests",
        "still the same error",
        "but the list is unsorted",
        "这样不对",
        "還是不行",
        "别改数据库",
        "no funciona",
        "ça ne marche pas",
        "ainda não funciona",
        "Das ist falsch",
        "Это неправильно",
        "間違っています",
        "안 돼요",
    ],
    "partial": [
        "Not bad, but the header is off",
        "great, just one thing: rename foo to bar",
        "Yes, but rename the flag",
        "Fine by me except the title",
        "looks good, just take the ticket numbers out",
        "很好，但是有个错别字",
        "内容可以，但是图表太多了",
    ],
    "acceptance": [
        "no problem",
        "nothing is missing",
        "LGTM 🚀",
        "it works now",
        "yes please",
        "Great, can you now add a page?",
        "commit and push",
        "Looks good, on to the next page now",
        "exactly the tone I wanted",
        "没有问题",
        "繼續",
        "這次可以了",
        "Gracias, perfecto",
        "c'est parfait, merci",
        "ótimo, obrigado",
        "passt, danke",
        "отлично",
        "ありがとう",
        "좋아요",
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SAYS.items() for text in texts])
def test_outcome_of_plain_words(kind, text):
    """Clear words in any of the languages say what they say, and the verdict names its rule."""
    verdict = classify_by_rules(text)
    assert (verdict.correction_type or verdict.outcome) == kind
    assert verdict.rule
    assert verdict.explicit == (kind == "acceptance")
    assert verdict.complains == (kind != "acceptance")
    assert verdict.confidence == CONFIDENCE["explicit" if kind == "acceptance" else kind]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("is this right?", "question"),
        ("how do I undo a commit", "question"),
        ("perfect?", "question"),
        ("可以吗？", "question"),
        ("这样做有什么问题吗", "question"),
        ("Sorry, I pasted the old file", "own_mistake"),
        ("我说错了", "own_mistake"),
        ("If the tests fail, try again with --slow", "forward"),
        ("from now on the wrong branch is fine to use", "forward"),
        ("got this feedback: the loop never ends and is wrong", "relayed"),
        ("add a test for wrong passwords", "new_task"),
        ("Do not push straight to the release branch. Build the importer.", "new_task"),
        ("fyi the old config lives in the other folder", "aside"),
        ("Non funziona, rifallo per favore", "language"),
        ("Nee, dit klopt niet", "language"),
        ("No, to jest źle", "language"),
        ("ok grazie, perfetto", "language"),
        ("Αυτό είναι λάθος", "language"),
        ("", "no_words"),
        ("```\nx = 1\n```", "no_words"),
        ("the second column holds the dates", "no_signal"),
    ],
)
def test_outcome_none_has_a_reason(text, reason):
    """A turn that says nothing of the work is none, and says why."""
    verdict = classify_by_rules(text)
    assert (verdict.outcome, verdict.correction_type, verdict.reason) == ("none", None, reason)


@pytest.mark.parametrize(
    ("text", "agent", "kind"),
    [
        ("No", "Here is the page.", "rejection"),
        ("No", "", "rejection"),
        ("No", "Is this what you wanted?", "rejection"),
        ("No", "Does this look right?", "rejection"),
        ("No, thanks", "Delete the temp branch as well?", "none"),
        ("No", "Want me to delete the branch?", "none"),
        ("no", "Are you on Linux?", "none"),
        ("no, that's wrong", "Want me to delete the branch?", "rejection"),
        ("不用了", "要我删除分支吗？", "none"),
        ("Option B", "Which approach do you prefer?", "acceptance"),
        ("2", "Which option should I take?", "acceptance"),
        ("let's do the second one", "Shall I go on with one of these?", "acceptance"),
        ("2", "Here are the numbers.", "none"),
    ],
)
def test_outcome_of_a_short_reply_depends_on_what_was_asked(text, agent, kind):
    """A bare no or a choice means what the agent's last question makes of it."""
    verdict = classify_by_rules(text, previous_agent=agent)
    assert (verdict.correction_type or verdict.outcome) == kind


@pytest.mark.parametrize(
    ("context", "kind", "confidence"),
    [
        ({"channel": "denial", "decision": "rejected"}, "rejection", 0.7),
        ({"channel": "plan", "decision": "approved"}, "acceptance", 0.8),
        ({"channel": "plan", "decision": "rejected"}, "rejection", 0.7),
        ({"channel": "edit", "tool": "Edit"}, "partial", 0.7),
    ],
)
def test_outcome_of_a_click(context, kind, confidence):
    """Refusing, approving and editing count without words."""
    verdict = classify_by_rules("", **context)
    assert (verdict.correction_type or verdict.outcome, verdict.confidence) == (kind, confidence)


def test_outcome_of_a_file_that_changed_outside():
    """A change that belongs to no proposed edit may be a formatter's: it says nothing."""
    assert classify_by_rules("", channel="edit").reason == "changed_outside"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("use the other file", "rejection"),
        ("undo your last edit first", "revert"),
        ("Sorry, I gave you the wrong path", "none"),
        ("to nie działa, popraw to", "rejection"),
    ],
)
def test_outcome_of_a_denial_with_words(text, kind):
    """A refused call is a rejection whatever is said, unless more is asked or the mistake was the person's own."""
    verdict = classify_by_rules(text, channel="denial", decision="rejected")
    assert (verdict.correction_type or verdict.outcome) == kind


@pytest.mark.parametrize(
    ("text", "kind"), [("No, wrong file", "rejection"), ("The blue one", "none"), ("No", "none"), ("Yes", "none")]
)
def test_outcome_of_an_answer_counts_complaints_only(text, kind):
    """An answer to a question tool judges nothing unless it complains."""
    verdict = classify_by_rules(text, channel="answer", tool="AskUserQuestion")
    assert (verdict.correction_type or verdict.outcome) == kind


@pytest.mark.parametrize(
    ("text", "previous", "kind", "reason"),
    [
        ("use the other repo please", "clone the repo", "rejection", ""),
        ("write the parser for csv files", "write a parser for csv files", "none", "reworded"),
        ("please continue", "write the parser", "none", "no_signal"),
        ("what are you doing?", "write the parser", "none", "question"),
    ],
)
def test_outcome_after_an_interrupt(text, previous, kind, reason):
    """A new direction after an interrupt is a rejection; going on, asking and rewording are not."""
    verdict = classify_by_rules(text, interrupted=True, previous_prompt=previous)
    assert (verdict.correction_type or verdict.outcome, verdict.reason) == (kind, reason)


def test_outcome_of_a_prompt_repeated_after_an_error_is_redo():
    """The same request after a run that ended in an error wants it done over."""
    again = {"text": "plot sales by month for 2025", "previous_prompt": "plot the sales by month for 2025"}
    assert classify_by_rules(**again, ended_in_error=True).correction_type == "redo"
    assert classify_by_rules(**again).outcome == "none"


def test_outcome_of_a_prompt_repeated_word_for_word_is_no_new_task():
    """The same words again are no request that stands by itself; a short word to go on still is one."""
    prompt = "write a parser for the csv files"
    assert classify_by_rules(prompt, previous_prompt=prompt).reason == "repeated"
    assert classify_by_rules(prompt, previous_prompt="Write a parser  for the csv files").reason == "repeated"
    assert classify_by_rules(prompt, previous_prompt="write a parser for the ini files").reason == "new_task"
    assert classify_by_rules("go on", previous_prompt="go on").outcome == "acceptance"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Traceback (most recent call last):\nValueError: bad row", "rejection"),
        ("now I get this:\n```\npanic: nil map\n```", "rejection"),
        ("what does this mean?\n```\npanic: nil map\n```", "none"),
        ("yes, great work\n```\nold run: panic: nil map\n```", "acceptance"),
        ("```\nall 12 tests passed\n```", "none"),
    ],
)
def test_outcome_of_a_pasted_failure(text, kind):
    """A failure pasted after the work is a rejection about reliability, unless words say otherwise."""
    verdict = classify_by_rules(text)
    assert (verdict.correction_type or verdict.outcome) == kind
    assert kind != "rejection" or verdict.dimension == "reliability"


@pytest.mark.parametrize("text", ["That’s wrong", "that's  WRONG", "  That's wrong!  ", "ＴＨＡＴ'S ＷＲＯＮＧ"])
def test_outcome_ignores_case_width_quotes_and_blanks(text):
    """The form of the letters and blanks changes nothing."""
    assert classify_by_rules(text) == classify_by_rules("that's wrong")


@pytest.mark.parametrize(
    "text", ["The wrongly-named", "notwithstanding", "information", "nonetheless this", "breakfast"]
)
def test_outcome_needs_whole_words(text):
    """A signal inside a longer word is none."""
    assert classify_by_rules(text).outcome == "none"


@given(
    text=st.text(max_size=400),
    agent=st.text(max_size=80),
    context=st.fixed_dictionaries(
        {
            "channel": st.sampled_from(["message", "answer", "denial", "queued", "steering", "plan", "edit"]),
            "decision": st.sampled_from(["", "approved", "rejected"]),
            "interrupted": st.booleans(),
            "ended_in_error": st.booleans(),
        }
    ),
)
def test_outcome_never_raises(text, agent, context):
    """Any text in any context gives a verdict that is whole: a rule, and either an outcome or a reason."""
    verdict = classify_by_rules(text, previous_agent=agent, previous_prompt=agent, **context)
    assert isinstance(verdict, Verdict)
    assert verdict.rule
    assert (verdict.outcome == "none") == bool(verdict.reason)
    assert verdict.complains == (verdict.dimension is not None) == (verdict.correction_type is not None)


@given(
    st.sampled_from([text for texts in SAYS.values() for text in texts]), st.sampled_from([" ", "\n", "\t ", "  \n"])
)
def test_outcome_ignores_outer_blanks(text, blanks):
    """Blanks around a message change nothing."""
    assert classify_by_rules(blanks + text + blanks) == classify_by_rules(text)


@given(st.sampled_from([text for texts in SAYS.values() for text in texts]))
def test_outcome_ignores_shouting(text):
    """Capital letters change nothing."""
    assert classify_by_rules(text.upper()) == classify_by_rules(text.lower())


def calls(text):
    """How many calls of Python functions the verdict on a text takes."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        classify_by_rules(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "no ",
        "please just now then ",
        "a/",
        '"a',
        "`",
        "a.",
        "```\n",
        "不对",
        "{",
        "1:1:",
        "-a",
        "\n",
        "太",
        "if ",
        "add a ",
    ],
)
def test_outcome_takes_work_in_proportion_to_the_text(piece):
    """Twice the text takes at most little more than twice the work, whatever is repeated in it."""
    classify_by_rules(piece)
    half = calls(piece * (HEAD_CHARS // 2 // len(piece)))
    assert calls(piece * (HEAD_CHARS // len(piece))) <= 2.5 * half + 200


def test_outcome_looks_at_the_ends_of_a_long_text_only():
    """A message of the greatest length takes no more work than its beginning and end."""
    text = "this is wrong. " * (TURN_TEXT_CHARS // 15)
    classify_by_rules(text)
    assert calls(text) <= 1.2 * calls(text[: HEAD_CHARS + TAIL_CHARS]) + 200
