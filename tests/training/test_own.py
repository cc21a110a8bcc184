"""A model fitted to a person's own labels: from 100 on, used only if it is better, and only in its workspace."""

import json

import pytest

from skilltune.errors import ConfigError, InputError
from skilltune.mining import ruleset_version
from skilltune.mining.model import Model, read_model
from skilltune.stores.models import own_model_path, read_own_model, write_own_model
from skilltune.stores.workspace import find_workspace
from skilltune.training.own import MIN_LABELS, own_turns, train_own
from skilltune.training.publishing import encode_model
from skilltune.workflow import collect, mine, read_events, read_sessions
from tests.training.persons import ODD, PLAIN, label, outcome_by, tell

AS_OF = "2026-11-30T00:00:00+00:00"


@pytest.fixture(autouse=True)
def _own_home(monkeypatch, tmp_path):
    """A home folder without sessions, settings or switches."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "home").mkdir()


@pytest.fixture
def workspace(tmp_path):
    """A workspace that is not there yet."""
    return tmp_path / "ws"


@pytest.fixture
def odd(tmp_path, workspace):
    """The sessions of somebody whose words nobody else could read, all labelled."""
    folder = tell(tmp_path / "odd", sessions=40, words=ODD)
    assert label(folder, workspace, outcome_of=outcome_by(ODD)) == 120
    return folder


def events_of(folder, workspace):
    """The events of the sessions, mined anew in the workspace."""
    collect(folder, workspace=workspace, as_of=AS_OF, overwrite=True)
    return read_events(workspace=workspace, use_labels=False)


def test_own_model_needs_a_hundred_labels(tmp_path, workspace):
    """With 99 labelled turns it is refused with the number and what to do; one more and it is fitted."""
    folder = tell(tmp_path / "odd", sessions=40, words=ODD)
    assert label(folder, workspace, outcome_of=outcome_by(ODD), number=99) == 99
    with pytest.raises(InputError, match=r"^99 labelled turns can be read, 100 are needed .*skilltune label"):
        train_own(workspace, sessions=folder)
    assert label(folder, workspace, outcome_of=outcome_by(ODD), number=100) == 100
    result = train_own(workspace, sessions=folder, keep=False)
    assert (result.turns, result.unread, MIN_LABELS) == (100, 0, 100)
    assert not own_model_path(find_workspace(explicit=workspace)).exists()


def test_own_model_without_any_label(workspace, tmp_path):
    """Where nothing is labelled nothing is read, and the number is 0."""
    with pytest.raises(InputError, match=r"^0 labelled turns can be read"):
        train_own(workspace, sessions=tmp_path / "nowhere")
    assert not workspace.exists()


def test_own_model_that_is_better_is_used_in_its_workspace(odd, workspace, tmp_path):
    """It is kept, mining there uses it and says so, another workspace does not, and deleting it goes back."""
    before = events_of(odd, workspace)
    assert set(before["ruleset"]) <= {ruleset_version()}
    dry = train_own(workspace, sessions=odd, keep=False)
    assert (dry.better, dry.path) == (True, None)
    result = train_own(workspace, sessions=odd)
    assert result.better
    assert result.path == own_model_path(find_workspace(explicit=workspace))
    assert (result.turns, result.sessions, result.unread) == (120, 40, 0)
    assert result.own["negative"]["f1"]["rate"] > 0.9 > result.shipped["negative"]["f1"]["rate"]
    own = read_own_model(find_workspace(explicit=workspace))
    assert own.file == result.file == dry.file, "the same labels give the same model"
    assert own.version != read_model().version

    after = events_of(odd, workspace)
    assert set(after["ruleset"]) == {ruleset_version(model=own)}
    assert len(after) == 40
    assert set(after["outcome"]) == {"correction"}
    assert set(events_of(odd, tmp_path / "other")["ruleset"]) <= {ruleset_version()}

    new = tell(tmp_path / "new", sessions=6, words=ODD, start=200)
    by_text = {turn.text.rsplit(" ", 1)[0]: turn.outcome for turn in _turns(new, own)}
    right = [by_text[text] == outcome for outcome, texts in ODD.items() for text in texts]
    assert sum(right) >= 8, "sessions that it was not fitted to are judged by what the words mean to the person"

    result.path.unlink()
    again = events_of(odd, workspace)
    assert set(again["ruleset"]) <= {ruleset_version()}
    assert len(again) == len(before)


def test_own_model_that_is_not_better_is_not_used(tmp_path, workspace):
    """Where the model that ships reads the person right, both figures are told and nothing is kept."""
    folder = tell(tmp_path / "plain", sessions=40, words=PLAIN)
    label(folder, workspace, outcome_of=outcome_by(PLAIN))
    result = train_own(workspace, sessions=folder)
    assert result.shipped["negative"]["f1"]["rate"] > 0.95
    assert (result.better, result.path) == (False, None)
    assert read_own_model(find_workspace(explicit=workspace)) is None
    assert not (workspace / "model.json").exists()


def test_own_model_counts_each_turn_once_and_what_is_gone(odd, workspace):
    """A turn in two files, or in two windows, is learned from once; what can no longer be read is counted."""
    copy = odd / "-home-dev-shop" / "copy.jsonl"
    copy.write_bytes((odd / "-home-dev-shop" / "s039.jsonl").read_bytes())
    label(odd, workspace, outcome_of=outcome_by(ODD), event_id="another window")
    for number in range(5):
        (odd / "-home-dev-shop" / f"s{number:03}.jsonl").unlink()
    result = train_own(workspace, sessions=odd, keep=False)
    assert (result.turns, result.unread) == (105, 15)


def test_own_model_learns_from_the_person_only(odd, workspace, tmp_path):
    """Labels of a judge are not the person's."""
    other = tmp_path / "judged"
    label(odd, other, outcome_of=outcome_by(ODD), reader="judge:x")
    with pytest.raises(InputError, match=r"^0 labelled turns"):
        train_own(other, sessions=odd)


