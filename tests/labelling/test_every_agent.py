"""What reads transcripts again, for every agent and each shape of its sessions."""

import pytest

from skilltune.labelling.population import read_population
from skilltune.labelling.questions import Question, questions_of
from skilltune.mining import mine_sessions
from skilltune.records import TurnLabel
from skilltune.training.own import own_turns
from skilltune.widgets.browser_context import read_context
from skilltune.workflow import read_sessions
from tests.mining.stories import AS_OF
from tests.sources.contract import CONVERSATION, find_fixtures

FIXTURES = find_fixtures()


@pytest.mark.parametrize(("agent", "shape"), [(name, shape) for name, one in FIXTURES.items() for shape in one.shapes])
def test_transcripts_are_read_again(tmp_path, agent, shape):
    """The turns of a use are found again with what stood around them: to label, to browse, and to learn from."""
    FIXTURES[agent].write_conversation(tmp_path / "logs", CONVERSATION, session="s1", shape=shape)
    population = read_population(tmp_path / "workspace", sessions=tmp_path / "logs", as_of=AS_OF)
    ((event_id, asked),) = population.asked.items()
    questions = questions_of(population.invocations[event_id], asked)
    assert [(question.agent, question.text) for question in questions] == [
        (agent, "No, that's wrong, you broke the order of the imports."),
        (agent, "Leave the file as it was."),
        (agent, ""),
    ]
    assert (questions[0].previous_agent, questions[0].did[:13]) == ("I sorted the imports.", "1 file edited")
    scan = read_sessions(tmp_path / "logs")
    turns = mine_sessions(scan.files, as_of=AS_OF).turns
    contexts = [read_context(turn, number=at, of=3) for at, turn in enumerate(turns, 1)]
    assert [context.question.next_agent for context in contexts] == ["", "It is as it was.", ""]
    assert all(context.reasons for context in contexts)
    label = _label(questions[0])
    (found,) = own_turns(scan.files(), [label])
    assert (found.agent, found.key, found.situation.previous_agent) == (agent, label.turn_id, "I sorted the imports.")


def _label(question: Question) -> TurnLabel:
    return TurnLabel(
        event_id=question.event_id,
        turn_id=question.turn_id,
        skill_id=question.skill_id,
        session_id=question.session_id,
        uuid=question.uuid,
        outcome="correction",
        correction_type="rejection",
        about="skill",
        reader="person",
        draw_id="",
        labelled_at=AS_OF,
    )
