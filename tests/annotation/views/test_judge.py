"""The page of one judge: adding it, changing it, and that its key goes in and never comes out."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.models import Judge, Project
from evaluation.services import judges
from evaluation.services.judges import NewJudge
from tests.factories import make_claim, make_judges, vote

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

KEY = "sk-typed-0123456789"
NEW = {"model": "some-model", "name": "Sceptic", "persona": "skeptic", "may_see_text": "on"}


def new_address(project: Project, provider: str = "openai_chat") -> str:
    return reverse("judge-new", args=[project.slug, provider])


@pytest.fixture
def judge(project: Project) -> Judge:
    new = NewJudge("Far", "openai_chat", "small", key=KEY, parameters={"temperature": 0.5}, may_see_text=True)
    return judges.add(project=project, new=new)


def test_a_change_shows_who_may_see_the_text_and_asks_anew_for_another_address(client: Client, judge: Judge) -> None:
    address = reverse("judge", args=[judge.project.slug, judge.pk])
    ticked = "<span>api.openai.com may see this project's text</span>"

    allowed = client.get(address).content.decode()
    Project.objects.update(allowed_providers=[])
    taken_back = client.get(address).content.decode()

    assert f'<input type="checkbox" checked disabled> {ticked}' in allowed
    assert "Another address typed above may see it, too" in allowed
    assert ticked not in taken_back
    assert "Its server may see this project" in taken_back


def test_the_providers_models_and_its_key_are_offered(client: Client, project: Project, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "x"}

    page = client.get(new_address(project)).content.decode()

    assert all(f'<option value="{model}"></option>' in page for model in judges.offer("openai_chat").models)
    assert "OPENAI_API_KEY: key found." in page
    assert "api.openai.com, or to the address above" in page


@pytest.mark.parametrize("provider", ["oracle", "offline", "replay"])
def test_only_remote_providers_have_a_page(client: Client, project: Project, provider: str) -> None:
    assert client.get(new_address(project, provider)).status_code == 404


def test_a_judge_is_added_with_the_name_of_its_key(client: Client, project: Project) -> None:
    fields = {**NEW, "base_url": "http://127.0.0.1:9/v1", "key_name": "LOCAL_API_KEY", "extra": '{"seed": 7}'}

    page = client.post(new_address(project), fields, follow=True).content.decode()

    judge = Judge.objects.get()
    assert (judge.name, judge.model, judge.persona) == ("Sceptic", "some-model", "skeptic")
    assert (judge.base_url, judge.key_name) == ("http://127.0.0.1:9/v1", "LOCAL_API_KEY")
    assert judge.parameters == {"seed": 7}
    assert "LOCAL_API_KEY is not set" in page


def test_a_typed_key_is_kept_and_not_shown(client: Client, project: Project) -> None:
    page = client.post(new_address(project), {**NEW, "key": KEY}, follow=True).content.decode()

    judge = Judge.objects.get()
    assert judges.key_of(judge) == KEY
    assert "A key is kept, sealed." in page
    assert KEY not in page
    assert judge.encrypted_key not in page


def test_a_key_in_place_of_its_name_is_refused_and_neither_stored_nor_shown(client: Client, project: Project) -> None:
    answer = client.post(new_address(project), {**NEW, "key_name": "sk-something-secret"})

    assert answer.status_code == 422
    assert "not a key" in answer.content.decode()
    assert "sk-something-secret" not in answer.content.decode()
    assert not Judge.objects.exists()


def test_a_refused_form_does_not_give_the_typed_key_back(client: Client, project: Project) -> None:
    answer = client.post(new_address(project), {**NEW, "name": "", "key": KEY})

    assert answer.status_code == 422
    assert KEY not in answer.content.decode()


def test_a_judge_whose_server_was_not_ticked_is_not_added(client: Client, project: Project) -> None:
    answer = client.post(new_address(project), {**NEW, "may_see_text": ""})

    assert answer.status_code == 422
    assert "api.openai.com may not see this project&#x27;s text yet. Tick" in answer.content.decode()
    assert not Judge.objects.exists()


def test_a_taken_name_is_said_on_the_form(client: Client, project: Project) -> None:
    client.post(new_address(project), NEW)

    answer = client.post(new_address(project), NEW)

    assert answer.status_code == 422
    assert "There is a judge called “Sceptic” already" in answer.content.decode()


def test_the_page_starts_with_what_the_judge_is_and_nothing_of_its_key(
    client: Client, project: Project, judge: Judge
) -> None:
    page = client.get(reverse("judge", args=[project.slug, judge.pk])).content.decode()

    assert 'value="small"' in page
    assert 'value="0.5"' in page
    assert "Forget the key that is kept" in page
    assert KEY not in page
    assert judge.encrypted_key not in page


def test_a_change_is_kept_and_an_empty_key_leaves_the_kept_one(client: Client, project: Project, judge: Judge) -> None:
    fields = {**NEW, "model": "small", "temperature": "1"}

    page = client.post(reverse("judge", args=[project.slug, judge.pk]), fields, follow=True).content.decode()

    judge.refresh_from_db()
    assert "Sceptic is changed." in page
    assert (judge.name, judge.persona, judge.parameters) == ("Sceptic", "skeptic", {"temperature": 1.0})
    assert judges.key_of(judge) == KEY


def test_the_kept_key_is_forgotten_on_demand(client: Client, project: Project, judge: Judge) -> None:
    fields = {**NEW, "model": "small", "forget_key": "on"}

    client.post(reverse("judge", args=[project.slug, judge.pk]), fields)

    judge.refresh_from_db()
    assert judge.encrypted_key == ""


def test_another_model_after_votes_makes_another_judge_and_says_so(
    client: Client, project: Project, judge: Judge
) -> None:
    vote(make_claim(project), {judge: "accept"})
    address = reverse("judge", args=[project.slug, judge.pk])
    before = client.get(address).content.decode()
    refused = client.post(address, {**NEW, "name": "Far", "model": "large"})

    page = client.post(address, {**NEW, "name": "Far large", "model": "large"}, follow=True).content.decode()

    assert "With another model or address it would be another judge" in before
    assert refused.status_code == 422
    assert "needs a name of its own" in refused.content.decode()
    assert "Far large votes in the place of Far, which rests with its votes." in page
    assert list(Judge.objects.order_by("pk").values_list("name", "is_active")) == [("Far", False), ("Far large", True)]


def test_a_judge_that_is_asked_by_nobody_has_a_page_without_a_form(client: Client, project: Project) -> None:
    recorded = make_judges(project, 1)[0]
    address = reverse("judge", args=[project.slug, recorded.pk])

    page = client.get(address).content.decode()

    assert "Change it" not in page
    assert f"Retire {recorded.name}" in page
    assert client.post(address, NEW).status_code == 200
    assert Judge.objects.get().name == recorded.name
