"""What a call costs, and that it never costs more than what was reserved for it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.pricing import FREE, PriceCard, most_tokens
from evaluation.llm.protocol import ImagePart, Message, TextPart
from evaluation.schemas import Usage
from tests.evaluation.llm.builders import SCHEMA, chat_request

HAIKU = PriceCard(1_000_000, 5_000_000, cached_micros=100_000, written_micros=1_250_000, batch_percent=50)

micros = st.integers(0, 200_000_000)
rates = st.none() | micros
percents = st.integers(100, 400)
cards = st.builds(
    PriceCard, micros, micros, rates, rates, st.integers(0, 100), st.none() | st.integers(0, 2_000), percents, percents
)
flat_cards = st.builds(PriceCard, micros, micros, rates, rates, st.integers(0, 100))
tokens = st.integers(0, 2_000_000)
usages = st.builds(Usage, tokens, tokens, tokens, tokens)


def test_it_adds_up_input_and_output() -> None:
    assert HAIKU.cost(Usage(input_tokens=2_000, output_tokens=300)) == 2_000 + 1_500


def test_cached_and_written_input_have_their_own_rates() -> None:
    usage = Usage(input_tokens=1_000, output_tokens=0, cached_tokens=600, written_tokens=100)

    assert HAIKU.cost(usage) == 300 + 60 + 125


def test_without_a_rate_of_their_own_they_cost_like_other_input() -> None:
    card = PriceCard(1_000_000, 0)

    assert card.cost(Usage(input_tokens=1_000, cached_tokens=600, written_tokens=300)) == 1_000


def test_a_part_of_a_micro_dollar_counts_as_one() -> None:
    assert PriceCard(150_000, 600_000).cost(Usage(input_tokens=1)) == 1


LONG = PriceCard(
    2_500_000, 15_000_000, cached_micros=250_000, long_above=272_000, long_input_percent=200, long_output_percent=150
)


def test_a_long_prompt_costs_more_and_its_reply_too() -> None:
    assert LONG.cost(Usage(272_000, 1_000)) == 680_000 + 15_000
    assert LONG.cost(Usage(300_000, 1_000, cached_tokens=100_000)) == 2 * (500_000 + 25_000) + 22_500


def test_many_calls_of_which_none_is_long_cost_what_short_ones_do() -> None:
    assert LONG.cost(Usage(2_720_000, 0), n_calls=10) == 6_800_000


def test_a_prompt_that_may_be_long_is_reserved_at_the_price_of_long_ones() -> None:
    long = chat_request(messages=(Message("user", (TextPart("x" * 272_000),)),), max_tokens=1_000)

    assert LONG.most(long) == most_tokens(long) * 5 + 22_500


def test_a_batch_costs_its_share() -> None:
    usage = Usage(input_tokens=2_000, output_tokens=300)

    assert HAIKU.cost(usage, in_batch=True) == 1_750


def test_nothing_is_free_of_charge_only_where_the_card_says_so() -> None:
    assert FREE.cost(Usage(10**9, 10**9)) == FREE.most(chat_request()) == 0


@given(flat_cards, usages, st.booleans())
def test_cost_is_never_negative_and_never_above_all_tokens_at_the_dearest_rate(
    card: PriceCard, usage: Usage, in_batch: bool
) -> None:
    dearest = max(card.input_micros, card.cached_micros or 0, card.written_micros or 0)

    cost = card.cost(usage, in_batch=in_batch)

    assert 0 <= cost <= (usage.input_tokens * dearest + usage.output_tokens * card.output_micros) // 1_000_000 + 1


@given(flat_cards, usages, usages, st.booleans())
def test_two_calls_cost_at_most_a_micro_dollar_more_than_their_sum(
    card: PriceCard, one: Usage, two: Usage, in_batch: bool
) -> None:
    plain = [Usage(usage.input_tokens, usage.output_tokens) for usage in (one, two)]
    both = Usage(one.input_tokens + two.input_tokens, one.output_tokens + two.output_tokens)

    parts = sum(card.cost(usage, in_batch=in_batch) for usage in plain)

    assert 0 <= parts - card.cost(both, in_batch=in_batch) <= 1


@given(cards, st.text(max_size=300), st.data(), st.booleans())
def test_no_usage_within_the_bounds_costs_more_than_what_is_reserved(
    card: PriceCard, text: str, data: st.DataObject, in_batch: bool
) -> None:
    request = chat_request(messages=(Message("user", (TextPart(text),)),), max_tokens=500)
    n_input = data.draw(st.integers(0, most_tokens(request)))
    usage = Usage(n_input, data.draw(st.integers(0, 500)), data.draw(tokens), data.draw(tokens))

    assert card.cost(usage, in_batch=in_batch) <= card.most(request, in_batch=in_batch)


@given(st.lists(st.text(max_size=100), max_size=5))
def test_every_byte_that_is_sent_is_counted(texts: list[str]) -> None:
    messages = tuple(Message("user", (TextPart(text),)) for text in texts)

    counted = most_tokens(chat_request(messages=messages))

    assert counted >= len("".join(texts).encode()) + len(json.dumps(SCHEMA))


def test_a_schema_in_a_foreign_script_is_counted_in_its_longest_form() -> None:
    schema = {"type": "object", "properties": {"色" * 50: {"type": "string"}}}
    forms = [json.dumps(schema, indent=indent, ensure_ascii=is_ascii) for indent in (None, 2) for is_ascii in (0, 1)]

    counted = most_tokens(chat_request(schema=schema, messages=()))

    assert counted > max(len(form.encode()) for form in forms)


def test_half_a_surrogate_pair_does_not_stop_the_count() -> None:
    request = chat_request(messages=(Message("user", (TextPart("\ud83d"),)),))

    assert most_tokens(request) > 3


def test_an_image_is_counted_by_the_dearest_known_rule() -> None:
    image = chat_request(messages=(Message("user", (ImagePart("aGk=", "image/png"),)),))

    assert most_tokens(image) - most_tokens(chat_request(messages=(Message("user", ()),))) >= 48_169


@pytest.mark.parametrize("name", ["cached_micros", "written_micros"])
def test_what_is_reserved_follows_the_dearest_kind_of_input(name: str) -> None:
    plain, dear = PriceCard(1_000_000, 0), PriceCard(1_000_000, 0, **{name: 3_000_000})

    assert dear.most(chat_request()) == 3 * plain.most(chat_request())
