"""Material to time runs on: exactly the calls that were wanted, and no text twice."""

from __future__ import annotations

import pytest

from evaluation.models import Claim, Outcome
from evaluation.services import bench_material, panel

URLS = {"openai_chat": "http://127.0.0.1:9/v1", "anthropic_messages": "http://127.0.0.1:9"}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("calls", "judges"), [(12, 4), (6, 2), (5, 1)])
def test_a_run_of_it_has_exactly_so_many_steps(calls: int, judges: int) -> None:
    project = bench_material.make(calls=calls, urls=URLS, parameters={"max_concurrency": 3})

    run = panel.open_run(project=project, by=None)

    assert run.jobs.count() == calls
    assert project.judges.count() == judges
    assert set(project.judges.values_list("parameters__max_concurrency", flat=True)) == {3}


def test_every_claim_has_a_text_of_its_own_and_an_outcome() -> None:
    project = bench_material.make(calls=12, urls=URLS, parameters={})

    texts = list(Claim.objects.filter(project=project).values_list("text", flat=True))

    assert len(set(texts)) == len(texts) == 3 * bench_material.CLAIMS_PER_RESPONSE
    assert Outcome.objects.filter(project=project).count() == len(texts)
