"""The demo: made and judged once, finished after an interruption, and removed whole."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from evaluation.demo import larkhaven
from evaluation.models import Claim, Outcome, Project, Run, Verdict
from evaluation.services import demo, estimating, projects

pytestmark = pytest.mark.django_db


class InterruptError(Exception):
    """Stands for a Ctrl-C in the middle."""


def test_it_is_made_judged_and_joined_once_and_removed_whole(owner: User) -> None:
    said: list[str] = []
    project = demo.load(owner=owner, say=said.append)
    n_votes = Verdict.objects.count()

    again = demo.load(owner=owner, say=said.append)

    assert project == again
    assert (project.is_demo, project.name, project.first_claim_ref) == (True, larkhaven.NAME, larkhaven.FIRST_CLAIM)
    assert said == ["Importing twelve memos …", "Asking five offline judges …", "Joining like claims …"]
    assert Verdict.objects.count() == n_votes == 5 * Claim.objects.count()
    assert Outcome.objects.get(claim__external_id=larkhaven.FIRST_CLAIM).pattern.is_candidate
    assert project.graphs.get().n_claims == Claim.objects.count()
    assert estimating.estimate(project=project).blockers[0].startswith("Every judge has voted")

    projects.remove(project=project, by=owner)

    left = {
        model.__name__ for model in apps.get_app_config("evaluation").get_models() if model._default_manager.exists()
    }
    assert left == {"ModelPrice"}  # what models cost belongs to no project


@pytest.mark.parametrize("step", ["Asking", "Joining"])
def test_an_interrupted_demo_is_finished_by_the_next_start(owner: User, step: str) -> None:
    def interrupt(sentence: str) -> None:
        if sentence.startswith(step):
            raise InterruptError

    with pytest.raises(InterruptError):
        demo.load(owner=owner, say=interrupt)

    project = demo.load(owner=owner)

    assert Project.objects.count() == 1
    assert Verdict.objects.count() == 5 * Claim.objects.count()
    assert project.graphs.count() == 1
    assert project.runs.filter(kind=Run.Kind.PANEL).count() == 1
