"""Judges against gold labels, with every degenerate case."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.models import Project
from evaluation.services import validation
from tests import factories

pytestmark = pytest.mark.django_db


def test_the_majority_counts_ties_in_shares_and_kappa_leaves_them_out(project: Project) -> None:
    a, b = factories.make_judges(project, 2)
    for gold, votes in (
        ("accept", ("accept", "accept")),
        ("accept", ("accept", "reject")),
        ("reject", ("reject",) * 2),
    ):
        factories.vote(factories.make_claim(project, gold=gold), dict(zip((a, b), votes, strict=True)))

    found = validation.validate(project=project)

    assert found.n_ties == 1
    assert found.majority.recall == {"accept": 0.75, "reject": 1.0}
    assert found.majority.balanced_accuracy == pytest.approx(0.875)
    assert found.majority.accuracy == pytest.approx(2.5 / 3)
    assert found.majority.kappa == pytest.approx(1.0)


def test_a_judge_is_measured_on_the_votes_it_cast(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    for gold, label in (("accept", "accept"), ("reject", "accept"), ("reject", "reject"), ("reject", "")):
        factories.vote(factories.make_claim(project, gold=gold), {judge: label})

    (measured,) = validation.validate(project=project).judges

    assert (measured.n, measured.n_abstained, measured.abstained) == (3, 1, 0.25)
    assert measured.accuracy == pytest.approx(2 / 3)
    assert measured.balanced_accuracy == pytest.approx((1 + 0.5) / 2)


def test_balanced_accuracy_is_undefined_with_one_gold_label(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    factories.vote(factories.make_claim(project, gold="accept"), {judge: "accept"})

    found = validation.validate(project=project)

    assert (found.majority.balanced_accuracy, found.majority.kappa) == (None, None)
    assert found.majority.accuracy == 1.0


def test_a_judge_that_always_abstains_has_no_accuracy(project: Project) -> None:
    silent, other = factories.make_judges(project, 2)
    factories.vote(factories.make_claim(project, gold="accept"), {silent: "", other: "accept"})

    measured = {each.name: each for each in validation.validate(project=project).judges}

    assert (measured[silent.name].accuracy, measured[silent.name].abstained) == (None, 1.0)


def test_judges_that_were_switched_off_do_not_count(project: Project) -> None:
    on, off = factories.make_judges(project, 2)
    factories.vote(factories.make_claim(project, gold="accept"), {on: "reject", off: "accept"})
    off.is_active = False
    off.save()

    found = validation.validate(project=project)

    assert [each.name for each in found.judges] == [on.name]
    assert found.majority.accuracy == 0.0


def test_labels_nobody_voted_on_are_refused_with_the_next_step(project: Project) -> None:
    factories.make_claim(project, gold="accept")

    with pytest.raises(InvalidInputError, match="run the panel first"):
        validation.validate(project=project)


def test_two_kinds_with_labels_have_to_be_told_apart(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    factories.vote(factories.make_claim(project, gold="accept"), {judge: "accept"})
    pair = factories.make_pair(project)
    pair.gold = "first"
    pair.save()
    factories.vote(pair, {judge: "second"})

    with pytest.raises(InvalidInputError, match="--kind preference or statement"):
        validation.validate(project=project)
    assert validation.validate(project=project, kind="preference").majority.accuracy == 0.0
