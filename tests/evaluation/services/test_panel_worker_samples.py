"""Runs in which judges vote several times, and runs that ask only for what failed, over real HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from evaluation.errors import ConflictError
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Judge, Outcome, Project, Response, Run, Verdict
from evaluation.services import panel, panel_worker
from evaluation.services.panel import RunOptions
from tests import factories

pytestmark = pytest.mark.django_db

SOURCE = "The fridge holds 84 litres."
TEXT = "The fridge holds 84 litres. It glows at night. It costs 900 EUR."


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as found:
        yield found


@pytest.fixture
def judges(project: Project, server: LocalServer) -> list[Judge]:
    return [factories.make_asked_judge(project, server.openai_url, model=model) for model in ("m", "n")]


def memo(project: Project, text: str = TEXT) -> Response:
    return factories.make_response(factories.make_instance(project, sources=[SOURCE]), text)


def run_panel(project: Project, **options: object) -> Run:
    run = panel.open_run(project=project, by=None, options=RunOptions(**options))  # type: ignore[arg-type]
    return panel_worker.drive(run_id=run.pk, concurrency=2)


def votes(project: Project) -> Counter[tuple[int, int, int, str]]:
    rows = Verdict.objects.filter(claim__project=project, is_current=True)
    return Counter(rows.values_list("claim_id", "judge_id", "sample", "state"))


def test_what_is_cut_is_voted_on_as_often_as_was_asked_for(
    project: Project, judges: list[Judge], server: LocalServer
) -> None:
    memo(project)

    run = run_panel(project, samples=3)

    claims = list(project.claims.all())
    assert (run.state, run.samples, len(claims)) == (Run.State.DONE, 3, 3)
    assert votes(project) == {
        (claim.pk, judge.pk, sample, "cast"): 1 for claim in claims for judge in judges for sample in range(3)
    }
    # each judge cuts and votes in one call, and is asked once for each further sample
    assert len(server.received) == len(judges) * 3


def test_a_later_run_asks_only_for_the_samples_that_are_missing(
    project: Project, judges: list[Judge], server: LocalServer
) -> None:
    memo(project)
    run_panel(project)
    n_asked = len(server.received)

    with pytest.raises(ConflictError, match="voted on everything"):
        run_panel(project)
    run_panel(project, samples=2)

    assert len(server.received) - n_asked == len(judges)
    assert Counter(sample for _, _, sample, _ in votes(project)) == {0: 6, 1: 6}


def test_samples_that_differ_share_the_vote_of_their_judge(
    project: Project, judges: list[Judge], server: LocalServer
) -> None:
    claim = factories.make_claim(project, response=memo(project))
    reply = {"claim": "1", "tags": [], "rationale": "So.", "confidence": None}
    for verdict in ("accept", "reject", "accept"):
        server.script(*[Step(answer={"verdicts": [reply | {"verdict": verdict}]})] * 2)

    run_panel(project, samples=3)

    pattern = Outcome.objects.get(claim=claim).pattern
    assert sum(share for _, _, share in pattern.votes) == pytest.approx(2)
    assert pattern.n_cast == 2
    assert Counter(claim.verdicts.values_list("label", flat=True)) == {"accept": 4, "reject": 2}


def test_only_what_failed_is_asked_for_again(project: Project, judges: list[Judge], server: LocalServer) -> None:
    claims = [factories.make_claim(project, response=memo(project)) for _ in range(3)]
    server.script(Step(status=400))
    run_panel(project)
    (failed,) = Verdict.objects.filter(state="failed")
    fresh = factories.make_claim(project)
    n_asked = len(server.received)

    run = run_panel(project, only_failed=True)

    assert len(server.received) - n_asked == 1
    assert (failed.failure_reason, run.state) == ("config", Run.State.DONE)
    assert votes(project) == {(claim.pk, judge.pk, 0, "cast"): 1 for claim in claims for judge in judges}
    assert not fresh.verdicts.exists()
    with pytest.raises(ConflictError, match="No vote failed"):
        run_panel(project, only_failed=True)
