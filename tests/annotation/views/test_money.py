"""The page of money: owners see what was spent, on what, and set limits; nobody else sees any of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Call, Judge, Project, Purse, Run
from evaluation.services import purses
from tests.factories import (
    make_asked_judge,
    make_call,
    make_judges,
    make_member,
    make_project,
    make_run,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]


@pytest.fixture
def project(owner: User) -> Project:
    return make_project(owner=owner)


@pytest.fixture
def judge(project: Project) -> Judge:
    return make_judges(project, 1, provider="openai_chat")[0]


@pytest.fixture
def run(project: Project) -> Run:
    return make_run(project, kind=Run.Kind.PANEL)


def page_of(client: Client, name: str, project: Project, *args: int, query: str = "") -> str:
    return client.get(reverse(name, args=[project.slug, *args]) + query).content.decode()


def test_it_says_what_was_spent_of_which_limit(client: Client, project: Project, run: Run) -> None:
    project.cap_micros = 20_000_000
    project.save()
    drawn_on = purses.of_run(run)
    purses.reserve(purses=drawn_on, micros=5_000_000)
    purses.settle(purses=drawn_on, reserved_micros=4_500_000, spent_micros=4_120_000)

    page = page_of(client, "money", project)

    assert "<strong>$4.12</strong> of $20 in all" in page
    assert "<strong>$0.50</strong> reserved for calls on their way" in page
    assert "<strong>$0</strong> on second looks this week" in page


def test_every_figure_leads_to_its_calls(client: Client, project: Project, judge: Judge, run: Run) -> None:
    paid = make_call(run, judge, cost_micros=700, input_tokens=10)
    make_call(run, judge, cost_micros=0, source=paid)
    make_call(run, judge, cost_micros=None)
    make_call(run, judge, state=Call.State.UNCONFIRMED, cost_micros=900, is_cost_certain=False)
    calls = reverse("money-calls", args=[project.slug])

    page = page_of(client, "money", project)

    for by in (f"judge={judge.pk}", f"run={run.pk}", f"day={paid.sent_at.date().isoformat()}"):
        assert f'<a href="{calls}?{by}">3</a>' in page
        assert f'<a href="{calls}?{by}&amp;shown=reused">1</a>' in page
        assert f'<a href="{calls}?{by}&amp;shown=unpriced">1</a>' in page
    assert "1 call of unknown outcome" in page
    assert "$0.00090 uncertain" in page
    assert "1 call without a known price" in page
    assert '<td class="number" data-label="Cost">$0.00070</td>' in page


def test_nobody_but_owners_sees_money(client: Client, project: Project, judge: Judge, run: Run) -> None:
    call = make_call(run, judge, cost_micros=700)
    client.force_login(make_member(project).user)
    addresses = [
        reverse("money", args=[project.slug]),
        reverse("money-calls", args=[project.slug]),
        reverse("money-call", args=[project.slug, call.pk]),
        reverse("prices", args=[project.slug]),
    ]

    answers = [client.get(address).status_code for address in addresses]
    posted = [client.post(reverse(name, args=[project.slug])).status_code for name in ("money-caps", "price-add")]
    seen = [
        page_of(client, "runs", project),
        page_of(client, "run", project, run.pk),
        page_of(client, "overview", project),
    ]

    assert set(answers + posted) == {403}
    assert not any("$" in page or reverse("money", args=[project.slug]) in page for page in seen)


def test_limits_are_set_in_dollars(client: Client, project: Project) -> None:
    address = reverse("money-caps", args=[project.slug])

    answer = client.post(address, {"cap": "20", "weekly": "0.5"}, follow=True)

    project.refresh_from_db()
    assert (project.cap_micros, project.weekly_second_look_cap_micros) == (20_000_000, 500_000)
    assert Purse.objects.get(key=purses.PROJECT).cap_micros == 20_000_000
    page = answer.content.decode()
    assert "The limits are set." in page
    assert 'name="cap" value="20"' in page
    assert 'name="weekly" value="0.5"' in page


def test_an_empty_limit_is_none(client: Client, project: Project) -> None:
    project.cap_micros = 5
    project.save()

    client.post(reverse("money-caps", args=[project.slug]), {"cap": "", "weekly": ""})

    project.refresh_from_db()
    assert project.cap_micros is None


@pytest.mark.parametrize("typed", ["-1", "much", "1e99", "0.0000001"])
def test_a_limit_that_is_no_amount_is_refused_and_stays_typed(client: Client, project: Project, typed: str) -> None:
    answer = client.post(reverse("money-caps", args=[project.slug]), {"cap": typed, "weekly": "3"})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "errorlist" in page
    assert f'value="{typed}"' in page
    assert not Purse.objects.exists()


def test_judges_without_a_price_are_named_with_the_way_to_enter_it(client: Client, project: Project) -> None:
    judge = make_asked_judge(project, "http://gpu.example/v1")

    page = page_of(client, "money", project)

    assert f'<a href="{reverse("prices", args=[project.slug])}?judge={judge.pk}#enter">{judge.name}</a>' in page


def test_calls_are_listed_by_what_the_address_asks_for(
    client: Client, project: Project, judge: Judge, run: Run
) -> None:
    paid = make_call(run, judge, cost_micros=700)
    lost = make_call(run, judge, state=Call.State.UNCONFIRMED, cost_micros=900, is_cost_certain=False)

    everything = page_of(client, "money-calls", project)
    uncertain = page_of(client, "money-calls", project, query=f"?judge={judge.pk}&run={run.pk}&shown=uncertain")
    none = page_of(client, "money-calls", project, query="?day=2020-01-01")

    links = [f'<a href="{reverse("money-call", args=[project.slug, call.pk])}">' for call in (paid, lost)]
    assert all(link in everything for link in links)
    assert links[0] not in uncertain
    assert links[1] in uncertain
    assert f"1 call of {judge.name} of" in uncertain
    assert "None of these." in none


@pytest.mark.parametrize(
    "query", ["?judge=x", "?run=99999999999999999999", "?day=yesterday", "?shown=nothing", "?page=x", "?page=999"]
)
def test_an_address_that_makes_no_sense_lists_what_it_can(client: Client, project: Project, query: str) -> None:
    assert client.get(reverse("money-calls", args=[project.slug]) + query).status_code == 200


def test_a_call_shows_its_answer_as_it_came(client: Client, project: Project, judge: Judge, run: Run) -> None:
    first = make_call(run, judge, cost_micros=700, reserved_micros=9_000, raw_reply="<script>alert(1)</script>")
    again = make_call(run, judge, cost_micros=0, source=first, raw_reply="the same")

    page, reused = (page_of(client, "money-call", project, call.pk) for call in (first, again))

    assert '<pre class="text-as-given" tabindex="0">&lt;script&gt;alert(1)&lt;/script&gt;</pre>' in page
    assert "$0.00070" in page
    assert "set aside before: $0.0090" in page
    assert f'<a href="{reverse("money-call", args=[project.slug, first.pk])}">call {first.pk}</a>' in reused


def test_a_call_of_another_project_is_not_there(client: Client, project: Project) -> None:
    elsewhere = make_project()
    call = make_call(make_run(elsewhere), make_judges(elsewhere, 1)[0])

    assert client.get(reverse("money-call", args=[project.slug, call.pk])).status_code == 404


def test_queries_do_not_grow_with_calls(
    client: Client, project: Project, judge: Judge, run: Run, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(6):
        make_call(run, judge, cost_micros=1)

    with django_assert_num_queries(8):  # session, person, membership; ledger, purses, last run, judges, prices
        client.get(reverse("money", args=[project.slug]))
    with django_assert_num_queries(5):
        client.get(reverse("money-calls", args=[project.slug]))
