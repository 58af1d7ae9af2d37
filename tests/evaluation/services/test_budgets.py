"""Limits of a project reach its purses, and no cap is promised that could not be kept."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone

from evaluation.errors import InvalidInputError
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Judge, ModelPrice, Project, Purse, Run
from evaluation.selectors import ledger
from evaluation.services import budgets, panel, panel_worker, prices, purses
from evaluation.services.panel import RunOptions
from evaluation.services.prices import NewPrice
from tests.factories import make_asked_judge, make_claim, make_project, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def caps_of(project: Project) -> dict[str, int | None]:
    return dict(Purse.objects.filter(project=project).values_list("key", "cap_micros"))


def test_it_sets_the_limits_of_the_project_and_of_its_purses(project: Project) -> None:
    purses.of_run(make_run(project, kind=Run.Kind.SECOND_LOOK))

    budgets.set_caps(project=project, cap_micros=9, weekly_second_look_cap_micros=4)

    fresh = Project.objects.get(pk=project.pk)
    assert (fresh.cap_micros, fresh.weekly_second_look_cap_micros) == (9, 4)
    assert caps_of(project)[purses.PROJECT] == 9
    assert caps_of(project)[purses.weekly_key()] == 4


def test_taking_a_limit_away_opens_the_purse(project: Project) -> None:
    budgets.set_caps(project=project, cap_micros=0, weekly_second_look_cap_micros=None)
    drawn_on = purses.of_run(make_run(project))
    before = purses.reserve(purses=drawn_on, micros=5)

    budgets.set_caps(project=project, cap_micros=None, weekly_second_look_cap_micros=None)

    assert before is not None
    assert purses.reserve(purses=drawn_on, micros=5) is None


def test_second_looks_that_go_on_since_last_week_get_the_new_allowance_too(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.SECOND_LOOK, state=Run.State.PAUSED)
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(days=7))
    run.refresh_from_db()
    purses.of_run(run)

    budgets.set_caps(project=project, cap_micros=None, weekly_second_look_cap_micros=77)

    assert caps_of(project)[purses.weekly_key(run.created_at)] == 77


@pytest.mark.parametrize("caps", [(-1, None), (None, -1)])
def test_a_limit_below_zero_is_refused(project: Project, caps: tuple[int | None, int | None]) -> None:
    with pytest.raises(InvalidInputError, match="below zero"):
        budgets.set_caps(project=project, cap_micros=caps[0], weekly_second_look_cap_micros=caps[1])


def test_under_a_cap_a_judge_without_a_price_is_refused_with_what_to_do(project: Project) -> None:
    priced = make_asked_judge(project, "", model="gpt-4.1-mini")
    strange = make_asked_judge(project, "http://gpu.example/v1", model="own-7b")
    offline = Judge(project=project, name="Words", provider=Judge.OFFLINE, model="words")

    assert budgets.unpriced([priced, strange]) == [strange]
    assert list(budgets.price_blockers(judges=[priced, strange, offline], caps=[None, None])) == []
    assert list(budgets.price_blockers(judges=[priced], caps=[5])) == []
    (blocker,) = budgets.price_blockers(judges=[priced, strange], caps=[None, 5])
    assert re.match(rf"No price is known for {strange.name} \(own-7b\).*page Prices", blocker)


def test_a_judge_that_asks_for_a_dearer_tier_is_refused_with_what_to_do(project: Project) -> None:
    dear = make_asked_judge(project, "", model="gpt-4.1-mini")
    dear.parameters = {"service_tier": "priority"}

    (blocker,) = budgets.price_blockers(judges=[dear], caps=[5])

    assert re.match(rf"No price is known for {dear.name} .*take service_tier and speed out", blocker)


def test_a_price_of_nothing_is_a_price(project: Project) -> None:
    strange = make_asked_judge(project, "http://gpu.example/v1", model="own-7b")
    ModelPrice.objects.create(
        provider="openai_chat",
        host="gpu.example",
        model="*",
        valid_from=timezone.now().date(),
        input_micros=0,
        output_micros=0,
    )

    assert list(budgets.price_blockers(judges=[strange], caps=[0])) == []


def test_a_cap_that_comes_while_a_run_is_open_holds_for_judges_without_a_price_too(project: Project) -> None:
    make_claim(project, "The alarm sounds after 5 minutes.")
    with LocalServer() as server:
        strange = make_asked_judge(project, server.openai_url)
        run = panel.open_run(project=project, by=None)
        budgets.set_caps(project=project, cap_micros=5, weekly_second_look_cap_micros=None)

        panel_worker.drive(run_id=run.pk)

    job = run.jobs.get()
    assert server.received == []
    assert job.state == "failed"
    assert f"No price is known for {strange.name}" in job.error


def test_many_calls_at_once_stay_within_the_cap_and_go_on_under_a_higher_one(project: Project) -> None:
    for number in range(12):
        make_claim(project, f"The alarm sounds after {number} minutes.")
    with LocalServer() as server:
        judge = make_asked_judge(project, server.openai_url)
        Judge.objects.filter(pk=judge.pk).update(parameters={"max_tokens": 500})
        price = NewPrice(judge.provider, judge.model, date(2026, 1, 1), 10**9, 10**9, host=prices.host_of(judge))
        prices.set_price(new=price)
        cap = 14_000_000  # a call reserves about 6 million micro-dollars and costs less than one
        run = panel.open_run(project=project, by=None, options=RunOptions(cap_micros=cap))
        run = panel_worker.drive(run_id=run.pk, concurrency=8)
        paused, state, n_sent = Purse.objects.get(run=run), run.state, len(server.received)

        panel.resume(run=run, cap_micros=100 * cap)
        run = panel_worker.drive(run_id=run.pk, concurrency=8)

    done = Purse.objects.get(run=run)
    assert (state, run.state) == (Run.State.PAUSED, Run.State.DONE)
    assert 0 < n_sent < 12
    assert 0 < paused.spent_micros <= cap
    assert (paused.reserved_micros, done.reserved_micros) == (0, 0)
    assert done.spent_micros == ledger.ledger(project=project).total.cost_micros
    assert len(server.received) == 12
