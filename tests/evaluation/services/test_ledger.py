"""The ledger: a row before a request goes out, another state before its reply is read, and every dollar accounted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluation.llm.errors import LLMError
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatReply
from evaluation.models import Call, Job, Judge, Project, Purse, Run
from evaluation.schemas import Usage
from evaluation.services import ledger, purses
from evaluation.services.ledger import Came, Sending
from evaluation.services.purses import Emptied
from tests import factories

pytestmark = pytest.mark.django_db

KEY = "k" * 64
MINUTE = timedelta(minutes=1)
CARD = PriceCard(input_micros=1_000_000, output_micros=10_000_000)
REPLY = ChatReply(text="Hello\x00 you.", model="m-2026", usage=Usage(7, 3), latency=0.5)


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_judges(project, 1, provider="openai_chat")[0]


@pytest.fixture
def job(project: Project, judge: Judge) -> Job:
    run = factories.make_run(project, kind=Run.Kind.PANEL)
    return Job.objects.create(run=run, task="judge", key="j", judge=judge, attempt=1)


@pytest.fixture
def drawn_on(job: Job) -> list[Purse]:
    return purses.of_run(job.run)


def sent(job: Job, drawn_on: list[Purse], *, most: int = 100, key: str = KEY) -> Call:
    assert job.judge is not None
    attempt = job.calls.count() + 1
    written = ledger.write_sent(sending=[Sending(job, job.judge, key, attempt, most)], drawn_on=drawn_on)
    assert not isinstance(written, Emptied)
    return written[0]


def money(drawn_on: list[Purse]) -> set[tuple[int, int]]:
    rows = Purse.objects.filter(pk__in=[purse.pk for purse in drawn_on])
    return set(rows.values_list("reserved_micros", "spent_micros"))


def test_a_row_is_kept_before_its_request_goes_out_and_its_reply_before_it_is_read(
    job: Job, drawn_on: list[Purse]
) -> None:
    call = sent(job, drawn_on)
    before = (Call.objects.values_list("state", "attempt", "reserved_micros").get(), money(drawn_on))

    ledger.keep(came=[Came(call, REPLY, CARD)], drawn_on=drawn_on)

    kept = Call.objects.get()
    assert before == (("sent", 1, 100), {(100, 0)})
    assert (kept.state, kept.raw_reply, kept.model) == ("answered", "Hello\ufffd you.", "m-2026")
    assert (kept.input_tokens, kept.output_tokens, kept.latency, kept.cost_micros) == (7, 3, 0.5, 37)
    assert (kept.is_usable, kept.is_cost_certain) == (False, True)
    assert money(drawn_on) == {(0, 37)}


def test_nothing_is_written_where_a_purse_has_no_room(job: Job, drawn_on: list[Purse]) -> None:
    Purse.objects.filter(key=purses.PROJECT).update(cap_micros=99)
    assert job.judge is not None

    refused = ledger.write_sent(sending=[Sending(job, job.judge, KEY, 1, 100)], drawn_on=drawn_on)

    assert isinstance(refused, Emptied)
    assert refused.purse.key == purses.PROJECT
    assert not Call.objects.exists()
    assert money(drawn_on) == {(0, 0)}


@pytest.mark.parametrize(("may_be_billed", "cost"), [(False, 0), (True, 100)])
def test_a_call_that_brought_nothing_keeps_its_reason_and_what_it_may_have_cost(
    job: Job, drawn_on: list[Purse], may_be_billed: bool, cost: int
) -> None:
    call = sent(job, drawn_on)
    error = LLMError("It broke off.", reason="server", may_be_billed=may_be_billed)

    ledger.keep(came=[Came(call, error, CARD)], drawn_on=drawn_on)

    kept = Call.objects.get()
    assert (kept.state, kept.reason, kept.error) == ("failed", "server", "It broke off.")
    assert (kept.cost_micros, kept.is_cost_certain) == (cost, not may_be_billed)
    assert money(drawn_on) == {(0, cost)}


def test_a_call_without_a_known_price_has_no_cost(job: Job, drawn_on: list[Purse]) -> None:
    call = sent(job, drawn_on, most=0)

    ledger.keep(came=[Came(call, REPLY, None)], drawn_on=drawn_on)

    assert Call.objects.get().cost_micros is None
    assert money(drawn_on) == {(0, 0)}


def test_a_job_leased_for_the_first_time_has_nothing_to_recall(job: Job, drawn_on: list[Purse]) -> None:
    sent(job, drawn_on)

    assert ledger.recall(questions=[(job, KEY)], drawn_on=drawn_on) == {}
    assert Call.objects.get().state == "sent"


def test_only_replies_to_the_same_question_are_recalled_and_lost_calls_count_at_their_most(
    job: Job, drawn_on: list[Purse]
) -> None:
    for key, text in ((KEY, "One."), ("o" * 64, "Other."), (KEY, "Two.")):
        reply = ChatReply(text=text, model="m", usage=Usage(1, 0))
        ledger.keep(came=[Came(sent(job, drawn_on, key=key), reply, CARD)], drawn_on=drawn_on)
    sent(job, drawn_on)
    job.attempt = 2

    recalled = ledger.recall(questions=[(job, KEY)], drawn_on=drawn_on)[job.pk]

    assert [reply.text for _, reply in recalled.replies] == ["One.", "Two."]
    assert (recalled.n_calls, recalled.n_unconfirmed, recalled.is_given_up) == (3, 1, False)
    lost = Call.objects.get(state="unconfirmed")
    assert (lost.cost_micros, lost.is_cost_certain) == (100, False)
    assert money(drawn_on) == {(0, 103)}


def test_a_question_is_given_up_after_ten_crashes(job: Job, drawn_on: list[Purse]) -> None:
    job.attempt = 2
    for _ in range(ledger.MAX_UNCONFIRMED):
        sent(job, drawn_on)
        recalled = ledger.recall(questions=[(job, KEY)], drawn_on=drawn_on)[job.pk]

    assert recalled.is_given_up
    assert set(Call.objects.values_list("state", flat=True)) == {"unconfirmed"}


def test_a_reply_that_comes_after_all_corrects_what_was_counted(job: Job, drawn_on: list[Purse]) -> None:
    late = sent(job, drawn_on)
    job.attempt = 2
    ledger.recall(questions=[(job, KEY)], drawn_on=drawn_on)

    ledger.keep(came=[Came(late, REPLY, CARD)], drawn_on=drawn_on)

    assert Call.objects.values_list("state", "cost_micros", "is_cost_certain").get() == ("answered", 37, True)
    assert money(drawn_on) == {(0, 37)}


def test_only_usable_answers_of_the_project_are_known(job: Job, drawn_on: list[Purse]) -> None:
    call = sent(job, drawn_on)
    ledger.keep(came=[Came(call, REPLY, CARD)], drawn_on=drawn_on)
    unread = ledger.known_answers(project_id=job.run.project_id, cache_keys={KEY})

    ledger.mark_usable(calls=[call.pk], repaired=[call.pk])

    assert unread == {}
    assert ledger.known_answers(project_id=job.run.project_id, cache_keys={KEY}) == {(call.judge_id, KEY): call}
    assert ledger.known_answers(project_id=job.run.project_id + 1, cache_keys={KEY}) == {}


def test_an_answer_that_is_used_again_costs_nothing_and_names_its_source(job: Job, drawn_on: list[Purse]) -> None:
    call = sent(job, drawn_on)
    ledger.keep(came=[Came(call, REPLY, CARD)], drawn_on=drawn_on)
    call.refresh_from_db()

    (again,) = ledger.reuse(known=[(job, call)])
    (third,) = ledger.reuse(known=[(job, again)])

    assert (again.source, third.source) == (call, call)
    assert (again.cost_micros, again.latency, again.input_tokens, again.is_usable) == (0, 0.0, 0, True)
    assert ledger.reply_of(again).text == ledger.reply_of(call).text
    assert money(drawn_on) == {(0, 37)}


def test_calls_that_nobody_waits_for_are_given_up_and_those_at_work_are_not(job: Job, drawn_on: list[Purse]) -> None:
    assert job.judge is not None
    now = timezone.now()
    states = [
        ("done", None),
        ("cancelled", None),
        ("waiting", None),
        ("leased", now - MINUTE),
        ("leased", now + MINUTE),
    ]
    for state, until in states:
        held = Job.objects.create(
            run=job.run, task="judge", key=f"{state} {until}", judge=job.judge, state=state, lease_until=until
        )
        sent(held, drawn_on, most=10)

    n_lost = ledger.give_up_lost(run=job.run)

    assert (n_lost, ledger.give_up_all_lost(project=job.run.project)) == (4, 0)
    assert Call.objects.get(state="sent").job.lease_until == now + MINUTE
    assert money(drawn_on) == {(10, 40)}


def test_replies_are_kept_in_one_order_so_that_no_two_workers_block_each_other(job: Job, drawn_on: list[Purse]) -> None:
    first, second = sent(job, drawn_on), sent(job, drawn_on)

    with CaptureQueriesContext(connection) as queries:
        ledger.keep(came=[Came(second, REPLY, CARD), Came(first, REPLY, CARD)], drawn_on=drawn_on)

    updates = [each["sql"] for each in queries if each["sql"].startswith('UPDATE "evaluation_call"')]
    assert [f'"id" = {call.pk}' in update for call, update in zip([first, second], updates, strict=True)] == [True] * 2
