"""Runs: what one takes, starting one once, watching it, stopping it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from evaluation.models import Job, Project, Run
from evaluation.services import judges
from tests.factories import (
    make_asked_judge,
    make_claim,
    make_instance,
    make_judges,
    make_member,
    make_project,
    make_response,
    make_run,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

FRAGMENT = {"HX-Request": "true"}


@pytest.fixture
def project(owner: User) -> Project:
    """Two claims with a source that the offline panel has not voted on."""
    project = make_project(owner=owner)
    answer = make_response(make_instance(project, sources=["The alarm sounds after 5 minutes."]))
    make_claim(project, "The alarm sounds after 5 minutes.", response=answer)
    make_claim(project, "The alarm sounds after 9 minutes.", response=answer)
    judges.add_offline_panel(project=project)
    return project


def test_it_says_what_a_run_takes_and_that_nothing_leaves(client: Client, project: Project) -> None:
    page = client.get(reverse("runs", args=[project.slug])).content.decode()

    assert "<strong>1</strong> answer<" in page
    assert "<strong>5</strong> judges" in page
    assert "<strong>5 to 10</strong> questions" in page
    assert "Nothing leaves this machine." in page
    assert "tokens" not in page


def test_it_says_to_whom_text_goes(client: Client, owner: User) -> None:
    project = make_project(owner=owner)
    make_claim(project)
    judge = make_asked_judge(project, "http://judge.example:8001/v1", model="mini-1")

    page = client.get(reverse("runs", args=[project.slug])).content.decode()

    assert f"<strong>{judge.name} (mini-1) at judge.example:8001</strong>" in page
    assert "tokens sent, about" in page
    assert "openai_chat" not in page


def test_what_stands_in_the_way_is_said(client: Client, owner: User) -> None:
    project = make_project(owner=owner)

    page = client.get(reverse("runs", args=[project.slug])).content.decode()

    assert "No judge can be asked" in page
    assert "There is nothing to judge yet" in page
    assert reverse("run-start", args=[project.slug]) not in page


def test_without_a_judge_the_offline_panel_is_one_click_away(client: Client, owner: User) -> None:
    project = make_project(owner=owner)
    make_claim(project)
    runs = reverse("runs", args=[project.slug])
    page = client.get(runs).content.decode()

    answer = client.post(reverse("judge-add-offline", args=[project.slug]), {"back": "runs"}, follow=True)

    after = answer.content.decode()
    assert "Add the offline panel" in page
    assert answer.redirect_chain[-1][0] == runs
    assert "Add the offline panel" not in after
    assert "Start the run" in after


def test_a_run_of_which_every_step_failed_does_not_look_like_a_success(client: Client, owner: User) -> None:
    project = make_project(owner=owner)
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.FAILED)

    page = client.get(reverse("run", args=[project.slug, run.pk])).content.decode()

    assert '<span class="chip bad">failed</span>' in page
    assert f'<a class="button primary" href="{reverse("judges", args=[project.slug])}"' in page
    assert "Run again" in page
    assert "Open the queue" not in page


def test_background_work_is_folded(client: Client, owner: User) -> None:
    project = make_project(owner=owner)
    graph, own = make_run(project, kind=Run.Kind.GRAPH), make_run(project, kind=Run.Kind.PANEL)

    page = client.get(reverse("runs", args=[project.slug])).content.decode()

    folded = page.index("Background work (1)")
    places = [page.index(reverse("run", args=[project.slug, run.pk])) for run in (own, graph)]
    assert places[0] < folded < places[1]


def test_starting_runs_the_panel_in_a_job(
    client: Client, project: Project, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(reverse("run-start", args=[project.slug]))

    run = project.runs.get(kind=Run.Kind.PANEL)
    page = client.get(answer.headers["Location"]).content.decode()
    assert run.state == Run.State.DONE
    assert "5 of 5 steps ended." in page
    assert "every 2s" not in page


def test_a_second_click_never_starts_a_second_run(client: Client, project: Project) -> None:
    address = reverse("run-start", args=[project.slug])

    first, second = client.post(address), client.post(address)

    assert first.headers["Location"] == second.headers["Location"]
    assert project.runs.filter(kind=Run.Kind.PANEL).count() == 1


def test_starting_what_cannot_start_says_why(client: Client, owner: User) -> None:
    project = make_project(owner=owner)

    page = client.post(reverse("run-start", args=[project.slug]), follow=True).content.decode()

    assert '<p class="note error">No judge can be asked' in page
    assert not Run.objects.exists()


def test_progress_asks_again_while_the_run_is_open_and_stops_by_itself(client: Client, project: Project) -> None:
    client.post(reverse("run-start", args=[project.slug]))
    run = project.runs.get(kind=Run.Kind.PANEL)
    address = reverse("run", args=[project.slug, run.pk])

    going = client.get(address, headers=FRAGMENT).content.decode()
    Run.objects.update(state=Run.State.DONE, ended_at=timezone.now())
    ended = client.get(address, headers=FRAGMENT).content.decode()

    assert going.lstrip().startswith('<div id="run-progress"')
    assert 'hx-trigger="every 2s"' in going
    assert "hx-trigger" not in ended


def test_a_run_without_a_worker_says_since_when_and_what_to_do(client: Client, project: Project) -> None:
    client.post(reverse("run-start", args=[project.slug]))
    since = timezone.now() - timedelta(minutes=3)
    Run.objects.update(created_at=since)
    run = project.runs.get(kind=Run.Kind.PANEL)

    page = client.get(reverse("run", args=[project.slug, run.pk])).content.decode()

    assert f"Waiting for a worker since {since:%H:%M}" in page
    assert "<code>make run</code>" in page


def test_stopping_cancels_what_waits(client: Client, project: Project) -> None:
    client.post(reverse("run-start", args=[project.slug]))
    run = project.runs.get(kind=Run.Kind.PANEL)

    page = client.post(reverse("run-stop", args=[project.slug, run.pk]), follow=True).content.decode()

    run.refresh_from_db()
    assert run.state == Run.State.STOPPED
    assert "Stopped by hand" in page
    assert not run.jobs.filter(state=Job.State.WAITING).exists()


def test_failures_are_told_by_judge_and_reason(client: Client, owner: User) -> None:
    project = make_project(owner=owner)
    judge = make_judges(project, 1)[0]
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.FAILED)
    for number in range(3):
        Job.objects.create(
            run=run, task=Job.Task.JUDGE, key=f"k{number}", judge=judge, state=Job.State.FAILED, error="It timed out."
        )

    page = client.get(reverse("run", args=[project.slug, run.pk])).content.decode()

    link = f'<a href="{reverse("judges", args=[project.slug])}#judge-{judge.pk}">{judge.name}</a>'
    assert f'<th scope="row">{link}</th><td data-label="Reason">It timed out.</td>' in page
    assert '<td class="number" data-label="Times">3</td>' in page


def test_an_expert_sees_runs_and_starts_none(client: Client, project: Project) -> None:
    client.force_login(make_member(project).user)

    page = client.get(reverse("runs", args=[project.slug])).content.decode()
    answer = client.post(reverse("run-start", args=[project.slug]))

    assert "An owner of the project can start it." in page
    assert answer.status_code == 403
    assert not project.runs.filter(kind=Run.Kind.PANEL).exists()


def test_queries_of_a_run_do_not_grow_with_its_jobs(
    client: Client, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    project = make_project(owner=owner)
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    for judge in make_judges(project, 4):
        for number in range(5):
            Job.objects.create(run=run, task=Job.Task.JUDGE, key=f"{judge.pk}/{number}", judge=judge)

    with django_assert_num_queries(15):  # session, person, membership, run, and eleven of the selector
        client.get(reverse("run", args=[project.slug, run.pk]))
