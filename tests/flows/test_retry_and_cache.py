"""One question through a time-out, a killed worker, a second run, another token limit and a new rule: pc14."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.db.models import Q, Sum
from django.utils import timezone

from evaluation.llm.local_server.script import Step, Tokens
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.retry import RetryPolicy
from evaluation.models import Call, Claim, Job, Judge, ModelPrice, Project, RubricEntry, Run, Verdict
from evaluation.selectors.ledger import Figures, judge_figures, ledger
from evaluation.services import askings, judge_changes, judges, panel, panel_worker, preparing, prices, purses, rubric
from evaluation.services import jobs as leases
from evaluation.services import ledger as books
from evaluation.services.jobs import Wanted
from evaluation.services.judges import NewJudge
from evaluation.services.ledger import Came, Sending
from evaluation.services.panel import RunOptions
from evaluation.services.purses import Emptied
from evaluation.services.rubric_support import EntryText
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

BILLED = Tokens(1_000, 0)
ANSWER = Step(tokens=BILLED)
CUT_OFF = Step(finish="length", tokens=BILLED)
LATE = Step(tokens=BILLED, delay=1.5)
Vote = tuple[str, str, str, int | None]


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture
def price(shared: Path) -> int:
    """What a call costs in the case, in micro-dollars."""
    listed = json.loads((shared / "cases" / "peer_cases.json").read_text(encoding="utf-8"))
    (case,) = (each for each in listed if each["id"] == "pc14-retry-and-cache")
    assert len(case["input"]["steps"]) == 5
    dollars: float = case["input"]["price_per_call_usd"]
    return round(dollars * 1_000_000)


@pytest.fixture
def wanted(server: LocalServer) -> NewJudge:
    parameters = {"max_tokens": 800, "timeout": 1}
    return NewJudge("Far", "openai_chat", "m", base_url=server.openai_url, parameters=parameters, may_see_text=True)


@pytest.fixture
def judge(project: Project, wanted: NewJudge, price: int) -> Judge:
    """A judge whose every reply costs the price of the case; the rubric is in its third version."""
    ModelPrice.objects.create(
        provider="openai_chat",
        host="127.0.0.1",
        model="m",
        valid_from=timezone.now().date(),
        input_micros=price * 1_000,
        output_micros=0,
    )
    RubricEntry.objects.create(project=project, kind="statement", criterion="Brass is no gold.", status="active")
    project.rubric_version = 3
    project.save(update_fields=["rubric_version"])
    return judges.add(project=project, new=wanted)


@pytest.fixture
def claims(project: Project) -> list[Claim]:
    return [factories.make_claim(project) for _ in range(4)]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits of hundredths of a second where a server names none."""
    monkeypatch.setattr(preparing, "RetryPolicy", partial(RetryPolicy, first_wait=0.01))


def die_at_work(run: Run, claims: Sequence[Claim]) -> None:
    """A worker takes these claims, asks about the first two, keeps one reply, and is killed before it reads it."""
    taken = leases.lease(run, len(claims), Wanted(only=Q(claims__in=claims)))
    drawn_on = purses.of_run(run)
    for job in taken[:2]:
        judge, asking = leases.judge_of(job), askings.prepare(job)
        card = prices.card(judge)
        assert card is not None
        sending = Sending(job, judge, asking.cache_key, 1, card.most(asking.request))
        written = books.write_sent(sending=[sending], drawn_on=drawn_on)
        assert not isinstance(written, Emptied)
        reply = judges.model_for(judge).complete(asking.request)
        if job == taken[0]:
            books.keep(came=[Came(written[0], reply, card)], drawn_on=drawn_on)


def start(project: Project) -> Run:
    run = panel.open_run(project=project, by=None, options=RunOptions(again=True))
    return panel_worker.drive(run_id=run.pk, concurrency=1)


def votes(run: Run) -> list[Vote]:
    """State, label, rationale and version of the rubric, one vote a claim."""
    rows = Verdict.objects.filter(run=run).order_by("claim")
    assert len(rows) == len({row.claim_id for row in rows}) == 4
    return [(row.state, row.label, row.rationale, row.rubric_version) for row in rows]


