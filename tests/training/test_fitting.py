"""Examples to weights: deterministic, by words that are seen often enough, from both readers."""

import subprocess
import sys
from dataclasses import replace

import pytest

from skilltune.errors import InputError
from skilltune.training.fitting import Fitting, check_extra, fit_weights
from tests.training.invented import english_examples, make_example, make_examples

WITHOUT_SKLEARN = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sklearn":
            raise ModuleNotFoundError("No module named 'sklearn'", name="sklearn")

sys.meta_path.insert(0, Blocker())
"""


def test_fitting_learns_the_words_that_tell():
    """The word that gives an outcome away weighs most for it, and against none where it stands for none."""
    found = fit_weights(make_examples(), fitting=Fitting())
    assert found.weights["word=rust"][0] > 0 > found.weights["word=lamp"][0]
    assert found.weights["word=moss"][1] > 0 > found.weights["word=lamp"][1]
    assert found.weights["word=rust"][0] > found.weights["word=rust"][1]


def test_fitting_is_deterministic():
    """The same examples in the same order give the same weights, to the last digit; another order nearly the same."""
    examples = list(english_examples(300))
    first = fit_weights(examples, fitting=Fitting())
    assert fit_weights(examples, fitting=Fitting()) == first
    other = fit_weights(examples[::-1], fitting=Fitting())
    assert other.weights.keys() == first.weights.keys()
    assert max(abs(other.weights[name][0] - pair[0]) for name, pair in first.weights.items()) < 1e-2


@pytest.mark.parametrize(
    ("name", "sessions", "sources", "known"),
    [
        ("word=quill", 3, 2, True),
        ("word=quill", 2, 2, False),
        ("word=quill", 6, 1, False),
        ("first=quill", 3, 2, True),
        ("first=quill", 6, 1, False),
        ("cue=quill", 3, 1, True),
        ("cue=quill", 2, 2, False),
    ],
)
def test_fitting_knows_what_is_seen_often_enough(name, sessions, sources, known):
    """A word needs 3 sessions of 2 projects; other features 3 sessions."""
    more = [
        make_example("none", ("bias", name), session=f"q{number}", source=f"p{number % sources}")
        for number in range(sessions)
    ]
    assert (name in fit_weights([*make_examples(), *more], fitting=Fitting()).weights) == known


def test_fitting_counts_sessions_not_turns():
    """A word said often in one session is known no better."""
    more = [
        make_example("none", ("word=quill",), session=f"q{number % 2}", source=f"p{number % 2}") for number in range(40)
    ]
    assert "word=quill" not in fit_weights([*make_examples(), *more], fitting=Fitting()).weights


def test_fitting_learns_from_both_readers():
    """Where the second reader calls a turn otherwise, the word weighs less; where they agree, as without a second."""

    def weight(second):
        examples = [
            replace(one, turn=replace(one.turn, second=second if one.turn.outcome == "correction" else ""))
            for one in make_examples()
        ]
        return fit_weights(examples, fitting=Fitting()).weights["word=rust"][0]

    assert weight("correction") == pytest.approx(weight(""), abs=1e-6)
    assert weight("none") < 0.7 * weight("")


def test_fitting_takes_invented_turns_for_less():
    """An invented turn counts half of a real one, and nothing where its weight is nothing."""
    invented = [replace(one, turn=replace(one.turn, invented=True)) for one in make_examples()]
    real = make_examples()
    mixed = [make_example("none", ("bias", "word=rust"), session=f"r{n}", source=f"p{n % 2}") for n in range(6)]

    def weight(examples, share):
        return fit_weights([*examples, *mixed], fitting=Fitting(invented_weight=share)).weights["word=rust"][0]

    assert weight(invented, 0.1) < weight(invented, 0.5) < weight(real, 0.5)
    assert weight(invented, 1.0) == pytest.approx(weight(real, 1.0), abs=1e-6)


@pytest.mark.parametrize(
    ("missing", "name"), [("none", "none"), ("correction", "negative"), ("acceptance", "acceptance")]
)
def test_fitting_needs_every_class(missing, name):
    """Where no turn is labelled with a class, it is named."""
    examples = [example for example in make_examples() if example.turn.outcome != missing]
    with pytest.raises(InputError, match=f"no turn is labelled {name}; a classifier needs turns of every kind"):
        fit_weights(examples, fitting=Fitting())


def test_fitting_of_nothing_is_refused():
    """No examples at all are no training set."""
    with pytest.raises(InputError, match="no turn is labelled none"):
        fit_weights([], fitting=Fitting())


def test_fitting_of_too_few_sessions_is_refused():
    """Where no feature is seen in 3 sessions there is nothing to learn from, and that is said."""
    with pytest.raises(InputError, match="nothing is seen in 3 sessions; a classifier needs turns of more sessions"):
        fit_weights(make_examples(sessions=2), fitting=Fitting())


def test_fitting_without_scikit_learn_says_what_to_install():
    """Where scikit-learn is missing the error is short and holds the command that installs it."""
    code = f"{WITHOUT_SKLEARN}\nfrom skilltune.training.fitting import check_extra\ncheck_extra()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert "InputError: training needs scikit-learn; install it with: pip install 'skilltune[train]'" in done.stderr
    check_extra()


def test_fitting_command_without_scikit_learn_ends_with_a_usage_error(tmp_path):
    """So does the command, both ways, with exit code 2 and no traceback; classifying needs none of it."""
    for arguments in (["train", str(tmp_path / "labels.jsonl")], ["train", "--own"]):
        code = f"{WITHOUT_SKLEARN}\nsys.argv = ['skilltune', *{arguments!r}]\nfrom skilltune.cli import main\nmain()"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, cwd=tmp_path,
            env={"HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        assert done.returncode == 2, done.stderr
        assert "pip install 'skilltune[train]'" in done.stderr
        assert "Traceback" not in done.stderr
    code = f"{WITHOUT_SKLEARN}\nimport skilltune as st\nprint(st.classify_outcome('That is wrong.').outcome)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "correction\n"
