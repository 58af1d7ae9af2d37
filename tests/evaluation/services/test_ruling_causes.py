from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Decision, Judge, Project
from evaluation.services import ruling_causes
from tests import factories

pytestmark = pytest.mark.django_db
SOURCE = "Three units cost 1,790 EUR each. Delivery six weeks after order. Installation is not included."


def ruled(owner: User, text: str, votes: dict[Judge, str], label: str) -> Decision:
    project = next(iter(votes)).project
    response = factories.make_response(factories.make_instance(project, sources=[SOURCE]))
    claim = factories.make_claim(project, text, response=response)
    factories.vote(claim, votes)
    return factories.rule(claim, owner, label)


def test_offline_rulings_are_alike_by_what_the_checkers_object_to(project: Project, owner: User) -> None:
    votes = dict.fromkeys(factories.make_judges(project, 2, provider="offline"), "reject")
    computed, copied, also_computed = (
        ruled(owner, text, votes, "accept")
        for text in ("Three cost 5,370 EUR.", "Delivery is six weeks after order.", "Ten would be 17,900 EUR.")
    )

    assert ruling_causes.is_same(computed, also_computed)
    assert not ruling_causes.is_same(computed, copied)


@pytest.mark.parametrize(
    ("labels", "is_same"),
    [
        (("accept", "accept", "reject"), True),
        (("accept", "accept", "accept"), True),
        (("accept", "reject", "reject"), True),
        (("reject", "reject", "accept"), False),
        (("reject", "reject", "reject"), False),
    ],
)
def test_other_rulings_are_alike_when_they_go_against_the_same_judges(
    project: Project, owner: User, labels: tuple[str, ...], is_same: bool
) -> None:
    panel = factories.make_judges(project, 3)
    one = ruled(owner, "One.", dict(zip(panel, ("accept", "accept", "reject"), strict=True)), "reject")
    other = ruled(owner, "Other.", dict(zip(panel, labels, strict=True)), "reject")

    assert ruling_causes.is_same(one, other) is is_same
    assert ruling_causes.is_same(other, one) is is_same


def test_a_judge_that_wavered_is_gone_against_by_what_it_said_most_often(project: Project, owner: User) -> None:
    panel = factories.make_judges(project, 2)
    firm = ruled(owner, "One.", {panel[0]: "accept", panel[1]: "reject"}, "reject")
    claim = factories.make_claim(project, "Other.")
    factories.vote_repeatedly(claim, {panel[0]: ("accept",) * 3, panel[1]: ("reject", "accept", "reject")})

    wavering = factories.rule(claim, owner, "reject")

    assert ruling_causes.is_same(firm, wavering)
    assert [voter["sided"] for voter in wavering.propagation.judges] == [False, True]
