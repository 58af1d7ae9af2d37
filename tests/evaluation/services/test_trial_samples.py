"""Which ruled claims a rule is tried on."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Project, RubricEntry
from evaluation.services import decisions, rubric
from evaluation.services.rubric_support import EntryText
from evaluation.services.trial_samples import N_OWN, draw
from tests import factories

pytestmark = pytest.mark.django_db


def ruled(project: Project, owner: User, n: int, tag: str = "") -> list[Claim]:
    judges = list(project.judges.all()) or factories.make_judges(project)
    claims = factories.make_disputed(project, judges, n, tags=[tag] if tag else [])
    for claim in claims:
        factories.rule(claim, owner, "reject")
    return claims


def write(project: Project, owner: User, *tags: str, example: str = "") -> RubricEntry:
    return rubric.write(project=project, text=EntryText("Rule.", negative_example=example, tags=tags), by=owner)


def test_three_in_four_have_a_tag_of_the_rule(project: Project, owner: User) -> None:
    like, unlike = ruled(project, owner, 9, "time"), ruled(project, owner, 9, "price")

    sample = draw(write(project, owner, "time"), 8)

    assert len([claim for claim in sample.claims if claim in like]) == 6
    assert len([claim for claim in sample.claims if claim in unlike]) == 2


@pytest.mark.parametrize(("n_like", "n_unlike"), [(1, 9), (9, 1), (0, 9), (9, 0)])
def test_where_one_sort_is_short_the_other_fills_up(project: Project, owner: User, n_like: int, n_unlike: int) -> None:
    like = ruled(project, owner, n_like, "time") if n_like else []
    if n_unlike:
        ruled(project, owner, n_unlike, "price")

    sample = draw(write(project, owner, "time"), 8)

    assert len(sample.claims) == 8
    assert len([claim for claim in sample.claims if claim in like]) == min(n_like, 8 - min(n_unlike, 2))


def test_another_wording_is_tried_on_the_same_claims_and_another_rule_on_others(project: Project, owner: User) -> None:
    ruled(project, owner, 30)
    entry, other = write(project, owner), write(project, owner)
    before = draw(entry)

    after = draw(rubric.edit(entry=entry, text=EntryText("Reworded."), by=owner))

    assert (before, len(before.claims)) == (after, 20)
    assert draw(other).claims != before.claims


def test_what_the_rule_was_made_from_or_quotes_stands_apart(project: Project, owner: User) -> None:
    made_from, quoted, _ = ruled(project, owner, 3)
    entry = write(project, owner, example=f"  {quoted.text.upper()} ")
    entry.decisions.add(made_from.decisions.get())

    sample = draw(entry)

    assert sample.own == (made_from, quoted)
    assert not set(sample.own) & set(sample.claims)
    assert len(sample.claims) == 1


def test_of_its_own_only_some_are_asked(project: Project, owner: User) -> None:
    entry = write(project, owner)
    entry.decisions.set(claim.decisions.get() for claim in ruled(project, owner, N_OWN + 2))

    sample = draw(entry)

    assert (len(sample.own), len(sample.claims)) == (N_OWN, 0)


def test_only_standing_rulings_of_experts_on_this_kind_count(project: Project, owner: User) -> None:
    kept, undone, void = ruled(project, owner, 3)
    decisions.undo(decision=undone.decisions.get(), by=owner)
    draw_of_void = factories.make_draw(Claim.objects.get(pk=void.pk), owner)
    decisions.record(draw=draw_of_void, ruling=decisions.Ruling(action="void"))
    factories.rule(factories.make_pair(project), owner, "first")
    factories.make_claim(project)

    assert draw(write(project, owner)).claims == (kept,)