def told(claim: Claim, run: Run) -> list[tuple[str, str]]:
    """What became of each call about a claim, and how its reply ended or why there is none."""
    calls = Call.objects.filter(job__run=run, job__claims=claim).order_by("pk")
    return [(call.state, call.reason or call.finish_reason) for call in calls]


def sent_and_reused(run: Run) -> tuple[int, int, int]:
    """How many calls of a run were sent, how many were answered from the ledger, and what they cost for certain."""
    figures = sum(judge_figures(run=run).values(), Figures())
    return figures.n_sent, figures.n_reused, figures.cost_micros


def check_what_was_used_again(run: Run, first: list[Vote], price: int) -> None:
    """Three full votes from the ledger, in no total; the fourth question, never answered in full, was asked again."""
    assert votes(run)[:3] == first[:3]
    assert sent_and_reused(run) == (1, 3, price)
    reused = Call.objects.filter(job__run=run).exclude(source=None)
    assert reused.aggregate(Sum("cost_micros"), Sum("latency"), Sum("input_tokens")) == {
        "cost_micros__sum": 0,
        "latency__sum": 0,
        "input_tokens__sum": 0,
    }


def adopt_a_rule(project: Project) -> None:
    owner = project.memberships.get().user
    rubric.adopt(entry=rubric.write(project=project, text=EntryText("Gilded brass is no gold."), by=owner), by=owner)
    project.refresh_from_db()


def check_the_bill(project: Project, server: LocalServer, price: int) -> None:
    """What is shown is what the provider billed; the two replies that were lost stand apart, at their most."""
    total = ledger(project=project).total
    lost = Call.objects.filter(job__run__project=project, is_cost_certain=False)
    assert list(lost.order_by("pk").values_list("state", flat=True)) == ["unconfirmed", "failed"]
    assert total.n_uncertain == 2
    assert total.cost_micros == (server.n_received - 2) * price
    assert total.uncertain_micros == sum(call.reserved_micros for call in lost) >= 2 * price
    check_books(project)


@pytest.mark.usefixtures("patience")
def test_pc14_nothing_is_voted_on_or_paid_for_twice(
    project: Project, judge: Judge, wanted: NewJudge, claims: list[Claim], server: LocalServer, price: int
) -> None:
    # 1 and 2: a call times out after the provider answered, and the job is retried
    server.script(ANSWER, ANSWER, LATE, ANSWER)
    run = panel.open_run(project=project, by=None)
    die_at_work(run, claims[1:])
    panel_worker.drive(run_id=run.pk, concurrency=1)
    assert told(claims[0], run) == [("failed", "timeout"), ("answered", "stop")]

    # 3: the worker that had the other claims was killed, and the run is resumed
    server.script(ANSWER, CUT_OFF, CUT_OFF)
    Job.objects.filter(run=run, state=Job.State.LEASED).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert panel_worker.drive(run_id=run.pk, concurrency=1).state == Run.State.DONE
    assert [told(claim, run) for claim in claims[1:]] == [
        [("answered", "stop")],
        [("unconfirmed", ""), ("answered", "stop")],
        [("answered", "length")] * 2,
    ]
    first = votes(run)
    assert [vote[0] for vote in first] == ["cast", "cast", "cast", "failed"]

    # started again as it was: what was read costs nothing, what was cut off is asked for
    server.script(ANSWER)
    check_what_was_used_again(start(project), first, price)

    # 4: the same with max_tokens 2000 instead of 800
    server.script(*[ANSWER] * 4)
    judge_changes.change(judge=judge, wanted=replace(wanted, parameters={**wanted.parameters, "max_tokens": 2_000}))
    assert sent_and_reused(start(project)) == (4, 0, 4 * price)

    # 5: under version 4 of the rubric
    server.script(*[ANSWER] * 4)
    adopt_a_rule(project)
    last = start(project)
    assert sent_and_reused(last) == (4, 0, 4 * price)
    assert {version for *_, version in votes(last)} == {4}

    check_the_bill(project, server, price)
