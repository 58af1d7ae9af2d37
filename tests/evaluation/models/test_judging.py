"""Constraints on judges, runs, jobs and verdicts hold in the database itself."""

from __future__ import annotations

import pytest
from django.db import IntegrityError
from django.db.models import RestrictedError

from evaluation.exchange.fields import MAX_ID
from evaluation.models import Batch, Claim, Job, Judge, Panel, Project, Response, Run, System, Verdict
from tests import factories

pytestmark = pytest.mark.django_db


def make_verdict(project: Project, **changes: object) -> Verdict:
    values = {"state": "cast", "label": "accept", **changes}
    if "judge" not in values:
        values |= {"judge": factories.make_judges(project, 1)[0], "claim": factories.make_claim(project)}
    return Verdict.objects.create(**{"run": factories.make_run(project), **values})


@pytest.mark.parametrize(
    "changes",
    [
        {"label": ""},
        {"state": "failed"},
        {"state": "abstained"},
        {"confidence": 1.01},
        {"confidence": -0.1},
    ],
)
def test_a_verdict_that_makes_no_sense_is_refused(project: Project, changes: dict[str, object]) -> None:
    with pytest.raises(IntegrityError, match=r"only_a_cast_verdict_has_a_label|confidence_is_between_0_and_1"):
        make_verdict(project, **changes)


def test_one_verdict_of_a_voter_is_current(project: Project) -> None:
    first = make_verdict(project, is_current=True)
    same = {"judge": first.judge, "claim": first.claim}
    make_verdict(project, **same, is_current=True, order="swapped")
    make_verdict(project, **same, is_current=True, sample=1)
    make_verdict(project, **same)

    with pytest.raises(IntegrityError):
        make_verdict(project, **same, is_current=True)


def test_a_voter_is_asked_once_in_a_run_for_each_purpose(project: Project) -> None:
    first = make_verdict(project)
    same = {"judge": first.judge, "claim": first.claim, "run": first.run}
    make_verdict(project, **same, purpose="review")

    with pytest.raises(IntegrityError):
        make_verdict(project, **same)


@pytest.mark.parametrize(("kind", "is_refused"), [("panel", True), ("graph", True), ("second_look", False)])
def test_one_run_of_panel_and_graph_is_open(project: Project, kind: str, is_refused: bool) -> None:
    factories.make_run(project, kind=kind, state=Run.State.DONE)
    factories.make_run(project, kind=kind, state=Run.State.STOPPING)

    if is_refused:
        with pytest.raises(IntegrityError):
            factories.make_run(project, kind=kind, state=Run.State.QUEUED)
    else:
        assert factories.make_run(project, kind=kind, state=Run.State.QUEUED).pk


def test_a_job_is_made_once_in_a_run(project: Project) -> None:
    run = factories.make_run(project)
    Job.objects.create(run=run, task="judge", key="a")

    with pytest.raises(IntegrityError):
        Job.objects.create(run=run, task="review", key="a")


def test_one_panel_is_current_and_a_version_is_used_once(project: Project) -> None:
    panel = Panel.objects.create(project=project, version=1)

    with pytest.raises(IntegrityError):
        Panel.objects.create(project=panel.project, version=2)


def test_a_judge_s_name_is_used_once(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)

    with pytest.raises(IntegrityError):
        Judge.objects.create(project=project, name=judge.name, provider="replay", model="m")


def test_a_judge_that_voted_is_not_deleted(project: Project) -> None:
    verdict = make_verdict(project)

    with pytest.raises(RestrictedError):
        verdict.judge.delete()


def test_every_name_that_a_file_may_bring_fits() -> None:
    fields = [(Judge, "name"), (System, "name"), (Batch, "name"), (Claim, "external_id"), (Response, "external_id")]

    lengths = [getattr(model._meta.get_field(name), "max_length", 0) for model, name in fields]

    assert min(lengths) >= MAX_ID
