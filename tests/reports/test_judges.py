"""What a report says left the machine for judges."""

from skilltune.reports.judges import sent_to_judges
from skilltune.sample import sample_root
from skilltune.stores.feedback import FeedbackLog
from skilltune.workflow import collect
from tests.reports.test_correcting import judge_all


def test_judges_are_counted_by_their_labels(tmp_path):
    """Nothing without labels; turns by judge with the last day where there are some."""
    log = collect(sample_root() / "projects", workspace=tmp_path / ".skilltune").log
    assert sent_to_judges(log) == {}
    assert sent_to_judges(FeedbackLog(tmp_path / "other.jsonl")) == {}
    judge_all(log)
    (found,) = sent_to_judges(log).items()
    assert found[0] == "claude"
    assert found[1][0] > 100
    assert found[1][1] is not None
