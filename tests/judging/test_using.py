"""When a judge's answers go into corrected rates, and what is said where they do not."""

import shutil
from pathlib import Path

import pytest

from skilltune.judging.command import judge_name
from skilltune.judging.using import answers_to_use, usable_answers
from skilltune.labelling import open_labelling
from skilltune.sample import sample_end, sample_root
from skilltune.stores.config import JudgeConfig


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with forty uses of the bundled sample labelled by the person and, one in eight otherwise, a judge."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        label(home / "ws", reader="person", size=40)
        label(home / "ws", reader="judge:claude", size=400)
    return home / "ws"


@pytest.fixture
def workspace(labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that workspace."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return Path(shutil.copytree(labelled, tmp_path / "ws"))


def label(workspace: Path, *, reader: str, size: int) -> None:
    """Label a sample as the rules have it; a judge errs now and then."""
    options = {"sessions": sample_root() / "projects", "as_of": sample_end(), "sample_size": size, "reader": reader}
    labelling = open_labelling(workspace, **options)
    for number, question in enumerate(labelling.questions):
        said = question.rule_outcome or "none"
        labelling.answer(question, outcome="none" if reader != "person" and number % 8 == 0 else said)


def write(workspace: Path, text: str) -> None:
    """The workspace's settings."""
    (workspace / "config.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (JudgeConfig(), ""),
        (JudgeConfig(agent="codex"), "codex"),
        (JudgeConfig(agent="claude", model="opus"), "claude@opus"),
        (JudgeConfig(command=("/opt/bin/my judge.sh", "--json")), "my-judge"),
    ],
)
def test_name_follows_from_the_settings(settings: JudgeConfig, name: str):
    """Agent and model, or the program; no program has to be installed for it."""
    assert judge_name(settings) == name


def test_configured_judge_is_used_with_its_agreement(workspace: Path):
    """``use = true``: the answers of the judge that the settings name, and how often it says what the person says."""
    write(workspace, '[judge]\nagent = "claude"\nuse = true\n')
    answers = answers_to_use(workspace)
    assert (answers.judge, answers.reason) == ("claude", "")
    assert len(answers.uses) >= 40
    assert answers.turns >= 40
    assert answers.low < answers.agreement < answers.high


def test_unused_answers_say_how_to_use_them(workspace: Path):
    """Answers that are there and not asked for are told of; where there is no judge there is nothing to say."""
    assert answers_to_use(workspace) is None
    write(workspace, '[judge]\nagent = "claude"\n')
    assert answers_to_use(workspace).uses is None
    assert "write use = true under [judge]" in answers_to_use(workspace).reason
    write(workspace, '[judge]\nagent = "codex"\n')
    assert answers_to_use(workspace) is None


@pytest.mark.parametrize(
    ("config", "judge", "reason"),
    [
        ("[judge]\nuse = true\n", None, "names none; write agent or command there"),
        ('[judge]\nagent = "codex"\nuse = true\n', None, "it labelled nothing; those that did: claude"),
        ("", "nobody", "it labelled nothing; those that did: claude"),
    ],
)
def test_wrong_names_are_told(workspace: Path, config: str, judge: str | None, reason: str):
    """A judge that is not named, or another than the one that answered."""
    write(workspace, config)
    answers = answers_to_use(workspace, judge=judge)
    assert answers.uses is None
    assert reason in answers.reason


def test_named_judge_needs_no_settings(workspace: Path):
    """A name given for this time says that its answers are wanted, scored all the same."""
    assert answers_to_use(workspace, judge="claude").uses is not None
    few = usable_answers(workspace, judge="claude", use=True, min_labels=5_000)
    assert few.uses is None
    assert "5000 are needed" in few.reason
