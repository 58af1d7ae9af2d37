"""The judges' page: measured limits, how each judge stands, switching, and who may see the text."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.models import Judge, Project
from evaluation.selectors.dollars import dollars
from evaluation.services import judges, prices
from evaluation.services.judges import NewJudge
from tests.factories import (
    make_asked_judge,
    make_disputed,
    make_instance,
    make_judges,
    make_member,
    make_project,
    make_response,
    rule,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

LIMITS = (
    "Five word-matching rules, not AI. On public test sets their majority was right for 56 to 67 of 100 claims when "
    "supported and unsupported ones count equally (a coin: 50)."
)


def test_offline_panel_stands_beside_its_measured_limits(client: Client, project: Project) -> None:
    page = client.post(reverse("judge-add-offline", args=[project.slug]), follow=True).content.decode()

    assert project.judges.filter(provider="offline").count() == 5
    assert LIMITS in page
    assert "Blind to whether a figure belongs to the right thing" in page


def test_limits_are_said_before_the_panel_is_added(client: Client, project: Project) -> None:
    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert page.count(LIMITS) == 1


def test_found_keys_are_said_to_be_found(client: Client, project: Project, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "secret-value"}

    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    n_openai = sum(offer.key_name == "OPENAI_API_KEY" for offer in judges.offers())
    assert page.count("key found") - page.count("no key found") == n_openai
    assert "secret-value" not in page


def test_a_judge_says_where_its_text_goes_its_key_its_parameters_and_its_price(
    client: Client, project: Project
) -> None:
    prices.seed()
    model = judges.offer("openai_chat").models[0]
    new = NewJudge("Far", "openai_chat", model, persona="skeptic", parameters={"temperature": 0.5}, may_see_text=True)
    card = prices.card(judges.add(project=project, new=new))

    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert card is not None
    assert f"{model}, persona skeptic" in page
    assert "Text goes to <strong>api.openai.com</strong>" in page
    assert "temperature 0.5" in page
    assert "OPENAI_API_KEY is not set" in page
    assert f"{dollars(card.input_micros)} for a million tokens in" in page


def test_a_judge_without_a_price_leads_to_entering_it(client: Client, project: Project) -> None:
    judge = make_asked_judge(project, "http://127.0.0.1:9/v1")

    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert f'Price unknown: <a href="{reverse("prices", args=[project.slug])}?judge={judge.pk}">' in page


def test_agreement_with_experts_stands_beside_each_judge(client: Client, project: Project, owner: User) -> None:
    panel = make_judges(project, 2)
    for claim in make_disputed(project, panel, 3):
        rule(claim, owner, "accept")

    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert "3 of 3" in page
    assert "0 of 3" in page


def test_a_judge_of_the_same_maker_as_a_system_is_marked(client: Client, project: Project) -> None:
    make_response(make_instance(project), system="gpt-4o with search")
    Judge.objects.create(project=project, name="GPT", provider="openai_chat", model="gpt-5.4-mini")
    Judge.objects.create(project=project, name="Claude", provider="anthropic_messages", model="claude-haiku-4-5")

    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert page.count("Same maker") == 1
    assert "Same maker (OpenAI) as gpt-4o with search: judges tend to favour their own family." in page


def test_unticking_a_server_stops_its_judges(client: Client, project: Project) -> None:
    judge = make_asked_judge(project, "http://127.0.0.1:9/v1")

    page = client.post(reverse("judge-receivers", args=[project.slug]), follow=True).content.decode()

    assert "From now on nothing is sent to 127.0.0.1:9." in page
    assert "may not see it: not asked" in page
    assert judges.permission_problem(judge, Project.objects.get())

    client.post(reverse("judge-receivers", args=[project.slug]), {"host": "127.0.0.1:9"})

    assert not judges.permission_problem(judge, Project.objects.get())


def test_a_retired_judge_is_listed_last_and_can_be_brought_back(client: Client, project: Project) -> None:
    first, second = make_judges(project, 2)
    client.post(reverse("judge-retire", args=[project.slug, first.pk]))

    page = client.get(reverse("judges", args=[project.slug])).content.decode()
    client.post(reverse("judge-switch", args=[project.slug, first.pk]), {"is_active": "yes"})
    first.refresh_from_db()
    was_active = first.is_active
    client.post(reverse("judge-bring-back", args=[project.slug, first.pk]))

    first.refresh_from_db()
    assert page.index(f"judge-{second.pk}") < page.index(f"judge-{first.pk}")
    assert '<span class="chip">retired</span>' in page
    assert (was_active, first.is_active, first.retired_at) == (False, True, None)


def test_resting_a_judge_moves_current_answers_with_the_panel(client: Client, project: Project) -> None:
    panel = make_judges(project, 3)
    claim = make_disputed(project, panel)[0]

    client.post(reverse("judge-switch", args=[project.slug, panel[-1].pk]), {"is_active": "no"})

    panel[-1].refresh_from_db()
    claim.outcome.refresh_from_db()
    assert not panel[-1].is_active
    assert not claim.outcome.pattern.is_candidate


def test_an_expert_sees_judges_and_no_money_and_changes_nothing(client: Client, project: Project) -> None:
    judges.add_offline_panel(project=project)
    judge = make_asked_judge(project, "http://127.0.0.1:9/v1")
    client.force_login(make_member(project).user)

    page = client.get(reverse("judges", args=[project.slug])).content.decode()
    names = ("judge-switch", "judge-retire", "judge-bring-back", "judge-test", "judge")
    answers = [client.post(reverse(name, args=[project.slug, judge.pk])).status_code for name in names]

    assert LIMITS in page
    assert "Price" not in page
    assert reverse("judge-new", args=[project.slug, "openai_chat"]) not in page
    assert reverse("judge-receivers", args=[project.slug]) not in page
    assert set(answers) == {403}
    assert client.post(reverse("judge-receivers", args=[project.slug])).status_code == 403
    assert client.get(reverse("judge-new", args=[project.slug, "openai_chat"])).status_code == 403


def test_a_judge_of_another_project_is_not_found(client: Client, project: Project) -> None:
    stranger = make_judges(make_project(), 1)[0]

    names = ("judge-switch", "judge-retire", "judge-bring-back", "judge-test", "judge")
    answers = [client.post(reverse(name, args=[project.slug, stranger.pk])).status_code for name in names]

    assert set(answers) == {404}


def test_the_panel_is_switched_on_only_while_one_of_it_rests(client: Client, project: Project) -> None:
    judges.add_offline_panel(project=project)
    address = reverse("judges", args=[project.slug])
    complete = client.get(address).content.decode()
    judges.set_active(judge=project.judges.order_by("pk")[0], is_active=False)

    resting = client.get(address).content.decode()

    assert "Switch all five on" not in complete
    assert "Switch all five on" in resting


def test_the_measured_range_is_explained_and_leads_to_help(client: Client, project: Project) -> None:
    page = client.get(reverse("judges", args=[project.slug])).content.decode()
    explained = client.get(reverse("help")).content.decode()

    assert "few where answers repeat their source nearly word for word" in page
    assert f'href="{reverse("help")}#offline"' in page
    assert 'id="offline"' in explained
    assert "the range over seven public test sets" in explained
