"""A key that an owner typed is searched for everywhere: rows, pages, exports, logs, errors. It is only ever sent."""

from __future__ import annotations

import io
import logging
import traceback

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.urls import project_urls
from evaluation.errors import MissingPieceError
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Job, Judge, Project, Run
from evaluation.services import exports, judge_tests, judges, panel, panel_worker
from tests import factories

pytestmark = pytest.mark.django_db

KEY = "sk-live-4f1c9a7e2b"
SOURCE = "The fridge holds 84 litres."
PROVIDERS = ("openai_chat", "openai_responses", "anthropic_messages")
REFUSED = Step(status=401, message=f"Incorrect API key provided: {KEY}")
GOSSIP = (  # what a server says in one test: a reply that cannot be read is asked for twice
    (REFUSED,),
    (Step(status=400, message=f"bad header Authorization: Bearer {KEY}"),),
    (Step(text=f"I was called with {KEY}, and like fridges."), Step(text=f"Really, with {KEY}.")),
    (Step(text=f"Not with {KEY} you do not.", finish="refused"),),
)


@pytest.fixture
def asked(project: Project, server: LocalServer, owner: User) -> list[Judge]:
    """A judge of each remote provider, tested, run and talked about by a server that repeats its key."""
    response = factories.make_response(factories.make_instance(project, sources=[SOURCE]), SOURCE)
    claims = [factories.make_claim(project, SOURCE, response=response) for _ in range(2)]
    added = [judges.add(project=project, new=_new(provider, server)) for provider in PROVIDERS]
    for steps in GOSSIP:
        server.script(*steps)
        panel_worker.drive(run_id=judge_tests.request(judge=added[0], claim=claims[0], by=owner).pk)
    server.script(*[REFUSED] * len(added))
    panel_worker.drive(run_id=panel.open_run(project=project, by=owner).pk)
    for judge in added:
        panel_worker.drive(run_id=judge_tests.request(judge=judge, claim=claims[1], by=owner).pk)
    factories.rule(claims[0], owner)
    return added


def _new(provider: str, server: LocalServer) -> judges.NewJudge:
    address = server.url if provider == "anthropic_messages" else server.openai_url
    return judges.NewJudge(provider, provider, "m", base_url=address, key=KEY, may_see_text=True)


def test_a_key_is_sent_and_otherwise_nowhere(
    client: Client,
    project: Project,
    server: LocalServer,
    owner: User,
    caplog: pytest.LogCaptureFixture,
    request: pytest.FixtureRequest,
) -> None:
    caplog.set_level(logging.DEBUG)

    asked = request.getfixturevalue("asked")

    assert all(KEY in str(each.headers) for each in server.received)
    assert Call.objects.exclude(error="").exists()
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.FAILED, Job.State.DONE}
    told = {
        "log": caplog.text,
        **rows(),
        **pages(client, owner, project, asked[0]),
        **admin_pages(client),
        **files(project),
        "objects": repr([vars(judge) for judge in asked]) + repr([judges.model_for(judge) for judge in asked]),
    }
    assert [where for where, text in told.items() if KEY in text] == []
    sealed = [judge.encrypted_key for judge in Judge.objects.all()]
    at_rest = {"table evaluation.Judge", "dump", "objects"}
    assert {where for where, text in told.items() if any(key in text for key in sealed)} == at_rest
    assert len(told) > 60


def rows() -> dict[str, str]:
    """Every value of every row of every table."""
    return {
        f"table {model._meta.label}": repr(list(model._default_manager.values()))
        for model in apps.get_models()
        if model._meta.managed
    }


def pages(client: Client, owner: User, project: Project, judge: Judge) -> dict[str, str]:
    """Every page of the project that an owner can open, with the ids of rows that there are."""
    client.force_login(owner)
    run, test = (Run.objects.filter(kind=kind).latest("pk").pk for kind in (Run.Kind.PANEL, Run.Kind.TEST))
    claim, decision = project.claims.first(), project.decisions.first()
    assert claim is not None
    assert decision is not None
    known = {
        "slug": project.slug,
        "provider": judge.provider,
        "judge_id": judge.pk,
        "what": "votes",
        "fmt": "csv",
        "claim_id": claim.pk,
        "decision_id": decision.pk,
        "call_id": Call.objects.latest("pk").pk,
    }
    found = {}
    for pattern in project_urls:
        ids = {"run_id": test if pattern.name == "judge-tested" else run, **known}
        names = pattern.pattern.converters
        address = reverse(str(pattern.name), kwargs={name: ids.get(name, 1) for name in names})
        answer = client.get(address)
        found[f"page {pattern.name}"] = b"".join(answer).decode()  # type: ignore[arg-type]
    assert {"page judges", "page judge", "page judge-tested", "page run"} <= set(found)
    return found


def admin_pages(client: Client) -> dict[str, str]:
    """The admin's page of every row that may have to do with a judge."""
    client.force_login(User.objects.create_superuser("root-of-all"))
    found = {}
    for model in (Judge, Call, Job, Run, Project):
        name = model._meta.model_name
        for pk in model.objects.values_list("pk", flat=True):
            found[f"admin {name} {pk}"] = client.get(f"/admin/evaluation/{name}/{pk}/change/").content.decode()
    return found


def files(project: Project) -> dict[str, str]:
    """Every export, and a dump of the database."""
    found = {
        f"export {choice.what}.{choice.fmt}": "".join(
            piece if isinstance(piece, str) else piece.decode(errors="replace")
            for piece in exports.stream(project=project, what=choice.what, fmt=choice.fmt)
        )
        for choice in exports.CHOICES
    }
    dump = io.StringIO()
    call_command("dumpdata", "evaluation", stdout=dump)
    return {**found, "dump": dump.getvalue()}


def test_an_error_page_shows_no_key_even_while_debugging(client: Client, project: Project, settings: Settings) -> None:
    settings.DEBUG = True
    settings.SECRET_KEY_FALLBACKS = [None]  # what a slip in the settings may bring: sealing fails with a traceback
    client.raise_request_exception = False
    owner = project.memberships.get().user
    client.force_login(owner)
    fields = {"name": "J", "model": "m", "persona": "neutral", "key": KEY, "may_see_text": "on"}

    answer = client.post(reverse("judge-new", args=[project.slug, "openai_chat"]), fields)

    assert answer.status_code == 500
    assert KEY not in answer.content.decode()


def test_a_key_that_cannot_be_read_is_not_told_by_the_error(project: Project, settings: Settings) -> None:
    judge = judges.add(project=project, new=judges.NewJudge("J", "openai_chat", "m", key=KEY, may_see_text=True))
    settings.SECRET_KEY = "another"

    with pytest.raises(MissingPieceError) as caught:
        judges.model_for(judge)

    told = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=False).format())
    assert KEY not in told
    assert judge.encrypted_key not in told
