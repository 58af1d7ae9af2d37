"""What a run is expected to cost, what it costs at most, and what is not known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.llm.pricing import PriceCard
from evaluation.models import Judge, ModelPrice, Project, RubricEntry, Run
from evaluation.schemas import Usage
from evaluation.services import costing, prices
from evaluation.services.estimating import PROMPT_TOKENS, JudgeAsking
from tests.factories import make_asked_judge, make_call, make_judges, make_project, make_run

pytestmark = pytest.mark.django_db

MINI = PriceCard(400_000, 1_600_000)  # gpt-4.1-mini


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def judge(project: Project) -> Judge:
    judge = make_asked_judge(project, "", model="gpt-4.1-mini")
    judge.parameters = {"max_tokens": 3_000}
    return judge


def asking(judge: Judge, n_calls: int = 10, **fields: int) -> JudgeAsking:
    tokens = n_calls * (PROMPT_TOKENS + 600)
    usual = {"n_calls_high": 2 * n_calls, "n_votes": 4 * n_calls, "n_cuts": 0, "input_tokens": tokens}
    return JudgeAsking(judge=judge, n_calls=n_calls, **{**usual, **fields})


def test_it_expects_every_question_once_with_replies_of_usual_length(project: Project, judge: Judge) -> None:
    found = costing.estimate_cost(project=project, askings=[asking(judge)])

    n_input, n_output = 10 * 1_500, 40 * costing.VOTE_TOKENS
    assert found.low_micros == (n_input * 400_000 + n_output * 1_600_000) // 1_000_000
    assert found.judges[0].low_micros == found.low_micros
    assert found.unpriced == ()


def test_at_most_is_every_reply_at_its_longest_and_every_question_asked_twice(project: Project, judge: Judge) -> None:
    found = costing.estimate_cost(project=project, askings=[asking(judge)])

    per_call = 4 * 600 + costing.PROMPT_CHARACTERS
    n_input, n_output = 20 * per_call + 10 * 3_000, 20 * 3_000
    assert found.high_micros == (n_input * 400_000 + n_output * 1_600_000) // 1_000_000


def test_no_reply_is_expected_to_be_longer_than_it_may(project: Project, judge: Judge) -> None:
    judge.parameters = {"max_tokens": 50}

    found = costing.estimate_cost(project=project, askings=[asking(judge)])

    assert found.low_micros == MINI.cost(prices_usage(15_000, 10 * 50))


def test_gaps_that_follow_from_cutting_are_in_the_most_only(project: Project, judge: Judge) -> None:
    plain = asking(judge)
    cutting = replace(plain, n_calls_high=60)

    first, second = (costing.estimate_cost(project=project, askings=[each]) for each in (plain, cutting))

    assert first.low_micros == second.low_micros
    assert second.high_micros == 3 * first.high_micros


def test_a_judge_without_a_price_is_named_and_in_no_amount(project: Project, judge: Judge) -> None:
    strange = make_asked_judge(project, "http://gpu.example/v1")

    found = costing.estimate_cost(project=project, askings=[asking(judge), asking(strange)])

    assert found.unpriced == (strange,)
    assert [each.low_micros is None for each in found.judges] == [False, True]
    assert found.low_micros == found.judges[0].low_micros
    assert found.asks_money


def test_offline_judges_cost_nothing(project: Project) -> None:
    offline = make_judges(project, 1, provider="offline")[0]

    found = costing.estimate_cost(project=project, askings=[asking(offline)])

    assert (found.low_micros, found.high_micros, found.unpriced, found.asks_money) == (0, 0, (), False)


def test_a_judge_with_nothing_to_do_is_left_out(project: Project, judge: Judge) -> None:
    idle = asking(judge, 0)

    assert costing.estimate_cost(project=project, askings=[idle]).judges == ()


def test_batches_cost_their_share_at_the_providers_own_address(project: Project, judge: Judge) -> None:
    own = make_asked_judge(project, "http://gpu.example/v1", model="gpt-4.1-mini")
    row = ModelPrice.objects.get(model="gpt-4.1-mini")
    row.pk, row.host = None, "gpu.example"
    row.save()
    askings = [asking(judge), asking(own)]

    single = costing.estimate_cost(project=project, askings=askings)
    batched = costing.estimate_cost(project=project, askings=askings, in_batches=True)

    assert [each.in_batches for each in batched.judges] == [True, True]
    assert 2 * (batched.judges[0].low_micros or 0) == pytest.approx(single.judges[0].low_micros, abs=2)
    assert batched.judges[1].low_micros == single.judges[1].low_micros


def test_replies_so_far_teach_how_long_the_next_ones_are(project: Project, judge: Judge) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)
    for number in range(costing.N_TO_LEARN_FROM):
        make_call(run, judge, output_tokens=2_000 + number)
    few = make_asked_judge(project, "", model="gpt-4.1-mini")
    make_call(run, few, output_tokens=9_000)

    found = costing.estimate_cost(project=project, askings=[asking(judge), asking(few)])

    learnt = MINI.cost(prices_usage(15_000, 10 * 2_002))
    usual = MINI.cost(prices_usage(15_000, 40 * costing.VOTE_TOKENS))
    assert [each.low_micros for each in found.judges] == [learnt, usual]


def prices_usage(n_input: int, n_output: int) -> Usage:
    return Usage(input_tokens=n_input, output_tokens=n_output)


def test_rules_in_force_are_read_with_every_question(project: Project, judge: Judge) -> None:
    before = costing.estimate_cost(project=project, askings=[asking(judge)])
    RubricEntry.objects.create(project=project, criterion="x" * 400, status=RubricEntry.Status.ACTIVE)
    RubricEntry.objects.create(project=project, criterion="x" * 9_000, status=RubricEntry.Status.DRAFT)

    after = costing.estimate_cost(project=project, askings=[asking(judge)])

    assert after.low_micros - before.low_micros == 10 * 100 * 400_000 // 1_000_000


def test_it_takes_three_queries(project: Project, judge: Judge, django_assert_num_queries) -> None:
    others = [make_asked_judge(project, "", model="gpt-4o-mini") for _ in range(3)]

    with django_assert_num_queries(3):
        costing.estimate_cost(project=project, askings=[asking(each) for each in (judge, *others)])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    n_calls=st.integers(1, 500), n_gaps=st.integers(0, 500), n_votes=st.integers(0, 20), tokens=st.integers(0, 9_000)
)
def test_what_is_expected_is_never_more_than_the_most(
    project: Project, judge: Judge, n_calls: int, n_gaps: int, n_votes: int, tokens: int
) -> None:
    asked = JudgeAsking(
        judge=judge,
        n_calls=n_calls,
        n_calls_high=2 * (n_calls + n_gaps),
        n_votes=n_votes * n_calls,
        n_cuts=0,
        input_tokens=n_calls * (PROMPT_TOKENS + tokens),
    )

    found = costing.estimate_cost(project=project, askings=[asked])

    assert 0 < found.low_micros <= found.high_micros


def test_the_default_price_used_here_is_the_one_that_comes_along(judge: Judge) -> None:
    card = prices.card(judge)

    assert card is not None
    assert (card.input_micros, card.output_micros) == (MINI.input_micros, MINI.output_micros)
