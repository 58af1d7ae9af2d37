"""Calls are committed before they are sent: as many as can be paid for, and none for a job that another worker has."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pydantic import BaseModel

from evaluation.llm.conversation import Conversation
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatReply, ChatRequest, Message, TextPart
from evaluation.llm.retry import RetryPolicy
from evaluation.methods.deidentify import Masked
from evaluation.models import Call, Job, Project, Purse, Run
from evaluation.schemas import ClaimKind, Subject
from evaluation.services import jobs, purses, sending
from evaluation.services.askings import Asking
from evaluation.services.desk import Question
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

SUBJECT = Subject("judge", ClaimKind.STATEMENT, "?", {})
REQUEST = ChatRequest(model="m", messages=(Message("user", (TextPart("How?"),)),), subject=SUBJECT, max_tokens=100)
CARD = PriceCard(input_micros=0, output_micros=1_000_000)
MOST = 100  # what one question can cost


class Mute:
    def complete(self, request: ChatRequest) -> ChatReply:
        raise AssertionError("nobody is asked here")


@pytest.fixture
def run(project: Project) -> Run:
    (judge,) = factories.make_judges(project, 1, provider="openai_chat")
    run = factories.make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    for number in range(5):
        Job.objects.create(run=run, task="judge", key=str(number), judge=judge)
    return run


def questions(run: Run) -> list[Question]:
    asking = Asking(REQUEST, BaseModel, "k", (), SUBJECT, Masked(SUBJECT, SUBJECT))
    return [
        Question(job, jobs.judge_of(job), asking, Mute(), Conversation(REQUEST, BaseModel, RetryPolicy()), CARD)
        for job in jobs.lease(run, 10)
    ]


@pytest.mark.parametrize(("cap", "n_sent"), [(None, 5), (5 * MOST, 5), (5 * MOST - 1, 4), (2 * MOST, 2), (MOST - 1, 0)])
def test_as_many_go_as_can_be_paid_for_the_first_ones_first(run: Run, cap: int | None, n_sent: int) -> None:
    purses.set_cap(project=run.project, key=purses.PROJECT, cap_micros=cap)
    due = questions(run)

    written = sending.write(due=due, drawn_on=purses.of_run(run))

    assert [question for question, _ in written.calls] == due[:n_sent]
    assert [call.job for _, call in written.calls] == [question.job for question in due[:n_sent]]
    assert (written.unpaid, written.emptied is None) == (due[n_sent:], n_sent == 5)
    assert Call.objects.filter(state="sent").count() == n_sent
    check_books(run.project)


@pytest.mark.parametrize(("cap", "is_for_good"), [(2 * MOST, False), (MOST, False), (MOST - 1, True)])
def test_money_that_another_worker_holds_is_short_for_good_only_if_the_next_call_alone_is_too_dear(
    run: Run, cap: int, is_for_good: bool
) -> None:
    purses.set_cap(project=run.project, key=purses.PROJECT, cap_micros=cap)
    drawn_on = purses.of_run(run)
    purses.reserve(purses=drawn_on, micros=cap)

    emptied = sending.write(due=questions(run), drawn_on=drawn_on).emptied

    assert emptied is not None
    assert (emptied.wanted_micros, emptied.is_for_good) == (MOST, is_for_good)


def test_a_cap_is_found_out_in_few_steps_however_many_are_due(run: Run, django_assert_max_num_queries: object) -> None:
    purses.set_cap(project=run.project, key=purses.PROJECT, cap_micros=MOST)
    due, drawn_on = questions(run), purses.of_run(run)

    with django_assert_max_num_queries(20):  # type: ignore[operator]
        written = sending.write(due=due, drawn_on=drawn_on)

    assert len(written.calls) == 1


def test_a_worker_that_lost_a_job_asks_nothing_about_it_any_more(run: Run) -> None:
    due = questions(run)
    Job.objects.filter(pk=due[1].job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.lease(run, 1)

    written = sending.write(due=due, drawn_on=purses.of_run(run))

    assert written.lost == [due[1]]
    assert [question for question, _ in written.calls] == [due[0], *due[2:]]
    assert not Call.objects.filter(job=due[1].job).exists()


def test_what_a_server_wants_left_alone_is_given_back_for_later(run: Run) -> None:
    first, second, third, *_ = questions(run)

    sending.give_back([(first.job, 0.0), (second.job, 29.3), (third.job, 29.9)])

    waiting = Job.objects.filter(state="waiting").order_by("pk")
    assert [job.not_before is None for job in waiting] == [True, False, False]
    assert all(29 < (job.not_before - timezone.now()).total_seconds() <= 30 for job in waiting if job.not_before)
    assert Purse.objects.count() == 0
