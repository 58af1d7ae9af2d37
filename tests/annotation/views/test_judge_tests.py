"""A judge tested with one click, over real HTTP: what was sent, what came, what it cost, and nothing of it a vote."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Judge, Project, Run, TrackRecord, Verdict
from evaluation.services import judges, panel_worker
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

HTMX = {"HX-Request": "true"}
KEY = "sk-typed-0123456789"
SOURCE = "The fridge holds 84 litres."


@pytest.fixture
def judge(project: Project, server: LocalServer) -> Judge:
    new = judges.NewJudge("Near", "openai_chat", "m", base_url=server.openai_url, key=KEY, may_see_text=True)
    return judges.add(project=project, new=new)


@pytest.fixture
def claim(project: Project) -> None:
    response = factories.make_response(factories.make_instance(project, sources=[SOURCE]), SOURCE)
    factories.make_claim(project, SOURCE, response=response)


def click(client: Client, judge: Judge) -> Run:
    """Click on Test and let a worker do what follows."""
    answer = client.post(reverse("judge-test", args=[judge.project.slug, judge.pk]))
    run = Run.objects.get(kind=Run.Kind.TEST)
    assert answer.headers["Location"] == reverse("judge-tested", args=[judge.project.slug, run.pk])
    return panel_worker.drive(run_id=run.pk)


def page_of(client: Client, run: Run, **headers: str) -> str:
    address = reverse("judge-tested", args=[run.project.slug, run.pk])
    return client.get(address, headers=headers).content.decode()


@pytest.mark.usefixtures("claim")
def test_one_click_shows_what_was_sent_what_came_and_how_it_was_read(
    client: Client, judge: Judge, server: LocalServer
) -> None:
    run = click(client, judge)

    page = page_of(client, run)
    assert run.state == Run.State.DONE
    assert "Supported" in page
    assert "The reply as it came" in page
    assert "Instructions" in page
    assert "The fridge holds 84 litres." in page
    assert "Tokens" in page
    assert "Nobody has ruled on it yet." in page
    assert "hx-get" not in page
    assert KEY not in page
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.usefixtures("claim")
def test_a_test_leaves_no_vote_and_no_track_record(client: Client, project: Project, judge: Judge) -> None:
    outcome = project.outcomes.get()

    click(client, judge)

    assert Call.objects.count() == 1
    assert not Verdict.objects.exists()
    assert not TrackRecord.objects.exists()
    assert project.outcomes.get().pattern_id == outcome.pattern_id


@pytest.mark.usefixtures("claim")
def test_every_test_asks_anew(client: Client, judge: Judge, server: LocalServer) -> None:
    click(client, judge)
    Run.objects.update(kind=Run.Kind.PANEL)  # so that `click` finds the new one

    click(client, judge)

    assert len(server.received) == 2


@pytest.mark.usefixtures("claim")
@pytest.mark.parametrize(
    ("step", "said", "advice"),
    [
        (Step(status=401, message=f"wrong key {KEY}"), "401", "Check the key"),
        (Step(status=404, message="no such model"), "404", "Check model, address and parameters"),
        (Step(text="I would rather not.", finish="refused"), "I would rather not.", "declines to answer"),
    ],
)
def test_a_failed_test_says_what_to_fix(
    client: Client, judge: Judge, server: LocalServer, step: Step, said: str, advice: str
) -> None:
    server.script(step, step)

    run = click(client, judge)

    page = page_of(client, run)
    assert said in page
    assert advice in page
    assert KEY not in page
    assert "Change the judge" in page


@pytest.mark.usefixtures("claim")
def test_a_reply_that_is_no_json_fails_and_is_shown_as_it_came(
    client: Client, judge: Judge, server: LocalServer
) -> None:
    server.script(Step(text="I like fridges."), Step(text="<b>Really</b> I do."))

    page = page_of(client, click(client, judge))

    assert "&lt;b&gt;Really&lt;/b&gt; I do." in page
    assert "another value under" in page
    assert "in 2 attempts" in page


@pytest.mark.usefixtures("claim")
def test_while_it_is_asked_the_page_follows(client: Client, project: Project, judge: Judge) -> None:
    client.post(reverse("judge-test", args=[project.slug, judge.pk]))
    run = Run.objects.get(kind=Run.Kind.TEST)

    whole, fragment = page_of(client, run), page_of(client, run, **HTMX)

    assert "The judge is being asked." in whole
    assert 'hx-trigger="every 2s"' in fragment
    assert "<html" not in fragment


@pytest.mark.usefixtures("claim")
def test_a_worker_is_woken(
    client: Client, judge: Judge, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("judge-test", args=[judge.project.slug, judge.pk]))

    assert Run.objects.get(kind=Run.Kind.TEST).state == Run.State.DONE


def test_before_any_claim_a_judge_is_tested_on_a_sample(
    client: Client, project: Project, judge: Judge, server: LocalServer
) -> None:
    run = click(client, judge)

    page = page_of(client, run)
    assert run.state == Run.State.DONE
    assert "A sample statement of JuryFlow" in page
    assert "<strong>Supported</strong>" in page
    assert "What was sent" in page
    assert len(server.received) == 1
    assert not project.claims.exists()
    assert not project.responses.exists()
    assert not Verdict.objects.exists()


@pytest.mark.usefixtures("claim")
def test_an_expert_does_not_see_a_test(client: Client, project: Project, judge: Judge, owner: User) -> None:
    run = click(client, judge)
    client.force_login(factories.make_member(project).user)

    answer = client.get(reverse("judge-tested", args=[project.slug, run.pk]))

    assert answer.status_code == 403


def test_a_run_that_is_no_test_has_no_such_page(client: Client, project: Project) -> None:
    run = factories.make_run(project)

    assert client.get(reverse("judge-tested", args=[project.slug, run.pk])).status_code == 404
