"""`propagate` does what follows from rulings, shows what followed, and compares with the literal variant."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError

from evaluation.models import Job, Outcome, Project, RubricEntry
from evaluation.services import rubric
from tests import factories
from tests.evaluation.management.commands.conftest import Ask, Say

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed(project: Project) -> Project:
    """Three like claims that two judges accept and one rejects, joined by edges."""
    judges = factories.make_judges(project, 3)
    claims = factories.make_disputed(project, judges, 3, tags=["price"])
    factories.join(claims[0], dict.fromkeys(claims[1:], 0.9))
    return project


def test_two_rulings_that_point_the_same_way_become_a_draft(disputed: Project, owner: User, ask: Ask) -> None:
    first, second = disputed.claims.all()[:2]
    factories.rule(first, owner, "reject")
    factories.rule(second, owner, "reject")

    found = ask("propagate")

    assert found["rulings"] == 2
    assert found["drafts"] == RubricEntry.objects.count() == 1
    assert found["failures"] == []
    assert not Job.objects.filter(state__in=["waiting", "leased"]).exists()


def test_a_second_time_nothing_is_left(disputed: Project, owner: User, ask: Ask, say: Say) -> None:
    for claim in disputed.claims.all()[:2]:
        factories.rule(claim, owner, "reject")
    ask("propagate")

    assert "Nothing was left to do" in say("propagate")
    assert RubricEntry.objects.count() == 1


def test_a_draft_that_a_person_dropped_does_not_come_back(disputed: Project, owner: User, ask: Ask) -> None:
    for claim in disputed.claims.all()[:2]:
        factories.rule(claim, owner, "reject")
    ask("propagate")
    rubric.drop(entry=RubricEntry.objects.get(), by=owner)

    found = ask("propagate")

    assert found["runs"] == []
    assert RubricEntry.objects.get().status == RubricEntry.Status.RETIRED


def test_a_dry_run_counts_and_does_nothing(disputed: Project, owner: User, ask: Ask) -> None:
    decision = factories.rule(disputed.claims.all()[0], owner, "reject")

    found = ask("propagate", "--dry-run")

    assert found["rulings"] == [decision.pk]
    assert not Job.objects.exists()


def test_a_ruling_shows_what_it_moved(disputed: Project, owner: User, ask: Ask) -> None:
    judges = list(disputed.judges.all())
    split = factories.make_claim(disputed)
    factories.vote(split, {judges[0]: "accept", judges[2]: "reject"})

    decision = factories.rule(disputed.claims.all()[0], owner, "accept")
    found = ask("propagate", "--decision", str(decision.pk), "--dry-run")

    assert found["n_moved"] == 1
    assert found["moves"] == [{"claims": 1, "before": "split", "after": "accept"}]


def test_the_literal_variant_turns_neighbours_over_and_stores_nothing(disputed: Project, owner: User, ask: Ask) -> None:
    claims = list(disputed.claims.all())
    decision = factories.rule(claims[0], owner, "reject")
    before = list(Outcome.objects.order_by("pk").values_list("source", "pattern__label"))

    found = ask("propagate", "--flip", str(decision.pk), "--dry-run")

    assert (found["before"], found["ruling"], found["n_neighbours"]) == ("accept", "reject", 2)
    assert [each["claim_id"] for each in found["turned"]] == [each.external_id for each in claims[1:]]
    assert list(Outcome.objects.order_by("pk").values_list("source", "pattern__label")) == before


def test_the_literal_variant_is_never_stored(disputed: Project, owner: User, say: Say) -> None:
    decision = factories.rule(disputed.claims.all()[0], owner, "reject")

    with pytest.raises(CommandError, match="--dry-run"):
        say("propagate", "--flip", str(decision.pk))


def test_an_unknown_ruling_is_refused(disputed: Project, say: Say) -> None:
    with pytest.raises(CommandError, match="no ruling 99"):
        say("propagate", "--decision", "99")