@pytest.mark.parametrize("missing", ["correction", "acceptance", "none"])
def test_own_model_needs_labels_of_every_kind(tmp_path, workspace, missing):
    """Where the person never called a turn so, it is said."""
    other = "none" if missing != "none" else "acceptance"
    folder = tell(tmp_path / "odd", sessions=40, words=ODD)

    def outcome(text):
        found = outcome_by(ODD)(text)
        return other if found == missing else found

    label(folder, workspace, outcome_of=outcome)
    with pytest.raises(InputError, match="no turn is labelled"):
        train_own(workspace, sessions=folder)


CHINESE = {
    "correction": ("架子是柠檬色", "全是柠檬"),
    "acceptance": ("架子是李子色", "全是李子"),
    "none": ("灯在旁边", "有十二个"),
}


def test_own_model_counts_only_languages_that_it_is_asked_in(tmp_path, workspace):
    """Labels in a language with fewer than 100 do not make a model look better that is never asked there."""
    folder = tell(tmp_path / "both", sessions=34, words=PLAIN)
    tell(folder, sessions=20, words=CHINESE, start=100)
    both = {outcome: (*PLAIN[outcome], *CHINESE[outcome]) for outcome in PLAIN}
    label(folder, workspace, outcome_of=outcome_by(both))
    result = train_own(workspace, sessions=folder, keep=False)
    assert (result.turns, result.unread, result.unasked, result.file.languages) == (102, 0, 60, ["en"])
    assert not result.better


def test_own_model_needs_a_hundred_labels_in_one_language(tmp_path, workspace):
    """Too few labels in each language are refused with the number; 100 in another one make it a language of its own."""
    folder = tell(tmp_path / "both", sessions=20, words=CHINESE)
    tell(folder, sessions=20, words=PLAIN, start=100)
    both = {outcome: (*PLAIN[outcome], *CHINESE[outcome]) for outcome in PLAIN}
    label(folder, workspace, outcome_of=outcome_by(both))
    with pytest.raises(InputError, match=r"^60 of 120 labelled turns are in a language .* \(en\); 100 are needed"):
        train_own(workspace, sessions=folder)
    tell(folder, sessions=40, words=CHINESE, start=200)
    label(folder, workspace, outcome_of=outcome_by(both))
    result = train_own(workspace, sessions=folder)
    assert (result.file.languages, result.better) == (["en", "zh"], True)
    by_text = {turn.text.rsplit(" ", 1)[0]: turn.outcome for turn in _turns(folder, Model(result.file))}
    assert all(by_text[text] == outcome for outcome, texts in CHINESE.items() for text in texts)


def test_own_turns_have_the_situation_that_mining_sees(odd):
    """What is learned from stands in the same situation as what is judged later."""
    files = list(read_sessions(odd).files())
    wanted = [_label_of(turn) for turn in _turns(odd, None) if turn.previous_agent]
    turns = own_turns(files, wanted)
    assert len(turns) == 120
    assert {turn.situation.previous_agent for turn in turns} == {one.previous_agent for one in _turns(odd, None)} - {""}
    assert [turn.key for turn in turns] == sorted(turn.key for turn in turns)
    assert all(turn.situation.previous_prompt for turn in turns)


def test_own_model_that_was_damaged_is_named(odd, workspace):
    """A damaged file stops mining with its path: the person may not believe that it was used."""
    whole = encode_model(read_model().file)
    for content in (whole[:1000], json.dumps(json.loads(whole) | {"features": 99}).encode()):
        write_own_model(find_workspace(explicit=workspace), content)
        with pytest.raises(ConfigError, match=r"model\.json"):
            collect(odd, workspace=workspace, as_of=AS_OF)


def _turns(folder, model):
    return mine(read_sessions(folder), turns="all", as_of=AS_OF, model=model).records.turns


def _label_of(turn):
    from tests.training.persons import _label

    return _label(turn.session_id, turn.turn_id, "none")
