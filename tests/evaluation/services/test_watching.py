"""What may change under a worker: the state of its run, and the terms on which judges are asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Judge, Project, Run
from evaluation.services import judges
from evaluation.services.watching import Watch
from tests import factories

pytestmark = pytest.mark.django_db

DEEDS: dict[str, Callable[[Project], object]] = {
    "a rule is adopted": lambda project: Project.objects.update(rubric_version=7),
    "a provider is forbidden": lambda project: Project.objects.update(allowed_providers=[]),
    "names are masked": lambda project: Project.objects.update(deidentify={"names": ["Ann"]}),
    "a judge rests": lambda project: judges.set_active(judge=project.judges.get(), is_active=False),
}


@pytest.fixture
def run(project: Project) -> Run:
    factories.make_judges(project, 1, provider="openai_chat")
    return factories.make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)


@pytest.mark.parametrize("deed", DEEDS)
def test_other_terms_are_noticed_once(run: Run, project: Project, deed: str) -> None:
    watch = Watch(run)

    before = watch.have_terms_changed()
    DEEDS[deed](project)

    assert (before, watch.have_terms_changed(), watch.have_terms_changed()) == (False, True, False)


def test_the_rows_at_hand_are_as_in_the_database_after_one_query(
    run: Run, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    watch = Watch(run)
    Run.objects.update(state=Run.State.PAUSED)
    Project.objects.update(allowed_providers=["x"], rubric_version=3)

    with django_assert_num_queries(1):
        watch.have_terms_changed()

    assert (run.state, run.project.allowed_providers, run.project.rubric_version) == ("paused", ["x"], 3)


def test_a_run_that_is_gone_is_said_to_be_gone(run: Run, project: Project) -> None:
    watch = Watch(run)
    Judge.objects.all().delete()
    project.delete()

    with pytest.raises(Run.DoesNotExist):
        watch.have_terms_changed()
