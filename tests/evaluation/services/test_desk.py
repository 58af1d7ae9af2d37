"""The desk: whose turn it is, what waits without a slot, and what one endpoint's limits hold back."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import pytest
from pydantic import BaseModel

from evaluation.llm.conversation import Conversation
from evaluation.llm.errors import LLMError
from evaluation.llm.limits import LimitSettings
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatReply, ChatRequest, Message, TextPart
from evaluation.llm.retry import RetryPolicy
from evaluation.methods.deidentify import Masked
from evaluation.models import Job, Judge
from evaluation.schemas import ClaimKind, Subject
from evaluation.services.askings import Asking
from evaluation.services.desk import Desk, Question

SUBJECT = Subject("judge", ClaimKind.STATEMENT, "?", {})
REQUEST = ChatRequest(model="m", messages=(Message("user", (TextPart("How?"),)),), subject=SUBJECT, max_tokens=10)


class Mute:
    def complete(self, request: ChatRequest) -> ChatReply:
        raise AssertionError("a desk asks nobody")


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> Desk:
    return Desk(clock, lambda judge: LimitSettings(max_concurrency=2))


def question(judge: int = 1, *, model: str = "", card: PriceCard | None = None) -> Question:
    asking = Asking(REQUEST, BaseModel, "k", (), SUBJECT, Masked(SUBJECT, SUBJECT))
    asked = Judge(pk=judge, provider="openai_chat", model=model or f"m{judge}")
    conversation = Conversation(REQUEST, BaseModel, RetryPolicy())
    return Question(Job(pk=1), asked, asking, Mute(), conversation, card)


def test_endpoints_take_turns_within_their_own_limits(desk: Desk) -> None:
    asked = [question(1), question(1), question(1), question(2)]
    for each in asked:
        desk.put(each)

    taken = desk.due(10)

    assert taken == [asked[0], asked[3], asked[1]]
    assert (desk.n_ready, desk.next_moment()) == (1, inf)


def test_judges_of_one_model_at_one_address_share_its_limits(desk: Desk) -> None:
    for judge in (1, 2, 3):
        desk.put(question(judge, model="same"))

    assert len(desk.due(10)) == 2
    assert desk.full(1) == {1, 2, 3}


def test_no_more_are_taken_than_there_is_room_for(desk: Desk) -> None:
    for judge in range(5):
        desk.put(question(judge + 1))

    assert len(desk.due(3)) == 3
    assert desk.due(0) == []


def test_what_waits_holds_no_slot_and_goes_first_when_its_time_has_come(desk: Desk, clock: Clock) -> None:
    waiting, ready = question(), question()
    desk.put(ready)
    desk.put(question())
    (first,) = desk.due(1)
    desk.ended(first, LLMError("Later.", reason="rate_limit", retryable=True, retry_after=3.0))
    desk.wait(waiting, 3.0)

    early = desk.due(1)
    clock.now += 3.0
    late = desk.due(1)

    assert (first, late) == (ready, [waiting])
    assert early != [waiting]


def test_it_says_when_something_is_due_again(desk: Desk, clock: Clock) -> None:
    desk.wait(question(), 7.5)
    clock.now += 2.0

    assert desk.next_moment() == 5.5


def test_a_question_that_was_not_sent_after_all_is_the_next_one_again(desk: Desk) -> None:
    first, second = question(), question()
    desk.put(first)
    desk.put(second)

    (taken,) = desk.due(1)
    desk.take_back([taken])

    assert desk.due(10) == [first, second]


def test_everything_of_one_judge_can_be_taken_away(desk: Desk) -> None:
    one, other, waiting, other_waiting = question(1), question(2), question(1), question(2)
    desk.put(one)
    desk.put(other)
    desk.wait(waiting, 4.0)
    desk.wait(other_waiting, 2.0)

    taken = desk.take_all(one.judge)

    assert taken == [(one, 0.0), (waiting, 4.0)]
    assert desk.take_all() == [(other, 0.0), (other_waiting, 2.0)]
    assert desk.is_empty


def test_what_is_out_is_in_hand(desk: Desk) -> None:
    desk.out[1] = question()
    desk.put(question())
    desk.wait(question(), 1.0)

    assert (len(list(desk.jobs())), desk.is_empty) == (3, False)


def test_a_question_costs_what_its_card_says_and_a_longer_one_more() -> None:
    asked = question(card=PriceCard(input_micros=1_000_000, output_micros=0))
    before = asked.most_micros, asked.tokens
    unreadable = ChatReply(text="no", model="m")

    asked.conversation.heard(unreadable)

    assert question().most_micros == 0
    assert asked.most_micros > before[0] > 0
    assert asked.tokens > before[1]


def test_a_slot_that_becomes_free_goes_to_the_endpoint_with_the_fewest_calls_out(clock: Clock) -> None:
    desk = Desk(clock, lambda judge: LimitSettings(max_concurrency=8))
    for _ in range(20):
        desk.put(question(1))
        desk.put(question(2))
    out = desk.due(6)

    for _ in range(10):  # the first endpoint is fast: only its calls come back
        done = next(each for each in out if each.judge.pk == 1)
        out.remove(done)
        desk.ended(done, ChatReply("Yes.", "m"))
        out += desk.due(1)

    assert sorted(each.judge.pk for each in out) == [1, 1, 1, 2, 2, 2]


def test_of_equals_the_one_that_had_its_turn_longest_ago_is_next(desk: Desk) -> None:
    for _ in range(3):
        for judge in (1, 2, 3):
            desk.put(question(judge))
    turns = []
    for _ in range(6):
        (taken,) = desk.due(1)
        turns.append(taken.judge.pk)
        desk.ended(taken, ChatReply("Yes.", "m"))

    assert turns == [1, 2, 3, 1, 2, 3]


def test_of_two_judges_of_one_endpoint_the_stricter_limits_hold(clock: Clock) -> None:
    limits = {1: LimitSettings(8), 2: LimitSettings(3, requests_per_minute=2), 3: LimitSettings(5)}
    desk = Desk(clock, lambda judge: limits[judge.pk])
    for judge in (1, 2, 3, 1):
        desk.put(question(judge, model="same"))

    assert len(desk.due(10)) == 2
    clock.now += 60
    assert len(desk.due(10)) == 1


def test_what_was_not_sent_counts_neither_as_a_call_nor_as_an_answer(clock: Clock) -> None:
    desk = Desk(clock, lambda judge: LimitSettings(8, requests_per_minute=3, tokens_per_minute=1_000))
    asked = [question() for _ in range(3)]
    for each in asked:
        desk.put(each)
    limiter = desk.endpoint(asked[0].judge).limiter
    tokens = asked[0].tokens
    for _ in range(5):
        desk.take_back(desk.due(10))
    desk.forget(desk.due(1))

    assert limiter.n_out == 0
    assert desk.due(10) == asked[1:]
    assert limiter.next_moment(clock.now, 1_000 - 2 * tokens) == clock.now
    assert limiter.next_moment(clock.now, 1_001 - 2 * tokens) > clock.now


def test_an_error_that_nobody_expected_is_no_answer(clock: Clock) -> None:
    desk = Desk(clock, lambda judge: LimitSettings(max_concurrency=4))
    for _ in range(8):
        desk.put(question())
    limiter = desk.endpoint(Judge(pk=1, provider="openai_chat", model="m1")).limiter
    busy = LLMError("Busy.", reason="rate_limit", retryable=True, retry_after=9.0)
    for each in desk.due(1):
        desk.ended(each, busy)
    clock.now += 10
    for _ in range(6):
        for each in desk.due(1):
            desk.ended(each, RuntimeError("boom"))

    assert limiter.n_allowed == 2


def test_what_is_given_back_while_a_server_wants_to_be_left_alone_waits_as_long(desk: Desk, clock: Clock) -> None:
    first, second = question(), question()
    desk.put(first)
    desk.put(second)
    for each in desk.due(1):
        desk.ended(each, LLMError("Busy.", reason="rate_limit", retryable=True, retry_after=40.0))
    clock.now += 10

    assert desk.take_all() == [(second, 30.0)]
