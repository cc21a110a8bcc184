"""Labelled turns: how lines are read, and what the invented ones that ship hold."""

import importlib.util
import json
import re
from collections import Counter
from importlib.resources import files

import pytest

from skilltune.errors import InputError, ReadError
from skilltune.records import Outcome
from skilltune.stores.secrets import mask_secrets
from skilltune.training.turns import LABELS, invented_turns, outcome_of, read_labelled_turns

FIELDS = ("text", "previous_agent", "previous_person")
RESERVED = re.compile(
    r"(?:.*\.)?(?:example|test|invalid|localhost|local|internal|lan)|(?:.*\.)?example\.(?:com|org|net)"
    r"|localhost|127\..*|10\..*|192\.168\..*|[a-z0-9-]+"
)
"""Hosts that are nobody's: reserved names, private addresses, single words."""
URL_HOST = re.compile(r"(?:https?|wss?|ftp|git|ssh)://(?:[^\s/@]*@)?([\w.-]*\w)", re.IGNORECASE)
EMAIL_HOST = re.compile(r"[\w.+-]+@([\w-]+(?:\.[a-z][\w-]*)+)", re.IGNORECASE)


def write(path, *rows):
    """Write JSON lines; a string is a line as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rows():
    """The invented turns as they ship, one object a line, with the name of their file."""
    folder = files("skilltune.training").joinpath("turns")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".jsonl"))
    return [
        (name, json.loads(line))
        for name in names
        for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines()
    ]


# Reading


def test_turns_are_read_with_all_fields(tmp_path):
    """Every field of a line reaches the labelled turn and its situation."""
    row = {
        "id": "t1",
        "text": "Still wrong.",
        "label": "failure_report",
        "label_2": "challenge",
        "previous_agent": "Done.",
        "previous_person": "Sort it.",
        "channel": "steering",
        "interrupted": True,
        "ended_in_error": True,
        "session": "s1",
        "repository": "me/shop",
        "source": "shop",
        "agent": "codex",
        "language": "en",
        "uuid": "u1",
        "skill": "tidy",
        "turn_after_skill": 2,
        "about_skill": "yes",
    }
    (turn,) = read_labelled_turns(write(tmp_path / "a.jsonl", row))
    assert (turn.key, turn.uuid, turn.source, turn.session) == ("t1", "u1", "me/shop", "me/shop#s1")
    assert (turn.agent, turn.language, turn.outcome, turn.second) == ("codex", "en", "correction", "none")
    assert (turn.skill, turn.turn_after_skill, turn.about_skill, turn.invented) == ("tidy", 2, "yes", False)
    situation = turn.situation
    assert (situation.previous_agent, situation.previous_prompt, situation.channel) == ("Done.", "Sort it.", "steering")
    assert situation.interrupted
    assert situation.ended_in_error


def test_turns_need_little(tmp_path):
    """Text and label are enough; what is missing is told by file and line, so that no two are one."""
    one, two = read_labelled_turns(
        write(tmp_path / "a.jsonl", {"text": "x", "label": "none"}, "", {"text": "x", "label": "none"})
    )
    assert one.key.endswith("a.jsonl:1")
    assert two.key.endswith("a.jsonl:3")
    assert one.session != two.session
    assert one.source == two.source
    assert (one.second, one.language, one.situation.channel) == ("", "en", "message")


def test_turns_know_an_interrupt_by_what_preceded(tmp_path):
    """An interrupt in ``preceded_by`` counts as one; other things there do not."""
    found = read_labelled_turns(
        write(
            tmp_path / "a.jsonl",
            {"text": "x", "label": "none", "preceded_by": ["deny", "interrupt"]},
            {"text": "x", "label": "none", "preceded_by": ["deny"]},
            {"text": "x", "label": "none", "preceded_by": None},
        )
    )
    assert [turn.situation.interrupted for turn in found] == [True, False, False]


def test_turns_of_a_folder_come_file_by_file(tmp_path):
    """All ``*.jsonl`` of a folder are read in order of name; other files are not."""
    write(tmp_path / "b.jsonl", {"id": "b", "text": "x", "label": "none"})
    write(tmp_path / "a.jsonl", {"id": "a", "text": "x", "label": "none"})
    write(tmp_path / "c.txt", "no labels")
    assert [turn.key for turn in read_labelled_turns(tmp_path)] == ["a", "b"]


@pytest.mark.parametrize("text", ["\ud800", "a\u2028b", "\x00", "x" * 200_000, "\u202e"])
def test_turns_of_hostile_text_are_read(tmp_path, text):
    """No text raises or tears a line in two."""
    path = write(tmp_path / "a.jsonl", json.dumps({"text": text, "label": "none"}))
    assert len(read_labelled_turns(path)) == 1
    raw = tmp_path / "b.jsonl"
    line = json.dumps({"text": text, "label": "none"}, ensure_ascii=False) + "\n"
    raw.write_bytes(line.encode("utf-8", "surrogatepass"))
    assert len(read_labelled_turns(raw)) == 1


GOOD = {"text": "x", "label": "none"}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"text": ' + "1" * 5000 + "}", "no JSON"),
        ("[1]", "is a JSON object, not list"),
        ('"x"', "is a JSON object, not str"),
        ("null", "is a JSON object, not NoneType"),
        ({"label": "none"}, "needs text"),
        ({"text": 3, "label": "none"}, "needs text"),
        ({"text": "x"}, "label '' is unknown; known are acceptance, "),
        ({"text": "x", "label": "great"}, "label 'great' is unknown; known are acceptance, "),
        ({"text": "x", "label": ["none"]}, "label '' is unknown"),
        (GOOD | {"label_2": "great"}, "label_2 'great' is unknown; known are acceptance, "),
        (GOOD | {"channel": "pigeon"}, "channel 'pigeon' is none of message, answer, "),
        (GOOD | {"preceded_by": 5}, "preceded_by is no list"),
        (GOOD | {"preceded_by": "interrupted"}, "preceded_by is no list"),
    ],
)
def test_turns_that_are_none_are_named_by_file_and_line(tmp_path, line, complaint):
    """A wrong line is an error that names file, line, field and what would be right."""
    path = write(tmp_path / "a.jsonl", GOOD, "", line)
    with pytest.raises(InputError) as caught:
        read_labelled_turns(path)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert complaint in str(caught.value)


def test_turns_of_a_file_without_any_are_refused(tmp_path):
    """An empty file or folder says what a line is."""
    for path in (write(tmp_path / "a.jsonl", "", " "), tmp_path / "empty"):
        if path.name == "empty":
            path.mkdir()
        with pytest.raises(InputError, match=r"holds no labelled turn; a line is a JSON object with text and label"):
            read_labelled_turns(path)


def test_turns_of_a_missing_file_are_refused(tmp_path):
    """A file that is not there is named, with what to name instead."""
    with pytest.raises(ReadError, match=r"nowhere\.jsonl cannot be read: .*; name a file of labelled turns"):
        read_labelled_turns(tmp_path / "nowhere.jsonl")


def test_labels_are_outcomes():
    """Each known label stands for an outcome, and an outcome for itself; another is refused with the known."""
    outcomes = set(Outcome.__args__)
    assert set(LABELS.values()) == outcomes
    assert [outcome for outcome in outcomes if outcome_of(outcome) != outcome] == []
    with pytest.raises(InputError, match="'superb' is unknown; known are acceptance"):
        outcome_of("superb")


def test_labels_are_those_of_the_shared_scoring(shared):
    """Finer labels stand for what the shared scoring takes them for, and no label of the shared sets is unknown."""
    spec = importlib.util.spec_from_file_location("score_turns", shared / "tools" / "score_turns.py")
    scoring = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scoring)
    assert {label: LABELS.get(label) for label in scoring.MAP} == scoring.MAP
    assert {"correction", "partial"} == scoring.NEGATIVE
    for name in ("turns.jsonl", "turns_more.jsonl"):
        for row in scoring.read(shared / "data" / "labels" / name):
            for field in ("label", "label_2"):
                assert outcome_of(row[field]) == scoring.MAP.get(row[field], row[field])


# The invented turns that ship


def test_invented_turns_are_many_and_of_many_sources(rows):
    """At least a thousand turns from at least 40 made-up sources; all are marked invented."""
    turns = invented_turns()
    assert len(turns) == len(rows) >= 1000
    assert len({turn.source for turn in turns}) >= 40
    assert all(turn.invented for turn in turns)
    assert len({turn.session for turn in turns}) >= 80


def test_invented_turns_have_ids_of_their_own(rows):
    """No id stands twice, no session is in two sources, and no source in two files."""
    assert [key for key, count in Counter(row["id"] for _, row in rows).items() if count > 1] == []
    pairs = {(row["session"], row["source"]) for _, row in rows}
    assert len(pairs) == len({session for session, _ in pairs})
    homes = {(row["source"], name) for name, row in rows}
    assert len(homes) == len({source for source, _ in homes})


def test_invented_turns_repeat_only_short_words(rows):
    """What says more than an acknowledgement is said once; and no text is most of them."""
    times = Counter(row["text"].casefold() for _, row in rows)
    assert [text for text, count in times.items() if count > 1 and len(text) > 30] == []
    assert max(times.values()) <= 0.01 * len(rows)


def test_invented_turns_are_of_sane_shares():
    """Every outcome is there in the share that real turns have, roughly; so are agents, channels and languages."""
    turns = invented_turns()
    shares = {outcome: count / len(turns) for outcome, count in Counter(turn.outcome for turn in turns).items()}
    assert 0.4 <= shares["none"] <= 0.7
    assert 0.15 <= shares["correction"] <= 0.35
    assert 0.01 <= shares["partial"] <= 0.1
    assert 0.12 <= shares["acceptance"] <= 0.35
    assert {turn.agent for turn in turns} == {"claude-code", "codex", "opencode"}
    assert {turn.language for turn in turns} >= {"en", "zh", "es", "pt", "fr", "de", "ru", "ja", "ko"}
    channels = Counter(turn.situation.channel for turn in turns)
    assert min(channels[channel] for channel in ("message", "denial", "queued", "steering", "plan", "answer")) >= 10
    assert sum(turn.situation.interrupted for turn in turns) >= 30


def test_invented_turns_name_no_real_host(rows):
    """Addresses of pages and mailboxes are on reserved names: nobody's site or mailbox is named."""
    texts = [(row["id"], row[field]) for _, row in rows for field in FIELDS]
    hosts = [(key, host) for key, text in texts for host in (*URL_HOST.findall(text), *EMAIL_HOST.findall(text))]
    assert sorted(pair for pair in hosts if not RESERVED.fullmatch(pair[1].lower())) == []


def test_invented_turns_hold_no_secret(rows):
    """Nothing in them looks like a secret; what is masked are mailboxes on reserved names."""
    found = [
        (row["id"], field)
        for _, row in rows
        for field in FIELDS
        if "[secret]" in mask_secrets(row[field]).replace(row[field], "")
    ]
    assert found == []


def test_invented_turns_hold_no_control_characters(rows):
    """No sign that could move a terminal or turn text round hides in them."""
    odd = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
    assert [row["id"] for _, row in rows for field in FIELDS if odd.search(row[field])] == []
