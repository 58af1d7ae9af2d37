"""The judge for second looks: the best one, and none at all where even the best is too bad."""

from __future__ import annotations

import pytest

from evaluation.errors import NotAllowedError
from evaluation.models import Judge, Project, TrackRecord
from evaluation.services import reviewers
from tests import factories

pytestmark = pytest.mark.django_db


def record(judge: Judge, agreed: float, decided: float, order: str = "as_given") -> None:
    TrackRecord.objects.create(
        project=judge.project,
        judge=judge,
        order=order,
        kind="statement",
        agreed=agreed,
        decided=decided,
        mean=0.5,
        lower=0.1,
        upper=0.9,
        weight=0.0,
    )


@pytest.fixture
def two(project: Project) -> list[Judge]:
    return factories.make_judges(project, 2, provider="openai_chat")


def test_the_judge_that_agreed_most_is_chosen(project: Project, two: list[Judge]) -> None:
    record(two[0], 2, 4)
    record(two[1], 4, 4)

    chosen = reviewers.choose(project=project, kind="statement")

    assert chosen.judge == two[1]
    assert chosen.reliability.mean == pytest.approx((8 * 0.7 + 4) / 12)
    assert not chosen.is_proven


def test_the_first_judge_is_chosen_before_any_ruling(project: Project, two: list[Judge]) -> None:
    chosen = reviewers.choose(project=project, kind="statement")

    assert chosen.judge == two[0]
    assert chosen.reliability.mean == pytest.approx(0.7)


def test_both_orders_of_a_judge_count_together(project: Project, two: list[Judge]) -> None:
    record(two[0], 1, 2)
    record(two[0], 5, 6, "swapped")

    pooled = reviewers.pooled(two[0], "statement")

    assert (pooled.agreed, pooled.decided) == (6, 8)


def test_none_is_chosen_where_the_best_is_worse_than_a_coin(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1, provider="openai_chat")
    record(judge, 0, 4)

    with pytest.raises(NotAllowedError, match="agreed with experts on only 0 of 4 claims"):
        reviewers.choose(project=project, kind="statement")


@pytest.mark.parametrize(("agreed", "decided", "is_chosen"), [(5, 9, True), (6, 10, False), (9, 10, True)])
def test_after_ten_rulings_the_lower_bound_counts(
    project: Project, agreed: float, decided: float, is_chosen: bool
) -> None:
    (judge,) = factories.make_judges(project, 1, provider="openai_chat")
    record(judge, agreed, decided)

    if is_chosen:
        assert reviewers.choose(project=project, kind="statement").judge == judge
    else:
        with pytest.raises(NotAllowedError, match="even the best judge"):
            reviewers.choose(project=project, kind="statement")


def test_recorded_and_inactive_judges_are_not_asked(project: Project, two: list[Judge]) -> None:
    factories.make_judges(project, 1)
    Judge.objects.filter(pk__in=[judge.pk for judge in two]).update(is_active=False)

    with pytest.raises(NotAllowedError, match="votes of this project are recorded"):
        reviewers.choose(project=project, kind="statement")


def test_rules_are_drafted_without_a_key_where_no_judge_is_good_enough(project: Project) -> None:
    factories.make_judges(project, 2)

    first, again = (reviewers.drafter(project, "statement") for _ in range(2))

    assert first == again
    assert (first.provider, first.is_active, first.panels.count()) == ("offline", False, 0)


def test_a_judge_whose_server_may_not_see_the_text_gives_no_second_opinion(project: Project, two: list[Judge]) -> None:
    project.allowed_providers = []
    offline = factories.make_judges(project, 1, provider="offline")[0]

    assert reviewers.choose(project=project, kind="statement").judge == offline
