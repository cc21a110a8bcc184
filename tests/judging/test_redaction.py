"""What of a turn may leave the machine."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.judging.redaction import redact_question, redact_text, sent_characters
from skilltune.limits import AGENT_TEXT_CHARS
from tests.judging.standin import question

KEY = "sk-" + "ant-api03-" + "Zq8vT1" * 8


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("open /home/ana/shop/a.py", "open ~/shop/a.py"),
        ("open /Users/Ana.Maria/shop", "open ~/shop"),
        ("file:///home/ana/x", "file://~/x"),
        ("as /root/.ssh/config says", "as ~/.ssh/config says"),
        (r"C:\Users\Ana Maria\shop\a.py", r"~\shop\a.py"),
        (r"C:\\Users\\ana\\shop", r"~\\shop"),
        ("c:/Users/ana/shop", "~/shop"),
        ("/mnt/c/Users/ana/shop", "~/shop"),
        ("/c/Users/ana/shop", "~/shop"),
        ("see /.claude/projects/-home-ana-shop/x", "see /.claude/projects/-~-shop/x"),
        ("-Users-ana-shop and C--Users-ana-shop", "-~-shop and -~-shop"),
        ("/home/Ana Maria/x", "~/x"),
        (r"/home/Ana\ Maria/x", "~/x"),
        ("/home/Ana de Souza/x", "~/x"),
        ("cd /home/ana and see a/b", "cd ~ and see a/b"),
        ("/home/ana See a/b", "~ See a/b"),
        ("/var/home/ana/x", "~/x"),
        ("/System/Volumes/Data/Users/ana/x", "~/x"),
        ("q=%2Fhome%2Fana%2Fx", "q=~%2Fx"),
        ("%2fhome%2fAna%20Maria%2Fx", "~%2Fx"),
        ("file:%2F%2F%2FUsers%2Fana%2Fx", "file:%2F%2F~%2Fx"),
        ("%252Fhome%252Fana%252Fx", "~%252Fx"),
        ("C%3A%5CUsers%5CAna", "~"),
        ("c%3A%2FUsers%2FAna%20Maria%2Fx", "~%2Fx"),
        ("\\\\?\\C:\\Users\\Ana", "\\\\?\\~"),
        ("C:\\\\\\\\Users\\\\\\\\Ana\\\\\\\\x", "~\\\\\\\\x"),
        (r"\\wsl$\Ubuntu\home\ana\x", r"\\wsl$\Ubuntu~\x"),
        ("~ana/x", "~/x"),
        ("see ~ana, please", "see ~, please"),
        ("~/x and ~10 min, ~~gone~~", "~/x and ~10 min, ~~gone~~"),
        ("a well-home-made thing", "a well-home-made thing"),
        ("the /home page", "the /home page"),
        ("https://example.org/home/ana", "https://example.org/home/ana"),
        ("rooted in /rootless", "rooted in /rootless"),
        ("mail ana@example.org", "mail [email]"),
        (f"the key is {KEY}", "the key is [secret]"),
        ("hidden\u202e\u200b\U000e0041 words\x1b[31m", "hidden words[31m"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("two\nlines\tand 漢字 👩‍💻", "two\nlines\tand 漢字 👩‍💻"),
    ],
)
def test_redact_text(text, shown):
    """Secrets, addresses, home folders and invisible characters go, the rest stays."""
    assert redact_text(text, max_chars=1000) == shown


def test_redact_text_takes_out_this_persons_home_wherever_it_is(monkeypatch):
    """A home folder at an odd place is known, too."""
    monkeypatch.setenv("HOME", "/data/people/ana-m")
    assert redact_text("open /data/people/ana-m/shop", max_chars=100) == "open ~/shop"
    assert redact_text("open /data/people/ana-maria", max_chars=100) == "open /data/people/ana-maria"
    assert redact_text("projects/-data-people-ana-m-shop", max_chars=100) == "projects/-~-shop"


def test_redact_text_masks_before_it_cuts():
    """A secret at the cut leaves no half of it."""
    for before in range(60, 130):
        shown = redact_text("x " * (before // 2) + KEY + " y" * 200, max_chars=200)
        assert "Zq8v" not in shown


def test_redact_text_drops_a_word_that_the_reader_cut():
    """A text that begins in the middle of a word may begin in the middle of a key."""
    text = (KEY[30:] + " the rest of it is fine. " * 60)[:AGENT_TEXT_CHARS]
    assert redact_text(text, max_chars=5000).startswith(" the rest")


def test_redact_question_holds_nothing_that_tells_where():
    """Project, session, record, time and the rules' verdict are out; the ids to answer by stay."""
    seen = redact_question(question(3), max_chars=500)
    assert (seen.event_id, seen.turn_id) == ("e3", "t3")
    left = {field.name: getattr(seen, field.name) for field in dataclasses.fields(seen)}
    assert not {"/home/ana/shop", "session-3", "uuid-of-the-record", "rule-of-thumb", "acceptance", 7} & set(
        map(str, left.values())
    )
    assert seen.rule_outcome == "none"


@given(st.text(max_size=400), st.integers(200, 400))
def test_redact_text_fits_and_can_be_sent(text, limit):
    """Whatever the text, the result has at most the characters allowed and is valid UTF-8."""
    shown = redact_text(text, max_chars=limit)
    shown.encode("utf-8")
    assert len(shown) <= limit


@given(st.text(max_size=3000), st.text(max_size=3000))
def test_redact_question_counts_what_is_sent(text, previous):
    """A turn costs at most its own limit, and half of that for each piece of context."""
    seen = redact_question(question(1, text, previous_prompt=previous, previous_agent=previous), max_chars=300)
    assert sent_characters(seen) <= 300 + 4 * 150 + 400


@pytest.mark.parametrize(
    "text",
    [
        "/srv/people/Zoë K/shop",
        "/srv/people/Zoë%20K/shop",
        r"/srv/people/Zoë\ K/shop",
        "%2Fsrv%2Fpeople%2FZo%C3%AB%20K%2Fshop",
        "%2fsrv%2fpeople%2fZo%c3%ab+K%2fshop",
        "%252Fsrv%252Fpeople%252FZo%25C3%25AB%2520K%252Fshop",
        "file:///srv/people/Zo%C3%AB%20K/shop",
        r"\srv\people\Zoë K\shop",
        "mine is Zoë K, thanks",
        "user=Zo%C3%AB%20K",
        "by_Zoë K_",
    ],
)
def test_own_home_and_name_are_masked_however_they_are_written(monkeypatch, text):
    """Literal, in a URL, in a shell: this person's home folder and user name do not leave the machine."""
    monkeypatch.setenv("HOME", "/srv/people/Zoë K")
    shown = redact_text(text, max_chars=500)
    assert "Zo" not in shown
    assert "people" not in shown
    assert "~" in shown or "[user]" in shown


def test_user_name_of_the_environment_is_masked_as_a_word(monkeypatch):
    """The name counts where it stands by itself; names that everybody has, and short ones, say nothing."""
    monkeypatch.setenv("HOME", "/data/h1")
    monkeypatch.setenv("USER", "jlopez")
    assert redact_text("ask jlopez or git@host:jlopez/x", max_chars=200) == "ask [user] or git@host:[user]/x"
    assert redact_text("jlopezian jlopez2", max_chars=200) == "jlopezian jlopez2"
    monkeypatch.setenv("USER", "dev")
    assert redact_text("the dev server", max_chars=200) == "the dev server"
