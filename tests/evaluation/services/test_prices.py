"""Which price holds for a judge on a day, what comes along, and what an owner may enter."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from evaluation.errors import InvalidInputError
from evaluation.llm.pricing import FREE
from evaluation.models import Judge, ModelPrice, Project
from evaluation.services import prices
from evaluation.services.prices import NewPrice
from tests.factories import make_asked_judge

pytestmark = pytest.mark.django_db

TODAY = date(2026, 12, 1)
NEW = NewPrice(
    provider="openai_chat",
    model="m",
    valid_from=TODAY,
    input_micros=1_000_000,
    output_micros=2_000_000,
)


@pytest.fixture(autouse=True)
def _only_own_rows(db: None) -> None:
    ModelPrice.objects.all().delete()


def judge_of(project: Project, base_url: str = "", **fields: str) -> Judge:
    return make_asked_judge(project, base_url, **fields)


def input_price(judge: Judge, on: date = TODAY) -> int | None:
    card = prices.card(judge, on)
    return None if card is None else card.input_micros


def test_it_finds_the_price_of_a_model(project: Project) -> None:
    prices.set_price(new=NEW)

    assert input_price(judge_of(project)) == 1_000_000


def test_the_dearer_price_of_long_prompts_comes_along() -> None:
    prices.seed()

    card = prices.card_of(ModelPrice.objects.get(model="gpt-5.4"))

    assert (card.long_above, card.long_input_percent, card.long_output_percent) == (272_000, 200, 150)


def test_a_model_without_a_row_has_no_price(project: Project) -> None:
    prices.set_price(new=replace(NEW, model="m-mini"))

    assert prices.card(judge_of(project), TODAY) is None


def test_judges_that_ask_nobody_cost_nothing(project: Project) -> None:
    offline = Judge(project=project, name="Words", provider=Judge.OFFLINE, model="words")
    recorded = Judge(project=project, name="A", provider=Judge.RECORDED, model="recorded")

    assert prices.card(offline) == prices.card(recorded) == FREE


def test_the_newest_row_that_holds_on_the_day_counts(project: Project) -> None:
    for days, micros in ((-30, 1), (-10, 2), (1, 3)):
        prices.set_price(new=replace(NEW, valid_from=TODAY + timedelta(days), input_micros=micros))
    judge = judge_of(project)

    found = [input_price(judge, TODAY + timedelta(days)) for days in (-31, -30, -10, 0, 1)]

    assert found == [None, 1, 2, 2, 3]


def test_a_prefix_fits_only_with_a_star_and_the_longest_wins(project: Project) -> None:
    for model, micros in (("gpt-x", 1), ("gpt-x-*", 2), ("gpt-x-mini*", 3), ("gpt-x-mini-2026", 4)):
        prices.set_price(new=replace(NEW, model=model, input_micros=micros))
    models = ("gpt-x", "gpt-x-large", "gpt-x-mini-2025", "gpt-x-mini-2026", "gpt-xy")

    found = [input_price(judge_of(project, model=model)) for model in models]

    assert found == [1, 2, 3, 4, None]


def test_an_exact_name_beats_a_newer_prefix(project: Project) -> None:
    prices.set_price(new=replace(NEW, model="m", input_micros=1, valid_from=TODAY - timedelta(9)))
    prices.set_price(new=replace(NEW, model="m*", input_micros=2))

    assert input_price(judge_of(project)) == 1


def test_a_server_of_ones_own_needs_a_row_with_its_host(project: Project) -> None:
    prices.set_price(new=NEW)
    judge = judge_of(project, "http://127.0.0.1:8123/v1")

    before = prices.card(judge, TODAY)
    prices.set_price(new=replace(NEW, host="127.0.0.1:8123", model="*", input_micros=0, output_micros=0))

    assert before is None
    assert input_price(judge) == 0


def test_a_host_without_port_holds_for_every_port_but_one_with_port_comes_first(project: Project) -> None:
    prices.set_price(new=replace(NEW, host="gpu.example", model="*", input_micros=1))
    prices.set_price(new=replace(NEW, host="gpu.example:9000", model="*", input_micros=2))

    found = [input_price(judge_of(project, f"http://gpu.example:{port}/v1")) for port in (8000, 9000)]

    assert found == [1, 2]


def test_the_providers_own_address_written_out_is_its_own(project: Project) -> None:
    prices.set_price(new=replace(NEW, host="api.openai.com"))

    assert input_price(judge_of(project, "https://api.openai.com/v1")) == 1_000_000
    assert ModelPrice.objects.get().host == ""


def test_another_provider_does_not_share_a_price(project: Project) -> None:
    prices.set_price(new=NEW)

    assert prices.card(judge_of(project, provider="anthropic_messages"), TODAY) is None


def test_both_protocols_of_one_provider_share_their_prices(project: Project) -> None:
    prices.set_price(new=NEW)

    assert input_price(judge_of(project, provider="openai_responses")) == 1_000_000


def test_prices_of_many_judges_take_one_query(project: Project, django_assert_num_queries) -> None:
    prices.set_price(new=NEW)
    judges = [judge_of(project), judge_of(project, model="n"), judge_of(project, "http://x.example")]

    with django_assert_num_queries(1):
        found = prices.cards(judges, TODAY)

    assert [found[judge.pk] is None for judge in judges] == [False, True, True]


def test_a_second_price_of_a_day_corrects_the_first() -> None:
    prices.set_price(new=NEW)
    prices.set_price(new=replace(NEW, input_micros=5))

    assert ModelPrice.objects.get().input_micros == 5


@pytest.mark.parametrize(
    ("parameters", "known"),
    [
        ({"service_tier": "priority"}, False),
        ({"service_tier": "scale"}, False),
        ({"speed": "fast"}, False),
        ({"service_tier": "flex", "speed": "standard"}, True),
        ({"service_tier": "auto", "temperature": 0.5}, True),
        ({"service_tier": "standard_only"}, True),
    ],
)
def test_no_row_holds_for_a_judge_that_asks_for_a_dearer_tier(
    project: Project, parameters: dict[str, str | float], known: bool
) -> None:
    prices.set_price(new=NEW)
    judge = judge_of(project)
    judge.parameters = parameters
    judge.save()

    assert (prices.card(judge, TODAY) is not None) is known


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"provider": "nobody"}, "no provider"),
        ({"provider": "offline"}, "costs nothing"),
        ({"model": " "}, "model"),
        ({"model": "m\x00"}, "Null"),
        ({"host": "https://gpu.example/v1"}, "no host"),
        ({"batch_percent": 101}, "at most 100"),
        ({"long_above": 10, "long_output_percent": 99}, "at least 100"),
        ({"input_micros": -1}, "input_micros"),
        ({"source": "x" * 301}, "source"),
    ],
)
def test_a_price_that_makes_no_sense_is_refused(changes: dict[str, object], named: str) -> None:
    with pytest.raises(InvalidInputError, match=named):
        prices.set_price(new=replace(NEW, **changes))

    assert not ModelPrice.objects.exists()


def test_the_defaults_come_once_and_leave_what_was_entered() -> None:
    first = prices.seed()
    ModelPrice.objects.filter(model="gpt-4.1-mini").update(input_micros=7)

    second = prices.seed()

    assert first == ModelPrice.objects.count() > 20
    assert second == 0
    assert ModelPrice.objects.get(model="gpt-4.1-mini").input_micros == 7


def test_every_default_says_where_it_stands_and_costs_something() -> None:
    prices.seed()

    rows = list(ModelPrice.objects.all())

    assert all(", as of 20" in row.source for row in rows)
    assert all(0 < (row.cached_micros or 0) < row.input_micros < row.output_micros for row in rows)
    assert all(row.valid_from <= timezone.now().date() for row in rows)
