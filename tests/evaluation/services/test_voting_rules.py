"""How judges are asked: stored with the project, followed by the next plan."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.models import Outcome, Project
from evaluation.services import planning, voting_rules
from tests import factories

pytestmark = pytest.mark.django_db


def test_the_next_run_follows_the_rules_and_other_parameters_stay(project: Project) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    factories.make_pair(project)
    project.parameters = {"tau": 0.3}
    project.save()

    voting_rules.set_rules(project=project, samples=2, both_orders=False)

    steps = list(planning.plan(Project.objects.get(), [judge], "shared"))
    assert [(step.order, step.sample) for step in steps] == [("as_given", 0), ("as_given", 1)]
    assert Project.objects.get().method_parameters.tau == 0.3


@pytest.mark.parametrize("samples", [0, -1, 10])
def test_a_number_out_of_range_is_refused(project: Project, samples: int) -> None:
    with pytest.raises(InvalidInputError, match=f"not {samples} times"):
        voting_rules.set_rules(project=project, samples=samples, both_orders=True)

    assert Project.objects.get().parameters == {}


def test_a_pair_asked_in_one_order_is_full_only_while_one_order_is_asked_for(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    swapped, once = factories.make_pair(project), factories.make_pair(project)
    for claim, orders in ((swapped, ("as_given", "swapped")), (once, ("as_given",))):
        for order in orders:
            factories.vote_repeatedly(claim, {judges[0]: ("first",), judges[1]: ("second",)}, order=order)

    found = []
    for both_orders in (True, False, True):
        voting_rules.set_rules(project=project, samples=1, both_orders=both_orders)
        found.append(
            [Outcome.objects.select_related("pattern").get(claim=each).pattern.is_full for each in (swapped, once)]
        )
    assert found[1:] == [[True, True], [True, False]]
