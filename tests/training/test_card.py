"""The card that ships: counted again from the pointers, of the rules and the model that ship, and without a text."""

import json
import re
from collections import Counter

import pytest

from skilltune.mining import ruleset_version
from skilltune.mining.model import read_model
from skilltune.training.calibrating import Calibrated
from skilltune.training.card import build_card, measure, rates
from skilltune.training.card_text import render_card
from skilltune.training.examples import build_examples
from skilltune.training.figures import GROUPS
from skilltune.training.fitting import Fitting, fit_weights
from skilltune.training.holdout import bare_model
from skilltune.training.pointers import read_pointers
from skilltune.training.publishing import make_model_file
from skilltune.training.recipe import helpful_turns
from skilltune.training.turns import invented_turns, outcome_of, read_labelled_turns
from tests.conftest import ROOT
from tests.training.invented import make_judged

MINING = ROOT / "skilltune" / "mining"
POINTERS = ROOT / "benchmarks" / "held_out.jsonl"
CARD = json.loads((MINING / "model_card.json").read_text(encoding="utf-8"))
AGAIN = "measure again with: python benchmarks/model_card.py --write"
FILES = ("turns.jsonl", "turns_more.jsonl")
OUTCOMES = {"correction", "partial", "acceptance", "none"}
WORD = re.compile(r"[\w.:+#/@-]{0,160}")
"""An id, a path, a version, a name: no spaces, no quotes, nothing that could be a sentence."""


@pytest.fixture(scope="module")
def held_out():
    """The held-out verdicts: with sessions left out, with projects left out."""
    return read_pointers(POINTERS)


