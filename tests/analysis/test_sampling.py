"""The sampler: probabilities that are right, strata that are never left out, order that does not matter."""

import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.sampling import counted_uses, draw_uses, drawn_uses, inclusion_probabilities
from skilltune.errors import InputError
from skilltune.records import PredictedUse

OUTCOMES = ("correction", "partial", "acceptance", "none")
SKILLS = ("lint", "lint", "lint", "report", "report", "rare", "odd")


def use(number: int, **changes: object) -> PredictedUse:
    """An invented use; outcome and skill by its number."""
    values = {
        "event_id": f"e{number:04}",
        "skill_id": SKILLS[number % len(SKILLS)],
        "agent": None,
        "model": "",
        "project": "",
        "session_id": f"s{number // 3}",
        "timestamp": datetime(2026, 11, 1, tzinfo=UTC),
        "outcome": OUTCOMES[(number // 2) % len(OUTCOMES)],
        "explicit": False,
        "p_negative": None,
        "p_acceptance": None,
        "turns_seen": 1,
        "covered": False,
    }
    return PredictedUse(**(values | changes))


def true_value(one: PredictedUse) -> float:
    """What a label would say: related to the prediction, and to the skill."""
    return (one.outcome == "correction") * 2.0 + (one.skill_id == "rare") + int(one.event_id[1:]) % 5


def estimated_total(taken, chances, uses) -> float:
    """Horvitz and Thompson's estimate."""
    by_id = {one.event_id: one for one in uses}
    return sum(true_value(by_id[event_id]) / chances[event_id] for event_id in taken)


def check_unbiased(estimates: list[float], truth: float) -> None:
    """The mean of the estimates is the truth, within four standard errors of it."""
    mean = sum(estimates) / len(estimates)
    spread = (sum((value - mean) ** 2 for value in estimates) / (len(estimates) - 1)) ** 0.5
    assert abs(mean - truth) < 4 * spread / len(estimates) ** 0.5
    assert spread > 0


def check_chances(counts: Counter, chances: dict[str, float], rounds: int) -> None:
    """Each use is taken as often as its probability says, within five standard errors."""
    for event_id, chance in chances.items():
        error = (max(chance * (1 - chance), 1e-9) / rounds) ** 0.5
        assert abs(counts[event_id] / rounds - chance) <= 5 * error + 1e-9, event_id


def test_draw_one_is_unbiased():
    """Over many seeds, totals weighted by the recorded probabilities hit the true total."""
    uses = [use(number) for number in range(90)]
    estimates, counts = [], Counter()
    for seed in range(1500):
        draw = draw_uses(uses, size=20, seed=seed)
        chances = inclusion_probabilities([draw])
        counts.update(drawn_uses([draw]))
        estimates.append(estimated_total(drawn_uses([draw]), chances, uses))
    check_unbiased(estimates, sum(map(true_value, uses)))
    check_chances(counts, chances, 1500)


def test_draws_with_new_uses_between_are_unbiased():
    """A second draw after new uses came, some of a skill that was rare before, keeps all probabilities right."""
    old = [use(number) for number in range(60)]
    new = [use(number, skill_id="odd" if number % 3 else "lint") for number in range(60, 110)]
    estimates, counts = [], Counter()
    for seed in range(1500):
        first = draw_uses(old, size=15, seed=seed)
        second = draw_uses([*old, *new], size=20, seed=seed, earlier=[first])
        taken, chances = drawn_uses([first, second]), inclusion_probabilities([first, second])
        assert len(taken) == 35
        counts.update(taken)
        estimates.append(estimated_total(taken, chances, [*old, *new]))
    check_unbiased(estimates, sum(map(true_value, [*old, *new])))
    check_chances(counts, chances, 1500)
    assert all(0 < chances[one.event_id] <= 1 for one in [*old, *new])


def test_draws_with_uses_gone_between_are_unbiased():
    """Uses whose transcripts went between two draws leave the probabilities of the others right."""
    old = [use(number) for number in range(120)]
    kept = [one for one in old if int(one.event_id[1:]) % 4]
    estimates = []
    for seed in range(1500):
        first = draw_uses(old, size=30, seed=seed)
        second = draw_uses(kept, size=20, seed=seed, earlier=[first])
        chances = inclusion_probabilities([first, second])
        taken = drawn_uses([first, second]) & {one.event_id for one in kept}
        estimates.append(estimated_total(taken, chances, kept))
    truth = sum(map(true_value, kept))
    assert sum(estimates) / len(estimates) == pytest.approx(truth, rel=0.01)


def test_draw_labelled_in_part_is_unbiased():
    """A person who stops half way through has a random sample all the same; so after a second draw, half labelled."""
    uses = [use(number) for number in range(90)]
    estimates = []
    for seed in range(1500):
        first = draw_uses(uses, size=30, seed=seed)
        second = draw_uses(uses, size=24, seed=seed, earlier=[first])
        done = {event_id for event_id, _ in first.sampled[:18]} | {event_id for event_id, _ in second.sampled[:12]}
        chances = inclusion_probabilities([first, second], labelled=done)
        estimates.append(estimated_total(done, chances, uses))
    check_unbiased(estimates, sum(map(true_value, uses)))


@given(
    count=st.integers(1, 60),
    size=st.integers(1, 70),
    seed=st.integers(-5, 5),
    chances=st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=5),
)
def test_draw_bounds(count, size, seed, chances):
    """As many as asked for, no use twice, no stratum of probability 0, and the same whatever the order of the uses."""
    uses = [use(number, p_negative=chances[number % len(chances)]) for number in range(count)]
    draw = draw_uses(uses, size=size, seed=seed)
    assert len(draw.sampled) == len(drawn_uses([draw])) == min(size, count)
    assert sum(stratum.sampled for stratum in draw.strata) == len(draw.sampled)
    assert all(0 < stratum.probability <= 1 for stratum in draw.strata)
    assert sorted(event_id for ids in draw.frame.values() for event_id in ids) == sorted(one.event_id for one in uses)
    assert len(draw.strata) <= max(1, size)
    shuffled = random.Random(seed).sample(uses, len(uses))
    assert draw_uses(shuffled, size=size, seed=seed) == draw


def test_draw_takes_no_use_twice_and_ends():
    """Draws go on until every use was in one; then there is nothing to draw."""
    uses = [use(number) for number in range(25)]
    draws = []
    while draw := draw_uses(uses, size=10, seed=0, earlier=draws):
        draws.append(draw)
    assert [len(draw.sampled) for draw in draws] == [10, 10, 5]
    assert len(drawn_uses(draws)) == 25
    assert set(inclusion_probabilities(draws).values()) == {1.0}


def test_draw_looks_harder_where_labels_help():
    """Complaints, which rules get wrong most, and doubtful chances are drawn more often than their share."""
    uses = [use(n, skill_id="lint", outcome="correction" if n % 5 == 0 else "acceptance") for n in range(200)]
    shares = {stratum.key: stratum.probability for stratum in draw_uses(uses, size=50, seed=1).strata}
    assert shares["complaint|lint"] > 1.2 * shares["acceptance|lint"]
    doubtful = [use(n, skill_id="lint", p_negative=0.5 if n % 5 == 0 else 0.01) for n in range(200)]
    shares = {stratum.key: stratum.probability for stratum in draw_uses(doubtful, size=50, seed=1).strata}
    assert shares["p2|lint"] > 2 * shares["p0|lint"] > 0


def test_draw_rare_skills_are_pooled():
    """A skill with a handful of uses has no stratum of its own, and is drawn from all the same."""
    uses = [use(n, skill_id=f"rare-{n}" if n < 10 else "lint", outcome="none") for n in range(100)]
    keys = {stratum.key for stratum in draw_uses(uses, size=40, seed=1).strata}
    assert "none|lint" in keys
    assert "none|*" in keys
    assert len(keys) <= 10


def test_draw_small_one_comes_from_all_uses():
    """With fewer uses to draw than there are classes every use has the same chance."""
    draw = draw_uses([use(number) for number in range(40)], size=2, seed=3)
    assert [(stratum.key, stratum.population) for stratum in draw.strata] == [("all", 40)]


def test_draw_beginning_is_spread_over_the_strata():
    """Half of a sample, in its order, has about half of each stratum."""
    uses = [use(number) for number in range(400)]
    draw = draw_uses(uses, size=100, seed=2)
    home = {event_id: key for key, ids in draw.frame.items() for event_id in ids}
    half = Counter(home[event_id] for event_id, _ in draw.sampled[:50])
    assert all(abs(half[stratum.key] - stratum.sampled / 2) <= 2 for stratum in draw.strata)


def test_draw_verdicts_that_changed_move_no_use():
    """Another ruleset, or one trained on the labels, leaves each use in the stratum it was first drawn from."""
    uses = [use(number) for number in range(80)]
    first = draw_uses(uses, size=20, seed=0)
    turned = [replace(one, outcome="none", p_negative=0.9) for one in uses]
    second = draw_uses(turned, size=20, seed=0, earlier=[first])
    assert {key: set(ids) for key, ids in second.frame.items()} == {key: set(ids) for key, ids in first.frame.items()}


def test_draw_ids_tell_draws_apart():
    """The same draw has the same id; another seed, reader or earlier draw gives another."""
    uses = [use(number) for number in range(30)]
    first = draw_uses(uses, size=5, seed=0)
    assert draw_uses(uses, size=5, seed=0).draw_id == first.draw_id
    others = [
        draw_uses(uses, size=5, seed=1),
        draw_uses(uses, size=5, seed=0, reader="judge:x"),
        draw_uses(uses, size=5, seed=0, earlier=[first]),
    ]
    assert len({first.draw_id, *(draw.draw_id for draw in others)}) == 4


def test_draw_of_nothing_is_refused():
    """A size below 1 is an error that says so."""
    with pytest.raises(InputError, match="size is 0"):
        draw_uses([use(1)], size=0, seed=0)
    assert draw_uses([], size=1, seed=0) is None


def ids(draw) -> list[str]:
    """The uses of a sample in its order."""
    return [event_id for event_id, _ in draw.sampled]


SKILL_OF = {f"e{number:04}": SKILLS[number % len(SKILLS)] for number in range(120)}


def one_skill_after(uses, seed):
    """An overall draw of which one skill's uses are labelled, and that skill's own draw."""
    first = draw_uses(uses, size=30, seed=seed)
    second = draw_uses([one for one in uses if one.skill_id == "odd"], size=6, seed=seed, earlier=[first])
    return [first, second], [*(e for e in ids(first) if SKILL_OF[e] == "odd"), *ids(second)]


def one_skill_before(uses, seed):
    """One skill's draw, then an overall draw, half of it labelled."""
    first = draw_uses([one for one in uses if one.skill_id == "odd"], size=6, seed=seed)
    second = draw_uses(uses, size=30, seed=seed, earlier=[first])
    return [first, second], [*ids(first), *ids(second)[:15]]


def skill_by_skill(uses, seed):
    """A sample sorted by skill and labelled to its middle."""
    draw = draw_uses(uses, size=60, seed=seed)
    return [draw], sorted(ids(draw), key=SKILL_OF.__getitem__)[:30]


def in_order(uses, seed):
    """A sample labelled to its middle."""
    draw = draw_uses(uses, size=60, seed=seed)
    return [draw], ids(draw)[:30]


@pytest.mark.parametrize("plan", [one_skill_after, one_skill_before, skill_by_skill, in_order])
def test_labels_that_count_are_unbiased_for_the_uses_they_speak_for(plan):
    """In whatever order of skills and draws: weighted totals hit those of the uses with a chance, over many seeds."""
    uses = [use(number) for number in range(120)]
    by_id = {one.event_id: one for one in uses}
    errors = []
    for seed in range(800):
        draws, done = plan(uses, seed)
        chances, counted = inclusion_probabilities(draws, labelled=done), counted_uses(draws, labelled=done)
        assert counted <= set(done)
        assert all(chances[event_id] > 0 for event_id in counted)
        covered = [true_value(by_id[event_id]) for event_id, chance in chances.items() if chance > 0]
        errors.append(estimated_total(counted, chances, uses) - sum(covered))
    check_unbiased(errors, 0.0)


def test_one_skill_labelled_speaks_for_that_skill_alone():
    """After an overall draw of which only one skill is labelled, no other skill has a chance, whatever it shares."""
    uses = [use(number) for number in range(120)]
    for seed in range(20):
        draws, done = one_skill_after(uses, seed)
        chances = inclusion_probabilities(draws, labelled=done)
        assert {SKILL_OF[event_id] for event_id, chance in chances.items() if chance > 0} == {"odd"}
        assert counted_uses(draws, labelled=done) == set(done)


def test_uses_labelled_by_what_was_said_do_not_count():
    """With the complaints of a sample labelled first hardly a label counts; one use passed over costs few."""
    uses = [use(number) for number in range(300)]
    draw = draw_uses(uses, size=100, seed=1)
    complaints = [event_id for event_id in ids(draw) if int(event_id[1:]) % 5 < 2]
    assert len(counted_uses([draw], labelled=complaints)) < len(complaints) / 4
    passed = [event_id for event_id in ids(draw) if event_id != ids(draw)[40]]
    assert len(counted_uses([draw], labelled=passed)) > 80
    assert counted_uses([draw], labelled=ids(draw)) == set(ids(draw))
