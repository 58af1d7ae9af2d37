"""The ledger in three cuts, and the calls behind a figure."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from evaluation.models import Call, Judge, Project, Purse, Run
from evaluation.selectors import ledger
from evaluation.selectors.ledger import CallFilter, Figures
from tests.factories import make_call, make_judges, make_project, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def judges(project: Project) -> list[Judge]:
    return make_judges(project, 2, provider="openai_chat")


@pytest.fixture
def run(project: Project) -> Run:
    return make_run(project, kind=Run.Kind.PANEL)


def test_it_adds_up_every_kind_of_call_apart(project: Project, judges: list[Judge], run: Run) -> None:
    tokens = {"input_tokens": 100, "output_tokens": 20, "cached_tokens": 60}
    paid = make_call(run, judges[0], cost_micros=700, **tokens)
    make_call(run, judges[0], cost_micros=0, source=paid)
    make_call(run, judges[0], cost_micros=None, **tokens)
    make_call(run, judges[0], state=Call.State.UNCONFIRMED, cost_micros=900, is_cost_certain=False)
    make_call(run, judges[0], state=Call.State.FAILED, cost_micros=50, is_cost_certain=False, reason="timeout")
    make_call(run, judges[0], state=Call.State.SENT, reserved_micros=400)

    found = ledger.ledger(project=project)

    assert found.total == Figures(
        n_sent=5,
        n_reused=1,
        n_out=1,
        n_failed=1,
        n_unconfirmed=1,
        n_uncertain=2,
        n_unpriced=1,
        input_tokens=200,
        output_tokens=40,
        cached_tokens=120,
        cost_micros=700,
        uncertain_micros=950,
    )
    assert [row.figures for row in found.judges] == [found.total]


def test_judges_runs_and_days_each_add_up_to_the_whole(project: Project, judges: list[Judge], run: Run) -> None:
    other = make_run(project, kind=Run.Kind.SECOND_LOOK)
    for number, (of_run, judge) in enumerate([(run, judges[0]), (run, judges[1]), (other, judges[0])]):
        call = make_call(of_run, judge, cost_micros=10**number)
        Call.objects.filter(pk=call.pk).update(sent_at=timezone.now() - timedelta(days=number // 2))

    found = ledger.ledger(project=project)

    assert found.total.cost_micros == 111
    by_name = {row.name: row.figures.cost_micros for row in found.judges}
    assert by_name == {judges[0].name: 101, judges[1].name: 10}
    assert [(row.name, row.figures.cost_micros) for row in found.runs] == [
        (f"Second look {other.pk}", 100),
        (f"Panel run {run.pk}", 11),
    ]
    assert [row.figures.cost_micros for row in found.days] == [11, 100]


def test_another_project_stays_out(project: Project, run: Run) -> None:
    elsewhere = make_project()
    make_call(make_run(elsewhere), make_judges(elsewhere, 1)[0], cost_micros=5)

    assert ledger.ledger(project=project).total == Figures()


def test_queries_do_not_grow_with_calls(
    project: Project, judges: list[Judge], run: Run, django_assert_num_queries
) -> None:
    for _ in range(7):
        make_call(run, judges[0], cost_micros=5)

    with django_assert_num_queries(1):
        ledger.ledger(project=project)


def test_calls_behind_a_figure_are_those_it_counts(project: Project, judges: list[Judge], run: Run) -> None:
    paid = make_call(run, judges[0], cost_micros=700)
    reused = make_call(run, judges[0], cost_micros=0, source=paid)
    lost = make_call(run, judges[1], state=Call.State.UNCONFIRMED, cost_micros=900, is_cost_certain=False)
    unknown = make_call(run, judges[1], cost_micros=None)
    out = make_call(run, judges[1], state=Call.State.SENT)

    def listed(**fields: object) -> list[int]:
        page = ledger.call_page(project=project, only=CallFilter(**fields))
        assert page.n == len(page.calls)
        return [call.pk for call in page.calls]

    assert listed() == [out.pk, unknown.pk, lost.pk, reused.pk, paid.pk]
    assert listed(shown="reused") == [reused.pk]
    assert listed(shown="uncertain") == listed(shown="unconfirmed") == [lost.pk]
    assert listed(shown="unpriced") == [unknown.pk]
    assert listed(shown="out") == [out.pk]
    assert listed(judge_id=judges[0].pk) == [reused.pk, paid.pk]
    assert listed(run_id=run.pk, shown="failed") == []
    assert len(listed(day=timezone.now().date())) == 5
    assert listed(day=date(2020, 1, 1)) == []


def test_calls_come_in_pages(project: Project, judges: list[Judge], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "PAGE_SIZE", 2)
    calls = [make_call(run, judges[0], cost_micros=1).pk for _ in range(5)]

    last = ledger.call_page(project=project, only=CallFilter(), page=99)

    assert [call.pk for call in last.calls] == calls[:1]
    assert (last.page, last.n_pages, last.n, last.figures.cost_micros) == (3, 3, 5, 5)


def test_a_call_of_another_project_is_not_found(project: Project, judges: list[Judge], run: Run) -> None:
    call = make_call(run, judges[0])

    assert ledger.call_of(project=project, call_id=call.pk) == call
    assert ledger.call_of(project=make_project(), call_id=call.pk) is None


def test_what_is_uncertain_of_a_purse_is_that_of_its_run_or_of_the_project(
    project: Project, judges: list[Judge], run: Run
) -> None:
    make_call(run, judges[0], cost_micros=7, is_cost_certain=False)
    make_call(run, judges[0], cost_micros=100)
    make_call(make_run(project), judges[0], cost_micros=20, is_cost_certain=False)
    purses = [
        Purse(project=project, key=f"run/{run.pk}", run=run),
        Purse(project=project, key="project"),
        Purse(project=project, key="second_looks/2026-W49"),
    ]

    assert [ledger.uncertain_of(purse) for purse in purses] == [7, 27, 0]
