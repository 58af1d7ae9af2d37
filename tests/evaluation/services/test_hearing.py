"""What came of calls is kept before it is read, and a reply that no database takes loses only itself."""

from __future__ import annotations

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatReply
from evaluation.models import Call, Job, Project, Run
from evaluation.schemas import Usage
from evaluation.services import hearing, ledger, purses
from evaluation.services.callers import Heard
from evaluation.services.ledger import Sending
from evaluation.services.purses import Emptied
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

CARD = PriceCard(input_micros=1_000_000, output_micros=1_000_000)


def sent(project: Project, n: int) -> list[Call]:
    (judge,) = factories.make_judges(project, 1, provider="openai_chat")
    run = factories.make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    jobs = [Job.objects.create(run=run, task="judge", key=str(number), judge=judge) for number in range(n)]
    written = ledger.write_sent(sending=[Sending(job, judge, "k", 1, 100) for job in jobs], drawn_on=purses.of_run(run))
    assert not isinstance(written, Emptied)
    return written


def test_replies_and_errors_of_every_kind_are_kept(project: Project) -> None:
    calls = sent(project, 4)
    outcomes = [
        ChatReply("Fine.", "m", usage=Usage(3, 4)),
        LLMError("Busy.", reason="rate_limit"),
        MemoryError(),
        KeyError("x"),
    ]
    heard = [Heard(call, outcome) for call, outcome in zip(calls, outcomes, strict=True)]

    kept = hearing.keep(heard=[(each, CARD) for each in heard], drawn_on=purses.of_run(calls[0].job.run))

    assert kept == heard
    assert list(Call.objects.values_list("state", "reason", "cost_micros")) == [
        ("answered", "", 7),
        ("failed", "rate_limit", 0),
        ("failed", "server", 100),
        ("failed", "server", 100),
    ]
    assert "MemoryError()" in Call.objects.get(pk=calls[2].pk).error
    check_books(project)


def test_a_reply_that_no_database_takes_is_an_error_and_the_others_are_kept(project: Project) -> None:
    calls = sent(project, 3)
    replies = [ChatReply(str(n), "m", usage=Usage(10**30 if n == 1 else n, 0)) for n in range(3)]
    heard = [(Heard(call, reply), CARD) for call, reply in zip(calls, replies, strict=True)]

    kept = hearing.keep(heard=heard, drawn_on=purses.of_run(calls[0].job.run))

    assert [isinstance(each.outcome, ChatReply) for each in kept] == [True, False, True]
    assert list(Call.objects.values_list("state", flat=True)) == ["answered", "failed", "answered"]
    assert "could not be stored" in Call.objects.get(pk=calls[1].pk).error
    check_books(project)
