"""The page of prices: what judges cost today, entering a price, and a server that costs nothing."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import ModelPrice, Project
from evaluation.services import prices
from tests.factories import make_asked_judge, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

TYPED = {
    "provider": "openai_chat",
    "host": "",
    "model": "new-model",
    "valid_from": "2026-11-30",
    "input_price": "0.4",
    "output_price": "1.60",
    "cached_price": "",
    "written_price": "",
    "batch_percent": "50",
    "source": "the price list",
}


@pytest.fixture
def project(owner: User) -> Project:
    return make_project(owner=owner)


@pytest.fixture
def address(project: Project) -> str:
    return reverse("prices", args=[project.slug])


def test_it_lists_what_comes_along_with_date_and_source(client: Client, address: str) -> None:
    page = client.get(address).content.decode()

    assert '<th scope="row">gpt-4.1-mini</th>' in page
    assert "openai.com/index/gpt-4-1, as of 2025-04-14" in page
    assert "No judge of this project is asked over the network." in page


def test_each_judge_is_shown_with_the_row_that_holds_for_it(client: Client, project: Project, address: str) -> None:
    make_asked_judge(project, "", model="gpt-4.1-mini-2025-04-14")
    strange = make_asked_judge(project, "http://gpu.example:8000/v1", model="own-7b")

    page = client.get(address).content.decode()

    assert "gpt-4.1-mini-2025-04-14, 14 Apr 2025" in page
    assert f'href="?judge={strange.pk}#enter"' in page
    assert "It costs nothing" in page


def test_an_owner_adds_a_price_from_a_day_on(client: Client, project: Project, address: str) -> None:
    answer = client.post(reverse("price-add", args=[project.slug]), TYPED, follow=True)

    row = ModelPrice.objects.get(model="new-model")
    assert (row.input_micros, row.output_micros, row.cached_micros) == (400_000, 1_600_000, None)
    assert row.source == "the price list, entered by Tom"
    assert answer.redirect_chain[-1][0] == address
    assert "holds from 30 Nov 2026" in answer.content.decode()


def test_the_link_of_a_judge_fills_the_form(client: Client, project: Project, address: str) -> None:
    judge = make_asked_judge(project, "http://gpu.example:8000/v1", model="own-7b")

    page = client.get(f"{address}?judge={judge.pk}").content.decode()

    assert 'name="host" value="gpu.example:8000"' in page
    assert 'name="model" value="own-7b"' in page


def test_one_click_says_that_a_server_of_ones_own_costs_nothing(client: Client, project: Project, address: str) -> None:
    judge = make_asked_judge(project, "http://gpu.example:8000/v1", model="own-7b")
    form = re.search(r'<form method="post"[^>]*>(.*?)It costs nothing', client.get(address).content.decode(), re.DOTALL)
    assert form is not None
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))

    client.post(reverse("price-add", args=[project.slug]), sent)

    card = prices.card(judge)
    assert card is not None
    assert (card.input_micros, card.output_micros) == (0, 0)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"input_price": "-1"}, "greater than or equal to 0"),
        ({"model": ""}, "required"),
        ({"valid_from": "soon"}, "valid date"),
        ({"provider": "offline"}, "Select a valid choice"),
        ({"host": "https://gpu.example/v1"}, "is no host"),
        ({"batch_percent": "101"}, "less than or equal to 100"),
        ({"model": "m\x00"}, "Null characters"),
    ],
)
def test_what_makes_no_sense_is_refused_and_stays_typed(
    client: Client, project: Project, changes: dict[str, str], said: str
) -> None:
    answer = client.post(reverse("price-add", args=[project.slug]), {**TYPED, **changes})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert 'value="the price list"' in answer.content.decode()


def test_a_price_to_come_and_one_that_is_past_are_marked(client: Client, address: str) -> None:
    today = timezone.now().date()
    for days in (-9, -1, 9):
        ModelPrice.objects.create(
            provider="openai_chat", model="m", valid_from=today + timedelta(days), input_micros=1, output_micros=1
        )

    page = client.get(address).content.decode()

    assert page.count('<span class="chip">past</span>') == 1
    assert page.count('<span class="chip warn">later</span>') == 1


@pytest.mark.parametrize("query", ["?judge=x", "?judge=99999", "?judge="])
def test_a_judge_that_is_not_there_leaves_the_form_empty(client: Client, address: str, query: str) -> None:
    assert client.get(address + query).status_code == 200


def test_queries_do_not_grow_with_judges(
    client: Client, project: Project, address: str, django_assert_num_queries
) -> None:
    for _ in range(4):
        make_asked_judge(project, "")

    with django_assert_num_queries(7):
        client.get(address)