@pytest.fixture(scope="module")
def pointers():
    """The lines of the pointers as they are."""
    return [json.loads(line) for line in POINTERS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def measured(shared):
    """Examples of the shared labels, and of the invented turns that the shipped model learned from."""
    turns = [turn for name in FILES for turn in read_labelled_turns(shared / "data" / "labels" / name)]
    return build_examples(turns), build_examples(helpful_turns(invented_turns(), languages=["en"]))


def strings(value):
    """All strings in a JSON value, names of fields too."""
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in (key, *strings(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


# What ships


def test_card_is_of_the_rules_and_model_that_ship():
    """The figures were measured with the rules and the model of this package."""
    assert CARD["model"] == read_model().version, AGAIN
    assert CARD["ruleset"] == ruleset_version(), AGAIN
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", CARD["measured"])


def test_card_equals_the_pointers_counted_again(held_out):
    """Every measured figure of the card follows from the held-out verdicts, to the last digit."""
    again = json.loads(json.dumps(build_card(*held_out, first_file=CARD["one_project"]["turns"])))
    assert {name: CARD[name] for name in again} == again, AGAIN
    rest = CARD.keys() - again.keys()
    assert rest == {"ruleset", "measured", "model", "invented", "folds", "rules_on_invented"}


def test_card_text_is_the_card():
    """The card in words is the one that the figures give."""
    assert (MINING / "MODEL_CARD.md").read_text(encoding="utf-8") == render_card(CARD), AGAIN


def test_card_holds_no_text():
    """The card has numbers, names of figures, languages and agents, a date and versions: nothing anybody said."""
    known = {*GROUPS, *OUTCOMES, *read_model().file.languages, "en", "claude-code", "codex", "opencode", "each session"}
    known |= {CARD["ruleset"], CARD["measured"], CARD["model"]}
    fields = re.compile(r"[a-z][a-z_0-9]*|zh-Hant")
    assert [text for text in strings(CARD) if text not in known and not fields.fullmatch(text)] == []
    assert max(len(text) for text in strings(CARD)) <= 32


def test_pointers_hold_no_text(pointers):
    """A pointer has ids, names and words of the vocabularies: nothing in which a sentence would fit."""
    fields = {"key", "uuid", "source", "session", "agent", "language", "outcome", "second", "skill", "about_skill"}
    verdicts = {"turn_after_skill", "by_rules", "session_unseen", "project_unseen"}
    for row in pointers:
        assert row.keys() == fields | verdicts
        assert [row[name] for name in fields if not WORD.fullmatch(row[name])] == []
        assert row["agent"] in {"claude-code", "codex", "opencode"}
        assert row["about_skill"] in {"", "yes", "no", "unclear"}
        assert {row["outcome"], row["by_rules"], row["session_unseen"][0], row["project_unseen"][0]} <= OUTCOMES
        assert row["second"] in OUTCOMES
        assert isinstance(row["turn_after_skill"], int)
        for unseen in ("session_unseen", "project_unseen"):
            assert len(row[unseen]) == 3
            assert all(0 <= chance <= 1 for chance in row[unseen][1:])


def test_pointers_are_each_to_another_turn(pointers):
    """No turn is counted twice."""
    assert len({row["key"] for row in pointers}) == len(pointers) == CARD["turns"]
    assert [uuid for uuid, number in Counter(row["uuid"] for row in pointers).items() if uuid and number > 1] == []


def test_card_meets_the_bars():
    """On one project, sessions unseen: complaints F1 0.62, acceptance 0.80, the rate within 3 points of the true."""
    one = CARD["one_project"]
    assert one["turns"] >= 550
    assert one["outcomes"]["negative"]["f1"]["rate"] >= 0.62
    assert one["outcomes"]["acceptance"]["f1"]["rate"] >= 0.80
    assert abs(one["rate"]["said"] - one["rate"]["true"]) <= 0.03
    assert abs(CARD["rate"]["said"] - CARD["rate"]["true"]) <= 0.03


def test_card_says_that_the_model_beats_the_rules():
    """The model earns its place: better on complaints than the rules alone, and no worse on acceptances."""
    for group, margin in (("negative", 0.0), ("acceptance", 0.02)):
        assert CARD["outcomes"][group]["f1"]["rate"] >= CARD["rules_alone"][group]["f1"]["rate"] - margin


def test_card_says_what_invented_turns_add():
    """Both figures are there, with invented turns and without, for sessions and for projects left out."""
    added = CARD["invented"]
    for way in ("with", "without"):
        assert added[way].keys() == {"session", "project"}
        assert all(one.keys() == {"negative", "acceptance"} for one in added[way].values())
    assert added["with"]["session"]["negative"] == CARD["outcomes"]["negative"]["f1"]
    assert added["turns"] >= 1000


def test_card_calibration_is_near_the_diagonal():
    """Among turns with like probabilities, about that share complains: on average within 6 points."""
    for group in ("negative", "acceptance"):
        curve = CARD["calibration"][group]
        off = sum(one["n"] * abs(one["mean"] - one["observed"]) for one in curve) / sum(one["n"] for one in curve)
        assert off <= 0.06
        assert sum(one["n"] for one in curve) == CARD["turns"]


@pytest.mark.parametrize("group", ["negative", "correction", "partial", "acceptance"])
def test_card_figures_are_shares_with_intervals(group):
    """Precision, recall and F1 are counts over counts, inside their intervals."""
    for name in ("precision", "recall", "f1"):
        share = CARD["outcomes"][group][name]
        assert share["rate"] == pytest.approx(share["k"] / share["n"], abs=1e-4)
        assert share["low"] <= share["rate"] <= share["high"]


# Against the shared labels


def test_pointers_are_those_of_the_shared_labels(shared, pointers):
    """Every pointer's turn is in the shared labels with the labels that the pointer says, and none is left out."""
    rows = [
        json.loads(line)
        for name in FILES
        for line in (shared / "data" / "labels" / name).read_text(encoding="utf-8").splitlines()
    ]
    assert [row["id"] for row in rows] == [row["key"] for row in pointers]
    for row, pointer in zip(rows, pointers, strict=True):
        assert (row["uuid"] or "", row["repository"]) == (pointer["uuid"], pointer["source"])
        assert pointer["session"] == f"{row['repository']}#{row['session']}"
        assert (outcome_of(row["label"]), outcome_of(row["label_2"])) == (pointer["outcome"], pointer["second"])


def test_pointers_hold_nothing_that_was_said(shared, pointers):
    """No value of a pointer is something that was said, save words as short as a yes."""
    rows = [
        json.loads(line)
        for name in FILES
        for line in (shared / "data" / "labels" / name).read_text(encoding="utf-8").splitlines()
    ]
    said = {row["text"] for row in rows} | {row["previous_agent"] for row in rows}
    assert not {text for text in said if len(text) > 12} & set(strings(pointers))


def test_model_is_that_of_a_fresh_fit(measured):
    """Fitting everything again gives the weights that ship."""
    examples, beside = measured
    assert len(beside) == CARD["invented"]["turns"], AGAIN
    shipped = read_model().file
    fresh = fit_weights([*examples, *beside], fitting=Fitting())
    calibrated = Calibrated(shipped.calibration, shipped.thresholds)
    again = make_model_file(fresh, calibrated, languages=shipped.languages)
    nothing = (0.0, 0.0)
    for name in {*shipped.weights, *again.weights}:
        kept, new = shipped.weights.get(name, nothing), again.weights.get(name, nothing)
        # a weight at the edge of what is left out may be there in one and not in the other
        assert kept == pytest.approx(new, abs=1e-2 if name in shipped.weights and name in again.weights else 0.03), name
    assert shipped.bias == pytest.approx(again.bias, abs=1e-2)


def test_held_out_verdicts_are_those_of_a_model_without_the_session(measured, pointers):
    """Trained again without one bundle of sessions, the model gives its turns the probabilities that were stored."""
    examples, beside = measured
    names = sorted({example.turn.session for example in examples})
    number = len(names) if CARD["folds"] == "each session" else CARD["folds"]
    (longest, _), *_ = Counter(example.turn.session for example in examples).most_common(1)
    bundle = set(names[names.index(longest) % number :: number])
    seen = [example for example in examples if example.turn.session not in bundle]
    model = bare_model(fit_weights([*seen, *beside], fitting=Fitting()))
    shipped = read_model().file
    calibrated = Calibrated(shipped.calibration, shipped.thresholds)
    stored = {row["key"]: row["session_unseen"] for row in pointers}
    found = 0
    for example in examples:
        if example.turn.session in bundle:
            chances = calibrated.chances(model.scores(example.features))
            # calibrated on all sessions here, without a tenth of them there: a cap may be one turn in fifty off
            assert stored[example.turn.key][1] == pytest.approx(chances.negative, abs=0.025)
            assert stored[example.turn.key][2] == pytest.approx(chances.acceptance, abs=0.025)
            found += 1
    assert found >= 10


def test_model_knows_no_word_of_one_project_only(measured):
    """A word that weighs is said in at least 3 sessions of 2 projects, real or invented."""
    examples, beside = measured
    sessions, sources = {}, {}
    for example in (*examples, *beside):
        for name in example.features:
            sessions.setdefault(name, set()).add(example.turn.session)
            sources.setdefault(name, set()).add(example.turn.source)
    for name in read_model().file.weights:
        assert len(sessions[name]) >= 3, name
        assert len(sources[name]) >= 2 or not name.startswith(("word=", "first=")), name


# How a card is made


def test_build_card_parts_turns_by_project_and_agent():
    """Figures of the first file, of the largest project, of the smaller ones and of each agent are of their turns."""
    told = [("p1", "claude-code"), ("p1", "claude-code"), ("p1", "codex"), ("p2", "codex"), ("p3", "claude-code")]
    judged = [
        make_judged("correction", "correction", source=source, agent=agent, session=f"s{at}", key=f"k{at}")
        for at, (source, agent) in enumerate(told)
    ]
    card = build_card(judged, judged, first_file=2)
    assert (card["turns"], card["sessions"], card["projects"]) == (5, 5, 3)
    assert card["one_project"]["turns"] == 2
    assert card["largest_project_unseen"]["turns"] == 3
    assert (card["other_projects"]["turns"], card["other_projects"]["projects"]) == (2, 2)
    assert {agent: one["turns"] for agent, one in card["by_agent"].items()} == {"claude-code": 3, "codex": 2}


def test_build_card_measures_projects_on_verdicts_without_the_project():
    """What is said of other projects and agents is taken from the verdicts with the project unseen."""
    seen = [make_judged("correction", "correction", source=f"p{at // 2}", session=f"s{at}") for at in range(3)]
    unseen = [make_judged("correction", "none", source=f"p{at // 2}", session=f"s{at}") for at in range(3)]
    card = build_card(seen, unseen, first_file=3)
    assert card["outcomes"]["negative"]["recall"]["rate"] == 1.0
    assert card["other_projects"]["outcomes"]["negative"]["recall"]["rate"] == 0.0
    assert card["largest_project_unseen"]["outcomes"]["negative"]["recall"]["rate"] == 0.0
    assert card["by_agent"]["claude-code"]["outcomes"]["negative"]["recall"]["rate"] == 0.0


def test_rates_by_hand():
    """The share of complaints as labelled, as said, and as the probabilities add up to."""
    judged = [
        make_judged("correction", "correction", negative=0.9),
        make_judged("partial", "none", negative=0.4),
        make_judged("none", "none", negative=0.1),
        make_judged("acceptance", "partial", negative=0.2),
    ]
    assert rates(judged) == {"true": 0.5, "said": 0.5, "probabilities": 0.4}
    assert rates([]) == {"true": None, "said": None, "probabilities": None}
    assert measure([])["turns"] == 0
