"""Runs and money: the estimate as a range, the cap, why a run paused and how it goes on."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from evaluation.models import Job, Judge, Project, Purse, Run
from evaluation.services import budgets, judges
from evaluation.services.judges import NewJudge
from tests.factories import make_asked_judge, make_call, make_claim, make_judges, make_member, make_project, make_run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]


@pytest.fixture
def project(owner: User, monkeypatch: pytest.MonkeyPatch, settings) -> Project:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "secret"}
    project = make_project(owner=owner)
    make_claim(project, "The alarm sounds after 5 minutes.")
    return project


@pytest.fixture
def judge(project: Project) -> Judge:
    new = NewJudge(name="Mini", provider="openai_chat", model="gpt-4.1-mini", may_see_text=True)
    return judges.add(project=project, new=new)


def page_of(client: Client, project: Project, query: str = "") -> str:
    return client.get(reverse("runs", args=[project.slug]) + query).content.decode()


def paused_run(project: Project, by: str, *, cap_micros: int | None = None) -> Run:
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.PAUSED)
    message = "The cap is reached: $4 of $5 is spent. Raise the cap to go on."
    Run.objects.filter(pk=run.pk).update(paused_by=by, message=message)
    Purse.objects.create(project=project, run=run, key=f"run/{run.pk}", cap_micros=cap_micros, spent_micros=4_000_000)
    return run


def run_page(client: Client, run: Run) -> str:
    return client.get(reverse("run", args=[run.project.slug, run.pk])).content.decode()


def test_the_estimate_is_a_range_in_all_and_by_judge(client: Client, project: Project, judge: Judge) -> None:
    page = page_of(client, project)

    assert re.search(r"<strong>\$0\.000\d+</strong> expected, at most \$0\.0\d+", page)
    assert re.search(r'<th scope="row">Mini</th>\s*<td class="number" data-label="Questions">1 to 2</td>', page)
    assert 'name="cap"' in page


def test_where_nothing_costs_anything_no_cap_is_asked_for(client: Client, project: Project) -> None:
    make_judges(project, 2, provider="offline")

    page = page_of(client, project)

    assert "Start the run" in page
    assert 'name="cap"' not in page
    assert "$" not in page


def test_a_price_that_is_not_known_is_said_with_the_way_to_enter_it(client: Client, project: Project) -> None:
    judge = make_asked_judge(project, "http://gpu.example/v1")

    page = page_of(client, project)

    link = f"{reverse('prices', args=[project.slug])}?judge={judge.pk}#enter"
    assert f'<a href="{link}">price unknown: enter it</a>' in page
    assert "Start the run" in page


def test_under_a_cap_an_unknown_price_stands_in_the_way(client: Client, project: Project) -> None:
    make_asked_judge(project, "http://gpu.example/v1")
    budgets.set_caps(project=project, cap_micros=5_000_000, weekly_second_look_cap_micros=None)

    page = page_of(client, project)

    assert "It cannot start yet" in page
    assert "No price is known for" in page
    assert "Start the run" not in page


def test_an_expert_sees_what_a_run_takes_and_no_money(client: Client, project: Project, judge: Judge) -> None:
    client.force_login(make_member(project).user)

    page = page_of(client, project)

    assert "questions to judges" in page
    assert "$" not in page


def test_what_was_chosen_is_what_is_started(client: Client, project: Project, judge: Judge) -> None:
    page = page_of(client, project, "?ask=again&samples=3&in_batches=on")
    sent = dict(re.findall(r'<input type="hidden" name="(ask|samples|in_batches)" value="([^"]*)"', page))

    client.post(reverse("run-start", args=[project.slug]), {**sent, "cap": "2.50"})

    run = project.runs.get(kind=Run.Kind.PANEL)
    assert sent == {"ask": "again", "samples": "3", "in_batches": "on"}
    assert (run.samples, run.in_batches, run.purse.cap_micros) == (3, True, 2_500_000)
    assert run.estimate["n_calls_low"] == 3
    assert "3 votes each" in page
    assert '<span class="chip">in batches</span>' in page


def test_without_a_cap_a_run_has_none(client: Client, project: Project, judge: Judge) -> None:
    client.post(reverse("run-start", args=[project.slug]), {"cap": ""})

    assert project.runs.get(kind=Run.Kind.PANEL).purse.cap_micros is None


def test_a_cap_below_one_call_of_a_judge_is_said_before_the_start(
    client: Client, project: Project, judge: Judge
) -> None:
    answer = client.post(reverse("run-start", args=[project.slug]), {"cap": "0.001"})

    assert answer.status_code == 422
    assert re.search(r"One call of Mini may cost up to \$0\.0\d+: with this cap", answer.content.decode())
    assert not project.runs.filter(kind=Run.Kind.PANEL).exists()


@pytest.mark.parametrize("typed", ["-1", "much"])
def test_a_cap_that_is_no_amount_starts_nothing(client: Client, project: Project, judge: Judge, typed: str) -> None:
    answer = client.post(reverse("run-start", args=[project.slug]), {"cap": typed})

    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not project.runs.filter(kind=Run.Kind.PANEL).exists()


@pytest.mark.parametrize("query", ["?samples=0", "?samples=99", "?samples=x", "?ask=nonsense"])
def test_a_wish_that_makes_no_sense_shows_what_is_missing(
    client: Client, project: Project, judge: Judge, query: str
) -> None:
    page = page_of(client, project, query)

    assert "What the next run would take" in page
    assert "errorlist" in page


def test_only_what_failed_can_be_asked_for(client: Client, project: Project, judge: Judge) -> None:
    page = page_of(client, project, "?ask=failed")

    assert "What asking again for what failed would take" in page
    assert "No vote failed: there is nothing to run again." in page


def test_a_run_paused_by_its_cap_takes_a_new_one_and_goes_on(
    client: Client, project: Project, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    run = paused_run(project, Run.PausedBy.RUN_CAP, cap_micros=5_000_000)
    before = run_page(client, run)

    client.post(reverse("run-resume", args=[project.slug, run.pk]), {"cap": "8"})

    run.refresh_from_db()
    run.purse.refresh_from_db()
    assert "Raise the cap to go on." in before
    assert 'name="cap"' in before
    assert "$4</a> of $5" in before
    assert "every 2s" not in before
    assert (run.state, run.purse.cap_micros) == (Run.State.QUEUED, 8_000_000)


def test_a_new_cap_below_what_is_spent_is_refused(client: Client, project: Project) -> None:
    run = paused_run(project, Run.PausedBy.RUN_CAP, cap_micros=5_000_000)

    page = client.post(reverse("run-resume", args=[project.slug, run.pk]), {"cap": "1"}, follow=True).content.decode()

    run.refresh_from_db()
    assert run.state == Run.State.PAUSED
    assert "cannot be below that" in page


def test_a_run_paused_by_the_project_leads_to_its_limits(client: Client, project: Project) -> None:
    page = run_page(client, paused_run(project, Run.PausedBy.PROJECT_CAP))

    assert f'href="{reverse("money", args=[project.slug])}#caps"' in page
    assert 'name="cap"' not in page
    assert "Go on" in page


def test_an_expert_reads_why_a_run_paused_without_amounts(client: Client, project: Project) -> None:
    run = paused_run(project, Run.PausedBy.RUN_CAP, cap_micros=5_000_000)
    client.force_login(make_member(project).user)

    page = run_page(client, run)

    assert "Paused: a limit that an owner set is reached." in page
    assert "$" not in page
    assert "Go on" not in page


def test_pausing_and_going_on_by_hand(client: Client, project: Project, judge: Judge) -> None:
    client.post(reverse("run-start", args=[project.slug]))
    run = project.runs.get(kind=Run.Kind.PANEL)

    client.post(reverse("run-pause", args=[project.slug, run.pk]))
    page = run_page(client, run)
    client.post(reverse("run-resume", args=[project.slug, run.pk]))

    run.refresh_from_db()
    assert "Paused by hand" in page
    assert '<span class="chip warn">paused</span>' in page
    assert run.state == Run.State.QUEUED


@pytest.mark.parametrize("name", ["run-pause", "run-resume", "run-stop"])
def test_an_expert_neither_pauses_nor_goes_on(client: Client, project: Project, name: str) -> None:
    run = paused_run(project, Run.PausedBy.HAND)
    client.force_login(make_member(project).user)

    assert client.post(reverse(name, args=[project.slug, run.pk])).status_code == 403


def test_what_a_judge_cost_leads_to_its_calls(client: Client, project: Project, judge: Judge) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)
    first = make_call(run, judge, cost_micros=12_000)
    make_call(run, judge, cost_micros=0, source=first)

    page = run_page(client, run)

    calls = f"{reverse('money-calls', args=[project.slug])}?run={run.pk}&amp;judge={judge.pk}"
    assert f'<a href="{calls}">1</a> + 1 reused' in page
    assert '<td class="number" data-label="Cost">$0.012</td>' in page
    assert "1 answered from the ledger at no cost" in page


def test_a_stopped_judge_says_what_to_fix_and_failures_can_be_asked_again(
    client: Client, project: Project, judge: Judge
) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)
    Job.objects.create(
        run=run, task="judge", key="k", judge=judge, state="failed", reason="auth", error="Give it a valid key."
    )

    page = run_page(client, run)

    assert f"<strong>{judge.name}</strong> was stopped, the others went on: Give it a valid key." in page
    assert f'href="{reverse("runs", args=[project.slug])}?ask=failed"' in page
